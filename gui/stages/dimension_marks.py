"""Where the lines, labels and handles of dimensions are on the stage, and how they look."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import atan2, copysign, cos, degrees, hypot, pi, sin
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from gui.look.theme import Theme
from gui.placing.dimensions import ANGLE, Dimension

AWAY = 28.0  # pixels from the body to the line of a dimension
BEYOND = 17.0  # pixels from the end of a link to its handle
ARC = 44.0  # radius of the arc of an angle
HEIGHT, PADDING = 20.0, 7.0  # of a label
MARGIN = 6.0  # between a label and the edge of the stage
SHORT = 26.0  # pixels: a shorter line has its arrows outside
SIDE = 9.0  # of a handle
CLEAR = 10.0  # pixels from the middle of a link to a label beside it
ALONG = (0.5, 0.3, 0.7, 0.12, 0.88, -0.15, 1.15)  # places on the line of a size, best first
FARTHER = (1.0, 2.0, 3.0)  # times the way from the body to its line
BESIDE = 8.0  # pixels between a label and the middle of a thin neighbour
RINGS, DIRECTIONS = 12, 16  # where a label looks for room in a crowd
FAR = 72.0  # pixels between a label and its line, from which a thread joins them
NARROW, ASIDE = 0.9, 0.45  # [rad]: in so narrow an angle a label would lie on the link


class Mark(NamedTuple):
    """One label with its line, in pixels."""

    field: str
    text: str
    a: QPointF
    b: QPointF
    out: QPointF  # unit vector away from the body; null: the line lies on it
    angle: float = 0.0  # [rad], of an angle

    def middles(self, wide: float = 0.0) -> Iterator[QPointF]:
        """Where a label of this width may be, best first: beside its body, never on it."""
        if self.field == ANGLE:
            half = self.angle / 2.0 if abs(self.angle) > NARROW else -copysign(ASIDE, self.angle)
            for far, turn in product((30.0, 56.0, 82.0), (half, 0.5 * half, 1.5 * half, -half)):
                yield self.a + QPointF(cos(turn), -sin(turn)) * (ARC + far)
            return
        reach = 0.5 * (abs(self.out.x()) * wide + abs(self.out.y()) * HEIGHT)
        off = self.out * max(AWAY, reach + CLEAR)
        for far, share in product(FARTHER, ALONG):
            yield self.a + (self.b - self.a) * share + off * far


class Handle(NamedTuple):
    """A square beyond one end of a link: side 1 or -1, the end and its own place."""

    side: int
    end: QPointF
    at: QPointF


def mark_of(dimension: Dimension, text: str, a: QPointF, b: QPointF, middle: QPointF) -> Mark:
    """The mark of a size between two points of the screen, on the side away from the middle of its body."""
    way = b - a
    long = hypot(way.x(), way.y()) or 1.0
    out = QPointF(-way.y() / long, way.x() / long)
    beside = (a + b) / 2.0 - middle
    reach = QPointF.dotProduct(out, beside)
    if abs(reach) > 1.0:
        out = out if reach > 0.0 else -out
    elif out.y() > 0.0 or (out.y() == 0.0 and out.x() > 0.0):
        out = -out  # along the middle: above it
    return Mark(dimension.field, text, a, b, out if dimension.is_beside else QPointF())


def handles_of(a: QPointF, b: QPointF) -> tuple[Handle, ...]:
    """The handles beyond both ends of a link."""
    way = b - a
    long = hypot(way.x(), way.y())
    if long < 1.0:
        return ()
    way /= long
    return Handle(-1, a, a - way * BEYOND), Handle(1, b, b + way * BEYOND)


def label_font() -> QFont:
    """The font of labels."""
    font = QFont()
    font.setPixelSize(12)
    font.setBold(True)
    return font


def places_of(
    marks: Sequence[Mark],
    area: QRectF,
    taken: Sequence[QRectF],
    neighbours: Sequence[QPolygonF] = (),
) -> list[QRectF]:
    """Where the labels are: inside the area, beside what is taken and beside each other.

    They also keep away from neighbours: on their own lines, or in a crowd as near to them as there is room.
    """
    metrics, found = QFontMetricsF(label_font()), list[QRectF]()
    inside = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    for mark in marks:
        wide = metrics.horizontalAdvance(mark.text) + 2.0 * PADDING
        choices = [_kept_in(_label_at(at, wide), inside) for at in mark.middles(wide)]
        all_taken = [*taken, *found]
        outlines = [*neighbours, *_own(mark)]
        clear = (
            rect
            for rect in (*choices, *_around(choices[0], inside))
            if not any(rect.intersects(other) for other in all_taken)
            and not any(_lies_on(rect, other) for other in outlines)
        )
        found.append(next(clear, None) or _free(choices[0], inside, all_taken))
    return found


def _around(rect: QRectF, inside: QRectF) -> Iterator[QRectF]:
    """A rectangle moved away in all directions, nearest first."""
    for ring, n in product(range(1, RINGS + 1), range(DIRECTIONS)):
        turn = 2.0 * pi * n / DIRECTIONS
        way = QPointF(cos(turn), sin(turn)) * (ring * HEIGHT)
        moved = rect.translated(way)
        if inside.contains(moved):
            yield moved


def _own(mark: Mark) -> list[QPolygonF]:
    """The link that an angle belongs to, as its label sees it."""
    return [QPolygonF([mark.a, mark.b])] if mark.field == ANGLE else []


def _label_at(middle: QPointF, wide: float) -> QRectF:
    """The rectangle of a label."""
    return QRectF(middle.x() - wide / 2.0, middle.y() - HEIGHT / 2.0, wide, HEIGHT)


def _lies_on(rect: QRectF, outline: QPolygonF) -> bool:
    """Whether a label would lie on a body with this outline, or touch it."""
    near = rect.adjusted(-BESIDE, -BESIDE, BESIDE, BESIDE)
    if not near.intersects(outline.boundingRect().adjusted(-1.0, -1.0, 1.0, 1.0)):
        return False
    return near.contains(outline.first()) or QPolygonF(near).intersects(outline)


def _kept_in(rect: QRectF, inside: QRectF) -> QRectF:
    """A rectangle moved into another one."""
    x = min(max(rect.left(), inside.left()), max(inside.right() - rect.width(), inside.left()))
    y = min(max(rect.top(), inside.top()), max(inside.bottom() - rect.height(), inside.top()))
    return QRectF(x, y, rect.width(), rect.height())


def _free(rect: QRectF, inside: QRectF, taken: Sequence[QRectF]) -> QRectF:
    """The rectangle moved by the least whole steps, up or down, until it covers nothing that is taken."""
    step = HEIGHT + 3.0
    for n in range(1, 40):
        if not any(rect.intersects(other) for other in taken):
            return rect
        way = step * (n if n % 2 else -n)  # up and down in turn, further each time
        rect = _kept_in(rect.translated(0.0, way), inside)
    return rect


# --- painting


def paint_mark(painter: QPainter, theme: Theme, mark: Mark, rect: QRectF) -> None:
    """The line of a dimension or the arc of an angle, and the thread to its label."""
    thread = thread_of(mark, rect)
    if thread is not None:
        painter.setPen(QPen(QColor(theme.accent), 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(*thread)
    if mark.field == ANGLE:
        _paint_arc(painter, theme, mark)
        return
    way = mark.b - mark.a
    long = hypot(way.x(), way.y()) or 1.0
    along, off = way / long, mark.out * AWAY
    a, b = mark.a + off, mark.b + off
    painter.setPen(QPen(QColor(theme.accent), 1.0))
    if not mark.out.isNull():
        for end in (mark.a, mark.b):
            painter.drawLine(end + mark.out * 8.0, end + mark.out * (AWAY + 5.0))
    inward = 1.0 if long > SHORT else -1.0
    painter.drawLine(a, b)
    painter.setBrush(QColor(theme.accent))
    across = QPointF(-along.y(), along.x()) * 3.0
    for tip, sign in ((a, inward), (b, -inward)):
        foot = tip + along * (9.0 * sign)
        painter.drawPolygon(QPolygonF([tip, foot + across, foot - across]))
        if inward < 0.0:
            painter.drawLine(foot, foot + along * (8.0 * sign))


def _paint_arc(painter: QPainter, theme: Theme, mark: Mark) -> None:
    """The arc of an angle from the direction of x, over the bodies."""
    p = mark.a
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.accent), 1.0, Qt.PenStyle.DashLine))
    painter.drawLine(p, p + QPointF(ARC + 12.0, 0.0))
    painter.setPen(QPen(QColor(theme.accent), 1.4))
    box = QRectF(p.x() - ARC, p.y() - ARC, 2.0 * ARC, 2.0 * ARC)
    painter.drawArc(box, 0, round(16.0 * degrees(mark.angle)))


def thread_of(mark: Mark, rect: QRectF) -> tuple[QPointF, QPointF] | None:
    """The thread from a label that found room far from its line only, to the middle of that line."""
    half, off = mark.angle / 2.0, mark.out * AWAY
    line = [mark.a + off + (mark.b - mark.a) * (n / 8.0) for n in range(9)]
    if mark.field == ANGLE:
        line = [mark.a + QPointF(cos(half), -sin(half)) * ARC]
    if min(near_point(rect, p)[1] for p in line) <= FAR:
        return None
    at = line[len(line) // 2]
    return near_point(rect, at)[0], at


def near_point(rect: QRectF, p: QPointF) -> tuple[QPointF, float]:
    """The point of a rectangle that is nearest to another point, and how far it is."""
    x = min(max(p.x(), rect.left()), rect.right())
    y = min(max(p.y(), rect.top()), rect.bottom())
    return QPointF(x, y), hypot(p.x() - x, p.y() - y)


def paint_text(painter: QPainter, theme: Theme, rect: QRectF, text: str, is_hot: bool) -> None:
    """A label: words on a card."""
    painter.setFont(label_font())
    painter.setPen(QPen(QColor(theme.accent), 1.6 if is_hot else 0.8))
    painter.setBrush(QColor(theme.accent_soft if is_hot else theme.card))
    painter.drawRoundedRect(rect, 4.0, 4.0)
    painter.setPen(QColor(theme.accent))
    painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def paint_handle(painter: QPainter, theme: Theme, handle: Handle, is_hot: bool) -> None:
    """A square, and the thin line that joins it to its end."""
    painter.setPen(QPen(QColor(theme.accent), 0.8))
    painter.drawLine(handle.end, handle.at)
    painter.setPen(QPen(QColor(theme.accent), 1.6))
    painter.setBrush(QColor(theme.accent_soft if is_hot else theme.card))
    half = SIDE / 2.0
    painter.drawRect(QRectF(handle.at.x() - half, handle.at.y() - half, SIDE, SIDE))


def turn_of(angle: float) -> float:
    """An angle between -pi and pi."""
    return atan2(sin(angle), cos(angle)) if abs(angle) > pi else angle


def near(a: QPointF, b: Any, reach: float) -> bool:
    """Whether two places of the screen are close."""
    return hypot(a.x() - b.x(), a.y() - b.y()) <= reach
