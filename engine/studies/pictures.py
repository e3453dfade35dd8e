"""Charts as SVG text: lines, markers and areas on linear or logarithmic axes, with a legend.

A picture needs no window and no plotting library, and looks the same everywhere. Curves differ by colour
and by marker, so that they can be told apart in print and with any colour vision.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, log10
from pathlib import Path

import numpy as np

from engine.errors import EngineError
from engine.files.atomic import replace_file

COLOURS = (  # after Okabe and Ito: safe for all kinds of colour vision
    *("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#8a6d00", "#4d4d4d", "#e69f00"),
)
INK, GREY, GRID, PAPER, PANEL = "#1f2933", "#6b7280", "#e3e6ea", "#ffffff", "#fbfcfd"
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"
WIDTH, HEIGHT = 440.0, 340.0  # [px] of a panel
LEFT, RIGHT, TOP, BOTTOM = 74.0, 18.0, 34.0, 52.0  # [px] around its axes
HEADER, LEGEND_LINE, LETTER = 34.0, 22.0, 6.7  # [px] title, line of the legend, width of a letter
PLOT = (720.0, 250.0)  # [px] of a panel over time
COLUMNS = 600  # pairs of least and greatest value that a curve over time is thinned to
MARKERS = 6  # available shapes
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Curve:
    """Points with a name; joined by a line, marked, or both."""

    name: str
    x: np.ndarray
    y: np.ndarray
    has_line: bool = True
    has_markers: bool = True
    dash: str = ""  # of the line, such as "6 4"
    colour: str = ""  # by default the next one
    shape: int = -1  # of the markers; by default the next one


@dataclass(frozen=True, slots=True)
class Area:
    """A filled area by its closed outlines; nested outlines make holes."""

    name: str
    loops: Sequence[np.ndarray]  # (n, 2) each
    colour: str = ""  # by default the next one
    is_filled: bool = True


@dataclass(frozen=True, slots=True)
class Chart:
    """One pair of axes and what is drawn on them."""

    title_x: str
    title_y: str
    curves: Sequence[Curve] = ()
    areas: Sequence[Area] = ()
    title: str = ""
    log_x: bool = False
    log_y: bool = False
    limits: tuple[float, float, float, float] | None = None  # x from, x to, y from, y to
    is_equal: bool = False  # equal scales along x and y
    lines_at: Sequence[tuple[str, float]] = field(default=())  # ("x" or "y", where)


@dataclass(frozen=True, slots=True)
class _Axis:
    """The mapping from numbers to pixels."""

    low: float
    high: float
    start: float  # [px]
    end: float
    is_log: bool

    def place(self, values: np.ndarray | float) -> np.ndarray:
        """Where these numbers are, in pixels."""
        value = np.log10(values) if self.is_log else np.asarray(values, dtype=float)
        low, high = (log10(self.low), log10(self.high)) if self.is_log else (self.low, self.high)
        return self.start + (value - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Round numbers within the limits."""
        if self.is_log:
            first, last = ceil(log10(self.low) - 1e-9), floor(log10(self.high) + 1e-9)
            every = max(1, ceil((last - first + 1) / 8))
            return [10.0**k for k in range(first, last + 1, every)]
        step = nice((self.high - self.low) / 5)
        first = ceil(self.low / step - 1e-9)
        return [k * step for k in range(first, floor(self.high / step + 1e-9) + 1)]


def nice(size: float) -> float:
    """The round number 1, 2 or 5 times a power of ten that is not smaller."""
    decade = 10.0 ** floor(log10(size))
    return next(m * decade for m in (1, 2, 5, 10) if m * decade >= size * (1 - 1e-9))


def tick_label(value: float, is_log: bool) -> str:
    """The text of a number at an axis."""
    if is_log:
        power = round(log10(value))
        if -2 <= power <= 3:
            return f"{value:g}"
        return "10" + str(power).translate(RAISED)
    return f"{0.0 if abs(value) < 1e-12 else value:g}".replace("-", "\u2212")


def figure(
    charts: Sequence[Chart],
    title: str = "",
    columns: int = 2,
    size: tuple[float, float] = (WIDTH, HEIGHT),
) -> str:
    """Charts side by side under a title, with one legend for all, as SVG; `size` is that of a panel."""
    wide, high = size
    columns = min(columns, len(charts))
    n_rows = ceil(len(charts) / columns)
    found = {one.name: one for chart in charts for one in _drawn(chart) if one.name}
    style = {name: k for k, name in enumerate(found)}
    width = columns * wide
    entries = _legend_places(list(found), width)
    top = HEADER if title else 8.0
    legend_at = top + n_rows * high
    height = legend_at + LEGEND_LINE * (1 + max((line for _, line in entries), default=-1)) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="{FONT}" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>" if title else "",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        _text(width / 2, 22, title, size=15, weight="bold") if title else "",
    ]
    for k, chart in enumerate(charts):
        row, column = divmod(k, columns)
        parts += _panel(chart, (column * wide, top + row * high, wide, high), style)
    for (x, line), (name, one) in zip(entries, found.items()):
        parts += _legend_entry(x, legend_at + LEGEND_LINE * (line + 0.5), one, style[name])
    return "\n".join([*filter(None, parts), "</svg>"]) + "\n"


def _drawn(chart: Chart) -> list[Curve | Area]:
    """Everything on a chart."""
    return [*chart.areas, *chart.curves]


def check_name(path: str | Path) -> None:
    """Raise unless the name of a picture ends in .svg."""
    if Path(path).suffix.lower() != ".svg":
        raise EngineError(
            "Pictures are written as SVG: give '{path}' a name that ends in .svg.", path=path
        )


def write_picture(path: str | Path, svg: str) -> None:
    """Write a picture; its name must end in .svg."""
    check_name(path)
    replace_file(path, lambda file: file.write(svg.encode()), "write")


def time_plot(
    title: str,
    t: np.ndarray,
    curves: dict[str, np.ndarray],
    unit: str = "",
    *,
    is_log: bool = False,
) -> str:
    """Curves over time by name, as SVG; on a logarithmic axis what is not positive is left out."""
    drawn = []
    for name, values in curves.items():
        shown = np.where(values > 0.0, values, np.nan) if is_log else values
        label = name if len(curves) > 1 else ""  # one curve needs no legend
        drawn.append(Curve(label, *thinned(t, shown), has_markers=False))
    return figure([Chart("t [s]", unit, drawn, log_y=is_log)], title, size=PLOT)


def thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As few points as show every peak: the least and the greatest value of each column of pixels."""
    each = len(x) // COLUMNS
    if each < 3:
        return x, y
    whole = y[: each * COLUMNS].reshape(COLUMNS, each)
    start = np.arange(COLUMNS) * each
    least = np.where(np.isfinite(whole), whole, np.inf).argmin(axis=1) + start
    most = np.where(np.isfinite(whole), whole, -np.inf).argmax(axis=1) + start
    rest = np.arange(each * COLUMNS, len(x))
    chosen = np.unique(np.concatenate([[0], least, most, rest]))
    return x[chosen], y[chosen]


def _panel(
    chart: Chart, place: tuple[float, float, float, float], style: dict[str, int]
) -> list[str]:
    """One chart with its axes at a place: left, top, width and height."""
    x, y = _axes(chart, *place)
    box = f'x="{x.start:.1f}" y="{y.end:.1f}" width="{x.end - x.start:.1f}" height="{y.start - y.end:.1f}"'
    parts = [f'<rect {box} fill="{PANEL}"/>']
    for value in x.ticks():
        at = float(x.place(value))
        parts.append(_line(at, y.start, at, y.end, GRID))
        parts.append(_text(at, y.start + 17, tick_label(value, x.is_log)))
    for value in y.ticks():
        at = float(y.place(value))
        parts.append(_line(x.start, at, x.end, at, GRID))
        parts.append(_text(x.start - 8, at + 4, tick_label(value, y.is_log), "end"))
    for axis, value in chart.lines_at:
        at = float((x if axis == "x" else y).place(value))
        ends = (at, y.start, at, y.end) if axis == "x" else (x.start, at, x.end, at)
        parts.append(_line(*ends, GREY))
    for area in chart.areas:
        parts.append(_area(area, x, y, _colour(area, style)))
    for curve in chart.curves:
        parts += _curve(curve, x, y, _colour(curve, style), _shape(curve, style))
    parts.append(f'<rect {box} fill="none" stroke="{GREY}"/>')
    middle = (y.start + y.end) / 2
    beside = x.start - LEFT + 16
    turned = f'transform="rotate(-90 {beside:.1f} {middle:.1f})"'
    parts.append(_text((x.start + x.end) / 2, y.start + 37, chart.title_x))
    parts.append(_text(beside, middle, chart.title_y, more=turned))
    parts.append(_text((x.start + x.end) / 2, y.end - 10, chart.title, weight="bold"))
    return parts


def _axes(chart: Chart, x0: float, y0: float, wide: float, high: float) -> tuple[_Axis, _Axis]:
    """The two axes of a chart, wide enough for everything on it."""
    if chart.limits is not None:
        low_x, high_x, low_y, high_y = chart.limits
    else:
        xs = [curve.x for curve in chart.curves] + [
            loop[:, 0] for a in chart.areas for loop in a.loops
        ]
        ys = [curve.y for curve in chart.curves] + [
            loop[:, 1] for a in chart.areas for loop in a.loops
        ]
        low_x, high_x = _range(xs, chart.log_x)
        low_y, high_y = _range(ys, chart.log_y)
    left, right = x0 + LEFT, x0 + wide - RIGHT
    bottom, top = y0 + high - BOTTOM, y0 + TOP
    if chart.is_equal:
        scale = min((right - left) / (high_x - low_x), (bottom - top) / (high_y - low_y))
        wider = (right - left - scale * (high_x - low_x)) / 2
        higher = (bottom - top - scale * (high_y - low_y)) / 2
        left, right, bottom, top = left + wider, right - wider, bottom - higher, top + higher
    return (
        _Axis(low_x, high_x, left, right, chart.log_x),
        _Axis(low_y, high_y, bottom, top, chart.log_y),
    )


def _range(arrays: list[np.ndarray], is_log: bool) -> tuple[float, float]:
    """Limits around all finite numbers, whole decades on a logarithmic axis."""
    numbers = np.concatenate([np.asarray(a, dtype=float).ravel() for a in arrays] or [np.ones(1)])
    numbers = numbers[np.isfinite(numbers) & ((numbers > 0.0) | (not is_log))]
    if not len(numbers):
        numbers = np.ones(1)
    low, high = float(numbers.min()), float(numbers.max())
    if is_log:
        first, last = floor(log10(low)), ceil(log10(high))
        return 10.0**first, 10.0 ** max(last, first + 1)
    margin = 0.05 * (high - low) or max(abs(high), 1.0) * 0.1
    return low - margin, high + margin


def _colour(one: Curve | Area, style: dict[str, int]) -> str:
    return one.colour or COLOURS[style.get(one.name, 0) % len(COLOURS)]


def _shape(curve: Curve, style: dict[str, int]) -> int:
    return curve.shape if curve.shape >= 0 else style.get(curve.name, 0)


def _area(area: Area, x: _Axis, y: _Axis, colour: str) -> str:
    """The outlines of an area, filled."""
    path = " ".join(
        "M"
        + "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x.place(loop[:, 0]), y.place(loop[:, 1])))
        + "Z"
        for loop in area.loops
    )
    fill = (
        f'fill="{colour}" fill-opacity="0.13" fill-rule="evenodd"'
        if area.is_filled
        else 'fill="none"'
    )
    return f'<path d="{path}" {fill} stroke="{colour}" stroke-width="1.8"/>'


def _curve(curve: Curve, x: _Axis, y: _Axis, colour: str, shape: int) -> list[str]:
    """A line and its markers, of the points within the axes; interrupted where there is no value."""
    xs, ys = np.asarray(curve.x, dtype=float), np.asarray(curve.y, dtype=float)
    known = np.isfinite(xs) & np.isfinite(ys)
    seen = known & (xs >= x.low) & (xs <= x.high) & (ys >= y.low) & (ys <= y.high)
    pieces = np.cumsum(~known)[seen]  # how many missing values lie before each point
    points = list(zip(x.place(xs[seen]), y.place(ys[seen])))
    dash = f' stroke-dasharray="{curve.dash}"' if curve.dash else ""
    parts = []
    for piece in np.unique(pieces) if curve.has_line else ():
        first, last = np.searchsorted(pieces, (piece, piece + 1))
        joined = " ".join(f"{a:.1f},{b:.1f}" for a, b in points[first:last])
        if last - first > 1:
            parts.append(
                f'<polyline points="{joined}" fill="none" stroke="{colour}" '
                f'stroke-width="1.8"{dash}/>'
            )
    if curve.has_markers:
        parts += [marker(float(a), float(b), shape, colour) for a, b in points]
    return parts


def marker(x: float, y: float, shape: int, colour: str, size: float = 4.0) -> str:
    """One of six marks: disc, square, diamond, two triangles, ring."""
    s = size
    outline = f'stroke="{colour}" stroke-width="1.6"'
    if shape % MARKERS in (0, 5):
        fill = colour if shape % MARKERS == 0 else PAPER
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{s:.1f}" fill="{fill}" {outline}/>'
    corners = {
        1: ((-s, -s), (s, -s), (s, s), (-s, s)),
        2: ((0, -1.4 * s), (1.4 * s, 0), (0, 1.4 * s), (-1.4 * s, 0)),
        3: ((0, -1.3 * s), (1.2 * s, s), (-1.2 * s, s)),
        4: ((0, 1.3 * s), (1.2 * s, -s), (-1.2 * s, -s)),
    }[shape % MARKERS]
    points = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in corners)
    return f'<polygon points="{points}" fill="{colour}" {outline}/>'


def _legend_places(names: list[str], width: float) -> list[tuple[float, int]]:
    """Where each name goes: its x and its line."""
    places, x, line = [], LEFT, 0
    for name in names:
        wide = 42 + LETTER * len(name) + 18
        if x > LEFT and x + wide > width:
            x, line = LEFT, line + 1
        places.append((x, line))
        x += wide
    return places


def _legend_entry(x: float, y: float, one: Curve | Area, shape: int) -> list[str]:
    """A sample of a curve or an area, and its name."""
    colour = one.colour or COLOURS[shape % len(COLOURS)]
    parts = []
    if isinstance(one, Area):
        opacity = 0.13 if one.is_filled else 0.0
        parts.append(
            f'<rect x="{x:.1f}" y="{y - 6:.1f}" width="26" height="12" fill="{colour}" '
            f'fill-opacity="{opacity}" stroke="{colour}" stroke-width="1.8"/>'
        )
    else:
        if one.has_line:
            dash = f' stroke-dasharray="{one.dash}"' if one.dash else ""
            parts.append(_line(x, y, x + 26, y, colour, f'stroke-width="1.8"{dash}'))
        if one.has_markers:
            own = one.shape if one.shape >= 0 else shape
            parts.append(marker(x + 13, y, own, colour))
    return [*parts, _text(x + 34, y + 4, one.name, "start")]


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" {more}/>'
    )


def _text(
    x: float,
    y: float,
    words: str,
    anchor: str = "middle",
    size: int = 12,
    weight: str = "normal",
    more: str = "",
) -> str:
    """Text at a place; empty for none."""
    if not words:
        return ""
    bold = f' font-weight="{weight}"' if weight != "normal" else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{bold} {more}>'
        f"{escape(words)}</text>"
    )
