"""A constraint that the user types as a formula.

The names of a formula have parts, joined by dots: elements by their ids, then what is measured there.

    load.x, load.angle        of a body: its mass centre, world axes; the angle in the plane
    P.x, P.angle              of a point
    hinge.angle               a coordinate of a joint
    P.Q.x, P.Q.distance       of point Q as seen from point P: along its axes, its distance, its direction,
    P.Q.angle, P.Q.zx         the angle from x_P to x_Q about z_P (in space angle_x and angle_y about the
                              other axes), the cosine between two axes (z_P . x_Q)
    x, y, angle               without an element: of the chosen point

A name with _rate behind it is the rate of that coordinate. As in channels, vx, vy, vz are the rates of x, y
and z, and angular_velocity that of the angle. Other names are parameters, and t is the time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, NamedTuple

from engine.errors import EngineError, say
from engine.kernels.layout import ANGLE, MOST_NAMES, POSITION, VELOCITY
from engine.model.connections import (
    Coordinate,
    Row,
    Typed,
    X,
    Y,
    Z,
    along,
    angle,
    cosine,
    direction,
    distance,
)
from engine.model.elements import Element, Id, Model
from engine.model.fields import formula, ref
from engine.model.making import Gesture, Making

WORLD = ""
AXES = {"x": X, "y": Y, "z": Z}
ABOUT = {"x": (Y, Z, Y), "y": (Z, X, Z)}  # axes of angles about those of a point; angle is about z
RATE = "_rate"
OTHER_NAMES = {"vx": "x_rate", "vy": "y_rate", "vz": "z_rate", "angular_velocity": "angle_rate"}
OWN_NAMES = (*(f"{c}{r}" for c in (*AXES, "angle") for r in ("", RATE)), *OTHER_NAMES, "t")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*(?:\.[^\W\d]\w*)*")


class Measured(NamedTuple):
    """A name of a formula: a coordinate, or its rate."""

    name: str
    coordinate: Coordinate
    is_rate: bool


def names_in(text: str) -> tuple[str, ...]:
    """The words of a formula that may be names, each once, in their order."""
    return tuple(dict.fromkeys(_NAME.findall(text)))


def elements_in(text: str) -> tuple[Id, ...]:
    """The elements that a formula names, each once, in their order."""
    return tuple(dict.fromkeys(part for name in names_in(text) for part in name.split(".")[:-1]))


def with_elements(text: str, new: Mapping[Id, Id]) -> str:
    """A formula with other ids for the elements that it names."""

    def changed(match: re.Match[str]) -> str:
        *owners, last = match[0].split(".")
        return ".".join([*(new.get(owner, owner) for owner in owners), last])

    return _NAME.sub(changed, text)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedConstraint(Element):
    """A constraint that is typed: a formula of coordinates and of the time stays zero.

        Phi = formula(q, t) = 0             or, with rates,        a(q, t) . v + b(q, t) = 0

    Rates may only enter linearly.  Removes 1 degree of freedom.
    """

    kind: ClassVar[str] = "constraint"
    family: ClassVar[str] = "joint"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_BODY,
            title="Constraint by formula",
            key="Shift+V",
            says="constraint by formula",
            help="Click a point of a body; then type what stays zero, such as x^2 + y^2 - l^2.",
            opening="Constraint by formula: click a point of a body; then type what stays zero.",
        ),
    )
    marker_i: Id = ref("marker", help="The point whose x, y ... need no name in the formula.")
    formula: str = formula(
        "y",
        own=OWN_NAMES,
        help="What stays zero: of x, y, angle of the point, of names such as rod_1.x, and of t.",
    )

    @property
    def marker_j(self) -> Id:
        """Both of its ends are its one point, for whoever draws or grabs it as a joint."""
        return self.marker_i

    @classmethod
    def begun_at(cls, place: tuple[float, ...]) -> dict[str, str]:
        """The fields of a new one at a place: it keeps the height that is drawn."""
        height = place[-1]
        return {
            "formula": f"{'xyz'[len(place) - 1]} {'-' if height >= 0.0 else '+'} {abs(height):.6g}"
        }

    def mentions(self) -> tuple[Id, ...]:
        """The elements that the formula names."""
        return elements_in(self.formula)

    def rows(self, model: Model) -> tuple[Row, ...]:
        """The formula, on the level of positions or of velocities."""
        measured = self.measured(model)
        if not measured:
            raise EngineError(
                "The formula of '{constraint}' holds no coordinate, so that it constrains nothing: use x, "
                "y or angle of its point, or names such as {example}.",
                self.id,
                constraint=self.label,
                example=_example(model),
            )
        if len(measured) > MOST_NAMES:
            raise EngineError(
                "The formula of '{constraint}' has {n} names of coordinates: at most {most} are read. "
                "Split it into several constraints.",
                self.id,
                constraint=self.label,
                n=len(measured),
                most=MOST_NAMES,
            )
        of_rate = tuple(one.is_rate for one in measured)
        typed = Typed(self.formula, tuple(one.name for one in measured), of_rate)
        level = VELOCITY if any(of_rate) else POSITION
        return (Row(tuple((1.0, one.coordinate) for one in measured), 0.0, level, 0.0, typed),)

    def coordinates(self, model: Model) -> dict[str, Coordinate]:
        """None of its own."""
        return {}

    def problems(self, model: Model) -> list[str]:
        """None, or an EngineError about a name that is wrong."""
        self.rows(model)
        return []

    def measured(self, model: Model) -> tuple[Measured, ...]:
        """The names of the formula that are coordinates or their rates; EngineError for a wrong one."""
        own = _of_point(self.marker_i, model.dim)
        found = []
        for name in names_in(self.formula):
            *owners, last = name.split(".")
            last = OTHER_NAMES.get(last, last)
            stem = last.removesuffix(RATE)
            if owners:
                known = self._known(model, name, owners)
            elif stem in own:
                known = own
            else:
                continue  # a parameter, a function, a unit or the time
            if last in known:  # a coordinate may be called ..._rate itself
                stem = last
            if stem not in known:
                raise self._unknown(name, f"'{'.'.join(owners)}'", tuple(known))
            found.append(Measured(name, known[stem], stem != last))
        return tuple(found)

    def _known(self, model: Model, name: str, owners: list[Id]) -> dict[str, Coordinate]:
        """What may be measured at one element, or between two points."""
        elements = [model.elements.get(owner) for owner in owners]
        for owner, element in zip(owners, elements):
            if element is None:
                raise self._missing(model, name, owner)
        first: Any = elements[0]
        is_place = first.family == "marker" or (first.family == "body" and not first.fixed)
        if len(owners) == 1 and is_place:
            return _of_point(first.id, model.dim)
        if len(owners) == 1 and first.family == "joint" and first.coordinates(model):
            return dict(first.coordinates(model))
        if len(owners) == 2 and all(e.family == "marker" for e in elements if e is not None):
            return _between(owners[0], owners[1], model.dim)
        raise EngineError(
            "In the formula of '{constraint}' the name '{name}' measures nothing: name a moving body, "
            "a point, two points or a joint that has coordinates, and what is measured, such as {example}.",
            self.id,
            *owners,
            constraint=self.label,
            name=name,
            example=_example(model),
        )

    def _missing(self, model: Model, name: str, owner: str) -> EngineError:
        """The sentence about an element that there is not."""
        ids = [e.id for e in model if e.family in ("body", "marker", "joint")]
        near = get_close_matches(owner[:40], ids, n=1)
        hint = (
            say("Did you mean '{near}'?", near=near[0])
            if near
            else say("Names of elements are their ids, such as {example}.", example=_example(model))
        )
        return EngineError(
            "The formula of '{constraint}' names '{name}', but there is no '{owner}'. {hint}",
            self.id,
            constraint=self.label,
            name=name,
            owner=owner[:40],
            hint=hint,
        )

    def _unknown(self, name: str, whose: str, known: tuple[str, ...]) -> EngineError:
        """The sentence about something that is not measured there."""
        return EngineError(
            "The formula of '{constraint}' names '{name}', but of {whose} it may use: {listed}; with "
            "_rate behind them their rates.",
            self.id,
            constraint=self.label,
            name=name,
            whose=whose,
            listed=", ".join(known),
        )


def _of_point(point: Id, dim: int) -> dict[str, Coordinate]:
    """The place of a point, or of the mass centre of a body, and the angle of its x axis in the plane."""
    places = {name: along(axis, WORLD, point) for name, axis in list(AXES.items())[:dim]}
    return places if dim == 3 else {**places, "angle": angle(WORLD, point)}


def _between(i: Id, j: Id, dim: int) -> dict[str, Coordinate]:
    """What may be measured of point j as seen from point i."""
    places = {name: along(axis, i, j) for name, axis in list(AXES.items())[:dim]}
    found = {**places, "distance": distance(i, j), "direction": direction(i, j)}
    found["angle"] = angle(i, j)
    if dim == 3:
        found |= {f"angle_{about}": Coordinate(ANGLE, i, j, axes) for about, axes in ABOUT.items()}
        found |= {a + b: cosine(AXES[a], AXES[b], i, j) for a in AXES for b in AXES}
    return found


def _example(model: Model) -> str:
    """A name that this model has."""
    body = next((b.id for b in model.of("body") if not b.fixed), "rod_1")
    return f"{body}.x"
