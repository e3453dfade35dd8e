"""Sentences of the engine in the language of the user.

The engine speaks English, but its sentences carry the template and the arguments they were made from. The
template is looked up in the context "Engine" and filled again; arguments that are sentences themselves are
treated alike. Text without a translation stays English.
"""

from typing import Any

from PySide6.QtCore import QCoreApplication

from engine.errors import Length, Sentence
from gui.look.translation import separated


def said(sentence: str, preferences: Any = None) -> str:
    """A sentence of the engine in the language of the user, and in the units of preferences if given."""
    if not isinstance(sentence, Sentence):
        return sentence
    template = QCoreApplication.translate("Engine", sentence.template)
    if not sentence.arguments:
        return template
    arguments = {name: _argument(value, preferences) for name, value in sentence.arguments.items()}
    try:
        return template.format(**arguments)
    except (IndexError, KeyError, ValueError):  # the translation names a place that does not exist
        return str(sentence)


def length_said(length: float, preferences: Any) -> str:
    """A length of a sentence in the unit of the user; one who uses metres reads small ones in mm."""
    if preferences is None or preferences.length_unit == "m":
        unit, shown = ("mm", 1e3 * length) if length < 1.0 else ("m", length)
        return f"{preferences.digits(shown, 3)} {unit}" if preferences else f"{Length(length)}"
    return " ".join(preferences.shown(length, "m", 3))


def _argument(value: Any, preferences: Any) -> Any:
    """An argument of a sentence as the user reads it."""
    if isinstance(value, Sentence):
        return said(value, preferences)
    if isinstance(value, Length):
        return length_said(value, preferences)
    return _Number(value) if isinstance(value, float) else value


class _Number(float):
    """A number in a sentence: its template says how many digits, the user with which separator."""

    def __format__(self, spec: str) -> str:
        """The number with the separator of the user."""
        return separated(super().__format__(spec))
