"""Cables over pulleys, in the plane."""

from math import cos, sin
from typing import Any

import numpy as np
from PySide6.QtGui import QPainterPath

from engine.model.fields import plain
from engine.model.forces.cable import WAYS, wound
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import LINES, PINS, Context, Graphic

PIECES = 24  # of the part that lies on the pulley


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
