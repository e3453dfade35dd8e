"""Make a film while the window stays responsive: frames are painted between its events.

Painting needs the thread of the window, so one frame is painted at a time and handed to a thread
that compresses and writes. A short queue between the two keeps memory small.
"""

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from engine.errors import EngineError
from engine.files.atomic import replace_file
from engine.results.export import CancelledError, Progress
from gui.export.film.film_files import GIF_SAMPLES, FilmForm, write_gif, write_mp4
from gui.export.job import Job

Painter = Callable[[float], QImage]  # the picture at a time of the run
ROOM = 4  # frames that may wait for the writer
PAUSE = 4  # ms before looking again whether there is room, or something to paint


def frame_times(start: float, stop: float, speed: float, rate: float) -> np.ndarray:
    """The times of a run [s] that a film of it shows, first and last included."""
    n = max(int(np.floor((stop - start) / speed * rate * (1.0 + 1e-9))) + 1, 1)
    return np.minimum(start + speed / rate * np.arange(n), stop)


class FilmJob(QObject):
    """Paints and writes one film; `finished` comes once, whatever happens."""

    progressed = Signal(float)
    finished = Signal()

    def __init__(
        self,
        paint: Painter,
        times: np.ndarray,
        form: FilmForm,
        path: Path,
        parent: QObject,
        is_ready: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(parent)
        self.is_ready = is_ready
        is_gif = path.suffix.lower() == ".gif"
        self.form = form if is_gif else form.even
        self.path, self.paint = path, paint
        self.sentence, self.was_cancelled = "", False
        samples = times[np.linspace(0, len(times) - 1, GIF_SAMPLES).astype(int)]
        self.times = np.concatenate([samples, times]) if is_gif else times
        self._write = write_gif if is_gif else write_mp4
        self._queue: queue.Queue[QImage | None] = queue.Queue(ROOM)
        self._next = 0
        self._wanted = True
        self._thread = Job(self._work, self)
        self._thread.finished.connect(self._end)
        self._feeder = QTimer(self, singleShot=True)
        self._feeder.timeout.connect(self._feed)

    def start(self) -> None:
        """Begin; changes the job."""
        self._thread.start()
        self._feeder.start(0)

    def cancel(self) -> None:
        """Stop soon and leave no file; changes the job."""
        self._wanted = False

    def wait(self) -> None:
        """Cancel, and release the thread; the window is closing."""
        self.cancel()
        self._feeder.stop()
        self._thread.let_go()

    def _feed(self) -> None:
        """Paint one frame if the queue has room, then let the window handle events."""
        if not self._wanted or self._thread.isFinished():
            return
        if self._queue.full() or not self.is_ready():
            self._feeder.start(PAUSE)
            return
        if self._next == len(self.times):
            self._queue.put_nowait(None)
            return
        try:
            picture = self.paint(float(self.times[self._next]))
        except EngineError as error:
            self.sentence = error.sentence
            self.cancel()
            return
        except Exception as error:  # else the thread would wait forever for the next frame
            words = self.tr("The film could not be painted: {0} ({1}).")
            self.sentence = words.format(error, type(error).__name__)
            self.cancel()
            return
        self._queue.put_nowait(picture)
        self._next += 1
        self.progressed.emit(self._next / (len(self.times) + 1))
        self._feeder.start(0)

    def _work(self, progress: Progress) -> None:
        """In the thread: write what comes out of the queue."""

        def write(file: IO[bytes]) -> None:
            self._write(file, self.form, self._frames())

        replace_file(self.path, write, "write")

    def _frames(self) -> Iterator[QImage]:
        """In the thread: the frames as they come, until the last one or until it is cancelled."""
        while True:
            if not self._wanted:
                raise CancelledError
            try:
                frame = self._queue.get(timeout=0.05)
            except queue.Empty:
                continue
            if frame is None:
                return
            yield frame

    def _end(self) -> None:
        self._feeder.stop()
        self.was_cancelled = self._thread.was_cancelled and not self.sentence
        self.sentence = self.sentence or self._thread.sentence
        self.finished.emit()
