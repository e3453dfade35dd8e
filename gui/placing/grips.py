"""Where elements are grabbed and how they guide, derived from their declarations.

Neither stage keeps lists of kinds: what an element is attached to, what a joint leaves free and what a
force gives decide. A new joint or force is picked, snapped to and placed by being declared.
"""

from enum import Enum, auto
from functools import cache
from typing import Any

from engine.errors import EngineError
from engine.kernels.layout import DISTANCE, FORCE
from engine.model.attachments import Attachment, attachment
from engine.model.connections import joint_coordinate
from engine.model.elements import Element, Id, Model, class_of, planar
from engine.model.forces.base import Force
from engine.model.forces.springs import SpringDamper
from engine.model.joints import Rod
from engine.model.joints.freedom import freedom


class Grip(Enum):
    """By which part of its drawing an element is grabbed."""

    NOTHING = auto()  # it is not drawn
    BODY = auto()  # its shape
    PIN = auto()  # the points of a joint
    DOT = auto()  # a point
    RING = auto()  # what is drawn around a point
    ARROW = auto()  # the arrow of a given force
    LINE = auto()  # what reaches from one marker to the other
    COIL = auto()  # the same, as wide as a spring


def grip(element: Element | type[Element]) -> Grip:
    """How an element, or every element of a class, is grabbed."""
    return _grip(class_of(element))


@cache
def _grip(kind: type[Element]) -> Grip:
    held = attachment(kind)
    if kind.family == "body":
        return Grip.BODY
    if kind.family in ("marker", "tracer"):
        return Grip.DOT
    if kind.family == "joint":
        return Grip.LINE if issubclass(kind, Rod) else Grip.PIN
    if kind.family == "trigger":
        return Grip.LINE
    if held is Attachment.AT_MARKER:
        return Grip.ARROW if _gives_force(kind) else Grip.RING
    if held is Attachment.BETWEEN_MARKERS:
        wide = Grip.COIL if issubclass(kind, SpringDamper) else Grip.LINE
        return wide if _is_along_line(kind) else Grip.RING
    if held is Attachment.OVER_A_MARKER:
        return Grip.LINE
    return Grip.RING if held is Attachment.ON_JOINT else Grip.NOTHING


def _gives_force(kind: Any) -> bool:
    """Whether a force at a marker gives a force, not a torque alone."""
    one = kind(id="one", marker_i="i")
    return any(load.kind == FORCE for load in one.loads(planar()))


def _is_along_line(kind: Any) -> bool:
    """Whether a force as first made acts along the line between its markers."""
    one = kind(id="one", marker_i="i", marker_j="j")
    laws = one.laws(planar()) if isinstance(one, Force) else ()
    return any(law.coordinate.kind == DISTANCE for law in laws)


def ring_marker(model: Model, element: Any, end: str = "marker_j") -> Id:
    """The marker around which the ring of an element is drawn: its own, or the given one of its joint."""
    if attachment(element) is Attachment.ON_JOINT:
        return getattr(model.elements.get(element.joint), end, "")
    return str(element.marker_i)


def keeps_direction(joint: Element, dim: int) -> bool:
    """Whether a joint keeps an axis of the drawing's space the same on both of its markers."""
    return bool(set(freedom(joint, dim).aligned) & set(range(dim)))


def is_slider(joint: Element, dim: int) -> bool:
    """Whether something slides along an axis that both of its markers keep."""
    found = freedom(joint, dim)
    return found.rail is not None and keeps_direction(joint, dim)


def is_along_length(model: Model, element: Any) -> bool:
    """Whether an element on a joint acts on a length there, not an angle."""
    try:
        found = joint_coordinate(model, element.joint, element.coordinate, element.id)
    except (EngineError, KeyError):
        return False
    return not found.is_angle
