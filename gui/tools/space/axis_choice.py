"""The axis that x, y and z choose in a tool of space: of the world, then of the body, then none again."""

import re
from typing import Any

from gui.placing.space.picks import Vec3
from gui.tools.space import geometry as g

NUMBER = re.compile(r".*[\d.)\s]")  # a text after which a letter is no part of a name or a unit


class AxisChoice:
    """A letter pressed again goes round; with Shift it points the other way."""

    def __init__(self) -> None:
        self.letter = ""  # x, y or z; empty: the natural direction
        self.is_own = False  # of the body instead of the world
        self.sign = 1.0

    def __bool__(self) -> bool:
        return bool(self.letter)

    def clear(self) -> None:
        """Choose none; changes the choice."""
        self.letter, self.is_own, self.sign = "", False, 1.0

    def press(self, letter: str, *, reverses: bool, has_own: bool) -> None:
        """A letter was pressed; changes the choice."""
        if letter != self.letter:
            self.letter, self.is_own, self.sign = letter, False, -1.0 if reverses else 1.0
        elif reverses:
            self.sign = -self.sign
        elif has_own and not self.is_own:
            self.is_own = True
        else:
            self.clear()

    def direction(self, R: Any = None) -> Vec3 | None:
        """The direction in the world; R holds the axes of the body in columns."""
        if not self.letter:
            return None
        x, y, z = g.AXES[self.letter]
        if self.is_own and R is not None:
            x, y, z = (float(c) for c in R[:, "xyz".index(self.letter)])
        return g.scaled((x, y, z), self.sign)


def ends_number(text: str) -> bool:
    """Whether a letter after a typed text chooses an axis: "1 x" means the same as "x 1"."""
    return not text or NUMBER.fullmatch(text) is not None
