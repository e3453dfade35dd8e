"""Methods and stabilisations in the language of the user."""

from PySide6.QtCore import QCoreApplication

from engine.model.methods import (
    AUTO,
    AUTO_TITLE,
    AUTO_USE,
    BY_NAME,
    COORDINATES,
    METHODS,
    STABILISATIONS,
)


def method_title(name: str) -> str:
    """What lists call a method."""
    if name == AUTO:
        return said(AUTO_TITLE)
    return said(BY_NAME[name].title) if name in BY_NAME else name.replace("_", " ")


def method_short(name: str) -> str:
    """What strips and titles call a method."""
    if name == AUTO:
        return said(AUTO)
    return said(BY_NAME[name].short) if name in BY_NAME else name.replace("_", " ").upper()


def method_choices(names: tuple[str, ...]) -> list[tuple[str | None, str, str]]:
    """Value, words and help of these methods, group by group; a heading has None for its value."""
    listed: list[tuple[str | None, str, str]] = []
    if AUTO in names:
        listed.append((AUTO, method_title(AUTO), said(AUTO_USE)))
    group = ""
    for method in METHODS:
        if method.name in names:
            if method.group != group:
                group = method.group
                listed.append((None, said(group), ""))
            listed.append((method.name, method_title(method.name), said(method.use)))
    return listed


def stabilisation_title(name: str) -> str:
    """What lists call a stabilisation."""
    return next((said(one.title) for one in STABILISATIONS if one.name == name), "")


def coordinate_choices(names: tuple[str, ...]) -> list[tuple[str | None, str, str]]:
    """Value, words and help of these coordinates."""
    return [(one.name, said(one.title), said(one.use)) for one in COORDINATES if one.name in names]


def stabilisation_choices(names: tuple[str, ...]) -> list[tuple[str | None, str, str]]:
    """Value, words and help of these stabilisations."""
    return [
        (one.name, said(one.title), said(one.use)) for one in STABILISATIONS if one.name in names
    ]


def is_adaptive(method: str) -> bool:
    """Whether a method chooses its steps itself; `auto` may do either."""
    return method in BY_NAME and not BY_NAME[method].is_fixed


def said(text: str) -> str:
    """Words of the catalogue of methods in the language of the user."""
    return QCoreApplication.translate("Methods", text) if text else ""
