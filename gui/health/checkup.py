"""Examine the model of a document in the background, a moment after each edit."""

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from engine.compiling.checks import Problem
from engine.kinematics.checkup import Checkup, examine
from engine.model.elements import Model, same_mechanism
from gui.state.document import Document
from gui.state.threads import BackgroundThread

PAUSE = 250  # ms without an edit before a model is examined
WAIT = 1000  # ms between two checks whether the kernels are compiled


class _Examination(BackgroundThread):
    """One examination in a thread of its own."""

    def __init__(self, model: Model, with_kernels: bool) -> None:
        super().__init__()
        self.model, self.with_kernels = model, with_kernels
        self.checkup = Checkup(model)

    def run(self) -> None:
        """Examine; failures of the program itself are reported like any problem."""
        try:
            self.checkup = examine(self.model, self.with_kernels)
        except Exception as error:
            words = QCoreApplication.translate("Checkup", "The model could not be examined: {0}.")
            self.checkup = Checkup(self.model, (Problem(words.format(repr(error))),))


class Examiner(QObject):
    """Examines the model of a document a moment after each edit; `examined` gives the checkup."""

    examined = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.checkup = Checkup(document.model)
        self._thread: _Examination | None = None
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.start)
        self._is_stopped = False
        document.committed.connect(self._on_committed)

    @property
    def is_current(self) -> bool:
        """Whether the last checkup is that of the open model, and complete."""
        return same_mechanism(self.checkup.model, self.document.model) and self._thread is None

    def _on_committed(self) -> None:
        """Examine a new mechanism soon; one that is only shown otherwise is as it was."""
        if not same_mechanism(self.checkup.model, self.document.model):
            self._timer.start()

    def start(self) -> None:
        """Examine the model as it is now."""
        if self._thread is not None or self._is_stopped:
            return  # the end of the running examination starts the next
        from engine.integrators.warm_up import are_compiled

        self._thread = _Examination(self.document.model, are_compiled())
        self._thread.finished.connect(self._take)
        self._thread.start()

    def _take(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None or self._is_stopped:
            return
        thread.wait()
        self.checkup = thread.checkup
        if not same_mechanism(thread.model, self.document.model):
            self._timer.start()
            return
        self.examined.emit(self.checkup)
        if not thread.with_kernels:
            QTimer.singleShot(WAIT, self, self.start)

    def stop(self) -> None:
        """End the examination before the window is destroyed."""
        self._is_stopped = True
        self._timer.stop()
        if self._thread is not None:
            self._thread.let_go()
