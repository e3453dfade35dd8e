"""The page of freedom: every free motion to wiggle on the stage, classes of constraints, and repairs."""

from collections.abc import Sequence
from math import pi, sin
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHeaderView,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import Model
from gui.instruments.freedom.finding import Found, found_of
from gui.instruments.page import SLIM_PAGE, InstrumentPage
from gui.instruments.tables import reading_table
from gui.look.tooltips import as_text
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection

TICK = 33  # ms between two pictures of a wiggle
ROOM = 8  # px above and below the words of a row
ROUND = 60  # pictures of one wiggle, there and back
PAUSE = 150  # ms after an edit
LINES = 6  # of the list of motions that are seen at once


class FreedomPage(InstrumentPage):
    """How the open model can move, and why not."""

    wanted_size = SLIM_PAGE

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.found: Found | None = None
        self._poses: list[Model] = []
        self._at = 0
        self._shown: Any = None  # the motion that wiggles
        self._later = self.after(PAUSE, self.renew)
        self._clock = self.after(TICK, self._tick, again=True)
        self._make_parts()
        document.committed.connect(self._on_commit)
        document.opened.connect(self.stop)

    def _make_parts(self) -> None:
        tr = self.tr
        self.words, self.why = (
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
        )
        self.why.setProperty("role", "quiet")
        self.without_drives = QCheckBox(tr("As if motors were taken out"))
        self.without_drives.toggled.connect(lambda _: self._on_commit())
        self.motions = QListWidget()
        self.motions.setAccessibleName(tr("Free motions"))
        self.motions.itemClicked.connect(self._on_motion)
        self.hint = QLabel(tr("Click a motion to wiggle it, and again to stop."), wordWrap=True)
        self.hint.setProperty("role", "quiet")
        self.repairs = QVBoxLayout()
        self.table = reading_table(heads=(tr("Constraint"), tr("Class"), tr("Why")))
        self.table.setWordWrap(True)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.table.cellClicked.connect(self._on_constraint)
        column = QVBoxLayout(self)
        for part in (self.words, self.without_drives, self.motions, self.hint, self.why):
            column.addWidget(part)
        column.addLayout(self.repairs)
        column.addWidget(self.table, 1)

    # --- what is found

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing wiggles that nobody controls."""
        super().hideEvent(event)
        self.stop()

    def _on_commit(self) -> None:
        self.stop()
        self._later.start()

    def renew(self) -> None:
        """Find out anew how the model can move, if it is another one; changes what is shown."""
        if not self.isVisible() or (self.found is not None and self._is_of_now(self.found)):
            return
        asked = self.document.model, self.without_drives.isChecked()
        self.find_out(asked, lambda _: found_of(*asked), self._on_found)

    def _on_found(self, found: Found) -> None:
        if not self._is_of_now(found):
            return  # the model has changed meanwhile
        self.found = found
        self._show()
        self.ready.emit()

    def _is_of_now(self, found: Found) -> bool:
        """Whether something was found for the model as it is."""
        asked = self.without_drives.isChecked()
        return found.model is self.document.model and found.without_drives == asked

    def _show(self) -> None:
        """Show what was found; changes all parts."""
        assert self.found is not None
        self.stop()
        freedom, self._poses = self.found.freedom, []
        self.words.setText(self.found.sentence if freedom is None else freedom.sentence)
        self.why.setText("" if freedom is None else freedom.why)
        self.motions.clear()
        for named in freedom.motions if freedom else ():
            item = QListWidgetItem(self.tr("{0}, moves {1}").format(named.label, named.mover))
            item.setData(Qt.ItemDataRole.UserRole, named.motion)
            self.motions.addItem(item)
        rows = min(max(self.motions.count(), 1), LINES)
        self.motions.setFixedHeight(rows * (self.motions.sizeHintForRow(0) + 2) + 8 if rows else 0)
        for part in (self.motions, self.hint):
            part.setVisible(self.motions.count() > 0)
        self._show_repairs()
        self._show_constraints(freedom.constraints if freedom else ())

    def _show_constraints(self, listed: Sequence[Any]) -> None:
        """A row for what a joint constrains in the same way; its equations are told by the mouse."""
        alike: dict[tuple[str, ...], list[Any]] = {}
        for one in listed:
            alike.setdefault((one.id, one.kind, one.why), []).append(one)
        self.table.setRowCount(len(alike))
        for n, ones in enumerate(alike.values()):
            label = ones[0].label if len(ones) == 1 else f"{ones[0].label} ({len(ones)})"
            for column, text in enumerate((label, ones[0].kind, ones[0].why)):
                cell = QTableWidgetItem(text)
                cell.setToolTip(as_text("\n".join(one.equation for one in ones)))
                cell.setData(Qt.ItemDataRole.UserRole, ones[0].id)
                self.table.setItem(n, column, cell)
        self.table.resizeRowsToContents()
        for n in range(len(alike)):
            self.table.setRowHeight(n, self.table.rowHeight(n) + ROOM)

    def _show_repairs(self) -> None:
        """A button for each repair, with the freedom that it gives; changes the layout."""
        while (item := self.repairs.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for repair in self.found.repairs if self.found else ():
            button = QPushButton(repair.words)
            button.clicked.connect(lambda _, one=repair: self.document.edit(one.words, one.model))
            self.repairs.addWidget(button)

    def _on_constraint(self, row: int, column: int) -> None:
        cell = self.table.item(row, column)
        if cell is not None:
            self.selection.set((cell.data(Qt.ItemDataRole.UserRole),))

    # --- wiggling

    @property
    def is_wiggling(self) -> bool:
        """Whether a motion is shown on the stage."""
        return self._clock.isActive()

    def _on_motion(self, item: QListWidgetItem) -> None:
        """Wiggle a motion, or end it if it is the one."""
        motion, was = item.data(Qt.ItemDataRole.UserRole), self._shown
        self.stop()
        if was is not motion and self.found is not None:
            self._shown = motion
            self._poses = self.found.models_of(motion)
            self._at = 0
            if self._poses:
                self._clock.start()

    def _tick(self) -> None:
        """Show the next picture of a wiggle: from the middle to one end, to the other, and back."""
        self._at += 1
        middle = (len(self._poses) - 1) / 2
        place = middle * (1.0 + sin(2 * pi * self._at / ROUND))
        self.document.preview(self._poses[round(place)])

    def stop(self) -> None:
        """End a wiggle; the stage shows the model again."""
        self._shown = None
        if self._clock.isActive():
            self._clock.stop()
            self.document.preview(None)

    # --- the end, and files

    def shutdown(self) -> None:
        """End what is under way; changes the page."""
        self.stop()
        super().shutdown()

    def write_csv(self, path: Path) -> None:
        """Write the table of constraints; an EngineError says why there is none."""
        if self.found is None or self.found.freedom is None:
            raise EngineError("There are no constraints to write: draw a mechanism first.")
        from engine.studies.tables import write_table

        rows = [one[1:] for one in self.found.freedom.constraints]
        write_table(path, ("constraint", "equation", "class", "why"), rows)
