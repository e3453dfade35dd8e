"""Hostile model files: opened, checked, drawn in numbers, compiled, run for a moment, written back.

A file may be refused with a sentence; anything else than EngineError is a fault, and so is a file that
takes longer than PATIENCE.
"""

import random
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from assets import example_paths
from engine.compiling.checks import problems
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.formulas.lenient import lenient
from engine.results.results import Results
from engine.running.simulate import prepare
from gui.running.exercise import compile_ahead
from tests.abuse.copies import in_a_copy
from tests.abuse.mutations import mutated
from tests.abuse.report import Tally
from tests.engine.every_kind import CASES, model_with

PATIENCE = 5  # s for one file: a longer one is a hang
BLOCKS = 3  # of about 20 ms of work
METHODS = ("rk4", "rk4", "rk4", "dopri5", "euler", "implicit_euler", "auto")


class TookTooLong(BaseException):
    """Raised by the alarm; not an Exception, so that nothing swallows it."""


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Raise TookTooLong if the block computes for longer; how busy the machine is makes no difference."""

    def ring(*_: Any) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@cache
def sources() -> tuple[list[str], list[float]]:
    """The texts of all examples and of every kind, and how often each is taken: long ones seldom."""
    texts = [path.read_text(encoding="utf-8") for path in example_paths().values()]
    texts += [dumps(model_with(kind, dim)[0]) for kind, dim in CASES]
    return texts, [1.0 / (len(text) + 1000.0) for text in texts]


def abuse(tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]) -> None:
    """Try `count` hostile files in a copy of this process; changes the tally.

    What has to be compiled is compiled before: no file is to blame for the time it takes.
    """
    compile_ahead(with_methods=True)
    sources()
    in_a_copy(tally, lambda own: try_files(own, seed, count, folder))
    for _ in range(count):
        step()


def try_files(tally: Tally, seed: int, count: int, folder: Path, patience: int = PATIENCE) -> None:
    """Try `count` hostile files; changes the tally, keeps files with faults in the folder."""
    rng, (texts, weights) = random.Random(seed), sources()
    for n in range(count):
        text = mutated(rng.choices(texts, weights)[0], rng)
        try:
            with within(patience):
                outcome = tried(text, rng)
        except TookTooLong:
            _keep(tally, "hang", f"seed {seed}, file {n}", text, folder)
        except Exception:
            _keep(
                tally,
                "foreign exception",
                f"seed {seed}, file {n}\n{traceback.format_exc()}",
                text,
                folder,
            )
        else:
            tally.count(outcome)
            if outcome in ("run", "stopped"):
                tally.reached.update({element.kind for element in loads(text)})
        tally.tried += 1


def tried(text: str, rng: random.Random) -> str:
    """What came of one file: refused, unsound, stopped or run."""
    try:
        model = loads(text)
    except EngineError as error:
        assert error.sentence.rstrip().endswith((".", "?")), error.sentence
        return "refused"
    assert loads(dumps(model)) == model
    lenient(model)
    found = problems(model)
    assert all(problem.sentence for problem in found)
    try:
        running = prepare(model, method=rng.choice(METHODS))
        results = Results(running.compiled, running.settings)
        for n, block in enumerate(running):
            results.append(block)
            if n == BLOCKS:
                break
        results.tell(running.account())
    except EngineError:
        return "unsound" if found else "cannot run"
    assert not found, f"runs although {found[0].sentence}"
    with np.errstate(all="ignore"):
        for channel in rng.sample(results.channels(), min(5, len(results.channels()))):
            assert channel.values.shape == (len(results),)
    reason = results.ending.reason if results.ending is not None else "cancelled"
    return "stopped" if reason not in ("done", "cancelled") else "run"


def _keep(tally: Tally, kind: str, what: str, text: str, folder: Path) -> None:
    """Note a fault and keep its file."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind.replace(' ', '-')}-{abs(hash(text)) % 10**10:010d}.json"
    (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
    tally.find(kind, f"{name}: {what}")
