"""The dialog of tables: what joins the points is said, shown and chosen."""

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from engine.model.elements import planar
from engine.model.fields import Polyline
from gui.forms.tables import TableDialog
from gui.state.preferences import Preferences


@pytest.fixture
def preferences(tmp_path):
    """Preferences in a file of their own."""
    return Preferences(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))


@pytest.mark.parametrize("of_time, smooth", [(True, "A cubic spline"), (False, "Monotone cubic")])
def test_a_table_says_what_joins_it_and_may_be_joined_by_lines(qtbot, preferences, of_time, smooth):
    rows, columns = ((0.0, 0.0), (1.0, 2.0), (2.0, 0.0)), [("t", "s"), ("f", "")]
    model = planar()
    curved = {"is_curve": True, "of_time": of_time}
    dialog = TableDialog(None, "Table", columns, rows, preferences, model, **curved)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.joining.isVisible() and dialog.joining.currentText().startswith(smooth)
    assert dialog.rows == rows and not isinstance(dialog.rows, Polyline)
    middle = {p.x(): -p.y() for p in dialog.picture._line}
    dialog.joining.setCurrentIndex(1)
    assert dialog.rows == Polyline(rows) and dialog.joining.currentText() == "Straight lines"
    bent = [p for p in dialog.picture._line if abs(-p.y() - 2.0 * min(p.x(), 2.0 - p.x())) > 1e-12]
    assert not bent and middle  # the picture shows what is chosen
    again = TableDialog(None, "Table", columns, dialog.rows, preferences, model, **curved)
    qtbot.addWidget(again)
    assert again.joining.currentIndex() == 1


def test_an_outline_is_not_joined_by_a_curve(qtbot, preferences):
    rows, columns = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)), [("x", "m"), ("y", "m")]
    dialog = TableDialog(None, "Outline", columns, rows, preferences, planar(), is_curve=False)
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.joining.isVisible() and dialog.rows == rows


def test_a_table_is_edited_in_cells_and_checked(qtbot, preferences):
    dialog = TableDialog(
        None, "Law", [("t", "s"), ("law", "")], ((0.0, 0.0), (1.0, 2.0)), preferences, planar(),
        is_curve=True, of_time=True,
    )  # fmt: skip
    qtbot.addWidget(dialog)
    dialog.show()
    ok = dialog.buttons.button(QDialogButtonBox.StandardButton.Ok)
    assert dialog.grid.rowCount() == 3 and ok.isEnabled()
    QApplication.clipboard().setText("2\t5\n3\t4\n")
    dialog.grid.setCurrentCell(2, 0)
    dialog.paste()
    assert dialog.rows == ((0.0, 0.0), (1.0, 2.0), (2.0, 5.0), (3.0, 4.0))
    dialog.grid.item(1, 0).setText("-1")
    assert not ok.isEnabled() and "must increase" in dialog.note.text()
    dialog.grid.item(1, 0).setText("nan")
    assert not ok.isEnabled() and dialog.note.text().startswith("Row 2")
    dialog.grid.item(1, 0).setText("0.5")
    assert ok.isEnabled() and dialog.rows[1] == (0.5, 2.0)
    dialog.grid.selectRow(1)
    dialog.remove_rows()
    assert len(dialog.rows) == 3
