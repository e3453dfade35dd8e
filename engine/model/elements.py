"""The model: plain immutable data. An edit is a function from one Model to the next."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from engine.model.fields import Number, Vector, choice, declared, number, text, vector
from engine.model.making import Making
from engine.model.methods import AUTO, COORDINATE_NAMES, METHOD_NAMES, STABILISATION_NAMES
from engine.model.views import Plot, View
from rotations import SEQUENCES

Id = str
GROUND = "ground"
AS_USUAL = View()
HUES = 8  # of bodies: what tells them apart in drawings and plots

ORIENTATIONS = ("quaternion", *dict.fromkeys(("3-1-3", "1-2-3", "3-2-1", *SEQUENCES)))
AS_DRAWN, EQUILIBRIUM = "as drawn", "in equilibrium"  # how what bends begins
NEAR_LOCK = ("warn", "stop", "switch to quaternion", "switch sequence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """Anything the user can create, select, edit and delete."""

    kind: ClassVar[str]
    family: ClassVar[str]
    dims: ClassVar[tuple[int, ...]] = (2, 3)
    making: ClassVar[tuple[Making, ...]] = ()  # the tools that make it by a standard gesture
    called: ClassVar[dict[int, str]] = {}  # its display name by dimension, if not that of the kind
    handed: ClassVar[str] = ""  # a field that couples sliding to rotation, with a sign
    id: Id
    name: str = text(help="Shown in the tree and in plots.")

    @property
    def label(self) -> str:
        """The name the user knows: the given one, or the id."""
        return self.name or self.id

    def mentions(self) -> tuple[Id, ...]:
        """Ids of the elements that its formula names; they need not exist."""
        return ()

    def idle_fields(self) -> tuple[str, ...]:
        """Fields that mean nothing as its other fields are, so that a form need not show them."""
        return ()

    def involved(self, model: "Model") -> list[Id]:
        """Bodies that it is about without being attached to them."""
        return []

    def is_served_in(self, model: "Model", part: "Model") -> bool:
        """Whether it adds nothing where its part is pasted, because the model there has the like."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter(Element):
    """A named number that any field may use; its id is the name in expressions."""

    kind: ClassVar[str] = "parameter"
    family: ClassVar[str] = "parameter"
    value: Number = number(0.0, help="A number, or an expression of other parameters.")
    unit: str = text(help="For people; the value is in SI units.")
    low: Number | None = number(None, help="Left end of the slider.")
    high: Number | None = number(None, help="Right end of the slider.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How the model is run."""

    t_end: Number = number(10.0, unit="s", above=0.0, help="The run goes from 0 to here.")
    step: Number = number(
        1e-3,
        unit="s",
        above=0.0,
        help="Step of methods of fixed step and of live mode; frames between steps are interpolated.",
    )
    output_step: Number = number(0.01, unit="s", above=0.0, help="Time between two frames.")
    method: str = choice(AUTO, METHOD_NAMES, help="The integrator.")
    stabilisation: str = choice("projection", STABILISATION_NAMES, help="What keeps joints closed.")
    coordinates: str = choice(
        AUTO, COORDINATE_NAMES, help="In which the equations of motion are solved."
    )
    tolerance: Number = number(
        1e-10, above=0.0, high=0.1, help="Error of a step that an adaptive method allows, relative."
    )
    damping: Number = number(
        0.2,
        low=0.0,
        high=1.0,
        help="Of generalised-alpha and HHT: how much of the fastest motions a step takes away.",
    )
    alpha: Number | None = number(
        None, unit="1/s", low=0.0, help="Baumgarte: damping of gaps; empty: from the step."
    )
    beta: Number | None = number(
        None, unit="1/s", low=0.0, help="Baumgarte: frequency of gaps; empty: from the step."
    )
    penalty: Number = number(
        1e7, above=0.0, help="Penalty: stiffness against wrong accelerations, as a mass [kg]."
    )
    penalty_frequency: Number = number(10.0, unit="rad/s", low=0.0, help="Penalty: of gaps.")
    penalty_ratio: Number = number(1.0, low=0.0, help="Penalty: damping ratio of gaps.")
    penalty_iterations: Number = number(
        1.0, low=1.0, high=50.0, help="Penalty: more than 1 removes the error left (Lagrange)."
    )
    orientation: str = choice(
        "quaternion", ORIENTATIONS, help="How orientation is integrated, in space."
    )
    orientation_input: str = choice(
        "1-2-3", ORIENTATIONS, help="How orientation is typed, in space; files keep the quaternion."
    )
    orientation_display: str = choice(
        "1-2-3", ORIENTATIONS, help="How orientation is shown and named in plots, in space."
    )
    near_lock: str = choice(
        "warn", NEAR_LOCK, help="What happens when Euler angles that are integrated come near lock."
    )
    flexible_start: str = choice(
        AS_DRAWN,
        (AS_DRAWN, EQUILIBRIUM),
        help="How what bends begins: straight as drawn, or bent by its loads and at rest in itself.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Backdrop:
    """A picture behind a drawing in the plane, to trace over; the model itself holds it."""

    picture: str = text(help="A PNG or JPEG picture in base64.")
    position: Vector = vector((0.0, 0.0), unit="m", help="Where its middle lies.")
    pixel: Number = number(0.001, unit="m", above=0.0, help="Size of one pixel of the picture.")
    opacity: Number = number(0.5, low=0.0, high=1.0, help="1: nothing shines through.")


E_ = TypeVar("E_", bound=Element)


@dataclass(frozen=True, slots=True)
class Model:
    """Every element by id, in creation order, plus the few global settings."""

    dim: int = 2
    name: str = ""
    description: str = ""
    gravity: Vector = (0.0, -9.81)
    settings: Settings = Settings()
    background: Backdrop | None = None
    view: View = AS_USUAL
    elements: Mapping[Id, Any] = field(default_factory=lambda: MappingProxyType({}))

    def __getitem__(self, id: Id) -> Any:
        return self.elements[id]

    def __contains__(self, id: Id) -> bool:
        return id in self.elements

    def of(self, family: str) -> list[Any]:
        """The elements of one family, in creation order."""
        return [e for e in self.elements.values() if e.family == family]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.elements.values())


def planar(name: str = "", **changes: Any) -> Model:
    """An empty model in the plane; gravity along -y."""
    return Model(dim=2, name=name, **changes)


def spatial(name: str = "", **changes: Any) -> Model:
    """An empty model in space; gravity along -z."""
    return Model(dim=3, name=name, **{"gravity": (0.0, 0.0, -9.81), **changes})


def put(model: Model, *elements: Element) -> Model:
    """Add new elements, or replace those with the same id; a new body is given a hue."""
    merged: dict[Id, Any] = dict(model.elements)
    hues: Hues | None = None
    for element in elements:
        if element.family == "body" and element.id not in model.elements:
            hues = Hues(merged.values()) if hues is None else hues
            element = hues.given_to(element)
        merged[element.id] = element
    return replace(model, elements=MappingProxyType(merged))


class Hues:
    """How many moving bodies have each hue."""

    def __init__(self, elements: Iterable[Any]) -> None:
        self._taken = [0] * (HUES + 1)
        for element in elements:
            if element.family == "body":
                self._count(element)

    def given_to(self, body: Any) -> Any:
        """A new body with the hue that the fewest others have; its own, if it has one."""
        if body.hue is None:
            body = replace(body, hue=float(min(range(1, HUES + 1), key=self._taken.__getitem__)))
        self._count(body)
        return body

    def _count(self, body: Any) -> None:
        """Note the hue of one body."""
        if not body.fixed and body.hue in range(1, HUES + 1):
            self._taken[int(body.hue)] += 1


def remove(model: Model, *ids: Id) -> Model:
    """Delete elements and everything that refers to them."""
    doomed = set(ids)
    while more := {e.id for e in model if doomed & set(references(e))} - doomed:
        doomed |= more
    kept = {id: e for id, e in model.elements.items() if id not in doomed}
    return replace(model, elements=MappingProxyType(kept), view=model.view.without(doomed))


def with_sliders(model: Model, sliders: Iterable[Id]) -> Model:
    """The model with sliders on the stage for exactly these parameters; the same one if it has them."""
    chosen = tuple(sliders)
    return with_view(model, replace(model.view, sliders=chosen))


def with_plots(model: Model, plots: Iterable[Plot]) -> Model:
    """The model with exactly these plots; the same one if it has them."""
    return with_view(model, replace(model.view, plots=tuple(plots)))


def with_view(model: Model, view: View) -> Model:
    """The model shown in another way; the same one if it is shown so already."""
    return model if view == model.view else replace(model, view=view)


def same_mechanism(a: Model, b: Model) -> bool:
    """Whether two models differ in their views at most, so that a run of one is a run of the other.

    Models never change, so `is` tells for each part whether it was replaced.
    """
    parts = (f.name for f in fields(Model) if f.name != "view")
    return a is b or all(getattr(a, part) is getattr(b, part) for part in parts)


def references(element: Element) -> list[Id]:
    """Ids of the elements this one points to, those that its formula names last."""
    own = [getattr(element, name) for name in _fields_that_refer(class_of(element))]
    return [*own, *(id for id in element.mentions() if id not in own)]


@cache
def _fields_that_refer(kind: Any) -> tuple[str, ...]:
    """The names of the fields that hold ids of other elements."""
    return tuple(f.name for f in declared(kind) if f.metadata.get("role") == "ref")


def class_of(element: Element | type[Element]) -> Any:
    """The class of an element, or the class itself: for properties of every element of a kind."""
    return element if isinstance(element, type) else type(element)


def fresh_id(model: Model, kind: str) -> Id:
    """The first free id of the form kind_1, kind_2, ..."""
    n = 1
    while f"{kind}_{n}" in model.elements:
        n += 1
    return f"{kind}_{n}"


def diff(before: Model, after: Model) -> tuple[set[Id], set[Id], set[Id]]:
    """Ids (added, removed, changed). Elements are immutable, so `is` detects a change."""
    old, new = before.elements, after.elements
    changed = {id for id in old.keys() & new.keys() if old[id] is not new[id]}
    return set(new.keys() - old.keys()), set(old.keys() - new.keys()), changed
