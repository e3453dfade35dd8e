"""Selecting, moving and turning in space: handles, typed values, closed joints, and one step of undo."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from gui.placing.plane.snapping import grid_step
from gui.tools.base import NO_MODIFIER, SHIFT
from gui.tools.space.select import SelectTool3D
from tests.gui.sight_hand import PIXEL, SpaceHand

ENTER, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def hand(qapp):
    """A hand before a free box and a pendulum on a hinge along y."""
    m = Mechanism(dim=3)
    m.box((2, 0, 0.1), 0.4, 0.4, 0.2, id="box")
    m.rod((0, 0, 1), (0.6, 0, 1), id="arm")
    m.revolute("ground", "arm", (0, 0, 1), axis=(0, 1, 0), id="hinge")
    return SpaceHand(m.model).take(SelectTool3D)


def closed(model):
    """Whether the drawing has no gap."""
    return assemble(compile_model(model)).drawn_gap < 1e-9


def test_a_click_selects_shift_adds_and_a_click_beside_everything_clears(hand):
    hand.click(2, 0, 0.2)
    assert hand.selection.ids == ("box",)
    hand.click(0.4, 0, 1.0, held=SHIFT)
    assert hand.selection.ids == ("box", "arm")
    hand.click(5, 5, 0)
    assert hand.selection.ids == ()


def test_turning_the_view_beside_the_model_keeps_the_selection(hand):
    hand.click(2, 0, 0.2)
    hand.drag((5, 5, 0), (6, 5, 0))
    assert hand.selection.ids == ("box",)


def test_a_selected_body_has_handles_in_its_mass_centre_and_a_run_takes_them_away(hand):
    assert hand.tool.preview.gizmo is None
    hand.selection.set(["box"])
    assert hand.tool.preview.gizmo.at == pytest.approx((2, 0, 0.1))
    playback = hand.stage.playback
    for time, has in ((0.0, True), (0.5, False), (0.0, True)):
        playback.current, playback.time = object(), time
        playback.time_changed.emit(time)
        assert (hand.tool.preview.gizmo is not None) == has
    hand.stage.is_live = True
    hand.selection.set(["arm"])
    assert hand.tool.preview.gizmo is None


def test_an_arrow_moves_along_its_axis_on_the_grid_and_is_one_step_of_undo(hand):
    hand.selection.set(["box"])
    before = hand.model
    hand.press(2.1, 0, 0.1, handle="x")
    hand.move(2.3, 0, 0.1, handle="x")
    assert hand.document.shown is not hand.model is before
    assert "0.2 m" in hand.words()[0] and hand.tool.preview.gizmo.active == "x"
    hand.release(2.35, 0, 0.1, handle="x")
    step = grid_step(PIXEL)
    x = hand.model["box"].position[0] - 2.0
    assert x == pytest.approx(0.25, abs=step) and x / step == pytest.approx(round(x / step))
    assert hand.model["box"].position[1:] == (0.0, 0.1)
    hand.document.undo_stack.undo()
    assert hand.model is before


def test_a_distance_is_typed_with_its_unit(hand):
    hand.selection.set(["box"])
    hand.press(2, 0, 0.3, handle="z")
    hand.move(2, 0, 0.5, handle="z")
    hand.type("350 mm")
    assert hand.tool.preview.labels[0].field
    hand.hit(ENTER)
    assert hand.model["box"].position == pytest.approx((2.0, 0.0, 0.45))
    assert hand.document.undo_stack.count() == 1
    hand.release(2, 0, 0.5)
    assert hand.document.undo_stack.count() == 1


def test_a_plane_moves_in_two_directions_and_control_leaves_the_grid(hand):
    hand.selection.set(["box"])
    hand.drag((2.1, 0.1, 0.1), (2.1333, 0.0777, 0.1), held=CTRL, handle="xy")
    assert hand.model["box"].position == pytest.approx((2.0333, -0.0223, 0.1), abs=1e-9)


def test_a_ring_turns_by_steps_and_by_a_typed_angle(hand):
    hand.selection.set(["box"])
    hand.press(2.3, 0, 0.1, handle="turn_z")
    hand.move(2.0 + 0.3 * np.cos(0.6), 0.3 * np.sin(0.6), 0.1, handle="turn_z")
    assert "35°" in hand.words()[0]
    hand.move(2.0 + 0.3 * np.cos(0.6), 0.3 * np.sin(0.6), 0.1, held=SHIFT, handle="turn_z")
    assert "30°" in hand.words()[0]
    hand.type("90")
    hand.hit(ENTER)
    R = edits.space_frame(hand.model, "box").R
    assert R[:, 0] == pytest.approx((0, 1, 0), abs=1e-12)
    assert hand.model["box"].position == pytest.approx((2, 0, 0.1), abs=1e-12)


def test_a_body_of_a_mechanism_keeps_its_joints_closed(hand):
    hand.drag((0.6, 0.0, 1.012), (0.35, 0.0, 0.5))
    assert hand.document.undo_stack.count() == 1
    R = edits.space_frame(hand.model, "arm").R
    assert R[2, 0] < -0.3 and R[1, 1] == pytest.approx(1.0)
    assert closed(hand.model)
    assert edits.joint_point(hand.model, "hinge") == pytest.approx((0, 0, 1))


def test_a_ring_turns_a_hinged_body_about_its_hinge(hand):
    hand.selection.set(["arm"])
    hand.press(0.5, 0, 1.0, handle="turn_y")
    hand.type("30")
    assert "30" in hand.words()[0]  # what is typed is seen before the mouse moves
    hand.hit(ENTER)
    x = edits.space_frame(hand.model, "arm").R[:, 0]
    assert x == pytest.approx((np.cos(np.pi / 6), 0, -0.5), abs=1e-9)
    assert closed(hand.model)


def test_the_gizmo_of_a_joint_moves_and_turns_it_on_its_bodies(hand):
    hand.selection.set(["hinge"])
    assert hand.tool.preview.gizmo.at == pytest.approx((0, 0, 1))
    hand.press(0, 0, 1.1, handle="turn_x")
    hand.type("90")
    hand.hit(ENTER)
    assert hand.model["arm"] is hand.document.undo_stack.step(0).before["arm"]
    frame = edits.joint_frame(hand.model, "hinge")
    assert abs(frame.R[1, 2]) < 1e-9 and closed(hand.model)
    hand.press(0, 0, 1.1, handle="z")
    hand.type("0.1")
    hand.hit(ENTER)
    assert closed(hand.model)


def test_a_free_body_follows_the_mouse_in_the_plane_that_faces_the_eye(hand):
    start = np.array(edits.space_frame(hand.model, "box").place)
    hand.drag((2.0, 0.0, 0.2), (2.3, 0.4, 0.5))
    way = np.array(edits.space_frame(hand.model, "box").place) - start
    assert np.linalg.norm(way) > 0.2 and way @ hand.sight == pytest.approx(0.0, abs=1e-9)


def test_escape_puts_everything_back(hand):
    before = hand.model
    hand.selection.set(["box"])
    hand.press(2.1, 0, 0.1, handle="x")
    hand.move(2.4, 0, 0.1, handle="x")
    hand.type("5")
    assert hand.tool.cancel() and hand.tool.is_busy
    assert hand.tool.cancel() and not hand.tool.is_busy
    assert hand.model is before is hand.document.shown
    assert hand.tool.preview.gizmo is not None


def test_arrow_keys_nudge_along_the_view(hand):
    hand.selection.set(["box"])
    hand.move(5, 5, 0)
    for key, held in ((Qt.Key.Key_Right, NO_MODIFIER), (Qt.Key.Key_Up, SHIFT)):
        assert hand.tool.wants_key(key, "", held) and hand.tool.key(key, "", held)
    step = grid_step(PIXEL)
    moved = np.array(hand.model["box"].position) - (2.0, 0.0, 0.1)
    assert sorted(np.abs(moved)) == pytest.approx([0.0, 0.1 * step, step])
    assert hand.document.undo_stack.count() == 2


def test_what_cannot_move_says_why(hand):
    model, _ = edits.joint(
        hand.model, "weld", edits.Pair("ground", "box"), (2.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)
    )
    hand.document.edit("Weld", model)
    hand.drag((2.0, 0.0, 0.2), (2.3, 0.4, 0.5))
    assert "no degree of freedom" in hand.complaints[-1] and hand.model is model


def test_in_live_mode_a_body_is_pulled(hand):
    class Scene:
        """Where bodies are shown."""

        class placement:  # noqa: N801
            """The design pose."""

            @staticmethod
            def to_body(body, point):
                """A place in the frame of a body."""
                return edits.space_frame(hand.model, body).to_local(point)

    heard = []
    hand.stage.scene, hand.stage.is_live = Scene, True
    hand.stage.pull_started.connect(lambda *told: heard.append(told))
    hand.stage.pull_moved.connect(heard.append)
    hand.stage.pull_ended.connect(lambda: heard.append("end"))
    before = hand.model
    hand.drag((2.0, 0.0, 0.2), (2.3, 0.0, 0.3))
    assert heard[0][0] == "box" and heard[0][1] == pytest.approx((0.0, 0.0, 0.1), abs=1e-9)
    assert heard[-1] == "end" and len(heard) > 3 and hand.model is before


def test_a_double_click_asks_for_the_form(hand):
    asked = []
    hand.stage.edit_requested.connect(asked.append)
    hand.tool.double_click(hand.pick(2.0, 0.0, 0.2), NO_MODIFIER)
    assert asked == ["box"]


def test_the_end_of_a_spring_is_dragged_on_its_body(hand):
    model, spring = edits.between(
        hand.model, "spring", ("box", (2.0, 0.0, 0.2)), ("ground", (2.0, 0.0, 1.0))
    )
    hand.document.edit("Add", model)
    end = model[spring].marker_j
    for at, moves in (((2.0, 0.0, 1.0), True), ((2.0, 0.0, 0.6), False)):
        before = hand.model
        hand.tool.press(hand.pick(*at)._replace(element=spring, bodies=()), NO_MODIFIER)
        hand.move(2.3, 0.0, 1.3)
        hand.release(2.3, 0.0, 1.3)
        assert (hand.model is not before) == moves
    place = np.array(edits.space_marker(hand.model, end).place)
    assert np.cross(place - (2.3, 0.0, 1.3), hand.sight) == pytest.approx(np.zeros(3), abs=1e-9)


def test_shift_and_a_click_on_a_handle_add_the_body_behind_it(hand):
    hand.selection.set(["box"])
    before = hand.model
    hand.press(0.4, 0, 1.0, held=SHIFT, handle="x")
    hand.release(0.4, 0, 1.0, held=SHIFT, handle="x")
    assert hand.selection.ids == ("box", "arm") and hand.model is before
