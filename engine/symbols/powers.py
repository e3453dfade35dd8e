"""The balance of powers at one state: what every force gives to the motion.

v . M a = v . f - lam . nu            with -lam . nu the power of drives; joints that do not move do no work
"""

from typing import NamedTuple

import numpy as np
import sympy as sp

from engine.errors import say
from engine.kinematics.evaluate import equations as engine_equations
from engine.model.elements import Id
from engine.symbols.equations import GYROSCOPIC, WEIGHT, Equations
from engine.symbols.numbers import Numbers

NAMES = {WEIGHT: say("weight"), GYROSCOPIC: say("gyroscopic moments")}


class Power(NamedTuple):
    """What one element gives, in watts."""

    id: Id  # empty for weight and gyroscopic moments
    label: str
    power: float


class Balance(NamedTuple):
    """All powers at one state, and what they leave open."""

    kinetic: float  # v . M a, the rate of the kinetic energy
    powers: tuple[Power, ...]

    @property
    def rest(self) -> float:
        """What is left over: rounding, and what joints do that do not stand closed."""
        return self.kinetic - sum(one.power for one in self.powers)


class Powers:
    """The balance of a model at any state."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        v = equations.v
        of_part = [
            sp.Add(*(force * v[k] for k, force in part.items()))
            for part in equations.parts.values()
        ]
        self._numbers = Numbers(equations, of_part)

    def at(self, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray | None = None) -> Balance:
        """The balance at a state."""
        compiled, parts = self.equations.compiled, self.equations.parts
        here = engine_equations(compiled, t, q, v, z=z)
        found = []
        for id, power in zip(parts, self._numbers.at(t, q, v, here.lam, z)):
            known = NAMES.get(id)
            label = known if known else compiled.model[id].label
            found.append(Power("" if known else id, label, float(power)))
        for id, rows in compiled.rows_of.items():
            power = -float(here.lam[rows] @ here.nu[rows])
            if np.any(here.nu[rows] != 0.0):
                found.append(Power(id, compiled.model[id].label, power))
        return Balance(float(v @ (here.M @ here.a)), tuple(found))
