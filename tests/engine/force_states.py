"""Force elements in random states, and the forces expected from their description."""

from math import atan2
from typing import NamedTuple

import numpy as np
from scipy.integrate import quad

from engine.compiling.system import Compiled, compile_model
from engine.kinematics.evaluate import equations
from engine.model.elements import remove
from engine.model.forces import FORCES
from tests.engine.catalogue import force_model
from tests.engine.poses import marker_pose, moved, slope

FORCE_OF = {force.kind: force for force in FORCES}
DIFFERENCE = 1e-8  # central differences of sixth order (1e-12) times stiffness up to 1e4
T = 0.7  # a time at which laws of t are not special


class State(NamedTuple):
    """A force element in a random state, and its generalised force there."""

    compiled: Compiled
    q: np.ndarray
    v: np.ndarray
    Q: np.ndarray  # of the element alone


def force_of(model, t, q, v, id="force"):
    """The generalised force of one element: with it less without it."""
    with_it, without = compile_model(model), compile_model(remove(model, id))
    return equations(with_it, t, q, v).f - equations(without, t, q, v).f


def random_state(force, dim, seed=0, **changes):
    """The element away from its drawing, in a state of random motion."""
    model = force_model(force, dim, seed, **changes)
    compiled = compile_model(model)
    rng = np.random.default_rng(seed + 100)
    q = moved(compiled, compiled.q0, rng.uniform(-0.2, 0.2, size=len(compiled.v0)))
    v = rng.uniform(-1.0, 1.0, size=len(compiled.v0))
    return State(compiled, q, v, force_of(model, T, q, v))


def ends(compiled):
    """The markers a force acts between: its own, or those of its joint."""
    force = compiled.resolved["force"]
    holder = compiled.resolved[force.joint] if hasattr(force, "joint") else force
    return holder.marker_i, holder.marker_j


def frames(compiled, q):
    """The poses of the two markers."""
    return [marker_pose(compiled, q, marker) for marker in ends(compiled)]


def distance(compiled, q):
    """|P_j - P_i|."""
    i, j = frames(compiled, q)
    return float(np.linalg.norm(j.P - i.P))


def along(axis):
    """How far P_j lies from P_i along an axis of i."""

    def coordinate(compiled, q):
        i, j = frames(compiled, q)
        return float(i.axes[:, axis] @ (j.P - i.P))

    return coordinate


def angle_about(axis):
    """The angle about an axis of i from its next axis to the same axis of j."""
    first, second = (axis + 1) % 3, (axis + 2) % 3

    def coordinate(compiled, q):
        if compiled.system.dim == 2:  # turns are counted
            angles = []
            for marker in ends(compiled):
                own = compiled.resolved[marker]
                at = compiled.body_ids.index(own.body)
                angles.append(float(q[compiled.layout.orientation(at)][0]) + own.angle)
            return angles[1] - angles[0]
        i, j = frames(compiled, q)
        b = j.axes[:, first]
        return atan2(i.axes[:, second] @ b, i.axes[:, first] @ b)

    return coordinate


angle = angle_about(2)


def stop(f, x, rate):
    """A stop's restoring force."""
    side, depth = (1.0, x - f.high) if x > f.high else (-1.0, f.low - x)
    if depth <= 0.0:
        return 0.0
    z = min(depth / f.depth, 1.0)
    return side * max(0.0, f.stiffness * depth + f.damping * side * rate * (3 * z**2 - 2 * z**3))


def drawn(state_of, compiled, given):
    """A free length or angle: the given one, or the one drawn."""
    return state_of(compiled, compiled.q0) if given is None else given


def expected_laws(compiled):
    """The coordinates an element acts along and its N(x, rate) for each, by its description."""
    f, dim = compiled.resolved["force"], compiled.system.dim
    kind = f.kind
    if kind in ("spring", "damper", "spring_damper"):
        x0 = drawn(distance, compiled, f.free_length)
        return [(distance, lambda x, u: f.preload + f.stiffness * (x - x0) + f.damping * u)]
    if kind == "torsion_spring":
        x0 = drawn(angle, compiled, f.free_angle)
        return [(angle, lambda x, u: f.preload + f.stiffness * (x - x0) + f.damping * u)]
    if kind == "joint_damping":
        return [(angle, lambda x, u: f.damping * u)]
    if kind == "joint_limits":
        return [(angle, lambda x, u: stop(f, x, u))]
    if kind == "actuator":
        return [(angle, lambda x, u: -(2 * np.sin(3 * T) - 0.1 * u))]
    if kind == "maxwell":
        x0, z = drawn(distance, compiled, f.free_length), f.start_stretch
        k, k_2, c_2 = f.stiffness, f.parallel_stiffness, f.parallel_damping
        return [(distance, lambda x, u: k * (x - x0 - z) + k_2 * (x - x0) + c_2 * u)]
    if kind == "state_force":  # z1 and z2 start at zero
        return [(distance, lambda x, u: -T)]
    if kind == "dc_motor":
        return [(angle, lambda x, u: -f.constant * f.start_current)]
    if kind == "controller":  # the filtered speed starts at zero
        return [(angle, lambda x, u: -f.proportional * (0.3 * T - x))]
    if kind == "hydraulic_cylinder":
        return [(distance, lambda x, u: -f.start_pressure_a * f.piston_area)]
    assert kind == "bushing"
    shifts = [(along(c), f"k_{n}", f"c_{n}") for c, n in zip(range(dim), "xyz")]
    axes = (2,) if dim == 2 else (0, 1, 2)
    turns = [(angle_about(c), f"turn_k_{'xyz'[c]}", f"turn_c_{'xyz'[c]}") for c in axes]
    return [
        (coordinate, lambda x, u, k=k, c=c: getattr(f, k) * x + getattr(f, c) * u)
        for coordinate, k, c in shifts + turns
    ]


def gradient(state, coordinate):
    """dx/dq by differences of a coordinate computed by numpy."""
    unit = np.eye(len(state.v))
    return np.array(
        [
            slope(lambda h, e=e: coordinate(state.compiled, moved(state.compiled, state.q, h * e)))
            for e in unit
        ]
    )


def law_force(state):
    """-sum N dx/dq, all of it from the description of the element."""
    Q = np.zeros_like(state.v)
    if state.compiled.resolved["force"].kind == "general_force":
        slopes = [gradient(state, c) for c in (distance, angle)]
        x, a = (c(state.compiled, state.q) for c in (distance, angle))
        rate, speed = (g @ state.v for g in slopes)
        return slopes[0] * (5 * (1 - x) - 0.3 * rate + 0.2 * a - 0.1 * speed + T)
    for coordinate, N in expected_laws(state.compiled):
        g = gradient(state, coordinate)
        Q -= g * N(coordinate(state.compiled, state.q), g @ state.v)
    return Q


def stored(compiled, q):
    """The energy in a spring: N integrated by quadrature from where the spring is free."""
    f = compiled.resolved["force"]
    if f.kind == "bushing":
        parts = [(coordinate, N, 0.0) for coordinate, N in expected_laws(compiled)]
    else:
        ((coordinate, N),) = expected_laws(compiled)
        free = {"spring": "free_length", "torsion_spring": "free_angle"}.get(f.kind)
        x0 = getattr(f, free) if free else min(max(coordinate(compiled, q), f.low), f.high)
        parts = [(coordinate, N, x0)]
    curve = getattr(f, "spring_curve", None)

    def tension(N, x, x0):
        more = 40 * (x - x0) ** 3 + 2 * (x - x0) if curve else 0.0
        return N(x, 0.0) + more

    energy = 0.0
    for coordinate, N, x0 in parts:
        x = coordinate(compiled, q)
        energy += quad(lambda s, N=N, x0=x0: tension(N, s, x0), x0, x, epsabs=1e-13, epsrel=1e-13)[
            0
        ]
    return energy


def stored_rate(state):
    """The rate of the stored energy in a state of motion."""
    compiled, q, v, _ = state
    return slope(lambda h: stored(compiled, moved(compiled, q, h * v)))
