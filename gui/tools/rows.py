"""Tools with a standard gesture: they are declared on the class of their element."""

from collections.abc import Mapping

from engine.model.catalogue import ELEMENTS
from engine.model.elements import Element
from engine.model.making import Gesture, Making
from gui.tools.base import Tool


def made_tool(base: type[Tool], element: type[Element], making: Making) -> type[Tool]:
    """The tool of a gesture that makes one kind of element, with the words of its declaration."""
    in_joint = [kind for kind in (getattr(element, "in_joint", ""),) if kind]
    row = {
        "__doc__": f"Makes elements of the kind '{element.kind}'.",
        "__module__": base.__module__,
        "element": element,
        "making": making,
        "makes": (element.kind, *in_joint),
        "name": element.kind,
        "icon": element.kind,
        "title": making.title,
        "letter": making.key,
        "group": making.group,
        "help": making.help,
        "opening": making.opening,
    }
    return type(f"{element.__name__}Tool", (base,), row)


def tools_of(
    dim: int,
    group: str,
    gestures: Mapping[Gesture, type[Tool]],
    own: Mapping[type[Element], type[Tool]],
) -> tuple[type[Tool], ...]:
    """The tools of a group in the order of the catalogue, declared ones and special ones."""
    found: list[type[Tool]] = []
    for element in ELEMENTS:
        here = [making for making in element.making if dim in making.dims and dim in element.dims]
        for making in here:
            found.append(made_tool(own.get(element, gestures[making.gesture]), element, making))
        if element in own and not here:
            found.append(own[element])
    return tuple(tool for tool in found if tool.group == group)
