"""Arrows at the places of the drawing in the plane."""

from typing import Any, ClassVar

import numpy as np

from engine.model.elements import Id
from gui.placing.plane.loads import force_vector
from gui.placing.plane.placement import Placement, Point
from gui.stages.arrows import Arrow, Arrows


class PlaneArrows(Arrows):
    """Arrows of planar models, as vectors of two numbers."""

    dims: ClassVar[tuple[int, ...]] = (2,)

    def at(self, placement: Placement, marker: Id) -> np.ndarray | None:
        """Where a marker is drawn."""
        known = marker in placement.marker_index
        return np.array(placement.marker_at(marker)[:2]) if known else None

    def center(self, placement: Placement, k: int) -> np.ndarray:
        """Where the mass centre of body k is drawn."""
        return np.array(placement.pose.centers[k])

    def force(self, placement: Placement, force: Any, t: float) -> Point:
        """The given force of an element at a moment [N]."""
        return force_vector(placement, force, t)

    def starts(self, kind: str, placement: Placement) -> list[Arrow]:
        """The velocities of mass centres at the start."""
        found = []
        for k, body in enumerate(placement.bodies if kind == "velocities" else ()):
            (x, y, _), (cx, cy) = placement.pose.bodies[k], placement.pose.centers[k]
            (vx, vy), w = body.velocity or (0.0, 0.0), getattr(body, "spin", None) or 0.0
            found.append(Arrow(body.id, (cx, cy), (vx - w * (cy - y), vy + w * (cx - x))))
        return found
