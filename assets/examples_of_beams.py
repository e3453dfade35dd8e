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
