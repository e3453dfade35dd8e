"""Teeth in contact: the reference pair by several methods, closed forms, and laws of involutes."""

from dataclasses import replace
from functools import cache
from math import cos, pi, radians

import numpy as np
import pytest

from engine.compiling.checks import problems, remarks
from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.kinematics.evaluate import equations
from engine.model.elements import put
from engine.model.joints.involute import ToothedWheel, free_distance, mesh_of
from engine.model.joints.tooth_contact import TWENTY_DEGREES
from engine.running.simulate import run
from tests.engine.kernels.test_tangents import T, linearised
from tests.engine.poses import moved

R_1, R_2, MODULE = 0.054, 0.027, 1.35e-3
J_1, J_2 = 2.170442e-4, 1.356527e-5
R_B2 = R_2 * cos(radians(20.0))
PITCH = 2 * pi / 80 / 10.0  # [s] of a tooth at 10 rad/s
STIFF = {"stiffness": 3.1e6, "damping": 60.0, "full_depth": 1e-8}


def pair(dim=2, apart=R_1 + R_2, speeds=(0.0, 0.0), turned=(0.0, 0.0), over=False, **gear):
    """The wheels of the study on two axles."""
    m = Mechanism("pair", dim, gravity=(0.0,) * dim)
    for n, (x, r, J) in enumerate(((0.0, R_1, J_1), (apart, R_2, J_2)), 1):
        id, at = f"wheel_{n}", (x, 0.0) if dim == 2 else (x, 0.0, 0.0)
        if dim == 2:
            m.disc(
                at,
                r,
                mass=1.0,
                inertia=J,
                thickness=0.013,
                id=id,
                spin=speeds[n - 1],
                angle=turned[n - 1],
            )
            m.revolute("ground", id, at, id=f"axle_{n}")
        else:
            spin = (0.0, 0.0, speeds[n - 1])
            ends = ((x, 0.0, -0.0065), (x, 0.0, 0.0065))
            m.cylinder(*ends, r, mass=1.0, inertia=(J, J, J, 0, 0, 0), id=id, angular_velocity=spin)
            axis = (0.0, 0.0, -1.0) if over and n == 2 else (0.0, 0.0, 1.0)
            m.revolute("ground", id, at, axis=axis, id=f"axle_{n}")
    m.gear("axle_1", "axle_2", radius_1=R_1, radius_2=R_2, id="mesh",
           **{"teeth": "contact", "teeth_1": 80, **STIFF, **gear})  # fmt: skip
    return m


@cache
def steady(method):
    """Driven at 10 rad/s against a brake of 0.05 N m, frames from the third pitch on."""
    m = pair(speeds=(10.0, -20.0))
    m.motion("axle_1", "10*t", id="drive")
    m.torque("wheel_2", 0.05, id="brake")
    settings = {"step": 2e-6} if method == "rk4" else {"tolerance": 1e-8}
    return run(m.model, method=method, t_end=4 * PITCH, output_step=PITCH / 500, **settings)


@pytest.mark.parametrize("method", ["dop853", "rk4", "ida"])
def test_teeth_carry_the_brake_and_bend_as_in_closed_form(method):
    results = steady(method)
    keep = results.t > 2 * PITCH - 1e-9
    t = results.t[keep]

    def mean(name):
        return np.trapezoid(results[name][keep], t) / (t[-1] - t[0])

    assert mean("mesh.normal_force") == pytest.approx(1.9706995786591, abs=1e-4)
    assert mean("drive.torque") == pytest.approx(0.1, abs=1e-5)
    assert results["mesh.pairs"][keep][:-1].mean() == pytest.approx(1.76964, abs=2e-3)
    error, pairs = results["mesh.transmission_error"][keep], results["mesh.pairs"][keep]
    assert np.median(error[pairs == 2.0]) == pytest.approx(3.1785477e-07, abs=1e-9)
    assert np.median(error[pairs == 1.0]) == pytest.approx(6.357095e-07, abs=1e-8)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-6)
    # the wheels hold the force of the teeth: at the base circle the torque of the brake
    np.testing.assert_allclose(
        results["mesh.normal_force"], results["mesh.force"], rtol=1e-9, atol=1e-9
    )


def test_the_geometry_of_the_reference_pair():
    wheels = pair().model["mesh"].wheels(pair().model)
    assert [w.z for w in wheels] == [80, 40]
    assert wheels[0].module == pytest.approx(MODULE, rel=1e-12)
    mesh = mesh_of(*wheels, R_1 + R_2)
    assert mesh.ratio == pytest.approx(1.7696399866198957, abs=1e-9)
    assert wheels[0].base_pitch == pytest.approx(0.0039853774360263, abs=1e-12)
    assert mesh.backlash == pytest.approx(0.0, abs=1e-15) and not mesh.is_undercut
    assert wheels[0].tip == pytest.approx(0.05535, abs=1e-12)
    assert wheels[0].root == pytest.approx(0.0523125, abs=1e-12)


@pytest.mark.parametrize(
    "shifts, farther", [((0.0, 0.0), 0.0), ((0.3, 0.2), 0.0), ((0.5, -0.5), 0.2e-3)]
)
def test_backlash_is_what_wheels_can_turn(shifts, farther):
    # both flanks of the kernel against the thickness of teeth at the working pitch circles
    one, other = (
        ToothedWheel(z, MODULE, TWENTY_DEGREES, x, 2e-5) for z, x in zip((80, 40), shifts)
    )
    apart = free_distance(one, other) + farther
    mesh = mesh_of(one, other, apart)
    if farther == 0.0:
        assert mesh.backlash == pytest.approx(4e-5 * cos(TWENTY_DEGREES), rel=1e-6)
    fields = {"backlash": 4e-5, "shift_1": shifts[0], "shift_2": shifts[1]}
    m = pair(apart=apart, **fields)
    depths = []
    for free in np.linspace(
        -mesh.backlash, mesh.backlash, 5
    ):  # wheel 2 is turned along its base circle
        model = put(m.model, replace(m.model["wheel_2"], angle=float(free / other.base)))
        model = put(model, replace(model["mesh"], **_phases(m.model)))
        depths.append(_depth(model))
    # it is free within half the backlash to both sides, and then the depth grows as it turns
    turned = np.linspace(-mesh.backlash, mesh.backlash, 5)
    np.testing.assert_allclose(depths, np.abs(turned) - 0.5 * mesh.backlash, atol=1e-12)


def _phases(model):
    """The phases of teeth as drawn, as fields."""
    param = compile_model(model).system.interactions["param"][0]
    return {"phase_1": float(param[23]), "phase_2": float(param[27])}


def _depth(model):
    results = run(model, method="rk4", step=1e-9, t_end=1e-9, output_step=1e-9)
    return float(results["mesh.depth"][0])


@pytest.mark.parametrize("turned", [(0.0, 0.0), (0.3, -1.1), (2.0, 0.01)])
def test_teeth_mesh_as_drawn_however_wheels_are_turned(turned):
    assert _depth(pair(turned=turned, backlash=1e-5).model) == pytest.approx(
        -0.5e-5 * cos(TWENTY_DEGREES), abs=1e-12
    )


@pytest.mark.parametrize("over", [False, True])
def test_teeth_in_space_press_as_those_in_the_plane(over):
    found = []
    for dim in (2, 3):
        m = pair(
            dim, over=over and dim == 3, friction="velocity", backlash=1e-5, speeds=(5.0, -9.0)
        )
        results = run(m.model, method="dop853", tolerance=1e-10, t_end=2e-3, output_step=1e-4)
        z = "_z" if dim == 3 else ""
        found.append([results[f"wheel_{n}.angular_velocity{z}"] for n in (1, 2)])
        assert results["mesh.pressed"].any()
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)


def test_three_wheels_share_the_teeth_of_the_middle_one():
    r = 0.5 * MODULE * 26
    m = pair(backlash=1e-5)
    place = (R_1 + R_2 + 0.6 * (R_2 + r), 0.8 * (R_2 + r))
    m.disc(place, r, mass=1.0, id="wheel_3")
    m.revolute("ground", "wheel_3", place, id="axle_3")
    m.gear("axle_2", "axle_3", teeth="contact", teeth_1=40, backlash=1e-5, id="second", **STIFF)
    results = run(m.model, method="rk4", step=1e-9, t_end=1e-9, output_step=1e-9)
    for mesh in ("mesh", "second"):
        assert results[f"{mesh}.depth"][0] == pytest.approx(
            -0.5e-5 * cos(TWENTY_DEGREES), abs=1e-11
        )


@pytest.mark.parametrize("friction", ["none", "velocity"])
def test_tangents_of_teeth_are_derivatives(friction):
    # soft teeth, deep enough for steps of differences: one and two pairs, both sides
    for angle in (0.0, 0.004, -0.01, 0.02):
        m = pair(speeds=(3.0, -5.9), apart=R_1 + R_2, friction=friction, static_speed=5.0,
                 dynamic_speed=9.0, stiffness=1e3, damping=1.0, full_depth=1e-3)  # fmt: skip
        model = put(m.model, replace(m.model["mesh"], **_phases(m.model)))
        model = put(model, replace(model["wheel_1"], angle=angle))
        K, _ = tangents(model)
        assert np.abs(K).max() > 1e-3, angle


def tangents(model):
    """K and C by the kernel, compared with differences that are shorter than the teeth are deep."""
    compiled = compile_model(model)
    q, v, n = compiled.q0, compiled.v0, len(compiled.v0)
    lam = np.zeros(compiled.n_rows)
    K, C, _ = linearised(compiled, T, q, v, lam)
    h = 1e-7
    by_pose, by_speed = np.zeros((n, n)), np.zeros((n, n))
    for k, e in enumerate(h * np.eye(n)):
        for sign in (1.0, -1.0):
            d = moved(compiled, q, sign * e)
            by_pose[:, k] -= sign * equations(compiled, T, d, v).f / (2 * h)
            by_speed[:, k] -= sign * equations(compiled, T, q, v + sign * e).f / (2 * h)
    np.testing.assert_allclose(K, by_pose, atol=1e-5 * (1.0 + np.abs(by_pose).max()), rtol=0)
    np.testing.assert_allclose(C, by_speed, atol=1e-5 * (1.0 + np.abs(by_speed).max()), rtol=0)
    return K, C


def test_wheels_rattle_within_their_backlash():
    m = pair(backlash=1e-4, speeds=(0.0, 1.0), damping=0.0)
    results = run(m.model, method="dop853", tolerance=1e-9, t_end=0.05, output_step=1e-5)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-9)
    error, slack = results["mesh.transmission_error"], 0.5e-4 * cos(TWENTY_DEGREES)
    assert error.max() > slack and error.min() < -slack  # both sides are hit
    assert np.abs(error).max() < slack + 3e-6
    assert len(results.events) > 4 and "touch" in results.events[0].sentence
    spin = J_1 * results["wheel_1.angular_velocity"] / (R_1 * cos(TWENTY_DEGREES))
    spin -= J_2 * results["wheel_2.angular_velocity"] / (R_2 * cos(TWENTY_DEGREES))
    np.testing.assert_allclose(spin, spin[0], rtol=1e-9)  # teeth press both along one line


def test_a_run_goes_on_from_a_moment_with_the_teeth_where_they_were():
    m = pair(speeds=(10.0, -20.0), friction="velocity")
    m.torque("wheel_1", 0.1, id="drive")
    whole = run(m.model, method="dop853", t_end=4e-3, output_step=1e-3)
    model = edits.at_state(m.model, whole.q[2], whole.v[2], 2e-3)
    rest = run(model, method="dop853", t_end=2e-3, output_step=1e-3)
    np.testing.assert_allclose(
        rest["mesh.transmission_error"], whole["mesh.transmission_error"][2:], atol=1e-12
    )


@pytest.mark.parametrize("way", ["left-right", "top-bottom"])
def test_teeth_with_typed_phases_keep_their_depth_in_a_mirror(way):
    m = pair(turned=(0.3, -1.1), backlash=1e-5)
    phases = _phases(m.model)
    phases["phase_2"] += 1e-4
    model = put(m.model, replace(m.model["mesh"], **phases))
    image = edits.mirrored(model, [e.id for e in model.of("body")], way)
    assert _depth(model) == pytest.approx(-0.5e-5 * cos(TWENTY_DEGREES) + 1e-4 * R_B2, abs=1e-11)
    assert _depth(image) == pytest.approx(_depth(model), abs=1e-11)


def test_bad_teeth_are_told():
    def sentence(**fields):
        return " ".join(p.sentence for p in problems(pair(**fields).model))

    assert sentence() == ""
    assert "pointed" in sentence(shift_2=2.0, addendum=1.6)
    assert "mu_dynamic is larger" in sentence(friction="velocity", mu_static=0.1, mu_dynamic=0.3)
    assert "static_speed is not below" in sentence(static_speed=1.0)
    assert "beside each other" in sentence(inside=True)
    assert "would have 40.5000 teeth. Give it 40 teeth by the radius" in sentence(teeth_1=81)
    assert "Give it 41 teeth by the radius 0.027675 m" in sentence(teeth_2=41)

    def remark(**fields):
        return " ".join(p.sentence for p in remarks(pair(**fields).model))

    assert remark() == ""
    assert "do not fit" in remark(apart=R_1 + R_2 - 1e-4)
    assert "lose each other" in remark(apart=R_1 + R_2 + 2.4e-3)
    assert "below a base circle" in remark(teeth_1=20)


def test_stiffness_and_damping_follow_from_width_and_inertia():
    gear = pair(stiffness=None, damping=None, young_modulus=3.5e9).model
    k = gear["mesh"].stiffness_of(gear)
    assert k == pytest.approx(14e9 * 0.013 * 3.5 / 206, rel=1e-12)
    mass = 1.0 / ((R_1 * cos(TWENTY_DEGREES)) ** 2 / J_1 + R_B2**2 / J_2)
    assert gear["mesh"].damping_of(gear) == pytest.approx(0.2 * np.sqrt(k * mass), rel=1e-9)
