"""Examples of forces with states of their own, and of contact."""

from math import cos, pi, radians, sin, sqrt

from assets.example_solids import BLUE, GREEN, ORANGE
from engine.editing.builder import Mechanism
from engine.model.elements import put
from engine.model.forces import Contact


def maxwell_creep() -> Mechanism:
    """A weight on a spring and a damper in series sinks on; with a spring beside them it settles.

    Left the Maxwell element creeps at the speed weight / damping; right the standard linear solid relaxes.
    """
    m = Mechanism("Maxwell creep")
    for id, x, beside, color in (("creeps", 0.0, 0.0, ORANGE), ("settles", 0.5, 200.0, BLUE)):
        box = m.box((x, 0.0), 0.2, 0.12, mass=2.0, id=id, color=color)
        m.prismatic("ground", box, (x, 0.0), axis=(0, -1), id=f"rail_{id}")
        ends = ("ground", (x, 0.5)), (box, (x, 0.06))
        m.maxwell(
            *ends, stiffness=400.0, damping=100.0, parallel_stiffness=beside, id=f"solid_{id}"
        )
    m.settings(t_end=5.0)
    return m


def motor_spin_up() -> Mechanism:
    """A DC motor is switched on: its current peaks while the wheel is slow, and fades as it speeds up."""
    m = Mechanism("Motor spin-up", gravity=(0, 0))
    wheel = m.disc((0, 0), 0.05, mass=0.08, id="wheel", color=BLUE)
    m.revolute("ground", wheel, (0, 0), id="shaft")
    motor = {"voltage": 12.0, "resistance": 1.0, "inductance": 0.005, "constant": 0.05}
    m.dc_motor("shaft", id="motor", **motor)
    m.joint_damping("shaft", 1e-5, id="bearing")
    m.settings(t_end=0.5, output_step=0.001)
    return m


def bouncing_balls() -> Mechanism:
    """Three balls fall on a floor: each bounces back with just the restitution that was asked for."""
    m = Mechanism("Bouncing balls")
    for n, (r, color) in enumerate(((0.9, BLUE), (0.7, GREEN), (0.4, ORANGE))):
        id, at = f"ball_{n + 1}", (0.5 * n, 1.0)
        m.disc(at, 0.1, mass=1.0, id=id, color=color)
        m.contact(
            ("ground", (0.5 * n, 0.0)),
            (id, at),
            restitution=r,
            friction="none",
            id=f"floor_{n + 1}",
        )
    m.settings(t_end=4.0, method="dop853")
    return m


def ball_begins_to_roll() -> Mechanism:
    """A disc thrown along a floor without spin slides, and rolls once its rim no longer slips."""
    m = Mechanism("Ball begins to roll")
    m.disc((0.0, 0.1), 0.1, mass=1.0, id="disc", velocity=(2.0, 0.0), color=ORANGE)
    rubbing = {"mu_static": 0.2, "mu_dynamic": 0.2, "restitution": 0.5}
    m.contact(("ground", (0.0, 0.0)), ("disc", (0.0, 0.1)), id="floor", **rubbing)
    m.settings(t_end=0.8, output_step=0.002, method="dop853")
    return m


def drawer_that_jams() -> Mechanism:
    """Two drawers are pulled beside their middle: one comes out, the other has too much friction and jams.

    The edges of a guide of 2 b carry F c / (2 b) each, if the pull F is c beside its middle: a drawer
    jams from mu = b / c on, however hard it is pulled.
    """
    m = Mechanism("Drawer that jams", gravity=(0, 0))
    for id, y, mu, color in (("comes", 0.5, 0.4, BLUE), ("jams", 0.0, 0.8, ORANGE)):
        m.box((0.0, y), 0.2, 0.4, mass=2.0, id=id, color=color)
        m.prismatic("ground", id, (0.0, y), id=f"guide_{id}", displacement_rate=0.5)
        m.joint_friction(f"guide_{id}", mu=mu, half_length=0.1, id=f"edges_{id}")
        m.force(id, (0.1, y + 0.15), (10.0, 0.0), id=f"pull_{id}")
    m.settings(t_end=0.6, output_step=0.002, method="dop853")
    return m


def block_on_a_slope() -> Mechanism:
    """Two blocks on a slope of 15 degrees: one sticks, the other has too little friction."""
    m = Mechanism("Block on a slope")
    slope = radians(-15.0)
    for id, at, mu, color in (("sticks", 0.0, 0.4, BLUE), ("slides", 0.5, 0.2, ORANGE)):
        foot = (at * cos(slope), at * sin(slope))
        middle = (foot[0] - 0.05 * sin(slope), foot[1] + 0.05 * cos(slope))
        m.box(middle, 0.2, 0.1, angle=slope, mass=2.0, id=id, color=color)
        ground = m.marker("ground", foot, angle=slope)
        glued = m.marker(id, middle)
        contact = Contact(
            id=f"{id}_on_slope", marker_i=ground, marker_j=glued, mu_static=mu, mu_dynamic=mu
        )
        m.model = put(m.model, contact)
    m.settings(t_end=1.0, method="dop853")
    return m


def pla_gear_pair() -> Mechanism:
    """Two printed gears of PLA, 80 and 40 teeth of module 1.35 mm, are driven by 0.1 N m from rest.

    The flanks are involutes that press and rub on each other: see how many pairs carry, and what they lose.
    """
    m = Mechanism("PLA gear pair", gravity=(0, 0))
    for id, at, radius, color in (("gear_1", 0.0, 0.054, BLUE), ("gear_2", 0.081, 0.027, ORANGE)):
        m.disc((at, 0.0), radius, density=1250.0, thickness=0.013, id=id, color=color)
        m.revolute("ground", id, (at, 0.0), id=f"axle_{id[-1]}")
    rubbing = {"friction": "velocity", "mu_static": 0.3, "mu_dynamic": 0.1}
    teeth = {"teeth": "contact", "teeth_1": 80, "module": 1.35e-3, "stiffness": 3.1e6}
    m.gear("axle_1", "axle_2", **teeth, damping=60.0, **rubbing, id="mesh")
    m.torque("gear_1", 0.1, id="drive")
    m.settings(t_end=0.1, step=1e-5, output_step=2e-4, method="dop853")
    return m


def loose_wrist_pin() -> Mechanism:
    """A slider-crank at 600 rpm whose wrist pin has a clearance of half a millimetre, so that it knocks."""
    m = Mechanism("Loose wrist pin", gravity=(0, 0))
    pin = (0.05 * cos(radians(60.0)), 0.05 * sin(radians(60.0)))
    x = pin[0] + sqrt(0.12**2 - pin[1] ** 2)
    m.rod((0, 0), pin, mass=0.3, id="crank", color=BLUE)
    m.rod(pin, (x, 0), mass=0.21, id="connecting_rod", color=GREEN)
    speed = -20.0 * pi * pin[1] * (1.0 + pin[0] / (x - pin[0]))  # as with a tight pin
    m.box((x, 0), 0.04, 0.03, mass=0.14, id="piston", velocity=(speed, 0.0), color=ORANGE)
    m.revolute("ground", "crank", (0, 0), id="main_bearing")
    m.revolute("crank", "connecting_rod", pin, id="crank_pin")
    m.revolute("connecting_rod", "piston", (x, 0), id="wrist_pin", clearance=5e-4)
    m.prismatic("ground", "piston", (x, 0), id="cylinder")
    m.motion("main_bearing", "600 rpm", "speed", id="motor")
    m.settings(t_end=0.2, step=1e-5, output_step=2.5e-4, method="dop853")
    return m
