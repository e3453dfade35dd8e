"""How a number is written for people: the one place that decides about digits, zeros and exponents."""

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from gui.look.translation import separated

if TYPE_CHECKING:
    from engine.model.elements import Model

DIGITS = 6
NOISE = 1e-9  # of the scale of a quantity: less is rounding, and is written as 0


def quiet(value: float, scale: float) -> float:
    """A value, or zero where it is only rounding beside its scale."""
    return 0.0 if abs(value) <= NOISE * abs(scale) else value + 0.0


def listed(texts: Iterable[str]) -> str:
    """Numbers in brackets; semicolons part those that are written with a comma."""
    between = "; " if separated(".") == "," else ", "
    return f"({between.join(texts)})"


def written(value: float, digits: int = DIGITS, scale: float = 0.0) -> str:
    """A number with a few digits: 0 for noise beside `scale`, an exponent only where it is long."""
    text = f"{quiet(value, scale):.{digits}g}"
    if re.fullmatch(r"-?\d\.?\d*e[+-]\d+", text):
        mantissa, exponent = text.split("e")
        is_usual = 0 <= int(exponent) < DIGITS  # 100 %, not 1e2 %
        text = f"{float(text):.0f}" if is_usual else f"{mantissa}e{int(exponent)}"
    if text.strip("-0.") == "":
        text = "0"
    return separated(text)


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """The text of a number with as many digits as there is room for, never without its exponent.

    What is no number stays as it is.
    """
    if fits(text) or not re.fullmatch(r"-?\d*[.,]?\d+(e-?\d+)?", text):
        return text
    value = float(text.replace(",", "."))
    tried = (
        form(value, count) for count in range(DIGITS, 0, -1) for form in (written, _scientific)
    )
    shorter = [one for one in tried if len(one) < len(text)]
    return next((one for one in shorter if fits(one)), shorter[-1] if shorter else text)


def _scientific(value: float, digits: int) -> str:
    """A number with an exponent, which is shorter for small ones: 4.42e-4."""
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{written(float(mantissa))}e{int(exponent)}"


def size_of(model: "Model") -> float:
    """A typical length of a drawing [m]: what is much smaller is rounding. Formulas are not evaluated."""
    known: list[Any] = [1e-6]
    for element in model:
        known += getattr(element, "position", ())
        shape = getattr(element, "shape", None)
        known += [getattr(shape, name, 0.0) for name in ("length", "width", "height", "radius")]
    numbers = [abs(one) for one in known if isinstance(one, int | float)]
    return max(numbers) if len(model.elements) else 1.0
