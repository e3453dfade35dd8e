"""Mechanisms with stops whose motion is known by other means."""

from math import cos, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp

from engine.editing.builder import Mechanism

GRAVITY = 9.81
MASSES, LENGTHS = (1.0, 0.6), (1.0, 0.8)
LATER = 1e-9  # [s] behind a change, where the new branches are read


def place(dim: int, *at: float) -> tuple[float, ...]:
    """A point of the plane, or of space at z = 0."""
    return (*at, 0.0)[:dim]


def double_pendulum(dim: int, angles, limits) -> Mechanism:
    """Two slender rods at rest at these angles from hanging; limits: (joint, low, high, k, c, depth)."""
    m = Mechanism("double pendulum", dim, gravity=place(dim, 0.0, -GRAVITY))
    about = {"axis": (0, 0, 1)} if dim == 3 else {}
    before, P = "ground", np.zeros(2)
    for n, (angle, length, mass) in enumerate(zip(angles, LENGTHS, MASSES)):
        Q, J = P + length * np.array([sin(angle), -cos(angle)]), mass * length**2 / 12
        inertia = J if dim == 2 else (1e-3 * J, J, J, 0, 0, 0)
        rod = m.rod(place(dim, *P), place(dim, *Q), mass=mass, inertia=inertia, id=f"rod{n}")
        m.revolute(before, rod, at=place(dim, *P), id=f"pin{n}", **about)
        before, P = rod, Q
    for joint, low, high, k, c, depth in limits:
        m.joint_limits(f"pin{joint}", low, high, stiffness=k, damping=c, depth=depth)
    return m


def double_pendulum_reference(angles, limits, times):
    """Both joint angles at these times, and how often stops were met or left.

    Integrated piece by piece by scipy in two angles: every law stays on its branch, an event of scipy ends
    the piece.
    """
    rods = TwoRods(np.asarray(angles), limits)
    t, y, n_events = 0.0, np.array([*angles, 0.0, 0.0]), 0
    branches = [rods.branch(limit, y) for limit in limits]
    longest = 0.3 * sqrt(rods.M22 / max(limit[3] for limit in limits))
    out = np.zeros((len(times), 2))
    while t < times[-1]:
        piece = solve_ivp(
            rods.rates,
            (t, times[-1]),
            y,
            method="DOP853",
            rtol=1e-12,
            atol=1e-13,
            max_step=longest if any(side for side, *_ in branches) else 10 * longest,
            events=rods.watches(branches),
            dense_output=True,
            args=(branches,),
        )
        inside = (times >= t) & (times <= piece.t[-1])
        if inside.any():
            x = piece.sol(times[inside])[:2] - rods.angles[:, None]
            out[inside] = np.stack([x[0], x[1] - x[0]], axis=1)
        t, y = float(piece.t[-1]), piece.y[:, -1]
        if piece.status == 1:
            y = y + LATER * np.array(rods.rates(t, y, branches))
            t, old = t + LATER, branches
            branches = [rods.branch(limit, y) for limit in limits]
            n_events += sum(a[0] != b[0] for a, b in zip(old, branches))
    return out, n_events


class TwoRods:
    """The double pendulum in two angles from hanging, y = (a, b, a_dot, b_dot)."""

    def __init__(self, angles, limits) -> None:
        self.angles, self.limits = angles, limits
        (m1, m2), (l1, l2) = MASSES, LENGTHS
        self.M11 = m1 * l1**2 / 3 + m2 * l1**2
        self.M22, self.cross = m2 * l2**2 / 3, m2 * l1 * l2 / 2
        self.weights = (m1 / 2 + m2) * GRAVITY * l1, m2 * GRAVITY * l2 / 2

    def joint(self, y, n):
        """The coordinate of a joint from where it was drawn, and its rate."""
        x, w = y[:2] - self.angles, y[2:]
        return (x[0], w[0]) if n == 0 else (x[1] - x[0], w[1] - w[0])

    def push(self, limit, y, side, is_deep):
        """The depth d and k d + c d_dot s(d/depth), smooth beyond its ends."""
        n, low, high, k, c, depth = limit
        x, w = self.joint(y, n)
        d = low - x if side < 0 else x - high
        z = 1.0 if is_deep else d / depth
        return d, k * d + c * side * w * z * z * (3 - 2 * z)

    def branch(self, limit, y):
        """The side, whether it presses, and whether its damping is full."""
        n, low, high, *_, depth = limit
        x, _ = self.joint(y, n)
        side = -1 if x < low else 1 if x > high else 0
        if side == 0:
            return 0, False, False
        is_deep = self.push(limit, y, side, False)[0] > depth
        return side, self.push(limit, y, side, is_deep)[1] > 0.0, is_deep

    def rates(self, _, y, branches):
        """y' with all stops on the given branches."""
        moment = [0.0, 0.0]
        for limit, (side, presses, is_deep) in zip(self.limits, branches):
            if presses:
                moment[limit[0]] -= side * self.push(limit, y, side, is_deep)[1]
        a, b, w1, w2 = y
        c, s = self.cross * cos(a - b), self.cross * sin(a - b)
        f = [
            moment[0] - moment[1] - s * w2**2 - self.weights[0] * sin(a),
            moment[1] + s * w1**2 - self.weights[1] * sin(b),
        ]
        return [w1, w2, *np.linalg.solve([[self.M11, c], [c, self.M22]], f)]

    def watches(self, branches):
        """What ends a piece: functions of (t, y, branches) that cross zero."""
        found = []
        for limit, (side, _, is_deep) in zip(self.limits, branches):
            n, low, high, *_, depth = limit
            for edge in (low, high) if side == 0 else (low if side < 0 else high,):
                found.append(lambda _, y, __, n=n, edge=edge: self.joint(y, n)[0] - edge)
            if side:
                now = (limit, side, is_deep)
                found.append(lambda _, y, __, now=now, d=depth: self._pushed(now, y)[0] - d)
                found.append(lambda _, y, __, now=now: self._pushed(now, y)[1])
        for watch in found:
            watch.terminal = True
        return found

    def _pushed(self, now, y):
        limit, side, is_deep = now
        return self.push(limit, y, side, is_deep)


def box_on_rail(dim: int, *, gravity=(0.0, -GRAVITY), velocity=(0.0, 0.0), **limits) -> Mechanism:
    """A body of 1 kg on a vertical rail with stops."""
    m = Mechanism("box", dim, gravity=place(dim, *gravity))
    inertia = 1.0 if dim == 2 else (1.0, 1.0, 1.0, 0, 0, 0)
    still = place(dim, 0.0, 0.0)
    m.body(still, mass=1.0, inertia=inertia, center=still, velocity=place(dim, *velocity), id="box")
    m.prismatic("ground", "box", at=still, axis=place(dim, 0.0, 1.0), id="rail")
    m.joint_limits("rail", id="floor", **limits)
    return m
