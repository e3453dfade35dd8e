"""Degrees of freedom, redundancy and free motions at a pose, found by rank and described in words.

Rows of D are scaled to unit length in the metric of W, so that metres and radians compare:

    A = diag(S)^-1/2 D W^1/2        rank A by QR from body to body        DOF = (free velocities) - rank A

A dependent row is a combination of others; the joints of that combination share a redundancy. They are
looked for among the rows that took part, by one QR with pivoting.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag, qr, solve_triangular

from engine.compiling.gates import is_off
from engine.compiling.system import Compiled, workspace
from engine.compiling.typed_rows import rows_of_time
from engine.errors import say
from engine.kernels.functions import CONSTANT
from engine.kernels.layout import DISC_SLIP, KNIFE, POSITION, RIGID, System, Workspace
from engine.kinematics.evaluate import dense_D, fill, movable
from engine.kinematics.freedom.fronts import (
    Rows,
    joined,
    numbers_of,
    rank_of,
    scaled_rows,
    without_loose_ends,
)
from engine.model.elements import Id

RANK = 1e-8  # relative size of a singular value that is rounding, or a singular pose
SHARE = 1e-6  # smallest share of a row in a redundancy that is reported


@dataclass(frozen=True, slots=True)
class Redundancy:
    """A row that repeats the constraint of others."""

    id: Id  # the element whose row it is
    others: tuple[Id, ...]  # the elements that already impose it
    sentence: str


@dataclass(frozen=True)
class Mobility:
    """The mobility of a mechanism: what can move, and what is constrained twice."""

    at: "Moment"
    n_velocities: int  # 3 per body, 2 per particle in the plane; 6 and 3 in space
    n_rows: int
    rank: int
    redundancies: tuple[Redundancy, ...]
    is_holonomic: bool
    is_scleronomic: bool

    @cached_property
    def motions(self) -> np.ndarray:
        """Velocities the joints allow, orthonormal in the metric of M, (n_v, dof)."""
        return self.at.free_motions(self.rank)

    @property
    def dof(self) -> int:
        """Degrees of freedom by rank, at this pose."""
        return self.n_velocities - self.rank

    @property
    def gruebler(self) -> int:
        """Degrees of freedom by counting, as if no row repeated another."""
        return self.n_velocities - self.n_rows

    @property
    def redundant(self) -> int:
        """Rows that repeat others."""
        return self.n_rows - self.rank

    @property
    def kind(self) -> str:
        """The class of the system, as in textbooks."""
        first = "holonomic" if self.is_holonomic else "non-holonomic"
        return f"{first}-{'scleronomic' if self.is_scleronomic else 'rheonomic'}"

    @property
    def not_unique(self) -> frozenset[Id]:
        """Elements that share a redundancy: how they share the load is not determined."""
        return frozenset(id for r in self.redundancies for id in (r.id, *r.others))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The redundancies in words."""
        return tuple(r.sentence for r in self.redundancies)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the mobility was looked at."""

    compiled: Compiled
    t: float
    q: np.ndarray
    v: np.ndarray

    def filled(self) -> Workspace:
        """The rows of D at this moment."""
        ws = workspace(self.compiled.system)
        fill(self.compiled, ws, self.t, self.q, self.v)
        return ws

    def free_motions(self, rank: int) -> np.ndarray:
        """An orthonormal basis of what D of this rank lets move, as velocities."""
        compiled, free = self.compiled, movable(self.compiled)
        W_half = block_diag(*_roots_of_inverse_masses(compiled))[free[~compiled.layout.is_modal]]
        A = _unit_rows(dense_D(compiled, self.filled())[:, free] @ W_half)
        motions = np.zeros((len(free), len(W_half) - rank))
        if motions.size:
            Q = qr(A.T, pivoting=True)[0] if len(A) else np.eye(len(W_half))
            motions[free] = W_half @ Q[:, rank:]
        return motions


def mobility(
    compiled: Compiled,
    q: np.ndarray | None = None,
    v: np.ndarray | None = None,
    t: float = 0.0,
) -> Mobility:
    """The mobility at a pose, that of the drawing by default."""
    q = compiled.q0 if q is None else q
    v = compiled.v0 if v is None else v
    moment = Moment(compiled, t, np.array(q, dtype=float), np.array(v, dtype=float))
    system, ws = compiled.system, moment.filled()
    roots = _roots_of_inverse_masses(compiled)
    widths = [root.shape[1] for root in roots]
    joints, idle = scaled_rows(compiled, ws, roots)
    repeated = _repeated_rows(joints, widths)
    off = is_off(system)
    dependent = {**{int(k): () for k in idle if not off[k]}, **repeated}
    n_rows = int((~off).sum())
    kinds = system.terms["kind"][system.uses["term"]]
    D = dense_D(compiled, ws) if dependent else np.zeros((0, 0))
    return Mobility(
        moment,
        n_velocities=sum(widths),
        n_rows=n_rows,
        rank=n_rows - len(dependent),
        redundancies=tuple(
            _redundancy(compiled, D[row], row, others) for row, others in dependent.items()
        ),
        is_holonomic=not (np.isin(kinds, (KNIFE, DISC_SLIP)).any() or _has_typed_rates(system)),
        is_scleronomic=not _depends_on_time(system),
    )


def _roots_of_inverse_masses(compiled: Compiled) -> list[np.ndarray]:
    """W^1/2 of each body; a particle has the columns of its place only."""
    dim, found = compiled.layout.dim, []
    n_d = RIGID[dim].n_v  # modes are held
    for body, is_particle in zip(compiled.system.bodies, compiled.is_particle):
        root = np.zeros((n_d, n_d))
        root[:dim, :dim] = np.sqrt(body["inv_mass"]) * np.eye(dim)
        n_spins = len(root) - dim
        root[dim:, dim:] = _square_root(body["inv_J"][:n_spins, :n_spins])
        found.append(root[:, :dim] if is_particle else root)
    return found


def _repeated_rows(joints: Sequence[Rows], widths: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """The rows that repeat others, with those."""
    found = rank_of(joints, widths, RANK)
    involved = set[int]().union(*(numbers_of(rows) for rows in found.repeated))
    if not involved:
        return {}
    near = [rows for rows in joints if not involved.isdisjoint(numbers_of(rows))]
    near = without_loose_ends(near, widths, RANK)
    numbers = np.concatenate([rows.of for rows in near])
    A = joined(near, sorted({body for rows in near for body in rows.bodies}), widths)
    return {int(numbers[k]): tuple(numbers[others]) for k, others in _dependent_rows(A)}


def _unit_rows(A: np.ndarray) -> np.ndarray:
    """Rows of unit length; one without length stays as it is."""
    lengths = np.linalg.norm(A, axis=1)
    return A / np.where(lengths > 0.0, lengths, 1.0)[:, None]


def _depends_on_time(system: System) -> bool:
    """Whether time enters a row; a constant speed changes the position."""
    if len(rows_of_time(system)):
        return True
    for row, function in system.driven:
        functions, level = system.functions, system.rows["level"][row]
        is_constant = functions.kind[function] == CONSTANT
        rests = is_constant and functions.arg[functions.start[function]] == 0.0
        if not (rests if level != POSITION else is_constant):
            return True
    return False


def _has_typed_rates(system: System) -> bool:
    """Whether a row is typed for velocities; engine.studies.classification tells whether it integrates."""
    return bool((system.rows["level"][system.formulas["row"]] != POSITION).any())


def _dependent_rows(A: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Each row that is a combination of others, with those that have a share in it."""
    _, R, order = qr(A.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = int((diagonal > RANK * diagonal[0]).sum())
    shares = np.abs(solve_triangular(R[:rank, :rank], R[:rank, rank:]))
    for row, share in zip(order[rank:], shares.T):
        yield int(row), np.sort(order[:rank][share > SHARE])


def _redundancy(compiled: Compiled, D: np.ndarray, row: int, repeats: Sequence[int]) -> Redundancy:
    """One dependent row in words, with its part of D and the rows that it repeats."""
    id = compiled.row_ids[row]
    involved = dict.fromkeys(compiled.row_ids[k] for k in repeats)
    others = tuple(other for other in involved if other != id)
    label = compiled.resolved[id].label
    what = _what_it_stops(compiled, D)
    if others:
        names = [f"'{compiled.resolved[other].label}'" for other in others]
        listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
        verb = "does" if len(names) == 1 else "do"
        sentence = say(
            "'{label}' stops {what}, which {listed} already {verb}.",
            label=label,
            what=what,
            listed=listed,
            verb=verb,
        )
    else:
        sentence = say(
            "'{label}' stops {what}, which it already does itself or nothing can do here.",
            label=label,
            what=what,
        )
    return Redundancy(id, others, sentence)


def _what_it_stops(compiled: Compiled, row: np.ndarray) -> str:
    """The motion that a row of D forbids, by the body it acts on most."""
    layout = compiled.layout
    if not len(row):
        return "nothing"
    shifts, turns = row[layout.velocities], row[layout.spins]
    k = int(np.linalg.norm(shifts, axis=1).argmax())
    if np.linalg.norm(shifts[k]) > 1e-9:
        return say("displacement along {direction}", direction=_direction(shifts[k]))
    if layout.dim == 2:
        return "rotation"
    k = int(np.linalg.norm(turns, axis=1).argmax())
    return say(
        "rotation about {direction}", direction=_direction(_world_axis(compiled, k, turns[k]))
    )


def _world_axis(compiled: Compiled, k: int, axis: np.ndarray) -> np.ndarray:
    """A direction of body k in world axes, in the drawing."""
    from rotations import SEQUENCES, convert, quaternion

    code = int(compiled.system.bodies["orientation"][k])
    unit = compiled.q0[compiled.layout.orientation(k)]
    if code >= 0:
        unit = convert(compiled.q0[compiled.layout.angles(k)], SEQUENCES[code], "quaternion")
    return quaternion.to_fixed(quaternion.normalise(unit), axis)


def _direction(a: np.ndarray) -> str:
    """A direction in words: x, y, z, or its components."""
    unit = a / np.linalg.norm(a)
    for axis, name in enumerate("xyz"[: len(unit)]):
        if abs(abs(unit[axis]) - 1.0) < 1e-9:
            return name
    return "(" + ", ".join(f"{c:.2g}" for c in unit) + ")"


def _square_root(W: np.ndarray) -> np.ndarray:
    """The symmetric square root of the block-diagonal W."""
    values, vectors = np.linalg.eigh(W)
    return (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
