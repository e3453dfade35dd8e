"""Baumgarte, penalty and projection keep the constraints as the theory says."""

from math import sqrt

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.kinematics.evaluate import equations, mass_matrix
from engine.results.results import Results
from engine.running.simulate import prepare, run
from tests.engine.sample_runs import planar_chain, spatial_chain
from tests.validation import models

KINDS = ("projection", "baumgarte", "penalty", "none")
GENTLE = {"alpha": 20.0, "beta": 20.0}


def plane_chain():
    """Two rods, in the plane."""
    return models.rod_chain((0.0, 0.0), (1.0, 1.0), (1.0, 1.0))


def free_chain():
    """A lopsided body on a hinge and another on a cross, in space."""
    return spatial_chain().model


def plane_loop():
    """A slider-crank whose slider has two guides: two rows too many, in the plane."""
    m = models.slider_crank(1.0, 3.0, 1.0)
    m.prismatic("ground", "slider", at=(2.0, 0.0))
    return m.model


def space_loop():
    """A four-bar in space: three rows too many."""
    return models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, 3).model


MODELS = (plane_chain, free_chain, plane_loop, space_loop)
REDUNDANT = (plane_loop, space_loop)


def opened(model, shift, **settings):
    """A run that starts with open joints: the first body is moved along x by `shift`."""
    running = prepare(model, **settings)
    q = running.start.q.copy()
    q[0] += shift
    running.start = running.start._replace(q=q)
    results = Results(running.compiled, running.settings)
    for block in running:
        results.append(block)
    return results


def in_state(results, frame=0):
    """The equations of motion in a frame, without any stabilisation."""
    return equations(results.compiled, results.t[frame], results.q[frame], results.v[frame])


# --- Baumgarte


@pytest.mark.parametrize("model", MODELS)
def test_a_gap_fades_as_a_critically_damped_oscillator(model):
    results = opened(
        model(), 1e-4, stabilisation="baumgarte", alpha=10.0, beta=10.0, t_end=0.5, step=5e-4
    )
    t, gap = results.t, results["constraint_violation"]
    # Phi'' + 20 Phi' + 100 Phi = 0 from 1e-4 at rest; rows that repeat others pull on the same gap
    expected = 1e-4 * (1 + 10 * t) * np.exp(-10 * t)
    if model not in REDUNDANT:
        # RK4 adds what it drifts by: below 1e-3 of the gap
        np.testing.assert_allclose(gap, expected, rtol=0, atol=1e-7)
    assert gap[-1] < 0.06 * gap[0]


@pytest.mark.parametrize("model", (plane_chain, free_chain))
def test_accelerations_obey_the_equation_of_baumgarte(model):
    alpha, beta = 7.0, 11.0
    results = opened(model(), 1e-3, stabilisation="baumgarte", alpha=alpha, beta=beta, t_end=0.1)
    for frame in (0, 5):
        e = in_state(results, frame)
        slip = e.D @ results.v[frame] - e.nu
        asked = e.gamma - 2 * alpha * slip - beta**2 * e.Phi
        assert np.abs(asked - e.gamma).max() > 1e-3  # else nothing was asked
        np.testing.assert_allclose(e.D @ results.a[frame], asked, rtol=0, atol=1e-10)  # rounding


@pytest.mark.parametrize("model", MODELS)
def test_baumgarte_bounds_the_drift_that_grows_without_it(model):
    fixed = {"t_end": 20.0, "step": 2e-3, "output_step": 0.1}
    drifting = run(model(), stabilisation="none", **fixed, method="rk4").gap
    bounded = run(model(), stabilisation="baumgarte", **GENTLE, **fixed, method="rk4").gap
    first, last = slice(0, 50), slice(150, 201)  # quarters of the time
    # errors of accelerations add up twice: with the square of the time, 16 times from first to last
    assert drifting[last].max() > 10 * drifting[first].max()
    assert bounded[last].max() < 2 * bounded[first].max()
    assert bounded.max() < 0.02 * drifting.max()


@pytest.mark.parametrize("model", (plane_chain, free_chain))
@pytest.mark.parametrize("method", ("euler", "euler_cromer", "heun"))
def test_what_is_left_to_the_program_closes_a_gap_in_two_steps(method, model):
    settings = {"method": method, "stabilisation": "baumgarte", "t_end": 0.02, "output_step": 1e-3}
    gap = opened(model(), 1e-3, **settings)["constraint_violation"]
    assert gap[0] == pytest.approx(1e-3, rel=1e-9)
    # dead-beat; what is left comes from the curvature of Phi, with the square of a gap
    assert gap[3:].max() < 0.02 * gap[0]


def test_explicit_euler_keeps_a_gap_for_ever_at_its_limit():
    limit = {"alpha": 1e3, "beta": sqrt(2) * 1e3, "t_end": 0.1, "output_step": 1e-3}
    gap = opened(plane_chain(), 1e-5, method="euler", stabilisation="baumgarte", **limit)
    # factor 1 per step: the gap goes round in steps of 45 degrees, and is itself again after eight
    np.testing.assert_allclose(gap["constraint_violation"][::8], 1e-5, rtol=0.1)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("method", ("rk4", "heun", "euler_cromer", "euler", "dopri5", "dop853"))
def test_what_is_left_to_the_program_suits_every_method(method, model):
    settings = {"method": method, "t_end": 1.0, "tolerance": 1e-6, "output_step": 1e-2}
    results = run(model(), stabilisation="baumgarte", **settings)
    assert results.ending.reason == "done"
    # the worst is explicit Euler: a rod that turns with w leaves its circle by (w h)^2 / 2 in a step,
    # and beta h = 1 lets this be the gap: 1e-4 m for 10 rad/s
    assert results.gap.max() < 2e-4


@pytest.mark.parametrize("model", MODELS)
def test_all_kinds_agree_on_the_motion(model):
    settings = {"method": "rk4", "t_end": 0.5, "step": 5e-4}
    closed = run(model(), **settings)
    size = np.abs(closed.v[-1]).max()
    assert size > 0.1
    for kind in ("baumgarte", "penalty", "none"):
        more = GENTLE if kind == "baumgarte" else {"penalty": 1e9} if kind == "penalty" else {}
        other = run(model(), stabilisation=kind, **more, **settings)
        # drift of RK4 and 1e-9 of compliance, each magnified by some speeds
        np.testing.assert_allclose(other.q[-1], closed.q[-1], rtol=0, atol=1e-6)
        np.testing.assert_allclose(other.v[-1], closed.v[-1], rtol=0, atol=1e-5 * size)


# --- penalty


@pytest.mark.parametrize("model", MODELS)
def test_the_penalty_solves_the_equations_of_jalon_and_bayo(model):
    alpha_p = 1e6
    results = run(model(), stabilisation="penalty", penalty=alpha_p, t_end=0.01)
    e, M = in_state(results), mass_matrix(results.compiled)
    a = np.linalg.solve(M + alpha_p * e.D.T @ e.D, e.f + alpha_p * e.D.T @ e.gamma)
    # the matrix has a condition of 1e8: eight of sixteen digits are left
    np.testing.assert_allclose(results.a[0], a, rtol=0, atol=1e-6 * np.abs(a).max())
    lam = alpha_p * (e.D @ results.a[0] - e.gamma)
    np.testing.assert_allclose(results.lam[0], lam, rtol=0, atol=1e-6 * np.abs(lam).max())


@pytest.mark.parametrize("model", MODELS)
def test_the_error_of_the_penalty_is_in_inverse_proportion_to_it(model):
    settings = {"t_end": 0.5, "step": 1e-3, "stabilisation": "penalty"}
    gaps = [run(model(), penalty=p, **settings).gap.max() for p in (1e4, 1e5, 1e6)]
    assert gaps[0] / gaps[1] == pytest.approx(10.0, rel=0.05)
    assert gaps[1] / gaps[2] == pytest.approx(10.0, rel=0.05)


@pytest.mark.parametrize("model", MODELS)
def test_iterations_of_lagrange_take_the_error_of_the_penalty_away(model):
    settings = {"t_end": 0.5, "step": 1e-3, "stabilisation": "penalty", "penalty": 1e3}
    once, often = (run(model(), penalty_iterations=n, **settings) for n in (1, 20))
    assert often.gap.max() < 1e-3 * once.gap.max()
    exact = run(model(), **{**settings, "stabilisation": "projection"})
    scale = np.abs(exact.a[0]).max()
    np.testing.assert_allclose(often.a[0], exact.a[0], rtol=0, atol=1e-7 * scale)
    assert np.abs(once.a[0] - exact.a[0]).max() > 1e-5 * scale


@pytest.mark.parametrize("model", REDUNDANT)
def test_reactions_of_redundant_joints_act_alike_whatever_keeps_them(model):
    closed = run(model(), t_end=0.01)
    D = in_state(closed).D
    exact = D.T @ closed.lam[0]
    for kind in ("baumgarte", "penalty"):
        other = run(model(), stabilisation=kind, penalty=1e9, t_end=0.01)
        # what acts on the bodies is unique, how joints share it is not; compliance 1e-9
        np.testing.assert_allclose(
            D.T @ other.lam[0], exact, rtol=0, atol=1e-6 * np.abs(exact).max()
        )


# --- rows that start at the level of velocities or accelerations


@pytest.mark.parametrize("kind", KINDS)
def test_a_knife_edge_is_kept_at_the_level_of_velocities(kind):
    g, spin = 5.0, 1.5
    model = models.knife_edge((g, 0.0), spin)
    gentle = GENTLE if kind == "baumgarte" else {}
    fine = {"t_end": 2.0, "step": 5e-4, "output_step": 0.1}
    results = run(model, stabilisation=kind, penalty=1e9, **gentle, **fine)
    t = results.t
    # downhill x: x = g sin^2(wt) / (2 w^2),  y = g (wt - sin(wt) cos(wt)) / (2 w^2)
    x = g * np.sin(spin * t) ** 2 / (2 * spin**2)
    y = g * (spin * t - np.sin(spin * t) * np.cos(spin * t)) / (2 * spin**2)
    np.testing.assert_allclose(results.q[:, 0], x, rtol=0, atol=1e-7)  # compliance 1e-9, RK4
    np.testing.assert_allclose(results.q[:, 1], y, rtol=0, atol=1e-7)
    slip = -results.v[:, 0] * np.sin(results.q[:, 2]) + results.v[:, 1] * np.cos(results.q[:, 2])
    assert np.abs(slip).max() < 1e-7


def test_a_slipping_knife_edge_is_brought_back_by_the_first_half_of_baumgarte_alone():
    model = models.knife_edge((0.0, 0.0), 0.0)
    running = prepare(model, stabilisation="baumgarte", alpha=5.0, beta=50.0, t_end=0.5)
    running.start = running.start._replace(v=np.array([1.0, 0.2, 0.0]))  # across the blade: 0.2
    blocks = list(running)
    t = np.concatenate([b.t for b in blocks])
    v = np.concatenate([b.v for b in blocks])
    # there is no Phi: slip' = -2 alpha slip
    np.testing.assert_allclose(v[:, 1], 0.2 * np.exp(-10.0 * t), rtol=0, atol=1e-8)  # RK4, 1 ms
    np.testing.assert_allclose(v[:, 0], 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("dim", (2, 3))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("quantity", ("position", "speed", "acceleration"))
def test_motions_of_every_level_go_on_under_every_kind(quantity, kind, dim):
    m = Mechanism("crank", dim, gravity=(0.0, -9.81, 0.0)[:dim])
    spin = {"spin": 1.0, "velocity": (0, 0.5)}
    if dim == 3:
        spin = {"angular_velocity": (0, 0, 1.0), "velocity": (0, 0.5, 0)}
    models.thin_rod(m, (0.0, 0.0, 0.0)[:dim], (1.0, 0.0, 0.0)[:dim], id="rod", **spin)
    about = {"axis": (0, 0, 1)} if dim == 3 else {}
    pin = m.revolute("ground", "rod", at=(0.0, 0.0, 0.0)[:dim], id="pin", **about)
    law = {"position": "t + t^2", "speed": "1 + 2*t", "acceleration": "2"}[quantity]
    m.motion(pin, law, quantity)
    gentle = GENTLE if kind == "baumgarte" else {}
    results = run(m.model, stabilisation=kind, penalty=1e10, t_end=1.0, **gentle)
    t = results.t
    # the compliance of 1e-10 lets a motor of about 10 N m lag by 1e-9 rad/s^2, times 1/(10 rad/s)^2
    np.testing.assert_allclose(results["pin.angle"], t + t**2, rtol=0, atol=2e-8)
    np.testing.assert_allclose(results.v[:, -1], 1 + 2 * t, rtol=0, atol=2e-8)  # the spin


# --- what is refused


@pytest.mark.parametrize("model", (plane_chain, free_chain))
@pytest.mark.parametrize(
    ("method", "alpha", "beta", "words"),
    [
        ("euler_cromer", 1e3, sqrt(2) * 1e3, r"Euler-Cromer.*2\.41 times.*alpha = 500 /s"),
        ("euler", 1e3, 2e3, r"explicit Euler.*alpha = 1000 /s and beta = 1000 /s"),
        ("heun", 3e3, 3e3, r"Heun.*a shorter step, or projection"),
        ("rk4", 5e3, 5e3, r"Runge-Kutta 4 and h = 0\.001 s, alpha = 5000 /s"),
    ],
)
def test_alpha_and_beta_that_would_explode_are_refused(method, alpha, beta, words, model):
    settings = {"method": method, "stabilisation": "baumgarte", "alpha": alpha, "beta": beta}
    with pytest.raises(EngineError, match=words):
        run(model(), t_end=0.1, **settings)
    shorter = {"step": 1e-4, "output_step": 1e-2, "t_end": 0.1}
    assert run(model(), **settings, **shorter).ending.reason == "done"


def test_the_guard_counts_with_the_steps_that_are_taken():
    # 1.5 ms do not divide the 10 ms between frames, and are taken all the same
    settings = {"method": "euler_cromer", "stabilisation": "baumgarte", "t_end": 0.1}
    with pytest.raises(EngineError, match=r"h = 0\.0015 s"):
        run(plane_chain(), step=1.5e-3, alpha=1e3, beta=1e3, **settings)


def test_the_oscillator_of_the_penalty_is_guarded_too():
    with pytest.raises(EngineError, match=r"alpha = 4000 /s and beta = 4000 /s"):
        run(plane_chain(), stabilisation="penalty", penalty_frequency=4e3, t_end=0.1, method="rk4")


@pytest.mark.parametrize("method", ("dopri5", "dop853"))
def test_adaptive_methods_find_the_step_for_any_alpha_and_beta(method):
    stiff = {"stabilisation": "baumgarte", "alpha": 1e4, "beta": 1e4, "tolerance": 1e-6}
    results = run(plane_chain(), method=method, t_end=0.1, **stiff)
    assert results.ending.reason == "done"
    # stable steps are below 3.3/1e4 s (dopri5) and some 6/1e4 s (dop853)
    assert results.statistics.steps > 0.1 / 7e-4


def test_a_model_without_joints_runs_under_every_kind():
    m = Mechanism("thrown")
    m.particle((0, 0), velocity=(1.0, 2.0))
    for kind in KINDS:
        results = run(m.model, stabilisation=kind, t_end=0.5)
        assert results.ending.reason == "done"
        assert results.gap.max() == 0.0


def test_stops_and_springs_work_under_every_kind():
    energies = []
    for kind in KINDS:
        results = run(planar_chain().model, stabilisation=kind, penalty=1e9, t_end=0.5, step=2e-4)
        energy = results["total_energy"]
        energies.append(np.abs(energy - energy[0]).max())
    assert max(energies) < 1e-5  # nothing damps; the compliance of 1e-9 takes a little
