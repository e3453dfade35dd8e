"""Examples of forces with states of their own."""

from assets.example_solids import BLUE, ORANGE
from engine.editing.builder import Mechanism


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
