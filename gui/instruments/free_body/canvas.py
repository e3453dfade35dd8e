"""Draws a free-body diagram, tells what the mouse is over, and turns it in space by dragging."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from engine.model.elements import Id
from gui.look.colors import mixed, outline_tone
from gui.look.theme import LIGHT, Theme

if TYPE_CHECKING:
    from engine.studies.free_body.scene import Arc, Arrow, Scene

NEAR = 7.0  # px: the mouse is over an arrow
TURN = 0.4  # degrees of a view in space for a pixel of a drag
LETTERS = 12  # px
BEHIND = 190  # of 255: how far what is behind words is covered
MOST_UP = 89.0  # degrees of elevation


class Canvas(QWidget):
    """A scene in the colours of the theme."""

    hovered = Signal(str)
    clicked = Signal(str)  # an element or a body
    entered = Signal(str)  # a body, by a double click
    turned = Signal(float, float)  # degrees of azimuth and elevation
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drawn: Scene | None = None
        self.colours: dict[Id, QColor] = {}  # of bodies
        self.tones: dict[Id, int] = {}  # of elements that act
        self.theme: Theme = LIGHT
        self.lit: frozenset[Id] = frozenset()
        self.enlarged = 1.0  # everything that is drawn, in a large window
        self._under = ""
        self._grabbed: QPointF | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(240, 200)

    def sizeHint(self) -> QSize:
        """Half a window."""
        return QSize(720, 480)

    def room(self) -> QSizeF:
        """The size of a scene that fills it."""
        return QSizeF(self.size()) / self.enlarged

    def enlarge(self, factor: float) -> None:
        """Draw everything this many times as large as usual; another scene is needed then."""
        self.enlarged = factor
        self.resized.emit()

    def show_scene(self, scene: "Scene | None") -> None:
        """Show this; changes the canvas."""
        self.drawn = scene
        self.update()

    def light(self, parts: frozenset[Id]) -> None:
        """Draw the arrows of these elements thicker; changes how it looks."""
        if parts != self.lit:
            self.lit = parts
            self.update()

    # --- drawing

    def colour_of(self, wrench: Any) -> QColor:
        """The colour of a force: the same on both bodies."""
        from engine.studies.free_body.wrenches import INERTIA, WEIGHT

        if wrench.kind == WEIGHT:
            return QColor(self.theme.ink)
        if wrench.kind == INERTIA:
            return QColor(self.theme.faint)
        return self._tone(wrench.source)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scene."""
        self.draw(QPainter(self))

    def draw(self, painter: QPainter) -> None:
        """Draw the scene on the screen or into a file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self.theme.paper))
        scene = self.drawn
        if scene is None:
            return
        painter.scale(self.enlarged, self.enlarged)
        font = QFont(self.font())
        font.setPixelSize(LETTERS)
        painter.setFont(font)
        self._draw_bodies(painter, scene)
        for tie in scene.ties:
            colour = self._tone(tie.source)
            painter.setPen(QPen(colour, 0.8, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(*tie.a), QPointF(*tie.b))
        for arrow in scene.arrows:
            self._draw_arrow(painter, arrow)
        for arc in scene.arcs:
            self._draw_arc(painter, arc)
        self._draw_labels(painter, scene)
        self._draw_bar(painter, scene)

    def _tone(self, source: Id) -> QColor:
        """The colour of an element, lighter on dark paper."""
        from engine.studies.free_body.picture import colour_of_tone

        colour = QColor(colour_of_tone(self.tones.get(source, 0)))
        return colour if self.theme.is_light else mixed(colour, QColor("#ffffff"), 0.62)

    def _draw_bodies(self, painter: QPainter, scene: "Scene") -> None:
        paper, ink = QColor(self.theme.paper), QColor(self.theme.ink)
        for shape in scene.shapes:
            colour = self.colours.get(shape.body, QColor(self.theme.ground))
            wide = 2.4 if shape.body in self.lit else 1.4
            painter.setPen(QPen(outline_tone(colour, self.theme), wide))
            ring = QPolygonF([QPointF(x, y) for x, y in shape.points])
            if shape.is_open:
                painter.drawPolyline(ring)
                continue
            painter.setBrush(mixed(paper, colour, 0.75))
            painter.drawPolygon(ring)
        for x, y in scene.centers:
            painter.setPen(QPen(ink, 1.0))
            painter.setBrush(paper)
            painter.drawEllipse(QPointF(x, y), 3.0, 3.0)
        painter.setPen(QPen(QColor(self.theme.ground), 1.4))
        for x, y in scene.ground:
            painter.drawLine(QPointF(x - 10, y + 4), QPointF(x + 10, y + 4))
            for dx in (-6, 1, 8):
                painter.drawLine(QPointF(x + dx, y + 4), QPointF(x + dx - 5, y + 10))

    def _pen(self, wrench: Any) -> QPen:
        wide = 3.6 if wrench.source and wrench.source in self.lit else 2.0
        return QPen(self.colour_of(wrench), wide, c=Qt.PenCapStyle.FlatCap)

    def _draw_arrow(self, painter: QPainter, arrow: "Arrow") -> None:
        from engine.studies.free_body.picture import DOUBLE, head

        painter.setPen(self._pen(arrow.wrench))
        painter.drawLine(QPointF(*arrow.tail), QPointF(*arrow.tip))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.colour_of(arrow.wrench))
        for back in (0.0, DOUBLE) if arrow.is_moment else (0.0,):
            painter.drawPolygon(QPolygonF([QPointF(*p) for p in head(arrow.tip, arrow.tail, back)]))

    def _draw_arc(self, painter: QPainter, arc: "Arc") -> None:
        from engine.studies.free_body.picture import arc_head, arc_points

        painter.setPen(self._pen(arc.wrench))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([QPointF(*p) for p in arc_points(arc)]))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.colour_of(arc.wrench))
        painter.drawPolygon(QPolygonF([QPointF(*p) for p in arc_head(arc)]))

    def _draw_labels(self, painter: QPainter, scene: "Scene") -> None:
        from engine.studies.free_body.labels import HIGH

        paper = QColor(self.theme.paper)
        paper.setAlpha(BEHIND)
        for label in scene.labels:
            painter.fillRect(QRectF(label.x, label.y + 1, label.width, HIGH - 2), paper)
            painter.setPen(self.colour_of(label.wrench))
            painter.drawText(QPointF(label.x + 2, label.y + HIGH - 4), label.text)

    def _draw_bar(self, painter: QPainter, scene: "Scene") -> None:
        from engine.studies.free_body.scene import full_length, scale_words

        if scene.largest[0] <= 0.0:
            return
        long = full_length(scene.view)
        x1, y = scene.view.width - 16.0, scene.view.height - 12.0
        painter.setPen(QColor(self.theme.quiet))
        painter.drawLine(QPointF(x1 - long, y), QPointF(x1, y))
        for x in (x1 - long, x1):
            painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4))
        place = QRectF(x1 - 400.0, y - 24.0, 400.0, 18.0)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight, scale_words(scene))

    # --- the mouse

    def part_at(self, where: QPointF) -> Id:
        """The element whose arrow is there, else the body."""
        from engine.studies.free_body.scene import distance_to

        if self.drawn is None:
            return ""
        at = where / self.enlarged
        marks: list[Arrow | Arc] = [*self.drawn.arrows, *self.drawn.arcs]
        near = [(distance_to(mark, at.x(), at.y()), mark.wrench.source) for mark in marks]
        found = min((one for one in near if one[1]), default=(NEAR, ""))
        if found[0] < NEAR:
            return found[1]
        return self.body_at(where)

    def body_at(self, where: QPointF) -> Id:
        """The body whose outline is there."""
        for shape in reversed(self.drawn.shapes if self.drawn else []):
            ring = QPolygonF([QPointF(x, y) for x, y in shape.points])
            if ring.containsPoint(where / self.enlarged, Qt.FillRule.WindingFill):
                return shape.body
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what the mouse is over; a drag turns the view in space."""
        if self._grabbed is not None and self.drawn is not None:
            way = event.position() - self._grabbed
            self._grabbed = event.position()
            azimuth, up = self.drawn.view.eye
            up = min(max(up + TURN * way.y(), -MOST_UP), MOST_UP)
            self.turned.emit(azimuth - TURN * way.x(), up)
            return
        part = self.part_at(event.position())
        if part != self._under:
            self._under = part
            self.hovered.emit(part)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select what is there, or take hold of the view."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        part = self.part_at(event.position())
        if part:
            self.clicked.emit(part)
        else:
            self._grabbed = event.position()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the view."""
        self._grabbed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Cut a body free."""
        body = self.body_at(event.position())
        if body:
            self.entered.emit(body)

    def leaveEvent(self, event: object) -> None:
        """Nothing is under the mouse any more."""
        if self._under:
            self._under = ""
            self.hovered.emit("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another size needs another scene."""
        super().resizeEvent(event)
        self.resized.emit()
