"""Cables over pulleys, and the roads and cams of contacts, in the plane."""

from math import cos, sin
from typing import Any

import numpy as np
from PySide6.QtGui import QPainterPath

from engine.errors import EngineError
from engine.model.fields import plain
from engine.model.forces.cable import WAYS, wound
from engine.model.forces.curves import smooth_nodes, way_along
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import LINES, PINS, Context, Graphic

PIECES = 24  # of the part that lies on the pulley
BETWEEN = 8  # pieces of a smooth curve from node to node
TICKS = 24  # of a surface, on the side of its material


def cable_view(cable: Any, c: Context) -> Graphic:
    """The line of the cable round its pulley, and the rim of the pulley."""
    g = c.graphic(cable.id)
    i, j, n = (c.marker(m) for m in (cable.marker_i, cable.marker_j, cable.pulley))
    if min(i, j, n) < 0:
        return g
    radius, way, turns = plain(cable.radius), WAYS[cable.way], plain(cable.turns)
    rim = g.add(symbols.circle(radius), c.inks.dashed(1.2, c.inks.hatch), layer=LINES - 0.1)
    g.at_marker(rim, n)
    line = g.add(QPainterPath(), c.inks.line(2.2, c.inks.metal), layer=LINES, main=True)

    def place(pose: Pose) -> None:
        middle = np.array([*pose.markers[n][:2], 0.0])
        d, o = (np.array([*pose.markers[k][:2], 0.0]) - middle for k in (i, j))
        g.set_path(line, symbols.polyline(cable_places(middle, d, o, radius, way, turns)))

    g.places.append(place)
    for k in (i, j):
        dot = g.add(
            symbols.circle(3.4), c.inks.line(1.2, c.inks.paper), c.inks.ink, PINS, pixels=True
        )
        g.at_marker(dot, k)
    return g


def cable_places(
    middle: np.ndarray, d: np.ndarray, o: np.ndarray, radius: float, way: float, turns: float
) -> list[tuple[float, float]]:
    """Places along a cable, from one end round the pulley to the other."""
    _, at, wrapped = wound(d, o, radius, way, turns)
    places = [d[:2]]
    if wrapped >= 0.0:
        angles = at + way * wrapped * np.linspace(0.0, 1.0, PIECES + 1)
        places += [radius * np.array([cos(a), sin(a)]) for a in angles]
    return [tuple((middle[:2] + p).tolist()) for p in (*places, o[:2])]


def add_surface(g: Graphic, contact: Any, n: int, shape: str, c: Context) -> None:
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
