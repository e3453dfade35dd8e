"""The tools in space: gestures end in one edit, previews say beforehand what will happen."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from engine.kinematics.mobility import mobility
from engine.model.elements import planar
from gui.tools.base import ALT, NO_MODIFIER, SHIFT
from gui.tools.space import TOOLS3D
from gui.tools.space.arrows import ForceTool3D, TorqueTool3D, VelocityTool
from gui.tools.space.bodies import GroundTool3D, PointMassTool3D, RodTool3D
from gui.tools.space.on_joints import GearTool3D, LimitsTool3D, MotorTool3D, TracerTool3D
from gui.tools.space.polyline import PolylineTool3D
from gui.tools.space.rolling import RollingTool
from gui.tools.space.solids import BallTool3D, BoxTool3D, CylinderTool3D
from tests.gui.hands import tool_named
from tests.gui.sight_hand import SpaceHand

ENTER, TAB, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
FULL = 1e-9  # metres: rounding of lines and planes


@pytest.fixture
def hand(qapp):
    """A hand before an empty model."""
    return SpaceHand()


@pytest.fixture
def built(qapp):
    """A hand before a box on the ground and a wheel on top of it, not joined."""
    m = Mechanism(dim=3)
    m.box((0, 0, 0.1), 0.6, 0.4, 0.2, id="base")
    m.cylinder((0, 0, 0.2), (0, 0, 0.3), 0.15, id="wheel")
    return SpaceHand(m.model)


def gap_and_dof(model):
    """The gap of the drawing and its degrees of freedom."""
    compiled = compile_model(model)
    return assemble(compiled).drawn_gap, mobility(compiled).dof


# --- what all tools share


def test_names_and_letters_are_different_and_none_is_missing():
    assert len({t.name for t in TOOLS3D}) == len({t.letter for t in TOOLS3D}) == len(TOOLS3D)
    assert all(t.title and t.icon and t.group and t.help and t.dim == 3 for t in TOOLS3D)


@pytest.mark.parametrize("tool", TOOLS3D, ids=lambda tool: tool.name)
def test_every_tool_says_what_to_do_before_and_during_its_gesture(built, tool):
    def told():
        """A hint that fits under the stage of a small window."""
        return 0 < len(built.tool.hint) <= 112

    built.take(tool)
    assert told()
    built.move(0.05, 0, 0.3)
    assert told(), built.tool.hint
    built.press(0.05, 0, 0.3)
    assert told()
    built.move(0.4, 0.3, 0.0)
    assert told(), built.tool.hint


@pytest.mark.parametrize("tool", TOOLS3D, ids=lambda tool: tool.name)
def test_escape_at_any_moment_leaves_nothing_behind(built, tool):
    before = built.model
    for moments in range(4):
        built.take(tool)
        built.move(0.05, 0, 0.3)
        if moments > 0:
            built.press(0.05, 0.0, 0.3)
        if moments > 1:
            built.move(0.3, 0.3, 0.0)
            built.tool.key(ord("7"), "7", NO_MODIFIER)
        if moments > 2:
            built.tool.cancel()
        while built.tool.cancel():
            pass
        undone = built.document.undo_stack
        while built.model is not before:  # tools that need one press are done already
            undone.undo()
        assert not built.tool.is_busy and not built.tool.preview.solids


@pytest.mark.parametrize("tool", TOOLS3D, ids=lambda tool: tool.name)
def test_a_model_in_the_plane_ends_the_tool(built, tool, qtbot):
    built.take(tool)
    built.document.new(planar())
    assert built.finished > 0 and not built.tool.is_busy
    before = built.finished
    built.take(tool)
    assert "in the plane" in built.complaints[-1]
    qtbot.waitUntil(lambda: built.finished > before)


# --- bodies


def test_a_base_is_dragged_and_a_height_follows_the_mouse(hand):
    hand.take(BoxTool3D)
    hand.drag((0.1, 0.1, 0), (0.5, 0.3, 0))
    assert not hand.model.elements and hand.tool.is_busy
    hand.move(0.3, 0.2, 0.15)
    assert "0.4 m" in hand.words()[0] and hand.tool.preview.solids
    hand.click(0.3, 0.2, 0.15)
    box = hand.model["box_1"]
    assert (box.shape.width, box.shape.height) == pytest.approx((0.4, 0.2))
    assert box.shape.thickness == pytest.approx(0.15, abs=0.02)
    assert box.position[:2] == pytest.approx((0.3, 0.2))
    assert edits.extent3(hand.model, "box_1")[0][2] == pytest.approx(0.0, abs=FULL)
    assert hand.document.undo_stack.count() == 1 and hand.selection.ids == ("box_1",)


def test_all_sizes_of_a_box_can_be_typed(hand):
    hand.take(BoxTool3D)
    hand.press(0, 0, 0)
    hand.move(0.2, 0.2, 0)
    hand.type("300 mm")
    hand.hit(TAB)
    hand.type("0.2")
    hand.hit(TAB)
    hand.type("0.1")
    assert hand.tool.preview.labels[0].field
    hand.hit(ENTER)
    shape = hand.model["box_1"].shape
    assert (shape.width, shape.height, shape.thickness) == (0.3, 0.2, 0.1)
    assert hand.model["box_1"].position == pytest.approx((0.15, 0.1, 0.05))


def test_a_body_is_placed_on_the_face_of_another(built):
    built.take(BoxTool3D)
    built.drag((-0.25, -0.15, 0.2), (-0.17, -0.05, 0.2))
    built.tool.key(ord("5"), "5", NO_MODIFIER)
    built.type("0 mm")
    built.hit(ENTER)
    low, high = edits.extent3(built.model, "box_1")
    assert low[2] == pytest.approx(0.2, abs=FULL) and high[2] == pytest.approx(0.25, abs=FULL)
    side = SpaceHand(built.model, sight=(-1.0, 0.2, -0.3))
    side.take(CylinderTool3D)
    side.drag((0.3, 0.1, 0.1), (0.3, 0.15, 0.1))
    side.type("0.2")
    side.hit(ENTER)
    wheel = side.model["cylinder_1"]
    assert edits.long_axis(side.model, "cylinder_1") == pytest.approx((1, 0, 0), abs=FULL)
    assert wheel.position == pytest.approx((0.4, 0.1, 0.1), abs=1e-6)


def test_a_ball_lies_on_the_ground(hand):
    hand.take(BallTool3D).drag((0, 0, 0), (0.1, 0, 0))
    assert hand.model["sphere_1"].position == pytest.approx((0, 0, 0.1))
    assert hand.model["sphere_1"].shape.radius == pytest.approx(0.1)


def test_a_click_without_a_size_goes_on_and_a_flat_base_is_refused(hand):
    hand.take(CylinderTool3D)
    hand.click(0, 0, 0)
    hand.click(0, 0, 0)
    assert hand.tool.is_busy and not hand.model.elements
    hand.take(BoxTool3D)
    hand.drag((0, 0, 0), (0.3, 0, 0))
    assert "width and a depth" in hand.complaints[-1] and not hand.model.elements


def test_a_rod_goes_along_an_axis_that_the_mouse_is_next_to(hand):
    hand.take(RodTool3D)
    hand.click(0, 0, 0)
    hand.move(0.004, 0, 0.5)
    assert "+z" in hand.words()[0]
    hand.click(0.004, 0, 0.5)
    assert edits.long_axis(hand.model, "rod_1") == pytest.approx((0, 0, 1), abs=FULL)
    assert hand.model["rod_1"].shape.length == pytest.approx(0.5, abs=0.011)


def test_bars_follow_the_axes_and_end_by_enter(hand):
    hand.take(PolylineTool3D)
    hand.click(0, 0, 0)
    hand.click(0.004, 0, 0.5)
    hand.click(0.4, 0.004, 0.5)
    hand.hit(ENTER)
    (body,) = hand.model.elements.values()
    corners = body.shape.bars().corners + body.position
    found = [[0, 0, 0], [0, 0, 0.5], [0.4, 0, 0.5]]
    np.testing.assert_allclose(corners, found, atol=0.011)  # the grid of the mouse
    assert np.abs(corners[[0, 1], :2]).max() < FULL and abs(corners[2, 1]) < FULL
    assert problems(hand.model) == []


def test_an_axis_and_a_length_can_be_typed_for_a_rod(hand):
    hand.take(RodTool3D)
    hand.click(0.1, 0.1, 0)
    hand.move(0.4, 0.3, 0)
    hand.type("y")
    hand.type("0.25")
    hand.hit(ENTER)
    assert hand.model["rod_1"].position == pytest.approx((0.1, 0.225, 0.0))
    assert hand.model["rod_1"].shape.length == pytest.approx(0.25)


def test_tab_over_nothing_takes_another_joint_where_a_rod_begins(hand):
    hand.take(RodTool3D)
    hand.click(0, 0, 0)
    hand.click(0.4, 0, 0)
    hand.take(RodTool3D)
    hand.click(0.4, 0, 0)
    hand.move(0.4, 0.3, 0)
    assert "ball joint" in " ".join(hand.words())
    hand.hit(TAB)
    assert "hinge" in " ".join(hand.words())
    hand.hit(TAB)
    hand.click(0.4, 0.3, 0)
    assert [joint.kind for joint in hand.model.of("joint")] == ["weld"]


def test_a_rod_is_joined_where_it_lands_and_tab_takes_another_joint(hand):
    hand.take(RodTool3D)
    hand.click(0, 0, 0)
    hand.click(0.4, 0, 0)
    hand.move(0.4, 0, 0)
    assert "ball joint" in " ".join(hand.words())
    hand.click(0.4, 0, 0)
    hand.click(0.4, 0.3, 0)
    assert [e.kind for e in hand.model.of("joint")] == ["spherical"]
    hand.click(0.4, 0.3, 0, held=ALT)
    hand.click(0.1, 0.3, 0)
    assert len(hand.model.of("joint")) == 1
    hand.move(0.2, 0.3, 0)
    hand.hit(TAB)
    assert "hinge" in " ".join(hand.words())
    hand.click(0.2, 0.3, 0)
    hand.click(0.2, 0.6, 0)
    assert [e.kind for e in hand.model.of("joint")] == ["spherical", "revolute"]
    assert gap_and_dof(hand.model)[0] < FULL and problems(hand.model) == []


def test_a_point_mass_on_a_body_hangs_in_a_ball_joint(built):
    built.take(PointMassTool3D).click(0.1, 0.0, 0.3)
    assert built.kinds() == ["body", "body", "particle", "spherical"]
    assert gap_and_dof(built.model)[0] < FULL


def test_ground_is_toggled(built):
    built.take(GroundTool3D).click(0.25, 0.15, 0.2)
    assert built.model["base"].fixed
    built.click(0.25, 0.15, 0.2)
    assert not built.model["base"].fixed


# --- joints

FREE = 12  # of two bodies
JOINED = [
    (tool_named("revolute", 3), "revolute", 5),
    (tool_named("prismatic", 3), "prismatic", 5),
    (tool_named("cylindrical", 3), "cylindrical", 4),
    (tool_named("universal", 3), "universal", 4),
    (tool_named("constant_velocity", 3), "constant_velocity", 4),
    (tool_named("spherical", 3), "spherical", 3),
    (tool_named("planar", 3), "planar", 3),
    (tool_named("weld", 3), "weld", 6),
    (tool_named("point_on_line", 3), "point_on_line", 2),
    (tool_named("point_on_plane", 3), "point_on_plane", 1),
    (tool_named("screw", 3), "screw", 5),
    (tool_named("knife_edge", 3), "knife_edge", 1),
]


@pytest.mark.parametrize(("tool", "kind", "removed"), JOINED, ids=[k for _, k, _ in JOINED])
def test_one_click_joins_what_touches_without_a_gap(built, tool, kind, removed):
    built.take(tool)
    built.move(0.0, 0.0, 0.3)
    words = built.words()[0]
    built.click(0.0, 0.0, 0.3)
    assert built.kinds() == ["body", "body", kind]
    joint = built.model.of("joint")[0]
    names = edits.bodies_of(built.model, joint.id)
    assert all(name in words for name in names)
    assert names == (("ground", "wheel") if kind == "knife_edge" else ("base", "wheel"))
    gap, dof = gap_and_dof(built.model)
    assert gap < FULL and dof == FREE - removed
    assert problems(built.model) == []
    assert built.document.undo_stack.count() == 1


def test_the_axis_comes_from_the_face_and_keys_turn_it(built):
    built.take(tool_named("revolute", 3))
    built.move(0.05, 0.05, 0.3)
    assert "axis +z" in built.words()[0]
    assert built.tool.preview.lines[0].style == "axis"
    for key, name in (("x", "+x"), ("x", "+x"), ("x", "+z"), ("y", "+y")):  # world, own, natural
        built.type(key)
        assert f"axis {name}" in built.words()[0]
    built.click(0.05, 0.05, 0.3)
    axis = edits.joint_frame(built.model, "hinge_1").R[:, 2]
    assert axis == pytest.approx((0, 1, 0), abs=FULL)


def test_tab_takes_the_ground_instead_of_the_body_below(built):
    built.take(tool_named("revolute", 3))
    built.move(0.0, 0.0, 0.3)
    assert "base" in built.words()[0]
    built.hit(TAB)
    assert "ground" in built.words()[0]
    built.click(0.0, 0.0, 0.3)
    assert edits.bodies_of(built.model, "hinge_1") == ("ground", "wheel")


def test_alt_lists_all_pairs(built):
    built.take(tool_named("revolute", 3)).click(0.0, 0.0, 0.3, held=ALT)
    assert len(built.tool.choices) > 1
    ground = next(n for n, c in enumerate(built.tool.choices) if "ground" in c.label)
    built.tool.choose(ground)
    assert "ground" in edits.bodies_of(built.model, "hinge_1")


def test_a_click_on_the_round_face_of_a_shaft_means_its_axle(built):
    built.take(tool_named("cylindrical", 3))
    built.click(0.15, 0.0, 0.25)  # on the rim, seen from there
    place = edits.joint_point(built.model, "cylindrical_1")
    assert place[:2] == pytest.approx((0.0, 0.0), abs=1e-9)
    axis = edits.joint_frame(built.model, "cylindrical_1").R[:, 2]
    assert abs(axis[2]) == pytest.approx(1.0)


def test_a_slider_goes_where_it_is_dragged(built):
    built.take(tool_named("prismatic", 3)).drag((0.2, 0.15, 0.2), (0.2, -0.1, 0.2))
    axis = edits.joint_frame(built.model, "slider_1").R[:, 2]
    assert axis == pytest.approx((0, -1, 0), abs=1e-6)


def test_where_nothing_can_be_joined_a_sentence_says_why(built):
    built.take(tool_named("revolute", 3)).click(3, 3, 0)
    assert "no body here" in built.complaints[-1]
    built.document.edit("Fix", edits.with_ground_toggled(built.model, ["base", "wheel"]))
    built.click(0, 0, 0.3)
    assert "part of the ground" in built.complaints[-1]


def test_a_wheel_rolls_on_the_ground(hand):
    m = Mechanism(dim=3)
    m.cylinder((0, -0.05, 0.2), (0, 0.05, 0.2), 0.2, id="wheel")
    hand.document.edit("Draw", m.model)
    hand.take(RollingTool).click(0, -0.05, 0.25)
    assert gap_and_dof(hand.model) == (pytest.approx(0.0, abs=FULL), 3)
    hand.take(RollingTool).click(2, 2, 0)
    assert "cylinder" in hand.complaints[-1]


def test_gears_motors_and_stops_work_on_joints_in_space(hand):
    m = Mechanism(dim=3)
    for n, x in enumerate((0.0, 0.3)):
        wheel = m.cylinder((x, 0, 0), (x, 0, 0.05), 0.15)
        m.revolute("ground", wheel, (x, 0, 0.05), axis=(0, 0, 1.0 if n == 0 else -1.0))
    hand.document.edit("Draw", m.model)
    hand.take(GearTool3D)
    hand.click(0, 0, 0.05)
    hand.click(0.3, 0, 0.05)
    gear = hand.model["gear_1"]
    assert gear.inside  # the axes are opposite, so outer wheels turn the same way about them
    assert gear.radii(hand.model) == (0.15, 0.15)
    hand.take(MotorTool3D).click(0, 0, 0.05)
    assert hand.tool.choices
    hand.tool.choose(0)
    assert hand.model["motor_1"].joint == "revolute_1"
    hand.take(LimitsTool3D).click(0.3, 0, 0.05)
    assert hand.model["joint_limits_1"].joint == "revolute_2"
    hand.take(tool_named("spring", 3)).click(0.3, 0, 0.05)
    assert hand.model["torsion_spring_1"].joint == "revolute_2"
    assert gap_and_dof(hand.model) == (pytest.approx(0.0, abs=FULL), 0)


# --- from body to body, loads, velocities, marks


def test_a_spring_and_a_rod_go_from_body_to_ground(built):
    built.take(tool_named("spring", 3)).drag((0.25, 0.15, 0.2), (1.0, 1.0, 0.0))
    built.take(tool_named("rod", 3)).drag((-0.25, 0.15, 0.2), (-1.0, 1.0, 0.0))
    built.take(tool_named("trigger", 3)).drag((0.05, 0.05, 0.3), (0.5, -0.8, 0.0))
    assert built.kinds()[2:] == ["spring", "rod", "trigger"]
    assert edits.bodies_of(built.model, "spring_1") == ("base", "ground")
    assert gap_and_dof(built.model)[0] < FULL


def test_a_circle_lies_in_the_face_where_it_begins(built):
    built.take(tool_named("point_on_circle", 3)).drag((0.0, 0.0, 0.3), (0.25, 0.15, 0.2))
    ring = built.model["point_on_circle_1"]
    assert edits.bodies_of(built.model, ring.id) == ("wheel", "base") and ring.radius is None
    z = edits.space_marker(built.model, ring.marker_i).R[:, 2]
    assert z[2] > 0.9  # upright but for the height between the two points
    assert gap_and_dof(built.model)[0] < FULL


def test_a_force_is_dragged_along_an_axis_and_typed(built):
    built.take(ForceTool3D)
    built.press(0.05, 0.0, 0.3)
    built.move(0.05, 0.0, 0.6)
    assert "+z" in built.words()[0]
    built.type("12.5")
    built.hit(ENTER)
    force = built.model["force_1"]
    assert (force.f_x, force.f_y, force.f_z) == (0.0, 0.0, 12.5)
    built.take(TorqueTool3D).drag((0.05, 0.0, 0.3), (0.3, 0.0, 0.3))
    torque = built.model["torque_1"]
    assert torque.t_x > 0.0 and torque.t_y == torque.t_z == 0.0
    built.take(ForceTool3D).press(2, 2, 0)
    assert "press on one that can move" in built.complaints[-1]


def test_a_velocity_and_a_spin_are_drawn_and_typed(built):
    built.take(VelocityTool)
    built.press(0.05, 0.0, 0.3)
    built.move(0.5, 0.0, 0.3)
    built.type("2")
    built.hit(ENTER)
    assert built.model["wheel"].velocity == (2.0, 0.0, 0.0)
    turned = edits.turned(built.model, ["wheel"], (1.0, 0.0, 0.0), np.pi / 2, (0.0, 0.0, 0.25))
    built.document.edit("Turn", turned)
    built.press(0.0, 0.0, 0.25, held=SHIFT)
    built.type("50")
    built.hit(ENTER)
    w = np.array(built.model["wheel"].angular_velocity)
    assert w == pytest.approx((0, 0, 50), abs=1e-9)  # about its axle, in body axes
    axis = edits.space_frame(built.model, "wheel").R @ w
    assert abs(axis[1]) == pytest.approx(50.0)


def test_a_spin_turns_a_held_body_about_the_point_that_holds_it():
    m = Mechanism(dim=3)
    box = m.box((1, 0, 0), 0.2, 0.2, 0.2)
    m.spherical("ground", box, (0, 0, 0))
    after = edits.with_spin(m.model, box, (0.0, 0.0, 3.0))
    assert after[box].velocity is None  # the joint says what it is
    start = assemble(compile_model(after))
    assert start.v == pytest.approx((0.0, 3.0, 0.0, 0.0, 0.0, 3.0), abs=1e-12)


def test_air_drag_is_put_on_a_body(built):
    (tool,) = (tool for tool in TOOLS3D if tool.name == "air_drag")
    built.take(tool).click(0.05, 0.05, 0.3)
    assert edits.bodies_of(built.model, "air_drag_1") == ("wheel",)


def test_a_tracer_is_put_on_a_body(built):
    built.take(TracerTool3D).click(0.05, 0.05, 0.3)
    assert edits.bodies_of(built.model, "tracer_1") == ("wheel",)


def test_two_shafts_are_joined_by_a_universal_joint_where_the_second_begins(hand):
    hand.take(RodTool3D)
    hand.click(-0.4, 0, 0)
    hand.click(0, 0, 0)
    hand.take(RodTool3D)
    hand.click(0, 0, 0)
    hand.move(0.3, 0.2, 0)
    for _ in range(3):
        hand.hit(TAB)
    assert "universal joint" in " ".join(hand.words())
    hand.click(0.3, 0.2, 0)
    assert [e.kind for e in hand.model.of("joint")] == ["universal"]
    assert gap_and_dof(hand.model) == (pytest.approx(0.0, abs=FULL), 8)


def test_a_joint_that_would_hold_a_point_twice_takes_the_place_of_the_other(hand):
    hand.take(RodTool3D)
    for x, y in ((-0.4, 0), (0, 0), (0, 0), (0.3, 0.2)):
        hand.click(x, y, 0)
    assert [e.kind for e in hand.model.of("joint")] == ["spherical"]
    hand.take(tool_named("universal", 3))
    hand.move(0, 0, 0)
    assert "instead of ball_joint_1" in " ".join(hand.words())
    hand.click(0, 0, 0)
    assert [e.kind for e in hand.model.of("joint")] == ["universal"]
    assert len(hand.model.of("marker")) == 2 and hand.selection.ids == ("universal_joint_1",)
    hand.document.undo_stack.undo()
    assert [e.kind for e in hand.model.of("joint")] == ["spherical"]
