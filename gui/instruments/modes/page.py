"""The page of modes: shapes of a beam or a part, what is kept of them, swung on the stage by a click."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import pi, sin
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHeaderView,
    QLabel,
    QSlider,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.compiling.elastic.listing import HeldShape, held_shapes
from engine.compiling.elastic.quality import nodes_of
from engine.compiling.elastic.records import Elastic
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.model.elements import Id, Model, put
from gui.instruments.modes.quality_table import fill_quality, quality_table
from gui.instruments.page import SLIM_PAGE, InstrumentPage
from gui.instruments.tables import reading_table
from gui.look.translation import QT_TRANSLATE_NOOP, separated
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

N = QT_TRANSLATE_NOOP
TICK = 33  # ms between two pictures
ROUND = 45  # pictures of one swing
COMPARED = 4  # frequencies that are compared with those of all elements
REACH = 0.08  # of the length: how far a shape swings on the stage
PAUSE = 150  # ms after an edit
KINDS = {
    "bending": N("ModesPage", "bending"),
    "bending along z": N("ModesPage", "bending along z"),
    "stretch": N("ModesPage", "stretch"),
    "torsion": N("ModesPage", "torsion"),
    "of the part": N("ModesPage", "shape {0}"),
    "of the bars": N("ModesPage", "shape {0}"),
}
NO_BEAMS = N(
    "ModesPage",
    "Nothing bends in this model. Give a rod the shape beam in its form, or insert a part that bends: "
    "then its shapes are listed here.",
)
COLUMNS = (
    N("ModesPage", "Shape"),
    N("ModesPage", "Hz"),
    N("ModesPage", "Closed form"),
    N("ModesPage", "Off"),
    N("ModesPage", "Kept"),
)


class ModesPage(InstrumentPage):
    """The shapes of the beams of the open model."""

    wanted_size = SLIM_PAGE

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        stages: Any,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.stages = stages
        self.shapes: list[HeldShape] = []
        self._records: dict[Id, Elastic] = {}
        self._shown: HeldShape | None = None  # the shape that swings
        self._of: Model | None = None  # the model that is listed
        self._at = 0
        self._later = self.after(PAUSE, self.renew)
        self._clock = self.after(TICK, self._tick, again=True)
        self._make_parts()
        document.committed.connect(self._on_commit)
        document.opened.connect(self.stop)
        playback.run_changed.connect(self.stop)
        selection.changed.connect(self._on_selection)

    def _make_parts(self) -> None:
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.chooser = QComboBox()
        self.chooser.setAccessibleName(self.tr("Body that bends"))
        self.chooser.currentIndexChanged.connect(lambda _: self._list())
        self.elements, self.modes = (self._slider(*ends) for ends in ((1, 32), (0, 12)))
        self.counts = QLabel(), QLabel()
        self._titles: list[QLabel] = []
        grid = QGridLayout()
        fields = ("elements", "modes")
        titles = (self.tr("Elements"), self.tr("Shapes kept"))
        for row, (slider, title) in enumerate(zip((self.elements, self.modes), titles)):
            label = QLabel(title)
            label.setBuddy(slider)
            slider.setAccessibleName(title)
            slider.valueChanged.connect(partial(self._change, fields[row]))
            slider.sliderMoved.connect(partial(self._count, row))
            self._titles.append(label)
            for column, part in enumerate((label, slider, self.counts[row])):
                grid.addWidget(part, row, column)
        name = self.tr("Shapes of the body")
        self.table = reading_table(name, [_tr(words) for words in COLUMNS])
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.cellClicked.connect(self._on_shape)
        self.hint = QLabel(
            self.tr(
                "Click a shape to see it swing, and again to stop. These are the shapes with the joints "
                "of the body held; a run also has those that the joints make when they move."
            ),
            wordWrap=True,
        )
        self.hint.setProperty("role", "quiet")
        self.costs = quality_table()
        below = QVBoxLayout(self)
        for part in (self.words, self.chooser):
            below.addWidget(part)
        below.addLayout(grid)
        below.addWidget(self.table, 3)
        below.addWidget(self.hint)
        below.addWidget(self.costs, 2)
        self._beamed = (
            self.chooser,
            self.elements,
            self.modes,
            *self.counts,
            *self._titles,
            self.table,
            self.hint,
            self.costs,
        )

    def _slider(self, low: int, high: int) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(low, high)
        slider.setTracking(False)  # a step of undo for each release, not for each pixel
        slider.setPageStep(1)
        return slider

    # --- what is listed

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing swings that nobody controls."""
        super().hideEvent(event)
        self.stop()

    def _on_commit(self) -> None:
        self.stop()
        self._later.start()

    def _on_selection(self) -> None:
        """Choose the beam that is selected."""
        for id in self.selection.ids:
            if (n := self.chooser.findData(id)) >= 0:
                self.chooser.setCurrentIndex(n)

    def renew(self) -> None:
        """List the beams of the model anew, if it is another one; changes all parts."""
        if not self.isVisible() or self._of is self.document.model:
            return
        self._of, chosen = self.document.model, self.chooser.currentData()
        sentence = _tr(NO_BEAMS)
        try:
            self._records = dict(compile_model(self.document.model).elastic)
        except EngineError as error:
            self._records, sentence = {}, error.sentence
        self.chooser.blockSignals(True)
        self.chooser.clear()
        for id in self._records:
            self.chooser.addItem(self.document.model[id].label, id)
        self.chooser.setCurrentIndex(max(self.chooser.findData(chosen), 0))
        self.chooser.blockSignals(False)
        self.words.setText("" if self._records else sentence)
        self.words.setVisible(not self._records)
        for part in self._beamed:
            part.setVisible(bool(self._records))
        self._list()

    @property
    def record(self) -> Elastic | None:
        """The beam that is chosen."""
        return self._records.get(self.chooser.currentData())

    def _list(self) -> None:
        """List the shapes of the chosen beam; changes table and sliders."""
        self.stop()
        record = self.record
        self.shapes = [] if record is None else held_shapes(record)
        if record is not None:
            for part in (self._titles[0], self.elements, self.counts[0]):
                part.setVisible(record.has_sections)
            fill_quality(self.costs, record, self.document.model, COMPARED)
            for row, (slider, name) in enumerate(
                ((self.elements, "elements"), (self.modes, "modes"))
            ):
                if not hasattr(record.beam, name):
                    continue
                value = round(float(getattr(record.beam, name)))
                slider.blockSignals(True)
                slider.setValue(value)
                slider.blockSignals(False)
                self._count(row, value)
        for column in (2, 3):  # matrices have no closed form
            self.table.setColumnHidden(column, record is not None and not record.is_beam)
        self.table.setRowCount(len(self.shapes))
        for n, row_of_texts in enumerate(self._texts()):
            for column, text in enumerate(row_of_texts):
                cell = QTableWidgetItem(text)
                if column in (1, 2, 3):
                    cell.setTextAlignment(
                        Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                    )
                self.table.setItem(n, column, cell)

    def _texts(self) -> Iterator[tuple[str, ...]]:
        for n, shape in enumerate(self.shapes):
            exact, off = "", ""
            if shape.exact is not None:
                exact = written(shape.exact / (2 * pi), 5)
                off = separated(f"{100.0 * (shape.frequency / shape.exact - 1.0):+.2g} %")
            kept = self.tr("yes") if shape.is_kept else self.tr("no")
            kind = _tr(KINDS[shape.kind]).format(n + 1)
            yield kind, written(shape.frequency / (2 * pi), 5), exact, off, kept

    def _count(self, row: int, value: int) -> None:
        self.counts[row].setText(str(value))

    def _change(self, name: str, value: int) -> None:
        """Give the beam another number of elements or shapes, as one step of undo."""
        id, model = self.chooser.currentData(), self.document.model
        if id not in model:
            return
        body = model[id]
        words = self.tr("Change elements") if name == "elements" else self.tr("Change shapes kept")
        self.document.edit(
            words, put(model, replace(body, shape=replace(body.shape, **{name: float(value)})))
        )

    # --- on the stage

    @property
    def is_swinging(self) -> bool:
        """Whether a shape is shown on the stage."""
        return self._clock.isActive()

    def _on_shape(self, row: int, column: int) -> None:
        """Show a shape, or end it if it is the one."""
        shape, was = self.shapes[row], self._shown
        self.stop()
        if was is not shape:
            if self.playback.results is not None:
                self.playback.leave()
            self._shown, self._at = shape, 0
            self._clock.start()

    def _tick(self) -> None:
        """The next picture of a swing."""
        record = self.record
        if record is None or self._shown is None:
            self.stop()
            return
        self._at += 1
        far = REACH * self._length() * sin(2 * pi * self._at / ROUND)
        self.stages.show_shape(
            self.chooser.currentData(), record, far * self._shown.nodal / self._size()
        )

    def _size(self) -> float:
        """How far the shape moves at most, or how far it turns half the width of the beam."""
        assert self._shown is not None and self.record is not None
        k = self.record.mesh.per_node
        nodal = abs(self._shown.nodal.reshape(-1, k))
        dim = self.record.mesh.dim
        moved = float(nodal[:, :dim].max())
        return moved if moved > 0.0 else float(nodal[:, dim:].max()) * self._length() / 6.0

    def _length(self) -> float:
        """How long the chosen body is."""
        assert self.record is not None
        return float(np.ptp(nodes_of(self.record), axis=0).max())

    def stop(self) -> None:
        """End a swing; the stage shows the model again."""
        self._shown = None
        if self._clock.isActive():
            self._clock.stop()
            self.stages.show_shape(None)

    def shutdown(self) -> None:
        """Nothing swings any more."""
        self.stop()
        super().shutdown()

    def write_csv(self, path: Path) -> None:
        """Write the list of shapes; an EngineError says why there is none."""
        if not self.shapes:
            raise EngineError(
                "There are no shapes to write: give a rod the shape beam, or insert a part."
            )
        from engine.studies.tables import write_table

        rows = []
        for one in self.shapes:
            exact = None if one.exact is None else one.exact / (2 * pi)
            rows.append((one.kind, one.frequency / (2 * pi), exact, one.is_kept))
        write_table(path, ("shape", "frequency [Hz]", "closed form [Hz]", "kept"), rows)


def _tr(words: str) -> str:
    return QCoreApplication.translate("ModesPage", words)
