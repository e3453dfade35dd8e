"""The camera in space: its position, the projection of a place, and the line of sight of a pixel.

A turntable: the eye looks at the focus from azimuth az and elevation el, and up stays up,

    toward the eye   d = (cos el cos az, cos el sin az, sin el)
    to the right     r = (-sin az, cos az, 0)            up = d x r

in the axes of the table, whose third axis points up: z of a spatial model, y of a planar one. `height`
is what is seen at the focus from the lower to the upper edge, in perspective and in parallel alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, radians, sin, tan

import numpy as np

from gui.placing.space.picks import Ray, Vec3

ANGLE = radians(28.0)  # of view, from the lower to the upper edge
MARGIN = 1.16  # margin around the fitted part
STEEPEST = 0.5 * pi
LEAST, MOST = 1e-6, 1e6  # m: range of visible heights
HOME = (radians(-58.0), radians(24.0))  # azimuth and elevation of a model that was just opened
OTHER_HOME = (radians(-32.0), radians(24.0))  # where gravity acts along y
VIEWS = {  # the camera is in front of, above, at the right ...
    "front": (-0.5 * pi, 0.0),
    "back": (0.5 * pi, 0.0),
    "right": (0.0, 0.0),
    "left": (pi, 0.0),
    "top": (-0.5 * pi, 0.5 * pi),
    "bottom": (-0.5 * pi, -0.5 * pi),
    "home": HOME,
}
TABLES = {  # columns: axes of the turntable in the world
    "z": np.eye(3),
    "y": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}


def home_of(dim: int, gravity: Sequence[float | str] = ()) -> tuple[float, float]:
    """Azimuth and elevation of a model that was just opened.

    A planar one is seen slightly from the side. In space z is up, whatever the direction of gravity; of two
    oblique views the one is taken in which gravity is seen less end-on.
    """
    if dim == 2:
        return VIEWS["front"][0] + 0.35, 0.3
    g = np.zeros(3)
    g[: len(gravity)] = [value if isinstance(value, int | float) else 0.0 for value in gravity]
    sides = (HOME, OTHER_HOME)
    ends = [abs(float(Eye(azimuth=az, elevation=el).axes[2] @ g)) for az, el in sides]
    return sides[1] if ends[1] < ends[0] - 1e-9 else sides[0]


@lru_cache(maxsize=16)  # called about a hundred times for one move of the mouse
def _axes(azimuth: float, elevation: float, up: str) -> np.ndarray:
    ca, sa = cos(azimuth), sin(azimuth)
    ce, se = cos(elevation), sin(elevation)
    d = np.array([ce * ca, ce * sa, se])
    r = np.array([-sa, ca, 0.0])
    axes = np.array([r, np.cross(d, r), d]) @ TABLES[up].T
    axes.flags.writeable = False
    return axes


@dataclass(frozen=True, slots=True)
class Eye:
    """The camera: its position and its view."""

    focus: Vec3 = (0.0, 0.0, 0.0)
    azimuth: float = HOME[0]
    elevation: float = HOME[1]
    height: float = 2.0  # m, at the focus
    is_parallel: bool = False
    up: str = "z"

    # --- directions and places

    @property
    def axes(self) -> np.ndarray:
        """Right, up and toward the eye as rows, in world axes; may not be changed."""
        return _axes(self.azimuth, self.elevation, self.up)

    @property
    def distance(self) -> float:
        """From the focus to the eye."""
        return 0.5 * self.height / tan(0.5 * ANGLE)

    @property
    def position(self) -> np.ndarray:
        """Where the eye is."""
        return np.array(self.focus) + self.distance * self.axes[2]

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Places (n, 3) as right, up and toward the eye from the focus."""
        return (np.asarray(points, dtype=float).reshape(-1, 3) - np.array(self.focus)) @ self.axes.T

    def project(self, points: np.ndarray, width: float, height: float) -> np.ndarray:
        """Places (n, 3) as pixels (n, 2) from the upper left corner; NaN behind the camera."""
        at = self.seen(points)
        scale = np.full(len(at), height / self.height)
        if not self.is_parallel:
            away = self.distance - at[:, 2]
            near = away <= 1e-3 * self.distance
            scale = scale * self.distance / np.where(near, 1.0, away)
            scale[near] = np.nan
        return np.column_stack([0.5 * width + scale * at[:, 0], 0.5 * height - scale * at[:, 1]])

    def pixel(self, point: np.ndarray | Vec3, height: float) -> float:
        """Metres per pixel at a place."""
        size = self.height / max(height, 1.0)
        if self.is_parallel:
            return size
        away = self.distance - float(self.seen(np.asarray(point))[0, 2])
        return size * max(away, 1e-3 * self.distance) / self.distance

    def ray(self, x: float, y: float, width: float, height: float) -> Ray:
        """The line of sight through a pixel."""
        right, up, toward = self.axes
        size = self.height / max(height, 1.0)
        at = np.array(self.focus) + (x - 0.5 * width) * size * right
        at += (0.5 * height - y) * size * up
        if self.is_parallel:
            direction, origin = -toward, at + 1e3 * self.height * toward
        else:
            origin = self.position
            direction = (at - origin) / np.linalg.norm(at - origin)
        return Ray(tuple(origin.tolist()), tuple(direction.tolist()))

    # --- moving it

    def orbited(self, across: float, down: float) -> "Eye":
        """Turned by the mouse: the width of the window is one revolution; it stops at the top view."""
        steep = min(max(self.elevation + down, -STEEPEST), STEEPEST)
        return replace(self, azimuth=(self.azimuth - across + pi) % (2 * pi) - pi, elevation=steep)

    def panned(self, dx: float, dy: float, height: float) -> "Eye":
        """Moved so that the focus follows the mouse by pixels."""
        right, up, _ = self.axes
        size = self.height / max(height, 1.0)
        focus = np.array(self.focus) - dx * size * right + dy * size * up
        return replace(self, focus=tuple(focus.tolist()))

    def zoomed(self, factor: float, at: np.ndarray | None = None) -> "Eye":
        """Zoomed by a factor; a place keeps its pixel."""
        height = min(max(self.height / factor, LEAST), MOST)
        share = height / self.height
        focus = np.array(self.focus)
        if at is not None:
            focus = np.asarray(at) + share * (focus - np.asarray(at))
        return replace(self, height=height, focus=tuple(focus.tolist()))

    def turned_to(self, name: str) -> "Eye":
        """Seen from one of VIEWS."""
        azimuth, elevation = VIEWS[name]
        return replace(self, azimuth=azimuth, elevation=elevation)

    def fitted(self, points: np.ndarray, width: float, height: float) -> "Eye":
        """Moved so that all places are seen, from the same side.

        In perspective a place at depth z fits at distance D if |x| <= (D - z) tan: D is the largest
        |x| / tan + z.
        """
        points = np.asarray(points, dtype=float).reshape(-1, 3)
        points = points[np.isfinite(points).all(axis=1)]
        if not len(points):
            return replace(self, focus=(0.0, 0.0, 0.0), height=2.0)
        axes = self.axes
        at = points @ axes.T
        low, high = at.min(axis=0), at.max(axis=0)
        middle = 0.5 * (low + high)
        at = at - middle
        slope_y = tan(0.5 * ANGLE) / MARGIN
        slope_x = slope_y * width / max(height, 1.0)
        depth = 0.0 if self.is_parallel else at[:, 2]
        need = max(
            float((np.abs(at[:, 0]) / slope_x + depth).max()),
            float((np.abs(at[:, 1]) / slope_y + depth).max()),
        )
        seen = 2.0 * need * tan(0.5 * ANGLE)
        focus = middle @ axes
        return replace(self, focus=tuple(focus.tolist()), height=min(max(seen, LEAST * 100), MOST))

    def between(self, other: "Eye", u: float) -> "Eye":
        """Between this camera and another; angles take the short way, the height grows by factors."""
        turn = (other.azimuth - self.azimuth + pi) % (2 * pi) - pi
        x, y, z = (a + u * (b - a) for a, b in zip(self.focus, other.focus))
        return replace(
            other,
            focus=(x, y, z),
            azimuth=self.azimuth + u * turn,
            elevation=self.elevation + u * (other.elevation - self.elevation),
            height=self.height * (other.height / self.height) ** u,
        )
