"""The rotation laboratory with real widgets: sliders, sequences, orders, bodies, the lock, and files."""

import csv
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from assets import example_paths
from engine.files.model_files import load
from engine.kinematics.poses import body_frames
from engine.model.elements import planar
from engine.running.simulate import run
from gui.instruments.rotation.page import FREE, RotationPage
from gui.look.theme import DARK, LIGHT, palette_of
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from rotations import SEQUENCES, euler_angles


@pytest.fixture
def page(qtbot):
    made = RotationPage(Document(), Selection(), Playback())
    qtbot.addWidget(made)
    made.resize(760, 760)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def choose(box, data):
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def opened(page, qtbot, name):
    model = load(example_paths()[name])
    with qtbot.waitSignal(page.shown):
        page.document.new(model)
    return model


def test_sliders_and_fields_turn_the_body(page):
    page.sliders[0].setFocus()
    QTest.keyClick(page.sliders[0], Qt.Key.Key_PageUp)
    assert page.fields[0].value() == 40.0
    page.fields[1].selectAll()
    QTest.keyClicks(page.fields[1], "-75")
    QTest.keyClick(page.fields[1], Qt.Key.Key_Return)
    assert page.sliders[1].value() == -750
    wanted = euler_angles.matrix("3-1-3", np.radians([40.0, -75.0, 50.0]))
    np.testing.assert_allclose(page.turns.R, wanted, atol=1e-14)
    assert "det A = det B" in page.words.text()


def test_every_sequence_is_written_and_drawn(page):
    for sequence in SEQUENCES:
        choose(page.sequences, sequence)
        assert page.turns.sequence == sequence
        assert page.names[0].text() == f"φ about {sequence[0]}"
        assert len([line for line in page.sheet.lines if line.box is not None]) == 7
        assert not page.view.grab().isNull() and page.sheet.width() > 300


def test_another_order_ends_elsewhere(page):
    before = page.words.text()
    choose(page.orders, "θ φ ψ")
    assert page.words.text() != before and "apart" in page.words.text()
    assert [t.name for t in page.turns.others] == ["θ", "φ", "ψ"]


def test_the_lock_is_told_in_red(page):
    choose(page.sequences, "1-2-3")
    page.fields[1].setValue(90.0)
    assert "Gimbal lock" in page.words.text() and "only φ + ψ" in page.words.text()
    colour = page.words.palette().color(page.words.foregroundRole()).name()
    assert colour == LIGHT.problem
    page.fields[1].setValue(10.0)
    assert "Gimbal lock" not in page.words.text()


def test_it_follows_a_body_in_the_drawing_and_in_a_run_until_a_slider_frees_it(page, qtbot):
    model = opened(page, qtbot, "gyroscope_in_gimbals")
    assert page.bodies.currentData() == page.bodies.itemData(1) != FREE
    body = page.bodies.itemData(page.bodies.count() - 1)
    page.selection.set([body])
    assert page.bodies.currentData() == body
    results = run(model, t_end=0.4, output_step=0.1)
    page.playback.start(results, None)
    page.playback.set_time(0.3)
    k = results.frame_at(0.3)
    R = body_frames(results.compiled, results.q[k]).R[results.compiled.body_ids.index(body)]
    qtbot.waitUntil(lambda: np.allclose(page.turns.R, R, atol=1e-9))
    degrees = page.fields[0].value()
    page.fields[1].setValue(12.0)
    assert page.bodies.currentData() == FREE and page.fields[0].value() == degrees
    page.playback.set_time(0.1)
    page.refresh()
    assert page.fields[1].value() == 12.0


def test_a_planar_model_leaves_free_angles(page, qtbot):
    opened(page, qtbot, "four_bar")
    assert page.bodies.count() == 1 and page.bodies.currentData() == FREE


def test_pointing_at_an_angle_lights_it_up_and_a_drag_turns_the_view(qtbot, page):
    sheet = page.sheet
    places = (QPoint(x, y) for y in range(0, sheet.height(), 3) for x in range(0, sheet.width(), 3))
    place = next(p for p in places if sheet.part_at(p.toPointF()) == "theta")
    QTest.mouseMove(sheet, place)
    qtbot.waitUntil(lambda: sheet.lit == {"theta"})
    before = page.view.camera
    QTest.mousePress(page.view, Qt.MouseButton.LeftButton, pos=QPoint(50, 50))
    QTest.mouseMove(page.view, QPoint(90, 60))
    QTest.mouseRelease(page.view, Qt.MouseButton.LeftButton)
    assert page.view.camera.azimuth == pytest.approx(before.azimuth - 0.4)


def test_picture_and_table_are_written(page, tmp_path):
    page.save_picture(str(tmp_path / "turns.svg"))
    assert ElementTree.parse(tmp_path / "turns.svg").getroot().tag.endswith("svg")
    page.save_picture(str(tmp_path / "turns.png"))
    assert QImage(str(tmp_path / "turns.png")).width() >= 2 * page.view.width()
    page.write_csv(tmp_path / "turns.csv")
    with (tmp_path / "turns.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    R = [[float(row[c]) for c in "123"] for row in rows if row["matrix"] == "R"]
    np.testing.assert_array_equal(R, page.turns.R)


def test_light_and_dark_draw_on_their_paper(page):
    for theme in (LIGHT, DARK):
        page.setPalette(palette_of(theme))
        page.refresh()
        assert page.view.grab().toImage().pixelColor(2, 2).name() == theme.paper
        assert page.sheet.grab().toImage().pixelColor(2, 2).name() == theme.paper


def test_a_body_that_has_just_left_is_not_asked_for_its_sequence(page, qtbot):
    opened(page, qtbot, "gyroscope_in_gimbals")
    body = page.bodies.itemData(1)
    page.document.new(planar())  # the list of bodies follows in a turn of its own
    choose(page.bodies, body)
    assert page.bodies.currentData() == FREE  # it is gone
