"""A method of the builder for every kind of joint and force, made from its declaration."""

from collections.abc import Callable
from dataclasses import fields
from inspect import Parameter, Signature, getdoc
from typing import Any

from engine.editing.builder.connecting import Connections
from engine.model.attachments import Attachment, attachment
from engine.model.elements import Element, Id
from engine.model.making import Gesture

OWN = ("id", "name")  # fields that every element has


def general_method(kind: type[Element]) -> tuple[Callable[..., Id], tuple[str, ...]]:
    """The method of the builder that makes a kind, and the names of its arguments by place."""
    gestures = {making.gesture for making in kind.making}
    if attachment(kind) is Attachment.ON_JOINT:
        return Connections.on_joint, ("joint",)
    if attachment(kind) is Attachment.AT_MARKER:
        return Connections.at_marker, ("body", "at")
    if Gesture.ON_SHAFTS in gestures:
        return Connections.on_shafts, ("body_i", "body_j", "at", "axis_i", "axis_j")
    if attachment(kind) is Attachment.OVER_A_MARKER:
        return Connections.over, ("end_i", "pulley", "end_j")
    if Gesture.BETWEEN in gestures:
        return Connections.between, ("end_i", "end_j")
    return Connections.joint, ("body_i", "body_j", "at")


def named_method(kind: type[Element]) -> Callable[..., Id]:
    """The method that makes elements of a kind, with documentation and arguments from its declaration."""
    general, places = general_method(kind)

    def method(self: Connections, *ends: Any, **fields: Any) -> Id:
        return general(self, kind, *ends, **fields)

    method.__name__ = kind.kind
    method.__qualname__ = f"Mechanism.{kind.kind}"
    method.__doc__ = f"{getdoc(kind)}\n\n{getdoc(general)}"
    method.__signature__ = _signature(kind, general, places)  # type: ignore[attr-defined]
    return method


def _signature(kind: type[Element], general: Any, places: tuple[str, ...]) -> Signature:
    """The arguments by place, then those by name: of the general method, and the fields of the kind."""
    by_place = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", *places)]
    known = Signature.from_callable(general).parameters.values()
    by_name = [p for p in known if p.kind is Parameter.KEYWORD_ONLY]
    own = [f for f in fields(kind) if f.metadata.get("role") != "ref" and f.name not in OWN]
    by_name += [Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default) for f in own]
    rest = Parameter("fields", Parameter.VAR_KEYWORD)
    return Signature([*by_place, *by_name, rest], return_annotation=Id)
