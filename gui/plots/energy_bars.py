"""Bars of kinetic, potential and total energy at the present time, and of the work done until then."""

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.model.views import Bars
from gui.look.colors import outline_tone
from gui.look.theme import theme_of
from gui.plots.base import Context, Plot
from gui.plots.legend import Legend

ENERGIES = ("kinetic_energy", "potential_energy", "total_energy")
WORK = "work"  # where something in the model does any


class _Bars(QWidget):
    """Draws values as bars from a common zero line."""

    def __init__(self) -> None:
        super().__init__()
        self.values: list[float] = []
        self.texts: list[str] = []
        self.names: list[str] = []
        self.hint = ""  # where there is nothing to show
        self.span = (0.0, 1.0)

    def sizeHint(self) -> QSize:
        """Room for four bars."""
        return QSize(200, 140)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, the zero line, names and values."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.paper))
        if not self.values:
            painter.setPen(QColor(theme.quiet))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.hint)
            painter.end()
            return
        line = float(self.fontMetrics().height())
        box = QRectF(self.rect()).adjusted(10, line + 8, -10, -line - 8)
        low, high = self.span
        scale = box.height() / (high - low)
        zero = box.bottom() + low * scale
        width = box.width() / max(len(self.values), 1)
        center = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        for n, (value, text, name) in enumerate(zip(self.values, self.texts, self.names)):
            left = box.left() + n * width
            top = zero - value * scale
            bar = QRectF(left + 0.2 * width, min(top, zero), 0.6 * width, abs(top - zero))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(outline_tone(QColor(theme.bodies[n]), theme))
            painter.drawRoundedRect(bar, 2, 2)
            painter.setPen(QColor(theme.ink))
            painter.drawText(QRectF(left, box.bottom() + 6, width, line), center, name)
            above = bar.top() - line if value >= 0.0 else bar.bottom()
            above = min(max(above, box.top() - line - 4), box.bottom() - line + 4)
            painter.drawText(QRectF(left, above, width, line), center, text)
        painter.setPen(QColor(theme.faint))
        painter.drawLine(int(box.left()), int(zero), int(box.right()), int(zero))
        painter.end()


class EnergyBars(Plot):
    """Kinetic, potential and total energy of the current run at the present time, and work."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.legend = Legend()
        self.bars = _Bars()
        self.bars.setMinimumWidth(6 * self.fontMetrics().horizontalAdvance("potent"))
        words = self.tr("kinetic"), self.tr("potential"), self.tr("total"), self.tr("work")
        self.bars.names = list(words)
        self.bars.hint = self.tr("Press Space\nto run the model")
        self.column.addWidget(self.bars, 1)
        self.redraw()

    @property
    def title(self) -> str:
        """What it shows."""
        return self.tr("Energy [J]")

    def _shown(self) -> tuple[str, ...]:
        """The channels that are bars: work where something in the current run does any."""
        record = self.context.playback.current
        works = record is not None and (record.is_live or record.results.compiled.work_ids)
        return (*ENERGIES, WORK) if works else ENERGIES

    def redraw(self) -> None:
        """Find the range over the whole run, then show the present values."""
        record, names = self.context.playback.current, self._shown()
        columns = [self.context.columns.get(record, name) for name in names] if record else []
        known = [column for column in columns if column is not None]
        extremes = [e for column in known for e in (column.low, column.high) if np.isfinite(e)]
        low, high = min([0.0, *extremes]), max([0.0, *extremes])
        self.bars.span = (low, high) if high > low else (0.0, 1.0)
        self.show_time()

    def show_time(self) -> None:
        """Show the energies at the present time."""
        record, names, values = self.context.playback.current, self._shown(), []
        for name in names:
            column = self.context.columns.get(record, name) if record is not None else None
            if column is not None and len(column.t):
                values.append(float(np.interp(self.context.playback.time, column.t, column.values)))
        digits = self.context.preferences.digits
        least = 1e-9 * max(map(abs, self.bars.span))  # rounding errors are not shown as energy
        values = [value if abs(value) > least else 0.0 for value in values]
        self.bars.values = values if len(values) == len(names) else []
        self.bars.texts = [f"{digits(value, 4)} J" for value in self.bars.values]
        self.bars.update()

    @property
    def content(self) -> Bars:
        """What is shown, as the model keeps it."""
        return Bars()
