"""The rigid motion of what holds a flexible body: a magnified picture of it is drawn from there.

Modes are seen from the mean axis, which moves against a clamp when the body bends. With X q the rigid
motion that fits the displacements of the held places best, and u(x) the displacement of a point,

    shown = x + u + (factor - 1) (u - X q at x)

leaves those places where they are: both pins, or a clamp with its direction. What nothing holds is
magnified from the mean axis, and what one pin holds turns with it.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from engine.model.elastic.matrices import turned_places
from engine.model.elements import Id

SAME = 1e-6  # of the size of the body: places nearer than this are one
NONE = 1e-9  # of the largest: smaller singular values are zero


class Following(Protocol):
    """A marker on a flexible body."""

    @property
    def P(self) -> np.ndarray:
        """(dim,) from the mass centre   [m]."""

    @property
    def Phi(self) -> np.ndarray:
        """(dim, n_f) displacement by modes."""

    @property
    def Psi(self) -> np.ndarray:
        """(t, n_f) turn by modes."""


def anchor(
    followers: Mapping[Id, Following], joints: Mapping[Id, frozenset[int]], n_f: int, dim: int
) -> np.ndarray:
    """X (3 or 6, n_f): shift and turn about the mass centre, by modes, of what joints hold."""
    turns = 1 if dim == 2 else 3
    held = [(joints.get(id, frozenset()), one) for id, one in followers.items()]
    held = [(what, one) for what, one in held if any(c < dim for c in what)]
    none = np.zeros((dim + turns, n_f))
    if not held or not n_f:
        return none
    first = held[0][1].P
    size = max(float(np.abs([one.P for one in followers.values()]).max()), 1e-9)
    is_one_place = all(np.linalg.norm(one.P - first) <= SAME * size for _, one in held)
    clamped = [one for what, one in held if all(dim + n in what for n in range(turns))]
    if is_one_place and not clamped:
        return np.concatenate([held[0][1].Phi, none[dim:]])
    rows = [np.hstack([np.eye(dim), turned_places(one.P[None])[0] / size]) for _, one in held]
    moved = [one.Phi for _, one in held]
    if is_one_place:
        rows.append(np.hstack([np.zeros((turns, dim)), np.eye(turns) / size]))
        moved.append(clamped[0].Psi)
    X = np.linalg.lstsq(np.concatenate(rows), np.concatenate(moved), rcond=NONE)[0]
    X[dim:] /= size
    return np.asarray(X)
