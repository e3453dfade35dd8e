"""Tables of pages: to be read and clicked, line by line."""

from collections.abc import Sequence

from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QHeaderView, QScrollArea, QTableWidget, QTableWidgetItem, QWidget

from gui.look.tooltips import as_text


def reading_table(name: str = "", heads: Sequence[str] = ()) -> QTableWidget:
    """An empty table that nobody can write into."""
    table = QTableWidget(0, len(heads))
    table.setHorizontalHeaderLabels(list(heads))
    table.setAccessibleName(name)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
    table.verticalHeader().hide()
    return table


def fill(
    table: QTableWidget,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    stretched: Sequence[int],
) -> None:
    """Write rows into a table, the cells of before kept; columns that stretch may be cut. Changes it."""
    if (table.rowCount(), table.columnCount()) != (len(rows), len(heads)):
        table.setColumnCount(len(heads))
        table.setRowCount(len(rows))
    table.setHorizontalHeaderLabels(list(heads))
    for n, row in enumerate(rows):
        for k, text in enumerate(row):
            cell = table.item(n, k)
            if cell is None:
                cell = QTableWidgetItem()
                table.setItem(n, k, cell)
            if cell.text() != text:
                cell.setText(text)
                cell.setToolTip(as_text(text))
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    for k in stretched:
        header.setSectionResizeMode(k, QHeaderView.ResizeMode.Stretch)


def paper_around(content: QWidget) -> QScrollArea:
    """A sheet with room to scroll, on its own paper."""
    area = QScrollArea()
    area.setBackgroundRole(QPalette.ColorRole.Base)
    area.setWidget(content)
    return area
