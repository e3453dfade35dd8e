"""Examples in the plane: pendulums, linkages, gears, vehicles."""

from math import cos, pi, radians, sin, sqrt

from assets.example_solids import BLUE, GREEN, ORANGE, RED, end_of, meeting_point, trace
from engine.editing.builder import Mechanism
from engine.model.shapes import Polygon


def pendulum() -> Mechanism:
    """A rod hinged at one end falls from the horizontal."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1.0)
    m.revolute("ground", rod, (0, 0), id="pin")
    return m


def double_pendulum_of(
    name: str, m1: float, m2: float, l1: float, l2: float, degrees_1: float, degrees_2: float
) -> Mechanism:
    """Two rods hinged end to end, released at rest."""
    m = Mechanism(name)
    elbow = end_of((0, 0), l1, degrees_1)
    upper = m.rod((0, 0), elbow, mass=m1, id="upper", angle=radians(degrees_1))
    lower = m.rod(
        elbow, end_of(elbow, l2, degrees_2), mass=m2, id="lower", angle=radians(degrees_2)
    )
    m.revolute("ground", upper, (0, 0), id="A")
    m.revolute(upper, lower, elbow, id="B")
    m.settings(t_end=10.0)
    return m


def double_pendulum() -> Mechanism:
    """Two equal rods released from the horizontal: chaos from the simplest ingredients."""
    return double_pendulum_of("Double pendulum", 12.85, 12.85, 1.0, 1.0, 0.0, 0.0)


def double_pendulum_small() -> Mechanism:
    """A light and a heavy rod released near the vertical: two modes, no chaos."""
    name = "Double pendulum, small swings"
    return double_pendulum_of(name, 1.0, 2.0, 1.0, 2.0, -75.0, -90.0)


def triple_pendulum() -> Mechanism:
    """Three rods of lengths 1, 0.8 and 0.6 m released from the horizontal."""
    m = Mechanism("Triple pendulum")
    before, x = "ground", 0.0
    for n, length in enumerate((1.0, 0.8, 0.6), 1):
        rod = m.rod((x, 0), (x + length, 0), mass=length)
        m.revolute(before, rod, (x, 0), id=f"pin_{n}")
        before, x = rod, x + length
    return m


def crane_trolley() -> Mechanism:
    """A trolley on a rail, held by a spring and a damper, carries a swinging rod."""
    m = Mechanism("Crane trolley")
    trolley = m.box((-0.5, 0), 0.3, 0.15, id="trolley", mass=10.0)
    load = m.rod((-0.5, 0), end_of((-0.5, 0), 1.0, -30.0), mass=1.0, id="load", angle=radians(-30))
    m.prismatic("ground", trolley, (0, 0), id="rail")
    m.revolute(trolley, load, (-0.5, 0), id="hinge")
    m.spring_damper(
        ("ground", (-2, 0)),
        (trolley, (-0.5, 0)),
        stiffness=3000.0,
        damping=50.0,
        free_length=2.0,
        id="wall",
    )
    m.settings(t_end=5.0)
    return m


def rod_with_spring() -> Mechanism:
    """A hinged rod on a spring from above; the spring is shorter than its free length."""
    m = Mechanism("Rod with spring")
    rod = m.rod((0, 0), (1, 0), mass=1.0)
    m.revolute("ground", rod, (0, 0), id="A")
    m.spring(("ground", (0, 0.5)), (rod, (2 / 3, 0)), stiffness=100.0, free_length=1.0, id="spring")
    return m


def rod_with_damper() -> Mechanism:
    """A hinged rod swings against a damper until it hangs still."""
    m = Mechanism("Rod with damper")
    rod = m.rod((0, 0), (1, 0), mass=1.0, spin=2.0, velocity=(0.0, 1.0))
    m.revolute("ground", rod, (0, 0), id="A")
    m.damper(("ground", (0, 1)), (rod, (0.25, 0)), damping=5.0, id="damper")
    return m


def four_bar() -> Mechanism:
    """Crank 1 m, coupler 3 m, rocker 2.5 m, ground 3 m: the crank starts at 60 degrees and turns."""
    m = Mechanism("Four-bar")
    joint_2 = end_of((0, 0), 1.0, 60.0)
    joint_3 = meeting_point(joint_2, 3.0, (3, 0), 2.5)
    crank = m.rod((0, 0), joint_2, mass=1.0, id="crank", spin=2 * pi)
    coupler = m.rod(joint_2, joint_3, mass=3.0, id="coupler")
    rocker = m.rod((3, 0), joint_3, mass=2.5, id="rocker")
    m.revolute("ground", crank, (0, 0), id="A")
    m.revolute(crank, coupler, joint_2, id="B")
    m.revolute(coupler, rocker, joint_3, id="C")
    m.revolute("ground", rocker, (3, 0), id="D")
    return m


def slider_crank() -> Mechanism:
    """A driven crank moves a piston: crank 0.1 m, rod 0.3 m, 600 rpm."""
    m = Mechanism("Slider-crank")
    m.parameter("speed", "600 rpm", unit="rad/s")
    pin = end_of((0, 0), 0.1, 45.0)
    x = pin[0] + sqrt(0.3**2 - pin[1] ** 2)
    crank = m.rod((0, 0), pin, mass=0.5, id="crank", spin="speed")
    rod = m.rod(pin, (x, 0), mass=0.4, id="connecting_rod")
    piston = m.box((x, 0), 0.08, 0.06, mass=0.6, id="piston")
    main = m.revolute("ground", crank, (0, 0), id="main_bearing")
    m.revolute(crank, rod, pin, id="crank_pin")
    m.revolute(rod, piston, (x, 0), id="piston_pin")
    m.prismatic("ground", piston, (x, 0), id="cylinder")
    m.motion(main, "speed", "speed", id="motor")
    m.settings(t_end=0.5, step=1e-4, output_step=1e-3)
    return m


def quick_return() -> Mechanism:
    """A crank pin slides in a slotted lever: the ram goes slowly and comes back quickly."""
    m = Mechanism("Quick-return")
    pin = end_of((0, 0.4), 0.2, 0.0)
    scale = 0.9 / sqrt(pin[0] ** 2 + pin[1] ** 2)
    lever_top = (pin[0] * scale, pin[1] * scale)
    ram_at = (lever_top[0] + sqrt(0.4**2 - (0.9 - lever_top[1]) ** 2), 0.9)
    crank = m.rod((0, 0.4), pin, mass=1.0, id="crank", spin=2 * pi)
    lever = m.rod((0, 0), lever_top, mass=2.0, id="lever")
    link = m.rod(lever_top, ram_at, mass=0.5, id="link")
    ram = m.box(ram_at, 0.3, 0.08, mass=3.0, id="ram")
    main = m.revolute("ground", crank, (0, 0.4), id="crank_bearing")
    m.revolute("ground", lever, (0, 0), id="lever_bearing")
    m.point_on_line(lever, crank, pin, id="slot", axis=pin)
    m.revolute(lever, link, lever_top, id="lever_pin")
    m.revolute(link, ram, ram_at, id="ram_pin")
    m.prismatic("ground", ram, ram_at, id="ram_guide")
    m.motion(main, "2*pi*t", id="motor")
    m.settings(t_end=3.0)
    return m


def scotch_yoke() -> Mechanism:
    """A crank pin in the slot of a yoke: the yoke moves as an exact cosine."""
    m = Mechanism("Scotch yoke")
    crank = m.rod((0, 0), (0.2, 0), mass=1.0, id="crank", spin=5.0)
    yoke = m.box((0.2, 0), 0.06, 0.5, mass=2.0, id="yoke")
    main = m.revolute("ground", crank, (0, 0), id="bearing")
    m.point_on_line(yoke, crank, (0.2, 0), id="slot", angle=pi / 2)
    m.prismatic("ground", yoke, (0, 0), id="guide")
    m.motion(main, "5*t", id="motor")
    m.settings(t_end=5.0)
    return m


def cam_follower() -> Mechanism:
    """A round cam turns about a point beside its middle and lifts a follower that stays on its rim.

    The lift is e sin(a) + sqrt(r^2 - e^2 cos(a)^2) with the eccentricity e and the radius r of the cam.
    """
    m = Mechanism("Cam and follower")
    m.parameter("speed", "2*pi", unit="rad/s", low=0.0, high=20.0)
    e, r = 0.05, 0.2
    tip = sqrt(r * r - e * e)
    cam = m.disc((e, 0), r, id="cam", color=ORANGE)
    follower = m.rod((0, tip), (0, tip + 0.4), width=0.03, id="follower", color=BLUE)
    shaft = m.revolute("ground", cam, (0, 0), id="shaft")
    m.prismatic("ground", follower, (0, tip + 0.2), axis=(0, 1), id="guide")
    m.point_on_circle((cam, (e, 0)), (follower, (0, tip)), id="contact")
    m.motion(shaft, "speed*t", id="motor")
    m.settings(t_end=2.0)
    return m


def gear_train() -> Mechanism:
    """Three gears in a row; a torque on the first drives them all, 1 : 2 : 1.5."""
    m = Mechanism("Gear train", gravity=(0, 0))
    radii, at, joints = (0.1, 0.2, 0.15), 0.0, []
    for n, radius in enumerate(radii, 1):
        at += radius + (radii[n - 2] if n > 1 else -radius)
        wheel = m.disc((at, 0), radius, thickness=0.02, id=f"gear_{n}")
        joints.append(m.revolute("ground", wheel, (at, 0), id=f"bearing_{n}"))
    m.gear(joints[0], joints[1], id="mesh_12")
    m.gear(joints[1], joints[2], id="mesh_23")
    m.torque("gear_1", 1.0, id="drive")
    m.joint_damping(joints[2], 0.02, id="load")
    m.settings(t_end=5.0)
    return m


def rolling_disc() -> Mechanism:
    """A disc rolls down a slope of 20 degrees without slipping."""
    m = Mechanism("Rolling disc")
    slope = radians(-20.0)
    normal = (-sin(slope), cos(slope))
    disc = m.disc((0.2 * normal[0], 0.2 * normal[1]), 0.2, mass=2.0, id="disc")
    m.rolling_disc(
        "ground", disc, (0, 0), (0.2 * normal[0], 0.2 * normal[1]), radius=0.2, angle=slope
    )
    m.settings(t_end=3.0)
    return m


def knife_edge_sled() -> Mechanism:
    """A sled on a blade, on a slope of 30 degrees: it turns and, on average, does not slide down."""
    m = Mechanism("Knife-edge sled", gravity=("9.81*sin(30°)", 0))
    shape = Polygon(points=((-0.3, -0.1), (0.3, 0.0), (-0.3, 0.1)), thickness=0.01)
    sled = m.body(
        (0, 0), shape=shape, mass=1.0, inertia=0.02, center=(0.0, 0.0), spin=1.5, id="sled"
    )
    m.knife_edge("ground", sled, (0, 0), id="blade")
    m.settings(t_end=10.0)
    return m


def rheonomic_pendulum() -> Mechanism:
    """A point mass on a rod whose length is driven as 1 + 0.2 sin 3t."""
    m = Mechanism("Rheonomic pendulum")
    theta = 0.5
    start = (sin(theta), -cos(theta))
    bob = m.particle(start, 1.0, id="bob", velocity=(0.6 * start[0], 0.6 * start[1]))
    m.massless_rod(("ground", (0, 0)), (bob, start), length="1 + 0.2*sin(3*t)", id="rope")
    return m


def car_suspension() -> Mechanism:
    """A quarter of a car: body on spring and damper over a wheel on a tyre, driven over a bump."""
    m = Mechanism("Car suspension")
    m.parameter("bump", 0.05, unit="m", low=0.0, high=0.2)
    road = m.box((0, 0), 0.5, 0.04, mass=1.0, id="road")
    wheel = m.disc((0, 0.3), 0.28, mass=40.0, id="wheel")
    body = m.box((0, 0.8), 0.6, 0.2, mass=400.0, id="body")
    up = pi / 2
    road_guide = m.prismatic("ground", road, (0, 0), angle=up, id="road_guide")
    m.prismatic("ground", wheel, (0, 0.3), angle=up, id="wheel_guide")
    m.prismatic("ground", body, (0, 0.8), angle=up, id="body_guide")
    m.spring_damper(
        (road, (0, 0)),
        (wheel, (0, 0.3)),
        stiffness=2e5,
        damping=200.0,
        free_length="0.3 + 440*9.81/2e5",
        acts="compression",
        id="tyre",
    )
    m.spring_damper(
        (wheel, (0, 0.3)),
        (body, (0, 0.8)),
        stiffness=2e4,
        damping=1500.0,
        free_length="0.5 + 400*9.81/2e4",
        id="strut",
    )
    m.motion(road_guide, "step(t, 0.5, 0, 0.6, bump) - step(t, 1, 0, 1.1, bump)", id="bumpy_road")
    m.settings(t_end=4.0)
    return m


def pendulum_in_the_wind() -> Mechanism:
    """A ball on a thread in a wind that rises to 10 m/s: drag pushes it aside and calms its swing."""
    m = Mechanism("Pendulum in the wind")
    m.parameter("wind", 10.0, unit="m/s", low=0.0, high=30.0)
    ball = m.disc((0, -1), 0.15, mass=1.0, id="ball")
    m.revolute("ground", ball, (0, 0), id="hinge")
    m.air_drag(ball, (0, -1), drag_area=0.1, wind_x="step(t, 1, 0, 2, wind)", id="drag")
    m.settings(t_end=20.0)
    return m


def jansen_leg() -> Mechanism:
    """A leg of Theo Jansen's beach animals: the crank turns evenly and the foot walks.

    The trail of the foot is flat below, where it carries, and lifts on the way back. The lengths are
    his thirteen numbers, in centimetres.
    """
    m = Mechanism("Jansen leg")
    lengths = "a 38 b 41.5 c 39.3 d 40.1 e 55.8 f 39.4 g 36.7 h 65.7 i 49 j 50 k 61.9 l 7.8 m 15"
    words = lengths.split()
    size = {name: float(value) / 100 for name, value in zip(words[::2], words[1::2])}
    center, pivot = (0.0, 0.0), (-size["a"], -size["l"])
    pin = end_of(center, size["m"], 0.0)
    top = meeting_point(pivot, size["b"], pin, size["j"])
    knee = meeting_point(pin, size["k"], pivot, size["c"])
    back = meeting_point(pivot, size["d"], top, size["e"])
    ankle = meeting_point(knee, size["g"], back, size["f"])
    foot = meeting_point(knee, size["i"], ankle, size["h"])
    density = {"density": 2700.0}
    m.rod(center, pin, width=0.03, id="crank", spin=pi, color=ORANGE, **density)
    for id, start, end in (
        *(("upper_rod", pin, top), ("lower_rod", pin, knee)),
        *(("strut", pivot, knee), ("back_rod", back, ankle)),
    ):
        m.rod(start, end, width=0.025, id=id, color=BLUE, **density)
    m.polygon((pivot, top, back), id="hip", color=GREEN, **density)
    m.polygon((knee, ankle, foot), id="shin", color=GREEN, **density)
    main = m.revolute("ground", "crank", center, id="bearing")
    for i, j, at in (
        *(("crank", "upper_rod", pin), ("crank", "lower_rod", pin)),
        *(("ground", "hip", pivot), ("ground", "strut", pivot), ("upper_rod", "hip", top)),
        *(("lower_rod", "strut", knee), ("lower_rod", "shin", knee)),
        *(("hip", "back_rod", back), ("back_rod", "shin", ankle)),
    ):
        m.revolute(i, j, at, id=f"{i}_{j}")
    m.motion(main, "pi*t", id="motor")
    trace(m, "shin", foot, "foot", color=RED)
    m.settings(t_end=6.0)
    return m
