"""The marks of one description on the stage of the plane, with its name and its counts."""

from math import cos, sin
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from gui.instruments.coordinates.marks import Drawn, MarkPainter, Place
from gui.look.theme import Theme

if TYPE_CHECKING:
    from engine.studies.coordinates import Compared, Described

SIZE = 1.25  # of marks, against those of the small drawings
EDGE, PAD = 12.0, 10.0  # px


class StageMarks:
    """Paints one description over the stage as it is drawn there."""

    def __init__(
        self,
        stage: Any,
        compared: "Compared",
        one: "Described",
        tones: dict[str, QColor],
        theme: Theme,
    ) -> None:
        self.stage, self.compared, self.one = stage, compared, one
        self.tones, self.theme = tones, theme

    def __call__(self, painter: QPainter, area: QRectF) -> None:
        """Paint marks and caption; nothing of bodies that are not drawn."""
        ids, placement = self.compared.compiled.body_ids, self.stage.drawing.placement
        if any(id not in placement.body_index for id in ids):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = self._caption(painter, area)
        if not self.one.sentence:
            room = area.adjusted(EDGE, EDGE, -EDGE, -EDGE)
            drawn = Drawn(
                ids, self._place, self._angle, self._at, room, self.tones, self.theme, SIZE
            )
            marks = MarkPainter(painter, drawn, self.one)
            marks.taken.append(card)
            marks.paint()
        painter.restore()

    def _number(self, k: int) -> int:
        return int(self.stage.drawing.placement.body_index[self.compared.compiled.body_ids[k]])

    def _place(self, k: int, P: Place) -> Place:
        """A place on a body as it is drawn now; it is given from the mass centre."""
        x, y = self.stage.drawing.placement.pose.centers[self._number(k)]
        phi = self._angle(k)
        c, s = cos(phi), sin(phi)
        return x + c * P[0] - s * P[1], y + s * P[0] + c * P[1]

    def _angle(self, k: int) -> float:
        return float(self.stage.drawing.placement.pose.bodies[self._number(k)][2])

    def _at(self, place: Place) -> QPointF:
        at: QPointF = self.stage.to_pixels(*place)
        return at

    def _caption(self, painter: QPainter, area: QRectF) -> QRectF:
        """Name and counts in the upper right corner."""
        text = f"{self.one.title}: {self.one.counted}"
        metrics = QFontMetricsF(painter.font())
        most = area.width() - 2 * EDGE - 2 * PAD
        size = metrics.boundingRect(
            QRectF(0, 0, most, 1000), int(Qt.TextFlag.TextWordWrap), text
        ).size()
        card = QRectF(0, 0, size.width() + 2 * PAD + 1, size.height() + PAD)
        card.moveTopRight(QPointF(area.right() - EDGE, area.top() + EDGE))
        back = QColor(self.theme.card)
        back.setAlpha(230)
        painter.setPen(QPen(QColor(self.theme.line), 1.0))
        painter.setBrush(back)
        painter.drawRoundedRect(card, 6.0, 6.0)
        painter.setPen(QColor(self.theme.ink))
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(card.adjusted(PAD, 0, -PAD, 0), int(flags), text)
        return card
