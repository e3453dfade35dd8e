"""What the user prefers: units, theme, decimal separator, default step and method.

Kept in QSettings between sessions. Numbers pass through here wherever a person reads or types one:
`shown` writes a value of the model in the units of the user, `parse` reads one.
"""

import functools
import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, QSettings, Signal

from gui.look.translation import choose_separator
from gui.state.numbers import DIGITS, written

if TYPE_CHECKING:
    from engine.model.elements import Model
    from engine.model.fields import Number

LENGTH_UNITS = ("m", "cm", "mm", "in", "ft")
ANGLE_UNITS = ("rad", "deg")
SPIN_UNITS = ("rad/s", "deg/s", "rpm")
MASS_UNITS = ("kg", "g", "t", "lb")
FORCE_UNITS = ("N", "kN", "lbf")
THEMES = ("system", "light", "dark")

# Every preference with its default; the type of the default is its type.
DEFAULTS: dict[str, Any] = {
    "length_unit": "m",
    "angle_unit": "deg",
    "spin_unit": "rad/s",
    "mass_unit": "kg",
    "force_unit": "N",
    "decimal_comma": False,
    "theme": "system",
    "default_step": 1e-3,
    "default_method": "auto",
    "default_end": 10.0,
    "show_first_steps": True,
}


class Preferences(QObject):
    """The preferences of the user; `changed` carries the name of the one that changed."""

    changed = Signal(str)

    def __init__(self, settings: QSettings | None = None) -> None:
        super().__init__()
        self.settings = settings if settings is not None else QSettings("Kardan", "Kardan")
        choose_separator(self.decimal_comma)

    def get(self, name: str) -> Any:
        """The preference of this name."""
        default = DEFAULTS[name]
        value = self.settings.value(f"preferences/{name}", default, type(default))
        known = {"theme": THEMES, "length_unit": LENGTH_UNITS, "angle_unit": ANGLE_UNITS}
        return value if value in known.get(name, (value,)) else default

    def set(self, name: str, value: Any) -> None:
        """Store another value; changes the preferences."""
        if self.get(name) != value:
            self.settings.setValue(f"preferences/{name}", type(DEFAULTS[name])(value))
            choose_separator(self.decimal_comma)
            self.changed.emit(name)

    @property
    def length_unit(self) -> str:
        """The unit of lengths."""
        return self.get("length_unit")

    @property
    def angle_unit(self) -> str:
        """The unit of angles."""
        return self.get("angle_unit")

    @property
    def decimal_comma(self) -> bool:
        """Whether numbers are written with a comma."""
        return self.get("decimal_comma")

    @property
    def theme(self) -> str:
        """One of THEMES."""
        return self.get("theme")

    @property
    def default_step(self) -> float:
        """The step of the integrator in new models [s]."""
        return self.get("default_step")

    @property
    def default_method(self) -> str:
        """The integrator of new models."""
        return self.get("default_method")

    def unit(self, si_unit: str) -> str:
        """The unit in which this user reads quantities of the given SI unit."""
        length, angle, spin = self.length_unit, self.angle_unit, self.get("spin_unit")
        force, mass = self.get("force_unit"), self.get("mass_unit")
        small = "mm" if length == "mm" else "m"
        return {
            "m": length,
            "m/s": f"{length}/s",
            "rad": angle,
            "rad/s": spin,
            "rad/s^2": "deg/s^2" if spin == "deg/s" else "rad/s^2",
            "kg": mass,
            "N": force,
            "N/m": f"N/{small}",
            "N s/m": f"N s/{small}",
        }.get(si_unit, si_unit)

    def unit_text(self, si_unit: str) -> str:
        """The unit this user sees, as it is printed: m/s², kg·m²."""
        return pretty(self.unit(si_unit))

    def shown(
        self, value_si: float, unit: str, digits: int = DIGITS, scale_si: float = 0.0
    ) -> tuple[str, str]:
        """The text of a value and of its unit, as this user reads them; noise beside the scale is 0."""
        wanted = self.unit(unit)
        factor = unit_factor(wanted)
        return self.digits(value_si / factor, digits, scale_si / factor), wanted

    def digits(self, value: float, digits: int = DIGITS, scale: float = 0.0) -> str:
        """A plain number with a few digits and the right separator; noise beside its scale is 0."""
        return written(value, digits, scale)

    def parse(self, text: str, unit: str, model: "Model", element: Any = None) -> "Number":
        """The number in SI units in a typed text, or an expression of parameters unchanged.

        A point on a body may also use the sizes of its shape. A number without a unit is in the unit the
        user sees. EngineError says what is wrong.
        """
        from engine.errors import EngineError
        from engine.formulas.expressions import names, parse, value, written_unit
        from engine.formulas.resolve import known_values
        from engine.formulas.units import same_dimension

        plain = self.without_comma(text)
        if not plain.strip():
            raise EngineError(_tr("Give a number."))
        expression = parse(plain)
        written = written_unit(expression)
        if written and not any(same_dimension(written, one) for one in unit.split(" or ")):
            wanted = self.unit(unit) or _tr("no unit")
            raise EngineError(
                _tr("This is measured in {0}, but '{1}' is in {2}.").format(
                    wanted, text.strip()[:40], written
                )
            )
        if names(expression):
            value(expression, known_values(model, element))
            return plain.strip()
        number = value(expression, {})
        has_unit = any(op == "unit" for op, _ in expression.code)
        return number if has_unit else number * unit_factor(self.unit(unit))

    def without_comma(self, text: str) -> str:
        """The text in the language of expressions, with decimal points."""
        from engine.errors import EngineError

        if self.decimal_comma:
            return re.sub(r"(?<=\d),(?=\d)", ".", text).replace(";", ",")
        if re.fullmatch(r"\s*[-+]?\d+,\d+\s*\D*", text):
            raise EngineError(
                _tr(
                    "Write {0} with a point, or choose the decimal comma in the preferences."
                ).format(text.strip().replace(",", "."))
            )
        return text


def pretty(unit: str) -> str:
    """A unit as it is printed."""
    text = unit.replace("^2", "²").replace("^3", "³")
    return text if " or " in text else text.replace(" ", "·").replace("deg", "°")


@functools.lru_cache(maxsize=256)
def unit_factor(unit: str) -> float:
    """The factor from a unit to SI; 1 for texts such as 'm or rad'."""
    from engine.formulas.units import unit as known_unit

    return 1.0 if " or " in unit else known_unit(unit).factor


def _tr(text: str) -> str:
    return QCoreApplication.translate("Preferences", text)


def length_text(metres: float, preferences: Preferences | None = None) -> str:
    """A length as text: in the unit of the user, or of metres in the one that makes it short."""
    if preferences is not None and preferences.length_unit != "m":
        return " ".join(preferences.shown(metres, "m", 4))
    for least, factor, unit in ((1000.0, 1e-3, "km"), (1.0, 1.0, "m"), (1e-3, 1e3, "mm")):
        if abs(metres) >= least * (1.0 - 1e-9):
            return f"{written(metres * factor, 4)} {unit}"
    return f"{written(metres * 1e6, 4)} µm"
