"""Two problems drawn for Kardan with the joints that the other programs get, a pin and a slider.

The tests draw them from particles: on a massless rod, and on a rail.
"""

from collections.abc import Callable
from math import pi, radians
from typing import Any

import numpy as np

from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.results.results import Results

LEAST = 1e-14  # [kg m^2] a body in the plane has some; MuJoCo gets the same
FAR = 10.0  # [m] the wall is so far left that the trolley never gets there


def pendulum(p: dict[str, Any]) -> Model:
    """The point mass as a body on a pin."""
    m, l = Mechanism("pendulum"), p["L"]
    m.body((0, 0), angle=pi, mass=p["m"], inertia=LEAST, center=(l, 0), id="arm")
    m.revolute("ground", "arm", at=(0, 0))
    m.marker("arm", (-l, 0), id="bob")
    return m.model


def crane(p: dict[str, Any]) -> Model:
    """The trolley as a body on a slider."""
    m, l = Mechanism("crane"), p["l"]
    hinge, turned = np.array([-p["x1_0"], 0.0]), radians(p["phi0_deg"])
    tip = hinge + l * np.array([np.cos(turned), np.sin(turned)])
    m.body(hinge, mass=p["m1"], inertia=1.0, center=(0, 0), id="trolley")
    m.rod(hinge, tip, mass=p["m2"], id="rod")
    m.prismatic("ground", "trolley", at=hinge)
    m.revolute("trolley", "rod", at=hinge)
    m.spring_damper(
        ("ground", (-FAR, 0)),
        ("trolley", hinge),
        stiffness=p["spring"],
        damping=p["damper"],
        free_length=FAR,
    )
    m.marker("rod", tip, id="tip")
    return m.model


def channels(*names: str) -> Callable[[Results], np.ndarray]:
    """An observer that reads channels."""
    return lambda results: results[names]


DRAWINGS: dict[str, tuple[Callable[[dict[str, Any]], Model], Callable[[Results], np.ndarray]]] = {
    "a_pendulum": (pendulum, channels("bob.x", "bob.y")),
    "i_crane": (crane, channels("trolley.x", "tip.x", "tip.y")),
}
