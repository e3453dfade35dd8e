"""The page of wear: the numbers of the study, other numbers, what it says, and its table."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest

from engine.editing.edits.sizing import with_values
from engine.errors import EngineError
from engine.running.simulate import run
from engine.studies.archard import MM3, wear
from gui.export.page_export import Tabled
from gui.instruments.wear.page import WearPage
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from tests.example_runs import ran


@pytest.fixture
def page(qtbot, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made = WearPage(Playback(), Preferences(settings))
    qtbot.addWidget(made)
    made.resize(460, 700)
    made.show()
    qtbot.waitExposed(made)
    return made


def shows(page, name):
    page.playback.start(ran(name), None)
    return page.playback.results


def typed(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def cells(page, column):
    return [page.table.item(n, column).text() for n in range(page.table.rowCount())]


def test_without_a_run_or_a_contact_it_says_what_to_do(page):
    assert "Run the model" in page.words.text() and not page.plot.isVisible()
    with pytest.raises(EngineError, match="no wear to write"):
        page.write_csv("nowhere.csv")
    shows(page, "four_bar")
    assert "Add a contact" in page.words.text() and not page.table.isVisible()
    shows(page, "block_on_a_slope")
    assert "several corners" in page.words.text() and not page.table.isVisible()


def test_the_printed_gears_wear_as_the_engine_says(page):
    results = shows(page, "pla_gear_pair")
    expected = wear(results, temperatures=(None, 293.0, 298.0, 303.0)).worn[0, :, -1] * MM3
    assert cells(page, 0) == ["mesh"] * 4 and cells(page, 1) == ["dry", "293", "298", "303"]
    np.testing.assert_allclose([float(text) for text in cells(page, 2)], expected, rtol=1e-4)
    assert page.strip.is_log and len(page.legend.items) == 4  # dry is 10^5 times that with a film
    t, drawn = page.strip.curves[1].getData()
    assert 10 ** drawn[-1] == pytest.approx(expected[1]) and t[-1] == results.t[-1]


def test_other_numbers_give_other_wear_and_wrong_ones_a_sentence(page):
    shows(page, "pla_gear_pair")
    typed(page.temperatures, "dry")
    (before,) = cells(page, 2)
    assert not page.strip.is_log
    typed(page.coefficient, "130e-5")
    assert float(cells(page, 2)[0]) == pytest.approx(2.0 * float(before), rel=1e-4)
    page.with_2_pi.click()
    assert float(cells(page, 2)[0]) == pytest.approx(4.0 * np.pi * float(before), rel=1e-4)
    for field, text, sentence in (
        (page.coefficient, "much", "'much' is none"),
        (page.coefficient, "-1", "must not be negative"),
        (page.coefficient, "nan", "must not be negative"),
        (page.temperatures, "0", "more than zero"),
        (page.temperatures, "warm", "'warm' is none"),
    ):
        good = field.text()
        typed(field, text)
        assert sentence in page.words.text() and not page.table.isVisible()
        typed(field, good)
        assert page.table.isVisible()


def test_it_follows_the_clock_and_a_click_scrubs(page):
    results = shows(page, "pla_gear_pair")
    page.playback.set_time(0.05)
    assert page.strip.time_line.value() == pytest.approx(0.05)
    page.strip.canvas.clicked.emit(page.strip.canvas.viewRect().center())
    assert page.playback.time == pytest.approx(0.5 * results.t[-1], abs=1e-3)


def test_its_table_is_written_with_all_digits(page, tmp_path):
    results = shows(page, "pla_gear_pair")
    assert isinstance(page, Tabled)
    page.write_csv(tmp_path / "worn.csv")
    rows = list(csv.reader((tmp_path / "worn.csv").read_text().splitlines()))
    assert rows[0][:3] == ["t [s]", "mesh dry [mm^3]", "mesh 293 K [mm^3]"]
    assert len(rows) == 1 + len(results)
    assert float(rows[-1][1]) == page.found.worn[0, 0, -1] * MM3


def test_balls_that_only_bounce_wear_nothing(page):
    shows(page, "bouncing_balls")
    assert page.table.rowCount() == 12
    assert "nothing is worn" in page.words.text() and not page.plot.isVisible()


def choose(page, view):
    page.view.setCurrentIndex(page.view.findData(view))
    page.view.activated.emit(page.view.currentIndex())


def test_two_sides_are_drawn_with_the_band_of_balance(page):
    results = shows(page, "knee_in_a_squat")
    page.by_friction.click()
    typed(page.coefficient, "1.3e-6")
    typed(page.temperatures, "dry")
    expected = wear(results, coefficient=1.3e-15, by_friction=True)
    choose(page, "sides")
    assert [item.text for item in page.legend.items] == ["WVL, dry", "W med, dry", "W lat, dry"]
    _, drawn = page.strip.curves[0].getData()
    assert drawn[-1] == pytest.approx(expected.worn[:, 0, -1].sum() * MM3)
    assert not page.band.isVisible()
    choose(page, "imbalance")
    assert page.band.isVisible() and page.band.getRegion() == (-5.0, 5.0)
    choose(page, "shares")
    assert page.band.getRegion() == (47.5, 52.5) and len(page.legend.items) == 2
    _, drawn = page.strip.curves[0].getData()
    assert drawn[-1] == pytest.approx(50.0, abs=0.1)
    typed(page.sliding, "run")
    own = wear(results, coefficient=1.3e-15, by_friction=True, sliding="run").worn[0, 0, -1] * MM3
    assert float(cells(page, 2)[0]) == pytest.approx(own, rel=1e-4)


def test_one_contact_has_no_sides(page):
    shows(page, "knee_in_a_squat")
    choose(page, "imbalance")
    shows(page, "pla_gear_pair")
    assert page.view.currentData() == "volumes"
    assert not page.view.model().item(page.view.findData("imbalance")).isEnabled()


def test_a_parameter_is_swept_in_the_window(page, qtbot):
    results = shows(page, "geneva_wheel")
    typed(page.temperatures, "dry, 293")
    page.sweep.asked.setText("speed = 3, 6")
    qtbot.mouseClick(page.sweep.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.sweep.is_busy)
    table = page.sweep.table
    texts = [[table.item(n, k).text() for k in range(3)] for n in range(table.rowCount())]
    assert [row[0] for row in texts] == ["3", "6"]
    faster = run(with_values(results.model, speed=6.0))
    expected = wear(faster, temperatures=(None, 293.0)).worn[0, :, -1] * MM3
    np.testing.assert_allclose([float(text) for text in texts[1][1:]], expected, rtol=1e-4)
    page.sweep.asked.setText("speed")
    page.run_each()
    assert "cannot be read" in page.sweep.words.text()
