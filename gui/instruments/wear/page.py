"""The page of wear: W(t) of the contacts of the run that is shown, by Archard's law, and its numbers.

Dry wear is many times that with a film; curves that differ much are drawn on a logarithmic axis.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError, say
from gui.instruments.gimbal.strips import Strip, powers
from gui.look.colors import outline_tone
from gui.look.theme import theme_of
from gui.plots.canvas import small, spread
from gui.plots.legend import Item, Legend
from gui.state.playback import Playback
from gui.state.preferences import Preferences

if TYPE_CHECKING:
    from engine.studies.archard import Wear

PLA = "65e-5"  # mm^3/(N m), PLA on PLA
TEMPERATURES = "dry, 293, 298, 303"
FAR = 1e3  # ratio of curves beyond which the axis is logarithmic
DECADES = 4.0  # of a logarithmic axis below its lowest end
HEIGHT = 150  # px of the table


class WearPage(QWidget):
    """Worn volumes over time, the numbers they follow from, and what is worn at the end."""

    def __init__(
        self, playback: Playback, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.playback, self.preferences = playback, preferences
        self.found: Wear | None = None
        self._of: tuple[object, ...] = ()  # what `found` was computed from
        self._make_parts()
        self._lay_out()
        playback.run_changed.connect(self.renew)
        playback.frames_grew.connect(self.renew)
        playback.time_changed.connect(self.show_time)
        preferences.changed.connect(self.draw)

    def _make_parts(self) -> None:
        tr = self.tr
        self.coefficient, self.temperatures = QLineEdit(PLA), QLineEdit(TEMPERATURES)
        self.coefficient.setToolTip(tr("How much is worn by a newton over a metre; PLA: 65e-5."))
        self.temperatures.setToolTip(
            tr("'dry', or temperatures of a film of lubricant in kelvin, with commas between them.")
        )
        self.with_2_pi = QCheckBox(tr("Path times 2π, as once published"))
        for line in (self.coefficient, self.temperatures):
            line.editingFinished.connect(self.renew)
        self.with_2_pi.toggled.connect(self.renew)
        self.words, self.legend = (
            QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText),
            Legend(),
        )
        self.words.setProperty("role", "quiet")
        self.plot = pg.GraphicsLayoutWidget()
        self.plot.setMinimumHeight(120)
        self.strip = self._new_strip(is_log=False)
        self.table = QTableWidget(0, 5)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.verticalHeader().hide()
        self.table.setFixedHeight(HEIGHT)
        titles = (tr("Contact"), tr("T [K]"), tr("W [mm³]"), tr("∫F dt [N s]"), tr("Path [m]"))
        self.table.setHorizontalHeaderLabels(titles)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(self.tr("k [mm³/(N m)]"), self.coefficient)
        form.addRow(self.tr("Temperatures [K]"), self.temperatures)
        form.addRow("", self.with_2_pi)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.words)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)
        column.addWidget(self.table)
        column.addStretch(0)

    def _new_strip(self, is_log: bool) -> Strip:
        """An empty plot in the place of the one before."""
        self.plot.clear()
        strip = Strip(self.plot, 0, self.preferences, is_log)
        strip.canvas.held.connect(lambda at: self.playback.scrub(at.x()))
        strip.canvas.clicked.connect(lambda at: self.playback.scrub(at.x()))
        strip.canvas.doubled.connect(lambda _: self.draw())
        for line in strip.levels:
            line.hide()
        return strip

    def sizeHint(self) -> QSize:
        """Half a window."""
        return QSize(560, 640)

    # --- what is worn

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.renew()

    def renew(self) -> None:
        """Compute what is worn, if the run or a number is another one; changes what is shown."""
        if not self.isVisible():
            return
        results = self.playback.results
        asked = self.coefficient.text(), self.temperatures.text(), self.with_2_pi.isChecked()
        key = (results, 0 if results is None else len(results), self._is_over(), *asked)
        if key == self._of:
            return
        self._of, self.found = key, None
        try:
            self._say(self._compute(), "quiet")
        except EngineError as error:
            self._say(error.sentence, "quiet" if results is None else "wrong")
        self._show_found()

    def _is_over(self) -> bool:
        """Whether there is a run that has come to its end."""
        results = self.playback.results
        return results is not None and results.ending is not None and len(results) > 1

    def _compute(self) -> str:
        """Find what is worn; returns the sentences about it. Changes `found`."""
        from engine.studies.archard import MM3, contacts_of, refusal, wear

        results = self.playback.results
        if results is None:
            raise EngineError(
                "There is no run yet. Run the model: its contacts wear as they slide."
            )
        every = contacts_of(results)
        if not self._is_over():
            return self.tr("The wear is computed when the run has ended.")
        k, temperatures = self._coefficient() / MM3, self._temperatures()
        refusals = {id: refusal(results, id) for id in every}
        chosen = [id for id in every if refusals[id] is None]
        refused = [error for error in refusals.values() if error is not None]
        if not chosen:
            raise refused[0]
        twice = self.with_2_pi.isChecked()
        self.found = wear(
            results, chosen, coefficient=k, temperatures=temperatures, with_2_pi=twice
        )
        told = [error.sentence for error in refused]
        return "\n".join([*self._remarks(), *self.found.balances, *told])

    def _remarks(self) -> list[str]:
        """What is to say where nothing is worn."""
        assert self.found is not None
        if self.found.worn.any():
            return []
        return [self.tr("In no frame of this run do they press and slide, so nothing is worn.")]

    def _coefficient(self) -> float:
        """The wear coefficient [mm^3/(N m)]."""
        return _number(self.coefficient.text(), say("The wear coefficient"))

    def _temperatures(self) -> list[float | None]:
        """The temperatures that are asked for [K]; None: dry."""
        comma = ";" if self.preferences.decimal_comma else ","
        parts = [part.strip() for part in self.temperatures.text().split(comma)]
        dry = (self.tr("dry"), "dry")
        found = [None if p in dry else _number(p, say("A temperature")) for p in parts if p]
        return list(dict.fromkeys(found)) or [None]

    def _say(self, words: str, role: str) -> None:
        self.words.setProperty("role", role)
        self.words.style().unpolish(self.words)
        self.words.style().polish(self.words)
        self.words.setText(words)
        self.words.setVisible(bool(words))

    # --- what is shown

    def _show_found(self) -> None:
        """Show what was found, or nothing; changes what is shown."""
        self.table.setVisible(self.found is not None)
        for part in (self.legend, self.plot):
            part.setVisible(self.found is not None and bool(self.found.worn.any()))
        rows = [] if self.found is None else self.found.rows
        self.table.setRowCount(len(rows))
        for n, (contact, temperature, *numbers) in enumerate(rows):
            told = [self.preferences.digits(number, 5) for number in numbers]
            dry = self.tr("dry") if temperature == "dry" else temperature
            for k, text in enumerate([self._label(contact), dry, *told]):
                self.table.setItem(n, k, QTableWidgetItem(text))
        self.draw()

    def _label(self, contact: str) -> str:
        """What the user calls a contact."""
        results = self.playback.results
        return contact if results is None else results.model[contact].label

    def draw(self) -> None:
        """Draw the curves in the colours of the theme; changes the plot."""
        found = self.found
        if found is None:
            return
        from engine.studies.archard import MM3

        worn = found.worn * MM3
        ends = worn[..., -1][worn[..., -1] > 0.0]
        is_log = bool(len(ends) and ends.max() > FAR * ends.min())
        if is_log != self.strip.is_log:
            self.strip = self._new_strip(is_log)
        theme, items = theme_of(self.palette()), list[Item]()
        shapes = [(n, k) for n in range(len(worn)) for k in range(len(found.temperatures))]
        for curve, (n, k) in enumerate(shapes):
            T = found.temperatures[k]
            self.strip.put(curve, found.t, worn[n, k])
            words = (
                self.tr("dry")
                if T is None
                else self.tr("{0} K").format(self.preferences.digits(T, 6))
            )
            words = f"{self._label(found.contacts[n])}, {words}"
            tone = outline_tone(QColor(theme.bodies[curve % len(theme.bodies)]), theme)
            items.append(Item(str(curve), words, tone.name(), ""))
        for curve in self.strip.curves[len(shapes) :]:
            curve.setData([], [])
        self.legend.set_items(items)
        self.plot.setBackground(theme.paper)
        colours = [item.colour for item in items]
        self.strip.dress(theme, small(self.font()), self.tr("W [mm³]"), colours, True)
        for curve, colour in zip(self.strip.curves, colours):
            curve.setPen(pg.mkPen(colour, width=2))
        self._fit(worn, ends)
        self.show_time()

    def _fit(self, worn: np.ndarray, ends: np.ndarray) -> None:
        """Show the whole run."""
        assert self.found is not None
        t, canvas = self.found.t, self.strip.canvas
        canvas.setXRange(t[0], t[-1], padding=0.01)
        if self.strip.is_log:
            low, high = powers(np.array([ends.min(), ends.max()]))
            canvas.setYRange(low - DECADES, high, padding=0.05)
        else:
            canvas.setYRange(*spread(0.0, float(worn.max())), padding=0.0)

    def show_time(self) -> None:
        """Move the line of the present time; changes the plot."""
        self.strip.time_line.setPos(self.playback.time)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "strip"):
            self.draw()

    # --- export

    def write_csv(self, path: Path) -> None:
        """Write W(t) of every contact and temperature that is shown."""
        if self.found is None:
            raise EngineError("There is no wear to write. Run a model with a contact first.")
        self.found.write_csv(path)


def _number(text: str, what: str) -> float:
    """A number that was typed."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise EngineError(
            "{what} is a number, and '{text}' is none. Write one like 293 or 65e-5.",
            what=what,
            text=text[:40],
        ) from None
