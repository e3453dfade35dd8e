"""All kinds of elements, as one tuple."""

from difflib import get_close_matches

from engine.errors import EngineError, say
from engine.model.bodies import (
    PlanarBody,
    PlanarMarker,
    PlanarParticle,
    SpatialBody,
    SpatialMarker,
    SpatialParticle,
)
from engine.model.elements import Element, Parameter
from engine.model.forces import FORCES
from engine.model.joints import JOINTS, Motion
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger

ELEMENTS: tuple[type[Element], ...] = (
    Parameter,
    PlanarBody,
    SpatialBody,
    PlanarParticle,
    SpatialParticle,
    PlanarMarker,
    SpatialMarker,
    *JOINTS,
    Motion,
    *FORCES,
    Tracer,
    Trigger,
)


def element_class(kind: str, dim: int) -> type[Element]:
    """The class of this kind in the plane (dim 2) or in space (dim 3), or an EngineError."""
    for element in ELEMENTS:
        if element.kind == kind and dim in element.dims:
            return element
    here, elsewhere = ("the plane", "space") if dim == 2 else ("space", "the plane")
    if any(element.kind == kind for element in ELEMENTS):
        raise EngineError(
            "The kind '{kind}' exists in {elsewhere} only, not in {here}.",
            kind=kind,
            elsewhere=elsewhere,
            here=here,
        )
    raise EngineError(
        "There is no kind '{kind}' in {here}{suggestion}",
        kind=kind[:40],
        here=here,
        suggestion=suggestion(kind, kinds(dim)),
    )


def kinds(dim: int) -> tuple[str, ...]:
    """The kinds that exist in the plane (dim 2) or in space (dim 3), in the order of the tuple."""
    return tuple(dict.fromkeys(e.kind for e in ELEMENTS if dim in e.dims))


def suggestion(word: str, known: tuple[str, ...]) -> str:
    """The end of a sentence about an unknown word: the nearest known one, or all if few."""
    if near := get_close_matches(word[:40], known, n=1):
        return say("; did you mean '{near}'?", near=near[0])
    return say("; there are {listed}.", listed=", ".join(known)) if 0 < len(known) <= 12 else "."
