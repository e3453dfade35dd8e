"""Draw curves over time as SVG text, for self-contained pages."""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

import numpy as np

COLOURS = ("#1769c2", "#d9722a", "#3f8f55", "#b0455a")
WIDTH, HEIGHT = 720.0, 240.0
LEFT, RIGHT, TOP, BOTTOM = 74.0, 16.0, 26.0, 36.0
COLUMNS = 600  # pairs of least and greatest value that a curve is thinned to
Scale = Callable[[float], float]  # maps a value to its place


class Curve(NamedTuple):
    """Values over time and what they are called."""

    label: str
    values: np.ndarray


def curves_svg(
    title: str, t: np.ndarray, curves: Sequence[Curve], unit: str = "", *, is_log: bool = False
) -> str:
    """A plot of curves over time as an SVG element; on a log axis what is not positive is left out."""
    shown = [Curve(c.label, _logged(c.values) if is_log else c.values) for c in curves]
    finite = np.concatenate([c.values[np.isfinite(c.values)] for c in shown] or [np.zeros(0)])
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    ticks = _decades(low, high) if is_log else nice_ticks(low, high)
    low, high = min(low, ticks[0]), max(high, ticks[-1])
    t_ticks = nice_ticks(float(t[0]), float(t[-1])) if len(t) else [0.0, 1.0]
    t_low, t_high = (float(t[0]), max(float(t[-1]), float(t[0]) + 1e-12)) if len(t) else (0.0, 1.0)
    across = (WIDTH - LEFT - RIGHT) / (t_high - t_low)
    down = (HEIGHT - TOP - BOTTOM) / ((high - low) or 1.0)

    def x(time: float) -> float:
        return LEFT + (time - t_low) * across

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) * down

    parts = [
        f'<svg class="plot" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="{escape(title, quote=True)}" xmlns="http://www.w3.org/2000/svg">',
        f'<text x="{LEFT:g}" y="16" class="title">{escape(title)}</text>',
    ]
    for value in ticks:
        text = f"1e{value:g}" if is_log else f"{value:.6g}"
        parts.append(
            f'<line class="grid" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" '
            f'y1="{y(value):.1f}" y2="{y(value):.1f}"/>'
            f'<text class="tick" text-anchor="end" x="{LEFT - 6:g}" y="{y(value) + 4:.1f}">{text}</text>'
        )
    for time in (tick for tick in t_ticks if t_low - 1e-9 <= tick <= t_high * (1.0 + 1e-9)):
        parts.append(
            f'<line class="grid" x1="{x(time):.1f}" x2="{x(time):.1f}" '
            f'y1="{TOP:g}" y2="{HEIGHT - BOTTOM:g}"/><text class="tick" text-anchor="middle" '
            f'x="{x(time):.1f}" y="{HEIGHT - BOTTOM + 16:.1f}">{time:.6g}</text>'
        )
    parts += [_path(t, curve, n, x, y) for n, curve in enumerate(shown)]
    parts += _legend(shown)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text class="axis" text-anchor="middle" x="{(LEFT + WIDTH - RIGHT) / 2:g}" '
        f'y="{HEIGHT - 4:g}">t [s]</text><text class="axis" text-anchor="middle" '
        f'transform="translate(14 {middle:g}) rotate(-90)">{escape(unit)}</text></svg>'
    )
    return "".join(parts)


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values that cover a range: steps of 1, 2 or 5 times a power of ten."""
    if not (isfinite(low) and isfinite(high)):
        return [0.0, 1.0]
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        half = 0.5 * max(abs(low), abs(high)) or 1.0
        low, high = low - half, high + half
    least = (high - low) / most
    power = 10.0 ** floor(log10(least))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1.0 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [n * step for n in range(first, last + 1)]


def thinned(t: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As few points as show every peak: the least and the greatest value of each column of pixels."""
    each = len(t) // COLUMNS
    if each < 3:
        return t, values
    whole = values[: each * COLUMNS].reshape(COLUMNS, each)
    start = np.arange(COLUMNS) * each
    filled = np.where(np.isfinite(whole), whole, np.inf)
    least = filled.argmin(axis=1) + start
    filled = np.where(np.isfinite(whole), whole, -np.inf)
    most = filled.argmax(axis=1) + start
    rest = np.arange(each * COLUMNS, len(t))
    chosen = np.unique(np.concatenate([[0], least, most, rest]))
    return t[chosen], values[chosen]


def _path(t: np.ndarray, curve: Curve, n: int, x: Scale, y: Scale) -> str:
    """A curve as one path that is interrupted where there is no value."""
    times, values = thinned(t, curve.values)
    words, pen_down = [], False
    for time, value in zip(times.tolist(), values.tolist()):
        if isfinite(value):
            words.append(f"{'L' if pen_down else 'M'}{x(time):.1f} {y(value):.1f}")
        pen_down = isfinite(value)
    colour = COLOURS[n % len(COLOURS)]
    return f'<path fill="none" stroke="{colour}" stroke-width="1.3" d="{"".join(words)}"/>'


def _legend(curves: Sequence[Curve]) -> list[str]:
    """Names of the curves beside a piece of their line, at the upper right."""
    if len(curves) < 2:
        return []
    parts, at = [], WIDTH - RIGHT
    for n, curve in reversed(list(enumerate(curves))):
        at -= 7.0 * len(curve.label) + 34.0
        colour = COLOURS[n % len(COLOURS)]
        parts.append(
            f'<line x1="{at:g}" x2="{at + 18:g}" y1="12" y2="12" stroke="{colour}" stroke-width="2"/>'
            f'<text class="tick" x="{at + 23:g}" y="16">{escape(curve.label)}</text>'
        )
    return parts


def _logged(values: np.ndarray) -> np.ndarray:
    """Powers of ten; not a number where there is none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0.0, np.log10(values), np.nan)


def _decades(low: float, high: float) -> list[float]:
    """Whole powers of ten around a range, not too many."""
    first, last = floor(low), ceil(high) if ceil(high) > floor(low) else floor(low) + 1
    step = max(1, ceil((last - first) / 6))
    return [float(n) for n in range(first, last + step, step)]
