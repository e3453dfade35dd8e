"""Tables of pages: to be read and clicked, line by line."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

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


def share_room(table: QTableWidget) -> None:
    """Columns of one width where all of them fit, else as wide as what is in them; changes the table."""
    header = table.horizontalHeader()
    columns = range(table.columnCount())
    widest = max(
        (max(table.sizeHintForColumn(k), header.sectionSizeHint(k)) for k in columns), default=0
    )
    modes = QHeaderView.ResizeMode
    fits = widest * len(columns) <= table.viewport().width()
    mode = modes.Stretch if fits else modes.ResizeToContents
    if columns and header.sectionResizeMode(0) != mode:
        header.setSectionResizeMode(mode)
