"""The other branch of a mechanism: from the menu, from a joint, from the message of a gap."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from test_health import click, examined, four_bar, impossible, open_four_bar

from engine.editing.edits import marker_frame
from engine.kinematics.checkup import examine
from engine.model.elements import put

C = "revolute_3"  # between coupler and rocker


def pin(window, joint=C):
    """Where a joint of the open model is."""
    model = window.document.model
    return np.array(marker_frame(model, model[joint].marker_i)[:2])


def drawn_pins(window):
    """The joints and where they are in the four-bar as it was meant."""
    model = four_bar()
    return [(j.id, np.array(marker_frame(model, j.marker_i)[:2])) for j in model.of("joint")]


def mirrored(point, a, b):
    """A point mirrored in the line through two others."""
    along = (b - a) / np.linalg.norm(b - a)
    return 2 * (a + (point - a) @ along * along) - point


@pytest.fixture
def drawn(qtbot, window):
    """A window with a four-bar that was examined."""
    window.document.edit("Draw", four_bar())
    examined(qtbot, window)
    return window


def test_a_joint_changes_its_side_by_its_menu_and_undo_brings_it_back(drawn):
    B, D, before = pin(drawn, "revolute_2"), pin(drawn, "revolute_4"), pin(drawn)
    menu = drawn.menu_of((C,))
    action = next(a for a in menu.actions() if "branch" in a.text())
    action.trigger()
    assert pin(drawn) == pytest.approx(mirrored(before, B, D), abs=1e-9)
    assert drawn.document.undo_stack.undo_text() == "Other branch"
    assert examine(drawn.document.model).gap < 1e-9
    drawn.document.undo_stack.undo()
    assert drawn.document.model == four_bar()


def test_the_command_goes_through_all_closed_poses_and_back_to_the_first(qtbot, drawn):
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(drawn.stage, Qt.Key.Key_B, keys)
    seen = [drawn.document.model]
    assert "There are 3 closed poses" in drawn.messages.sentence("branch")
    for _ in range(2):
        click(qtbot, drawn.messages.bars["branch"].buttons[0])
        assert all(drawn.document.model != model for model in seen)
        seen.append(drawn.document.model)
    assert seen[-1] == four_bar()
    assert all(examine(model).gap < 1e-9 for model in seen)


def test_an_open_drawing_offers_its_other_branch(qtbot, window):
    window.document.edit("Draw", four_bar())
    window.document.edit("Move", open_four_bar())
    examined(qtbot, window)
    button = window.messages.bars["gap"].buttons[1]
    assert button.text() == "Other branch"
    click(qtbot, button)
    assert not window.messages.sentence("gap")
    assert examine(window.document.model).gap < 1e-9
    assert any(np.linalg.norm(pin(window, j) - at) > 0.5 for j, at in drawn_pins(window))


def test_where_there_is_none_a_sentence_says_so_and_nothing_moves(qtbot, window):
    window.document.edit("Pin", impossible())
    examined(qtbot, window)
    before = window.document.model
    click(qtbot, window.messages.bars["gap"].buttons[1])
    assert window.document.model is before
    assert "No other closed pose" in window.messages.sentence("branch")
    window.document.edit("Rename", replace(before, name="x"))
    assert not window.messages.sentence("branch")


def test_without_joints_the_command_is_greyed_with_a_reason(window):
    action = window.commands["other_branch"]
    assert not action.isEnabled() and "no joint" in action.toolTip()
    window.document.edit("Draw", put(four_bar()))
    assert action.isEnabled()


def test_while_the_solver_is_compiled_nothing_is_computed(drawn, monkeypatch):
    monkeypatch.setattr("engine.integrators.warm_up.are_compiled", lambda: False)
    before = drawn.document.model
    for name, topic in (("assemble", "gap"), ("other_branch", "branch")):
        drawn.commands[name].trigger()
        assert "compiled" in drawn.messages.sentence(topic)
    assert drawn.document.model is before
