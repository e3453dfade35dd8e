"""How bent beams are shown on the stage: magnified, coloured by deflection or stress, with a legend."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPen

from engine.model.elements import Id
from engine.results.results import Results
from gui.look.colors import mixed
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane.bends import (
    DEFLECTION,
    NOTHING,
    AnyBend,
    values_at,
    with_values,
)
from gui.placing.plane.placement import Placement
from gui.stages.plane import painting
from gui.state.numbers import written
from gui.state.preferences import Preferences

if TYPE_CHECKING:
    from gui.stages.plane.view import StageView

N = QT_TRANSLATE_NOOP
MAGNIFICATIONS = (1.0, 5.0, 20.0, 100.0)
SCALE = ("#2b6cb0", "#2f9e8f", "#8ab83f", "#e0a526", "#d1453b")  # from nothing to the most
LEGEND = QRectF(0.0, 0.0, 150.0, 10.0)
WORDS = {DEFLECTION: N("Stage", "deflection"), "stress": N("Stage", "stress")}


class Bending:
    """The magnification and the colouring of beams, and what is painted of them."""

    def __init__(self, view: "StageView") -> None:
        self.view = view
        self.magnification, self.colouring = 1.0, NOTHING

    def take(self, other: "Bending") -> None:
        """Show beams as another stage does; changes the stage."""
        self.magnification, self.colouring = other.magnification, other.colouring

    def set_magnification(self, factor: float) -> None:
        """Draw beams bent by so much more; changes the stage."""
        self.magnification = factor
        self.view.show_pose()
        self.view.viewport().update()

    def set_colouring(self, colouring: str) -> None:
        """Colour beams by something; changes the stage."""
        self.colouring = colouring
        self.view.show_pose()
        self.view.viewport().update()

    def at(self, placement: Placement, results: Results, time: float) -> dict[Id, AnyBend]:
        """The beams at a moment of a run, with what they are coloured by."""
        bends = placement.bends_of(results, time, self.magnification)
        if self.colouring == NOTHING:
            return bends
        frame = int(np.abs(results.t - time).argmin())
        return {
            id: with_values(
                bend, results.compiled.elastic[id], values_at(results, id, frame, self.colouring)
            )
            for id, bend in bends.items()
        }

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint colours over the beams, the true shape beside magnified ones, and the legend."""
        pose, placement = self.view.stage_scene.placement.pose, self.view.stage_scene.placement
        if not pose.bends:
            return
        most = max((float(b.values.max(initial=0.0)) for b in pose.bends.values()), default=0.0)
        for id, bend in pose.bends.items():
            k = placement.body_index.get(id)
            if k is None:
                continue
            x, y, phi = pose.bodies[k]
            R = np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])
            for line in bend.lines():
                if self.magnification != 1.0:
                    self._paint_true(painter, line.true @ R.T + (x, y))
                if line.values.size and most > 0.0:
                    self._paint_colours(painter, line.points @ R.T + (x, y), line.values / most)
        how = (self.magnification, self.colouring, most)
        ink = self.view.stage_scene.inks.hatch
        paint_legend(painter, area, *how, ink, self.view.preferences)

    def _paint_true(self, painter: QPainter, points: np.ndarray) -> None:
        """The shape as it is, as a thin line."""
        painter.setPen(QPen(self.view.stage_scene.inks.hatch, 1.0, Qt.PenStyle.DashLine))
        painter.drawPolyline([self.view.to_pixels(*p) for p in points.tolist()])

    def _paint_colours(self, painter: QPainter, points: np.ndarray, shares: np.ndarray) -> None:
        """The axis in pieces, each in the colour of its value."""
        at = [self.view.to_pixels(*p) for p in points.tolist()]
        for n in range(len(at) - 1):
            pen = QPen(colour_of(float(shares[n : n + 2].mean())), 5.0)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLine(at[n], at[n + 1])


def paint_legend(
    painter: QPainter,
    area: QRectF,
    magnification: float,
    colouring: str,
    most: float,
    ink: QColor,
    preferences: Preferences | None,
) -> None:
    """What colours and magnification mean, in the upper left corner."""
    painter.setFont(painting.small_font(painter))
    painter.setPen(ink)
    left, top = area.left() + 18.0, area.top() + 26.0
    if magnification != 1.0:
        words = QCoreApplication.translate("Stage", "bent {0} times as much")
        painter.drawText(QPointF(left, top), words.format(written(magnification, 3)))
        top += 18.0
    if colouring == NOTHING or most <= 0.0:
        return
    bar = LEGEND.translated(left, top)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for n, name in enumerate(SCALE):
        gradient.setColorAt(n / (len(SCALE) - 1), QColor(name))
    painter.fillRect(bar, gradient)
    unit = "m" if colouring == DEFLECTION else "Pa"
    most = float(f"{most:.3g}")
    shown = (written(most, 3), unit) if preferences is None else preferences.shown(most, unit)
    end = " ".join(shown)
    what = QCoreApplication.translate("Stage", WORDS[colouring])
    painter.drawText(QPointF(left, top + 25.0), f"{what}: 0 ... {end}")


def colour_of(share: float) -> QColor:
    """The colour of a value between nothing (0) and the most (1)."""
    at = min(max(share, 0.0), 1.0) * (len(SCALE) - 1)
    n = min(int(at), len(SCALE) - 2)
    a, b, part = QColor(SCALE[n]), QColor(SCALE[n + 1]), at - n
    return mixed(b, a, part)
