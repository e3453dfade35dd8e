"""Rails, slots and the ground under a wheel: lines along an axis that grow with the motion."""

from collections.abc import Callable
from math import cos, sin

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import Graphic

Drawn = Callable[[float, float], QPainterPath]  # the path from one end to the other, in metres
Part = tuple[QGraphicsPathItem, Drawn]


class Track:
    """A line along the x axis of marker i that is long enough for marker j on it."""

    def __init__(
        self,
        g: Graphic,
        i: int,
        j: int,
        margin: float,
        parts: list[Part],
        offset: float = 0.0,
    ) -> None:
        self.g, self.i, self.j, self.margin, self.parts = g, i, j, margin, parts
        self.offset = offset  # from marker j to the middle of what slides, along the axis
        self.low, self.high = 0.0, 0.0
        g.places.append(self.place)

    def place(self, pose: Pose) -> None:
        """Follow marker i, and grow if marker j comes near an end; changes the items."""
        x, y, angle = pose.markers[self.i]
        px, py, _ = pose.markers[self.j]
        along = cos(angle) * (px - x) + sin(angle) * (py - y) + self.offset
        fresh = self.low == self.high
        if fresh or along - 0.6 * self.margin < self.low or along + 0.6 * self.margin > self.high:
            low, high = along - self.margin, along + self.margin
            self.low = low if fresh else min(self.low, low)
            self.high = high if fresh else max(self.high, high)
            for item, drawn in self.parts:
                self.g.set_path(item, drawn(self.low, self.high))
        for item, _ in self.parts:
            item.setPos(x, y)
            item.setRotation(57.29577951308232 * angle)


def straight(low: float, high: float) -> QPainterPath:
    """The axis itself."""
    path = QPainterPath(QPointF(low, 0.0))
    path.lineTo(high, 0.0)
    return path


def rails(below: float, above: float) -> Drawn:
    """Two lines beside the axis."""

    def drawn(low: float, high: float) -> QPainterPath:
        path = QPainterPath()
        for y in (above, below):
            path.moveTo(low, y)
            path.lineTo(high, y)
        return path

    return drawn


def hatched_rails(below: float, above: float, step: float) -> Drawn:
    """Strokes on the outer sides of two rails."""

    def drawn(low: float, high: float) -> QPainterPath:
        path = symbols.hatching(low + 0.8 * step, high, below, step, -step)
        path.addPath(symbols.hatching(low + 0.8 * step, high, above, step, step))
        return path

    return drawn


def hatched_ground(step: float) -> Drawn:
    """A line with strokes below it."""

    def drawn(low: float, high: float) -> QPainterPath:
        path = straight(low, high)
        path.addPath(symbols.hatching(low + 0.8 * step, high, 0.0, step, -step))
        return path

    return drawn
