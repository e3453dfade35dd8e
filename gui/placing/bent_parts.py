"""How a part by its matrices is bent: what its nodes do, carried to every point of its picture.

Between the nodes x_k, which are moved by u_k, a point p is moved by

    u(p) = sum_k c_k |p - x_k|^3 + a + B p        sum c_k = 0,  sum c_k x_k^T = 0,  u(x_k) = u_k

On a line of nodes this is the natural cubic spline; a rigid motion of the nodes moves the picture alike.
"""

from functools import lru_cache
from typing import Any

import numpy as np

KEPT = 32  # sets of points whose shares are kept


def carried(nodes: np.ndarray, moved: np.ndarray, points: np.ndarray) -> np.ndarray:
    """What values of the nodes (k, c) are at points (n, dim)."""
    shape = nodes.shape
    shares = _shares(
        np.ascontiguousarray(nodes).tobytes(), shape, np.ascontiguousarray(points).tobytes()
    )
    return np.asarray(shares @ moved)


@lru_cache(maxsize=KEPT)
def _shares(nodes: bytes, shape: tuple[int, int], points: bytes) -> np.ndarray:
    """The shares of the nodes in points, (n, k)."""
    x = np.frombuffer(nodes).reshape(shape)
    middle, size = x.mean(axis=0), float(np.ptp(x, axis=0).max())
    x = (x - middle) / size
    p = (np.frombuffer(points).reshape(-1, shape[1]) - middle) / size
    k, dim = shape
    A = np.zeros((k + dim + 1,) * 2)
    A[:k, :k], linear = _cubed(x, x), _linear(x)
    A[:k, k:], A[k:, :k] = linear, linear.T
    # nodes on a line say nothing of what is beside it: the least solution moves it along
    inverse = np.linalg.pinv(A, rcond=1e-12, hermitian=True)
    return np.asarray(np.hstack([_cubed(p, x), _linear(p)]) @ inverse[:, :k])


def _cubed(p: np.ndarray, x: np.ndarray) -> np.ndarray:
    """|p_n - x_k|^3 for all pairs."""
    return np.asarray(np.linalg.norm(p[:, None] - x, axis=2) ** 3)


def _linear(p: np.ndarray) -> np.ndarray:
    """1 and the components of every point."""
    return np.column_stack([np.ones(len(p)), p])


def nodal_shift(record: Any, nodal: np.ndarray) -> np.ndarray:
    """The displacement of all nodes (k, dim) from nodal coordinates."""
    mesh = record.mesh
    return np.asarray(nodal.reshape(len(mesh.nodes), mesh.per_node)[:, : mesh.dim])
