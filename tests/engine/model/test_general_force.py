"""A force by formula: about any axis, and by components along chosen axes."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import simpson

from engine.editing.edits.space.mirroring import mirrored_in_space
from engine.files.model_files import dumps
from engine.model.elements import put
from kardan import Mechanism, problems, run
from rotations import quaternion

EXACT = 1e-9  # rk4 with 1 ms and rates of order one: 1e-12 per second, with room for turning bodies
FORCE, TORQUE = ("f_x", "f_y", "f_z"), ("t_x", "t_y", "t_z")


def pair(**force):
    """Two free bodies in space without weight, and a force between them."""
    m = Mechanism("pair", dim=3, gravity=(0.0, 0.0, 0.0))
    still = {"mass": 2.0, "inertia": (0.3, 0.5, 0.7, 0.0, 0.0, 0.0)}
    m.body(
        (0.0, 0.0, 0.0), id="a", velocity=(0.1, 0.0, 0.2), angular_velocity=(0.4, 0.1, 0.3), **still
    )
    m.body(
        (1.0, 0.5, 0.2), id="b", velocity=(0.0, 0.3, 0.0), angular_velocity=(0.2, 0.5, 0.1), **still
    )
    m.general_force(("a", (0.2, 0.1, 0.0)), ("b", (0.9, 0.4, 0.3)), id="push", **force)
    m.settings(t_end=1.0, output_step=0.1)
    return m


GIVEN = {"f_x": 1.0, "f_y": "sin(3*t)", "f_z": -0.5, "t_x": 0.3, "t_y": "0.2*t", "t_z": -0.4}


@pytest.mark.parametrize("axes", ["marker_i", "marker_j", "world"])
def test_what_one_body_gets_the_other_gives(axes):
    results = pair(acts="components", axes=axes, **GIVEN).run()
    for name in ("momentum", "angular_momentum"):
        for axis in "xyz":
            values = results[f"{name}_{axis}"]
            assert values == pytest.approx(values[0], abs=EXACT)
    assert np.ptp(results["kinetic_energy"]) > 0.1  # it does work on both


@pytest.mark.parametrize("axes", ["marker_i", "marker_j", "world"])
def test_channels_are_the_components_in_the_world_and_their_power(axes):
    results = pair(acts="components", axes=axes, **GIVEN).run(output_step=0.01)
    t = results.t
    own = np.array([[1.0, np.sin(3 * s), -0.5] for s in t])
    turn = np.array([[0.3, 0.2 * s, -0.4] for s in t])
    R = np.tile(np.eye(3), (len(t), 1, 1))
    if axes != "world":  # the markers are drawn along their bodies, which are drawn along the world
        body = "a" if axes == "marker_i" else "b"
        R = quaternion.matrix(np.stack([results[f"{body}.q{n}"] for n in range(4)], axis=1))
    F, T = (
        np.stack([results[f"push.{w}_{a}"] for a in "xyz"], axis=1) for w in ("force", "torque")
    )
    assert pytest.approx(np.einsum("nij,nj->ni", R, own), abs=1e-12) == F
    assert pytest.approx(np.einsum("nij,nj->ni", R, turn), abs=1e-12) == T
    assert results["push.force"] == pytest.approx(np.linalg.norm(own, axis=1), abs=1e-12)
    gained = results["kinetic_energy"][-1] - results["kinetic_energy"][0]
    work = simpson(results["push.power"], x=t)
    assert work == pytest.approx(gained, abs=1e-6)  # Simpson's rule with 10 ms


@pytest.mark.parametrize("way", range(3))
def test_a_torque_about_any_axis_of_the_world_turns_a_body_about_it(way):
    m = Mechanism("spun", dim=3, gravity=(0.0, 0.0, 0.0))
    m.body((0.0, 0.0, 0.0), id="b", mass=1.0, inertia=(0.5, 0.5, 0.5, 0.0, 0.0, 0.0))
    torque = {name: 0.7 * (k == way) for k, name in enumerate(TORQUE)}
    origin = (0.0, 0.0, 0.0)
    m.general_force(("ground", origin), ("b", origin), acts="components", axes="world", **torque)
    results = m.run(t_end=2.0)
    for k, axis in enumerate("xyz"):
        expected = 0.7 / 0.5 * results.t if k == way else 0.0
        assert results[f"b.angular_velocity_{axis}"] == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("axis", "xyz")
def test_a_law_may_turn_about_each_axis_of_marker_i(axis):
    m = Mechanism("spun", dim=3, gravity=(0.0, 0.0, 0.0))
    m.body((0.0, 0.0, 0.0), id="b", mass=1.0, inertia=(0.5, 0.5, 0.5, 0.0, 0.0, 0.0))
    ends = ("ground", (0.0, 0.0, 0.0)), ("b", (0.0, 0.0, 0.0))
    m.general_force(*ends, "-2*angle", acts="torque", about=axis, id="spring")
    model = m.model
    spin = tuple(0.6 * (name == axis) for name in "xyz")
    results = run(put(model, replace(model["b"], angular_velocity=spin)), t_end=2.0)
    for name in "xyz":  # J phi_ddot = -2 phi: a swing about that axis alone, of 2 rad/s
        expected = 0.6 * np.cos(2.0 * results.t) if name == axis else 0.0
        assert results[f"b.angular_velocity_{name}"] == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("axes", ["marker_i", "marker_j", "world"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_mirror_image_moves_as_the_mirror_image(axes, axis):
    model = pair(acts="components", axes=axes, **GIVEN).model
    image = put(model, *(mirrored_in_space(model, e, axis, 0.0) for e in model))
    runs = [run(one) for one in (model, image)]
    for k, name in enumerate("xyz"):
        sign = -1.0 if k == axis else 1.0
        assert runs[1][f"b.{name}"] == pytest.approx(sign * runs[0][f"b.{name}"], abs=EXACT)
        turn = f"b.angular_velocity_{name}"
        assert runs[1][turn] == pytest.approx(-sign * runs[0][turn], abs=EXACT)


def test_implicit_methods_agree():
    given = {"acts": "components", "axes": "world", **GIVEN}
    fine = pair(**given).run(method="dop853", tolerance=1e-10)
    for method in ("generalised_alpha", "ida"):
        other = pair(**given).run(method=method, tolerance=1e-9)
        assert other["b.x"][-1] == pytest.approx(fine["b.x"][-1], abs=1e-5)
        assert other["b.q1"][-1] == pytest.approx(fine["b.q1"][-1], abs=1e-5)


def test_in_the_plane_it_has_two_components_and_a_torque():
    m = Mechanism("flat", gravity=(0.0, 0.0))
    m.body((0.0, 0.0), id="b", mass=2.0, inertia=0.5)
    given = {"f_x": 3.0, "t_z": 0.25, "acts": "components", "axes": "world"}
    m.general_force(("ground", (0.0, 0.0)), ("b", (0.0, 0.0)), id="push", **given)
    results = m.run(t_end=1.0)
    assert results["b.vx"][-1] == pytest.approx(1.5, abs=EXACT)
    assert results["b.angular_velocity"][-1] == pytest.approx(0.5, abs=EXACT)
    assert results["push.torque"] == pytest.approx(0.25)


def test_files_and_laws_of_before_are_unchanged():
    (line,) = (s for s in dumps(pair(law="5*distance").model).splitlines() if '"push"' in s)
    assert not any(f'"{name}"' in line for name in (*FORCE, *TORQUE, "axes", "about", "acts"))


def test_components_that_are_not_used_are_told():
    model = pair(law=1.0).model
    (told,) = problems(put(model, replace(model["push"], f_x=2.0)))
    assert "'push' has components" in told.sentence and told.ids == ("push",)
    assert not problems(put(model, replace(model["push"], f_x=2.0, acts="components")))
    assert "law" in replace(model["push"], acts="components").idle_fields()
    assert "f_x" in model["push"].idle_fields()
