"""Where every body and marker of a model is in space: as drawn, or in a moment of a run.

A planar model lies in the plane z = 0; its bodies are laid in layers, so that links pass each other.
"""

from functools import cached_property
from typing import Any

import numpy as np

from engine.compiling.geometry import Geometry
from engine.errors import EngineError
from engine.kinematics.poses import Frames, body_frames
from engine.model.elements import GROUND, Id, Model
from engine.model.joints.freedom import freedom
from engine.model.places import about_z
from engine.model.shapes import Mesh, body_mass_properties
from engine.results.results import Results
from gui.placing.grips import keeps_direction
from gui.placing.loads import GivenLoads
from gui.placing.plane.placement import FARTHEST, holds_event, row_at, used_markers
from gui.placing.space.bends import AnySolidBend, bends_of_row
from rotations import SEQUENCES, axis_angle, euler_angles, quaternion

MOST_KEPT = 64  # mass centres of meshes
_CENTERS: dict[Any, tuple[Any, np.ndarray]] = {}  # with their shapes, so that no id is reused
LAYERS = 5  # of planar bodies, one above the other
LAYER = 0.018  # m per metre of the drawing
SMALL_TURN = 1.5  # rad between two frames: bodies that turn farther do so evenly


class SpacePlacement:
    """Bodies and markers of a plain model as arrays; the last body is the ground."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.bodies = model.of("body")
        self.markers = [m for m in model.of("marker") if m.body == GROUND or m.body in model]
        self.body_index: dict[Id, int] = {b.id: k for k, b in enumerate(self.bodies)}
        self.marker_index: dict[Id, int] = {m.id: k for k, m in enumerate(self.markers)}
        n = len(self.bodies)
        self.body_index[GROUND] = n
        self.drawn = Frames(np.zeros((n + 1, 3)), np.tile(np.eye(3), (n + 1, 1, 1)))
        self.center = np.zeros((n + 1, 3))
        geometry = Geometry.__new__(Geometry)  # without masses, which may be missing in a drawing
        geometry.dim = model.dim
        for k, body in enumerate(self.bodies):
            self.drawn.r[k], self.drawn.R[k] = Geometry.pose(geometry, body)
            self.center[k] = mass_center(body, model.dim)
        self.marker_body = np.array([self.body_index[m.body] for m in self.markers], dtype=np.int64)
        self.marker_P = np.zeros((len(self.markers), 3))
        self.marker_A = np.tile(np.eye(3), (len(self.markers), 1, 1))
        for n_, marker in enumerate(self.markers):
            self.marker_P[n_, : model.dim] = marker.position
            self.marker_A[n_] = _axes(marker, model.dim)
        self.used = used_markers(model)
        self.sliding = _sliding(model)
        self.layer = np.zeros(n + 1)
        if model.dim == 2:
            self._lay_in_layers()
        self.put(self.drawn)

    @cached_property
    def given(self) -> GivenLoads:
        """The given forces and torques."""
        return GivenLoads(self.model)

    def _lay_in_layers(self) -> None:
        """Lift planar bodies over each other; fixed ones stay lowest. Changes the layers."""
        spread = np.ptp(np.concatenate([self.drawn.r, self.drawn.r + self.marker_reach()]), axis=0)
        step = LAYER * (float(spread.max()) or 1.0)
        turn = 0
        for k, body in enumerate(self.bodies):
            if not body.fixed:
                self.layer[k] = step * (1 + turn % LAYERS)
                turn += 1

    def marker_reach(self) -> np.ndarray:
        """How far the farthest marker of each body lies from its origin, along each axis."""
        far = np.zeros((len(self.bodies) + 1, 3))
        np.maximum.at(far, self.marker_body, np.abs(self.marker_P))
        return far

    def put(self, frames: Frames, bends: dict[Id, AnySolidBend] | None = None) -> None:
        """Take this pose of the body frames; changes places of markers and mass centres.

        `bends` are beams that are not straight, with their markers.
        """
        good = (np.abs(frames.r) <= FARTHEST).all(1) & np.isfinite(frames.R).all((1, 2))
        if not good.all():  # a run that diverged
            frames = Frames(
                np.where(good[:, None], frames.r, self.drawn.r),
                np.where(good[:, None, None], frames.R, self.drawn.R),
            )
        self.frames = frames
        self.r = frames.r.copy()
        self.r[:, 2] += self.layer
        self.R = frames.R
        self.centers = self.r + np.einsum("nij,nj->ni", self.R, self.center)
        at = self.marker_body
        self.P = self.r[at] + np.einsum("nij,nj->ni", self.R[at], self.marker_P)
        self.A = self.R[at] @ self.marker_A
        self.bends = bends or {}
        for bend in self.bends.values():
            for id, (shift, turn) in bend.markers.items():
                n = self.marker_index.get(id)
                if n is not None:
                    R = self.R[at[n]]
                    self.P[n] += R @ shift
                    self.A[n] = R @ axis_angle.exponential(turn) @ self.marker_A[n]

    def bent(self, bodies: np.ndarray, local: np.ndarray) -> np.ndarray:
        """Points (n, 3) of bodies in their frames, moved with those that are bent."""
        if not self.bends:
            return local
        local = local.copy()
        for id, bend in self.bends.items():
            own = bodies == self.body_index.get(id, -1)
            local[own] = bend.moved(local[own])
        return local

    def put_at(self, results: Results, time: float) -> None:
        """Move everything to a moment of a run; changes the placement."""
        bends = {}
        if results.compiled.elastic:
            bends = bends_of_row(results.compiled, row_at(results, time))
        self.put(self.frames_of(results, time), bends)

    def frames_of(self, results: Results, time: float) -> Frames:
        """Body frames at any time of a run; fixed bodies stay as drawn."""
        return self._filled(results, frames_at(results, time))

    def _filled(self, results: Results, moving: Frames) -> Frames:
        """All bodies: those that move from the run, the others as drawn."""
        r, R = self.drawn.r.copy(), self.drawn.R.copy()
        for k, id in enumerate(results.compiled.body_ids):
            if id in self.body_index:
                r[self.body_index[id]], R[self.body_index[id]] = moving.r[k], moving.R[k]
        return Frames(r, R)

    def marker_at(self, id: Id) -> np.ndarray:
        """Where a marker is."""
        return self.P[self.marker_index[id]]

    def marker_axes(self, id: Id) -> np.ndarray:
        """The axes of a marker as columns."""
        return self.A[self.marker_index[id]]

    def center_of(self, k: int) -> list[float]:
        """The mass centre of body number k in the pose."""
        return self.centers[k].tolist()

    def marker_body_id(self, id: Id) -> Id:
        """The body of a marker, or 'ground'."""
        return self.markers[self.marker_index[id]].body

    def is_fixed(self, body: Id) -> bool:
        """Whether a body never moves."""
        return body == GROUND or body not in self.body_index or bool(self.model[body].fixed)

    def to_body(self, body: Id, point: Any) -> tuple[float, float, float]:
        """A world point in the frame of a body."""
        k = self.body_index[body]
        x, y, z = (self.R[k].T @ (np.asarray(point, dtype=float) - self.r[k])).tolist()
        return x, y, z

    def to_world(self, body: Id, point: Any) -> tuple[float, float, float]:
        """A point of a body in the world."""
        k = self.body_index[body]
        x, y, z = (self.r[k] + self.R[k] @ np.asarray(point, dtype=float)).tolist()
        return x, y, z


def _sliding(model: Model) -> frozenset[Id]:
    """Markers that only say along which axes something slides.

    That is marker i of every guide; marker j too, unless it is a point that may turn freely.
    """
    guides = [j for j in model.of("joint") if freedom(j, model.dim).guides]
    leads = {j.marker_i for j in guides}
    return frozenset(leads | {j.marker_j for j in guides if keeps_direction(j, model.dim)})


def _axes(marker: Any, dim: int) -> np.ndarray:
    """The axes of a marker in its body, as columns."""
    if dim == 2:
        return about_z(float(marker.angle))
    return np.asarray(quaternion.matrix(np.array(marker.orientation, dtype=float)))


def mass_center(body: Any, dim: int) -> np.ndarray:
    """The mass centre in the body frame, where it is known.

    That of a mesh is kept while its shape stays the same: the moments of a large one take half a second,
    and a dragged body is a new object with every move of the mouse.
    """
    shape = getattr(body, "shape", None)
    if not isinstance(shape, Mesh):
        return _weighed_center(body, dim)
    key = (id(shape), body.center, body.fixed, dim)
    if key not in _CENTERS:
        while len(_CENTERS) >= MOST_KEPT:
            del _CENTERS[next(iter(_CENTERS))]
        _CENTERS[key] = (shape, _weighed_center(body, dim))
    return _CENTERS[key][1].copy()


def _weighed_center(body: Any, dim: int) -> np.ndarray:
    """The mass centre as the engine finds it, or as it is given."""
    given, center = getattr(body, "center", None), np.zeros(3)
    try:
        center[:dim] = body_mass_properties(body).center[:dim]
    except EngineError:
        if given is not None:
            center[:dim] = given
    return center


def frames_at(results: Results, time: float) -> Frames:
    """The frames of moving bodies at any time of a run.

    Between two frames mass centres follow the cubic through places and velocities. A body turns from R_0
    to R_1 by a rotation vector theta(s) that is a cubic too, with the angular velocities of both frames,

        R(s) = R_0 exp(theta)      theta' = w_0 dt at s = 0,   J^-1(theta_1) w_1 dt at s = 1

    or, where it turns far, evenly by the angle phi + 2 pi k that is nearest to the one expected from its
    speed. Across an event all is straight and even.
    """
    k = int(np.clip(np.searchsorted(results.t, time, side="right") - 1, 0, len(results) - 1))
    if k + 1 >= len(results) or time <= results.t[k]:
        return results.frames(k)
    if results.compiled.system.dim == 2:
        return body_frames(results.compiled, row_at(results, time))
    t0, t1 = (float(t) for t in results.t[k : k + 2])
    dt = t1 - t0
    s = (time - t0) / dt
    a, b, c = results.frames(k), results.frames(k + 1), results.compiled.center
    layout, (v0, v1) = results.compiled.layout, results.v[k : k + 2]
    P0, P1 = (f.r + np.einsum("nij,nj->ni", f.R, c) for f in (a, b))
    if holds_event(results, t0, t1):
        theta = s * _turned(a.R, b.R, dt * 0.5 * (v0 + v1)[layout.spins])
        P = (1.0 - s) * P0 + s * P1
    else:
        theta = _turn_between(s, a.R, b.R, dt * v0[layout.spins], dt * v1[layout.spins])
        P = hermite(s, P0, P1, dt * v0[layout.velocities], dt * v1[layout.velocities])
    R = a.R @ axis_angle.exponential(theta)
    return Frames(P - np.einsum("nij,nj->ni", R, c), R)


def hermite(s: Any, p0: np.ndarray, p1: np.ndarray, d0: np.ndarray, d1: np.ndarray) -> np.ndarray:
    """The cubic from p0 to p1 whose slopes at s = 0 and s = 1 are d0 and d1."""
    u = s * s * (3.0 - 2.0 * s)
    return (1.0 - u) * p0 + u * p1 + s * (1.0 - s) * ((1.0 - s) * d0 - s * d1)


def _turned(R0: np.ndarray, R1: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The rotation vectors (n, 3) from R_0 to R_1, with the whole turns that are expected."""
    phi_n = axis_angle.logarithm(np.swapaxes(R0, 1, 2) @ R1)
    phi = np.linalg.norm(phi_n, axis=1, keepdims=True)
    n = phi_n / np.maximum(phi, 1e-12)
    wanted = (expected * n).sum(axis=1, keepdims=True)
    turns = np.where(phi > 1e-9, np.round((wanted - phi) / (2 * np.pi)), 0.0)
    return (phi + 2 * np.pi * turns) * n


def _turn_between(
    s: float, R0: np.ndarray, R1: np.ndarray, w0: np.ndarray, w1: np.ndarray
) -> np.ndarray:
    """The rotation vectors at s between 0 and 1; w0 and w1 are angular velocities times the step.

    J^-1(theta) w = w + theta x w / 2 + c theta x (theta x w)      c = 1 / phi^2 - cot(phi / 2) / (2 phi)
    """
    theta = _turned(R0, R1, 0.5 * (w0 + w1))
    phi = np.linalg.norm(theta, axis=1, keepdims=True)
    is_small = phi < SMALL_TURN
    safe = np.where(is_small & (phi > 1e-4), phi, 1.0)
    c = np.where(phi > 1e-4, 1.0 / safe**2 - 1.0 / (2.0 * safe * np.tan(0.5 * safe)), 1.0 / 12.0)
    across = np.cross(theta, w1)
    end = w1 + 0.5 * across + c * np.cross(theta, across)
    return np.where(is_small, hermite(s, np.zeros_like(theta), theta, w0, end), s * theta)


def path_of(
    results: Results, k: int, local: np.ndarray, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities (n, 3) of a point of moving body k, given in its frame, in some frames."""
    compiled = results.compiled
    layout, v = compiled.layout, results.v[rows]
    arm = np.asarray(local, dtype=float) - compiled.center[k]
    P, R = _centers_and_axes(results, k, rows)
    V = np.zeros((len(rows), 3))
    V[:, : layout.dim] = v[:, layout.velocity(k)]
    w = v[:, layout.spin(k)]
    off = R @ arm
    if layout.dim == 2:
        V[:, 0] -= w[:, 0] * off[:, 1]
        V[:, 1] += w[:, 0] * off[:, 0]
        return P + off, V
    return P + off, V + np.einsum("nij,nj->ni", R, np.cross(w, arm))  # w is in body axes


def places_of(results: Results, k: int, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Places (n, 3) of several points of moving body k, given in its frame, in some frames."""
    P, R = _centers_and_axes(results, k, rows)
    arms = np.asarray(points, dtype=float).reshape(-1, 3) - results.compiled.center[k]
    return (P[:, None, :] + np.einsum("nij,mj->nmi", R, arms)).reshape(-1, 3)


def _centers_and_axes(results: Results, k: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mass centres (n, 3) and axes (n, 3, 3) of moving body k in some frames."""
    compiled = results.compiled
    layout, q = compiled.layout, results.q[rows]
    turn = q[:, layout.orientation(k)]
    P = np.zeros((len(rows), 3))
    P[:, : layout.dim] = q[:, layout.position(k)]
    if layout.dim == 2:
        c, s = np.cos(turn[:, 0]), np.sin(turn[:, 0])
        R = np.zeros((len(rows), 3, 3))
        R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1], R[:, 2, 2] = c, -s, s, c, 1.0
        return P, R
    code = int(compiled.system.bodies["orientation"][k])
    if code < 0:
        return P, quaternion.matrix(turn / np.linalg.norm(turn, axis=1, keepdims=True))
    return P, euler_angles.matrix(SEQUENCES[code], turn[:, :3])
