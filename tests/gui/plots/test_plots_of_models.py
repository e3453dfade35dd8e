"""Plots belong to the model: steps of undo, New, deleted bodies, colours, numbers in the legend."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from engine.editing.edits import deleted
from engine.model.elements import planar, with_plots
from engine.model.views import Curves, Portrait
from gui.look.theme import DARK, LIGHT
from gui.plots.curves.readings import BLOCK, Curve
from gui.plots.curves.tones import tones
from gui.plots.plot_menus import curve_menu, time_menu
from tests.gui.plotting import chooser_of, drawn, panel_of_plots, pixel, settle, solve
from tests.run_models import double_pendulum


@pytest.fixture
def area(qtbot, tmp_path):
    """A panel of plots beside a double pendulum of two seconds."""
    yield from panel_of_plots(qtbot, tmp_path)


def test_adding_and_removing_a_curve_are_steps_of_undo(qtbot, area):
    document = area.context.document
    plot = area.add_time_plot(["rod_1.angle"])
    plot.add(["rod_2.angle"])
    assert document.model.view.plots == (Curves(channels=("rod_1.angle", "rod_2.angle")),)
    assert document.undo_stack.undo_text() == "Add a curve" and not document.is_saved
    plot.remove("rod_1.angle")
    assert document.undo_stack.undo_text() == "Remove a curve"
    document.undo_stack.undo()
    assert plot.names == ["rod_1.angle", "rod_2.angle"] and area.plots() == [plot]
    document.undo_stack.undo()
    assert plot.names == ["rod_1.angle"]
    document.undo_stack.undo()
    assert area.plots() == [] and document.is_saved
    document.undo_stack.redo()
    assert [one.names for one in area.plots()] == [["rod_1.angle"]]


def test_a_run_goes_on_when_only_plots_change(qtbot, area):
    solve(qtbot, area)
    playback = area.context.playback
    record, plot = playback.current, area.add_time_plot(["rod_1.angle"])
    assert playback.current is record
    area.context.document.undo_stack.undo()
    area.context.document.undo_stack.redo()
    assert playback.current is record and not playback.ghosts
    settle(qtbot, area)
    plot = area.plots()[0]
    assert np.ptp(drawn(plot, "rod_1.angle")[1]) > 0.1


def test_another_model_has_its_own_plots_and_a_new_one_none(area):
    first = area.context.document.model
    area.add_time_plot(["rod_1.angle"])
    kept = area.context.document.model
    area.context.document.new(planar())
    assert area.plots() == [] and area.stack.currentWidget() is area.empty
    area.context.document.new(kept)
    assert area.plots()[0].names == ["rod_1.angle"]
    area.context.document.new(first)
    assert area.plots() == []


def test_a_curve_goes_with_its_body_and_comes_back_with_it(area):
    document = area.context.document
    area.add_time_plot(["rod_1.angle", "rod_2.angle"])
    area.add_phase_plot("rod_2.angle", "rod_2.angular_velocity")
    document.edit("Delete", deleted(document.model, ["rod_2"]))
    assert area.contents() == (Curves(channels=("rod_1.angle",)),)
    document.undo_stack.undo()
    portrait = Portrait(x="rod_2.angle", y="rod_2.angular_velocity")
    assert area.contents() == (Curves(channels=("rod_1.angle", "rod_2.angle")), portrait)


def test_curves_have_the_tone_of_their_body_and_keep_it():
    model = double_pendulum()
    names = ["rod_1.angle", "rod_2.angle", "rod_2.x", "revolute_2.angle", "total_energy"]
    for theme in (LIGHT, DARK):
        found = tones(names, model, theme)
        assert found["rod_1.angle"].colour != found["rod_2.angle"].colour
        assert found["rod_2.angle"].colour == found["rod_2.x"].colour
        assert found["rod_2.angle"].dash != found["rod_2.x"].dash  # told apart by dash
        assert found["revolute_2.angle"].colour == found["rod_2.angle"].colour  # the body it turns
        without = tones(["rod_2.angle"], deleted(model, ["rod_1"]), theme)
        assert without["rod_2.angle"] == found["rod_2.angle"]


def test_the_title_and_the_axis_name_what_is_shown(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    assert plot.title == "Upper: angle" and plot.left.labelText == "Upper: angle [°]"
    plot.add(["rod_2.angle"])
    settle(qtbot, area)
    assert plot.left.labelText == "angle [°]" and plot.title == "Upper: angle; Lower: angle"
    plot.set_names(["revolute_2.force_x"])
    area.resize(400, 130)
    settle(qtbot, area)
    label = plot.left.labelText
    assert label.endswith("[N]") and "…" not in label
    assert plot.fontMetrics().horizontalAdvance(label) * 0.9 <= plot.canvas.height()


def test_a_label_that_is_shortened_stands_in_the_middle_of_its_axis_too(qtbot, area):
    plot = area.add_time_plot(["revolute_2.force"])
    solve(qtbot, area)
    shown = []
    for height in (700, 200):
        area.resize(600, height)
        settle(qtbot, area)
        label = plot.left.label
        shown.append(plot.left.labelText)
        middle = label.mapToParent(label.boundingRect().center()).y()
        assert middle == pytest.approx(plot.left.size().height() / 2.0, abs=2.0)
    assert len(shown[1]) < len(shown[0])


def test_the_legend_reads_extremes_and_means_and_goes_there(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    results = area.context.playback.results
    t, y = results.t, np.degrees(results["rod_1.angle"])
    marks = plot.legend.items[0].marks
    assert marks[0].t == t[np.argmax(y)] and marks[1].t == t[np.argmin(y)]
    mean = np.trapezoid(y, t) / (t[-1] - t[0])
    rms = np.sqrt(np.trapezoid(y * y, t) / (t[-1] - t[0]))
    told = [float(mark.text.split()[1].rstrip("°")) for mark in marks]
    # four digits are written; the squares of the trapezoidal rule are off by dt^2
    assert told == pytest.approx([y.max(), y.min(), mean, rms], rel=2e-3)
    area.context.playback.set_time(0.0)
    item, n, place = plot.legend.mark_places()[0]
    assert (item.name, n) == ("rod_1.angle", 0)
    qtbot.mouseClick(plot.legend, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    assert area.context.playback.time == marks[0].t
    menu = curve_menu(plot, "rod_1.angle")
    assert [action.text() for action in menu.actions()[:4]] == [mark.text for mark in marks]
    menu.actions()[1].trigger()
    assert area.context.playback.time == marks[1].t


def test_the_legend_reads_the_run_that_is_shown(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    before = [mark.text for mark in plot.legend.items[0].marks]
    document = area.context.document
    document.edit("Gravity", replace(document.model, gravity=(0.0, -1.0)))
    solve(qtbot, area)  # as many frames at the same times
    y = np.degrees(area.context.playback.results["rod_1.angle"])
    marks = [mark.text for mark in plot.legend.items[0].marks]
    assert marks != before
    told = [float(text.split()[1].rstrip("°")) for text in marks[:2]]
    assert told == pytest.approx([y.max(), y.min()], rel=2e-3)


def test_means_are_those_of_the_drawn_line():
    # y = 3 t on uneven frames from 0 to 2: mean 3, mean square 12
    t = np.array([0.0, 0.1, 0.15, 1.2, 2.0])
    found = Curve(t, 3.0 * t).reading()
    assert (found.high, found.t_high, found.low, found.t_low) == (6.0, 2.0, 0.0, 0.0)
    assert found.mean == pytest.approx(3.0, rel=1e-14)
    assert found.rms == pytest.approx(np.sqrt(12.0), rel=1e-14)
    assert Curve(t[:1], t[:1]).reading() is None
    assert Curve(t, np.full(5, 1e300)).reading().rms == pytest.approx(
        1e300
    )  # squares do not overflow


@pytest.mark.parametrize("n_frames", [2, BLOCK, BLOCK + 1, 2 * BLOCK, 5 * BLOCK + 7])
def test_parts_of_long_curves_are_read_as_if_they_were_whole(n_frames):
    random = np.random.default_rng(n_frames)
    t, y = np.cumsum(random.uniform(0.1, 1.0, n_frames)), random.normal(0.3, 1.0, n_frames)
    curve = Curve(t, y)
    for _ in range(40):
        first, last = sorted(random.choice(n_frames, 2, replace=False))
        found, part = curve.reading(t[first], t[last]), y[first : last + 1]
        top, bottom = first + part.argmax(), first + part.argmin()
        assert found[:4] == (y[top], t[top], y[bottom], t[bottom])
        dt, a, b = np.diff(t[first : last + 1]), part[:-1], part[1:]
        span = t[last] - t[first]
        assert found.mean == pytest.approx((dt * (a + b) / 2).sum() / span, abs=1e-12)
        square = (dt * (a * a + a * b + b * b)).sum() / (3 * span)
        assert found.rms == pytest.approx(np.sqrt(square), rel=1e-12)


def test_earlier_runs_are_named_and_can_be_subtracted(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle"])
    solve(qtbot, area)
    first = area.context.playback.current
    area.context.simulator.run()
    solve(qtbot, area)
    ghosts = area.context.playback.ghosts
    assert {plot._endings[record].toPlainText() for record in ghosts} == {
        ghost.short_title for ghost in ghosts
    }
    runs = next(a for a in time_menu(plot).actions() if a.text() == "Difference from").menu()
    next(a for a in runs.actions() if a.text() == first.title).trigger()
    settle(qtbot, area)
    # the same run twice: no difference at all
    assert np.array_equal(drawn(plot, "rod_1.angle")[1], np.zeros(len(first.results)))
    assert plot.legend.items[0].text == f"Upper: angle, less {first.short_title}"
    assert plot.left.labelText == "difference of Upper: angle [°]"
    plot.subtract(None)
    settle(qtbot, area)
    assert np.ptp(drawn(plot, "rod_1.angle")[1]) > 0.1


def test_del_removes_the_curve_that_was_clicked(qtbot, area):
    plot = area.add_time_plot(["rod_1.angle", "rod_2.x", "total_energy"])
    solve(qtbot, area)
    t, y = plot._curves[area.context.playback.current, "rod_1.angle"].getData()
    n = len(t) // 3
    port = plot.widget.viewport()
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=pixel(plot, t[n], y[n]))
    qtbot.waitUntil(lambda: plot.chosen == "rod_1.angle")
    qtbot.keyClick(plot.widget, Qt.Key.Key_Delete)
    assert plot.names == ["rod_2.x", "total_energy"]
    area.context.document.undo_stack.undo()
    assert plot.names == ["rod_1.angle", "rod_2.x", "total_energy"]
    portrait = area.add_phase_plot("rod_1.angle", "rod_1.angular_velocity")
    qtbot.keyClick(portrait.widget, Qt.Key.Key_Delete)
    assert area.plots() == [plot]


def test_no_curve_is_offered_twice(qtbot, area):
    plot = area.add_time_plot([])
    plot.choose_curves()
    chooser = chooser_of(plot)
    qtbot.keyClicks(chooser.search, "upper x")
    seen = [row for row in chooser.rows() if not row.isHidden()]
    words = [(row.parent().text(0), row.text(0)) for row in seen]
    assert ("Upper", "position, x") in words and len(set(words)) == len(words)
    assert not any("Mass centre" in what for _, what in words)
    chooser.reject()


def test_plots_of_a_model_that_is_edited_keep_their_place(area):
    document = area.context.document
    names = ("rod_1.angle", "rod_2.angle", "rod_1.x")
    for name in names:
        area.add_time_plot([name])
    before = area.plots()
    contents = list(area.contents())
    document.edit("Two left", with_plots(document.model, [contents[0], contents[2]]))
    assert area.plots() == [before[0], before[2]]
    document.edit("Another", with_plots(document.model, [contents[0], Portrait(), contents[2]]))
    assert area.plots()[0] is before[0] and area.plots()[2] is before[2]
    assert area.splitter.indexOf(area.frames[1]) == 1 and isinstance(area.contents()[1], Portrait)
