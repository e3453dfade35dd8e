"""Where the mouse snaps to: joint, body point, centre, mid-point, grid, alignment, in this order.

Pure functions of a placement, a place and the size of a pixel; the stage shows a ring where it snapped.
"""

from collections.abc import Iterable
from math import floor, hypot, log10
from typing import NamedTuple

import numpy as np

from engine.model.elements import Id
from gui.placing.plane import silhouettes
from gui.placing.plane.placement import Placement, Point

REACH = 10.0  # pixels within which the mouse snaps to a point
GRID_REACH = 7.0  # pixels within which it snaps to a crossing of the grid
GUIDE_REACH = 5.0  # pixels within which it snaps to a line through another point
NOISE = 1e-9  # pixels: a coordinate below this is a rounded zero
FINE_GRID = 14.0  # least pixels between lines of the fine grid
KINDS = ("joint", "point", "center", "middle")


class Anchor(NamedTuple):
    """A point to snap to."""

    x: float
    y: float
    kind: str  # of KINDS
    marker: Id = ""
    joint: Id = ""


class Snap(NamedTuple):
    """The snapped place of the mouse."""

    x: float
    y: float
    kind: str = ""  # of KINDS, "grid" or "guide"; empty: nowhere special
    marker: Id = ""
    joint: Id = ""
    guides: tuple[tuple[Point, Point], ...] = ()  # lines to the points it is aligned with


def nice_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below `least`."""
    power = 10.0 ** floor(log10(least))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1.0 - 1e-9))


def parts_of_step(step: float) -> int:
    """Into how many parts a nice step is cut, so that each is 1, 2 or 5 times a power of ten as well."""
    leading = round(step / 10.0 ** floor(log10(step) + 1e-9))
    return 4 if leading == 2 else 5


def grid_step(pixel: float) -> float:
    """The fine grid at this zoom: wide enough to hit."""
    return nice_step(FINE_GRID * pixel)


def anchors(placement: Placement, without: Iterable[Id] = ()) -> list[Anchor]:
    """Every point to snap to, in order of precedence.

    Points of the bodies and elements `without` are left out: an element does not snap to itself.
    """
    model, left_out = placement.model, set(without)
    joints: list[Anchor] = []
    points: list[Anchor] = []
    centers: list[Anchor] = []
    middles: list[Anchor] = []
    joined: set[Id] = set()
    for joint in model.of("joint"):
        for marker in (getattr(joint, "marker_j", ""), getattr(joint, "marker_i", "")):
            if marker not in placement.marker_index:
                continue
            joined.add(marker)
            if joint.id not in left_out and placement.body_of(marker) not in left_out:
                x, y, _ = placement.marker_at(marker)
                joints.append(Anchor(x, y, "joint", marker, joint.id))
    for marker in placement.markers:
        if marker.id not in joined and not {marker.id, marker.body} & left_out:
            x, y, _ = placement.marker_at(marker.id)
            points.append(Anchor(x, y, "point", marker.id))
    for k, body in enumerate(placement.bodies):
        if body.id in left_out:
            continue
        x, y = placement.pose.centers[k]
        shape = getattr(body, "shape", None)
        if shape is None:
            centers.append(Anchor(x, y, "point" if not hasattr(body, "inertia") else "center"))
            continue
        for found, kind, into in (
            (silhouettes.corners(shape), "point", points),
            ([(0.0, 0.0)], "center", centers),
            (silhouettes.middles(shape), "middle", middles),
        ):
            into += [Anchor(*placement.to_world(body.id, *p), kind) for p in found]
        if hypot(*placement.center[k]) > 0.0:
            centers.append(Anchor(x, y, "center"))
    return joints + points + centers + middles


def snap(among: list[Anchor], x: float, y: float, pixel: float, grid: float | None = None) -> Snap:
    """Where a mouse at (x, y) snaps to; `grid` is the width of the grid, None: there is none."""
    reach = REACH * pixel
    places = np.array([(a.x, a.y) for a in among], dtype=float).reshape(-1, 2)
    away = np.hypot(places[:, 0] - x, places[:, 1] - y)
    for kind in KINDS:
        near = [(away[k], k) for k in np.flatnonzero(away <= reach) if among[k].kind == kind]
        if near:
            found = among[min(near)[1]]
            place = _without_noise(found.x, pixel), _without_noise(found.y, pixel)
            return Snap(*place, kind, found.marker, found.joint)
    if grid:
        gx, gy = (float(f"{round(place / grid) * grid:.12g}") for place in (x, y))
        if hypot(gx - x, gy - y) <= GRID_REACH * pixel:
            return Snap(gx, gy, "grid")
    return _aligned(among, places, x, y, pixel)


def _without_noise(place: float, pixel: float) -> float:
    """A coordinate without the rounding of a turned body: zero is hit exactly."""
    return 0.0 if abs(place) < NOISE * pixel else place


def _aligned(among: list[Anchor], places: np.ndarray, x: float, y: float, pixel: float) -> Snap:
    """On the vertical or horizontal line through a joint or point, or where two of them cross."""
    usable = np.array([a.kind in ("joint", "point") for a in among], dtype=bool)
    if not usable.any():
        return Snap(x, y)
    guides: list[tuple[Point, Point]] = []
    new = [x, y]
    for axis, place in ((0, x), (1, y)):
        off = np.where(usable, np.abs(places[:, axis] - place), np.inf)
        nearest = off.min()
        if nearest > GUIDE_REACH * pixel:
            continue
        across = np.abs(places[:, 1 - axis] - (y, x)[axis])
        k = int(np.where(off <= nearest + 1e-12, across, np.inf).argmin())
        new[axis] = _without_noise(float(places[k, axis]), pixel)
        guides.append(((float(places[k, 0]), float(places[k, 1])), (0.0, 0.0)))
    if not guides:
        return Snap(x, y)
    here = (new[0], new[1])
    return Snap(*here, "guide", guides=tuple((start, here) for start, _ in guides))
