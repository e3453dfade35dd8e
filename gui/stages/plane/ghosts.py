"""Ghosts as outlines of the drawing in the plane."""

from math import degrees
from typing import ClassVar

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsPathItem

from gui.look.colors import body_colors
from gui.placing.plane.placement import Placement
from gui.stages.ghosts import Ghost, Ghosts
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import GHOSTS, IN_PIXELS
from gui.stages.plane.scene import StageScene
from gui.state.playback import RunRecord

EDGE, LINK = 1.2, 4.0  # pixels of an outline, and of a link that has no width


class PlaneGhosts(Ghosts):
    """The ghosts on the stage in the plane."""

    dims: ClassVar[tuple[int, ...]] = (2,)

    def __init__(self, scene: StageScene) -> None:
        super().__init__()
        self.scene = scene

    def ghost_of(self, record: RunRecord) -> Ghost:
        """The outlines of the moving bodies; changes the scene."""
        inks = self.scene.inks
        placement = Placement(record.results.compiled.resolved)
        colors = body_colors(placement.model, inks.theme)
        items = []
        for k, body in enumerate(placement.bodies):
            if body.fixed:
                continue
            shape = getattr(body, "shape", None)
            item = QGraphicsPathItem(symbols.circle(6.0))
            if shape is not None:
                item.setPath(symbols.body_outline(shape))
            else:
                item.setFlag(IN_PIXELS)
            shade = QColor(colors[body.id])
            shade.setAlpha(120)
            is_line = not item.path().boundingRect().height()
            item.setPen(inks.line(LINK if is_line else EDGE, shade))
            shade.setAlpha(28)
            item.setBrush(shade)
            item.setZValue(GHOSTS)
            self.scene.addItem(item)
            items.append((item, k))
        return Ghost(record, placement, items)

    def remove(self, item: QGraphicsPathItem) -> None:
        """Remove an outline from the scene; changes the scene."""
        self.scene.removeItem(item)

    def set_visible(self, item: QGraphicsPathItem, visible: bool) -> None:
        """Show or hide an outline; changes the item."""
        item.setVisible(visible)

    def move(self, item: QGraphicsPathItem, placement: Placement, k: int) -> None:
        """Put an outline where body k is; changes the item."""
        x, y, angle = placement.pose.bodies[k]
        item.setPos(x, y)
        item.setRotation(degrees(angle))
