"""The stage: a scene that draws a mechanism and puts it into the pose of a row of q.

Scene coordinates are metres, x to the right and y up; a spatial model is seen along its y axis,
with x to the right and z up.
"""

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPen, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem, QGraphicsScene

from engine.geometry import Geometry, about_z
from engine.system import Compiled
from gui import outlines
from gui.theme import Theme
from rotations import SEQUENCES, euler_angles, quaternion


def poses(compiled: Compiled, q_row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mass centres r (n + 1, 3) and axes R (n + 1, 3, 3) of moving bodies, last the ground."""
    n = len(compiled.body_ids)
    r, R = np.zeros((n + 1, 3)), np.zeros((n + 1, 3, 3))
    R[:] = np.eye(3)
    for k, q in enumerate(np.asarray(q_row).reshape(n, compiled.n_q)):
        r[k, : compiled.system.dim] = q[: compiled.system.dim]
        if compiled.system.dim == 2:
            R[k] = about_z(q[2])
        elif (code := int(compiled.system.bodies["orientation"][k])) < 0:
            R[k] = quaternion.matrix(q[3:])
        else:
            R[k] = euler_angles.matrix(SEQUENCES[code], q[3:6])
    return r, R


class Stage(QGraphicsScene):
    """One graphic per body, joint and spring; `pose` only moves them."""

    def __init__(self, compiled: Compiled, theme: Theme) -> None:
        super().__init__()
        self.compiled, self.theme = compiled, theme
        self.model = compiled.resolved
        self.geometry = Geometry(self.model)
        self.seen = [0, 1] if self.model.dim == 2 else [0, 2]  # the axes in the picture
        self.places = {m.id: self.geometry.marker(m.id) for m in self.model.of("marker")}
        self.extents = [(k, P[None, :]) for k, P, _ in self.places.values()]
        self.moving: list[Any] = []  # (item, place it in this pose)
        self.colours: dict[str, str] = {}
        for n, body in enumerate(self.model.of("body")):
            automatic = theme.ground if body.fixed else theme.bodies[n % len(theme.bodies)]
            self.colours[body.id] = body.color or automatic
            self._add_body(body, QColor(self.colours[body.id]))
        for element in (e for e in self.model if getattr(e, "marker_j", "")):
            self._add_connection(element)
        self.pose(compiled.q0)

    def pose(self, q_row: np.ndarray) -> None:
        """Move every graphic to the pose of one row of q; changes the scene."""
        r, R = poses(self.compiled, q_row)
        points = {id: (r[k] + R[k] @ P)[self.seen] for id, (k, P, _) in self.places.items()}
        for item, place in self.moving:
            place(item, r, R, points)

    def reach(self, rows: np.ndarray) -> QRectF:
        """The part of the picture that bodies and markers pass in these rows of q."""
        seen = []
        for row in rows:
            r, R = poses(self.compiled, row)
            seen += [r[k] + P @ R[k].T for k, P in self.extents]
        if not seen:
            return QRectF()
        all_points = np.concatenate(seen)[:, self.seen]
        low, high = all_points.min(axis=0), all_points.max(axis=0)
        return QRectF(*low, *(high - low))

    def add_trails(self, rows: np.ndarray) -> None:
        """Draw the paths of the mass centres in these rows of q; changes the scene."""
        centers = np.array([poses(self.compiled, row)[0][:-1, self.seen] for row in rows])
        for k, body_id in enumerate(self.compiled.body_ids):
            path = QPainterPath()
            path.addPolygon(QPolygonF([QPointF(x, y) for x, y in centers[:, k]]))
            colour = QColor(self.colours[body_id])
            colour.setAlpha(120)
            self._add(path, QPen(colour, 1.5), Qt.BrushStyle.NoBrush, 0.2)

    def _add(self, path: QPainterPath, pen: QPen, brush: Any, layer: float) -> QGraphicsPathItem:
        """A new graphic on its layer, with a pen whose width is in pixels."""
        pen.setCosmetic(True)
        item = self.addPath(path, pen, QBrush(brush))
        item.setZValue(layer)
        return item

    def _add_body(self, body: Any, colour: QColor) -> None:
        """The graphics of one body: arms to its markers, and its shape or a dot for a particle."""
        shape, flat = getattr(body, "shape", None), self.model.dim == 2
        edge = QPen(colour.darker(140) if self.theme.is_light else colour.lighter(130), 1.5)
        arms = self._add(QPainterPath(), QPen(colour, 3), Qt.BrushStyle.NoBrush, 0.9)
        if not hasattr(body, "inertia"):
            solid = self._add(outlines.pin(7.0), edge, colour, 1.0)
            solid.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        else:
            solid = self._add(QPainterPath(), edge, colour, 1.0)
            if flat and shape is not None:
                solid.setPath(outlines.planar_outline(shape))
        points = outlines.corners(shape) if shape is not None and not flat else None
        if shape is not None:
            around = outlines.planar_corners(shape) if points is None else points
            self._extend(body, around)
        index = self.geometry.index.get(body.id)
        center = np.zeros(3) if index is None else self.compiled.center[index]
        mine = [m.position for m in self.model.of("marker") if m.body == body.id]
        ends = np.array([(*P, 0.0)[:3] for P in mine], dtype=float).reshape(-1, 3)

        def place(item: QGraphicsPathItem, r: np.ndarray, R: np.ndarray, _: Any) -> None:
            if index is None:
                origin, axes = self.geometry.pose(body)
            else:
                origin, axes = r[index] - R[index] @ center, R[index]
            middle = (origin + axes @ center)[self.seen]
            item.setPath(outlines.star(middle, (origin + ends @ axes.T)[:, self.seen]))
            if points is not None:
                hull = outlines.hull((origin + points @ axes.T)[:, self.seen])
                solid.setPath(outlines.closed(hull))
            else:
                c, s = (axes[0, 0], axes[1, 0]) if flat else (1.0, 0.0)
                solid.setTransform(QTransform(c, s, -s, c, 0.0, 0.0))
                solid.setPos(*origin[self.seen])

        self.moving.append((arms, place))

    def _extend(self, body: Any, points: np.ndarray) -> None:
        """Count points (n, 3) of a body, in its frame, to what must be seen."""
        index = self.geometry.index.get(body.id)
        if index is None:
            origin, axes = self.geometry.pose(body)
            self.extents.append((self.geometry.n_bodies, origin + points @ axes.T))
        else:
            self.extents.append((index, points - self.compiled.center[index]))

    def _add_connection(self, element: Any) -> None:
        """The graphics of a joint, spring or damper between two markers."""
        i, j, ink = element.marker_i, element.marker_j, QColor(self.theme.ink)
        width = 0.06 * self.compiled.length
        nothing = Qt.BrushStyle.NoBrush
        if element.family == "force":
            both = element.kind == "spring_damper" and element.stiffness and element.damping
            for drawn, kinds, side in (
                (outlines.coil, ("spring", "spring_damper"), 0.7 if both else 0.0),
                (outlines.dashpot, ("damper", "spring_damper"), -0.7 if both else 0.0),
            ):
                absent = "stiffness" if drawn is outlines.coil else "damping"
                if element.kind in kinds and getattr(element, absent):
                    item = self._add(QPainterPath(), QPen(ink, 1.6), nothing, 3.0)
                    self.moving.append((item, _between(i, j, drawn, width, side * width)))
        elif element.kind == "rod":
            item = self._add(QPainterPath(), QPen(ink, 3), nothing, 2.0)
            self.moving.append((item, _between(i, j, lambda length, _: _line(length), width, 0)))
        elif element.kind in ("prismatic", "cylindrical", "point_on_line", "rolling_disc"):
            item = self._add(QPainterPath(), QPen(ink, 1.2, Qt.PenStyle.DashLine), nothing, 0.5)
            self.moving.append((item, self._guide(element)))
        pinned = element.kind in ("revolute", "spherical", "universal", "rod", "point_on_line")
        for marker in (i, j):
            if self.places[marker][0] == self.geometry.n_bodies and element.kind != "rolling_disc":
                self._add_symbol(marker, outlines.ground_symbol(), self.theme.ground, 0.8)
            if pinned or element.family == "force":
                radius = 4.5 if pinned else 3.0
                self._add_symbol(marker, outlines.pin(radius), self.theme.paper, 4.0)

    def _add_symbol(self, marker: str, path: QPainterPath, fill: str, layer: float) -> None:
        """A symbol of fixed size in pixels that stays at a marker."""
        item = self._add(path, QPen(QColor(self.theme.ink), 1.5), QColor(fill), layer)
        item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.moving.append((item, lambda item, r, R, points: item.setPos(*points[marker])))

    def _guide(self, joint: Any) -> Any:
        """How the line of a sliding or rolling joint is placed: along its axis on body i."""
        body, P, axes = self.places[joint.marker_i]
        axis = axes[:, 0 if self.model.dim == 2 else 2]
        half = (50.0 if joint.kind == "rolling_disc" else 0.6) * self.compiled.length

        def place(item: QGraphicsPathItem, r: np.ndarray, R: np.ndarray, points: Any) -> None:
            ends = [(r[body] + R[body] @ (P + side * half * axis))[self.seen] for side in (-1, 1)]
            path = QPainterPath(QPointF(*ends[0]))
            path.lineTo(*ends[1])
            item.setPath(path)

        return place


def _line(length: float) -> QPainterPath:
    """A straight line from the origin along x."""
    path = QPainterPath(QPointF(0.0, 0.0))
    path.lineTo(length, 0.0)
    return path


def _between(i: str, j: str, drawn: Any, width: float, side: float) -> Any:
    """How a path that is drawn along x is laid from marker i to marker j, shifted to one side."""

    def place(item: QGraphicsPathItem, r: np.ndarray, R: np.ndarray, points: Any) -> None:
        (x, y), (dx, dy) = points[i], points[j] - points[i]
        length = math.hypot(dx, dy)
        c, s = (dx / length, dy / length) if length > 0.0 else (1.0, 0.0)
        item.setPath(drawn(length, width))
        item.setTransform(QTransform(c, s, -s, c, x - s * side, y + c * side))

    return place
