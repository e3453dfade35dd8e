"""Where the numbers of each body are in q, in v and in the state y = (q, v, z, work).

Kernels read `q_at`, `v_at`, `n_q` and `n_v` from the record of a body; other code uses a Layout. It returns
slices and index arrays for the last axis, which work for one row and for a history of rows:

    v[layout.spin(k)]               angular velocity of body k in one row
    results.v[:, layout.spin(k)]    ... in every frame
    q[..., layout.positions]        mass centres of all bodies, (..., n_bodies, dim)

z holds the states of force laws, one law after the other. Works are integrated beside the motion, which
does not depend on them.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.kernels.layout import BODY, RIGID, System


class Layout:
    """The places of all coordinates, velocities, states and works of a model."""

    def __init__(self, dim: int, bodies: np.ndarray, n_z: int = 0, n_work: int = 0) -> None:
        self.dim, self.n_bodies, self.n_z, self.n_work = dim, len(bodies), n_z, n_work
        self._q_at, self._v_at = bodies["q_at"].tolist(), bodies["v_at"].tolist()
        self._n_q, self._n_v = bodies["n_q"].tolist(), bodies["n_v"].tolist()
        self.n_q, self.n_v = sum(self._n_q), sum(self._n_v)
        rigid = RIGID[dim]
        self._orientation, self._spin = rigid.n_q - dim, rigid.n_v - dim  # numbers of each

    @property
    def n_motion(self) -> int:
        """Numbers in a state on which the motion depends: all but works."""
        return self.n_q + self.n_v + self.n_z

    @property
    def n_y(self) -> int:
        """Numbers in a state."""
        return self.n_motion + self.n_work

    def q(self, k: int) -> slice:
        """All coordinates of body k in q."""
        return slice(self._q_at[k], self._q_at[k] + self._n_q[k])

    def v(self, k: int) -> slice:
        """All velocities of body k in v."""
        return slice(self._v_at[k], self._v_at[k] + self._n_v[k])

    def position(self, k: int) -> slice:
        """The mass centre of body k in q."""
        return slice(self._q_at[k], self._q_at[k] + self.dim)

    def orientation(self, k: int) -> slice:
        """The orientation of body k in q: phi, or four places for a quaternion or Euler angles."""
        at = self._q_at[k] + self.dim
        return slice(at, at + self._orientation)

    def angles(self, k: int) -> slice:
        """The Euler angles of body k in q, if it has them: the first three places of its orientation."""
        at = self._q_at[k] + self.dim
        return slice(at, at + self._spin)

    def velocity(self, k: int) -> slice:
        """The velocity of the mass centre of body k in v, world axes."""
        return slice(self._v_at[k], self._v_at[k] + self.dim)

    def spin(self, k: int) -> slice:
        """The angular velocity of body k in v: phi_dot, or w in body axes."""
        at = self._v_at[k] + self.dim
        return slice(at, at + self._spin)

    def n_modes(self, k: int) -> int:
        """How many modes body k has: none if it is rigid."""
        return self._n_v[k] - RIGID[self.dim].n_v

    def modes(self, k: int) -> slice:
        """The modal coordinates of body k in q."""
        stop = self._q_at[k] + self._n_q[k]
        return slice(stop - self.n_modes(k), stop)

    def modal_speeds(self, k: int) -> slice:
        """Their rates in v."""
        stop = self._v_at[k] + self._n_v[k]
        return slice(stop - self.n_modes(k), stop)

    @cached_property
    def is_modal(self) -> np.ndarray:
        """Which velocities are those of modes, (n_v,)."""
        mask = np.zeros(self.n_v, dtype=bool)
        for k in range(self.n_bodies):
            mask[self.modal_speeds(k)] = True
        return mask

    @cached_property
    def positions(self) -> np.ndarray:
        """The mass centres of all bodies in q, (n_bodies, dim)."""
        return self._indices(self._q_at, 0, self.dim)

    @cached_property
    def orientations(self) -> np.ndarray:
        """The orientations of all bodies in q, (n_bodies, 1 or 4)."""
        return self._indices(self._q_at, self.dim, self._orientation)

    @cached_property
    def velocities(self) -> np.ndarray:
        """The velocities of all mass centres in v, (n_bodies, dim)."""
        return self._indices(self._v_at, 0, self.dim)

    @cached_property
    def spins(self) -> np.ndarray:
        """The angular velocities of all bodies in v, (n_bodies, 1 or 3)."""
        return self._indices(self._v_at, self.dim, self._spin)

    @cached_property
    def body_of_q(self) -> np.ndarray:
        """The body of each coordinate, (n_q,)."""
        return np.repeat(np.arange(self.n_bodies), self._n_q)

    @cached_property
    def body_of_v(self) -> np.ndarray:
        """The body of each velocity, (n_v,)."""
        return np.repeat(np.arange(self.n_bodies), self._n_v)

    def q_of(self, bodies: Sequence[int] | np.ndarray) -> np.ndarray:
        """All coordinates of some bodies in q, one body after the other."""
        return self._joined([self.q(k) for k in bodies])

    def v_of(self, bodies: Sequence[int] | np.ndarray) -> np.ndarray:
        """All velocities of some bodies in v, one body after the other."""
        return self._joined([self.v(k) for k in bodies])

    def parts(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Views of q, v and z in a state, or in rows of states."""
        at = self.n_q + self.n_v
        return y[..., : self.n_q], y[..., self.n_q : at], y[..., at : self.n_motion]

    def work(self, y: np.ndarray) -> np.ndarray:
        """A view of all works in a state, or in rows of states."""
        return y[..., self.n_motion :]

    def y(self, q: np.ndarray, v: np.ndarray, z: np.ndarray | None = None) -> np.ndarray:
        """The state, or rows of states, of these parts; z is zero where it is not given, and so is work."""
        q, v = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
        z = np.zeros((*q.shape[:-1], self.n_z)) if z is None else z
        return np.concatenate([q, v, z, np.zeros((*q.shape[:-1], self.n_work))], axis=-1)

    @staticmethod
    def _joined(slices: list[slice]) -> np.ndarray:
        return np.concatenate([np.zeros(0, dtype=np.int64), *(np.r_[one] for one in slices)])

    @staticmethod
    def _indices(at: list[int], first: int, count: int) -> np.ndarray:
        return np.array(at, dtype=np.int64)[:, None] + first + np.arange(count)


def placed_bodies(dim: int, n_modes: Sequence[int]) -> np.ndarray:
    """Records of bodies with so many modes, with their places in q and v, and nothing else filled in."""
    bodies = np.zeros(len(n_modes), dtype=BODY)
    for name, n in zip(("n_q", "n_v"), RIGID[dim]):
        bodies[name] = n + np.array(n_modes, dtype=np.int64)
    place(bodies)
    return bodies


def place(bodies: np.ndarray) -> None:
    """Line bodies up in q and v; changes their offsets."""
    for at, n in (("q_at", "n_q"), ("v_at", "n_v")):
        bodies[at] = np.cumsum(bodies[n]) - bodies[n]


def layout_of(system: System) -> Layout:
    """The layout of the states of a system."""
    n_work = int(system.works["to"].max(initial=-1)) + 1
    return Layout(system.dim, system.bodies, len(system.states), n_work)
