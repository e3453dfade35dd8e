"""Compile the kernels before they are needed, in another process, and tell how long it takes.

The window stays responsive, which a compiling thread would not allow. The process is
`gui.running.exercise`; where one is at work, started by `make` or by another window, it waits for that one.
"""

import time
from collections.abc import Callable
from importlib import import_module
from math import inf, isfinite

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from engine.processes import command, search_path
from gui.look.sentences import said
from gui.running.durations import duration_words
from gui.running.exercise import exercise, is_exercised, n_compiled, n_needed
from gui.running.worker import Worker

SOON = 300  # ms after the start: the window is drawn first
PAUSE = 500  # ms between two looks at what is compiled
FEWEST = 8  # kernels, from which on their rate says something


class Countdown:
    """How long compiling will take, by how many kernels were compiled in the time so far.

    The time counts from the first of them: before it the process is only starting.
    """

    def __init__(self, n_needed: int, n_done: int) -> None:
        self.n_needed = max(n_needed, 1)
        self._first, self._began = n_done, -inf

    def at(self, n_done: int, now: float) -> tuple[float, float]:
        """The fraction that is done and the seconds left, infinite while nobody can tell."""
        done = min(n_done, self.n_needed)
        if not isfinite(self._began) and n_done > self._first:
            self._first, self._began = n_done, now
        since, left = done - self._first, self.n_needed - done
        seconds = left * (now - self._began) / since if since >= FEWEST or not left else inf
        return done / self.n_needed, seconds


class _Loader(Worker):
    """Loads the machine code into this program, or compiles it where no cache can be written."""

    is_done = False  # in this program

    def work(self) -> tuple[str, list[str]]:
        """Exercise everything once."""
        if not _Loader.is_done:
            exercise()
            _Loader.is_done = True
        return "", []


class _Symbols(Worker):
    """Imports what pages of symbols need: the window would stand still for it when one is opened."""

    def work(self) -> tuple[str, list[str]]:
        """Import it once."""
        import_module("sympy")
        return "", []


class WarmUp(QObject):
    """Makes the kernels ready in the background; `is_ready` is True when it is done.

    Symbols are loaded meanwhile: the window can be used, and its pages opened, long before the kernels are
    compiled. At last the kernels of the other methods are compiled, without a word.
    """

    ready = Signal()
    progressed = Signal(float, float)  # fraction compiled, seconds left or infinite

    def __init__(
        self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        from engine.integrators import warm_up

        self._kernels, self._clock = warm_up, clock
        self.is_ready = warm_up.are_compiled() and is_exercised()
        self.fraction, self.left = 0.0, inf  # as in `progressed`
        self._countdown: Countdown | None = None
        self._process: QProcess | None = None
        self._loader = _Loader()
        self._loader.ended.connect(self._on_loaded)
        self._symbols = _Symbols()
        self._timer = QTimer(self, interval=PAUSE)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Start; returns at once."""
        QTimer.singleShot(SOON, self, self._load_symbols)
        if self.is_ready:
            QTimer.singleShot(SOON, self, self._load)
            return
        self._kernels.Elsewhere.reason = self.reason
        self._countdown = Countdown(n_needed(), n_compiled())
        self._timer.start()
        self._run(self._load)

    def look(self) -> None:
        """Count what is compiled, and tell."""
        if self._countdown is not None:
            self.fraction, self.left = self._countdown.at(n_compiled(), self._clock())
            self.progressed.emit(self.fraction, self.left)

    def reason(self) -> str:
        """Why the solver cannot be used yet, and for how long, in a sentence."""
        if self.fraction >= 1.0:
            return self.tr("The solver was compiled and is being loaded; try again in a moment.")
        if isfinite(self.left):
            words = self.tr("The solver is still being compiled, once: about {0} left.")
            return words.format(duration_words(self.left))
        return self.tr("The solver is still being compiled, once; try again in a moment.")

    def why(self) -> str:
        """Why it is compiled, in a sentence."""
        return said(self._kernels.first_time())

    def stop(self) -> None:
        """End the compilation."""
        self._timer.stop()
        self._end_process()
        self._loader.stop()
        self._symbols.stop()
        self._kernels.Elsewhere.reason = None

    def _run(self, then: Callable[[], None], *arguments: str) -> None:
        """Start the process that compiles; however it ends, go on with `then`."""
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONPATH", search_path())
        process.setProcessEnvironment(environment)
        process.finished.connect(then)
        process.errorOccurred.connect(then)
        self._process = process
        program, *rest = command(f"{__package__}.exercise")
        process.start(program, [*rest, *arguments])

    def _end_process(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(2000)

    def _load(self) -> None:
        self._kernels.Elsewhere.reason = None  # where the process failed, this one compiles
        if not self._loader.isRunning() and not self._loader.signalsBlocked():
            self._loader.start()

    def _load_symbols(self) -> None:
        if not self._symbols.isRunning() and not self._symbols.signalsBlocked():
            self._symbols.start()

    def _on_loaded(self) -> None:
        self._timer.stop()
        was_ready, self.is_ready = self.is_ready, True
        if not was_ready:
            self.ready.emit()
        if self._kernels.are_compiled() and not self._kernels.are_all_compiled():
            self._run(lambda: None, "methods")
