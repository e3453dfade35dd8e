"""The page of freedom with real widgets: it lists, wiggles, explains and repairs."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kinematics.mobility import mobility
from gui.instruments.freedom.page import FreedomPage
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from tests.engine.studies.test_freedom_of_models import parallel_bars


@pytest.fixture
def page(qtbot):
    made = FreedomPage(Document(), Selection(), Playback())
    qtbot.addWidget(made)
    made.resize(420, 640)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def opened(page, qtbot, model):
    with qtbot.waitSignal(page.ready):
        page.document.new(model)
    return page


def click(page, row):
    item = page.motions.item(row)
    place = page.motions.visualItemRect(item).center()
    QTest.mouseClick(page.motions.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_click_wiggles_a_motion_and_another_one_ends_it(page, qtbot):
    model = load(example_paths()["double_pendulum"])
    opened(page, qtbot, model)
    assert page.motions.count() == 2 and "2 degrees of freedom" in page.words.text()
    assert page.motions.item(1).text() == "angle of 'B', moves lower"
    angles = []
    page.document.changed.connect(lambda _, now: angles.append(now["lower"].angle))
    click(page, 1)
    assert page.is_wiggling
    qtbot.waitUntil(lambda: len(angles) > 20)
    click(page, 1)
    assert not page.is_wiggling and page.document.shown is page.document.model is model
    assert np.ptp(angles) > 0.2  # rad
    click(page, 0)
    page.hide()
    assert not page.is_wiggling and page.document.shown is model


def test_a_wiggle_ends_when_something_else_is_found(page, qtbot):
    opened(page, qtbot, load(example_paths()["slider_crank"]))
    with qtbot.waitSignal(page.ready):
        page.without_drives.toggle()
    click(page, 0)
    assert page.is_wiggling
    page._on_found(page.found)  # an answer that was asked for twice
    assert not page.is_wiggling and page.document.shown is page.document.model


def test_a_driven_model_moves_as_if_its_motor_were_taken_out(page, qtbot):
    opened(page, qtbot, load(example_paths()["slider_crank"]))
    assert not page.motions.isVisible() and "take all freedom" in page.why.text()
    with qtbot.waitSignal(page.ready):
        page.without_drives.click()
    assert page.motions.count() == 1


def test_a_repair_is_one_click_and_one_step_of_undo(page, qtbot):
    model = parallel_bars()
    opened(page, qtbot, model)
    button = page.repairs.itemAt(0).widget()
    assert "0 redundant" in button.text()
    with qtbot.waitSignal(page.ready):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert mobility(compile_model(page.document.model)).redundant == 0
    page.document.undo_stack.undo()
    assert page.document.model is model


def test_the_table_tells_classes_selects_and_is_written(page, qtbot, tmp_path):
    opened(page, qtbot, load(example_paths()["car_driven_by_a_steering_law"]))
    assert page.table.item(0, 1).text() == "non-holonomic, scleronomic, bilateral"
    page.table.cellClicked.emit(1, 0)
    assert page.selection.ids == ("steering",)
    page.write_csv(tmp_path / "classes.csv")
    with (tmp_path / "classes.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["constraint", "equation", "class", "why"] and len(rows) == 3


def test_an_empty_model_says_what_to_do(page, qtbot):
    assert page.found is None or page.found.freedom is None
    with pytest.raises(EngineError, match="draw a mechanism"):
        page.write_csv("nowhere.csv")
