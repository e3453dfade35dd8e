"""Shapes of bodies, and the mass, centre and inertia that follow from them.

Every solid has three moments, independent of its density:

    V = integral dV      c = integral x dV / V      S = integral (x - c)(x - c)^T dV / V

and a body of mass m made of it has about its centre of mass

    J = m (Sxx + Syy)           in the plane
    J = m (tr(S) 1 - S)         in space, body axes
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from math import isfinite, pi
from typing import Any, ClassVar, cast

import numpy as np

from engine.errors import EngineError
from engine.model.elastic import sections
from engine.model.elastic.matrices import Matrices, check_surface, matrices_of
from engine.model.fields import Number, choice, flag, matrix, number, points, text
from engine.model.solids import (
    MAX_TRIANGLES,
    Array,
    Moments,
    block,
    centred,
    check_fields,
    check_inertia,
    check_number,
    check_outline,
    check_weight,
    given_inertia,
    mesh_moments,
    plain,
    polygon_moments,
    round_bar,
    table,
)

PLACES = {2: "in the plane", 3: "in space"}

TRIANGLES = {"role": "faces", "help": "Three corners each, anticlockwise from outside."}
INSTEAD = "Instead of that of the section."


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass, centre of mass in the body frame, and inertia about it along body axes."""

    mass: float
    center: tuple[float, ...]
    inertia: Any  # a float in the plane, 3x3 nested tuples in space


@dataclass(frozen=True, slots=True)
class Shape(ABC):
    """What a body looks like."""

    kind: ClassVar[str]
    dims: ClassVar[tuple[int, ...]] = (2, 3)
    shaft: ClassVar[int | None] = None  # the body axis along which it lies, if it is slender
    axle: ClassVar[int | None] = None  # the body axis about which it is round

    @abstractmethod
    def moments(self) -> Moments:
        """Volume, centroid and spread."""

    @abstractmethod
    def reach(self, n: Array) -> Any:
        """Its extent along a unit direction n of the body frame: the largest n . x of its points."""

    def distance(self, p: Array) -> Any:
        """How far a point of the body frame is from it, zero inside; by default from the box around."""
        low, high = self.box()
        return np.linalg.norm(np.maximum(np.maximum(low - p, p - high), 0.0))

    def box(self) -> tuple[Array, Array]:
        """The least and the greatest x, y, z in the body frame."""
        low = np.array([-self.reach(-n) for n in np.eye(3)])
        return low, np.array([self.reach(n) for n in np.eye(3)])

    def long_axis(self) -> int | None:
        """The body axis that is its natural one: of a round one its axle, else along its longest side."""
        if self.axle is not None:
            return self.axle
        low, high = self.box()
        return int((high - low).argmax())

    def check(self) -> None:  # noqa: B027, most shapes have nothing to add
        """Raise EngineError where the numbers are valid individually but define no solid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rod(Shape):
    """A bar along the body x axis, centred: length x width x thickness along x, y, z."""

    kind: ClassVar[str] = "rod"
    shaft: ClassVar[int | None] = 0
    length: Number = number(1.0, unit="m", above=0.0, help="Along the body x axis.")
    width: Number = number(0.04, unit="m", low=0.0, help="Along y; 0: slender, then give a mass.")
    thickness: Number = number(0.01, unit="m", low=0.0, help="Along z, out of the plane.")

    def reach(self, n: Array) -> Any:
        """That of a block."""
        return np.abs(n) @ (self.length, self.width, self.thickness) / 2

    def moments(self) -> Moments:
        """That of a block."""
        return block(self.length, self.width, self.thickness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam(Rod):
    """A rod that bends: a beam along the body x axis, centred, with its width along y."""

    kind: ClassVar[str] = "beam"
    section: str = choice("rectangle", sections.SECTIONS, help="Circles are as thick as wide.")
    wall: Number = number(0.002, unit="m", above=0.0, help="Of a tube or an I beam.")
    youngs_modulus: Number = number(2.1e11, unit="Pa", above=0.0, help="Steel by default.")
    bending_stiffness: Number | None = number(None, unit="N m^2", above=0.0, help=INSTEAD)
    stiffness_upwards: Number | None = number(
        None, unit="N m^2", above=0.0, help="Of bending along z, instead.", dims=(3,)
    )
    axial_stiffness: Number | None = number(None, unit="N", above=0.0, help=INSTEAD)
    poisson_ratio: Number = number(0.3, low=0.0, high=0.5, help="For twisting.", dims=(3,))
    torsional_stiffness: Number | None = number(
        None, unit="N m^2", above=0.0, help=INSTEAD, dims=(3,)
    )
    elements: Number = number(8.0, low=1.0, high=64.0, help="Beam elements along it.")
    modes: Number = number(2.0, low=0.0, high=20.0, help="Bending shapes kept, in each direction.")
    stretch: Number = number(0.0, low=0.0, high=10.0, help="How many of stretch; 0: none at all.")
    twist: Number = number(0.0, low=0.0, high=10.0, help="How many of torsion.", dims=(3,))
    below: Number | None = number(None, unit="Hz", above=0.0, help="Keep only slower shapes.")
    shapes: str = choice(
        "interface", sections.HOLDINGS, help="Of a beam held by its joints, or so."
    )
    damping_ratio: Number = number(0.01, low=0.0, high=1.0, help="Of its shapes; 1 is critical.")
    damping_mass: Number = number(0.0, unit="1/s", low=0.0, help="Rayleigh: times the mass.")
    damping_stiffness: Number = number(0.0, unit="s", low=0.0, help="Rayleigh: times stiffness.")
    stiffening: bool = flag(True, help="A bent beam is shorter: pulling stiffens, pushing buckles.")
    rotary: bool = flag(True, help="Sections have inertia of their own; in space always.")
    seen_from: str = choice("chord", sections.LINES, help="The line deflection is shown from.")

    def cross_section(self) -> sections.Section:
        """Its section, in numbers."""
        width, thickness, wall = (cast(float, x) for x in (self.width, self.thickness, self.wall))
        return sections.section(self.section, width, thickness, wall)

    def moments(self) -> Moments:
        """Those of a prism with its section."""
        one, length = self.cross_section(), cast(float, self.length)
        return centred(one.A * length, length**2 / 12, one.I_z / one.A, one.I_y / one.A)

    def check(self) -> None:
        """It is wide, the wall fits into the section, and what is counted is whole."""
        sections.check_beam(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Shape):
    """A block, centred: width x height x thickness along x, y, z."""

    kind: ClassVar[str] = "box"
    width: Number = number(0.2, unit="m", above=0.0, help="Along the body x axis.")
    height: Number = number(0.1, unit="m", above=0.0, help="Along the body y axis.")
    thickness: Number = number(0.05, unit="m", above=0.0, help="Along z, out of the plane.")

    def reach(self, n: Array) -> Any:
        """That of a block."""
        return np.abs(n) @ (self.width, self.height, self.thickness) / 2

    def moments(self) -> Moments:
        """That of a block."""
        return block(self.width, self.height, self.thickness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc(Shape):
    """A round plate in the plane, centred."""

    kind: ClassVar[str] = "disc"
    dims: ClassVar[tuple[int, ...]] = (2,)
    axle: ClassVar[int | None] = 2
    radius: Number = number(0.1, unit="m", above=0.0)
    thickness: Number = number(0.01, unit="m", above=0.0, help="Out of the plane.")

    def reach(self, n: Array) -> Any:
        """That of a round bar along z."""
        return _round_reach(n, self.radius, self.thickness)

    def moments(self) -> Moments:
        """That of a round bar along z."""
        return round_bar(self.radius, self.thickness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder(Shape):
    """A round bar or wheel along the body z axis, centred."""

    kind: ClassVar[str] = "cylinder"
    dims: ClassVar[tuple[int, ...]] = (3,)
    shaft: ClassVar[int | None] = 2
    axle: ClassVar[int | None] = 2
    radius: Number = number(0.05, unit="m", above=0.0)
    length: Number = number(0.2, unit="m", above=0.0, help="Along the body z axis.")

    def reach(self, n: Array) -> Any:
        """That of a round bar along z."""
        return _round_reach(n, self.radius, self.length)

    def distance(self, p: Array) -> Any:
        """From the mantle, an end face or a rim."""
        r, l = self.radius, self.length
        aside, beyond = np.hypot(p[0], p[1]) - r, np.abs(p[2]) - l / 2  # type: ignore[operator]
        return np.hypot(np.maximum(aside, 0.0), np.maximum(beyond, 0.0))

    def moments(self) -> Moments:
        """That of a round bar along z."""
        return round_bar(self.radius, self.length)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere(Shape):
    """A ball, centred."""

    kind: ClassVar[str] = "sphere"
    dims: ClassVar[tuple[int, ...]] = (3,)
    radius: Number = number(0.1, unit="m", above=0.0)

    def reach(self, n: Array) -> Any:
        """The radius."""
        return self.radius

    def distance(self, p: Array) -> Any:
        """From its surface."""
        return np.maximum(np.linalg.norm(p) - self.radius, 0.0)  # type: ignore[operator]

    def long_axis(self) -> int | None:
        """None: all directions are equivalent."""
        return None

    def moments(self) -> Moments:
        """S = r^2/5 1."""
        r: Any = self.radius
        return centred(4 / 3 * pi * r * r * r, r * r / 5, r * r / 5, r * r / 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule(Shape):
    """A round bar along the body z axis with half a ball at each end, centred."""

    kind: ClassVar[str] = "capsule"
    dims: ClassVar[tuple[int, ...]] = (3,)
    shaft: ClassVar[int | None] = 2
    axle: ClassVar[int | None] = 2
    radius: Number = number(0.05, unit="m", above=0.0)
    length: Number = number(
        0.2, unit="m", above=0.0, help="Along z, between the middles of its half balls."
    )

    def reach(self, n: Array) -> Any:
        """That of its axis, and the radius."""
        return np.abs(n[2]) * self.length / 2 + self.radius

    def distance(self, p: Array) -> Any:
        """From its axis, less the radius."""
        beyond = np.maximum(np.abs(p[2]) - self.length / 2, 0.0)  # type: ignore[operator]
        return np.maximum(np.linalg.norm((p[0], p[1], beyond)) - self.radius, 0.0)  # type: ignore[operator]

    def moments(self) -> Moments:
        """Those of the bar and of both halves of a ball, whose centroids are 3 r/8 from their faces.

        Along z a half ball has  integral z^2 dV = V_h (r^2/5 + (3/4) r h + h^2)  with h = l/2.
        """
        r, h = float(self.radius), float(self.length) / 2
        bar, ball = 2.0 * pi * r * r * h, 4.0 / 3.0 * pi * r**3
        across = (bar * r * r / 4 + ball * r * r / 5) / (bar + ball)
        along = bar * h * h / 3 + ball * (r * r / 5 + 0.75 * r * h + h * h)
        return centred(bar + ball, across, across, along / (bar + ball))


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon(Shape):
    """A plate with any simple outline in x and y; along z it is centred."""

    kind: ClassVar[str] = "polygon"
    points: tuple[tuple[Number, ...], ...] = points(
        ((0.0, 0.0), (0.2, 0.0), (0.0, 0.1)), unit="m", help="Corners in order, either way round."
    )
    thickness: Number = number(0.01, unit="m", above=0.0, help="Along z, out of the plane.")

    def reach(self, n: Array) -> Any:
        """To the farthest corner."""
        flat = np.array(self.points, dtype=float) @ n[:2]
        return flat.max() + np.abs(n[2]) * self.thickness / 2

    def moments(self) -> Moments:
        """That of the outline, drawn out along z."""
        return polygon_moments(np.array(self.points, dtype=float), float(self.thickness))

    def check(self) -> None:
        """The outline has an area and does not cross itself."""
        check_outline(table(self.points, 2, "polygon", "Point"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh(Shape):
    """A solid bounded by triangles, read from a file and kept in the model."""

    kind: ClassVar[str] = "mesh"
    dims: ClassVar[tuple[int, ...]] = (3,)
    vertices: tuple[tuple[float, ...], ...] = points(unit="m", help="Corners, body axes.")
    faces: tuple[tuple[int, int, int], ...] = field(default=(), metadata=TRIANGLES)
    source: str = text(help="The file it came from.")

    def reach(self, n: Array) -> Any:
        """To the farthest corner."""
        return (np.array(self.vertices, dtype=float).reshape(-1, 3) @ n).max(initial=0.0)

    def moments(self) -> Moments:
        """That of the closed surface."""
        return mesh_moments(np.array(self.vertices, dtype=float), np.array(self.faces, dtype=int))

    def check(self) -> None:
        """Every face names three corners that exist."""
        if len(self.faces) > MAX_TRIANGLES:
            raise EngineError(
                "The mesh has more than {max_triangles} triangles; simplify it.",
                max_triangles=MAX_TRIANGLES,
            )
        vertices = table(self.vertices, 3, "mesh", "Vertex")
        faces = table(self.faces, 3, "mesh", "Face")
        if len(faces) == 0:
            raise EngineError("The mesh has no faces; read it from an STL or OBJ file.")
        if np.any(faces != np.round(faces)) or faces.min() < 0 or faces.max() >= len(vertices):
            raise EngineError("A face of the mesh names a vertex that does not exist.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Shape):
    """A part that bends as its mass and stiffness matrices say; they are kept in the model."""

    kind: ClassVar[str] = "part"
    nodes: tuple[tuple[float, ...], ...] = matrix(help="Places of its nodes, body axes [m].")
    stiffness: tuple[tuple[float, ...], ...] = matrix(help="K, node by node [N/m, N, N m].")
    mass: tuple[tuple[float, ...], ...] = matrix(help="M, in the order of K [kg, kg m, kg m^2].")
    skin: tuple[tuple[float, ...], ...] = matrix(help="Corners of its surface, for pictures [m].")
    faces: tuple[tuple[int, int, int], ...] = field(default=(), metadata=TRIANGLES)
    source: str = text(help="The file it came from.")
    modes: Number = number(4.0, low=0.0, high=40.0, help="Shapes kept beside those of its joints.")
    below: Number | None = number(None, unit="Hz", above=0.0, help="Keep only slower shapes.")
    patch: Number = number(0.0, unit="m", low=0.0, help="Nodes so near move a point; 0: its own.")
    damping_ratio: Number = number(0.01, low=0.0, high=1.0, help="Of its shapes; 1 is critical.")
    damping_mass: Number = number(0.0, unit="1/s", low=0.0, help="Rayleigh: times the mass.")
    damping_stiffness: Number = number(0.0, unit="s", low=0.0, help="Rayleigh: times stiffness.")

    def matrices(self) -> Matrices:
        """Its matrices, checked."""
        return matrices_of(self.nodes, self.stiffness, self.mass)

    def reach(self, n: Array) -> Any:
        """To the farthest node."""
        x = np.array(self.skin or self.nodes, dtype=float)
        return (x @ n[: x.shape[-1]]).max(initial=0.0)

    def moments(self) -> Moments:
        """Those that its matrices have, as if its density were 1."""
        one = self.matrices()
        x, y, z = (*map(float, one.center), 0.0)[:3]
        return Moments(one.mass, (x, y, z), plain(one.spread))

    def check(self) -> None:
        """Its matrices are those of a part that nothing holds, and what is counted is whole."""
        check_surface(self.matrices(), self.skin, self.faces)
        if self.modes != round(cast(float, self.modes)):
            raise EngineError("The number of modes of a part must be whole.")


def _round_reach(n: Array, radius: Any, length: Any) -> Any:
    """The extent of a round bar along z in a unit direction."""
    return np.abs(n[2]) * length / 2 + radius * np.sqrt(np.maximum(1.0 - n[2] * n[2], 0.0))


SHAPES: tuple[type[Shape], ...] = (
    *(Rod, Beam, Box, Disc, Cylinder, Sphere, Capsule, Polygon, Mesh, Part),
)


def mass_properties(shape: Shape, density: float, dim: int) -> MassProperties:
    """Mass, centre and inertia of a solid of this density."""
    check_shape(shape, dim)
    moments = shape.moments()
    mass = moments.volume if isinstance(shape, Part) else density * moments.volume
    if not mass > 0.0:
        raise EngineError("The {kind} has no volume, so its mass must be given.", kind=shape.kind)
    if not isfinite(mass):
        raise EngineError(
            "The {kind} is too heavy to compute with; check its units.", kind=shape.kind
        )
    return with_mass(_per_kilogram(moments, dim), mass)


def with_mass(properties: MassProperties, mass: float) -> MassProperties:
    """The same solid with another mass: J grows as m."""
    ratio = mass / properties.mass
    if isinstance(properties.inertia, float):
        return MassProperties(mass, properties.center, properties.inertia * ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        J = np.array(properties.inertia) * ratio  # beyond the range of floats it is inf or nan
    return replace(properties, mass=mass, inertia=plain(J))


def body_mass_properties(body: Any) -> MassProperties:
    """Mass, centre and inertia of a resolved body or particle; zeros for a fixed one.

    Given values take precedence; the rest comes from the shape: its inertia is scaled to a given mass, and
    is about a given centre. A body without an `inertia` field is a point.
    """
    try:
        return _weigh(body, len(body.position))
    except EngineError as error:
        sentence = error.sentence[:1].lower() + error.sentence[1:]
        where = f"{body.kind.capitalize()} '{body.label}'"
        raise EngineError("{where}: {sentence}", body.id, where=where, sentence=sentence) from None


def check_shape(shape: Shape, dim: int) -> None:
    """Raise EngineError unless the shape is possible here; an open mesh is possible, but has no volume."""
    if dim not in shape.dims:
        raise EngineError(
            "A {kind} exists {there} only; {here} there are {kinds}.",
            kind=shape.kind,
            there=PLACES[shape.dims[0]],
            here=PLACES[dim],
            kinds=", ".join(s.kind for s in SHAPES if dim in s.dims),
        )
    if isinstance(shape, Part) and any(len(x) != dim for x in shape.nodes):
        raise EngineError(
            "Every node of a part needs {dim} coordinates {here}.", dim=dim, here=PLACES[dim]
        )
    check_fields(shape)
    shape.check()


def _per_kilogram(moments: Moments, dim: int) -> MassProperties:
    """The solid with mass 1."""
    if dim == 2:
        J_z = float(moments.spread[0][0] + moments.spread[1][1])
        return MassProperties(1.0, moments.center[:dim], J_z)
    S = np.array(moments.spread)
    J = np.trace(S) * np.eye(3) - S
    return MassProperties(1.0, moments.center[:dim], plain(np.array(J)))


def _weigh(body: Any, dim: int) -> MassProperties:
    """As body_mass_properties; sentences without the name of the body."""
    origin = (0.0,) * dim
    shape = getattr(body, "shape", None)
    if shape is not None:
        check_shape(shape, dim)
    if body.mass is not None:
        check_number("The mass", body.mass, {"above": 0.0})
    if body.fixed or not hasattr(body, "inertia"):
        no_inertia = plain(np.zeros((3, 3)) if dim == 3 else np.zeros(()))
        return MassProperties(0.0 if body.fixed else float(body.mass), origin, no_inertia)
    return _overridden(body, shape, dim, origin)


def _overridden(body: Any, shape: Shape | None, dim: int, origin: tuple[float, ...]) -> Any:
    """The mass properties of the shape, overridden by the values given on the body."""
    if shape is None and body.mass is None:
        raise EngineError("It has neither a shape nor a mass; give it one of them.")
    if shape is None and body.inertia is None:
        raise EngineError(
            "It has a mass but no shape and no inertia; give it a shape or an inertia, "
            "or make it a particle."
        )
    solid = MassProperties(1.0, origin, None)
    if shape is not None and None in (body.mass, body.center, body.inertia):
        if body.mass is None:
            check_number("The density", body.density, {"above": 0.0})
            solid = mass_properties(shape, body.density, dim)
        else:
            solid = with_mass(_per_kilogram(shape.moments(), dim), body.mass)
    center = solid.center if body.center is None else tuple(map(float, body.center))
    if not all(map(isfinite, center)):
        raise EngineError("Its centre of mass is not a finite point.")
    inertia = solid.inertia if body.inertia is None else given_inertia(body.inertia, dim)
    mass = solid.mass if body.mass is None else float(body.mass)
    if not (isfinite(mass) and mass > 0.0 and np.isfinite(inertia).all()):
        raise EngineError("Its mass or inertia is beyond the numbers a computer has; check units.")
    check_weight(mass, inertia)
    if dim == 3:
        check_inertia(np.array(inertia))
    elif not inertia > 0.0:
        raise EngineError("Its inertia is zero; give the shape a size, or give an inertia.")
    return MassProperties(mass, center, inertia)
