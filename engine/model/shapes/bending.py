"""Shapes that bend: beams, bars from corner to corner, and parts by their matrices."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np

from engine.errors import EngineError
from engine.model.elastic import sections
from engine.model.elastic.bars import Bars, bars_of, check_corners, in_space, moments_of
from engine.model.elastic.matrices import Matrices, check_surface, matrices_of
from engine.model.fields import Number, choice, flag, matrix, number, points, text
from engine.model.shapes.rigid import Rod
from engine.model.shapes.shape import TRIANGLES, Shape
from engine.model.solids import Array, Moments, centred, plain

INSTEAD = "Instead of that of the section."


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
class Polyline(Shape):
    """Bars from corner to corner, rigidly joined: a bent link or a frame; flexible ones bend."""

    kind: ClassVar[str] = "polyline"
    points: tuple[tuple[Number, ...], ...] = points(
        ((0.0, 0.0), (0.2, 0.0), (0.2, 0.1)),
        unit="m",
        help="Corners in order; one that comes again closes the line, or branches it.",
    )
    flexible: bool = flag(False, help="Bars bend, twist and stretch; else they are rigid.")
    section: str = choice("rectangle", sections.SECTIONS, help="Circles are as thick as wide.")
    width: Number = number(0.02, unit="m", above=0.0, help="Across the bars, in the x-y plane.")
    thickness: Number = number(0.01, unit="m", above=0.0, help="The other way.")
    wall: Number = number(0.002, unit="m", above=0.0, help="Of a tube or an I beam.")
    youngs_modulus: Number = number(2.1e11, unit="Pa", above=0.0, help="Steel by default.")
    poisson_ratio: Number = number(0.3, low=0.0, high=0.5, help="For twisting.", dims=(3,))
    torsional_stiffness: Number | None = number(
        None, unit="N m^2", above=0.0, help=INSTEAD, dims=(3,)
    )
    elements: Number = number(4.0, low=1.0, high=32.0, help="Beam elements along each bar.")
    modes: Number = number(4.0, low=0.0, high=40.0, help="Shapes kept beside those of its joints.")
    below: Number | None = number(None, unit="Hz", above=0.0, help="Keep only slower shapes.")
    damping_ratio: Number = number(0.01, low=0.0, high=1.0, help="Of its shapes; 1 is critical.")
    damping_mass: Number = number(0.0, unit="1/s", low=0.0, help="Rayleigh: times the mass.")
    damping_stiffness: Number = number(0.0, unit="s", low=0.0, help="Rayleigh: times stiffness.")
    stiffening: bool = flag(True, help="A bent bar is shorter: pulling stiffens, pushing buckles.")
    rotary: bool = flag(True, help="Sections have inertia of their own; in space always.")

    def cross_section(self) -> sections.Section:
        """The section of its bars, in numbers."""
        width, thickness, wall = (cast(float, x) for x in (self.width, self.thickness, self.wall))
        return sections.section(self.section, width, thickness, wall)

    def bars(self) -> Bars:
        """Its corners and what runs between them."""
        return bars_of(cast(tuple[tuple[float, ...], ...], self.points))

    def reach(self, n: Array) -> Any:
        """To the farthest corner, and half a section beyond."""
        half = 0.5 * np.hypot(float(self.width), float(self.thickness))
        return (in_space(self.points) @ n).max(initial=0.0) + half

    def moments(self) -> Moments:
        """Those of all bars together."""
        return moments_of(self.bars(), self.cross_section())

    def check(self) -> None:
        """Corners differ, the wall fits into the section, and what is counted is whole."""
        check_corners(self.points)
        sections.check_beam(self)


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


def bends(shape: Any) -> bool:
    """Whether a body of this shape has modes when it moves; nothing has none."""
    return shape.flexible if isinstance(shape, Polyline) else isinstance(shape, Beam | Part)
