"""Examples of links that bend."""

from assets.example_solids import BLUE, GREEN, ORANGE
from engine.editing.builder import Mechanism

STEEL = {"youngs_modulus": 2e11, "density": 7870.0}


def flexible_slider_crank() -> Mechanism:
    """A thin connecting rod bends by 4.7 mm under its own inertia while the crank turns at 150 rad/s.

    Pushed along its axis it is softer and pulled it is stiffer: without that (Stiffening in its form) the
    deflection is wrong by a quarter.
    """
    m = Mechanism("Flexible slider-crank", gravity=(0, 0))
    m.rod((0, 0), (0.15, 0), mass=1.0, id="crank", color=ORANGE)
    section = {
        "width": 0.006,
        "section": "circle",
        "modes": 3,
        "damping_ratio": 0.0,
        "rotary": False,
    }
    m.beam((0.15, 0), (0.45, 0), id="rod", color=BLUE, **section, **STEEL)
    m.box((0.45, 0), 0.06, 0.03, mass=0.033375, id="slider", color=GREEN)
    m.motion(m.revolute("ground", "crank", (0, 0), id="shaft"), "150*t", id="motor")
    m.revolute("crank", "rod", (0.15, 0), id="pin")
    m.revolute("rod", "slider", (0.45, 0), id="wrist")
    m.prismatic("ground", "slider", (0.45, 0), id="guide")
    m.marker("rod", (0.3, 0), id="middle")
    m.settings(t_end=0.08, output_step=5e-4, step=1e-5)
    return m


def spin_up_beam() -> Mechanism:
    """A long beam is turned up to 6 rad/s: it lags behind its hub, and the pull of its turning stiffens it.

    Without Stiffening in its form it would lag by 0.68 m in place of 0.57 m, and be wrong by 0.21 m on
    the way.
    """
    m = Mechanism("Spin-up beam", gravity=(0, 0))
    m.disc((0, 0), 0.3, mass=1.0, id="hub", color=ORANGE)
    stiff = {"bending_stiffness": 1.4e4, "axial_stiffness": 2.8e7, "mass": 12.0, "rotary": False}
    section = {
        "width": 0.1,
        "thickness": 0.1,
        "modes": 3,
        "damping_ratio": 0.0,
        "seen_from": "clamp",
    }
    m.beam((0, 0), (10, 0), id="beam", color=BLUE, **section, **stiff)
    turned = "0.4*(t^2/2 + (7.5/pi)^2*(cos(2*pi*t/15) - 1))"
    law = f"if(t < 15, {turned}, 6*t - 45)"
    m.motion(m.revolute("ground", "hub", (0, 0), id="shaft"), law, id="motor")
    m.weld("hub", "beam", (0, 0), id="clamp")
    m.marker("beam", (10, 0), id="tip")
    m.settings(t_end=20.0, output_step=0.02, step=5e-3)
    return m


def cantilever() -> Mechanism:
    """A strip of steel is clamped at one end and let go straight: it sinks, swings and comes to rest bent.

    Its weight q per length then lowers its end by q l^4 / 8 EI, and the moment at the clamp is q l^2 / 2.
    """
    m = Mechanism("Cantilever")
    section = {"width": 0.01, "thickness": 0.03, "damping_ratio": 0.05, "modes": 2}
    m.beam((0, 0), (1, 0), id="strip", color=BLUE, seen_from="clamp", **section, **STEEL)
    m.weld("ground", "strip", (0, 0), id="clamp")
    m.marker("strip", (1, 0), id="tip")
    m.marker("strip", (0, 0), id="root")
    m.settings(t_end=3.0, output_step=5e-3, step=2e-4)
    return m


def flexible_four_bar() -> Mechanism:
    """Coupler and rocker of a four-bar are strips of steel: at 5 turns a second they bend and ring."""
    m = Mechanism("Flexible four-bar", gravity=(0, 0))
    section = {"width": 0.005, "thickness": 0.02, "damping_ratio": 0.01, "modes": 2}
    m.rod((0, 0), (0, 0.15), mass=0.3, id="crank", color=ORANGE)
    m.beam((0, 0.15), (0.5, 0.4), id="coupler", color=BLUE, **section, **STEEL)
    m.beam((0.5, 0.4), (0.5, 0), id="rocker", color=GREEN, **section, **STEEL)
    m.motion(m.revolute("ground", "crank", (0, 0), id="A"), "10*pi*t", id="motor")
    m.revolute("crank", "coupler", (0, 0.15), id="B")
    m.revolute("coupler", "rocker", (0.5, 0.4), id="C")
    m.revolute("ground", "rocker", (0.5, 0), id="D")
    m.marker("coupler", (0.25, 0.275), id="of_coupler")
    m.marker("rocker", (0.5, 0.2), id="of_rocker")
    m.settings(t_end=0.4, output_step=1e-3, step=5e-5)
    return m


def flexible_pendulum() -> Mechanism:
    """A slender rod falls from the horizontal about its pin: it bends as it falls, and rings on.

    Its energy stays, though some of it is in the bending.
    """
    m = Mechanism("Flexible pendulum")
    section = {"width": 0.01, "thickness": 0.01, "modes": 3, "damping_ratio": 0.0}
    stiff = {"bending_stiffness": 5.0, "mass": 0.5, "rotary": False}
    m.beam((0, 0), (1, 0), id="rod", color=BLUE, **section, **stiff)
    m.revolute("ground", "rod", (0, 0), id="pin")
    m.marker("rod", (1, 0), id="tip")
    m.marker("rod", (0.5, 0), id="middle")
    m.settings(t_end=3.0, output_step=5e-3)
    return m


def beam_flying_free() -> Mechanism:
    """A turning beam is hit at one end and flies on: it rings, and its momentum and its energy stay."""
    m = Mechanism("Beam flying free", gravity=(0, 0))
    section = {"width": 0.02, "thickness": 0.03, "modes": 2, "damping_ratio": 0.0}
    soft = {"youngs_modulus": 2e9, "density": 7800.0}
    m.beam((-0.5, 0), (0.5, 0), id="beam", color=BLUE, spin=6.0, **section, **soft)
    blow = "if(t < 0.02, 120*sin(pi*t/0.02)^2, 0)"
    m.force("beam", (0.5, 0), components=("0", blow), axes="world", id="blow")
    m.marker("beam", (0, 0), id="middle")
    m.settings(t_end=1.0, output_step=2e-3, step=2e-4)
    return m


def tuning_fork() -> Mechanism:
    """Two prongs of steel on a handle in a soft grip: struck towards each other they ring at 440 Hz.

    What one prong pushes the other one pulls, so that the handle stays at rest and the hand takes nothing
    from the tone.
    """
    m = Mechanism("Tuning fork", gravity=(0, 0))
    m.box((0, 0), 0.012, 0.03, mass=0.05, id="handle", color=ORANGE)
    length, width = 0.096197, 0.005  # 3.51602 sqrt(E/12 rho) width/length^2 = 2 pi 440
    fields = {"width": width, "thickness": width, "modes": 1, "shapes": "clamped"}
    for id, y, color in (("upper", 0.0125, BLUE), ("lower", -0.0125, GREEN)):
        start, end = (0.006, y), (0.006 + length, y)
        own = {"rotary": False, "seen_from": "clamp", "damping_ratio": 1e-4}
        m.beam(start, end, id=id, color=color, **own, **fields, **STEEL)
        m.weld("handle", id, start, id=f"{id}_root")
        m.marker(id, end, id=f"{id}_tip")
        blow = f"if(t < 0.0005, {'-' if y > 0 else ''}20*sin(pi*t/0.0005)^2, 0)"
        m.force(id, end, components=("0", blow), axes="world", id=f"blow_{id}")
    soft = {"k_x": 2e3, "k_y": 2e3, "turn_k_z": 2.0, "c_x": 2.0, "c_y": 2.0, "turn_c_z": 1e-3}
    m.bushing("ground", "handle", (-0.006, 0), id="hand", **soft)
    m.settings(t_end=0.05, output_step=5e-5, step=5e-6)
    return m


def two_substructures() -> Mechanism:
    """Above a cantilever in one piece, below the same one cut in two: two bodies, welded together.

    Each half keeps two shapes besides the static ones of its ends, which join them exactly: both sink
    and swing alike.
    """
    m = Mechanism("A beam cut in two")
    section = {"width": 0.006, "thickness": 0.03, "modes": 2, "damping_ratio": 0.0, "rotary": False}
    m.beam((0, 0.3), (1, 0.3), id="whole", color=ORANGE, seen_from="clamp", **section, **STEEL)
    m.weld("ground", "whole", (0, 0.3), id="clamp_of_whole")
    m.beam((0, 0), (0.5, 0), id="inner", color=BLUE, **section, **STEEL)
    m.beam((0.5, 0), (1, 0), id="outer", color=GREEN, **section, **STEEL)
    m.weld("ground", "inner", (0, 0), id="clamp_of_half")
    m.weld("inner", "outer", (0.5, 0), id="seam")
    m.marker("whole", (1, 0.3), id="end_of_whole")
    m.marker("outer", (1, 0), id="end_of_halves")
    m.settings(t_end=0.5, output_step=1e-3, step=1e-5)
    return m


def crane_with_a_bending_jib() -> Mechanism:
    """A jib of steel tube on a foot and a stay: its load is let go on a tight rope, and bounces.

    The jib bends between foot and stay, and beyond it, where the rope hangs; at rest the moment at the stay
    is that of the load and of the overhang alone.
    """
    m = Mechanism("Crane with a bending jib")
    section = {"section": "tube", "width": 0.12, "wall": 0.004, "damping_ratio": 0.1, "modes": 2}
    m.beam((0, 0), (6, 0), id="jib", color=BLUE, **section, **STEEL)
    m.revolute("ground", "jib", (0, 0), id="foot")
    stay = {"stiffness": 2e6, "damping": 2e4}
    m.spring_damper(("ground", (0, 3)), ("jib", (4, 0)), id="stay", free_length=5.0, **stay)
    m.box((6, -2), 0.4, 0.4, mass=200.0, id="load", color=ORANGE)
    rope = {"stiffness": 2e5, "damping": 4e3}
    m.spring_damper(("jib", (6, 0)), ("load", (6, -1.8)), id="rope", free_length=1.8, **rope)
    m.marker("jib", (4, 0), id="at_stay")
    m.marker("jib", (6, 0), id="tip")
    m.settings(t_end=6.0, output_step=5e-3, step=1e-4)
    return m


def flexible_robot_arm() -> Mechanism:
    """A motor turns an arm of aluminium tube by a quarter in half a second and stops: its load swings on.

    The tip then swings as a cantilever with a mass at its end. A designer would slow the motor down.
    """
    m = Mechanism("Robot arm with a flexible link", dim=3, gravity=(0, 0, -9.81))
    m.cylinder((0, 0, 0), (0, 0, 0.4), 0.06, mass=8.0, id="column", color=ORANGE)
    section = {"section": "tube", "width": 0.03, "thickness": 0.03, "wall": 0.002, "modes": 1}
    light = {"youngs_modulus": 7e10, "density": 2700.0}
    m.beam((0, 0, 0.4), (1, 0, 0.4), id="arm", color=BLUE, seen_from="clamp", **section, **light)
    m.box((1, 0, 0.4), 0.06, 0.06, 0.06, mass=1.0, id="load", color=GREEN)
    law = "pi/2*if(t < 0.5, 2*t - sin(4*pi*t)/(2*pi), 1)"
    axis = m.revolute("ground", "column", (0, 0, 0), axis=(0, 0, 1), id="axis")
    m.motion(axis, law, id="motor")
    m.weld("column", "arm", (0, 0, 0.4), id="clamp")
    m.weld("arm", "load", (1, 0, 0.4), id="gripper")
    m.marker("arm", (1, 0, 0.4), id="tip")
    m.settings(t_end=2.0, output_step=5e-3, step=2e-4)
    return m
