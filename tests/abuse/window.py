"""A monkey at the window, in the plane and in space: exceptions, crashes, hangs, stalls and Qt warnings.

Each seed plays in a process of its own, so that a crash is counted and ends nothing else:

    python -m tests.abuse.window 7 5000        plays seed 7 for 5000 events, prints what it saw as JSON
"""

import faulthandler
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.abuse.report import Tally

ROOT = Path(__file__).parents[2]
STALL, HANG = 0.3, 5.0  # s during which the window does nothing
PATIENCE = 60.0  # s of computing without an answer: the process is killed
DEADLOCK = 900.0  # s without an answer, however busy the machine is
CHECKS = 500  # events between two round trips of the model


def stack_of_main() -> traceback.StackSummary:
    """The stack of the main thread, as text: a frame that is held would keep its painter alive."""
    with tempfile.TemporaryFile("w+") as file:
        assert isinstance(file, TextIOWrapper)
        faulthandler.dump_traceback(file)
        file.seek(0)
        text = file.read().split("\n\n")[-1]  # the main thread comes last, the innermost call first
    calls = re.findall(r'File "(.+)", line (\d+) in (.+)', text)
    frames = [traceback.FrameSummary(f, int(n), name, lookup_line=False) for f, n, name in calls]
    return traceback.StackSummary.from_list(frames[::-1])


def place_in(stack: traceback.StackSummary) -> str:
    """Where in the program a stack is: the innermost function of its own, and what the window did in it."""
    own = [f for f in stack if f"{ROOT}/" in f.filename and "/.venv/" not in f.filename]
    own = [f for f in own if "/tests/" not in f.filename] or own
    if not own:
        return "Qt"
    places = [f"{Path(f.filename).relative_to(ROOT)}: {f.name}" for f in own]
    of_window = [place for place in places if place.startswith("gui/")]
    return places[-1] if places[-1] in of_window else ", for ".join([places[-1], *of_window[-1:]])


class Watch(threading.Thread):
    """Looks at what the main thread does whenever that has not answered for a while."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.clock = time.pthread_getcpuclockid(threading.main_thread().ident or 0)
        self.last, self.worked = time.monotonic(), time.clock_gettime(self.clock)
        self.seen: Counter[str] = (
            Counter()
        )  # places where the main thread was since it was last alive
        self.stalls: list[tuple[float, float, str]] = []  # s, of which it computed, where

    def beat(self) -> None:
        """The main thread is alive; what it did since the last time is noted if it took long."""
        now, worked = time.monotonic(), time.clock_gettime(self.clock)
        if now - self.last > STALL:
            where = self.seen.most_common(1)[0][0] if self.seen else ""
            self.stalls.append((now - self.last, worked - self.worked, where))
        self.last, self.worked = now, worked
        self.seen.clear()

    def run(self) -> None:
        """Note where the main thread is when it has been silent for too long, again and again."""
        while True:
            time.sleep(0.05 + 0.2 * bool(self.seen))
            silent = time.monotonic() - self.last
            if silent > 0.75 * STALL:
                self.seen[place_in(stack_of_main())] += 1
            computed = time.clock_gettime(self.clock) - self.worked
            if computed > PATIENCE or silent > DEADLOCK:
                faulthandler.dump_traceback()
                os._exit(3)


def _caged_window(folder: Path, chance: random.Random) -> Any:
    """A complete window that asks nobody, reads what `droppable` puts into a folder, and writes there."""
    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QDesktopServices
    from PySide6.QtWidgets import QFileDialog, QMessageBox

    from gui.state.preferences import Preferences
    from gui.window.app import application
    from tests.gui.whole_window import WholeWindow

    def opened(*asked: Any, **_: Any) -> tuple[str, str]:
        suffixes = re.findall(r"\*(\.\w+)", asked[-1])
        there = sorted(path for path in folder.iterdir() if path.suffix in suffixes)
        return (str(chance.choice(there)), "") if there and chance.random() < 0.7 else ("", "")

    def saved(*asked: Any, **_: Any) -> tuple[str, str]:
        suffixes = re.findall(r"\*(\.\w+)", asked[-1])
        return str(folder / f"saved{chance.choice(suffixes or ['.json'])}"), ""

    cage: Any = (
        (QFileDialog, "getOpenFileName", opened),
        (QFileDialog, "getSaveFileName", saved),
        (QMessageBox, "exec", lambda self: QMessageBox.StandardButton.Discard),
        (QDesktopServices, "openUrl", lambda *_: True),
    )
    for owner, name, instead in cage:
        setattr(owner, name, instead)
    app = application()
    app.setQuitOnLastWindowClosed(False)
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = WholeWindow(Preferences(settings), folder / "recovery")
    window.show()
    window.complete()
    del window.opening.begin  # space opens beside the window, as in the program
    window.build_results()
    while not window.stage.isVisible():
        app.processEvents()
    return window


def play(seed: int, count: int) -> dict[str, Any]:
    """Play one seed in this process; what was seen."""
    from PySide6.QtCore import QTimer, qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from tests.gui.monkey import Monkey
    from tests.gui.space_monkey import SpaceMonkey

    warnings: list[str] = []
    faults: list[str] = []

    def warned(kind: Any, context: Any, text: str) -> None:
        warnings.append(f"{text} ({place_in(traceback.extract_stack())})")

    qInstallMessageHandler(warned)

    def caught(
        kind: type[BaseException], error: BaseException, where: TracebackType | None
    ) -> None:
        faults.append("".join(traceback.format_exception(kind, error, where))[-5000:])

    sys.excepthook = caught
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        window = _caged_window(Path(scratch), random.Random(seed))
        watch = Watch()
        watch.start()
        heart = QTimer(interval=20)
        heart.timeout.connect(watch.beat)
        heart.start()
        monkey = (SpaceMonkey if seed % 2 else Monkey)(window, seed, Path(scratch))
        for move in list(monkey.plays):
            setattr(monkey, move[0].__name__, _timed(move[0], watch))
        monkey.plays = tuple((_timed(work, watch), weight) for work, weight in monkey.plays)
        monkey.mouse = _timed(monkey.mouse, watch)
        story = ""
        try:
            while monkey.events < count:
                monkey.play(min(CHECKS, count - monkey.events))
                monkey.check()
        except Exception:
            story = monkey.story()
            faults.append(traceback.format_exc()[-5000:])
        monkey.stop()
        faults = [f"{fault}\n{story or monkey.story()}" for fault in faults]
        watch.beat()
        window.files.may_leave = lambda: True
        window.close()
        QApplication.processEvents()
        return {
            "events": monkey.events,
            "faults": faults,
            "warnings": warnings,
            "stalls": watch.stalls,
            "reached": monkey.reached,
        }


def _timed(work: Callable[..., None], watch: Watch) -> Callable[..., None]:
    """A move of the monkey, or one event of it, during which the watch counts from its beginning."""

    def move(*arguments: Any) -> None:
        watch.beat()
        work(*arguments)
        watch.beat()

    move.__name__ = work.__name__
    return move


def abuse(tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]) -> None:
    """Play one seed in a process of its own; changes the tally."""
    command = [
        sys.executable,
        "-X",
        "faulthandler",
        "-m",
        "tests.abuse.window",
        str(seed),
        str(count),
    ]
    with tempfile.TemporaryDirectory() as scratch:
        environment = {
            **os.environ,
            **dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), scratch),
            "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
        }
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False
        )
    try:
        seen = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        kind = "hang" if done.returncode == 3 else "crash"
        stacks = done.stderr.partition("Extension modules:")[0][-6000:]
        tally.find(kind, f"seed {seed}, exit code {done.returncode}\n{stacks}")
        tally.tried += 1
        return
    for fault in seen["faults"]:
        tally.find("foreign exception", f"seed {seed}\n{fault}")
    for warning in seen["warnings"]:
        tally.find("Qt warning", f"seed {seed}: {warning}")
    for duration, computed, where in seen["stalls"]:
        if computed > HANG:
            tally.find("hang", f"seed {seed}: {computed:.1f} s in {where}")
        else:  # else it waited: for something, or because the machine is busy
            kind = "stall" if computed > STALL else "wait"
            tally.count(kind)
            tally.note(kind, where, computed if computed > STALL else duration)
    tally.reached.update(seen["reached"])
    tally.tried += seen["events"]
    tally.count("events", seen["events"])
    for _ in range(count):
        step()


if __name__ == "__main__":
    saw = play(int(sys.argv[1]), int(sys.argv[2]))
    print("\n" + json.dumps(saw), flush=True)
    os._exit(0)  # threads of the window may still be at work; what they leave is not asked for here
