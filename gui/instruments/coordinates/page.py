"""The page of coordinates: four kinds side by side in the mechanism, their equations, one motion by all."""

from pathlib import Path
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QHideEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError, say
from gui.instruments.coordinates.comparing import Found, found_of
from gui.instruments.coordinates.on_stage import StageMarks
from gui.instruments.coordinates.picture import CoordinatePicture
from gui.instruments.formula.boxes import INK, LIT
from gui.instruments.formula.paper import Paper
from gui.instruments.formula.sheet import Line, Sheet
from gui.instruments.formula.typesetter import Typesetter
from gui.instruments.gimbal.strips import Strip
from gui.instruments.page import InstrumentPage
from gui.look.colors import outline_tone
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.plots.canvas import small, spread
from gui.plots.legend import Item, Legend
from gui.state.document import Document
from gui.state.playback import Playback, pose_at
from gui.state.preferences import Preferences
from gui.state.selection import Selection

NAMES = ("absolute", "relative", "natural", "independent")
PAUSE = 200  # ms after an edit
T_END = "2"  # s
WORKING = QT_TRANSLATE_NOOP("CoordinatesPage", "Integrating in four kinds of coordinates ...")
LEAST, MOST = 1e-16, 1.0  # of the logarithmic axis of differences


class CoordinatesPage(InstrumentPage):
    """Absolute, relative, natural and independent coordinates of the open mechanism."""

    wanted_size = QSize(760, 680)  # half a window
    usual_letters = 16.0

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        preferences: Preferences,
        stages: Any = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(document, selection, playback, parent)
        self.preferences, self.stages = preferences, stages
        self.found: Found | None = None
        self.chosen = NAMES[0]
        self._later = self.after(PAUSE, self.renew)
        self._make_parts()
        self._lay_out()
        document.committed.connect(self._later.start)
        playback.time_changed.connect(self.show_pose)
        playback.run_changed.connect(self.show_pose)
        self.follow()

    def _make_parts(self) -> None:
        self.words, self.notes = (
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
        )
        self.notes.setProperty("role", "quiet")
        self.time = QLineEdit(T_END)
        self.time.setMaximumWidth(60)
        self.time.setAccessibleName(self.tr("Time"))
        self.time.setToolTip(self.tr("How long the motions are compared, from the drawing [s]."))
        self.time.editingFinished.connect(self.renew)
        self.on_stage = QCheckBox(self.tr("On the stage"))
        self.on_stage.setChecked(True)
        self.on_stage.setToolTip(
            self.tr("Draw the chosen coordinates and their constraints on the mechanism itself.")
        )
        self.on_stage.toggled.connect(self.mark_stage)
        self.on_stage.setVisible(self.stages is not None)
        self.pictures = {name: CoordinatePicture(name) for name in NAMES}
        for picture in self.pictures.values():
            picture.clicked.connect(self.choose)
        self.sheet = Sheet()
        self.sheet.hovered.connect(self.selection.hover)
        self.sheet.clicked.connect(self.select)
        self.sheet.zoomed.connect(self.zoom)
        self.legend, self.plot = Legend(), pg.GraphicsLayoutWidget()
        self.motion = Strip(self.plot, 0, self.preferences, is_log=False)
        self.apart = Strip(self.plot, 1, self.preferences, is_log=True)
        for strip in (self.motion, self.apart):
            for line in strip.levels:
                line.hide()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.words, 1)
        head.addWidget(self.on_stage)
        head.addWidget(QLabel(self.tr("Time [s]")))
        head.addWidget(self.time)
        self.board = QWidget()
        grid = QGridLayout(self.board)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for n, name in enumerate(NAMES):
            grid.addWidget(self.pictures[name], n // 2, n % 2)
        self.area = Paper(self.sheet)
        curves = QWidget()
        column = QVBoxLayout(curves)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)
        self.tabs = QTabWidget()
        self.tabs.addTab(self.area, self.tr("Equations"))
        self.tabs.addTab(curves, self.tr("Motion"))
        whole = QVBoxLayout(self)
        whole.addLayout(head)
        whole.addWidget(self.notes)
        whole.addWidget(self.board, 3)
        whole.addWidget(self.tabs, 2)
        whole.addStretch(0)

    # --- what is compared

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is integrated that nobody sees."""
        super().hideEvent(event)
        self._later.stop()
        self.end_thread()
        self.mark_stage()

    def renew(self) -> None:
        """Compare the open mechanism, if it is another one; changes what is shown later."""
        if not self.isVisible():
            return
        self.mark_stage()
        model = self.document.model
        try:
            t_end = self._asked()
        except EngineError as error:
            self._show(Found(model, 0.0, sentence=error.sentence))
            return
        if self.question is not None and self.question[0] is model and self.question[1] == t_end:
            return
        old = self.found
        if old is not None and old.is_over and old.model is model and old.t_end == t_end:
            return
        self.end_thread()
        if not any(not body.fixed for body in model.of("body")):
            told = say("Draw a body that can move: it has the first coordinates.")
            self._show(Found(model, t_end, sentence=told))
            return
        self.words.setText(self.tr(WORKING))
        self.notes.hide()
        for part in (self.board, self.tabs):
            part.setVisible(self.found is not None and self.found.compared is not None)
        self.find_out((model, t_end), lambda one: found_of(model, t_end, one), self._on_found)

    def _asked(self) -> float:
        """The time that is typed."""
        from engine.formulas.expressions import value

        text = self.time.text().strip()
        try:
            return value(text.replace(",", "."), {})
        except EngineError as error:
            raise EngineError(
                "'{text}' is no time: {why} Type seconds, like 2.",
                text=text[:40],
                why=error.sentence,
            ) from None

    def _on_found(self, found: Found) -> None:
        if found.model is self.document.model:
            self._show(found)
        elif found.is_over:
            self.renew()

    def _show(self, found: Found) -> None:
        """Show a comparison, or why there is none; changes all parts."""
        self.found = found
        compared = found.compared
        told = found.sentence if compared is None else compared.sentence
        self.words.setText(told if found.is_over else self.tr(WORKING))
        remarks = [] if compared is None else [d.remark for d in compared.descriptions if d.remark]
        self.notes.setText("" if compared is None else "  ".join([*compared.notes, *remarks]))
        self.notes.setVisible(bool(self.notes.text()))
        for part in (self.board, self.tabs):
            part.setVisible(compared is not None)
        if compared is not None:
            for name, picture in self.pictures.items():
                picture.show_described(compared, compared[name])
            self.paint_anew()
            self.show_pose()
            self.choose(self.chosen)
        self.mark_stage()
        if found.is_over:
            self.ready.emit()

    # --- what is shown

    def choose(self, name: str) -> None:
        """Show equations and motion of these coordinates; changes what is shown."""
        self.chosen = name
        for other, picture in self.pictures.items():
            picture.choose(other == name)
        self._lay_equations()
        self.draw()
        self.light()
        self.mark_stage()

    def mark_stage(self) -> None:
        """Draw the chosen coordinates on the stage while this page is seen; changes the stage."""
        if self.stages is None:
            return
        found, stage, marks = self.found, self.stages.planar, None
        if (
            self.isVisible()
            and self.on_stage.isChecked()
            and found is not None
            and found.compared is not None
            and found.model is self.document.model
        ):
            one = found.compared[self.chosen]
            marks = StageMarks(stage, found.compared, one, self.tones(), self.theme())
        stage.set_page_marks(marks)

    def show_pose(self) -> None:
        """Show the mechanism as the stage does; changes the pictures."""
        if not self.isVisible() or self.found is None or self.found.compared is None:
            return
        results, q = self.results(), self.found.compared.motion[0]
        if results is not None:
            q = pose_at(results, self.playback.time)
        for picture in self.pictures.values():
            picture.show_pose(q)

    def _described(self) -> Any:
        assert self.found is not None and self.found.compared is not None
        return self.found.compared[self.chosen]

    def _lay_equations(self) -> None:
        """Lay out the equations of the chosen coordinates."""
        if self.found is None or self.found.compared is None:
            return
        one = self._described()
        if one.sentence:
            self.sheet.show_lines([Line(None, one.sentence)], self.letters)
            return
        owners = one.owners or {}
        typesetter = Typesetter(self.letters, lambda symbol: self._part(owners.get(symbol, "")))
        lines = [Line(None, f"{one.title}: {one.idea}")]
        for section in one.sections:
            lines.append(Line(None, section.title))
            for statement in section.statements:
                box = typesetter.statement(statement.pieces) if statement.pieces else None
                lines.append(Line(box, statement.says, self._part(statement.part)))
        self.sheet.show_lines(lines, self.letters)

    def _part(self, owner: str) -> str:
        """The part that lights up for the owner of a symbol."""
        element = self.document.model.elements.get(owner)
        return "" if element is None or element.family == "parameter" else owner

    def show_letters(self) -> None:
        """Lay out equations and pictures in letters of another size; changes what is shown."""
        for picture in self.pictures.values():
            picture.enlarge(self.enlarged)
        self._lay_equations()

    def draw(self) -> None:
        """Draw the chosen coordinates over time, and how far all are apart; changes the plots."""
        if self.found is None or self.found.compared is None:
            return
        compared, one = self.found.compared, self._described()
        theme, items = self.theme(), list[Item]()
        tones = [outline_tone(QColor(c), theme).name() for c in theme.bodies]
        u = np.zeros((len(compared.t), 0)) if one.u is None else one.u
        for n in range(u.shape[1]):
            self.motion.put(n, compared.t, u[:, n])
            name = str(one.coordinates[n].symbol)
            items.append(Item(name, name, tones[n % len(tones)], ""))
        others = [d for d in compared.descriptions[1:] if d.apart is not None]
        for n, other in enumerate(others):
            self.apart.put(n, compared.t, np.maximum(other.apart, LEAST))
        for strip, count in ((self.motion, u.shape[1]), (self.apart, len(others))):
            for curve in strip.curves[count:]:
                curve.setData([], [])
        self.legend.set_items(items)
        self.plot.setBackground(theme.paper)
        font = small(self.font())
        self.motion.dress(theme, font, self.tr("u [m, rad]"), [i.colour for i in items], False)
        self.apart.dress(theme, font, self.tr("apart"), tones[: len(others)], True)
        for strip in (self.motion, self.apart):
            strip.time_line.hide()
            strip.canvas.setXRange(0.0, float(compared.t[-1]), padding=0.01)
            for curve, tone in zip(strip.curves, tones):
                curve.setPen(pg.mkPen(tone, width=2))
        if u.size:
            self.motion.canvas.setYRange(*spread(float(u.min()), float(u.max())), padding=0.0)
        self.apart.canvas.setYRange(np.log10(LEAST), np.log10(MOST), padding=0.02)

    # --- colours and parts

    def paint_anew(self) -> None:
        """The colours of bodies and curves in this theme."""
        theme, tones = self.theme(), self.tones()
        for picture in self.pictures.values():
            picture.theme, picture.tones = theme, tones
            picture.update()
        self.sheet.colours = tones | {INK: QColor(theme.ink), LIT: QColor(theme.accent_soft)}
        self.sheet.quiet = QColor(theme.quiet)
        self.area.colour(QColor(theme.paper))
        self.draw()
        self.mark_stage()

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how it looks."""
        self.sheet.light(self.lit())

    # --- the end, and files

    def shutdown(self) -> None:
        """End what is under way; changes the page."""
        super().shutdown()
        if self.stages is not None:
            self.stages.planar.set_page_marks(None)

    def write_csv(self, path: Path) -> None:
        """Write every coordinate of every description over time."""
        if self.found is None or self.found.compared is None:
            raise EngineError("There is no motion to write: draw a mechanism in the plane first.")
        self.found.compared.write_csv(path)
