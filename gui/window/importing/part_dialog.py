"""What a part that bends keeps: its nodes, its frequencies, and what the choice of shapes costs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDoubleValidator, QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QSpinBox,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.editing.edits.parts import part_as_held
from engine.errors import EngineError
from engine.model.shapes import Part
from gui.instruments.modes.quality_table import fill_quality, quality_table
from gui.instruments.tables import reading_table
from gui.look.theme import theme_of
from gui.state.numbers import written

PAUSE = 200  # ms after an answer
COMPARED = 8  # frequencies
MOST_SHAPES = 40
LARGE = 5.0  # m: a larger part was exported in millimetres, perhaps


class PartDialog(QDialog):
    """Shows a part that was read, and asks how many of its shapes are kept."""

    def __init__(
        self, part: Part, notes: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Insert a part that bends"))
        self.part, self.notes = part, notes
        self.matrices = part.matrices()
        self._later = QTimer(self, singleShot=True, interval=PAUSE)
        self._later.timeout.connect(self.renew)
        self._make_fields()
        self._lay_out()
        self._list_nodes()
        self.renew()

    # --- its parts

    def _make_fields(self) -> None:
        one = self.matrices
        sizes = " \u00d7 ".join(f"{written(x, 3)} m" for x in np.ptp(one.nodes, axis=0))
        words = self.tr("{0}: {1} nodes, {2} coordinates, {3} kg, {4}")
        counts = len(one.nodes), len(one.K)
        about = [words.format(self.part.source, *counts, written(one.mass, 4), sizes)]
        if np.ptp(one.nodes, axis=0).max() > LARGE:
            about.append(
                self.tr("It is large: lengths are in metres, forces in newtons, masses in kg.")
            )
        self.about = QLabel("\n".join([*about, *self.notes]), wordWrap=True)
        self.modes = QSpinBox(minimum=0, maximum=MOST_SHAPES, value=round(float(self.part.modes)))
        self.below, self.patch, self.ratio = QLineEdit(), QLineEdit(), QLineEdit()
        for field, value in ((self.patch, self.part.patch), (self.ratio, self.part.damping_ratio)):
            field.setText(written(float(value), 6))
        self.below.setPlaceholderText(self.tr("no limit"))
        for field in (self.below, self.patch, self.ratio):
            field.setValidator(QDoubleValidator(0.0, 1e12, 12))
            field.textChanged.connect(lambda _: self._later.start())
        self.modes.valueChanged.connect(lambda _: self._later.start())
        self.nodes = reading_table(self.tr("Nodes that joints will hold"))
        self.nodes.itemChanged.connect(lambda _: self._later.start())
        self.costs = quality_table()
        self.told = QLabel(wordWrap=True)
        self.told.setStyleSheet(f"color: {theme_of(self.palette()).problem}")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.insert = self.buttons.addButton(
            self.tr("Insert"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.insert.setDefault(True)
        for button in self.buttons.buttons():
            button.setIcon(QIcon())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("Shapes kept"), self.modes)
        form.addRow(self.tr("Only slower than [Hz]"), self.below)
        form.addRow(self.tr("Patch around points [m]"), self.patch)
        form.addRow(self.tr("Damping ratio"), self.ratio)
        hint = QLabel(
            self.tr(
                "Tick the nodes that joints will hold: the table says what the shapes cost then. The part "
                "is inserted free; draw its joints at its nodes."
            ),
            wordWrap=True,
        )
        hint.setProperty("role", "quiet")
        left, both = QVBoxLayout(), QHBoxLayout()
        left.addLayout(form)
        left.addWidget(hint)
        left.addWidget(self.nodes, 1)
        both.addLayout(left, 4)
        both.addWidget(self.costs, 5)
        whole = QVBoxLayout(self)
        whole.addWidget(self.about)
        whole.addLayout(both, 1)
        whole.addWidget(self.told)
        whole.addWidget(self.buttons)
        self.resize(860, 520)

    def _list_nodes(self) -> None:
        """Write all nodes into their table, with a box to tick."""
        self.nodes.blockSignals(True)
        self.nodes.setColumnCount(1 + self.matrices.dim)
        self.nodes.setHorizontalHeaderLabels(
            [self.tr("Node"), *(f"{c} [m]" for c in "xyz"[: self.matrices.dim])]
        )
        self.nodes.setRowCount(len(self.matrices.nodes))
        for n, place in enumerate(self.matrices.nodes):
            head = QTableWidgetItem(str(n + 1))
            head.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled)
            head.setCheckState(Qt.CheckState.Unchecked)
            self.nodes.setItem(n, 0, head)
            for k, x in enumerate(place):
                cell = QTableWidgetItem(written(float(x), 5))
                cell.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.nodes.setItem(n, 1 + k, cell)
        header = self.nodes.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.nodes.blockSignals(False)

    # --- what is chosen

    @property
    def chosen(self) -> Part:
        """The part with what is kept of its shapes."""
        below = self._number(self.below)
        return replace(
            self.part,
            modes=float(self.modes.value()),
            below=below if below > 0.0 else None,
            patch=self._number(self.patch),
            damping_ratio=min(self._number(self.ratio), 1.0),
        )

    def _number(self, field: QLineEdit) -> float:
        """What stands in a field; nothing is zero."""
        found, is_number = field.locale().toDouble(field.text())
        if not is_number:
            try:
                found = float(field.text() or 0.0)
            except ValueError:
                found = 0.0
        return found

    @property
    def held(self) -> list[int]:
        """The nodes that are ticked."""
        ticked = Qt.CheckState.Checked
        return [
            n
            for n in range(self.nodes.rowCount())
            if (cell := self.nodes.item(n, 0)) is not None and cell.checkState() == ticked
        ]

    def renew(self) -> None:
        """Say what the choice costs, or what is wrong with it; changes the dialog."""
        try:
            record = part_as_held(self.chosen, self.held)
            fill_quality(self.costs, record, None, COMPARED)
            self.told.clear()
        except EngineError as error:
            self.costs.setRowCount(0)
            self.told.setText(error.sentence)
        self.insert.setEnabled(not self.told.text())
