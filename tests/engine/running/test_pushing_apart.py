"""Contacts against closed forms and published numbers, each by several methods."""

from math import cos, radians, sin, sqrt

import numpy as np
import pytest

from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.model.forces.pressing import damping_of
from engine.running.simulate import prepare, run

G = 9.81
IMPACT = {"law": "impact", "exponent": 1.0, "damping": 0.0}


def ball(dim=2, at=0.3, radius=0.1, gravity=G, mass=1.0, **contact):
    """A disc or ball over the ground, which is in contact with it."""
    down = (0.0, -gravity) if dim == 2 else (0.0, 0.0, -gravity)
    m = Mechanism("ball", dim, gravity=down)
    place = (0.0, at) if dim == 2 else (0.0, 0.0, at)
    moving = {k: contact.pop(k) for k in ("velocity", "spin", "angular_velocity") if k in contact}
    make = m.disc if dim == 2 else m.sphere
    make(place, radius, mass=mass, id="ball", **moving)
    m.contact(("ground", (0.0,) * dim), ("ball", place), id="floor", **contact)
    return m.model


def up(dim):
    """The name of the upward coordinate."""
    return "y" if dim == 2 else "z"


PERIOD = 0.4138886474910594
BY_METHODS = {
    "dop853": ({"tolerance": 1e-11}, 1e-7),
    "dopri5": ({"tolerance": 1e-9}, 1e-5),
    "rk4": ({"step": PERIOD / 4000}, 1e-6),
    "ida": ({"tolerance": 1e-9}, 1e-4),
}


@pytest.mark.parametrize("method", BY_METHODS)
@pytest.mark.parametrize("dim", [2, 3])
def test_a_ball_on_a_linear_spring_bounces_as_in_closed_form(method, dim):
    if dim == 3 and method in ("rk4", "ida"):
        return  # the same kernels: two methods are enough in space
    model = ball(dim, stiffness=1e5, friction="none", **IMPACT)
    settings, within = BY_METHODS[method]
    results = run(model, method=method, t_end=10 * PERIOD, output_step=PERIOD / 100, **settings)
    assert results.ending.reason == "done"
    assert results[f"ball.{up(dim)}"][-1] == pytest.approx(0.3, abs=within)
    assert results[f"ball.v{up(dim)}"][-1] == pytest.approx(0.0, abs=100 * within)
    if method != "rk4":
        met = [event.t for event in results.events]
        assert len(met) == 20
        sure = 1e-8 if method == "dop853" else 1e-5
        assert met[0] == pytest.approx(sqrt(2 * 0.2 / G), abs=sure)
        assert met[1] - met[0] == pytest.approx(0.010033625614137617, abs=sure)
        assert met[2] - met[0] == pytest.approx(PERIOD, abs=sure)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e3 * within)


def test_depth_and_force_of_a_bounce_are_those_of_its_spring():
    model = ball(stiffness=1e5, friction="none", **IMPACT)
    results = run(model, method="dop853", tolerance=1e-11, t_end=0.22, output_step=1e-5)
    assert results["floor.depth"].max() == pytest.approx(0.006363052003806573, abs=1e-8)
    assert results["floor.normal_force"].max() == pytest.approx(636.3052003806573, abs=1e-3)
    np.testing.assert_allclose(results["floor.force_y"], results["floor.normal_force"], atol=1e-9)
    pressed = results["floor.pressed"] == 1.0
    spot = -results["floor.depth"][pressed]
    np.testing.assert_allclose(results["floor.y"][pressed], spot, atol=1e-12)
    stored = 0.5e5 * np.maximum(results["floor.depth"], 0.0) ** 2
    np.testing.assert_allclose(results["floor.energy"], stored, atol=1e-9)


@pytest.mark.parametrize(
    "x, rate, force",
    [(0.9, -0.5, 15.6622777), (0.95, -0.5, 7.36803399), (0.95, 5.0, 0.0)],
)
def test_the_impact_function_has_the_check_values_of_the_book(x, rate, force):
    contact = {
        "law": "impact",
        "stiffness": 100.0,
        "exponent": 1.5,
        "damping": 25.0,
        "full_depth": 0.1,
    }
    model = ball(at=x - 1.0, shape_j="point", friction="none", velocity=(0.0, rate), **contact)
    results = run(model, method="rk4", step=1e-6, t_end=1e-6, output_step=1e-6)
    assert results["floor.normal_force"][0] == pytest.approx(force, abs=1e-7)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_steel_ball_presses_as_hertz_says(dim):
    radius, mass = 0.01, 0.03288200310757
    velocity = (0.0, -1.0) if dim == 2 else (0.0, 0.0, -1.0)
    steel = {"law": "hertz", "young_modulus": 206e9, "poisson_ratio": 0.3, "restitution": 1.0}
    model = ball(dim, radius + 1e-6, radius, 0.0, mass, velocity=velocity, friction="none", **steel)
    results = run(model, method="dop853", tolerance=1e-11, t_end=1e-4, output_step=1e-7)
    k = float(prepare(model).compiled.system.interactions["param"][0][7])
    assert k == pytest.approx(15091575091.575, abs=1)
    assert results["floor.depth"].max() == pytest.approx(2.366211082033e-05, abs=1e-10)
    assert results["floor.normal_force"].max() == pytest.approx(1737.0599012302, abs=0.01)
    touch, part = (event.t for event in results.events)
    assert part - touch == pytest.approx(6.964410358623e-05, abs=1e-9)


@pytest.mark.parametrize(
    "r, s",
    [(0.3, 3.0870819811296246), (0.5, 1.4327505332713766), (0.7, 0.634828281266395),
     (0.8, 0.37314620336505405), (0.9, 0.16648195068529537)],
)  # fmt: skip
def test_a_body_bounces_with_just_the_restitution_that_was_asked_for(r, s):
    assert damping_of(r) == pytest.approx(s, abs=1e-9)
    for method, within in (("dop853", 1e-7), ("dopri5", 1e-5)):
        model = ball(at=0.1001, gravity=0.0, mass=0.5, velocity=(0.0, -0.5), stiffness=1e8,
                     restitution=r, friction="none")  # fmt: skip
        results = run(model, method=method, tolerance=1e-11, t_end=0.05)
        assert results["ball.vy"][-1] == pytest.approx(0.5 * r, abs=within), method


def test_restitutions_of_zero_and_one_are_served():
    assert damping_of(0.0) == damping_of(0.05) and damping_of(1.0) == 0.0
    results = run(ball(at=0.2, restitution=0.0, friction="none"), method="dop853", t_end=2.0)
    assert abs(results["ball.vy"][-1]) < 1e-6  # it rests
    assert results["floor.normal_force"][-1] == pytest.approx(G, rel=1e-6)


def block(mu_s, mu_d, friction, **more):
    """A block of 2 kg on a slope of 15 degrees; gravity is turned instead of the slope."""
    slope = radians(15.0)
    m = Mechanism("block", gravity=(G * sin(slope), -G * cos(slope)))
    m.box((0.0, 0.05), 0.2, 0.1, mass=2.0, id="block")
    damped = {
        "law": "impact",
        "stiffness": 1e5,
        "exponent": 1.0,
        "damping": 200.0,
        "full_depth": 1e-6,
    }
    m.contact(("ground", (0, 0)), ("block", (0, 0)), id="slope", mu_static=mu_s, mu_dynamic=mu_d,
              friction=friction, **{**damped, **more})  # fmt: skip
    return m.model


@pytest.mark.parametrize("method", ["dop853", "dopri5"])
def test_a_block_on_a_slope_creeps_by_velocity_and_hangs_still_by_sticking(method):
    creeping = block(0.4, 0.3, "velocity")
    results = run(creeping, method=method, tolerance=1e-8, t_end=1.0)
    assert results["block.vx"][-1] == pytest.approx(0.00048449024880935, abs=1e-8)
    holding = block(0.4, 0.3, "sticking", stick_stiffness=1e5, stick_damping=200.0)
    results = run(holding, method=method, tolerance=1e-9, t_end=1.0)
    assert abs(results["block.vx"][-1]) < 1e-12
    assert abs(results["block.x"][-1]) < 4e-5
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-5)


@pytest.mark.parametrize("friction, within", [("velocity", 3e-4), ("sticking", 3e-3)])
def test_a_block_on_a_slope_slides_by_its_friction(friction, within):
    sliding = block(0.2, 0.2, friction, stick_stiffness=1e5, stick_damping=200.0)
    results = run(sliding, method="dop853", tolerance=1e-8, t_end=1.0)
    assert results["block.x"][-1] == pytest.approx(0.32193418063828827, abs=within)
    # the work of friction: mu m g cos x
    lost = -0.2 * 2.0 * G * cos(radians(15.0)) * results["block.x"][-1]
    assert results["slope.work"][-1] == pytest.approx(lost, rel=0.02)


def test_a_circle_bounces_off_the_corner_of_a_polygon_and_an_inner_edge():
    m = Mechanism("corner", gravity=(0, 0))
    angle = ((0, 0), (1, 0), (1, 1), (0.6, 1), (0.6, 0.4), (0, 0.4))  # not convex
    m.polygon(angle, id="angle", fixed=True)
    m.disc((0.3, 0.8), 0.1, mass=1.0, id="ball", velocity=(1.0, -1.0))
    m.contact(
        ("angle", (0.5, 0.2)), ("ball", (0.3, 0.8)), restitution=1.0, stiffness=1e8, friction="none"
    )
    results = run(m.model, method="dop853", tolerance=1e-9, t_end=1.0)
    # off the wall at x = 0.5, then off the floor at y = 0.5: each turns one velocity round
    assert results["ball.vx"][-1] == pytest.approx(-1.0, abs=1e-6)
    assert results["ball.vy"][-1] == pytest.approx(1.0, abs=1e-6)
    assert results["ball.x"].max() == pytest.approx(0.5, abs=1e-3)
    assert results["ball.y"].min() == pytest.approx(0.5, abs=1e-3)


def test_bad_contacts_are_told():
    def sentence(**fields):
        return " ".join(p.sentence for p in problems(ball(**fields)))

    assert "mu_dynamic is larger" in sentence(mu_static=0.1, mu_dynamic=0.2)
    assert "static_speed is not below" in sentence(static_speed=1.0)
    assert "without a radius" in sentence(shape_j="hole")
    assert "must be" in sentence(stiffness=-1.0) and "must" in sentence(mu_static=-0.1)
    m = Mechanism("itself")
    m.disc((0, 0), 0.1, id="a")
    m.contact(("a", (0, 0)), ("a", (0.1, 0)))
    assert "with itself" in problems(m.model)[0].sentence
    (note,) = [n for n in prepare(ball(at=0.05), method="dop853").notes if "overlap" in n]
    assert "'floor' overlap by 0.05 m" in note
    with pytest.raises(EngineError, match="no curved shape"):
        run(ball(law="hertz", shape_j="point"))


def two_rods(angle, joined=True):
    """Two rods of 0.1 m width that meet at (1, 0) at an angle, and touch each other."""
    m = Mechanism("rods")
    m.rod((0, 0), (1, 0), width=0.1, id="a")
    m.rod((1, 0), (1 + np.cos(angle), np.sin(angle)), width=0.1, id="b")
    m.revolute("ground", "a", (0, 0))
    if joined:
        m.revolute("a", "b", (1, 0), id="pin")
    m.contact(("a", (0.5, 0)), ("b", (1.2, 0)), id="touch")
    return m.model


def test_shapes_that_overlap_where_they_are_joined_are_told_with_the_way_out():
    (note,) = [n for n in prepare(two_rods(1.5)).notes if "overlap" in n]
    assert "where 'pin' joins them. Leave out the region of the joint" in note
    (note,) = [n for n in prepare(two_rods(1.5, joined=False)).notes if "overlap" in n]
    assert "joins" not in note
    assert not [n for n in prepare(two_rods(0.1)).notes if "overlap" in n]


def test_a_pendulum_that_begins_in_a_wall_is_not_said_to_overlap_at_its_pin():
    m = Mechanism("wall")
    m.rod((0, 0), (0, -1), width=0.05, id="rod")
    m.box((0.13, -1), 0.3, 0.3, fixed=True, id="wall")
    m.revolute("wall", "rod", (0, 0))
    m.contact(("wall", (0.13, -1)), ("rod", (0, -1)), id="bump")
    (note,) = [n for n in prepare(m.model).notes if "overlap" in n]
    assert "'bump' overlap" in note and "joins" not in note


def test_a_ball_that_bounces_less_and_less_comes_to_rest():
    results = run(ball(at=0.3, restitution=0.5, mu_static=0.3), method="dop853", t_end=3.0)
    # t = t_0 (1 + 2 r / (1 - r)) of the geometric series, and what the floor of the speed adds
    assert results.ending.reason == "done"
    rest = np.abs(results["ball.vy"]) < 1e-4
    ends = sqrt(2 * 0.2 / G) * 3
    assert (
        rest[results.t > ends + 0.1].all() and not rest[(results.t > 0.1) & (results.t < 0.5)].all()
    )
