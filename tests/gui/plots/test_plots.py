"""Plots as the user meets them: drops, curves, axes, cursor, hover, menus, layout."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolButton

from engine.files.model_files import dumps, loads
from engine.model.elements import put
from engine.model.forces import JointDamping
from engine.results.endings import CANCELLED
from engine.results.results import Results
from engine.running.simulate import prepare
from gui.look.theme import DARK, LIGHT, palette_of
from gui.plots.energy_bars import EnergyBars
from gui.plots.phase.phase_plot import MAX_POINTS, PhasePlot
from gui.plots.plot_menus import time_menu
from gui.plots.time_plot import TimePlot
from tests.gui.plotting import (
    PATIENCE,
    chooser_of,
    drawn,
    drop,
    long_record,
    panel_of_plots,
    pixel,
    settle,
    solve,
)
from tests.run_models import double_pendulum, lasting


@pytest.fixture
def area(qtbot, tmp_path):
    """A panel of plots beside a double pendulum of two seconds."""
    yield from panel_of_plots(qtbot, tmp_path)


def test_an_empty_panel_says_what_to_do(area):
    assert area.stack.currentWidget() is area.empty
    assert "Drag a body" in area.empty_words.text()


def test_dropping_elements_plots_their_usual_channels(qtbot, area):
    drop(area, ["rod_1", "spring_1"])
    plot = area.plots()[0]
    assert isinstance(plot, TimePlot)
    assert plot.names == ["rod_1.angle", "spring_1.length", "spring_1.force"]
    drop(plot, ["rod_2"])
    assert plot.names[-1] == "rod_2.angle" and len(area.plots()) == 1
    drop(plot, ["rod_2", "no_such_element"])
    assert len(plot.names) == 4


def test_curves_show_the_channels_of_the_run(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle", "rod_1.angular_velocity"])
    solve(qtbot, area)
    results = area.context.playback.results
    for name in plot.names:
        t, values = drawn(plot, name)
        assert np.array_equal(t, results.t)
        # drawn between 0 and 1: rounding of the scaling alone
        assert values == pytest.approx(results[name], abs=1e-12)


def test_each_unit_has_its_axis_and_equal_units_share_one(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle", "rod_1.angular_velocity", "rod_2.angle"])
    solve(qtbot, area)
    assert list(plot.axes) == ["rad", "rad/s"]
    assert plot.axes["rad"] is plot.left
    assert plot.left.labelText == "angle [°]"
    assert plot.axes["rad/s"].labelText == "Upper: angular velocity [rad/s]"
    plot.add(["total_energy"])
    settle(qtbot, area)
    assert list(plot.axes) == ["rad", "rad/s", "J"] and plot.axes["J"].isVisible()
    degrees = np.degrees(area.context.playback.results["rod_1.angle"])
    assert plot.left.low < degrees.min() and plot.left.high > degrees.max()
    plot.remove("total_energy")
    settle(qtbot, area)
    assert list(plot.axes) == ["rad", "rad/s"]


def test_units_follow_the_preferences(qtbot, area):
    plot = area.add_time_plot(["rod_1.x"])
    solve(qtbot, area)
    high = plot.left.high
    area.context.preferences.set("length_unit", "mm")
    settle(qtbot, area)
    assert plot.left.high == pytest.approx(1000.0 * high) and "[mm]" in plot.left.labelText


def test_dragging_in_a_plot_scrubs_and_the_cursor_links_all_plots(qtbot, area):
    first, second = area.add_time_plot(["rod_1.angle"]), area.add_time_plot(["rod_2.x"])
    solve(qtbot, area)
    area.context.playback.set_time(0.2)
    start, end = pixel(first, 0.5, 0.5), pixel(first, 1.5, 0.4)
    port = first.widget.viewport()
    qtbot.mousePress(port, Qt.MouseButton.LeftButton, pos=start)
    for part in (0.2, 0.5, 0.8, 1.0):
        qtbot.mouseMove(port, start + (end - start) * part)
        qtbot.wait(20)
    qtbot.mouseRelease(port, Qt.MouseButton.LeftButton, pos=end)
    qtbot.wait(20)
    one_pixel = first.canvas.viewPixelSize()[0]
    assert area.context.playback.time == pytest.approx(1.5, abs=2 * one_pixel)
    assert first.time_line.value() == second.time_line.value() == area.context.playback.time


def test_a_click_goes_to_its_time(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    qtbot.mouseClick(plot.widget.viewport(), Qt.MouseButton.LeftButton, pos=pixel(plot, 1.0, 0.5))
    one_pixel = plot.canvas.viewPixelSize()[0]
    qtbot.waitUntil(
        lambda: area.context.playback.time == pytest.approx(1.0, abs=2 * one_pixel),
        timeout=PATIENCE,
    )


def wheel(plot, at, delta):
    """Turn the wheel over a place of a plot."""
    port = plot.widget.viewport()
    event = QWheelEvent(
        QPointF(at),
        QPointF(port.mapToGlobal(at)),
        QPoint(0, 0),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def double_click(qtbot, port, at):
    """A double click as a window system sends it: the second press arrives as a double one."""
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=at)
    left = Qt.MouseButton.LeftButton
    place, on_screen = QPointF(at), QPointF(port.mapToGlobal(at))
    kind, none = QEvent.Type.MouseButtonDblClick, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(port, QMouseEvent(kind, place, on_screen, left, left, none))
    qtbot.mouseRelease(port, left, pos=at)


def test_the_wheel_zooms_time_and_a_double_click_shows_everything(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    assert plot.canvas.viewRange()[0] == pytest.approx([0.0, 2.0])
    at = pixel(plot, 1.0, 0.5)
    wheel(plot, at, 480)
    low, high = plot.canvas.viewRange()[0]
    assert 0.0 < low < 1.0 < high < 2.0 and not plot.follows
    assert plot.canvas.viewRange()[1] == pytest.approx([0.0, 1.0])
    double_click(qtbot, plot.widget.viewport(), at)
    qtbot.waitUntil(lambda: plot.canvas.viewRange()[0] == pytest.approx([0.0, 2.0]))


def test_the_wheel_over_an_axis_zooms_that_unit_alone(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle", "rod_1.angular_velocity"])
    solve(qtbot, area)
    spans = {unit: axis.high - axis.low for unit, axis in plot.axes.items()}
    left = plot.widget.mapFromScene(plot.left.mapToScene(QPointF(10, plot.left.height() / 2)))
    wheel(plot, left, 240)
    settle(qtbot, area)
    after = {unit: axis.high - axis.low for unit, axis in plot.axes.items()}
    assert after["rad"] < 0.9 * spans["rad"] and after["rad/s"] == pytest.approx(spans["rad/s"])


def test_hovering_reads_value_and_slope(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    results = area.context.playback.results
    words = plot.hover(QPointF(1.0, 0.5))
    degrees = np.degrees(results["rod_1.angle"])
    slope = (degrees[101] - degrees[99]) / 0.02
    digits = area.context.preferences.digits
    assert "t = 1 s" in words
    assert f"{digits(degrees[100], 5)}°" in words and f"{digits(slope, 3)} °/s" in words
    port = plot.widget.viewport()
    qtbot.mouseMove(port, pixel(plot, 0.7, 0.4))
    qtbot.mouseMove(port, pixel(plot, 1.0, 0.5))
    qtbot.waitUntil(plot.readout.isVisible)
    assert "slope" in plot.readout.text()


def test_logarithmic_values_leave_out_what_is_not_positive(qtbot, area):
    plot = area.add_time_plot(["total_energy", "kinetic_energy"])
    plot.set_log(True)
    solve(qtbot, area)
    values = area.context.playback.results["kinetic_energy"]
    positive = values[values > 0.0]
    assert 10.0**plot.left.high > positive.max()
    assert plot.left.low < np.log10(positive.min())
    assert plot.content.log is True


def test_earlier_runs_stay_as_faint_ghosts_until_hidden(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    solve(qtbot, area)
    playback = area.context.playback
    ghost = playback.ghosts[0]
    assert set(plot._curves) == {(ghost, "rod_1.angle"), (playback.current, "rod_1.angle")}
    alphas = {r.number: c.opts["pen"].color().alpha() for (r, _), c in plot._curves.items()}
    assert alphas[1] < 128 < alphas[2]
    playback.show(ghost, False)
    settle(qtbot, area)
    assert set(plot._curves) == {(playback.current, "rod_1.angle")}
    playback.forget(ghost)
    settle(qtbot, area)
    assert all(key[0] is not ghost for key in area.columns._known)


def test_curves_grow_with_the_frames_that_arrive(qtbot, area):
    model = lasting(double_pendulum(), 3000.0)
    area.context.document.new(model)
    playback = area.context.playback
    plot = area.add_time_plot(["rod_1.angle", "revolute_1.force"])
    running = prepare(model)
    results = Results(running.compiled, running.settings)
    playback.start(results, running.mobility)
    for n, block in zip(range(3), running):
        results.append(block)
        playback.frames_grew.emit()
        settle(qtbot, area)
        assert last_time(plot) == block.t[-1] == playback.t_last, f"growth {n}"
        seen = plot.canvas.viewRange()[0][1]
        assert (
            last_time(plot) <= seen < 3000.0
        )  # the beginning of a long run is not lost at the left
    results.tell(results.account._replace(ending=CANCELLED))
    playback.frames_grew.emit()
    settle(qtbot, area)
    assert plot.canvas.viewRange()[0][1] == pytest.approx(playback.t_last)


def last_time(plot):
    """The time of the last point of the first curve."""
    record = plot.context.playback.current
    curve = plot._curves.get((record, plot.names[0]))
    t = curve.getData()[0] if curve is not None else None
    return float(t[-1]) if t is not None and len(t) else 0.0


def test_a_million_points_are_drawn_as_a_few_thousand_wherever_one_looks(qtbot, area):
    long_record(area, 1_000_000)
    plot = area.add_time_plot(["rod_1.angle", "rod_1.x", "rod_1.vx"])
    phase = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    settle(qtbot, area)
    path, _ = phase._curves[area.context.playback.current].getData()
    assert 1000 < len(path) <= MAX_POINTS + 10
    bins = int(plot.canvas.width())
    for low, high in ((0.0, 100.0), (5.0, 95.0), (40.0, 60.0), (49.9, 50.1)):
        plot.canvas.setXRange(low, high, padding=0.0)
        plot.redraw()
        t, values = drawn(plot, "rod_1.angle")
        # two for each pixel, the least and the greatest; a third more where bins are of three points
        assert 100 < len(t) <= 2 * bins * 4 / 3 + 5
        assert t[0] <= low + 1e-3 and t[-1] >= high - 1e-3
        if high - low > 20.0:
            assert values.max() == pytest.approx(5.0) and values.min() == pytest.approx(-5.0)


def test_moving_the_clock_draws_no_curve_again(qtbot, area):
    long_record(area, 100_000)
    over_time = area.add_time_plot(["rod_1.angle"])
    phase = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    settle(qtbot, area)
    before = [[*curve.getData()] for p in (over_time, phase) for curve in p._curves.values()]
    for k in range(10):
        area.context.playback.set_time(1.0 + k)
        QApplication.processEvents()
        assert over_time.time_line.value() == 1.0 + k
    after = [[*curve.getData()] for p in (over_time, phase) for curve in p._curves.values()]
    assert len(before) == len(after) == 2
    for old, new in zip(before, after):
        assert all(a is b for a, b in zip(old, new))  # the same arrays, not equal ones


def test_a_click_on_an_axis_label_opens_the_chooser(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    center = plot.widget.mapFromScene(plot.left.label.sceneBoundingRect().center())
    qtbot.mouseClick(plot.widget.viewport(), Qt.MouseButton.LeftButton, pos=center)
    qtbot.waitUntil(lambda: chooser_of(plot) is not None)
    chooser_of(plot).reject()


def test_channels_are_found_by_search_and_chosen_by_a_tick(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    plot.choose_curves()
    chooser = chooser_of(plot)
    qtbot.keyClicks(chooser.search, "elbow force joint")
    seen = [row.data(0, Qt.ItemDataRole.UserRole) for row in chooser.rows() if not row.isHidden()]
    assert seen == ["revolute_2.force_x_joint", "revolute_2.force_y_joint"]
    row = next(row for row in chooser.rows() if not row.isHidden())
    assert row.text(1) == "N" and row.text(2) == "joint axes on Upper"
    row.setCheckState(0, Qt.CheckState.Checked)
    chooser.accept()
    assert plot.names == ["rod_1.angle", "revolute_2.force_x_joint"]


def test_return_in_the_search_takes_the_first_hit(qtbot, area):
    plot = area.add_time_plot([])
    plot.choose_curves()
    chooser = chooser_of(plot)
    qtbot.keyClicks(chooser.search, "total energy")
    qtbot.keyClick(chooser.search, Qt.Key.Key_Return)
    assert plot.names == ["total_energy"]


def test_energy_bars_show_the_present(qtbot, area):
    bars = area.add_energy_bars()
    solve(qtbot, area)
    area.context.playback.set_time(0.8)
    results = area.context.playback.results
    expected = [results[f"{kind}_energy"][80] for kind in ("kinetic", "potential", "total")]
    assert bars.bars.values == pytest.approx(expected, abs=1e-6)


def test_energy_bars_show_the_work_of_what_does_any(qtbot, area):
    model = area.context.document.model
    damper = JointDamping(id="bearing", joint=model.of("joint")[0].id, damping=0.5)
    area.context.document.edit("Damp", put(model, damper))
    bars = area.add_energy_bars()
    solve(qtbot, area)
    area.context.playback.set_time(0.8)
    results = area.context.playback.results
    assert len(bars.bars.values) == 4 == len(bars.bars.texts)
    assert bars.bars.values[3] == pytest.approx(results["bearing.work"][80], abs=1e-6) != 0.0


def test_plots_can_be_added_closed_turned_and_restored(qtbot, area):
    area.add_time_plot(["rod_1.angle"]).set_log(True)
    area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity").flip("wraps")
    area.add_energy_bars()
    area.turn_action.trigger()
    assert area.splitter.orientation() == Qt.Orientation.Vertical
    document = area.context.document
    saved = dumps(document.model)
    button = area.frames[0].findChild(QToolButton, "close")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [type(plot) for plot in area.plots()] == [PhasePlot, EnergyBars]
    area.clear()
    assert area.stack.currentWidget() is area.empty
    document.new(loads(saved))
    assert [type(plot) for plot in area.plots()] == [TimePlot, PhasePlot, EnergyBars]
    assert area.plots()[0].is_log and area.plots()[1].wraps
    assert area.splitter.orientation() == Qt.Orientation.Vertical


def test_curves_can_be_removed_hidden_and_shown(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle", "rod_2.angle"])
    solve(qtbot, area)
    plot.flip_hidden("rod_1.angle")
    settle(qtbot, area)
    assert {name for _, name in plot._curves} == {"rod_2.angle"}
    menu = time_menu(plot)
    next(a for a in menu.actions() if a.text() == "Remove Lower: angle").trigger()
    assert plot.names == ["rod_1.angle"]
    item, place = plot.legend.places()[0]
    assert item.name == "rod_1.angle"
    qtbot.mouseClick(plot.legend, Qt.MouseButton.MiddleButton, pos=place.center().toPoint())
    assert plot.names == []


def test_a_channel_that_the_model_does_not_have_is_told(qtbot, area):
    plot = area.add_time_plot(["rod_1.roll"])
    solve(qtbot, area)
    item = plot.legend.items[0]
    assert item.is_faint and "no channel" in item.tip


def test_plots_follow_light_and_dark(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    for theme in (DARK, LIGHT):
        area.setPalette(palette_of(theme))
        assert plot.theme is theme
        assert plot.widget.backgroundBrush().color().name() == theme.paper


def test_the_axis_of_curves_that_are_not_known_yet_asks_for_nothing(area, monkeypatch):
    plot = area.add_time_plot(["rod_1.angle"])
    said = []
    monkeypatch.setattr(plot.left, "name_variable", lambda words, *_: said.append(words))
    monkeypatch.setattr(plot, "entries", lambda: {"rod_1.angle": None})
    plot._set_axes([], plot.entries(), [])
    assert said == [""]


def test_a_hint_stands_between_the_axes(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle", "rod_1.angular_velocity"])  # an axis at each side
    settle(qtbot, area)
    assert plot.hint.isVisible()
    room = plot.widget.mapFromScene(plot.canvas.sceneBoundingRect()).boundingRect()
    assert room.contains(plot.hint.geometry()) and room.width() < plot.widget.width() - 80


def test_a_low_plot_leaves_its_room_to_the_curves(qtbot, area):
    plot = area.add_time_plot(["rod_1.x", "rod_2.x"])
    solve(qtbot, area)
    shares = []
    for height, lines in ((320, 2), (150, 1), (320, 2)):
        area.resize(700, height)
        settle(qtbot, area)
        assert plot.legend.height() == lines * 20 and plot.bottom.label.isVisible() == (lines == 2)
        ticks = plot.bottom.tickStrings([0.5, 1.0], 1.0, 0.5)
        assert ticks[-1] == ("1.0" if lines == 2 else "1.0 s")
        shares.append(plot.canvas.height() / plot.height())
    assert shares[0] == pytest.approx(shares[2]) and shares[1] > 0.6
    a, b = (place for _, place in plot.legend.places())
    assert not a.intersects(b)


def test_a_plot_is_low_or_not_at_every_height(qtbot, area, monkeypatch):
    plot = area.add_time_plot(["rod_1.x", "rod_2.x", "rod_1.angle"])
    solve(qtbot, area)
    stand_low, changes = type(plot).stand_low, []

    def counted(self, is_low):
        if self.legend.is_low != is_low:
            changes.append(is_low)
        if len(changes) < 20:  # more would never end: what is left out for it makes it high again
            stand_low(self, is_low)

    monkeypatch.setattr(type(plot), "stand_low", counted)
    for height in range(300, 120, -6):
        area.resize(700, height)
        settle(qtbot, area)
    assert changes == [True] and plot.legend.height() == 20
