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
from gui.placing.plane.placement import between_frames, used_markers
from rotations import SEQUENCES, axis_angle, euler_angles, quaternion

MOST_KEPT = 64  # mass centres of meshes
_CENTERS: dict[Any, tuple[Any, np.ndarray]] = {}  # with their shapes, so that no id is reused
LAYERS = 5  # of planar bodies, one above the other
LAYER = 0.018  # m per metre of the drawing


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

    def put(self, frames: Frames) -> None:
        """Take this pose of the body frames; changes places of markers and mass centres."""
        if not (np.isfinite(frames.r).all() and np.isfinite(frames.R).all()):  # a run that diverged
            good = np.isfinite(frames.r).all(1) & np.isfinite(frames.R).all((1, 2))
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

    Between two frames mass centres follow the cubic through places and velocities, and a body turns
    evenly from R_0 to R_1 by the angle phi + 2 pi k that is nearest to the one expected from its speed:

        R(s) = R_0 exp(s n (phi + 2 pi k))        phi n = log(R_0^T R_1),   k from  w . n dt
    """
    k = int(np.clip(np.searchsorted(results.t, time, side="right") - 1, 0, len(results) - 1))
    if k + 1 >= len(results) or time <= results.t[k]:
        return results.frames(k)
    if results.compiled.system.dim == 2:
        row = between_frames(time, results.t, results.q, results.v)
        return body_frames(results.compiled, row)
    dt = float(results.t[k + 1] - results.t[k])
    s = (time - float(results.t[k])) / dt
    a, b, c = results.frames(k), results.frames(k + 1), results.compiled.center
    layout, (v0, v1) = results.compiled.layout, results.v[k : k + 2]
    phi_n = axis_angle.logarithm(np.swapaxes(a.R, 1, 2) @ b.R)
    phi = np.linalg.norm(phi_n, axis=1, keepdims=True)
    n = phi_n / np.maximum(phi, 1e-12)
    wanted = 0.5 * dt * ((v0 + v1)[layout.spins] * n).sum(axis=1, keepdims=True)
    turns = np.where(phi > 1e-9, np.round((wanted - phi) / (2 * np.pi)), 0.0)
    R = a.R @ axis_angle.exponential(s * (phi + 2 * np.pi * turns) * n)
    P0, P1 = (f.r + np.einsum("nij,nj->ni", f.R, c) for f in (a, b))
    u = s * s * (3.0 - 2.0 * s)
    rates = (1.0 - s) * v0[layout.velocities] - s * v1[layout.velocities]
    P = (1.0 - u) * P0 + u * P1 + dt * s * (1.0 - s) * rates
    return Frames(P - np.einsum("nij,nj->ni", R, c), R)


def path_of(results: Results, k: int, local: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Where a point of moving body k, given in its frame, is in some frames of a run: (n, 3)."""
    compiled = results.compiled
    layout, q = compiled.layout, results.q[rows]
    turn = q[:, layout.orientation(k)]
    arm = np.asarray(local, dtype=float) - compiled.center[k]
    P = np.zeros((len(rows), 3))
    P[:, : layout.dim] = q[:, layout.position(k)]
    if layout.dim == 2:
        c, s = np.cos(turn[:, 0]), np.sin(turn[:, 0])
        P[:, 0] += c * arm[0] - s * arm[1]
        P[:, 1] += s * arm[0] + c * arm[1]
        return P
    code = int(compiled.system.bodies["orientation"][k])
    if code < 0:
        R = quaternion.matrix(turn / np.linalg.norm(turn, axis=1, keepdims=True))
    else:
        R = euler_angles.matrix(SEQUENCES[code], turn[:, :3])
    return P + R @ arm
