"""Kills in the middle of a save and of an autosave: the file is the old model or the new one, whole."""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from engine.errors import EngineError
from engine.files.model_files import load
from tests.abuse.report import Tally

ROOT = Path(__file__).parents[2]
PROMISED = 10  # edits that a kill may lose

# Saves a model of growing size as fast as it can, under the number of each save.
SAVING = """
import sys
from dataclasses import replace
from engine.editing.builder import Mechanism
from engine.files.model_files import save
m = Mechanism("0")
for n in range(200):
    m.rod((n, 0), (n + 1, 0))
print("ready", flush=True)
for n in range(10**9):
    save(replace(m.model, name=str(n)), sys.argv[1])
    print(n, flush=True)
"""

EDITING = """
import sys
from dataclasses import replace
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QTimer
from engine.editing.builder import Mechanism
from gui.state.document import Document
from gui.state.recovery import Recovery
app = QCoreApplication([])
document = Document()
recovery = Recovery(document, Path(sys.argv[1]))
m = Mechanism("0")
for n in range(200):
    m.rod((n, 0), (n + 1, 0))
document.new(m.model)
count = 0
def edit():
    global count
    count += 1
    document.edit("Edit", replace(document.model, name=str(count)))
    print(count, flush=True)
print("ready", flush=True)
timer = QTimer(interval=20)
timer.timeout.connect(edit)
timer.start()
app.exec()
"""


def abuse_saves(
    tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]
) -> None:
    """Kill `count` programs while they save; changes the tally."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "model.json"
        for _ in range(count):
            before = int(load(path).name) if path.exists() else -1
            made = _killed(SAVING, path, rng.uniform(0.0, 0.05))
            try:
                found = int(load(path).name) if path.exists() else -1
            except EngineError as error:
                tally.find("damaged save", error.sentence)
                path.unlink()
            else:
                last = made[-1] if made else None
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

    rng = random.Random(seed)
    for _ in range(count):
        with tempfile.TemporaryDirectory() as scratch:
            made = _killed(EDITING, Path(scratch), rng.uniform(0.1, 0.8))
            last = made[-1] if made else 0
            left = Recovery(Document(), Path(scratch)).left()
            try:
                kept = int(left[0].load().name) if left else 0
            except EngineError as error:
                tally.find("damaged copy", error.sentence)
            else:
                if last - kept <= PROMISED:
                    tally.count("kept")
                else:
                    tally.find("lost edits", f"{last} edits, {kept} in the copy")
        tally.tried += 1
        step()


def _killed(program: str, argument: Path, after: float) -> list[int]:
    """Start a program, kill it some seconds after it is ready, and return the numbers it said."""
    command = [sys.executable, "-c", program, str(argument)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after)
        process.kill()
        lines = process.stdout.read().split("\n")
    return [int(line) for line in lines[:-1] if line]
