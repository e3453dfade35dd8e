"""Orientation in forms: typed as angles or quaternion, read in every description, spins in two frames."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from engine.errors import EngineError
from engine.model.bodies import SpatialMarker
from engine.model.elements import Parameter, planar, put, spatial
from gui.forms.orientation.converter import Converter
from gui.forms.orientation.fields import read_numbers
from gui.forms.orientation.representations import listed, near_lock_words
from gui.forms.panel import PropertiesPanel
from gui.state.document import Document
from gui.state.selection import Selection
from rotations import convert, euler_angles, quaternion
from tests.gui.orientation_models import flyer


@pytest.fixture
def panel(qtbot, preferences):
    """The properties of a body in space that is turned and turns, shown."""
    document, selection = Document(), Selection()
    q = euler_angles.quaternion("1-2-3", np.radians([30.0, 40.0, 10.0]))
    model = flyer((1.0, 2.0, 3.0))
    body = replace(model.of("body")[0], orientation=tuple(map(float, q)))
    document.new(put(model, body, Parameter(id="tilt", value=0.5)))
    preferences.set("angle_unit", "deg")
    shown = PropertiesPanel(document, selection, preferences)
    shown.id = body.id
    qtbot.addWidget(shown)
    shown.resize(320, 900)
    shown.show()
    qtbot.waitExposed(shown)
    selection.set([body.id])
    shown.bring_up_to_date()
    return shown


def field(panel, name):
    """The editor of a field."""
    panel.bring_up_to_date()
    return next(r.field for r in panel.form.rows if r.field.objectName() == name)


def type_in(qtbot, panel, line, text):
    """Type a text over what stands there, and Enter."""
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    panel.bring_up_to_date()


def body(panel):
    """The body as it is now."""
    return panel.document.model[panel.id]


def angles(panel, sequence="1-2-3"):
    """Its Euler angles in degrees."""
    return np.degrees(convert(body(panel).orientation, "quaternion", sequence))


def test_angles_of_the_input_sequence_are_shown_with_other_descriptions(panel):
    orientation = field(panel, "orientation")
    assert [part.line.text() for part in orientation.parts] == ["30", "40", "10"]
    assert not orientation.line.isVisible()
    assert "Quaternion: " in orientation.note.text() and "Axis and angle" in orientation.note.text()
    assert orientation.caption.text() == "angles 1-2-3"


def test_typing_an_angle_changes_exactly_that_angle(qtbot, panel):
    before = panel.document.model
    type_in(qtbot, panel, field(panel, "orientation").parts[1].line, "1 rad")
    assert angles(panel) == pytest.approx([30.0, np.degrees(1.0), 10.0])
    assert panel.document.undo_stack.count() == 1
    panel.document.undo_stack.undo()
    assert panel.document.model is before


def test_what_was_typed_stays_as_it_was_typed(qtbot, panel):
    # 140 degrees lie outside -90..90: the quaternion alone would give another set of angles.
    type_in(qtbot, panel, field(panel, "orientation").parts[1].line, "140")
    assert [part.line.text() for part in field(panel, "orientation").parts] == ["30", "140", "10"]


def test_a_formula_becomes_a_number_and_says_so(qtbot, panel):
    line = field(panel, "orientation").parts[0]
    line.line.setFocus()
    line.line.selectAll()
    qtbot.keyClicks(line.line, "2*tilt")
    assert "kept as a number" in line.note.text()
    qtbot.keyClick(line.line, Qt.Key.Key_Return)
    assert angles(panel) == pytest.approx([np.degrees(1.0), 40.0, 10.0])


def test_a_point_cannot_lock(qtbot, panel):
    q = euler_angles.quaternion("1-2-3", np.radians([0.0, 90.0, 0.0]))
    point = SpatialMarker(id="point", body=panel.id, orientation=tuple(map(float, q)))
    panel.document.new(put(panel.document.model, point))
    panel.selection.set(["point"])
    note = field(panel, "orientation").note
    assert "lock" not in note.text() and note.property("role") == "quiet"


def test_nonsense_is_refused_with_a_sentence(qtbot, panel):
    before = panel.document.model
    line = field(panel, "orientation").parts[0]
    type_in(qtbot, panel, line.line, "3 kg")
    assert line.is_wrong and panel.document.model is before


def test_an_angle_near_lock_is_told(qtbot, panel):
    type_in(qtbot, panel, field(panel, "orientation").parts[1].line, "88")
    note = field(panel, "orientation").note
    assert "2° from gimbal lock of 1-2-3" in note.text() and note.property("role") == "warning"


def test_as_quaternion_any_length_is_made_one(qtbot, panel):
    choice = field(panel, "orientation_input").box
    choice.setCurrentIndex(choice.findData("quaternion"))
    choice.activated.emit(choice.currentIndex())
    orientation = field(panel, "orientation")
    assert orientation.line.isVisible() and not orientation.parts[0].isVisible()
    type_in(qtbot, panel, orientation.line.line, "1; 0; 1; 0")
    assert body(panel).orientation == pytest.approx((np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0))
    for wrong in ("1; 0; 1", "0; 0; 0; 0", "1; a; 0; 0"):
        type_in(qtbot, panel, orientation.line.line, wrong)
        assert orientation.line.is_wrong, wrong
    assert body(panel).orientation[2] == pytest.approx(np.sqrt(0.5))


def test_formulas_of_a_quaternion_stay(qtbot, panel):
    choice = field(panel, "orientation_input").box
    choice.setCurrentIndex(choice.findData("quaternion"))
    choice.activated.emit(choice.currentIndex())
    type_in(qtbot, panel, field(panel, "orientation").line.line, "cos(tilt); sin(tilt); 0; 0")
    assert body(panel).orientation == ("cos(tilt)", "sin(tilt)", 0.0, 0.0)
    choice = field(panel, "orientation_input").box
    choice.setCurrentIndex(choice.findData("1-2-3"))
    choice.activated.emit(choice.currentIndex())
    orientation = field(panel, "orientation")
    assert orientation.parts[0].line.text() == "57.2958"  # twice the half angle, in degrees
    assert "formulas" in orientation.note.text()


def test_angular_velocity_in_world_axes(qtbot, panel):
    spin = field(panel, "angular_velocity")
    assert [part.line.text() for part in spin.parts] == ["1", "2", "3"]
    spin.axes.setCurrentIndex(1)
    spin.axes.activated.emit(1)
    R = quaternion.matrix(np.array(body(panel).orientation))
    world = R @ (1.0, 2.0, 3.0)
    whole = [float(p.line.toolTip() or p.line.text()) for p in spin.parts]  # where room is short
    assert whole == pytest.approx(list(world), rel=1e-5)
    type_in(qtbot, panel, spin.parts[2].line, "0")
    kept = R @ np.array(body(panel).angular_velocity)
    assert kept == pytest.approx([world[0], world[1], 0.0], abs=1e-12)


def test_settings_offer_integration_input_display_and_what_happens_near_lock(panel):
    panel.selection.clear()
    names = ("orientation", "near_lock", "orientation_input", "orientation_display")
    for name in names:
        assert field(panel, f"settings.{name}").isVisible()
    assert "Orientation" in panel.form.sections
    near = field(panel, "settings.near_lock").box
    near.setCurrentIndex(near.findData("switch sequence"))
    near.activated.emit(near.currentIndex())
    assert panel.document.model.settings.near_lock == "switch sequence"
    panel.document.new(planar())
    panel.bring_up_to_date()
    assert "Orientation" not in panel.form.sections


def test_a_marker_is_typed_as_the_model_says(qtbot, panel):
    marker = SpatialMarker(id="m", body=panel.id)
    panel.document.edit("Marker", put(panel.document.model, marker))
    panel.selection.set(["m"])
    type_in(qtbot, panel, field(panel, "orientation").parts[2].line, "90")
    turned = convert(panel.document.model["m"].orientation, "quaternion", "1-2-3")
    assert np.degrees(turned) == pytest.approx([0.0, 0.0, 90.0], abs=1e-9)


def test_the_converter_reads_and_shows_every_description(qtbot, preferences):
    dialog = Converter(None, preferences, spatial(), (1.0, 0.0, 0.0, 0.0))
    qtbot.addWidget(dialog)
    q = np.array(euler_angles.quaternion("3-1-3", np.radians([10.0, 50.0, 70.0])))
    for source in (dialog.given_as.itemData(n) for n in range(dialog.given_as.count())):
        dialog.q = tuple(q)
        dialog.given_as.setCurrentIndex(dialog.given_as.findData(source))
        dialog.refresh()
        text = dialog._written(tuple(q))
        assert abs(np.array(dialog._read(text)) @ q) == pytest.approx(1.0, abs=1e-9)  # six digits
    assert "Rotation vector" in dialog.table.text() and "Matrix" in dialog.table.text()
    dialog.given_as.setCurrentIndex(dialog.given_as.findData("axis-angle"))
    with pytest.raises(EngineError, match="no length"):
        dialog._read("0; 0; 0; 20")


def test_descriptions_agree_and_lock_is_named(preferences):
    q = np.array(euler_angles.quaternion("3-2-1", np.radians([0.0, 89.0, 0.0])))
    names = [name for name, _ in listed(preferences, q)]
    assert names[:3] == ["Quaternion", "Axis and angle", "Rotation vector"]
    assert "1° from gimbal lock of 3-2-1" in near_lock_words(preferences, q, "3-2-1")
    assert near_lock_words(preferences, q, "3-1-3") == ""
    with pytest.raises(EngineError, match="4 numbers"):
        read_numbers(preferences, spatial(), "1; 2", ("",) * 4)
