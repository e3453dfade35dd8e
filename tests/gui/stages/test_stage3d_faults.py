"""Windows with both stages are treated badly in a process of their own: nothing raised, leaked, crashed."""

import os
import subprocess
import sys
from pathlib import Path

from gui.stages.space.screen import memory

ROOT = Path(__file__).parents[3]

START = """
import faulthandler, gc, sys, traceback
faulthandler.enable()
raised = []
sys.excepthook = lambda *what: (raised.append(what), traceback.print_exception(*what))
"""

GARBAGE = (
    START
    + """
from dataclasses import replace
from PySide6.QtCore import QCoreApplication
from engine.model.elements import planar
from gui.state.document import Document

application = QCoreApplication([])
for n in range(60):
    document = Document()
    document.itself = document  # garbage in a circle, as documents of closed windows are
    for k in range(20):
        document.edit("Name", replace(planar(), name=str(k)))
    document.undo_stack.undo()
    assert document.model.name == "18"
    if n % 20 == 19:
        gc.collect()
sys.exit(len(raised))
"""
)

ABUSE = (
    START
    + """
import tempfile
from dataclasses import replace
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from assets import example_paths
from engine.editing.edits import deleted
from engine.files.model_files import load
from gui.window.app import application
from tests.gui.whole_window import WholeWindow
from gui.state.preferences import Preferences
from tests.gui.space_hand import pendulum

app, folder = application(), Path(tempfile.mkdtemp())
preferences = Preferences(QSettings(str(folder / "set.ini"), QSettings.Format.IniFormat))
preferences.set("show_first_steps", False)


def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def made():
    window = WholeWindow(preferences, folder / "recovery")
    window.resize(1000, 650)
    window.show()
    window.complete()
    window.build_results()
    window.files.may_leave = lambda: True
    return window


def short(model):
    return replace(model, settings=replace(model.settings, t_end=0.05))


def come_and_go():
    window = made()
    window.document.new(pendulum())
    window.stage3d.grab()
    window.close()
    window.deleteLater()
    QTest.qWait(10)
    gc.collect()


def resize_and_dock(window):
    window.document.new(pendulum())
    for size in ((1, 1), (40, 900), (1, 300), (900, 600)):
        window.stage3d.resize(*size)
        window.stage3d.grab()
    for floating in (True, False):
        for dock in window.docks.values():
            dock.set_apart(floating)
        QTest.qWait(20)


def change_while_playing(window):
    window.transport.play()
    for _ in range(3000):  # the first run of a machine waits for the kernels
        if window.playback.results is not None:
            break
        QTest.qWait(20)
    assert window.playback.results is not None
    for theme in ("dark", "light"):
        window.view.set_theme(theme)
        QTest.qWait(30)
    window.document.edit("Delete", deleted(window.document.model, ["pen"]))
    window.transport.play()
    QTest.qWait(100)
    for change in ("undo", "redo", "undo"):
        getattr(window.document.undo_stack, change)()
        QTest.qWait(20)
    assert "pen" in window.stage3d.scene.graphics


window = made()
resize_and_dock(window)
change_while_playing(window)
flat = load(example_paths()["four_bar"])
for n in range(10):
    window.document.new(short(flat if n % 2 else pendulum()))
    window.transport.play()
    QTest.qWait(40)
window.close()
for _ in range(2):
    come_and_go()
before = memory()
for _ in range(3):
    come_and_go()
alive = sum(type(one) is WholeWindow for one in gc.get_objects())
print(alive, memory() - before)
sys.exit(len(raised))
"""
)


STAGES = (
    START
    + """
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtTest import QTest
from assets import example_paths
from engine.files.model_files import load
from gui.stages.space.screen import memory
from gui.stages.stages import make_stage
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.window.app import application

app = application()


def come_and_go(n):
    for _ in range(n):
        document = Document()
        document.new(load(example_paths()["spatial_four_bar"]))
        stage = make_stage(document, Selection(), Playback())
        stage.resize(900, 600)
        stage.show()
        stage.grab()
        stage.close()
        stage.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    while memory._Due.is_due:
        QTest.qWait(20)
    return int(open("/proc/self/statm").read().split()[1]) * 4096 / 1e6


few = come_and_go(3)
print(come_and_go(12) - few)
sys.exit(len(raised))
"""
)


EXAMINED = (
    START
    + """
from assets import example_paths
from PySide6.QtCore import QCoreApplication
from gui.health.checkup import Examiner
from gui.state.document import Document

application = QCoreApplication([])
document = Document()
document.open(example_paths()["four_bar"])
examiner = Examiner(document)
examiner.start()
assert examiner._thread.isRunning()
"""
)


def output_of(script):
    """What a script says that must end well."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_documents_with_a_history_are_collected_without_a_crash():
    output_of(GARBAGE)


def test_a_process_may_end_while_a_model_is_examined():
    output_of(EXAMINED)


def test_windows_survive_what_is_done_to_them_and_leave_nothing_behind():
    alive, grown = map(float, output_of(ABUSE).strip().splitlines()[-1].split())
    assert alive <= 2.0  # the first one, which has a name, and the last one
    assert grown < 70.0  # MB in three windows: each that stays holds more than forty


def test_stages_in_space_that_were_closed_give_their_memory_back():
    grown = float(output_of(STAGES).strip().splitlines()[-1])
    assert (
        grown < 200.0
    )  # MB of twelve stages: what the C library keeps for them is three times that


def test_memory_is_given_back_once_for_all_that_is_closed_together(qtbot, monkeypatch):
    given = []
    monkeypatch.setattr(memory, "_trim", given.append)
    monkeypatch.setattr(memory, "PAUSE", 1)
    monkeypatch.setattr(memory._Due, "is_due", False)
    for closed in (1, 2):
        for _ in range(5):
            memory.give_back_soon()
        assert len(given) == closed - 1
        qtbot.waitUntil(lambda closed=closed: len(given) == closed)
    assert not memory._Due.is_due
