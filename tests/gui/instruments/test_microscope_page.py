"""The page of the microscope with real widgets: it opens steps, follows the run, and lights up parts."""

import csv

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from assets import example_paths
from engine.errors import EngineError
from engine.files.model_files import load
from gui.export.page_export import Tabled
from gui.instruments.microscope.page import MicroscopePage
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from tests.example_runs import ran


@pytest.fixture
def page(qtbot):
    made = MicroscopePage(Document(), Selection(), Playback())
    qtbot.addWidget(made)
    made.resize(760, 640)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def opened(page, qtbot, name):
    with qtbot.waitSignal(page.ready, timeout=60_000):
        page.document.new(load(example_paths()[name]))
    return page.seen.opened


def typed(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def cells(table, column):
    return [table.item(n, column).text() for n in range(table.rowCount())]


def test_an_empty_model_says_what_to_do(page):
    assert "Draw a body" in page.words.text() and not page.stages.isVisible()
    with pytest.raises(EngineError, match="no step to write"):
        page.write_csv("nowhere.csv")


def test_iterations_are_listed_and_each_shows_its_residuals(page, qtbot):
    step = opened(page, qtbot, "four_bar")
    assert step.method == "trapezoid_index3" and step.differs < 1e-14
    assert cells(page.stages, 0)[:2] == ["iteration 1", "iteration 2"]
    assert "angle of 'coupler'" in cells(page.equations, 0)
    first = cells(page.equations, 1)
    row = page.stages.visualItemRect(page.stages.item(1, 0)).center()
    QTest.mouseClick(page.stages.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert page.stages.currentRow() == 1 and cells(page.equations, 1) != first


def test_another_method_and_another_step_open_another_one(page, qtbot):
    opened(page, qtbot, "double_pendulum")
    with qtbot.waitSignal(page.ready, timeout=60_000):
        page.method.setCurrentIndex(page.method.findData("rk4"))
    assert cells(page.stages, 0) == [f"stage {n}" for n in (1, 2, 3, 4)]
    with qtbot.waitSignal(page.ready, timeout=60_000):
        typed(page.step, "5 ms")
    assert page.seen.opened.h == pytest.approx(0.005)
    with qtbot.waitSignal(page.ready):
        typed(page.step, "soon")
    assert "is no length of a step" in page.words.text() and not page.stages.isVisible()


def test_it_follows_the_run_that_is_shown(page, qtbot):
    results = ran("double_pendulum")
    with qtbot.waitSignal(page.ready, timeout=60_000):
        page.document.new(results.model)
    with qtbot.waitSignal(page.ready, timeout=60_000):
        page.playback.start(results, None)
    with qtbot.waitSignal(page.ready, timeout=60_000):
        page.playback.scrub(1.0)
    assert page.seen.opened.t == pytest.approx(1.0) and "t = 1 s" in page.words.text()


def test_parts_of_the_matrix_light_up_and_are_selected(page, qtbot):
    step = opened(page, qtbot, "four_bar")
    node = step.matrix.nodes[0]
    place = page.picture.place(node.first, node.first, node.size, node.size).center()
    assert page.picture.part_at(place) == node.id and page.picture.part_at(QPointF(2, 2)) == ""
    QTest.mouseMove(page.picture, QPoint(int(place.x()), int(place.y())))
    QTest.mouseClick(
        page.picture, Qt.MouseButton.LeftButton, pos=QPoint(int(place.x()), int(place.y()))
    )
    assert page.selection.ids == (node.id,) and node.id in page.picture.lit
    page.selection.set(())
    cell = page.equations.visualItemRect(page.equations.item(0, 0)).center()
    QTest.mouseClick(page.equations.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    assert page.selection.ids == (step.equations[0].part,)


def test_the_picture_shows_numbers_and_fill(page, qtbot):
    opened(page, qtbot, "four_bar")
    image = page.picture.grab().toImage()
    colours = {
        image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(20, 200)
    }
    accent = page.picture.theme.accent
    assert len(colours) > 5 and accent in colours  # shades, and the hatching of fill


def test_a_model_that_cannot_be_opened_says_why_and_the_table_is_written(page, qtbot, tmp_path):
    with qtbot.waitSignal(page.ready, timeout=60_000):
        page.document.new(load(example_paths()["maxwell_creep"]))
    assert "does not know the states" in page.words.text()
    assert isinstance(page, Tabled)
    opened(page, qtbot, "pendulum")
    page.write_csv(tmp_path / "step.csv")
    with (tmp_path / "step.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["stage", "equation", "unit", "residual", "unknown", "value"]
