"""What goes wrong in space is told and can be mended: redundant hinges, lengths beyond all measure."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from assets import example_paths
from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.kinematics.mobility import mobility
from engine.model.elements import put
from gui.forms.computed import computed_values
from gui.forms.words import field_words, kind_words
from gui.health.repairs import repair_of
from gui.look.theme import DARK, palette_of
from gui.state.lock_badges import shown_angle
from tests.gui.space_stage_hand import SpaceStageHand
from tests.gui.stage_hand import NO_KEY

SHIFT = Qt.KeyboardModifier.ShiftModifier


def four_bar_of_hinges():
    """A plane four-bar in space: its four parallel hinges tie three things twice."""
    m = Mechanism(dim=3)
    ends = {"crank": ((0, 0, 0), (0, 0, 0.3)), "coupler": ((0, 0, 0.3), (1, 0, 0.6))}
    ends["rocker"] = ((1, 0, 0), (1, 0, 0.6))
    for id, (a, b) in ends.items():
        m.rod(a, b, id=id)
    for i, j, at in (
        ("ground", "crank", (0, 0, 0)),
        ("crank", "coupler", (0, 0, 0.3)),
        ("coupler", "rocker", (1, 0, 0.6)),
        ("ground", "rocker", (1, 0, 0)),
    ):
        m.revolute(i, j, at, axis=(0, 1, 0))
    return m.model


def door():
    """A door on two hinges."""
    m = Mechanism(dim=3)
    leaf = m.box((0, 0, 0.5), 0.6, 0.05, 1.0)
    for height in (0.1, 0.9):
        m.revolute("ground", leaf, (-0.3, 0, height), axis=(0, 0, 1))
    return m.model


@pytest.mark.parametrize(("model", "redundant"), [(four_bar_of_hinges(), 3), (door(), 5)])
def test_looser_joints_take_redundancy_away_in_space(model, redundant):
    found = mobility(compile_model(model))
    assert (found.dof, found.redundant) == (1, redundant)
    kinds, joints = [], len(model.of("joint"))
    while found.redundant:
        repair = repair_of(model, found)
        assert repair is not None and repair.redundant < found.redundant
        model, found = repair.model, mobility(compile_model(repair.model))
        kinds.append(repair.kind)
        assert (found.dof, found.redundant) == (1, repair.redundant) and problems(model) == []
    assert "spherical" in kinds and len(model.of("joint")) == joints


def out_of_reach():
    """A pendulum on a ball joint that ends far from where it is to be held."""
    m = Mechanism(dim=3)
    bar = m.rod((0, 0, 0), (0, 0, 0.3))
    m.spherical("ground", bar, (0, 0, 0))
    m.spherical("ground", bar, (0, 0, 0.3), id="far")
    end = m.model["far"].marker_i
    return put(m.model, replace(m.model[end], position=(2.0, 0.0, 0.3)))


def test_what_cannot_be_assembled_is_not_called_sound(window, qtbot):
    window.document.new(out_of_reach())
    qtbot.waitUntil(lambda: window.health.text("gap") == "gap 2 m")  # as in the banner
    assert window.health.text("problems") == "does not close"
    window.messages.clear("gap")
    window.health.items["problems"].click()
    assert "far" in window.messages.sentence("gap")


def test_the_repair_is_offered_in_words(window, qtbot):
    window.document.new(door())
    qtbot.waitUntil(lambda: window.health.text("redundant") == "redundant 5")
    window.health.items["redundant"].click()
    words = [button.text() for button in window.messages.bars["redundant"].buttons]
    assert any(w.endswith("a ball joint: DOF 1, redundant 3") for w in words)


def test_an_angle_of_rounding_is_shown_as_nothing(preferences):
    assert shown_angle(preferences, -5e-36) == "0°"
    assert shown_angle(preferences, 1e-6) != "0°"


@pytest.fixture
def hand(window):
    """A hand at a room with a rod along x and a box."""
    m = Mechanism(dim=3)
    m.rod((0.0, 0.0, 0.0), (0.4, 0.0, 0.0), width=0.04, thickness=0.04, id="rod")
    m.box((-0.4, 0.0, 0.1), 0.2, 0.2, 0.2, id="box")
    window.document.new(m.model)
    QApplication.processEvents()
    hand = SpaceStageHand(window)
    hand.stage.setFocus()
    hand.look_at((0.0, 0.0, 0.0), 1.5)
    return hand


def test_an_axis_asked_for_by_its_letter_needs_no_drag(hand):
    top = (-0.4, 0.0, 0.2)
    for letter, held, field, vector in (
        ("x", NO_KEY, "velocity", (2.0, 0.0, 0.0)),
        ("y", SHIFT, "angular_velocity", (0.0, 2.0, 0.0)),
    ):
        hand.hit(Qt.Key.Key_V)
        hand.press(*top, held=held)
        hand.type(f"{letter}2")
        hand.hit(Qt.Key.Key_Return)
        hand.release(*top)
        hand.hit(Qt.Key.Key_Escape)
        assert getattr(hand.window.document.model["box"], field) == pytest.approx(vector)


@pytest.mark.parametrize("tool", ["cylindrical", "screw"])
def test_a_shaft_on_a_rod_lies_along_it(hand, tool):
    hand.window.strip.actions_[tool].trigger()
    hand.click(0.2, 0.0, 0.02)
    axis = edits.joint_frame(hand.window.document.model, f"{tool}_1").R[:, 2]
    assert abs(axis) == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)


def test_a_cross_shows_an_axis_only_where_one_was_asked_for(hand):
    hand.hit(Qt.Key.Key_U)
    hand.move(0.2, 0.0, 0.02)
    (label,) = hand.stage.active_tool.preview.labels
    assert "axis" not in label.text
    hand.type("y")
    (label,) = hand.stage.active_tool.preview.labels
    assert label.text.endswith("axis +y")


def test_a_length_beyond_all_measure_is_refused(hand):
    window, said = hand.window, []
    window.stages.complained.connect(said.append)
    hand.hit(Qt.Key.Key_L)
    hand.click(0, 0.4, 0)
    hand.move(0.3, 0.4, 0)
    hand.type("1e300")
    hand.hit(Qt.Key.Key_Return)
    assert "1e300" in said[-1] and len(window.document.model.of("body")) == 2


def test_forms_in_space_speak_of_space():
    assert [field_words(n, "box", 3) for n in ("width", "height", "thickness")] == [
        *("Width (x)", "Depth (y)", "Height (z)"),
    ]
    assert field_words("height", "box") == "Height"
    assert (kind_words("revolute", 3), kind_words("revolute")) == ("Hinge", "Pin")


def test_a_form_calls_the_sizes_of_a_box_as_the_tool_does(window, qtbot):
    window.document.new(door())
    window.selection.set([window.document.model.of("body")[0].id])
    qtbot.waitUntil(lambda: window.properties.form.ids == window.selection.ids)
    labels = {row.place.name: row.label.text() for row in window.properties.form.rows if row.label}
    assert (labels["height"], labels["thickness"]) == ("Depth (y)", "Height (z)")


def test_the_weight_of_a_mesh_is_shown_without_dust():
    values = computed_values(load(example_paths()["spherical_pendulum"]), "bob")
    assert values["center"][:2] == (0.0, 0.0) and values["center"][2] < -0.9
    assert values["inertia"][3:] == (0.0, 0.0, 0.0)


def test_a_message_follows_a_change_to_dark(window, qapp):
    bar = window.messages.show_message("mesh", "notice", "Which unit?", [("Metres", lambda: None)])
    light, palette = bar.styleSheet(), qapp.palette()
    try:
        qapp.setPalette(palette_of(DARK))
        QApplication.processEvents()
        assert DARK.notice in bar.styleSheet() != light
    finally:
        qapp.setPalette(palette)
