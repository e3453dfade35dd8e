"""Mechanisms as a new user makes them: drawn, plotted, saved, opened, changed by a length, run, exported.

Mouse and keys go to the window, as from the system: what lies over the stage takes them.
"""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QLineEdit, QPushButton

from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing import edits
from engine.kinematics.mobility import mobility
from gui.export.table_dialog import TableDialog

LEFT = Qt.MouseButton.LeftButton
ENTER, TAB, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


class User:
    """Mouse and keys at the window; places are in metres."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot
        window.resize(1280, 800)
        QApplication.processEvents()

    def at(self, *place):
        """Where a place of the stage is in the window; it must be in sight."""
        stage = self.window.stages.shown
        if len(place) == 3:
            pixel, board = QPoint(*(round(x) for x in stage.to_pixels(place))), stage
        else:
            pixel, board = stage.to_pixels(*place).toPoint(), stage.viewport()
        assert board.rect().contains(pixel), f"{place} is out of sight"
        return board.mapTo(self.window, pixel)

    def move(self, *place):
        """Move the mouse."""
        for off in (QPoint(3, 2), QPoint(0, 0)):
            QTest.mouseMove(self.window.windowHandle(), self.at(*place) + off)
            QApplication.processEvents()

    def press(self, *place):
        """Press the button."""
        self.move(*place)
        QTest.mousePress(self.window.windowHandle(), LEFT, NONE, self.at(*place))
        QApplication.processEvents()

    def release(self, *place):
        """Release it."""
        self.move(*place)
        QTest.mouseRelease(self.window.windowHandle(), LEFT, NONE, self.at(*place))
        QApplication.processEvents()

    def click(self, *place):
        """Press and release."""
        self.press(*place)
        QTest.mouseRelease(self.window.windowHandle(), LEFT, NONE, self.at(*place))
        QApplication.processEvents()

    def drag(self, a, b):
        """Press at one place and release at another."""
        self.press(*a)
        self.release(*b)

    def keys(self, *keys, held=NONE):
        """Press keys, or type characters."""
        for key in keys:
            QTest.keyClick(self.window.windowHandle(), key, held)
            QApplication.processEvents()

    def choose_first(self):
        """Take the first line of the list at the cursor."""
        menu = QApplication.activePopupWidget()
        QTest.keyClick(menu, ENTER)
        QApplication.processEvents()

    def plot(self, text):
        """Find a curve by its words and plot it."""
        self.keys(Qt.Key.Key_K, held=CTRL)
        finder = self.window.session.finder
        for character in f"plot {text}":
            QTest.keyClick(finder.line, character)
        QTest.keyClick(finder.line, ENTER)
        QApplication.processEvents()

    def fill(self, label, text):
        """Type into the field beside a label of the properties, as an eye finds it; Enter."""
        panel = self.window.properties

        def found():
            labels = panel.findChildren(QLabel)
            return [one for one in labels if one.isVisible() and one.text() == label]

        self.qtbot.waitUntil(lambda: bool(found()))
        named = found()[0]
        y = named.mapTo(panel, named.rect().center()).y()
        beside = [
            line
            for line in panel.findChildren(QLineEdit)
            if line.isVisible() and abs(line.mapTo(panel, line.rect().center()).y() - y) < 16
        ]
        place = beside[0].mapTo(self.window, beside[0].rect().center())
        QTest.mouseClick(self.window.windowHandle(), LEFT, NONE, place)
        self.keys(Qt.Key.Key_A, held=CTRL)
        self.keys(*text, ENTER)


def draw_quick_return(user):
    """A crank and a lever on pins; the pin of the crank runs in a slot of the lever; a motor."""
    user.keys("l", "l")
    user.click(0, 0)
    user.click(0.2, 0)
    user.click(0, -0.6)
    user.move(0.2, 0.1)
    user.keys(*"1", TAB, *"70", ENTER, ESCAPE, ESCAPE)
    user.keys("r", "r")
    user.click(0, 0)
    user.click(0, -0.6)
    user.keys(ESCAPE, ESCAPE, "i")
    user.click(0.2, 0)  # 17 mm beside the axis of the lever
    user.keys("m")
    user.click(0, 0)
    user.choose_first()
    return "link_2: angle", (0.13, 0.005), ("Length", "0.25")


def draw_door(user):
    """A leaf on a hinge with a torsion spring."""
    user.window.commands["new_space"].trigger()
    user.keys("b")
    user.drag((0, 0, 0), (0.6, 0.04, 0))
    user.move(0.3, 0.02, 0.3)
    user.keys(*"0.5", ENTER, "r")
    user.click(0.004, 0, 0.25)
    user.keys("k")
    user.click(0.004, 0, 0.25)
    return "hinge_1: angle", (0.0, 0.0, 0.25), ("Free angle", "40")


def draw_crane(user):
    """A trolley on a rail, driven; a load that is welded to the end of a hanging link."""
    user.keys("b")
    user.drag((-0.3, 0.3), (0.3, 0.5))
    user.keys("p")
    user.drag((0.0, 0.4), (0.3, 0.4))
    user.keys("l")
    user.click(0.1, 0.32)
    user.click(0.2, -0.5)
    user.keys("o")
    user.drag((0.2, -0.5), (0.3, -0.5))
    user.keys("w")
    user.click(0.2, -0.48)
    user.keys("m")
    user.click(0.0, 0.4)
    user.choose_first()
    return "disc_1 position x", (0.15, -0.2), ("Length", "0.5")


def draw_shaft(user):
    """Two rods joined by a universal joint, each in a hinge on the ground along its own axis; a motor."""
    user.window.commands["new_space"].trigger()
    user.window.stages.zoom(0.6)
    user.keys("l")
    user.click(0, 0, 0)
    user.keys("x", *"0.5", ENTER, "l")
    user.move(0.5, 0, 0)
    user.keys(TAB, TAB, TAB)  # ball joint, hinge, weld, universal joint
    user.click(0.5, 0, 0)
    user.click(0.9, 0.2, 0)
    user.keys("r")
    user.move(0.01, 0, 0)
    user.keys("x")
    user.click(0.01, 0, 0)
    user.keys("r")
    user.move(0.88, 0.19, 0)
    user.keys("x", "x")  # its own axis
    user.click(0.88, 0.19, 0)
    user.keys(ESCAPE, "m")
    user.click(0, 0, 0)
    user.choose_first()
    return "rod_2 angular speed", (0.25, 0, 0), ("Width", "0.03")


FREEDOM = {draw_quick_return: 0, draw_crane: 1, draw_shaft: 0, draw_door: 1}


@pytest.mark.parametrize("draw", [draw_quick_return, draw_crane, draw_shaft, draw_door])
def test_what_a_new_user_makes_is_saved_opened_changed_run_and_exported(
    window, qtbot, draw, monkeypatch, tmp_path
):
    user, path = User(window, qtbot), tmp_path / "made.json"
    curve, place, (label, text) = draw(user)
    user.plot(curve)
    before = window.document.model
    assert len(before.view.plots) == 1 and window.panels["plots"].isVisible()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(path), ""))
    user.keys(Qt.Key.Key_S, held=CTRL)
    user.keys(Qt.Key.Key_N, held=CTRL)
    assert not window.document.model.elements and not window.plots.plots()
    user.keys(Qt.Key.Key_O, held=CTRL)
    model = window.document.model
    assert model.elements == before.elements and len(window.plots.plots()) == 1
    if draw is draw_door:
        window.session.select(["torsion_spring_1"])
    else:
        user.click(*place)
    user.fill(label, text)
    assert window.document.model is not model
    assert problems(window.document.model) == []
    user.keys(Qt.Key.Key_Space)
    playback = window.playback
    qtbot.waitUntil(lambda: playback.results is not None and playback.results.ending is not None)
    user.keys(Qt.Key.Key_Space)
    moved = playback.results[playback.results.model.view.plots[0].channels[0]]
    assert np.ptp(moved) > 0.05
    assert mobility(playback.results.compiled).dof == FREEDOM[draw]
    user.keys(Qt.Key.Key_E, held=CTRL)
    dialog, table = QApplication.activeModalWidget(), tmp_path / "made.csv"
    assert isinstance(dialog, TableDialog)
    dialog.target.edit.selectAll()
    QTest.keyClicks(dialog.target.edit, str(table))
    export = next(one for one in dialog.findChildren(QPushButton) if one.isDefault())
    QTest.mouseClick(export, LEFT)
    qtbot.waitUntil(table.exists)
    assert len(table.read_text(encoding="utf-8").splitlines()) == len(playback.results) + 1


def test_a_slot_drawn_beside_the_axis_is_closed_on_it(window, qtbot):
    user = User(window, qtbot)
    draw_quick_return(user)
    model = window.document.model
    found = mobility(compile_model(model))
    assert (found.dof, found.redundant) == (0, 0)
    slot = model["pin_in_slot_1"]
    at = edits.marker_frame(model, slot.marker_j)
    assert edits.beside_axis(model, "link_2", (at.x, at.y)) == pytest.approx(0.0, abs=1e-9)
