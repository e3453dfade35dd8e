"""The commands of File > Export in the real window, with its stage, plots and runs."""

from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from assets import example_paths
from engine.files.model_files import load
from engine.model.elements import with_plots
from engine.running.simulate import run
from gui.export.pictures import plot_image, plot_svg
from gui.export.twin import Twin

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


@pytest.fixture
def actions(window):
    """The commands by name."""
    return {action.objectName(): action for action in window.menus["export"].actions()}


@pytest.fixture
def ran(window, qtbot, tmp_path):
    """The window after a run of the four-bar, with a time plot and a phase portrait."""
    window.preferences.settings.setValue("export/folder", str(tmp_path))
    window.document.new(with_plots(load(example_paths()["four_bar"]), ()))
    window.simulator.run()
    playback = window.playback
    qtbot.waitUntil(
        lambda: playback.results is not None and playback.results.ending is not None,
        timeout=PATIENCE,
    )
    window.plots.add_time_plot(["crank.angle", "total_energy"])
    window.plots.add_phase_plot("rocker.angle", "rocker.angular_velocity")
    qtbot.waitUntil(lambda: not window.plots.columns.is_busy)
    return window


def test_without_a_run_the_commands_are_grey_and_say_why(window, actions):
    for name in ("export_table", "export_film", "export_report"):
        assert not actions[name].isEnabled() and "press play" in actions[name].toolTip()
    assert actions["export_picture"].isEnabled()


def test_the_table_has_what_the_plots_show(ran, actions, qtbot, tmp_path):
    actions["export_table"].trigger()
    dialog = _dialog(ran)
    assert set(dialog.channels.chosen) == {
        *("crank.angle", "total_energy", "rocker.angle", "rocker.angular_velocity")
    }
    path = dialog.target.path
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    lines = path.read_text().splitlines()
    assert len(lines) == 1 + len(ran.playback.results) and lines[0].count(",") == 4
    assert path.name in ran.toaster.text.text()


def test_a_run_stays_exportable_after_an_edit(ran, actions):
    results = ran.playback.results
    ran.document.edit("another name", load(example_paths()["double_pendulum"]))
    assert ran.playback.current is None
    assert actions["export_table"].isEnabled()
    assert ran.sources().results is results  # the run that is now a ghost


def test_the_stage_is_copied(ran, actions):
    actions["export_copy"].trigger()
    assert QGuiApplication.clipboard().image().width() >= ran.stage.viewport().width()


def test_plots_become_pictures_with_their_legends(ran, qtbot):
    for plot in ran.plots.plots():
        image = plot_image(plot, 900)
        assert image.width() == 900
        rows = range(0, 60, 4)  # of the legend
        assert len({image.pixelColor(x, y).name() for x in range(0, 900, 3) for y in rows}) > 4
        clear = plot_image(plot, 900, transparent=True)
        assert clear.pixelColor(1, clear.height() - 1).alpha() == 0
        svg = plot_svg(plot, "plot")
        assert QSvgRenderer(svg).isValid() and svg.count(b"<path") + svg.count(b"<poly") > 3


def test_a_film_with_plots_shows_both(ran, actions, qtbot):
    actions["export_film"].trigger()
    dialog = _dialog(ran)
    dialog.format.setCurrentIndex(1)
    dialog.stop.setValue(0.5)
    dialog.rate.setValue(8)
    dialog.with_plots.setChecked(True)
    path = dialog.target.path
    with qtbot.waitSignal(dialog.accepted):
        qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    with Image.open(path) as gif:
        assert gif.n_frames == 5
        right = gif.convert("RGB").crop((400, 0, 640, 480))
    assert len(right.getcolors(100_000)) > 8  # curves and axes, not one empty colour


def test_closing_the_window_ends_a_film_and_leaves_no_half_file(ran, actions, qtbot, tmp_path):
    actions["export_film"].trigger()
    dialog = _dialog(ran)
    dialog.speed.setCurrentIndex(0)  # a tenth: a long film
    path = dialog.target.path
    qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.box.bar.value() > 0)
    ran.files.may_leave = lambda: True
    ran.close()
    assert not path.exists() and not list(tmp_path.glob(".kardan-*"))


def test_a_twin_with_plots_is_ready_after_a_while(ran, qtbot):
    twin = Twin(ran.sources(), ran.playback.current, with_plots=True)
    qtbot.waitUntil(twin.is_ready)
    first, later = (twin.image(t, QSize(800, 450)) for t in (0.0, 1.0))
    twin.close()
    plots = (first.copy(470, 0, 330, 450), later.copy(470, 0, 330, 450))
    assert plots[0] != plots[1]  # the cursor has moved
    assert ran.playback.time == 0.0


def test_a_report_is_written_and_its_failure_is_told(ran, actions, monkeypatch, tmp_path):
    target = tmp_path / "report.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    actions["export_report"].trigger()
    text = target.read_text(encoding="utf-8")
    assert "data:image/svg+xml;base64," in text and "Four-bar" in text
    nowhere = tmp_path / "nowhere" / "report.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(nowhere), ""))
    actions["export_report"].trigger()
    (box,) = ran.findChildren(QMessageBox)
    assert "report.html': there is no folder" in box.text()
    box.close()


def _dialog(window):
    """The export dialog that is open."""
    (commands,) = [c for c in window.children() if hasattr(c, "dialog")]
    return commands.dialog


def test_a_page_is_exported_by_its_button(window, monkeypatch, tmp_path):
    window.files.open_path(example_paths()["pendulum"])
    window.show_panel("energy_bars")
    panel, target = window.panels["energy_bars"], tmp_path / "energy"
    QTest.mouseClick(panel.title.export, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    picture, copy = menu.actions()[:2]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    picture.trigger()
    written = QImage(str(target.with_suffix(".png")))
    assert written.size() == 2 * panel.content.size()
    copy.trigger()
    assert QApplication.clipboard().image().size() == written.size()
    menu.close()


def test_the_table_of_the_page_of_wear_is_exported_by_its_button(window, monkeypatch, tmp_path):
    window.files.open_path(example_paths()["pla_gear_pair"])
    window.show_panel("wear")
    panel, target = window.panels["wear"], tmp_path / "worn"
    window.playback.start(run(window.document.model), None)
    QTest.mouseClick(panel.title.export, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    (table,) = [action for action in menu.actions() if "of this page (CSV)" in action.text()]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    table.trigger()
    lines = target.with_suffix(".csv").read_text().splitlines()
    assert lines[0].startswith("t [s],mesh dry [mm^3],mesh 293 K [mm^3]")
    assert len(lines) == 1 + len(window.playback.results)
    menu.close()


def test_the_drawing_of_a_page_is_exported_alone(window, monkeypatch, tmp_path):
    window.files.open_path(example_paths()["four_bar"])
    window.show_panel("rotation")
    panel, target = window.panels["rotation"], tmp_path / "turns"
    QTest.mouseClick(panel.title.export, Qt.MouseButton.LeftButton)
    menu = QApplication.activePopupWidget()
    (drawing,) = [action for action in menu.actions() if "(SVG, PNG)" in action.text()]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    drawing.trigger()
    assert "<svg" in target.with_suffix(".svg").read_text()
    menu.close()


def test_a_robot_is_exported_and_what_cannot_be_is_told(window, actions, monkeypatch, tmp_path):
    window.document.new(load(example_paths()["double_pendulum"]))
    target = str(tmp_path / "two")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (target, ""))
    actions["export_robot"].trigger()
    assert "<robot" in (tmp_path / "two.urdf").read_text(encoding="utf-8")
    window.document.new(load(example_paths()["four_bar"]))
    actions["export_robot"].trigger()
    boxes = window.findChildren(QMessageBox)
    assert any("Delete loops" in box.text() for box in boxes)
    for box in boxes:
        box.close()


def test_a_robot_is_opened_as_a_new_model_and_a_bad_one_is_told(window, tmp_path):
    robot = Path(__file__).parents[2] / "data" / "robots" / "arm.urdf"
    assert window.parts.files.open_path(robot)
    assert "upper_arm" in window.document.model and window.document.path is None
    before = window.document.model
    (tmp_path / "bad.urdf").write_text("<robot/>", encoding="utf-8")
    assert not window.parts.files.open_path(tmp_path / "bad.urdf")
    assert window.document.model is before
    assert "no <link>" in window.messages.sentence("file")
