"""Examples in space of mechanisms: linkages, shafts, platforms and machines."""

from math import acos, cos, pi, radians, sin, sqrt

import numpy as np

from assets.example_solids import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    TEAL,
    VIOLET,
    Solid,
    ball,
    bar,
    block,
    end_of,
    meeting_point,
    mesh,
    placed,
    spoked_wheel,
    together,
    trace,
    turn,
)
from engine.editing.builder import Mechanism
from engine.model.shapes import Mesh
from rotations import quaternion
from rotations.vector import frame_from_axis


def spatial_four_bar() -> Mechanism:
    """The planar four-bar with real hinges: three rows are redundant and it moves all the same.

    Hinges along one direction tell each other more than once that the links stay in their plane.
    """
    m = Mechanism("Spatial four-bar", dim=3)
    joint_2 = end_of((0, 0), 1.0, 60.0)
    joint_3 = meeting_point(joint_2, 3.0, (3, 0), 2.5)
    points = [(x, 0.0, z) for x, z in ((0, 0), joint_2, joint_3, (3, 0))]
    crank = m.rod(points[0], points[1], mass=1.0, id="crank", angular_velocity=(0.0, -2 * pi, 0.0))
    coupler = m.rod(points[1], points[2], mass=3.0, id="coupler")
    rocker = m.rod(points[3], points[2], mass=2.5, id="rocker")
    for name, i, j, at in (
        ("A", "ground", crank, points[0]),
        ("B", crank, coupler, points[1]),
        ("C", coupler, rocker, points[2]),
        ("D", "ground", rocker, points[3]),
    ):
        m.revolute(i, j, at, axis=(0, -1, 0), id=name)
    middle = (np.array(points[1]) + points[2]) / 2
    trace(m, coupler, middle, "coupler_middle", color=RED)
    return m


def spatial_slider_crank() -> Mechanism:
    """A crank about the vertical moves a slider up and down: no plane contains this slider-crank.

    With the crank pin at distance r, the post at c and a rod of length L, the slider stands at
    s = sqrt(L^2 - r^2 - c^2 + 2 r c cos(angle)).
    """
    m = Mechanism("Spatial slider-crank", dim=3)
    m.parameter("speed", "60 rpm", unit="rad/s", low=0.0, high=30.0)
    r, c, length = 0.2, 0.35, 0.65
    pin, slider_at = np.array([r, 0, 0]), np.array([c, 0, sqrt(length**2 - (c - r) ** 2)])
    m.box((c, 0, 0.35), 0.03, 0.03, 0.76, id="post", fixed=True)
    wheel = placed(spoked_wheel(0.25, 0.03, spokes=6), at=(0, 0, -0.045))
    arm = (placed(bar(-0.03, 0.0, 0.015, 8), at=(r, 0, 0)), bar(-0.2, -0.06, 0.02, 12))
    web = block((r, 0, -0.04), (0.05, 0.06, 0.02))
    crank = m.body(
        (0, 0, 0),
        id="crank",
        color=ORANGE,
        shape=mesh(wheel, web, *arm),
        mass=4.0,
        center=(0, 0, 0),
    )
    rod = m.rod(pin, slider_at, width=0.02, id="rod", name="connecting rod", color=BLUE)
    slider = m.box(slider_at, 0.09, 0.09, 0.08, id="slider", mass=1.0, color=GREEN)
    main = m.revolute("ground", crank, (0, 0, -0.15), axis=(0, 0, 1), id="bearing")
    m.spherical(crank, rod, pin, id="crank_ball")
    m.universal(rod, slider, slider_at, slider_at - pin, (0, 0, 1), id="slider_cross")
    m.prismatic("post", slider, slider_at, axis=(0, 0, 1), id="guide")
    m.motion(main, "speed*t", id="motor")
    trace(m, rod, (pin + slider_at) / 2, "rod_middle", color=RED)
    m.settings(t_end=4.0, step=2e-3)
    return m


def fork(length: float, across: int) -> Solid:
    """A shaft from z = -length with a fork at z = 0 that holds a pin along x (0) or y (1)."""
    shaft = bar(-length, -0.08, 0.02, 12)
    bridge = block((0, 0, -0.07), (0.12, 0.04, 0.02))
    sides = [block((side * 0.05, 0, -0.02), (0.02, 0.04, 0.08)) for side in (1, -1)]
    pins = [block((side * 0.02, 0, 0), (0.04, 0.012, 0.012)) for side in (1, -1)]
    return placed(together(shaft, bridge, *sides, *pins), turn(2, across * pi / 2))


def shaft_to(
    m: Mechanism, at: np.ndarray, along: np.ndarray, shape: Mesh, id: str, color: str
) -> str:
    """A shaft with its z along a direction in the xy plane and its x upright; changes the mechanism."""
    z = np.array(along, dtype=float)
    axes = np.column_stack([(0, 0, 1), np.cross(z, (0, 0, 1)), z])
    return m.body(at, id=id, color=color, shape=shape, orientation=quaternion.from_matrix(axes))


def universal_joint_shaft() -> Mechanism:
    """Two shafts at 30 degrees: a steady input speed gives an output that ripples twice a turn.

    The ratio of the speeds is cos(b) / (1 - sin(b)^2 sin(a)^2), between cos(b) and 1 / cos(b).
    """
    m = Mechanism("Universal-joint shaft", dim=3)
    m.parameter("speed", "10 rad/s", unit="rad/s", low=0.0, high=30.0)
    bend = radians(30.0)
    away = np.array([cos(bend), sin(bend), 0.0])
    driver = shaft_to(m, (0, 0, 0), (1, 0, 0), mesh(fork(0.5, 0)), "driver", ORANGE)
    driven = shaft_to(m, (0, 0, 0), -away, mesh(fork(0.5, 1)), "driven", BLUE)
    inlet = m.revolute("ground", driver, (-0.3, 0, 0), axis=(1, 0, 0), id="inlet")
    m.universal(driver, driven, (0, 0, 0), (1, 0, 0), away, id="cross")
    m.point_on_line("ground", driven, 0.4 * away, axis=away, id="outlet")
    m.motion(inlet, "speed*t", id="motor")
    m.settings(t_end=3.0)
    return m


def constant_velocity_shaft() -> Mechanism:
    """Two shafts at 30 degrees, joined as on a car's front axle: the output turns as evenly as the input.

    Compare it with the universal-joint shaft, whose output ripples between cos(b) and 1 / cos(b).
    """
    m = Mechanism("Constant-velocity shaft", dim=3)
    m.parameter("speed", "10 rad/s", unit="rad/s", low=0.0, high=30.0)
    bend = radians(30.0)
    away = np.array([cos(bend), sin(bend), 0.0])
    driver = m.cylinder((-0.5, 0, 0), (0, 0, 0), 0.04, id="driver", color=ORANGE)
    driven = m.cylinder((0, 0, 0), 0.5 * away, 0.04, id="driven", color=BLUE)
    inlet = m.revolute("ground", driver, (-0.3, 0, 0), axis=(1, 0, 0), id="inlet")
    m.constant_velocity(driver, driven, (0, 0, 0), (1, 0, 0), away, id="joint")
    m.point_on_line("ground", driven, 0.4 * away, axis=away, id="outlet")
    m.motion(inlet, "speed*t", id="motor")
    m.settings(t_end=3.0)
    return m


def double_universal_shaft() -> Mechanism:
    """Two universal joints in a row: the middle shaft ripples, the last one turns evenly again.

    It needs equal bends and forks of the middle shaft in one plane; that is how the shafts of lorries
    are built. Compare the speeds of middle and output.
    """
    m = Mechanism("Double universal shaft", dim=3)
    m.parameter("speed", "10 rad/s", unit="rad/s", low=0.0, high=30.0)
    bend, length = radians(30.0), 0.7
    away = np.array([cos(bend), sin(bend), 0.0])
    far = length * away
    turned_round = np.diag([1.0, -1.0, -1.0])  # about x, so the forks lie in one plane
    half = placed(fork(length / 2, 1), at=(0, 0, length))
    middle_shape = mesh(half, placed(fork(length / 2, 1), turned_round))
    driver = shaft_to(m, (0, 0, 0), (1, 0, 0), mesh(fork(0.4, 0)), "driver", ORANGE)
    middle = shaft_to(m, (0, 0, 0), away, middle_shape, "middle", GREEN)
    output = shaft_to(m, far, (-1, 0, 0), mesh(fork(0.4, 0)), "output", BLUE)
    inlet = m.revolute("ground", driver, (-0.3, 0, 0), axis=(1, 0, 0), id="inlet")
    m.universal(driver, middle, (0, 0, 0), (1, 0, 0), away, id="first_cross")
    m.universal(output, middle, far, (1, 0, 0), away, id="second_cross")
    m.cylindrical("ground", output, far + np.array([0.3, 0, 0]), axis=(1, 0, 0), id="outlet")
    m.motion(inlet, "speed*t", id="motor")
    m.settings(t_end=3.0)
    return m


def screw_press() -> Mechanism:
    """A heavy flywheel on a screw of 40 mm pitch runs a ram down onto a stiff spring and back.

    Thrown by hand it comes down slowly, because most of the energy is in the turning wheel; all of it
    goes into the workpiece within a tenth of a second.
    """
    m = Mechanism("Screw press", dim=3)
    m.parameter("spin", "15 rad/s", unit="rad/s", low=0.0, high=30.0)
    down = {"velocity": (0.0, 0.0, "-spin*0.04/(2*pi)")}
    m.body((0, 0, 0), id="frame", shape=mesh(*press_frame()), fixed=True)
    shape = mesh(spoked_wheel(0.25, 0.05, spokes=6, rim=0.2), bar(-0.6, -0.025, 0.03, 12))
    turning = {"angular_velocity": (0.0, 0.0, "-spin"), **down}
    wheel = m.body((0, 0, 1.3), id="flywheel", color=ORANGE, shape=shape, **turning)
    ram = m.box((0, 0, 0.6), 0.2, 0.2, 0.2, id="ram", mass=20.0, color=BLUE, **down)
    m.screw("frame", wheel, (0, 0, 0.85), 0.04, axis=(0, 0, 1), id="thread")
    m.point_on_plane(wheel, ram, (0, 0, 0.7), axis=(0, 0, 1), id="thrust_bearing")
    m.prismatic("frame", ram, (0, 0, 0.6), axis=(0, 0, 1), id="ram_guide")
    m.spring(
        ("frame", (0, 0, 0)),
        (ram, (0, 0, 0.5)),
        stiffness=2e5,
        free_length=0.3,
        acts="compression",
        id="workpiece",
    )
    m.settings(t_end=5.0)
    return m


def press_frame() -> list[Solid]:
    """A table, two columns, and two beams with the thread between them."""
    columns = [block((side * 0.3, 0, 0.45), (0.06, 0.16, 0.9)) for side in (1, -1)]
    beams = [block((0, side * 0.055, 0.85), (0.54, 0.05, 0.1)) for side in (1, -1)]
    return [block((0, 0, -0.02), (0.7, 0.3, 0.04)), *columns, *beams]


def stewart_platform() -> Mechanism:
    """Six spindles carry a platform round a circle while it yaws and heaves.

    Each spindle's free length follows the distance of its ends, |p + R b - a|: the inverse kinematics
    of a parallel robot is easy. Move the sliders: the platform obeys.
    """
    m = Mechanism("Stewart platform", dim=3)
    m.parameter("radius", 0.1, unit="m", low=0.0, high=0.15)
    m.parameter("heave", 0.05, unit="m", low=0.0, high=0.1)
    m.parameter("yaw", "15°", unit="rad", low=0.0, high=0.4)
    m.cylinder((0, 0, -0.06), (0, 0, -0.02), 0.5, id="base", fixed=True)
    height, ends = 0.6, []
    for k in range(6):
        side, middle = (1 if k % 2 else -1), 120.0 * (k // 2)
        a, b = end_of((0, 0), 0.45, middle + side * 15), end_of((0, 0), 0.25, middle + side * 45)
        ends.append((np.round((*a, 0.0), 6), np.round((*b, height), 6)))
    nuts = (block((b[0], b[1], 0), (0.06, 0.06, 0.05)) for _, b in ends)
    shape = mesh(bar(-0.015, 0.015, 0.225, 24), *nuts)
    plate = m.body((0, 0, height), id="platform", density=2700.0, color=ORANGE, shape=shape)
    for n, (a, b) in enumerate(ends, 1):
        spindle(m, n, plate, a, b)
    trace(m, plate, (0, 0, height), "middle", color=RED)
    m.settings(t_end=4.0, step=5e-3)
    return m


def spindle(m: Mechanism, number: int, plate: str, a: np.ndarray, b: np.ndarray) -> None:
    """A leg from a on the base through b on the platform, driven there; changes the mechanism."""
    length = float(np.linalg.norm(b - a))
    id, along = f"spindle_{number}", (b - a) / length
    foot = quaternion.from_matrix(frame_from_axis(along))
    shape = mesh(bar(0.0, 0.25, 0.025, 10), bar(0.25, 0.85, 0.012, 8))
    m.body(a, id=id, color=TEAL, density=2700.0, shape=shape, orientation=foot)
    m.universal("base", id, a, (0, 0, 1), along, id=f"foot_{number}")
    nut = m.point_on_line(id, plate, b, axis=along, id=f"nut_{number}")
    x, y = b[0], b[1]
    turned = "(yaw*sin(pi*t))"
    reach = (
        f"radius*sin(pi*t) {x:+g}*cos{turned} {-y:+g}*sin{turned} {-a[0]:+g}",
        f"radius*(1 - cos(pi*t)) {x:+g}*sin{turned} {y:+g}*cos{turned} {-a[1]:+g}",
        f"{b[2]:g} + heave*sin(2*pi*t)",
    )
    far = f"hypot(hypot({reach[0]}, {reach[1]}), {reach[2]})"
    m.motion(nut, f"{far} - {length!r}", id=f"drive_{number}")


def bricard_loop() -> Mechanism:
    """Six links, six hinges at right angles: counting calls this loop rigid, and yet it moves.

    One degree of freedom instead of none, because of its special dimensions. With theta and phi the
    angles of neighbouring hinges, cos(theta) + cos(phi) + cos(theta) cos(phi) = 0.
    """
    return bricard_loop_of(0.0)


def bricard_loop_of(spin: float) -> Mechanism:
    """Bricard's orthogonal loop of links of one metre; the start takes the speeds nearest to the spin.

    With every other hinge angle equal, theta and phi, one equation is left for two angles: one degree
    of freedom, where counting gives 5 * 6 - 6 * 5 = 0.
    """
    m = Mechanism("Bricard loop", dim=3)
    points, axes = bricard_hinges()
    colors = (BLUE, ORANGE, GREEN, RED, VIOLET)
    links = [
        m.rod(
            points[k],
            points[k + 1],
            mass=1,
            angular_velocity=(spin, 0, 0),
            id=f"link_{k}",
            color=colors[k],
        )
        for k in range(5)
    ]
    m.rod(points[5], points[0], id="frame", fixed=True)
    around = ["frame", *links, "frame"]
    for k in range(6):
        m.revolute(around[k], around[k + 1], at=points[k], axis=axes[k], id=f"hinge_{k}")
    trace(m, links[2], points[3], "corner", color=RED)
    return m


BRICARD_ANGLE = 1.7  # [rad] of every other hinge, in the drawing


def bricard_hinges() -> tuple[np.ndarray, np.ndarray]:
    """The point and the direction of each hinge, from one to the next: turn, go along x, twist."""
    theta = BRICARD_ANGLE
    phi = acos(-cos(theta) / (1 + cos(theta)))
    R, p = np.eye(3), np.zeros(3)
    points, axes = [], []
    for k in range(6):
        points.append(p)
        axes.append(R[:, 2])
        R = R @ turn(2, theta if k % 2 == 0 else phi)
        p = p + R[:, 0]
        R = R @ turn(0, pi / 2 if k % 2 == 0 else -pi / 2)
    gap = np.abs(p).max() + np.abs(R - np.eye(3)).max()
    if gap > 1e-12:
        raise RuntimeError(f"The loop of Bricard does not close: {gap:g}.")
    return np.array(points), np.array(axes)


def governor() -> Mechanism:
    """Watt's governor: the faster the shaft turns, the further its balls swing out and lift the sleeve.

    Its links are stiff springs with dampers (benchmark A05 of the IFToMM). Watch the height of the
    sleeve, and double the step: explicit methods cannot follow springs so stiff.
    """
    m = Mechanism("Governor", dim=3)
    m.parameter("speed", "60 rpm", unit="rad/s", low=4.0, high=10.0)
    spin = {"angular_velocity": (0.0, 0.0, "speed"), "density": 3000.0}
    m.box((0, 0, 0.5), 0.01, 0.01, 1.0, id="shaft", color=GREY, **spin)
    m.box((0, 0, 0.5), 0.1, 0.1, 0.1, id="slider", name="sleeve", color=BLUE, **spin)
    m.revolute("ground", "shaft", (0, 0, 0), axis=(0, 0, 1), id="bearing")
    m.prismatic("shaft", "slider", (0, 0, 0.5), axis=(0, 0, 1), id="sleeve_guide")
    for id, side, color in (("right", 1.0, ORANGE), ("left", -1.0, TEAL)):
        governor_arm(m, id, side, color)
    m.settings(t_end=5.0, step=2.5e-4)
    return m


def governor_arm(m: Mechanism, id: str, side: float, color: str) -> None:
    """A rod with a ball, hinged to the shaft, and its link to the sleeve; changes the mechanism."""
    hinge, down = np.array([0.05 * side, 0.0, 1.0]), radians(30.0)
    along = np.array([side * cos(down), 0.0, -sin(down)])
    axes = np.column_stack([along, (0.0, side, 0.0), np.cross(along, (0.0, side, 0.0))])
    rod, ball_mass = 3000.0 * 1e-4, 5.0  # [kg] a brick of 1 m x 10 mm x 10 mm, and a point mass
    mass = rod + ball_mass
    center = (rod * 0.5 + ball_mass) / mass
    across = rod * (1 + 1e-4) / 12 + rod * (center - 0.5) ** 2 + ball_mass * (1 - center) ** 2
    stick = block((0.47, 0, 0), (0.94, 0.01, 0.01))
    spin = axes.T @ (0.0, 0.0, 1.0)
    m.body(
        hinge,
        id=f"{id}_arm",
        color=color,
        shape=mesh(stick, ball((1, 0, 0), 0.07)),
        mass=mass,
        center=(center, 0.0, 0.0),
        inertia=(rod * 2e-4 / 12, across, across, 0.0, 0.0, 0.0),
        orientation=quaternion.from_matrix(axes),
        velocity=(0.0, f"{hinge[0]:g}*speed", 0.0),
        angular_velocity=tuple(f"{c:.17g}*speed" if abs(c) > 1e-12 else 0.0 for c in spin),
    )
    m.revolute("shaft", f"{id}_arm", hinge, axis=(0, 1, 0), id=f"{id}_hinge")
    ends = (f"{id}_arm", hinge + along / 2), ("slider", (0.05 * side, 0, 0.5))
    m.spring_damper(*ends, stiffness=8e5, damping=4e4, free_length=0.5, id=f"{id}_link")
