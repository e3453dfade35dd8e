"""Write assets/examples/*.json: the classics of the gallery, built with the notebook API.

Run `python -m assets.make_examples` after a change; a test keeps files and script the same.
"""

from collections.abc import Callable
from dataclasses import replace
from math import cos, pi, radians, sin, sqrt
from pathlib import Path

from engine.builder import Mechanism
from engine.files import dumps
from engine.model import Model
from engine.shapes import Polygon

FOLDER = Path(__file__).parent / "examples"


def end_of(start: tuple[float, float], length: float, degrees: float) -> tuple[float, float]:
    """The point at a distance and direction from another."""
    angle = radians(degrees)
    return (start[0] + length * cos(angle), start[1] + length * sin(angle))


def meeting_point(
    a: tuple[float, float], r_a: float, b: tuple[float, float], r_b: float
) -> tuple[float, float]:
    """Where two circles meet, to the left of the way from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    d = sqrt(dx * dx + dy * dy)
    along = (r_a**2 - r_b**2 + d**2) / (2 * d)
    across = sqrt(r_a**2 - along**2)
    return (a[0] + (along * dx - across * dy) / d, a[1] + (along * dy + across * dx) / d)


# --- in the plane


def pendulum() -> Mechanism:
    """A rod hinged at one end falls from the horizontal."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1.0)
    m.revolute("ground", rod, (0, 0), id="pin")
    return m


def double_pendulum_of(
    m1: float, m2: float, l1: float, l2: float, degrees_1: float, degrees_2: float
) -> Mechanism:
    """Two rods hinged end to end, released at rest."""
    m = Mechanism("Double pendulum")
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
    return double_pendulum_of(12.85, 12.85, 1.0, 1.0, 0.0, 0.0)


def double_pendulum_small() -> Mechanism:
    """A light and a heavy rod released near the vertical: two modes, no chaos."""
    return double_pendulum_of(1.0, 2.0, 1.0, 2.0, -75.0, -90.0)


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


def gear_train() -> Mechanism:
    """Three gears in a row; a torque on the first drives them all, 1 : 2 : 1.5."""
    m = Mechanism("Gear train", gravity=(0, 0))
    radii, at, joints = (0.1, 0.2, 0.15), 0.0, []
    for n, radius in enumerate(radii, 1):
        at += radius + (radii[n - 2] if n > 1 else -radius)
        wheel = m.disc((at, 0), radius, thickness=0.02, id=f"gear_{n}")
        joints.append(m.revolute("ground", wheel, (at, 0), id=f"bearing_{n}"))
    m.gear(joints[0], joints[1], radii[0], radii[1], id="mesh_12")
    m.gear(joints[1], joints[2], radii[1], radii[2], id="mesh_23")
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


# --- in space


def spherical_pendulum() -> Mechanism:
    """A rod on a ball joint, thrown sideways: the plane of its swing turns."""
    m = Mechanism("Spherical pendulum", dim=3)
    rod = m.rod((0, 0, 0), (0.7, 0, -0.7), mass=1.0, id="rod", velocity=(0.0, 0.6, 0.0))
    m.spherical("ground", rod, (0, 0, 0), id="ball")
    return m


def spinning_top() -> Mechanism:
    """A heavy symmetric top leaning by 20 degrees: it precesses and nods."""
    m = Mechanism("Spinning top", dim=3)
    lean = radians(20.0)
    axis = (sin(lean), 0.0, cos(lean))
    a, b = (tuple(h * c for c in axis) for h in (0.08, 0.1))
    top = m.cylinder(a, b, 0.06, id="top", angular_velocity=(0.0, 0.0, 150.0))
    m.spherical("ground", top, (0, 0, 0), id="tip")
    m.settings(t_end=4.0, step=5e-4, output_step=5e-3)
    return m


def gyroscope_in_gimbals() -> Mechanism:
    """A fast rotor in two rings; a small weight on the inner ring makes the outer ring precess."""
    m = Mechanism("Gyroscope in gimbals", dim=3)
    outer = m.body((0, 0, 0), id="outer_ring", mass=0.4, inertia=(4e-3, 4e-3, 7e-3, 0.0, 0.0, 0.0))
    inner = m.body(
        (0, 0, 0), id="inner_ring", mass=0.3, inertia=(2e-3, 3.5e-3, 2e-3, 0.0, 0.0, 0.0)
    )
    rotor = m.cylinder(
        (-0.015, 0, 0), (0.015, 0, 0), 0.07, id="rotor", angular_velocity=(0.0, 0.0, 300.0)
    )
    m.revolute("ground", outer, (0, 0, 0), axis=(0, 0, 1), id="yaw")
    m.revolute(outer, inner, (0, 0, 0), axis=(0, 1, 0), id="pitch")
    m.revolute(inner, rotor, (0, 0, 0), axis=(1, 0, 0), id="spin")
    m.force(inner, (0.1, 0, 0), (0, 0, -0.5), id="weight")
    m.settings(t_end=5.0, step=2.5e-4, output_step=5e-3)
    return m


def dzhanibekov_nut() -> Mechanism:
    """A wing nut in free flight turns about its middle axis and flips again and again."""
    m = Mechanism("Dzhanibekov nut", dim=3, gravity=(0, 0, 0))
    m.box((0, 0, 0), 0.3, 0.1, 0.2, id="nut", mass=1.0, angular_velocity=(0.01, 0.01, 6.0))
    m.settings(t_end=20.0)
    return m


def spatial_four_bar() -> Mechanism:
    """The planar four-bar with real hinges: three rows are redundant and it moves all the same."""
    m = Mechanism("Spatial four-bar", dim=3, gravity=(0, -9.81, 0))
    joint_2 = end_of((0, 0), 1.0, 60.0)
    joint_3 = meeting_point(joint_2, 3.0, (3, 0), 2.5)
    points = [(*p, 0.0) for p in ((0, 0), joint_2, joint_3, (3, 0))]
    crank = m.rod(points[0], points[1], mass=1.0, id="crank", angular_velocity=(0.0, 0.0, 2 * pi))
    coupler = m.rod(points[1], points[2], mass=3.0, id="coupler")
    rocker = m.rod(points[3], points[2], mass=2.5, id="rocker")
    for name, i, j, at in (
        ("A", "ground", crank, points[0]),
        ("B", crank, coupler, points[1]),
        ("C", coupler, rocker, points[2]),
        ("D", "ground", rocker, points[3]),
    ):
        m.revolute(i, j, at, axis=(0, 0, 1), id=name)
    return m


def universal_joint_shaft() -> Mechanism:
    """Two shafts at 30 degrees: a steady input speed gives an output that ripples twice a turn."""
    m = Mechanism("Universal-joint shaft", dim=3)
    bend = radians(30.0)
    away = (cos(bend), sin(bend), 0.0)
    driver = m.cylinder((-0.5, 0, 0), (0, 0, 0), 0.03, id="driver")
    driven = m.cylinder((0, 0, 0), tuple(0.5 * c for c in away), 0.03, id="driven")
    inlet = m.revolute("ground", driver, (-0.25, 0, 0), axis=(1, 0, 0), id="inlet")
    m.universal(driver, driven, (0, 0, 0), (1, 0, 0), away, id="cross")
    m.point_on_line("ground", driven, tuple(0.5 * c for c in away), axis=away, id="outlet")
    m.motion(inlet, "10*t", id="motor")
    m.settings(t_end=3.0)
    return m


def screw_press() -> Mechanism:
    """A heavy flywheel on a screw of 40 mm pitch runs a ram down onto a stiff spring and back."""
    m = Mechanism("Screw press", dim=3)
    wheel = m.cylinder((0, 0, 1.0), (0, 0, 1.05), 0.25, id="flywheel")
    ram = m.box((0, 0, 0.6), 0.2, 0.2, 0.2, id="ram", mass=20.0)
    m.screw("ground", wheel, (0, 0, 1.0), 0.04, axis=(0, 0, 1), id="thread")
    m.revolute(wheel, ram, (0, 0, 0.7), axis=(0, 0, 1), id="thrust_bearing")
    m.prismatic("ground", ram, (0, 0, 0.6), axis=(0, 0, 1), id="ram_guide")
    m.spring(
        ("ground", (0, 0, 0)),
        (ram, (0, 0, 0.5)),
        stiffness=2e5,
        free_length=0.3,
        acts="compression",
        id="workpiece",
    )
    m.settings(t_end=4.0)
    return m


EXAMPLES: dict[str, Callable[[], Mechanism]] = {
    make.__name__: make
    for make in (
        pendulum,
        double_pendulum,
        double_pendulum_small,
        triple_pendulum,
        crane_trolley,
        rod_with_spring,
        rod_with_damper,
        four_bar,
        slider_crank,
        quick_return,
        scotch_yoke,
        gear_train,
        rolling_disc,
        knife_edge_sled,
        rheonomic_pendulum,
        car_suspension,
        spherical_pendulum,
        spinning_top,
        gyroscope_in_gimbals,
        dzhanibekov_nut,
        spatial_four_bar,
        universal_joint_shaft,
        screw_press,
    )
}


def model_of(make: Callable[[], Mechanism]) -> Model:
    """The model of an example, described by the first line of its function."""
    description = (make.__doc__ or "").strip().splitlines()[0]
    return replace(make().model, description=description)


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in EXAMPLES.items():
        (FOLDER / f"{name}.json").write_text(dumps(model_of(make)), encoding="utf-8")


if __name__ == "__main__":
    main()
