"""Forces with states of their own: spring and damper in series, motor, controller, cylinder."""

from dataclasses import dataclass
from typing import ClassVar

from engine.errors import EngineError, say
from engine.kernels import layout
from engine.model.connections import (
    Coordinate,
    Interaction,
    State,
    distance,
    joint_coordinate,
)
from engine.model.elements import Id, Model
from engine.model.fields import Function, Number, function, number, ref, text
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making

VARIABLES = ("t", "distance", "rate", "z1", "z2", "z3")
NO_LIMIT = 1e30  # a force or torque beyond all others
KINDS = (
    layout.DISTANCE,
    layout.ALONG,
    layout.ANGLE,
)  # coordinates that engine.kernels.acting.line_laws knows


def acting_along(
    law: str,
    coordinate: Coordinate,
    numbers: tuple[Number | None, ...],
    given: tuple[Function, ...] = (),
    states: tuple[State, ...] = (),
    variables: tuple[str, ...] = ("t",),
    stores: bool = False,
) -> Interaction:
    """A law along a coordinate: its first numbers say which coordinate that is."""
    which = (float(coordinate.kind), *map(float, coordinate.axes))
    return Interaction(
        law,
        coordinate.marker_i,
        coordinate.marker_j,
        (*which, *numbers),
        given,
        states,
        coordinate.is_angle,
        coordinate,
        variables,
        stores,
    )


def sliding_or_turning(model: Model, joint: Id, name: str, user: Id) -> Coordinate:
    """A coordinate of a joint along or about an axis; others are refused."""
    coordinate = joint_coordinate(model, joint, name, user)
    if coordinate.kind not in KINDS:
        raise EngineError(
            "'{user}' needs a coordinate that slides or turns, but that of joint '{joint}' does neither. "
            "Choose another coordinate or joint.",
            user,
            joint,
            user=model[user].label,
            joint=model[joint].label,
        )
    return coordinate


@dataclass(frozen=True, slots=True, kw_only=True)
class Maxwell(Force):
    """A spring and a damper in series, which creeps under load; beside them a spring and a damper.

    With e the stretch of the spring, z that of the damper and e + z = x = distance - free_length:

        N = stiffness e + parallel_stiffness x + parallel_damping x_dot      z_dot = stiffness e / damping

    N > 0 pulls the ends together. With a spring beside it is the standard linear solid.
    """

    kind: ClassVar[str] = "maxwell"
    called: ClassVar[dict[int, str]] = {
        2: "Spring and damper in series",
        3: "Spring and damper in series",
    }
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Spring and damper in series",
            key="Shift+Q",
            says="spring and damper in series",
            help="Press on one body, release on another: a spring and a damper one behind the other.",
            opening="Spring and damper in series: press on one body, release on another.",
            group="springs",
            line="spring",
        ),
    )
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    stiffness: Number = number(1000.0, unit="N/m", above=0.0, help="Of the spring in series.")
    damping: Number = number(50.0, unit="N s/m", above=0.0, help="Of the damper in series.")
    free_length: Number | None = number(None, unit="m", help="Empty: as drawn.")
    parallel_stiffness: Number = number(0.0, unit="N/m", low=0.0, help="Of a spring beside both.")
    parallel_damping: Number = number(0.0, unit="N s/m", low=0.0, help="Of a damper beside both.")
    start_stretch: Number = number(0.0, unit="m", help="Of the damper in series at t = 0.")

    def interactions(self, model):
        """One law along the distance, with the stretch of the damper as its state."""
        numbers = (self.stiffness, self.damping, self.free_length)
        beside = (self.parallel_stiffness, self.parallel_damping)
        along, states = (
            distance(self.marker_i, self.marker_j),
            (State(self.start_stretch, 0.1, "creep", "m", "start_stretch"),),
        )
        return (acting_along("maxwell", along, (*numbers, *beside), states=states, stores=True),)


@dataclass(frozen=True, slots=True, kw_only=True)
class DcMotor(Force):
    """An electric motor in a joint: a winding whose current drives, and which resists by its speed.

    torque = constant I          inductance I_dot = voltage - resistance I - constant speed

    In a joint that slides it is a voice coil with a force.
    """

    kind: ClassVar[str] = "dc_motor"
    called: ClassVar[dict[int, str]] = {2: "DC motor", 3: "DC motor"}
    signed: ClassVar[tuple[str, ...]] = ("voltage", "start_current")
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_JOINT,
            title="DC motor",
            key="Shift+M",
            says="DC motor",
            help="Click a joint: a motor with a winding; its voltage is set in the properties.",
            opening="DC motor: click a joint; set voltage and winding in the properties then.",
            group="drives",
        ),
    )
    joint: Id = ref("joint")
    coordinate: str = text(help="Which coordinate; empty: the first.")
    voltage: Function = function(12.0, unit="V", help="Over time.")
    resistance: Number = number(1.0, unit="ohm", low=0.0, help="Of the winding.")
    inductance: Number = number(0.005, unit="H", above=0.0, help="Of the winding.")
    constant: Number = number(
        0.05,
        unit="N/A or N m/A",
        low=0.0,
        help="Force or torque for each ampere; also volts per speed.",
    )
    start_current: Number = number(0.0, unit="A", help="At t = 0.")

    def interactions(self, model):
        """One law along the coordinate, with the current as its state."""
        along = sliding_or_turning(model, self.joint, self.coordinate, self.id)
        winding = (self.constant, self.resistance, self.inductance)
        states = (State(self.start_current, 1.0, "current", "A", "start_current"),)
        return (acting_along("dc_motor", along, winding, (self.voltage,), states),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Controller(Force):
    """A PID controller that holds a coordinate of a joint at a target by a force or torque.

    force = proportional e + integral (e summed over time) - derivative speed,     e = target - coordinate

    The speed passes a filter of first order with the given time. At the limit the sum stands still.
    """

    kind: ClassVar[str] = "controller"
    called: ClassVar[dict[int, str]] = {2: "PID controller", 3: "PID controller"}
    signed: ClassVar[tuple[str, ...]] = ("target", "start_sum", "start_speed")
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_JOINT,
            title="PID controller",
            key="Shift+C",
            says="controller",
            help="Click a joint: a controller holds it at a target, set in the properties.",
            opening="PID controller: click a joint; set target and gains in the properties then.",
            group="drives",
        ),
    )
    joint: Id = ref("joint")
    coordinate: str = text(help="Which coordinate; empty: the first.")
    target: Function = function(0.0, unit="m or rad", help="Over time.")
    proportional: Number = number(100.0, unit="N/m or N m/rad", low=0.0, help="Gain of the error.")
    integral: Number = number(0.0, unit="N/m/s or N m/rad/s", low=0.0, help="Gain of its sum.")
    derivative: Number = number(10.0, unit="N s/m or N m s/rad", low=0.0, help="Gain of the speed.")
    filter_time: Number = number(0.0, unit="s", low=0.0, help="Of the speed; zero: no filter.")
    limit: Number | None = number(None, unit="N or N m", above=0.0, help="Empty: none.")
    start_sum: Number = number(0.0, unit="m s or rad s", help="Of the error, at t = 0.")
    start_speed: Number = number(0.0, unit="m/s or rad/s", help="Behind the filter, at t = 0.")

    def interactions(self, model):
        """One law along the coordinate: the sum of the error and the filtered speed are its states."""
        along = sliding_or_turning(model, self.joint, self.coordinate, self.id)
        gains = (self.proportional, self.integral, self.derivative)
        limit = NO_LIMIT if self.limit is None else self.limit
        unit = "rad" if along.is_angle else "m"
        states = [State(self.start_sum, 1.0, "error_sum", f"{unit} s", "start_sum")]
        if self.filter_time:
            states.append(
                State(self.start_speed, 1.0, "filtered_speed", f"{unit}/s", "start_speed")
            )
        numbers = (*gains, self.filter_time, limit)
        return (acting_along("controller", along, numbers, (self.target,), tuple(states)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class HydraulicCylinder(Force):
    """A cylinder between two points with oil on both sides of its piston, fed through a valve.

    force = p_a piston_area - p_b ring_area. A valve opened by 0 to 1 joins side a with the supply and side
    b with the tank, by 0 to -1 the other way round; its flow grows with the root of the pressure drop. The
    oil yields by its bulk modulus.
    """

    kind: ClassVar[str] = "hydraulic_cylinder"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Hydraulic cylinder",
            key="Shift+H",
            says="hydraulic cylinder",
            help="Press on one body, release on another; its valve is set in the properties.",
            opening="Hydraulic cylinder: press on one body, release on another, then set its valve.",
            group="drives",
            line="damper",
        ),
    )
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    opening: Function = function(0.0, help="Of the valve over time, from -1 to 1.")
    piston_area: Number = number(
        1e-3, unit="m^2", above=0.0, help="On side a, which pushes the ends apart."
    )
    ring_area: Number = number(
        7.5e-4, unit="m^2", above=0.0, help="On side b, around the piston rod."
    )
    stroke: Number = number(0.5, unit="m", above=0.0)
    closed_length: Number | None = number(
        None,
        unit="m",
        help="Between the ends when the piston is fully in. Empty: as drawn less half a stroke.",
    )
    dead_volume: Number = number(
        1e-5, unit="m^3", above=0.0, help="Of hoses and ports on each side."
    )
    supply_pressure: Number = number(1e7, unit="Pa", low=0.0)
    tank_pressure: Number = number(0.0, unit="Pa", low=0.0)
    start_pressure_a: Number = number(0.0, unit="Pa", low=0.0, help="At t = 0.")
    start_pressure_b: Number = number(0.0, unit="Pa", low=0.0)
    rated_flow: Number = number(
        1e-3, unit="m^3/s", above=0.0, help="Of the open valve, at the rated pressure drop."
    )
    rated_drop: Number = number(1e6, unit="Pa", above=0.0, help="Over one edge of the valve.")
    leakage: Number = number(0.0, unit="m^3/s/Pa", low=0.0, help="Past the piston.")
    bulk_modulus: Number = number(1e9, unit="Pa", above=0.0, help="Of the oil.")

    def interactions(self, model):
        """One law along the distance, with the pressures on both sides as its states."""
        is_half_out = 1.0 if self.closed_length is None else 0.0
        numbers = (
            self.closed_length,
            is_half_out,
            self.stroke,
            self.dead_volume,
            self.bulk_modulus,
        )
        valve = (self.piston_area, self.ring_area, self.rated_flow, self.rated_drop)
        more = (self.supply_pressure, self.tank_pressure, self.leakage)
        pressures = (self.start_pressure_a, self.start_pressure_b)
        states = tuple(
            State(p, 1e5, f"pressure_{side}", "Pa", f"start_pressure_{side}")
            for side, p in zip("ab", pressures)
        )
        along = distance(self.marker_i, self.marker_j)
        return (
            acting_along(
                "hydraulic_cylinder", along, (*numbers, *valve, *more), (self.opening,), states
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StateForce(Force):
    """A force along the line of two markers by a formula, with up to three states of its own.

    law, z1_rate, z2_rate and z3_rate are expressions of t, distance, rate (of the distance), z1, z2 and z3.
    A positive force pushes the markers apart. A first-order filter is z1_rate = (distance - z1)/0.1.
    """

    kind: ClassVar[str] = "state_force"
    called: ClassVar[dict[int, str]] = {2: "Force with states", 3: "Force with states"}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Force with states",
            key="Shift+Z",
            says="force with states",
            help="Press on one body, release on another; then write its law and the rates of its states.",
            opening="Force with states: press on one body, release on another, then give its formulas.",
            group="loads",
            line="dashed",
            begins=(("law", "10*z1"), ("z1_rate", "-distance - z1")),
        ),
    )
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    law: Function = function(0.0, of=VARIABLES, unit="N", help="Along the line.")
    z1_rate: Function = function(0.0, of=VARIABLES, help="Of the first state.")
    z2_rate: Function = function(0.0, of=VARIABLES, help="Of the second state.")
    z3_rate: Function = function(0.0, of=VARIABLES, help="Of the third state.")
    z1_start: Number = number(0.0, help="The first state at t = 0.")
    z2_start: Number = number(0.0, help="The second state at t = 0.")
    z3_start: Number = number(0.0, help="The third state at t = 0.")
    size: Number = number(
        1.0, above=0.0, help="Of the states: less than a millionth of it is nothing."
    )

    def problems(self, model):
        """A table cannot be read over several variables."""
        tables = [
            n
            for n in ("law", "z1_rate", "z2_rate", "z3_rate")
            if isinstance(getattr(self, n), tuple)
        ]
        return [
            say(
                "The {field} of '{name}' is a table; write an expression.",
                field=field,
                name=self.label,
            )
            for field in tables
        ]

    def interactions(self, model):
        """One law along the distance, with three states."""
        along = distance(self.marker_i, self.marker_j)
        given = (self.law, self.z1_rate, self.z2_rate, self.z3_rate)
        starts = (self.z1_start, self.z2_start, self.z3_start)
        states = tuple(
            State(start, self.size, f"z{n}", field=f"z{n}_start")
            for n, start in enumerate(starts, 1)
        )
        return (acting_along("by_formula", along, (), given, states, VARIABLES),)
