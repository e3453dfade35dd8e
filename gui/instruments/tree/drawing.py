"""The picture of a tree: bodies as numbered circles below their predecessors, cuts as dashed arcs."""

from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from engine.model.attachments import joints_of, markers_of
from engine.model.elements import Id
from gui.look.colors import body_colors, mixed
from gui.look.theme import theme_of

RADIUS = 13.0  # px of a body
APART, LEVEL = 78.0, 58.0  # px between two bodies beside and below each other
MARGIN = 26.0
NEAR = 6.0  # px around a line that count as on it
GROUND = ""


class Knot(NamedTuple):
    """A body in the picture."""

    id: Id
    number: int  # 0: the ground
    label: str
    place: QPointF


class Line(NamedTuple):
    """A joint in the picture: of the tree, or cut."""

    id: Id  # empty: the body is free
    label: str
    one: int
    other: int  # numbers of the bodies
    is_cut: bool


def places_of(predecessors: list[int]) -> list[tuple[float, int]]:
    """Where bodies stand, in columns and levels, the ground first: above the middle of what they carry."""
    after: dict[int, list[int]] = {}
    for n, before in enumerate(predecessors, 1):
        after.setdefault(before, []).append(n)
    columns, levels = dict[int, float](), {0: 0}
    for n, before in enumerate(predecessors, 1):  # predecessors come first
        levels[n] = levels[before] + 1
    free = 0.0
    for n in _leaves_first(after):
        carried = after.get(n, [])
        if carried:
            columns[n] = (columns[carried[0]] + columns[carried[-1]]) / 2
        else:
            columns[n], free = free, free + 1.0
    return [(columns[n], levels[n]) for n in range(len(predecessors) + 1)]


def _leaves_first(after: dict[int, list[int]]) -> list[int]:
    """All numbers, what is carried before what carries, from left to right."""
    ordered, waiting = list[int](), [0]
    while waiting:
        n = waiting.pop()
        ordered.append(n)
        waiting += after.get(n, [])
    return ordered[::-1]


class TreeDrawing(QWidget):
    """Draws a tree; a click selects a body or a joint."""

    clicked = Signal(str)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.knots: list[Knot] = []
        self.lines: list[Line] = []
        self._lit: frozenset[str] = frozenset()
        self._tree: Any = None
        self._under = ""
        self.setMouseTracking(True)
        self.setAccessibleName(self.tr("The tree"))

    def show_tree(self, tree: Any) -> None:
        """Show the bodies of a tree, or nothing; changes the drawing."""
        self._tree, self.knots, self.lines = tree, [], []
        if tree is not None:
            self._place()
        self.setFixedSize(self.sizeHint())
        self.update()

    def _place(self) -> None:
        """Find knots and lines."""
        tree, model = self._tree, self._tree.compiled.model
        ids = [GROUND, *(tree.compiled.body_ids[one.branch.body] for one in tree.hung)]
        labels = [self.tr("ground"), *(model[id].label for id in ids[1:])]
        for n, (column, level) in enumerate(places_of(tree.predecessors)):
            place = QPointF(MARGIN + APART * (column + 0.5), MARGIN + LEVEL * level)
            self.knots.append(Knot(ids[n], n, labels[n], place))
        for n, (one, before) in enumerate(zip(tree.hung, tree.predecessors), 1):
            joint = one.branch.joint
            label = self.tr("free") if joint is None else joint.label
            self.lines.append(Line("" if joint is None else joint.id, label, before, n, False))
        numbers = {id: n for n, id in enumerate(ids) if id}
        for id in tree.spanning.cuts:
            ends = [numbers.get(body, 0) for body in _bodies_of(model, id)]
            if ends:
                one, other = (ends[0], ends[-1])
                self.lines.append(Line(id, model[id].label, one, other, True))

    def light(self, ids: frozenset[str]) -> None:
        """Light up these parts; changes how the drawing looks."""
        if ids != self._lit:
            self._lit = ids
            self.update()

    def sizeHint(self) -> QSize:
        """Room for all bodies."""
        if not self.knots:
            return QSize(0, 0)
        right = max(knot.place.x() for knot in self.knots) + APART / 2 + MARGIN
        below = max(knot.place.y() for knot in self.knots) + RADIUS + MARGIN
        return QSize(int(right), int(below))

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lines first, bodies over them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = theme_of(self.palette())
        painter.fillRect(self.rect(), QColor(theme.paper))
        for line in self.lines:
            lit = bool(line.id) and line.id in self._lit
            colour = QColor(theme.accent if lit else theme.quiet)
            style = Qt.PenStyle.DashLine if line.is_cut else Qt.PenStyle.SolidLine
            painter.setPen(QPen(colour, 2.4 if lit else 1.4, style))
            painter.drawLine(self.knots[line.one].place, self.knots[line.other].place)
        if self._tree is None:
            return
        colours = body_colors(self._tree.compiled.model, theme)
        small = self.font()
        small.setPointSizeF(small.pointSizeF() * 0.85)
        for knot in self.knots:
            self._draw_knot(painter, knot, colours.get(knot.id, QColor(theme.ground)))
        painter.setFont(small)
        for line in self.lines:
            self._write(painter, self._middle(line), line.label, QColor(theme.quiet))
        for knot in self.knots:
            below = knot.place + QPointF(0.0, RADIUS + 9.0)
            self._write(painter, below, knot.label, QColor(theme.ink))

    def _draw_knot(self, painter: QPainter, knot: Knot, colour: QColor) -> None:
        """A circle with the number of the body."""
        theme = theme_of(self.palette())
        lit = bool(knot.id) and knot.id in self._lit
        ink = QColor(theme.accent if lit else theme.ink)
        painter.setPen(QPen(ink, 2.6 if lit else 1.2))
        painter.setBrush(mixed(colour, QColor(theme.paper), 0.55))
        painter.drawEllipse(knot.place, RADIUS, RADIUS)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QColor(theme.ink))
        place = QRectF(0, 0, 2 * RADIUS, 2 * RADIUS)
        place.moveCenter(knot.place)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, str(knot.number))

    def _write(self, painter: QPainter, middle: QPointF, text: str, colour: QColor) -> None:
        """Words on a patch of paper, so that lines do not cross them."""
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, APART - 8.0)
        place = metrics.boundingRect(text)
        place.moveCenter(middle)
        painter.fillRect(place, QColor(theme_of(self.palette()).paper))
        painter.setPen(colour)
        painter.drawText(place.adjusted(-2, 0, 2, 0), Qt.AlignmentFlag.AlignCenter, text)

    def _middle(self, line: Line) -> QPointF:
        """Where the name of a joint stands."""
        a, b = self.knots[line.one].place, self.knots[line.other].place
        share = 0.5 if line.is_cut else 0.6
        return a + (b - a) * share

    # --- the mouse

    def part_at(self, where: QPointF) -> Id:
        """The body or joint at a place; empty if there is none."""
        for knot in self.knots:
            apart = where - knot.place
            if apart.x() ** 2 + apart.y() ** 2 <= RADIUS**2:
                return knot.id
        for line in self.lines:
            if line.id and _distance(where, *(self.knots[n].place for n in line[2:4])) <= NEAR:
                return line.id
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what the mouse is over."""
        part = self.part_at(event.position())
        if part != self._under:
            self._under = part
            self.hovered.emit(part)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        if self._under:
            self._under = ""
            self.hovered.emit("")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell what was clicked."""
        if part := self.part_at(event.position()):
            self.clicked.emit(part)

    def event(self, event: QEvent) -> bool:
        """Show whole names as tooltips: what is written is cut where it is long."""
        if isinstance(event, QHelpEvent):
            part = self.part_at(QPointF(event.pos()))
            element = None if self._tree is None else self._tree.compiled.model.elements.get(part)
            QToolTip.showText(event.globalPos(), "" if element is None else element.label, self)
            return True
        return super().event(event)


def _bodies_of(model: Any, id: Id) -> list[Id]:
    """The bodies that an element joins; of a motion or a gear those of its joints."""
    element = model[id]
    joined = [model[one].body for one in markers_of(element) if one in model]
    return joined + [body for one in joints_of(element) for body in _bodies_of(model, one)]


def _distance(p: QPointF, a: QPointF, b: QPointF) -> float:
    """From a point to a stretch."""
    along, apart = b - a, p - a
    size = along.x() ** 2 + along.y() ** 2
    share = 0.0 if size == 0.0 else QPointF.dotProduct(apart, along) / size
    off = apart - along * min(max(share, 0.0), 1.0)
    return float((off.x() ** 2 + off.y() ** 2) ** 0.5)
