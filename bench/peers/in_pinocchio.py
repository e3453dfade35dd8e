"""The problems in Pinocchio: its articulated-body algorithm in RK4 from Python.

It has no integrator of its own.
"""

from importlib import import_module

import numpy as np

from bench.peers.mechanisms import TURN, Mechanism
from bench.peers.samples import Sampler, Span


def tree(mechanism: Mechanism, span: Span) -> Sampler | None:
    """A sampler of a tree without loops and springs between points."""
    if mechanism.pins or mechanism.springs:
        return None
    pinocchio = import_module("pinocchio")
    model, joints = pinocchio.Model(), [0]
    for n, link in enumerate(mechanism.links):
        prefix = "JointModelR" if link.joint == TURN else "JointModelP"
        kind = getattr(pinocchio, prefix + link.axis.upper())()
        place = pinocchio.SE3(np.eye(3), np.array(link.place))
        joints.append(model.addJoint(joints[link.parent + 1], kind, place, f"joint_{n}"))
        body = pinocchio.Inertia(link.mass, np.array(link.center), np.diag(link.inertia))
        model.appendBodyToJoint(joints[-1], body, pinocchio.SE3.Identity())
    model.gravity.linear = np.array(mechanism.gravity)
    data = model.createData()
    start = np.array([link.start for link in mechanism.links])
    speed = np.array([link.speed for link in mechanism.links])
    k = np.array([link.stiffness for link in mechanism.links])
    c = np.array([link.damping for link in mechanism.links])
    is_sprung, zero = bool(np.any(k) or np.any(c)), np.zeros(len(start))
    aba = pinocchio.aba

    def rate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return aba(model, data, q, v, -k * q - c * v if is_sprung else zero).copy()

    def sample(per_interval: int) -> np.ndarray:
        h = span.interval / per_interval
        q, v = start.copy(), speed.copy()
        samples = [q]
        for _ in range(span.n):
            for _ in range(per_interval):
                a1 = rate(q, v)
                v2 = v + h / 2 * a1
                a2 = rate(q + h / 2 * v, v2)
                v3 = v + h / 2 * a2
                a3 = rate(q + h / 2 * v2, v3)
                v4 = v + h * a3
                a4 = rate(q + h * v3, v4)
                q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
                v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
            samples.append(q)
        return mechanism.observe(np.array(samples))

    return sample
