"""The command line: simulate a model, check it, list the examples.

    simulate FILE --t-end 5 --csv out.csv        check FILE        examples --copy FOLDER

FILE is a model file or the name of an example. The exit code is 0, or 2 with a sentence on stderr.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assets import example_paths
from engine.cli.study_commands import Console, add_commands
from engine.errors import EngineError
from engine.model.elements import NEAR_LOCK, ORIENTATIONS, Model
from engine.model.methods import METHOD_NAMES, STABILISATION_NAMES

OVERRIDES = (
    *("t_end", "step", "output_step", "method", "stabilisation", "tolerance", "orientation"),
    "near_lock",
)
_SHOW_PROGRESS_AFTER = 1.0  # s


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; returns the exit code."""
    chosen = parser().parse_args(argv)
    try:
        code = int(chosen.command(chosen))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader of the output, such as head, has closed it
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, for what Python still flushes at its end
        return 0
    except EngineError as error:
        return _complain(error.sentence)
    except OSError as error:
        about = f"'{error.filename}': " if error.filename else ""
        return _complain(f"{about}{error.strerror or error}.")
    except KeyboardInterrupt:
        return _complain("Interrupted.")


def parser() -> argparse.ArgumentParser:
    """The arguments that are understood."""
    top = argparse.ArgumentParser(prog="kardan", description="Mechanisms from the command line.")
    commands = top.add_subparsers(required=True, metavar="command")

    run = commands.add_parser("simulate", help="run a model and write what it did")
    run.add_argument("file", help="a model file, or the name of an example")
    run.add_argument("--t-end", type=float, metavar="S", help="the run goes from 0 to here [s]")
    run.add_argument("--step", type=float, metavar="S", help="step of the integrator [s]")
    run.add_argument("--output-step", type=float, metavar="S", help="time between frames [s]")
    run.add_argument("--method", choices=METHOD_NAMES, help="the integrator")
    run.add_argument(
        "--stabilisation", choices=STABILISATION_NAMES, help="what keeps joints closed"
    )
    run.add_argument("--tolerance", type=float, metavar="E", help="of adaptive methods, relative")
    run.add_argument(
        "--orientation",
        choices=ORIENTATIONS,
        metavar="O",
        help="quaternion, or a sequence as 3-1-3",
    )
    run.add_argument(
        "--near-lock", choices=NEAR_LOCK, metavar="N", help="warn, stop or 'switch ...'"
    )
    run.add_argument("--csv", metavar="OUT", help="write channels as text")
    run.add_argument("--npz", metavar="OUT", help="write channels for numpy")
    run.add_argument(
        "--channels", nargs="+", metavar="PATTERN", help="which, such as rod_1.angle '*.force'"
    )
    run.add_argument("--decimal-comma", action="store_true", help="1,5;2,5 instead of 1.5,2.5")
    run.set_defaults(command=_simulate)

    look = commands.add_parser("check", help="list what is wrong with a model, or how it can move")
    look.add_argument("file", help="a model file, or the name of an example")
    look.set_defaults(command=_check)

    add_commands(commands, Console(_load, _Bar, _say_if_first_time))

    shown = commands.add_parser("examples", help="list the examples")
    shown.add_argument("--copy", metavar="FOLDER", help="copy them all into a folder")
    shown.set_defaults(command=_examples)
    return top


def _simulate(chosen: argparse.Namespace) -> int:
    """Run a model, print the summary and write the files asked for."""
    from engine.compiling.system import compile_model
    from engine.results.channels import matching
    from engine.results.export import write_csv, write_npz
    from engine.results.results import Results
    from engine.running.simulate import run

    model = _load(chosen.file)
    _say_if_first_time()
    given = {name: getattr(chosen, name) for name in OVERRIDES}
    overrides = {name: value for name, value in given.items() if value is not None}
    if chosen.channels:  # a misspelt name is reported before the run, not after it
        matching(Results(compile_model(model)), chosen.channels)
    with _Bar() as bar:
        results = run(model, progress=bar.show, **overrides)
    print(results.summary())
    if chosen.csv:
        write_csv(results, chosen.csv, chosen.channels, decimal_comma=chosen.decimal_comma)
        print(f"{'Written:':<15}{chosen.csv}")
    if chosen.npz:
        write_npz(results, chosen.npz, chosen.channels)
        print(f"{'Written:':<15}{chosen.npz}")
    ending = results.ending
    if ending is None or ending.reason in ("done", "stopped"):  # ended as intended
        return 0
    return _complain(ending.sentence)


def _say_if_first_time() -> None:
    """Explain the delay where kernels are not compiled yet."""
    from engine.integrators import warm_up

    if not warm_up.are_compiled():
        print(warm_up.FIRST_TIME, file=sys.stderr, flush=True)


def _check(chosen: argparse.Namespace) -> int:
    """List the problems of a model, or print its mobility."""
    from engine.compiling.checks import problems, remarks
    from engine.compiling.system import compile_model
    from engine.kinematics.mobility import mobility
    from engine.results.results import mobility_lines

    model = _load(chosen.file)
    found = problems(model)
    if found:
        return _complain("\n".join(problem.sentence for problem in found))
    _say_if_first_time()
    compiled = compile_model(model)
    wrong = _start_troubles(compiled)
    unusual = [one.sentence for one in remarks(model)]
    verdict = "what is wrong is told below" if wrong else "nothing wrong with it"
    verdict += ", what is unusual is told below" if unusual and not wrong else ""
    print(f"{'Model:':<15}{model.name or 'unnamed'}, {verdict}")
    for what, words in mobility_lines(compiled).items():
        print(f"{what + ':':<15}{words}")
    for sentence in mobility(compiled, compiled.q0, compiled.v0, 0.0).sentences:
        print(sentence)
    for sentence in (*wrong, *unusual):
        print(sentence)
    return 0


def _start_troubles(compiled: Any) -> list[str]:
    """What differs between the drawing and the state a run starts with, in sentences."""
    from engine.compiling.system import workspace
    from engine.kinematics.assemble import CLOSED, assemble, gap_sentence
    from engine.kinematics.evaluate import fill

    ws = workspace(compiled.system)
    fill(compiled, ws, 0.0, compiled.q0, compiled.v0)
    told = []
    if abs(ws.Phi).max(initial=0.0) > CLOSED * compiled.length:
        where, _ = gap_sentence(compiled, ws.Phi)
        told.append(f"The drawing is open: {where}. A run closes it by the least motion.")
    try:
        told += [one.sentence for one in assemble(compiled).unkept]
    except EngineError as error:
        told.append(error.sentence)
    return told


def _examples(chosen: argparse.Namespace) -> int:
    """List the examples, or copy those that are not there yet."""
    files = example_paths()
    if chosen.copy is None:
        width = max(map(len, files), default=0)
        for name, file in files.items():
            print(f"{name:<{width}}  {_described(file)}")
        return 0
    folder = Path(chosen.copy)
    folder.mkdir(parents=True, exist_ok=True)
    for file in files.values():
        target = folder / file.name
        try:
            with target.open("xb") as new:
                new.write(file.read_bytes())
        except FileExistsError:
            print(f"'{target}' is there already and stays as it is.")
        else:
            print(target)
    return 0


def _described(file: Path) -> str:
    """The first line of the description of an example, or its name."""
    model = _load(str(file))
    return (model.description or model.name).strip().partition("\n")[0]


def _load(name: str) -> Model:
    """The model in a file, or the example of this name."""
    from engine.files.model_files import load

    file = example_paths().get(name.removesuffix(".json"))
    return load(name if Path(name).exists() or file is None else file)


def _complain(sentence: str) -> int:
    """Print a sentence on stderr; returns the exit code."""
    print(sentence, file=sys.stderr)
    return 2


class _Bar:
    """A progress bar that appears on a terminal when a run takes long."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __enter__(self) -> "_Bar":
        if sys.stderr.isatty():
            from tqdm import tqdm

            layout = "{percentage:3.0f} %|{bar}| {remaining} left"
            delay = _SHOW_PROGRESS_AFTER
            self._bar = tqdm(total=1.0, delay=delay, leave=False, bar_format=layout)
        return self

    def show(self, fraction: float) -> None:
        """Move the bar to this fraction of the run."""
        if self._bar is not None:
            self._bar.update(min(fraction, 1.0) - self._bar.n)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
