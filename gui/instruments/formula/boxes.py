"""Boxes of a formula: each knows its size about its line, its part of the model, and its children.

Colours are chosen when a box is painted, so that themes, hovering and selecting need no new layout.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPainter, QPainterPath, QPen

from assets import FONTS

AXIS = 0.25  # of the size: how high the middle of signs, fractions and matrices is
INK, LIT = "", "(lit)"  # keys of colours besides those of parts
NEAR = 1.0  # px around a box that belong to it


@lru_cache(maxsize=1)
def family() -> str:
    """The name of the font of formulas, which comes with the program."""
    number = QFontDatabase.addApplicationFont(str(FONTS / "STIXTwoMath-Regular.ttf"))
    found = QFontDatabase.applicationFontFamilies(number)
    return found[0] if found else QFont().family()


@lru_cache(maxsize=64)
def font_of(size: float) -> QFont:
    """The font of formulas in a size of pixels."""
    font = QFont(family())
    font.setPixelSize(max(1, round(size)))
    return font


@lru_cache(maxsize=20_000)
def _measured(text: str, size: float) -> tuple[float, float, float]:
    """Advance, height and depth of a text."""
    metrics = QFontMetricsF(font_of(size))
    ink = metrics.tightBoundingRect(text)
    return metrics.horizontalAdvance(text), max(-ink.top(), 0.45 * size), max(ink.bottom(), 0.0)


Colours = Mapping[str, QColor]


@dataclass(slots=True)
class Box:
    """A rectangle of a formula: what it draws itself, and its children at (x, y) from its origin."""

    width: float = 0.0
    up: float = 0.0
    down: float = 0.0
    text: str = ""
    sign: str = ""  # what is drawn by lines: a bar, a root, fences, dots
    size: float = 0.0
    part: str = ""
    children: list[tuple[float, float, "Box"]] = field(default_factory=list)
    is_sum: bool = False  # its children may stand on several lines

    def paint(
        self,
        painter: QPainter,
        x: float,
        y: float,
        colours: Colours,
        lit: frozenset[str] = frozenset(),
        seen: QRectF | None = None,
    ) -> None:
        """Draw it with its origin at (x, y), where it meets what is seen; into a file as outlines."""
        if seen is not None and not seen.intersects(
            QRectF(x - 2, y - self.up - 2, self.width + 4, self.up + self.down + 4)
        ):
            return
        if self.part and self.part in lit:
            around = QRectF(x - 1, y - self.up - 1, self.width + 2, self.up + self.down + 2)
            painter.fillRect(around, colours[LIT])
            lit -= {self.part}  # what is inside is lit with it
        if self.text:
            self._write(painter, QPointF(x, y), colours.get(self.part, colours[INK]), seen is None)
        elif self.sign:
            painter.setPen(QPen(colours.get(self.part, colours[INK]), max(1.0, self.size / 18)))
            _draw(self, painter, x, y)
        for dx, dy, child in self.children:
            child.paint(painter, x + dx, y + dy, colours, lit, seen)

    def _write(self, painter: QPainter, at: QPointF, colour: QColor, as_outline: bool) -> None:
        """Draw the text; outlines look the same where the font is missing."""
        if as_outline:
            path = QPainterPath()
            path.addText(at, font_of(self.size), self.text)
            painter.fillPath(path, colour)
            return
        painter.setFont(font_of(self.size))
        painter.setPen(colour)
        painter.drawText(at, self.text)

    def part_at(self, x: float, y: float) -> str:
        """The part of the innermost box there that has one."""
        for dx, dy, child in self.children:
            inside = dx - NEAR <= x <= dx + child.width + NEAR
            if inside and dy - child.up - NEAR <= y <= dy + child.down + NEAR:
                found = child.part_at(x - dx, y - dy)
                if found:
                    return found
        return self.part


def _draw(box: Box, painter: QPainter, x: float, y: float) -> None:
    """Draw the sign of a box."""
    up, down, width, size = box.up, box.down, box.width, box.size
    if box.sign == "bar":
        painter.drawLine(QPointF(x, y - AXIS * size), QPointF(x + width, y - AXIS * size))
    elif box.sign == "root":
        path = QPainterPath(QPointF(x, y - 0.3 * size))
        ends = (
            (0.18 * size, -0.4 * size),
            (0.4 * size, down),
            (0.62 * size, 1 - up),
            (width, 1 - up),
        )
        for dx, dy in ends:
            path.lineTo(x + dx, y + dy)
        painter.drawPath(path)
    elif box.sign in "()":
        outer, inner = (0.85, 0.05) if box.sign == "(" else (0.15, 0.95)
        path = QPainterPath(QPointF(x + outer * width, y - up))
        path.quadTo(x + inner * width, y + (down - up) / 2, x + outer * width, y + down)
        painter.drawPath(path)
    elif box.sign in "[]|":
        stem, tip = {"[": (0.3, 1.0), "]": (0.7, 0.0), "|": (0.5, 0.5)}[box.sign]
        corners = ((tip, -up), (stem, -up), (stem, down), (tip, down))
        painter.drawPolyline([QPointF(x + share * width, y + dy) for share, dy in corners])
    else:  # one dot or two
        painter.setBrush(painter.pen().color())
        painter.setPen(Qt.PenStyle.NoPen)
        radius, count = 0.05 * size, len(box.sign)
        for n in range(count):
            middle = x + width / 2 + (n - (count - 1) / 2) * 0.2 * size + 0.04 * size
            painter.drawEllipse(QPointF(middle, y - up + radius), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)


def glyphs(text: str, size: float, part: str = "") -> Box:
    """A piece of text."""
    width, up, down = _measured(text, size)
    return Box(width, up, down, text, size=size, part=part)


def space(width: float) -> Box:
    """Nothing, of some width."""
    return Box(width)


def row(*boxes: Box, gap: float = 0.0, part: str = "", is_sum: bool = False) -> Box:
    """Boxes beside each other on one line."""
    made = Box(part=part, is_sum=is_sum)
    for n, box in enumerate(boxes):
        made.width += gap if n else 0.0
        made.children.append((made.width, 0.0, box))
        made.width += box.width
        made.up, made.down = max(made.up, box.up), max(made.down, box.down)
    return made


def scripts(base: Box, size: float, below: Box | None = None, above: Box | None = None) -> Box:
    """A base with an index and a power."""
    made = Box(base.width, base.up, base.down, children=[(0.0, 0.0, base)], part=base.part)
    for box, dy in ((below, 0.22 * size), (above, -max(0.4 * size, base.up - 0.3 * size))):
        if box is not None:
            made.children.append((base.width + 0.03 * size, dy, box))
            made.width = max(made.width, base.width + 0.06 * size + box.width)
            made.up, made.down = max(made.up, box.up - dy), max(made.down, box.down + dy)
    return made


def dotted(base: Box, count: int, size: float) -> Box:
    """A base with dots on top."""
    up = base.up + 0.2 * size
    dots = Box(base.width, up, base.down, sign="." * count, size=size, part=base.part)
    return Box(
        base.width, up, base.down, children=[(0.0, 0.0, base), (0.0, 0.0, dots)], part=base.part
    )


def fenced(inside: Box, size: float, fences: str = "()") -> Box:
    """A box between two fences that are as tall."""
    left, right = (
        Box(0.3 * size, inside.up + 2, inside.down + 2, sign=sign, size=size) for sign in fences
    )
    return row(left, inside, right)


def fraction(top: Box, under: Box, size: float) -> Box:
    """One box over another."""
    width = max(top.width, under.width) + 0.3 * size
    up, down = (AXIS + 0.2) * size, (0.2 - AXIS) * size
    return Box(
        width,
        up + top.up + top.down,
        down + under.up + under.down,
        sign="bar",
        size=size,
        children=[
            ((width - top.width) / 2, -up - top.down, top),
            ((width - under.width) / 2, down + under.up, under),
        ],
    )


def root(inside: Box, size: float) -> Box:
    """A box under a square root."""
    return Box(
        inside.width + 0.75 * size,
        inside.up + 0.18 * size,
        inside.down + 0.05 * size,
        sign="root",
        size=size,
        children=[(0.68 * size, 0.0, inside)],
    )


def grid(cells: list[list[Box]], size: float, fences: str = "[]") -> Box:
    """Cells in rows and columns between fences."""
    count = len(cells[0]) if cells else 0
    widths = [max(line[c].width for line in cells) for c in range(count)]
    gap, places, y = 0.7 * size, [], 0.0
    for n, line in enumerate(cells):
        y += (0.35 * size if n else 0.0) + max(box.up for box in line)
        x = 0.0
        for box, width in zip(line, widths):
            places.append((x + (width - box.width) / 2, y, box))
            x += width + gap
        y += max(box.down for box in line)
    up = y / 2 + AXIS * size
    inside = Box(sum(widths) + gap * max(count - 1, 0), up, y - up)
    inside.children = [(x, dy - up, box) for x, dy, box in places]
    return fenced(inside, size, fences)
