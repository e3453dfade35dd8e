"""The four descriptions of one mechanism: coordinates, equations, counts, and one motion by all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from engine.compiling.system import Compiled, compile_model
from engine.errors import EngineError, say
from engine.kinematics.evaluate import movable
from engine.model.elements import Id, Model, remove
from engine.running.simulate import prepare, run
from engine.studies.coordinates.description import (
    Allowance,
    Description,
    Forces,
    Meaning,
    scalar_function,
)
from engine.studies.coordinates.independent import Independent
from engine.studies.coordinates.natural import Natural
from engine.studies.coordinates.relative import Relative
from engine.studies.coordinates.sections import (
    absolute_sections,
    independent_sections,
    natural_sections,
    relative_sections,
)
from engine.studies.coordinates.ties import Tie, natural_ties, ties_of_joints
from engine.studies.freedom import counted
from engine.studies.tables import write_table
from engine.symbols.equations import Equations
from engine.symbols.reduced.spanning import problem_of
from engine.symbols.traced import T
from engine.symbols.views import Section

MOST_BODIES = 6
FRAMES = 100
T_END = 2.0  # s
TOLERANCE = 1e-12  # of all integrations
ABSOLUTE, RELATIVE, NATURAL, INDEPENDENT = "absolute", "relative", "natural", "independent"


@dataclass(frozen=True)
class Described:
    """One description; where it does not serve, only its name and the sentence why."""

    name: str
    title: str
    idea: str  # in a few words
    sentence: str = ""  # why there is none
    coordinates: tuple[Meaning, ...] = ()
    n_constraints: int = 0
    sections: tuple[Section, ...] = ()
    q: np.ndarray | None = None  # of all bodies, frame by frame
    u: np.ndarray | None = None  # the coordinates, frame by frame
    apart: np.ndarray | None = None  # from the motion by absolute coordinates, in each frame
    points: tuple[Any, ...] = ()  # natural ones
    marks: tuple[Any, ...] = ()  # of joint coordinates; the independent ones first
    ties: tuple[Tie, ...] = ()  # where the constraints are
    owners: dict[sp.Symbol, Id] | None = None
    remark: str = ""  # why there is no motion by it

    @property
    def counts(self) -> tuple[int, int]:
        """Coordinates and constraints."""
        return len(self.coordinates), self.n_constraints

    @property
    def differs(self) -> float:
        """The largest difference from the motion by absolute coordinates [m, rad]."""
        return float("nan") if self.apart is None else float(self.apart.max(initial=0.0))

    @property
    def counted(self) -> str:
        """Its counts in words."""
        if self.sentence:
            return self.sentence
        n, m = self.counts
        return say(
            "{coordinates}, {constraints}",
            coordinates=counted(n, "coordinate", "coordinates"),
            constraints=counted(m, "constraint", "constraints"),
        )


Way = tuple[Described, Callable[[], Described]]  # without its motion, and what finds that


@dataclass(frozen=True)
class Compared:
    """All four, and what there is to say."""

    compiled: Compiled
    t: np.ndarray
    dof: int
    descriptions: tuple[Described, ...]
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> Described:
        return next(one for one in self.descriptions if one.name == name)

    @property
    def motion(self) -> np.ndarray:
        """q of all bodies by absolute coordinates, frame by frame."""
        found = self[ABSOLUTE].q
        assert found is not None
        return found

    @property
    def sentence(self) -> str:
        """How many degrees of freedom there are, and how well the motions agree."""
        there = [one for one in self.descriptions if one.apart is not None]
        dof = counted(self.dof, "degree of freedom", "degrees of freedom")
        if len(there) == 1:
            return say("{dof}; no other motion is known.", dof=dof)
        worst = max((one.differs for one in there), default=0.0)
        return say(
            "{dof}; {n} descriptions follow one motion over {t:g} s, at most {worst:.1e} apart.",
            dof=dof,
            n=len(there),
            t=float(self.t[-1]),
            worst=worst,
        )

    def write_csv(self, path: Path) -> None:
        """Write every coordinate of every description over time, and how far they are apart."""
        there = [one for one in self.descriptions if one.u is not None]
        heads = [f"{one.name} {c.symbol}" for one in there for c in one.coordinates]
        rows = []
        for k, t in enumerate(self.t):
            row = [x for one in there if one.u is not None for x in one.u[k]]
            apart = [one.apart[k] for one in there if one.apart is not None]
            rows.append([float(x) for x in (t, *row, *apart)])
        write_table(path, ["t", *heads, *(f"{one.name} apart" for one in there)], rows)


def compare_coordinates(
    model: Model | Compiled,
    *,
    t_end: float = T_END,
    free: Sequence[str] = (),
    wanted: Callable[[], bool] = lambda: True,
    so_far: Callable[["Compared"], object] = lambda compared: None,
    progress: Callable[[float], object] = lambda fraction: None,
) -> Compared:
    """A mechanism by four kinds of coordinates; `free` names joints that give the first independent ones.

    Drives are taken out: what is compared is the free motion from the drawing. `so_far` is called with
    the descriptions before their motions are found, and after each of them; `wanted` may end that, and
    `progress` is told the share that is done.
    """
    model = model.model if isinstance(model, Compiled) else model
    work = _Work(model, t_end, wanted, progress)
    kinds = (
        (RELATIVE, work.by_relative),
        (NATURAL, work.by_natural),
        (INDEPENDENT, lambda: work.by_independent(free)),
    )
    ways = [_attempted(name, made_by) for name, made_by in kinds]
    found = [here for here, _ in ways]
    so_far(work.compared(found))
    for n, way in enumerate(ways):
        work.begin(n / len(ways), (n + 1) / len(ways))
        found[n] = _moved(*way)
        so_far(work.compared(found))
    return work.compared(found)


class _Work:
    """What all descriptions of a mechanism start from: its symbols, and its motion by the engine."""

    def __init__(
        self,
        model: Model,
        t_end: float,
        wanted: Callable[[], bool],
        progress: Callable[[float], object],
    ) -> None:
        drives, self.wanted, self.progress = model.of("motion"), wanted, progress
        self.share = 0.0, 1.0  # of all the work, in which a motion is found
        taken_out = say("Drives are taken out: the mechanism moves freely.")
        self.notes = [taken_out] if drives else []
        self.compiled = compile_model(remove(model, *(e.id for e in drives)))
        _check(self.compiled, t_end)
        self.equations = Equations(self.compiled)
        problem_of(self.equations)  # what it refuses has no motion by symbols
        self.f = _forces_of(self.equations)
        self.dof = prepare(self.compiled).mobility.dof
        self.times, self.q, self.v = _absolute(self.compiled, t_end)
        self.tree: Relative | None = None

    def begin(self, done: float, then: float) -> None:
        """Begin with the next motion; changes what progress is told."""
        self.share = done, then
        self.progress(done)

    def allowance(self) -> Allowance:
        """What an integration may take."""
        (done, then), t_end = self.share, float(self.times[-1])
        return Allowance(
            self.wanted, lambda t: self.progress(done + (then - done) * min(t / t_end, 1.0))
        )

    def compared(self, found: Sequence[Described]) -> Compared:
        """All descriptions that were found, behind the absolute one."""
        shared, equations = movable(self.compiled), self.equations
        absolute = Described(
            ABSOLUTE,
            say("Absolute"),
            say("place and angle of every body; every joint is a constraint"),
            coordinates=tuple(_absolute_meanings(equations)),
            n_constraints=self.compiled.n_rows,
            sections=absolute_sections(equations),
            q=self.q,
            u=self.q[:, shared],
            apart=np.zeros(len(self.times)),
            ties=ties_of_joints(equations),
            owners=equations.names.owners,
        )
        every = (absolute, *found)
        return Compared(self.compiled, self.times, self.dof, every, tuple(self.notes))

    def moved(self, here: Described, u: np.ndarray, poses: list[np.ndarray]) -> Described:
        """A description with its motion and how far that is from the absolute one."""
        q, shared = np.array(poses), movable(self.compiled)
        apart = np.abs((q - self.q)[:, shared]).max(axis=1, initial=0.0)
        return replace(here, q=q, u=u, apart=apart)

    def by_relative(self) -> Way:
        """The coordinates of a spanning tree."""
        one = self.tree = Relative(self.equations, self.f)
        ties = ties_of_joints(self.equations, one.joints)
        here = _described(RELATIVE, one, relative_sections(one), marks=one.marks, ties=ties)

        def move() -> Described:
            start = one.start(self.q[0], self.v[0])
            u = one.run(*start, self.times, self.allowance())
            return self.moved(here, u, [one.pose(x) for x in u])

        return here, move

    def by_natural(self) -> Way:
        """Points at the joints."""
        one = Natural(self.equations, self.f, self.q[0])
        sections = natural_sections(one, self.equations)
        points, ties = tuple(one.points), natural_ties(one)
        here = _described(NATURAL, one, sections, points=points, ties=ties)

        def move() -> Described:
            u = one.run(*one.start(self.v[0]), self.times, self.allowance())
            turned = self.compiled.layout.orientations.ravel()
            poses = [one.pose(x, now[turned]) for x, now in zip(u, self.q)]
            return self.moved(here, u, poses)

        return here, move

    def by_independent(self, free: Sequence[str]) -> Way:
        """Those coordinates of the tree that are independent."""
        tree = self.tree or Relative(self.equations, self.f)
        way = Independent(tree, self.dof)
        u0, rates0 = tree.start(self.q[0], self.v[0])
        way.begin(u0, self.times[0], _places(tree, free, self.dof))
        chosen = list(way.first)
        here = replace(
            _described(INDEPENDENT, tree, independent_sections(tree, way.first)),
            coordinates=tuple(tree.coordinates[k] for k in chosen),
            n_constraints=0,
            marks=tuple(tree.marks[k] for k in chosen),
        )

        def move() -> Described:
            u = way.run(u0, rates0, self.times, self.allowance())
            self.notes += _told(tree, way)
            return self.moved(here, u[:, chosen], [tree.pose(x) for x in u])

        return here, move


def _attempted(name: str, way: Callable[[], Way]) -> Way:
    """A description and how its motion is found, or the sentence why there is none."""
    try:
        return way()
    except EngineError as error:
        none = Described(name, *_words(name), sentence=error.sentence)
        return none, lambda: none


def _moved(here: Described, move: Callable[[], Described]) -> Described:
    """A description with its motion, or the sentence why there is none."""
    try:
        return move()
    except EngineError as error:
        return replace(here, remark=error.sentence)


def _words(name: str) -> tuple[str, str]:
    return {
        RELATIVE: (
            say("Relative"),
            say("what each joint of a tree lets free; cut joints close the loops"),
        ),
        NATURAL: (say("Natural"), say("points at the joints; bodies keep their distances")),
        INDEPENDENT: (
            say("Independent"),
            say("as many as degrees of freedom; the loops give the others"),
        ),
    }[name]


def _described(
    name: str, one: Description, sections: tuple[Section, ...], **more: Any
) -> Described:
    """A description whose motion is not known yet."""
    owners = _owners(one.coordinates, one.rates)
    return Described(
        name,
        *_words(name),
        coordinates=one.coordinates,
        n_constraints=one.m,
        sections=sections,
        owners=owners,
        **more,
    )


def _owners(coordinates: Sequence[Meaning], rates: Sequence[sp.Symbol]) -> dict[sp.Symbol, Id]:
    """The part of every coordinate and rate."""
    found = {one.symbol: one.part for one in coordinates}
    return found | {rate: one.part for rate, one in zip(rates, coordinates)}


def _places(relative: Relative, free: Sequence[str], dof: int) -> tuple[int, ...]:
    """The coordinates of the joints that were named; none if none was."""
    if not free:
        return ()
    joints = relative.reduced.joints
    found = [k for k, joint in enumerate(joints) if joint in free]
    if len(found) != dof:
        raise EngineError(
            "{dof} coordinates are independent, and '{named}' give {n}. The joints with coordinates are "
            "{listed}.",
            dof=dof,
            named=", ".join(free),
            n=len(found),
            listed=", ".join(joints),
        )
    return tuple(found)


def _told(relative: Relative, way: Independent) -> list[str]:
    """Which coordinates are independent, and when others were chosen."""

    def names(chosen: Sequence[int]) -> str:
        return ", ".join(relative.coordinates[k].words for k in chosen)

    told = [say("Independent: {names}.", names=names(way.first))] if relative.m else []
    for switch in way.switches:
        told.append(
            say(
                "At {t:.3g} s, near a dead centre, {after} takes over from {before}.",
                t=switch.t,
                after=names(switch.after),
                before=names(switch.before),
            )
        )
    return told


def _check(compiled: Compiled, t_end: float) -> None:
    """Raise EngineError for what cannot be compared, with what to do instead."""
    if compiled.system.dim == 3:
        raise EngineError(
            "Coordinates are compared for mechanisms in the plane. Look at the page Equations instead."
        )
    if not compiled.body_ids:
        raise EngineError("Draw a body that can move: it has the first coordinates.")
    if len(compiled.body_ids) > MOST_BODIES:
        raise EngineError(
            "Coordinates are compared for up to {most} bodies, and there are {n}. Look at the page "
            "Equations instead.",
            most=MOST_BODIES,
            n=len(compiled.body_ids),
        )
    if len(compiled.system.gates):
        raise EngineError(
            "'{name}' holds on one side only, so that the number of coordinates would change. Let "
            "it act on both sides.",
            compiled.gate_ids[0],
            name=compiled.resolved[compiled.gate_ids[0]].label,
        )
    if not 0.0 < t_end <= 60.0:
        raise EngineError(
            "The motion is compared over a time between 0 s and 60 s: type one like 2."
        )


def _absolute(compiled: Compiled, t_end: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, q and v of the run of the engine."""
    results = run(
        compiled,
        t_end=t_end,
        output_step=t_end / FRAMES,
        method="dop853",
        tolerance=TOLERANCE,
        stabilisation="projection",
        coordinates="absolute",
    )
    ending = results.ending
    if ending is None or ending.reason not in ("done", "stopped") or len(results) < 2:
        raise EngineError(
            "The mechanism does not run: {why}", why=ending.sentence if ending else say("cancelled")
        )
    return np.array(results.t), np.array(results.q), np.array(results.v)


def _absolute_meanings(equations: Equations) -> list[Meaning]:
    compiled = equations.compiled
    found = []
    for k, body in enumerate(equations.bodies):
        id = compiled.body_ids[k]
        label = compiled.resolved[id].label
        names = (say("x"), say("y"), say("angle"))[: 2 if compiled.is_particle[k] else 3]
        for symbol, name in zip(body.q, names):
            found.append(Meaning(symbol, say("{name} of '{body}'", name=name, body=label), id))
    return found


def _forces_of(equations: Equations) -> Forces:
    """f(t, q, v) in numbers."""
    known = equations.names.values
    expressions = [sp.sympify(x).xreplace(known) for x in equations.f]
    arguments = [T, *equations.q, *equations.v]
    call = scalar_function(arguments, expressions, equations.tables)
    return lambda t, q, v: call([t, *q.tolist(), *v.tolist()])
