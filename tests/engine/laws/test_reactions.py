"""Reactions, forces and energies two ways: from multipliers, and from Newton, Euler and energy."""

import json
from math import cos, sin
from pathlib import Path

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.running.simulate import run
from rotations import quaternion
from tests.engine.sample_joints import CASES, mechanism
from tests.engine.sample_runs import SHORT, pendulum, planar_chain, planar_run, spatial_run

GOLDEN = json.loads((Path(__file__).parents[2] / "data" / "golden.json").read_text())
PENDULUMS = [case for case in GOLDEN if case["id"].startswith("pendulum_dae_")]
WITHOUT_A_POINT = ("gear", "rack_and_pinion", "constraint")  # in which their reaction would act
STEP = {"t_end": 0.01, "output_step": 0.01}


def stack(results, stem, axes="xyz"):
    """The components of a vector as (n, len(axes))."""
    return np.stack([results[stem.replace("*", a)] for a in axes], axis=1)


@pytest.mark.parametrize("case", PENDULUMS, ids=lambda case: case["id"])
def test_the_pin_of_a_pendulum_carries_what_the_closed_form_says(case):
    given, expected = case["inputs"], case["expected"]
    phi, w = given["phi_rad"], given["phidot"]
    m = Mechanism("pendulum")
    c, s = cos(phi), sin(phi)
    rod = m.rod((0, 0), (c, s), mass=1, spin=w, velocity=(-w * s / 2, w * c / 2))
    m.revolute("ground", rod, at=(0, 0))
    results = run(m.model, **STEP)
    force = stack(results, "revolute_1.force_*", "xy")[0]
    lam = [results[f"revolute_1.lam_{n}"][0] for n in (1, 2)]
    near = {"rel": 1e-9, "abs": 1e-12}  # of the golden case
    assert force == pytest.approx(expected["reaction_on_rod"], **near)
    assert lam == pytest.approx(expected["lam"], **near)
    assert results["rod_1.ay"][0] == pytest.approx(expected["ydd"], **near)
    assert results["rod_1.angular_acceleration"][0] == pytest.approx(expected["phidd"], **near)


def test_reactions_in_the_plane_satisfy_newton_and_euler():
    results = planar_run()
    m, J, g = 1.0, 0.05, 9.81
    force = stack(results, "revolute_2.force_*", "xy")
    a = stack(results, "body_2.center_a*", "xy")
    near = {"rel": 1e-10, "abs": 1e-10}  # the solver's rounding, forces of about 100 N
    assert force == pytest.approx(m * a + [0.0, m * g], **near)
    P = stack(results, "marker_4.*", "xy") - stack(results, "body_2.center_*", "xy")
    moment = results["revolute_2.torque"] + P[:, 0] * force[:, 1] - P[:, 1] * force[:, 0]
    assert moment == pytest.approx(J * results["body_2.angular_acceleration"], **near)


def test_reactions_in_space_satisfy_newton_and_euler():
    results = spatial_run()
    J = np.array([[0.1, 0.01, -0.02], [0.01, 0.2, 0.03], [-0.02, 0.03, 0.25]])
    # on the first body act its own hinge, the opposite of the next joint, and its weight
    force = stack(results, "revolute_1.force_*") - stack(results, "universal_1.force_*")
    a = stack(results, "body_1.center_a*")
    near = {"rel": 1e-10, "abs": 1e-10}  # the solver's rounding, forces of about 100 N
    assert force == pytest.approx(2.0 * a + [0.0, 0.0, 2.0 * 9.81], **near)
    r = stack(results, "body_1.center_*")
    moment = 0.0
    for joint, marker, sign in (("revolute_1", "marker_2", 1.0), ("universal_1", "marker_4", -1.0)):
        force = stack(results, f"{joint}.force_*")
        arm = stack(results, f"{marker}.*") - r
        moment += sign * (stack(results, f"{joint}.torque_*") + np.cross(arm, force))
    w = stack(results, "body_1.angular_velocity_*_body")
    w_dot = stack(results, "body_1.angular_acceleration_*_body")
    euler = w_dot @ J + np.cross(w, w @ J)
    q = np.stack([results[f"body_1.q{n}"] for n in range(4)], axis=1)
    assert moment == pytest.approx(quaternion.to_fixed(q, euler), **near)
    assert np.abs(moment).max() > 1.0


@pytest.mark.parametrize("kind, dim", [case for case in CASES if case[0] not in WITHOUT_A_POINT])
def test_the_reaction_of_every_joint_is_what_its_only_body_needs(kind, dim):
    results = run(mechanism(kind, dim).model, t_end=0.2)
    compiled = results.compiled
    body, mass, J = compiled.body_ids[0], compiled.mass[0], compiled.system.bodies[0]["J"]
    axes = "xyz"[:dim]
    gravity = np.array(compiled.resolved.gravity)
    force = stack(results, f"{kind}_1.force_*", axes)
    needed = mass * (stack(results, f"{body}.center_a*", axes) - gravity)
    near = {"rel": 1e-9, "abs": 1e-9}  # the solver's rounding, forces of about 100 N
    assert force == pytest.approx(needed, **near)
    arm = stack(results, "marker_2.*", axes) - stack(results, f"{body}.center_*", axes)
    if dim == 2:
        moment = results[f"{kind}_1.torque"] + arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
        assert moment == pytest.approx(J[0, 0] * results[f"{body}.angular_acceleration"], **near)
        return
    moment = stack(results, f"{kind}_1.torque_*") + np.cross(arm, force)
    w = stack(results, f"{body}.angular_velocity_*_body")
    w_dot = stack(results, f"{body}.angular_acceleration_*_body")
    q = np.stack([results[f"{body}.q{n}"] for n in range(4)], axis=1)
    euler = quaternion.to_fixed(q, w_dot @ J + np.cross(w, w @ J))
    assert moment == pytest.approx(euler, **near)


@pytest.mark.parametrize("dim", [2, 3])
def test_exchanging_the_bodies_of_a_joint_reverses_its_reaction(dim):
    columns = {}
    for order in (1, -1):
        m = Mechanism("cantilever", dim)
        beam = m.rod((0, 0, 0)[:dim], (1, 0.5, 0.2)[:dim], mass=3)
        m.force(beam, (1, 0.5, 0.2)[:dim], (5, "10*t", 7)[:dim])
        m.weld(*("ground", beam)[::order], at=(0, 0, 0)[:dim])
        results = run(m.model, **SHORT)
        axes = "xyz"[:dim]
        torque = [results["weld_1.torque"]] if dim == 2 else stack(results, "weld_1.torque_*").T
        columns[order] = np.vstack([stack(results, "weld_1.force_*", axes).T, *torque])
        ground = results.channel("weld_1.force_x").label
        assert ("on the ground" in ground) == (order == -1)
    # static: exact to the solver's rounding, about 30 N
    assert columns[1] == pytest.approx(-columns[-1], abs=1e-10)
    assert np.abs(columns[1][-1]).max() > 1.0


@pytest.mark.parametrize("dim", [2, 3])
def test_a_fixed_body_carries_a_joint_as_the_ground_does(dim):
    turned = {"angle": 0.7} if dim == 2 else {"orientation": (0.8, 0.0, 0.0, 0.6)}
    m = pendulum(dim)
    post = m.box((0.4, -1, 0.3)[:dim], fixed=True, **turned)
    axis = {"axis": (0, 1, 0)} if dim == 3 else {}
    twin = Mechanism("pendulum", dim)
    rod = twin.rod((0, 0, 0)[:dim], (1, 0, 0)[:dim], mass=1)
    twin.box((0.4, -1, 0.3)[:dim], fixed=True, id=post, **turned)
    twin.revolute(post, rod, at=(0, 0, 0)[:dim], **axis)
    on_ground, on_post = (run(one.model, method="rk4", **SHORT) for one in (m, twin))
    for name in ("force_x", "force_x_joint", "force_y_joint", "torque", "angle"):
        # the same frame by another way: rounding, forces of about 20 N
        expected = on_ground[f"revolute_1.{name}"]
        assert on_post[f"revolute_1.{name}"] == pytest.approx(expected, abs=1e-10), name


def test_a_spatial_model_in_a_plane_has_the_reactions_of_its_planar_twin():
    twins = {}
    for dim in (2, 3):
        m = Mechanism("trolley", dim, gravity=(0, -9.81, 0)[:dim])
        inertia = 0.1 if dim == 2 else (0.1, 0.1, 0.1, 0, 0, 0)
        trolley = m.body((0, 0, 0)[:dim], mass=2, inertia=inertia)
        bob = m.body((0.8, 0.6, 0)[:dim], mass=1, inertia=inertia)
        along = {"axis": (1, 0, 0)[:dim], **({"x": (0, 1, 0)} if dim == 3 else {})}
        m.prismatic("ground", trolley, at=(0.2, 0, 0)[:dim], **along)
        m.revolute(trolley, bob, at=(0, 0, 0)[:dim])
        twins[dim] = run(m.model, t_end=1.0)
    plane, space = twins[2], twins[3]
    for in_plane, in_space in (
        ("prismatic_1.force_x_joint", "prismatic_1.force_z_joint"),
        ("prismatic_1.force_y_joint", "prismatic_1.force_x_joint"),
        ("prismatic_1.torque", "prismatic_1.torque_y_joint"),
        ("prismatic_1.torque", "prismatic_1.torque_z"),
        ("revolute_1.force_x", "revolute_1.force_x"),
        ("revolute_1.force_y_joint", "revolute_1.force_y_joint"),
        ("revolute_1.angle", "revolute_1.angle"),
    ):
        # the same equations on a quaternion: rk4 errors of 1e-10 at h = 1e-3
        assert space[in_space] == pytest.approx(plane[in_plane], abs=1e-7), in_space
    assert np.ptp(plane["prismatic_1.torque"]) > 1.0


@pytest.mark.parametrize("kind, dim", CASES)
def test_the_energy_changes_by_the_work_of_given_forces_alone(kind, dim):
    m = mechanism(kind, dim)
    results = run(m.model, t_end=0.3)
    power = np.zeros(len(results))
    for force in m.model.of("force"):
        power += results[f"{force.id}.power"]
    pieces = np.diff(results.t) * (power[1:] + power[:-1]) / 2
    # the trapezoidal rule over frames of 0.01 s, and rk4 on speeds below 20 rad/s
    gained = results["total_energy"] - results["total_energy"][0]
    assert gained[1:] == pytest.approx(np.cumsum(pieces), abs=2e-4)
    assert np.abs(results["energy_drift"]).max() < 1e-8 * (1.0 + results["kinetic_energy"].max())


@pytest.mark.parametrize("results", [planar_run, spatial_run])
def test_springs_curves_stops_and_bushings_keep_the_energy(results):
    run_ = results()
    stored = [name for name in ("spring_1", "torsion_spring_1", "bushing_1") if name in run_.model]
    assert np.ptp(sum(run_[f"{name}.energy"] for name in stored)) > 0.1
    # meeting a stop of 50 N m/rad at 3 rad/s within a step of 1e-3 s costs up to k (w h)^2 / 12
    assert np.abs(run_["energy_drift"]).max() < 4e-5


def test_a_spring_reports_length_tension_and_energy_of_its_law():
    results = planar_run()
    tip = np.hypot(results["marker_5.x"] - 0.0, results["marker_5.y"] - 1.0)
    x = tip - np.hypot(0.5, 0.5)
    assert results["spring_1.length"] == pytest.approx(tip, rel=1e-13)
    assert results["spring_1.force"] == pytest.approx(2 + 30 * x, abs=1e-11)
    # the sum over about a thousand pieces loses a few roundings
    assert results["spring_1.energy"] == pytest.approx(2 * x + 15 * x**2, abs=1e-12)
    angle = results["torsion_spring_1.angle"]
    assert results["torsion_spring_1.torque"] == pytest.approx(3 * angle + 4 * angle**3, abs=1e-11)
    assert results["torsion_spring_1.energy"] == pytest.approx(1.5 * angle**2 + angle**4, abs=1e-12)


def test_stops_store_energy_beyond_their_ends_only():
    results = planar_run()
    angle = results["joint_limits_1.angle"]
    beyond = np.maximum(angle - 0.3, 0) + np.maximum(-0.2 - angle, 0)
    assert (beyond == 0).any() and (beyond > 0).any()
    assert results["joint_limits_1.energy"] == pytest.approx(25 * beyond**2, abs=1e-12)


@pytest.mark.parametrize("acts, sign", [("tension", 1.0), ("compression", -1.0)])
def test_a_one_sided_spring_stores_energy_on_its_side_only(acts, sign):
    m = Mechanism("rope", gravity=(0, 0))
    bead = m.particle((1, 0), 1, velocity=(1, 0))
    m.spring(("ground", (0, 0)), (bead, (1, 0)), stiffness=40, acts=acts)
    m.spring(("ground", (3, 0)), (bead, (1, 0)), stiffness=10)
    results = run(m.model, t_end=2.0)
    x = results["particle_1.x"] - 1.0
    assert x.min() < -0.05 and x.max() > 0.05
    taut = np.where(sign * x > 0, x, 0.0)
    assert results["spring_1.energy"] == pytest.approx(20 * taut**2, abs=1e-12)  # rounding


def test_a_damper_curve_stores_nothing_even_where_it_pushes_at_rest():
    m = Mechanism("preloaded damper", gravity=(0, 0))
    bead = m.particle((1, 0), 1, velocity=(1, 0))
    ends = ("ground", (0, 0)), (bead, (1, 0))
    m.spring_damper(*ends, stiffness=40, damping=2, damper_curve="3 + v^3")
    results = run(m.model, **SHORT)
    x, v = results["particle_1.x"] - 1.0, results["particle_1.vx"]
    assert results["spring_damper_1.energy"] == pytest.approx(20 * x**2, abs=1e-12)  # rounding
    tension = 40 * x + 2 * v + 3 + v**3
    assert results["spring_damper_1.force"] == pytest.approx(tension, abs=1e-11)


def test_the_power_of_a_damper_is_the_rate_of_the_energy():
    m = planar_chain()
    m.damper(("ground", (0, 1)), ("body_2", (1.5, 0)), damping=3)
    results = run(m.model, t_end=0.5, step=1e-3, output_step=1e-3)
    total, power = results["total_energy"], results["damper_1.power"]
    slope = (total[2:] - total[:-2]) / 2e-3
    assert slope == pytest.approx(power[1:-1], abs=1e-2)  # h^2/6 times about 1e4 W/s^2
    assert power.max() <= 0.0 and power.min() < -1.0


def test_the_power_of_a_drive_is_the_rate_of_the_energy():
    m = pendulum()
    m.motion("revolute_1", "2*sin(3*t)")
    results = run(m.model, t_end=1.0, step=1e-3, output_step=1e-3)
    total, power = results["total_energy"], results["motion_1.power"]
    slope = (total[2:] - total[:-2]) / 2e-3
    assert slope == pytest.approx(power[1:-1], abs=2e-3)  # h^2/6 times about 1e3 W/s^2
    assert results["motion_1.drive"] == pytest.approx(results["motion_1.torque"], abs=1e-12)
    phi = 2 * np.sin(3 * results.t)
    torque = -18 * np.sin(3 * results.t) / 3 + 9.81 / 2 * np.cos(phi)
    assert results["motion_1.drive"] == pytest.approx(torque, abs=1e-9)  # closed to 1e-12


def test_a_given_force_reports_components_and_power_in_world_axes():
    m = Mechanism("thrown", gravity=(0, 0))
    body = m.body((0, 0), mass=2, inertia=1, spin=1)
    m.force(body, (0, 0), ("3", "t"), axes="body")
    results = run(m.model, **SHORT)
    phi, t = results["body_1.angle"], results.t
    assert results["force_1.force_x"] == pytest.approx(3 * np.cos(phi) - t * np.sin(phi), abs=1e-13)
    assert 2 * results["body_1.ay"] == pytest.approx(results["force_1.force_y"], abs=1e-12)
    F, v = stack(results, "force_1.force_*", "xy"), stack(results, "body_1.v*", "xy")
    power = (F * v).sum(axis=1)
    assert results["force_1.power"] == pytest.approx(power, abs=1e-13)


@pytest.mark.parametrize("dim", [2, 3])
def test_the_tooth_force_of_gears_is_what_turns_the_free_wheel(dim):
    results = run(mechanism("gear", dim).model, **SHORT)
    first = "disc_1" if dim == 2 else "cylinder_1"
    name = "angular_acceleration" if dim == 2 else "angular_acceleration_z"
    system = results.compiled.system
    J = system.bodies[0]["J"][(0, 0) if dim == 2 else (2, 2)]
    turned = results["gear_1.tooth_force"] * 0.1
    assert turned == pytest.approx(J * results[f"{first}.{name}"], rel=1e-9)  # one division by S
    assert np.abs(turned).min() > 0.0


def test_a_general_force_is_reported_as_its_law_gives_it():
    m = Mechanism("pushed apart", gravity=(0, 0))
    bead = m.particle((1, 0), 2)
    m.general_force(("ground", (0, 0)), (bead, (1, 0)), "5*distance")
    results = run(m.model, **SHORT)
    assert results["general_force_1.force"] == pytest.approx(5 * results["particle_1.x"], rel=1e-13)
    assert 2 * results["particle_1.ax"] == pytest.approx(
        results["general_force_1.force"], rel=1e-13
    )
    assert not results["general_force_1.energy"].any()


def test_reactions_that_the_model_does_not_determine_say_so():
    m = Mechanism("two hinges", 3)
    door = m.box((0.5, 0, 0), 1, 0.1, 2, mass=10)
    m.revolute("ground", door, at=(0, 0, -0.5))
    m.revolute("ground", door, at=(0, 0, 0.5))
    results = run(m.model, **STEP)
    assert "(not unique)" in results.channel("revolute_1.force_z").label
    assert "(not unique)" not in planar_run().channel("revolute_1.force_x").label
    total = results["revolute_1.force_z"] + results["revolute_2.force_z"]
    assert total == pytest.approx(98.1, rel=1e-9)  # together they carry the weight
