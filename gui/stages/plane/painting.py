"""What is painted behind and before the drawing: paper, grid, axes, scale bar, previews of tools."""

from collections.abc import Callable, Iterable
from math import atan2, ceil, copysign, cos, degrees, floor, hypot, pi, sin
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QTransform,
)

from gui.look.colors import mixed
from gui.placing.plane.snapping import nice_step, parts_of_step
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.inks import NO_BRUSH, NO_PEN, Inks
from gui.state.preferences import Preferences, length_text, unit_factor

NARROW = 0.9  # [rad]: in so narrow an angle its value would lie on the bars
HIGH, APART = 24.0, 8.0  # pixels: the card of a value, and from it to a bar
COARSE_GRID = 70.0  # least pixels between the stronger lines


def paint_grid(painter: QPainter, area: QRectF, rect: QRectF, pixel: float, inks: Inks) -> None:
    """A fine and a coarse grid, 1, 2 or 5 times a power of ten apart, and the axes.

    `area` is the picture in pixels, `rect` the part of the plane it shows. Thin filled rectangles
    are drawn many times quicker than lines.
    """
    coarse = nice_step(COARSE_GRID * pixel)
    fine = coarse / parts_of_step(coarse)
    light = inks.theme.is_light
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for step, share in (
        (fine, 0.11 if light else 0.10),
        (coarse, 0.27 if light else 0.25),
        (0.0, 0.62 if light else 0.55),
    ):
        color = mixed(inks.faint, inks.paper, share)
        for x in _lines(rect.left(), rect.right(), step):
            place = round(area.left() + (x - rect.left()) / pixel)
            painter.fillRect(QRectF(place, area.top(), 1.0, area.height()), color)
        for y in _lines(rect.top(), rect.bottom(), step):
            place = round(area.bottom() - (y - rect.top()) / pixel)
            painter.fillRect(QRectF(area.left(), place, area.width(), 1.0), color)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)


def _lines(low: float, high: float, step: float) -> list[float]:
    """The multiples of a step between two numbers; of a step of zero, zero itself."""
    if step == 0.0:
        return [0.0] if low <= 0.0 <= high else []
    return [n * step for n in range(ceil(low / step), floor(high / step) + 1)]


def length_factor(preferences: Preferences | None) -> float:
    """The metres in the unit in which lengths are read, for round numbers of it."""
    return 1.0 if preferences is None else unit_factor(preferences.length_unit)


def paint_scale_bar(
    painter: QPainter,
    area: QRectF,
    pixel: float,
    inks: Inks,
    note: str = "",
    preferences: Preferences | None = None,
) -> None:
    """A bar of a round length in the lower left corner, and a note beside it; in pixels."""
    factor = length_factor(preferences)
    step = nice_step(COARSE_GRID * pixel / factor) * factor
    long, bottom, left = step / pixel, area.bottom() - 18.0, area.left() + 18.0
    painter.setPen(inks.line(1.5, inks.quiet))
    painter.drawLine(QLineF(left, bottom, left + long, bottom))
    for x in (left, left + long):
        painter.drawLine(QLineF(x, bottom - 4.0, x, bottom + 4.0))
    painter.setFont(small_font(painter))
    painter.drawText(
        QRectF(left - 20.0, bottom - 20.0, long + 40.0, 16.0),
        Qt.AlignmentFlag.AlignCenter,
        length_text(step, preferences),
    )
    painter.drawText(QPointF(left + long + 14.0, bottom + 4.0), note)


def small_font(painter: QPainter, bold: bool = False) -> QFont:
    """The font of words on the stage."""
    font = QFont(painter.font())
    font.setPixelSize(12)
    font.setBold(bold)
    return font


def paint_ring(painter: QPainter, at: QPointF, kind: str, inks: Inks) -> None:
    """The ring that shows what the mouse has snapped to; in pixels."""
    painter.setBrush(NO_BRUSH)
    painter.setPen(inks.line(1.8, inks.accent))
    if kind == "grid":
        painter.setPen(inks.line(1.4, inks.accent))
        painter.drawLine(QLineF(at.x() - 5, at.y(), at.x() + 5, at.y()))
        painter.drawLine(QLineF(at.x(), at.y() - 5, at.x(), at.y() + 5))
    elif kind == "middle":
        painter.drawPolygon([at + QPointF(0, -9), at + QPointF(8, 5), at + QPointF(-8, 5)])
    elif kind == "guide":
        painter.drawEllipse(at, 4.0, 4.0)
    else:
        painter.drawEllipse(at, 9.5, 9.5)


def paint_label(
    painter: QPainter,
    at: QPointF,
    text: str,
    inks: Inks,
    *,
    strong: bool = False,
    color: QColor | None = None,
    area: QRectF | None = None,
) -> QRectF:
    """Words on a small card beside a point, kept inside the area; in pixels."""
    font = small_font(painter, strong)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    lines = text.split("\n")
    wide = max(metrics.horizontalAdvance(line) for line in lines)
    card = QRectF(at.x() + 12, at.y() - 28, wide + 12, metrics.height() * len(lines) + 6)
    if area is not None:
        card.moveLeft(max(min(card.left(), area.right() - card.width() - 4), area.left() + 4))
        card.moveTop(max(min(card.top(), area.bottom() - card.height() - 4), area.top() + 4))
    back = QColor(inks.theme.card)
    back.setAlpha(235)
    rim = inks.line(1.8, inks.accent) if strong else inks.line(1.2, QColor(inks.theme.line))
    painter.setPen(rim)
    painter.setBrush(back)
    painter.drawRoundedRect(card, 4.0, 4.0)
    painter.setPen(color or inks.ink)
    painter.drawText(card, Qt.AlignmentFlag.AlignCenter, text)
    return card


def paint_arrow(
    painter: QPainter, a: QPointF, b: QPointF, color: QColor, inks: Inks, width: float = 1.9
) -> None:
    """An arrow with a filled head and a rim of paper; in pixels."""
    paint_arrows(painter, [(a, b)], color, inks, width)


def paint_arrows(
    painter: QPainter,
    ends: Iterable[tuple[QPointF, QPointF]],
    color: QColor,
    inks: Inks,
    width: float = 1.9,
) -> None:
    """Arrows of one colour, their rims of paper below all of them; in pixels.

    Each is one opaque outline, which is drawn many times quicker than a wide line, and twice as quickly as
    one that lets something through.
    """
    found = np.array([(a.x(), a.y(), b.x(), b.y()) for a, b in ends]).reshape(-1, 4)
    found = found[np.hypot(found[:, 2] - found[:, 0], found[:, 3] - found[:, 1]) >= 1.5]
    half = 0.5 * width * inks.sharp
    painter.setPen(NO_PEN)
    for more, fill in ((1.2 * inks.sharp, QColor(inks.paper)), (0.0, color)):
        painter.setBrush(fill)
        for outline in _arrows(found[:, :2], found[:, 2:], half + more, more).tolist():
            painter.drawPolygon([QPointF(x, y) for x, y in outline])


def _arrows(a: np.ndarray, b: np.ndarray, half: float, more: float) -> np.ndarray:
    """The outlines of arrows with shafts of a half width, wider by `more` all around: (n, 7, 2)."""
    size = np.hypot(*(b - a).T)
    u = (b - a) / size[:, None]
    head = np.minimum(12.0, 0.55 * size + 2.0)
    tip, side, tail = np.full_like(size, 2.0 * more), np.full_like(size, half), -size - more
    back, wing, notch = -head - more, 0.36 * head + 1.4 * more, -0.82 * head
    along = np.stack([tip, back, notch, tail, tail, notch, back], axis=1)
    across = np.stack([0.0 * tip, wing, side, side, -side, -side, -wing], axis=1)
    v = np.stack([-u[:, 1], u[:, 0]], axis=1)
    return b[:, None] + along[:, :, None] * u[:, None] + across[:, :, None] * v[:, None]


def paint_preview(
    painter: QPainter, preview: Any, to_pixels: Any, area: QRectF, inks: Inks
) -> None:
    """The preview of a tool: lines, outlines, circles, points, rings, words; in pixels."""
    accent = inks.accent
    wash = QColor(accent)
    wash.setAlpha(36)
    for outline in preview.outlines:
        path = symbols.polyline([_xy(to_pixels(*p)) for p in outline.points], outline.closed)
        painter.setPen(inks.line(1.6, accent))
        painter.setBrush(wash if outline.closed else NO_BRUSH)
        painter.drawPath(path)
    for circle in preview.circles:
        x, y = circle.center
        center, rim = to_pixels(x, y), to_pixels(x + circle.radius, y)
        painter.setPen(inks.line(1.6, accent))
        painter.setBrush(wash)
        painter.drawEllipse(center, rim.x() - center.x(), rim.x() - center.x())
    for line in preview.lines:
        paint_line(painter, to_pixels(*line.a), to_pixels(*line.b), line.style, inks)
    for points, fill in ((preview.filled, inks.ink), (preview.hollow, inks.paper)):
        for point in points:
            painter.setPen(inks.line(1.6, accent))
            painter.setBrush(fill)
            painter.drawEllipse(to_pixels(*point), 5.0, 5.0)
    for point in preview.rings:
        paint_ring(painter, to_pixels(*point), "joint", inks)
    for label in preview.labels:
        paint_label(painter, to_pixels(*label.at), label.text, inks, strong=label.field, area=area)


def _xy(point: QPointF) -> tuple[float, float]:
    return point.x(), point.y()


def paint_line(painter: QPainter, a: QPointF, b: QPointF, style: str, inks: Inks) -> None:
    """One line of a preview."""
    accent = inks.accent
    if style == "arrow":
        paint_arrow(painter, a, b, accent, inks)
        return
    painter.setPen(inks.dashed(1.6, accent) if style == "dashed" else inks.line(2.0, accent))
    painter.setBrush(NO_BRUSH)
    length = hypot(b.x() - a.x(), b.y() - a.y())
    if style not in ("spring", "damper") or length < 12.0:
        painter.drawLine(a, b)
        return
    turn = atan2(b.y() - a.y(), b.x() - a.x())
    frame = QTransform(cos(turn), sin(turn), -sin(turn), cos(turn), a.x(), a.y())
    if style == "spring":
        width = min(0.2 * length, 22.0)
        path = (QTransform.fromScale(length, width) * frame).map(symbols.coil(width / length))
    else:
        path = frame.map(symbols.dashpot(length, length, min(0.16 * length, 18.0)))
    painter.drawPath(path)


def paint_box(painter: QPainter, a: QPointF, b: QPointF, inks: Inks) -> None:
    """The rubber band of a box selection; in pixels."""
    wash = QColor(inks.accent)
    wash.setAlpha(28)
    painter.setPen(inks.dashed(1.2, inks.accent))
    painter.setBrush(wash)
    painter.drawRect(QRectF(a, b).normalized())


def paint_gap(
    painter: QPainter, a: QPointF, b: QPointF, text: str, area: QRectF, inks: Inks
) -> None:
    """A red dashed line over a gap, with its length; in pixels."""
    painter.setPen(inks.dashed(2.0, inks.problem))
    painter.drawLine(a, b)
    for end in (a, b):
        painter.setPen(inks.line(1.8, inks.problem))
        painter.setBrush(inks.paper)
        painter.drawEllipse(end, 5.0, 5.0)
    paint_label(painter, (a + b) / 2, text, inks, color=inks.problem, area=area)


def paint_angle(
    painter: QPainter,
    at: QPointF,
    start: float,
    sweep: float,
    text: str,
    inks: Inks,
    area: QRectF,
    is_free: Callable[[QRectF], bool] = bool,
) -> QRectF:
    """The arc of an angle with its value, and where that stands; in pixels, angles anticlockwise.

    The value stands where `is_free` says that nothing is below it, if there is such a place near.
    """
    radius = 34.0
    painter.setBrush(NO_BRUSH)
    painter.setPen(inks.line(1.2, inks.accent))
    painter.save()
    painter.translate(at)
    for angle in (start, start + sweep):
        painter.drawLine(
            QPointF(0, 0), QPointF(1.25 * radius * cos(angle), -1.25 * radius * sin(angle))
        )
    path = symbols.turning_arrow(radius, degrees(start), degrees(sweep), 7.0)
    if abs(sweep) * radius < 8.0:
        path = QPainterPath()
    painter.drawPath(path)
    painter.restore()
    wide = _width(painter, text)
    places = [at + QPointF(x, -y) for x, y in _beside_bars(start, sweep, radius, wide)]
    half = QPointF(0.5 * wide, 0.5 * HIGH)
    free = (place for place in places if is_free(QRectF(place - half, place + half)))
    place = next(free, places[0]) + QPointF(-12.0 - 0.5 * wide, 17.0)
    return paint_label(painter, place, text, inks, area=area)


def _width(painter: QPainter, text: str) -> float:
    """How wide the card of a value is."""
    return QFontMetricsF(small_font(painter)).horizontalAdvance(text) + 12.0


def _beside_bars(
    start: float, sweep: float, radius: float, wide: float
) -> list[tuple[float, float]]:
    """Where the middle of a card may be: in the angle, or beside a narrow one; then around the point."""

    def reach(way: float) -> float:
        """How far the card reaches from its middle in a direction."""
        return 0.5 * (abs(cos(way)) * wide + abs(sin(way)) * HIGH)

    half = sweep / 2.0
    ways = [start + half + turn * pi / 4.0 for turn in (0, 1, -1, 2, -2, 3, -3, 4)]
    beyond = [(way, radius + APART + reach(way)) for way in ways]
    around = [(away * cos(way), away * sin(way)) for way, away in beyond]
    if abs(sweep) > NARROW:
        clear = max(reach(start + pi / 2.0), reach(start + sweep + pi / 2.0)) + APART
        away = max(radius + APART + reach(start + half), clear / sin(min(abs(half), pi / 2.0)))
        first = away * cos(start + half), away * sin(start + half)
        return [first, *around]
    side = start - copysign(pi / 2.0, sweep)
    clear = reach(side) + APART
    first = radius * cos(start) + clear * cos(side), radius * sin(start) + clear * sin(side)
    return [first, *around]
