"""How soon an installed wheel is ready, as a new user meets it: command, notebook and window.

    python -m bench.installed kardan-0.1.0-cp311-cp311-linux_x86_64.whl

The wheel is installed into an environment of its own, which borrows the other packages from this one, with
an empty home. What the installed program compiles is counted; with machine code that fits it is nothing.
The window needs a display: start it under xvfb-run where there is none.
"""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

NOTEBOOK = """
from time import perf_counter
began = perf_counter()
import kardan
pendulum = kardan.Mechanism("Double pendulum")
upper = pendulum.rod((0, 0), (1, 0), mass=1)
lower = pendulum.rod((1, 0), (2, 0), mass=1)
pendulum.revolute("ground", upper, at=(0, 0))
pendulum.revolute(upper, lower, at=(1, 0))
run = pendulum.run(t_end=10)
run["total_energy"].sum()
print(f"import and first run {perf_counter() - began:.2f} s, {len(run)} frames")
"""

WINDOW = """
from time import perf_counter
began = perf_counter()
from PySide6.QtCore import QCoreApplication, QEvent, QObject
import kardan
from kardan.gui.window.app import application
from kardan.gui.window.main_window import MainWindow
application()
window = MainWindow()
marks = {}
def mark(name):
    marks.setdefault(name, perf_counter() - began)
class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            mark("first paint")
        return False
watch = Watch()
window.installEventFilter(watch)
window.show()
def until(name, condition):
    while not condition():
        QCoreApplication.processEvents()
        if perf_counter() - began > 900:
            raise TimeoutError(str(marks))
    mark(name)
until("stage and tools", lambda: window.is_complete)
w = window.parts
w.document.open(str(kardan.example_paths()["four_bar"]))
asked = perf_counter()
w.transport.play()
until("first frame after play", lambda: w.playback.results is not None and len(w.playback.results) > 1)
until("end of run", lambda: w.simulator.state == "idle")
marks["play to first frame"] = marks["first frame after play"] - (asked - began)
w.transport.pause()
w.files.may_leave = lambda: True
window.close()
print(", ".join(f"{name} {seconds:.2f} s" for name, seconds in marks.items()))
"""


def main(wheel: Path) -> int:
    """Install the wheel and print how long everything takes."""
    with TemporaryDirectory(prefix="kardan-installed-") as name:
        folder = Path(name)
        python = install(wheel, folder / "env")
        kardan = python.parent / f"kardan{'.exe' * (os.name == 'nt')}"
        home = folder / "home"
        home.mkdir()
        for what, command in (
            ("command", [kardan, "simulate", "four_bar"]),
            ("command again", [kardan, "simulate", "four_bar"]),
            ("notebook", [python, "-c", NOTEBOOK]),
            ("window", [python, "-c", WINDOW]),
        ):
            print(f"{what}: {measured(command, home)}", flush=True)
        n = len(list(home.rglob("*.nbc")))
        print(f"kernels that the installed program compiled: {n}")
    return 0


def install(wheel: Path, folder: Path) -> Path:
    """Install the wheel into a new environment beside the packages of this one; returns its Python."""
    venv.create(folder, with_pip=True)
    scheme = {"base": str(folder), "platbase": str(folder)}
    python = Path(sysconfig.get_path("scripts", vars=scheme)) / Path(sys.executable).name
    borrowed = Path(sysconfig.get_path("purelib", vars=scheme)) / "borrowed.pth"
    borrowed.write_text(f"{sysconfig.get_path('purelib')}\n")
    pip = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel.resolve()], check=True)
    return python


def measured(command: list[object], home: Path) -> str:
    """What a command printed last, the seconds that it took, and those of the processor."""
    named = {"HOME": str(home), "USERPROFILE": str(home), "XDG_CACHE_HOME": str(home / ".cache")}
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON"))}
    began, busy = perf_counter(), os.times()
    done = subprocess.run(
        [str(part) for part in command],
        cwd=home,
        env={**kept, **named},
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    said = f"; it said: {done.stderr.strip()}" if done.stderr.strip() else ""
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
    passed, after = perf_counter() - began, os.times()
    busy_for = sum(after[2:4]) - sum(
        busy[2:4]
    )  # of children; what the machine was kept from is seen
    return f"{passed:.2f} s, {busy_for:.2f} s of processor time ({last}){said}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
