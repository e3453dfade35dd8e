"""Laws of markers: what they see, what they do to both bodies, and how that changes with the state."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.elimination import dense_blocks, with_tangents
from engine.compiling.system import linked, workspace
from engine.kernels.implicit.entries import LINEARISE, tangent
from engine.kernels.implicit.tangent_layout import BY_STATE
from engine.kinematics.evaluate import equations, fill
from engine.model.bodies import SpatialBody, SpatialMarker
from engine.model.elements import put, spatial
from rotations import quaternion
from tests.engine.catalogue import bodies_and_markers
from tests.engine.laws.test_invariance import displaced
from tests.engine.marker_laws import IN_WORLD_AXES, SAMPLES, SERIES, acting, sample, wrench_on
from tests.engine.poses import about_z, body_pose, marker_pose, moved, slope

T = 0.7  # a time at which laws of t are not special
DIFFERENCE = 1e-9  # sixth-order differences: 1e-12 of numbers up to 1e3
ROUNDING = 1e-12  # of numbers of order one, some hundred operations
CASES = [
    pytest.param(kind, dim, i, id=f"{kind}-{dim}d-{i or 'world'}")
    for kind in SAMPLES
    for dim in (2, 3)
    for i in ("a1", "g1", "")
]


def drawn(dim, seed=1):
    """Three bodies in random motion without weight."""
    model = bodies_and_markers(np.random.default_rng(seed), dim)
    return replace(model, gravity=(0.0,) * dim)


def lifted(model):
    """A planar model of bodies and markers as one in space, in the plane z = 0."""
    solid = spatial()
    for e in model:
        unit = (float(np.cos(e.angle / 2)), 0.0, 0.0, float(np.sin(e.angle / 2)))
        place = {"id": e.id, "position": (*e.position, 0.0), "orientation": unit}
        if e.family == "marker":
            solid = put(solid, SpatialMarker(body=e.body, **place))
            continue
        moving = {"velocity": (*e.velocity, 0.0), "angular_velocity": (0.0, 0.0, e.spin)}
        inertia = (e.inertia, e.inertia, e.inertia, 0.0, 0.0, 0.0)
        own = {"mass": e.mass, "inertia": inertia, "center": (*e.center, 0.0)}
        solid = put(solid, SpatialBody(**place, **moving, **own))
    return solid


def state(kind, dim, i, seed=1):
    """A law between markers i and b2 in a random state: the model, q, v and z."""
    compiled = acting(drawn(dim, seed), sample(kind, i, "b2"))
    z = np.random.default_rng(seed).uniform(-0.5, 0.5, size=compiled.layout.n_z)
    return compiled, compiled.q0, compiled.v0, z


def without_gyroscopic(compiled, v, f):
    """The force of the law alone, from all of f."""
    f = f.copy()
    for k in range(compiled.system.n_bodies if compiled.system.dim == 3 else 0):
        w = v[compiled.layout.spin(k)]
        f[compiled.layout.spin(k)] += np.cross(w, compiled.system.bodies[k]["J"] @ w)
    return f


def force(compiled, q, v, z):
    """The generalised force of the law, and z_dot."""
    found = equations(compiled, T, q, v, z=z)
    return without_gyroscopic(compiled, v, found.f), found.z_dot


def linearised(compiled, q, v, z, s):
    """K and C with the states condensed for this s."""
    ws = workspace(compiled.system)
    fill(compiled, ws, T, q, v, z)
    table, (order, tan) = with_tangents(linked(compiled.system, ws), compiled.system)
    tan.factors[BY_STATE] = s
    tangent(table, T, compiled.layout.y(q, v, z), flag=LINEARISE)
    return [dense_blocks(compiled.system, order, part) for part in (tan.K, tan.C)]


def columns(of, n):
    """The derivatives of some vectors along n unit directions, as columns of matrices."""
    found = []
    for k, still in enumerate(of(np.zeros(n))):
        parts = [slope(lambda h, e=e, k=k: of(h * e)[k]) for e in np.eye(n)]
        found.append(np.reshape(parts, (n, len(still))).T)
    return found


@pytest.mark.parametrize(("kind", "dim", "i"), CASES)
def test_K_and_C_are_the_derivatives_of_the_force_with_its_states_condensed(kind, dim, i):
    compiled, q, v, z = state(kind, dim, i)
    n = len(v)

    def at(q, v, z):
        found = equations(compiled, T, q, v, z=z)
        return found.f, found.z_dot

    f_q, g_q = columns(lambda d: at(moved(compiled, q, d), v, z), n)
    f_v, g_v = columns(lambda d: at(q, v + d, z), n)
    f_z, g_z = columns(lambda d: at(q, v, z + d), len(z))
    for s in (np.inf, 7.0):  # endless: the states stay as they are
        Y = np.linalg.inv(s * np.eye(len(z)) - g_z) if s < np.inf else np.zeros_like(g_z)
        K, C = linearised(compiled, q, v, z, s)
        size = 1.0 + np.abs(f_q).max()
        np.testing.assert_allclose(K, -f_q - f_z @ Y @ g_q, rtol=0, atol=DIFFERENCE * size)
        np.testing.assert_allclose(C, -f_v - f_z @ Y @ g_v, rtol=0, atol=DIFFERENCE * size)


@pytest.mark.parametrize(("kind", "dim", "i"), CASES)
def test_action_equals_reaction(kind, dim, i):
    compiled, q, v, z = state(kind, dim, i)
    f, _ = force(compiled, q, v, z)
    total, moment = np.zeros(3), np.zeros(3)
    for k, id in enumerate(compiled.body_ids):
        F, M = wrench_on(compiled, f, k)
        pose = body_pose(compiled, q, id)
        total += F
        moment += np.cross(pose.P, F) + pose.axes @ M
    assert np.abs(f).max() > 0.1
    if i == "a1":  # else the ground takes the opposite
        np.testing.assert_allclose(total, 0.0, rtol=0, atol=ROUNDING * np.abs(f).max())
        np.testing.assert_allclose(moment, 0.0, rtol=0, atol=ROUNDING * np.abs(f).max())


@pytest.mark.parametrize("dim", [2, 3])
def test_the_power_of_a_spring_and_a_damper_in_series_is_stored_or_lost(dim):
    compiled, q, v, z = state(SERIES, dim, "a1")
    k, c = SAMPLES[SERIES][1]
    f, z_dot = force(compiled, q, v, z)

    def tension(q):
        ends = [marker_pose(compiled, q, id).P for id in ("a1", "b2")]
        return k * (np.linalg.norm(ends[1] - ends[0]) - z[0])

    N = tension(q)
    N_dot = slope(lambda h: tension(moved(compiled, q, h * v))) - k * z_dot[0]
    # d/dt N^2/2k + N^2/c = -f.v, with N_dot by differences
    assert z_dot[0] == pytest.approx(N / c, rel=1e-12)
    assert f @ v == pytest.approx(-(N * N_dot / k + N * N / c), rel=DIFFERENCE)


# Who sees turns with the model: what is given over time, such as wind, then does so too.
TURNING = [c for c in CASES if c.values[2] != "" and c.values[0] not in IN_WORLD_AXES]


@pytest.mark.parametrize(("kind", "dim", "i"), TURNING)
def test_moving_and_turning_the_model_changes_nothing(kind, dim, i):
    model = drawn(dim)
    R = about_z(0.8) if dim == 2 else quaternion.matrix(np.array([0.5, 0.1, -0.7, 0.5]))
    shift = np.array([3.0, -2.0, 0.0 if dim == 2 else 5.0])
    found = []
    for one in (model, displaced(model, R, shift)):
        compiled = acting(one, sample(kind, i, "b2"))
        z = np.linspace(-0.3, 0.4, compiled.layout.n_z)
        found.append((compiled, *force(compiled, compiled.q0, compiled.v0, z)))
    (compiled, here, rates), (_, there, other_rates) = found
    at, size = compiled.layout, np.abs(here).max()
    turned = here[at.velocities] @ R[:dim, :dim].T
    np.testing.assert_allclose(there[at.velocities], turned, rtol=0, atol=ROUNDING * size)
    np.testing.assert_allclose(there[at.spins], here[at.spins], rtol=0, atol=ROUNDING * size)
    np.testing.assert_allclose(other_rates, rates, rtol=0, atol=ROUNDING * size)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_law_is_the_same_in_the_plane_and_in_space(kind):
    flat = drawn(2)
    solid = replace(lifted(flat), gravity=(0.0, 0.0, 0.0))
    found = []
    for model in (flat, solid):
        compiled = acting(model, sample(kind, "a1", "b2"))
        z = np.linspace(-0.3, 0.4, compiled.layout.n_z)
        found.append((compiled, *force(compiled, compiled.q0, compiled.v0, z)))
    (plane, here, rates), (space, there, other_rates) = found
    size = 1.0 + np.abs(here).max()
    for k in range(plane.system.n_bodies):
        F, M = wrench_on(plane, here, k)
        F_solid, M_solid = wrench_on(space, there, k)
        np.testing.assert_allclose(F_solid[:2], F[:2], rtol=0, atol=ROUNDING * size)
        assert M_solid[2] == pytest.approx(M[2], abs=ROUNDING * size)
    np.testing.assert_allclose(other_rates, rates, rtol=0, atol=ROUNDING * size)
