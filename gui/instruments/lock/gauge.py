"""The gauge: how far a body is from gimbal lock, with its amber and red levels."""

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.instruments.gimbal.rings import AMBER, RED
from gui.look.icons import coloured
from gui.look.theme import Theme, theme_of
from gui.state.attitude import Attitude
from gui.state.lock_badges import level_state, shown_angle
from gui.state.numbers import written
from gui.state.preferences import Preferences
from rotations.gimbal_lock import AMBER_BELOW, RED_BELOW, Level
from rotations.sequences import is_euler_type

LEAST = 1e-3  # of s at the left end; the scale is logarithmic, so that red has room
MARGIN = 10.0  # px
BAR = 9.0  # px


class Gauge(QWidget):
    """A bar from the lock at the left to the best place at the right, a needle, and words."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preferences = preferences
        self.attitude: Attitude | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Distance from gimbal lock"))

    def sizeHint(self) -> QSize:
        """One line of words above the bar, and one below."""
        return QSize(300, 3 * self.fontMetrics().height() + 32)

    def show_attitude(self, attitude: Attitude | None) -> None:
        """Show how far a body is from the lock; changes the gauge."""
        self.attitude = attitude
        self.setToolTip(self._tip() if attitude is not None else "")
        self.update()

    def words(self) -> str:
        """The distance in words, with the level."""
        if self.attitude is None:
            return ""
        distance = shown_angle(self.preferences, self.attitude.to_lock)
        return level_words(self.attitude.level).format(distance)

    def numbers(self) -> str:
        """The measure and the condition number."""
        a = self.attitude
        if a is None:
            return ""
        name = "|sin θ|" if is_euler_type(a.sequence) else "|cos θ|"
        digits = self.preferences.digits
        condition = "∞" if not np.isfinite(a.condition) else digits(a.condition, 3)
        return self.tr("{0} = {1},  condition {2}").format(name, digits(a.measure, 3), condition)

    def _tip(self) -> str:
        return self.tr(
            "At 1 the three axes are perpendicular; at 0 the outer and the inner one coincide. Below "
            "{0} (amber) the rates of the angles are up to ten times, below {1} (red) up to a "
            "hundred times as fast as the body turns."
        ).format(written(AMBER_BELOW), written(RED_BELOW))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words, the bar with its three parts, and the needle."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self.fontMetrics().height()
        top = line + 10.0
        self._paint_bar(painter, theme, top)
        if self.attitude is not None:
            self._paint_needle(painter, theme, top)
            self._paint_words(painter, theme, line)
        painter.end()

    def x_of(self, measure: float) -> float:
        """Where a measure is on the bar, in pixels."""
        part = 1.0 + np.log10(max(measure, LEAST)) / -np.log10(LEAST)
        return MARGIN + (self.width() - 2.0 * MARGIN) * float(part)

    def _paint_bar(self, painter: QPainter, theme: Theme, top: float) -> None:
        edges = [MARGIN, self.x_of(RED_BELOW), self.x_of(AMBER_BELOW), self.width() - MARGIN]
        painter.setPen(Qt.PenStyle.NoPen)
        for n, colour in enumerate((RED, AMBER, theme.good)):
            painter.setBrush(QColor(colour))
            painter.drawRect(QRectF(edges[n], top, edges[n + 1] - edges[n] - 1.0, BAR))
        painter.setPen(QColor(theme.quiet))
        font = painter.font()
        font.setPointSizeF(max(font.pointSizeF() * 0.85, 7.0))
        painter.setFont(font)
        box = QRectF(0.0, top + BAR + 7.0, 80.0, self.fontMetrics().height())
        marks = (
            (MARGIN + 14.0, self.tr("lock")),
            (edges[1], written(RED_BELOW)),
            (edges[2], written(AMBER_BELOW)),
        )
        for x, words in (*marks, (edges[3] - 6.0, "1")):
            box.moveCenter(QPointF(x, box.center().y()))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_needle(self, painter: QPainter, theme: Theme, top: float) -> None:
        assert self.attitude is not None
        x = self.x_of(self.attitude.measure)
        painter.setPen(QColor(theme.paper))
        painter.setBrush(QColor(theme.ink))
        corners = [(x - 6.0, top - 6.0), (x + 6.0, top - 6.0), (x, top + 3.0)]
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        painter.drawRect(QRectF(x - 1.0, top, 2.0, BAR + 3.0))

    def _paint_words(self, painter: QPainter, theme: Theme, line: int) -> None:
        assert self.attitude is not None
        state = level_state(self.attitude.level)
        colour = getattr(theme, state)
        coloured(state, colour).paint(painter, int(MARGIN) - 2, 1, line, line)
        font = self.font()
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(QColor(colour))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        box = QRectF(MARGIN + line + 4.0, 1.0, self.width(), line)
        painter.drawText(box, left, self.words())
        painter.setFont(self.font())
        painter.setPen(QColor(theme.quiet))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        below = QRectF(0.0, self.height() - line - 1.0, self.width() - MARGIN, line)
        painter.drawText(below, right, self.numbers())


def level_words(level: Level) -> str:
    """The level in words, with room for the distance."""
    words = (
        QCoreApplication.translate("Gauge", "{0} from gimbal lock: fine"),
        QCoreApplication.translate("Gauge", "{0} from gimbal lock: amber, take care"),
        QCoreApplication.translate("Gauge", "{0} from gimbal lock: red, rates explode"),
    )
    return words[int(level)]
