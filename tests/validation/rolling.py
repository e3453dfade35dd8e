"""The rolling coin by its own equations: an independent twin of the engine's rolling disc.

Axes: e1 horizontal along the tangent, e2 from the contact to the centre, e3 the axle, which leans by
theta from the vertical. With w = (w1, w2, w3) in these axes, J across and A along the axle,

    theta' = w1,   phi' = w2 / sin theta,   v_centre = r (-w3 e1 + w1 e3)
    (J + m r^2) w1' = J phi' cos theta w2 - (A + m r^2) w2 w3 - m g r cos theta
     J          w2' = A w1 w3 - J phi' cos theta w1
    (A + m r^2) w3' = m r^2 w1 w2
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from engine.editing.builder import Mechanism
from engine.model.elements import Model


class Coin(NamedTuple):
    """A thin disc and how it starts."""

    lean: float  # of the axle from the vertical; pi/2 is upright
    w: tuple[float, float, float]  # in the axes e1, e2, e3
    radius: float = 0.3
    mass: float = 2.0
    across: float = 0.045
    along: float = 0.09


def axes(theta: float, phi: float) -> np.ndarray:
    """e1, e2, e3 as columns."""
    c, s, ct, st = np.cos(phi), np.sin(phi), np.cos(theta), np.sin(theta)
    return np.array([[c, -s * ct, s * st], [s, c * ct, -c * st], [0.0, st, ct]])


def centre_by_its_own_equations(coin: Coin, times: np.ndarray) -> np.ndarray:
    """The path of the centre, (n, 3), from the height that the lean gives, over the origin."""
    r, m, J, A = coin.radius, coin.mass, coin.across, coin.along

    def rates(t, y):
        theta, phi, w1, w2, w3 = y[:5]
        turn = w2 / np.tan(theta)
        v = axes(theta, phi) @ (-r * w3, 0.0, r * w1)
        weight = m * 9.81 * r * np.cos(theta)
        return (
            w1,
            w2 / np.sin(theta),
            (J * turn * w2 - (A + m * r * r) * w2 * w3 - weight) / (J + m * r * r),
            (A * w1 * w3 - J * turn * w1) / J,
            m * r * r * w1 * w2 / (A + m * r * r),
            v[0],
            v[1],
        )

    start = (coin.lean, 0.0, *coin.w, *(coin.radius * axes(coin.lean, 0.0)[:2, 1]))
    limits = {"rtol": 1e-12, "atol": 1e-13, "method": "DOP853"}
    y = solve_ivp(rates, (0.0, times[-1]), start, t_eval=times, **limits).y
    return np.column_stack([y[5], y[6], r * np.sin(y[0])])


def rolling_coin(coin: Coin) -> Model:
    """The same coin as a model."""
    from rotations import quaternion

    m = Mechanism("coin", 3)
    R = axes(coin.lean, 0.0)
    centre = coin.radius * R[:, 1]
    w1, _, w3 = coin.w
    m.body(
        centre,
        id="coin",
        mass=coin.mass,
        inertia=(coin.across, coin.across, coin.along, 0, 0, 0),
        center=(0, 0, 0),
        orientation=quaternion.from_matrix(R),
        angular_velocity=coin.w,
        velocity=R @ (-coin.radius * w3, 0.0, coin.radius * w1),
    )
    upwards = {"axis": (0, 0, 1), "axle": R[:, 2], "radius": coin.radius}
    m.rolling_disc("ground", "coin", on=(0, 0, 0), center=centre, id="contact", **upwards)
    return m.model
