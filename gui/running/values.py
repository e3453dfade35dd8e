"""How lists and reports write the values of a model: with the digits and in the units of the user."""

from typing import Any

from PySide6.QtCore import QCoreApplication

from engine.model.fields import Polyline
from gui.state.numbers import listed, written
from gui.state.preferences import Preferences, pretty, unit_factor

_ROUNDING = 1e-14  # smaller lengths and angles are rounding errors
LONGEST = 6  # numbers of a list that is written


class Values:
    """Writes values; without preferences in SI units."""

    def __init__(self, preferences: Preferences | None = None) -> None:
        self.preferences = preferences

    def said(self, value: Any, unit: str = "") -> str:
        """A value with its unit; formulas and words as they are, long lists by their length."""
        text = self._text(value, unit)
        is_plain = isinstance(value, bool) or (
            isinstance(value, tuple) and not text.startswith("(")
        )
        return text if is_plain else self.with_unit(text, value, unit)

    def with_unit(self, text: str, value: Any, unit: str) -> str:
        """A text before its unit; that of a formula is the one of the model."""
        own = unit if isinstance(value, str) or not unit else self._unit(unit)
        return f"{text} {pretty(own)}".rstrip()

    def _unit(self, unit: str) -> str:
        return unit if self.preferences is None else self.preferences.unit(unit)

    def _text(self, value: Any, unit: str) -> str:
        """A value alone."""
        if isinstance(value, bool):
            return _tr("yes") if value else _tr("no")
        if isinstance(value, int | float):
            return self._number(value, unit)
        if isinstance(value, tuple):
            if len(value) > LONGEST or any(isinstance(part, tuple) for part in value):
                lines = isinstance(value, Polyline)
                words = (
                    _tr("table of {0} points, straight lines")
                    if lines
                    else _tr("table of {0} points")
                )
                return words.format(len(value))
            return listed(self._text(part, unit) for part in value)
        return str(value)

    def _number(self, value: float, unit: str) -> str:
        number = float(value) if abs(value) > _ROUNDING else 0.0
        factor = unit_factor(self._unit(unit)) if unit else 1.0
        return written(number / factor)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Report", text)
