"""Dead points: every method stops soon, keeps its frames, and names the joint, the time and the pose."""

from math import acos, atan2, cos, degrees, hypot, pi, sin, sqrt

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.integrators.stepping import FixedStepper
from engine.kinematics.dead_points import TRIED, Motions, dead_point, posed
from engine.model.methods import METHODS, STABILISATION_NAMES
from engine.running.simulate import run
from tests.engine.contact_models import place

DIMS = (2, 3)
FEW = 3000  # steps, those before the dead point included: adaptive runs need some hundred of them


def pinned(m, dim, i, j, at, id, ball=False):
    """A hinge about z; in space a ball where a second hinge would be redundant."""
    if dim == 3 and ball:
        m.spherical(i, j, at=place(dim, *at), id=id)
    else:
        m.revolute(i, j, at=place(dim, *at), id=id, **({"axis": (0, 0, 1)} if dim == 3 else {}))


def slider_crank(dim, law, quantity="position", crank=0.5):
    """A crank, a coupler of 1 m and a slider on the x axis, driven at the slider."""
    m = Mechanism("slider-crank", dim)
    A = (0.6 * crank, 0.8 * crank)
    B = (A[0] + sqrt(1.0 - A[1] ** 2), 0.0)
    m.rod(place(dim, 0, 0), place(dim, *A), mass=1, id="crank")
    m.rod(place(dim, *A), place(dim, *B), mass=1, id="coupler")
    inertia = 1.0 if dim == 2 else (1, 1, 1, 0, 0, 0)
    m.body(place(dim, *B), mass=1, inertia=inertia, center=place(dim, 0, 0), id="slider")
    pinned(m, dim, "ground", "crank", (0, 0), "main")
    pinned(m, dim, "crank", "coupler", A, "big_end")
    pinned(m, dim, "coupler", "slider", B, "wrist", ball=True)
    m.prismatic("ground", "slider", at=place(dim, *B), axis=place(dim, 1, 0), id="rail")
    m.motion("rail", law, quantity=quantity, id="push")
    return m.model, (1.0 + crank) - B[0]


def four_bar(dim, lengths, angle, driver, law):
    """A four-bar on 1 m of ground, drawn at an angle of its crank; lengths of crank, coupler, rocker."""
    m, (a, b, c) = Mechanism("four-bar", dim), lengths
    B, D = (a * cos(angle), a * sin(angle)), (1.0, 0.0)
    d = hypot(D[0] - B[0], D[1] - B[1])
    turn = atan2(D[1] - B[1], D[0] - B[0]) + acos((b * b + d * d - c * c) / (2 * b * d))
    C = (B[0] + b * cos(turn), B[1] + b * sin(turn))
    for id, P, Q in (("crank", (0, 0), B), ("coupler", B, C), ("rocker", C, D)):
        m.rod(place(dim, *P), place(dim, *Q), mass=1, id=id)
    pinned(m, dim, "ground", "crank", (0, 0), "A")
    pinned(m, dim, "crank", "coupler", B, "B")
    pinned(m, dim, "coupler", "rocker", C, "C", ball=True)
    pinned(m, dim, "ground", "rocker", D, "D")
    m.motion(driver, law, id="drive")
    return m.model, atan2(C[1], C[0] - 1.0)


def pushed_slider(dim):
    """A slider that is pushed with 0.5 m/s beyond the outer dead point."""
    model, way = slider_crank(dim, "0.5*t")
    return model, way / 0.5, "big_end", ("crank", "coupler"), "'rail'", f"{way:.6g} m"


def double_rocker(dim):
    """A crank that cannot go round: coupler and rocker come into line."""
    a, b, c = 0.8, 0.5, 0.6
    model, _ = four_bar(dim, (a, b, c), 0.5, "A", "t")
    limit = acos((a * a + 1.0 - (b + c) ** 2) / (2 * a)) - 0.5
    return model, limit, "C", ("coupler", "rocker"), "'A'", f"{degrees(limit):.6g} degrees"


def driven_rocker(dim):
    """A crank-rocker driven at its rocker beyond the end of its swing: crank and coupler in line."""
    a, b, c = 0.3, 0.9, 0.6
    model, start = four_bar(dim, (a, b, c), 1.0, "D", "-t")
    limit = start - (pi - acos((c * c + 1.0 - (b + a) ** 2) / (2 * c)))
    return model, abs(limit), "B", ("crank", "coupler"), "'D'", "degrees"


CASES = (pushed_slider, double_rocker, driven_rocker)
EXAMINED = [
    *((CASES[n % 3], DIMS[n % 2], method.name, "projection") for n, method in enumerate(METHODS)),
    *((case, 3, name, "projection") for case in CASES for name in ("dopri5", "dop853")),
    *((case, 3, "radau", "projection") for case in CASES),
    *(
        (CASES[n % 3], dim, name, how)
        for n, how in enumerate(STABILISATION_NAMES[1:])
        for dim in DIMS
        for name in ("rk4", "euler_cromer", "dopri5", "implicit_euler", *("radau",) * (dim == 2))
    ),
]


@pytest.mark.parametrize(("case", "dim", "method", "how"), dict.fromkeys(EXAMINED))
def test_a_dead_point_is_named_by_every_method(case, dim, method, how):
    model, moment, joint, (a, b), driven, reached = case(dim)
    results = run(model, method=method, stabilisation=how, t_end=3.0, tolerance=1e-8)
    ending, steps = results.ending, results.statistics.steps + results.statistics.rejected
    assert ending.reason == "dead point"
    assert ending.ids[0] == joint
    words = ending.sentence
    assert f"joint '{joint}' ({a} - {b}) cannot be closed beyond t = {moment:.6g} s" in words
    assert f"bodies '{a}' and '{b}' are in line" in words
    assert f"has brought joint {driven} to " in words and reached in words
    assert steps <= FEW
    # frames up to there are kept, and no later one; methods of fixed step give up a little before
    assert moment - 0.03 < results.t[-1] <= moment
    assert np.isfinite(results.q).all()


@pytest.mark.parametrize(
    ("case", "method", "how"),
    [
        (double_rocker, "euler_cromer", "penalty"),
        (driven_rocker, "euler_cromer", "baumgarte"),
        (driven_rocker, "heun", "none"),
    ],
)
def test_a_dead_point_is_told_alike_where_a_block_goes_far_beyond_it(
    monkeypatch, case, method, how
):
    monkeypatch.setattr(FixedStepper, "advance", lambda stepper, _: stepper.take(2000))
    model, moment, *_ = case(3)
    # joints that gape drive the speeds without bound before the block is over
    results = run(model, method=method, stabilisation=how, t_end=3.0)
    assert results.ending.reason == "dead point"
    assert moment - 0.03 < results.t[-1] <= moment


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ("rk4", "dopri5", "dop853", "ida", "bdf2", "generalised_alpha"))
@pytest.mark.parametrize(("quantity", "law"), (("speed", 0.5), ("acceleration", "0.5")))
def test_a_motion_by_speed_or_acceleration_is_stopped_there_too(dim, method, quantity, law):
    model, way = slider_crank(dim, law, quantity=quantity)
    moment = way / 0.5 if quantity == "speed" else sqrt(2 * way / 0.5)
    results = run(model, method=method, t_end=3.0)
    assert results.ending.reason == "dead point"
    words = results.ending.sentence
    assert "'big_end' (crank - coupler) cannot be closed beyond" in words
    assert "bodies 'crank' and 'coupler' are in line" in words
    assert moment - 0.03 < results.t[-1] <= moment
    assert results.statistics.steps + results.statistics.rejected < FEW


@pytest.mark.parametrize("dim", DIMS)
def test_a_method_that_passes_a_dead_point_by_some_steps_names_it_too(dim):
    model, way = slider_crank(dim, 0.5, quantity="speed")
    results = run(model, method="trapezoid_index3", t_end=3.0)
    assert f"'big_end' (crank - coupler) cannot be closed beyond t = {way / 0.5:.6g} s" in (
        results.ending.sentence
    )
    assert way / 0.5 - 0.03 < results.t[-1] <= way / 0.5


@pytest.mark.parametrize("method", ("rk4", "dop853", "ida"))
def test_a_dead_point_after_the_end_of_a_run_does_not_end_it_sooner(method):
    model, way = slider_crank(2, "0.5*t")
    before = way / 0.5 - 0.02  # with one frame in all, and many steps before it
    results = run(
        model, method=method, t_end=before, output_step=before, step=1e-4, tolerance=1e-12
    )
    assert results.ending.reason == "done"


def test_a_motion_that_turns_back_in_time_passes():
    model, way = slider_crank(2, "0.28*sin(pi*t)")
    assert 0.28 < way < 0.29  # nearly the dead point
    assert run(model, method="dop853", t_end=2.0).ending.reason == "done"
    assert run(model, method="rk4", t_end=2.0, stabilisation="none").ending.reason == "done"


@pytest.mark.parametrize("bends", [False, True])
@pytest.mark.parametrize("dim", DIMS)
def test_a_driven_hub_with_welded_arms_turns_several_times_between_frames(dim, bends):
    """Newton's method has to turn the arms about the hub, not only about themselves."""
    m = Mechanism("hub", dim)
    hub = m.disc((0, 0), 0.1, mass=1) if dim == 2 else m.box((0, 0, 0), 0.1, 0.1, 0.1, mass=1)
    for angle in (0.2, 2.3, 4.4):
        root, end = (place(dim, r * cos(angle), r * sin(angle)) for r in (0.05, 1.0))
        draw = m.beam if bends else m.rod
        arm = draw(root, end, width=0.01, thickness=0.01, density=2700.0)
        m.weld(hub, arm, root)
    pinned(m, dim, "ground", hub, (0, 0), "axle")
    m.motion("axle", "400*t", id="drive")
    compiled = compile_model(m.model)
    start = posed(compiled, 0.0, compiled.q0, np.zeros(len(compiled.system.terms)))
    for turns in (0.1, 1.0, 6.0):
        assert dead_point(compiled, start, turns * 2 * pi / 400) is None


def test_a_search_over_very_many_turns_is_given_up(monkeypatch):
    m = Mechanism("drive")
    m.rod((0, 0), (1, 0), mass=1.0, id="crank")
    m.revolute("ground", "crank", (0, 0), id="pin")
    m.motion("pin", "6*t")
    compiled, tried = compile_model(m.model), []
    closed_at = Motions.closed_at

    def counted(*arguments):
        tried.append(1)
        return closed_at(*arguments)

    monkeypatch.setattr(Motions, "closed_at", counted)
    start = posed(compiled, 0.0, compiled.q0, np.zeros(len(compiled.system.terms)))
    assert dead_point(compiled, start, 1e6) is None and len(tried) <= TRIED + 1


def test_a_rod_that_cannot_become_longer_is_named_with_its_length():
    m = Mechanism("reach")
    m.rod((0, 0), (1, 0), mass=1.0, id="arm")
    m.revolute("ground", "arm", (0, 0), id="pin")
    m.massless_rod(("ground", (0.0, 1.0)), ("arm", (1.0, 0.0)), length="1.4 + t", id="strut")
    compiled = compile_model(m.model)
    start = posed(compiled, 0.0, compiled.q0, np.zeros(len(compiled.system.terms)))
    found = dead_point(compiled, start, 2.0)
    assert found.t == pytest.approx(0.6, abs=1e-3) and "joint 'strut'" in found.pose
    assert "2 m" in found.pose or "1.99" in found.pose
