"""Examples of constraints that are typed as formulas."""

from assets.example_solids import trace
from engine.editing.builder import Mechanism


def point_pendulum() -> Mechanism:
    """A point mass on a circle: x^2 + y^2 - l^2 = 0 is all that holds it."""
    m = Mechanism("Point pendulum by a formula")
    m.parameter("l", 1.0, unit="m")
    bob = m.particle((1.0, 0.0), mass=2.0, id="bob")
    m.constraint(bob, (1.0, 0.0), formula="x^2 + y^2 - l^2", id="circle")
    trace(m, bob, (1.0, 0.0), "point")
    m.settings(t_end=5.0)
    return m


def bead_on_a_rotating_wire() -> Mechanism:
    """A bead on a straight wire that turns steadily in a level plane: it is flung outwards."""
    m = Mechanism("Bead on a rotating wire", gravity=(0.0, 0.0))
    m.parameter("w", 2.0, unit="rad/s")
    bead = m.particle((0.1, 0.0), mass=0.2, id="bead", velocity=(0.0, 0.2))
    m.constraint(bead, (0.1, 0.0), formula="y*cos(w*t) - x*sin(w*t)", id="wire")
    trace(m, bead, (0.1, 0.0), "point")
    m.settings(t_end=1.5, output_step=0.005)
    return m


def point_on_a_moving_surface() -> Mechanism:
    """A mass slides without friction in a bowl that is lifted up and down."""
    m = Mechanism("Point on a moving surface", 3)
    m.parameter("k", 1.5, unit="1/m")
    m.parameter("lift", 0.05, unit="m")
    start = (0.4, 0.0, 0.24)
    bob = m.particle(start, mass=0.5, id="bob", velocity=(0.0, 0.6, 0.3))
    formula = "z - k*(x^2 + y^2) - lift*sin(6*t)"
    m.constraint(bob, start, formula=formula, id="bowl")
    m.marker("ground", (0.0, 0.0, 0.0), id="bottom")
    m.marker("ground", (-0.4, 0.0, 0.24), id="rim")
    trace(m, bob, start, "point")
    m.settings(t_end=5.0)
    return m


def car_driven_by_a_steering_law() -> Mechanism:
    """A coasting car: its rear axle does not slip sideways, and its front wheels follow a steering law."""
    m = Mechanism("Car driven by a steering law", gravity=(0.0, 0.0))
    m.parameter("wheelbase", 0.6, unit="m")
    car = m.box((0.3, 0.0), 0.9, 0.4, mass=20.0, id="car", velocity=(2.0, 0.0))
    trace(m, car, (0.0, 0.0), "rear")
    m.constraint(
        car, (0.0, 0.0), formula="rear.vy*cos(car.angle) - rear.vx*sin(car.angle)", id="rear_axle"
    )
    m.constraint(
        car,
        (0.6, 0.0),
        formula="wheelbase*car.angular_velocity"
        " - (rear.vx*cos(car.angle) + rear.vy*sin(car.angle))*tan(0.5*sin(0.8*t))",
        id="steering",
    )
    m.settings(t_end=10.0)
    return m


def disc_that_rolls_by_a_law_of_speed() -> Mechanism:
    """A solid disc on a slope: that it rolls is given for speeds, and integrates to a law of positions."""
    m = Mechanism("Disc that rolls by a law of speed", gravity=(3.355217606, -9.218384612))
    m.parameter("r", 0.2, unit="m")
    disc = m.disc((0.0, 0.2), "r", mass=2.0, id="disc")
    trace(m, disc, (0.0, 0.2), "hub")
    m.constraint(disc, (0.0, 0.2), formula="y - r", id="slope")
    m.constraint(disc, (0.0, 0.2), formula="vx + r*angular_velocity", id="rolling")
    m.settings(t_end=2.0)
    return m
