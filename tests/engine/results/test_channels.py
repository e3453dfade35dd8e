"""Channels against each other, against closed forms and against differences over time."""

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load
from engine.formulas.units import unit
from engine.results.channels import CHANNELS, matching
from engine.results.results import Results
from engine.running.simulate import run
from rotations import SEQUENCES, euler_angles, quaternion
from tests.engine.sample_joints import CASES, mechanism
from tests.engine.sample_runs import SHORT, pendulum_run, planar_run, spatial_chain, spatial_run

RUNS = {"plane": planar_run, "space": spatial_run}


def central_difference(t, y):
    """dy/dt inside a column of equal steps."""
    return ((y[2:] - y[:-2]).T / (t[2:] - t[:-2])).T


def stack(results, stem, axes="xyz"):
    """The components of a vector as (n, len(axes)); a * in the stem stands for the axis."""
    return np.stack([results[stem.replace("*", a)] for a in axes], axis=1)


def in_lock(results, name):
    """s of the Euler angles that a channel is about, 1 for others: in the lock they have no rates."""
    id, _, quantity = name.partition(".")
    sequence = next((s for s in SEQUENCES if s in quantity), "")
    suffers = any(word in quantity for word in ("_rate", "rate_condition"))
    of_angles = sequence or quantity.split("_")[0] in ("phi", "theta", "psi", "rate", "largest")
    if not (suffers and of_angles):
        return np.ones(len(results))
    return results[f"{id}.lock_measure" + (f"_{sequence}" if sequence else "")]


@pytest.mark.parametrize("kind, dim", CASES)
def test_every_channel_of_every_joint_is_a_finite_column_with_a_unit(kind, dim):
    results = run(mechanism(kind, dim).model, t_end=0.05, output_step=0.01)
    assert results.ending.reason == "done"
    names = []
    for channel in results.channels():
        values = channel.values
        is_defined = np.isfinite(values) | (in_lock(results, channel.name) < 1e-12)
        assert values.shape == (6,) and is_defined.all(), channel.name
        unit(channel.unit)
        names.append(channel.name)
    assert len(set(names)) == len(names)
    assert results["energy_drift"].shape == (6,)


def test_the_catalogue_lists_every_family_once():
    assert len({(family.owner, family.channels) for family in CHANNELS}) == len(CHANNELS)
    assert {family.owner for family in CHANNELS} == {
        *("body", "marker", "joint", "motion", "force", "model")
    }


@pytest.mark.parametrize("where", RUNS)
@pytest.mark.parametrize("point", ["tip.", "body_2.", "body_2.center_", "body_1."])
def test_velocities_and_accelerations_are_rates_of_positions(where, point):
    results = RUNS[where]()
    for axis in "xyz"[: results.model.dim]:
        for lower, upper in (("", "v"), ("v", "a")):
            slope = central_difference(results.t, results[f"{point}{lower}{axis}"])
            # h/4 times the jump of about 110 m/s^3 where the body meets its stop, h = 1e-3;
            # elsewhere h^2/6 times a third derivative. Accelerations reach 10 m/s^2.
            assert slope == pytest.approx(results[f"{point}{upper}{axis}"][1:-1], abs=3e-2)


@pytest.mark.parametrize("where", RUNS)
def test_the_speed_is_the_size_of_the_velocity(where):
    results = RUNS[where]()
    axes = "xyz"[: results.model.dim]
    assert results["tip.speed"] == pytest.approx(
        np.linalg.norm(stack(results, "tip.v*", axes), axis=1), rel=1e-14
    )


def test_the_origin_of_a_body_starts_where_it_was_drawn():
    results = spatial_run()
    # assembly moves nothing here but rounding of the joint frames
    assert results["body_2.x"][0] == pytest.approx(1.0, abs=1e-12)
    assert results["body_2.center_x"][0] == pytest.approx(1.2, abs=1e-12)
    assert results["tip.z"][0] == pytest.approx(0.3, abs=1e-12)


def test_angular_velocity_in_body_and_world_axes_is_the_same_vector():
    results = spatial_run()
    q = np.stack([results[f"body_2.q{n}"] for n in range(4)], axis=1)
    world = stack(results, "body_2.angular_velocity_*")
    body = stack(results, "body_2.angular_velocity_*_body")
    assert quaternion.to_fixed(q, body) == pytest.approx(world, abs=1e-12)  # rounding
    assert results["body_2.angular_speed"] == pytest.approx(np.linalg.norm(world, axis=1))
    slope = central_difference(results.t, world)
    alpha = stack(results, "body_2.angular_acceleration_*")
    assert slope == pytest.approx(alpha[1:-1], abs=2e-2)  # h^2/6 times about 1e5 rad/s^4


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_euler_angles_of_every_sequence_give_the_same_orientation_without_jumps(sequence):
    results = spatial_run()  # its first body starts in the lock of 2-1-2 and 2-3-2
    q = np.stack([results[f"body_1.q{n}"] for n in range(4)], axis=1)
    angles = np.stack([results[f"body_1.euler_{sequence}_{n}"] for n in (1, 2, 3)], axis=1)
    R = quaternion.matrix(q)
    assert euler_angles.matrix(sequence, angles) == pytest.approx(R, abs=1e-12)  # rounding
    assert np.abs(np.diff(angles, axis=0)).max() < 1.0  # a jump would be pi or more
    assert np.abs(np.diff(q, axis=0)).max() < 0.1  # a change of sign would be about 1


def test_a_body_on_euler_angles_has_the_same_channels_as_one_on_quaternions():
    other = run(spatial_chain("1-2-3").model, t_end=0.2, step=1e-3, output_step=1e-3)
    reference = spatial_run()
    for name in ("tip.x", "body_2.q2", "body_1.euler_1-2-3_2", "universal_1.force_y", "tip.az"):
        # both are fourth order with h = 1e-3; accelerations of about 10 m/s^2
        assert other[name] == pytest.approx(reference[name][:201], abs=1e-6), name
    assert other["gimbal_measure"] == pytest.approx(other.lock)
    assert 0.0 < other["gimbal_measure"].min() <= 1.0


@pytest.mark.parametrize("speed", [3.0, -50.0])
def test_a_joint_angle_in_space_counts_turns_between_distant_frames(speed):
    m = Mechanism("wheel", 3)
    wheel = m.cylinder((0, 0, 0), (0, 0, 0.1), 0.2)
    hinge = m.revolute("ground", wheel, at=(0, 0, 0))
    m.motion(hinge, f"{speed}*t")
    results = run(m.model, t_end=2.0, step=1e-3, output_step=0.1)
    # up to 5 rad between frames, more than half a turn; the joint is closed to 1e-12
    assert results["revolute_1.angle"] == pytest.approx(speed * results.t, abs=1e-10)
    assert results["revolute_1.angle_rate"] == pytest.approx(speed, rel=1e-10)


def test_the_coordinates_of_a_screw_follow_its_thread():
    results = run(mechanism("screw", 3).model, t_end=1.0, output_step=0.01)
    advance = 0.01 * results["screw_1.angle"] / (2 * np.pi)
    travel = results["screw_1.displacement"] - results["screw_1.displacement"][0]
    assert travel == pytest.approx(advance - advance[0], abs=1e-11)  # closed to 1e-12 of the size
    assert np.ptp(results["screw_1.angle"]) > 0.1
    assert results["constraint_violation"].max() < 1e-10


def test_a_free_body_keeps_momentum_angular_momentum_and_energy():
    m = Mechanism("tumbling", 3, gravity=(0, 0, 0))
    inertia = (0.1, 0.2, 0.25, 0.01, -0.02, 0.03)
    turn = {"velocity": (1, 2, 3), "angular_velocity": (0.1, 5, 0.2)}
    m.body((1, 0, 0), mass=2, inertia=inertia, center=(0.2, 0.3, 0.1), **turn)
    results = run(m.model, t_end=2.0, step=1e-3, method="rk4")
    for name in ("momentum_*", "angular_momentum_*"):
        history = stack(results, name)
        # rk4: (w h)^4 = 6e-10 of about 10 kg m^2/s, over 2000 steps
        assert history == pytest.approx(np.broadcast_to(history[0], history.shape), abs=1e-9)
        assert np.abs(history[0]).max() > 1.0
    assert np.abs(results["energy_drift"]).max() < 1e-9 * results["kinetic_energy"][0]
    assert np.ptp(results["body_1.angular_velocity_x"]) > 1.0  # it does tumble


def test_angular_momentum_in_the_plane_counts_orbit_and_spin():
    m = Mechanism("planar flight", gravity=(0, 0))
    m.body((2, 1), mass=3, inertia=0.5, velocity=(1, 4), spin=2)
    results = run(m.model, **SHORT)
    expected = 3 * (2 * 4 - 1 * 1) + 0.5 * 2
    # the rounding of 500 steps
    assert results["angular_momentum"] == pytest.approx(expected, rel=1e-11)
    assert results["momentum_y"] == pytest.approx(12.0, rel=1e-11)


def test_violations_are_small_with_projection_and_larger_without():
    closed = planar_run()
    model = closed.model
    open_ = run(model, t_end=1.0, step=5e-3, output_step=5e-3, stabilisation="none", method="rk4")
    assert closed["constraint_violation"].max() < 1e-11  # closed to 1e-12 of about 2 m
    assert closed["velocity_violation"].max() < 1e-11
    assert open_["constraint_violation"].max() > 1e-8
    assert open_["velocity_violation"].max() > 1e-8


def test_an_unknown_channel_is_refused_with_the_nearest_names():
    results = pendulum_run()
    with pytest.raises(EngineError, match=r"rod_1\.angel.*did you mean rod_1\.angle"):
        results["rod_1.angel"]
    with pytest.raises(EngineError, match="did you mean total_energy"):
        results["totl_energy"]
    with pytest.raises(EngineError, match=r"no channel 'nobody\.x'"):
        results["nobody.x"]
    with pytest.raises(EngineError, match="never moves"):
        results["marker_1.x"]


def test_patterns_choose_channels_in_order_and_once():
    results = pendulum_run()
    names = [channel.name for channel in matching(results, ["rod_1.v*", "rod_1.vx", "gap"])]
    assert names == ["rod_1.vx", "rod_1.vy", "gap"]
    with pytest.raises(EngineError, match=r"No channel matches 'crank\.\*'"):
        matching(results, ["crank.*"])


def test_channels_of_a_run_without_frames_are_empty_columns():
    for model in (planar_run().model, spatial_run().model):
        results = Results(compile_model(model))
        assert all(channel.values.shape == (0,) for channel in results.channels())


def test_a_run_knows_the_names_of_its_channels_and_is_no_list():
    results = pendulum_run()
    names = [channel.name for channel in results.channels()]
    assert all(name in results for name in names)
    assert "nobody.angle" not in results and 0 not in results
    with pytest.raises(TypeError):
        iter(results)


@pytest.mark.parametrize("name", ["four_bar", "satellite", "looping_helicopter"])
def test_channels_side_by_side_are_those_found_one_by_one(name):
    results = run(load(example_paths()[name]), t_end=0.2, output_step=0.05)
    names = [channel.name for channel in results.channels(everyday=True)]
    points = [channel.name for channel in results.channels() if channel.point is not None]
    assert len(points) > 8 and set(points) < set(names)
    found = results[names]
    for k, one in enumerate(names):
        np.testing.assert_allclose(found[:, k], results[one], rtol=1e-12, atol=1e-12)
