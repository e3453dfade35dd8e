"""Contacts, their floors, roads and cams, in the plane."""

from math import atan2, cos, degrees, sin
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.model.forces.contact import CURVES
from engine.model.forces.curves import smooth_nodes, way_along
from gui.placing.plane.placement import Pose
from gui.placing.touching import touching
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import LINES, RINGS, Context, Graphic

FLOOR = 20.0  # sizes of the drawing that a plane reaches to either side
HATCHES = 200  # its strokes there
BETWEEN = 8  # pieces of a smooth curve from node to node
TICKS = 24  # of a surface, on the side of its material


def contact_view(g: Graphic, contact: Any, i: int, j: int, c: Context) -> None:
    """Two bows that touch, where round shapes would; and the surface of a plane."""
    path = symbols.arc(6.0, 215.0, 110.0).translated(0.0, -7.5)
    path.addPath(symbols.arc(6.0, 35.0, 110.0).translated(0.0, 7.5))
    bows = g.add(path, c.inks.line(1.5, c.inks.hatch), layer=RINGS, pixels=True, main=True)
    found = touching(contact, c.model)
    own, other = (i, j) if found.side == "i" else (j, i)

    def place(pose: Pose) -> None:
        turn = pose.markers[other][2]
        here, there = _moved(pose, own, found.middle), _moved(pose, other, found.aim)
        (x, y), (along, up) = found.mark(here, there, np.array([-sin(turn), cos(turn)]))
        bows.setPos(x, y)
        bows.setRotation(degrees(atan2(along, up)))

    g.places.append(place)
    for n, shape in ((i, contact.shape_i), (j, contact.shape_j)):
        is_ground = c.placement.markers[n].body == "ground"
        if shape in CURVES:
            _add_surface(g, contact, n, shape, c)
        radius = contact.radius_i if n == i else contact.radius_j
        if shape in ("circle", "hole") and isinstance(radius, float | int):
            rim = c.inks.line(1.5, c.inks.hatch)
            g.at_marker(g.add(symbols.circle(float(radius)), rim, layer=LINES + 0.1), n)
        if shape == "plane" or (shape == "body" and is_ground):
            _add_floor(g, n, c)


def _moved(pose: Pose, n: int, by: tuple[float, ...]) -> np.ndarray:
    """A place along the axes of a marker."""
    x, y, turn = pose.markers[n]
    c, s = cos(turn), sin(turn)
    return np.array([x + c * by[0] - s * by[1], y + s * by[0] + c * by[1]])


def contact_all_view(g: Graphic, contact: Any, n: int, c: Context) -> None:
    """Three round shapes that touch; on the ground its surface."""
    path = symbols.circle(5.0).translated(0.0, -5.8)
    for x in (-5.0, 5.0):
        path.addPath(symbols.circle(5.0).translated(x, 2.9))
    rings = g.add(path, c.inks.line(1.5, c.inks.hatch), layer=RINGS, pixels=True, main=True)
    if c.placement.markers[n].body == "ground" and contact.floor:
        _add_floor(g, n, c)
    g.at_marker(rings, n)


def _add_floor(g: Graphic, n: int, c: Context) -> None:
    """A straight surface, hatched below, so long that bodies roll and bounce along it."""
    reach, small = FLOOR * c.size, 0.012 * c.size
    line = symbols.polyline([(-reach, 0.0), (reach, 0.0)])
    for at in range(-HATCHES, HATCHES + 1):
        x = at * reach / HATCHES
        line.addPath(symbols.polyline([(x, 0.0), (x - small, -small)]))
    g.on_marker(g.add(line, c.inks.line(1.5, c.inks.hatch), layer=LINES - 0.1), n)


def _add_surface(g: Graphic, contact: Any, n: int, shape: str, c: Context) -> None:
    """A road or cam along the axes of its marker, with ticks on the side of its material."""
    try:
        places = surface_places(contact, shape)
    except (EngineError, ValueError, TypeError):  # what is wrong with it is told elsewhere
        return
    if len(places) < 2:
        return
    path = symbols.polyline([tuple(p) for p in places.tolist()])
    way = np.diff(places, axis=0)
    long = np.concatenate([[0.0], np.cumsum(np.hypot(*way.T))])
    small = 0.012 * c.size
    side = -1.0 if not contact.closed or _turns_right(places) else 1.0
    for s in np.linspace(0.0, long[-1], TICKS):
        k = min(int(np.searchsorted(long, s, "right")) - 1, len(way) - 1)
        t = way[k] / max(float(np.hypot(*way[k])), 1e-300)
        x, y = places[k] + (s - long[k]) * t
        into = side * np.array([-t[1], t[0]]) - t
        path.addPath(symbols.polyline([(x, y), (x + small * into[0], y + small * into[1])]))
    g.on_marker(g.add(path, c.inks.line(1.5, c.inks.hatch), layer=LINES - 0.1), n)


def surface_places(contact: Any, shape: str) -> np.ndarray:
    """Places along a chain or a smooth curve, (n, 2)."""
    points = np.array(contact.points, dtype=float).reshape(-1, 2)
    if shape == "curve":
        return way_along(smooth_nodes(points.tolist(), contact.closed), contact.closed, BETWEEN)
    return np.concatenate([points, points[:1]]) if contact.closed else points


def _turns_right(places: np.ndarray) -> bool:
    """Whether a closed way goes round clockwise."""
    x, y = places.T
    return bool(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]) < 0.0)
