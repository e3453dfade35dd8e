"""The rotation laboratory: Euler angles by sliders or of a body, turn by turn, with all their matrices."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSlider,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from engine.model.elements import Id
from gui.instruments.drawings import save_drawing
from gui.instruments.formula.boxes import INK, LIT
from gui.instruments.formula.paper import Paper
from gui.instruments.formula.sheet import Sheet
from gui.instruments.page import InstrumentPage
from gui.instruments.rotation.turn_view import TurnView
from gui.state.attitude import drawn_attitude, ring_sequence, run_attitude, turning_bodies
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from rotations import SEQUENCES

if TYPE_CHECKING:
    from engine.studies.turns import Turns
    from gui.instruments.rotation.formulas import Formulas

FREE: Id = ""
FIRST = (30.0, 40.0, 50.0)  # degrees of free angles at first
FRAME = 40  # ms between two frames
PARTS = 10  # of a degree on a slider
HALF = 180.0  # degrees


class RotationPage(InstrumentPage):
    """Three turns of free angles, or of a body in the drawing, in a run and live."""

    shown = Signal()
    wanted_size = QSize(760, 700)  # half a window
    usual_letters = 14.0

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.angles = np.radians(FIRST)
        self.turns: Turns | None = None
        self._formulas: Formulas | None = None
        self._was_asked = False  # whether somebody has chosen what is followed
        self._make_parts()
        self._lay_out()
        self._frame = self.after(FRAME, self.refresh)
        document.opened.connect(self._on_opened)
        for signal in (document.changed, playback.run_changed, playback.time_changed):
            signal.connect(self.schedule)
        playback.frames_grew.connect(self.schedule)
        selection.changed.connect(self._on_selection)
        self.follow()

    def _make_parts(self) -> None:
        tr = self.tr
        self.bodies, self.sequences, self.orders = QComboBox(), QComboBox(), QComboBox()
        self.bodies.setAccessibleName(tr("Whose angles"))
        self.sequences.setAccessibleName(tr("Sequence"))
        self.sequences.setToolTip(tr("The axes of the three turns, each of the body as it stands."))
        self.orders.setAccessibleName(tr("Other order"))
        self.orders.setToolTip(tr("The same turns, angle and axis, in another order beside it."))
        for sequence in SEQUENCES:
            self.sequences.addItem(sequence, sequence)
        self.sequences.setCurrentText("3-1-3")
        self.bodies.activated.connect(self._on_body)
        self.sequences.activated.connect(self._on_sequence)
        self.orders.activated.connect(self.refresh)
        self.names = [QLabel(textFormat=Qt.TextFormat.PlainText) for _ in range(3)]
        self.sliders = [QSlider(Qt.Orientation.Horizontal) for _ in range(3)]
        self.fields = [QDoubleSpinBox() for _ in range(3)]
        for n, (slider, field) in enumerate(zip(self.sliders, self.fields)):
            slider.setRange(round(-HALF * PARTS), round(HALF * PARTS))
            slider.setPageStep(10 * PARTS)
            field.setRange(-HALF, HALF)
            field.setDecimals(1)
            field.setSuffix("°")
            field.setSingleStep(5.0)
            slider.valueChanged.connect(lambda value, n=n: self._on_angle(n, value / PARTS))
            field.valueChanged.connect(lambda value, n=n: self._on_angle(n, value))
        self.view = TurnView()
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.sheet = Sheet()
        self.sheet.zoomed.connect(self.zoom)
        self.sheet.hovered.connect(lambda part: self.sheet.light(frozenset({part} - {""})))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.bodies, 3)
        head.addWidget(self.sequences, 1)
        head.addWidget(self.orders, 2)
        grid = QGridLayout()
        for n in range(3):
            grid.addWidget(self.names[n], n, 0)
            grid.addWidget(self.sliders[n], n, 1)
            grid.addWidget(self.fields[n], n, 2)
        self.area = Paper(self.sheet)
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.words)
        column.addWidget(self.area, 1)
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.addWidget(self.view)
        self.parts.addWidget(below)
        self.parts.setSizes([260, 300])
        whole = QVBoxLayout(self)
        whole.addLayout(head)
        whole.addLayout(grid)
        whole.addWidget(self.parts, 1)

    # --- whose angles

    def renew(self) -> None:
        """Show the bodies of the model and the present state; changes all parts."""
        self._fill_bodies()
        self.refresh()

    def _on_opened(self) -> None:
        self._was_asked = False
        self.schedule()

    def _turning(self) -> list[Id]:
        model = self.document.shown
        return [body.id for body in turning_bodies(model)] if model.dim == 3 else []

    def _fill_bodies(self) -> None:
        """The bodies that turn in space; changes the list, and what is followed if that is gone."""
        known = [FREE, *self._turning()]
        listed = [self.bodies.itemData(n) for n in range(self.bodies.count())]
        if listed == known:
            return
        before = self.bodies.currentData()
        self.bodies.clear()
        self.bodies.addItem(self.tr("Free angles"), FREE)
        for id in known[1:]:
            self.bodies.addItem(self.document.shown[id].label, id)
        selected = [id for id in self.selection.ids if id in known]
        if not self._was_asked or before not in known:
            before = next(iter([*selected, *known[1:]]), FREE)
            self._take_sequence(before)
        self.bodies.setCurrentIndex(max(self.bodies.findData(before), 0))

    def _take_sequence(self, body: Id) -> None:
        """The sequence that the body is shown by, if it is still there; changes the choice."""
        if body in self.document.shown:
            sequence = ring_sequence(self.document.shown, self.document.shown[body])
            self.sequences.setCurrentText(sequence)

    def _on_body(self) -> None:
        self._was_asked = True
        self._take_sequence(self.bodies.currentData())
        self.refresh()

    def choose(self, body: Id) -> None:
        """Follow this body, or none; changes the choice."""
        place = self.bodies.findData(body)
        if place >= 0:
            self.bodies.setCurrentIndex(place)
            self._on_body()

    def _on_selection(self) -> None:
        """A body that is selected elsewhere is followed, unless the angles were set free."""
        if self.isVisible() and self.bodies.currentData() and len(self.selection.ids) == 1:
            self.choose(self.selection.ids[0])

    def _on_sequence(self) -> None:
        """Another sequence: the same angles if they are free, else those of the same attitude."""
        self.refresh()

    def _on_angle(self, n: int, degrees: float) -> None:
        """An angle that is set by hand frees all three."""
        self._was_asked = True
        self.bodies.setCurrentIndex(0)
        self.angles = self.angles.copy()
        self.angles[n] = np.radians(degrees)
        self.refresh()

    # --- what is shown

    def schedule(self, *_: object) -> None:
        """Show the present state soon, once."""
        if self.isVisible() and not self._frame.isActive():
            self._frame.start()

    def refresh(self, *_: object) -> None:
        """Show the present state; changes all parts."""
        from engine.studies.turns import NAMES, turns_of
        from gui.instruments.rotation.formulas import Formulas

        if not self.isVisible():
            return
        self._fill_bodies()
        sequence, body = self.sequences.currentData(), self.bodies.currentData()
        if body:
            found = self._of_body(body, sequence)
            self.angles = self.angles if found is None else found
        self._fill_orders()
        order = [NAMES.index(name) for name in self.orders.currentData().split()]
        self.turns = turns_of(sequence, self.angles, order)
        self._show_angles(sequence)
        self._colour()
        self.view.show_turns(self.turns)
        self._show_words()
        if self._formulas is None or self._formulas.size != self.letters:
            self._formulas = Formulas(self.letters)
        self.sheet.show_lines(self._formulas.lines(self.turns), self.letters)
        self.shown.emit()

    def _of_body(self, body: Id, sequence: str) -> np.ndarray | None:
        """The angles of a body in the run that is shown, or as drawn; None where they have no numbers."""
        results, q = self.playback.results, self.playback.pose()
        attitude = None
        if results is not None and q is not None and results.model is self.document.model:
            frame = self.playback.frame()
            attitude = run_attitude(results, q, frame, body, sequence, self.angles)
        if attitude is None:
            attitude = drawn_attitude(self.document.shown, body, sequence, self.angles)
        return None if attitude is None else np.asarray(attitude.angles, dtype=float)

    def _fill_orders(self) -> None:
        """The orders that differ, in letters; changes the list when it is made."""
        from engine.studies.turns import NAMES, ORDERS

        if not self.orders.count():
            for order in reversed(ORDERS):
                letters = " ".join(NAMES[n] for n in order)
                self.orders.addItem(self.tr("Beside it: {0}").format(letters), letters)

    def _show_angles(self, sequence: str) -> None:
        """Angles within half a turn, in sliders and fields."""
        for n, digit in enumerate(sequence.split("-")):
            self.names[n].setText(self.tr("{0} about {1}").format("φθψ"[n], digit))
            degrees = float(np.degrees(self.angles[n]))
            degrees -= 2 * HALF * round(degrees / (2 * HALF))
            slider, field = self.sliders[n], self.fields[n]
            for part in (slider, field):
                part.blockSignals(True)
            slider.setValue(round(degrees * PARTS))
            field.setValue(round(degrees, 1))
            for part in (slider, field):
                part.blockSignals(False)

    def _show_words(self) -> None:
        """How far it is from lock, where that is, and how far apart both orders end."""
        from engine.studies.turns import lock_sentence, order_sentence
        from engine.symbols.turning import where_singular

        assert self.turns is not None
        told = (where_singular(self.turns.sequence), lock_sentence(self.turns))
        self.words.setText(f"{told[0]} {told[1]}\n{order_sentence(self.turns)}")
        theme = self.theme()
        colour = {0: theme.ink, 1: theme.warning, 2: theme.problem}[int(self.turns.level)]
        palette = self.words.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
        self.words.setPalette(palette)

    def _colour(self) -> None:
        """The colours of angles in this theme."""
        theme = self.theme()
        self.view.theme = theme
        tones = dict(zip(("phi", "theta", "psi"), self.view.tones()))
        self.sheet.colours = tones | {INK: QColor(theme.ink), LIT: QColor(theme.accent_soft)}
        self.sheet.quiet = QColor(theme.quiet)
        self.area.colour(QColor(theme.paper))
        for name, colour in zip(self.names, self.view.tones()):
            palette = name.palette()
            palette.setColor(QPalette.ColorRole.WindowText, colour)
            name.setPalette(palette)

    def paint_anew(self) -> None:
        """Take the colours of the theme with the next frame."""
        self.schedule()

    def show_letters(self) -> None:
        """Lay out formulas and turns in letters of another size; changes what is shown."""
        self.view.enlarge(self.enlarged)
        self.refresh()

    # --- files

    def write_csv(self, path: Path) -> None:
        """Write all matrices row by row."""
        from engine.studies.tables import write_table
        from engine.studies.turns import rows_of, turns_of

        found = self.turns or turns_of(self.sequences.currentData(), self.angles)
        write_table(path, ("matrix", "row", "1", "2", "3"), rows_of(found))

    def save_picture(self, path: str) -> None:
        """Write the turns with the formulas below them into an SVG or PNG file."""
        above, below = self.view.size(), self.sheet.size()
        size = QSize(max(above.width(), below.width()), above.height() + below.height())
        save_drawing(path, size, lambda one: self._draw(one, above.height()), self.sheet.paper)

    def _draw(self, painter: QPainter, above: int) -> None:
        self.view.draw(painter)
        painter.translate(QPointF(0.0, above))
        self.sheet.draw(painter)
