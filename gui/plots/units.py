"""The units in which plots show values: those of the preferences, as they are printed."""

from typing import NamedTuple

from engine.errors import EngineError
from engine.formulas.units import unit as known_unit
from gui.state.preferences import Preferences

SIGNS = {"deg": "°", "^2": "²", "^3": "³"}


class Shown(NamedTuple):
    """How a unit of the engine is shown: divide by the factor and write the text."""

    factor: float
    text: str


def shown_unit(preferences: Preferences, unit: str, as_frequency: bool = False) -> Shown:
    """The factor and the text of a channel's unit; w as turns per second if asked for."""
    if as_frequency and unit == "rad/s":
        return Shown(known_unit("rev/s").factor, "1/s")
    wanted = preferences.unit(unit)
    try:
        factor = known_unit(wanted).factor / known_unit(unit).factor
    except EngineError:
        return Shown(1.0, unit)
    return Shown(factor, written(wanted))


def written(unit: str) -> str:
    """A unit in print: ° for degrees, raised exponents, a dot between factors."""
    for plain, sign in SIGNS.items():
        unit = unit.replace(plain, sign)
    return unit.replace(" ", "·")


def with_unit(number: str, unit: str) -> str:
    """A number before its unit; the degree follows without a space."""
    return number + unit if unit == "°" else f"{number} {unit}".strip()
