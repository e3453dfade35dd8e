"""Bodies that bend: the paths of an unbent one are bent with it, with arms and eyes."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from gui.placing.plane.bends import AnyBend
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics.graphic import Graphic


def bending(g: Graphic, solid: QGraphicsPathItem, body: Any) -> Callable[[Pose], None]:
    """How a body is drawn with its shape at a moment, and unbent where it has none."""
    children = [c for c in solid.childItems() if isinstance(c, QGraphicsPathItem)]
    straight = [(item, item.path()) for item in (solid, *children)]
    shown: list[AnyBend | None] = [None]

    def place(pose: Pose) -> None:
        bend = pose.bends.get(body.id)
        if bend is shown[0]:
            return
        shown[0] = bend
        for item, path in straight:
            g.set_path(item, path if bend is None else bent_path(path, bend))

    return place


def bent_path(path: QPainterPath, bend: AnyBend) -> QPainterPath:
    """A path on an unbent body, moved with it."""
    new = QPainterPath()
    for polygon in path.toSubpathPolygons():
        points = np.array([(p.x(), p.y()) for p in polygon.toList()])
        for n, (x, y) in enumerate(bend.moved(_fine(points, bend))):
            if n == 0:
                new.moveTo(x, y)
            else:
                new.lineTo(x, y)
        if len(points) > 2 and (points[0] == points[-1]).all():
            new.closeSubpath()
    return new


def _fine(points: np.ndarray, bend: AnyBend) -> np.ndarray:
    """Points with others between them, so that long straight lines can bend."""
    found = [points[:1]]
    for a, b in pairwise(points):
        n = max(1, int(np.ceil(np.linalg.norm(b - a) / bend.piece)))
        found.append(a + (b - a) * (np.arange(1, n + 1) / n)[:, None])
    return np.concatenate(found)
