"""Fields that drive the mechanism: sizes, places, angles, points on bodies."""

from math import pi

import pytest

from engine.editing.edits.placing import marker_place
from engine.model.elements import remove
from tests.gui.forms.test_forms import crank, enter, field, panel

__all__ = ["panel"]


def test_a_typed_length_moves_the_pins_and_the_body_stays_on_the_ground(qtbot, panel):
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "shape.length").line, "1.4")
    model = panel.document.model
    assert model["rod_1"].shape.length == 1.4 and model["rod_1"].position == (0.7, 0.0)
    assert marker_place(model, model["spring_1"].marker_j) == (1.4, 0.0)
    panel.document.undo_stack.undo()
    assert panel.document.model == crank()


def test_a_typed_place_and_angle_are_marked_and_a_typed_angle_turns_about_the_pin(qtbot, panel):
    model = remove(panel.document.model, "motion_1")
    panel.document.edit("", model)
    panel.selection.set(["rod_1"])
    enter(qtbot, field(panel, "angle").line, "30")
    rod = panel.document.model["rod_1"]
    assert rod.angle == pytest.approx(pi / 6) and rod.angle_typed and not rod.position_typed
    assert marker_place(panel.document.model, "marker_2") == pytest.approx((0.0, 0.0), abs=1e-12)


def test_a_tied_point_tells_what_it_is_tied_to_and_takes_sizes(qtbot, panel):
    panel.selection.set(["spring_1"])
    panel.bring_up_to_date()
    row = [r for r in panel.form.rows if r.place.name == "position"][1]
    assert row.field.parts[0].line.text() == "0.5"
    assert row.field.parts[0].line.toolTip() == "shape.length/2"
    assert row.field.words.text() == "end B of crank" and row.field.chain.isVisible()
    enter(qtbot, row.field.parts[0].line, "shape.length/4")
    marker = panel.document.model[panel.document.model["spring_1"].marker_j]
    assert marker.position == ("shape.length/4", 0.0)
    row.field.chain.click()
    marker = panel.document.model[panel.document.model["spring_1"].marker_j]
    assert marker.position == (0.25, 0.0) and not row.field.chain.isVisible()


def test_another_body_for_a_pin_keeps_its_place_and_the_step_names_the_joint(qtbot, panel):
    panel.selection.set(["revolute_1"])
    panel.bring_up_to_date()
    row = [r for r in panel.form.rows if r.place.name == "body"][1]
    marker = panel.document.model["revolute_1"].marker_j
    was = marker_place(panel.document.model, marker)
    row.field.meant.emit("disc_1")
    assert panel.document.model[marker].body == "disc_1"
    assert marker_place(panel.document.model, marker) == pytest.approx(was, abs=1e-12)
    assert panel.document.undo_stack.undo_text() == "Change body of revolute_1"
