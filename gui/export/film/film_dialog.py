"""Export a film of the animation: size, speed, time, with or without the plots beside it."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from gui.export.dialog import ExportDialog
from gui.export.film.film_files import FilmForm, ffmpeg
from gui.export.film.film_job import FilmJob, frame_times
from gui.export.job import ProgressBox
from gui.export.sources import Sources
from gui.export.twin import Twin
from gui.state.numbers import written

SIZES = ((1280, 720), (1920, 1080), (3840, 2160), (800, 600), (640, 480), (1080, 1080))
SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)
LEAST, MOST = 64, 4096  # pixels
MAX_FRAMES = 50_000


class FilmDialog(ExportDialog):
    """Chooses how the film is made, and makes it."""

    def __init__(self, sources: Sources, parent: QWidget | None = None) -> None:
        super().__init__(sources, self.tr("Export a film"), ".mp4", self.tr("Film"), parent)
        record = sources.record
        assert record is not None, "the command is grey while there is no run"
        self.record = record
        self.job: FilmJob | None = None
        if parent is not None:
            parent.installEventFilter(self)
        self._make_fields()
        self._lay_out()
        self._connect()
        self.refresh()

    def _make_fields(self) -> None:
        t = self.record.results.t
        self.format = QComboBox()
        self.format.addItem(self.tr("MP4, a film for every player"), ".mp4")
        self.format.addItem(self.tr("GIF, for pages and slides"), ".gif")
        self.size_box = QComboBox()
        for width, height in SIZES:
            self.size_box.addItem(f"{width} × {height}", (width, height))
        self.size_box.addItem(self.tr("other"), None)
        self.width_field = QSpinBox(minimum=LEAST, maximum=MOST, value=1280, suffix=" px")
        self.height_field = QSpinBox(minimum=LEAST, maximum=MOST, value=720, suffix=" px")
        self.rate = QSpinBox(minimum=1, maximum=120, value=30)
        self.speed = QComboBox()
        for speed in SPEEDS:
            self.speed.addItem(f"{written(speed)} ×", speed)
        self.speed.setCurrentIndex(SPEEDS.index(1.0))
        self.start, self.stop = (QDoubleSpinBox(decimals=3, suffix=" s") for _ in range(2))
        for field, value in ((self.start, float(t[0])), (self.stop, float(t[-1]))):
            field.setRange(float(t[0]), float(t[-1]))
            field.setValue(value)
        self.with_plots = QCheckBox(self.tr("Plots beside the stage"))
        has_plots = bool(self.sources.plotted)
        self.with_plots.setEnabled(has_plots)
        if not has_plots:
            self.with_plots.setToolTip(self.tr("There is nothing in the plots yet."))
        self.length_told = QLabel()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("File type"), self.format)
        form.addRow(self.tr("Size"), self.size_box)
        form.addRow(self.tr("Width"), self.width_field)
        form.addRow(self.tr("Height"), self.height_field)
        form.addRow(self.tr("Frames per second"), self.rate)
        form.addRow(self.tr("Speed"), self.speed)
        form.addRow(self.tr("From"), self.start)
        form.addRow(self.tr("To"), self.stop)
        form.addRow("", self.with_plots)
        form.addRow("", self.length_told)
        self.form = form
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.target)
        column.addWidget(self.told)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self.buttons)
        column.addLayout(last)
        self.setMinimumWidth(520)

    def _connect(self) -> None:
        for field in (self.width_field, self.height_field, self.rate, self.start, self.stop):
            field.valueChanged.connect(lambda _: self.refresh())
        for combo in (self.size_box, self.speed):
            combo.currentIndexChanged.connect(lambda _: self.refresh())
        self.format.currentIndexChanged.connect(self._choose_format)
        self.target.changed.connect(self.refresh)
        self.buttons.accepted.connect(self.write)

    def _choose_format(self) -> None:
        """Another kind of file, with a size and a rate that suit it."""
        is_gif = self.format.currentData() == ".gif"
        self.target.set_suffix(self.format.currentData(), self.tr("Film"))
        self.rate.setMaximum(50 if is_gif else 120)  # players do not show more in a GIF
        self.rate.setValue(25 if is_gif else 30)
        self.size_box.setCurrentIndex(SIZES.index((640, 480) if is_gif else (1280, 720)))
        self.refresh()

    @property
    def film_form(self) -> FilmForm:
        """Size and rate as chosen."""
        width, height = self.size_box.currentData() or (
            self.width_field.value(),
            self.height_field.value(),
        )
        return FilmForm(width, height, float(self.rate.value()))

    @property
    def times(self) -> Any:
        """The times of the run that become frames; EngineError if there are too many or none."""
        start, stop, speed = self.start.value(), self.stop.value(), self.speed.currentData()
        if not start < stop:
            raise EngineError(self.tr("The film has no length: choose an end after its start."))
        n_frames = (stop - start) / speed * self.rate.value()
        if n_frames > MAX_FRAMES:
            raise EngineError(
                self.tr("{0} frames are too many: play faster or choose a shorter time.").format(
                    round(n_frames)
                )
            )
        return frame_times(start, stop, speed, float(self.rate.value()))

    def refresh(self) -> None:
        """Show the length of the film and what is wrong; changes the dialog."""
        is_other = self.size_box.currentData() is None
        self.form.setRowVisible(self.width_field, is_other)
        self.form.setRowVisible(self.height_field, is_other)
        problem = self.target.problem
        try:
            n_frames = len(self.times)
            seconds = n_frames / self.rate.value()
            length = self.tr("{0} frames, a film of {1} s").format(n_frames, written(seconds, 3))
            self.length_told.setText(length)
            if self.format.currentData() == ".mp4":
                ffmpeg()
        except EngineError as error:
            problem = error.sentence
        self.judge(problem)

    def write(self) -> None:
        """Make the film, interleaved with the events of the window, then close."""
        self.refresh()
        if not self.write_button.isEnabled():
            return
        twin = Twin(self.sources, self.record, with_plots=self.with_plots.isChecked())
        form = self.film_form
        path = self.target.path
        self.job = FilmJob(
            lambda t: _frame(twin, t, job), self.times, form, path, self, twin.is_ready
        )
        job = self.job
        self.setEnabled(False)  # before the box is made: it stays enabled
        self.box = box = ProgressBox(self.tr("Making {0}…").format(path.name), self, 0)
        job.progressed.connect(box.show_fraction)
        box.cancelled.connect(job.cancel)

        def finish() -> None:
            """Clean up and say how it ended."""
            box.finish()
            twin.close()
            self._written(job)

        job.finished.connect(finish)
        job.start()

    def _written(self, job: FilmJob) -> None:
        self.job = None
        job.deleteLater()
        self.end(job)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End the film before the window is destroyed."""
        if event.type() == QEvent.Type.Close and self.job is not None:
            self.job.wait()
        return super().eventFilter(watched, event)

    def reject(self) -> None:
        """Close without a film; one that is being made is cancelled first."""
        if self.job is not None:
            self.job.cancel()
        else:
            super().reject()


def _frame(twin: Twin, t: float, job: FilmJob) -> QImage:
    return twin.image(t, QSize(job.form.width, job.form.height))
