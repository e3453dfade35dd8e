"""Trails as lines of the drawing in the plane."""

from typing import ClassVar

from PySide6.QtGui import QColor, QPen
from PySide6.QtWidgets import QGraphicsPathItem

from gui.stages.plane.graphics.graphic import TRAILS
from gui.stages.plane.graphics.inks import Inks
from gui.stages.plane.graphics.symbols import smooth_curve
from gui.stages.plane.scene import StageScene
from gui.stages.trails import Path, Traced, Trails

STROKES = ((60, 1.0), (150, 1.6), (255, 2.4))  # how strong and wide: the whole, the past, now


class PathLine:
    """One line of a trail."""

    def __init__(self, pen: QPen, scene: StageScene) -> None:
        self.scene = scene
        self.item = QGraphicsPathItem()
        self.item.setPen(pen)
        self.item.setZValue(TRAILS)
        scene.addItem(self.item)

    def draw(self, path: Path) -> None:
        """Draw the line; changes the item."""
        flat = (part[:, :2] for part in (path.places, path.starts, path.ends))
        self.item.setPath(smooth_curve(path.t, *flat))

    def show(self, shown: bool) -> None:
        """Show or hide it; changes the item."""
        self.item.setVisible(shown)

    def remove(self) -> None:
        """Remove it from the scene; changes the scene."""
        self.scene.removeItem(self.item)


class PlaneTrails(Trails):
    """The trails on the stage in the plane."""

    dims: ClassVar[tuple[int, ...]] = (2,)

    def __init__(self, scene: StageScene) -> None:
        super().__init__()
        self.scene = scene

    def lines_of(self, point: Traced) -> tuple[PathLine, PathLine, PathLine]:
        """Lines in the colour of the tracer, or of the edge of its body; changes the scene."""
        context = self.scene.context
        own = context.inks.body_edge(context.color_of(point.body)).color()
        ink = QColor(point.color) if point.color else own
        whole, past, fresh = (_pen(context.inks, ink, *stroke) for stroke in STROKES)
        return PathLine(whole, self.scene), PathLine(past, self.scene), PathLine(fresh, self.scene)


def _pen(inks: Inks, ink: QColor, alpha: int, width: float) -> QPen:
    shade = QColor(ink)
    shade.setAlpha(alpha)
    return inks.line(width, shade)
