"""What all graphics on the stage share: items of one element, how they follow a pose, their highlights."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsScene

from engine.model.elements import Id
from gui.placing.plane.gears import wheels_of
from gui.placing.plane.placement import Placement, Point, Pose
from gui.stages.plane.graphics.inks import NO_BRUSH, Inks

# Layers of the drawing, from far to near.
GHOSTS, TRAILS, FIXED, GUIDES, BRACKETS, BODIES, TEETH = 0.0, 0.5, 1.0, 1.2, 1.4, 2.0, 2.6
SLOTS, LINES, CENTERS, PINS, RINGS, LOADS, ARROWS, OVERLAY = 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 20.0

IN_PIXELS = QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations
BEHIND = QGraphicsItem.GraphicsItemFlag.ItemStacksBehindParent

CROWD = 60  # bodies; beyond, speed matters more than tenths of a pixel

Place = Callable[[Pose], None]


class Graphic:
    """The items of one element. `places` put them into a pose; `mains` carry its highlight."""

    def __init__(self, scene: QGraphicsScene, inks: Inks, id: Id, is_crowded: bool) -> None:
        self.scene, self.inks, self.id = scene, inks, id
        self.is_crowded = is_crowded
        self.items: list[QGraphicsItem] = []
        self.places: list[Place] = []
        self.mains: list[QGraphicsPathItem] = []
        self.insides: list[QGraphicsPathItem] = []  # children that lie over a wider stroke
        self.gaps: list[QGraphicsPathItem] = []  # paper around bars
        self.glow = ""
        self.is_link = False  # a rod that is drawn with a width in pixels
        self.tag = ""  # compared when the scene is rebuilt: the colour of a body
        self._halos: list[QGraphicsPathItem] = []

    def add(
        self,
        path: QPainterPath,
        pen: QPen,
        brush: QBrush | QColor = NO_BRUSH,
        layer: float = BODIES,
        *,
        pixels: bool = False,
        main: bool = False,
    ) -> QGraphicsPathItem:
        """A new item on its layer; with `pixels` it keeps its size at every zoom."""
        if pixels and not path.isEmpty() and not path.boundingRect().contains(0.0, 0.0):
            path.moveTo(0.0, 0.0)  # a scene without index finds items in pixels by their origin
            path.lineTo(0.01, 0.0)
        item = QGraphicsPathItem(path)
        item.setPen(pen)
        item.setBrush(brush if isinstance(brush, QBrush) else QBrush(brush))
        item.setZValue(layer)
        item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        if pixels:
            item.setFlag(IN_PIXELS)
        self.scene.addItem(item)
        self.items.append(item)
        if main:
            self.mains.append(item)
        return item

    def add_child(
        self, path: QPainterPath, pen: QPen, parent: QGraphicsPathItem, *, over: bool = False
    ) -> QGraphicsPathItem:
        """A stroke that follows another item; `over` it, it is left out where that is faint."""
        child = QGraphicsPathItem(path, parent)
        child.setPen(pen)
        if over:
            self.insides.append(child)
        return child

    def add_gap(self, path: QPainterPath, pen: QPen, parent: QGraphicsPathItem) -> None:
        """Paper around an item, which hides what lies behind; changes the graphic."""
        gap = self.add_child(path, pen, parent)
        gap.setFlag(BEHIND)
        self.gaps.append(gap)

    def show_gaps(self, shown: bool) -> None:
        """Leave paper around bars, or not: a clear picture has no paper. Changes the items."""
        for gap in self.gaps:
            gap.setVisible(shown)

    def at_marker(self, item: QGraphicsPathItem, n: int) -> QGraphicsPathItem:
        """Keep an item at marker number n, upright."""
        self.keep_picture(item)
        self.places.append(lambda pose: item.setPos(pose.markers[n][0], pose.markers[n][1]))
        return item

    def keep_picture(self, item: QGraphicsPathItem) -> None:
        """In a crowded drawing, cache the picture of a symbol that only moves; one pixel less exact."""
        if self.is_crowded:
            item.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def on_marker(self, item: QGraphicsPathItem, n: int, sign: float = 1.0) -> QGraphicsPathItem:
        """Keep an item at marker number n, turned with it; sign -1 for items in pixels."""

        def place(pose: Pose) -> None:
            x, y, angle = pose.markers[n]
            item.setPos(x, y)
            item.setRotation(sign * 57.29577951308232 * angle)

        self.places.append(place)
        return item

    def put(self, pose: Pose) -> None:
        """Move all items to a pose; changes them."""
        for place in self.places:
            place(pose)

    def set_glow(self, kind: str) -> None:
        """Set or clear a highlight, one of inks.HALOS; changes the items."""
        if kind == self.glow:
            return
        self.glow = kind
        if kind and not self._halos:
            for main in self.mains:
                halo = QGraphicsPathItem(main.path(), main)
                halo.setFlag(BEHIND)
                self._halos.append(halo)
        for halo, main in zip(self._halos, self.mains):
            halo.setVisible(bool(kind))
            if kind:
                halo.setPath(main.path())
                pen = self.inks.halo(kind)
                thick = main.pen().widthF() if main.pen().style() != Qt.PenStyle.NoPen else 0.0
                pen.setWidthF(pen.widthF() + max(thick - 2.0 * self.inks.sharp, 0.0))
                halo.setPen(pen)

    def set_path(self, item: QGraphicsPathItem, path: QPainterPath) -> None:
        """Give an item another path, and its halo too; changes both."""
        item.setPath(path)
        if self._halos and item in self.mains:
            self._halos[self.mains.index(item)].setPath(path)

    def set_opacity(self, opacity: float) -> None:
        """Fade all items; changes them."""
        for item in self.items:
            item.setOpacity(opacity)
        for part in (*self.insides, *self.gaps):  # of a faint bar only one stroke is drawn
            part.setVisible(opacity == 1.0)

    def set_visible(self, visible: bool) -> None:
        """Show or hide all items; changes them."""
        for item in self.items:
            item.setVisible(visible)

    def remove(self) -> None:
        """Remove the items from the stage; changes the scene."""
        for item in self.items:
            self.scene.removeItem(item)
        self.items, self.places, self.mains, self._halos = [], [], [], []
        self.insides, self.gaps = [], []


class Context:
    """What the builders of graphics need to know about the whole drawing."""

    def __init__(
        self, scene: QGraphicsScene, inks: Inks, placement: Placement, size: float, pixel: float
    ) -> None:
        self.scene, self.inks = scene, inks
        self.size = size  # of the drawing [m]: springs and rails are scaled by it
        self.pixel = pixel  # [m]
        self.time = 0.0
        self.show_centers = True
        self.colors: dict[Id, QColor] = {}
        self.follow(placement)

    def follow(self, placement: Placement) -> None:
        """Work on another placement; changes the context."""
        self.placement = placement
        self.joined = joined_points(placement)
        self.wheels = wheels_of(placement)

    @property
    def model(self) -> Any:
        """The plain model."""
        return self.placement.model

    def graphic(self, id: Id) -> Graphic:
        """An empty graphic."""
        return Graphic(self.scene, self.inks, id, len(self.placement.bodies) > CROWD)

    def color_of(self, body: Id) -> QColor:
        """The colour of a body; that of the ground for fixed bodies."""
        return self.colors.get(body, self.inks.ground)

    def marker(self, id: Id) -> int:
        """The number of a marker in a pose, or -1."""
        return self.placement.marker_index.get(id, -1)


def joined_points(placement: Placement) -> dict[Id, list[Point]]:
    """Places on each body, in its frame, where a joint or a force holds it."""
    found: dict[Id, list[Point]] = {}
    for element in placement.model:
        if element.family not in ("joint", "force"):
            continue
        for marker in (getattr(element, "marker_i", ""), getattr(element, "marker_j", "")):
            n = placement.marker_index.get(marker, -1)
            if n >= 0:
                x, y, _ = placement.marker_local[n].tolist()
                found.setdefault(placement.markers[n].body, []).append((x, y))
    return found


View = Callable[[Any, Context], Graphic]  # what an element looks like


def between_markers(draw: Callable[[Graphic, Any, int, int, Context], None]) -> View:
    """The view of what joins markers i and j; nothing is drawn where one of them does not exist."""

    def view(element: Any, c: Context) -> Graphic:
        g, i, j = c.graphic(element.id), c.marker(element.marker_i), c.marker(element.marker_j)
        if min(i, j) >= 0:
            draw(g, element, i, j, c)
        return g

    return view


def at_marker(draw: Callable[[Graphic, Any, int, Context], None]) -> View:
    """The view of an element on marker i; nothing is drawn where that does not exist."""

    def view(element: Any, c: Context) -> Graphic:
        g, n = c.graphic(element.id), c.marker(element.marker_i)
        if n >= 0:
            draw(g, element, n, c)
        return g

    return view


def on_joint(draw: Callable[[Graphic, Any, Any, int, int, Context], None]) -> View:
    """The view of an element on a joint; nothing is drawn where that has no markers."""

    def view(element: Any, c: Context) -> Graphic:
        g, joint = c.graphic(element.id), c.model.elements.get(element.joint)
        i, j = (c.marker(getattr(joint, name, "")) for name in ("marker_i", "marker_j"))
        if min(i, j) >= 0:
            draw(g, element, joint, i, j, c)
        return g

    return view
