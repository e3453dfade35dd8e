"""The health strip: the present state of the model and its run; every item is a button.

A state is shown by a symbol, a colour and words.
"""

from math import degrees, isfinite
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.kinematics.checkup import Checkup
from engine.model.elements import Model, same_mechanism
from engine.results.balance import WRONG, Balance
from gui.forms.words import counted
from gui.look.icons import coloured
from gui.look.method_words import is_adaptive, method_short, method_title
from gui.look.sentences import length_said, said
from gui.look.theme import Theme, theme_of
from gui.look.tooltips import in_lines
from gui.state.document import Document
from gui.state.lock_badges import nearest_lock
from gui.state.numbers import NOISE, size_of
from gui.state.playback import Playback
from gui.state.preferences import Preferences

if TYPE_CHECKING:  # it loads the kernels
    from engine.kinematics.assemble import Gap

PLAIN, GOOD, WARNING, PROBLEM = "", "good", "warning", "problem"
ITEMS = ("problems", "bodies", "joints", "dof", "redundant", "gap", "energy", "method", "lock")
SPARE = ("joints", "bodies")  # left out where the window is narrow
MOST_GAPS = 3  # open joints that a tooltip names
SEEN = 1e-4  # of the size of the model: a wider gap in a run is worth a warning


class HealthStrip(QWidget):
    """The items side by side; `clicked` names the one that was clicked."""

    clicked = Signal(str)

    def __init__(self, document: Document, playback: Playback, preferences: Preferences) -> None:
        super().__init__()
        self.document, self.playback, self.preferences = document, playback, preferences
        self.checkup = Checkup(document.model)
        self.is_known = False
        self.items: dict[str, QToolButton] = {}
        self.states: dict[str, tuple[str, Theme]] = {}
        self._lines: dict[str, QFrame] = {}  # the thin line before each item
        row = self._row = QHBoxLayout(self)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        row.setContentsMargins(6, 1, 6, 1)
        row.setSpacing(3)
        for n, name in enumerate(ITEMS):
            line = _bar()
            line.setVisible(n > 0)
            self._lines[name] = line
            row.addWidget(line)
            row.addWidget(self._item(name))
        row.addStretch(1)
        self.word = QLabel()
        self.word.setProperty("role", "quiet")
        self.word.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.word.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.progress = QProgressBar(textVisible=False)
        self.progress.hide()
        self.progress.setMaximumWidth(120)
        row.addWidget(self.word, 1)
        row.addWidget(self.progress)
        document.committed.connect(self._outdate)
        playback.run_changed.connect(self.refresh)
        playback.frames_grew.connect(self.refresh)
        preferences.changed.connect(self.refresh)
        self.refresh()

    def _item(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(name)
        button.setProperty("quiet", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda: self.clicked.emit(name))
        self.items[name] = button
        return button

    def show_checkup(self, checkup: Checkup) -> None:
        """Show what an examination found."""
        self.checkup, self.is_known = checkup, True
        self.refresh()

    def _outdate(self) -> None:
        """After an edit, the last findings no longer apply."""
        self.is_known = same_mechanism(self.checkup.model, self.document.model)
        self.refresh()

    def busy(self, words: str, fraction: float = -1.0) -> None:
        """Show what the program is doing and its progress; an empty text ends it."""
        self.word.setText(words)
        self.progress.setVisible(bool(words) and fraction >= 0.0)
        self.progress.setValue(round(100.0 * fraction))

    # --- the items

    def refresh(self, *_: object) -> None:
        """Show the present state of everything."""
        model = self.document.model
        self._set("bodies", counted(len(model.of("body")), "body"), PLAIN, self.tr("Select all"))
        self._set("joints", counted(len(model.of("joint")), "joint"), PLAIN, self.tr("Select all"))
        self._show_problems()
        self._show_mobility()
        self._show_gap()
        self._show_energy()
        self._show_method(model)
        self._show_lock()
        self._fit()
        self._row.activate()  # now: else the next picture could have cut words

    def _show_problems(self) -> None:
        n = len(self.checkup.problems)
        if not self.is_known:
            self._set("problems", self.tr("checking ..."), PLAIN, "")
        elif n:
            words = self.tr("1 problem") if n == 1 else self.tr("{0} problems").format(n)
            self._set("problems", words, PROBLEM, self.tr("Click to list them."))
        elif self.checkup.trouble:
            tip = said(self.checkup.trouble, self.preferences)
            self._set("problems", self.tr("does not close"), PROBLEM, tip)
        elif unkept := self.checkup.unkept:
            n = len(unkept)
            words = self.tr("1 value not kept") if n == 1 else self.tr("{0} values not kept")
            tip = "<br/>".join(said(one.sentence) for one in unkept)
            self._set("problems", words.format(n), WARNING, tip)
        elif unusual := self.checkup.remarks:
            n = len(unusual)
            words = self.tr("1 remark") if n == 1 else self.tr("{0} remarks").format(n)
            self._set("problems", words, WARNING, said(unusual[0].sentence))
        else:
            self._set("problems", self.tr("sound"), GOOD, self.tr("No problem was found."))

    def _show_mobility(self) -> None:
        found = self.checkup.mobility
        current = self.playback.current
        if current is not None and same_mechanism(current.results.model, self.document.model):
            found = current.mobility
        if found is None or not (self.is_known or current is not None):
            self._set("dof", self.tr("DOF –"), PLAIN, self._why_unknown())
            self._set("redundant", self.tr("redundant –"), PLAIN, self._why_unknown())
            return
        locked = found.dof == 0 and found.is_scleronomic
        tip = self.tr("{0} velocities - {1} independent constraints = {2}; {3}.").format(
            found.n_velocities, found.rank, found.dof, found.kind
        )
        if locked:
            tip += "<br/>" + self.tr("Nothing can move: take a joint away.")
        self._set("dof", self.tr("DOF {0}").format(found.dof), WARNING if locked else GOOD, tip)
        words = self.tr("redundant {0}").format(found.redundant)
        if found.redundant:
            shown = [*found.sentences[:3], *(["..."] if len(found.sentences) > 3 else [])]
            self._set("redundant", words, WARNING, "<br/>".join(shown))
        else:
            tip = self.tr("No joint repeats what others do.")
            self._set("redundant", words, GOOD, tip)

    def _show_gap(self) -> None:
        current = self.playback.current
        if current is not None and current.quality is not None:
            gap = current.quality.gap
            tip = self.tr("The largest opening of a joint in this run, before it was closed.")
            matters = not gap < SEEN * size_of(self.document.model)
            self._set("gap", self._gap_words(gap), WARNING if matters else GOOD, tip)
        elif not self.is_known or self.checkup.gap is None:
            self._set("gap", self.tr("gap –"), PLAIN, self._why_unknown())
        elif self.checkup.trouble:
            gaps, tip = self.checkup.gaps, said(self.checkup.trouble, self.preferences)
            words = self._open_words(gaps[0]) if gaps else self.tr("cannot assemble")
            self._set("gap", words, PROBLEM, tip)
        elif self.checkup.is_open:
            tip = "<br/>".join(
                said(gap.sentence, self.preferences) for gap in self.checkup.gaps[:MOST_GAPS]
            )
            self._set("gap", self._open_words(self.checkup.gaps[0]), WARNING, tip)
        else:
            tip = self.tr("All joints are closed in the drawing.")
            self._set("gap", self._gap_words(self.checkup.gap), GOOD, tip)

    def _open_words(self, gap: "Gap") -> str:
        """A gap of the drawing with the number and unit of its sentence."""
        if gap.is_angle:
            text = self.preferences.digits(degrees(gap.size), 3)
            return self.tr("gap {0} {1}").format(text, self.tr("degrees"))
        return self.tr("gap {0}").format(length_said(gap.size, self.preferences))

    def _gap_words(self, gap: float) -> str:
        """The gap of a run in the unit of the user; rounding beside the size of the model is none."""
        text, unit = self.preferences.shown(gap, "m", 3, scale_si=size_of(self.document.model))
        return self.tr("gap {0} {1}").format(text, unit) if text != "0" else self.tr("gap 0")

    def _show_energy(self) -> None:
        current = self.playback.current
        quality = current.quality if current is not None else None
        if quality is None:
            running = current is not None
            tip = self.tr("Known at the end of a run.") if running else self.tr("Run the model.")
            self._set("energy", self.tr("energy error –"), PLAIN, tip)
            return
        balance, digits = quality.balance, self.preferences.digits
        share = balance.share
        shown = f"{digits(100.0 * share, 2)} %" if share > 0.0 else digits(share, 2)
        if 0.0 < 100.0 * share < NOISE:
            shown = self.tr("< {0} %").format(digits(NOISE, 1))
        tip = self.tr(
            "Kinetic and potential energy, less the work of motors, dampers and given forces, change by "
            "{0} J at most: the error of the method. The largest energy that was moved is {1} J."
        ).format(digits(balance.error, 2), digits(balance.exchanged, 3))
        if share > balance.promised:
            tip += "<br/>" + self.tr("Use a shorter step or a smaller tolerance.")
        self._set("energy", self.tr("energy error {0}").format(shown), _graded(balance), tip)

    def _show_method(self, model: Model) -> None:
        current = self.playback.current
        settings = current.results.settings if current is not None else model.settings
        adaptive = is_adaptive(settings.method)
        number = settings.tolerance if adaptive else settings.step
        try:
            if isinstance(number, str):
                number = value(number, parameter_values(model))
            shown = self._tolerance(number) if adaptive else self._step(number)
        except EngineError:  # what cannot be evaluated is listed among the problems
            shown = self.tr("tol ?") if adaptive else self.tr("h = ?")
        if settings.method == "auto":  # its step or tolerance is known once it has chosen
            shown = ""
        words = f"{method_short(settings.method)}  {shown}".strip()
        tip = self.tr("{0}: click to change the method and its settings.")
        self._set("method", words, PLAIN, tip.format(method_title(settings.method)))

    def _show_lock(self) -> None:
        """How near Euler angles are to gimbal lock; nothing where no body is on Euler angles."""
        current = self.playback.current
        results = current.results if current is not None else None
        found = nearest_lock(self.document.model, results)
        for widget in (self.items["lock"], self._lines["lock"]):
            widget.setVisible(found is not None)
        if found is None:
            self._set("lock", "", PLAIN, "")
            return
        away = self.preferences.digits(float(degrees(found.angle)), 2, 90.0)
        tip = found.words + "<br/>" + self.tr("Click to see its rings.")
        state = (GOOD, WARNING, PROBLEM)[found.level]
        self._set("lock", self.tr("lock {0}° away").format(away), state, tip)

    def _step(self, step: float) -> str:
        return self.tr("h = {0} ms").format(self.preferences.digits(1e3 * step, 4))

    def _tolerance(self, tolerance: float) -> str:
        shown = self.preferences.digits(tolerance, 2)
        return self.tr("tol {0}").format(shown)

    def _why_unknown(self) -> str:
        if not self.document.model.of("body"):
            return self.tr("Draw a body first.")
        if self.checkup.problems:
            return self.tr("Known when the problems are mended.")
        return self.tr("Known in a moment.")

    def _set(self, name: str, words: str, state: str, tip: str) -> None:
        button = self.items[name]
        theme = theme_of(self.palette())
        if button.text() != words:
            button.setText(words)
        button.setToolTip(in_lines(*tip.split("<br/>")))
        if self.states.get(name) != (state, theme):
            self.states[name] = (state, theme)
            colour = getattr(theme, state) if state else theme.ink
            button.setIcon(coloured(state, colour) if state else coloured("nothing", colour))
            button.setIconSize(QSize(14, 14) if state else QSize(1, 14))
            weight = "600" if state in (WARNING, PROBLEM) else "400"
            button.setStyleSheet(f"color: {colour}; font-weight: {weight};")
            button.ensurePolished()  # the layout asks for its width before it is painted
            button.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """It never makes the window wider than its screen."""
        return QSize(200, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the width of the window."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Leave out the counts where the window is too narrow for all; changes the strip."""
        shown = [name for name in ITEMS if self.items[name].text()]
        needed = sum(self.items[name].sizeHint().width() + 9 for name in shown) + 12
        for name in SPARE:
            is_wide = needed <= self.width()
            for widget in (self.items[name], self._lines[name]):
                widget.setVisible(is_wide)
            if not is_wide:
                needed -= self.items[name].sizeHint().width() + 9

    def state(self, name: str) -> str:
        """The state of an item: good, warning, problem, or an empty text."""
        return self.states[name][0]

    def text(self, name: str) -> str:
        """The words of an item."""
        return self.items[name].text()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.items:
            self.refresh()


def _graded(balance: Balance) -> str:
    """Good within the promise of the method; a problem where the motion is another one."""
    if not balance.share > balance.promised and isfinite(balance.error):
        return GOOD
    return WARNING if balance.share < WRONG else PROBLEM


def _bar() -> QFrame:
    """The thin line between two items."""
    line = QFrame()
    line.setObjectName("upright")
    line.setFixedSize(1, 14)
    return line
