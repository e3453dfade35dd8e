"""The page of wear: W(t) of the contacts of the run that is shown, by Archard's law, and its numbers.

Dry wear is many times that with a film; curves that differ much are drawn on a logarithmic axis. Of two
sides it draws what they lose, share and differ by, with the 5 % within which they are balanced.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
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
from gui.instruments.wear.curves import (
    IMBALANCE,
    SHARES,
    VIEWS,
    Curve,
    curves_of,
    is_log,
    last,
)
from gui.instruments.wear.sweep import Sweep
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
BAND = 18  # of 255: how much of the band of balance is seen
FROM = 0.02  # of all that is worn: before that shares say nothing


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
        self.by_friction = QCheckBox(tr("Friction alone is the force"))
        self.sliding = QLineEdit()
        self.sliding.setPlaceholderText("1")
        self.sliding.setToolTip(
            tr(
                "The part of sliding in the motion: a formula of t, or 'run': as the shapes slide and roll."
            )
        )
        self.view = QComboBox()
        for one, (words, _) in VIEWS.items():
            self.view.addItem(QCoreApplication.translate("Wear", words), one)
        self.view.activated.connect(lambda _: self._show_found())
        self.sweep = Sweep(self.preferences)
        self.sweep.button.clicked.connect(self.run_each)
        self.sweep.asked.returnPressed.connect(self.run_each)
        for line in (self.coefficient, self.sliding, self.temperatures):
            line.editingFinished.connect(self.renew)
        for switch in (self.by_friction, self.with_2_pi):
            switch.toggled.connect(self.renew)
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
        form.addRow(self.tr("S/R"), self.sliding)
        form.addRow(self.tr("Temperatures [K]"), self.temperatures)
        form.addRow("", self.by_friction)
        form.addRow("", self.with_2_pi)
        form.addRow(self.tr("Show"), self.view)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(self.words)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)
        column.addWidget(self.table)
        column.addWidget(self.sweep)
        column.addStretch(0)

    def _new_strip(self, is_log: bool) -> Strip:
        """An empty plot in the place of the one before."""
        self.plot.clear()
        strip = Strip(self.plot, 0, self.preferences, is_log)
        strip.canvas.held.connect(lambda at: self.playback.scrub(at.x()))
        strip.canvas.clicked.connect(lambda at: self.playback.scrub(at.x()))
        strip.canvas.doubled.connect(lambda _: self.draw())
        self.band = pg.LinearRegionItem(orientation="horizontal", movable=False)
        self.band.setZValue(-10)
        strip.canvas.addItem(self.band, ignoreBounds=True)
        for item in (*strip.levels, self.band):
            item.hide()
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
        asked = (
            *(line.text() for line in (self.coefficient, self.sliding, self.temperatures)),
            *(switch.isChecked() for switch in (self.by_friction, self.with_2_pi)),
        )
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
        from engine.studies.archard import contacts_of, refusal, wear

        results = self.playback.results
        if results is None:
            raise EngineError(
                "There is no run yet. Run the model: its contacts wear as they slide."
            )
        every = contacts_of(results)
        if not self._is_over():
            return self.tr("The wear is computed when the run has ended.")
        numbers = self._numbers()
        refusals = {id: refusal(results, id) for id in every}
        chosen = [id for id in every if refusals[id] is None]
        refused = [error for error in refusals.values() if error is not None]
        if not chosen:
            raise refused[0]
        self.found = wear(results, chosen, **numbers)
        told = [error.sentence for error in refused]
        return "\n".join([*self._remarks(), *self.found.balances, *told])

    def _remarks(self) -> list[str]:
        """What is to say where nothing is worn."""
        assert self.found is not None
        if self.found.worn.any():
            return []
        return [self.tr("In no frame of this run do they press and slide, so nothing is worn.")]

    def _numbers(self) -> dict[str, Any]:
        """What is asked for, as the engine takes it."""
        from engine.studies.archard import MM3

        return {
            "coefficient": self._coefficient() / MM3,
            "temperatures": self._temperatures(),
            "sliding": self.sliding.text(),
            "by_friction": self.by_friction.isChecked(),
            "with_2_pi": self.with_2_pi.isChecked(),
        }

    def run_each(self) -> None:
        """Run the model for each value of a parameter; changes the table of the sweep."""
        from engine.studies.archard import contacts_of, refusal, wear

        results = self.playback.results
        try:
            if results is None:
                raise EngineError("There is no run yet. Run the model first.")
            chosen = [id for id in contacts_of(results) if refusal(results, id) is None]
            numbers = self._numbers()
        except EngineError as error:
            self._say(error.sentence, "wrong")
            return
        self.sweep.start(results.model, lambda other: wear(other, chosen, **numbers))

    def shutdown(self) -> None:
        """End what is under way; changes the page."""
        self.sweep.shutdown()

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
        has_sides = self.found is not None and self.found.sides(0) is not None
        choices: Any = self.view.model()
        for n in range(1, self.view.count()):
            choices.item(n).setEnabled(has_sides)
        if not has_sides:
            self.view.setCurrentIndex(0)
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
        """What the user calls a contact; of what is no contact its own name."""
        results = self.playback.results
        known = None if results is None else results.model.elements.get(contact)
        return contact if known is None else known.label

    def draw(self) -> None:
        """Draw the curves in the colours of the theme; changes the plot."""
        if self.found is None:
            return
        view = self.view.currentData()
        curves = curves_of(self.found, view)
        log = is_log(view, curves, FAR)
        if log != self.strip.is_log:
            self.strip = self._new_strip(log)
        theme = theme_of(self.palette())
        tones = [
            outline_tone(QColor(theme.bodies[n % len(theme.bodies)]), theme).name()
            for n in range(len(curves))
        ]
        for n, curve in enumerate(curves):
            self.strip.put(n, self.found.t, curve.values)
        for curve in self.strip.curves[len(curves) :]:
            curve.setData([], [])
        self.legend.set_items(
            [Item(str(n), self._words(one), tones[n], "") for n, one in enumerate(curves)]
        )
        self.plot.setBackground(theme.paper)
        axis = QCoreApplication.translate("Wear", VIEWS[view][1])
        self.strip.dress(theme, small(self.font()), axis, tones, True)
        for curve, tone in zip(self.strip.curves, tones):
            curve.setPen(pg.mkPen(tone, width=2))
        self.band.hide()
        self._fit(view, curves)
        self.show_time()

    def _words(self, curve: Curve) -> str:
        """The name of a curve in the legend."""
        T = curve.temperature
        warm = (
            self.tr("dry") if T is None else self.tr("{0} K").format(self.preferences.digits(T, 6))
        )
        return f"{self._label(curve.of)}, {warm}"

    def _fit(self, view: str, curves: list[Curve]) -> None:
        """Show the whole run, and the band of balance."""
        assert self.found is not None
        t, canvas = self.found.t, self.strip.canvas
        canvas.setXRange(t[0], t[-1], padding=0.01)
        if self.strip.is_log:
            low, high = powers(np.array([last(curves).min(), last(curves).max()]))
            canvas.setYRange(low - DECADES, high, padding=0.05)
        elif view in (SHARES, IMBALANCE):
            self._fit_shares(view, curves)
        else:
            canvas.setYRange(
                *spread(0.0, max(float(one.values.max()) for one in curves)), padding=0.0
            )

    def _fit_shares(self, view: str, curves: list[Curve]) -> None:
        """Show shares where enough is worn, with the band within which sides are balanced."""
        from engine.studies.archard import BALANCED

        assert self.found is not None
        both = self.found.sides(0)
        assert both is not None
        middle, half = (50.0, 0.5 * BALANCED) if view == SHARES else (0.0, BALANCED)
        known = both.total > FROM * both.total[-1]
        values = np.concatenate([one.values[known] for one in curves])
        reach = max(1.3 * half, float(np.abs(values - middle).max(initial=0.0)) * 1.1)
        self.strip.canvas.setYRange(middle - reach, middle + reach, padding=0.0)
        tone = QColor(theme_of(self.palette()).accent)
        self.band.setRegion((middle - half, middle + half))
        for line in self.band.lines:
            line.setPen(pg.mkPen(tone, width=1, style=Qt.PenStyle.DashLine))
        tone.setAlpha(BAND)
        self.band.setBrush(tone)
        self.band.show()

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
