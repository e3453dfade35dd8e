"""A model that grows, and how world points and directions become frames on its bodies."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from itertools import islice
from math import atan2, cos, sin
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.editing.ties import tied_point
from engine.errors import EngineError
from engine.formulas.expressions import parse, to_text, value
from engine.formulas.resolve import parameter_values, resolved_alone
from engine.model.bodies import PlanarMarker, SpatialMarker
from engine.model.elements import (
    GROUND,
    Element,
    Hues,
    Id,
    Model,
    Parameter,
    planar,
    spatial,
)
from engine.model.fields import Number, Polyline, Vector
from rotations import RotationError, quaternion
from rotations.vector import frame_from_axis

if TYPE_CHECKING:
    from engine.results.results import Results

Point = Sequence[Number] | np.ndarray


class Frame(NamedTuple):
    """A place and axes in the world; in the plane the angle is enough."""

    origin: np.ndarray  # (dim,)
    angle: float = 0.0  # plane
    axes: np.ndarray | None = None  # (3, 3) in space
    written: Vector | None = None  # its origin as it was given, if with formulas

    @property
    def place(self) -> Any:
        """Its origin as a model keeps it: the formulas, or the numbers."""
        return self.origin if self.written is None else self.written


class Drawing:
    """A model that grows: what is drawn is added to it; a model that was handed out never changes."""

    _handed_out: Model | None
    _live: Model  # its elements grow
    _elements: dict[Id, Any]
    _parameters: dict[Id, Any]
    names_for_people = False  # ids as forms call elements, pin_1, instead of their kind, revolute_1

    def __init__(self, name: str = "", dim: int = 2, gravity: Point | None = None) -> None:
        if dim not in (2, 3):
            raise EngineError(
                "A mechanism has dim=2 (in the plane) or dim=3 (space), not {dim}.", dim=dim
            )
        self.model = planar(name) if dim == 2 else spatial(name)
        if gravity is not None:
            self.gravity(*gravity)

    @property
    def model(self) -> Model:
        """The model as it is drawn now."""
        if self._handed_out is None:
            elements = MappingProxyType(dict(self._elements))
            self._handed_out = replace(self._live, elements=elements)
        return self._handed_out

    @model.setter
    def model(self, model: Model) -> None:
        """Go on drawing from another model."""
        self._handed_out = model
        self._elements = dict(model.elements)
        self._live = replace(model, elements=MappingProxyType(self._elements))
        self._parameters = {p.id: p for p in model.of("parameter")}
        self._hues = Hues(self._elements.values())
        self._free_numbers: dict[str, int] = {}  # of ids, by stem

    @property
    def dim(self) -> int:
        """2 in the plane, 3 in space."""
        return self._live.dim

    def gravity(self, *g: Number) -> None:
        """Set the acceleration of gravity, world axes [m/s^2]."""
        if len(g) != self.dim:
            raise EngineError(
                "Gravity needs {dim} numbers, but there are {n_g}.", dim=self.dim, n_g=len(g)
            )
        self.model = replace(self.model, gravity=_plain(g))

    def settings(self, **changes: Any) -> None:
        """Change how the model is run: t_end, step, output_step, method, ..."""
        known = set(self.model.settings.__dataclass_fields__)
        if unknown := sorted(changes.keys() - known):
            names = ", ".join(sorted(known))
            raise EngineError(
                "There is no setting '{unknown}'; there are {names}.",
                unknown=unknown[0],
                names=names,
            )
        self.model = replace(self.model, settings=replace(self.model.settings, **changes))

    def parameter(self, name: Id, value: Number, **fields: Any) -> Id:
        """Name a number that any field may use in an expression."""
        self._add(Parameter, id=name, value=value, **fields)
        return name

    def set(self, /, **values: Number) -> None:
        """Give parameters other values; sizes, points and poses follow, with all joints closed.

        EngineError says which joint stays open where no pose closes it; then nothing has changed.
        """
        from engine.editing.edits.sizing import with_values

        self.model = with_values(self.model, **values)

    def run(self, **overrides: Any) -> "Results":
        """Run the model; settings may be given for this run alone."""
        from engine.running.simulate import run

        return run(self.model, **overrides)

    def save(self, path: str | Path) -> None:
        """Write the model to a file."""
        from engine.files.model_files import save

        save(self.model, path)

    def marker(
        self,
        body: Id,
        at: Point,
        *,
        angle: float = 0.0,
        axis: Point | None = None,
        x: Point | None = None,
        **fields: Any,
    ) -> Id:
        """Attach a frame to a body at a world point; directions as in `joint`."""
        return self._glue(body, self._frame(at, angle, axis, x), **fields)

    def add(self, element: Element) -> Id:
        """Put an element into the model as it was declared, in whatever way; changes the model."""
        if element.id in self._elements:
            raise EngineError(
                "There is already a '{id}' in the mechanism; choose another id.",
                element.id,
                id=element.id,
            )
        self._keep(self._hues.given_to(element) if element.family == "body" else element)
        return element.id

    def _add(self, kind: type[Element], stem: str = "", **fields: Any) -> Id:
        """Put a new element into the model; changes the model."""
        id = fields.pop("id", "") or self._fresh_id(stem or self._stem(kind))
        if id in self._elements:
            raise EngineError(
                "There is already a '{id}' in the mechanism; choose another id.", id, id=id
            )
        known = kind.__dataclass_fields__.keys()
        if unknown := sorted(fields.keys() - known):
            names = ", ".join(sorted(known - {"id"}))
            raise EngineError(
                "A {kind} has no '{unknown}'; it has {names}.",
                kind=kind.kind,
                unknown=unknown[0],
                names=names,
            )
        element: Any = kind(id=id, **{k: _plain(v) for k, v in fields.items()})
        self._keep(self._hues.given_to(element) if element.family == "body" else element)
        return id

    def _stem(self, kind: type[Element]) -> str:
        """What ids of a kind begin with: the kind, or the word that people have for it."""
        word = kind.called.get(self.dim, kind.kind) if self.names_for_people else kind.kind
        return re.sub(r"\W", "_", word.lower())

    def _fresh_id(self, stem: str) -> Id:
        """The first free id of the form stem_1, stem_2, ...; as nothing is taken away, it goes on."""
        n = self._free_numbers.get(stem, 1)
        while f"{stem}_{n}" in self._elements:
            n += 1
        self._free_numbers[stem] = n
        return f"{stem}_{n}"

    def _keep(self, element: Any) -> None:
        """Put an element into the model, perhaps in place of an older one."""
        self._elements[element.id] = element
        if element.family == "parameter":
            self._parameters[element.id] = element
        self._handed_out = None

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """What is added within stays only if nothing raises an EngineError."""
        count, handed_out = len(self._elements), self._handed_out
        try:
            yield
        except EngineError:
            first = dict(islice(self._elements.items(), count))
            before = replace(self._live, elements=MappingProxyType(first))
            self.model = handed_out or before
            raise

    def _glue(self, body: Id, frame: Frame, **fields: Any) -> Id:
        """A marker on a body at a frame of the world, as drawn, tied to its shape; changes the model."""
        origin, angle, axes, _ = self._pose(body)
        apart = frame.origin - origin
        if self.dim == 2:
            c, s = cos(angle), sin(angle)
            place = (c * apart[0] + s * apart[1], c * apart[1] - s * apart[0])
            turn = frame.angle - angle
            id = self._add(PlanarMarker, body=body, position=place, angle=turn, **fields)
        else:
            assert axes is not None and frame.axes is not None
            turned = quaternion.from_matrix(axes.T @ frame.axes)
            at = axes.T @ apart
            id = self._add(SpatialMarker, body=body, position=at, orientation=turned, **fields)
        marker = self._elements[id]
        if body == GROUND and frame.written is not None:
            marker = replace(marker, position=frame.written)
        self._keep(tied_point(self._known_to(body), marker))
        return id

    def _known_to(self, body: Id) -> Model:
        """The body alone, with the parameters that its formulas may use."""
        known = self._parameters | {id: self._elements[id] for id in (body,) if id != GROUND}
        return replace(self._live, elements=MappingProxyType(known))

    def _pose(self, id: Id) -> Frame:
        """Where a body is drawn."""
        if id == GROUND:
            return Frame(np.zeros(self.dim), 0.0, np.eye(3))
        body = self._elements.get(id)
        if body is None or body.family != "body":
            raise EngineError("There is no body '{id}' in the mechanism; draw it first.", id=id)
        if any(isinstance(n, str) for n in _place_of(body)):
            body = resolved_alone(self._live, body)
        origin = np.array(body.position, dtype=float)
        if self.dim == 2:
            return Frame(origin, float(getattr(body, "angle", 0.0)))
        unit = getattr(body, "orientation", (1.0, 0.0, 0.0, 0.0))
        return Frame(origin, 0.0, quaternion.matrix(np.array(unit, dtype=float)))

    def _point(self, at: Point) -> np.ndarray:
        """A world point as an array; formulas have the value that they have now."""
        try:
            numbers = list(at)
            if any(isinstance(entry, str) for entry in numbers):
                known = parameter_values(self._live)
                numbers = [value(n, known) if isinstance(n, str) else n for n in numbers]
            point = np.array(numbers, dtype=float)
        except (TypeError, ValueError):
            point = np.zeros(0)
        if point.shape != (self.dim,) or not np.isfinite(point).all():
            raise EngineError(
                "A point needs {dim} finite numbers, not {at}.", dim=self.dim, at=str(at)[:60]
            )
        return point

    def _frame(
        self, at: Point, angle: float = 0.0, axis: Point | None = None, x: Point | None = None
    ) -> Frame:
        """The frame of a joint: by the direction of x in the plane, of z and x in space."""
        origin, written = self._point(at), written_place(at)
        if self.dim == 2:
            along = axis if axis is not None else x
            if along is not None:
                a, b = self._point(along)
                angle = atan2(b, a)
            return Frame(origin, float(angle), written=written)
        if angle:
            raise EngineError("In space a direction is given by axis=(x, y, z), not by an angle.")
        axes = self._axes((0.0, 0.0, 1.0) if axis is None else axis, x)
        return Frame(origin, 0.0, axes, written)

    def _axes(self, z: Point, x: Point | None = None) -> np.ndarray:
        """Axes (3, 3) with the given z, and x as near to the given one as possible."""
        try:
            axes = frame_from_axis(self._point(z))
        except RotationError as error:
            raise EngineError(
                "The axis {z} is no direction. {reason}", z=str(z)[:60], reason=str(error)
            ) from None
        if x is None:
            return axes
        across = self._point(x) - axes[:, 2] * (axes[:, 2] @ self._point(x))
        size = np.linalg.norm(across)
        if not size > 1e-9 * np.linalg.norm(x):  # below, its direction is a rounding error
            raise EngineError(
                "The x axis of a joint must not lie along its z axis; choose another."
            )
        unit = across / size
        return np.stack([unit, np.cross(axes[:, 2], unit), axes[:, 2]], axis=1)


def written_place(at: Point) -> Vector | None:
    """A point that holds formulas, as a model keeps it; None if all are numbers."""
    entries = tuple(at)
    if not any(isinstance(entry, str) for entry in entries):
        return None
    return tuple(entry if isinstance(entry, str) else float(entry) for entry in entries)


def from_middle(x: Number, middle: float) -> Number:
    """A coordinate of a corner, from the middle of a plate."""
    return _minus(x, middle)


def distance_text(start: Point, end: Point) -> str | None:
    """The distance of two points as a formula; None if both are given in numbers."""
    if written_place(start) is None and written_place(end) is None:
        return None
    ways = [_minus(b, a) for a, b in zip(start, end)]
    ways = [way for way in ways if way != 0.0]
    if len(ways) == 1:
        return str(ways[0]) if _is_name(ways[0]) else f"abs({ways[0]})"
    text = " + ".join(f"({way})^2" for way in ways)
    return to_text(parse(f"sqrt({text})"))


def _minus(b: Number, a: Number) -> Number:
    """b - a, a number where both are."""
    if not isinstance(a, str) and not isinstance(b, str):
        return float(b) - float(a)
    if a == 0.0:
        return b
    return to_text(parse(f"({b!s}) - ({a!s})" if b != 0.0 else f"-({a!s})"))


def _is_name(way: Number) -> bool:
    return isinstance(way, str) and way.isidentifier()


def _place_of(body: Any) -> tuple[Any, ...]:
    """The numbers that place a body."""
    turn = getattr(body, "orientation", (getattr(body, "angle", 0.0),))
    return (*body.position, *turn)


def turn_of_x_to(n: np.ndarray) -> np.ndarray:
    """The axes after the shortest turn that carries e_x to the direction n.

    It is the turn of e_z to a direction, with the axes renamed in cyclic order.
    """
    renamed = frame_from_axis(np.roll(n, -1))
    return np.roll(renamed, (1, 1), axis=(0, 1))


def _plain(value: Any) -> Any:
    """The value as a model keeps it: floats and tuples instead of numpy's numbers and lists."""
    if type(value) in (float, str):
        return value
    if isinstance(value, np.ndarray):
        return tuple(map(float, value.tolist()))
    if is_dataclass(value) and not isinstance(value, type):
        numbers = [
            f.name for f in fields(value) if f.metadata.get("role") not in ("faces", "matrix")
        ]
        return replace(value, **{name: _plain(getattr(value, name)) for name in numbers})
    if isinstance(value, (list, tuple)):
        entries = tuple(_plain(entry) for entry in value)
        return Polyline(entries) if isinstance(value, Polyline) else entries
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return float(value)
    return value
