"""Free-body diagrams of all bodies at one state, with inertia forces by d'Alembert and what is left over.

    sum F + F* = 0        sum (T + s x F) + T* = 0        about the mass centre

    F* = -m a             T* = -(J alpha + w x J w)

of a rigid body; of a flexible one F* and T* hold what its bending adds. Accelerations and reactions are
those of the equations of motion at the state that is shown, so the sum vanishes to rounding.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.errors import EngineError, say
from engine.kernels.layout import ANGLE, DIRECTION
from engine.kinematics.evaluate import fill, mass_matrix
from engine.model.elements import GROUND, Id, Model
from engine.results.blocks import Block
from engine.results.channels.beginnings import Beginning
from engine.results.channels.parts import coordinates, part_of_terms
from engine.results.results import Results
from engine.studies.free_body.wrenches import INERTIA, Acting, State, Wrench, state_of

Largest = dict[tuple[Id, bool], tuple[float, float]]  # body or empty, with inertia: force, moment
SAMPLES = 60  # frames of a run that are looked at for its largest force and moment


class BodyDiagram(NamedTuple):
    """One body cut free, at one time."""

    body: Id
    label: str
    center: np.ndarray  # (3,) its mass centre     [m]
    wrenches: tuple[Wrench, ...]  # what acts on it, (3,) each
    inertia: Wrench | None  # by d'Alembert; None for the ground
    not_unique: tuple[str, ...]  # joints whose share of the load the model does not determine

    @property
    def left_over(self) -> tuple[np.ndarray, np.ndarray]:
        """The sum of all forces, and of all moments about the mass centre, with those of inertia."""
        every = [*self.wrenches, *([self.inertia] if self.inertia else [])]
        F = sum((one.force for one in every), np.zeros(3))
        T = sum((one.about(self.center) for one in every), np.zeros(3))
        return F, T


class Diagrams(NamedTuple):
    """All bodies at one time, and the ground last."""

    compiled: Compiled
    t: float
    q: np.ndarray
    bodies: tuple[BodyDiagram, ...]

    def of(self, body: Id) -> BodyDiagram:
        """That of one body or of the ground."""
        for one in self.bodies:
            if one.body == body:
                return one
        known = ", ".join(one.body for one in self.bodies)
        raise EngineError(
            "There is no moving body '{body}'. Choose one of: {known}.", body=body, known=known
        )

    def table(self, body: Id = "") -> str:
        """What acts on one body or on all, with the sums, as text."""
        from engine.studies.free_body.report import lines_of

        return "\n".join(lines_of(self, body))

    def write_csv(self, path: str | Path, body: Id = "") -> None:
        """The same with all digits."""
        from engine.studies.free_body.report import columns, rows_of
        from engine.studies.tables import write_table

        write_table(path, columns(self), rows_of(self, body))

    def picture(self, body: Id = "", *, inertia: bool = False, scale: str = "linear") -> str:
        """The diagram of a body as SVG, or of all bodies, pulled apart; lengths linear or square_root."""
        from engine.studies.free_body.report import picture

        return picture(self, body, inertia, scale)


class FreeBodies:
    """The diagrams of a model at any state."""

    def __init__(self, compiled: Compiled) -> None:
        if not compiled.body_ids:
            raise EngineError("Draw a body that can move: it can be cut free.")
        self.compiled = compiled
        system = compiled.system
        self.acting = Acting(compiled)
        self._ws = workspace(system)
        self._table = linked(system, self._ws)
        bare = system._replace(  # weight, gyroscopic moments and bending alone
            laws=system.laws[:0],
            loads=system.loads[:0],
            interactions=system.interactions[:0],
            rubbings=system.rubbings[:0],
            meshings=system.meshings[:0],
            works=system.works[:0],
        )
        self._bare_ws = workspace(bare)
        self._bare = linked(bare, self._bare_ws)
        self._turning = (
            np.flatnonzero(np.isin(system.terms["kind"], (ANGLE, DIRECTION)))
            if system.dim == 3
            else np.zeros(0, dtype=int)
        )
        self._angles: tuple[Results, int, np.ndarray] | None = None

    def at_start(self) -> State:
        """The assembled drawing with the velocities that a run begins with."""
        from engine.kinematics.assemble import assemble

        start = assemble(self.compiled)
        return self.state(0.0, start.q, start.v)

    def at_frame(self, results: Results, k: int) -> State:
        """Frame k of a run, with the accelerations and reactions of its state."""
        q, v, z = results.q[k], results.v[k], results.z[k]
        found = self.state(float(results.t[k]), q, v, z, self._followed(results, k))
        found.one.tell(results.account)
        return found

    def state(
        self,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        z: np.ndarray | None = None,
        angle: np.ndarray | None = None,
    ) -> State:
        """Any state, filled; it lasts until the next one is asked for."""
        compiled, ws = self.compiled, self._ws
        z = compiled.z0 if z is None else z
        angle = compiled.system.terms["drawn"] if angle is None else angle
        ws.angle[:] = angle
        q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
        fill(compiled, ws, t, q, v, z, self._table)
        one = Results(compiled)
        given = {"t": t, "q": q, "v": v, "a": ws.a, "z": z, "lam": ws.lam}
        one.append(Block(**_one_frame(compiled, given)))
        unit = np.zeros((len(compiled.body_ids), 4))
        one.beginning = Beginning(np.array(angle), unit, {})
        return state_of(one, ws)

    def diagrams(self, state: State) -> Diagrams:
        """All bodies and the ground at a state."""
        compiled, resolved, one = self.compiled, self.compiled.resolved, state.one
        acting = list(self.acting.wrenches(state))
        rest, bodies = self._rest(state), list[BodyDiagram]()
        for k, id in enumerate((*compiled.body_ids, GROUND)):
            on = tuple(wrench for wrench in acting if wrench.body == id)
            sources = {wrench.source for wrench in on}
            unsure = tuple(resolved[n].label for n in sorted(one.not_unique) if n in sources)
            if id == GROUND:
                bodies.append(BodyDiagram(id, say("ground"), np.zeros(3), on, None, unsure))
                continue
            inertia = self._inertia(state, rest, k, id)
            bodies.append(BodyDiagram(id, resolved[id].label, state.r[k], on, inertia, unsure))
        return Diagrams(compiled, float(one.t[0]), one.q[0], tuple(bodies))

    def largest(self, results: Results) -> Largest:
        """The largest force and moment on each body in a run, of some of its frames: what scales arrows."""
        count = min(len(results), SAMPLES)
        found: Largest = {}
        for k in np.unique(np.linspace(0, len(results) - 1, count).astype(int)):
            here = self.diagrams(self.at_frame(results, int(k)))
            for key, (force, moment) in largest_of(here).items():
                before = found.get(key, (0.0, 0.0))
                found[key] = max(before[0], force), max(before[1], moment)
        return found

    def _rest(self, state: State) -> np.ndarray:
        """f without any element, less weight and M a: what inertia adds to the balance, (n_v,)."""
        compiled, ws, one = self.compiled, self._bare_ws, state.one
        fill(compiled, ws, float(one.t[0]), one.q[0], one.v[0], one.z[0], self._bare)
        n_v = compiled.layout.n_v
        M = mass_matrix(compiled, one.q[0])
        return np.asarray(ws.f[:n_v] - compiled.system.weight[:n_v] - M @ one.a[0])

    def _inertia(self, state: State, rest: np.ndarray, k: int, id: Id) -> Wrench:
        """-m a and -(J alpha + w x J w) of a body, with what bending adds."""
        layout = self.compiled.layout
        F, T = np.zeros(3), np.zeros(3)
        F[: layout.dim] = rest[layout.velocity(k)]
        if layout.dim == 2:
            T[2:] = rest[layout.spin(k)]
        else:
            T = state.R[k] @ rest[layout.spin(k)]
        return Wrench("", INERTIA, say("inertia"), id, "", state.r[k], F, T)

    def _followed(self, results: Results, k: int) -> np.ndarray | None:
        """Angles in space with all their turns, in frame k of a run."""
        if not len(self._turning):
            return None
        known = self._angles
        if known is None or known[0] is not results or known[1] != len(results):
            part = part_of_terms(self.compiled.system, self._turning)
            known = self._angles = (results, len(results), coordinates(results, part).values)
        angle = self.compiled.system.terms["drawn"].copy()
        angle[self._turning] = known[2][k]
        return angle


def _one_frame(compiled: Compiled, given: dict[str, object]) -> dict[str, np.ndarray]:
    """The columns of one frame; zeros for what is not given."""
    n_bodies = len(compiled.body_ids) if compiled.system.dim == 3 else 0
    widths = {"work": compiled.layout.n_work, "norm": n_bodies}
    found = {}
    for name in Block._fields:
        dtype = np.int64 if name == "lock_body" else np.float64
        found[name] = np.zeros((1, widths[name]) if name in widths else 1, dtype=dtype)
        if name in given:
            found[name] = np.array([given[name]], dtype=dtype)
    return found


def largest_of(diagrams: Diagrams) -> Largest:
    """The largest force and moment at one time: of each body, of all, without and with inertia."""
    found: Largest = {}
    for one in diagrams.bodies:
        inertia = (one.inertia,) if one.inertia is not None else ()
        for with_inertia, every in ((False, one.wrenches), (True, (*one.wrenches, *inertia))):
            force = max((float(np.linalg.norm(w.force)) for w in every), default=0.0)
            moment = max((float(np.linalg.norm(w.moment)) for w in every), default=0.0)
            for body in (one.body, ""):
                before = found.get((body, with_inertia), (0.0, 0.0))
                found[body, with_inertia] = max(before[0], force), max(before[1], moment)
    return found


def free_bodies(source: Results | Model, time: float = 0.0) -> Diagrams:
    """The free-body diagrams of a run at a time, or of a model, which is run until then."""
    from engine.kinematics.mobility import mobility

    if isinstance(source, Results):
        known = FreeBodies(source.compiled)
        return known.diagrams(known.at_frame(source, source.frame_at(time)))
    known, state = _run_until(source, time)
    one = state.one
    one.tell(one.account._replace(not_unique=mobility(known.compiled, one.q[0]).not_unique))
    return known.diagrams(state)


def state_at(model: Model, time: float) -> tuple[Compiled, State]:
    """A model at a time of its run."""
    known, state = _run_until(model, time)
    return known.compiled, state


def _run_until(model: Model, time: float) -> tuple[FreeBodies, State]:
    """The state at a time; an EngineError where the run does not come so far."""
    from engine.compiling.system import compile_model
    from engine.studies.runs import run_until

    known = FreeBodies(compile_model(model))
    if time == 0.0:
        return known, known.at_start()
    return known, known.at_frame(*run_until(known.compiled, time))
