"""Numbers typed into a gesture: digits open a small entry, Tab goes to the next number."""

from math import degrees, radians
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, Qt

from engine.errors import EngineError
from engine.formulas.expressions import names, parse, value
from engine.formulas.resolve import parameter_values
from engine.model.elements import Model
from engine.model.fields import Number
from gui.state.numbers import written

OPENING = "0123456789.,-("
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
TABS = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
LARGEST = 1e6  # m
LONGEST = 60  # characters


class SiAndDegrees:
    """Metres and degrees, where no preferences are known."""

    def shown(self, value_si: float, unit: str) -> tuple[str, str]:
        """The text of a value and of its unit."""
        if unit == "rad":
            return written(degrees(value_si)), "deg"
        return written(value_si), unit

    def parse(self, text: str, unit: str, model: Model) -> Number:
        """The number in SI units in a typed text, or an expression of parameters."""
        expression = parse(text)
        if names(expression):
            return text
        number = value(expression, {})
        bare = all(op != "unit" for op, _ in expression.code)
        return radians(number) if unit == "rad" and bare else number


PLAIN = SiAndDegrees()


def quantity(value: float, unit: str, preferences: Any = None) -> str:
    """A number with its unit as the stage shows it: with as many digits as the mouse can resolve."""
    few = radians(round(degrees(value), 2)) if unit == "rad" else float(f"{value:.4g}")
    text, own = (preferences or PLAIN).shown(few + 0.0, unit)  # no minus before zero
    return f"{text}°" if own == "deg" else f"{text} {own}"


class Quantity(NamedTuple):
    """A number that can be typed, and its SI unit."""

    name: str
    unit: str
    is_size: bool = False  # a size is greater than zero


class Entry:
    """The numbers typed so far, and which of them is being typed."""

    def __init__(self, quantities: tuple[Quantity, ...], preferences: Any = None) -> None:
        self.quantities = quantities
        self.preferences = preferences or PLAIN
        self.texts = [""] * len(quantities)
        self.at = 0

    @property
    def is_open(self) -> bool:
        """Whether something has been typed, or Tab has moved to another number."""
        return any(self.texts) or self.at > 0

    def clear(self) -> None:
        """Discard what was typed."""
        self.texts, self.at = [""] * len(self.quantities), 0

    def wants(self, key: int, text: str, modifiers: Any) -> bool:
        """Whether a key belongs to the entry."""
        held = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier
        if modifiers & held or not self.quantities:
            return False
        if key in TABS:
            return len(self.quantities) > 1
        if self.is_open:
            return key in (*ENTER, Qt.Key.Key_Backspace) or (text != "" and text.isprintable())
        return text != "" and text in OPENING

    def take(self, key: int, text: str) -> None:
        """Add a key to what was typed; changes the entry."""
        if key in TABS:
            step = -1 if key == Qt.Key.Key_Backtab else 1
            self.at = (self.at + step) % len(self.quantities)
        elif key == Qt.Key.Key_Backspace:
            self.texts[self.at] = self.texts[self.at][:-1]
        elif len(self.texts[self.at]) < LONGEST:
            self.texts[self.at] += text

    def number(self, name: str, model: Model) -> float | None:
        """The typed value in SI units; None where nothing, or nothing readable yet, was typed."""
        try:
            return self.read(name, model)
        except EngineError:
            return None

    def read(self, name: str, model: Model) -> float | None:
        """The typed value in SI units; None where nothing was typed, EngineError for invalid text."""
        given, quantity = self._given(name, model)
        if given is None:
            return None
        number = value(given, parameter_values(model)) if isinstance(given, str) else given
        if quantity.is_size and not number > 0.0:
            text = self.texts[self.quantities.index(quantity)].strip()
            raise EngineError(_tr("'{0}' is no size: give a number above zero.").format(text))
        if quantity.unit == "m" and not abs(number) <= LARGEST:
            text = self.texts[self.quantities.index(quantity)].strip()
            raise EngineError(_tr("'{0}' is too far: at most 1000 km can be drawn.").format(text))
        return float(number)

    def formulas(self, model: Model) -> dict[str, str]:
        """What was typed with the names of parameters, by quantity."""
        given = {one.name: self._given(one.name, model)[0] for one in self.quantities}
        return {name: text for name, text in given.items() if isinstance(text, str)}

    def _given(self, name: str, model: Model) -> tuple[Number | None, Quantity]:
        """The number or formula that was typed for a quantity, and that quantity."""
        k = next(k for k, quantity in enumerate(self.quantities) if quantity.name == name)
        text = self.texts[k].strip()
        unit = self.quantities[k].unit
        return self.preferences.parse(text, unit, model) if text else None, self.quantities[k]

    def check(self, model: Model) -> None:
        """Raise EngineError for the first typed text that is not a number."""
        for quantity in self.quantities:
            self.read(quantity.name, model)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Entry", text)
