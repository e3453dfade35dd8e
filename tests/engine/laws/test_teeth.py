"""Teeth push wheels at the pitch point, and bearings carry it: balances, closed forms and limits."""

from dataclasses import replace
from math import cos, pi, sin, tan

import numpy as np
import pytest

from engine.compiling.checks import problems, remarks
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import loads
from engine.kinematics.evaluate import equations
from engine.model.elements import put
from engine.model.joints.base import Transmission
from engine.model.joints.tooth_contact import TWENTY_DEGREES
from engine.running.simulate import run

ALPHA = TWENTY_DEGREES  # the default pressure angle
BALANCED = 1e-11  # N, N m: rounding of forces up to some 100 N in a solution of ten rows
STILL = {"t_end": 0.05, "output_step": 0.01}


def three(results, stem, dim):
    """The components of a vector channel as three columns; a * stands for x, y or z."""
    out = np.zeros((len(results), 3))
    for c, axis in enumerate("xyz"[:dim]):
        out[:, c] = results[stem.replace("*", axis)]
    return out


def turning(results, stem, scalar, dim):
    """A torque or angular acceleration in world axes: one channel in the plane, three in space."""
    if dim == 3:
        return three(results, stem, 3)
    return np.stack([0 * results.t, 0 * results.t, results[scalar]], axis=1)


def unbalanced(results, torques):
    """What is left of Newton's and Euler's equations of all bodies, from reported forces alone.

    `torques` are given ones about z; weight is known, and bodies do not gyrate (they turn about z).
    """
    compiled, model = results.compiled, results.compiled.resolved
    dim, worst = model.dim, 0.0
    g = np.zeros(3)
    g[:dim] = model.gravity
    for k, id in enumerate(compiled.body_ids):
        r = three(results, f"{id}.center_*", dim)
        F = compiled.mass[k] * (g - three(results, f"{id}.center_a*", dim))
        J = compiled.system.bodies[k]["J"][(0, 0) if dim == 2 else (2, 2)]
        spin_up = turning(
            results, f"{id}.angular_acceleration_*", f"{id}.angular_acceleration", dim
        )
        T = -J * spin_up[:, 2] + torques.get(id, 0.0)
        for e in [*model.of("joint"), *model.of("motion")]:
            for way, place, force, torque in acting(results, e, id, dim):
                F = F + way * force
                T = T + way * (np.cross(place - r, force) + torque)[:, 2]
        worst = max(worst, float(np.abs(F).max()), float(np.abs(T).max()))
    return worst


def acting(results, e, body, dim):
    """What a joint, motion or gear does to a body: way, place, force and torque."""
    model = results.compiled.resolved
    if isinstance(e, Transmission):
        mesh = e.meshing(model)
        ends = (mesh.marker_i, mesh.marker_j)
        force, place = (
            three(results, f"{e.id}.{n}_*", dim) for n in ("tooth_force", "pitch_point")
        )
        torque = 0.0 * force
    else:
        joint = model[e.joint] if e.family == "motion" else e
        ends = (joint.marker_i, joint.marker_j)
        force, place = three(results, f"{e.id}.force_*", dim), three(results, f"{ends[1]}.*", dim)
        torque = turning(results, f"{e.id}.torque_*", f"{e.id}.torque", dim)
    for marker, way in zip(ends, (-1.0, 1.0)):
        if model[marker].body == body:
            yield way, place, force, torque


def at(dim, x, y=0.0, z=0.0):
    return (x, y) if dim == 2 else (x, y, z)


def wheel(m, id, x, radius, y=0.0):
    """A disc or a flat cylinder about z."""
    if m.dim == 2:
        return m.disc((x, y), radius, id=id)
    return m.cylinder((x, y, -0.01), (x, y, 0.01), radius, id=id)


def spin(m, id, torque):
    """A given torque about z."""
    m.torque(id, torque if m.dim == 2 else (0, 0, torque))


def pair(dim, inside, torque, **more):
    """A wheel of 0.1 m drives one of 0.3 m against a torque that balances it; nothing moves."""
    m = Mechanism("pair", dim, gravity=at(dim, 0.0))
    apart = 0.2 if inside else 0.4
    for id, x, radius in (("a", 0.0, 0.1), ("b", apart, 0.3)):
        wheel(m, id, x, radius)
        m.revolute("ground", id, at(dim, x), id=f"pin_{id}")
    m.gear("pin_a", "pin_b", inside=inside, id="teeth", **more)
    spin(m, "a", torque)
    spin(m, "b", -3.0 * torque if inside else 3.0 * torque)
    return m


@pytest.mark.parametrize("torque", [2.0, -2.0])  # each flank carries once
@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_bearing_carries_the_torque_by_the_base_circle(dim, inside, torque):
    results = run(pair(dim, inside, torque).model, **STILL)
    F = torque / 0.1
    for pin in ("pin_a", "pin_b"):
        assert results[f"{pin}.force"] == pytest.approx(abs(F) / cos(ALPHA), rel=1e-12)
    # the pinion is pressed away from the tooth that it touches: at -x in a ring, at +x outside
    along = -1.0 if inside else 1.0
    assert results["pin_a.force_x"] == pytest.approx(along * abs(F) * tan(ALPHA), rel=1e-12)
    assert results["pin_a.force_y"] == pytest.approx(along * F, rel=1e-12)
    assert results["teeth.tooth_force"] == pytest.approx(-F, rel=1e-12)  # holds wheel a
    assert results["teeth.tooth_force_radial"] == pytest.approx(abs(F) * tan(ALPHA), rel=1e-12)
    assert results["teeth.tooth_force_size"] == pytest.approx(abs(F) / cos(ALPHA), rel=1e-12)
    assert results["teeth.pitch_point_x"] == pytest.approx(-0.1 if inside else 0.1, rel=1e-12)
    assert unbalanced(results, {"a": torque, "b": (-3 if inside else 3) * torque}) < BALANCED


@pytest.mark.parametrize("radius", [0.1, -0.1])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_rack_presses_its_pinion_away_and_its_guide_holds_the_moment(dim, radius):
    m = Mechanism("rack", dim, gravity=at(dim, 0.0))
    wheel(m, "pinion", 0.0, 0.1)
    solid = {"mass": 2.0, "inertia": 0.1 if dim == 2 else (0.1, 0.1, 0.1, 0, 0, 0)}
    m.body(at(dim, 0.5, -radius), id="rack", **solid)
    m.revolute("ground", "pinion", at(dim, 0.0), id="pin")
    m.prismatic("ground", "rack", at(dim, 0.5, -radius), axis=at(dim, 1.0), id="guide")
    m.rack_and_pinion("pin", "guide", radius, id="teeth")
    spin(m, "pinion", 3.0)
    m.force("rack", at(dim, 0.5, -radius), at(dim, -3.0 / radius))
    results = run(m.model, **STILL)
    F = 3.0 / radius  # along the rack
    side = np.sign(radius)  # the rack lies at -y for a positive radius
    assert results["teeth.tooth_force"] == pytest.approx(F, rel=1e-12)
    assert results["pin.force_x"] == pytest.approx(F, rel=1e-12)
    assert results["pin.force_y"] == pytest.approx(-side * abs(F) * tan(ALPHA), rel=1e-12)
    assert results["guide.force_y"] == pytest.approx(side * abs(F) * tan(ALPHA), rel=1e-12)
    # the radial force acts half a metre beside the guide
    moment = results["guide.torque"] if dim == 2 else results["guide.torque_z"]
    assert moment == pytest.approx(-0.5 * side * abs(F) * tan(ALPHA), rel=1e-12)
    assert results["teeth.pitch_point_y"] == pytest.approx(-radius, rel=1e-12)


def planets(dim=2, axis=(0, 0, 1)):
    """Sun 0.1 m and planet 0.2 m in a ring of 0.5 m that is held, on a carrier that the sun drives."""
    m = Mechanism("planets", dim, gravity=at(dim, 0.0, -9.81))
    for id, x, radius in (("sun", 0.0, 0.1), ("planet", 0.3, 0.2), ("ring", 0.0, 0.5)):
        wheel(m, id, x, radius)
    solid = {"mass": 1.0, "inertia": 0.02 if dim == 2 else (0.02, 0.02, 0.02, 0, 0, 0)}
    m.body(at(dim, 0.15), id="arm", **solid)
    for id in ("sun", "arm", "ring"):
        m.revolute("ground", id, at(dim, 0.0), id=f"pin_{id}")
    m.revolute("arm", "planet", at(dim, 0.3), id="pin_planet")
    m.motion("pin_ring", 0.0, id="hold")
    m.gear("pin_sun", "pin_planet", id="outer")
    m.gear("pin_planet", "pin_ring", inside=True, id="inner")
    spin(m, "sun", 20.0)
    return m


@pytest.mark.parametrize(
    ("dim", "method"), [(2, "rk4"), (3, "rk4"), (2, "generalised_alpha"), (2, "bdf2")]
)
def test_a_planetary_set_follows_willis_and_every_body_is_in_balance(dim, method):
    results = run(planets(dim).model, t_end=1.5, output_step=0.05, method=method)
    speed = "angular_velocity" if dim == 2 else "angular_velocity_z"
    sun, arm, planet = (results[f"{id}.{speed}"] for id in ("sun", "arm", "planet"))
    # (w_sun - w_arm)/(w_ring - w_arm) = -0.5/0.1,  (w_planet - w_arm)/(w_ring - w_arm) = 0.5/0.2
    assert sun == pytest.approx(6.0 * arm, abs=1e-9)
    assert planet == pytest.approx(-1.5 * arm, abs=1e-9)
    turns = results["pin_arm.angle"][-1] / (2 * pi)
    assert turns > 1.0  # the line of centres turns round: its turns are counted
    assert results["constraint_violation"].max() < 1e-9
    if method == "rk4":  # the other methods damp
        # the energy is what the torque gave: the row and the radial forces do no work
        given = 20.0 * results["pin_sun.angle"]
        drift = results["total_energy"] - results["total_energy"][0] - given
        assert np.abs(drift).max() < 1e-5 * given.max()  # (h w)^4 at 100 rad/s
    assert unbalanced(results, {"sun": 20.0}) < 10 * BALANCED


def test_the_carrier_of_a_planetary_set_takes_six_times_the_torque_of_the_sun():
    m = planets()
    m.motion("pin_arm", 0.0, id="brake")
    results = run(replace(m.model, gravity=(0.0, 0.0)), **STILL)
    assert results["brake.drive"] == pytest.approx(-6.0 * 20.0, rel=1e-11)
    assert results["hold.drive"] == pytest.approx(5.0 * 20.0, rel=1e-11)
    # the radial parts of both meshes cancel at the planet, the others add up: 2 M / r_sun
    assert results["pin_planet.force"] == pytest.approx(2 * 20.0 / 0.1, rel=1e-11)


def test_the_shaft_of_a_compound_train_carries_both_meshes():
    m = Mechanism("train", gravity=(0, 0))
    for id, x, y, radius in (("a", 0, 0, 0.1), ("b", 0.3, 0, 0.2), ("c", 0.3, 0.35, 0.3)):
        m.disc((x, y), radius, id=id)
        m.revolute("ground", id, (x, y), id=f"pin_{id}")
    m.gear("pin_a", "pin_b", id="first")
    m.gear("pin_b", "pin_c", 0.05, id="second")  # a small wheel on the shaft of b
    m.torque("a", 1.0)
    m.torque("c", -12.0)
    results = run(m.model, **STILL)
    F_1, F_2 = 1.0 / 0.1, 2.0 / 0.05
    # the teeth of a push b up and press it to the right, those of c push it left and press it down
    assert results["pin_b.force_x"] == pytest.approx(F_2 - F_1 * tan(ALPHA), rel=1e-11)
    assert results["pin_b.force_y"] == pytest.approx(F_2 * tan(ALPHA) - F_1, rel=1e-11)
    assert unbalanced(results, {"a": 1.0, "c": -12.0}) < BALANCED


@pytest.mark.parametrize("reversed_pins", [("pin_a",), ("pin_b",), ("pin_a", "pin_b")])
@pytest.mark.parametrize("dim", [2, 3])
def test_it_does_not_matter_which_side_of_a_pin_the_wheel_is(dim, reversed_pins):
    model = pair(dim, False, 2.0).model
    there = run(model, **STILL)
    for pin in reversed_pins:
        joint = model[pin]
        model = put(model, replace(joint, marker_i=joint.marker_j, marker_j=joint.marker_i))
    if len(reversed_pins) == 1:  # the angle of one joint counts the other way
        model = put(model, replace(model["teeth"], inside=True))
    here = run(model, **STILL)
    for name in ("tooth_force_x", "tooth_force_y", "pitch_point_x", "tooth_force_radial"):
        assert here[f"teeth.{name}"] == pytest.approx(there[f"teeth.{name}"], abs=1e-12)


def test_opposite_axes_in_space_count_their_angles_the_other_way():
    m = Mechanism("pair", 3, gravity=(0, 0, 0))
    for id, x, radius, up in (("a", 0.0, 0.1, 1), ("b", 0.4, 0.3, -1)):
        wheel(m, id, x, radius)
        m.revolute("ground", id, (x, 0, 0), axis=(0, 0, up), id=f"pin_{id}")
    m.gear("pin_a", "pin_b", inside=True, id="teeth")
    spin(m, "a", 2.0)
    spin(m, "b", 6.0)
    results = run(m.model, **STILL)
    assert remarks(m.model) == []
    assert results["pin_a.force_x"] == pytest.approx(20.0 * tan(ALPHA), rel=1e-11)
    assert unbalanced(results, {"a": 2.0, "b": 6.0}) < BALANCED


def sprung(direction, stiffness=2e4, **more):
    """A wheel whose bearing slides along a direction against a spring and a damper."""
    m = Mechanism("sprung", gravity=(0, 0))
    m.disc((0, 0), 0.1, id="a")
    m.disc((0.3, 0), 0.2, id="b", **more)
    m.body((0.3, 0), mass=1.0, inertia=0.1, id="block")
    m.revolute("ground", "a", (0, 0), id="pin_a")
    m.prismatic("ground", "block", (0.3, 0), axis=direction, id="guide")
    m.revolute("block", "b", (0.3, 0), id="pin_b")
    end = (0.3 + direction[0], direction[1])
    m.spring(
        ("ground", end), ("block", (0.3, 0)), stiffness=stiffness, damping=1000.0, free_length=1.0
    )
    m.gear("pin_a", "pin_b", 0.1, 0.2, id="teeth")
    return m


def test_wheels_on_springs_are_pressed_apart():
    m = sprung((1.0, 0.0))
    m.torque("a", 10.0)
    m.torque("b", 20.0)
    results = run(m.model, t_end=3.0, output_step=0.1)
    pushed = results["block.x"][-1] - 0.3
    # F_t = M (r_1 + r_2)/(r_1 d) where the distance has become d
    F_t = 10.0 / 0.1 * 0.3 / (0.3 + pushed)
    assert pushed == pytest.approx(F_t * tan(ALPHA) / 2e4, rel=1e-6)  # the motion has died out
    assert results["teeth.tooth_force_radial"][-1] == pytest.approx(F_t * tan(ALPHA), rel=1e-6)


@pytest.mark.parametrize("method", ["rk4", "dopri5", "radau"])
def test_the_work_of_a_radial_force_is_in_the_balance(method):
    m = sprung((cos(0.8), sin(0.8)))
    m.torque("a", 10.0)
    m.torque("b", 20.0)
    results = run(m.model, t_end=0.3, output_step=0.02, method=method, step=1e-3, tolerance=1e-9)
    error = np.abs(results["energy_balance"] - results["energy_balance"][0]).max()
    assert np.abs(results["teeth.work"]).max() > 1e-3
    assert (
        error < 1e-6 * np.abs(results["work"]).max()
    )  # RK4 at 1 ms; the others by their tolerance


@pytest.mark.parametrize("method", ["rk4", "generalised_alpha", "ida"])
def test_a_radial_force_that_loads_the_teeth_is_found_with_them(method):
    m = sprung((cos(0.8), sin(0.8)))
    m.torque("a", 10.0)
    results = run(m.model, t_end=0.1, output_step=0.01, method=method)
    assert np.abs(results["block.x"] - 0.3).max() > 1e-4
    # along the guide: teeth, spring and damper accelerate block and wheel
    way = np.array([cos(0.8), sin(0.8), 0.0])
    place, velocity, acceleration = (three(results, f"block.{n}*", 2) for n in ("", "v", "a"))
    s, s_dot = place @ way - 0.3 * cos(0.8), velocity @ way
    pushed = three(results, "teeth.tooth_force_*", 2) @ way - 2e4 * s - 1e3 * s_dot
    mass = results.compiled.mass[1:].sum()
    # rounding; in IDA also the distance between its own lam and that of the frame
    assert pushed == pytest.approx(mass * (acceleration @ way), abs=1e-8)


def test_teeth_that_jam_end_the_run_with_a_sentence():
    m = sprung((cos(0.3), sin(0.3)), inertia=50.0, mass=0.1)
    m.torque("a", "torque")
    m.parameter("torque", 100.0)
    heavy, steep = (
        replace(m.model["a"], inertia=50.0),
        replace(m.model["teeth"], pressure_angle=1.0),
    )
    # lam = lam_0 - cot(0.3) tan(1) |lam| nearly, for light bodies that slide and heavy wheels
    model = put(m.model, heavy, steep, replace(m.model["block"], mass=0.1))
    assert run(model, **STILL).ending.reason == "done"
    results = run(put(model, replace(model["torque"], value=-100.0)), **STILL)
    assert results.ending.reason == "jammed"
    assert "the teeth of 'teeth' jam" in results.ending.sentence
    assert results.ending.ids == ("teeth",)


def test_teeth_that_carry_only_rounding_do_not_jam():
    m = pair(2, False, 0.0)
    model = replace(m.model, gravity=(3e3, -1e4))
    for id in ("a", "b"):
        model = put(model, replace(model[id], mass=1e5, inertia=1e-3))
    results = run(model, **STILL)
    assert results.ending.reason == "done"
    assert np.abs(results["teeth.tooth_force"]).max() < 1e-5  # of 1e9 N in the bearings


def test_bevel_gears_couple_their_angles_alone_and_say_so():
    m = Mechanism("bevel", 3, gravity=(0, 0, 0))
    m.cylinder((0, 0, -0.01), (0, 0, 0.01), 0.1, id="a")
    m.cylinder((0.09, 0, 0.2), (0.11, 0, 0.2), 0.2, id="b")
    m.revolute("ground", "a", (0, 0, 0), axis=(0, 0, 1), id="pin_a")
    m.revolute("ground", "b", (0.1, 0, 0.2), axis=(1, 0, 0), id="pin_b")
    m.gear("pin_a", "pin_b", id="teeth")
    m.torque("a", (0, 0, 1.0))
    results = run(m.model, **STILL)
    assert results["pin_b.angle"] == pytest.approx(-0.5 * results["pin_a.angle"], abs=1e-12)
    assert results["pin_a.force"] == pytest.approx(0.0, abs=1e-12)
    assert "not carried by bearings" in results.channel("teeth.tooth_force").label
    (remark,) = remarks(m.model)
    assert "couples angles alone" in remark.sentence and remark.sentence in results.notes


def test_an_empty_radius_is_that_of_the_disc_and_follows_it():
    m = pair(2, False, 2.0)
    gear, model = m.model["teeth"], m.model
    assert (gear.radius_1, gear.radius_2) == (None, None)
    assert gear.radii(model) == (0.1, 0.3) and remarks(model) == []
    smaller = put(model, replace(model["b"], shape=replace(model["b"].shape, radius=0.2)))
    assert smaller["teeth"].radii(smaller) == (0.1, 0.2)
    (remark,) = remarks(smaller)
    assert "do not mesh" in remark.sentence and "0.3 m" in remark.sentence
    assert run(smaller, **STILL)["teeth.pitch_point_x"] == pytest.approx(0.4 / 3, rel=1e-12)
    bare = put(model, replace(model["b"], shape=None, mass=1.0, inertia=1.0))
    (problem,) = problems(bare)
    assert problem.ids == ("teeth",)
    assert "radius 2 is empty, but what turns in 'pin_b' is no disc" in problem.sentence


@pytest.mark.parametrize("angle", [pi / 2, 2.0])
def test_a_pressure_angle_of_90_degrees_is_refused(angle):
    model = pair(2, False, 2.0, pressure_angle=angle).model
    with pytest.raises(
        EngineError, match=r"'teeth' has a pressure angle of .* degrees.*20 degrees"
    ):
        run(model, **STILL)
    negative = put(model, replace(model["teeth"], pressure_angle=-0.1))
    assert [problem.ids for problem in problems(negative)] == [("teeth",)]
    upright = put(model, replace(model["teeth"], pressure_angle=0.0))
    assert run(upright, **STILL)["teeth.tooth_force_radial"] == pytest.approx(0.0, abs=1e-15)


def test_old_files_keep_their_radii_and_press_nothing_apart():
    text = """{"kardan": 2, "dim": 2, "elements": [
      {"kind": "body", "id": "a", "mass": 1, "inertia": 1},
      {"kind": "body", "id": "b", "mass": 1, "inertia": 1, "position": [0.3, 0]},
      {"kind": "marker", "id": "g1", "body": "ground"},
      {"kind": "marker", "id": "g2", "body": "ground", "position": [0.3, 0]},
      {"kind": "marker", "id": "a1", "body": "a"}, {"kind": "marker", "id": "b1", "body": "b"},
      {"kind": "revolute", "id": "pin_a", "marker_i": "g1", "marker_j": "a1"},
      {"kind": "revolute", "id": "pin_b", "marker_i": "g2", "marker_j": "b1"},
      {"kind": "gear", "id": "teeth", "joint_1": "pin_a", "joint_2": "pin_b", "radius_2": 0.2}]}"""
    gear = loads(text)["teeth"]
    assert (gear.radius_1, gear.radius_2, gear.pressure_angle) == (0.1, 0.2, 0.0)


def test_a_rolling_disc_reports_the_force_at_its_contact():
    m = Mechanism("disc")
    m.disc((0, 0.1), 0.1, id="disc")
    m.rolling_disc("ground", "disc", on=(0, 0), center=(0, 0.1), radius=0.1, id="floor")
    m.torque("disc", 2.0)
    results = run(m.model, **STILL)
    k = results.compiled.mass[0]
    # M = J a + r F with a rolling disc: F = M / (r + J/(m r))
    J = results.compiled.system.bodies[0]["J"][0, 0]
    F = 2.0 / (0.1 + J / (k * 0.1))
    assert results["floor.force_x"] == pytest.approx(-F, rel=1e-11)
    assert results["floor.force_y"] == pytest.approx(k * 9.81, rel=1e-11)
    assert results["floor.torque"] == pytest.approx(-0.1 * F, rel=1e-11)  # moved to the centre


def test_the_multiplier_of_a_mesh_does_not_depend_on_the_pressure_angle_where_centres_are_held():
    found = []
    for angle in (0.0, ALPHA):
        compiled = compile_model(pair(2, False, 2.0, pressure_angle=angle).model)
        e = equations(compiled, 0.0, compiled.q0, compiled.v0)
        found.append((e.lam[compiled.rows_of["teeth"]], e.a))
    assert found[0][0] == pytest.approx(found[1][0], rel=1e-13)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-11)
