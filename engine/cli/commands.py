"""The command line: simulate a model, check it, list the examples.

    simulate FILE --t-end 5 --csv out.csv        check FILE        examples --copy FOLDER

FILE is a model file or the name of an example. The exit code is 0, or 2 with a sentence on stderr. Ctrl-C
ends a run with 130; what was asked for is written with the frames until then.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assets import example_paths
from engine.cli.arguments import Parser, check_outputs, number, one_of, table
from engine.cli.console import guarded, wishes_to_stop
from engine.cli.coordinates_command import add_coordinates
from engine.cli.equation_commands import add_equations
from engine.cli.freebody_command import add_freebody
from engine.cli.freedom_command import add_freedom
from engine.cli.microscope_command import add_microscope
from engine.cli.parameters import add_set, with_set
from engine.cli.robot_command import add_robot
from engine.cli.rotation_command import add_rotation
from engine.cli.study_commands import (
    COORDINATES_HELP,
    METHODS_HELP,
    STABILISATIONS_HELP,
    Console,
    add_commands,
)
from engine.cli.tree_command import add_tree
from engine.cli.wear_command import add_wear
from engine.errors import EngineError
from engine.files.atomic import is_device
from engine.files.places import check_room, explanation_of
from engine.model.elements import NEAR_LOCK, ORIENTATIONS, Model
from engine.model.methods import COORDINATE_NAMES, METHOD_NAMES, STABILISATION_NAMES

OVERRIDES = (
    *("t_end", "step", "output_step", "method", "stabilisation", "tolerance", "orientation"),
    *("near_lock", "coordinates"),
)
_SHOW_PROGRESS_AFTER = 1.0  # s


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments ask for; returns the exit code."""
    return guarded(lambda: _answered(argv))


def _answered(argv: Sequence[str] | None) -> int:
    """The exit code of a command; what the user can fix is told in a sentence."""
    chosen = parser().parse_args(argv)
    try:
        code = int(chosen.command(chosen))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        raise
    except EngineError as error:
        return _complain(error.sentence)
    except OSError as error:
        about = f"Cannot use '{error.filename}': " if error.filename else ""
        return _complain(f"{about}{error.strerror or error}. Choose another place.")


def parser() -> argparse.ArgumentParser:
    """The arguments that are understood."""
    top = Parser(prog="kardan", description="Mechanisms from the command line.")
    commands = top.add_subparsers(required=True, metavar="command")

    run = commands.add_parser("simulate", help="run a model and write what it did")
    run.add_argument("file", help="a model file, or the name of an example")
    add_set(run)
    run.add_argument("--t-end", type=number, metavar="S", help="the run goes from 0 to here [s]")
    run.add_argument("--step", type=number, metavar="S", help="step of methods of fixed step [s]")
    run.add_argument("--output-step", type=number, metavar="S", help="time between frames [s]")
    run.add_argument("--method", type=one_of(METHOD_NAMES), metavar="M", help=METHODS_HELP)
    run.add_argument(
        "--stabilisation", type=one_of(STABILISATION_NAMES), metavar="W", help=STABILISATIONS_HELP
    )
    run.add_argument(
        "--coordinates",
        type=one_of(COORDINATE_NAMES),
        metavar="C",
        help=COORDINATES_HELP,
    )
    run.add_argument("--tolerance", type=number, metavar="E", help="of adaptive methods, relative")
    run.add_argument(
        "--orientation",
        type=one_of(ORIENTATIONS),
        metavar="O",
        help="quaternion, or a sequence as 3-1-3",
    )
    run.add_argument(
        "--near-lock", type=one_of(NEAR_LOCK), metavar="N", help="warn, stop or 'switch ...'"
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
    add_set(look)
    look.add_argument("--json", action="store_true", help="as data for other programs")
    look.set_defaults(command=_check)

    listed = commands.add_parser("channels", help="list what can be plotted and exported")
    listed.add_argument("file", help="a model file, or the name of an example")
    add_set(listed)
    listed.add_argument("patterns", nargs="*", metavar="PATTERN", help="which, such as '*.force*'")
    listed.set_defaults(command=_channels)

    console = Console(_load, _Bar, _say_if_first_time)
    add_commands(commands, console)
    for add in (
        add_wear,
        add_tree,
        add_robot,
        add_freedom,
        add_microscope,
        add_freebody,
        add_rotation,
    ):
        add(commands, console)
    add_coordinates(commands, console)
    add_equations(commands, _load, _say_if_first_time)

    written = commands.add_parser("script", help="write a model as a Python program that builds it")
    written.add_argument("file", help="a model file, or the name of an example")
    add_set(written)
    written.set_defaults(command=_script)

    shown = commands.add_parser("examples", help="list the examples")
    shown.add_argument("--copy", metavar="FOLDER", help="copy them all into a folder")
    shown.set_defaults(command=_examples)
    return top


def _simulate(chosen: argparse.Namespace) -> int:
    """Run a model, print the summary and write the files asked for, while it runs."""
    from engine.results.channels import matching
    from engine.results.results import Results
    from engine.running.simulate import prepare
    from engine.running.streaming import StreamedRun

    model = _load(chosen.file)
    check_outputs(chosen, is_explained=True)
    _say_if_first_time()
    model = with_set(model, chosen)
    given = {name: getattr(chosen, name) for name in OVERRIDES}
    overrides = {name: value for name, value in given.items() if value is not None}
    running = prepare(model, **overrides)
    some = Results(running.compiled)  # a misspelt name is reported before the run, not after it
    asked = chosen.channels
    found = matching(some, asked) if asked else some.channels(everyday=True)
    n_frames = float(running.settings.t_end) / float(running.settings.output_step)
    streams, written = _streams(chosen, model.name, n_frames * (len(found) + 1))
    streamed = StreamedRun(running, asked, streams)
    with _Bar() as bar, wishes_to_stop() as wish:
        streamed.run(lambda fraction: bar.show(fraction) if not wish else False)
    print("\n".join([streamed.summary(), *written]))
    if wish:
        return _complain("Interrupted. What was computed until then is kept.", wish.code)
    ending = streamed.results.ending
    if ending is None or ending.reason in ("done", "stopped"):  # ended as intended
        return 0
    return _complain(ending.sentence)


def _streams(
    chosen: argparse.Namespace, name: str, n_numbers: float
) -> tuple[list[Any], list[str]]:
    """The files that take the run, and what is said of them; EngineError if there is no room for them."""
    from engine.results.streams import CSV_BYTES, NPZ_BYTES, CsvStream, NpzStream

    streams: list[Any] = []
    written = []
    for path, size in ((chosen.csv, CSV_BYTES), (chosen.npz, NPZ_BYTES)):
        if path is not None:
            check_room(path, size * n_numbers)
    if chosen.csv:
        streams.append(CsvStream(chosen.csv, chosen.decimal_comma))
        beside = f", columns explained in {explanation_of(chosen.csv)}"
        beside = "" if is_device(chosen.csv) else beside
        written.append(f"{'Written:':<15}{chosen.csv}{beside}")
    if chosen.npz:
        streams.append(NpzStream(chosen.npz, name))
        written.append(f"{'Written:':<15}{chosen.npz}")
    return streams, written


def _say_if_first_time() -> None:
    """Explain the delay where kernels are not compiled yet."""
    from engine.integrators.warm_up import say_first_time

    say_first_time()


def _check(chosen: argparse.Namespace) -> int:
    """List the problems of a model, or say how it can move and what its constraints are."""
    from engine.cli.checking import check

    model = with_set(_load(chosen.file), chosen)
    if not chosen.json:
        _say_if_first_time()
    return check(model, chosen)


def _channels(chosen: argparse.Namespace) -> int:
    """List the channels of a model with unit, frame and meaning; without patterns the everyday ones."""
    from engine.compiling.system import compile_model
    from engine.results.channels import matching
    from engine.results.results import Results

    model = with_set(_load(chosen.file), chosen)
    _say_if_first_time()
    results = Results(compile_model(model))
    asked = chosen.patterns
    found = matching(results, asked) if asked else results.channels(everyday=True)
    head = ("Channel", "Unit", "Frame", "Meaning")
    print("\n".join(table([head, *((c.name, c.unit, c.frame, c.meaning) for c in found)])))
    return 0


def _script(chosen: argparse.Namespace) -> int:
    from engine.editing.builder.script import script

    print(script(with_set(_load(chosen.file), chosen)), end="")
    return 0


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
    from engine.editing.robots.opening import load
    from engine.files.finding import model_path

    return load(model_path(name))


def _complain(sentence: str, code: int = 2) -> int:
    """Print a sentence on stderr; returns the exit code."""
    print(sentence, file=sys.stderr)
    return code


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
