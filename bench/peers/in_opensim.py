"""The problems in OpenSim, by CPodes: backward differences of variable order, for stiff ones.

Samplers are called with digits of its accuracy, not with steps. What Python does between samples is little.
"""

from importlib import import_module
from math import pi
from typing import Any

import numpy as np

from bench.peers.mechanisms import SLIDE, TURN, Mechanism, Spring, Vector
from bench.peers.samples import Sampler, Span

TRIED = tuple(range(6, 25))  # half digits
FRAMES = {  # its joints turn about z and slide along x: turned so that this is the axis of the link
    (TURN, "x"): (0.0, pi / 2, 0.0),
    (TURN, "y"): (-pi / 2, 0.0, 0.0),
    (TURN, "z"): (0.0, 0.0, 0.0),
    (SLIDE, "x"): (0.0, 0.0, 0.0),
    (SLIDE, "y"): (0.0, 0.0, pi / 2),
    (SLIDE, "z"): (0.0, -pi / 2, 0.0),
}


def told(span: Span, half_digits: int) -> str:
    """Its accuracy in words."""
    return f"accuracy {_accuracy(half_digits):.1e}"


def _accuracy(half_digits: int) -> float:
    return float(10.0 ** (-half_digits / 2))


def tree(mechanism: Mechanism, span: Span) -> Sampler | None:
    """A sampler of a tree that is stiff: with springs between points, and without loops."""
    if mechanism.pins or not mechanism.springs:
        return None
    opensim = import_module("opensim")
    opensim.Logger.setLevelString("Off")
    model, coordinates = _model(opensim, mechanism)
    model.initSystem()

    def sample(half_digits: int) -> np.ndarray:
        state, manager = model.initializeState(), opensim.Manager(model)
        manager.setIntegratorMethod(opensim.Manager.IntegratorMethod_CPodes)
        manager.setIntegratorAccuracy(_accuracy(half_digits))
        manager.setWriteToStorage(False)
        manager.initialize(state)
        q = np.empty((span.n + 1, len(coordinates)))
        for n in range(span.n + 1):
            if n:
                state = manager.integrate(n * span.interval)
            q[n] = [one.getValue(state) for one in coordinates]
        return mechanism.observe(q)

    return sample


def _model(opensim: Any, mechanism: Mechanism) -> tuple[Any, list[Any]]:
    """Its model, and the coordinates of links."""

    def vector(x: Vector) -> Any:
        return opensim.Vec3(*map(float, x))

    model = opensim.Model()
    model.setGravity(vector(mechanism.gravity))
    bodies = [model.getGround()]
    for n, link in enumerate(mechanism.links):
        inertia = opensim.Inertia(*map(float, link.inertia))
        body = opensim.Body(f"body_{n}", link.mass, vector(link.center), inertia)
        turned = vector(FRAMES[link.joint, link.axis])
        kind = opensim.PinJoint if link.joint == TURN else opensim.SliderJoint
        places = (
            bodies[link.parent + 1],
            vector(link.place),
            turned,
            body,
            opensim.Vec3(0.0),
            turned,
        )
        joint = kind(f"joint_{n}", *places)
        model.addBody(body)
        model.addJoint(joint)
        bodies.append(body)
        coordinate = joint.updCoordinate()
        coordinate.setName(f"q{n}")
        coordinate.setDefaultValue(link.start)
        coordinate.setDefaultSpeedValue(link.speed)
    for n, spring in enumerate(mechanism.springs):
        ends = spring.ends
        force = opensim.ExpressionBasedPointToPointForce(
            *(bodies[ends.i + 1].getAbsolutePathString(), vector(ends.at_i)),
            *(bodies[ends.j + 1].getAbsolutePathString(), vector(ends.at_j)),
            _pull(spring),
        )
        force.setName(f"spring_{n}")
        model.addForce(force)
    model.finalizeConnections()
    known = model.getCoordinateSet()
    return model, [known.get(f"q{n}") for n in range(len(mechanism.links))]


def _pull(spring: Spring) -> str:
    """The pull of a spring with its damper, as its formula of the distance d and its rate."""
    return f"{spring.stiffness!r}*(d-{spring.free_length!r})+{spring.damping!r}*ddot"
