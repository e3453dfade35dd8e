"""A point that is led along a circle."""

from dataclasses import dataclass
from typing import ClassVar

from engine.model.connections import X, Y, Z, along, angle, distance, row
from engine.model.fields import Number, choice, number
from engine.model.joints.one_sided import BOTH, OneSided
from engine.model.making import Gesture, Making


@dataclass(frozen=True, slots=True, kw_only=True)
class PointOnCircle(OneSided):
    """The origin of marker j stays on a circle about the origin of marker i, in its xy plane.

        Phi = [ |P_j - P_i| - radius ]
              [ z_i . d              ]    space only: d = P_j - P_i stays in the plane of the circle

    Free: the way round, and every rotation.  Removes 1 degree of freedom in the plane, 2 in space.

    Inside a ring, or outside, it is led only while it presses on it; else it flies freely in the plane.
    """

    kind: ClassVar[str] = "point_on_circle"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Point on circle",
            key="C",
            says="point on a circle",
            help="Press on the middle of the circle, release on the point that stays on it.",
            opening="Point on circle: press on the middle of the circle and release on the point.",
            length="radius",
        ),
    )
    sides: ClassVar[dict[str, int]] = {"inside": 1, "outside": -1}
    radius: Number | None = number(None, unit="m", above=0.0, help="Empty: as drawn.")
    acts: str = choice(
        BOTH, (BOTH, "inside", "outside"), help="'inside': a ring that holds the point captive."
    )

    def rows(self, model):
        """On the circle, and in space in its plane."""
        i, j = self.marker_i, self.marker_j
        ring = row(distance(i, j), self.radius)
        return (ring,) if model.dim == 2 else (ring, row(along(Z, i, j)))

    def coordinates(self, model):
        """The place in the plane of the circle; in the plane also the angle of body j."""
        i, j = self.marker_i, self.marker_j
        place = {"x": along(X, i, j), "y": along(Y, i, j)}
        return place if model.dim == 3 else {**place, "angle": angle(i, j)}
