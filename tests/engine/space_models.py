"""Spatial models for the laws of edits and of dragging."""

from engine.editing.builder import Mechanism

WIDE = {"width": 0.04, "thickness": 0.04}


def spatial_four_bar():
    """A crank and a rocker on hinges whose axes are at right angles; a coupler with two balls."""
    m = Mechanism("RSSR", dim=3)
    crank = m.rod((0, 0, 0), (0, 0.3, 0.4), id="crank", **WIDE)
    rocker = m.rod((2, 1, 0), (2, 1, 1.5), id="rocker", **WIDE)
    coupler = m.rod((0, 0.3, 0.4), (2, 1, 1.5), id="coupler", **WIDE)
    m.revolute("ground", crank, (0, 0, 0), axis=(1, 0, 0), id="A")
    m.spherical(crank, coupler, (0, 0.3, 0.4), id="B")
    m.spherical(rocker, coupler, (2, 1, 1.5), id="C")
    m.revolute("ground", rocker, (2, 1, 0), axis=(0, 1, 0), id="D")
    return m.model


def everything_in_space():
    """One of nearly every kind, in general positions."""
    m = Mechanism("Everything in space", dim=3, gravity=(0.3, -1.0, -9.81))
    base = m.box((0, 0, 1), 1.0, 0.6, 0.2, velocity=(0.1, 0.2, 0.0))
    wheel = m.cylinder((0.3, 0, 1.1), (0.3, 0, 1.2), 0.2, angular_velocity=(0.0, 0.0, 3.0))
    arm = m.rod((-0.4, 0, 1.1), (-0.4, 0.8, 1.5))
    shaft = m.cylinder((0, 0, 2), (0, 0.3, 2.4), 0.05)
    nut = m.sphere((0, 0.5, 2.8), 0.1)
    bob = m.particle((1, 1, 1), 0.5, velocity=(0.5, 0.0, 0.1))
    hinge = m.revolute(base, wheel, (0.3, 0, 1.15), axis=(0, 0, 1))
    m.universal(base, arm, (-0.4, 0, 1.1), (0, 0, 1), (0, 0.8, 0.4))
    m.cylindrical(base, shaft, (0, 0, 2), axis=(0, 0.3, 0.4))
    m.screw(shaft, nut, (0, 0.3, 2.4), 0.02, axis=(0, 0.3, 0.4))
    m.massless_rod(("ground", (1, 1, 2)), (bob, (1, 1, 1)))
    m.spring((arm, (-0.4, 0.8, 1.5)), (bob, (1, 1, 1)), stiffness=30.0)
    m.bushing("ground", base, (0, 0, 1), axis=(0.3, 0.2, 1), k_x=200.0, turn_k_z=5.0, turn_k_x=3.0)
    m.torsion_spring(hinge, 2.0)
    m.force(arm, (-0.4, 0.8, 1.5), (1.0, "2*sin(4*t)", 0.5))
    m.force(wheel, (0.4, 0, 1.15), (0.3, 0.1, 0.2), axes="body")
    m.torque(base, (0.1, "0.2*cos(t)", 0.3))
    m.actuator(hinge, "0.2*sin(3*t) - 0.1*speed")
    return m.model
