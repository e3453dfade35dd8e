"""Springs and dampers between two points, and the bushing."""

from dataclasses import dataclass
from typing import ClassVar

from engine.kernels import layout
from engine.model.connections import Coordinate, Law, X, Y, Z, along, angle, distance
from engine.model.elements import Id
from engine.model.fields import Function, Number, choice, function, number, ref
from engine.model.forces.base import SIDES, Force
from engine.model.making import Gesture, Making


@dataclass(frozen=True, slots=True, kw_only=True)
class SpringDamper(Force):
    """A spring and a damper side by side between two points.

        N = preload + stiffness (l - free_length) + spring_curve(l - free_length)
                    + damping l_dot + damper_curve(l_dot)

    N > 0 pulls the points together. The damper follows the rate of the length, l_dot = e . (v_j - v_i),
    never the size of the relative velocity.
    """

    kind: ClassVar[str] = "spring_damper"
    called: ClassVar[dict[int, str]] = {2: "Spring-damper", 3: "Spring-damper"}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Spring-damper",
            key="H",
            says="spring-damper",
            help="Press on one body, release on another. Click a joint: torsion spring and damper.",
            opening="Spring-damper: press on one body, release on another; or click a joint.",
            group="springs",
            line="spring",
            length="free_length",
        ),
    )
    in_joint: ClassVar[str] = "torsion_spring"
    marker_i: Id = ref("marker", help="One end.")
    marker_j: Id = ref("marker", help="The other end.")
    stiffness: Number = number(1000.0, unit="N/m", low=0.0)
    damping: Number = number(10.0, unit="N s/m", low=0.0)
    free_length: Number | None = number(None, unit="m", low=0.0, help="Empty: as drawn.")
    preload: Number = number(0.0, unit="N", help="Tension at the free length.")
    acts: str = choice("both", tuple(SIDES), help="A rope only pulls, a buffer only pushes.")
    spring_curve: Function | None = function(
        None, of=("x",), unit="N", help="Further tension as a function of the elongation x."
    )
    damper_curve: Function | None = function(
        None, of=("v",), unit="N", help="Further tension as a function of the rate of length v."
    )

    def laws(self, model):
        """One law along the distance."""
        curved = self.spring_curve is not None or self.damper_curve is not None
        return (
            Law(
                layout.CURVE if curved else layout.LINEAR,
                distance(self.marker_i, self.marker_j),
                (self.stiffness, self.damping, self.free_length, self.preload, SIDES[self.acts]),
                (self.spring_curve, self.damper_curve),
                ("x", "v"),
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Spring(SpringDamper):
    """A spring between two points; a SpringDamper without damping."""

    kind: ClassVar[str] = "spring"
    called: ClassVar[dict[int, str]] = {}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Spring",
            key="K",
            says="spring",
            help="Press on one body, release on another. Click a joint: a torsion spring.",
            opening="Spring: press on one body, release on another; click a joint for torsion.",
            group="springs",
            line="spring",
            length="free_length",
        ),
    )
    damping: Number = number(0.0, unit="N s/m", low=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Damper(SpringDamper):
    """A damper between two points; a SpringDamper without stiffness."""

    kind: ClassVar[str] = "damper"
    called: ClassVar[dict[int, str]] = {}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Damper",
            key="D",
            says="damper",
            help="Press on one body, release on another. Click a joint: damping in it.",
            opening="Damper: press on one body, release on another; click a joint to damp it.",
            group="springs",
            line="damper",
        ),
    )
    in_joint: ClassVar[str] = "joint_damping"
    stiffness: Number = number(0.0, unit="N/m", low=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bushing(Force):
    """A rubber bearing: springs and dampers along and about the axes of marker i.

    Along each axis N = k x + c x_dot, with x the displacement of P_j in the axes of i; about each axis
    the same with the angle between the markers.
    """

    kind: ClassVar[str] = "bushing"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Bushing",
            key="Shift+B",
            says="bushing {0} – {1}",
            help="Click where two bodies overlap: springs and dampers hold them.",
            opening="Bushing: click where two bodies overlap, or on one to bear it on the ground.",
            dims=(2,),
            group="springs",
        ),
        Making(
            Gesture.AT_POINT,
            title="Bushing",
            key="Shift+B",
            says="bushing {0} – {1}",
            help="Click where two bodies touch: springs and dampers hold them.",
            opening="Bushing: click where two bodies touch, or on one to bear it on the ground.",
            dims=(3,),
            group="springs",
        ),
    )
    marker_i: Id = ref("marker", help="The point whose axes count.")
    marker_j: Id = ref("marker", help="The other point.")
    k_x: Number = number(1e4, unit="N/m", low=0.0)
    k_y: Number = number(1e4, unit="N/m", low=0.0)
    k_z: Number = number(1e4, unit="N/m", low=0.0, dims=(3,))
    c_x: Number = number(10.0, unit="N s/m", low=0.0)
    c_y: Number = number(10.0, unit="N s/m", low=0.0)
    c_z: Number = number(10.0, unit="N s/m", low=0.0, dims=(3,))
    turn_k_x: Number = number(0.0, unit="N m/rad", low=0.0, dims=(3,))
    turn_k_y: Number = number(0.0, unit="N m/rad", low=0.0, dims=(3,))
    turn_k_z: Number = number(0.0, unit="N m/rad", low=0.0)
    turn_c_x: Number = number(0.0, unit="N m s/rad", low=0.0, dims=(3,))
    turn_c_y: Number = number(0.0, unit="N m s/rad", low=0.0, dims=(3,))
    turn_c_z: Number = number(0.0, unit="N m s/rad", low=0.0)

    def laws(self, model):
        """A linear law for each axis that has stiffness or damping."""
        i, j = self.marker_i, self.marker_j
        shifts = [(along(X, i, j), self.k_x, self.c_x), (along(Y, i, j), self.k_y, self.c_y)]
        turns = [(angle(i, j), self.turn_k_z, self.turn_c_z)]
        if model.dim == 3:
            shifts.append((along(Z, i, j), self.k_z, self.c_z))
            about_x = Coordinate(layout.ANGLE, i, j, (Y, Z, Y))
            about_y = Coordinate(layout.ANGLE, i, j, (Z, X, Z))
            turns.append((about_x, self.turn_k_x, self.turn_c_x))
            turns.append((about_y, self.turn_k_y, self.turn_c_y))
        return tuple(
            Law(layout.LINEAR, coordinate, (k, c, 0.0, 0.0, SIDES["both"]))
            for coordinate, k, c in shifts + turns
            if k or c
        )
