"""Examples of what holds on one side only, rigid or in contact, and lets go."""

from math import cos, exp, pi, radians, sin, sqrt

from assets.example_solids import BLUE, GREEN, ORANGE
from engine.editing.builder import Mechanism

WHEEL = 0.3
ARM = (0.45, 0.5)  # where the swing arm is pinned to the car


def point_in_a_ring() -> Mechanism:
    """A point flies freely within a ring and bounces off it: all its chords are alike."""
    m = Mechanism("Point in a ring", gravity=(0, 0))
    way = radians(70.0)
    m.particle((0.5, 0.0), 1.0, id="point", velocity=(2 * cos(way), 2 * sin(way)), color=ORANGE)
    ends = ("ground", (0.0, 0.0)), ("point", (0.5, 0.0))
    m.point_on_circle(*ends, radius=1.0, acts="inside", restitution=1.0, id="ring")
    m.settings(t_end=10.0, method="dop853")
    return m


def rope_that_goes_slack() -> Mechanism:
    """A weight on a rope swings too fast to fall back and too slowly to go round: it falls, and snaps taut.

    With v^2 = 3.5 g l at the bottom the rope goes slack at 120 degrees, and the parabola meets the circle
    again at its very bottom, whatever the length.
    """
    m = Mechanism("Rope that goes slack")
    m.particle((0.0, -1.0), 1.0, id="weight", velocity=(sqrt(3.5 * 9.81), 0.0), color=ORANGE)
    ends = ("ground", (0.0, 0.0)), ("weight", (0.0, -1.0))
    m.massless_rod(*ends, length=1.0, acts="tension", id="rope")
    m.settings(t_end=3.0, method="dop853")
    return m


def stick_slip_on_a_belt() -> Mechanism:
    """A mass on a spring is carried along by a belt, breaks loose, and is caught again, over and over."""
    m = Mechanism("Stick-slip on a belt")
    m.box((0.0, -0.02), 1.6, 0.04, mass=2.0, id="belt", color=GREEN)
    m.motion(m.prismatic("ground", "belt", (0.0, -0.02), axis=(1, 0), id="rollers"), "0.1*t")
    m.particle((0.0, 0.0), 1.0, id="mass", velocity=(0.1, 0.0), color=ORANGE)
    rubs = {"acts": "above", "mu_static": 0.4, "mu_dynamic": 0.25}
    m.point_on_line("belt", "mass", (0.0, 0.0), axis=(1, 0), id="contact", **rubs)
    m.spring(
        ("ground", (-0.4, 0.0)), ("mass", (0.0, 0.0)), stiffness=100.0, free_length=0.4, id="spring"
    )
    m.settings(t_end=3.0, method="dop853")
    return m


def cam_that_loses_its_follower() -> Mechanism:
    """An eccentric cam that runs a tenth too fast for its spring: the flat follower lifts off at the top.

    They part above w = sqrt((m g + F_0 + 2 k e) / (m e)) = 113.9 rad/s.
    """
    m = Mechanism("Cam that loses its follower")
    R, e, mass, stiffness, preload = 0.03, 0.01, 0.5, 2000.0, 20.0
    m.disc((0.0, -e), R, mass=1.0, id="cam", color=BLUE)
    m.revolute("ground", "cam", (0, 0), id="axle")
    m.motion("axle", "125*t")
    m.box((0.0, R - e + 0.01), 0.1, 0.02, mass=mass, id="follower", color=ORANGE)
    m.prismatic("ground", "follower", (0.0, R - e), axis=(0, 1), id="guide")
    top = ("ground", (0, 0.15)), ("follower", (0, R - e + 0.02))
    m.spring(*top, stiffness=stiffness, preload=-preload, id="spring")
    firm = {"law": "impact", "stiffness": 2e7, "exponent": 1.0, "damping": 3000.0}
    ends = ("follower", (0.0, R - e)), ("cam", (0, -e))
    m.contact(*ends, **firm, full_depth=1e-7, friction="none", id="touch")
    m.settings(t_end=6 * pi / 125, step=2e-5, output_step=2e-4, method="dop853")
    return m


def swing_arm_suspension() -> Mechanism:
    """A wheel on a swing arm meets a bump so fast that it leaves the ground behind it, and lands again."""
    m = Mechanism("Swing-arm suspension")
    x, y = ARM
    m.box((3.5, -0.1), 8.6, 0.1, mass=100.0, id="road", color=GREEN)
    m.motion(m.prismatic("ground", "road", (0.0, -0.1), axis=(1, 0), id="way"), "-10*t")
    m.box((x, y + 0.3), 1.2, 0.25, mass=300.0, id="car", color=BLUE)
    m.prismatic("ground", "car", (x, y + 0.3), axis=(0, 1), id="guide")
    m.rod(ARM, (0.0, WHEEL), mass=10.0, id="arm", color=ORANGE)
    m.revolute("car", "arm", ARM, id="pivot")
    m.disc((0.0, WHEEL), WHEEL, mass=30.0, id="wheel", color=ORANGE)
    m.revolute("arm", "wheel", (0.0, WHEEL), id="axle")
    strut = ("car", (0.1, y + 0.3)), ("arm", (0.1, WHEEL + 0.1 * (y - WHEEL) / x))
    m.spring_damper(*strut, stiffness=4e4, damping=2500.0, preload=-3847.0, id="strut")
    tyre = {"law": "impact", "stiffness": 2e5, "exponent": 1.0, "damping": 300.0}
    ends = ("road", (0.0, 0.0)), ("wheel", (0.0, WHEEL))
    road = tuple(
        (s, 0.08 * exp(-(((s - 3.4) / 0.2) ** 2))) for s in (0.1 * n for n in range(-8, 76))
    )
    m.contact(*ends, shape_i="curve", points=road, friction="none", **tyre, id="tyre")
    m.settings(t_end=0.7, output_step=2e-3, method="dop853")
    return m
