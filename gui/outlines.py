"""Outlines of bodies and symbols as painter paths.

Bodies, springs and dampers are in metres, y up; pins and ground symbols in pixels, y down.
"""

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainterPath, QPolygonF


def planar_outline(shape: Any) -> QPainterPath:
    """A shape of a planar body in its frame; a rod has round ends and is never thinner than 3 %."""
    path = QPainterPath()
    if shape.kind == "disc":
        path.addEllipse(QPointF(0.0, 0.0), shape.radius, shape.radius)
        path.moveTo(0.0, 0.0)
        path.lineTo(shape.radius, 0.0)  # shows how far it has turned
    elif shape.kind == "rod":
        end = max(shape.width, 0.03 * shape.length) / 2
        whole = QRectF(-shape.length / 2 - end, -end, shape.length + 2 * end, 2 * end)
        path.addRoundedRect(whole, end, end)
    elif shape.kind == "box":
        path.addRect(-shape.width / 2, -shape.height / 2, shape.width, shape.height)
    else:
        path = closed(np.array(shape.points, dtype=float))
    return path


def planar_corners(shape: Any) -> np.ndarray:
    """The corners (4, 3) of the rectangle around a planar shape, in its body frame."""
    rect = planar_outline(shape).boundingRect()
    xs, ys = (rect.left(), rect.right()), (rect.top(), rect.bottom())
    return np.array([(x, y, 0.0) for x in xs for y in ys])


def corners(shape: Any) -> np.ndarray:
    """Points (n, 3) of a spatial shape in its body frame; their convex hull is its silhouette."""
    circle = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
    if shape.kind in ("rod", "box"):
        size = (
            (shape.length, shape.width, shape.thickness)
            if shape.kind == "rod"
            else (shape.width, shape.height, shape.thickness)
        )
        flat = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * size[:2]
        return _drawn_out(flat, size[2])
    if shape.kind == "cylinder":
        rim = shape.radius * np.column_stack([np.cos(circle), np.sin(circle)])
        return _drawn_out(rim, shape.length)
    if shape.kind == "polygon":
        return _drawn_out(np.array(shape.points, dtype=float), shape.thickness)
    u, v = np.meshgrid(circle, circle[:16] / 2)
    ball = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1).reshape(-1, 3)
    if shape.kind == "sphere":
        return shape.radius * ball
    vertices = np.array(shape.vertices, dtype=float)  # a mesh: its farthest points all round
    return vertices[np.unique([np.argmax(vertices @ direction) for direction in ball])]


def _drawn_out(flat: np.ndarray, thickness: float) -> np.ndarray:
    """A flat outline at both ends of a thickness along z."""
    ends = [np.full(len(flat), side * thickness / 2) for side in (-1, 1)]
    return np.concatenate([np.column_stack([flat, z]) for z in ends])


def hull(points: np.ndarray) -> np.ndarray:
    """The convex hull of points (n, 2), anticlockwise: the lower chain, then the upper one."""
    ordered = sorted(map(tuple, points.tolist()))
    chains = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in run:
            while len(chain) > 1:
                (x0, y0), (x1, y1) = chain[-2:]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
        chains += chain[:-1]
    return np.array(chains or ordered[:1])


def closed(points: np.ndarray) -> QPainterPath:
    """The closed polygon through points (n, 2)."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    path.closeSubpath()
    return path


def star(center: np.ndarray, ends: np.ndarray) -> QPainterPath:
    """Lines from a centre (2,) to each end (n, 2)."""
    path = QPainterPath()
    for x, y in ends:
        path.moveTo(*center)
        path.lineTo(x, y)
    return path


def coil(length: float, width: float, turns: int = 7) -> QPainterPath:
    """A spring from the origin along x, with straight ends."""
    path = QPainterPath(QPointF(0.0, 0.0))
    straight = 0.12 * length
    path.lineTo(straight, 0.0)
    for n in range(1, 24 * turns):
        part = n / (24 * turns)
        x = straight + part * (length - 2 * straight)
        path.lineTo(x, width / 2 * math.sin(2 * math.pi * turns * part))
    path.lineTo(length - straight, 0.0)
    path.lineTo(length, 0.0)
    return path


def dashpot(length: float, width: float) -> QPainterPath:
    """A damper from the origin along x: a cup, and a piston on a rod."""
    path = QPainterPath(QPointF(0.0, 0.0))
    bottom, mouth, piston, half = 0.3 * length, 0.68 * length, 0.52 * length, width / 2
    path.lineTo(bottom, 0.0)
    path.moveTo(mouth, half)
    for x, y in ((bottom, half), (bottom, -half), (mouth, -half)):
        path.lineTo(x, y)
    path.moveTo(piston, 0.8 * half)
    path.lineTo(piston, -0.8 * half)
    path.moveTo(piston, 0.0)
    path.lineTo(length, 0.0)
    return path


def pin(radius: float = 4.5) -> QPainterPath:
    """A pin, in pixels."""
    path = QPainterPath()
    path.addEllipse(QPointF(0.0, 0.0), radius, radius)
    return path


def ground_symbol() -> QPainterPath:
    """A triangle on a hatched line, its tip in the origin, in pixels."""
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(0, 0), QPointF(11, 17), QPointF(-11, 17), QPointF(0, 0)]))
    path.moveTo(-18, 17)
    path.lineTo(18, 17)
    for x in range(-13, 19, 6):
        path.moveTo(x, 17)
        path.lineTo(x - 5, 23)
    return path


def transport_symbols() -> dict[str, QPainterPath]:
    """Play, pause and reset, in a square of 24 pixels."""
    symbols = {name: QPainterPath() for name in ("Play", "Pause", "Reset")}
    triangle = [QPointF(7, 4), QPointF(20, 12), QPointF(7, 20), QPointF(7, 4)]
    symbols["Play"].addPolygon(QPolygonF(triangle))
    symbols["Pause"].addRect(6, 4, 4, 16)
    symbols["Pause"].addRect(14, 4, 4, 16)
    symbols["Reset"].addRect(4, 4, 3, 16)
    symbols["Reset"].addPolygon(QPolygonF([QPointF(28 - p.x(), p.y()) for p in triangle]))
    return symbols
