"""Formulas typed into a gesture stay tied to their parameters, and joints follow."""

from math import hypot

import pytest
from PySide6.QtCore import Qt

from engine.compiling.system import compile_model
from engine.editing.edits import body_frame, marker_frame
from engine.formulas.resolve import resolved
from engine.kinematics.assemble import assemble
from engine.model.elements import Parameter, planar, put
from tests.gui.stage_hand import StageHand

ENTER, TAB = Qt.Key.Key_Return, Qt.Key.Key_Tab


@pytest.fixture
def hand(window):
    """A hand before an empty model with two parameters."""
    crank = Parameter(id="l_crank", value=0.5, low=0.0, high=2.0, unit="m")
    window.document.new(put(planar(), crank, Parameter(id="r", value=0.2)))
    hand = StageHand(window)
    hand.look_at(1, 0, 5)
    hand.stage.setFocus()
    return hand


def draw_link(hand, start, toward, formula):
    """Draw a link whose length is typed."""
    hand.hit(Qt.Key.Key_L)
    hand.click(*start)
    hand.move(*toward)
    hand.type(formula)
    hand.hit(ENTER)


def slide(window, name, share):
    """Drag the slider of a parameter to a place between its ends."""
    slider = window.parameters.rows[name].slider
    slider.setSliderDown(True)
    slider.setSliderPosition(round(share * slider.maximum()))
    slider.setSliderDown(False)


def length(model, id):
    """The length of a rod in numbers."""
    return resolved(model)[id].shape.length


def test_a_typed_formula_is_the_length_of_the_link_and_of_its_ends(hand):
    draw_link(hand, (0, 0), (1, 0.5), "2*l_crank")
    model = hand.window.document.model
    assert model["link_1"].shape.length == "2*l_crank" and length(model, "link_1") == 1.0
    hand.hit(Qt.Key.Key_R)
    hand.click(0, 0)
    model = hand.window.document.model
    on_link = next(m for m in model.of("marker") if m.body == "link_1")
    assert on_link.position == ("-shape.length/2", 0.0)


def test_a_linkage_follows_the_slider_with_its_joints_closed(hand):
    window = hand.window
    draw_link(hand, (0, 0), (0, 1), "2*l_crank")
    hand.hit(Qt.Key.Key_L)
    hand.click(0, 1)
    hand.click(2, 1.5)
    hand.hit(Qt.Key.Key_Escape)
    hand.hit(Qt.Key.Key_L)
    hand.click(2, 1.5)
    hand.click(2, 0)
    hand.hit(Qt.Key.Key_R, times=2)
    hand.click(0, 0)
    hand.click(2, 0)
    assert len(window.document.model.of("joint")) == 4
    assert assemble(compile_model(window.document.model)).drawn_gap < 1e-9
    slide(window, "l_crank", 0.4)  # 0.8 m
    model = window.document.model
    assert model["l_crank"].value == pytest.approx(0.8) and length(model, "link_1") == 1.6
    assert assemble(compile_model(model)).drawn_gap < 1e-9  # the drawing itself is closed
    ends = [marker_frame(model, m.id) for m in model.of("marker") if m.body == "link_1"]
    apart = max(hypot(a.x - b.x, a.y - b.y) for a in ends for b in ends)
    assert apart == pytest.approx(1.6)  # the pins are still at the ends of the crank
    window.document.undo_stack.undo()
    assert window.document.model["l_crank"].value == 0.5
    assert body_frame(window.document.model, "link_1")[:2] == pytest.approx((0, 0.5), abs=1e-6)


def test_boxes_discs_rods_and_springs_keep_formulas_too(hand):
    model = hand.window.document
    hand.hit(Qt.Key.Key_B)
    hand.press(0, 0)
    hand.move(1, 1, buttons=Qt.MouseButton.LeftButton)
    hand.type("3*r")
    hand.hit(TAB)
    hand.type("2*r")
    hand.hit(ENTER)
    hand.release(1, 1)
    assert (model.model["box_1"].shape.width, model.model["box_1"].shape.height) == ("3*r", "2*r")
    hand.hit(Qt.Key.Key_O)
    hand.press(2, 0)
    hand.move(2.3, 0, buttons=Qt.MouseButton.LeftButton)
    hand.type("(r)")
    hand.hit(ENTER)
    hand.release(2.3, 0)
    assert model.model["disc_1"].shape.radius == "(r)"
    hand.hit(Qt.Key.Key_X)
    hand.click(2, 0)
    hand.move(2, 1)
    hand.type("5*r")
    hand.hit(ENTER)
    (rod,) = model.model.of("joint")
    assert rod.length == "5*r" and assemble(compile_model(model.model)).drawn_gap < 1e-9
    slide(hand.window, "r", 0.6)
    assert assemble(compile_model(model.model)).drawn_gap < 1e-9


def test_numbers_stay_numbers_and_an_unknown_name_is_refused(hand):
    draw_link(hand, (0, 0), (1, 0), "0.75")
    assert hand.window.document.model["link_1"].shape.length == 0.75
    draw_link(hand, (0, 1), (1, 1), "2*nothing")
    assert "link_2" not in hand.window.document.model
    assert "nothing" in hand.window.toaster.text.text()
