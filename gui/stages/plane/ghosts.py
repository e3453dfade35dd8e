"""Ghosts: the bodies of earlier runs, faint, at the time that is shown."""

from math import degrees
from typing import NamedTuple

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsScene

from gui.placing.plane.placement import Placement, between_frames
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.bodies import body_colors
from gui.stages.plane.graphics.graphic import GHOSTS, IN_PIXELS
from gui.stages.plane.graphics.inks import Inks
from gui.state.playback import Playback, RunRecord


class Ghost(NamedTuple):
    """The outlines of the moving bodies of one run."""

    record: RunRecord
    placement: Placement
    items: list[tuple[QGraphicsPathItem, int]]


class Ghosts:
    """All earlier runs that are shown."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self.scene = scene
        self.ghosts: list[Ghost] = []

    def show(self, playback: Playback, inks: Inks) -> None:
        """Draw the runs that are to be seen, faint; changes the scene."""
        for ghost in self.ghosts:
            for item, _ in ghost.items:
                self.scene.removeItem(item)
        shown = [r for r in playback.ghosts if r.is_shown and r.results.model.dim == 2]
        self.ghosts = [self._ghost(record, inks) for record in shown if len(record.results)]

    def _ghost(self, record: RunRecord, inks: Inks) -> Ghost:
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
            item.setPen(inks.line(1.2, shade))
            shade.setAlpha(28)
            item.setBrush(shade)
            item.setZValue(GHOSTS)
            self.scene.addItem(item)
            items.append((item, k))
        return Ghost(record, placement, items)

    def put(self, time: float) -> None:
        """Move all ghosts to a time; changes the items."""
        for ghost in self.ghosts:
            results = ghost.record.results
            row = between_frames(min(time, results.t[-1]), results.t, results.q, results.v)
            frames = ghost.placement.frames_of_row(results.compiled, row).tolist()
            for item, k in ghost.items:
                x, y, angle = frames[k]
                item.setPos(x, y)
                item.setRotation(degrees(angle))
