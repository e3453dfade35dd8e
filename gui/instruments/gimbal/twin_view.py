"""Side by side: a body in a run and in its twin, and the angle between them over time."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import Id
from engine.results.results import Results
from gui.instruments.gimbal import ring_geometry as geometry
from gui.instruments.gimbal.ring_painting import Camera, Screen, base_colours, paint_faces
from gui.instruments.gimbal.strips import Strip, powers
from gui.instruments.gimbal.twin import TwinRun, comparison_words, difference_of, method_words
from gui.look.theme import theme_of
from gui.plots.canvas import small
from gui.state.attitude import Attitude, run_attitude
from gui.state.playback import Playback, RunRecord, pose_at
from gui.state.preferences import Preferences

LEAST = 1e-16  # rad: two equal orientations are drawn as this, on the logarithmic axis


class BodyView(QWidget):
    """The body alone, with how a run follows it as caption."""

    def __init__(self) -> None:
        super().__init__()
        self.attitude: Attitude | None = None
        self.setMinimumSize(90, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        """A small picture."""
        return QSize(150, 120)

    def show_attitude(self, attitude: Attitude | None) -> None:
        """Show a body, or nothing; changes the view."""
        self.attitude = attitude
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the body and the caption."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.paper))
        bottom = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom
        painter.setPen(QColor(theme.quiet))
        if self.attitude is None:
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "–")
        else:
            painter.drawText(self.rect().adjusted(0, 0, 0, -3), bottom, method_words(self.attitude))
            scale = min(self.width(), self.height() - 16) / 1.25
            screen = Screen(Camera(), self.width() / 2.0, self.height() / 2.0 - 8.0, scale)
            faces = geometry.body_alone(self.attitude.R)
            paint_faces(painter, screen, faces, base_colours(theme), QColor(theme.paper))
        painter.end()


class TwinView(QWidget):
    """The two bodies, what the comparison says, and the difference over time."""

    def __init__(
        self, playback: Playback, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.playback, self.preferences = playback, preferences
        self.id, self.sequence = "", ""
        self.twin = TwinRun(self)
        self.twin.changed.connect(self.refresh)
        self.button = QPushButton()
        self.button.clicked.connect(self._start_or_cancel)
        self.progress = QProgressBar(textVisible=False)
        self.progress.hide()
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.views = (BodyView(), BodyView())
        self.plot = pg.GraphicsLayoutWidget()
        self.plot.setMinimumHeight(70)
        self.strip = Strip(self.plot, 0, preferences, True)
        self.strip.canvas.held.connect(lambda at: playback.scrub(at.x()))
        self.strip.canvas.clicked.connect(lambda at: playback.scrub(at.x()))
        for line in self.strip.levels:
            line.hide()
        self._lay_out()
        playback.run_changed.connect(self._on_run_changed)
        playback.frames_grew.connect(self.refresh)
        playback.time_changed.connect(self._show_time)
        self.refresh()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.button)
        top.addWidget(self.progress, 1)
        top.addStretch(1)
        pair = QHBoxLayout()
        pair.setSpacing(2)
        for view in self.views:
            pair.addWidget(view)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 4)
        column.setSpacing(6)
        column.addLayout(top)
        column.addWidget(self.words)
        column.addLayout(pair, 2)
        column.addWidget(self.plot, 3)

    @property
    def record(self) -> RunRecord | None:
        """The run that is shown."""
        return self.playback.current

    def follow(self, id: Id, sequence: str) -> None:
        """Compare another body; changes the view."""
        if (id, sequence) != (self.id, self.sequence):
            self.id, self.sequence = id, sequence
            self.refresh()

    def reason(self) -> str:
        """Why no twin can be computed now; empty if one can."""
        record = self.record
        if record is None or not len(record.results):
            return self.tr("Run the model first: the twin is compared with a run.")
        if record.is_live:
            return self.tr("Live mode has no twin: run the model instead.")
        if record.results.ending is None:
            return self.tr("Wait until the run has ended.")
        return ""

    def _start_or_cancel(self) -> None:
        if self.twin.is_running:
            self.twin.cancel()
        elif not self.reason() and self.record is not None:
            self.twin.start(self.record)

    def _on_run_changed(self) -> None:
        """Discard the twin of another run."""
        if self.twin.of is not None and self.twin.of is not self.record:
            self.twin.forget()
        self.refresh()

    def refresh(self) -> None:
        """Show what there is of both runs."""
        why = self.reason()
        running = self.twin.is_running
        self.button.setText(self.tr("Cancel") if running else self.tr("Run the twin"))
        self.button.setEnabled(running or not why)
        self.button.setToolTip(
            why or self.tr("Simulate the same model again with the other description.")
        )
        self.progress.setVisible(running)
        self.progress.setValue(round(100.0 * self.twin.fraction))
        if not self.isVisible():
            return
        self.words.setText(self._sentence(why))
        self._draw()
        self._show_time()

    def _sentence(self, why: str) -> str:
        if self.twin.trouble:
            return self.twin.trouble
        twin = self.twin.results
        if twin is None or self.record is None or not self._is_there(twin):
            return why or self.tr(
                "The twin follows the same motion by quaternions instead of Euler angles, or the other "
                "way round. Away from the lock both agree."
            )
        run = self.record.results
        try:
            return comparison_words(self.preferences, run, twin, self.id, self.sequence)
        except EngineError as error:  # such as frames at other times
            return error.sentence

    def _is_there(self, results: Results) -> bool:
        """Whether a run has frames of the body."""
        return bool(len(results)) and self.id in results.compiled.body_ids

    def _draw(self) -> None:
        """The angle between both, over time."""
        twin, record = self.twin.results, self.record
        there = twin is not None and record is not None and self._is_there(twin)
        self.plot.setVisible(there)
        if not there or twin is None or record is None:
            return
        try:
            apart = difference_of(record.results, twin, self.id)
        except EngineError:  # the sentence above the curve says why
            self.plot.hide()
            return
        angle = np.degrees(np.maximum(apart.angle, LEAST))
        self.strip.put(0, apart.t, angle)
        theme = theme_of(self.palette())
        self.plot.setBackground(theme.paper)
        colours = [theme.bodies[4]]
        self.strip.dress(theme, small(self.font()), self.tr("angle [°]"), colours, True)
        if len(apart.t):
            self.strip.canvas.setXRange(apart.t[0], max(apart.t[-1], 1e-6), padding=0.01)
            known = powers(angle)
            high = max(float(known.max()), float(known.min()) + 1.0)
            self.strip.canvas.setYRange(float(known.min()), high, padding=0.08)

    def _show_time(self) -> None:
        """Both bodies at the time that is shown."""
        if not self.isVisible():
            return
        self.strip.time_line.setPos(self.playback.time)
        record, twin = self.record, self.twin.results
        pair = (record.results if record is not None else None, twin)
        for view, results in zip(self.views, pair):
            attitude = None
            if results is not None and self._is_there(results):
                n = results.frame_at(self.playback.time)
                q = pose_at(results, self.playback.time)
                attitude = run_attitude(results, q, n, self.id, self.sequence)
            view.show_attitude(attitude)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "views"):
            self.refresh()

    def shutdown(self) -> None:
        """End the thread before the window is destroyed."""
        self.twin.blockSignals(True)
        self.twin.cancel()
