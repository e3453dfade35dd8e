"""Examples in space of bodies that spin: tops, gyroscopes, free flight.

Tops and wheels are given by the letters of their formulas: mass m, distance l from the support to
the mass centre, inertia J1 across the axis about the support and J3 about the axis.
"""

from math import cos, pi, radians, sin

from assets.example_solids import (
    ALONG_X,
    BLUE,
    GOLD,
    GREEN,
    GREY,
    ORANGE,
    RED,
    TEAL,
    VIOLET,
    ball,
    bar,
    block,
    mesh,
    placed,
    plate,
    ring,
    spoked_wheel,
    trace,
    turn,
    turned,
)
from engine.editing.builder import Mechanism
from rotations import quaternion

TOP = (  # (radius, height) of a wooden top from its tip [m]
    *((0.0, 0.0), (0.014, 0.028), (0.06, 0.068), (0.06, 0.092), (0.012, 0.106)),
    *((0.008, 0.15), (0.0, 0.152)),
)
REST = 0.16  # height of the tip on its stand [m]
STAND = ((0.0, 0.0), (0.05, 0.0), (0.05, 0.01), (0.008, 0.02), (0.005, 0.15), (0.0, REST))


def top_of(name: str, degrees: float, spin: str, low: float, high: float) -> Mechanism:
    """The parameters of a top."""
    m = Mechanism(name, dim=3)
    m.parameter("spin", spin, unit="rad/s", low=low, high=high)
    m.parameter("lean", f"{degrees:g}°", unit="rad")
    for letter, value, unit in (
        *(("m", 0.5, "kg"), ("l", 0.08, "m")),
        *(("J1", 3.65e-3, "kg m^2"), ("J3", 9e-4, "kg m^2")),
    ):
        m.parameter(letter, value, unit=unit)
    return m


def put_top(m: Mechanism, degrees: float, angular_velocity: tuple, **trail: float) -> str:
    """Set the top on a stand, leaning towards x; changes the mechanism."""
    lean = radians(degrees)
    top = m.body(
        (0, 0, REST),
        id="top",
        color=ORANGE,
        shape=mesh(turned(TOP, 20)),
        mass="m",
        center=(0.0, 0.0, "l"),
        inertia=("J1 - m*l^2", "J1 - m*l^2", "J3", 0.0, 0.0, 0.0),
        orientation=(cos(lean / 2), 0.0, sin(lean / 2), 0.0),
        angular_velocity=angular_velocity,
    )
    m.body((0, 0, 0), id="stand", shape=mesh(turned(STAND, 16)), fixed=True)
    m.spherical("stand", top, (0, 0, REST), id="tip")
    trace(m, top, (0.152 * sin(lean), 0.0, REST + 0.152 * cos(lean)), "head", color=BLUE, **trail)
    return top


def spinning_top() -> Mechanism:
    """A leaning top in steady precession: weight turns the axis sideways instead of down.

    Its start is computed from the spin, J1 cos(lean) W^2 - J3 spin W + m g l = 0, so its head draws
    a perfect circle. Spin it faster and it goes round more slowly.
    """
    m = top_of("Spinning top", 25.0, "250 rad/s", 100.0, 400.0)
    root = "sqrt((J3*spin)^2 - 4*J1*cos(lean)*m*9.81*l)"
    m.parameter("precession", f"(J3*spin - {root})/(2*J1*cos(lean))", unit="rad/s")
    put_top(m, 25.0, ("-precession*sin(lean)", 0.0, "spin"))
    m.settings(t_end=8.0, step=2.5e-4)
    return m


def top_with_nutation() -> Mechanism:
    """A spinning top let go without a push: it falls a little, swerves, rises and stops, again and again.

    Its head draws a garland with cusps between two levels. Look at the trail from above, and spin
    the top faster: the garland becomes finer.
    """
    m = top_of("Top with nutation", 30.0, "120 rad/s", 80.0, 300.0)
    put_top(m, 30.0, (0.0, 0.0, "spin"))
    m.settings(t_end=4.0, step=5e-4, output_step=5e-3)
    return m


def sleeping_top() -> Mechanism:
    """An upright top sleeps while it spins fast; friction slows it and suddenly it wakes and falls.

    It is stable while (J3 spin)^2 > 4 m g l J1, here above 84 rad/s. With drag at zero it sleeps
    for ever; start it below the limit and it falls at once.
    """
    m = top_of("Sleeping top", 0.5, "130 rad/s", 50.0, 200.0)
    m.parameter("drag", 8e-3, unit="N m", low=0.0, high=0.02)
    top = put_top(m, 0.5, (0.0, 0.0, "spin"), seconds=2.0)
    m.torque(top, (0.0, 0.0, "-drag"), axes="body", id="friction")
    m.settings(t_end=8.0, step=5e-4)
    return m


def bicycle_wheel() -> Mechanism:
    """A spinning bicycle wheel held at one end of its axle does not fall: it walks around its support.

    The axle stays level because the wheel starts with the precession W = m g l / (J3 spin). Halve the
    spin and it goes round twice as fast.
    """
    m = Mechanism("Bicycle wheel", dim=3)
    m.parameter("spin", "40 rad/s", unit="rad/s", low=20.0, high=80.0)
    for letter, value, unit in (
        *(("m", 1.8, "kg"), ("l", 0.2, "m")),
        *(("J1", 0.155, "kg m^2"), ("J3", 0.16, "kg m^2")),
    ):
        m.parameter(letter, value, unit=unit)
    m.parameter("precession", "m*9.81*l/(J3*spin)", unit="rad/s")
    foot = ((0.0, 0.0), (0.15, 0.0), (0.15, 0.02), (0.02, 0.04), (0.01, 0.58), (0.0, 0.6))
    m.body((0, 0, 0), id="post", shape=mesh(turned(foot, 16)), fixed=True)
    axle = (bar(0.0, 0.18, 0.008, 8), bar(0.22, 0.32, 0.008, 8))
    rim = placed(spoked_wheel(0.32, 0.04, spokes=8, rim=0.1, hub=0.08), at=(0, 0, 0.2))
    wheel = m.body(
        (0, 0, 0.6),
        id="wheel",
        color=TEAL,
        shape=mesh(rim, *axle),
        mass="m",
        center=(0.0, 0.0, "l"),
        inertia=("J1 - m*l^2", "J1 - m*l^2", "J3", 0.0, 0.0, 0.0),
        orientation=quaternion.from_matrix(ALONG_X),
        angular_velocity=("-precession", 0.0, "spin"),
    )
    m.spherical("post", wheel, (0, 0, 0.6), id="support")
    trace(m, wheel, (0.32, 0, 0.6), "axle_end", color=RED)
    m.settings(t_end=12.0, step=2e-3)
    return m


HEART = 0.24  # height of the middle of the rings [m]


def rotor_in_rings(m: Mechanism, **rotor: object) -> None:
    """Draw a rotor along x in a level inner ring and an upright outer ring; changes the mechanism."""
    foot = ((0.0, 0.0), (0.09, 0.0), (0.09, 0.01), (0.012, 0.02), (0.008, 0.108), (0.0, 0.108))
    m.body((0, 0, 0), id="stand", shape=mesh(turned(foot, 16)), fixed=True)
    outer = placed(ring(0.12, 0.132, 0.014), ALONG_X)
    m.body((0, 0, HEART), id="outer_ring", name="outer ring", color=BLUE, shape=mesh(outer))
    # a pin from each side of the inner ring to the outer one, whose flat sides are nearer than 0.12
    pins = (block((0, side * 0.112, 0), (0.008, 0.014, 0.008)) for side in (1, -1))
    inner = mesh(ring(0.095, 0.105, 0.012), *pins)
    m.body((0, 0, HEART), id="inner_ring", name="inner ring", color=GREEN, shape=inner)
    axle = (bar(0.008, 0.094, 0.004, 6), bar(-0.094, -0.008, 0.004, 6))
    disc = spoked_wheel(0.08, 0.016, spokes=5, rim=0.3)
    shape = mesh(*(placed(part, ALONG_X) for part in (disc, *axle)))
    m.body(
        (0, 0, HEART),
        id="rotor",
        color=GOLD,
        shape=shape,
        angular_velocity=("spin", 0.0, 0.0),
        **rotor,
    )
    m.revolute("stand", "outer_ring", (0, 0, 0.108), axis=(0, 0, 1), id="yaw")
    m.revolute("outer_ring", "inner_ring", (0, 0.119, HEART), axis=(0, 1, 0), id="pitch")
    m.revolute("inner_ring", "rotor", (0.094, 0, HEART), axis=(1, 0, 0), id="spin_bearing")


def gyroscope_in_gimbals() -> Mechanism:
    """A fast rotor in two rings; a small weight on the inner ring makes the outer ring precess.

    The inner ring hardly sinks: the weight turns the axis sideways. Without spin it would fall.
    """
    m = Mechanism("Gyroscope in gimbals", dim=3)
    m.parameter("spin", "300 rad/s", unit="rad/s", low=50.0, high=500.0)
    rotor_in_rings(m)
    m.force("inner_ring", (0.1, 0, HEART), (0, 0, -1.0), id="weight")
    trace(m, "inner_ring", (0.105, 0, HEART), "nose", color=RED)
    m.settings(t_end=5.0, step=2.5e-4, output_step=5e-3)
    return m


def gimbal_lock() -> Mechanism:
    """A motor turns the inner ring until the rotor's axis stands upright: gimbal lock.

    There yaw and spin turn about one line and the rings whirl. The rotor is described by the same
    three angles (3-2-1), which fail there: the run warns, then stops. Choose quaternions for the
    rotor and it runs through.
    """
    m = Mechanism("Gimbal lock", dim=3)
    m.parameter("spin", "15 rad/s", unit="rad/s", low=0.0, high=30.0)
    rotor_in_rings(m, parameters="3-2-1")
    m.motion("pitch", "step(t, 0.5, 0, 4.5, 90°)", id="motor")
    trace(m, "inner_ring", (0.105, 0, HEART), "nose", color=RED)
    m.settings(t_end=6.0, step=5e-4)
    return m


def dzhanibekov_nut() -> Mechanism:
    """A wing nut in free flight turns about its middle axis and flips again and again.

    Nothing acts on it: energy and angular momentum stay, and yet it turns over. Only the axes of
    the smallest and of the largest inertia are stable.
    """
    m = Mechanism("Dzhanibekov nut", dim=3, gravity=(0, 0, 0))
    collar = turned(((0.0, -0.06), (0.05, -0.06), (0.05, -0.03), (0.034, 0.06), (0.0, 0.06)), 16)
    wing = plate(((0.05, -0.04), (0.13, 0.01), (0.16, 0.055), (0.14, 0.09), (0.05, 0.03)), 0.02)
    wings = (wing, placed(wing, turn(2, pi)))
    nut = m.body(
        (0, 0, 0),
        id="nut",
        color=GOLD,
        shape=mesh(collar, *wings),
        mass=1.0,
        angular_velocity=(0.01, 0.01, 6.0),
    )
    trace(m, nut, (0.16, 0, 0.055), "wing", color=BLUE, seconds=3.0)
    m.settings(t_end=20.0, step=2e-3)
    return m


def looping_helicopter() -> Mechanism:
    """A helicopter flies loopings: in each its nose points straight up and straight down.

    It misses the vertical by half a degree. Its yaw, pitch and roll (3-2-1) swing round by half a
    turn there, while it turns evenly itself: the run warns that these angles near gimbal lock.
    """
    m = Mechanism("Looping helicopter", dim=3)
    m.parameter("speed", "12 m/s", unit="m/s", low=5.0, high=40.0)
    m.parameter("turning", "1 rad/s", unit="rad/s", low=0.5, high=2.0)
    body = m.body(
        (0, 0, 0),
        id="helicopter",
        color=RED,
        shape=mesh(*helicopter_parts()),
        mass=800.0,
        center=(0.0, 0.0, 0.0),
        inertia=(700.0, 3000.0, 3200.0, 0.0, 0.0, 0.0),
        orientation=(cos(radians(0.25)), sin(radians(0.25)), 0.0, 0.0),
        velocity=("speed", 0.0, 0.0),
        angular_velocity=(0.0, "-turning", 0.0),
    )
    m.force(body, (0, 0, 0), (0.0, 0.0, "800*9.81"), id="lift")
    m.force(body, (0, 0, 0), (0.0, 0.0, "800*speed*turning"), axes="body", id="thrust")
    trace(m, body, (0, 0, 0), "path", color=BLUE)
    m.settings(t_end=13.0, step=5e-4, orientation="3-2-1")
    return m


def helicopter_parts() -> list:
    """A cabin with a tail, a fin, skids and two blades, along x."""
    hull = ((0.0, -5.2), (0.15, -5.2), (0.3, -1.6), (1.0, -0.6), (1.1, 0.6), (0.6, 1.6), (0.0, 1.9))
    mast = bar(1.0, 1.5, 0.1, 6)
    blades = block((0, 0, 1.55), (9.0, 0.35, 0.1))
    across = block((0, 0, 1.67), (0.35, 9.0, 0.1))
    fin = block((-4.9, 0, 0.75), (0.5, 0.08, 1.1))
    skids = [block((0, side * 0.9, -1.35), (2.6, 0.1, 0.1)) for side in (1, -1)]
    struts = [
        block((x, side * 0.9, -0.95), (0.1, 0.1, 0.7)) for x in (-0.5, 0.5) for side in (1, -1)
    ]
    return [placed(turned(hull, 12), ALONG_X), mast, blades, across, fin, *skids, *struts]


HUB_MASS, HUB_J = 120.0, (40.0, 12.0, 42.0, 0.0, 0.0, 0.0)
WHEEL_MASS, WHEEL_J = 12.0, (0.3, 0.3, 0.5, 0.0, 0.0, 0.0)
WHEEL_Z, WHEEL_X = 0.46, 0.36  # where the wheels of the satellite are [m]


def satellite() -> Mechanism:
    """A satellite turns without pushing on anything: its wheels spin one way, so it turns the other.

    First one wheel gives the yaw, then the other the roll; both end at rest, and the angular
    momentum is zero all the time. Move the sliders to point it elsewhere.
    """
    m = Mechanism("Satellite with reaction wheels", dim=3, gravity=(0, 0, 0))
    m.parameter("yaw", "90°", unit="rad", low=-pi, high=pi)
    m.parameter("roll", "60°", unit="rad", low=-pi, high=pi)
    m.parameter("T", 6.0, unit="s")
    # what a wheel turns: all but its own spin, about the mass centre of the whole at height h
    h = WHEEL_MASS * WHEEL_Z / (HUB_MASS + 2 * WHEEL_MASS)
    J_yaw = HUB_J[2] + (WHEEL_MASS * WHEEL_X) ** 2 / HUB_MASS + WHEEL_J[0] + WHEEL_MASS * WHEEL_X**2
    J_roll = HUB_J[0] + HUB_MASS * h**2 + WHEEL_J[0] + WHEEL_MASS * ((WHEEL_Z - h) ** 2 + h**2)
    m.parameter("J_yaw", round(J_yaw, 12), unit="kg m^2")
    m.parameter("J_roll", round(J_roll, 12), unit="kg m^2")
    hub_and_wheels(m)
    wave = "2*pi*{0}*J_{0}/T^2*sin(2*pi*t/T)"  # turns the satellite by minus the angle within T
    m.actuator("yaw_bearing", f"if(t < T, -{wave.format('yaw')}, 0)", id="yaw_motor")
    late = f"if(t < T, 0, if(t < 2*T, -{wave.format('roll')}, 0))"
    m.actuator("roll_bearing", late, id="roll_motor")
    trace(m, "hub", (0, 1.7, 0), "panel_tip", color=VIOLET)
    m.settings(t_end=13.0, output_step=0.02)
    return m


def hub_and_wheels(m: Mechanism) -> None:
    """Draw a satellite with a wheel on its top and one in front; changes the mechanism."""
    panels = (block((0, side * 1.05, 0), (0.5, 1.3, 0.02)) for side in (1, -1))
    arms = (block((0, side * 0.35, 0), (0.06, 0.1, 0.02)) for side in (1, -1))
    m.body(
        (0, 0, 0),
        id="hub",
        color=GREY,
        shape=mesh(block((0, 0, 0), (0.6, 0.6, 0.8)), *panels, *arms),
        mass=HUB_MASS,
        center=(-WHEEL_MASS * WHEEL_X / HUB_MASS, 0, 0),  # balances the wheel in front
        inertia=HUB_J,
    )
    wheel = {"mass": WHEEL_MASS, "inertia": WHEEL_J, "center": (0, 0, 0)}
    wheel["shape"] = mesh(spoked_wheel(0.25, 0.08, spokes=5))
    above, front = (0, 0, WHEEL_Z), (WHEEL_X, 0, 0)
    m.body(above, id="yaw_wheel", name="yaw wheel", color=BLUE, **wheel)
    forward = {"orientation": quaternion.from_matrix(ALONG_X), "color": ORANGE}
    m.body(front, id="roll_wheel", name="roll wheel", **forward, **wheel)
    m.revolute("hub", "yaw_wheel", above, axis=(0, 0, 1), id="yaw_bearing")
    m.revolute("hub", "roll_wheel", front, axis=(1, 0, 0), id="roll_bearing")


def spherical_pendulum() -> Mechanism:
    """A ball on a rod, thrown sideways: it swings between two levels, and its plane of swing turns.

    Look at the trail from above: a rosette. The spin about the vertical stays the same.
    """
    m = Mechanism("Spherical pendulum", dim=3)
    m.parameter("push", "1.5 rad/s", unit="rad/s", low=0.0, high=5.0)
    lean = radians(50.0)
    bob = m.body(
        (0, 0, 1.2),
        id="bob",
        color=BLUE,
        density=1000.0,
        shape=mesh(bar(-0.9, 0.0, 0.012, 8), ball((0, 0, -1), 0.1)),
        orientation=(cos(lean / 2), 0.0, -sin(lean / 2), 0.0),
        angular_velocity=("push*sin(50°)", 0.0, "push*cos(50°)"),
    )
    m.spherical("ground", bob, (0, 0, 1.2), id="support")
    trace(m, bob, (sin(lean), 0, 1.2 - cos(lean)), "middle", color=RED)
    return m
