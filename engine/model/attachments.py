"""What an element is attached to, by the references among its fields."""

from enum import Enum
from functools import cache
from typing import Any

from engine.model.connections import Coordinate
from engine.model.elements import Element, Id, class_of, planar, spatial
from engine.model.fields import declared
from engine.model.forces.base import Force
from engine.model.joints.base import Joint


class Attachment(Enum):
    """The families of the elements that an element refers to, in order."""

    NOTHING = ()
    ON_BODY = ("body",)
    AT_MARKER = ("marker",)
    BETWEEN_MARKERS = ("marker", "marker")
    OVER_A_MARKER = ("marker", "marker", "marker")
    ON_JOINT = ("joint",)
    BETWEEN_JOINTS = ("joint", "joint")


def attachment(element: Element | type[Element]) -> Attachment:
    """What an element, or every element of a class, is attached to."""
    return _attachment(class_of(element))


def markers_of(element: Element) -> list[Id]:
    """The markers an element refers to, in the order of its fields."""
    return _referred(element, "marker")


def joints_of(element: Element) -> list[Id]:
    """The joints an element refers to, in the order of its fields."""
    return _referred(element, "joint")


def reads_axes(element: Element | type[Element], dim: int) -> tuple[bool, bool]:
    """Whether the axes of marker i, and those of marker j, matter to a joint or force as first made.

    A point mass has no axes: it cannot carry a marker whose axes matter.
    """
    return _reads_axes(class_of(element), dim)


def _referred(element: Element, family: str) -> list[Id]:
    return [
        getattr(element, f.name) for f in declared(element) if f.metadata.get("family") == family
    ]


@cache
def _attachment(kind: type[Element]) -> Attachment:
    return Attachment(tuple(f.metadata["family"] for f in declared(kind) if "family" in f.metadata))


@cache
def _reads_axes(kind: type[Element], dim: int) -> tuple[bool, bool]:
    used = _coordinates(kind, dim) if attachment(kind) is Attachment.BETWEEN_MARKERS else []
    return any(max(c.axes[:2]) >= 0 for c in used), any(c.axes[2] >= 0 for c in used)


def _coordinates(kind: Any, dim: int) -> list[Coordinate]:
    """The coordinates of marker j seen from marker i that a joint holds or a force follows."""
    one, model = kind(id="one", marker_i="i", marker_j="j"), planar() if dim == 2 else spatial()
    if isinstance(one, Joint):
        return [c for row in one.rows(model) for _, c in row.terms]
    return [law.coordinate for law in one.laws(model)] if isinstance(one, Force) else []
