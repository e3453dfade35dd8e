"""Contact: two bodies that push each other apart where their shapes meet, and rub."""

from dataclasses import dataclass
from typing import ClassVar

from engine.errors import EngineError, say
from engine.model.connections import body_of
from engine.model.elements import Id, Model
from engine.model.fields import Function, Number, choice, flag, function, number, plain, points, ref
from engine.model.forces.curves import check_points
from engine.model.forces.pressing import Pressing
from engine.model.forces.surfaces import pairs, side_of_marker
from engine.model.making import Gesture, Making

SHAPES = ("body", "plane", "point", "circle", "hole", "smooth", "chain", "curve")
CURVES = ("chain", "curve")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact(Pressing):
    """Two bodies push each other apart where their shapes meet, and rub.

    By restitution a body bounces back with just that part of its speed. An impact law has stiffness,
    exponent and damping: N = stiffness d^exponent + damping d_dot, with d the depth. By Hertz the stiffness
    follows from the material. The ground is a plane, solid below the x axis of its marker; in space below
    its xy plane. In the plane a marker can carry a chain of lines or a smooth curve, as a road or a cam,
    through points or by formulas x(s), y(s); an open one is solid to the right of its way.
    """

    kind: ClassVar[str] = "contact"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Contact",
            key="Shift+T",
            says="contact",
            help="Press on a body, release on another, or on the ground where its surface is.",
            opening="Contact: press on a body, release on another, or on the ground at its surface.",
            group="contact",
            line="dashed",
        ),
    )
    has_surfaces: ClassVar[bool] = True  # along the axes of its markers
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    wear_coefficient: Number | None = number(
        None, unit="m^2/N", low=0.0, help="65e-5 mm^3/N/m of PLA. Empty: as asked for."
    )
    wear_side: str = choice(
        "none", ("none", "medial", "lateral"), help="Of two sides whose wear is compared."
    )
    shape_i: str = choice("body", SHAPES, help="What touches; of the ground a plane.")
    radius_i: Number | None = number(None, unit="m", low=0.0, help="Of a circle or hole.")
    shape_j: str = choice("body", SHAPES, help="What touches; of the ground a plane.")
    radius_j: Number | None = number(None, unit="m", low=0.0, help="Of a circle or hole.")
    faces: str = choice(
        "corners",
        ("corners", "area"),
        help="How two polygons press: by corners, or convex ones by the area they share.",
    )
    points: tuple[tuple[Number, ...], ...] = points(
        (), unit="m", help="Of a chain or curve, along the axes of its point."
    )
    closed: bool = flag(False, help="The chain or curve goes round its material.")
    curve_x: Function | None = function(
        None, of=("s",), unit="m", help="Of the curve, instead of points. Empty: s itself."
    )
    curve_y: Function | None = function(
        None, of=("s",), unit="m", help="Of the curve, instead of points."
    )
    curve_from: Number = number(0.0, help="s where the curve begins.")
    curve_to: Number = number(1.0, help="s where the curve ends.")

    def idle_fields(self):
        """The numbers of other laws, and radii where there are none."""
        idle = self.idle_numbers()
        for side in "ij":
            if getattr(self, f"shape_{side}") not in ("circle", "hole"):
                idle.append(f"radius_{side}")
        if not self.has_curve:
            idle += ["points", "closed", "curve_x", "curve_y", "curve_from", "curve_to"]
        elif self.curve_y is None:
            idle += ["curve_x", "curve_from", "curve_to"]
        else:
            idle.append("points")
        if (self.shape_i, self.shape_j) != ("body", "body"):
            idle.append("faces")
        return tuple(idle)

    @property
    def has_curve(self) -> bool:
        """Whether one side is a chain or curve of its own."""
        return self.shape_i in CURVES or self.shape_j in CURVES

    def problems(self, model):
        """Numbers that contradict each other, and a body that would touch itself."""
        found = self.problems_of_numbers()
        bodies = [model[m].body for m in (self.marker_i, self.marker_j) if m in model]
        if len(set(bodies)) < len(bodies):
            found.append(
                say(
                    "'{name}' is a contact of a body with itself. Choose another body.",
                    name=self.label,
                )
            )
        for side in "ij":
            shape, radius = getattr(self, f"shape_{side}"), getattr(self, f"radius_{side}")
            if shape in ("circle", "hole") and not radius:
                found.append(
                    say(
                        "'{name}' has a {shape} without a radius. Give it one.",
                        name=self.label,
                        shape=shape,
                    )
                )
        return found + self._problems_of_curves(model)

    def _problems_of_curves(self, model: Model) -> list[str]:
        """Curves that lie nowhere, and where there can be none."""
        found: list[str] = []
        if not self.has_curve:
            return found
        if model.dim == 3:
            found.append(
                say(
                    "'{name}' has a curve, which exists in the plane only. Choose another shape.",
                    name=self.label,
                )
            )
        if self.shape_i in CURVES and self.shape_j in CURVES:
            found.append(
                say(
                    "Both sides of '{name}' are curves. Let one of them be a circle or a point.",
                    name=self.label,
                )
            )
        numbers = [x for point in self.points for x in point]
        if self.curve_y is None and not any(isinstance(x, str) for x in numbers):
            try:
                check_points([tuple(map(plain, point)) for point in self.points], self.closed)
            except EngineError as error:
                found.append(say("'{name}': {reason}", name=self.label, reason=error.sentence))
        return found

    def surfaces(self, model: Model) -> list[Id]:
        """The markers that carry a plane, which has an upper side."""
        sides = ((self.marker_i, self.shape_i), (self.marker_j, self.shape_j))
        return [
            marker
            for marker, shape in sides
            if shape in ("plane", *CURVES) or (shape == "body" and model[marker].body not in model)
        ]

    def interactions(self, model):
        """One law for a pair of shapes, or for each corner that may touch."""
        i = side_of_marker(self, model, self.marker_i, self.shape_i, self.radius_i)
        j = side_of_marker(self, model, self.marker_j, self.shape_j, self.radius_j)
        weights = self.lighter(model)
        return tuple(self.law_of(model, weights, *pair) for pair in pairs(self, model, i, j))

    def lighter(self, model: Model) -> tuple[float, float]:
        """Mass and size of the lighter of its two bodies that can move."""
        return self.lighter_of(model, *(body_of(model, m) for m in (self.marker_i, self.marker_j)))


def meeting_of_shapes(contact: str, kind: str) -> str:
    """What happens in a contact, in words: 'touch', 'leave', 'stick' or 'slip'."""
    if kind == "leave":
        return say("The shapes of '{contact}' part", contact=contact)
    if kind == "stick":
        return say("The shapes of '{contact}' stick to each other", contact=contact)
    if kind == "slip":
        return say("The shapes of '{contact}' begin to slip", contact=contact)
    return say("The shapes of '{contact}' touch", contact=contact)
