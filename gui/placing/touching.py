"""Where the mark of a contact is: on the rim of a round shape, towards what it may touch.

    p = c + r n,    n from the middle c of the round shape to a plane or to the middle of the other shape

Where no shape is round the mark is on the plane below the marker, or at the marker of the first shape.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.model.elements import Model
from engine.model.forces.contact import CURVES
from engine.model.places import place

NOWHERE = (0.0, 0.0, 0.0)  # no way from a marker


class Touching(NamedTuple):
    """Which marker the mark follows, 'i' or 'j', how far off it is, and whether the other is a plane."""

    side: str
    radius: float  # [m]; 0: the shape is not round
    on_plane: bool
    middle: tuple[float, ...]  # of the round shape, from its marker, along the axes of that  [m]
    aim: tuple[float, ...]  # the same of the other shape

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
    flat = ("plane",) if contact.closed else ("plane", *CURVES)  # an open curve is a road
    planes = {
        side: shape in flat or (shape == "body" and model[marker].body not in model)
        for side, (marker, shape) in sides.items()
    }
    round_ones = {side: _round(contact, model, side) for side in "ij"}
    for side, other in ("ji", "ij"):
        radius, middle = round_ones[side]
        if radius > 0.0 and not planes[side]:
            return Touching(side, radius, planes[other], middle, round_ones[other][1])
    side = "j" if planes["i"] else "i"
    return Touching(side, 0.0, planes["i" if side == "j" else "j"], NOWHERE, NOWHERE)


def _round(contact: Any, model: Model, side: str) -> tuple[float, tuple[float, ...]]:
    """The radius of the round shape of one side, and its middle from the marker; 0: it is not round."""
    marker, shape = model[getattr(contact, f"marker_{side}")], getattr(contact, f"shape_{side}")
    radius, middle = getattr(contact, f"radius_{side}"), NOWHERE
    if shape == "body" and marker.body in model:
        solid: Any = getattr(model[marker.body], "shape", None)
        radius = solid.radius if getattr(solid, "kind", "") in ("disc", "sphere") else None
        if radius is not None:
            P, A = place(marker)
            middle = tuple((-A.T @ P).tolist())
    elif shape != "circle":
        radius = None
    return (float(radius), middle) if isinstance(radius, int | float) else (0.0, NOWHERE)
