"""The page of free bodies: it cuts bodies free at the time that is shown, with every force and moment."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import Id
from gui.instruments.drawings import save_drawing
from gui.instruments.free_body.canvas import Canvas
from gui.instruments.free_body.making import Made, made_of
from gui.instruments.page import InstrumentPage
from gui.instruments.tables import reading_table, share_room
from gui.look.colors import body_colors
from gui.look.tooltips import as_text
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

if TYPE_CHECKING:
    from engine.studies.free_body import BodyDiagram, Diagrams
    from engine.studies.free_body.scene import Drawing, View

FRAME = 40  # ms between two frames
READ = 200  # ms between two states of the table while time runs: nobody reads faster
PAUSE = 150  # ms after an edit
DIGITS = 4
ALL = ""
SCALES = (
    ("linear", QT_TRANSLATE_NOOP("FreeBodyPage", "Lengths linear")),
    ("now", QT_TRANSLATE_NOOP("FreeBodyPage", "Lengths linear, of this time")),
    ("square_root", QT_TRANSLATE_NOOP("FreeBodyPage", "Lengths as square roots")),
)


class FreeBodyPage(InstrumentPage):
    """Diagrams of the document at the time that is shown."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.made: Made | None = None
        self.diagrams: Diagrams | None = None
        self._drawing: Drawing | None = None
        self._view: View | None = None
        self._largest: dict[Any, tuple[float, float]] = {}  # so far, by body and with inertia
        self._make_parts()
        self._lay_out()
        self._later = self.after(PAUSE, self.renew)
        self._frame = self.after(FRAME, self.show_time)
        self._table_later = self.after(READ, self._show_words)
        playback.playing_changed.connect(self._on_time)
        document.committed.connect(self._later.start)
        playback.run_changed.connect(self._later.start)
        playback.frames_grew.connect(self._on_grown)
        playback.time_changed.connect(self._on_time)
        selection.changed.connect(self._on_selection)
        self.follow()

    def _make_parts(self) -> None:
        tr = self.tr
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Body"))
        self.choice.currentIndexChanged.connect(self._on_choice)
        self.inertia = QCheckBox(tr("Inertia forces"))
        self.inertia.setToolTip(
            tr("By d'Alembert: -m a, and the moment; with them the sum vanishes.")
        )
        self.inertia.toggled.connect(self.show_time)
        self.scale = QComboBox()
        self.scale.setAccessibleName(tr("Lengths of arrows"))
        for name, words in SCALES:
            self.scale.addItem(tr(words), name)
        self.scale.currentIndexChanged.connect(self.show_time)
        self.canvas = Canvas()
        self.canvas.hovered.connect(self._on_hovered)
        self.canvas.clicked.connect(self.select)
        self.canvas.entered.connect(self.choose)
        self.canvas.turned.connect(self._on_turned)
        self.canvas.resized.connect(self.draw)
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = reading_table(tr("Forces and moments"))
        self.table.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 6)
        self.table.cellClicked.connect(self._on_cell)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.choice, 1)
        head.addWidget(self.inertia)
        head.addWidget(self.scale)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.words)
        column.addWidget(self.table, 1)
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.addWidget(self.canvas)
        self.parts.addWidget(below)
        self.parts.setStretchFactor(0, 1)
        self.parts.setSizes([470, 150])
        whole = QVBoxLayout(self)
        whole.addLayout(head)
        whole.addWidget(self.parts, 1)

    # --- what is looked at

    def renew(self) -> None:
        """Prepare the diagrams of the model and of its run, if they are others; changes what is shown."""
        if not self.isVisible():
            return
        model, results = self.document.model, self.results()
        made = self.made
        if made is not None and made.model is model and made.results is results:
            self.show_time()
            return
        on_its_way = self.question
        if on_its_way is None or on_its_way[0] is not model or on_its_way[1] is not results:
            self.find_out((model, results), lambda _: made_of(model, results), self._on_made)

    def _on_made(self, made: Made) -> None:
        if made.model is not self.document.model or made.results is not self.results():
            self._later.start()  # it was edited or run meanwhile
            return
        self.made, self._drawing, self._view, self.diagrams = made, None, None, None
        if made.bodies is not None:
            from engine.studies.free_body.scene import Drawing, View, tones

            self._drawing, self._view = Drawing(made.bodies.compiled), View()
            self._largest = dict(made.largest)
            self.canvas.tones = tones(made.bodies.compiled)
        self._fill_choice()
        self.show_time()
        self.ready.emit()

    def _fill_choice(self) -> None:
        """The bodies that can be cut free; the one before stays, else the selected or the first."""
        before = self.choice.currentData()
        known = self.made.bodies.compiled.body_ids if self.made and self.made.bodies else ()
        self.choice.blockSignals(True)
        self.choice.clear()
        if known:
            self.choice.addItem(self.tr("All bodies, pulled apart"), ALL)
        for id in known:
            self.choice.addItem(self.document.model[id].label, id)
        wanted = before if before is not None else next(iter((*self.selection.ids, *known)), ALL)
        self.choice.setCurrentIndex(max(self.choice.findData(wanted), 0))
        self.choice.blockSignals(False)

    def choose(self, body: Id) -> None:
        """Show the diagram of this body, or of all; changes the choice."""
        place = self.choice.findData(body)
        if place >= 0:
            self.choice.setCurrentIndex(place)

    def _on_choice(self) -> None:
        if self._view is not None:
            self._view = replace(self._view, reach=0.0)
        self.show_time()

    def _on_selection(self) -> None:
        """A body that is selected elsewhere is cut free, unless all of them are shown."""
        if self.choice.currentData() and len(self.selection.ids) == 1:
            self.choose(self.selection.ids[0])

    # --- what is shown

    def _on_grown(self) -> None:
        results = self.results()
        self._look_for_run()
        if results is not None and results.ending is not None:
            if self.made is not None and self.made.results is results:
                self.made = self.made._replace(results=None)  # its largest force is another now
            self._later.start()

    def _look_for_run(self) -> None:
        """Prepare a run that has begun to have frames, while it goes on."""
        is_new = self.made is not None and self.made.results is not self.results()
        if is_new and not self._later.isActive():
            self._later.start()

    def _on_time(self) -> None:
        self._look_for_run()
        if self.isVisible() and not self._frame.isActive():
            self._frame.start()

    def show_time(self) -> None:
        """Bring everything to the time that is shown; changes what is shown."""
        made = self.made
        if made is None or made.bodies is None:
            self.words.setText("" if made is None else made.sentence)
            self.canvas.show_scene(None)
            self.table.setRowCount(0)
            return
        results = made.results
        if results is None or results is not self.results():
            if made.start is None:
                return  # of a run that is gone; another one is being prepared
            state = made.start
            state = made.bodies.state(float(state.one.t[0]), state.one.q[0], state.one.v[0])
        else:
            state = made.bodies.at_frame(results, results.frame_at(self.playback.time))
        state.one.tell(state.one.account._replace(not_unique=made.not_unique))
        self.diagrams = made.bodies.diagrams(state)
        self.draw()
        if not self.playback.is_playing:
            self._show_words()
        elif not self._table_later.isActive():
            self._table_later.start()

    def draw(self) -> None:
        """Draw the diagram at its size; changes the canvas."""
        if self.diagrams is None or self._drawing is None or self._view is None:
            return
        self._take_colours()
        body = self.choice.currentData() or ALL
        size, key = self.canvas.room(), (body, self.inertia.isChecked())
        is_of_now = self.scale.currentData() == "now"
        self._view = replace(
            self._view,
            body=body,
            width=float(size.width()),
            height=float(size.height()),
            scale="linear" if is_of_now else self.scale.currentData(),
            inertia=key[1],
            largest=(0.0, 0.0) if is_of_now else self._largest.get(key, (0.0, 0.0)),
        )
        scene = self._drawing.scene(self.diagrams, self._view)
        self._view = replace(self._view, reach=scene.reach)
        if not is_of_now:
            self._largest[key] = scene.largest
        self.canvas.show_scene(scene)
        self.light()

    def _take_colours(self) -> None:
        self.canvas.theme = self.theme()
        self.canvas.colours = body_colors(self.document.model, self.canvas.theme)

    def paint_anew(self) -> None:
        """The colours of bodies in this theme."""
        self._take_colours()
        self.canvas.update()
        if self.diagrams is not None:
            self._show_words()

    def _on_turned(self, azimuth: float, up: float) -> None:
        if self._view is not None and self.document.model.dim == 3:
            self._view = replace(self._view, eye=(azimuth, up))
            self.draw()

    def shown_bodies(self) -> "tuple[BodyDiagram, ...]":
        """The diagrams in the table."""
        if self.diagrams is None:
            return ()
        body = self.choice.currentData()
        return (self.diagrams.of(body),) if body else self.diagrams.bodies

    def _show_words(self) -> None:
        """The sums in words, and the table; changes both."""
        from engine.studies.free_body.report import (
            columns,
            largest_force,
            sentences,
            size_of_noise,
            table_rows,
        )

        if self.diagrams is None:
            return
        largest, body = largest_force(self.diagrams), self.choice.currentData()
        told = (
            [line for one in self.shown_bodies() for line in sentences(one, largest)]
            if body
            else []
        )
        if not body:
            told = [
                self.tr("Action and reaction have one colour. Double-click a body to see it alone.")
            ]
        self.words.setText("\n".join(told))
        first = 0 if not body else 1
        heads = [*columns(self.diagrams)[first:2], *columns(self.diagrams)[3:]]  # without the kind
        rows = table_rows(self.diagrams, body or "", self.inertia.isChecked())
        noise = size_of_noise(self.diagrams)
        if self.table.columnCount() != len(heads):
            self.table.setColumnCount(len(heads))
            self.table.setHorizontalHeaderLabels([head.replace(" [", "\n[") for head in heads])
        self.table.setRowCount(len(rows))
        for r, (wrench, cells) in enumerate(rows):
            for c, cell in enumerate([*cells[first:2], *cells[3:]]):
                words = cell
                if not isinstance(cell, str):
                    words = written(0.0 if abs(cell) <= noise else cell, DIGITS)
                self._put(r, c, words, wrench, is_name=c == 1 - first)
        share_room(self.table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for all columns, or not."""
        super().resizeEvent(event)
        share_room(self.table)

    def _put(self, r: int, c: int, words: str, wrench: Any, *, is_name: bool) -> None:
        """A cell of the table; the name has the colour of its arrow."""
        item = self.table.item(r, c)
        if item is None:
            item = QTableWidgetItem()
            self.table.setItem(r, c, item)
        item.setText(words)
        item.setData(Qt.ItemDataRole.UserRole, wrench.source)
        if is_name:
            item.setForeground(self.canvas.colour_of(wrench))
        else:
            item.setForeground(QColor(self.canvas.theme.ink))

    def show_letters(self) -> None:
        """Draw the diagram in its size of letters; changes the canvas."""
        self.canvas.enlarge(self.enlarged)

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how it looks."""
        self.canvas.light(self.lit())

    def _on_hovered(self, part: Id) -> None:
        """Light up what the mouse is over, and name it."""
        self.selection.hover(part)
        element = self.document.model.elements.get(part)
        self.canvas.setToolTip("" if element is None else as_text(element.label))

    def _on_cell(self, row: int, column: int) -> None:
        item = self.table.item(row, column)
        if item is not None:
            self.select(item.data(Qt.ItemDataRole.UserRole))

    # --- files

    def write_csv(self, path: Path) -> None:
        """Write the table; an EngineError says why there is none."""
        if self.diagrams is None:
            raise EngineError("There are no forces to write: draw a mechanism first.")
        self.diagrams.write_csv(path, self.choice.currentData() or "")

    def save_picture(self, path: str) -> None:
        """Write the diagram into an SVG or PNG file."""
        if self.diagrams is None:
            raise EngineError("There is no diagram to write: draw a mechanism first.")
        save_drawing(path, self.canvas.size(), self.canvas.draw)
