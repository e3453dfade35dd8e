"""Phase portraits as the user meets them: path, present, clicks, direction field, sections."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt

from engine.model.views import Section
from gui.plots.phase.phase_plot import PhasePlot
from gui.plots.plot_menus import phase_menu
from tests.gui.plotting import (
    PATIENCE,
    chooser_of,
    long_record,
    panel_of_plots,
    pixel,
    settle,
    solve,
)
from tests.run_models import pendulum


@pytest.fixture
def area(qtbot, tmp_path):
    """A panel of plots beside a double pendulum of two seconds."""
    yield from panel_of_plots(qtbot, tmp_path)


def test_another_variable_on_x_makes_a_phase_portrait(qtbot, area):
    plot = area.add_time_plot(["rod_1.angular_velocity"])
    plot.choose_x()
    chooser = chooser_of(plot)
    qtbot.keyClicks(chooser.search, "rod_1.angle")
    qtbot.keyClick(chooser.search, Qt.Key.Key_Return)
    portrait = area.plots()[0]
    assert isinstance(portrait, PhasePlot)
    assert (portrait.x_name, portrait.y_name) == ("rod_1.angle", "rod_1.angular_velocity")


def test_the_portrait_of_the_selection_is_angle_against_angular_velocity(qtbot, area):
    area.context.selection.set(["rod_2"])
    area.phase_action.trigger()
    portrait = area.plots()[0]
    assert (portrait.x_name, portrait.y_name) == ("rod_2.angle", "rod_2.angular_velocity")
    solve(qtbot, area)
    x, y = portrait._curves[area.context.playback.current].getData()
    results = area.context.playback.results
    assert x == pytest.approx(np.degrees(results["rod_2.angle"]))
    assert y == pytest.approx(results["rod_2.angular_velocity"])
    assert len(portrait.arrows.pairs) >= 5


def test_the_point_of_the_present_and_its_tail_follow_the_clock(qtbot, area):
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    solve(qtbot, area)
    results = area.context.playback.results
    area.context.playback.set_time(1.0)
    x, y = portrait.dot.getData()
    assert x[0] == pytest.approx(np.degrees(results["rod_1.angle"][100]))
    assert y[0] == pytest.approx(results["rod_1.angular_velocity"][100])
    assert portrait.tail.points[-1] == pytest.approx([x[0], y[0]])
    assert len(portrait.tail.points) > 50


def test_a_click_near_the_path_goes_to_that_moment(qtbot, area):
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    solve(qtbot, area)
    results = area.context.playback.results
    x, y = np.degrees(results["rod_1.angle"][60]), results["rod_1.angular_velocity"][60]
    port = portrait.widget.viewport()
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=pixel(portrait, x, y))
    qtbot.waitUntil(lambda: area.context.playback.time > 0.0)
    n = results.frame_at(area.context.playback.time)
    distance = np.hypot(
        (np.degrees(results["rod_1.angle"][n]) - x) / portrait.canvas.viewPixelSize()[0],
        (results["rod_1.angular_velocity"][n] - y) / portrait.canvas.viewPixelSize()[1],
    )
    assert distance < 3.0  # pixels


def test_angles_wrap_and_speeds_become_frequencies_on_request(qtbot, area):
    long_record(area, 2000)
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    settle(qtbot, area)
    portrait.flip("wraps")
    portrait.flip("as_frequency")
    settle(qtbot, area)
    x, y = portrait._curves[area.context.playback.current].getData()
    assert np.nanmax(x) <= 180.0 and np.nanmin(x) > -180.0
    assert np.isnan(x).any()  # no line across the picture where it wraps
    assert np.nanmax(y) == pytest.approx(15.0 / (2.0 * np.pi))
    assert portrait.left.labelText == "Rod: angular velocity [1/s]"


def test_a_pendulum_has_a_direction_field_and_restarts_from_a_click(qtbot, area):
    area.context.document.new(pendulum())
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    solve(qtbot, area)
    qtbot.waitUntil(lambda: len(portrait.field_item.places) > 0)
    places, directions = portrait.field_item.places, portrait.field_item.directions
    expected = np.degrees(-1.5 * 9.81 * np.cos(np.radians(places[:, 0])))
    assert directions[:, 1] == pytest.approx(np.radians(expected), abs=1e-6)
    assert np.radians(directions[:, 0]) == pytest.approx(places[:, 1])
    menu = phase_menu(portrait, QPointF(-45.0, 1.0))
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: area.context.playback.current.number == 2, timeout=PATIENCE)
    qtbot.waitUntil(lambda: area.context.simulator.state == "idle", timeout=PATIENCE)
    results = area.context.playback.results
    assert results["rod_1.angle"][0] == pytest.approx(np.radians(-45.0))
    assert results["rod_1.angular_velocity"][0] == pytest.approx(1.0)
    assert "Started from a chosen state" in area.context.playback.current.notes[0]
    settle(qtbot, area)
    place = pixel(portrait, -90.0, 0.5)
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(portrait.widget.viewport(), Qt.MouseButton.LeftButton, shift, place)
    qtbot.waitUntil(lambda: area.context.playback.current.number == 3, timeout=PATIENCE)
    qtbot.waitUntil(lambda: len(area.context.playback.results) > 0, timeout=PATIENCE)
    at = portrait.canvas.viewPixelSize()
    start = np.degrees(area.context.playback.results["rod_1.angle"][0])
    assert start == pytest.approx(-90.0, abs=2.0 * at[0])  # pixels are whole numbers


def test_a_model_without_a_direction_field_says_why(qtbot, area):
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    solve(qtbot, area)
    qtbot.waitUntil(lambda: bool(portrait.field.reason))
    assert "2 degrees of freedom" in portrait.field.reason
    assert len(portrait.field_item.places) == 0
    restart = phase_menu(portrait, QPointF(0.0, 0.0)).actions()[0]
    assert not restart.isEnabled() and "2 degrees" in restart.toolTip()


def test_a_section_shows_one_point_for_each_period_or_crossing(qtbot, area):
    long_record(area, 20_000)
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    portrait.set_section(Section(period=2.0 * np.pi / 3.0))
    settle(qtbot, area)
    x, y = portrait.points.getData()
    assert len(x) == 48  # of 100 s
    assert np.abs(x).max() < 1e-4 and y == pytest.approx(15.0)  # always the same phase
    portrait.set_section(Section(channel="rod_1.angular_velocity", value=0.0, direction="falling"))
    settle(qtbot, area)
    x, y = portrait.points.getData()
    assert len(x) == 48 and x == pytest.approx(np.degrees(5.0), rel=1e-6)
    assert np.abs(y).max() < 1e-4
