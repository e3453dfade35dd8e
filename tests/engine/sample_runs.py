"""Small mechanisms, and runs of them that several tests read."""

import functools

from engine.editing.builder import Mechanism
from engine.results.results import Results
from engine.running.simulate import run

SHORT = {"t_end": 0.5, "output_step": 0.01}


def pendulum(dim: int = 2, **fields) -> Mechanism:
    """A slender rod on a pin at the origin, drawn along x."""
    m = Mechanism("pendulum", dim)
    rod = m.rod((0, 0, 0)[:dim], (1, 0, 0)[:dim], mass=1, **fields)
    m.revolute("ground", rod, at=(0, 0, 0)[:dim], **({"axis": (0, 1, 0)} if dim == 3 else {}))
    return m


def planar_chain() -> Mechanism:
    """Two lopsided bodies with a spring, a curved torsion spring and stops; nothing damps."""
    m = Mechanism("planar chain")
    arm = m.body((0, 0), angle=0.3, mass=2, inertia=0.1, center=(0.4, 0.1), spin=1.0)
    fork = m.body((1, 0.2), angle=-0.5, mass=1, inertia=0.05, center=(0.3, -0.2))
    pin = m.revolute("ground", arm, at=(0.1, 0))
    m.revolute(arm, fork, at=(0.8, 0.1), angle=0.7)
    m.spring((arm, (0.5, 0.5)), ("ground", (0, 1)), stiffness=30, preload=2)
    m.torsion_spring(pin, 3, spring_curve="4*x^3")
    m.joint_limits(pin, -0.2, 0.3, stiffness=50, damping=0)
    m.marker(fork, (1.7, -0.4), angle=0.2, id="tip")
    return m


def spatial_chain(orientation: str = "quaternion") -> Mechanism:
    """A lopsided body on a hinge and another on a cross, with a bushing; nothing damps."""
    m = Mechanism("spatial chain", 3)
    m.settings(orientation=orientation)
    inertia = (0.1, 0.2, 0.25, 0.01, -0.02, 0.03)
    turned = (0.8, 0.0, 0.6, 0.0)
    arm = m.body((0, 0, 0), mass=2, inertia=inertia, center=(0.3, 0.1, 0.2), orientation=turned)
    fork = m.body((1, 0, 0), mass=1, inertia=inertia, center=(0.2, -0.1, 0.1))
    m.revolute("ground", arm, at=(0, 0.1, 0), axis=(0.2, 1, 0.1))
    m.universal(arm, fork, at=(0.9, 0, 0.1), axis_i=(1, 0, 0.2), axis_j=(1, 0.3, 0))
    still = {"c_x": 0, "c_y": 0, "c_z": 0}
    m.bushing("ground", fork, at=(1.2, 0, 0.5), k_x=20, k_y=30, k_z=10, **still, turn_k_z=0.5)
    m.marker(fork, (1.5, 0.2, 0.3), axis=(1, 1, 0), id="tip")
    return m


@functools.cache
def planar_run() -> Results:
    """The planar chain with a frame at every step."""
    return run(planar_chain().model, t_end=1.0, step=1e-3, output_step=1e-3)


@functools.cache
def spatial_run() -> Results:
    """The spatial chain with a frame at every step."""
    return run(spatial_chain().model, t_end=1.0, step=1e-3, output_step=1e-3)


@functools.cache
def pendulum_run() -> Results:
    """The planar pendulum for half a second."""
    return run(pendulum().model, **SHORT)
