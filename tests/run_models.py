"""Small models that the tests of running and plotting share."""

from dataclasses import replace

from engine.editing.builder import Mechanism
from engine.model.elements import Model


def pendulum(t_end: float = 2.0) -> Model:
    """A rod of 1 m and 1 kg that is let go from the horizontal."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1, name="Rod")
    m.revolute("ground", rod, at=(0, 0), name="Pivot")
    return lasting(m.model, t_end)


def four_bar(t_end: float = 1.0) -> Model:
    """Crank, coupler and rocker under gravity: one degree of freedom; the rocker turns back."""
    m = Mechanism("Four-bar")
    crank = m.rod((0, 0), (0, 1), mass=1, name="Crank")
    coupler = m.rod((0, 1), (3, 2), mass=1, name="Coupler")
    rocker = m.rod((3, 2), (3, 0), mass=1, name="Rocker")
    m.revolute("ground", crank, at=(0, 0))
    m.revolute(crank, coupler, at=(0, 1))
    m.revolute(coupler, rocker, at=(3, 2))
    m.revolute("ground", rocker, at=(3, 0), name="Rocker pivot")
    return lasting(m.model, t_end)


def double_pendulum(t_end: float = 2.0) -> Model:
    """Two rods of 1 m and 1 kg, let go from the horizontal, with a spring between the ends."""
    m = Mechanism("Double pendulum")
    upper = m.rod((0, 0), (1, 0), mass=1, name="Upper")
    lower = m.rod((1, 0), (2, 0), mass=1, name="Lower")
    m.revolute("ground", upper, at=(0, 0))
    m.revolute(upper, lower, at=(1, 0), name="Elbow")
    m.spring(("ground", (0, -2)), (lower, (2, 0)), stiffness=5, name="Spring")
    return lasting(m.model, t_end)


def lasting(model: Model, t_end: float, **changes: object) -> Model:
    """The same model with another end time and other settings; in steps of 1 ms unless told otherwise."""
    chosen = {"method": "rk4", "t_end": t_end, **changes}
    return replace(model, settings=replace(model.settings, **chosen))
