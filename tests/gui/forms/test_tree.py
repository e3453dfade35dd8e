"""The tree: it follows the model, selects, renames, hides, drags ids, and marks problems."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit

from engine.editing.builder import Mechanism
from engine.model.elements import Parameter, put, remove
from gui.forms.tree import EYE, IDS_MIME, MARK, NAME


def double_pendulum():
    """Two rods, two pins, a spring and a parameter."""
    m = Mechanism("Double pendulum")
    a = m.rod((0, 0), (1, 0), mass=1, name="upper")
    b = m.rod((1, 0), (2, 0), mass=1)
    m.revolute("ground", a, at=(0, 0))
    m.revolute(a, b, at=(1, 0))
    m.spring(("ground", (1, 1)), (b, (2, 0)), stiffness=10)
    return put(m.model, Parameter(id="k", value=2.0))


@pytest.fixture
def tree(window):
    """The tree of a window with a double pendulum."""
    window.document.edit("Draw", double_pendulum())
    return window.tree


def place_of(tree, id, column=NAME):
    """The middle of a cell."""
    rect = tree.visualItemRect(tree.items[id])
    x = tree.columnViewportPosition(column) + min(tree.columnWidth(column) // 2, 60)
    return QPoint(x, rect.center().y())


def all_ids(tree):
    """The elements in the order they are seen."""
    return sorted(tree.items, key=lambda id: tree.visualItemRect(tree.items[id]).y())


def problem_ids(tree):
    """The elements that are marked."""
    return {id for id, item in tree.items.items() if item.toolTip(MARK)}


def click(qtbot, tree, id, column=NAME, modifier=Qt.KeyboardModifier.NoModifier):
    """A real click on a cell."""
    qtbot.mouseClick(
        tree.viewport(), Qt.MouseButton.LeftButton, modifier, place_of(tree, id, column)
    )


def test_it_lists_what_the_model_has_by_family_and_no_markers(tree):
    assert all_ids(tree) == ["rod_1", "rod_2", "revolute_1", "revolute_2", "spring_1", "k"]
    assert tree.heads["body"].text(NAME) == "Bodies  2"
    assert tree.items["rod_1"].text(NAME) == "upper"
    assert tree.heads["motion"].isHidden()


def test_it_follows_edits_undo_and_redo(window, tree):
    window.document.edit("Delete", remove(window.document.model, "rod_2"))
    assert all_ids(tree) == ["rod_1", "revolute_1", "k"]
    window.document.undo_stack.undo()
    assert all_ids(tree) == ["rod_1", "rod_2", "revolute_1", "revolute_2", "spring_1", "k"]
    window.document.undo_stack.undo()
    assert all_ids(tree) == []


def test_another_model_with_the_same_ids_is_listed_under_its_own_families(window, tree):
    m = Mechanism("Other")
    m.rod((0, 0), (1, 0), mass=1, id="k")
    m.rod((0, 0), (1, 1), mass=1, id="rod_2")
    m.rod((0, 0), (1, 0), mass=1, id="rod_1")
    window.document.new(m.model)
    assert all_ids(tree) == ["k", "rod_2", "rod_1"]
    assert {tree.items[id].parent() for id in all_ids(tree)} == {tree.heads["body"]}


def test_a_click_selects_and_control_adds(qtbot, window, tree):
    click(qtbot, tree, "rod_1")
    assert window.selection.ids == ("rod_1",)
    click(qtbot, tree, "revolute_2", modifier=Qt.KeyboardModifier.ControlModifier)
    assert set(window.selection.ids) == {"rod_1", "revolute_2"}
    window.selection.set(["spring_1"])
    assert [item.text(NAME) for item in tree.selectedItems()] == ["spring_1"]


def test_f2_renames_in_place_as_one_edit(qtbot, window, tree):
    click(qtbot, tree, "rod_2")
    qtbot.keyClick(tree, Qt.Key.Key_F2)
    editor = tree.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    qtbot.keyClicks(editor, "lower")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.model["rod_2"].name == "lower")
    window.document.undo_stack.undo()
    assert window.document.model["rod_2"].name == "" and tree.items["rod_2"].text(NAME) == "rod_2"


def test_renaming_a_parameter_changes_its_formulas(window, tree):
    model = window.document.model
    window.document.edit("Use k", put(model, replace(model["spring_1"], stiffness="2*k")))
    tree.items["k"].setText(NAME, "stiffness")
    assert window.document.model["spring_1"].stiffness == "2*stiffness"
    assert "stiffness" in tree.items and "k" not in tree.items


def test_a_name_that_cannot_be_is_refused_with_a_sentence(window, tree):
    before = window.document.model
    tree.items["k"].setText(NAME, "2 b")
    assert window.document.model is before
    assert tree.items["k"].text(NAME) == "k"
    assert window.toaster.isVisible() and window.toaster.text.text()


def test_the_eye_hides_and_shows_without_selecting(qtbot, window, tree):
    click(qtbot, tree, "rod_1", EYE)
    assert window.visibility.hidden == {"rod_1"} and window.selection.ids == ()
    assert window.commands["show_all"].isEnabled()
    click(qtbot, tree, "rod_1", EYE)
    assert window.visibility.hidden == frozenset()
    window.selection.set(["rod_2"])
    window.commands["hide"].trigger()
    assert window.visibility.hidden == {"rod_2"} and window.selection.ids == ()
    window.commands["show_all"].trigger()
    assert not window.visibility.hidden


def test_what_is_dragged_are_ids(tree):
    mime = tree.mimeData([tree.items["rod_1"], tree.items["revolute_1"]])
    assert json.loads(bytes(mime.data(IDS_MIME).data())) == ["rod_1", "revolute_1"]


def test_problems_are_marked_with_their_sentence(qtbot, window, tree):
    model = window.document.model
    window.document.edit("Break", put(model, replace(model["spring_1"], marker_i="nothing")))
    qtbot.waitUntil(lambda: problem_ids(tree) == {"spring_1"})
    assert "does not exist" in tree.items["spring_1"].toolTip(MARK)
    window.document.undo_stack.undo()
    qtbot.waitUntil(lambda: problem_ids(tree) == set())


def test_a_right_click_opens_the_menu_of_what_is_under_it(qtbot, window, tree):
    tree.customContextMenuRequested.emit(place_of(tree, "revolute_1"))
    menu = window.session.menu
    texts = [action.text().replace("&", "") for action in menu.actions()]
    assert window.selection.ids == ("revolute_1",)
    assert {"Plot", "Add a motor: speed", "Copy", "Delete", "Rename"} <= set(texts)
    next(a for a in menu.actions() if a.text().replace("&", "") == "Add a motor: speed").trigger()
    menu.close()
    assert window.document.model.of("motion")[0].joint == "revolute_1"
    assert window.selection.ids == ("motor_1",)


def test_hovering_tells_the_stage(qtbot, window, tree):
    tree.itemEntered.emit(tree.items["rod_2"], NAME)
    assert window.selection.hovered == "rod_2"
