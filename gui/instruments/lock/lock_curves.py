"""Curves of a run near gimbal lock: the measure s, the condition number and the largest angle rate.

s = |sin theta| or |cos theta|      cond = (1 + sqrt(1 - s^2)) / s      max |phi_dot, theta_dot, psi_dot|
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.model.elements import Id
from gui.instruments.gimbal.strips import Strip, powers
from gui.look.theme import theme_of
from gui.plots.canvas import small
from gui.plots.units import shown_unit
from gui.state.preferences import Preferences
from rotations import SEQUENCES, euler_angles, gimbal_lock
from rotations.gimbal_lock import AMBER_BELOW, RED_BELOW
from rotations.sequences import is_euler_type

if TYPE_CHECKING:
    from engine.results.results import Results

MOST = 1e9  # larger condition numbers and rates are clipped to this


class LockColumns(NamedTuple):
    """What is drawn of a run, over its frames."""

    t: np.ndarray  # (n,)         [s]
    measure: np.ndarray  # (n,)
    condition: np.ndarray  # (n,)
    rate: np.ndarray  # (n,)      [rad/s]


def lock_columns(results: "Results", id: Id, sequence: str, first: int = 0) -> LockColumns:
    """The columns of one body and one sequence from a frame on."""
    k = results.compiled.body_ids.index(id)
    t = results.t[first:].copy()
    angles = _angles(results, k, sequence, first)
    if not len(t):
        return LockColumns(t, t, t, t)
    s = gimbal_lock.measure(sequence, angles)
    condition = np.minimum(gimbal_lock.condition(sequence, angles), MOST)
    rate = np.full(len(t), MOST)
    free = s > 1e-9
    if free.any():
        w = results.v[first:, results.compiled.layout.spin(k)][free]
        rate[free] = np.abs(euler_angles.rates(sequence, angles[free], w)).max(axis=1)
    return LockColumns(t, s, condition, np.minimum(rate, MOST))


def _angles(results: "Results", k: int, sequence: str, first: int) -> np.ndarray:
    """Euler angles of a body in the frames of a run; they may jump by whole turns."""
    slots = results.q[first:, results.compiled.layout.orientation(k)]
    code = int(results.compiled.system.bodies["orientation"][k])
    if code >= 0 and SEQUENCES[code] == sequence:
        return slots[:, :3]
    if not len(slots):
        return slots[:, :3]
    if code >= 0:
        return euler_angles.change_sequence(SEQUENCES[code], slots[:, :3], sequence)
    unit = slots / np.linalg.norm(slots, axis=1, keepdims=True)
    return euler_angles.from_quaternion(sequence, unit)


class LockCurves(QWidget):
    """The three curves of one body, one above the other, with a clock to drag."""

    def __init__(
        self,
        preferences: Preferences,
        scrub: Callable[[float], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.preferences = preferences
        self._of: tuple[Any, ...] = ()  # results, body, sequence, first time of the columns
        self.columns: LockColumns | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.layout_ = pg.GraphicsLayoutWidget()
        self.layout_.ci.layout.setSpacing(2.0)
        self.layout_.ci.layout.setContentsMargins(2, 4, 8, 2)
        self.strips = [Strip(self.layout_, n, preferences, n > 0) for n in range(3)]
        for strip in self.strips:
            strip.canvas.held.connect(lambda at: scrub(at.x()))
            strip.canvas.clicked.connect(lambda at: scrub(at.x()))
            strip.canvas.doubled.connect(lambda _: self._fit())
            if strip is not self.strips[0]:
                strip.canvas.setXLink(self.strips[0].canvas)
        column.addWidget(self.layout_)
        self.hint = QLabel(
            self,
            alignment=Qt.AlignmentFlag.AlignCenter,
            wordWrap=True,
            textFormat=Qt.TextFormat.PlainText,
        )
        self.hint.setProperty("role", "quiet")
        column.addWidget(self.hint)
        self.show_run(None, "", "")

    def show_run(self, results: "Results | None", id: Id, sequence: str) -> None:
        """Show the curves of a body in a run, as far as it has come; None: there is no run."""
        there = results is not None and len(results) > 0 and id in results.compiled.body_ids
        self.layout_.setVisible(there)
        self.hint.setVisible(not there)
        if not there or results is None:
            self._of, self.columns = (), None
            self.hint.setText(self.tr("Run the model: the curves grow with it."))
            return
        known, of = self.columns, (results, id, sequence, float(results.t[0]))
        if known is not None and self._of == of:
            more = lock_columns(results, id, sequence, len(known.t))
            if not len(more.t):
                return
            self.columns = LockColumns(*map(np.concatenate, zip(known, more)))
        else:
            self.columns = lock_columns(results, id, sequence)
        self._of = of
        self._draw(sequence)

    def _draw(self, sequence: str) -> None:
        columns = self.columns
        assert columns is not None
        unit = shown_unit(self.preferences, "rad/s")
        self.strips[0].put(0, columns.t, columns.measure)
        self.strips[1].put(0, columns.t, columns.condition)
        self.strips[2].put(0, columns.t, columns.rate / unit.factor)
        self._name(sequence)
        self._fit()

    def _name(self, sequence: str) -> None:
        theme, font = theme_of(self.palette()), small(self.font())
        self.layout_.setBackground(theme.paper)
        name = "|sin θ|" if is_euler_type(sequence) else "|cos θ|"
        rate = self.tr("rate [{0}]").format(shown_unit(self.preferences, "rad/s").text)
        words = (name, self.tr("condition"), rate)
        for n, strip in enumerate(self.strips):
            strip.dress(theme, font, words[n], [theme.bodies[n]], n == 2)
        self.strips[0].levels[0].setPos(AMBER_BELOW)
        self.strips[0].levels[1].setPos(RED_BELOW)
        for line, s in zip(self.strips[1].levels, (AMBER_BELOW, RED_BELOW)):
            line.setPos(np.log10((1.0 + np.sqrt(1.0 - s * s)) / s))
        for line in self.strips[2].levels:
            line.hide()

    def _fit(self) -> None:
        """Show the whole run."""
        if self.columns is None:
            return
        t = self.columns.t
        self.strips[0].canvas.setXRange(t[0], max(t[-1], t[0] + 1e-6), padding=0.01)
        self.strips[0].canvas.setYRange(0.0, 1.0, padding=0.05)
        high = float(np.log10(max(self.columns.condition.max(), 300.0)))
        self.strips[1].canvas.setYRange(0.0, high, padding=0.05)
        rate = powers(self.columns.rate / shown_unit(self.preferences, "rad/s").factor)
        known = rate[np.isfinite(rate)]
        low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
        self.strips[2].canvas.setYRange(min(low, high - 1.0), high, padding=0.08)

    def show_time(self, t: float) -> None:
        """Move the clock."""
        for strip in self.strips:
            strip.time_line.setPos(t)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._of:
            self._name(self._of[2])

    def place_of(self, t: float) -> QPointF:
        """Where a time is in the first strip, in pixels of this widget."""
        canvas = self.strips[0].canvas
        middle = canvas.viewRect().center().y()
        at = self.layout_.mapFromScene(canvas.mapViewToScene(QPointF(t, middle)))
        return QPointF(self.layout_.mapTo(self, at))
