"""The rows of many joints as a sparse matrix, for Newton's method on long chains.

A = D W^1/2 with rows of length one. S = A A^T is as sparse as the mechanism, and in a good order of
elimination a chain makes no fill: a step costs as much as there are joints.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.compiling.system import Compiled
from engine.kernels.layout import Workspace

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class SparseRows:
    """Where the numbers of D are, for one model of rigid bodies."""

    def __init__(self, compiled: Compiled) -> None:
        system, n_v = compiled.system, compiled.layout.n_v
        first = np.zeros(len(system.row_of), dtype=np.int64)
        for body in system.bodies:
            first[body["start"] : body["stop"]] = body["v_at"]
        width = int(system.bodies["n_v"][0])
        rows = np.repeat(system.row_of, width)
        columns = (first[:, None] + np.arange(width)).ravel()
        self._order = np.lexsort((columns, rows))
        self._rows, self._columns = rows[self._order], columns[self._order]
        counts = np.bincount(self._rows, minlength=compiled.n_rows)
        self._starts = np.concatenate([[0], np.cumsum(counts)])
        self._shape = compiled.n_rows, n_v

    def scaled(self, ws: Workspace, root: np.ndarray) -> "tuple[csr_array, np.ndarray]":
        """A for a diagonal W^1/2, and the lengths that its rows had; the kernels must have filled D."""
        from scipy.sparse import csr_array  # not before somebody drags a long chain

        numbers = ws.D[: len(self._order) // ws.D.shape[1]].ravel()[self._order]
        numbers = numbers * root[self._columns]
        square = np.bincount(self._rows, numbers * numbers, minlength=self._shape[0])
        length = np.where(square > 0.0, np.sqrt(square), 1.0)
        numbers = numbers / length[self._rows]
        return csr_array((numbers, self._columns, self._starts), shape=self._shape), length


def solved(A: "csr_array", b: np.ndarray, soft: float) -> np.ndarray:
    """(A A^T + soft 1)^-1 b."""
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    S = (A @ A.T + soft * eye_array(A.shape[0])).tocsc()
    options = {"SymmetricMode": True}
    factors = splu(S, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    return np.asarray(factors.solve(b))
