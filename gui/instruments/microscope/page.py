"""The page of the numerical microscope: the step that a method takes at the time that is shown."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError, say
from engine.model.methods import METHODS
from gui.instruments.microscope.matrix_picture import MatrixPicture
from gui.instruments.microscope.opening import Asked, Seen, seen_of
from gui.instruments.page import InstrumentPage
from gui.instruments.tables import fill, reading_table
from gui.look.tooltips import as_text
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

PAUSE = 40  # ms between two steps that are opened while the run plays
FIRST = "trapezoid_index3"
STEP = "0.01"  # s
ROW = 24  # px
ROWS = 5  # of the table of stages that are seen at once


class MicroscopePage(InstrumentPage):
    """Stages or iterations, what they leave of which equation, and the matrix behind them."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.seen: Seen | None = None
        self._later = self.after(PAUSE, self.renew)
        self._make_parts()
        self._lay_out()
        for signal in (document.committed, playback.time_changed, playback.run_changed):
            signal.connect(self._soon)
        self.follow()

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
        self.words, self.order = (
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
        )
        self.order.setProperty("role", "quiet")
        self.stages, self.equations = (
            reading_table(name) for name in (tr("Stages"), tr("Equations"))
        )
        for table in (self.stages, self.equations):
            table.verticalHeader().setDefaultSectionSize(ROW)
        self.stages.itemSelectionChanged.connect(self._show_equations)
        self.equations.cellClicked.connect(self._on_equation)
        self.picture = MatrixPicture()
        self.title = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.title.setProperty("role", "quiet")
        self.picture.hovered.connect(self.selection.hover)
        self.picture.clicked.connect(self.select)

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

    # --- what is opened

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
        results = self.results()
        if results is None:
            return Asked(model, method, step)
        k = results.frame_at(self.playback.time)
        state = results.q[k].copy(), results.v[k].copy(), results.z[k].copy()
        return Asked(model, method, step, float(results.t[k]), k, state)

    def renew(self) -> None:
        """Open the step that is asked for, if it is another one; changes what is shown later."""
        if not self.isVisible() or self.is_finding:
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
        self.find_out(asked, lambda _: seen_of(asked), self._on_seen)

    def _on_seen(self, seen: Seen) -> None:
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
            self.order.setToolTip(as_text(opened.elimination))
            self.paint_anew()
            self.light()
        self.picture.show_matrix(None if opened is None else opened.matrix)
        self.ready.emit()

    def _show_stages(self) -> None:
        """The table of stages, the same row chosen as before."""
        assert self.seen is not None
        opened, chosen = self.seen.opened, max(self.stages.currentRow(), 0)
        n = len(opened.heads) - opened.is_newton  # the condition stands above the matrix
        fill(
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
        fill(self.equations, (tr("Equation"), tr("left"), tr("unknown")), rows, (0,))
        for n, one in enumerate(opened.equations):
            cell = self.equations.item(n, 2)
            if cell is not None:
                cell.setToolTip(as_text(one.unknown))

    # --- parts that light up

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how the picture looks."""
        self.picture.light(self.lit())

    def _on_equation(self, row: int, column: int) -> None:
        if self.seen is not None and self.seen.opened is not None:
            self.select(self.seen.opened.equations[row].part)

    def paint_anew(self) -> None:
        """The colours of bodies in this theme."""
        self.picture.theme, self.picture.tones = self.theme(), self.tones()
        self.picture.update()

    # --- files

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
