"""Names beside what they name: apart from each other, off the bodies where there is room."""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product
from math import ceil, hypot

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPolygonF

from gui.stages.plane.graphics.inks import Inks
from gui.stages.plane.painting import small_font

WAYS = ((1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0), (-1, 0))  # to the name
AWAY = (10.0, 22.0, 38.0, 60.0)  # pixels from a point to its name
LEADER = 14.0  # pixels: farther names have a line to their point
POINT = 7.0  # pixels around a point that names do not cover
TOO_MUCH = 400.0  # square pixels of points covered: then rather no name
APART = 8.0  # pixels between two places on an outline
ON_BODY = 12.0  # what it costs a name to cover such a place
WITHIN = (1.0, 0.6, 0.2)  # parts of an outline, towards its middle
MOST = 400  # places on one side of an outline
NOWHERE = np.zeros((0, 2))


def paint_names(
    painter: QPainter,
    names: list[tuple[QPointF, str]],
    inks: Inks,
    area: QRectF,
    labels: Sequence[QRectF] = (),
    bodies: np.ndarray = NOWHERE,
) -> list[QRectF]:
    """Names beside their points; none covers another or a label, and what finds no place is left out."""
    font = small_font(painter)
    painter.setFont(font)
    cards = placed_names(names, QFontMetricsF(font), area, labels, bodies)
    back = QColor(inks.theme.card)
    back.setAlpha(215)
    for (at, text), card in zip(names, cards):
        if card.isNull():
            continue
        near = QPointF(
            min(max(at.x(), card.left()), card.right()), min(max(at.y(), card.top()), card.bottom())
        )
        if QLineF(at, near).length() > LEADER:
            painter.setPen(inks.line(1.0, inks.faint))
            painter.drawLine(at, near)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(back)
        painter.drawRoundedRect(card, 3.0, 3.0)
        painter.setPen(inks.ink)
        painter.drawText(card, Qt.AlignmentFlag.AlignCenter, text)
    return [card for card in cards if not card.isNull()]


def placed_names(
    names: list[tuple[QPointF, str]],
    metrics: QFontMetricsF,
    area: QRectF,
    labels: Sequence[QRectF] = (),
    bodies: np.ndarray = NOWHERE,
) -> list[QRectF]:
    """The card of each name, inside the area, apart from all others and from labels; or a null one.

    `bodies` are places (n, 2) that a name rather does not cover.
    """
    points = [QRectF(at.x() - POINT, at.y() - POINT, 2 * POINT, 2 * POINT) for at, _ in names]
    inner = area.adjusted(4.0, 4.0, -4.0, -4.0)
    taken = list(labels)
    for n, (at, text) in enumerate(names):
        size = QSizeF(metrics.horizontalAdvance(text) + 10.0, metrics.height() + 2.0)
        others = [point for m, point in enumerate(points) if m != n]
        best, least = QRectF(), np.inf
        for away, (k, (x, y)) in product(AWAY, enumerate(WAYS)):
            far = 4.0 * away + 3.0 * k
            if far >= least:
                continue  # whatever it covers
            card = QRectF(QPointF(0.0, 0.0), size)
            half = 0.5 * size.width(), 0.5 * size.height()
            card.moveCenter(at + QPointF(x * (away + half[0]), y * (0.7 * away + half[1])))
            if not inner.contains(card) or any(card.intersects(one) for one in taken):
                continue
            covered = sum(_common(card, point) for point in others)
            cost = covered + far + ON_BODY * _inside(card, bodies)
            if covered < TOO_MUCH and cost < least:
                best, least = card, cost
        taken.append(best)
    return taken[len(labels) :]


def places_on(outlines: Iterable[QPolygonF]) -> np.ndarray:
    """Places (n, 2) along closed outlines and within them."""
    found = [NOWHERE]
    for outline in outlines:
        ring = [(p.x(), p.y()) for p in outline.toList()]
        along: list[tuple[float, float]] = []
        for (x0, y0), (x1, y1) in pairwise([*ring, ring[0]]):
            count = min(max(ceil(hypot(x1 - x0, y1 - y0) / APART), 1), MOST)
            shares = (n / count for n in range(count))
            along += [(x0 + u * (x1 - x0), y0 + u * (y1 - y0)) for u in shares]
        places, middle = np.array(along), np.mean(along, axis=0)
        found += [middle + share * (places - middle) for share in WITHIN]
    return np.concatenate(found)


def _inside(card: QRectF, places: np.ndarray) -> int:
    """How many places a card covers."""
    if not len(places):
        return 0
    x, y = places.T
    across = (x > card.left()) & (x < card.right())
    return int((across & (y > card.top()) & (y < card.bottom())).sum())


def _common(a: QRectF, b: QRectF) -> float:
    """The area that two rectangles share."""
    both = a.intersected(b)
    return max(both.width(), 0.0) * max(both.height(), 0.0)
