"""The equations of motion at one state as ordinary matrices, for tests, analysis and teaching.

    [ M  D^T ] [ a   ]   [ f     ]
    [ D   0  ] [ lam ] = [ gamma ]

The hot loop never forms these; here they are unpacked from the results of the kernels.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.compiling.elastic.records import in_matrix
from engine.compiling.system import Compiled, linked, workspace
from engine.kernels import dynamics, entries
from engine.kernels.layout import Workspace
from engine.kernels.state import Layout


class Equations(NamedTuple):
    """All terms of the equations of motion at one state."""

    M: np.ndarray  # (n_v, n_v)
    D: np.ndarray  # (n_rows, n_v)
    Phi: np.ndarray  # (n_rows,)
    nu: np.ndarray  # (n_rows,)
    gamma: np.ndarray  # (n_rows,)
    f: np.ndarray  # (n_v,)
    a: np.ndarray  # (n_v,)
    lam: np.ndarray  # (n_rows,)
    dropped: np.ndarray  # (n_rows,) bool: rows whose multiplier was set to zero
    q_dot: np.ndarray  # (n_q,)
    z_dot: np.ndarray  # (n_z,)


def equations(
    compiled: Compiled,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    ws: Workspace | None = None,
    z: np.ndarray | None = None,
) -> Equations:
    """Everything at the state (t, q, v, z); z is that of the start where it is not given."""
    system = compiled.system
    ws = ws or workspace(system)
    q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    fill(compiled, ws, t, q, v, z)
    q_dot = np.zeros_like(q)
    dynamics.rates(system.dim, system.bodies, q, v, q_dot)
    return Equations(
        M=mass_matrix(compiled, q),
        D=dense_D(compiled, ws),
        Phi=ws.Phi.copy(),
        nu=ws.nu.copy(),
        gamma=ws.gamma.copy(),
        f=ws.f[: len(v)].copy(),
        a=ws.a.copy(),
        lam=ws.lam.copy(),
        dropped=ws.dropped.astype(bool),
        q_dot=q_dot,
        z_dot=ws.z_dot.copy(),
    )


def fill(
    compiled: Compiled,
    ws: Workspace,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    z: np.ndarray | None = None,
    table: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Fill the workspace at (t, q, v, z); returns all coordinates and their rates.

    z is that of the start where it is not given. Who calls often keeps the table of `linked`.
    """
    n = len(compiled.system.terms)
    values, speeds = np.zeros(n), np.zeros(n)
    y = compiled.layout.y(q, v, compiled.z0 if z is None else z)
    table = linked(compiled.system, ws) if table is None else table
    entries.measure(table, t, y, values, speeds)
    return values, speeds


def dense_D(compiled: Compiled, ws: Workspace) -> np.ndarray:
    """D as one matrix, from the rows the kernels filled."""
    system, layout = compiled.system, compiled.layout
    D = np.zeros((compiled.n_rows, layout.n_v))
    for k, body in enumerate(system.bodies):
        part = slice(body["start"], body["stop"])
        D[system.row_of[part], layout.v(k)] = ws.D[part] if part.start < part.stop else 0.0
    for one in system.followers:
        part = slice(one["start"], one["stop"])
        D[system.row_of[part], layout.v(one["body"])] += rows_of_follower(compiled, ws, one)
    return D


def rows_of_follower(compiled: Compiled, ws: Workspace, one: np.void) -> np.ndarray:
    """The rows of a follower over the velocities of its body, (n, n_v of the body)."""
    n_v = int(compiled.system.carriers["n_v"][one["body"]])
    n = int(one["stop"] - one["start"])
    return ws.E[one["rows"] :][: n * n_v].reshape(n, n_v)


def coordinate_rows(compiled: Compiled, q: np.ndarray, terms: Sequence[int]) -> np.ndarray:
    """The gradients of scalar coordinates over v in the pose q, (len(terms), n_v).

    A rate is linear in v, so a column is the rate of a unit velocity.
    """
    ws, layout = workspace(compiled.system), compiled.layout
    rows = np.zeros((len(terms), layout.n_v))
    records = compiled.system.terms[list(terms)]
    owner = [*range(layout.n_bodies), *compiled.system.followers["body"].tolist()]
    bodies = {owner[k] for end in ("i", "j") for k in records[end] if k < len(owner)}
    for column in layout.v_of(sorted(bodies)):
        v = np.zeros(layout.n_v)
        v[column] = 1.0
        rows[:, column] = fill(compiled, ws, 0.0, q, v)[1][list(terms)]
    return rows


def mass_matrix(compiled: Compiled, q: np.ndarray | None = None) -> np.ndarray:
    """M as one matrix, of flexible bodies at the pose q; a particle has zeros for its rotation."""
    layout, q = compiled.layout, compiled.q0 if q is None else q
    M = _block_diagonal(layout, compiled.mass, compiled.system.bodies["J"])
    for id, record in compiled.elastic.items():
        k = compiled.body_ids.index(id)
        turn, modes, x = layout.spin(k), layout.modal_speeds(k), q[layout.modes(k)]
        M[turn, turn] += in_matrix(record.Theta1 @ x + np.einsum("f,efg,g->e", x, record.Theta2, x))
        B = np.einsum("f,tfg->tg", x, record.A)
        M[turn, modes], M[modes, turn], M[modes, modes] = B, B.T, np.eye(record.n_f)
    return M


def inverse_mass(compiled: Compiled) -> np.ndarray:
    """W as one matrix, with modes held; a particle has zeros for its rotation, and modes have zeros."""
    bodies = compiled.system.bodies
    return _block_diagonal(compiled.layout, bodies["inv_mass"], bodies["inv_J"])


def _block_diagonal(layout: Layout, mass: np.ndarray, J: np.ndarray) -> np.ndarray:
    """diag(m, m, ..., J) of all bodies, or of their reciprocals."""
    matrix = np.zeros((layout.n_v, layout.n_v))
    for k in range(layout.n_bodies):
        u, w = layout.velocity(k), layout.spin(k)
        matrix[u, u] = mass[k] * np.eye(layout.dim)
        matrix[w, w] = J[k][:1, :1] if layout.dim == 2 else J[k]
    return matrix


def movable(compiled: Compiled) -> np.ndarray:
    """Which entries of v are degrees of freedom of rigid bodies: a particle has no rotation."""
    mask = ~compiled.layout.is_modal
    mask[compiled.layout.spins[compiled.is_particle]] = False
    return mask
