"""The dialog for tables, driven as a person would: tick, type, look at the first rows, export."""

import csv
import math

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from gui.export.channel_tree import _NAME as NAME
from gui.export.table_dialog import EQUAL_STEPS, EVERY_NTH, TableDialog
from gui.look.tree_items import children
from tests.gui.export_samples import PlottedChannels, sample_results, sample_sources

PLOTTED = ["crank.angle", "total_energy"]


@pytest.fixture
def make(qtbot, tmp_path):
    """A function that opens the dialog with some channels in the plots."""

    def open_dialog(plotted=PLOTTED, span=None):
        plots = PlottedChannels(plotted, span) if plotted else None
        dialog = TableDialog(sample_sources(tmp_path, plots=plots))
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitExposed(dialog)
        return dialog

    return open_dialog


def export(qtbot, dialog):
    """Press Export and wait until the file is there."""
    path = dialog.target.path
    with qtbot.waitSignal(dialog.finished):
        qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    assert dialog.result() == QDialog.DialogCode.Accepted
    return path


def type_into(qtbot, field, text):
    """Replace the text of a field by typing."""
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)


def head(dialog):
    """The titles of the preview."""
    table = dialog.preview
    return [table.horizontalHeaderItem(c).text() for c in range(table.columnCount())]


def tick(qtbot, dialog, words):
    """Search for words and tick all that is left."""
    type_into(qtbot, dialog.channels.search, words)
    dialog.channels.tick_shown(True)


def test_what_is_plotted_is_chosen_already_and_can_be_exported_at_once(qtbot, make):
    dialog = make()
    assert sorted(dialog.channels.chosen) == sorted(PLOTTED)
    path = export(qtbot, dialog)
    rows = list(csv.reader(path.read_text().splitlines()))
    results = sample_results()
    assert sorted(rows[0]) == ["crank.angle [deg]", "time [s]", "total_energy [J]"]
    assert len(rows) == 1 + len(results)
    column = rows[0].index("crank.angle [deg]")
    degrees = np.array([float(row[column]) for row in rows[1:]])
    # one rounding in the factor and one in the product
    np.testing.assert_allclose(degrees, np.degrees(results["crank.angle"]), rtol=1e-15)


def test_searching_leaves_only_channels_with_all_words(qtbot, make):
    dialog = make(plotted=None)
    type_into(qtbot, dialog.channels.search, "coupler angular vel")
    shown = [i for i in dialog.channels._items() if not i.isHidden()]
    assert [i.text(0) for i in shown] == ["Angular velocity"]
    dialog.channels.search.clear()
    assert all(not item.isHidden() for item in dialog.channels._items())


def test_enter_in_the_search_ticks_the_first_hit_and_writes_nothing(qtbot, make):
    dialog = make()
    before = set(dialog.channels.chosen)
    type_into(qtbot, dialog.channels.search, "coupler angular vel")
    qtbot.keyClick(dialog.channels.search, Qt.Key.Key_Return)
    assert set(dialog.channels.chosen) == {*before, "coupler.angular_velocity"}
    assert dialog.isVisible() and not dialog.target.path.exists()


def test_no_channel_is_listed_twice_and_the_title_names_the_run(qtbot, make):
    dialog = make(plotted=None)
    items = list(dialog.channels._items())
    words = [(item.parent().text(0), item.text(0)) for item in items]
    assert len(set(words)) == len(words) and not any("marker" in what for _, what in words)
    assert "Run" in dialog.windowTitle()


def test_ticking_a_box_with_the_mouse_adds_a_column(qtbot, make):
    dialog = make(plotted=None)
    assert not dialog.write_button.isEnabled() and "at least one channel" in dialog.told.text()
    type_into(qtbot, dialog.channels.search, "total_energy")
    tree = dialog.channels.tree
    (item,) = [i for i in dialog.channels._items() if not i.isHidden()]
    where = tree.visualItemRect(item).center()
    where.setX(tree.visualItemRect(item).left() + 10)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=where)
    qtbot.waitUntil(lambda: dialog.write_button.isEnabled())
    assert head(dialog) == ["time [s]", "total_energy [J]"]
    assert dialog.channels.count.text() == "1 channel chosen"


def test_the_preview_shows_the_first_rows_as_they_are_written(qtbot, make):
    dialog = make(plotted=["crank.x"])
    dialog.length_unit.setCurrentText("mm")
    qtbot.mouseClick(dialog.decimal_comma, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "," in dialog.preview.item(1, 1).text())
    assert dialog.separator.currentData() == "semicolon"  # a comma cannot be both
    shown = [
        [dialog.preview.item(r, c).text() for c in range(2)]
        for r in range(dialog.preview.rowCount())
    ]
    path = export(qtbot, dialog)
    lines = path.read_text().splitlines()
    assert lines[0] == "time [s];crank.x [mm]"
    assert [line.split(";") for line in lines[1 : 1 + len(shown)]] == shown


def test_every_nth_frame_and_equal_steps(qtbot, make):
    dialog = make()
    dialog.rows.setCurrentIndex(EVERY_NTH)
    dialog.every.setValue(50)
    qtbot.waitUntil(lambda: dialog.size_told.text() == "5 rows of 3 columns")
    assert dialog.every.isVisible() and not dialog.step.isVisible()
    dialog.rows.setCurrentIndex(EQUAL_STEPS)
    type_into(qtbot, dialog.step, "15 ms")
    qtbot.waitUntil(lambda: dialog.size_told.text() == "134 rows of 3 columns")
    path = export(qtbot, dialog)
    times = [float(line.split(",")[0]) for line in path.read_text().splitlines()[1:]]
    assert np.diff(times) == pytest.approx(0.015, rel=1e-10)  # rounding of n h


def test_a_span_of_time_can_be_chosen(qtbot, make):
    dialog = make()
    type_into(qtbot, dialog.start, "0.5")
    type_into(qtbot, dialog.stop, "0.6")
    qtbot.waitUntil(lambda: dialog.size_told.text() == "11 rows of 3 columns")
    type_into(qtbot, dialog.stop, "0.4")
    qtbot.waitUntil(lambda: "must not be before" in dialog.told.text())
    assert not dialog.write_button.isEnabled()
    type_into(qtbot, dialog.stop, "nonsense")
    qtbot.waitUntil(lambda: "nonsense" in dialog.told.text())


def test_exactly_what_the_plots_show(qtbot, make):
    dialog = make(span=(0.25, 0.35))
    tick(qtbot, dialog, "rocker")
    qtbot.keyClick(dialog.as_plotted, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.size_told.text() == "11 rows of 3 columns")
    assert sorted(dialog.channels.chosen) == sorted(PLOTTED)
    assert not dialog.channels.isEnabled()
    rows = export(qtbot, dialog).read_text().splitlines()[1:]
    assert float(rows[0].split(",")[0]) == pytest.approx(0.25, rel=1e-12)  # rounding of n h
    assert float(rows[-1].split(",")[0]) == pytest.approx(0.35, rel=1e-12)


def test_an_npz_file_has_the_chosen_arrays(qtbot, make):
    dialog = make()
    dialog.format.setCurrentIndex(1)
    assert dialog.target.path.suffix == ".npz" and not dialog.separator.isEnabled()
    with np.load(export(qtbot, dialog), allow_pickle=False) as file:
        assert sorted(file["names"].tolist()) == sorted(PLOTTED)
        assert math.isclose(
            file["crank.angle"][-1], math.degrees(sample_results()["crank.angle"][-1])
        )


def test_a_folder_that_does_not_exist_is_told_before_and_a_failure_after(qtbot, make, tmp_path):
    dialog = make()
    dialog.target.edit.setText(str(tmp_path / "nowhere" / "run.csv"))
    qtbot.waitUntil(lambda: "no folder 'nowhere'" in dialog.told.text())
    assert not dialog.write_button.isEnabled()
    folder = tmp_path / "gone"
    folder.mkdir()
    dialog.target.edit.setText(str(folder / "run.csv"))
    qtbot.waitUntil(dialog.write_button.isEnabled)
    folder.rmdir()
    dialog.write_button.setEnabled(True)
    dialog.target.edit.setText(str(folder / "run.csv"))
    qtbot.mouseClick(dialog.write_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "no folder 'gone'" in dialog.told.text())
    assert dialog.isVisible()


def test_an_old_file_is_mentioned_and_replaced(qtbot, make, tmp_path):
    old = tmp_path / "old.csv"
    old.write_text("old")
    dialog = make()
    dialog.target.edit.setText(str(tmp_path / "old"))  # the suffix is added
    qtbot.waitUntil(lambda: "old 'old.csv' will be replaced" in dialog.told.text())
    assert export(qtbot, dialog) == old and old.read_text().startswith("time")
    assert dialog.sources.folder() == tmp_path


def test_cancelling_a_long_table_leaves_nothing(qtbot, make, tmp_path):
    dialog = make()
    dialog.rows.setCurrentIndex(EQUAL_STEPS)
    type_into(qtbot, dialog.step, "2e-6")  # a million rows
    qtbot.waitUntil(dialog.write_button.isEnabled)
    dialog.write()
    qtbot.waitUntil(dialog.box.isVisible)
    qtbot.mouseClick(dialog.box.cancel_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Cancelled" in dialog.told.text())
    assert [entry.name for entry in tmp_path.iterdir() if entry.suffix != ".ini"] == []
    assert dialog.isVisible()


def test_the_tree_shows_the_units_in_which_the_table_is_written(qtbot, make):
    dialog = make()
    tree = dialog.channels

    def shown(name):
        return next(i.text(1) for i in tree._items() if i.data(0, NAME) == name)

    assert shown("crank.angle") == "°" and "crank.angle [deg]" in head(dialog)
    dialog.angle_unit.setCurrentText("rad")
    dialog.length_unit.setCurrentText("mm")
    qtbot.waitUntil(lambda: "crank.angle [rad]" in head(dialog))
    assert shown("crank.angle") == "rad" and shown("crank.vx") == "mm/s"
    assert shown("total_energy") == "J"


def test_points_have_the_names_of_their_joints_and_bodies(make):
    dialog = make()
    root = dialog.channels.tree.invisibleRootItem()
    titles = [group.text(0) for group in children(root)]
    assert "B on crank" in titles and "B on coupler" in titles
    assert "B (pin)" in titles and not [title for title in titles if "revolute" in title]
    assert not [title for title in titles if "marker" in title]
    point = children(root)[titles.index("B on crank")]
    assert point.child(0).text(0) == "Position, x"
