"""Whether what a formula adds is of one kind: lengths to lengths, not lengths to masses.

A plain number fits everything, since people leave its unit out: "x - 0.5" is half a metre, "y - x^2" a
parabola with the factor 1/m, and a sine may have been multiplied by one metre. What is wrong is told only
where the two sides of a sum differ and one of them has a unit that somebody wrote.
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.errors import EngineError
from engine.formulas.grammar import Expression, Item, opening
from engine.formulas.units import Dimension, unit

BASES = ("m", "kg", "s", "A")
_SUMS = ("+", "-", "min", "max", "mod", "<", "<=", ">", ">=", "==", "!=", "atan2", "hypot")
_NUMBERS = ("<", "<=", ">", ">=", "==", "!=", "atan2")


class Quantity(NamedTuple):
    """What something is measured in, and whether a unit was written for it."""

    dimension: Dimension
    is_written: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it has no unit."""
        return not any(self.dimension)

    def times(self, other: "Quantity", power: int) -> "Quantity":
        """The product with a power of another one."""
        m, kg, s, A = (a + power * b for a, b in zip(self.dimension, other.dimension))
        return Quantity((m, kg, s, A), self.is_written or other.is_written)


NUMBER = Quantity((0, 0, 0, 0))
Known = Quantity | None  # None: it may be anything


def check_sums(expression: Expression, names: Mapping[str, Known]) -> None:
    """Raise EngineError where a sum or a comparison has sides of different dimensions."""
    stack: list[Known] = []
    numbers: list[float | None] = []  # of the stack, where they are plain
    for item in expression.code:
        op, arg = item
        if op in ("number", "constant", "name"):
            stack.append(names.get(str(arg)) if op == "name" else None)
            numbers.append(float(arg) if op == "number" else None)
            continue
        count = 1 if op == "unit" else int(arg)
        stack[-count:] = [_combined(expression, item, stack[-count:], numbers[-count:])]
        numbers[-count:] = [None]


def _combined(
    expression: Expression, item: Item, operands: list[Known], numbers: list[float | None]
) -> Known:
    """The dimension of one operation."""
    op, arg = item
    first = operands[0]
    if op == "unit":
        return Quantity(unit(str(arg)).dimension, True).times(first or NUMBER, 1)
    if op in ("neg", "abs"):
        return first
    if op == "if":
        return _alike(expression, operands[1:])
    if op in _SUMS:
        found = _alike(expression, operands)
        return None if op in _NUMBERS else found
    if op in ("*", "/") and first is not None and operands[1] is not None:
        return first.times(operands[1], 1 if op == "*" else -1)
    if op == "^" and first is not None and numbers[1] is not None and numbers[1] % 1 == 0:
        return NUMBER.times(first, int(numbers[1]))
    return None


def _alike(expression: Expression, operands: list[Known]) -> Known:
    """The one dimension of several operands."""
    known = [q for q in operands if q is not None and not q.is_number]
    for other in known[1:]:
        if other.dimension != known[0].dimension and (other.is_written or known[0].is_written):
            raise EngineError(
                "{opening} something in {first} meets something in {second} in a sum or a comparison. "
                "Give both sides the same unit.",
                opening=opening(expression.text),
                first=words(known[0].dimension),
                second=words(other.dimension),
            )
    return max(known, key=lambda q: q.is_written) if known else None


def words(dimension: Dimension) -> str:
    """A dimension as a unit, as in kg m/s^2."""
    above = [(b, d) for b, d in zip(BASES, dimension) if d > 0]
    below = [(b, -d) for b, d in zip(BASES, dimension) if d < 0]
    top = " ".join(b if d == 1 else f"{b}^{d}" for b, d in above) or "1"
    return top + "".join(f"/{b}" if d == 1 else f"/{b}^{d}" for b, d in below)
