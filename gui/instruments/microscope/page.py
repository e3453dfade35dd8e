"""The page of the numerical microscope: the step that a method takes at the time that is shown."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError, say
from engine.model.methods import METHODS
from gui.instruments.microscope.matrix_picture import MatrixPicture
from gui.instruments.microscope.opening import Asked, OpeningThread, Seen
from gui.look.colors import body_colors, outline_tone
from gui.look.theme import theme_of
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

PAUSE = 40  # ms between two steps that are opened while the run plays
FIRST = "trapezoid_index3"
STEP = "0.01"  # s
ROW = 24  # px
ROWS = 5  # of the table of stages that are seen at once


class MicroscopePage(QWidget):
    """Stages or iterations, what they leave of which equation, and the matrix behind them."""

    ready = Signal()

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.selection, self.playback = document, selection, playback
        self.seen: Seen | None = None
        self._thread: OpeningThread | None = None
        self._later = QTimer(self, singleShot=True, interval=PAUSE)
        self._later.timeout.connect(self.renew)
        self._make_parts()
        self._lay_out()
        for signal in (document.committed, playback.time_changed, playback.run_changed):
            signal.connect(self._soon)
        selection.changed.connect(self.light)
        selection.hover_changed.connect(self.light)

    def _make_parts(self) -> None:
        tr = self.tr
        self.method, self.step = QComboBox(), QLineEdit(STEP)
        for method in METHODS:
            if method.name in _openable():
                self.method.addItem(method.title, method.name)
        self.method.setCurrentIndex(self.method.findData(FIRST))
        self.method.setAccessibleName(tr("Method"))
        self.step.setAccessibleName(tr("Step"))
        self.step.setToolTip(tr("The length of the step in seconds, or with a unit: 10 ms."))
        self.step.setMaximumWidth(90)
        self.method.currentIndexChanged.connect(self.renew)
        self.step.editingFinished.connect(self.renew)
        self.words, self.order = QLabel(wordWrap=True), QLabel(wordWrap=True)
        self.order.setProperty("role", "quiet")
        self.stages, self.equations = _table(), _table()
        self.stages.setAccessibleName(tr("Stages"))
        self.equations.setAccessibleName(tr("Equations"))
        self.stages.itemSelectionChanged.connect(self._show_equations)
        self.equations.cellClicked.connect(self._on_equation)
        self.picture, self.title = MatrixPicture(), QLabel()
        self.title.setProperty("role", "quiet")
        self.picture.hovered.connect(self.selection.hover)
        self.picture.clicked.connect(self._select)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(QLabel(self.tr("Method")))
        head.addWidget(self.method, 1)
        head.addWidget(QLabel(self.tr("Step [s]")))
        head.addWidget(self.step)
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        for part, stretch in ((self.title, 0), (self.picture, 1), (self.order, 0)):
            column.addWidget(part, stretch)
        self.parts = QSplitter(Qt.Orientation.Horizontal)
        self.parts.addWidget(self.equations)
        self.parts.addWidget(beside)
        self.parts.setSizes([420, 340])
        self.parts.setChildrenCollapsible(False)
        whole = QVBoxLayout(self)
        whole.addLayout(head)
        whole.addWidget(self.words)
        whole.addWidget(self.stages)
        whole.addWidget(self.parts, 1)
        whole.addStretch(0)

    def sizeHint(self) -> QSize:
        """Half a window."""
        return QSize(760, 640)

    # --- what is opened

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.renew()

    def hideEvent(self, event: QHideEvent) -> None:
        """Open nothing that nobody sees."""
        super().hideEvent(event)
        self._later.stop()

    def _soon(self) -> None:
        if self.isVisible() and not self._later.isActive():
            self._later.start()

    def asked(self) -> Asked:
        """The step that is asked for; an EngineError says what is wrong with its length."""
        from engine.formulas.expressions import value

        model, method = self.document.model, str(self.method.currentData())
        try:
            step = value(self.step.text().strip().replace(",", "."), {})
        except EngineError as error:
            raise EngineError(
                "'{text}' is no length of a step: {why} Type seconds, like 0.01.",
                text=self.step.text()[:40],
                why=error.sentence,
            ) from None
        results = self.playback.results
        if results is None or not len(results) or results.model is not model:
            return Asked(model, method, step)
        k = results.frame_at(self.playback.time)
        state = results.q[k].copy(), results.v[k].copy(), results.z[k].copy()
        return Asked(model, method, step, float(results.t[k]), k, state)

    def renew(self) -> None:
        """Open the step that is asked for, if it is another one; changes what is shown later."""
        if not self.isVisible() or self._thread is not None:
            return
        if not any(not body.fixed for body in self.document.model.of("body")):
            self._show(Seen(Asked(self.document.model, "", 0.0), sentence=_nothing()))
            return
        try:
            asked = self.asked()
        except EngineError as error:
            self._show(Seen(Asked(self.document.model, "", 0.0), sentence=error.sentence))
            return
        if self.seen is not None and asked.is_same(self.seen.asked):
            return
        self._thread = OpeningThread(asked, self)
        self._thread.seen.connect(self._on_seen)
        self._thread.start()

    def _on_seen(self, seen: Seen) -> None:
        self._end_thread()
        if seen.asked.model is self.document.model:
            self._show(seen)
        self.renew()  # what was asked for meanwhile

    def _show(self, seen: Seen) -> None:
        """Show a step; changes all parts."""
        self.seen = seen
        opened = seen.opened
        self.words.setText(seen.sentence if opened is None else opened.sentence)
        for part in (self.stages, self.parts):
            part.setVisible(opened is not None)
        if opened is not None:
            self._show_stages()
            self.order.setText(opened.fill)
            self.order.setToolTip(opened.elimination)
            self._colour()
            self.light()
        self.picture.show_matrix(None if opened is None else opened.matrix)
        self.ready.emit()

    def _show_stages(self) -> None:
        """The table of stages, the same row chosen as before."""
        assert self.seen is not None
        opened, chosen = self.seen.opened, max(self.stages.currentRow(), 0)
        n = len(opened.heads) - opened.is_newton  # the condition stands above the matrix
        _fill(
            self.stages,
            opened.heads[:n],
            [opened.row(stage)[:n] for stage in opened.stages],
            (2, 4),
        )
        rows = min(max(len(opened.stages), 1), ROWS)
        head = self.stages.horizontalHeader().sizeHint().height()
        self.stages.setFixedHeight(head + rows * self.stages.rowHeight(0) + 6)
        self.stages.selectRow(min(chosen, len(opened.stages) - 1))
        self._show_equations()

    def _show_equations(self) -> None:
        """What the chosen stage leaves of every equation."""
        if self.seen is None or self.seen.opened is None:
            return
        opened, k = self.seen.opened, self.stages.currentRow()
        if not 0 <= k < len(opened.stages):
            return
        stage, title = opened.stages[k], opened.matrix.title
        condition = self.tr("condition {0}").format(written(stage.condition, 3))
        self.title.setText(f"{title},  {condition}" if stage.condition else title)
        rows = [
            (one.label, f"{written(stage.residual[n], 3)} {one.unit}", written(stage.values[n]))
            for n, one in enumerate(opened.equations)
        ]
        tr = self.tr
        _fill(self.equations, (tr("Equation"), tr("left"), tr("unknown")), rows, (0,))
        for n, one in enumerate(opened.equations):
            cell = self.equations.item(n, 2)
            if cell is not None:
                cell.setToolTip(one.unknown)

    # --- parts that light up

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how the picture looks."""
        lit = frozenset(id for id in (*self.selection.ids, self.selection.hovered) if id)
        self.picture.light(lit)

    def _on_equation(self, row: int, column: int) -> None:
        if self.seen is not None and self.seen.opened is not None:
            self._select(self.seen.opened.equations[row].part)

    def _select(self, part: str) -> None:
        if part:
            self.selection.set((part,))

    def _colour(self) -> None:
        theme = theme_of(self.palette())
        bodies = body_colors(self.document.model, theme)
        self.picture.theme = theme
        self.picture.tones = {id: outline_tone(c, theme) for id, c in bodies.items()}
        self.picture.update()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "picture"):
            self._colour()

    # --- the end, and files

    def _end_thread(self) -> None:
        if self._thread is not None:
            self._thread.seen.disconnect(self._on_seen)
            self._thread.let_go()
            self._thread = None

    def shutdown(self) -> None:
        """Wait for the thread."""
        self._later.stop()
        self._end_thread()

    def write_csv(self, path: Path) -> None:
        """Write residual and unknown of every equation in every stage."""
        if self.seen is None or self.seen.opened is None:
            raise EngineError("There is no step to write: draw a mechanism first.")
        self.seen.opened.write_csv(path)


def _openable() -> tuple[str, ...]:
    """The methods whose steps can be opened."""
    from engine.studies.microscope import SUPPORTED

    return SUPPORTED


def _nothing() -> str:
    return say("Draw a body that can move: then there is a step to open.")


def _table() -> QTableWidget:
    table = QTableWidget(0, 0)
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(ROW)
    return table


def _fill(
    table: QTableWidget,
    heads: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    stretched: tuple[int, ...],
) -> None:
    """Write rows into a table, the cells of before kept; columns that stretch may be cut. Changes it."""
    if (table.rowCount(), table.columnCount()) != (len(rows), len(heads)):
        table.setColumnCount(len(heads))
        table.setRowCount(len(rows))
    table.setHorizontalHeaderLabels(heads)
    for n, row in enumerate(rows):
        for k, text in enumerate(row):
            cell = table.item(n, k)
            if cell is None:
                cell = QTableWidgetItem()
                table.setItem(n, k, cell)
            if cell.text() != text:
                cell.setText(text)
                cell.setToolTip(text)
    header = table.horizontalHeader()
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    for k in stretched:
        header.setSectionResizeMode(k, QHeaderView.ResizeMode.Stretch)
