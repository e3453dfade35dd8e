"""Sizes, angles and parameters drive the mechanism: all joints stay closed, in the same branch."""

from dataclasses import replace
from math import cos, dist, hypot, radians, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.editing.edits.placing import gap, marker_place
from engine.editing.edits.sizing import held_point
from engine.errors import EngineError
from engine.files.model_files import save
from engine.formulas.resolve import resolved
from engine.kinematics.assemble import assemble
from engine.model.elements import GROUND, put
from kardan import with_values

CLOSED = 1e-9  # m, what is promised; Newton's method leaves rounding


def circle_point(a, r_a, b, r_b, side=1.0):
    """The point at the distances r_a and r_b from a and b, on one side of the line between them."""
    d = dist(a, b)
    x = (r_a**2 - r_b**2 + d**2) / (2.0 * d)
    y = side * (r_a**2 - x**2) ** 0.5
    u, v = (b[0] - a[0]) / d, (b[1] - a[1]) / d
    return a[0] + x * u - y * v, a[1] + x * v + y * u


def four_bar(l_crank=0.2, l_coupler=0.5, l_rocker=0.4, d=0.5, angle=1.05):
    """A four-bar whose lengths are parameters; its rocker pin lies above."""
    m = Mechanism("four-bar")
    for name, length in (("l_crank", l_crank), ("l_coupler", l_coupler), ("l_rocker", l_rocker)):
        m.parameter(name, length)
    m.parameter("d", d)
    B = (l_crank * cos(angle), l_crank * sin(angle))
    C = circle_point(B, l_coupler, (d, 0.0), l_rocker)
    m.rod((0, 0), B, length="l_crank", id="crank")
    m.rod(B, C, length="l_coupler", id="coupler")
    m.rod(("d", 0), C, length="l_rocker", id="rocker")
    m.revolute("ground", "crank", (0, 0), id="A")
    m.revolute("crank", "coupler", B, id="B")
    m.revolute("coupler", "rocker", C, id="C")
    m.revolute("ground", "rocker", ("d", 0), id="D")
    return m


def slider_crank(l_crank=0.1, l_rod=0.3, angle=0.9):
    """A crank whose rod pushes a box along a rail."""
    m = Mechanism("slider-crank")
    m.parameter("l_crank", l_crank)
    m.parameter("l_rod", l_rod)
    B = (l_crank * cos(angle), l_crank * sin(angle))
    C = (B[0] + (l_rod**2 - B[1] ** 2) ** 0.5, 0.0)
    m.rod((0, 0), B, length="l_crank", id="crank")
    m.rod(B, C, length="l_rod", id="rod")
    m.box(C, 0.06, 0.04, id="slider")
    m.revolute("ground", "crank", (0, 0), id="A")
    m.revolute("crank", "rod", B, id="B")
    m.revolute("rod", "slider", C, id="C")
    m.prismatic("ground", "slider", C, id="rail")
    return m


def spatial_four_bar(l_crank=0.2, l_rocker=0.5):
    """A crank about z, a rocker about y, and a coupler with ball joints between them."""
    m = Mechanism("spatial four-bar", dim=3)
    B, D = np.array([0.0, l_crank, 0.0]), np.array([0.5, 0.1, 0.0])
    C = D + l_rocker * np.array([sin(-0.2), 0.0, cos(-0.2)])
    lengths = {"l_crank": l_crank, "l_coupler": float(np.linalg.norm(C - B)), "l_rocker": l_rocker}
    for name, length in lengths.items():
        m.parameter(name, length)
    m.rod((0, 0, 0), B, length="l_crank", id="crank")
    m.rod(B, C, length="l_coupler", id="coupler")
    m.rod(D, C, length="l_rocker", id="rocker")
    m.revolute("ground", "crank", (0, 0, 0), axis=(0, 0, 1), id="A")
    m.spherical("crank", "coupler", B, id="B")
    m.spherical("coupler", "rocker", C, id="C")
    m.revolute("ground", "rocker", D, axis=(0, 1, 0), id="D")
    return m


def widest(model):
    """The largest gap of a joint [m]."""
    return max(gap(model, joint) for joint in model.of("joint"))


def side(model):
    """On which side of the line from B to D the point C of a four-bar lies."""
    B, C, D = (np.array(edits.joint_point(model, id)) for id in "BCD")
    return float(np.sign((D - B)[0] * (C - B)[1] - (D - B)[1] * (C - B)[0]))


def test_the_pins_of_a_link_follow_its_length_and_the_crank_keeps_pin_and_angle():
    model = four_bar().model
    found = edits.resized(model, "crank", "length", 0.25)
    after = found.model
    assert found.is_closed and widest(after) < CLOSED and side(after) == side(model)
    assert after["crank"].angle == model["crank"].angle  # the typed body stays as it is
    B = (0.25 * cos(1.05), 0.25 * sin(1.05))
    assert edits.joint_point(after, "B") == pytest.approx(B, abs=1e-12)
    C = circle_point(B, 0.5, (0.5, 0.0), 0.4)
    assert edits.joint_point(after, "C") == pytest.approx(C, abs=1e-9)
    assert after["crank"].shape.length == 0.25 and after["coupler"].shape.length == "l_coupler"


def test_where_the_others_cannot_follow_everything_moves():
    model = four_bar().model
    found = edits.parameter_set(model, {"l_coupler": 0.6})  # with the coupler still nothing closes
    assert found.is_closed and widest(found.model) < CLOSED and side(found.model) == side(model)
    assert found.model["crank"].angle != model["crank"].angle


def test_what_cannot_be_assembled_is_kept_as_typed_and_named():
    model = four_bar().model
    found = edits.resized(model, "coupler", "length", 5.0)
    assert not found.is_closed and found.ids == ("C",)
    # the coupler stays at its first pin with its angle, no other body moves
    assert found.sentence == "joint 'C' (coupler - rocker) is 4.5 m apart"
    assert found.model["coupler"].angle == model["coupler"].angle
    assert marker_place(found.model, "marker_4") == pytest.approx(marker_place(model, "marker_4"))
    assert [found.model[b] for b in ("crank", "rocker")] == [model[b] for b in ("crank", "rocker")]
    again = edits.resized(found.model, "coupler", "length", 0.55)
    assert again.is_closed and widest(again.model) < CLOSED and side(again.model) == side(model)


def test_a_wrong_size_or_parameter_changes_nothing_and_is_told():
    model = four_bar().model
    for field, value in (("length", -1.0), ("length", "nope"), ("length", "3 kg"), ("radius", 1.0)):
        with pytest.raises(EngineError):
            edits.resized(model, "crank", field, value)
    with pytest.raises(EngineError, match="no parameter 'l_cranc'; it has l_crank, l_coupler"):
        edits.parameter_set(model, {"l_cranc": 0.2})
    with pytest.raises(EngineError, match="must be above 0"):
        edits.parameter_set(model, {"l_crank": 0.0})
    assert edits.parameter_set(model, {"l_crank": 0.2}).model is model


def test_a_typed_angle_holds_and_the_others_follow():
    model = four_bar().model
    found = edits.turned_to(model, "crank", radians(20))
    assert found.is_closed and widest(found.model) < CLOSED
    assert found.model["crank"].angle == radians(20) and found.model["crank"].angle_typed
    coupler = edits.turned_to(model, "coupler", radians(35))
    assert coupler.is_closed and coupler.model["coupler"].angle == pytest.approx(radians(35))
    impossible = edits.turned_to(model, "coupler", radians(90))
    assert not impossible.is_closed and impossible.model["coupler"].angle == radians(90)


def test_the_held_point_is_on_the_ground_if_there_is_one():
    model = slider_crank().model
    assert model[held_point(model, "crank")].body == "crank"
    assert marker_place(model, held_point(model, "crank")) == pytest.approx((0.0, 0.0))
    assert marker_place(model, held_point(model, "rod")) == pytest.approx(
        edits.joint_point(model, "B")
    )
    assert held_point(model, "slider") in ("marker_8", "marker_6")  # guided by the ground


@given(
    st.lists(
        st.tuples(st.sampled_from(["l_crank", "l_coupler", "l_rocker", "d"]), st.floats(0.8, 1.25)),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=25, deadline=None)
def test_a_four_bar_follows_any_sequence_of_set_in_its_branch_or_says_where_it_is_open(changes):
    mechanism = four_bar()
    first = side(mechanism.model)
    lengths = {p.id: p.value for p in mechanism.model.of("parameter")}
    for name, factor in changes:
        before = mechanism.model
        try:
            mechanism.set(**{name: lengths[name] * factor})
        except EngineError as error:
            assert "cannot be assembled" in error.sentence and "apart" in error.sentence
            assert mechanism.model is before
            continue
        assert widest(mechanism.model) < CLOSED and side(mechanism.model) == first
        assert resolved(mechanism.model)[name].value == pytest.approx(lengths[name] * factor)


@pytest.mark.parametrize("make", [four_bar, slider_crank, spatial_four_bar])
def test_mechanisms_follow_a_slider_there_and_back(make):
    model = make().model
    slide = edits.Slide(model)
    for factor in np.linspace(1.0, 1.2, 5):
        shown = slide.to({"l_crank": 0.2 * factor if make is not slider_crank else 0.1 * factor})
        assert shown.is_closed and widest(shown.model) < CLOSED
        assert assemble(compile_model(shown.model)).moved < CLOSED
    back = slide.to({"l_crank": model["l_crank"].value})
    assert back.model == model and back.is_closed


def test_the_last_pose_that_closed_is_shown_while_a_slider_is_dragged_too_far():
    model = four_bar().model
    slide = edits.Slide(model)
    good = slide.to({"l_coupler": 0.55})
    far = slide.to({"l_coupler": 3.0})
    assert far.model is good.model and "apart" in far.sentence and far.ids == ("C",)
    released = slide.release()
    assert released.model["l_coupler"].value == 3.0 and released.sentence == far.sentence


def test_a_long_jump_ends_in_the_same_pose_as_many_short_ones_where_the_pose_is_unique():
    start = four_bar(angle=radians(100)).model
    far = edits.resized(start, "crank", "length", 0.09).model
    near = start
    for length in np.linspace(0.2, 0.09, 12)[1:]:
        near = edits.resized(near, "crank", "length", float(length)).model
    for id in ("crank", "coupler", "rocker"):
        assert far[id].position == pytest.approx(near[id].position, abs=1e-9)
        assert far[id].angle == pytest.approx(near[id].angle, abs=1e-9)


@pytest.mark.parametrize("make", [four_bar, slider_crank, spatial_four_bar])
def test_slider_set_and_command_line_give_the_same_pose(make, tmp_path, capsys):
    from engine.cli.commands import main

    mechanism = make()
    value = 1.15 * mechanism.model["l_crank"].value
    by_slider = edits.Slide(mechanism.model).to({"l_crank": value}).model
    save(mechanism.model, tmp_path / "model.json")
    by_value = with_values(mechanism.model, l_crank=value)
    mechanism.set(l_crank=value)
    out = tmp_path / "out.csv"
    asked = ["--t-end", "0.01", "--csv", str(out), "--channels", "*.x", "*.y"]
    assert (
        main(["simulate", str(tmp_path / "model.json"), "--set", f"l_crank={value!r}", *asked]) == 0
    )
    capsys.readouterr()
    assert by_value == mechanism.model == by_slider
    compiled = compile_model(mechanism.model)
    lines = out.read_text().splitlines()
    names, first = (
        lines[0].split(","),
        next(row for row in lines[1:] if row[:1].isdigit()).split(","),
    )
    found = {n.split(" ")[0]: float(x) for n, x in zip(names, first)}
    frame = compiled.resolved["coupler" if "coupler" in compiled.resolved else "rod"]
    assert found[f"{frame.id}.x"] == pytest.approx(frame.position[0], abs=1e-9)
    assert found[f"{frame.id}.y"] == pytest.approx(frame.position[1], abs=1e-9)


def test_the_command_line_names_what_it_cannot_set(tmp_path, capsys):
    from engine.cli.commands import main

    path = tmp_path / "model.json"
    save(four_bar().model, path)
    for text, words in (
        ("nope=1", "it has l_crank, l_coupler, l_rocker, d"),
        ("l_crank", "write --set NAME=VALUE"),
        ("l_coupler=5", "joint 'C' (coupler - rocker) is 4.5 m apart"),
        ("l_coupler=2 kg", "cannot be"),
    ):
        assert main(["check", str(path), "--set", text]) in ((2,) if "kg" not in text else (0, 2))
        told = capsys.readouterr()
        assert words in told.err or "kg" in text
    assert (
        main(["check", str(path), "--set", "l_crank=25 cm", "--set", "l_coupler=2.2*l_crank"]) == 0
    )
    assert "nothing wrong" in capsys.readouterr().out


def test_the_builder_takes_formulas_for_points_and_places():
    m = Mechanism()
    m.parameter("a", 0.3)
    m.parameter("b", 0.4)
    rod = m.rod((0, 0), ("a", "b"))
    assert resolved(m.model)[rod].shape.length == pytest.approx(0.5)
    flat = m.rod((0, 0), ("a", 0))
    assert m.model[flat].shape.length == "a"
    mass = m.particle(("a + b", 0))
    assert m.model[mass].position == ("a + b", 0.0)
    box = m.box(("a", "b"), 0.2, "a/2")
    pin = m.marker(box, (0.4, "b"))
    assert m.model[pin].position == ("shape.width/2", 0.0)
    ground = m.marker(GROUND, ("a", "2*b"))
    assert m.model[ground].position == ("a", "2*b")
    plate = m.polygon([(0, 0), ("a", 0), (0, "b")])
    corner = m.marker(plate, ("a", 0))
    assert m.model[corner].position == ("shape.x2", "shape.y2")
    m.set(a=0.6)
    now = resolved(m.model)
    assert (
        now[rod].shape.length == pytest.approx(hypot(0.6, 0.4)) and now[ground].position[0] == 0.6
    )
    with pytest.raises(EngineError, match="the two points are 1 m apart"):
        m.rod((0, 0), (1, 0), length="a")
    with pytest.raises(EngineError, match="'c' is unknown"):
        m.rod((0, 0), ("c", 0))


@pytest.mark.parametrize("make", [four_bar, spatial_four_bar])
def test_the_end_of_a_link_can_be_pulled_while_its_other_end_stays(make):
    model = make().model
    plain = put(model, replace(model["crank"], shape=replace(model["crank"].shape, length=0.2)))
    was, end = marker_place(plain, "marker_2"), np.array(marker_place(plain, "marker_3"))
    target = tuple(end + 0.02)
    if model.dim == 3:
        target = (*target[:2], 0.0)  # it turns about z
    found = edits.end_moved(plain, "crank", 1, target)
    assert found.is_closed and widest(found.model) < CLOSED
    assert marker_place(found.model, "marker_2") == pytest.approx(was, abs=1e-12)
    assert marker_place(found.model, "marker_3") == pytest.approx(target, abs=1e-12)
    with pytest.raises(EngineError, match="is a formula"):
        edits.end_moved(model, "crank", 1, target)


@pytest.mark.parametrize(
    ("id", "field", "value", "direct"),
    [
        ("coupler", "shape.length", 0.55, lambda m: edits.resized(m, "coupler", "length", 0.55)),
        ("crank", "angle", 1.2, lambda m: edits.turned_to(m, "crank", 1.2)),
        ("A", "angle_start", 0.15, lambda m: edits.turned_to(m, "crank", 1.05 + 0.15)),
        ("crank", "name", "", None),
        ("A", "marker_i", "", None),
        ("coupler", "shape.width", 0.02, lambda m: edits.resized(m, "coupler", "width", 0.02)),
    ],
)
def test_a_typed_value_does_what_its_field_means(id, field, value, direct):
    model = four_bar().model
    assert edits.drives(model, id, field) == (direct is not None)
    if direct is not None:
        typed, expected = edits.value_typed(model, id, field, value), direct(model)
        assert typed.is_closed and widest(typed.model) < CLOSED
        for body in ("crank", "coupler", "rocker"):
            pose = (*expected.model[body].position, expected.model[body].angle)
            assert (*typed.model[body].position, typed.model[body].angle) == pytest.approx(
                pose, abs=1e-9
            )


def test_another_body_for_a_pin_leaves_it_where_it_is():
    for model in (four_bar().model, spatial_four_bar().model):
        marker = model["C"].marker_j
        was = marker_place(model, marker)
        after = edits.value_typed(model, marker, "body", "crank").model
        assert after[marker].body == "crank"
        assert marker_place(after, marker) == pytest.approx(was, abs=1e-12)
        assert gap(after, after["C"]) < 1e-12
        with pytest.raises(EngineError, match="no body 'nobody'"):
            edits.glued_to(model, marker, "nobody")


def test_assemble_keeps_what_was_edited_last():
    model = four_bar().model
    turned = put(model, replace(model["rocker"], angle=model["rocker"].angle + 0.05))
    last = edits.assembled(turned, model)
    assert last.is_closed and last.model["rocker"].angle == pytest.approx(turned["rocker"].angle)
    free = edits.assembled(turned)
    assert free.is_closed and abs(free.model["rocker"].angle - turned["rocker"].angle) > 1e-3
    assert widest(last.model) < CLOSED and widest(free.model) < CLOSED
    moved = put(model, replace(model["rocker"], position=(0.9, 0.9)))  # no pose keeps this
    found = edits.assembled(moved, model)
    assert found.is_closed and widest(found.model) < CLOSED


def test_a_joint_that_was_open_before_need_not_close():
    m = four_bar()
    m.rod((2, 2), (3, 2), id="far")
    m.revolute("ground", "far", (2, 2), id="E")
    m.revolute("ground", "far", (3, 2), id="F")
    away = replace(m.model[m.model["F"].marker_i], position=(4.0, 2.0))  # no pose closes this
    model = put(m.model, away)
    found = edits.resized(model, "crank", "length", 0.22)
    assert found.is_closed and gap(found.model, found.model["F"]) == pytest.approx(1.0)
    assert max(gap(found.model, found.model[id]) for id in "ABCDE") < CLOSED
    assert not edits.assembled(model).is_closed


def test_a_parameter_can_mend_a_model_and_side_effects_are_not_typed():
    broken = put(four_bar().model, replace(four_bar().model["l_crank"], value=0.0))
    assert edits.parameter_set(broken, {"l_crank": 0.2}).model == four_bar().model
    model = edits.placed_at(four_bar().model, "crank", four_bar().model["crank"].position).model
    assert model["crank"].position_typed
    longer = edits.resized(model, "crank", "length", 0.22).model
    assert longer["crank"].position != model["crank"].position
    assert not longer["crank"].position_typed
