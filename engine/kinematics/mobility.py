"""Degrees of freedom, redundancy and free motions at a pose, found by rank and described in words.

Rows of D are scaled to unit length in the metric of W, so that metres and radians compare:

    A = diag(S)^-1/2 D W^1/2        rank A by pivoted QR        DOF = (free velocities) - rank A

A dependent row is a combination of others; the joints of that combination share a redundancy.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space, qr, solve_triangular

from engine.compiling.system import Compiled, workspace
from engine.errors import say
from engine.kernels.functions import CONSTANT
from engine.kernels.layout import DISC_SLIP, KNIFE, POSITION, System
from engine.kinematics.evaluate import dense_D, fill, inverse_mass, movable
from engine.model.elements import Id

RANK = 1e-8  # relative size of a singular value that is rounding, or a singular pose
SHARE = 1e-6  # smallest share of a row in a redundancy that is reported


@dataclass(frozen=True, slots=True)
class Redundancy:
    """A row that repeats the constraint of others."""

    id: Id  # the element whose row it is
    others: tuple[Id, ...]  # the elements that already impose it
    sentence: str


@dataclass(frozen=True, slots=True)
class Mobility:
    """The mobility of a mechanism: what can move, and what is constrained twice."""

    n_velocities: int  # 3 per body, 2 per particle in the plane; 6 and 3 in space
    n_rows: int
    rank: int
    redundancies: tuple[Redundancy, ...]
    is_holonomic: bool
    is_scleronomic: bool
    motions: np.ndarray  # (n_v, dof) velocities the joints allow, orthonormal in the metric of M

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


def mobility(
    compiled: Compiled,
    q: np.ndarray | None = None,
    v: np.ndarray | None = None,
    t: float = 0.0,
) -> Mobility:
    """The mobility at a pose, that of the drawing by default."""
    q = compiled.q0 if q is None else q
    v = compiled.v0 if v is None else v
    ws = workspace(compiled.system)
    fill(compiled, ws, t, q, v)
    D, free = dense_D(compiled, ws), movable(compiled)
    W_half = _square_root(inverse_mass(compiled))[np.ix_(free, free)]
    scaled = D[:, free] @ W_half
    lengths = np.linalg.norm(scaled, axis=1)
    A = scaled / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    rank, dependent, shares = _dependent_rows(A)
    n_velocities = int(free.sum())
    motions = np.zeros((len(free), n_velocities - rank))
    if n_velocities:
        basis = null_space(A, rcond=RANK) if len(A) else np.eye(n_velocities)
        motions = np.zeros((len(free), basis.shape[1]))
        motions[free] = W_half @ basis
    system = compiled.system
    kinds = system.terms["kind"][system.uses["term"]]
    return Mobility(
        n_velocities=n_velocities,
        n_rows=compiled.n_rows,
        rank=rank,
        redundancies=tuple(
            _redundancy(compiled, D, int(row), share) for row, share in zip(dependent, shares)
        ),
        is_holonomic=not np.isin(kinds, (KNIFE, DISC_SLIP)).any(),
        is_scleronomic=not _depends_on_time(system),
        motions=motions,
    )


def _depends_on_time(system: System) -> bool:
    """Whether a row has a target that changes with time; a constant speed changes the position."""
    for row, function in system.driven:
        functions, level = system.functions, system.rows["level"][row]
        is_constant = functions.kind[function] == CONSTANT
        rests = is_constant and functions.arg[functions.start[function]] == 0.0
        if not (rests if level != POSITION else is_constant):
            return True
    return False


def _dependent_rows(A: np.ndarray) -> tuple[int, np.ndarray, list[np.ndarray]]:
    """The rank, the dependent rows, and for each the rows (by |share|) it is a combination of."""
    if A.size == 0:
        return 0, np.arange(len(A)), [np.zeros(len(A)) for _ in A]
    _, R, order = qr(A.T, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = int((diagonal > RANK * max(diagonal[0], 1e-300)).sum()) if diagonal[0] > 0 else 0
    dependent = order[rank:]
    shares = []
    combination = solve_triangular(R[:rank, :rank], R[:rank, rank:]) if rank else np.zeros((0, 0))
    for k in range(len(dependent)):
        share = np.zeros(len(A))
        share[order[:rank]] = np.abs(combination[:, k]) if rank else 0.0
        shares.append(share)
    return rank, dependent, shares


def _redundancy(compiled: Compiled, D: np.ndarray, row: int, share: np.ndarray) -> Redundancy:
    """One dependent row in words."""
    id = compiled.row_ids[row]
    involved = dict.fromkeys(compiled.row_ids[k] for k in np.flatnonzero(share > SHARE))
    others = tuple(other for other in involved if other != id)
    label = compiled.resolved[id].label
    what = _what_it_stops(compiled, D[row])
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
