"""Arrows, trails and camera are part of the model in the whole window."""

import pytest
from PySide6.QtCore import QPointF, QSettings
from PySide6.QtGui import QAction

from assets import EXAMPLES
from engine.files.model_files import load
from gui.state.preferences import Preferences
from tests.gui.whole_window import WholeWindow

PATIENCE = 240_000  # ms; kernels may have to be compiled


@pytest.fixture
def window(qtbot, tmp_path):
    """A whole window with settings of its own."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    settings.setValue("preferences/show_first_steps", False)
    window = WholeWindow(Preferences(settings), tmp_path / "recovery")
    window.resize(1280, 800)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.complete()
    window.build_results()
    yield window
    window.document.undo_stack.mark_clean()
    window.close()


def test_arrows_and_trails_are_saved_undone_and_gone_with_the_model(qtbot, window, tmp_path):
    document = window.document
    document.new(load(EXAMPLES / "four_bar.json"))
    switch = window.findChild(QAction, "arrows_velocities")
    switch.trigger()
    window.commands["trails"].trigger()
    assert document.model.view.arrows == ("velocities",) and not document.model.view.trails
    assert window.stage.arrows.kinds == {"velocities"} and not window.stage.trails.is_shown
    document.save(tmp_path / "shown.json")
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert window.stage.arrows.kinds == set() and not switch.isChecked()
    assert window.stage.trails.is_shown and window.commands["trails"].isChecked()
    document.open(tmp_path / "shown.json")
    assert window.stage.arrows.kinds == {"velocities"} and switch.isChecked()
    assert len(window.plots.plots()) == len(document.model.view.plots) == 3
    document.new()
    assert window.stage.arrows.kinds == set() and window.plots.plots() == []


def test_how_beams_are_shown_is_part_of_the_model(qtbot, window, tmp_path):
    document, bending = window.document, window.stage.bending
    document.new(load(EXAMPLES / "flexible_slider_crank.json"))
    assert (bending.magnification, bending.colouring) == (5.0, "stress")
    options = window.stage_options
    factors, colours = options.bending.actions(), options.colours.actions()
    assert [a.isChecked() for a in factors] == [False, True, False, False]
    factors[2].trigger()
    colours[1].trigger()
    assert (bending.magnification, bending.colouring) == (20.0, "deflection")
    document.save(tmp_path / "bent.json")
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert (bending.magnification, bending.colouring) == (5.0, "stress")
    assert factors[1].isChecked() and colours[2].isChecked()
    document.new()
    assert (bending.magnification, bending.colouring) == (1.0, "nothing")
    document.open(tmp_path / "bent.json")
    assert (bending.magnification, bending.colouring) == (20.0, "deflection")


def test_a_bent_frame_is_no_design_pose(qtbot, window):
    document = window.document
    document.new(load(EXAMPLES / "flexible_slider_crank.json"))
    window.simulator.run()
    playback = window.playback
    ends = document.model.settings.t_end
    qtbot.waitUntil(
        lambda: playback.current is not None and playback.t_last > 0.99 * ends, timeout=PATIENCE
    )
    playback.set_time(0.5 * ends)
    before = document.model
    window.commands["pose_from_frame"].trigger()
    assert document.model is before
    assert "is bent at this moment" in window.messages.sentence("frame")


def test_the_camera_is_saved_without_being_an_edit(qtbot, window, tmp_path):
    document, path = window.document, tmp_path / "seen.json"
    document.new(load(EXAMPLES / "pendulum.json"))
    document.save(path)
    assert load(path).view.camera is None  # the whole drawing, whatever the size of the window
    window.stage.zoom(3.0, QPointF(40.0, 60.0))
    seen = window.stage.camera.state
    assert document.is_saved and document.undo_stack.count() == 0
    document.save(path)
    document.new()
    document.open(path)
    assert window.stage.camera.state == pytest.approx(seen)
    assert document.is_saved and not window.stage.is_fitted


def test_the_camera_of_space_keeps_its_direction_and_fits(qtbot, window, tmp_path):
    document, path = window.document, tmp_path / "seen.json"
    document.new(load(EXAMPLES / "spinning_top.json"))
    stage = window.stage3d
    stage.look_from("top", smoothly=False)
    document.save(path)
    camera = load(path).view.camera
    assert camera.height is None  # fitted from there
    document.open(EXAMPLES / "spinning_top.json")
    assert stage.eye.elevation != camera.elevation
    document.open(path)
    assert (stage.eye.azimuth, stage.eye.elevation) == (camera.azimuth, camera.elevation)
    stage.zoom(2.0)
    eye = stage.eye
    document.save(path)
    document.new()
    document.open(path)
    assert stage.eye.height == pytest.approx(eye.height)
    assert stage.eye.focus == pytest.approx(eye.focus)


def test_what_was_saved_in_the_plane_is_shown_whole_in_space(qtbot, window, tmp_path):
    document, path = window.document, tmp_path / "seen.json"
    document.new(load(EXAMPLES / "pendulum.json"))
    window.stage.zoom(3.0, QPointF(40.0, 60.0))
    document.save(path)
    document.open(path)
    assert len(document.model.view.camera.focus) == 2
    window.commands["show_in_space"].trigger()
    qtbot.waitUntil(lambda: window.stage3d is not None and window.stage3d.isVisible())
    window.stage3d.look_by(document.model.view.camera)
    assert window.stage3d.is_fitted
