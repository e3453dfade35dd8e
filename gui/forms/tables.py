"""Tables of numbers: the curve of a function, or the corners of an outline."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.formulas.functions import joined_by, table
from engine.model.fields import Polyline, joined_like
from gui.forms.fields import tr
from gui.look.icons import icon
from gui.look.sentences import said
from gui.look.theme import theme_of
from gui.state.preferences import Preferences

SPARE = 1  # empty rows at the end, to type into


class TableDialog(QDialog):
    """Edit rows of two or three numbers; rows may be pasted from a spreadsheet."""

    def __init__(
        self,
        parent: QWidget | None,
        title: str,
        columns: list[tuple[str, str]],  # heading and SI unit of each
        rows: tuple[tuple[Any, ...], ...],
        preferences: Preferences,
        model: Any,
        *,
        is_curve: bool,
        of_time: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.resize(560, 420)
        self.columns, self.preferences, self.model = columns, preferences, model
        self.is_curve, self.of_time = is_curve, of_time
        self.rows: tuple[tuple[Any, ...], ...] = rows
        self.grid = QTableWidget(0, len(columns))
        self.grid.setHorizontalHeaderLabels([self._heading(*column) for column in columns])
        self.grid.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.grid.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.picture = Curve(is_curve, of_time)
        self.joining = QComboBox()
        self.joining.addItem(said(joined_by((), of_time=of_time)).capitalize())
        self.joining.addItem(said(joined_by(Polyline(), of_time=of_time)).capitalize())
        self.joining.setCurrentIndex(int(isinstance(rows, Polyline)))
        self.joining.setToolTip(self._about_joining())
        self.joining.setVisible(is_curve)
        self.note = QLabel(wordWrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self._fill(rows)
        self.grid.itemChanged.connect(lambda _: self._read())
        self.joining.currentIndexChanged.connect(lambda _: self._read())
        self._read()

    def _lay_out(self) -> None:
        remove = QPushButton(icon("delete"), tr("Delete rows"))
        paste = QPushButton(icon("paste"), tr("Paste"))
        paste.setToolTip(tr("Paste rows copied from a spreadsheet or a text."))
        remove.clicked.connect(self.remove_rows)
        paste.clicked.connect(self.paste)
        for button in (remove, paste):
            button.setAutoDefault(False)
        left = QVBoxLayout()
        left.addWidget(self.grid, 1)
        row = QHBoxLayout()
        row.addWidget(paste)
        row.addWidget(remove)
        row.addStretch(1)
        left.addLayout(row)
        both = QHBoxLayout()
        both.addLayout(left, 3)
        right = QVBoxLayout()
        right.addWidget(self.picture, 1)
        right.addWidget(self.joining)
        both.addLayout(right, 2)
        column = QVBoxLayout(self)
        column.addLayout(both, 1)
        column.addWidget(self.note)
        column.addWidget(self.buttons)

    def _about_joining(self) -> str:
        """What the choice of a curve or of lines means."""
        smooth = (
            tr("The spline passes through all points with continuous velocity and acceleration.")
            if self.of_time
            else tr("The curve passes through all points and never overshoots them.")
        )
        return smooth + "<br/>" + tr("Straight lines have a kink at every point.")

    def _joined(self, rows: Sequence[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
        """Rows as a value of the field, with what joins them."""
        return Polyline(rows) if self.joining.currentIndex() == 1 else tuple(rows)

    def _heading(self, name: str, unit: str) -> str:
        shown = self.preferences.unit(unit) if unit else ""
        return f"{name} [{shown}]" if shown else name

    def _fill(self, rows: tuple[tuple[Any, ...], ...]) -> None:
        self.grid.blockSignals(True)
        self.grid.setRowCount(len(rows) + SPARE)
        for r, row in enumerate(rows):
            for c, value in enumerate(row[: len(self.columns)]):
                self.grid.setItem(r, c, QTableWidgetItem(self._text(c, value)))
        self.grid.blockSignals(False)

    def _text(self, column: int, value: Any) -> str:
        if isinstance(value, str):
            return value
        wanted = self.preferences.unit(self.columns[column][1])
        from engine.formulas.units import from_si

        known = "" if " or " in wanted else wanted
        return self.preferences.digits(from_si(value, known), 10)

    def _read(self) -> None:
        """Read the cells; say what is wrong, or draw the curve."""
        if self.grid.rowCount() == 0 or any(
            self._cell(self.grid.rowCount() - 1, c) for c in range(len(self.columns))
        ):
            self.grid.blockSignals(True)
            self.grid.setRowCount(self.grid.rowCount() + SPARE)
            self.grid.blockSignals(False)
        sentence, rows = "", []
        for r in range(self.grid.rowCount()):
            cells = [self._cell(r, c) for c in range(len(self.columns))]
            if not any(cells):
                continue
            try:
                rows.append(tuple(self._number(c, text) for c, text in enumerate(cells)))
            except EngineError as error:
                sentence = sentence or tr("Row {0}: {1}").format(r + 1, error.sentence)
        if not sentence and self.is_curve:
            try:
                table(self._joined(rows), of_time=self.of_time)
            except EngineError as error:
                sentence = error.sentence
        if not sentence:
            self.rows = self._joined(rows)
            self.picture.show_rows(self.rows)
        self.note.setText(sentence)
        self.note.setProperty("role", "wrong")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not sentence)

    def _cell(self, row: int, column: int) -> str:
        item = self.grid.item(row, column)
        return item.text().strip() if item is not None else ""

    def _number(self, column: int, text: str) -> Any:
        value = self.preferences.parse(text, self.columns[column][1], self.model)
        if self.is_curve and isinstance(value, str):
            raise EngineError(tr("A table holds numbers; parameters do not fit in."))
        return value

    def remove_rows(self) -> None:
        """Delete the selected rows; changes the table."""
        chosen = {index.row() for index in self.grid.selectedIndexes()}
        for row in sorted(chosen, reverse=True):
            self.grid.removeRow(row)
        self._read()

    def paste(self) -> None:
        """Fill cells from the clipboard, from the current cell on; changes the table."""
        text = QGuiApplication.clipboard().text()
        top, left = max(self.grid.currentRow(), 0), max(self.grid.currentColumn(), 0)
        self.grid.blockSignals(True)
        for r, line in enumerate(text.splitlines()[:100_000]):
            cells = line.split("\t") if "\t" in line else line.replace(";", " ").split()
            if top + r >= self.grid.rowCount():
                self.grid.setRowCount(top + r + 1)
            for c, cell in enumerate(cells[: len(self.columns) - left]):
                self.grid.setItem(top + r, left + c, QTableWidgetItem(cell.strip().rstrip(",")))
        self.grid.blockSignals(False)
        self._read()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+V pastes; Delete empties the selected cells."""
        if event.matches(QKeySequence.StandardKey.Paste):
            self.paste()
        elif event.key() == Qt.Key.Key_Delete:
            for item in self.grid.selectedItems():
                item.setText("")
        else:
            super().keyPressEvent(event)


class Curve(QWidget):
    """A small picture of a table: the curve through its points, or the outline of its corners."""

    def __init__(self, is_curve: bool, of_time: bool) -> None:
        super().__init__()
        self.is_curve, self.of_time = is_curve, of_time
        self.setMinimumSize(160, 120)
        self._points: list[QPointF] = []
        self._line: list[QPointF] = []

    def show_rows(self, rows: tuple[tuple[Any, ...], ...]) -> None:
        """Draw these rows."""
        pairs = (row[:2] for row in rows if all(isinstance(v, float) for v in row[:2]))
        numbers: Any = joined_like(rows, pairs)
        self._points = [QPointF(x, -y) for x, y in numbers]
        self._line = self._smooth(numbers) if self.is_curve else [*self._points, *self._points[:1]]
        self.update()

    def _smooth(self, numbers: Any) -> list[QPointF]:
        """Points on the same curve that the solver uses."""
        import numpy as np

        knots, c = table(numbers, of_time=self.of_time)
        x = np.union1d(np.linspace(knots[0], knots[-1], 300), knots)
        k = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 1)
        u = x - knots[k]
        y = c[k, 0] + u * (c[k, 1] + u * (c[k, 2] + u * c[k, 3]))
        return [QPointF(a, -b) for a, b in zip(x, y)]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the curve into the widget."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.paper))
        if len(self._line) > 1:
            bounds = QPolygonF([*self._line, *self._points]).boundingRect()
            room = QRectF(self.rect()).adjusted(12, 12, -12, -12)
            sx = room.width() / (bounds.width() or 1.0)
            sy = room.height() / (bounds.height() or 1.0)
            if not self.is_curve:
                sx = sy = min(sx, sy)

            def place(p: QPointF) -> QPointF:
                from_center = p - bounds.center()
                return room.center() + QPointF(from_center.x() * sx, from_center.y() * sy)

            painter.setPen(QPen(QColor(theme.accent), 1.6))
            painter.drawPolyline([place(p) for p in self._line])
            painter.setBrush(QColor(theme.accent))
            for point in self._points[:500]:
                painter.drawEllipse(place(point), 2.5, 2.5)
        painter.end()
