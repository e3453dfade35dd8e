"""Work that takes long, in a thread of its own, with a bar and a way to cancel."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.results.export import CancelledError, Progress
from gui.state.threads import BackgroundThread

_PATIENCE = 400  # ms before a bar appears: most exports are faster


class Job(BackgroundThread):
    """Calls `work(progress)`; afterwards `sentence` says what failed, if anything."""

    progressed = Signal(float)

    def __init__(self, work: Callable[[Progress], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.work = work
        self.sentence = ""
        self.was_cancelled = False
        self._wanted = True

    def run(self) -> None:
        """Do the work; every failure ends as a sentence."""
        try:
            self.work(self._progress)
        except CancelledError:
            self.was_cancelled = True
        except EngineError as error:
            self.sentence = error.sentence
        except MemoryError:
            self.sentence = _tr("The memory is not enough: choose fewer channels or rows.")
        except Exception as error:  # a thread has no caller to report to
            self.sentence = _tr("The file could not be written: {0} ({1}).").format(
                error, type(error).__name__
            )

    def cancel(self) -> None:
        """Ask the work to stop; changes the job."""
        self._wanted = False

    def _progress(self, fraction: float) -> bool:
        self.progressed.emit(fraction)
        return self._wanted


class ProgressBox(QDialog):
    """A progress bar over the calling window, with Cancel; it appears only if the work takes a while.

    QProgressDialog is not used because its setValue lets other events run in between.
    """

    cancelled = Signal()

    def __init__(self, title: str, parent: QWidget | None, patience: int = _PATIENCE) -> None:
        super().__init__(parent)
        self.setWindowTitle(_tr("Export"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumWidth(420)
        self.bar = QProgressBar(maximum=1000, textVisible=False)
        self.share = QLabel()
        self.cancel_button = QPushButton(_tr("Cancel"))
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.clicked.connect(self.reject)
        column = QVBoxLayout(self)
        row = QHBoxLayout()
        row.addWidget(QLabel(title), 1)
        row.addWidget(self.share)
        column.addLayout(row)
        column.addWidget(self.bar)
        column.addSpacing(8)
        column.addWidget(self.cancel_button, 0, Qt.AlignmentFlag.AlignRight)
        self._timer = QTimer(self, singleShot=True, interval=patience)
        self._timer.timeout.connect(self.show)
        self._timer.start()

    def show_fraction(self, fraction: float) -> None:
        """Move the bar; changes the dialog."""
        self.bar.setValue(round(1000 * min(max(fraction, 0.0), 1.0)))
        self.share.setText(f"{self.bar.value() // 10} %")

    def reject(self) -> None:
        """Cancel the work; the box goes away when the work has stopped."""
        self.cancel_button.setEnabled(False)
        self.cancelled.emit()

    def finish(self) -> None:
        """Close; changes the dialog."""
        self._timer.stop()
        self.hide()
        self.deleteLater()


class JobBox(ProgressBox):
    """A bar for a job; it starts the job, and `ended` is called in this thread when it has ended."""

    ended = Signal(object)

    def __init__(self, job: Job, title: str, parent: QWidget, patience: int = _PATIENCE) -> None:
        super().__init__(title, parent, patience)
        self.job = job
        parent.window().installEventFilter(self)
        job.setParent(self)
        job.progressed.connect(self.show_fraction)
        job.finished.connect(self._end)
        self.cancelled.connect(job.cancel)
        job.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the work before the window is destroyed."""
        if event.type() == QEvent.Type.Close and self.job.isRunning():
            self.job.cancel()
            self.job.let_go()
        return super().eventFilter(watched, event)

    def _end(self) -> None:
        self.job.wait()
        self.ended.emit(self.job)
        self.finish()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Export", text)
