"""The program ends well whatever its threads do: it waits a while, then leaves without them.

Each script runs in a process of its own and leaves `main` through the exit code of the window.
What a thread does is replaced by work without an end, as a compiler on a very slow machine would be.
"""

import gc
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from gui.state import threads

ROOT = Path(__file__).parents[3]
PATIENCE = 240  # s; a process that has not ended by then hangs

START = """
import faulthandler, os, sys, threading, traceback
faulthandler.enable()
sys.excepthook = lambda *what: (traceback.print_exception(*what), os._exit(99))
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gui.state import threads
from gui.window import app, main_window

threads.PATIENCE = threads.MOMENT = 0.05  # s; the work below does not end in any time
begun = []

def endless(name):
    def work(*_, **__):
        begun.append(name)
        threading.Event().wait()
    return work

def when(condition, then):
    timer = QTimer(interval=5)
    timer.timeout.connect(lambda: (timer.stop(), then()) if condition() else None)
    timer.start()
    kept.append(timer)

def window():
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, main_window.MainWindow):
            return widget

kept = []
app.application()
"""

AT_WORK = (
    START
    + """
import engine.running.simulate
from engine.editing import edits
from engine.integrators import warm_up as kernels
from gui.export.job import Job, JobBox
from gui.health import checkup
from gui.running import warm_up

kernels.are_compiled = lambda: True
checkup.examine = endless("checkup")
warm_up.exercise = endless("loading")
engine.running.simulate.prepare = endless("run")
edits.mesh_part = endless("mesh")

def begin():
    window().build_results()
    w = window().parts
    w.files.may_leave = lambda: True
    w.simulator.warm_up._load()
    w.examiner.start()
    w.simulator.run()
    w.edits.meshes.read("part.stl", 1.0)
    kept.append(JobBox(Job(endless("export")), "Export", window()))
    when(lambda: len(begun) == 5, close)

def close():
    print(*sorted(begun))
    window().close()

when(lambda: window() is not None and window().is_complete, begin)
sys.exit(app.run())
"""
)

STARTING = (
    START
    + """
main_window._load = endless("starting")
when(lambda: begun, lambda: (print(*begun), window().close()))
sys.exit(app.run())
"""
)

ASKED = (
    START
    + """
class Patient(threads.BackgroundThread):
    def run(self):
        while not self.isInterruptionRequested():
            self.msleep(1)
        begun.append("asked")

threads.PATIENCE = 200.0  # s
thread = Patient()
thread.start()
code = threads.leave(3)
print(*begun)
sys.exit(code)
"""
)

FORGOTTEN = (
    START
    + """
import gc

class Owner:
    pass

class Work(threads.BackgroundThread):
    def run(self):
        begun.append("run")
        go_on.wait()
        begun.append("ended")

go_on = threading.Event()
owner = Owner()
owner.itself, owner.work = owner, Work()
owner.work.start()
while not begun:
    pass
del owner
gc.collect()  # would destroy a thread that runs, and end the process
go_on.set()
threads.PATIENCE = 200.0  # s
code = threads.leave(0)
print(*begun)
sys.exit(code)
"""
)


def ended(script, tmp_path):
    """A process that has run a script, with settings of its own."""
    homes = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_DATA_HOME"), str(tmp_path))
    environment = {**os.environ, **homes, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=environment,
        cwd=ROOT,
    )


@pytest.mark.parametrize(
    "script, code, said",
    [
        (AT_WORK, 0, "checkup export loading mesh run"),
        (STARTING, 0, "starting"),
        (ASKED, 3, "asked"),
        (FORGOTTEN, 0, "run ended"),
    ],
    ids=[
        "while all threads are at work",
        "while it starts",
        "after threads that listen",
        "after threads that nobody remembers",
    ],
)
def test_the_program_may_be_closed(tmp_path, script, code, said):
    done = ended(script, tmp_path)
    assert done.returncode == code, done.stderr[-3000:]
    assert done.stdout.split() == said.split()


def test_a_thread_that_was_let_go_outlives_its_owner(qapp, monkeypatch):
    class Work(threads.BackgroundThread):
        def run(self):
            begun.set()
            may_end.wait()

    begun, may_end, owner = threading.Event(), threading.Event(), QObject()
    work = Work(owner)
    seen = weakref.ref(work)
    work.start()
    begun.wait()
    monkeypatch.setattr(threads, "MOMENT", 0.0)
    assert not work.let_go()
    del work, owner  # the owner would have taken a child along, and Qt would have ended the process
    gc.collect()
    assert seen().isRunning() and seen().isInterruptionRequested()
    may_end.set()
    assert seen().wait()
