"""The page of coordinates with real widgets: pictures, equations, motion, limits."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from assets import example_paths
from engine.errors import EngineError
from engine.files.model_files import load
from engine.running.simulate import run
from gui.export.page_export import Tabled
from gui.instruments.coordinates.page import NAMES, CoordinatesPage
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from gui.state.selection import Selection
from tests.engine.symbols import lecture_models

PATIENCE = 20_000  # ms
T_END = "0.2"  # s: short motions are quick


@pytest.fixture
def page(qtbot, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made = CoordinatesPage(Document(), Selection(), Playback(), Preferences(settings))
    qtbot.addWidget(made)
    made.resize(760, 680)
    made.time.setText(T_END)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def opened(page, qtbot, model):
    with qtbot.waitSignal(page.ready, timeout=PATIENCE):
        page.document.new(model)
    return page.found.compared


def heads(page):
    return [line.words for line in page.sheet.lines if line.box is None]


def test_an_empty_model_says_what_to_do(page):
    assert "Draw a body" in page.words.text() and not page.board.isVisible()
    with pytest.raises(EngineError, match="no motion to write"):
        page.write_csv("nowhere.csv")


def test_four_pictures_with_their_counts_and_a_click_shows_the_equations(page, qtbot):
    opened(page, qtbot, lecture_models.four_bar())
    counts = [page.pictures[name].one.counted for name in NAMES]
    assert counts == [
        "9 coordinates, 8 constraints",
        "3 coordinates, 2 constraints",
        "4 coordinates, 3 constraints",
        "1 coordinate, 0 constraints",
    ]
    assert page.pictures["absolute"].is_chosen
    for name, head in (
        ("relative", "The constraints, differentiated twice"),
        ("natural", "Equations of motion"),
        ("independent", "Velocity ratios"),
    ):
        QTest.mouseClick(page.pictures[name], Qt.MouseButton.LeftButton)
        assert page.pictures[name].is_chosen and head in heads(page)
    QTest.keyClick(page.pictures["natural"], Qt.Key.Key_Space)
    assert page.chosen == "natural"


def test_a_line_lights_up_its_part_and_selects_it(page, qtbot):
    opened(page, qtbot, lecture_models.four_bar())
    at, line = next((at, line) for at, line in page.sheet.places() if line.part)
    QTest.mouseClick(page.sheet, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert page.selection.ids == (line.part,) and line.part in page.sheet.lit


def test_the_motion_is_drawn_in_the_chosen_coordinates_with_the_differences(page, qtbot):
    compared = opened(page, qtbot, lecture_models.chain(2))
    page.tabs.setCurrentIndex(1)
    page.choose("natural")
    t, u = page.motion.curves[0].getData()
    assert len(page.legend.items) == 4 and t[-1] == pytest.approx(0.2)
    assert u[-1] == pytest.approx(compared["natural"].u[-1, 0])
    _, apart = page.apart.curves[0].getData()
    assert np.nanmax(apart) < -9.0  # a decimal logarithm


def test_pictures_follow_the_run_and_show_their_marks(page, qtbot):
    model = lecture_models.chain(2)
    opened(page, qtbot, model)
    picture = page.pictures["relative"]
    before = picture.grab().toImage()
    results = run(model, t_end=1.0, output_step=0.1)
    page.playback.start(results, None)
    page.playback.scrub(0.5)
    np.testing.assert_allclose(picture.q, results.q[5], atol=1e-9)
    assert picture.grab().toImage() != before
    tone = picture.tones["rod_2"].name()
    after = picture.grab().toImage()
    every = {
        after.pixelColor(x, y).name()
        for x in range(after.width())
        for y in range(40, after.height())
    }
    assert tone in every


def test_what_there_is_not_is_told_in_its_place(page, qtbot):
    opened(page, qtbot, load(example_paths()["scotch_yoke"]))
    assert "'slot' is neither" in page.pictures["natural"].one.sentence
    QTest.mouseClick(page.pictures["natural"], Qt.MouseButton.LeftButton)
    assert "'slot' is neither" in heads(page)[0]
    assert "Drives are taken out" in page.notes.text()
    opened(page, qtbot, load(example_paths()["spinning_top"]))
    assert "in the plane" in page.words.text() and not page.board.isVisible()


def test_another_time_compares_again_and_nonsense_is_told(page, qtbot):
    opened(page, qtbot, lecture_models.chain(1))
    for text, t_end in (("0.1", 0.1), ("50 ms", 0.05)):
        page.time.setFocus()
        page.time.selectAll()
        with qtbot.waitSignal(page.ready, timeout=PATIENCE):
            QTest.keyClicks(page.time, text)
            QTest.keyClick(page.time, Qt.Key.Key_Return)
        assert page.found.compared.t[-1] == pytest.approx(t_end)
    page.time.selectAll()
    with qtbot.waitSignal(page.ready):
        QTest.keyClicks(page.time, "long")
        QTest.keyClick(page.time, Qt.Key.Key_Return)
    assert "is no time" in page.words.text()


def test_the_table_is_written(page, qtbot, tmp_path):
    opened(page, qtbot, lecture_models.chain(1))
    assert isinstance(page, Tabled)
    page.write_csv(tmp_path / "motion.csv")
    with (tmp_path / "motion.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][:4] == ["t", "absolute x_1", "absolute y_1", "absolute phi_1"]


@pytest.fixture
def staged(qtbot, tmp_path):
    """The page with a stage beside it."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    shared = Document(), Selection(), Playback()
    stages = Stages(*shared, Preferences(settings))
    made = CoordinatesPage(*shared, Preferences(settings), stages)
    made.time.setText(T_END)
    for widget in (stages, made):
        qtbot.addWidget(widget)
        widget.resize(760, 680)
        widget.show()
        qtbot.waitExposed(widget)
    yield made
    made.shutdown()
    stages.close_drawing()


def test_the_chosen_coordinates_stand_on_the_stage_as_long_as_they_are_wanted(staged, qtbot):
    stage = staged.stages.planar
    opened(staged, qtbot, lecture_models.four_bar())
    stage.fit()
    seen = {"": stage.grab().toImage()}
    for name in NAMES:
        QTest.mouseClick(staged.pictures[name], Qt.MouseButton.LeftButton)
        assert stage.page_marks.one.name == name
        seen[name] = stage.grab().toImage()
    assert all(seen[a] != seen[b] for a in NAMES[:3] for b in NAMES if a < b)
    QTest.mouseClick(
        staged.on_stage, Qt.MouseButton.LeftButton, pos=staged.on_stage.rect().center()
    )
    assert stage.page_marks is None
    bare = stage.grab().toImage()
    assert all(bare != seen[name] for name in NAMES)
    staged.on_stage.setChecked(True)
    staged.selection.set((next(iter(staged.document.model.of("body"))).id,))
    assert stage.labels.body() is None  # its dimensions make room for the marks
    staged.hide()
    assert stage.page_marks is None and stage.labels.body() is not None


def test_marks_on_the_stage_are_where_the_bodies_are_drawn(staged, qtbot):
    compared = opened(staged, qtbot, lecture_models.four_bar())
    results = run(staged.document.model, t_end=0.4, output_step=0.1)
    staged.playback.start(results, None)
    staged.playback.scrub(0.3)
    marks, layout = staged.stages.planar.page_marks, compared.compiled.layout
    for k in range(3):
        place = marks._place(k, (0.0, 0.0))
        np.testing.assert_allclose(place, results.q[3][layout.position(k)], atol=1e-12)
        assert marks._angle(k) == pytest.approx(results.q[3][layout.orientation(k)][0])


def test_marks_leave_the_stage_with_the_model_they_belong_to(staged, qtbot):
    opened(staged, qtbot, lecture_models.chain(2))
    assert staged.stages.planar.page_marks is not None
    opened(staged, qtbot, load(example_paths()["spinning_top"]))
    assert staged.stages.planar.page_marks is None
