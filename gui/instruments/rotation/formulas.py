"""R, A and B of a sequence as lines of a sheet: in symbols once, in numbers for every attitude."""

from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from PySide6.QtCore import QCoreApplication

from engine.symbols.turning import ANGLES, turning
from gui.instruments.formula.boxes import Box, glyphs, grid, row, space
from gui.instruments.formula.sheet import Line
from gui.instruments.formula.typesetter import Typesetter, minus
from gui.look.translation import QT_TRANSLATE_NOOP, separated

if TYPE_CHECKING:
    from engine.studies.turns import Turn, Turns

DIGITS = 4
PARTS = {str(angle): str(angle) for angle in ANGLES}  # the part of each angle, by its letter
HEADINGS = {
    "R": QT_TRANSLATE_NOOP("RotationPage", "The rotation matrix: r_fixed = R r_body"),
    "A": QT_TRANSLATE_NOOP("RotationPage", "Angular velocity along fixed axes: A times the rates"),
    "B": QT_TRANSLATE_NOOP("RotationPage", "Angular velocity along body axes: B times the rates"),
    "det": QT_TRANSLATE_NOOP("RotationPage", "Where they are singular"),
    "other": QT_TRANSLATE_NOOP("RotationPage", "The same turns in the other order"),
    "turns": QT_TRANSLATE_NOOP("RotationPage", "The three turns"),
}


class Formulas:
    """Lines for one sequence after the other; symbols are laid out once for each."""

    def __init__(self, size: float) -> None:
        self.size = size
        self._setter = Typesetter(size, lambda symbol: PARTS.get(str(symbol), ""))
        self._known: dict[str, dict[str, Box]] = {}

    def lines(self, found: "Turns") -> list[Line]:
        """Everything about some turns."""
        boxes = self._symbols(found.sequence)
        det = minus(f"{found.determinant:.{DIGITS}f}")
        return [
            _heading("R"),
            Line(boxes["R"]),
            Line(self._row(boxes["product"], self._equals(), self._numbers(found.R))),
            _heading("A"),
            Line(self._row(boxes["A"], self._equals(), self._numbers(found.A))),
            _heading("B"),
            Line(self._row(boxes["B"], self._equals(), self._numbers(found.B))),
            _heading("det"),
            Line(self._row(boxes["det"], self._equals(), glyphs(det, self.size))),
            _heading("other"),
            Line(
                self._row(
                    self._product(found.others),
                    self._equals(),
                    self._numbers(found.other_steps[-1]),
                )
            ),
            _heading("turns"),
            Line(boxes["turns"]),
        ]

    def _symbols(self, sequence: str) -> dict[str, Box]:
        """What is written in symbols."""
        if sequence not in self._known:
            known, of = turning(sequence), self._setter.statement
            axes = [int(digit) for digit in sequence.split("-")]
            turned = [self._applied(axis, angle) for axis, angle in zip(axes, ANGLES)]
            shown = [
                self._row(name, self._equals(), self._setter.of(one), space(self.size))
                for name, one in zip(turned, known.elementary)
            ]
            self._known[sequence] = {
                "R": of(("R", "=", known.R)),
                "product": row(glyphs("R = ", self.size), *turned, gap=0.15 * self.size),
                "A": of(("A", "=", known.A)),
                "B": of(("B", "=", known.B)),
                "det": of(("det A", "=", "det B", "=", known.determinant)),
                "turns": row(*shown),
            }
        return self._known[sequence]

    def _product(self, turns: "tuple[Turn, ...]") -> Box:
        """The product of turns in another order."""
        angles = dict(zip("φθψ", ANGLES))
        boxes = [self._applied(one.axis, angles[one.name]) for one in turns]
        return row(*boxes, gap=0.15 * self.size)

    def _applied(self, axis: int, angle: sp.Symbol) -> Box:
        """R_i(angle)."""
        name = self._setter.of(sp.Symbol(f"R_{axis}"))
        left, right = (glyphs(fence, self.size) for fence in "()")
        return row(name, left, self._setter.of(angle), right, gap=0.05 * self.size)

    def _numbers(self, M: np.ndarray) -> Box:
        """A matrix in numbers."""
        return grid(
            [[glyphs(_written(float(x)), self.size) for x in line] for line in M], self.size
        )

    def _equals(self) -> Box:
        return glyphs("=", self.size)

    def _row(self, *boxes: Box) -> Box:
        return row(*boxes, gap=0.35 * self.size)


def _heading(name: str) -> Line:
    return Line(None, QCoreApplication.translate("RotationPage", HEADINGS[name]))


def _written(value: float) -> str:
    """A number of a matrix, as wide as any other; rounding is 0."""
    value = 0.0 if abs(value) < 0.5 * 10.0**-DIGITS else value
    return minus(separated(f"{value:.{DIGITS}f}"))
