"""Ropes, rings and supports that hold on one side only, against closed forms."""

from math import atan2, cos, hypot, pi, radians, sin, sqrt

import numpy as np
import pytest

from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.edits.changing import with_fields
from engine.errors import EngineError
from engine.kinematics.constraints import constraints
from engine.kinematics.mobility import mobility
from engine.model.joints import PointOnLine, PointOnPlane
from engine.running.live import Live
from engine.running.simulate import prepare, run

G = 9.81
METHODS = ("dop853", "dopri5", "radau")
SHARP = {"tolerance": 1e-11, "output_step": 1e-3}
ROUNDING = (
    1e-8  # what the reference problems ask of rigid rows; of joules, as speeds are of order one
)


def rope(**fields):
    """A point mass at the bottom of a rope, fast enough to leave its circle at 120 degrees."""
    m = Mechanism("rope", 2, gravity=(0.0, -G))
    m.particle((0.0, -1.0), mass=1.0, id="p", velocity=(sqrt(3.5 * G), 0.0))
    m.massless_rod(("ground", (0.0, 0.0)), ("p", (0.0, -1.0)), id="rope", acts="tension", **fields)
    return m.model


@pytest.mark.parametrize("method", METHODS)
def test_a_rope_goes_slack_and_snaps_taut_as_in_closed_form(method):
    results = run(rope(), method=method, t_end=1.5, **SHARP)
    slack, taut = results.events
    assert (slack.kind, taut.kind) == ("leave", "touch")
    assert slack.t == pytest.approx(0.4819942834614, abs=1e-8)
    assert taut.t - slack.t == pytest.approx(0.7820618870058, abs=1e-8)
    flies = (results.t > slack.t) & (results.t < taut.t)
    assert (results["rope.force"][flies] == 0.0).all()
    assert (results["rope.length"][flies] < 1.0).all()
    n = int(np.searchsorted(results.t, taut.t))
    vx, vy = results["p.vx"][n], results["p.vy"][n]
    assert hypot(vx, vy) == pytest.approx(1.1073617295175, abs=1e-5)  # a frame later
    before = n - 1
    lost = 0.5 * (results["p.vy"][before] - G * (taut.t - results.t[before])) ** 2
    assert sqrt(2.0 * lost) == pytest.approx(5.754020333645, abs=1e-7)
    assert results["rope.work"][-1] == pytest.approx(-lost, abs=1e-7)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=ROUNDING)


def test_an_elastic_rope_throws_the_mass_back():
    results = run(rope(restitution=1.0), method="dop853", t_end=1.5, **SHARP)
    n = int(np.searchsorted(results.t, results.events[1].t))
    assert results["p.vy"][n] == pytest.approx(5.754020333645, abs=0.02)  # a frame of gravity
    energy = results["total_energy"]
    np.testing.assert_allclose(energy, energy[0], atol=ROUNDING)


@pytest.mark.parametrize("method", METHODS)
def test_a_point_in_a_rigid_ring_hits_where_geometry_says(method):
    m = Mechanism("ring", 2, gravity=(0.0, 0.0))
    way = radians(70.0)
    m.particle((0.5, 0.0), mass=1.0, id="p", velocity=(2.0 * cos(way), 2.0 * sin(way)))
    ends = ("ground", (0.0, 0.0)), ("p", (0.5, 0.0))
    m.point_on_circle(*ends, id="ring", acts="inside", radius=1.0, restitution=1.0)
    results = run(m.model, method=method, t_end=10.0, tolerance=1e-11)
    hits = [event.t for event in results.events]
    assert hits[0] == pytest.approx(0.3558690811629, abs=1e-8)
    assert 2.0 * (hits[1] - hits[0]) == pytest.approx(1.7654964679774, abs=1e-9)
    n = int(np.searchsorted(results.t, hits[10]))
    back = results.t[n] - hits[10]
    x, y = (results[f"p.{c}"][n] - back * results[f"p.v{c}"][n] for c in "xy")
    assert atan2(y, x) % (2 * pi) == pytest.approx(3.5166510965837, abs=1e-8)
    spin = results["p.x"] * results["p.vy"] - results["p.y"] * results["p.vx"]
    np.testing.assert_allclose(spin, 0.9396926207859, atol=1e-9)
    np.testing.assert_allclose(results["kinetic_energy"], 2.0, atol=1e-12)


def belt(mu_static=0.4):
    """A mass on a moving belt, held by a spring, where it is about to slip."""
    m = Mechanism("belt", 2, gravity=(0.0, -G))
    m.box((0.0, -0.05), 2.0, 0.1, mass=1.0, id="belt")
    m.motion(m.prismatic("ground", "belt", (0.0, -0.05), axis=(1.0, 0.0)), "0.1*t")
    at = (0.4 * G / 100.0, 0.0)
    m.particle(at, mass=1.0, id="p", velocity=(0.1, 0.0))
    m.point_on_line("belt", "p", at, id="rub", acts="above", mu_static=mu_static, mu_dynamic=0.25)
    m.spring(("ground", (-0.5, 0.0)), ("p", at), stiffness=100.0, free_length=0.5)
    return m.model


@pytest.mark.parametrize("method", METHODS)
def test_a_mass_on_a_belt_sticks_and_slips_as_in_closed_form(method):
    results = run(belt(), method=method, t_end=2.0, **SHARP)
    times = {kind: [e.t for e in results.events if e.kind == kind] for kind in ("slip", "stick")}
    assert times["stick"][0] - times["slip"][0] == pytest.approx(0.4335369627704, abs=1e-6)
    assert times["slip"][1] - times["stick"][0] == pytest.approx(0.2943, abs=1e-6)
    assert times["slip"][2] - times["slip"][1] == pytest.approx(0.7278369627704, abs=1e-6)
    assert results["p.x"].max() == pytest.approx(0.04231632443074, abs=1e-6)
    assert results["p.x"].min() == pytest.approx(0.00673367556926, abs=1e-6)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=ROUNDING)


@pytest.mark.parametrize("method", METHODS)
def test_bounces_pile_up_at_the_end_of_their_series_and_rest(method):
    m = Mechanism("bounces", 2, gravity=(0.0, -G))
    m.particle((0.0, 0.2), mass=1.0, id="p")
    ends = ("ground", (0.0, 0.0)), ("p", (0.0, 0.2))
    m.between(PointOnLine, *ends, id="floor", acts="above", restitution=0.5, rest_speed=1e-3)
    results = run(m.model, method=method, t_end=1.0, tolerance=1e-11)
    speed = sqrt(2 * G * 0.2)
    end, bounces = speed / G, 0
    while speed > 1e-3:
        speed, bounces = 0.5 * speed, bounces + 1
        end += 2.0 * speed / G
    assert len(results.events) == bounces + 1
    assert results.events[-1].t == pytest.approx(end, abs=1e-7)
    whole = sqrt(0.4 / G) * (1.0 + 2.0 * 0.5 / (1.0 - 0.5))  # of the whole series
    assert results.events[-1].t == pytest.approx(whole, abs=4.0 * 1e-3 / G)
    assert results["p.y"][-1] == pytest.approx(0.0, abs=1e-12)
    assert results["floor.force_y"][-1] == pytest.approx(G, abs=1e-9)
    assert results.ending.reason == "done"


def block(mu, slope, **fields):
    """A block on two supports of a slope."""
    way = radians(slope)
    m = Mechanism("block", 2, gravity=(0.0, -G))
    x, y = (cos(way), sin(way)), (-sin(way), cos(way))
    middle = tuple(0.05 * c for c in y)
    m.box(middle, 0.2, 0.1, mass=2.0, angle=way, id="block")
    for k, along in enumerate((-0.1, 0.1), 1):
        at = tuple(along * c for c in x)
        m.point_on_line("ground", "block", at, axis=x, id=f"foot_{k}", acts="above",
                        mu_static=mu, mu_dynamic=mu, **fields)  # fmt: skip
    return m.model


@pytest.mark.parametrize("method", METHODS)
def test_a_block_on_two_supports_hangs_still_or_slides_exactly(method):
    still = run(block(0.4, 15.0), method=method, t_end=1.0)
    assert np.abs(still["block.vx"]).max() < 1e-12
    slides = run(block(0.2, 15.0), method=method, t_end=1.0)
    way = hypot(
        slides["block.x"][-1] - slides["block.x"][0], slides["block.y"][-1] - slides["block.y"][0]
    )
    assert way == pytest.approx(0.32193418063828827, abs=ROUNDING)
    both = slides["foot_1.force_y"] + slides["foot_2.force_y"]
    lever = 0.2 * both / 2  # its feet carry what does not tip it
    assert (slides["foot_1.force_y"] > slides["foot_2.force_y"]).all(), lever
    assert [event.kind for event in slides.events] == []


def test_newton_and_poisson_differ_where_one_of_two_feet_rests():
    """A box rests on its elastic left foot and lands on the right one.

    With S = D W D^T = ((1.7, -0.7), (-0.7, 1.7)) and u = (0, -2) before, Newton asks for u = (0, 1).
    Poisson finds the compression S L = (0, 2), and then adds 1 and 0.5 of it.
    """
    found = {}
    for impact in ("newton", "poisson"):
        m = Mechanism("rocking", 2, gravity=(0.0, 0.0))
        m.box((0.0, 0.05), 0.2, 0.1, mass=2.0, id="block", velocity=(0.0, -1.0), spin=-10.0)
        for k, (x, e) in enumerate(((-0.1, 1.0), (0.1, 0.5)), 1):
            m.point_on_line("ground", "block", (x, 0.0), id=f"foot_{k}", acts="above",
                            restitution=e, impact=impact)  # fmt: skip
        results = run(m.model, method="dop853", t_end=1e-3, output_step=1e-3)
        _, up, spin = results.v[0]
        found[impact] = (up - 0.1 * spin, up + 0.1 * spin)
    S = np.array([[1.7, -0.7], [-0.7, 1.7]])
    compression = np.linalg.solve(S, (0.0, 2.0))
    assert found["newton"] == pytest.approx((0.0, 1.0), abs=1e-9)
    assert found["poisson"] == pytest.approx(tuple(S @ (compression * (1.0, 0.5))), abs=1e-9)


def foot(mu, angle, speed, spin=0.0):
    """A thin rod that slides on its end: the first to be known for its paradox."""
    m = Mechanism("rod", 2, gravity=(0.0, -G))
    way, half = radians(angle), 0.5
    end = (cos(way), sin(way))
    velocity = (speed - spin * half * sin(way), spin * half * cos(way))
    m.rod((0.0, 0.0), end, mass=1.0, id="rod", velocity=velocity, spin=spin)
    m.point_on_line("ground", "rod", (0.0, 0.0), id="foot", acts="above",
                    mu_static=mu, mu_dynamic=mu)  # fmt: skip
    return m.model


def test_a_rod_whose_friction_jams_has_no_solution():
    angle, speed = 60.0, -1.0
    s, c = sin(radians(angle)), cos(radians(angle))
    assert 1.0 + 3.0 * c * (c - 2.0 * s) < 0.0  # A_nn < mu A_nt: it presses itself in
    ending = run(foot(2.0, angle, speed), method="dop853", t_end=0.05).ending
    assert ending.reason == "no solution"
    assert ending.sentence.startswith("The run stopped at t = 0 s: no solution exists for 'foot'.")
    assert ending.ids == ("foot",)


def test_a_rod_that_may_hold_or_let_go_has_two_solutions_and_lets_go():
    results = run(foot(2.0, 60.0, -1.0, spin=8.0), method="dop853", t_end=0.05)
    assert results.events[0].kind == "two solutions"
    assert "may hold, or let go" in results.events[0].sentence
    assert results.ending.reason == "done"
    assert (results["foot.force"] == 0.0).all()


def test_two_supports_at_one_place_stop_a_mass_as_one_does():
    m = Mechanism("twice", 2, gravity=(0.0, -G))
    m.particle((0.0, 0.0), id="p", velocity=(1.0, 0.0))
    for id in ("a", "b"):
        m.point_on_line(
            "ground", "p", (0.0, 0.0), acts="above", id=id, mu_static=0.3, mu_dynamic=0.3
        )
    results = run(m.model, method="dop853", t_end=0.5)
    assert [event.kind for event in results.events] == ["stick", "stick"]  # at rest is one motion
    assert results.events[0].t == pytest.approx(1.0 / (0.3 * G), abs=1e-9)
    assert results["p.x"][-1] == pytest.approx(1.0 / (2.0 * 0.3 * G), abs=1e-9)


def test_a_rod_that_is_dragged_slides_however_large_its_friction():
    """mu A_nt is far beyond A_nn, with the other sign: a plain iteration diverges."""
    mu, angle = 3.0, 60.0
    results = run(foot(mu, angle, 1.0), method="dop853", t_end=0.01, output_step=1e-3)
    s, c = sin(radians(angle)), cos(radians(angle))
    load = G / (1.0 + 3.0 * c * (c + mu * s))
    assert results["foot.force_y"][0] == pytest.approx(load, rel=1e-9)


def test_a_support_in_space_lets_go_and_catches():
    m = Mechanism("plane", 3, gravity=(0.0, 0.0, -G))
    m.sphere((0.0, 0.0, 0.2), 0.1, mass=1.0, id="ball", velocity=(1.0, 0.0, 0.0))
    i, j = m.marker("ground", (0.0, 0.0, 0.0)), m.marker("ball", (0.0, 0.0, 0.2))
    m.add(PointOnPlane(id="floor", marker_i=i, marker_j=j, acts="above"))
    results = run(m.model, method="dop853", t_end=0.5, tolerance=1e-11)
    assert results.events[0].t == pytest.approx(sqrt(0.4 / G), abs=1e-8)
    assert results["ball.z"][-1] == pytest.approx(0.0, abs=1e-12)
    assert results["ball.x"][-1] == pytest.approx(0.5, abs=1e-9)


def test_what_is_open_removes_no_freedom_and_what_is_closed_does():
    m = Mechanism("open", 2, gravity=(0.0, -G))
    m.particle((0.0, 0.2), mass=1.0, id="p")
    ends = ("ground", (0.0, 0.0)), ("p", (0.0, 0.2))
    m.between(PointOnLine, *ends, id="floor", acts="above")
    found = mobility(compile_model(m.model))
    assert (found.dof, found.redundant) == (2, 0)
    found = mobility(compile_model(rope()))
    assert (found.dof, found.redundant) == (1, 0)
    assert [one.equation for one in constraints(compile_model(rope()))] == ["|d| <= as drawn"]
    told = [one.equation for one in constraints(compile_model(belt()))]
    assert "y_i . d >= 0" in told
    assert any(equation.endswith("while it sticks") for equation in told)


def test_a_rope_drawn_too_long_is_closed_and_one_drawn_slack_stays():
    long, slack = rope(length=0.9), rope(length=1.5)
    assert prepare(long, method="auto").start.gap < 1e-9
    assert prepare(long, method="auto").start.moved == pytest.approx(0.1, abs=1e-9)
    assert prepare(slack, method="auto").start.moved == 0.0
    with_parameter = rope(length="3*0.5")
    assert prepare(with_parameter, method="auto").start.moved == 0.0


def test_what_does_not_serve_is_told():
    with pytest.raises(EngineError, match="does not find where it is met"):
        prepare(rope(), method="rk4")
    with pytest.raises(EngineError, match="closed by projection"):
        prepare(rope(), method="dopri5", stabilisation="baumgarte")
    with pytest.raises(EngineError, match="Run the model instead"):
        Live(prepare(rope(), method="auto"))
    with pytest.raises(EngineError, match="follows time"):
        compile_model(rope(length="1 + 0.1*t"))
    sticky = with_fields(foot(0.2, 60.0, 1.0), ["foot"], {"mu_dynamic": 0.3})
    assert "rubs more while it slides" in problems(sticky)[0].sentence
    by_impulse = with_fields(foot(0.2, 60.0, 1.0), ["foot"], {"impact": "poisson"})
    assert "known without friction only" in problems(by_impulse)[0].sentence
    m = Mechanism("moved", 2)
    m.particle((0.0, -1.0), id="p")
    m.massless_rod(("ground", (0.0, 0.0)), ("p", (0.0, -1.0)), id="rope", acts="tension")
    m.motion("rope", "1 + t")
    assert "A motion prescribes the length" in problems(m.model)[0].sentence


def test_a_body_on_its_support_may_start_upwards_or_downwards():
    for speed, then in ((2.0, 2.0), (-2.0, 1.0)):
        m = Mechanism("thrown", 2, gravity=(0.0, 0.0))
        m.particle((0.0, 0.0), mass=1.0, id="p", velocity=(0.0, speed))
        m.point_on_line("ground", "p", (0.0, 0.0), id="floor", acts="above", restitution=0.5)
        results = run(m.model, method="dopri5", t_end=1e-2)
        assert results["p.vy"][-1] == pytest.approx(then, abs=1e-12)


def test_a_run_that_is_iterated_again_begins_and_goes_as_it_did():
    running = prepare(block(0.4, 15.0), method="dop853", t_end=0.1)
    first, again = ([(b.q, b.v, b.lam) for b in running] for _ in range(2))
    for one, other in zip(first, again, strict=True):
        for a, b in zip(one, other):
            np.testing.assert_array_equal(a, b)
    assert np.abs(first[0][2]).max() > 1.0  # they carry the block from the start


def test_a_block_that_rests_costs_few_steps():
    """Contacts that have pressed for long limit no steps of a method for stiff models."""
    m = Mechanism("rest", 2, gravity=(0.0, -G))
    m.box((0.0, 0.05), 0.2, 0.1, mass=2.0, id="block")
    m.contact(("ground", (0.0, 0.0)), ("block", (0.0, 0.05)), id="floor")
    results = run(m.model, method="radau", tolerance=1e-6, t_end=2.0, output_step=2.0)
    assert results.statistics.steps < 200 and results.statistics.rejected < 50
    assert abs(results["block.vy"][-1]) < 1e-9
