"""The marks of coordinates and constraints of one kind, over any drawing of the mechanism.

A number in a ring counts the constraints at a joint, or on a distance of two points; together they are all.
"""

from collections.abc import Callable, Sequence
from math import atan2, cos, degrees, hypot, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.instruments.formula.boxes import INK
from gui.instruments.formula.typesetter import Typesetter
from gui.look.theme import Theme

if TYPE_CHECKING:
    from engine.studies.coordinates import Described

Place = tuple[float, float]
DOT, AXIS, ARC, RING = 4.0, 18.0, 20.0, 7.0  # px in a small drawing
LETTERS = 14.0  # px
APART = 5.0  # px between symbols
NEAR = ((0, 0), (0, -22), (0, 22), (24, 0), (-24, 0), (24, -22), (-24, -22), (24, 22), (-24, 22))
FAR = ((0, -44), (0, 44), (60, 0), (-60, 0), (60, -32), (-60, -32), (60, 32), (-60, 32))


class Drawn(NamedTuple):
    """How the mechanism is drawn: its pose, how that comes to pixels, and its colours."""

    ids: Sequence[str]  # of the bodies
    carried: Callable[[int, Place], Place]  # a place on a body, from its mass centre, in the world
    angle: Callable[[int], float]
    at: Callable[[Place], QPointF]
    area: QRectF  # where labels may stand
    tones: dict[str, QColor]
    theme: Theme
    size: float = 1.0  # of all marks

    def place(self, k: int, P: Place) -> QPointF:
        """Where a place on body k is drawn; on the ground it is one in the world."""
        return self.at(P if k < 0 else self.carried(k, P))

    def tone(self, k: int) -> QColor:
        """The colour of a body; the ground has that of ink."""
        ink = QColor(self.theme.ink)
        return self.tones.get(self.ids[k], ink) if k >= 0 else ink

    def turn(self, k: int) -> float:
        """The angle of body k; the ground has none."""
        return 0.0 if k < 0 else self.angle(k)


class MarkPainter:
    """Paints the marks of one description over one drawing."""

    def __init__(self, painter: QPainter, drawn: Drawn, one: "Described") -> None:
        self.painter, self.drawn, self.one = painter, drawn, one
        self.size = drawn.size
        self.taken: list[QRectF] = []  # by labels and rings

    def paint(self) -> None:
        """Paint constraints and coordinates."""
        for tie in self.one.ties:
            self._mark_tie(tie)
        ways = {"absolute": self._mark_bodies, "natural": self._mark_points}
        ways.get(self.one.name, self._mark_joints)()

    # --- constraints

    def _mark_tie(self, tie: Any) -> None:
        """A ring with the number of constraints, at a joint or on a distance that stays."""
        ends = [self.drawn.place(*place) for place in tie.places]
        ink, painter = QColor(self.drawn.theme.ink), self.painter
        middle = sum(ends[1:], ends[0]) / len(ends)
        if len(ends) > 1:
            painter.setPen(QPen(ink, 1.2 * self.size, Qt.PenStyle.DashLine))
            painter.drawPolyline(ends)
        radius = RING * self.size
        painter.setPen(QPen(ink, 1.2))
        painter.setBrush(QColor(self.drawn.theme.paper))
        painter.drawEllipse(middle, radius, radius)
        room = QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius)
        font = painter.font()
        before = font.pixelSize(), font.pointSizeF()
        font.setPixelSize(round(1.4 * radius))
        painter.setFont(font)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, str(tie.n))
        if before[0] > 0:
            font.setPixelSize(before[0])
        else:
            font.setPointSizeF(before[1])
        painter.setFont(font)
        self.taken.append(room)

    # --- coordinates

    def _mark_bodies(self) -> None:
        """The mass centre and the axes of every body, with its three coordinates."""
        names: dict[str, list[str]] = {}
        for meaning in self.one.coordinates:
            names.setdefault(meaning.part, []).append(str(meaning.symbol))
        for k, id in enumerate(self.drawn.ids):
            center, tone = self.drawn.place(k, (0.0, 0.0)), self.drawn.tone(k)
            self.painter.setPen(QPen(tone, 1.6 * self.size))
            reach = AXIS * self.size
            for turn in (0.0, pi / 2):
                angle = self.drawn.turn(k) + turn
                self.painter.drawLine(
                    center, center + QPointF(reach * cos(angle), -reach * sin(angle))
                )
            self._dot(center, tone)
            self._label(center + QPointF(6, -12) * self.size, names.get(id, []), tone)

    def _mark_points(self) -> None:
        """Points that move with their two coordinates, and those that do not."""
        n, half = 0, DOT * self.size
        for point in self.one.points:
            place = (float(point.at[0]), float(point.at[1])) if point.body < 0 else point.P
            at = self.drawn.place(point.body, place)
            if not point.moves:
                self.painter.setPen(QPen(QColor(self.drawn.theme.ink), 1.6))
                self.painter.setBrush(QColor(self.drawn.theme.paper))
                self.painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
                continue
            pair = [str(one.symbol) for one in self.one.coordinates[n : n + 2]]
            n, tone = n + 2, QColor(self.drawn.theme.accent)
            self._dot(at, tone)
            self._label(at + QPointF(8, -10) * self.size, pair, tone)

    def _mark_joints(self) -> None:
        """Angles from body to body, and displacements along guides."""
        painter, radius = self.painter, ARC * self.size
        for mark in self.one.marks:
            tone = self.drawn.tone(mark.there)
            at = self.drawn.place(mark.there, mark.P_there)
            if mark.slides:
                self._mark_slide(mark, at, tone)
                continue
            begin = self.drawn.turn(mark.here)
            span = self.drawn.turn(mark.there) - begin
            rest = span - 2 * pi * round(span / (2 * pi))
            painter.setPen(QPen(QColor(self.drawn.theme.quiet), 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(at, at + QPointF(cos(begin), -sin(begin)) * (1.6 * radius))
            painter.setPen(QPen(tone, 2.0 * self.size))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box = QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)
            painter.drawArc(box, round(16 * degrees(begin)), round(16 * degrees(rest)))
            self._dot(at, tone)
            middle, reach = begin + rest / 2, radius + 10 * self.size
            away = QPointF(reach * cos(middle) - 4, -reach * sin(middle))
            self._label(at + away, [str(mark.symbol)], tone)

    def _mark_slide(self, mark: Any, at: QPointF, tone: QColor) -> None:
        """The guide from its origin to the body."""
        origin = self.drawn.place(mark.here, mark.P_here)
        self.painter.setPen(QPen(tone, 2.0 * self.size))
        self.painter.drawLine(origin, at)
        along, reach = at - origin, 8.0 * self.size
        if hypot(along.x(), along.y()) > 1.0:
            angle = atan2(along.y(), along.x())
            for side in (2.6, -2.6):
                tip = QPointF(reach * cos(angle + side), reach * sin(angle + side))
                self.painter.drawLine(at, at + tip)
        self._label((origin + at) / 2 + QPointF(0, -10) * self.size, [str(mark.symbol)], tone)

    def _dot(self, at: QPointF, tone: QColor) -> None:
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(tone)
        self.painter.drawEllipse(at, DOT * self.size, DOT * self.size)

    def _label(self, at: QPointF, names: list[str], tone: QColor) -> None:
        """Symbols beside each other on a card, within the area and apart from the others."""
        letters = LETTERS * self.size
        typesetter = Typesetter(letters)
        boxes = [typesetter.symbol(name, letters, "") for name in names]
        if not boxes:
            return
        width = sum(box.width for box in boxes) + APART * (len(boxes) - 1)
        rise = max(box.up for box in boxes)
        height = rise + max(box.down for box in boxes)
        room = QRectF(at.x() - 3, at.y() - rise - 1, width + 6, height + 2)
        card = self._free(room)
        back = QColor(self.drawn.theme.paper)
        back.setAlpha(200)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(back)
        self.painter.drawRoundedRect(card, 3.0, 3.0)
        self.taken.append(card)
        x = card.x() + 3
        for box in boxes:
            box.paint(self.painter, x, card.y() + 1 + rise, {INK: tone}, seen=None)
            x += box.width + APART

    def _free(self, card: QRectF) -> QRectF:
        """A card near its place that covers no other one, if there is such a place."""
        places = [
            self._inside(card.translated(x * self.size, y * self.size)) for x, y in (*NEAR, *FAR)
        ]
        free = (p for p in places if not any(p.intersects(one) for one in self.taken))
        return next(free, places[0])

    def _inside(self, card: QRectF) -> QRectF:
        """A card moved into the area."""
        area = self.drawn.area
        card.moveLeft(max(min(card.left(), area.right() - card.width()), area.left()))
        card.moveTop(max(min(card.top(), area.bottom() - card.height()), area.top()))
        return card
