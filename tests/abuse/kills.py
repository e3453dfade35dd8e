"""Kills in the middle of a save and of an autosave: the file is the old model or the new one, whole."""

import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load, save
from engine.model.elements import Model
from tests.abuse.copies import Killed, Say, killed
from tests.abuse.report import Tally

PROMISED_EDITS = 10  # that a kill may lose
PROMISED_TIME = 5.0  # s of work that a kill may lose
PACES = (5, 20, 20, 100, 400)  # ms from edit to edit
TOGETHER = 5  # programs that are edited side by side


def _rods() -> Model:
    """A model whose saving takes some time."""
    m = Mechanism("0")
    for n in range(200):
        m.rod((n, 0), (n + 1, 0))
    return m.model


def abuse_saves(
    tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]
) -> None:
    """Kill `count` programs while they save; changes the tally."""
    rng, model = random.Random(seed), _rods()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.json"

        def save_for_ever(say: Say) -> None:
            say("ready")
            for n in range(10**9):
                save(replace(model, name=str(n)), path)
                say(n)

        for _ in range(count):
            before = int(load(path).name) if path.exists() else -1
            said = killed([save_for_ever], [rng.uniform(0.0, 0.05)])[0].lines
            try:
                found = int(load(path).name) if path.exists() else -1
            except EngineError as error:
                tally.find("damaged save", error.sentence)
                path.unlink()
            else:
                last = int(said[-1]) if said else None
                good = found in (before, 0) if last is None else found in (last, last + 1)
                if good:
                    tally.count("whole")
                else:
                    tally.find("lost save", f"{last} was saved, {found} is there")
            tally.tried += 1
            step()


def abuse_autosaves(
    tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]
) -> None:
    """Kill `count` programs while they are edited; changes the tally."""
    from gui.state.document import Document
    from gui.state.recovery import Recovery

    rng, model = random.Random(seed), _rods()
    while tally.tried < count:
        with tempfile.TemporaryDirectory() as scratch:
            paces = rng.choices(PACES, k=min(TOGETHER, count - tally.tried))
            folders = [Path(scratch) / str(k) for k in range(len(paces))]
            works = [_editing(model, *one) for one in zip(paces, folders)]
            ends = killed(works, [rng.uniform(0.05, 0.8 if pace < 400 else 7.0) for pace in paces])
            for end, pace, base in zip(ends, paces, folders):
                left = Recovery(Document(), base).left()
                try:
                    kept = int(left[0].load().name) if left else 0
                except EngineError as error:
                    tally.find("damaged copy", error.sentence)
                else:
                    _judge(tally, end, kept, f"seed {seed}, an edit every {pace} ms")
                tally.tried += 1
                step()


def _judge(tally: Tally, end: Killed, kept: int, told: str) -> None:
    """Compare the edits of a program that was killed with the last one in its copy; changes the tally."""
    edits = [(int(n), float(when)) for n, when in map(str.split, end.lines)]
    lost = [(n, when) for n, when in edits if n > kept]
    if len(lost) > PROMISED_EDITS:
        tally.find("lost edits", f"{told}: {len(edits)} edits, {kept} in the copy")
    elif lost and end.when - lost[0][1] > PROMISED_TIME:
        tally.find("lost time", f"{told}: the copy was {end.when - lost[0][1]:.1f} s old")
    else:
        tally.count("kept")


def _editing(model: Model, pace: int, folder: Path) -> Callable[[Say], None]:
    """A program that edits a model steadily and keeps copies in a folder."""

    def edit_for_ever(say: Say) -> None:
        from PySide6.QtCore import QCoreApplication, QTimer

        from gui.state.document import Document
        from gui.state.recovery import Recovery

        application = QCoreApplication([])
        document = Document()
        recovery = Recovery(document, folder)
        document.new(model)
        count = 0

        def edit() -> None:
            nonlocal count
            count += 1
            document.edit("Edit", replace(document.model, name=str(count)))
            say(f"{count} {time.monotonic()}")

        timer = QTimer(interval=pace)
        timer.timeout.connect(edit)
        timer.start()
        say("ready")
        application.exec()
        recovery.finish()  # never: it is killed before

    return edit_for_ever
