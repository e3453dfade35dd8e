"""How joints and forces say what they are: coordinates, rows, laws, loads and interactions.

These few plain records are all that the compiler (engine/compiling/system.py) sees of an element.
"""

from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.kernels import layout
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import Function, Number

X, Y, Z = 0, 1, 2  # axes of a marker
NONE = -1


class Coordinate(NamedTuple):
    """A scalar g(q) between two markers, or the point difference P_j - P_i (one row per axis)."""

    kind: int  # of engine.kernels.layout
    marker_i: Id  # or a body, which stands for its axes at its mass centre; empty: the world
    marker_j: Id
    axes: tuple[int, int, int] = (NONE, NONE, NONE)  # two axes of marker i, one of marker j
    radius: float = 0.0

    @property
    def is_angle(self) -> bool:
        """Whether it is measured in radians."""
        return self.kind in (layout.ANGLE, layout.DIRECTION)


class Typed(NamedTuple):
    """What the user has typed for a row: a formula of the coordinates of its terms, or of their rates."""

    text: str
    names: tuple[str, ...]  # in the formula, of each term
    of_rate: tuple[bool, ...]  # whether the name stands for the rate of its term


class Row(NamedTuple):
    """A constraint: a weighted sum of coordinates equals its target, or a formula of them is zero."""

    terms: tuple[tuple[float, Coordinate], ...]
    target: Function | None = 0.0  # None: the value it has in the drawing
    level: int = layout.POSITION
    period: float = 0.0  # what a full turn of a direction adds to it
    typed: Typed | None = None  # in place of the sum


class Meshing(NamedTuple):
    """A wheel whose teeth meet those of another wheel or a rack; see engine.kernels.acting.teeth."""

    marker_i: Id  # the centre of the wheel, z along its axis
    marker_j: Id  # the centre of the other wheel, or a point of the rack
    radius_i: float  # with the sign of its angle in the row, about the axis of i
    radius_j: float  # likewise; zero for a rack
    way: int  # the axis of marker j along which a rack lies; NONE for a wheel
    pressure_angle: float


class Gate(NamedTuple):
    """A row that holds on one side only, see engine.kernels.acting.gates."""

    side: int  # 1: its coordinate stays below the target of its row, -1: above
    row: int = 0  # which of the rows of its element
    stick: int = NONE  # the row that holds while it sticks; NONE: it does not rub
    mu_s: Number = 0.0
    mu_d: Number = 0.0
    restitution: Number = 0.0
    rest_speed: Number = 1e-3  # below it does not bounce                 [m/s or rad/s]
    by_impulse: bool = False  # restitution after Poisson, else after Newton


class Law(NamedTuple):
    """A force along a coordinate; see engine.kernels.forces."""

    kind: int
    coordinate: Coordinate
    param: tuple[Number | None, ...]  # five; x0 None: the value in the drawing
    functions: tuple[Function | None, Function | None] = (None, None)
    variables: tuple[str, ...] = ("x",)
    other: Coordinate | None = None


class Load(NamedTuple):
    """A given force or torque on the body of a marker."""

    kind: int
    marker: Id
    in_body_axes: bool
    components: tuple[Function, Function, Function]


class State(NamedTuple):
    """A number that a force law integrates for itself."""

    initial: Number = 0.0
    size: Number = 1.0  # below which it counts as zero
    name: str = ""  # of its channel; empty: it has none
    unit: str = ""
    field: str = ""  # of the element that gives its value at the start


class Nearness(NamedTuple):
    """Where what is placed about two markers can touch at all, see engine.kernels.acting.nearness."""

    middle: tuple[float, ...]  # of the second, along the axes of its marker            [m]
    around: float  # how far it reaches about that
    low: tuple[float, ...]  # a box about the first, along the axes of its marker
    high: tuple[float, ...]
    reach: float  # how far the first reaches from its marker


class Interaction(NamedTuple):
    """A force and a torque between two markers by their relative state, see engine.kernels.acting."""

    law: str  # its name in engine.kernels.acting.marker_laws
    marker_i: Id  # who sees: a marker, or a body by its frame; empty: the world
    marker_j: Id  # who is seen and pushed, likewise; the other takes the opposite
    param: tuple[Number | None, ...] = ()  # None: the value of the coordinate in the drawing
    given: tuple[Function, ...] = (0.0, 0.0, 0.0)  # over time, or of the variables
    states: tuple[State, ...] = ()
    turns: bool = False  # whether it gives a torque
    coordinate: Coordinate | None = None  # that it acts along, if there is one
    variables: tuple[str, ...] = ("t",)
    stores: bool = False  # whether it stores energy
    touches: bool = False  # whether it is a contact, which begins and ends
    outline: tuple[tuple[float, float], ...] = ()  # corners of what is touched      [m]
    pushes: bool = True  # whether it gives a force
    joint: Id = ""  # whose reaction makes it
    near: Nearness | None = None  # where it need not be looked at; None: always
    rests: int = 0  # its states from this one on die out where its shapes are apart


def body_of(model: Model, frame: Id) -> Id:
    """The body of a marker, or the body itself; the ground where the world sees."""
    element: Any = model.elements.get(frame)
    if element is None:
        return GROUND
    return element.id if element.family == "body" else element.body


def interactions_of(model: Model) -> list[tuple[Any, Interaction]]:
    """All interactions of a resolved model with their elements, in the order in which they are packed."""
    acting = [*model.of("force"), *(e for e in model.of("joint") if hasattr(e, "interactions"))]
    return [(e, one) for e in acting for one in e.interactions(model)]


def point(i: Id, j: Id) -> Coordinate:
    """The vector P_j - P_i in world axes."""
    return Coordinate(layout.POINT, i, j)


def along(axis: int, i: Id, j: Id) -> Coordinate:
    """How far P_j lies from P_i along an axis of marker i."""
    return Coordinate(layout.ALONG, i, j, (axis, NONE, NONE))


def angle(i: Id, j: Id) -> Coordinate:
    """The angle from x_i to x_j about z_i, counted over full turns."""
    return Coordinate(layout.ANGLE, i, j, (X, Y, X))


def direction(i: Id, j: Id) -> Coordinate:
    """The direction from P_i to P_j as an angle from x_i about z_i."""
    return Coordinate(layout.DIRECTION, i, j, (X, Y, NONE))


def distance(i: Id, j: Id) -> Coordinate:
    """The distance from P_i to P_j."""
    return Coordinate(layout.DISTANCE, i, j)


def cosine(axis_i: int, axis_j: int, i: Id, j: Id) -> Coordinate:
    """The cosine of the angle between an axis of marker i and one of marker j."""
    return Coordinate(layout.DOT, i, j, (axis_i, NONE, axis_j))


def row(coordinate: Coordinate, target: Function | None = 0.0) -> Row:
    """The row: coordinate = target."""
    return Row(((1.0, coordinate),), target)


def parallel(i: Id, j: Id) -> tuple[Row, Row]:
    """The z axes of two markers stay parallel."""
    return row(cosine(Z, X, i, j)), row(cosine(Z, Y, i, j))


def joint_coordinate(model: Model, joint_id: Id, name: str, user: Id) -> Coordinate:
    """The named coordinate of a joint; an empty name means its only (or first) one."""
    joint = model[joint_id]
    coordinates = joint.coordinates(model)
    if not coordinates:
        raise EngineError(
            "'{user}' needs a coordinate of joint '{joint}', but a {kind} "
            "has none. Choose another joint.",
            user,
            joint_id,
            user=model[user].label,
            joint=joint.label,
            kind=joint.kind,
        )
    if name == "":
        return next(iter(coordinates.values()))
    if name not in coordinates:
        known = ", ".join(coordinates)
        raise EngineError(
            "'{user}' asks for the coordinate '{name}' of joint '{joint}', which "
            "has: {known}. Choose one of these.",
            user,
            joint_id,
            user=model[user].label,
            name=name,
            joint=joint.label,
            known=known,
        )
    return coordinates[name]
