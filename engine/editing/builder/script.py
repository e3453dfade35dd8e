"""A model as the text of a program that builds it.

The program declares every element with those fields that differ from their defaults. A parameter is a
variable of its own name, which stands for it in the numbers that follow.
"""

import keyword
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any

from engine.model.elements import Model
from engine.model.fields import Polyline

WIDE = 100  # columns of a line
OWN_NAMES = ("kardan", "m", "replace", "print")  # of the program itself
INDENT = "    "


class Script:
    """The text of a program, with the classes that it imports and the parameters it has named."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._classes: dict[str, str] = {}  # the module of each class by its name
        self._named: set[str] = set()
        self._taken: set[str] = set()

    def text(self) -> str:
        """The whole program."""
        self._taken.update(OWN_NAMES)
        list(self._body())  # finds out what is imported, which no variable may hide
        self._taken.update(self._classes)
        self._named.clear()
        body = list(self._body())
        homes: dict[str, list[str]] = {}
        for name, home in self._classes.items():
            homes.setdefault(home, []).append(name)
        imports = [f"from {home} import {', '.join(sorted(homes[home]))}" for home in sorted(homes)]
        head = [_docstring(self._model), "", "from dataclasses import replace", "", "import kardan"]
        return "\n".join([*head, *imports, "", *body]) + "\n"

    def _body(self) -> Iterator[str]:
        model = self._model
        gravity = self._value(tuple(model.gravity))
        yield f"m = kardan.Mechanism({model.name!r}, dim={model.dim}, gravity={gravity})"
        if changes := list(self._changes(model.settings)):
            yield f"m.settings({', '.join(changes)})"
        for element in model:
            if element.family == "parameter" and self._may_be_variable(element.id):
                more = "".join(f", {c}" for c in self._changes(element) if not _is_own(c))
                value = self._value(element.value)
                yield f"{element.id} = m.parameter({element.id!r}, {value}{more})"
                self._named.add(element.id)
            else:
                yield from self._call("m.add(", element)
        yield from self._rest()
        yield ""
        yield 'if __name__ == "__main__":'
        yield f"{INDENT}print(m.run())"

    def _rest(self) -> Iterator[str]:
        """The description, the view and the picture behind the drawing."""
        model = self._model
        given = {
            name: getattr(model, name)
            for name in ("description", "background", "view")
            if getattr(model, name) != getattr(Model(), name)
        }
        if given:
            yield "m.model = replace("
            yield f"{INDENT}m.model,"
            for name, value in given.items():
                yield f"{INDENT}{name}={self._value(value)},"
            yield ")"

    def _call(self, begin: str, element: Any) -> Iterator[str]:
        """One element, on one line if it fits."""
        name, changes = self._class(element), list(self._changes(element))
        line = f"{begin}{name}({', '.join(changes)}))"
        if len(line) <= WIDE:
            yield line
            return
        yield f"{begin}"
        yield f"{INDENT}{name}("
        yield from (f"{2 * INDENT}{change}," for change in changes)
        yield f"{INDENT})"
        yield ")"

    def _changes(self, item: Any) -> Iterator[str]:
        """The fields that differ from their defaults, as keyword arguments."""
        for f in fields(item):
            value = getattr(item, f.name)
            if value != f.default or repr(value) != repr(f.default):  # -0.0 is not 0.0
                yield f"{f.name}={self._value(value)}"

    def _value(self, value: Any) -> str:
        """A value as Python writes it."""
        if isinstance(value, str):
            return value if value in self._named else repr(value)
        if isinstance(value, Polyline):
            return f"{self._class(value)}({self._value(tuple(value))})"
        names: tuple[str, ...] = getattr(value, "_fields", ())
        if isinstance(value, tuple) and not names:
            inner = ", ".join(self._value(one) for one in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        if isinstance(value, tuple):  # with names
            parts = (f"{name}={self._value(one)}" for name, one in zip(names, value))
            return f"{self._class(value)}({', '.join(parts)})"
        if is_dataclass(value) and not isinstance(value, type):
            return f"{self._class(value)}({', '.join(self._changes(value))})"
        if isinstance(value, dict | MappingProxyType):
            inner = ", ".join(f"{k!r}: {self._value(v)}" for k, v in value.items())
            return f"{{{inner}}}"
        return repr(value)

    def _class(self, item: Any) -> str:
        """The name of a class, which is imported."""
        kind = type(item)
        self._classes[kind.__name__] = kind.__module__
        return kind.__name__

    def _may_be_variable(self, id: str) -> bool:
        """Whether a parameter can be a variable that hides nothing of the program."""
        return id.isidentifier() and not keyword.iskeyword(id) and id not in self._taken


def script(model: Model) -> str:
    """The program that builds a model; run, it gives the same model as `m.model`."""
    return Script(model).text()


def _docstring(model: Model) -> str:
    """The first line of the program."""
    words = " ".join((model.name or "A mechanism").split()).replace("\\", "/").replace('"', "'")
    return f'"""{words}, as a program."""'


def _is_own(change: str) -> bool:
    """Whether a keyword argument is one that `parameter` takes by place."""
    return change.startswith(("id=", "value="))
