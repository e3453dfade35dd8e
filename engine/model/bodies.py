"""Bodies and the markers attached to them, in the plane and in space.

The body frame is where the user drew it; the centre of mass may lie elsewhere in it. Mass, centre and
inertia come from shape x density unless they are given. A velocity that is left empty is free: a run
starts with the least kinetic energy that keeps the joints and the velocities that are given.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.model.elements import ORIENTATIONS, Element, Id
from engine.model.fields import (
    Number,
    Vector,
    choice,
    flag,
    number,
    ref,
    shape,
    text,
    typed_mark,
    vector,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Body(Element):
    """What planar and spatial bodies share: shape, material and mass."""

    kind: ClassVar[str] = "body"
    family: ClassVar[str] = "body"
    shape: Any = shape(help="What it looks like; with the density it gives mass and inertia.")
    density: Number = number(7850.0, unit="kg/m^3", above=0.0, help="Steel by default.")
    mass: Number | None = number(None, unit="kg", above=0.0, help="Instead of shape x density.")
    fixed: bool = flag(False, help="Part of the ground: it never moves.")
    color: str = text(help="As #rrggbb; empty: that of its hue.")
    hue: Number | None = number(
        None,
        low=1.0,
        help="Number of its colour, given when it is made; after the eighth the first.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarBody(Body):
    """A rigid body in the plane:  q = (x, y, phi)."""

    dims: ClassVar[tuple[int, ...]] = (2,)
    center: Vector | None = vector(None, size=2, unit="m", help="Centre of mass, body axes.")
    inertia: Number | None = number(
        None, unit="kg m^2", above=0.0, help="About the centre of mass, instead of the shape's."
    )
    position: Vector = vector((0.0, 0.0), unit="m", help="Origin of the body frame.")
    position_typed: bool = typed_mark("position")
    angle: Number = number(0.0, unit="rad", help="From the world x axis to the body x axis.")
    angle_typed: bool = typed_mark("angle")
    velocity: Vector | None = vector(
        None, size=2, unit="m/s", help="Of the origin, at t = 0. Empty: free."
    )
    spin: Number | None = number(None, unit="rad/s", help="Angular velocity at t = 0. Empty: free.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpatialBody(Body):
    """A rigid body in space:  q = (r, orientation),  v = (r_dot, w), w in body axes."""

    dims: ClassVar[tuple[int, ...]] = (3,)
    center: Vector | None = vector(None, size=3, unit="m", help="Centre of mass, body axes.")
    inertia: Vector | None = vector(
        None,
        size=6,
        unit="kg m^2",
        help="Jxx, Jyy, Jzz, Jxy, Jxz, Jyz about the centre of mass, body axes.",
    )
    position: Vector = vector((0.0, 0.0, 0.0), unit="m", help="Origin of the body frame.")
    position_typed: bool = typed_mark("position")
    orientation: Vector = vector((1.0, 0.0, 0.0, 0.0), help="Unit quaternion, scalar first.")
    orientation_typed: bool = typed_mark("orientation")
    velocity: Vector | None = vector(
        None, size=3, unit="m/s", help="Of the origin, world axes, at t = 0. Empty: free."
    )
    angular_velocity: Vector | None = vector(
        None, size=3, unit="rad/s", help="In body axes, at t = 0. Empty: free."
    )
    parameters: str = choice(
        "as model", ("as model", *ORIENTATIONS), help="How its orientation is integrated."
    )
    orientation_input: str = choice(
        "as model", ("as model", *ORIENTATIONS), help="How its orientation is typed."
    )
    orientation_display: str = choice(
        "as model", ("as model", *ORIENTATIONS), help="How its orientation is shown."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Particle(Element):
    """A point mass: it has a position and no orientation."""

    kind: ClassVar[str] = "particle"
    called: ClassVar[dict[int, str]] = {2: "Point mass", 3: "Point mass"}
    family: ClassVar[str] = "body"
    mass: Number = number(1.0, unit="kg", above=0.0)
    fixed: bool = flag(False, help="Part of the ground: it never moves.")
    color: str = text(help="As #rrggbb; empty: that of its hue.")
    hue: Number | None = number(
        None,
        low=1.0,
        help="Number of its colour, given when it is made; after the eighth the first.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarParticle(Particle):
    """A point mass in the plane."""

    dims: ClassVar[tuple[int, ...]] = (2,)
    position: Vector = vector((0.0, 0.0), unit="m")
    position_typed: bool = typed_mark("position")
    velocity: Vector | None = vector(None, size=2, unit="m/s", help="At t = 0. Empty: free.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpatialParticle(Particle):
    """A point mass in space."""

    dims: ClassVar[tuple[int, ...]] = (3,)
    position: Vector = vector((0.0, 0.0, 0.0), unit="m")
    position_typed: bool = typed_mark("position")
    velocity: Vector | None = vector(None, size=3, unit="m/s", help="At t = 0. Empty: free.")


def placed_by_hand(body: Any, **place: Any) -> Any:
    """A body at another place, which was drawn: fields that change are no longer marked as typed."""
    changed = [name for name, value in place.items() if value != getattr(body, name)]
    marks = [f"{name}_typed" for name in changed if getattr(body, f"{name}_typed", False)]
    return replace(body, **place, **dict.fromkeys(marks, False))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanarMarker(Element):
    """A frame glued to a body; joints and forces attach to markers. Its x axis is the joint axis."""

    kind: ClassVar[str] = "marker"
    family: ClassVar[str] = "marker"
    dims: ClassVar[tuple[int, ...]] = (2,)
    body: Id = ref("body", help="The body it is glued to, or 'ground'.")
    position: Vector = vector((0.0, 0.0), unit="m", help="In the body frame.")
    angle: Number = number(0.0, unit="rad", help="From the body x axis.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpatialMarker(Element):
    """A frame glued to a body; joints and forces attach to markers. Its z axis is the joint axis."""

    kind: ClassVar[str] = "marker"
    family: ClassVar[str] = "marker"
    dims: ClassVar[tuple[int, ...]] = (3,)
    body: Id = ref("body", help="The body it is glued to, or 'ground'.")
    position: Vector = vector((0.0, 0.0, 0.0), unit="m", help="In the body frame.")
    orientation: Vector = vector((1.0, 0.0, 0.0, 0.0), help="Unit quaternion from the body frame.")
