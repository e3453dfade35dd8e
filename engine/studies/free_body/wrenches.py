"""What every element does to every body at one state: forces and moments at their points.

From the generalised force Q_k of an element on body k, moved from the mass centre to the point P,

    F = Q_r        T = (moment about the mass centre) - s x F        s = P - r

where the moment is Q_phi in the plane and R Q_w in space. A reaction has Q = -D^T lam of the rows of its
joint, a law Q = -N dx/dq. Both bodies of a connection are told, with the opposite force and moment at the
same point, or each at its own point where the force lies on the line that joins them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.errors import say
from engine.kernels import entries
from engine.kernels.acting.interactions import PRESSURE, SPOT
from engine.kernels.layout import ANGLE, DISTANCE, DOT, FORCE, POINT, Workspace
from engine.kernels.state import layout_of
from engine.model.attachments import markers_of
from engine.model.connections import Interaction, Load, Meshing, body_of, interactions_of
from engine.model.elements import GROUND, Id
from engine.model.joints.base import Transmission
from engine.results.channels.forces import load_history
from engine.results.channels.interactions import wrench_history
from engine.results.channels.motion import marker_frame
from engine.results.channels.parts import frames_of, part_of_laws
from engine.results.channels.teeth import tooth_force

if TYPE_CHECKING:
    from engine.results.results import Results

WEIGHT, REACTION, DRIVE, APPLIED, INERTIA = "weight", "reaction", "drive", "force", "inertia"
OWN_ENDS = {
    POINT,
    DISTANCE,
    ANGLE,
    DOT,
}  # coordinates whose forces act at the markers of both bodies
Vector = np.ndarray  # (3,) world axes
Use = tuple[int, np.ndarray, np.ndarray]  # a carrier, its rows in D, and which rows these are


class Wrench(NamedTuple):
    """A force and a moment on one body, at a point, world axes."""

    source: Id  # the element; empty for weight and inertia
    kind: str  # WEIGHT, REACTION, DRIVE, APPLIED or INERTIA
    label: str
    body: Id  # on which it acts, or the ground
    other: Id  # the body that takes the opposite, or empty
    place: Vector  # [m]
    force: Vector  # [N]
    moment: Vector  # [N m]

    def about(self, point: Vector) -> Vector:
        """Its moment about a point."""
        return np.asarray(self.moment + np.cross(self.place - point, self.force))


class State(NamedTuple):
    """One state with everything that was filled for it."""

    one: "Results"  # of one frame
    ws: Workspace  # of the whole system
    r: np.ndarray  # (n + 1, 3)     mass centres of carriers, and the origin for the ground
    R: np.ndarray  # (n + 1, 3, 3)  their axes


def state_of(one: "Results", ws: Workspace) -> State:
    """A state whose workspace is filled."""
    if one.compiled.system.dim == 3:
        return State(one, ws, ws.spatial["r"].copy(), ws.spatial["R"].copy())
    plane, n = ws.planar, len(ws.planar)
    r, R = np.zeros((n, 3)), np.zeros((n, 3, 3))
    r[:, 0], r[:, 1] = plane["x"], plane["y"]
    R[:, 0, 0] = R[:, 1, 1] = plane["c"]
    R[:, 0, 1], R[:, 1, 0], R[:, 2, 2] = -plane["s"], plane["s"], 1.0
    return State(one, ws, r, R)


class Acting:
    """All elements of a model that act on bodies; what they do is asked for state by state."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        resolved = compiled.resolved
        self._frames = {m.id: marker_frame(compiled, m.id) for m in resolved.of("marker")}
        self._tied = [
            (element, self._uses(element.id), _mesh(compiled, element))
            for element in resolved
            if element.family in ("joint", "motion") and element.id in compiled.rows_of
        ]
        self._laws = [
            (element, law, _OneLaw(compiled, k))
            for k, (element, law) in enumerate(
                (e, law) for e in resolved.of("force") for law in e.laws(resolved)
            )
        ]
        self._loads = [(e, one) for e in resolved.of("force") for one in e.loads(resolved)]
        self._seen = interactions_of(resolved)

    def wrenches(self, state: State) -> Iterator[Wrench]:
        """Everything that acts on moving bodies and on the ground, but inertia."""
        yield from self._weights(state)
        for element, uses, mesh in self._tied:
            yield from self._of_rows(state, element, uses, mesh)
        for element, law, acting in self._laws:
            Q = acting.forces(state.one)
            if all(
                end in self._frames for end in (law.coordinate.marker_i, law.coordinate.marker_j)
            ):
                ends, kinds = (
                    [law.coordinate.marker_i, law.coordinate.marker_j],
                    {law.coordinate.kind},
                )
                yield from self._pair(state, element, APPLIED, ends, Q, kinds)
            else:
                yield from self._each(state, element, APPLIED, Q)
        for which, (element, load) in enumerate(self._loads):
            yield from self._of_load(state, element, load, which)
        for which, (element, one) in enumerate(self._seen):
            yield from self._of_interaction(state, element, one, which)

    def place(self, state: State, marker: Id) -> Vector:
        """Where a marker is."""
        frame = self._frames[marker]
        return np.asarray(state.r[frame.body] + state.R[frame.body] @ frame.P)

    def _weights(self, state: State) -> Iterator[Wrench]:
        """The weight of each body at its mass centre."""
        layout = self.compiled.layout
        for k, body in enumerate(self.compiled.body_ids):
            F = np.zeros(3)
            F[: layout.dim] = self.compiled.system.weight[layout.velocity(k)]
            yield Wrench("", WEIGHT, say("weight"), body, "", state.r[k], F, np.zeros(3))

    # --- joints and motions

    def _uses(self, id: Id) -> list[Use]:
        """Where the rows of an element are in D, carrier by carrier."""
        system, rows, found = self.compiled.system, self.compiled.rows_of[id], list[Use]()
        for k, carrier in enumerate(system.carriers):
            own = np.arange(carrier["start"], carrier["stop"])
            own = own[np.isin(system.row_of[own], rows)]
            if len(own):
                found.append((k, own, system.row_of[own]))
        return found

    def _of_rows(
        self, state: State, element: Any, uses: list[Use], mesh: Meshing | None
    ) -> Iterator[Wrench]:
        """The reactions of a joint or motion on all its bodies."""
        kind = DRIVE if element.family == "motion" else REACTION
        if mesh is not None:
            teeth = tooth_force(state.one, element.id, mesh)
            ends = [mesh.marker_i, mesh.marker_j]
            places = (teeth.place[0], teeth.place[0])
            yield from self._both(element, kind, ends, (teeth.force[0], np.zeros(3)), places)
            return
        Q = {k: -state.ws.D[own].T @ state.ws.lam[rows] for k, own, rows in uses}
        joint = self.compiled.resolved[element.joint] if kind == DRIVE else element
        ends = markers_of(joint)
        if len(ends) == 2 and not isinstance(joint, Transmission) and not hasattr(joint, "formula"):
            yield from self._pair(state, element, kind, ends, Q, self._kinds(element.id))
        else:
            yield from self._each(state, element, kind, Q)

    def _kinds(self, id: Id) -> set[int]:
        """The kinds of coordinates that the rows of an element hold."""
        system = self.compiled.system
        uses = system.uses[np.isin(system.uses["row"], self.compiled.rows_of[id])]
        return {int(kind) for kind in system.terms["kind"][uses["term"]]}

    # --- given loads, and laws of markers

    def _of_load(self, state: State, element: Any, load: Load, which: int) -> Iterator[Wrench]:
        """A force or torque that is given over time."""
        if self._frames[load.marker].body == self.compiled.ground:
            return
        given, zero = load_history(state.one, load, which)[0], np.zeros(3)
        push, turn = (given, zero) if load.kind == FORCE else (zero, given)
        body = body_of(self.compiled.resolved, load.marker)
        place = self.place(state, load.marker)
        yield Wrench(element.id, APPLIED, element.label, body, "", place, push, turn)

    def _of_interaction(
        self, state: State, element: Any, one: Interaction, which: int
    ) -> Iterator[Wrench]:
        """A contact, drag, bushing or another law that sees one marker from another."""
        told, resolved = wrench_history(state.one, which)[0], self.compiled.resolved
        record = self.compiled.system.interactions[which]
        place = state.r[record["j"]] + state.R[record["j"]] @ record["P_j"]
        F, T = told[:3], told[3:6]
        if one.touches and told[7 + PRESSURE] != 0.0:
            spot = told[7 + SPOT : 10 + SPOT]
            T, place = T + np.cross(place - spot, F), spot
        j, i = (self._moving(body_of(resolved, end)) for end in (one.marker_j, one.marker_i))
        other = i if one.marker_i else ""  # nobody takes the opposite of what the air does
        yield Wrench(element.id, APPLIED, element.label, j, other, place, F, T)
        if other:
            yield Wrench(element.id, APPLIED, element.label, i, j, place, -F, -T)

    # --- from generalised forces to points

    def _pair(
        self,
        state: State,
        element: Any,
        kind: str,
        ends: list[Id],
        Q: dict[int, np.ndarray],
        kinds: set[int],
    ) -> Iterator[Wrench]:
        """A connection of two markers: what acts at P_j, and its opposite there or at P_i."""
        P_i, P_j = (self.place(state, end) for end in ends)
        i, j = (self._frames[end].body for end in ends)
        own = P_i if kinds <= OWN_ENDS else P_j
        if i in Q and j in Q:  # each by itself: in a joint that stands open they act at two points
            one, other = (self._moving(body_of(self.compiled.resolved, end)) for end in ends)
            for k, body, by, place in ((j, other, one, P_j), (i, one, other, own)):
                F, T = self._at(state, k, Q[k], place)
                yield Wrench(element.id, kind, element.label, body, by, place, F, T)
        elif j in Q or i in Q:
            place = P_j if j in Q else own
            F, T = self._at(state, j if j in Q else i, Q[j if j in Q else i], place)
            pull = (F, T) if j in Q else (-F, -T)
            yield from self._both(element, kind, ends, pull, (own, P_j))

    def _both(
        self,
        element: Any,
        kind: str,
        ends: list[Id],
        pull: tuple[Vector, Vector],
        places: tuple[Vector, Vector],
    ) -> Iterator[Wrench]:
        """Action at the second place on body j, and reaction at the first on body i."""
        i, j = (self._moving(body_of(self.compiled.resolved, end)) for end in ends)
        F, T = pull
        yield Wrench(element.id, kind, element.label, j, i, places[1], F, T)
        if i != j:
            yield Wrench(element.id, kind, element.label, i, j, places[0], -F, -T)

    def _each(
        self, state: State, element: Any, kind: str, Q: dict[int, np.ndarray]
    ) -> Iterator[Wrench]:
        """What an element of several bodies does to each, at its marker there or the mass centre."""
        own = {self._frames[m].body: m for m in reversed(markers_of(element))}
        for k, force in Q.items():
            place = self.place(state, own[k]) if k in own else state.r[k]
            F, T = self._at(state, k, force, place)
            yield Wrench(element.id, kind, element.label, self._body(k), "", place, F, T)

    def _at(self, state: State, k: int, Q: np.ndarray, place: Vector) -> tuple[Vector, Vector]:
        """A generalised force on a carrier as force and moment at a place."""
        if self.compiled.system.dim == 2:
            F, moment = np.array([Q[0], Q[1], 0.0]), np.array([0.0, 0.0, Q[2]])
        else:
            F, moment = Q[:3], state.R[k] @ Q[3:6]
        return F, moment - np.cross(place - state.r[k], F)

    def _moving(self, body: Id) -> Id:
        """The body, or the ground for one that is fixed."""
        return body if body in self.compiled.body_ids else GROUND

    def _body(self, k: int) -> Id:
        """The body of a carrier: itself, or that of a follower."""
        if k >= self.compiled.layout.n_bodies:
            k = self.compiled.body_and_follower(k)[0]
        return self.compiled.body_ids[k]


class _OneLaw:
    """A law along a coordinate, with the few bodies that it moves."""

    def __init__(self, compiled: Compiled, which: int) -> None:
        self._part = part_of_laws(compiled.system, np.array([which]))
        system = self._part.system
        system.bodies["J"] = 0.0  # no gyroscopic moments
        self._ws, self._layout = workspace(system), layout_of(system)
        self._table = linked(system, self._ws)
        self._values = np.zeros((2, len(system.terms)))

    def forces(self, one: "Results") -> dict[int, np.ndarray]:
        """-N dx/dq on each carrier."""
        t, y = frames_of(one, self._part)
        if one.beginning is not None:
            self._ws.angle[:] = one.beginning.angle[self._part.terms]
        entries.measure(self._table, t[0], y[0], *self._values)
        f = self._ws.f
        return {int(k): f[self._layout.v(n)].copy() for n, k in enumerate(self._part.bodies)}


def _mesh(compiled: Compiled, element: Any) -> Meshing | None:
    """The teeth of an element that has some in contact."""
    resolved = compiled.resolved
    return element.meshing(resolved) if isinstance(element, Transmission) else None
