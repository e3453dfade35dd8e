"""Beams in space: against the plane, closed forms and published values; laws of their equations."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kernels.implicit.displacements import displace
from engine.kinematics.evaluate import equations
from engine.model.shapes import Beam
from engine.results.channels.motion import body_motion
from tests.engine.catalogue import JOINT_CASES, joint_model
from tests.engine.poses import slope
from tests.validation.test_beams import tangents

DIFFERENCE = 1e-7  # of sixth-order differences of numbers up to 1e4
SECTION = {"width": 0.05, "thickness": 0.02, "youngs_modulus": 2e9, "density": 2000.0}


def gauntlet(**changes):
    """Two beams that bend, twist and stretch, a rigid bar and springs, with joints, forces and arms."""
    m = Mechanism(dim=3, gravity=(0.0, 0.0, -9.81), **changes)
    every = {"modes": 2, "stretch": 1, "twist": 1, **SECTION}
    a = m.beam((0, 0, 0), (1, 0.2, 0.3), **every)
    b = m.beam((1, 0.2, 0.3), (1.6, -0.4, 0.1), damping_mass=0.3, **every)
    c = m.rod((1.6, -0.4, 0.1), (2.2, 0.1, 0.0), mass=0.4)
    m.revolute("ground", a, (0, 0, 0), axis=(0.2, 0.1, 1.0))
    m.universal(a, b, (1, 0.2, 0.3), axis_i=(0, 0.3, 1), axis_j=(0.2, 1, 0))
    m.spherical(b, c, (1.6, -0.4, 0.1))
    m.massless_rod((a, (0.5, 0.13, 0.2)), (c, (2.2, 0.1, 0.0)))
    m.spring(("ground", (1.5, 1.0, 0)), (b, (1.3, -0.07, 0.2)), stiffness=300.0, free_length=0.4)
    m.force(c, (2.2, 0.1, 0.0), components=(3.0, -2.0, 1.0))
    m.force(a, (0.7, 0.16, 0.2), components=(1.0, 5.0, -3.0))
    m.torque(b, (0.3, -0.2, 0.5))
    return m


def moved(compiled, q, dv):
    """The pose after a displacement that is given like a velocity."""
    out = q.copy()
    displace(compiled.system.dim, compiled.system.bodies, q, dv, out)
    return out


def bent_state(compiled, seed=3):
    """A state off the joints, with bent bodies; a unit of a mode of torsion turns a section by 70 rad."""
    rng = np.random.default_rng(seed)
    n = len(compiled.v0)
    away, speed = (np.where(compiled.layout.is_modal, 0.01, x) for x in (0.1, 1.0))
    q = moved(compiled, compiled.q0, away * rng.normal(size=n))
    return q, speed * rng.normal(size=n), rng.normal(size=n)


@pytest.fixture(scope="module")
def state():
    compiled = compile_model(gauntlet().model)
    return compiled, *bent_state(compiled)


def assert_rows_are_derivatives(compiled, q, v):
    e = equations(compiled, 0.0, q, v)
    at = compiled.system.rows["level"] == 0

    def along(h):
        later = equations(compiled, h, moved(compiled, q, h * v), v)
        return np.stack([later.Phi, later.D @ v - later.nu])

    Phi_dot, change = slope(along)
    np.testing.assert_allclose((e.D @ v - e.nu)[at], Phi_dot[at], atol=DIFFERENCE)
    np.testing.assert_allclose(-e.gamma, change, atol=DIFFERENCE * (1 + np.abs(change).max()))


def assert_solved(compiled, q, v):
    e = equations(compiled, 0.0, q, v)
    scale = np.abs(e.f).max()
    np.testing.assert_allclose(e.M @ e.a + e.D.T @ e.lam, e.f, atol=1e-9 * scale)
    np.testing.assert_allclose(e.D @ e.a, e.gamma, atol=1e-9 * (1 + np.abs(e.a).max()))


def assert_tangents(compiled, q, v, a):
    K, C, lam = tangents(compiled, q, v, a)

    def residual(q, v):
        e = equations(compiled, 0.0, q, v)
        return e.M @ a + e.D.T @ lam - e.f

    for X, shifted in (
        (K, lambda h, d: (moved(compiled, q, h * d), v)),
        (C, lambda h, d: (q, v + h * d)),
    ):
        for d in np.diag(np.where(compiled.layout.is_modal, 0.1, 1.0)):  # torsion turns far
            expected = slope(lambda h, d=d, shifted=shifted: residual(*shifted(h, d)))
            np.testing.assert_allclose(X @ d, expected, atol=1e-7 * np.abs(X).max())


def test_rows_are_derivatives_of_their_coordinates(state):
    compiled, q, v, _ = state
    assert_rows_are_derivatives(compiled, q, v)


def test_the_solver_solves_the_equations(state):
    compiled, q, v, _ = state
    assert_solved(compiled, q, v)


def test_tangents_are_derivatives_of_the_residual(state):
    assert_tangents(*state)


def flexible(model):
    """The model with beams for its bodies, and their masses and markers as they are."""
    new = {}
    for id, e in model.elements.items():
        if e.family == "body" and not e.fixed:
            shape = Beam(length=1.0, stretch=1, twist=1 if model.dim == 3 else 0, **BEND)
            e = replace(e, shape=shape, inertia=None, center=None)
        new[id] = e
    return replace(model, elements=MappingProxyType(new))


BEND = {"width": 0.06, "thickness": 0.04, "youngs_modulus": 1e8, "modes": 1}


@pytest.mark.parametrize(
    ("joint", "dim"), [pytest.param(j, d, id=f"{j.kind}-{d}d") for j, d in JOINT_CASES]
)
def test_every_joint_holds_bodies_that_bend(joint, dim):
    compiled = compile_model(flexible(joint_model(joint, dim, 3)))
    q, v, _ = bent_state(compiled)
    assert compiled.elastic
    assert_rows_are_derivatives(compiled, q, v)
    assert_solved(compiled, q, v)
    assert_reactions_do_no_work(compiled, q, v)


def assert_reactions_do_no_work(compiled, q, v):
    """T changes by the power of weight, bending and damping alone, where speeds fulfil the joint."""
    e = equations(compiled, 0.0, q, v)
    v = v - np.linalg.pinv(e.D, rcond=1e-10) @ (e.D @ v - e.nu)
    e = equations(compiled, 0.0, q, v)

    def kinetic(h):
        later, speeds = equations(compiled, 0.0, moved(compiled, q, h * v), v).M, v + h * e.a
        return 0.5 * speeds @ later @ speeds

    # what moves the joint with time does work: of typed constraints alone
    power = v @ equations(compiled, 0.0, q, 0.0 * v).f - e.lam @ e.nu
    for k, id in enumerate(compiled.body_ids):
        if id in compiled.elastic:
            own = v[compiled.layout.modal_speeds(k)]
            power -= own @ compiled.elastic[id].C @ own
    assert slope(kinetic) == pytest.approx(power, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("joint", "dim"), [pytest.param(j, d, id=f"{j.kind}-{d}d") for j, d in JOINT_CASES]
)
def test_tangents_of_every_joint_know_that_bodies_bend(joint, dim):
    compiled = compile_model(flexible(joint_model(joint, dim, 3)))
    assert_tangents(compiled, *bent_state(compiled))


# --- against the plane and closed forms


def pendulum(dim, **fields):
    """A square beam on a hinge about z, released along x, weight along -y."""
    m = Mechanism(dim=dim, gravity=(0.0, -9.81, 0.0)[:dim])
    beam = m.beam((0, 0, 0)[:dim], (1, 0, 0)[:dim], width=0.02, thickness=0.02, mass=0.5, **fields)
    m.revolute("ground", beam, (0, 0, 0)[:dim])
    return m, beam, m.marker(beam, (1, 0, 0)[:dim])


def test_a_beam_that_stays_in_a_plane_moves_as_in_the_plane():
    fields = {"youngs_modulus": 1e8, "modes": 2, "stretch": 1, "damping_ratio": 0.02}
    found = []
    for dim in (2, 3):
        m, beam, tip = pendulum(dim, **fields)
        run = m.run(t_end=0.3, output_step=0.05, method="rk4", step=2e-4)
        names = ["x", "y", "vx", "vy", "ax", "ay"]
        moment = f"{tip}.moment" if dim == 2 else f"{tip}.moment_z"
        deflected = f"{beam}.deflection"
        found.append([run[f"{tip}.{name}"] for name in names])
        found[-1] += [np.abs(run[deflected]), np.abs(run[f"{beam}.moment"]), run[moment]]
        found[-1] += [run[f"{beam}.{name}"] for name in ("strain_energy", "stress")]
        found[-1] += [run["total_energy"]]
    assert np.abs(found[0][6]).max() > 1e-3
    for flat, solid in zip(*found):
        np.testing.assert_allclose(solid, flat, atol=1e-9 * (1.0 + np.abs(flat).max()))


@pytest.mark.parametrize("method", ["generalised_alpha", "radau", "ida"])
def test_implicit_methods_take_the_same_way(method):
    fields = {"youngs_modulus": 1e8, "modes": 1, "twist": 1}
    m, _, tip = pendulum(3, **fields)
    m.force(m.model.of("body")[0].id, (1, 0, 0.05), components=(0.0, 0.0, "2*sin(9*t)"))
    ways = []
    for settings in ({"method": "rk4", "step": 5e-5}, {"method": method}):
        if method == "generalised_alpha":
            settings = {"step": 2e-4, **settings}
        run = m.run(t_end=0.1, output_step=0.01, **settings)
        ways.append(np.stack([run[f"{tip}.{c}"] for c in "xyz"]))
    assert np.abs(ways[0][2]).max() > 1e-3
    near = (
        2e-5 if method == "generalised_alpha" else 2e-6
    )  # of second order; relative tolerance 1e-6
    np.testing.assert_allclose(ways[1], ways[0], atol=near)


@pytest.mark.parametrize("load", ["force", "torque"])
def test_a_cantilever_bends_both_ways_and_twists_as_the_closed_forms_say(load):
    E, GJ, L, width, thickness = 2e11, 250.0, 0.8, 0.03, 0.01
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    fields = {"youngs_modulus": E, "torsional_stiffness": GJ, "density": 7800.0, "twist": 1}
    beam = m.beam((0, 0, 0), (L, 0, 0), width=width, thickness=thickness, modes=2, **fields)
    root = m.marker(beam, (0, 0, 0))
    m.weld("ground", beam, (0, 0, 0))
    tip = m.marker(beam, (L, 0, 0))
    if load == "force":
        m.force(beam, (L, 0, 0), components=(0.0, 20.0, 3.0))
    else:
        m.torque(beam, (4.0, 0.0, 0.0))  # at the middle
    compiled = compile_model(m.model)
    modal = at_rest(compiled)[compiled.layout.modes(0)]
    followers = compiled.elastic[beam].followers
    turn = (followers[tip].Psi - followers[root].Psi) @ modal
    bend = (followers[tip].Phi - followers[root].Phi) @ modal
    bend -= np.cross(followers[root].Psi @ modal, (L, 0.0, 0.0))
    if load == "force":
        I_z, I_y = thickness * width**3 / 12, width * thickness**3 / 12
        np.testing.assert_allclose(bend[1], 20.0 * L**3 / (3 * E * I_z), rtol=1e-4)
        np.testing.assert_allclose(bend[2], 3.0 * L**3 / (3 * E * I_y), rtol=1e-4)
    else:
        assert turn[0] == pytest.approx(4.0 * (L / 2) / GJ, rel=1e-3)


def at_rest(compiled):
    """The pose in which nothing moves, by Newton's method."""
    q, v = compiled.q0.copy(), np.zeros_like(compiled.v0)
    for _ in range(6):
        e = equations(compiled, 0.0, q, v)
        K = tangents(compiled, q, v, 0.0 * v)[0]
        n, k = len(v), len(e.Phi)
        both = np.block([[K, e.D.T], [e.D, np.zeros((k, k))]])
        r = np.concatenate([e.D.T @ tangents(compiled, q, v, 0.0 * v)[2] - e.f, e.Phi])
        q = moved(compiled, q, -np.linalg.lstsq(both, r, rcond=1e-12)[0][:n])
    return q


@pytest.mark.parametrize("speed", [0.0, 2.0, 6.0])
def test_a_turning_blade_flaps_and_lags_as_published(speed):
    """L = rho A = EI = 1 on a hub of radius 0 (Wright et al. 1982)."""
    flap, lag = {
        0.0: (3.51601527, 3.51601527),
        2.0: (4.13731957, 3.62179696),
        6.0: (7.36037302, 4.26322542),
    }[speed]
    np.testing.assert_allclose(blade(speed)[:2], sorted((flap, lag)), rtol=1e-3)


def blade(speed, **fields):
    """The frequencies of a blade on a hub that turns steadily, ascending."""
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    hub = m.box((0, 0, 0), 0.1, 0.1, 0.1, mass=1.0)
    given = {"bending_stiffness": 1.0, "stiffness_upwards": 1.0, "modes": 4, "damping_ratio": 0.0}
    given |= fields
    blade = m.beam((0, 0, 0), (1, 0, 0), width=1e-3, thickness=1e-3, mass=1.0, **given)
    m.motion(m.revolute("ground", hub, (0, 0, 0)), f"{speed}*t")
    m.weld(hub, blade, (0, 0, 0))
    compiled = compile_model(m.model)
    layout, v = compiled.layout, np.zeros_like(compiled.v0)
    for k in range(2):
        v[layout.spin(k)] = (0.0, 0.0, speed)
    v[layout.velocity(1)] = (0.0, 0.5 * speed, 0.0)
    q = compiled.q0
    e = equations(compiled, 0.0, q, v)
    K, C, _ = tangents(compiled, q, v, e.a)
    # in turning axes: dv = x_dot + G x, da = x_ddot + (G + S) x_dot + S G x
    G, S = np.zeros_like(e.M), np.zeros_like(e.M)
    turning = np.array([[0.0, -speed, 0.0], [speed, 0.0, 0.0], [0.0, 0.0, 0.0]])
    for k in range(2):
        u, w = layout.velocity(k), layout.spin(k)
        G[u, u] = S[u, u] = G[w, w] = turning
    N = np.linalg.svd(e.D)[2][np.linalg.matrix_rank(e.D) :].T
    K, C = K + C @ G + e.M @ S @ G, C + e.M @ (G + S)
    M, C, K = (N.T @ X @ N for X in (e.M, C, K))
    zero, one = np.zeros_like(M), np.eye(len(M))
    rates = np.linalg.eigvals(
        np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    )
    return np.sort(np.abs(rates.imag))[::2]


def test_a_beam_flies_free_with_constant_energy_and_momentum():
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    fields = {"youngs_modulus": 2e9, "density": 7800.0, "damping_ratio": 0.0, "twist": 1}
    spin = {"angular_velocity": (8.0, 3.0, 20.0)}
    beam = m.beam((-0.5, 0, 0), (0.5, 0, 0), width=0.02, thickness=0.03, modes=1, **fields, **spin)
    push = [f"if(t < 0.01, {F}, 0)" for F in (400, 900, -700)]
    m.force(beam, (0.5, 0, 0), components=push)
    run = m.run(t_end=0.1, output_step=0.005, method="dop853")
    assert np.abs(run[f"{beam}.deflection"]).max() > 1e-3
    names = [f"{p}_{c}" for p in ("momentum", "angular_momentum") for c in "xyz"]
    for name in ("total_energy", *names):
        values = run[name][3:]
        assert np.ptp(values) < 1e-6 * max(np.abs(values).max(), 1.0), name


ELBOW = {  # x, y, z of the tip in axes of the hub, and its tilt
    0.25: (
        0.008904516371915916,
        -0.009219916726522892,
        -0.0006088492767333241,
        0.00222968671426466,
    ),
    0.5: (
        0.0029129305134025785,
        -0.0008491069832655684,
        -0.005361322027889208,
        -0.00977975407664315,
    ),
    0.6: (
        0.004062614427636335,
        -0.0020209891847566275,
        -0.0006298135475522843,
        0.00060083194451856,
    ),
}


def test_an_elbow_on_a_turning_hub_bends_and_twists_as_published():
    found = elbow()
    for t, expected in ELBOW.items():
        tolerances = (1e-4, 1e-4, 1e-4, 5e-4)
        assert (np.abs(found[round(t / 0.05)] - expected) < tolerances).all(), t


def elbow():
    """Place of the tip in axes of the hub and tilt of its section, every 0.05 s to 0.6 s."""
    E, nu, a, b = 2.5e9, 0.35, 0.020, 0.015
    GJ = E / (2 + 2 * nu) * a * b**3 * (1 / 3 - 0.21 * b / a * (1 - (b / a) ** 4 / 12))
    m = Mechanism(dim=3, gravity=(0.0, 0.0, -9.81))
    hub = m.box((0, 0, 0), 0.1, 0.1, 0.1, mass=1.0)
    fields = {"width": b, "thickness": a, "youngs_modulus": E, "torsional_stiffness": GJ}
    fields |= {"density": 1200.0, "damping_ratio": 0.0, "modes": 2, "twist": 1, "stretch": 1}
    upper = m.beam((0, 0, 0), (0.5, 0, 0), elements=6, **fields)
    lower = m.beam((0.5, 0, 0), (0.5, 0.3, 0), elements=6, **fields)
    turned = "16*(t^2/2 + (0.25/pi)^2*(cos(4*pi*t) - 1))"
    m.motion(m.revolute("ground", hub, (0, 0, 0)), f"if(t < 0.5, {turned}, 8*t - 2)")
    m.weld(hub, upper, (0, 0, 0))
    m.weld(upper, lower, (0.5, 0, 0))
    tip = m.marker(lower, (0.5, 0.3, 0))
    run = m.run(t_end=0.6, output_step=0.05, method="generalised_alpha", step=5e-4)
    moving = body_motion(run, run.compiled.followers[tip])
    hub_axes = body_motion(run, run.compiled.body_ids.index(hub)).R
    seen = np.einsum("nji,nj->ni", hub_axes, moving.r) - (0.5, 0.3, 0.0)
    return np.column_stack(
        [seen, moving.R[:, 2, 0]]
    )  # x of the lower arm is y of the tip's section
