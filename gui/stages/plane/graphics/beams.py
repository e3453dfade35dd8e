"""Beams that bend: the paths of a straight one are bent along its axis, with arms and eyes."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from gui.placing.plane.bends import Bend
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics.graphic import Graphic

PIECES = 32  # straight pieces along a beam


def bending(g: Graphic, solid: QGraphicsPathItem, body: Any) -> Callable[[Pose], None]:
    """How a beam is drawn with its shape at a moment, and straight where it has none."""
    children = [c for c in solid.childItems() if isinstance(c, QGraphicsPathItem)]
    straight = [(item, item.path()) for item in (solid, *children)]
    shown: list[Bend | None] = [None]

    def place(pose: Pose) -> None:
        bend = pose.bends.get(body.id)
        if bend is shown[0]:
            return
        shown[0] = bend
        for item, path in straight:
            g.set_path(item, path if bend is None else bent_path(path, bend))

    return place


def bent_path(path: QPainterPath, bend: Bend) -> QPainterPath:
    """A path along a straight beam, moved with it: its points keep their distance from the axis."""
    new = QPainterPath()
    for polygon in path.toSubpathPolygons():
        points = np.array([(p.x(), p.y()) for p in polygon.toList()])
        for n, (x, y) in enumerate(bent_points(_fine(points, bend), bend)):
            if n == 0:
                new.moveTo(x, y)
            else:
                new.lineTo(x, y)
        if len(points) > 2 and (points[0] == points[-1]).all():
            new.closeSubpath()
    return new


def bent_points(points: np.ndarray, bend: Bend) -> np.ndarray:
    """Points (n, 2) of the straight beam where they are when it is bent; beyond its ends in line."""
    rest = bend.rest
    along = np.gradient(bend.axis, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    x, y = points.T
    axis, t = (
        np.column_stack([np.interp(x, rest, a[:, c]) for c in range(2)]) for a in (bend.axis, along)
    )
    over = x - np.clip(x, rest[0], rest[-1])
    return axis + over[:, None] * t + y[:, None] * np.column_stack([-t[:, 1], t[:, 0]])


def _fine(points: np.ndarray, bend: Bend) -> np.ndarray:
    """Points with others between them, so that long straight lines can bend."""
    step = (bend.rest[-1] - bend.rest[0]) / PIECES
    found = [points[:1]]
    for a, b in pairwise(points):
        n = max(1, int(np.ceil(abs(b[0] - a[0]) / step)))
        found.append(a + (b - a) * (np.arange(1, n + 1) / n)[:, None])
    return np.concatenate(found)
