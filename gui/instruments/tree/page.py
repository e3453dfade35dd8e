"""The page of the tree: how bodies hang on each other, and the matrices of joint coordinates in numbers.

They are those of the frame that is shown, and follow playback; before a run those of the assembled start.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QSplitter,
    QStackedWidget,
    QTableView,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import same_mechanism
from gui.instruments.formula.paper import Paper
from gui.instruments.page import InstrumentPage
from gui.instruments.tables import reading_table
from gui.instruments.tree.drawing import TreeDrawing
from gui.instruments.tree.finding import Hung, State, formulas_of, hung_of
from gui.instruments.tree.numbers import GridModel, minus
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

COORDINATES, WAYS = "coordinates", "ways"
SYMBOLIC = ("B", "C", "J", "H", "minimal")  # what small trees show in symbols too
VIEWS = (  # name, words, what it is
    (
        COORDINATES,
        QT_TRANSLATE_NOOP("TreePage", "Coordinates"),
        QT_TRANSLATE_NOOP(
            "TreePage",
            "p(i) is the predecessor of body i, 0 the ground; \u03b2 are the coordinates of its joint, "
            "\u03b7 their speeds.",
        ),
    ),
    (
        "B",
        "B",
        QT_TRANSLATE_NOOP(
            "TreePage",
            "B v = C \u03b7: a body moves with its predecessor, but for what its joint adds. Twists "
            "(\u03c9, v) are in world axes about O in the joint.",
        ),
    ),
    (
        "C",
        "C",
        QT_TRANSLATE_NOOP(
            "TreePage", "B v = C \u03b7: the free axes of the joints, block by block."
        ),
    ),
    (
        "J",
        "J = B\u207b\u00b9 C",
        QT_TRANSLATE_NOOP("TreePage", "v = J \u03b7: every body moves with all joints below it."),
    ),
    (
        "H",
        "H",
        QT_TRANSLATE_NOOP(
            "TreePage", "\u03b2\u2032 = H \u03b7: the identity, but for quaternions of balls."
        ),
    ),
    (
        "momentum",
        QT_TRANSLATE_NOOP("TreePage", "M a = f\u1d9c + f\u1d57 + f\u1d4f"),
        QT_TRANSLATE_NOOP(
            "TreePage",
            "Momentum about O: what comes of turning, given forces, and what joints exert.",
        ),
    ),
    (
        "minimal",
        QT_TRANSLATE_NOOP("TreePage", "M\u0302 \u03b7\u2032 = k\u1d9c + k\u1d57"),
        QT_TRANSLATE_NOOP(
            "TreePage",
            "M\u0302 = J\u1d40 M J, k\u1d9c = J\u1d40 (f\u1d9c \u2212 M \u03b3), "
            "k\u1d57 = J\u1d40 f\u1d57: as many equations as coordinates.",
        ),
    ),
    (
        "wrenches",
        QT_TRANSLATE_NOOP("TreePage", "Wrenches f\u1d3e and f\u1d4f"),
        QT_TRANSLATE_NOOP(
            "TreePage",
            "f\u1d3e is what its joint exerts on a body, f\u1d4f = B\u1d40 f\u1d3e what all joints of "
            "the tree exert.",
        ),
    ),
    (
        "sparse",
        QT_TRANSLATE_NOOP("TreePage", "The sparse system"),
        QT_TRANSLATE_NOOP(
            "TreePage",
            "a, f\u1d3e and \u03b7\u2032 at once: many equations, of which each knows few unknowns.",
        ),
    ),
    (
        WAYS,
        QT_TRANSLATE_NOOP("TreePage", "Three ways to \u03b7\u2032"),
        QT_TRANSLATE_NOOP(
            "TreePage",
            "By M\u0302, by the sparse system, and from body to body as runs do it, at the start. The "
            "first two from the matrices, the third from the state alone.",
        ),
    ),
)
MICROSECONDS = 1e6
PAUSE = 150  # ms after an edit
FRAME = 40  # ms between two frames in numbers
CELL = 74  # px
FRAMES = 4  # px around the picture


class TreePage(InstrumentPage):
    """The tree of the open model, in a picture and in numbers."""

    wanted_size = QSize(460, 640)  # a slim page

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.hung: Hung | None = None
        self.tree: Any = None  # in the state that is shown
        self._shown_state: tuple[Any, ...] = ()
        self._formulas: tuple[Any, dict[str, Any] | str] = (None, {})  # of a model, or why not
        self._asked: Any = None  # the model whose formulas are looked for
        self._later = self.after(PAUSE, self.renew)
        self._frame = self.after(FRAME, self.show_numbers)
        self._make_parts()
        self._lay_out()
        document.committed.connect(self._later.start)
        playback.time_changed.connect(self._on_time)
        playback.run_changed.connect(self._on_time)
        self.follow()

    def _make_parts(self) -> None:
        self.words, self.about = (
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
        )
        self.about.setProperty("role", "quiet")
        self.drawing = TreeDrawing()
        self.drawing.clicked.connect(self.select)
        self.drawing.hovered.connect(self.selection.hover)
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Numbers of the tree"))
        for name, words, _ in VIEWS:
            self.choice.addItem(self.tr(words), name)
        self.choice.currentIndexChanged.connect(self.show_view)
        self.in_symbols = QCheckBox(self.tr("In symbols"))
        self.in_symbols.toggled.connect(self.show_view)
        self.grid = GridModel()
        self.matrix = QTableView()
        self.matrix.setModel(self.grid)
        self.matrix.horizontalHeader().setDefaultSectionSize(CELL)
        self.matrix.clicked.connect(lambda index: self._select_row(index.row()))
        self.matrix.verticalHeader().sectionClicked.connect(self._select_row)
        self.table = reading_table()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.cellClicked.connect(self._on_row)
        self.tables = QStackedWidget()
        self.tables.addWidget(self.matrix)
        self.tables.addWidget(self.table)

    def _lay_out(self) -> None:
        area = Paper(self.drawing)
        area.setAlignment(Qt.AlignmentFlag.AlignCenter)
        area.setMinimumHeight(80)
        self.area = area
        below = QWidget()
        column = QVBoxLayout(below)
        column.setContentsMargins(0, 0, 0, 0)
        for part in (self.choice, self.about, self.in_symbols):
            column.addWidget(part)
        column.addWidget(self.tables, 1)
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.setChildrenCollapsible(False)
        halves.addWidget(area)
        halves.addWidget(below)
        halves.setStretchFactor(0, 2)
        halves.setStretchFactor(1, 3)
        self.halves = halves
        whole = QVBoxLayout(self)
        whole.addWidget(self.words)
        whole.addWidget(halves, 1)

    # --- the tree of the model

    def renew(self) -> None:
        """Hang the model anew, if it is another one; changes what is shown."""
        model = self.document.model
        if not self.isVisible() or (self.hung is not None and self.hung.model is model):
            return
        if self.question is not model:
            self.find_out(model, lambda _: hung_of(model), self._on_found)

    def _on_found(self, hung: Hung) -> None:
        if hung.model is not self.document.model:
            return  # the model has changed meanwhile
        self.hung, self.tree, self._shown_state = hung, hung.tree, ()
        self.paint_anew()
        self.drawing.show_tree(hung.tree)
        self._share_room()
        self.area.setVisible(hung.tree is not None)
        self.halves.setVisible(hung.tree is not None)
        self.words.setText(hung.sentence if hung.tree is None else self._told())
        self.show_view()
        self.light()
        self.ready.emit()

    def _share_room(self) -> None:
        """Give the picture the room that it needs, at most a half; changes the layout."""
        whole = max(self.halves.height(), self.sizeHint().height() // 2)
        above = min(self.drawing.height() + FRAMES, whole // 2)
        self.halves.setSizes([above, whole - above])

    def _told(self) -> str:
        """What is told about the whole tree."""
        tree, tr = self.tree, self.tr
        bodies, count = len(tree.hung), len(tree.eta)
        words = [
            tr("1 body") if bodies == 1 else tr("{0} bodies").format(bodies),
            tr("1 coordinate") if count == 1 else tr("{0} coordinates").format(count),
        ]
        labels = [tree.compiled.model[id].label for id in tree.spanning.cuts]
        cuts = tr("cut: {0}").format(", ".join(labels)) if labels else tr("nothing is cut")
        return ", ".join([*words, cuts]) + "."

    # --- numbers

    def choose(self, name: str) -> None:
        """Show the view of this name; changes the choice."""
        self.choice.setCurrentIndex(self.choice.findData(name))

    def show_view(self) -> None:
        """Show what was chosen; changes what is shown."""
        is_table = self.choice.currentData() in (COORDINATES, WAYS)
        self.tables.setCurrentWidget(self.table if is_table else self.matrix)
        self.in_symbols.setVisible(self.choice.currentData() in SYMBOLIC)
        self._shown_state = ()
        self.show_numbers()

    def _on_time(self) -> None:
        if self.isVisible() and self.choice.currentData() != WAYS and not self._frame.isActive():
            self._frame.start()

    def state(self) -> State:
        """Time, q, v and z that are shown: of the run, or as assembled."""
        assert self.hung is not None and self.hung.state is not None
        results = self.results()
        # the tree of a model that was just opened may not be found yet
        if results is not None and same_mechanism(results.model, self.hung.model):
            k = results.frame_at(self.playback.time)
            return float(results.t[k]), results.q[k], results.v[k], results.z[k]
        return self.hung.state

    def show_numbers(self) -> None:
        """Bring the numbers to the frame that is shown; changes what is shown."""
        if self.hung is None or self.hung.tree is None:
            return
        name, state = self.choice.currentData(), self.state()
        key = (name, state[0], self.playback.results)
        if key == self._shown_state:
            return
        self._shown_state = key
        about = self.tr(VIEWS[self.choice.currentIndex()][2])
        try:
            self._fill(name, state)
        except EngineError as error:
            about = error.sentence
            self.grid.show_grid(None)
        self.about.setText(about)

    def _fill(self, name: str, state: State) -> None:
        """Put the numbers of a view into its table; raises EngineError where there are none."""
        from engine.studies.tree_tables import grid

        assert self.hung is not None
        if name == WAYS:
            self._show_lines(self._lines_of_ways())
            return
        self.tree = self.hung.at(state)
        if name == COORDINATES:
            self._show_lines(self._lines_of_coordinates())
            return
        if len(self.tree.e) and name == "wrenches" and self.tree.is_redundant:
            raise EngineError(
                "Rows of the cut joints repeat others here, so the wrenches are not unique; the reactions "
                "of the run are evenly shared ones."
            )
        if self.in_symbols.isChecked() and name in SYMBOLIC:
            self._show_formulas(name)
            return
        self.matrix.horizontalHeader().setDefaultSectionSize(CELL)
        self.grid.show_grid(grid(self.tree, name))

    def _show_formulas(self, name: str) -> None:
        """Show a matrix in symbols, or find them; raises EngineError where there are none."""
        assert self.hung is not None
        of, found = self._formulas
        if of is not self.hung.model:
            self.grid.show_grid(None)
            if self._asked is not self.hung.model:
                hung, self._asked = self.hung, self.hung.model
                self.find_out(hung, lambda _: formulas_of(hung), self._on_formulas)
            return
        if isinstance(found, str):
            raise EngineError("{reason}", reason=found)
        self.grid.show_grid(found[name])
        self.matrix.resizeColumnsToContents()

    def _on_formulas(self, found: tuple[Any, dict[str, Any] | str]) -> None:
        self._formulas = found
        self.show_view()
        self.ready.emit()

    def _lines_of_coordinates(self) -> list[tuple[str, ...]]:
        from engine.studies.tree_tables import lines_of_tree

        return list(lines_of_tree(self.tree))

    def _lines_of_ways(self) -> list[tuple[str, ...]]:
        """Names, differences and times."""
        assert self.hung is not None
        tr = self.tr
        head = (tr("Way"), tr("Differs by"), tr("Time [\u00b5s]"))
        lines = [
            (w.name, written(w.apart, 2), written(MICROSECONDS * w.seconds, 3))
            for w in self.hung.ways
        ]
        return [head, *lines]

    def _show_lines(self, lines: list[tuple[str, ...]]) -> None:
        """Fill the table of words; changes it."""
        head, *rows = lines
        self.table.setColumnCount(len(head))
        self.table.setHorizontalHeaderLabels(head)
        self.table.setRowCount(len(rows))
        for n, row in enumerate(rows):
            for column, text in enumerate(row):
                self.table.setItem(n, column, QTableWidgetItem(minus(text)))

    # --- selecting and colours

    def _select_row(self, row: int) -> None:
        self.select(self.grid.grid.parts[row] if self.grid.grid is not None else "")

    def _on_row(self, row: int, column: int) -> None:
        """Select the body of a coordinate, or its joint in that column."""
        if self.choice.currentData() != COORDINATES or self.tree is None:
            return
        from engine.studies.tree_tables import coordinates

        one = coordinates(self.tree)[row]
        self.selection.set((one.joint if column == 3 and one.joint else one.body,))

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how it looks."""
        lit = self.lit()
        self.drawing.light(lit)
        if lit != self.grid.lit:
            self.grid.lit = lit
            self.grid.changed()

    def paint_anew(self) -> None:
        """The colours of bodies in this theme."""
        theme = self.theme()
        self.grid.colours = self.tones()
        self.grid.quiet, self.grid.lit_colour = QColor(theme.faint), QColor(theme.accent_soft)
        self.grid.changed()
        self.area.colour(QColor(theme.paper))

    # --- files

    def write_csv(self, path: Path) -> None:
        """Write the numbers that are shown; an EngineError says why there are none."""
        if self.hung is None or self.hung.tree is None:
            raise EngineError("There is no tree to write: draw a mechanism first.")
        from engine.studies.tables import write_table

        name, table = self.choice.currentData(), self.grid.grid
        rows: Sequence[Sequence[Any]] = ()
        if name == WAYS:
            rows = self._lines_of_ways()
        elif name == COORDINATES:
            rows = self._lines_of_coordinates()
        elif table is not None:
            rows = [("", *table.columns)]
            rows += [(row, *values.tolist()) for row, values in zip(table.rows, table.values)]
        write_table(path, rows[0] if rows else (), rows[1:])
