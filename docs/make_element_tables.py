"""Write docs/elements.md: every kind of element and shape, from its declaration in the engine.

.venv/bin/python docs/make_element_tables.py
"""

import inspect
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from engine.kernels.layout import ANGLE
from engine.model.catalogue import ELEMENTS
from engine.model.elements import Element, Model, Parameter, Settings
from engine.model.forces import FORCES
from engine.model.joints import JOINTS, Motion
from engine.model.shapes import SHAPES
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger

PAGE = Path(__file__).parent / "elements.md"
PLACES = {(2,): "in the plane", (3,): "in space", (2, 3): "in the plane and in space"}
SHORT = {(2,): "plane", (3,): "space", (2, 3): "both"}
IDENTITY = ("id", "name")  # every element has them; the head of the page says so

HEAD = """# Elements

<!-- Written by docs/make_element_tables.py from the declarations in the engine. Do not edit by hand. -->

Every kind of element that a model can hold, with its equations and its fields. Each has an `id`, by
which others refer to it, and a `name`, which is shown. A *number* may be an expression of parameters
(`"2*l_crank"`, `"30 mm"`), a *function* also a table of points. Units are SI and radians.
"""


def page() -> str:
    """The whole page."""
    families: dict[str, tuple[Any, ...]] = {
        "Parameters": (Parameter,),
        "Bodies": tuple(e for e in ELEMENTS if e.family == "body"),
        "Markers": tuple(e for e in ELEMENTS if e.family == "marker"),
        "Joints": JOINTS,
        "Motion": (Motion,),
        "Forces": FORCES,
        "Tracers": (Tracer,),
        "Events": (Trigger,),
    }
    parts = [HEAD]
    for title, elements in families.items():
        parts.append(f"## {title}\n")
        parts += [element_section(element) for element in elements]
    parts.append("## Shapes\n\nThe `shape` of a body is one of these.\n")
    parts += [section(shape) for shape in SHAPES]
    parts.append("## Settings\n\nHow a model is run; the key `settings` of its file.\n")
    parts.append(field_table(Settings, (2, 3)))
    return "\n".join(parts)


def element_section(element: type[Element]) -> str:
    """The section of an element, with the coordinates of a joint."""
    text = section(element)
    if element.family == "joint" and (lines := coordinate_lines(element)):
        text += f"{lines}\n"
    return text


def section(kind: Any) -> str:
    """Title, description and fields of one kind of element or shape."""
    place = PLACES[kind.dims]
    head = f"### {kind.kind}, {place}\n\n{description(kind)}\n"
    table = field_table(kind, kind.dims)
    return f"{head}\n{table}" if table else head


def description(kind: type) -> str:
    """The docstring as Markdown: words as they are, indented equations as blocks."""
    lines, block = [], False
    for line in inspect.cleandoc(kind.__doc__ or "").splitlines():
        if line.startswith("    ") and not block:
            lines.append("```text")
            block = True
        elif block and line and not line.startswith("    "):
            block = False
            lines.insert(-1 if lines[-1] == "" else len(lines), "```")
        lines.append(line.removeprefix("    ") if block else line)
    if block:
        lines.append("```")
    return "\n".join(lines)


def field_table(kind: Any, dims: tuple[int, ...]) -> str:
    """The fields as a table; empty if there are none. Where each exists is stated if it may differ."""
    rows = [
        (
            f"`{f.name}`",
            value_kind(f.metadata),
            default(f),
            f.metadata.get("unit", ""),
            limits(f.metadata),
            SHORT[tuple(d for d in f.metadata.get("dims", (2, 3)) if d in dims)],
            f.metadata.get("help", ""),
        )
        for f in fields(kind)
        if f.name not in IDENTITY
    ]
    if not rows:
        return ""
    head = ("field", "value", "default", "unit", "limits", "where", "meaning")
    lines = [head, ("---",) * len(head), *rows]
    if len(dims) == 1:
        lines = [(*line[:5], *line[6:]) for line in lines]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines)


def value_kind(described: Any) -> str:
    """What may be written in a field."""
    role = described["role"]
    if role == "vector":
        return f"{described['size']} numbers"
    if role == "function":
        return f"function of {', '.join(described['of'])}"
    if role == "ref":
        return f"id of a {described['family']}"
    if role == "choice":
        return "one of " + ", ".join(described["choices"])
    return {
        "flag": "true or false",
        "points": "list of points",
        "faces": "list of triples",
        "matrix": "rows of numbers",
    }.get(role, role)


def default(described: Any) -> str:
    """The default as it is written in a file; empty if there is none worth showing."""
    value = described.default
    if value is MISSING or value is None or value == "" or value == ():
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(
            f"({default_point(v)})" if isinstance(v, tuple) else f"{v:g}" for v in value
        )
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def default_point(point: tuple[float, ...]) -> str:
    """The numbers of a point."""
    return ", ".join(f"{number:g}" for number in point)


def limits(described: Any) -> str:
    """The limits of a number in signs."""
    signs = {"above": ">", "low": "≥", "high": "≤"}
    told = [f"{s} {described[n]:g}" for n, s in signs.items() if described.get(n) is not None]
    return ", ".join(told)


def coordinate_lines(joint: Any) -> str:
    """The coordinates of a joint that motions, forces and plots can use."""
    told: dict[int, str] = {}
    for dim in joint.dims:
        found = joint(id="joint").coordinates(Model(dim=dim)).items()
        names = (f"`{name}` [{'rad' if c.kind == ANGLE else 'm'}]" for name, c in found)
        told[dim] = ", ".join(names)
    if len(set(told.values())) == 1:
        words = next(iter(told.values()))
        return f"\nCoordinates: {words}." if words else ""
    here = ((PLACES[(dim,)], words or "none") for dim, words in told.items())
    return "\nCoordinates: " + "; ".join(f"{place} {words}" for place, words in here) + "."


def cell(text: str) -> str:
    """Text inside a table."""
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
