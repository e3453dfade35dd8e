"""Where the mark of a contact is: on the rim of a round shape, towards what it may touch.

    p = c + r n,    n from the middle c of the round shape to a plane or to the middle of the other shape

Where no shape is round the mark is on the plane below the marker, or at the marker of the first shape.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.model.elements import Model


class Touching(NamedTuple):
    """Which marker the mark follows, 'i' or 'j', how far off it is, and whether the other is a plane."""

    side: str
    radius: float  # [m]; 0: the shape is not round
    on_plane: bool

    def mark(
        self, here: np.ndarray, there: np.ndarray, normal: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Its place and the direction n, by both markers and the normal of the other one."""
        way = there - here
        if self.on_plane:
            way = normal * float(way @ normal)
        long = float(np.linalg.norm(way))
        n = way / long if long > 0.0 else -normal
        if self.on_plane and not self.radius:
            return here + way, n
        return here + self.radius * n, n


def touching(contact: Any, model: Model) -> Touching:
    """How the mark of a contact is placed; the model has numbers."""
    sides = {
        side: (getattr(contact, f"marker_{side}"), getattr(contact, f"shape_{side}"))
        for side in "ij"
    }
    planes = {
        side: shape == "plane" or (shape == "body" and model[marker].body not in model)
        for side, (marker, shape) in sides.items()
    }
    for side, other in ("ji", "ij"):
        radius = _radius(contact, model, side)
        if radius > 0.0 and not planes[side]:
            return Touching(side, radius, planes[other])
    side = "j" if planes["i"] else "i"
    return Touching(side, 0.0, planes["i" if side == "j" else "j"])


def _radius(contact: Any, model: Model, side: str) -> float:
    """The radius of the round shape of one side about its marker; 0 where it is not round."""
    marker, shape = model[getattr(contact, f"marker_{side}")], getattr(contact, f"shape_{side}")
    radius = getattr(contact, f"radius_{side}")
    if shape == "body" and marker.body in model:
        solid: Any = getattr(model[marker.body], "shape", None)
        radius = solid.radius if getattr(solid, "kind", "") in ("disc", "sphere") else None
        if any(marker.position):
            return 0.0  # the middle of the shape is elsewhere
    elif shape != "circle":
        return 0.0
    return float(radius) if isinstance(radius, int | float) else 0.0
