"""The page of the tree with real widgets: picture, numbers that follow playback, three ways, files."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest

from assets import example_paths
from engine.errors import EngineError
from engine.files.model_files import load
from engine.running.simulate import run
from engine.studies.tree_equations import tree_equations
from engine.studies.tree_tables import GRIDS, compared, grid
from gui.instruments.tree.drawing import places_of
from gui.instruments.tree.page import COORDINATES, VIEWS, WAYS, TreePage
from gui.look.theme import DARK, palette_of
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection


@pytest.fixture
def page(qtbot):
    made = TreePage(Document(), Selection(), Playback())
    qtbot.addWidget(made)
    made.resize(520, 680)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def opened(page, qtbot, name):
    model = load(example_paths()[name])
    with qtbot.waitSignal(page.ready):
        page.document.new(model)
    return model


def cells(page):
    """The numbers of the matrix as they are read."""
    model = page.matrix.model()
    return [
        [model.index(r, c).data() for c in range(model.columnCount())]
        for r in range(model.rowCount())
    ]


def test_bodies_stand_below_their_predecessors():
    places = places_of([0, 1, 2, 1, 2, 5])  # the tree of the lecture
    assert [level for _, level in places] == [0, 1, 2, 3, 2, 3, 4]
    assert places[2][0] == (places[3][0] + places[5][0]) / 2
    assert len(set(places)) == 7


def test_a_tree_is_drawn_and_a_click_selects_a_body_or_a_joint(page, qtbot):
    opened(page, qtbot, "four_bar")
    assert "3 bodies" in page.words.text() and "cut: C" in page.words.text()
    assert [knot.label for knot in page.drawing.knots] == ["ground", "crank", "coupler", "rocker"]
    assert [line.label for line in page.drawing.lines if line.is_cut] == ["C"]
    coupler = page.drawing.knots[2].place.toPoint()
    QTest.mouseClick(page.drawing, Qt.MouseButton.LeftButton, pos=coupler)
    assert page.selection.ids == ("coupler",)
    crank = page.drawing.knots[1].place.toPoint()
    QTest.mouseClick(page.drawing, Qt.MouseButton.LeftButton, pos=(coupler + crank) / 2)
    assert page.selection.ids == ("B",)
    QTest.mouseMove(page.drawing, QPoint(1, 1))
    QTest.mouseMove(page.drawing, crank)
    assert page.selection.hovered == "crank"
    QTest.mouseClick(page.drawing, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert page.selection.ids == ("B",)  # nothing is there


def test_every_view_has_numbers_and_says_what_they_are(page, qtbot):
    opened(page, qtbot, "spinning_top")
    assert {name for name, *_ in VIEWS} == {COORDINATES, WAYS, *GRIDS}
    for name, *_ in VIEWS:
        page.choose(name)
        assert page.about.text()
        shown = page.tables.currentWidget().model()
        assert shown.rowCount() > 0 and shown.columnCount() > 0
        assert not page.grab().isNull()


def test_numbers_are_those_of_the_frame_that_is_shown(page, qtbot):
    model = opened(page, qtbot, "double_pendulum")
    page.choose("minimal")
    at_start = cells(page)
    results = run(model, t_end=0.5, output_step=0.1)
    page.playback.start(results, None)
    page.playback.set_time(0.3)
    qtbot.waitUntil(lambda: cells(page) != at_start)
    state = (results.t[3], results.q[3], results.v[3], results.z[3])
    tree = tree_equations(results.compiled, *state)
    np.testing.assert_array_equal(page.grid.grid.values[:, :2], tree.M_hat)
    np.testing.assert_allclose(
        page.grid.grid.values[:, -1], np.linalg.solve(tree.M_hat, tree.k_c + tree.k_t), rtol=1e-12
    )
    page.choose(COORDINATES)
    assert page.table.item(0, 1).text() == "upper" and page.table.item(1, 2).text() == "1"
    page.table.cellClicked.emit(1, 3)
    assert page.selection.ids == ("B",)
    page.choose("wrenches")
    page.matrix.verticalHeader().sectionClicked.emit(1)
    assert page.selection.ids == ("lower",) and page.grid.lit == frozenset({"lower"})


def test_three_ways_are_compared_and_agree(page, qtbot):
    opened(page, qtbot, "triple_pendulum")
    page.choose(WAYS)
    assert [page.table.item(n, 0).text() for n in range(3)] == [
        *("non-recursive", "sparse", "recursive"),
    ]
    assert all(way.apart < 1e-12 and way.seconds > 0.0 for way in page.hung.ways)


def test_numbers_are_written_as_they_are_shown(page, qtbot, tmp_path):
    opened(page, qtbot, "double_pendulum")
    for name, rows in ((COORDINATES, 3), (WAYS, 4), ("B", 7)):
        page.choose(name)
        page.write_csv(tmp_path / "tree.csv")
        with (tmp_path / "tree.csv").open(encoding="utf-8") as file:
            assert len(list(csv.reader(file))) == rows


def test_what_is_not_a_tree_is_told(page, qtbot):
    with qtbot.waitSignal(page.ready):
        page.document.new(load(example_paths()["cantilever"]))
    assert "bends" in page.words.text() and not page.halves.isVisible()
    with pytest.raises(EngineError, match="draw a mechanism"):
        page.write_csv("nowhere.csv")
    opened(page, qtbot, "bricard_loop")
    for name in ("wrenches", "sparse"):
        page.choose(name)
        assert "repeat others" in page.about.text()
        assert page.matrix.model().rowCount() == 0
    page.choose("J")
    assert page.matrix.model().rowCount() == 30


def test_the_page_follows_the_theme(page, qtbot):
    opened(page, qtbot, "double_pendulum")
    page.choose("J")
    before = page.grid.colours["upper"]
    light = page.drawing.grab().toImage().pixelColor(1, 1)
    page.setPalette(palette_of(DARK))
    assert page.grid.colours["upper"] != before
    assert page.drawing.grab().toImage().pixelColor(1, 1) != light
    assert page.palette().color(QPalette.ColorRole.Window).lightness() < 100


def test_matrices_of_very_many_bodies_are_refused_in_a_sentence():
    from bench.chains import chain

    compiled = chain(151)
    tree = tree_equations(compiled, 0.0, compiled.q0, compiled.v0)
    with pytest.raises(EngineError, match="151 bodies are too large"):
        grid(tree, "B")
    ways = compared(tree, lambda: tree.minimal())
    assert (
        len(ways) == 3 and max(way.apart for way in ways) < 1e-7
    )  # the condition of 906 equations


def test_a_run_of_a_model_whose_tree_is_not_found_yet_is_not_put_into_the_tree_before(page, qtbot):
    opened(page, qtbot, "slider_crank")
    before = page.state()
    model = load(example_paths()["pendulum"])
    page.document.new(model)  # its tree is found in a thread
    page.playback.start(run(model, t_end=0.01), None)
    assert page.hung.model is not model and page.state() is before
    page.show_numbers()


def test_small_trees_are_shown_in_symbols_and_large_ones_say_why_not(page, qtbot):
    opened(page, qtbot, "double_pendulum")
    page.choose("minimal")
    with qtbot.waitSignal(page.ready):
        page.in_symbols.setChecked(True)
    shown = page.matrix.model()
    texts = [shown.data(shown.index(0, column)) for column in range(shown.columnCount())]
    assert len(texts) == 4 and "cos(\u03b22)" in texts[1] and "m2" in texts[1]
    assert "sin(\u03b22)" in texts[2] and "\u03b71" in texts[2]
    page.choose("B")
    assert shown.data(shown.index(0, 0)) == "1" and shown.data(shown.index(0, 1)) == "\u00b7"
    page.choose("sparse")
    assert not page.in_symbols.isVisible() and shown.rowCount() == 14
    page.choose("J")
    page.in_symbols.setChecked(False)
    assert shown.data(shown.index(3, 0)) == "1"
    page.in_symbols.setChecked(True)
    opened(page, qtbot, "six_body_tree")
    qtbot.waitUntil(lambda: "too long in symbols" in page.about.text())
    assert shown.rowCount() == 0
