"""What is typed of a pose holds at assembly: marked places and angles, and start values of joints."""

import json
from dataclasses import fields, replace
from math import cos, radians, sin

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.files.model_files import dumps, loads
from engine.kinematics.assemble import assemble
from engine.kinematics.closing import Conditions
from engine.kinematics.dragging import Grip
from engine.kinematics.speeds import start_values
from engine.model.elements import put
from engine.model.joints import JOINTS
from engine.running.simulate import run
from tests.engine.editing.test_sizing import four_bar, slider_crank, spatial_four_bar

EXACT = 1e-10  # of values that hold; Newton's method leaves rounding


def angles(model, start):
    """The angles of the bodies of a planar model in an assembled pose."""
    return dict(zip(compile_model(model).body_ids, start.q[2::3]))


def coordinate(model, joint, name):
    """The value of a coordinate of a joint at the start."""
    compiled = compile_model(model)
    start = assemble(compiled)
    return start_values(compiled, start.q, start.v)[joint][f"{name}_start"]


def test_every_coordinate_with_a_start_rate_has_a_start_value_of_its_unit():
    for joint in JOINTS:
        known = {f.name: f.metadata for f in fields(joint)}
        rates = [name.removesuffix("_rate") for name in known if name.endswith("_rate")]
        starts = [name.removesuffix("_start") for name in known if name.endswith("_start")]
        assert starts == rates
        for name in rates:
            assert known[f"{name}_rate"]["unit"] == known[f"{name}_start"]["unit"] + "/s"
            assert known[f"{name}_rate"]["dims"] == known[f"{name}_start"]["dims"]


def test_a_typed_angle_stays_and_the_rest_moves():
    model = four_bar().model
    turned = put(model, replace(model["crank"], angle=radians(20)))
    free = angles(turned, assemble(compile_model(turned)))
    assert abs(free["crank"] - radians(20)) > radians(1)  # drawn: it gives way
    marked = put(turned, replace(turned["crank"], angle_typed=True))
    start = assemble(compile_model(marked))
    assert angles(marked, start)["crank"] == pytest.approx(radians(20), abs=EXACT)
    assert start.gap < EXACT and start.unkept == ()


def test_marks_are_kept_in_files_and_old_files_have_none():
    model = four_bar().model
    marked = put(model, replace(model["crank"], angle_typed=True, position_typed=True))
    assert loads(dumps(marked)) == marked
    text = json.loads(dumps(model)) | {"kardan": 2}
    old = loads(json.dumps(text))
    assert not any(b.angle_typed or b.position_typed for b in old.of("body"))


def test_a_drag_clears_marks_of_what_moves_and_start_values():
    model = four_bar().model
    marked = put(
        model,
        replace(model["rocker"], angle_typed=True, position_typed=True),
        replace(model["A"], angle_start=0.1),
    )
    crank = model["crank"]
    end = (crank.position[0] * 2 + 0.02, crank.position[1] * 2)
    moved = Grip(marked, "crank", (0.1, 0.0)).to(end).model
    assert moved["crank"].angle != crank.angle and moved["A"].angle_start is None
    assert not moved["rocker"].angle_typed and not moved["rocker"].position_typed


@pytest.mark.parametrize("degrees", [-30, 5, 40, 120, 250])
def test_a_joint_starts_at_its_typed_angle_in_the_same_branch(degrees):
    model = four_bar().model
    typed = put(model, replace(model["A"], angle_start=radians(degrees)))
    assert coordinate(typed, "A", "angle") == pytest.approx(radians(degrees), abs=EXACT)
    started = edits.value_typed(model, "A", "angle_start", radians(degrees))
    assert started.is_closed
    crank = started.model["crank"].angle
    assert crank == pytest.approx(model["crank"].angle + radians(degrees), abs=EXACT)
    B, C, D = (np.array(edits.joint_point(started.model, id)) for id in "BCD")
    assert np.cross([*(D - B), 0.0], [*(C - B), 0.0])[2] > 0.0
    results = run(typed, t_end=0.01)
    assert results["A.angle"][0] == pytest.approx(radians(degrees), abs=1e-9)


def test_a_slider_starts_at_its_typed_displacement():
    model = slider_crank().model
    typed = put(model, replace(model["rail"], displacement_start=-0.03))
    assert coordinate(typed, "rail", "displacement") == pytest.approx(-0.03, abs=EXACT)


def test_in_space_a_joint_starts_at_its_typed_angle_and_an_orientation_is_kept():
    model = spatial_four_bar().model
    typed = put(model, replace(model["A"], angle_start=radians(25)))
    assert coordinate(typed, "A", "angle") == pytest.approx(radians(25), abs=EXACT)
    half = radians(10)
    turn = (cos(half), 0.0, 0.0, sin(half))
    found = edits.turned_to_orientation(
        model, "crank", product_of(turn, model["crank"].orientation)
    )
    assert found.is_closed and found.model["crank"].orientation_typed
    compiled = compile_model(found.model)
    assert np.abs(Conditions(compiled).Phi(compiled.q0)).max() < EXACT


def product_of(p, q):
    """The product of two quaternions as plain numbers."""
    from rotations import quaternion

    return tuple(quaternion.product(np.array(p), np.array(q)).tolist())


def test_values_that_contradict_each_other_change_by_the_least_and_are_named():
    m = Mechanism()
    m.rod((0, 0), (1, 0), id="a", mass=1.0)
    m.rod((1, 0), (2, 0), id="b", mass=1.0)
    m.revolute("ground", "a", (0, 0), id="A")
    m.weld("a", "b", (1, 0), id="W")  # both have one angle
    model = put(
        m.model,
        replace(m.model["a"], angle=0.1, angle_typed=True),
        replace(m.model["b"], angle=0.3, angle_typed=True),
    )
    start = assemble(compile_model(model))
    found = angles(model, start)
    assert found["a"] == pytest.approx(0.2, abs=1e-6) and found["b"] == pytest.approx(0.2, abs=1e-6)
    assert [one.id for one in start.unkept] == ["a", "b"] and start.gap < EXACT
    assert "angle of 'a' cannot be kept: 5.73 degrees was typed" in start.unkept[0].sentence
    results = run(model, t_end=0.01)
    assert start.unkept[0].sentence in results.summary()


def test_what_does_not_contradict_is_kept_beside_what_does():
    m = Mechanism()
    for n, id in enumerate("ab"):
        m.rod((3 * n, 0), (3 * n + 1, 0), id=id, mass=1.0)
        m.revolute("ground", id, (3 * n, 0), id=id.upper())
    far = replace(m.model["a"], position=(0.7, 0.0), position_typed=True)  # its pin is 0.5 m away
    near = replace(m.model["b"], angle=0.4, angle_typed=True)
    start = assemble(compile_model(put(m.model, far, near)))
    assert [one.id for one in start.unkept] == ["a"]
    assert start.unkept[0].runs == pytest.approx([0.5, 0.0], abs=1e-6)
    assert start.q[5] == pytest.approx(0.4, abs=EXACT)


def test_a_state_of_a_run_drops_start_values_that_it_left():
    model = four_bar().model
    typed = put(model, replace(model["A"], angle_start=0.2, angle_rate=3.0))
    results = run(typed, t_end=0.1)
    last = len(results.t) - 1
    after = edits.at_state(typed, results.q[last], results.v[last], results.t[last])
    assert after["A"].angle_start is None and after["A"].angle_rate is None
    again = assemble(compile_model(after))
    assert again.q == pytest.approx(results.q[last], abs=1e-9)
    assert again.v == pytest.approx(results.v[last], abs=1e-6)


def test_start_values_are_reversed_in_a_mirror():
    model = four_bar().model
    typed = put(model, replace(model["A"], angle_start=0.3))
    image = edits.mirrored(typed, [b.id for b in typed.of("body")])
    assert image["A"].angle_start == -0.3
    assert coordinate(image, "A", "angle") == pytest.approx(-0.3, abs=EXACT)


def test_a_drag_of_whole_parts_clears_only_what_it_changes():
    model = four_bar().model
    typed = {"angle_typed": True, "position_typed": True}
    marked = put(model, *(replace(b, **typed) for b in model.of("body")))
    ids = [b.id for b in model.of("body")]
    moved = edits.unmarked(marked, edits.translated(marked, ids, (0.1, 0.0)))
    assert all(b.angle_typed and not b.position_typed for b in moved.of("body"))
    assert edits.unmarked(marked, marked) is marked
