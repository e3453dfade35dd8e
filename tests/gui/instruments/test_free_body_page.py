"""The page of free bodies with real mouse and keys: it cuts free, follows, lights up, and is written."""

import csv
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from assets import example_paths
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.elements import planar
from engine.results.results import Results
from engine.running.simulate import prepare, run
from engine.studies.free_body import free_bodies
from gui.instruments.free_body.page import ALL, FreeBodyPage
from gui.look.theme import DARK, LIGHT, palette_of
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection


@pytest.fixture
def page(qtbot):
    made = FreeBodyPage(Document(), Selection(), Playback())
    qtbot.addWidget(made)
    made.resize(720, 700)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def opened(page, qtbot, name, **given):
    model = load(example_paths()[name])
    with qtbot.waitSignal(page.ready):
        page.document.new(model)
    if given:
        with qtbot.waitSignal(page.ready):
            page.playback.start(run(model, **given), None)
    return model


def cell(page, row, head):
    heads = [page.table.horizontalHeaderItem(c).text() for c in range(page.table.columnCount())]
    return page.table.item(row, heads.index(head)).text()


def middle(arrow):
    return QPoint(*(round((a + b) / 2) for a, b in zip(arrow.tail, arrow.tip)))


def arrow_of(page, source):
    return next(a for a in page.canvas.drawn.arrows if a.wrench.source == source)


def test_a_body_is_cut_free_with_all_its_forces(page, qtbot):
    opened(page, qtbot, "four_bar")
    assert page.choice.currentData() == "crank" and page.choice.count() == 4
    page.choice.setCurrentIndex(page.choice.findData("coupler"))
    assert [shape.body for shape in page.canvas.drawn.shapes] == ["coupler"]
    assert [a.wrench.label for a in page.canvas.drawn.arrows] == ["weight", "B", "C"]
    assert [page.table.item(r, 0).text() for r in range(3)] == ["weight", "B", "C"]
    assert cell(page, 1, "F_x\n[N]") == "-48.68" and cell(page, 0, "F_y\n[N]") == "-29.43"
    assert "add up to 87 N" in page.words.text() and "rounding" in page.words.text()
    QTest.mouseClick(page.inertia, Qt.MouseButton.LeftButton)
    assert page.table.rowCount() == 4 and page.canvas.drawn.arrows[-1].wrench.kind == "inertia"
    assert page.canvas.drawn.arcs


def test_it_follows_the_run_and_its_arrows_keep_one_scale(page, qtbot):
    model = opened(page, qtbot, "four_bar", t_end=0.4, output_step=0.1)
    page.choose("rocker")
    largest = page.canvas.drawn.largest
    page.playback.set_time(0.3)
    qtbot.waitUntil(lambda: page.diagrams.t == pytest.approx(0.3))
    assert page.canvas.drawn.largest == largest
    here = free_bodies(page.playback.results, 0.3).of("rocker")
    for shown, known in zip(page.diagrams.of("rocker").wrenches, here.wrenches, strict=True):
        np.testing.assert_array_equal(shown.force, known.force)
    with qtbot.waitSignal(page.ready):
        page.playback.leave()
    assert page.diagrams.t == 0.0 and page.document.model is model


def test_a_run_that_is_still_computed_is_followed(page, qtbot):
    model = opened(page, qtbot, "four_bar")
    running = prepare(model, t_end=0.4, output_step=0.1)
    results = Results(running.compiled, running.settings)
    page.playback.start(results, None)
    for block in running:
        results.append(block)
    page.playback.frames_grew.emit()  # it has no ending yet
    page.playback.set_time(0.2)
    qtbot.waitUntil(lambda: page.diagrams.t == pytest.approx(0.2))
    assert page.made.results is results
    results.tell(running.account())
    with qtbot.waitSignal(page.ready):
        page.playback.frames_grew.emit()
    assert page.made.results is results


def test_the_mouse_finds_arrows_and_selects_both_ways(page, qtbot):
    opened(page, qtbot, "four_bar")
    page.choose("coupler")
    QTest.mouseMove(page.canvas, middle(arrow_of(page, "B")))
    assert page.selection.hovered == "B" and "B" in page.canvas.lit
    assert page.canvas.toolTip() == "B"
    QTest.mouseClick(page.canvas, Qt.MouseButton.LeftButton, pos=middle(arrow_of(page, "B")))
    assert page.selection.ids == ("B",)
    place = page.table.visualItemRect(page.table.item(2, 0)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.selection.ids == ("C",)
    page.selection.set(["rocker"])
    assert page.choice.currentData() == "rocker"


def test_all_bodies_are_pulled_apart_and_a_double_click_cuts_one_free(page, qtbot):
    opened(page, qtbot, "four_bar")
    page.choose(ALL)
    scene = page.canvas.drawn
    assert len(scene.shapes) == 3 and {tie.source for tie in scene.ties} == set("ABCD")
    ends = [a for a in scene.arrows if a.wrench.source == "B"]
    assert len(ends) == 2 and page.canvas.colour_of(ends[0].wrench) == page.canvas.colour_of(
        ends[1].wrench
    )
    np.testing.assert_allclose(ends[0].wrench.force, -ends[1].wrench.force, atol=1e-12)
    assert page.table.item(0, 0).text() == "crank"
    page.selection.set(["rocker"])
    assert page.choice.currentData() == ALL
    place = QPointF(*scene.centers[1]) + QPointF(9, -6)
    QTest.mouseDClick(page.canvas, Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert page.choice.currentData() == "coupler"


def test_square_roots_make_small_forces_longer(page, qtbot):
    opened(page, qtbot, "four_bar")
    page.choose("coupler")

    def length():
        arrow = arrow_of(page, "C")
        return np.hypot(arrow.tip[0] - arrow.tail[0], arrow.tip[1] - arrow.tail[1])

    before = length()
    page.scale.setCurrentIndex(page.scale.findData("square_root"))
    assert length() > 1.5 * before


def test_arrows_may_be_scaled_by_the_largest_force_of_this_time(page, qtbot):
    opened(page, qtbot, "four_bar", t_end=0.4, output_step=0.1)
    page.choose("coupler")
    page.playback.set_time(0.3)
    qtbot.waitUntil(lambda: page.diagrams.t == pytest.approx(0.3))
    run_wide = page.canvas.drawn.largest[0]
    page.scale.setCurrentIndex(page.scale.findData("now"))
    forces = [np.linalg.norm(w.force) for w in page.diagrams.of("coupler").wrenches]
    assert page.canvas.drawn.largest[0] == max(forces) < run_wide
    page.scale.setCurrentIndex(0)
    assert page.canvas.drawn.largest[0] == run_wide


def test_a_drag_turns_the_view_in_space(page, qtbot):
    opened(page, qtbot, "governor")
    page.choose(ALL)
    before = page.canvas.drawn
    start = QPoint(5, 5)
    QTest.mousePress(page.canvas, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(page.canvas, start + QPoint(60, 20))
    QTest.mouseRelease(page.canvas, Qt.MouseButton.LeftButton)
    turned = page.canvas.drawn.view.eye
    assert turned == pytest.approx((before.view.eye[0] - 24.0, before.view.eye[1] + 8.0))
    assert not np.allclose(page.canvas.drawn.shapes[1].points[0], before.shapes[1].points[0])
    page.inertia.click()
    assert any(a.is_moment for a in page.canvas.drawn.arrows)


def test_joints_that_share_a_load_are_named(page, qtbot):
    opened(page, qtbot, "spatial_four_bar")
    assert "Not unique" in page.words.text()


def test_drawing_and_table_are_written(page, qtbot, tmp_path):
    opened(page, qtbot, "four_bar")
    page.choose("coupler")
    page.save_picture(str(tmp_path / "body.svg"))
    assert ElementTree.parse(tmp_path / "body.svg").getroot().tag.endswith("svg")
    page.save_picture(str(tmp_path / "body.png"))
    assert QImage(str(tmp_path / "body.png")).size() == 2 * page.canvas.size()
    page.write_csv(tmp_path / "body.csv")
    with (tmp_path / "body.csv").open(encoding="utf-8") as file:
        assert [row["what"] for row in csv.DictReader(file)][:3] == ["weight", "B", "C"]


def test_light_and_dark_draw_on_their_paper(page, qtbot):
    opened(page, qtbot, "four_bar")
    for theme in (LIGHT, DARK):
        page.setPalette(palette_of(theme))
        page.draw()
        corner = page.canvas.grab().toImage().pixelColor(2, 2)
        assert corner.name() == theme.paper


def test_an_empty_model_says_what_to_do(page, qtbot):
    page.document.new(planar())
    qtbot.waitUntil(lambda: "Draw a body" in page.words.text())
    assert page.canvas.drawn is None
    with pytest.raises(EngineError, match="draw a mechanism"):
        page.write_csv("nowhere.csv")
    with pytest.raises(EngineError, match="draw a mechanism"):
        page.save_picture("nowhere.svg")
