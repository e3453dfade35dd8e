"""Arrows of reactions, velocities, accelerations and forces at the time that is shown.

A reaction is what a joint does to the body of its marker j, drawn at that marker:

    F = -(D^T lam) of the joint's own rows on that body
"""

from math import hypot
from typing import NamedTuple

import numpy as np

from engine.evaluate import fill
from engine.kernels import histories
from engine.kernels.functions import STACK_SIZE
from engine.kernels.layout import DISTANCE
from engine.model import Id
from engine.results import Results
from engine.system import Compiled, workspace
from gui.document import Document
from gui.playback import Playback
from gui.stage2d.loads import force_vector
from gui.stage2d.placement import Placement, Point
from gui.stage2d.snapping import nice_step

KINDS = {"reactions": "N", "velocities": "m/s", "accelerations": "m/s²", "forces": "N"}
LONG = 90.0  # pixels of the largest arrow of a run, before the user's scale
SAMPLES = 40  # frames that are looked at to find the largest


class Arrow(NamedTuple):
    """A vector at a point of the world."""

    id: Id
    at: Point
    value: Point


class Arrows:
    """Which arrows are shown, to what scale, and what they are now."""

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.scale = 1.0
        self.now: dict[str, list[Arrow]] = {}
        self._per_unit: dict[str, float] = {}  # pixels
        self._solver: _Reactions | None = None

    def show(self, kind: str, on: bool) -> None:
        """Draw a kind of arrows, or not; changes what is shown."""
        if kind not in KINDS:
            raise ValueError(f"There are no arrows of '{kind}', only {', '.join(KINDS)}.")
        (self.kinds.add if on else self.kinds.discard)(kind)

    def forget(self) -> None:
        """Another run is shown: find its scale anew."""
        self._per_unit, self._solver = {}, None

    def pixels_per_unit(self, kind: str) -> float:
        """How long an arrow of one unit is."""
        return self._per_unit.get(kind, 0.0) * self.scale

    def update(self, playback: Playback, document: Document, placement: Placement) -> None:
        """Find the arrows of the pose that is shown; changes `now`."""
        self.now = {}
        if not self.kinds or document.shown.dim == 3:
            return
        results = playback.results
        if results is None or not len(results) or results.model is not document.shown:
            self.now = {kind: _as_drawn(kind, placement) for kind in self.kinds}
        else:
            k = results.frame_at(playback.time)
            self.now = {kind: self._of_frame(kind, results, k, placement) for kind in self.kinds}
            for kind in self.kinds - self._per_unit.keys():
                frames = np.unique(np.linspace(0, len(results) - 1, SAMPLES).astype(int))
                sizes = [_largest(self._of_frame(kind, results, n, placement)) for n in frames]
                self._set_scale(kind, max(sizes, default=0.0))
        for kind in self.kinds:  # also while a run grows beyond what was seen first
            largest = _largest(self.now[kind])
            if kind not in self._per_unit or largest * self._per_unit[kind] > 2.0 * LONG:
                self._set_scale(kind, largest)

    def _set_scale(self, kind: str, largest: float) -> None:
        if largest > 0.0:
            self._per_unit[kind] = LONG / nice_step(largest)

    def _of_frame(self, kind: str, results: Results, k: int, placement: Placement) -> list[Arrow]:
        """The arrows of one kind in one frame, at the places of the pose that is shown."""
        if kind in ("velocities", "accelerations"):
            rows = (results.v if kind == "velocities" else results.a)[k].reshape(-1, 3)
            index = placement.body_index
            return [
                Arrow(id, tuple(placement.pose.centers[index[id]]), (float(u[0]), float(u[1])))
                for id, u in zip(results.compiled.body_ids, rows)
                if id in index
            ]
        if self._solver is None or self._solver.compiled is not results.compiled:
            self._solver = _Reactions(results.compiled)
        self._solver.go_to(results, k)
        if kind == "reactions":
            return self._solver.reactions(placement)
        return self._solver.forces(placement, float(results.t[k]))


def _as_drawn(kind: str, placement: Placement) -> list[Arrow]:
    """What is known without a run: velocities at the start, and given forces."""
    found = []
    if kind == "velocities":
        for k, body in enumerate(placement.bodies):
            (x, y, _), (cx, cy) = placement.pose.bodies[k], placement.pose.centers[k]
            (vx, vy), w = body.velocity, getattr(body, "spin", 0.0)
            found.append(Arrow(body.id, (cx, cy), (vx - w * (cy - y), vy + w * (cx - x))))
    elif kind == "forces":
        found = _given(placement, 0.0)
    return found


def _given(placement: Placement, t: float) -> list[Arrow]:
    """The given forces at points."""
    return [
        Arrow(f.id, tuple(placement.marker_at(f.marker_i)[:2]), force_vector(placement, f, t))
        for f in placement.model.of("force")
        if f.kind == "force" and f.marker_i in placement.marker_index
    ]


def _largest(arrows: list[Arrow]) -> float:
    return max((hypot(*arrow.value) for arrow in arrows), default=0.0)


class _Reactions:
    """Reactions of all joints and forces of all springs in one frame."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.ws = workspace(compiled.system)
        self.joints = []  # id, marker, places in ws.D, rows, sign
        index = {id: k for k, id in enumerate(compiled.body_ids)}
        system = compiled.system
        for joint in compiled.resolved.of("joint"):
            rows = compiled.rows_of.get(joint.id)
            if rows is None or not hasattr(joint, "marker_i"):
                continue
            for marker, sign in ((joint.marker_j, 1.0), (joint.marker_i, -1.0)):
                k = index.get(compiled.resolved[marker].body)
                if k is not None:
                    body = system.bodies[k]
                    places = np.arange(body["start"], body["stop"])
                    mine = places[np.isin(system.row_of[places], rows)]
                    self.joints.append((joint.id, joint.marker_j, mine, system.row_of[mine], sign))
                    break

    def go_to(self, results: Results, k: int) -> None:
        """Work the equations out at a frame; changes the workspace."""
        self.t = float(results.t[k])
        self.lam = results.lam[k]
        q, v = (np.ascontiguousarray(column[k]) for column in (results.q, results.v))
        self.values, self.speeds = fill(self.compiled, self.ws, self.t, q, v)

    def reactions(self, placement: Placement) -> list[Arrow]:
        """The force of each joint on the body of its marker j."""
        found = []
        for id, marker, places, rows, sign in self.joints:
            if marker in placement.marker_index:
                F = -sign * (self.lam[rows] @ self.ws.D[places])[:2]
                at = placement.marker_at(marker)
                found.append(Arrow(id, (at[0], at[1]), (float(F[0]), float(F[1]))))
        return found

    def forces(self, placement: Placement, t: float) -> list[Arrow]:
        """What springs and dampers do at both ends, and given forces."""
        system = self.compiled.system
        N = np.zeros((1, len(system.laws)))
        args, stack = np.zeros(5), np.zeros(STACK_SIZE)
        values, speeds = self.values[None, :], self.speeds[None, :]
        times = np.array([t])
        histories.tensions(system.laws, system.functions, times, values, speeds, args, stack, N)
        found = _given(placement, t)
        for k, id in enumerate(self.compiled.law_ids):
            force = self.compiled.resolved[id]
            ends = [getattr(force, name, "") for name in ("marker_i", "marker_j")]
            straight = system.terms["kind"][system.laws["term"][k]] == DISTANCE
            if not straight or any(m not in placement.marker_index for m in ends):
                continue
            (ax, ay, _), (bx, by, _) = map(placement.marker_at, ends)
            away = hypot(bx - ax, by - ay) or 1.0
            pull = float(N[0, k]) / away
            if force.kind == "general_force":
                pull = -pull
            e = (pull * (bx - ax), pull * (by - ay))
            found.append(Arrow(id, (ax, ay), e))
            found.append(Arrow(id, (bx, by), (-e[0], -e[1])))
        return found
