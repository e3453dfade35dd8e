"""A matrix of the tree in a table: only cells that are seen are written; rows are coloured as bodies."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from gui.look.translation import separated

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ZERO = "\u00b7"


class GridModel(QAbstractTableModel):
    """Shows an engine.studies.tree_tables.Grid."""

    def __init__(self) -> None:
        super().__init__()
        self.grid: Any = None
        self.colours: dict[str, QColor] = {}  # of bodies
        self.quiet = QColor("grey")
        self.lit: frozenset[str] = frozenset()
        self.lit_colour = QColor("yellow")

    def show_grid(self, grid: Any) -> None:
        """Show other numbers; changes the model. The table keeps its place where only numbers changed."""
        old, self.grid = self.grid, grid
        same = old is not None and grid is not None and old[:2] == grid[:2]
        if same:
            self.changed()
        else:
            self.beginResetModel()
            self.endResetModel()

    def changed(self) -> None:
        """Everything looks different now, in the same rows and columns."""
        if self.grid is not None and self.rowCount():
            last = self.index(self.rowCount() - 1, max(self.columnCount() - 1, 0))
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Rows of the matrix."""
        return 0 if self.grid is None or parent.isValid() else len(self.grid.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Columns of the matrix."""
        return 0 if self.grid is None or parent.isValid() else len(self.grid.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """A number, where it stands and how it looks."""
        value = self.grid.values[index.row(), index.column()]
        is_formula = isinstance(value, str)
        if role == Role.DisplayRole:
            return shown_formula(value) if is_formula else shown_number(float(value))
        if role == Role.ToolTipRole:
            return shown_formula(value) if is_formula else separated(f"{float(value):.15g}")
        if role == Role.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignCenter)
        if role == Role.ForegroundRole:
            part = self.grid.parts[index.row()]
            return self.quiet if value in (0.0, "0") else self.colours.get(part)
        if role == Role.BackgroundRole and self.grid.parts[index.row()] in self.lit:
            return self.lit_colour
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        """The name of a row or a column."""
        if self.grid is None:
            return None
        names = self.grid.columns if orientation == Qt.Orientation.Horizontal else self.grid.rows
        if role == Role.DisplayRole:
            return names[section]
        if role == Role.ForegroundRole and orientation == Qt.Orientation.Vertical:
            return self.colours.get(self.grid.parts[section])
        return None


def shown_number(value: float) -> str:
    """A number in a cell; zero is a dot."""
    return ZERO if abs(value) < 1e-13 else minus(separated(f"{value:.4g}"))


def shown_formula(text: str) -> str:
    """A formula in a cell; zero is a dot."""
    return ZERO if text == "0" else text.replace("-", "\u2212")


def minus(text: str) -> str:
    """A number with minus signs instead of hyphens; words as they are."""
    return text.replace("-", "\u2212") if text.strip("-+.e0123456789") == "" else text
