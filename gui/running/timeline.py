"""The slider of the transport bar: the computed part, the present time, and marks of events."""

from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.look.theme import Theme, theme_of
from gui.state.numbers import written
from gui.state.playback import ENDS_WELL, Playback

MARGIN = 9.0  # px at both ends, room for half a handle
TRACK = 4.0  # px
HANDLE = 7.0  # px, its radius
NEAR = 6.0  # px: a mark this near to the mouse shows its sentence
MOST_WORDS = 4  # sentences of marks at one place
CONTACT = ("touch", "leave", "stick", "slip")  # kinds of events of contacts


class TimeLine(QWidget):
    """Shows the time of the playback; dragging anywhere on it scrubs."""

    def __init__(self, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playback = playback
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(120)
        self.setAccessibleName(self.tr("Time"))
        self.setMouseTracking(True)
        self._is_dragged = False
        playback.run_changed.connect(self.update)
        playback.frames_grew.connect(self.update)
        playback.time_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Wide, and as high as a handle with its marks."""
        return QSize(300, 26)

    @property
    def span(self) -> tuple[float, float]:
        """The times of the left and the right end."""
        record = self.playback.current
        if record is None:
            return 0.0, 1.0
        first, last = self.playback.t_first, self.playback.t_last
        if record.is_live:
            return first, max(last, first + 1e-9)
        return 0.0, max(float(record.results.settings.t_end), last)

    def x_of(self, t: float) -> float:
        """Where a time is, in pixels."""
        low, high = self.span
        return MARGIN + (self.width() - 2.0 * MARGIN) * (t - low) / (high - low)

    def time_at(self, x: float) -> float:
        """The time at a place, in pixels."""
        low, high = self.span
        part = (x - MARGIN) / max(self.width() - 2.0 * MARGIN, 1.0)
        return low + (high - low) * min(max(part, 0.0), 1.0)

    def marks(self) -> list[tuple[float, str, str]]:
        """Events to mark: time, kind and sentence."""
        record = self.playback.current
        if record is None:
            return []
        found = [(event.t, event.kind, event.sentence) for event in record.results.events]
        ending = record.results.ending
        if ending is not None and ending.reason not in ENDS_WELL:
            found.append((self.playback.t_last, "failed", ending.sentence))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the track, the part that is computed, the marks and the handle."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        y, has_run = self.height() / 2.0, self.playback.current is not None
        left, right = MARGIN, self.width() - MARGIN
        self._bar(painter, left, right, y, QColor(theme.line))
        if has_run:
            low, high = self.playback.t_first, self.playback.t_last
            self._bar(painter, self.x_of(low), self.x_of(high), y, QColor(theme.faint))
            self._bar(painter, self.x_of(low), self.x_of(self.playback.time), y, theme.accent)
        # a rattling stop has thousands: of marks of one colour that would overlap, one
        spots = {
            (round(self.x_of(t)), kind if kind in CONTACT else "", mark_colour(kind, theme))
            for t, kind, _ in self.marks()
        }
        for x, kind, colour in sorted(spots, reverse=True):  # contacts behind the others
            painter.setBrush(QColor(colour))
            self._mark(painter, float(x), y, kind)
        at = self.x_of(self.playback.time) if has_run else left
        painter.setPen(QColor(theme.paper))
        painter.setBrush(QColor(theme.accent if has_run else theme.faint))
        painter.drawEllipse(QPointF(at, y), HANDLE, HANDLE)
        painter.end()

    def _bar(self, painter: QPainter, left: float, right: float, y: float, colour: Any) -> None:
        painter.setBrush(QColor(colour))
        bar = QRectF(left, y - TRACK / 2.0, max(right - left, 0.0), TRACK)
        painter.drawRoundedRect(bar, TRACK / 2.0, TRACK / 2.0)

    def _mark(self, painter: QPainter, x: float, y: float, kind: str) -> None:
        """A small triangle that points at the track from above, and a line through it.

        Shapes that touch come down to the track as a slim one; where they part, it goes on below. What
        sticks is a dot on the track, and what slips a ring.
        """
        if kind in ("stick", "slip"):
            painter.drawEllipse(QPointF(x, y), 3.5, 3.5)
            if kind == "slip":
                painter.setBrush(QColor(theme_of(self.palette()).paper))
                painter.drawEllipse(QPointF(x, y), 2.0, 2.0)
            return
        wide, high = (3.0, HANDLE) if kind else (4.0, HANDLE + 1.0)
        tip = y + HANDLE + 4.0 if kind == "leave" else y - 3.0
        corners = (x - wide, tip - high), (x + wide, tip - high), (x, tip)
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        if not kind:
            painter.drawRect(QRectF(x - 0.75, y - 4.0, 1.5, 8.0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the time under the mouse."""
        if event.button() == Qt.MouseButton.LeftButton and self.playback.current is not None:
            self._is_dragged = True
            self.playback.scrub(self._snapped(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse while it is pressed."""
        if self._is_dragged:
            self.playback.scrub(self.time_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stay there."""
        self._is_dragged = False

    def _snapped(self, x: float) -> float:
        """The time at a place, or that of a mark near to it."""
        near = [t for t, _, _ in self.marks() if abs(self.x_of(t) - x) < NEAR]
        return min(near, key=lambda t: abs(self.x_of(t) - x)) if near else self.time_at(x)

    def event(self, event: QEvent) -> bool:
        """The sentence of the mark under the mouse, or the time there, as a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words_at(float(event.pos().x())), self)
            return True
        return super().event(event)

    def words_at(self, x: float) -> str:
        """The text of the tooltip at a place."""
        if self.playback.current is None:
            return self.tr("There is no run yet. Press Space to run the model.")
        near = [words for t, _, words in self.marks() if abs(self.x_of(t) - x) < NEAR]
        more = len(near) - MOST_WORDS
        told = near[:MOST_WORDS] + ([self.tr("and {0} more").format(more)] if more > 0 else [])
        return "\n".join(told) or self.tr("t = {0} s").format(written(self.time_at(x), 4))


def mark_colour(kind: str, theme: Theme) -> str:
    """Amber for what is worth a look, red for what is wrong, green for what was resolved automatically.

    The colour of text is for events that the user has asked for, and a quieter one for contacts.
    """
    if kind in CONTACT:
        return theme.quiet
    if kind in ("gimbal red", "gimbal crossed", "failed"):
        return theme.problem
    if kind == "gimbal switch":
        return theme.good
    return theme.warning if kind.startswith("gimbal") else theme.ink
