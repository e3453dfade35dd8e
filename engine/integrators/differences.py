"""Jacobians by differences, many columns at a time: columns without a common row share one.

A mechanism couples neighbours only. Two bodies are neighbours if a coordinate is measured between them;
a row of constraints depends on its bodies, and a body on its rows.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from engine.kernels.layout import ACCELERATION, System
from engine.kernels.state import layout_of

ROOT = float(np.sqrt(np.finfo(float).eps))  # balances rounding and curvature
WIDE = 1e-4  # where the dependence is linear there is no curvature


class Differences(NamedTuple):
    """Which entries a Jacobian may have, and which columns are moved together."""

    pattern: sparse.csc_matrix  # (n, n)
    column: np.ndarray  # (n_entries,) of each entry, in the order of the pattern
    group: np.ndarray  # (n,)         of each column
    n_groups: int

    def entries(self, moved: np.ndarray, still: np.ndarray, shift: np.ndarray) -> np.ndarray:
        """The entries, from residuals (n_groups, n) with a group moved and (n,) with none."""
        row = self.pattern.indices
        change = moved[self.group[self.column], row] - still[row]
        return np.asarray(change / shift[self.column])


def differences(pattern: sparse.csc_matrix) -> Differences:
    """Columns of a pattern, each in the first group in which it has no common row."""
    n = pattern.shape[1]
    group = np.zeros(n, dtype=np.int64)
    taken: list[np.ndarray] = []  # rows that the columns of a group touch
    for c in range(n):
        rows = pattern.indices[pattern.indptr[c] : pattern.indptr[c + 1]]
        g = next((g for g, used in enumerate(taken) if not used[rows].any()), len(taken))
        if g == len(taken):
            taken.append(np.zeros(pattern.shape[0], dtype=bool))
        taken[g][rows] = True
        group[c] = g
    column = np.repeat(np.arange(n), np.diff(pattern.indptr))
    return Differences(pattern, column, group, len(taken))


def full(n: int) -> sparse.csc_matrix:
    """A pattern in which everything depends on everything."""
    return sparse.csc_matrix(np.ones((n, n)))


def pattern_of(system: System) -> sparse.csc_matrix:
    """Which equations of (q, v, z, lam, mu) depend on which unknowns; see libraries/sundials.py."""
    n, m, layout = system.n_bodies, len(system.rows), layout_of(system)
    acting = system.interactions
    owner = np.array([*range(n), *system.followers["body"], n], dtype=np.int64)  # the last: ground
    i, j = (owner[np.concatenate([system.terms[side], acting[side]])] for side in "ij")
    moving = (i < n) & (j < n)
    pairs = np.concatenate([np.arange(n), i[moving]]), np.concatenate([np.arange(n), j[moving]])
    near = sparse.coo_matrix((np.ones(len(pairs[0])), pairs), shape=(n, n)).tocsr()
    near = near + near.T  # bodies x bodies
    body_of = np.repeat(owner[:-1], system.carriers["stop"] - system.carriers["start"])
    ties = (np.ones(len(body_of)), (system.row_of[: len(body_of)], body_of))
    rows = sparse.coo_matrix(ties, shape=(m, n)).tocsr()  # rows x bodies
    late = sparse.diags_array((system.rows["level"] == ACCELERATION).astype(float))
    itself = sparse.eye_array(m)
    source = np.repeat(np.arange(len(acting)), acting["n_z"])  # the interaction of each state
    ends = np.zeros((layout.n_z, n + 1))
    for side in "ij":
        ends[np.arange(layout.n_z), owner[acting[side][source]]] = 1.0
    of_z = sparse.csr_matrix(ends[:, :n])  # states x bodies
    same = sparse.csr_matrix((source[:, None] == source).astype(float))
    q, v = layout.body_of_q, layout.body_of_v
    to_q, to_v = rows[:, q], rows[:, v]
    blocks = [
        [near[q][:, q], near[q][:, v], None, None, to_q.T],
        [near[v][:, q], near[v][:, v], of_z[:, v].T, to_v.T, None],
        [of_z[:, q], of_z[:, v], same, None, None],
        [to_q, to_v, late @ rows @ of_z.T, itself + late @ (rows @ rows.T), None],
        [to_q, None, None, None, itself],
    ]
    there = [0, 1, *([2] if layout.n_z else []), *([3, 4] if m else [])]
    found = sparse.csc_matrix(sparse.block_array([[blocks[r][c] for c in there] for r in there]))
    found.sum_duplicates()
    found.sort_indices()
    found.data[:] = 1.0
    return found
