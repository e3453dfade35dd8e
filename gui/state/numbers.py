"""How a number is written for people: the one place that decides about digits, zeros and exponents."""

import re
from collections.abc import Callable

DIGITS = 6
NOISE = 1e-9  # of the scale of a quantity: less is rounding, and is written as 0


def quiet(value: float, scale: float) -> float:
    """A value, or zero where it is only rounding beside its scale."""
    return 0.0 if abs(value) <= NOISE * abs(scale) else value + 0.0


def written(
    value: float, digits: int = DIGITS, scale: float = 0.0, decimal_comma: bool = False
) -> str:
    """A number with a few digits: 0 for noise beside `scale`, a short exponent, the right separator."""
    text = f"{quiet(value, scale):.{digits}g}"
    if re.fullmatch(r"-?\d\.?\d*e[+-]\d+", text):
        mantissa, exponent = text.split("e")
        text = f"{mantissa}e{int(exponent)}"
    if text.strip("-0.") == "":
        text = "0"
    return text.replace(".", ",") if decimal_comma else text


def fitted(
    value: float,
    fits: Callable[[str], bool],
    scale: float = 0.0,
    decimal_comma: bool = False,
    digits: int = DIGITS,
) -> str:
    """A number with as many digits as there is room for, its exponent always among them; at least two."""
    for count in range(digits, 1, -1):
        text = written(value, count, scale, decimal_comma)
        if fits(text):
            return text
    return written(value, 2, scale, decimal_comma)
