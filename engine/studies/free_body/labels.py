"""Words at arrows and arcs, put where they cover as little as possible."""

from collections.abc import Callable, Iterator
from math import cos, hypot, sin
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engine.studies.free_body.scene import Scene
    from engine.studies.free_body.wrenches import Wrench

LETTER, HIGH = 6.9, 16.0  # px of a letter of 12 px
AWAY = 5.0  # px between a tip and its words
STEPS = 3  # distances that are tried


class Label(NamedTuple):
    """Words in a rectangle: x, y of its upper left corner."""

    wrench: "Wrench"
    text: str
    x: float
    y: float
    width: float

    def covers(self, other: "Label") -> float:
        """The area that two labels share."""
        wide = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        high = HIGH - abs(self.y - other.y)
        return max(wide, 0.0) * max(high, 0.0)


def place_labels(scene: "Scene", words: Callable[[Any], str]) -> list[Label]:
    """A label for each arrow and arc, the largest first."""
    marks: list[Any] = [*scene.arrows, *scene.arcs]
    lines = [(arrow.tail, arrow.tip) for arrow in scene.arrows]
    found = list[Label]()
    for mark in sorted(marks, key=_size, reverse=True):
        text = words(mark)
        width = LETTER * len(text) + 4.0
        tried = [Label(mark.wrench, text, x, y, width) for x, y in _places(mark, width)]
        found.append(_best(tried, found, lines, scene))
    return found


def _size(mark: Any) -> float:
    """How long an arrow is."""
    if hasattr(mark, "tip"):
        return hypot(mark.tip[0] - mark.tail[0], mark.tip[1] - mark.tail[1])
    return float(mark.radius)


def _places(mark: Any, width: float) -> Iterator[tuple[float, float]]:
    """Corners of the rectangles that are tried, the best first: beyond the tip, then around it."""
    if hasattr(mark, "tip"):
        x, y = mark.tip
        dx, dy = x - mark.tail[0], y - mark.tail[1]
        size = hypot(dx, dy) or 1.0
        dx, dy = dx / size, dy / size
    else:
        x = mark.center[0] + mark.radius * cos(mark.start + mark.sweep)
        y = mark.center[1] - mark.radius * sin(mark.start + mark.sweep)
        dx, dy = cos(mark.start + mark.sweep), -sin(mark.start + mark.sweep)
    for step in range(STEPS):
        out = AWAY + 14.0 * step
        for ux, uy in (
            (dx, dy),
            (-dy, dx),
            (dy, -dx),
            (0.7, -0.7),
            (-0.7, -0.7),
            (0.7, 0.7),
            (-0.7, 0.7),
        ):
            yield (
                x + out * ux - width * (0.5 - 0.5 * ux),
                y + out * uy - HIGH * (0.5 - 0.5 * uy),
            )


def _best(
    tried: list[Label],
    placed: list[Label],
    lines: list[tuple[tuple[float, float], tuple[float, float]]],
    scene: "Scene",
) -> Label:
    """The first place that is free, else the one that covers and crosses least, near and within."""
    costs = list[float]()
    for label in tried:
        covered = sum(label.covers(one) for one in placed)
        crossed = sum(_crosses(label, *line) for line in lines)
        beyond = max(-label.x, 0.0) + max(label.x + label.width - scene.view.width, 0.0)
        beyond += max(-label.y, 0.0) + max(label.y + HIGH - scene.view.height, 0.0)
        if covered == crossed == beyond == 0.0:
            return label
        way = hypot(label.x - tried[0].x, label.y - tried[0].y)
        costs.append(20.0 * covered + 60.0 * crossed + 200.0 * beyond + way)
    return tried[costs.index(min(costs))]


def _crosses(label: Label, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether a line goes through the rectangle of a label (Liang and Barsky)."""
    low, high = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for p, q in (
        (-dx, a[0] - label.x),
        (dx, label.x + label.width - a[0]),
        (-dy, a[1] - label.y),
        (dy, label.y + HIGH - a[1]),
    ):
        if p == 0.0:
            if q < 0.0:
                return False
        elif p < 0.0:
            low = max(low, q / p)
        else:
            high = min(high, q / p)
    return low < high
