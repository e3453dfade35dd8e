"""Units of measurement: a small table, products of its entries, and conversion to SI and back.

A unit text is a product of names with whole exponents:

    "m"   "N s/m"   "kg m^2"   "rad/s"   "N/mm"   "1/s"   "m/s^2"   "N*m"   ""

"/" divides by the next name alone. A name that merely stands beside another after a "/" is refused,
because "N/m s" is read in two ways; "N s/m" and "N/m/s" are clear.

The radian is the number 1, so an angular speed has the dimension 1/s; degrees, revolutions and rpm
are plain factors of it. One hertz is one per second, as in the SI, and not 2 pi rad/s.

A small table is preferred to a library such as pint, which would noticeably slow the start of the program;
a mechanism needs metres, kilograms, seconds, for its motors amperes, and units derived from them.
"""

import difflib
import math
import re
from typing import NamedTuple

from engine.errors import EngineError, say

Dimension = tuple[int, int, int, int]  # exponents of m, kg, s, A


class Unit(NamedTuple):
    """A factor to SI and the exponents of (m, kg, s, A)."""

    factor: float
    dimension: Dimension


_NUMBER, _LENGTH, _MASS = (0, 0, 0, 0), (1, 0, 0, 0), (0, 1, 0, 0)
_TIME, _CURRENT = (0, 0, 1, 0), (0, 0, 0, 1)
_FREQUENCY, _FORCE, _PRESSURE = (0, 0, -1, 0), (1, 1, -2, 0), (-1, 1, -2, 0)
_ENERGY, _POWER = (2, 1, -2, 0), (2, 1, -3, 0)
_VOLTAGE, _RESISTANCE, _INDUCTANCE = (2, 1, -3, -1), (2, 1, -3, -2), (2, 1, -2, -2)

_POUND = 0.45359237  # kg, exact by definition
_STANDARD_GRAVITY = 9.80665  # m/s^2, exact by definition; used for the pound-force

UNITS: dict[str, Unit] = {
    "m": Unit(1.0, _LENGTH),
    "mm": Unit(1e-3, _LENGTH),
    "cm": Unit(1e-2, _LENGTH),
    "km": Unit(1e3, _LENGTH),
    "in": Unit(0.0254, _LENGTH),
    "ft": Unit(0.3048, _LENGTH),
    "rad": Unit(1.0, _NUMBER),
    "deg": Unit(math.pi / 180.0, _NUMBER),
    "rev": Unit(2.0 * math.pi, _NUMBER),
    "s": Unit(1.0, _TIME),
    "ms": Unit(1e-3, _TIME),
    "min": Unit(60.0, _TIME),
    "h": Unit(3600.0, _TIME),
    "kg": Unit(1.0, _MASS),
    "g": Unit(1e-3, _MASS),
    "t": Unit(1e3, _MASS),
    "lb": Unit(_POUND, _MASS),
    "N": Unit(1.0, _FORCE),
    "kN": Unit(1e3, _FORCE),
    "lbf": Unit(_POUND * _STANDARD_GRAVITY, _FORCE),
    "Hz": Unit(1.0, _FREQUENCY),
    "rpm": Unit(2.0 * math.pi / 60.0, _FREQUENCY),
    "Pa": Unit(1.0, _PRESSURE),
    "kPa": Unit(1e3, _PRESSURE),
    "MPa": Unit(1e6, _PRESSURE),
    "GPa": Unit(1e9, _PRESSURE),
    "bar": Unit(1e5, _PRESSURE),
    "J": Unit(1.0, _ENERGY),
    "kJ": Unit(1e3, _ENERGY),
    "W": Unit(1.0, _POWER),
    "kW": Unit(1e3, _POWER),
    "A": Unit(1.0, _CURRENT),
    "mA": Unit(1e-3, _CURRENT),
    "V": Unit(1.0, _VOLTAGE),
    "ohm": Unit(1.0, _RESISTANCE),
    "H": Unit(1.0, _INDUCTANCE),
    "mH": Unit(1e-3, _INDUCTANCE),
}

_LONGEST = 100  # characters; the longest useful unit has about twenty
_SPELLINGS = {"°": " deg ", "·": "*", "**": "^", "²": "^2", "³": "^3", "−": "-"}
_FACTOR = re.compile(
    r"\s*([*/]?)\s*(?:([^\W\d]\w*)|(1)(?!\w))\s*(?:\^\s*(-?[1-9])(?!\w))?", re.ASCII
)


def unit(text: str) -> Unit:
    """The factor and dimension of a unit text; an empty text is the number 1."""
    if len(text) > _LONGEST:
        raise EngineError(
            "A unit of {n_text} characters is too long: at most {longest}.",
            n_text=len(text),
            longest=_LONGEST,
        )
    plain = text
    for spelling, meaning in _SPELLINGS.items():
        plain = plain.replace(spelling, meaning)
    plain = plain.strip()
    factor, dimension = 1.0, _NUMBER
    at, divided = 0, False
    while at < len(plain):
        match = _FACTOR.match(plain, at)
        if match is None or (at == 0 and match[1]):
            raise _unreadable(text)
        sign, name, _one, exponent = match.groups()
        if divided and not sign:
            raise EngineError(
                "In the unit '{text}' it is unclear whether '{first}' is divided by: write every "
                "divisor with its own '/', as in N/m/s, and the other units before it, as in N s/m.",
                text=text,
                first=name,
            )
        divided = divided or sign == "/"
        power = int(exponent or 1) * (-1 if sign == "/" else 1)
        one = named(name) if name else Unit(1.0, _NUMBER)
        factor *= one.factor**power
        dimension = tuple(a + power * b for a, b in zip(dimension, one.dimension))  # type: ignore[assignment]
        at = match.end()
    if not 0.0 < factor < math.inf:
        raise EngineError("The unit '{text}' is too large or too small for the program.", text=text)
    return Unit(factor, dimension)


def named(name: str) -> Unit:
    """The unit of one name of the table."""
    if name not in UNITS:
        raise EngineError(
            "'{first}' is not a unit the program knows: {suggestion}",
            first=name,
            suggestion=_suggestion(name),
        )
    return UNITS[name]


def from_si(value: float, unit_text: str) -> float:
    """The value in the given unit of a value in SI units."""
    return value / unit(unit_text).factor


def same_dimension(unit_a: str, unit_b: str) -> bool:
    """Whether a value in one unit can be given in the other."""
    return unit(unit_a).dimension == unit(unit_b).dimension


def _suggestion(name: str) -> str:
    """The probable intention, as the second half of a sentence."""
    for n in range(1, len(name)):
        if name[:n] in UNITS and name[n:] in UNITS:
            return say("for a product write '{first} {rest}'.", first=name[:n], rest=name[n:])
    close = [known for known in UNITS if known.lower() == name.lower()]
    close = close or difflib.get_close_matches(name[:20], UNITS, n=3, cutoff=0.5)
    return (
        say("did you mean {listed}?", listed=" or ".join(close))
        if close
        else say("it knows {listed}.", listed=", ".join(UNITS))
    )


def _unreadable(text: str) -> EngineError:
    return EngineError(
        "'{text}' cannot be read as a unit: write names with whole exponents from -9 to 9, "
        "such as N s/m or kg m^2.",
        text=text,
    )
