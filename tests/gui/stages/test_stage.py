"""The stage with real events: navigation, selection, dragging with closed joints, live mode."""

from math import cos, hypot, radians, sin

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication

from assets.make_examples import crane_trolley, four_bar
from engine.editing.builder import Mechanism
from engine.editing.edits.placing import marker_frame
from engine.model.elements import GROUND
from engine.running.simulate import run
from tests.engine.kinematics.test_dragging import CLOSED, gap
from tests.gui.stage_events import Hand

ALT, CTRL, SHIFT = (
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
CRANK_PIN = (cos(radians(60)), sin(radians(60)))
ON_CRANK = (0.6 * CRANK_PIN[0], 0.6 * CRANK_PIN[1])


@pytest.fixture
def hand(qtbot):
    """A stage with the four-bar."""
    return Hand(qtbot, four_bar().model)


def wheel(view, at, notches):
    """Turn the wheel at a place of the viewport."""
    turned = QPoint(0, 120 * notches)
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    place = QPointF(view.viewport().mapToGlobal(at.toPoint()))
    event = QWheelEvent(at, place, QPoint(), turned, *none, False)
    QApplication.sendEvent(view.viewport(), event)


def test_the_wheel_zooms_at_the_cursor(hand):
    at, view = QPointF(300.0, 220.0), hand.view
    before, scale = view.to_world(at), view.scale_of_pixel()
    wheel(view, at, 3)
    after = view.to_world(at)
    assert view.scale_of_pixel() == pytest.approx(scale / 1.2**3)
    pixel = view.scale_of_pixel()
    assert hypot(after[0] - before[0], after[1] - before[1]) < 2.5 * pixel  # one pixel each way
    wheel(view, at, -3)
    assert view.scale_of_pixel() == pytest.approx(scale)


def test_the_middle_button_pans_and_zero_fits_again(qtbot, hand):
    view = hand.view
    camera = view.camera.state
    start = view.to_world(QPointF(200.0, 200.0))
    hand.drag(QPoint(200, 200), QPoint(330, 260), button=Qt.MouseButton.MiddleButton)
    assert view.to_world(QPointF(330.0, 260.0)) == pytest.approx(
        start, abs=3 * view.scale_of_pixel()
    )
    assert view.camera.state != camera and hand.document.undo_stack.count() == 0
    hand.key(Qt.Key.Key_0)
    qtbot.waitUntil(lambda: view.camera.state == pytest.approx(camera))


def test_everything_is_in_sight_after_fitting_and_stays_so_when_resized(qtbot, hand):
    def is_seen():
        inside = hand.view.viewport().rect().adjusted(20, 20, -20, -20)
        placement = hand.view.stage_scene.placement
        ends = [placement.marker_at(hand.model[joint].marker_j)[:2] for joint in "ABCD"]
        return all(inside.contains(hand.pixels(tuple(end))) for end in ends)

    for size in ((900, 600), (500, 700), (1500, 400)):
        hand.view.resize(*size)
        qtbot.waitUntil(is_seen)  # the view glides


def test_places_go_to_pixels_and_back(hand):
    for place in ((0.0, 0.0), (2.345, -0.678)):
        there = hand.view.to_world(hand.view.to_pixels(*place))
        assert there == pytest.approx(place, abs=1e-9)
    a, b = hand.view.to_pixels(0.0, 0.0), hand.view.to_pixels(1.0, 0.0)
    assert b.x() - a.x() == pytest.approx(1.0 / hand.view.scale_of_pixel(), abs=1e-6)
    assert hand.view.to_pixels(0.0, 1.0).y() < a.y()  # y is up


def test_a_click_selects_shift_adds_and_empty_space_clears(hand):
    hand.click(ON_CRANK)
    assert hand.selection.ids == ("crank",)
    hand.click((0.0, 0.0), SHIFT)
    assert hand.selection.ids == ("crank", "A")
    hand.click((0.0, 0.0), SHIFT)
    assert hand.selection.ids == ("crank",)
    hand.click((1.5, -0.3))
    assert hand.selection.ids == ()
    assert hand.document.undo_stack.count() == 0


def test_clicking_again_selects_what_lies_below(hand):
    seen = []
    for _ in range(4):
        hand.click(CRANK_PIN)
        seen.append(hand.selection.ids)
    assert seen == [("B",), ("coupler",), ("crank",), ("B",)]


def test_what_was_selected_below_can_be_dragged(hand):
    hand.click(CRANK_PIN)
    hand.click(CRANK_PIN)
    assert hand.selection.ids == ("coupler",)
    hand.drag(CRANK_PIN, (0.0, 1.0))
    assert hand.selection.ids == ("coupler",) and gap(hand.model) < CLOSED
    assert hand.document.undo_stack.count() == 1


def test_the_mouse_over_a_thing_hovers_it(hand):
    hand.move(ON_CRANK)
    assert hand.selection.hovered == "crank"
    hand.move((1.5, -0.3))
    assert hand.selection.hovered == ""


def test_a_box_selects_and_shift_adds_to_what_was_selected(hand):
    hand.drag((-0.3, 1.3), (0.8, -0.3))
    assert hand.selection.ids == ("crank", "A", "B")
    hand.drag((2.6, 2.75), (3.4, -0.3), SHIFT)
    assert set(hand.selection.ids) == {"crank", "A", "B", "C", "D", "rocker"}


def test_dragging_a_pin_moves_the_mechanism_and_keeps_all_joints_closed(hand):
    before = hand.model
    hand.drag(CRANK_PIN, (0.0, 1.0))
    assert hand.document.undo_stack.count() == 1
    assert gap(hand.model) < CLOSED
    pin = marker_frame(hand.model, hand.model["B"].marker_j)
    assert (pin.x, pin.y) == pytest.approx((0.0, 1.0), abs=hand.view.scale_of_pixel())
    assert hand.model["crank"].shape == before["crank"].shape
    hand.document.undo_stack.undo()
    assert hand.model is before
    hand.document.undo_stack.redo()
    assert gap(hand.model) < CLOSED


def test_while_it_is_dragged_only_a_preview_changes_and_escape_restores_it(hand):
    before = hand.model
    hand.press(ON_CRANK)
    for n in range(1, 6):
        hand.move((ON_CRANK[0] - 0.1 * n, ON_CRANK[1]))
    assert hand.model is before and hand.document.shown is not before
    assert gap(hand.document.shown) < CLOSED
    hand.key(Qt.Key.Key_Escape)
    assert hand.document.shown is before
    hand.release((0.0, 0.0))
    assert hand.model is before and hand.document.undo_stack.count() == 0


def test_a_trembling_click_drags_nothing(hand):
    before = hand.model
    place = hand.pixels(ON_CRANK)
    hand.drag(place, place + QPoint(2, 1))
    assert hand.model is before and hand.selection.ids == ("crank",)


def test_the_drag_of_a_free_body_keeps_its_angle_and_snaps_its_corner(qtbot):
    m = Mechanism()
    m.box((0, 0), 0.4, 0.2, id="box", angle=0.0)
    m.box((2, 1), 0.4, 0.2, id="other")
    hand = Hand(qtbot, m.model)
    hand.drag((0.2, 0.1), (1.812, 0.905))  # its upper right corner near the lower left of the other
    assert hand.model["box"].position == pytest.approx((1.6, 0.8))
    assert hand.model["box"].angle == 0.0
    hand.drag((1.8, 0.9), (0.507, 0.303), CTRL)
    assert hand.model["box"].position != pytest.approx((0.3, 0.2), abs=1e-6)  # not on the grid


def test_alt_drag_turns_a_free_body_and_stops_at_round_angles(qtbot):
    m = Mechanism()
    m.box((0, 0), 0.4, 0.2, id="box", angle=0.0)
    hand = Hand(qtbot, m.model)
    hand.drag((0.15, 0.0), (0.15 * cos(radians(44)), 0.15 * sin(radians(44))), ALT)
    assert hand.model["box"].angle == pytest.approx(radians(45))
    assert hand.model["box"].position == pytest.approx((0.0, 0.0))
    hand.document.undo_stack.undo()
    assert hand.model is m.model


def test_several_selected_parts_move_as_one_with_their_ground(hand):
    hand.drag((-0.5, 3.0), (3.5, -0.5))
    assert len(hand.selection.ids) == 7
    before = hand.model
    hand.drag((1.0, 1.16), (1.7, 1.66))
    assert gap(hand.model) < CLOSED
    shifts = {
        (
            round(hand.model[id].position[0] - before[id].position[0], 9),
            round(hand.model[id].position[1] - before[id].position[1], 9),
        )
        for id in ("crank", "coupler", "rocker", *_ground_markers(before))
    }
    assert len(shifts) == 1 and next(iter(shifts)) != (0.0, 0.0)


def _ground_markers(model):
    return [m.id for m in model.of("marker") if m.body == GROUND]


def test_a_pin_on_the_ground_takes_the_mechanism_along(hand):
    hand.drag((0.0, 0.0), (0.3, 0.2))
    assert gap(hand.model) < CLOSED
    pin = marker_frame(hand.model, hand.model["A"].marker_j)
    assert (pin.x, pin.y) == pytest.approx((0.3, 0.2), abs=hand.view.scale_of_pixel())


def test_alt_drag_of_a_pin_changes_the_links(hand):
    hand.drag(CRANK_PIN, (0.2, 1.4), ALT)
    assert hand.model["crank"].shape.length == pytest.approx(hypot(0.2, 1.4), abs=0.01)
    assert gap(hand.model) < CLOSED
    hand.document.undo_stack.undo()
    assert hand.model["crank"].shape.length == pytest.approx(1.0)


def test_the_end_of_a_spring_is_hung_on_another_body_by_dragging(qtbot):
    hand = Hand(qtbot, crane_trolley().model)
    end = hand.model["wall"].marker_i
    hand.click((-1.5, 0.03))
    assert hand.selection.ids == ("wall",)
    hand.drag((-2.0, 0.0), (-2.0, 0.5))
    assert hand.model[end].body == GROUND
    assert hand.model[end].position == pytest.approx((-2.0, 0.5), abs=hand.view.scale_of_pixel())
    target = marker_frame(hand.model, hand.model["hinge"].marker_j)
    hand.drag((-2.0, 0.5), (target.x + 0.5 * cos(radians(-30)), target.y + 0.5 * sin(radians(-30))))
    assert hand.model[end].body == "load"


def test_what_cannot_move_says_so_and_stays(qtbot):
    m = Mechanism()
    beam = m.rod((0, 0), (1, 0), mass=1.0, id="beam")
    m.revolute("ground", beam, (0, 0), id="A")
    m.revolute("ground", beam, (1, 0), id="B")
    hand = Hand(qtbot, m.model)
    hand.drag((0.4, 0.0), (0.4, 0.4))
    assert hand.model is m.model
    assert len(hand.said) == 1 and "'A'" in hand.said[0]


def test_a_force_is_turned_by_its_head_and_moved_by_its_tail(qtbot):
    m = Mechanism()
    m.box((0, 0), 0.4, 0.2, id="box")
    m.force("box", (0.2, 0.0), (30.0, 0.0), id="push")
    hand = Hand(qtbot, m.model)
    pixel = hand.view.scale_of_pixel()
    hand.drag((0.2 + 55 * pixel, 0.0), (0.2, 55 * pixel), CTRL)
    force = hand.model["push"]
    assert hypot(force.f_x, force.f_y) == pytest.approx(30.0)
    assert force.f_y == pytest.approx(30.0, rel=1e-2)


def test_arrow_keys_nudge_by_the_grid_and_shift_by_a_tenth_of_it(qtbot):
    m = Mechanism()
    m.box((0, 0), 0.4, 0.2, id="box")
    hand = Hand(qtbot, m.model)
    hand.click((0.05, 0.05))
    hand.key(Qt.Key.Key_Right)
    step = hand.model["box"].position[0]
    assert step > 5 * hand.view.scale_of_pixel()
    hand.key(Qt.Key.Key_Up, SHIFT)
    assert hand.model["box"].position == pytest.approx((step, 0.1 * step))
    hand.document.undo_stack.undo()
    hand.document.undo_stack.undo()
    assert hand.model is m.model


def test_a_nudge_of_a_mechanism_keeps_its_joints_closed(hand):
    hand.click(ON_CRANK)
    hand.key(Qt.Key.Key_Left)
    assert hand.document.undo_stack.count() == 1 and gap(hand.model) < CLOSED


def test_arrow_keys_are_left_to_the_transport_while_there_is_a_run(hand):
    hand.click(ON_CRANK)
    assert hand.view.active_tool.wants_key(Qt.Key.Key_Left, "", Qt.KeyboardModifier.NoModifier)
    hand.playback.start(run(hand.model, t_end=0.1), None)
    assert not hand.view.active_tool.wants_key(Qt.Key.Key_Left, "", Qt.KeyboardModifier.NoModifier)
    hand.key(Qt.Key.Key_Left)
    assert hand.document.undo_stack.count() == 0


def test_a_frame_of_a_run_is_not_dragged_but_explained(hand):
    hand.playback.start(run(hand.model, t_end=0.2), None)
    hand.playback.set_time(0.1)
    before = hand.model
    x, y = hand.view.stage_scene.placement.pose.centers[0]
    hand.drag((x, y), (x - 0.3, y))
    assert hand.model is before and "run" in hand.said[0]


def test_a_drag_at_the_start_of_a_run_leaves_it_as_a_ghost(hand):
    hand.playback.start(run(hand.model, t_end=0.2), None)
    hand.drag(ON_CRANK, (ON_CRANK[0] - 0.3, ON_CRANK[1]))
    assert hand.document.undo_stack.count() == 1 and not hand.said
    assert hand.playback.current is None and len(hand.playback.ghosts) == 1


def test_a_double_click_asks_for_the_form(qtbot, hand):
    with qtbot.waitSignal(hand.view.edit_requested) as asked:
        hand.double_click(ON_CRANK)
    assert asked.args == ["crank"] and hand.selection.ids == ("crank",)


def test_the_context_menu_is_asked_for_with_what_is_under_the_mouse(qtbot, hand):
    from PySide6.QtGui import QContextMenuEvent

    for place, ids in (((0.0, 0.0), ("A",)), ((1.5, -0.3), ())):
        at = hand.pixels(place)
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, at, hand.view.viewport().mapToGlobal(at)
        )
        with qtbot.waitSignal(hand.view.context_menu_requested) as asked:
            QApplication.sendEvent(hand.view.viewport(), event)
        assert asked.args[0] == ids


def test_live_mode_pulls_bodies_on_a_spring_and_edits_nothing(qtbot, hand):
    started, moved, ended = [], [], []
    hand.view.is_live = True
    hand.view.pull_started.connect(lambda *what: started.append(what))
    hand.view.pull_moved.connect(moved.append)
    hand.view.pull_ended.connect(lambda: ended.append(True))
    before = hand.model
    hand.drag(ON_CRANK, (0.0, 1.0), steps=4)
    assert len(started) == 1 and started[0][0] == "crank"
    # The crank is grabbed 0.6 m from its pin, which is 0.5 m behind its middle.
    assert started[0][1] == pytest.approx((0.1, 0.0), abs=hand.view.scale_of_pixel())
    assert len(moved) >= 4 and moved[-1] == pytest.approx(
        (0.0, 1.0), abs=hand.view.scale_of_pixel()
    )
    assert ended == [True] and hand.model is before


def test_losing_a_part_by_undo_during_a_drag_does_no_harm(hand):
    hand.drag(CRANK_PIN, (0.0, 1.0))
    hand.press((0.0, 0.5))
    hand.move((0.2, 0.5))
    hand.document.undo_stack.undo()
    hand.move((0.3, 0.5))
    hand.release((0.3, 0.5))
    assert gap(hand.model) < CLOSED
