"""Points that are tied to the shape of their body: its ends, corners and rims, and so far from an end.

    end of a rod           "shape.length/2"            corner of a box     "shape.width/2", "shape.height/2"
    50 mm before the end   "shape.length/2 - 0.05"     corner of a plate   "shape.x2", "shape.y2"
    rim of a disc          "0.6*shape.radius", "0.8*shape.radius"

A tied point follows the sizes; every other coordinate stays a number. The middle needs no tie.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot
from typing import Any

from engine.errors import EngineError, say
from engine.formulas.resolve import resolved_alone, resolved_shape
from engine.formulas.sizes import is_tied, sizes_used
from engine.model.elements import Id, Model, put
from engine.model.fields import Number, Vector
from engine.model.shapes import Polygon, Polyline

SAME = 1e-9  # of the size: a point this near to an end is at the end
NOISE = 1e-15  # of the larger coordinate of a point: rounding errors of a turned body
BLOCKS = {  # the sizes along x, y and z of shapes whose ends and corners are half a size away
    "rod": ("length", "width", "thickness"),
    "beam": ("length", "width", "thickness"),
    "box": ("width", "height", "thickness"),
    "cylinder": ("", "", "length"),
    "capsule": ("", "", "length"),
}
ROUND = {
    "disc": 2,
    "cylinder": 2,
    "sphere": 3,
}  # how many coordinates make the distance from the middle


def with_points_tied(model: Model, markers: Sequence[Id]) -> Model:
    """The model in which these points are tied to their shapes, where a tie fits."""
    changed = [new for id in markers if (new := tied_point(model, model[id])) is not model[id]]
    return put(model, *changed) if changed else model


def tied_point(model: Model, marker: Any) -> Any:
    """The marker tied to the shape of its body; the same object where no tie fits."""
    body = model.elements.get(marker.body)
    if getattr(body, "shape", None) is None or any(isinstance(x, str) for x in marker.position):
        return marker
    try:
        shape = resolved_shape(model, body)
    except EngineError:
        return marker  # what is wrong with the body is told elsewhere
    place = _tied(shape, marker.position)
    if not sizes_used(place):
        return marker
    least = NOISE * max(abs(x) for x in marker.position)
    clean = tuple(x if isinstance(x, str) or abs(x) > least else 0.0 for x in place)
    return replace(marker, position=clean)


def untied(model: Model, markers: Sequence[Id]) -> Model:
    """The model in which these points are at the numbers that their formulas have now."""
    chosen = [model[id] for id in markers if id in model and is_tied(model[id])]
    numbers = [replace(m, position=resolved_alone(model, m).position) for m in chosen]
    return put(model, *numbers) if numbers else model


def tied_anew(before: Model, after: Model, body: Id) -> Model:
    """The model after a body got another shape: its points stay, tied to the new one where that fits."""
    own = [m.id for m in after.of("marker") if m.body == body]
    loose = [id for id in own if id in before and is_tied(before[id])]
    plain = [replace(after[id], position=untied(before, [id])[id].position) for id in loose]
    return with_points_tied(put(after, *plain) if plain else after, own)


def words_of_tie(model: Model, marker: Any) -> str:
    """What a tied point is called, such as "end B of coupler"; empty if it is not tied."""
    used = sizes_used(marker.position)
    body = model.elements.get(marker.body)
    if not used or body is None or getattr(body, "shape", None) is None:
        return ""
    corners = sorted(name for name in used if name[-1].isdigit())
    if corners:
        return say("corner {n} of {body}", n=corners[0].removeprefix("shape.x"), body=body.label)
    if "shape.radius" in used:
        return say("rim of {body}", body=body.label)
    if len(used) > 1:
        return say("corner of {body}", body=body.label)
    if used != {"shape.length"}:
        return say("edge of {body}", body=body.label)
    return _words_of_end(model, marker, body)


def _words_of_end(model: Model, marker: Any, body: Any) -> str:
    """The words for a point on the axis of a rod or cylinder: at an end, or so far from it."""
    try:
        half = resolved_alone(model, body).shape.length / 2.0
        place = resolved_alone(model, marker).position
    except EngineError:
        return ""
    x = next(at for at, written in zip(place, marker.position) if isinstance(written, str))
    side = "B" if x > 0.0 else "A"
    if abs(abs(x) - half) <= SAME * half:
        return say("end {side} of {body}", side=side, body=body.label)
    return say("fixed distance from end {side} of {body}", side=side, body=body.label)


def _tied(shape: Any, place: Vector) -> Vector:
    """The coordinates of a point in the frame of its body, tied to a shape in numbers where that fits."""
    if isinstance(shape, Polygon | Polyline):
        return _at_corner(shape, place)
    tied = list(place)
    rim = ROUND.get(shape.kind, 0)
    if rim:
        tied[:rim] = _on_rim(shape.radius, place[:rim])
    for axis, name in enumerate(BLOCKS.get(shape.kind, ())[: len(place)]):
        if name:
            is_on_shaft = shape.shaft == axis and _is_on_axis(place, axis, getattr(shape, name))
            tied[axis] = _at_end(name, getattr(shape, name), place[axis], is_on_shaft)
    return tuple(tied)


def _at_end(name: str, size: float, x: Any, is_on_shaft: bool) -> Number:
    """A coordinate at half a size from the middle or, on the axis of a slender shape, so far from it."""
    half = size / 2.0
    if not half > 0.0 or abs(x) <= SAME * half:
        return x
    end = f"shape.{name}/2"
    if abs(abs(x) - half) <= SAME * half:
        return end if x > 0.0 else f"-{end}"
    if not is_on_shaft:
        return x
    rest = _short(half - abs(x), 1e-14 * half)
    if x > 0.0:
        return f"{end} - {rest!r}" if rest > 0.0 else f"{end} + {-rest!r}"
    return f"{rest!r} - {end}" if rest > 0.0 else f"-{end} - {-rest!r}"


def _short(x: float, tolerance: float) -> float:
    """The number with the fewest digits this near to another."""
    rounded = (float(f"{x:.{digits}g}") for digits in range(1, 17))
    return next((one for one in rounded if abs(one - x) <= tolerance), x)


def _is_on_axis(place: Vector, axis: int, size: float) -> bool:
    """Whether a point lies on an axis of its body."""
    return all(abs(x) <= SAME * size for k, x in enumerate(place) if k != axis)  # type: ignore[arg-type]


def _on_rim(radius: float, place: Any) -> tuple[Number, ...]:
    """Coordinates as shares of the radius, if the point lies on the rim."""
    if abs(hypot(*place) - radius) > SAME * radius:
        return tuple(place)
    return tuple(_share(float(f"{x / radius:.15g}")) for x in place)


def _share(share: float) -> Number:
    """A share of the radius as text; zero stays a number."""
    if abs(share) <= SAME:
        return 0.0
    if abs(share) == 1.0:
        return "shape.radius" if share > 0.0 else "-shape.radius"
    return f"{share!r}*shape.radius"


def _at_corner(shape: Any, place: Vector) -> Vector:
    """The coordinates of the corner of a plate or of bars that is at a point."""
    reach = max(abs(x) for corner in shape.points for x in corner)
    for n, corner in enumerate(shape.points, 1):
        if max(abs(a - b) for a, b in zip(place, corner)) <= SAME * reach:
            return (*(f"shape.{axis}{n}" for axis, _ in zip("xyz", corner)), *place[len(corner) :])
    return place
