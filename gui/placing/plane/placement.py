"""Where every body and marker of a planar model is: as drawn, or in a row of q of a run."""

from bisect import bisect_right
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.model.elements import GROUND, Id, Model
from engine.model.limits import limits
from engine.model.shapes import body_mass_properties
from engine.results.results import Results
from gui.placing.grips import Grip, grip, is_slider
from gui.placing.loads import GivenLoads
from gui.placing.plane import silhouettes
from gui.placing.plane.bends import AnyBend, bends_of_row

Point = tuple[float, float]
FARTHEST = limits("m").most  # what is beyond is not handed to a painter


class Pose(NamedTuple):
    """Places in the world, in plain lists; the last body is the ground."""

    bodies: list[list[float]]  # x, y, angle of each body frame
    centers: list[list[float]]  # mass centres
    markers: list[list[float]]  # x, y, angle of each marker
    bends: dict[Id, AnyBend]  # beams that are not straight


class Placement:
    """The bodies and markers of a plain model as arrays, and how they are put into a pose."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.bodies = model.of("body")
        self.markers = [m for m in model.of("marker") if m.body == GROUND or m.body in model]
        self.body_index = {b.id: k for k, b in enumerate(self.bodies)}
        self.marker_index = {m.id: k for k, m in enumerate(self.markers)}
        n = len(self.bodies)
        self.body_index[GROUND] = n
        self.drawn = np.zeros((n + 1, 3))
        self.center = np.zeros((n + 1, 2))
        for k, body in enumerate(self.bodies):
            self.drawn[k] = (*body.position, getattr(body, "angle", 0.0))
            self.center[k] = mass_center(body)
        self.marker_body = np.array(
            [self.body_index.get(m.body, n) for m in self.markers], dtype=np.int64
        )
        local = [(*m.position, m.angle) for m in self.markers]
        self.marker_local = np.array(local, dtype=float).reshape(-1, 3)
        self.used_markers = used_markers(model)
        self.sliding = sliding_markers(model)
        self.pose = self.put(self.drawn)

    def with_bodies_moved(self, model: Model) -> "Placement":
        """The placement of a model that differs from this one in the places of bodies alone."""
        new = copy(self)
        new.model, new.bodies = model, [model[body.id] for body in self.bodies]
        new.drawn = np.zeros_like(self.drawn)
        for k, body in enumerate(new.bodies):
            new.drawn[k] = (*body.position, getattr(body, "angle", 0.0))
        new.put(new.drawn)
        return new

    @cached_property
    def given(self) -> GivenLoads:
        """The given forces and torques."""
        return GivenLoads(self.model)

    @cached_property
    def arms(self) -> list[list[int]]:
        """For each body the markers that lie off its shape: an arm leads there."""
        found: list[list[int]] = [[] for _ in range(len(self.bodies) + 1)]
        for n, k in enumerate(self.marker_body.tolist()):
            if self.has_arm(n):
                found[k].append(n)
        return found

    @cached_property
    def radii(self) -> np.ndarray:
        """How far each body reaches from the origin of its frame, arms and mass centre included."""
        far = np.hypot(*self.center.T)
        for k, body in enumerate(self.bodies):
            if (shape := getattr(body, "shape", None)) is not None:
                left, bottom, right, top = silhouettes.reach(shape)
                far[k] = max(far[k], np.hypot(max(-left, right), max(-bottom, top)))
            for n in self.arms[k]:
                far[k] = max(far[k], np.hypot(*self.marker_local[n, :2]))
        return far

    @cached_property
    def joint_ends(self) -> tuple[np.ndarray, list[Id]]:
        """The markers of all joints that have some, and the joint of each."""
        ends = [
            (self.marker_index[m], j.id)
            for j in self.model.of("joint")
            for m in (getattr(j, "marker_i", ""), getattr(j, "marker_j", ""))
            if m in self.marker_index
        ]
        return np.array([n for n, _ in ends], dtype=np.int64), [id for _, id in ends]

    @cached_property
    def meshing(self) -> list[Any]:
        """Gears and racks: joints without markers of their own."""
        return [j for j in self.model.of("joint") if not hasattr(j, "marker_i")]

    @cached_property
    def small(self) -> list[Any]:
        """What is drawn of points and lines, the newest first: all but bodies and plain pins."""
        return [
            e
            for e in reversed(list(self.model))
            if grip(e) not in (Grip.NOTHING, Grip.BODY, Grip.PIN)
            and not (e.family == "marker" and e.id in self.used_markers)
        ]

    def put(self, frames: np.ndarray, bends: dict[Id, AnyBend] | None = None) -> Pose:
        """The pose in which the body frames are at (x, y, angle), one row each; changes `pose`.

        `bends` are beams that are not straight, with their markers.
        """
        good = (np.abs(frames) <= FARTHEST).all(1)
        if not good.all():  # a run that diverged
            frames = np.where(good[:, None], frames, self.drawn)
        self.frames = frames
        x, y, phi = frames.T
        c, s = np.cos(phi), np.sin(phi)
        centers = np.column_stack(
            [
                x + c * self.center[:, 0] - s * self.center[:, 1],
                y + s * self.center[:, 0] + c * self.center[:, 1],
            ]
        )
        at, (px, py, turn) = self.marker_body, self.marker_local.T
        markers = np.column_stack(
            [
                x[at] + c[at] * px - s[at] * py,
                y[at] + s[at] * px + c[at] * py,
                phi[at] + turn,
            ]
        )
        for bend in (bends or {}).values():
            for id, (dx, dy, turned) in bend.markers.items():
                n = self.marker_index.get(id)
                if n is not None:
                    k = at[n]
                    markers[n] += c[k] * dx - s[k] * dy, s[k] * dx + c[k] * dy, turned
        self.pose = Pose(frames.tolist(), centers.tolist(), markers.tolist(), bends or {})
        return self.pose

    def put_at(self, results: Results, time: float) -> Pose:
        """The pose of a moment of a run; changes `pose`."""
        return self.put(self.frames_of(results, time), self.bends_of(results, time))

    def bends_of(
        self, results: Results, time: float, magnification: float = 1.0
    ) -> dict[Id, AnyBend]:
        """The bent beams at any time of a run."""
        if not results.compiled.elastic:
            return {}
        return bends_of_row(results.compiled, row_at(results, time), magnification)

    def frames_of(self, results: Results, time: float) -> np.ndarray:
        """Body frames at any time of a run; fixed bodies stay as drawn."""
        return self.frames_of_row(results.compiled, row_at(results, time))

    def frames_of_row(self, compiled: Compiled, q_row: np.ndarray) -> np.ndarray:
        """Body frames of a row of q, which holds mass centres; fixed bodies stay as drawn."""
        frames = self.drawn.copy()
        layout, q_row = compiled.layout, np.asarray(q_row)
        at = [self.body_index.get(id, -1) for id in compiled.body_ids]
        known = [k for k, body in enumerate(at) if body >= 0]
        if not known:
            return frames
        (x, y), phi = q_row[layout.positions[known]].T, q_row[layout.orientations[known, 0]]
        c, s, (cx, cy) = np.cos(phi), np.sin(phi), compiled.center[known, :2].T
        origin = np.column_stack([x - (c * cx - s * cy), y - (s * cx + c * cy), phi])
        frames[[at[k] for k in known]] = origin
        return frames

    def marker_at(self, id: Id) -> list[float]:
        """x, y and angle of a marker in the pose."""
        return self.pose.markers[self.marker_index[id]]

    def center_of(self, k: int) -> list[float]:
        """The mass centre of body number k in the pose."""
        return list(self.pose.centers[k])

    def body_of(self, marker: Id) -> Id:
        """The body of a marker, or 'ground'."""
        return self.markers[self.marker_index[marker]].body

    def is_fixed(self, body: Id) -> bool:
        """Whether a body never moves."""
        return body == GROUND or body not in self.body_index or bool(self.model[body].fixed)

    def has_arm(self, n: int) -> bool:
        """Whether marker number n lies off its body's shape, so that an arm must lead there.

        A slider needs none: the place of the marker on its axis is arbitrary.
        """
        k = int(self.marker_body[n])
        if k >= len(self.bodies) or self.markers[n].id in self.sliding:
            return False
        shape = getattr(self.bodies[k], "shape", None)
        if shape is None:
            return hasattr(self.bodies[k], "inertia")
        x, y, _ = self.marker_local[n].tolist()
        left, bottom, right, top = silhouettes.reach(shape)
        return not silhouettes.contains(shape, x, y, 1e-6 * max(right - left, top - bottom))

    def to_body(self, body: Id, x: float, y: float) -> Point:
        """A world point in the frame of a body."""
        x0, y0, phi = self.pose.bodies[self.body_index[body]]
        c, s = np.cos(phi), np.sin(phi)
        return float(c * (x - x0) + s * (y - y0)), float(c * (y - y0) - s * (x - x0))

    def to_world(self, body: Id, x: float, y: float) -> Point:
        """A point of a body in the world."""
        x0, y0, phi = self.pose.bodies[self.body_index[body]]
        c, s = np.cos(phi), np.sin(phi)
        return float(x0 + c * x - s * y), float(y0 + s * x + c * y)


def used_markers(model: Model) -> frozenset[Id]:
    """Markers that a joint, force, tracer or event uses."""
    return frozenset(
        getattr(e, name, "")
        for e in model
        if e.family in ("joint", "force", "tracer", "trigger")
        for name in ("marker_i", "marker_j", "marker")
    )


def sliding_markers(model: Model) -> frozenset[Id]:
    """Markers of sliders on bodies that have a shape."""
    sliders = [j for j in model.of("joint") if is_slider(j, model.dim)]
    ends = [m for j in sliders for m in (j.marker_i, j.marker_j)]
    on = [(m, model.elements.get(model[m].body)) for m in ends if m in model]
    return frozenset(m for m, body in on if getattr(body, "shape", None) is not None)


def mass_center(body: object) -> Point:
    """The mass centre in the body frame, where it is known."""
    given = getattr(body, "center", None)
    try:
        x, y = body_mass_properties(body).center[:2]
        if given is not None and getattr(body, "fixed", False):
            return float(given[0]), float(given[1])
        return float(x), float(y)
    except EngineError:
        return (float(given[0]), float(given[1])) if given is not None else (0.0, 0.0)


def row_at(results: Results, time: float) -> np.ndarray:
    """The row of q of a planar run at any time."""
    k = piece_at(results.t, time)
    is_broken = k + 1 < len(results) and holds_event(results, results.t[k], results.t[k + 1])
    return between_frames(time, results.t, results.q, results.v, is_straight=is_broken)


def piece_at(times: np.ndarray, time: float) -> int:
    """The frame after which a time lies, of those that have a next one."""
    after = int(np.searchsorted(times, time, side="right"))
    return int(np.clip(after - 1, 0, max(len(times) - 2, 0)))


def holds_event(results: Results, start: float, end: float) -> bool:
    """Whether the motion has a kink between two moments: no smooth curve leads across it."""
    events = results.events
    for event in events[bisect_right(events, start, key=lambda e: e.t) :]:
        if event.t >= end:
            return False
        if not event.kind.startswith("gimbal"):  # those are of coordinates, not of the motion
            return True
    return False


def between_frames(
    t: float, times: np.ndarray, q: np.ndarray, v: np.ndarray, *, is_straight: bool = False
) -> np.ndarray:
    """The row of q at any time: cubic pieces with the velocities of both frames, or straight ones."""
    k = piece_at(times, t)
    if len(times) == 1 or t <= times[k]:
        return q[k]
    h = times[k + 1] - times[k]
    u = min((t - times[k]) / h, 1.0)
    if u >= 1.0:
        return q[k + 1]
    if is_straight:
        return (1.0 - u) * q[k] + u * q[k + 1]
    a, b = u * u * (3.0 - 2.0 * u), u * (1.0 - u)
    return (1.0 - a) * q[k] + a * q[k + 1] + h * b * ((1.0 - u) * v[k] - u * v[k + 1])
