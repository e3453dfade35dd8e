"""The window: it opens, plays, tells errors, stays alive and closes at any moment."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QColor, QImage

from assets import example_paths
from engine.builder import Mechanism
from engine.errors import EngineError
from engine.files import load, save
from engine.shapes import SHAPES
from engine.simulate import run
from engine.system import compile_model
from gui import outlines
from gui.stage import Stage
from gui.theme import DARK, LIGHT, palette_of, theme_of
from gui.view import StageView, nice_step, render_frame
from gui.viewer import Viewer

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


@pytest.fixture
def window(qtbot, example_folder):
    """The window, shown and active."""
    viewer = Viewer()
    qtbot.addWidget(viewer)
    viewer.show()
    viewer.activateWindow()
    qtbot.waitActive(viewer)
    return viewer


def finish(qtbot, window):
    """Wait until the simulation has ended and the window knows."""
    worker = window.worker
    qtbot.waitUntil(worker.isFinished, timeout=PATIENCE)
    qtbot.waitUntil(lambda: "|" in window.health.text() or window.error.isVisible())


def test_the_first_example_opens_at_the_start(qtbot, window):
    window.open_first_example()
    finish(qtbot, window)
    assert window.choice.currentText() == "Double pendulum"
    assert window.clock.text() == "t = 0.00 s / 10 s"
    assert "2 bodies" in window.health.text() and "DOF 2" in window.health.text()
    assert not window.error.isVisible()


def test_space_plays_and_pauses_and_the_slider_moves(qtbot, window):
    window.open_first_example()
    finish(qtbot, window)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert window.playing and window.play_action.text() == "Pause"
    qtbot.waitUntil(lambda: window.slider.value() > 20)
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert not window.playing
    assert window.time == pytest.approx(window.slider.value() * 0.01, abs=0.0051)  # half a frame
    qtbot.keyClick(window, Qt.Key.Key_Home)
    assert window.slider.value() == 0 and window.time == 0.0


def test_playing_ends_at_the_end_and_begins_again(qtbot, window):
    window.open_first_example()
    finish(qtbot, window)
    window.go_to(9.95)
    window.toggle()
    qtbot.waitUntil(lambda: not window.playing)
    assert window.slider.value() == window.slider.maximum() == 1000
    window.toggle()
    assert window.playing and window.time < 1.0


def test_another_example_can_be_chosen_while_one_plays(qtbot, window, example_folder):
    window.open_first_example()
    finish(qtbot, window)
    window.toggle()
    window.open_file(example_folder / "spatial_pendulum.json")
    finish(qtbot, window)
    assert window.choice.currentText() == "Spatial pendulum"
    assert window.windowTitle() == "Spatial pendulum - Kardan"
    assert not window.playing


def long_example(folder):
    """The double pendulum with a run that would take many minutes."""
    model = load(folder / "double_pendulum.json")
    path = folder / "long.json"
    save(replace(model, settings=replace(model.settings, t_end=1e5)), path)
    return path


def test_closing_while_computing_ends_the_simulation(qtbot, window, example_folder):
    window.open_file(long_example(example_folder))
    qtbot.waitUntil(lambda: window.slider.isEnabled() and len(window.results) > 0, timeout=PATIENCE)
    worker = window.worker
    window.toggle()
    window.close()
    assert worker.isFinished() and window.worker is None


def test_the_window_stays_alive_while_computing(qtbot, window, example_folder):
    window.open_first_example()  # compiles what is not compiled yet
    finish(qtbot, window)
    window.open_file(long_example(example_folder))
    qtbot.waitUntil(lambda: window.running.settings.t_end == 1e5)
    beats = []
    timer = QTimer(interval=10)
    timer.timeout.connect(lambda: beats.append(window.running.fraction))
    timer.start()
    qtbot.wait(1000)
    timer.stop()
    assert beats[-1] > beats[0]
    assert len(beats) > 10  # of a hundred; a frozen window would have one or two


def test_a_broken_file_is_told_in_the_window(qtbot, window, example_folder):
    path = example_folder / "broken.json"
    path.write_text("{")
    window.open_file(path)
    with pytest.raises(EngineError) as caught:
        load(path)
    assert window.error.isVisible() and window.error.text() == caught.value.sentence


def test_a_model_that_cannot_run_is_told_in_the_window(qtbot, window, example_folder):
    path = example_folder / "empty.json"
    save(Mechanism("Nothing").model, path)
    window.open_file(path)
    finish(qtbot, window)
    assert "no moving body" in window.error.text()


def test_light_and_dark_colour_the_stage(qtbot, window):
    window.open_first_example()
    finish(qtbot, window)
    for theme in (DARK, LIGHT):
        window.setPalette(palette_of(theme))
        assert theme_of(window.palette()) is theme
        assert window.view.stage.theme is theme


def test_a_picture_shows_each_body_in_its_colour_where_it_is(qapp, example_folder):
    results = run(load(example_folder / "double_pendulum.json"), t_end=1.0)
    picture = render_frame(results.compiled, results.q, QSize(800, 600))
    assert picture.format() == QImage.Format.Format_RGB32
    seen = {picture.pixelColor(x, y).name() for x in range(800) for y in range(600)}
    theme = theme_of(qapp.palette())
    assert {QColor(colour).name() for colour in theme.bodies[:2]} <= seen
    assert QColor(theme.bodies[2]).name() not in seen


def test_a_spatial_body_is_seen_with_x_to_the_right_and_z_up(qapp, example_folder):
    results = run(load(example_folder / "spatial_pendulum.json"), t_end=0.2)
    stage = Stage(results.compiled, LIGHT)
    reach = stage.reach(results.q[-1:])
    x, _, z = results.q[-1][:3]
    assert z < -0.05  # it has fallen
    assert reach.contains(x, z)


def test_a_particle_is_drawn_where_it_is(qapp):
    mechanism = Mechanism("Ball")
    mechanism.particle((3.0, 2.0), 1.0)
    stage = Stage(compile_model(mechanism.model), LIGHT)
    dot = next(item for item in stage.items() if item.brush().color() == QColor(LIGHT.bodies[0]))
    assert (dot.scenePos().x(), dot.scenePos().y()) == (3.0, 2.0)


@pytest.mark.parametrize("name", example_paths())
def test_every_example_is_drawn_inside_the_window(qtbot, name):
    compiled = compile_model(load(example_paths()[name]))
    view = StageView()
    qtbot.addWidget(view)
    view.resize(800, 600)
    view.show()
    view.show_stage(Stage(compiled, LIGHT))
    shown = view.mapToScene(view.viewport().rect()).boundingRect()
    assert shown.contains(view.stage.reach(compiled.q0[None, :]))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.kind)
def test_every_shape_has_an_outline(shape):
    if shape.kind == "mesh":
        corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        solid = shape(vertices=corners, faces=((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)))
    else:
        solid = shape()
    if 2 in shape.dims:
        rect = outlines.planar_outline(solid).boundingRect()
        assert rect.width() > 0.0 and rect.height() > 0.0
    if 3 in shape.dims:
        hull = outlines.hull(outlines.corners(solid)[:, :2])
        x, y = hull.T
        area = 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))
        assert area > 0.0  # anticlockwise


def test_the_grid_has_round_steps():
    steps = [nice_step(least) for least in (0.011, 0.02, 0.9, 3.0, 60.0)]
    assert steps == pytest.approx([0.02, 0.02, 1.0, 5.0, 100.0])
