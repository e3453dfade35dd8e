"""Beams against closed forms, published values and independent computations; laws of their equations."""

import numpy as np
import pytest

from engine.compiling.elastic.beams import BeamMesh, Material
from engine.compiling.elastic.reduction import BENDING, craig_bampton, mean_axis
from engine.compiling.elimination import dense_blocks, with_tangents
from engine.compiling.system import compile_model, linked, workspace
from engine.editing.builder import Mechanism
from engine.kernels.implicit.entries import LINEARISE, tangent
from engine.kinematics.evaluate import equations
from tests.engine.poses import slope

UNIT = {"width": 0.01, "thickness": 0.01, "mass": 1.0, "bending_stiffness": 1.0}
PLAIN = {"rotary": False, "damping_ratio": 0.0}
EIGHT_DIGITS = 1e-8  # of published values
DIFFERENCE = 1e-7  # of sixth-order differences of numbers up to 1e4


def unit_beam(n):
    """L = rho A = EI = 1, no rotary inertia."""
    return BeamMesh(np.linspace(-0.5, 0.5, n + 1), Material(1e6, 1.0, 1.0, 0.0))


def held(mesh, interface, n):
    return craig_bampton(mesh, BENDING, interface, n, np.inf).held


@pytest.mark.parametrize(
    ("n", "values"),
    [
        (1, (3.53273154, 34.80689311)),
        (2, (3.51771504, 22.22147447, 75.15708306)),
        (4, (3.51613027, 22.06016631, 62.17489253)),
        (8, (3.51602259, 22.03625342, 61.73474119)),
    ],
)
def test_frequencies_of_a_cantilever(n, values):
    found = held(unit_beam(n), {0, 1, 2}, len(values))
    np.testing.assert_allclose(found, values, rtol=EIGHT_DIGITS)


@pytest.mark.parametrize(
    ("n", "values"),
    [(2, (9.90855871, 43.8178046)), (8, (9.86976668, 39.48866866, 88.94072161))],
)
def test_frequencies_of_a_beam_on_two_pins(n, values):
    found = held(unit_beam(n), {0, 1, 3 * n + 1}, len(values))
    np.testing.assert_allclose(found, values, rtol=EIGHT_DIGITS)


@pytest.mark.parametrize(
    ("n", "values"),
    [(2, (22.42324573, 70.17753428)), (8, (22.37508986, 61.708813, 121.15859883))],
)
def test_frequencies_of_a_free_beam(n, values):
    mesh = unit_beam(n)
    shapes = craig_bampton(mesh, BENDING, set(), len(values), np.inf)
    modes = mean_axis(mesh, shapes.V)
    np.testing.assert_allclose(np.sqrt(modes.w2), values, rtol=EIGHT_DIGITS)
    rigid = modes.Phi.T @ mesh.M @ mesh.rigid()
    np.testing.assert_allclose(rigid, 0.0, atol=1e-12)


# --- whole mechanisms


def slider_crank(**fields):
    """Crank 0.15 m at 150 rad/s, round rod 0.3 m of 6 mm, slider of 33.375 g (Koppens, Meijaard)."""
    m = Mechanism(gravity=(0.0, 0.0))
    crank = m.rod((0, 0), (0.15, 0), mass=1.0)
    given = {"youngs_modulus": 2e11, "density": 7870.0, "modes": 3, **PLAIN, **fields}
    rod = m.beam((0.15, 0), (0.45, 0), width=0.006, section="circle", **given)
    slider = m.box((0.45, 0), mass=0.033375)
    m.motion(m.revolute("ground", crank, (0, 0)), "150*t")
    m.revolute(crank, rod, (0.15, 0))
    m.revolute(rod, slider, (0.45, 0))
    m.prismatic("ground", slider, (0.45, 0))
    return m, rod, m.marker(rod, (0.3, 0)), slider


D_OF_SLIDER_CRANK = {
    0.005: 0.004530100126560137,
    0.010: 0.001593711783015832,
    0.020: 0.0009749855089455627,
    0.040: -0.002370963831767055,
    0.060: 0.0008475833445954512,
    0.080: -0.003002149987063717,
}


@pytest.fixture(scope="module")
def crank_run():
    m, rod, middle, slider = slider_crank()
    run = m.run(t_end=0.08, output_step=0.001, method="rk4", step=1e-4)
    return run, rod, middle, slider


def test_a_flexible_slider_crank_bends_as_a_geometrically_exact_beam_does(crank_run):
    run, _, middle, _ = crank_run
    d = run[f"{middle}.deflection"]
    for t, value in D_OF_SLIDER_CRANK.items():
        assert d[round(t / 0.001)] == pytest.approx(value, abs=5e-5), t
    assert np.abs(d).max() == pytest.approx(0.00465255206730712, rel=0.01)
    assert (
        np.abs(run["energy_drift"]).max() < 1e-5
    )  # of 40 J, RK4 with 19 steps in the fastest period
    assert run["constraint_violation"].max() < 1e-12


@pytest.mark.parametrize("method", ["generalised_alpha", "radau"])
def test_implicit_methods_take_the_same_way(crank_run, method):
    _, _, middle, _ = crank_run
    m, *_ = slider_crank()
    settings = {"step": 1e-4} if method == "generalised_alpha" else {}
    run = m.run(t_end=0.02, output_step=0.001, method=method, **settings)
    error = np.abs(run[f"{middle}.deflection"] - crank_run[0][f"{middle}.deflection"][:21]).max()
    assert error < (
        8e-5 if settings else 1e-6
    )  # of 4.7e-3; generalised-alpha: h w = 1 for the fastest


def test_without_stiffening_the_deflection_is_wrong_by_a_quarter(crank_run):
    _, _, middle, _ = crank_run
    m, *_ = slider_crank(stiffening=False)
    run = m.run(t_end=0.08, output_step=0.001, method="rk4", step=1e-4)
    change = np.abs(run[f"{middle}.deflection"] - crank_run[0][f"{middle}.deflection"]).max()
    assert 0.15 < change / 0.00465 < 0.6


def test_the_moment_from_equilibrium_is_that_of_the_curvature(crank_run):
    run, rod, middle, _ = crank_run
    record = run.compiled.elastic[rod]
    node = record.nodes[middle]
    near = np.abs(record.mesh.x - record.mesh.stations[node]).argsort()[:2]
    k = run.compiled.body_ids.index(rod)
    q = run.q[:, run.compiled.layout.modes(k)]
    curved = (q @ (record.mesh.bends[near] @ record.modes.Phi).T).mean(axis=1)
    M = run[f"{middle}.moment"]
    scale = np.abs(M).max()
    assert scale > 1.0
    np.testing.assert_allclose(M, record.mesh.material.EI * curved, atol=0.05 * scale)
    np.testing.assert_allclose(run[f"{rod}.strain_energy"][0], 0.0, atol=1e-12)


def spin_up(**fields):
    """The beam of Kane, Simo and Vu-Quoc: L = 10, clamped to a hub that reaches 6 rad/s in 15 s."""
    m = Mechanism(gravity=(0.0, 0.0))
    hub = m.disc((0, 0), 0.1, mass=1.0)
    stiff = {"bending_stiffness": 1.4e4, "axial_stiffness": 2.8e7, "mass": 12.0}
    beam = m.beam((0, 0), (10, 0), width=0.1, thickness=0.1, modes=3, **stiff, **PLAIN, **fields)
    turned = "0.4*(t^2/2 + (7.5/pi)^2*(cos(2*pi*t/15) - 1))"
    m.motion(m.revolute("ground", hub, (0, 0)), f"if(t < 15, {turned}, 6*t - 45)")
    m.weld(hub, beam, (0, 0))
    return m, hub, m.marker(beam, (10, 0))


def test_the_spin_up_beam_lags_as_published():
    m, hub, tip = spin_up()
    run = m.run(t_end=10.0, output_step=0.25, method="rk4", step=5e-3)
    angle = run[f"{hub}.angle"]
    v = -np.sin(angle) * run[f"{tip}.x"] + np.cos(angle) * run[f"{tip}.y"]
    for t, value in ((3, -0.21725411), (5, -0.46844198), (7, -0.57126171), (10, -0.36276537)):
        assert v[4 * t] == pytest.approx(value, abs=5e-4)


def test_closing_joints_does_not_ring_the_stretch_of_a_beam():
    m, hub, tip = spin_up(stretch=1, elements=16)  # 1673 rad/s, steps of a tenth of a second
    run = m.run(t_end=20.0, output_step=0.25, method="radau", tolerance=1e-3)
    # where the projection moved fast modes as readily as bodies there were 554 steps, 99 rejected
    assert run.statistics.steps < 250 and run.statistics.rejected < 10
    angle = run[f"{hub}.angle"]
    v = -np.sin(angle) * run[f"{tip}.x"] + np.cos(angle) * run[f"{tip}.y"]
    assert v[28] == pytest.approx(-0.57126171, abs=1e-3)  # its tolerance


def pendulum(EI, modes=3, **fields):
    m = Mechanism(gravity=(0.0, -9.81))
    stiff = {"bending_stiffness": EI, "mass": 0.5, **PLAIN}
    beam = m.beam((0, 0), (1, 0), width=0.01, thickness=0.01, modes=modes, **stiff, **fields)
    m.revolute("ground", beam, (0, 0))
    return m, beam, m.marker(beam, (1, 0))


@pytest.mark.parametrize(
    ("EI", "at_half", "near"),
    [
        (5.0, (-0.09311789202588941, -0.995624684241002), 1e-3),
        (0.5, (-0.06014139553994903, -0.9960907693893881), 5e-3),
    ],
)
def test_tips_of_flexible_pendulums(EI, at_half, near):
    m, _, tip = pendulum(EI)
    run = m.run(t_end=0.5, output_step=0.05, method="rk4", step=1e-3)
    found = run[f"{tip}.x"][-1], run[f"{tip}.y"][-1]
    assert found == pytest.approx(at_half, abs=near)


def test_the_rigid_limit_is_reached_with_the_first_order():
    rigid = Mechanism(gravity=(0.0, -9.81))
    rod = rigid.rod((0, 0), (1, 0), mass=0.5)
    rigid.revolute("ground", rod, (0, 0))
    end = rigid.marker(rod, (1, 0))
    settings = {"t_end": 0.5, "output_step": 0.01, "method": "rk4"}
    still = rigid.run(step=1e-3, **settings)
    apart = []
    for EI in (10.0, 40.0, 160.0):
        m, _, tip = pendulum(EI, modes=1, elements=4)
        run = m.run(step=5e-4, **settings)
        way = np.hypot(*(run[f"{tip}.{c}"] - still[f"{end}.{c}"] for c in "xy"))
        apart.append(way.max())
    expected = (0.0029824764899978214, 0.0007527213178249656, 0.00019033770537289774)
    np.testing.assert_allclose(apart, expected, rtol=0.05)


@pytest.mark.parametrize("is_pushed", [False, True])
@pytest.mark.parametrize("modes", [1, 4])
def test_a_ratio_of_damping_belongs_to_the_shapes_with_the_joints_held(modes, is_pushed):
    m = Mechanism(gravity=(0.0, 0.0))
    beam = m.beam((0, 0), (1, 0), rotary=False, damping_ratio=0.02, modes=modes, **UNIT)
    m.weld("ground", beam, (0, 0))
    if is_pushed:
        m.force(beam, (1, 0), components=(0.0, 0.0))  # its shape is kept, and held by no joint
    rate = eigenvalues(m)
    np.testing.assert_allclose(-rate.real / np.abs(rate), 0.02, rtol=1e-6)
    slowest = rate[np.abs(rate).argmin()]
    assert abs(slowest) == pytest.approx(3.516, rel=1e-3 if modes == 1 else 1e-4)


def test_a_joint_that_bends_its_beam_is_damped_too():
    m = Mechanism(gravity=(0.0, 0.0))
    beam = m.beam((0, 0), (1, 0), rotary=False, damping_ratio=0.02, modes=2, **UNIT)
    m.weld("ground", beam, (0, 0))
    tip = m.body((1.2, 0), mass=0.5, inertia=0.01)
    m.weld(beam, tip, (1, 0))
    rate = eigenvalues(m)
    slowest = rate[np.abs(rate).argmin()]
    assert 0.001 < -slowest.real / abs(slowest) < 0.1


@pytest.mark.parametrize("share", [-1.0, 0.25, 0.5, 0.75, 0.9])
def test_a_column_buckles_through_its_marker(share):
    P = share * np.pi**2
    m = Mechanism(gravity=(0.0, 0.0))
    beam = m.beam((0, 0), (1, 0), modes=3, **UNIT, **PLAIN)
    m.revolute("ground", beam, (0, 0))
    m.point_on_line("ground", beam, (1, 0), axis=(1, 0))
    m.force(beam, (1, 0), components=(-P, 0.0))
    w = np.sort(np.abs(eigenvalues(m).imag))[::2][:2]
    exact = [np.sqrt((k * np.pi) ** 4 - P * (k * np.pi) ** 2) for k in (1, 2)]
    np.testing.assert_allclose(w, exact, rtol=1e-3)


def eigenvalues(m):
    """Of the motion near the drawing, at rest, with the joints kept."""
    compiled = compile_model(m.model)
    q, v = compiled.q0, np.zeros_like(compiled.v0)
    e = equations(compiled, 0.0, q, v)
    K, C = tangents(compiled, q, v, np.zeros_like(v))[:2]
    N = np.linalg.svd(e.D)[2][np.linalg.matrix_rank(e.D) :].T
    M, C, K = (N.T @ X @ N for X in (e.M, C, K))
    zero, one = np.zeros_like(M), np.eye(len(M))
    return np.linalg.eigvals(
        np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    )


def tangents(compiled, q, v, a):
    """K, C and lam at a state, for accelerations a."""
    ws = workspace(compiled.system)
    equations(compiled, 0.0, q, v, ws)
    table, kept = with_tangents(linked(compiled.system, ws), compiled.system)
    tangent(table, 0.0, compiled.layout.y(q, v, compiled.z0), more=np.array(a), flag=LINEARISE)
    order, tan = kept
    return *(dense_blocks(compiled.system, order, X) for X in (tan.K, tan.C)), ws.lam.copy()


# --- laws


def gauntlet():
    """Two beams, a rigid bar and springs, with joints of several kinds, forces, arms and a drive."""
    m = Mechanism(gravity=(0.0, -9.81))
    section = {"width": 0.05, "thickness": 0.02, "youngs_modulus": 2e9, "density": 2000.0}
    a = m.beam((0, 0), (1, 0.2), modes=2, stretch=1, **section)
    b = m.beam((1, 0.2), (1.6, -0.4), modes=2, damping_mass=0.3, **section)
    c = m.rod((1.6, -0.4), (2.2, 0.1), mass=0.4)
    m.revolute("ground", a, (0, 0))
    m.weld(a, b, (1, 0.2))
    m.prismatic(b, c, (1.6, -0.4), axis=(0.3, 1.0))
    m.massless_rod((a, (0.5, 0.13)), (c, (2.2, 0.1)))
    m.spring(("ground", (1.5, 1.0)), (b, (1.3, -0.07)), stiffness=300.0, free_length=0.4)
    m.force(c, (2.2, 0.1), components=(3.0, -2.0))
    m.force(a, (0.7, 0.16), components=(1.0, 5.0))
    return m


@pytest.fixture(scope="module")
def state():
    compiled = compile_model(gauntlet().model)
    rng = np.random.default_rng(3)
    n = len(compiled.v0)
    return compiled, compiled.q0 + 0.02 * rng.normal(size=n), rng.normal(size=n), rng.normal(size=n)


def test_rows_are_derivatives_of_their_coordinates(state):
    compiled, q, v, _ = state
    e = equations(compiled, 0.0, q, v)
    Phi_dot = slope(lambda h: equations(compiled, 0.0, q + h * v, v).Phi)
    np.testing.assert_allclose(e.D @ v, Phi_dot, atol=DIFFERENCE)
    change = slope(lambda h: equations(compiled, 0.0, q + h * v, v).D @ v)
    np.testing.assert_allclose(-e.gamma, change, atol=DIFFERENCE * (1 + np.abs(change).max()))


def test_the_solver_solves_the_equations(state):
    compiled, q, v, _ = state
    e = equations(compiled, 0.0, q, v)
    scale = np.abs(e.f).max()
    np.testing.assert_allclose(e.M @ e.a + e.D.T @ e.lam, e.f, atol=1e-9 * scale)
    np.testing.assert_allclose(e.D @ e.a, e.gamma, atol=1e-9 * np.abs(e.a).max())


def test_tangents_are_derivatives_of_the_residual(state):
    compiled, q, v, a = state
    K, C, lam = tangents(compiled, q, v, a)

    def residual(q, v):
        e = equations(compiled, 0.0, q, v)
        return e.M @ a + e.D.T @ lam - e.f

    for X, moved in ((K, lambda h, d: (q + h * d, v)), (C, lambda h, d: (q, v + h * d))):
        for d in np.eye(len(v)):
            expected = slope(lambda h, d=d, moved=moved: residual(*moved(h, d)))
            np.testing.assert_allclose(X @ d, expected, atol=1e-7 * np.abs(X).max())


def test_quadratic_velocity_terms_do_no_work(state):
    """dT/dt = v.M a + v.M_dot v/2 equals the power of forces: checked with T along the motion."""
    compiled, q, v, _ = state
    e = equations(compiled, 0.0, q, v)

    def kinetic(h):
        later = equations(compiled, 0.0, q + h * v, v).M
        speeds = v + h * e.a
        return 0.5 * speeds @ later @ speeds

    still = equations(compiled, 0.0, q, 0.0 * v)
    beam = sum(
        (record.C @ v[compiled.layout.modal_speeds(k)]) @ v[compiled.layout.modal_speeds(k)]
        for id, record in compiled.elastic.items()
        for k in [compiled.body_ids.index(id)]
    )
    power = v @ still.f - beam - (e.D.T @ e.lam) @ v
    assert slope(kinetic) == pytest.approx(power, rel=1e-6)


def test_a_beam_flies_free_with_constant_energy_and_momentum():
    m = Mechanism(gravity=(0.0, 0.0))
    fields = {"youngs_modulus": 2e9, "density": 7800.0, "damping_ratio": 0.0}
    beam = m.beam((-0.5, 0), (0.5, 0), width=0.02, thickness=0.03, modes=3, spin=20.0, **fields)
    m.force(beam, (0.5, 0), components=("if(t < 0.01, 400, 0)", "if(t < 0.01, 900, 0)"))
    run = m.run(t_end=0.2, output_step=0.01, method="dop853")
    assert np.abs(run[f"{beam}.deflection"]).max() > 1e-3
    for name in ("total_energy", "momentum_x", "momentum_y", "angular_momentum"):
        values = run[name][3:]
        assert np.ptp(values) < 1e-6 * np.abs(values).max(), name
