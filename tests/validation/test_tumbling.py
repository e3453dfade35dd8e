"""A body without torque that tumbles for 100 s: Euler angles, quaternions and the closed form agree.

With J1 < J2 < J3 and H^2 > 2 T J2 the angular velocity is, from the moment at which w2 = 0,

    w = (a1 cn(p t), a2 sn(p t), a3 dn(p t))      p^2 = (J3 - J2)(H^2 - 2T J1) / (J1 J2 J3)
    m = (J2 - J1)(2T J3 - H^2) / ((J3 - J2)(H^2 - 2T J1))

The angular momentum is constant in space. In axes with z along it, the 3-1-3 angles follow from
J w / H = (sin theta sin psi, sin theta cos psi, cos theta), and

    phi_dot = H (J1 w1^2 + J2 w2^2) / ((J1 w1)^2 + (J2 w2)^2)

whose integral is found by Gauss quadrature, exact to rounding for so smooth a function.
"""

import functools

import numpy as np
import pytest
from scipy.special import ellipj

from engine.editing.builder import Mechanism
from engine.running.simulate import run
from engine.studies.twins import difference, twin
from rotations import euler_angles, quaternion

J = np.array([1.0, 2.0, 3.0])
W0 = np.array([1.5, 0.0, 1.2])
T_END = 100.0


def w_at(t):
    """The angular velocity in body axes, (n, 3)."""
    twice_T, H2 = float(J @ W0**2), float((J * W0) @ (J * W0))
    assert twice_T * J[1] < H2
    p = np.sqrt((J[2] - J[1]) * (H2 - twice_T * J[0]) / J.prod())
    m = (J[1] - J[0]) * (twice_T * J[2] - H2) / ((J[2] - J[1]) * (H2 - twice_T * J[0]))
    a2 = np.sqrt((twice_T * J[2] - H2) / (J[1] * (J[2] - J[1])))
    sn, cn, dn, _ = ellipj(p * np.asarray(t), m)
    return np.stack([W0[0] * cn, a2 * sn, W0[2] * dn], axis=-1)


def angles_at(t):
    """The 3-1-3 angles at equally spaced times from 0 on, (n, 3)."""
    H = float(np.linalg.norm(J * W0))
    nodes, weights = np.polynomial.legendre.leggauss(20)

    def phi_dot(at):
        w = w_at(at)
        return H * (J[:2] * w[..., :2] ** 2).sum(-1) / ((J[:2] * w[..., :2]) ** 2).sum(-1)

    h = t[1] - t[0]
    pieces = phi_dot(t[:-1, None] + h / 2 * (1.0 + nodes)) @ weights * h / 2
    u = w_at(t) * J / H
    return np.stack(
        [np.append(0.0, np.cumsum(pieces)), np.arccos(u[:, 2]), np.arctan2(u[:, 0], u[:, 1])],
        axis=1,
    )


@functools.cache
def runs():
    """The body on Euler angles 3-1-3, which stay away from their lock, and on quaternions."""
    m = Mechanism("tumbling", 3, gravity=(0, 0, 0))
    m.settings(orientation="3-1-3", orientation_display="3-1-3", method="dop853")
    m.settings(tolerance=1e-13, t_end=T_END, output_step=0.25)
    unit = euler_angles.quaternion("3-1-3", angles_at(np.array([0.0, 0.1]))[0])
    body = {"mass": 1.0, "inertia": (*J, 0, 0, 0), "center": (0, 0, 0)}
    m.body((0, 0, 0), id="body", orientation=unit, angular_velocity=W0, **body)
    return run(m.model), run(twin(m.model))


def test_both_parameters_agree_for_a_hundred_seconds():
    euler, by_quaternion = runs()
    assert euler.ending.reason == by_quaternion.ending.reason == "done" and euler.events == []
    assert euler["body.lock_measure"].min() > 0.3  # away from lock
    assert difference(euler, by_quaternion)["body"].max() < 1e-8
    assert euler.v == pytest.approx(by_quaternion.v, abs=1e-8)


@pytest.mark.parametrize("which", (0, 1))
def test_a_hundred_seconds_of_tumbling_follow_the_closed_form(which):
    results = runs()[which]
    w = results.v[:, 3:6]
    assert w == pytest.approx(w_at(results.t), abs=1e-8)
    expected = angles_at(results.t)
    R = euler_angles.matrix("3-1-3", expected)
    q = np.stack([results[f"body.q{n}"] for n in range(4)], axis=1)
    assert quaternion.matrix(q) == pytest.approx(R, abs=1e-8)
    # the channels count the same turns: phi goes round about fifty times
    shown = np.stack([results[f"body.{name}"] for name in ("phi", "theta", "psi")], axis=1)
    expected[:, 2] = np.unwrap(expected[:, 2])
    assert shown == pytest.approx(expected, abs=1e-7)  # 1e-8 / s
    assert shown[-1, 0] > 50.0 * np.pi
