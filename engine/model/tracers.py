"""Tracers: points whose path is drawn. They exert no forces and constrain nothing."""

from dataclasses import dataclass
from typing import ClassVar

from engine.model.elements import Element, Id
from engine.model.fields import Number, number, ref, text


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracer(Element):
    """Draws the path of a marker during a run, like a pen attached to its body."""

    kind: ClassVar[str] = "tracer"
    family: ClassVar[str] = "tracer"
    marker: Id = ref("marker", help="The point that leaves the trail.")
    color: str = text(help="As #rrggbb; empty: that of the body.")
    seconds: Number | None = number(
        None, unit="s", above=0.0, help="How long the trail stays; empty: for the whole run."
    )
