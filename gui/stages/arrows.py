"""Arrows of reactions, velocities, accelerations and forces at the time that is shown.

A reaction is what a joint does to the body of its marker j, drawn at that marker:

    F = -(D^T lam) of the joint's own rows on that body

The force of teeth is that on the second wheel, or on the rack, drawn at the pitch point. Shapes that
touch have two arrows where they do: the normal force, and beside it, in a colour of its own, the friction

    F = N n + T
The numbers are found here for the plane and for space; the placement gives the points where they are drawn.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from math import hypot
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.kernels import histories
from engine.kernels.acting import teeth
from engine.kernels.acting.interactions import NORMAL, PRESSURE, SPOT
from engine.kernels.functions import STACK_SIZE
from engine.kernels.layout import DISTANCE, EXPRESSION, FORCE
from engine.kinematics.evaluate import fill
from engine.kinematics.limits import contact_modes
from engine.model.connections import Interaction, interactions_of
from engine.model.elements import Id, Model, same_mechanism
from engine.model.joints.base import Transmission
from engine.results.channels.interactions import WIDTH
from engine.results.results import Results
from gui.placing.plane.snapping import nice_step
from gui.state.document import Document
from gui.state.numbers import size_of
from gui.state.playback import Playback

KINDS = {"reactions": "N", "velocities": "m/s", "accelerations": "m/s²", "forces": "N"}
LONG = 90.0  # pixels of the largest arrow of a run, before the user's scale
ROUNDING = 1e-8  # of a size in a second, of a weight
NONE = np.zeros(0, dtype=np.int64)
SAMPLES = 40  # frames that are sampled to find the largest


class Arrow(NamedTuple):
    """A vector at a point of the world."""

    id: Id
    at: tuple[float, ...]
    value: tuple[float, ...]
    rubs: bool = False  # friction of shapes that touch, which has a colour of its own


class Arrows(ABC):
    """Which arrows are shown, to what scale, and what they are now."""

    kinds_known: ClassVar[dict[str, str]] = KINDS
    dims: ClassVar[tuple[int, ...]] = (2, 3)  # of its models

    def __init__(self) -> None:
        self.kinds: set[str] = set()
        self.scale = 1.0
        self.now: dict[str, list[Arrow]] = {}
        self._per_unit: dict[str, float] = {}  # pixels
        self._noise: dict[str, float] = {}  # what is rounding: no arrow is drawn
        self._weighed: tuple[int, float] = (0, 0.0)  # the model and the mass it was found for
        self._solver: Reactions | None = None

    def show(self, kind: str, on: bool) -> None:
        """Draw a kind of arrows, or not; changes what is shown."""
        if kind not in self.kinds_known:
            known = ", ".join(self.kinds_known)
            raise ValueError(f"There are no arrows of '{kind}', only {known}.")
        (self.kinds.add if on else self.kinds.discard)(kind)

    def forget(self) -> None:
        """Find the scale of another run."""
        self._per_unit, self._solver = {}, None

    def pixels_per_unit(self, kind: str) -> float:
        """How long an arrow of one unit is."""
        return self._per_unit.get(kind, 0.0) * self.scale

    def update(self, playback: Playback, document: Document, placement: Any) -> None:
        """Find the arrows of the pose that is shown; changes `now`."""
        self.now = {}
        if not self.kinds or document.shown.dim not in self.dims:
            return
        results = playback.results
        mass = float(results.compiled.mass.sum()) if results is not None else 0.0
        if self._weighed != (key := (id(document.shown.elements), mass)):
            self._weighed, self._noise = key, noise_of(document.shown, mass)
        if results is None or not len(results) or not same_mechanism(results.model, document.shown):
            self.now = {kind: self.as_drawn(kind, placement) for kind in self.kinds}
        else:
            k = results.frame_at(playback.time)
            self.now = {kind: self.of_frame(kind, results, k, placement) for kind in self.kinds}
            for kind in self.kinds - self._per_unit.keys():
                frames = np.unique(np.linspace(0, len(results) - 1, SAMPLES).astype(int))
                sizes = [_largest(self.of_frame(kind, results, n, placement)) for n in frames]
                self._set_scale(kind, max(sizes, default=0.0))
        self.now = {
            kind: [one for one in found if hypot(*one.value) > self._noise.get(kind, 0.0)]
            for kind, found in self.now.items()
        }
        for kind in self.kinds:  # also while a run grows beyond the first sample
            largest = _largest(self.now[kind])
            if kind not in self._per_unit or largest * self._per_unit[kind] > 2.0 * LONG:
                self._set_scale(kind, largest)

    def _set_scale(self, kind: str, largest: float) -> None:
        if largest > self._noise.get(kind, 0.0):
            self._per_unit[kind] = LONG / nice_step(largest)

    def of_frame(self, kind: str, results: Results, k: int, placement: Any) -> list[Arrow]:
        """The arrows of one kind in one frame, at the places of the pose that is shown."""
        if kind in ("velocities", "accelerations"):
            compiled = results.compiled
            rows = (results.v if kind == "velocities" else results.a)[k]
            index = placement.body_index
            return [
                self.arrow(id, self.center(placement, index[id]), u)
                for id, u in zip(compiled.body_ids, rows[compiled.layout.velocities])
                if id in index
            ]
        if self._solver is None or self._solver.compiled is not results.compiled:
            self._solver = Reactions(results.compiled)
        self._solver.go_to(results, k)
        if kind == "reactions":
            found = self._solver.reactions()
        else:
            found = self._solver.forces(lambda marker: self.at(placement, marker))
        known = placement.marker_index
        drawn = [self.arrow(id, self.at(placement, m), F) for id, m, F in found if m in known]
        if kind == "forces":
            drawn += self._of_contacts(placement)
            return [*self.given(placement, float(results.t[k])), *drawn]
        return drawn + [
            self.arrow(id, center + away[: len(center)], F)
            for id, m, away, F in self._solver.tooth_forces()
            if (center := self.at(placement, m)) is not None
        ]

    def _of_contacts(self, placement: Any) -> list[Arrow]:
        """Normal force and friction of shapes that touch, at the point of contact."""
        assert self._solver is not None
        found = []
        for one in self._solver.contacts():
            center = self.at(placement, one.marker)
            if center is None and one.marker in placement.body_index:
                center = self.center(placement, placement.body_index[one.marker])
            if center is not None:
                at = center + one.away[: len(center)]
                found.append(self.arrow(one.id, at, one.normal))
                found.append(self.arrow(one.id, at, one.friction)._replace(rubs=True))
        return found

    # --- differs between plane and space

    @abstractmethod
    def at(self, placement: Any, marker: Id) -> np.ndarray | None:
        """Where a marker is drawn."""

    @abstractmethod
    def center(self, placement: Any, k: int) -> np.ndarray:
        """Where the mass centre of body k is drawn."""

    @abstractmethod
    def force(self, placement: Any, force: Any, t: float) -> Any:
        """The given force of an element at a moment [N]."""

    @abstractmethod
    def starts(self, kind: str, placement: Any) -> list[Arrow]:
        """The arrows of one kind for the initial motion of bodies."""

    def arrow(self, id: Id, at: Any, value: Any) -> Arrow:
        """An arrow of plain numbers."""
        return Arrow(id, tuple(map(float, at)), tuple(map(float, value)))

    def as_drawn(self, kind: str, placement: Any) -> list[Arrow]:
        """What is known without a run: the start of bodies, and given forces."""
        return self.given(placement, 0.0) if kind == "forces" else self.starts(kind, placement)

    def given(self, placement: Any, t: float) -> list[Arrow]:
        """The given forces at points."""
        return [
            self.arrow(f.id, self.at(placement, f.marker_i), self.force(placement, f, t))
            for f in placement.model.of("force")
            if placement.given.of(f.id, FORCE) and f.marker_i in placement.marker_index
        ]


def noise_of(model: Model, mass: float) -> dict[str, float]:
    """Below what an arrow of each kind is rounding, by the size and the weight of the model."""
    size = ROUNDING * size_of(model)
    pulls = hypot(*(g for g in model.gravity if isinstance(g, int | float)))
    force = mass * max(ROUNDING * pulls, size)
    return {
        "velocities": size,
        "accelerations": 10.0 * max(size, ROUNDING * pulls),
        "reactions": force,
        "forces": force,
    }


def _largest(arrows: list[Arrow]) -> float:
    return max((hypot(*arrow.value) for arrow in arrows), default=0.0)


class Touch(NamedTuple):
    """What shapes or teeth that touch do to the body of marker j."""

    id: Id
    marker: Id  # or a body, whose mass centre it is then
    away: np.ndarray  # the point of contact, from marker j   [m]
    normal: np.ndarray  # N n                                 [N]
    friction: np.ndarray  # T                                 [N]
    other: Id = ""  # marker i


class Reactions:
    """Reactions of all joints and forces of springs and of the air in one frame, in plane and space."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.dim = compiled.system.dim
        self.ws = workspace(compiled.system)
        self.table = linked(compiled.system, self.ws)
        self.joints: list[tuple[Id, Id]] = []  # with their marker, each with the following
        signs: list[float] = []
        loads: list[np.ndarray] = []  # places in ws.D
        index = {id: k for k, id in enumerate(compiled.body_ids)}
        system = compiled.system
        self._centers = {}  # of the first wheel of each mesh
        for joint in compiled.resolved.of("joint"):
            if isinstance(joint, Transmission) and (mesh := joint.meshing(compiled.resolved)):
                self._centers[joint.id] = mesh.marker_i
            rows = compiled.rows_of.get(joint.id)
            if rows is None or not hasattr(joint, "marker_i"):
                continue
            for marker, sign in ((joint.marker_j, 1.0), (joint.marker_i, -1.0)):
                k = compiled.followers.get(marker, index.get(compiled.resolved[marker].body))
                if k is not None:
                    body = system.carriers[k]
                    places = np.arange(body["start"], body["stop"])
                    mine = places[np.isin(system.row_of[places], rows)]
                    if len(mine):
                        self.joints.append((joint.id, joint.marker_j))
                        signs.append(sign)
                        loads.append(mine)
                    break
        self._signs, self._places = np.array(signs)[:, None], np.concatenate([NONE, *loads])
        self._rows = system.row_of[self._places]
        self._begins = np.cumsum([0, *(len(mine) for mine in loads)])[: len(loads)]

    def go_to(self, results: Results, k: int) -> None:
        """Evaluate the equations at a frame; changes the workspace."""
        self.t = float(results.t[k])
        self.lam = results.lam[k]
        q, v, z = results.q[k], results.v[k], results.z[k]
        self.y = self.compiled.layout.y(q, v, z)
        self.values, self.speeds = fill(self.compiled, self.ws, self.t, q, v, z)

    def reactions(self) -> list[tuple[Id, Id, np.ndarray]]:
        """The force of each joint on the body of its marker j, world axes: joint, marker, force."""
        if not self.joints:
            return []
        parts = self.lam[self._rows, None] * self.ws.D[self._places, : self.dim]
        forces = -self._signs * np.add.reduceat(parts, self._begins)
        return [(id, marker, F) for (id, marker), F in zip(self.joints, forces)]

    def tooth_forces(self) -> list[tuple[Id, Id, np.ndarray, np.ndarray]]:
        """What teeth do to the second wheel: gear, centre of the first, pitch point from there, force."""
        compiled, frames, found = self.compiled, self.ws.spatial, []
        system = compiled.system
        for mesh in system.meshings:
            id = self.compiled.row_ids[mesh["row"]]
            P, u, ratio = teeth.contact(mesh, frames)
            k, sign = (mesh["j"], -1.0) if mesh["j"] < compiled.ground else (mesh["i"], 1.0)
            places = np.arange(system.carriers[k]["start"], system.carriers[k]["stop"])
            (row,) = places[system.row_of[places] == mesh["row"]]
            lam = self.lam[mesh["row"]]
            F = sign * lam * self.ws.D[row][: self.dim]
            F = F + mesh["slope"] * ratio * abs(lam) * np.array(u)[: self.dim]
            wheel = frames[mesh["i"]]
            center = wheel["r"] + wheel["R"] @ mesh["P_i"]
            found.append((id, self._centers[id], np.array(P) - center, F))
        return found

    def forces(self, at: Callable[[Id], np.ndarray | None]) -> list[tuple[Id, Id, np.ndarray]]:
        """The forces of springs and dampers at both ends: force, marker, vector. `at` places markers."""
        system = self.compiled.system
        N = np.zeros((1, len(system.laws)))
        args, stack = np.zeros(5), np.zeros(STACK_SIZE)
        values, speeds = self.values[None, :], self.speeds[None, :]
        times = np.array([self.t])
        histories.tensions(system.laws, system.functions, times, values, speeds, args, stack, N)
        found = []
        for k, id in enumerate(self.compiled.law_ids):
            force = self.compiled.resolved[id]
            i, j = (getattr(force, name, "") for name in ("marker_i", "marker_j"))
            straight = system.terms["kind"][system.laws["term"][k]] == DISTANCE
            ends = (at(i), at(j)) if straight and i and j else (None, None)
            if ends[0] is None or ends[1] is None:
                continue
            d = (ends[1] - ends[0])[: self.dim]
            pull = float(N[0, k]) / (float(np.linalg.norm(d)) or 1.0)
            if system.laws["kind"][k] == EXPRESSION:  # it pushes where it is positive
                pull = -pull
            found += [(id, i, pull * d), (id, j, -pull * d)]
        return found + self._of_interactions()

    def _of_interactions(self) -> list[tuple[Id, Id, np.ndarray]]:
        """What laws of markers do to body j, at marker j; the other body takes the opposite there."""
        compiled, out = self.compiled, np.zeros((1, WIDTH))
        rates = np.zeros(len(compiled.system.terms))
        found = []
        for k, (element, one) in enumerate(self._acting):
            if one.pushes and not one.touches:
                at, lam = np.array([self.t]), np.ascontiguousarray(self.lam)[None]
                histories.wrenches(self.table, at, self.y[None], lam, k, rates, out)
                found.append((element.id, one.marker_j, out[0, : self.dim].copy()))
        return found

    @cached_property
    def _acting(self) -> list[tuple[Any, Interaction]]:
        return interactions_of(self.compiled.resolved)

    def contacts(self) -> list[Touch]:
        """What shapes and teeth that touch do in this frame."""
        compiled, out = self.compiled, np.zeros((1, WIDTH))
        rates = np.zeros(len(compiled.system.terms))
        found = []
        modes = contact_modes(compiled, np.array([self.t]), self.y[None])
        numbers = compiled.system.switches["contact"]
        for k in sorted(int(numbers[which]) for which, mode in modes.items() if mode[0] != 0.0):
            element, one = self._acting[k]
            at, lam = np.array([self.t]), np.ascontiguousarray(self.lam)[None]
            histories.wrenches(self.table, at, self.y[None], lam, k, rates, out)
            if out[0, 7 + PRESSURE] > 0.0:
                j = compiled.system.interactions[k]
                frame = self.ws.spatial[j["j"]]
                is_body = one.marker_j in compiled.body_ids
                P_j = frame["r"] + (0.0 if is_body else frame["R"] @ j["P_j"])
                away = out[0, 7 + SPOT : 10 + SPOT] - P_j
                normal = out[0, 7 + NORMAL : 7 + NORMAL + self.dim].copy()
                friction = out[0, : self.dim] - normal
                found.append(Touch(element.id, one.marker_j, away, normal, friction, one.marker_i))
        return found
