"""Compile the kernels once for this machine, before they are needed.

As a program, `python -m gui.running.warm_up`, it fills the cache on the disk at low priority; the window
stays responsive, which a compiling thread would not allow.
"""

import os

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from engine.processes import command, search_path
from gui.running.worker import Worker

NICENESS = 10


def exercise() -> None:
    """Draw, run a small mechanism in the plane and in space and read all its channels."""
    from engine.editing.builder import Mechanism
    from engine.running.live import Live
    from engine.running.simulate import prepare, run
    from gui.stages.kernels import shadow_map

    shadow_map.exercise()  # first: a stage in space may be waiting

    for dim in (2, 3):
        m = Mechanism("exercise", dim)
        origin, end, above = ((x, y, 0.0)[:dim] for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)))
        about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
        rod = m.rod(origin, end, mass=1)
        hinge = m.revolute("ground", rod, at=origin, **about_z)
        m.motion(hinge, "0.1*sin(t)")
        m.spring(("ground", above), (rod, end), stiffness=10)
        for channel in run(m.model, t_end=0.02).channels():
            channel.values.sum()
        Live(prepare(m.model)).advance(0.02)
    exercise_rotations()


def exercise_rotations() -> None:
    """Turn one orientation into every description, as forms and the gimbal panel do."""
    from rotations import convert, euler_angles, quaternion

    angles = [0.1, 0.2, 0.3]
    R = euler_angles.matrix("3-1-3", angles)
    for name in ("quaternion", "rotation vector", "axis-angle", "3-2-1"):
        convert(convert(R, "matrix", name), name, "matrix")
    euler_angles.continuous("3-1-3", [angles, angles])
    euler_angles.rate_matrix("3-1-3", angles, "fixed")
    euler_angles.rates("3-1-3", angles, angles)
    quaternion.from_matrix(R)


class _Loader(Worker):
    """Loads the machine code into this program, or compiles it where no cache can be written."""

    is_done = False  # in this program

    def work(self) -> tuple[str, list[str]]:
        """Exercise everything once."""
        if not _Loader.is_done:
            exercise()
            _Loader.is_done = True
        return "", []


class WarmUp(QObject):
    """Makes the kernels ready in the background; `is_ready` is True when it is done."""

    ready = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        from engine.integrators.warm_up import are_compiled

        self.is_ready = are_compiled()
        self._process: QProcess | None = None
        self._loader = _Loader()
        self._loader.ended.connect(self._on_loaded)

    def start(self) -> None:
        """Start; returns at once."""
        if self.is_ready:
            QTimer.singleShot(300, self._load)
            return
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONPATH", search_path())
        process.setProcessEnvironment(environment)
        process.finished.connect(self._load)
        process.errorOccurred.connect(lambda _: self._load())
        self._process = process
        program, *arguments = command(f"{__package__}.warm_up")
        process.start(program, arguments)

    def stop(self) -> None:
        """End the compilation."""
        if self._process is not None:
            process, self._process = self._process, None
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(2000)
        self._loader.stop()

    def _load(self) -> None:
        if not self._loader.isRunning() and not self._loader.signalsBlocked():
            self._loader.start()

    def _on_loaded(self) -> None:
        was_ready, self.is_ready = self.is_ready, True
        if not was_ready:
            self.ready.emit()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    exercise()
