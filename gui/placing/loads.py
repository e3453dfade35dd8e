"""Given forces and torques as numbers of time: the same numbers that the engine applies in a run."""

from math import isfinite, log10
from typing import NamedTuple

from engine.errors import EngineError
from engine.formulas.functions import FunctionOfTime
from engine.model.connections import Load
from engine.model.elements import Id, Model
from engine.model.fields import Function

SHORTEST, PER_DECADE, LONGEST = 34.0, 26.0, 150.0  # pixels


class Given(NamedTuple):
    """A load of a force and its three components as functions of time."""

    load: Load
    components: tuple[FunctionOfTime, ...]

    def at(self, t: float) -> tuple[float, ...]:
        """The components at a moment, in the axes of the load; zero where one has no value."""
        found = (component(t) for component in self.components)
        return tuple(number if isfinite(number) else 0.0 for number in found)


class GivenLoads:
    """All given loads of a plain model."""

    def __init__(self, model: Model) -> None:
        constants = {p.id: float(p.value) for p in model.of("parameter")}
        self._of: dict[Id, list[Given]] = {}
        for force in model.of("force"):
            for load in force.loads(model):
                parts = tuple(_usable(component, constants) for component in load.components)
                self._of.setdefault(force.id, []).append(Given(load, parts))

    def of(self, force: Id, kind: int) -> list[Given]:
        """The loads of a force that are forces or torques: a kind of `engine.kernels.layout`."""
        return [given for given in self._of.get(force, []) if given.load.kind == kind]


def _usable(function: Function, constants: dict[str, float]) -> FunctionOfTime:
    """A function of time; zero where it is not usable, so that the rest is still drawn."""
    try:
        return FunctionOfTime(function, constants)
    except EngineError:
        return FunctionOfTime(0.0, {})


def arrow_length(size: float) -> float:
    """Pixels of the arrow of a force: the length grows with the logarithm of the force."""
    return min(SHORTEST + PER_DECADE * log10(1.0 + size), LONGEST)
