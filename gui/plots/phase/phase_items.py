"""What a phase portrait draws besides its path: arrows, a fading tail and a direction field.

Arrows have a size in pixels whatever the scales are, so they are laid out when they are painted.
"""

import itertools
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF, QTransform

HEAD = 8.0  # px
FIELD_LENGTH = 0.62  # of the distance of neighbours in a direction field
TAIL_PIECES = 7

TAIL = 1.5  # s
MAX_TAIL = 80  # points


class _Overlay(pg.GraphicsObject):
    """An item that paints in pixels over the whole view."""

    def __init__(self) -> None:
        super().__init__()
        self.colour = QColor("black")
        self.to_pixels = QTransform()  # of the last painting

    def boundingRect(self) -> QRectF:
        """All that is seen."""
        return self.viewRect()

    def viewRangeChanged(self) -> None:
        """Repaint when the view moves."""
        self.prepareGeometryChange()
        self.update()

    def in_pixels(self, points: np.ndarray) -> np.ndarray:
        """Points of the data (n, 2) as pixels."""
        transform = self.to_pixels
        x, y = points[:, 0], points[:, 1]
        return np.stack(
            [
                transform.m11() * x + transform.m21() * y + transform.dx(),
                transform.m12() * x + transform.m22() * y + transform.dy(),
            ],
            axis=1,
        )

    def paint(self, painter: QPainter, *_: Any) -> None:
        """Paint in pixels."""
        self.to_pixels = painter.worldTransform()
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_pixels(painter)
        painter.restore()

    def paint_pixels(self, painter: QPainter) -> None:
        """What subclasses paint."""


class Arrows(_Overlay):
    """Arrow heads along a path that show the direction of time."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs = np.zeros((0, 2, 2))  # two neighbouring points of the path for each head

    def set_pairs(self, pairs: np.ndarray) -> None:
        """Put heads at the second of each pair of points; changes the item."""
        self.pairs = pairs
        self.update()

    def paint_pixels(self, painter: QPainter) -> None:
        """Draw a filled triangle for each."""
        painter.setPen(QPen(QColor(0, 0, 0, 0)))
        painter.setBrush(self.colour)
        ends = self.in_pixels(self.pairs.reshape(-1, 2)).reshape(-1, 2, 2)
        for tail, tip in ends:
            along = tip - tail
            length = float(np.hypot(*along))
            if length > 1e-9 and np.isfinite(length):
                u = along / length * HEAD
                across = np.array([-u[1], u[0]]) * 0.38
                back = tip - u
                corners = (tip, back + across, back - across)
                painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


class Tail(_Overlay):
    """The last part of a path before the present, which fades into the past."""

    def __init__(self) -> None:
        super().__init__()
        self.points = np.zeros((0, 2))

    def set_points(self, points: np.ndarray) -> None:
        """Show these points, the newest last; changes the item."""
        self.points = points
        self.update()

    def paint_pixels(self, painter: QPainter) -> None:
        """Draw pieces of increasing opacity."""
        if len(self.points) < 2:
            return
        pixels = self.in_pixels(self.points)
        bounds = np.unique(np.linspace(0, len(pixels) - 1, TAIL_PIECES + 1).astype(int))
        for number, (first, last) in enumerate(itertools.pairwise(bounds), 1):
            colour = QColor(self.colour)
            colour.setAlphaF((number / (len(bounds) - 1)) ** 1.5)
            painter.setPen(QPen(colour, 2.0))
            piece = pixels[first : last + 1]
            jumps = np.isnan(piece).any(axis=1)
            for run in np.split(piece, np.flatnonzero(jumps)):
                run = run[~np.isnan(run).any(axis=1)]
                painter.drawPolyline(pg.functions.arrayToQPolygonF(*run.T))


class Field(_Overlay):
    """A direction field: short arrows of equal length on a grid."""

    def __init__(self) -> None:
        super().__init__()
        self.places = np.zeros((0, 2))
        self.directions = np.zeros((0, 2))  # (x_dot, y_dot) in the units of the axes
        self.spacing = (1.0, 1.0)  # of the grid, in the units of the axes

    def set_field(
        self, places: np.ndarray, directions: np.ndarray, spacing: tuple[float, float]
    ) -> None:
        """Show this field; changes the item."""
        self.places, self.directions, self.spacing = places, directions, spacing
        self.update()

    def clear(self) -> None:
        """Show nothing; changes the item."""
        self.set_field(np.zeros((0, 2)), np.zeros((0, 2)), (1.0, 1.0))

    def lines(self) -> np.ndarray:
        """Both ends of each arrow in pixels, (n, 2, 2)."""
        scale = np.array([self.to_pixels.m11(), self.to_pixels.m22()])
        arrows = self.directions * scale
        sizes = np.hypot(*arrows.T)
        size = FIELD_LENGTH * float(np.abs(np.array(self.spacing) * scale).min())
        unit = arrows / np.where(sizes > 0.0, sizes, 1.0)[:, None] * size
        middle = self.in_pixels(self.places)
        return np.stack([middle - 0.5 * unit, middle + 0.5 * unit], axis=1)

    def paint_pixels(self, painter: QPainter) -> None:
        """Draw a line with a small head for each."""
        if not len(self.places):
            return
        painter.setPen(QPen(self.colour, 1.0))
        lines = []
        for tail, tip in self.lines():
            along = tip - tail
            length = float(np.hypot(*along))
            if length < 1e-9 or not np.isfinite(length):
                continue
            u = along / length * min(4.0, 0.4 * length)
            across = np.array([-u[1], u[0]]) * 0.6
            lines.append(QLineF(*tail, *tip))
            lines.append(QLineF(*tip, *(tip - u + across)))
            lines.append(QLineF(*tip, *(tip - u - across)))
        painter.drawLines(lines)


def present(
    path: tuple[np.ndarray, np.ndarray, np.ndarray], now: float, jump: float
) -> tuple[tuple[float, float], np.ndarray]:
    """The point of a path at a time, and the points of its tail; steps in x beyond `jump` are gaps."""
    t, x, y = path
    stop = min(int(np.searchsorted(t, now, side="right")), len(t))
    chosen = np.arange(int(np.searchsorted(t, now - TAIL)), stop)
    chosen = chosen[:: max(len(chosen) // MAX_TAIL, 1)]
    at = (float(np.interp(now, t, x)), float(np.interp(now, t, y)))
    if 0 < stop < len(t) and abs(x[stop] - x[stop - 1]) > jump:
        at = (float(x[stop - 1]), at[1])
    tail = np.stack([np.append(x[chosen], at[0]), np.append(y[chosen], at[1])], axis=1)
    if len(tail) > 1:
        tail[1:][np.abs(np.diff(tail[:, 0])) > jump] = np.nan
    return at, tail
