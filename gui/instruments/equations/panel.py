"""The page of equations: it writes those of the open model, follows the run, and lights up parts."""

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import Id
from gui.instruments.drawings import save_widget
from gui.instruments.equations.maker import Made, made_of
from gui.instruments.equations.numbers import NumberSheet, system_at
from gui.instruments.formula.boxes import INK, LIT
from gui.instruments.formula.paper import Paper
from gui.instruments.formula.sheet import Line, Sheet
from gui.instruments.formula.typesetter import Typesetter
from gui.instruments.page import InstrumentPage
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

if TYPE_CHECKING:
    from engine.symbols.views import Section, Views

REDUCED, NUMBERS = "reduced", "numbers"
CHOICES = (
    ("matrix", QT_TRANSLATE_NOOP("EquationsPanel", "The whole system")),
    (NUMBERS, QT_TRANSLATE_NOOP("EquationsPanel", "The whole system in numbers")),
    ("newton_euler", QT_TRANSLATE_NOOP("EquationsPanel", "Newton and Euler, body by body")),
    ("index_3", QT_TRANSLATE_NOOP("EquationsPanel", "Index 3: positions")),
    ("index_2", QT_TRANSLATE_NOOP("EquationsPanel", "Index 2: velocities")),
    ("index_1", QT_TRANSLATE_NOOP("EquationsPanel", "Index 1: accelerations")),
    ("power", QT_TRANSLATE_NOOP("EquationsPanel", "Virtual power")),
    (REDUCED, QT_TRANSLATE_NOOP("EquationsPanel", "Reduced to joint coordinates")),
)
COPIES = (
    ("latex", QT_TRANSLATE_NOOP("EquationsPanel", "As &LaTeX")),
    ("sympy", QT_TRANSLATE_NOOP("EquationsPanel", "As &sympy code")),
    ("python", QT_TRANSLATE_NOOP("EquationsPanel", "As a &Python function")),
)
FRAME = 40  # ms between two frames in numbers
LOOK = 50  # ms between two looks at the process that reduces


class EquationsPanel(InstrumentPage):
    """Equations of the document in symbols, and in numbers at the time that is shown."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.made: Made | None = None
        self.views: Views | None = None
        self.reduction: Any = None
        self.unfolded: frozenset[Id] = frozenset()
        self._make_parts()
        self._lay_out()
        self._frame = self.after(FRAME, self.show_numbers)
        self._look = self.after(LOOK, self._look_at_reduction, again=True)
        document.committed.connect(self.renew)
        playback.time_changed.connect(self._on_time)
        playback.run_changed.connect(self._on_time)
        self.follow()

    def _make_parts(self) -> None:
        self.choice = QComboBox()
        for name, words in CHOICES:
            self.choice.addItem(self.tr(words), name)
        self.choice.currentIndexChanged.connect(self.show_view)
        self.copy = QToolButton()
        self.copy.setText(self.tr("Copy"))
        self.copy.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.copy)
        for form, words in COPIES:
            menu.addAction(self.tr(words)).triggered.connect(
                lambda _=False, form=form: self.put(form)
            )
        self.copy.setMenu(menu)
        self.cancel = QPushButton(self.tr("Cancel"))
        self.cancel.clicked.connect(self.cancel_reduction)
        self.cancel.hide()
        self.words = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.sheet, self.numbers = Sheet(), NumberSheet()
        for one in (self.sheet, self.numbers):
            one.hovered.connect(self.selection.hover)
            one.clicked.connect(self._on_click)
            one.zoomed.connect(self.zoom)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.choice, 1)
        head.addWidget(self.cancel)
        head.addWidget(self.copy)
        self.pages = QStackedWidget()
        self.papers = [Paper(one) for one in (self.sheet, self.numbers)]
        for paper in self.papers:
            self.pages.addWidget(paper)
        whole = QVBoxLayout(self)
        whole.addLayout(head)
        whole.addWidget(self.words)
        whole.addWidget(self.pages, 1)
        whole.addStretch(0)

    # --- the symbols of the model

    def renew(self) -> None:
        """Make the symbols of the model anew, if it is another one; changes what is shown."""
        model = self.document.model
        if not self.isVisible() or (self.made is not None and self.made.model is model):
            return
        if self.question is model:
            return
        self.cancel_reduction()
        self.say(self.tr("Writing the equations ..."))
        self.find_out(model, lambda _: made_of(model), self._on_made)

    def _on_made(self, made: Made) -> None:
        if made.model is not self.document.model:  # the model was edited meanwhile
            return
        self.made, self.unfolded, self.views = made, frozenset(), None
        if made.equations is not None:
            self._make_views()
            if made.is_too_large and self.choice.currentData() != NUMBERS:
                self.choose(NUMBERS)
        self.show_view()
        self.ready.emit()

    def _make_views(self) -> None:
        from engine.symbols.views import Views

        assert self.made is not None
        self.views = Views(self.made.equations, self.unfolded)

    # --- what is shown

    def choose(self, name: str) -> None:
        """Show the view of this name; changes the choice."""
        self.choice.setCurrentIndex(self.choice.findData(name))

    def show_view(self) -> None:
        """Lay out the chosen view; changes what is shown."""
        made, name = self.made, self.choice.currentData()
        if name != REDUCED:
            self.cancel_reduction()
        self.paint_anew()
        is_there = made is not None and self.views is not None
        self.pages.setVisible(is_there)
        self.copy.setEnabled(is_there)
        if made is None or self.views is None:
            self.say("" if made is None else made.sentence)
            self.sheet.show_lines([], self.letters)
            self.pages.setCurrentIndex(0)
            return
        self.say(self._remark(made, name))
        self.pages.setCurrentIndex(1 if name == NUMBERS else 0)
        if name == NUMBERS:
            self.show_numbers()
        elif name == REDUCED:
            self._start_reduction()
        else:
            self._lay(self.views.view(name), self.views.owners)
            if name == "power":
                self.show_numbers()
        self.light()

    def say(self, words: str) -> None:
        """Show words above the equations, or none; changes what is shown."""
        self.words.setText(words)
        self.words.setVisible(bool(words))

    def _remark(self, made: Made, name: str) -> str:
        """What is to say above the equations."""
        if made.is_too_large and name == NUMBERS:
            words = self.tr("{0} operations in symbols: shown in numbers.")
            return words.format(made.operations)
        return ""

    def _lay(self, sections: "list[Section]", owners: dict[Any, Id], *more: Line) -> None:
        """Lay out sections as lines."""
        assert self.made is not None

        def part_of(symbol: Any) -> str:
            return self._part(owners.get(symbol, ""))

        typesetter = Typesetter(self.letters, part_of)
        lines = []
        for section in sections:
            if section.statements:
                lines.append(Line(None, section.title))
            for one in section.statements:
                lines.append(Line(typesetter.statement(one.pieces), one.says, self._part(one.part)))
        self.sheet.show_lines([*lines, *more], self.letters)

    def _part(self, owner: Id) -> Id:
        """The part that lights up for the owner of a symbol: of a point its body, of a parameter none."""
        element = self.document.model.elements.get(owner)
        if element is None or element.family == "parameter":
            return ""
        return element.body if element.family == "marker" else owner

    def show_letters(self) -> None:
        """Lay out the view in letters of another size; changes what is shown."""
        self.numbers.set_zoom(self.letters / self.usual_letters)
        self.show_view()

    def paint_anew(self) -> None:
        """The colours of parts in this theme."""
        theme = self.theme()
        colours = self.tones() | {INK: QColor(theme.ink), LIT: QColor(theme.accent_soft)}
        self.sheet.quiet, self.numbers.line = QColor(theme.quiet), QColor(theme.line)
        self.sheet.colours = self.numbers.colours = colours
        for paper in self.papers:
            paper.colour(QColor(theme.paper))

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how it looks."""
        lit = self.lit()
        self.sheet.light(lit)
        self.numbers.light(lit)

    def _on_click(self, part: Id) -> None:
        """Select a part; a force law that is clicked is folded out or in."""
        if not part:
            return
        self.selection.set((part,))
        if self.views is not None and any(law.id == part for law in self.views.laws):
            self.unfolded ^= {part}
            self._make_views()
            self.show_view()

    # --- numbers

    def _on_time(self) -> None:
        if self.isVisible() and self.choice.currentData() in (NUMBERS, "power"):
            if not self._frame.isActive():
                self._frame.start()

    def state(self) -> tuple[float, np.ndarray, np.ndarray, np.ndarray | None]:
        """Time, q, v and z that are shown: of the run, or as drawn."""
        assert self.made is not None
        results = self.results()
        if results is not None:
            k = results.frame_at(self.playback.time)
            return float(results.t[k]), results.q[k], results.v[k], results.z[k]
        return 0.0, self.made.compiled.q0, self.made.compiled.v0, None

    def show_numbers(self) -> None:
        """Bring numbers to the time that is shown; changes what is shown."""
        if self.made is None or self.views is None:
            return
        if self.choice.currentData() == NUMBERS:
            self.numbers.show_system(system_at(self.views, *self.state()))
        elif self.choice.currentData() == "power":
            self._show_powers()

    def _show_powers(self) -> None:
        """The power of every force under its symbols."""
        assert self.made is not None
        balance = self.made.powers.at(*self.state())
        told = [self.tr("{0}: {1} W").format(p.label, written(p.power, 5)) for p in balance.powers]
        whole = self.tr("v · M a = {0} W").format(written(balance.kinetic, 5))
        self.say("   ".join([*told, whole]))

    # --- the reduced equation

    def _start_reduction(self) -> None:
        from engine.symbols.reduced.background import Reduction
        from engine.symbols.reduced.starting import reduction_of

        assert self.made is not None
        if self.reduction is None:
            try:
                self.reduction = Reduction(reduction_of(self.made.equations))
            except EngineError as error:
                self.say(error.sentence)
                self.sheet.show_lines([], self.letters)
                return
            self._look.start()
        self._show_reduction()

    def _look_at_reduction(self) -> None:
        before = len(self.reduction.found)
        state = self.reduction.poll()
        if len(self.reduction.found) != before or state != "working":
            self._show_reduction()

    def _show_reduction(self) -> None:
        """What is known of the reduced equation so far."""
        from engine.symbols.reduced.answers import owners, reduced_sections

        assert self.made is not None
        found, is_working = self.reduction.found, self.reduction.state == "working"
        self.cancel.setVisible(is_working)
        if not is_working:
            self._look.stop()
        self.say(self.tr("Reducing ...") if is_working else self.reduction.sentence())
        equations = self.made.equations
        self._lay(reduced_sections(found, equations), owners(found, equations))

    def cancel_reduction(self) -> None:
        """End a reduction that is under way, and forget it; changes what is shown."""
        self._look.stop()
        self.cancel.hide()
        if self.reduction is None:
            return
        was_working = self.reduction.state == "working"
        self.reduction.cancel()
        if was_working and self.choice.currentData() == REDUCED:
            self.say(self.reduction.sentence())
        self.reduction = None

    # --- copies and pictures

    def put(self, form: str) -> None:
        """Put the equations on the clipboard in this form; changes the clipboard."""
        try:
            text = self.text(form)
        except EngineError as error:
            self.complained.emit(error.sentence)
            self.say(error.sentence)
            return
        if text:
            QGuiApplication.clipboard().setText(text)
            self.say(self.tr("Copied."))

    def text(self, form: str) -> str:
        """The equations as LaTeX of the view that is shown, as sympy code, or as a Python function."""
        from engine.symbols.reduced.answers import reduced_sections
        from engine.symbols.written.latex import latex_document
        from engine.symbols.written.python_code import python_function, sympy_code

        if self.made is None or self.views is None:
            return ""
        if form == "python":
            return python_function(self.made.equations)
        if form == "sympy":
            return sympy_code(self.made.equations)
        name = self.choice.currentData()
        if name == REDUCED and self.reduction is not None:
            return latex_document(reduced_sections(self.reduction.found, self.made.equations))
        return latex_document(self.views.view("matrix" if name in (NUMBERS, REDUCED) else name))

    def save_picture(self, path: str) -> None:
        """Write what is shown into an SVG or PNG file."""
        save_widget(path, self.numbers if self.choice.currentData() == NUMBERS else self.sheet)

    def shutdown(self) -> None:
        """End what is under way; changes the page."""
        super().shutdown()
        self.cancel_reduction()
