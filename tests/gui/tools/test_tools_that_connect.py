"""The tools that join, tie, load and drive bodies: whom they take, and what they make."""

from math import hypot, pi, radians

import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.editing.edits import Pair
from engine.model.catalogue import kinds
from engine.model.elements import GROUND
from engine.model.limits import limits
from gui.tools import TOOLS
from gui.tools.base import ALT, CTRL, NO_MODIFIER, SHIFT
from gui.tools.plane.bodies import BoxTool, DiscTool, LinkTool, PointMassTool
from gui.tools.plane.loads import ForceTool, PointTool, TorqueTool, TracerTool, size_of_arrow
from gui.tools.plane.on_joints import GearTool, LimitsTool, MotorTool, RackTool, RollingDiscTool
from tests.gui.hands import PIXEL, Hand, tool_named

ENTER, TAB = Qt.Key.Key_Return, Qt.Key.Key_Tab


@pytest.fixture
def hand(qapp):
    """A hand before an empty model."""
    return Hand()


@pytest.fixture
def linked(hand):
    """A hand before two links that are pinned to each other at (1, 0)."""
    return hand.draw_two_links()


# --- joints


def test_the_preview_names_the_bodies_before_the_click(linked):
    linked.take(tool_named("revolute"))
    shown = linked.move(0, 0)
    assert linked.words() == ["pin ground – link_1"]
    assert shown.rings == ((0.0, 0.0),) and shown.bodies == ("link_1",)
    linked.click(0, 0)
    assert edits.bodies_of(linked.model, "pin_2") == (GROUND, "link_1")
    assert linked.document.undo_stack.undo_text() == "Add pin ground – link_1"
    linked.take(tool_named("weld"))
    linked.move(1, 0)
    assert linked.words() == ["weld link_1 – link_2, instead of pin_1"]


def test_nothing_under_the_mouse_is_a_sentence_and_no_edit(linked):
    before = linked.model
    linked.take(tool_named("revolute")).click(5, 5)
    assert "no body here" in linked.complaints[0] and linked.model is before


def test_three_bodies_bring_a_list_at_the_cursor(linked):
    linked.take(LinkTool)
    linked.click(1, 0, ALT)
    linked.click(2, -1)
    linked.take(tool_named("revolute"))
    linked.move(1, 0)
    assert linked.words() == ["pin link_2 – link_3 … choose"]
    linked.click(1, 0)
    labels = [choice.label for choice in linked.tool.choices]
    assert labels[:2] == ["pin link_2 – link_3", "pin link_1 – link_3"]
    assert labels[2:] == ["pin ground – link_3", "pin ground – link_2", "pin ground – link_1"]
    before = linked.model
    linked.tool.choose(-1)
    assert linked.model is before and not linked.tool.choices
    linked.click(1, 0)
    linked.tool.choose(1)
    assert edits.bodies_of(linked.model, "pin_2") == ("link_1", "link_3")


def test_tab_takes_the_next_pair_and_alt_asks(linked):
    linked.take(tool_named("weld"))
    linked.move(1, 0)
    linked.hit(TAB)
    assert linked.words() == ["weld ground – link_2"]
    linked.click(1, 0)
    assert edits.bodies_of(linked.model, "weld_1") == (GROUND, "link_2")
    linked.document.undo_stack.undo()
    linked.click(1, 0, ALT)
    assert len(linked.tool.choices) == 3


def test_a_slider_goes_along_its_body_or_where_it_is_dragged(linked):
    def angle(n):
        return edits.marker_frame(linked.model, linked.model[f"slider_{n}"].marker_i).angle

    linked.take(tool_named("prismatic")).click(1, 0.5)
    assert angle(1) == pytest.approx(pi / 2)
    linked.drag((0.5, 0), (0.8, 0.3))
    assert angle(2) == pytest.approx(radians(45))
    linked.drag((0.25, 0), (0.6, 0.1), SHIFT)
    assert angle(3) == pytest.approx(radians(15))
    linked.press(0.75, 0)
    linked.type("33")
    linked.release(0.75, 0)
    assert angle(4) == pytest.approx(radians(33))
    assert problems(linked.model) == []


def test_the_end_of_a_link_is_the_pin_of_a_slot_and_tab_exchanges(hand):
    hand.take(LinkTool)
    for place in ((0, 0), (0, 2)):
        hand.click(*place)
    hand.click(-1, 1, ALT)
    hand.click(0, 1, ALT)
    hand.take(tool_named("point_on_line")).move(0, 1)
    assert hand.words()[0] == "pin of link_2 in a slot of link_1"
    hand.hit(TAB)
    assert hand.words()[0] == "pin of link_1 in a slot of link_2"
    hand.hit(TAB)
    hand.hit(TAB)
    hand.hit(TAB)
    hand.tool.reset()
    hand.click(0, 1)
    slot = hand.model["pin_in_slot_1"]
    assert hand.model[slot.marker_j].body == "link_2"
    # without a drag the slot runs along the body that has it
    assert edits.marker_frame(hand.model, slot.marker_i).angle == pytest.approx(pi / 2)


def lever_and_crank(beside):
    """A lever, and a crank whose pin lies beside the axis of the lever; both on pins."""
    m = Mechanism("Quick return")
    m.rod((0, 0), (2, 0), width=0.2, id="lever")
    m.rod((1, -1), (1, beside), width=0.1, id="crank")
    m.revolute("ground", "lever", (0, 0))
    m.revolute("ground", "crank", (1, -1))
    return m.model


def test_a_slot_far_beside_the_axis_of_its_link_tells_how_far(hand):
    hand.document.new(lever_and_crank(0.08))  # 16 pixels
    hand.take(tool_named("point_on_line"))
    hand.move(1, 0.08)
    assert any("0.08 m beside its axis" in words for words in hand.words())
    hand.document.new(lever_and_crank(0.0))
    hand.move(1, 0.0)
    assert not any("axis" in words for words in hand.words())


@pytest.mark.parametrize(("held", "beside"), [(NO_MODIFIER, 0.0), (CTRL, 0.03)])
def test_a_slot_near_the_axis_of_its_link_lies_on_it_and_the_mechanism_is_closed(
    hand, held, beside
):
    hand.document.new(lever_and_crank(0.03))  # 6 pixels
    hand.take(tool_named("point_on_line"))
    if not held:
        hand.move(1, 0.03)
        assert any("on its axis" in words for words in hand.words())
    hand.click(1, 0.03, held)
    model = hand.model
    slot = model["pin_in_slot_1"]
    assert edits.beside_axis(model, "lever", edits.marker_frame(model, slot.marker_i)[:2]) == (
        pytest.approx(beside, abs=1e-12)
    )
    pin = edits.marker_frame(model, slot.marker_j)
    if not beside:
        assert edits.beside_axis(model, "lever", (pin.x, pin.y)) == pytest.approx(0.0, abs=1e-9)
    assert hand.document.undo_stack.count() == 1


def test_a_blade_is_seen_from_the_ground(linked):
    linked.take(tool_named("knife_edge")).drag((1, 0), (1, 0.5))
    edge = linked.model["knife_edge_1"]
    assert linked.model[edge.marker_i].body == GROUND
    assert edits.marker_frame(linked.model, edge.marker_j).angle == pytest.approx(pi / 2)


# --- ties and loads


@pytest.mark.parametrize(
    "tool",
    [tool_named("rod"), tool_named("spring"), tool_named("damper"), tool_named("spring_damper")],
)
def test_ties_are_dragged_or_clicked_from_body_to_ground(linked, tool):
    linked.take(tool)
    linked.press(0.5, 0)
    shown = linked.move(0.5, 1.5)
    assert "link_1 – ground" in linked.words() and shown.lines[0].style == tool.making.line
    linked.release(0.5, 1.5)
    linked.click(1, 0.5)
    linked.click(3, 0.5)
    made = [e for e in linked.model if e.kind == tool.name]
    assert [edits.bodies_of(linked.model, e.id) for e in made] == [
        ("link_1", GROUND),
        ("link_2", GROUND),
    ]
    assert getattr(made[0], "free_length", None) is None and problems(linked.model) == []


def test_a_point_on_a_circle_is_dragged_from_the_middle_to_the_point(linked):
    linked.take(tool_named("point_on_circle")).drag((0.5, 1.0), (0.5, 0))
    ring = linked.model["point_on_circle_1"]
    assert edits.bodies_of(linked.model, ring.id) == (GROUND, "link_1")
    assert linked.document.undo_stack.undo_text() == "Add point on a circle"
    assert ring.radius is None and problems(linked.model) == []


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        (tool_named("spring"), "torsion_spring"),
        (tool_named("damper"), "joint_damping"),
        (tool_named("spring_damper"), "torsion_spring"),
    ],
)
def test_on_a_joint_a_click_makes_them_torsional(linked, tool, kind):
    linked.take(tool).click(1, 0)
    assert linked.kinds()[-1] == kind and not linked.tool.is_busy


def test_a_spring_between_two_pinned_bodies_takes_one_end_on_each(linked):
    linked.take(tool_named("spring")).drag((1, 0), (1, 0.8))
    assert edits.bodies_of(linked.model, "spring_1") == ("link_1", "link_2")
    linked.drag((0.2, 0), (0.6, 0))
    assert "Both ends" in linked.complaints[-1]


def test_the_longest_arrow_is_a_load_that_a_model_can_hold():
    assert size_of_arrow(1e6) == limits("N").most == size_of_arrow(1e300)
    assert size_of_arrow(0.0) == 1.0


def test_the_arrow_of_a_force_is_as_long_as_it_will_be_drawn(linked):
    linked.take(ForceTool)
    linked.press(0.5, 0)
    shown = linked.move(0.5, -0.43, SHIFT)
    size = size_of_arrow(0.43 / PIXEL)
    tip = shown.lines[0].b
    assert hypot(tip[0] - 0.5, tip[1]) == pytest.approx(0.43, abs=2 * PIXEL)  # two digits of size
    linked.release(0.5, -0.43)
    force = linked.model["force_1"]
    assert (force.f_x, force.f_y) == pytest.approx((0.0, -size))
    linked.press(1, 1)
    linked.move(1.4, 1)
    linked.type("20")
    linked.hit(TAB)
    linked.type("90")
    linked.hit(ENTER)
    assert (linked.model["force_2"].f_x, linked.model["force_2"].f_y) == (0.0, 20.0)
    linked.click(4, 4)
    assert linked.complaints


def test_a_torque_turns_left_when_dragged_up(linked):
    linked.take(TorqueTool).click(0.5, 0)
    linked.drag((0.5, 0), (0.5, -0.4))
    assert linked.model["torque_1"].t_z == 1.0 and linked.model["torque_2"].t_z < -1.0


def test_air_drag_acts_where_a_moving_body_is_clicked(linked):
    linked.take(tool_named("air_drag")).click(1, 1)
    drag = linked.model["air_drag_1"]
    assert linked.model[drag.marker_i].body == "link_2" and linked.selection.ids == ("air_drag_1",)
    linked.click(4, 4)
    assert "moving body" in linked.complaints[0] and "air_drag_2" not in linked.model


def test_a_constraint_by_formula_begins_by_keeping_what_is_drawn(linked):
    linked.take(tool_named("constraint")).click(1, 0.5)
    made = linked.model["constraint_1"]
    assert linked.model[made.marker_i].body == "link_2" and made.formula == "y - 0.5"
    assert linked.selection.ids == ("constraint_1",) and not problems(linked.model)
    linked.click(4, 4)
    assert "moving body" in linked.complaints[0] and "constraint_2" not in linked.model


def test_tracers_and_points_are_glued_where_they_are_clicked(linked):
    linked.take(TracerTool).click(1, 1)
    linked.take(PointTool).click(0.5, 0)
    linked.take(TracerTool).click(4, 4)
    assert linked.model[linked.model["tracer_1"].marker].body == "link_2"
    assert linked.selection.ids == (list(linked.model.elements)[-1],)
    assert "never moves" in linked.complaints[0]


# --- on joints


def test_a_motor_offers_speed_position_and_torque(linked):
    linked.take(MotorTool).move(1, 0)
    assert linked.words() == ["pin_1 (link_1 – link_2)"]
    linked.click(1, 0)
    labels = [choice.label for choice in linked.tool.choices]
    assert labels == [
        "speed: constant",
        "speed: expression of t",
        "position: expression of t, steady",
        "position: expression of t, to and fro",
        "position: table",
        "torque: constant",
        "torque: expression of t",
    ]
    for n in range(len(labels)):
        before = linked.model
        if not linked.tool.choices:
            linked.click(1, 0)
        linked.tool.choose(n)
        assert problems(linked.model) == [] and linked.model is not before
        linked.document.undo_stack.undo()
        assert linked.model is before
    linked.click(1, 0)
    linked.tool.choose(0)
    linked.click(1, 0)
    assert [c.label for c in linked.tool.choices] == ["torque: constant", "torque: expression of t"]


def test_a_position_motor_begins_where_the_joint_is_drawn(linked):
    linked.document.edit("turn", edits.rotated(linked.model, ["link_1", "link_2"], 0.5))
    linked.take(tool_named("revolute")).click(*edits.body_frame(linked.model, "link_1")[:2])
    model, _ = edits.joint(linked.model, "prismatic", Pair(GROUND, "link_2"), (5, 5), 0.0)
    for id in ("pin_2", "slider_1"):
        linked.document.edit("slide", model if id == "slider_1" else linked.model)
        place = edits.joint_point(linked.model, id)
        linked.take(MotorTool).click(*place)
        linked.tool.choose(2)
        motion = linked.model[linked.selection.ids[0]]
        value = edits.coordinate_value(linked.model, id)
        start = motion.law.split(" + ")[0] if " + " in motion.law else "0"
        assert float(start) == pytest.approx(value, abs=1e-8)  # nine digits are written


def test_limits_ask_for_the_coordinate_where_there_are_two(linked):
    linked.take(LimitsTool).click(1, 0)
    assert linked.kinds()[-1] == "joint_limits"
    linked.take(tool_named("point_on_line")).click(0.5, 0)
    linked.take(LimitsTool).click(0.5, 0)
    assert [c.label for c in linked.tool.choices] == ["displacement", "angle"]
    linked.tool.choose(1)
    assert linked.model["joint_limits_2"].coordinate == "angle"
    assert problems(linked.model) == []


def test_gears_and_racks_take_two_joints_and_a_disc_rolls(hand):
    hand.take(DiscTool).drag((0, 0), (0.2, 0))
    hand.drag((0.5, 0), (0.8, 0))
    hand.take(tool_named("revolute")).click(0, 0)
    hand.click(0.5, 0)
    hand.take(BoxTool).drag((-1, 0.2), (1, 0.25))
    hand.take(tool_named("prismatic")).click(-0.9, 0.225)
    hand.take(GearTool).click(0, 0)
    assert hand.move(0.5, 0).lines
    hand.click(0.5, 0)
    gear = hand.model["gear_1"]
    assert gear.radii(hand.model) == pytest.approx((0.2, 0.3))  # those of the discs
    hand.take(RackTool).click(-0.9, 0.225)
    hand.click(0, 0)
    assert hand.model["rack_and_pinion_1"].joint_1 == "pin_1"
    hand.take(DiscTool).drag((3, 1), (3.5, 1))
    hand.take(RollingDiscTool).move(3, 1)
    assert hand.words() == ["disc_3 rolls on ground"]
    hand.click(3, 1)
    assert edits.joint_point(hand.model, "rolling_disc_1") == (3.0, 1.0)
    assert problems(hand.model) == []


def test_every_kind_of_the_plane_is_made_by_some_tool(linked):
    made = {tool.name for tool in TOOLS if getattr(tool, "element", None)}
    for tool in (tool_named("spring"), tool_named("damper")):
        linked.take(tool).click(1, 0)
    linked.take(MotorTool)
    for n in (0, 0):
        linked.click(1, 0)
        linked.tool.choose(n)
    for tool in (ForceTool, tool_named("general_force")):
        linked.take(tool).drag((0.5, 0), (0.5, 0.7))
    for tool in (TorqueTool, TracerTool, PointTool, PointMassTool):
        linked.take(tool).click(0.25, 0)
    linked.take(LimitsTool).click(1, 0)
    made |= {e.kind for e in linked.model} | {GearTool.name, RackTool.name, RollingDiscTool.name}
    assert made == set(kinds(2)) - {"parameter"}  # parameters have a panel of their own
    assert problems(linked.model) == []


def test_friction_takes_joints_that_rub_and_asks_for_no_coordinate(hand):
    m = Mechanism(2)
    bar = m.rod((0, 0), (1, 0))
    m.prismatic(GROUND, bar, at=(0, 0), angle=0.0, id="guide")
    m.massless_rod((GROUND, (0.5, 1.0)), (bar, (1.0, 0.0)), id="strut")
    hand.document.edit("Draw", m.model)
    hand.take(tool_named("joint_friction")).click(0.75, 0.5)
    assert len(hand.complaints) == 1 and not hand.model.of("force")
    hand.click(0, 0)
    (made,) = hand.model.of("force")
    assert (made.kind, made.joint) == ("joint_friction", "guide")
    assert problems(hand.model) == []


def test_a_weld_takes_the_place_of_the_pin_that_nothing_drives(linked):
    linked.take(tool_named("weld"))
    linked.move(1, 0)
    assert "instead of pin_1" in " ".join(linked.words())
    linked.click(1, 0)
    assert linked.kinds() == ["body", "body", "weld"]


def test_a_pin_that_is_driven_stays_beside_a_weld(linked):
    linked.take(MotorTool)
    linked.click(1, 0)
    linked.tool.choose(0)
    linked.take(tool_named("weld"))
    linked.move(1, 0)
    assert "instead" not in " ".join(linked.words())
    linked.click(1, 0)
    assert sorted(linked.kinds()) == ["body", "body", "motion", "revolute", "weld"]
