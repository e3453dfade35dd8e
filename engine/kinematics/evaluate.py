"""The equations of motion at one state as ordinary matrices, for tests, analysis and teaching.

    [ M  D^T ] [ a   ]   [ f     ]
    [ D   0  ] [ lam ] = [ gamma ]

The hot loop never forms these; here they are unpacked from what the kernels computed.
"""

from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.kernels import dynamics, entries
from engine.kernels.layout import Workspace


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


def equations(
    compiled: Compiled, t: float, q: np.ndarray, v: np.ndarray, ws: Workspace | None = None
) -> Equations:
    """Everything at the state (t, q, v)."""
    system = compiled.system
    ws = ws or workspace(system)
    q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    fill(compiled, ws, t, q, v)
    q_dot = np.zeros_like(q)
    dynamics.rates(system.dim, system.n_bodies, system.bodies, q, v, q_dot)
    return Equations(
        M=mass_matrix(compiled),
        D=dense_D(compiled, ws),
        Phi=ws.Phi.copy(),
        nu=ws.nu.copy(),
        gamma=ws.gamma.copy(),
        f=ws.f.copy(),
        a=ws.a.copy(),
        lam=ws.lam.copy(),
        dropped=ws.dropped.astype(bool),
        q_dot=q_dot,
    )


def fill(
    compiled: Compiled, ws: Workspace, t: float, q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Fill the workspace at the state (t, q, v); returns all coordinates and their rates."""
    n = len(compiled.system.terms)
    values, speeds = np.zeros(n), np.zeros(n)
    y = np.concatenate([q, v], dtype=float)
    entries.measure(linked(compiled.system, ws), t, y, values, speeds)
    return values, speeds


def dense_D(compiled: Compiled, ws: Workspace) -> np.ndarray:
    """D as one matrix, from the rows the kernels filled."""
    system, n_d = compiled.system, compiled.n_d
    D = np.zeros((compiled.n_rows, n_d * system.n_bodies))
    for k, body in enumerate(system.bodies):
        part = slice(body["start"], body["stop"])
        D[system.row_of[part], n_d * k : n_d * (k + 1)] = ws.D[part]
    return D


def mass_matrix(compiled: Compiled) -> np.ndarray:
    """M as one matrix; a particle has zeros for its rotation."""
    n_d, dim = compiled.n_d, compiled.system.dim
    M = np.zeros((n_d * len(compiled.mass),) * 2)
    for k, (mass, J) in enumerate(zip(compiled.mass, compiled.system.bodies["J"])):
        at = n_d * k
        M[range(at, at + dim), range(at, at + dim)] = mass
        M[at + dim : at + n_d, at + dim : at + n_d] = J[:1, :1] if dim == 2 else J
    return M


def inverse_mass(compiled: Compiled) -> np.ndarray:
    """W as one matrix; a particle has zeros for its rotation."""
    n_d, dim, bodies = compiled.n_d, compiled.system.dim, compiled.system.bodies
    W = np.zeros((n_d * len(bodies),) * 2)
    for k, body in enumerate(bodies):
        at = n_d * k
        W[range(at, at + dim), range(at, at + dim)] = body["inv_mass"]
        part = body["inv_J"][:1, :1] if dim == 2 else body["inv_J"]
        W[at + dim : at + n_d, at + dim : at + n_d] = part
    return W


def movable(compiled: Compiled) -> np.ndarray:
    """Which entries of v are degrees of freedom: a particle has no rotation."""
    mask = np.ones((len(compiled.mass), compiled.n_d), dtype=bool)
    mask[compiled.is_particle, compiled.system.dim :] = False
    return mask.ravel()
