"""The methods of integration and the stabilisations, each listed once: names, texts and capabilities.

Settings, forms, command line, docs and integrators read this catalogue; it needs no compiled code.
"""

from typing import NamedTuple

# --- groups, as lists show them
FIXED = "Fixed step"
CONTROLLED = "Step control"
STIFF = "Stiff, step control"
IMPLICIT = "Implicit, fixed step"
DIRECT = "Implicit, closes joints itself"


class Method(NamedTuple):
    """The properties of a method."""

    name: str
    title: str  # in lists of the window
    short: str  # in strips and titles of runs
    full: str  # in sentences and docs
    use: str  # its purpose, in one sentence
    group: str
    order: int
    is_fixed: bool = True  # of fixed step
    is_stiff: bool = False  # implicit: stable with steps longer than the fastest motion
    is_direct: bool = False  # solves the constrained equations, not an ODE derived from them
    has_damping: bool = False  # the user sets its numerical damping of fast motions

    @property
    def has_tangents(self) -> bool:
        """Whether it needs the tangents of engine.compiling.elimination."""
        return self.is_fixed and self.is_stiff


METHODS = (
    Method(
        "rk4",
        "Runge-Kutta 4 (RK4)",
        "RK4",
        "Runge-Kutta 4",
        "The workhorse: accurate and robust where no force is very stiff.",
        FIXED,
        4,
    ),
    Method(
        "heun",
        "Heun (RK2)",
        "Heun",
        "Heun (Runge-Kutta 2)",
        "Order 2 in two evaluations a step, to see what the order does.",
        FIXED,
        2,
    ),
    Method(
        "euler",
        "Euler (order 1)",
        "Euler",
        "explicit Euler",
        "The simplest of all; energy grows with it, which is what it teaches.",
        FIXED,
        1,
    ),
    Method(
        "euler_cromer",
        "Euler-Cromer",
        "Euler-Cromer",
        "Euler-Cromer (semi-implicit Euler)",
        "As cheap as Euler, but energy only swings; projection closes joints within its step.",
        FIXED,
        1,
    ),
    Method(
        "dopri5",
        "Dormand-Prince 5",
        "DOPRI5",
        "Dormand-Prince 5(4)",
        "Takes steps as long as the tolerance allows; good for moderate accuracy.",
        CONTROLLED,
        5,
        is_fixed=False,
    ),
    Method(
        "dop853",
        "Dormand-Prince 8",
        "DOP853",
        "Dormand-Prince 8(5,3)",
        "Long steps at very high accuracy, where no force is stiff.",
        CONTROLLED,
        8,
        is_fixed=False,
    ),
    Method(
        "ida",
        "IDA (BDF 1 to 5)",
        "IDA",
        "IDA, BDF of variable order",
        "For stiff springs, dampers and stops: steps follow what is seen of them.",
        STIFF,
        5,
        is_fixed=False,
        is_stiff=True,
    ),
    Method(
        "radau",
        "Radau IIA",
        "Radau",
        "Radau IIA",
        "For stiff models at high accuracy; each step costs more than one of IDA.",
        STIFF,
        5,
        is_fixed=False,
        is_stiff=True,
    ),
    Method(
        "implicit_euler",
        "Implicit Euler",
        "Implicit Euler",
        "implicit Euler",
        "Never explodes, however stiff the model; damps everything strongly.",
        IMPLICIT,
        1,
        is_stiff=True,
    ),
    Method(
        "trapezoid",
        "Implicit trapezoid",
        "Trapezoid",
        "implicit trapezoid",
        "For stiff models whose swings must not die out: it damps nothing.",
        IMPLICIT,
        2,
        is_stiff=True,
    ),
    Method(
        "bdf1",
        "Gear 1 (BDF1)",
        "BDF1",
        "Gear 1",
        "Gear's method of order 1: implicit Euler as multistep codes have it.",
        IMPLICIT,
        1,
        is_stiff=True,
    ),
    Method(
        "bdf2",
        "Gear 2 (BDF2)",
        "BDF2",
        "Gear 2",
        "For stiff models: stable with any step, and damps only fast motions.",
        IMPLICIT,
        2,
        is_stiff=True,
    ),
    Method(
        "bdf3",
        "Gear 3 (BDF3)",
        "BDF3",
        "Gear 3",
        "For stiff models that creep rather than swing, at order 3.",
        IMPLICIT,
        3,
        is_stiff=True,
    ),
    Method(
        "bdf4",
        "Gear 4 (BDF4)",
        "BDF4",
        "Gear 4",
        "For stiff models that creep rather than swing, at order 4.",
        IMPLICIT,
        4,
        is_stiff=True,
    ),
    Method(
        "bdf5",
        "Gear 5 (BDF5)",
        "BDF5",
        "Gear 5",
        "For stiff models that creep; fast swings make it explode.",
        IMPLICIT,
        5,
        is_stiff=True,
    ),
    Method(
        "generalised_alpha",
        "Generalised-α",
        "Generalised-α",
        "generalised-alpha",
        "For stiff mechanisms: takes away fast swings, as much as you say.",
        DIRECT,
        2,
        is_stiff=True,
        is_direct=True,
        has_damping=True,
    ),
    Method(
        "generalised_alpha_index2",
        "Generalised-α index 2",
        "Generalised-α 2",
        "generalised-alpha of index 2",
        "Generalised-alpha that closes the velocities of joints too.",
        DIRECT,
        2,
        is_stiff=True,
        is_direct=True,
        has_damping=True,
    ),
    Method(
        "hht",
        "HHT-alpha",
        "HHT",
        "HHT-alpha",
        "The forerunner of generalised-alpha, as structural codes have it.",
        DIRECT,
        2,
        is_stiff=True,
        is_direct=True,
        has_damping=True,
    ),
    Method(
        "trapezoid_index3",
        "Trapezoid, index 3",
        "Trapezoid 3",
        "trapezoid of index 3",
        "Shows why damping is needed here: reactions ring from step to step.",
        DIRECT,
        2,
        is_stiff=True,
        is_direct=True,
    ),
)
BY_NAME = {method.name: method for method in METHODS}

AUTO = "auto"  # the program examines the model and chooses one of them
AUTO_TITLE = "Automatic"
AUTO_USE = "Looks at the model and takes the method that suits it; the run says which."
METHOD_NAMES = (AUTO, *BY_NAME)


class Coordinates(NamedTuple):
    """The coordinates in which the equations of motion are solved."""

    name: str
    title: str
    use: str


ABSOLUTE, JOINT = "absolute", "joint"
COORDINATES = (
    Coordinates(
        ABSOLUTE,
        "Absolute",
        "Every body has its own; joints are held by multipliers. Serves every model and method.",
    ),
    Coordinates(
        JOINT,
        "Joint",
        "Angles and displacements of the joints of a tree: fast for chains, whose joints cannot open.",
    ),
    Coordinates(
        AUTO, AUTO_TITLE, "Joint coordinates for trees and a few loops, else absolute ones."
    ),
)
COORDINATE_NAMES = tuple(one.name for one in COORDINATES)


class Stabilisation(NamedTuple):
    """The properties of a stabilisation."""

    name: str
    title: str
    use: str


STABILISATIONS = (
    Stabilisation(
        "projection",
        "Projection",
        "After every step the joints are closed exactly; the best choice as a rule.",
    ),
    Stabilisation(
        "baumgarte",
        "Baumgarte",
        "A spring and a damper pull gaps together: cheap, but gaps stay a little open.",
    ),
    Stabilisation(
        "penalty",
        "Penalty",
        "Joints give way a little; survives redundant joints and poses in line.",
    ),
    Stabilisation(
        "none", "None", "Only accelerations are kept: joints drift apart, which is what it shows."
    ),
)
STABILISATION_NAMES = tuple(one.name for one in STABILISATIONS)
