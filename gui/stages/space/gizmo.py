"""The handles that move and turn things: their lines in space, hit testing, and painting.

They have a fixed size on the screen and lie over everything.
"""

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.stages.plane.painting import paint_arrow
from gui.stages.space.graphics.inks import SpaceInks
from gui.tools.space.base import Gizmo
from rotations import quaternion

ARROW, RING, NEAR, FAR = 96.0, 74.0, 26.0, 46.0  # pixels: arrows, rings, corners of plane handles
REACH = 8.0  # pixels around a handle that still count
RING_RANK = 6.5  # pixels within which something else is meant rather than a ring
TURNS = 72  # places on a ring
AXES = {"x": 0, "y": 1, "z": 2}
_WINDING = Qt.FillRule.WindingFill


def handle_lines(gizmo: Gizmo, pixel: float) -> dict[str, np.ndarray]:
    """The places (n, 3) of each handle; `pixel` is the size of one at the gizmo."""
    R = np.asarray(quaternion.matrix(np.array(gizmo.axes, dtype=float)))
    at = np.array(gizmo.at)
    lines = {}
    turn = np.linspace(0.0, 2.0 * np.pi, TURNS + 1)
    for name in gizmo.handles:
        if name in AXES:
            axis = R[:, AXES[name]]
            lines[name] = at + pixel * np.outer((0.16 * ARROW, ARROW), axis)
        elif name.startswith("turn_"):
            k = AXES[name[-1]]
            a, b = R[:, (k + 1) % 3], R[:, (k + 2) % 3]
            lines[name] = at + RING * pixel * (
                np.outer(np.cos(turn), a) + np.outer(np.sin(turn), b)
            )
        else:
            a, b = (R[:, AXES[letter]] for letter in name)
            corners = [(NEAR, NEAR), (FAR, NEAR), (FAR, FAR), (NEAR, FAR)]
            lines[name] = np.array([at + pixel * (u * a + v * b) for u, v in corners])
    return lines


def handle_at(gizmo: Gizmo, view: Any, x: float, y: float) -> str:
    """The handle under the mouse; the nearest if several are."""
    size = (view.width(), view.height())
    pixel = view.eye.pixel(gizmo.at, size[1])
    best = (REACH, "")
    for name, places in handle_lines(gizmo, pixel).items():
        seen = view.eye.project(places, *size)
        if not np.isfinite(seen).all():
            continue
        if _is_plane(name):
            away = 0.5 if _inside(seen, x, y) else _to_chain(np.vstack([seen, seen[:1]]), x, y)
            if _area(seen) < 60.0:  # seen edge-on
                continue
        else:
            away = _to_chain(seen, x, y)
            if name.startswith("turn_") and away <= REACH:
                away = max(away, RING_RANK)  # smaller handles take precedence over rings
            if name in AXES and np.hypot(*(seen[1] - seen[0])) < 14.0:
                continue  # it points at the camera: the plane across it is used instead
        best = min(best, (away, name))
    return best[1]


def _is_plane(name: str) -> bool:
    return name not in AXES and not name.startswith("turn_")


def _area(corners: np.ndarray) -> float:
    after = np.roll(corners, -1, axis=0)
    return 0.5 * abs(float((corners[:, 0] * after[:, 1] - corners[:, 1] * after[:, 0]).sum()))


def _inside(corners: np.ndarray, x: float, y: float) -> bool:
    return QPolygonF([QPointF(*p) for p in corners.tolist()]).containsPoint(QPointF(x, y), _WINDING)


def _to_chain(chain: np.ndarray, x: float, y: float) -> float:
    """Pixels from a place to a chain of lines."""
    a, side = chain[:-1], np.diff(chain, axis=0)
    to = np.array([x, y]) - a
    square = np.maximum((side**2).sum(axis=1), 1e-12)
    u = np.clip((to * side).sum(axis=1) / square, 0.0, 1.0)
    return float(np.hypot(*(to - u[:, None] * side).T).min())


def paint_gizmo(painter: QPainter, gizmo: Gizmo, view: Any, inks: SpaceInks, hovered: str) -> None:
    """Draw the handles: rings behind, then planes and arrows; the held one is highlighted."""
    size = (view.width(), view.height())
    lines = handle_lines(gizmo, view.eye.pixel(gizmo.at, size[1]))
    lit = gizmo.active or hovered
    shown = [gizmo.active] if gizmo.active in lines else list(lines)
    order = sorted(shown, key=lambda name: (name in AXES, _is_plane(name)))
    for name in order:
        seen = view.eye.project(lines[name], *size)
        if not np.isfinite(seen).all():
            continue
        color = QColor(inks.roles[name[-1] if name[-1] in AXES and not _is_plane(name) else "z"])
        if _is_plane(name):
            third = next(letter for letter in "xyz" if letter not in name)
            color = QColor(inks.roles[third])
        color = QColor("#f2a900") if name == lit else color
        if name in AXES:
            paint_arrow(
                painter, _point(seen[0]), _point(seen[1]), color, inks, 4.0 if name == lit else 3.0
            )
        elif _is_plane(name):
            _paint_plane(painter, seen, color)
        else:
            _paint_ring(painter, lines[name], seen, view, color, name == lit)


def _paint_plane(painter: QPainter, seen: np.ndarray, color: QColor) -> None:
    wash = QColor(color)
    wash.setAlpha(90)
    painter.setPen(QPen(color, 1.4))
    painter.setBrush(wash)
    painter.drawPolygon(QPolygonF([_point(p) for p in seen]))


def _paint_ring(
    painter: QPainter, places: np.ndarray, seen: np.ndarray, view: Any, color: QColor, lit: bool
) -> None:
    """Draw the half of a ring that is turned to the camera strong, the other faint."""
    depth = view.eye.seen(places)[:, 2]
    front = depth >= view.eye.seen(places.mean(axis=0))[0, 2] - 1e-9
    faint = QColor(color)
    faint.setAlpha(70)
    for shade, width, part in ((faint, 1.4, ~front), (color, 3.4 if lit else 2.4, front)):
        painter.setPen(QPen(shade, width))
        for k in np.flatnonzero(part[:-1] & part[1:]):
            painter.drawLine(_point(seen[k]), _point(seen[k + 1]))


def _point(p: Any) -> QPointF:
    return QPointF(float(p[0]), float(p[1]))
