"""A model hung in a tree, and the ways to its accelerations compared; found in a thread."""

from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError, say
from engine.model.elements import Model

State = tuple[float, np.ndarray, np.ndarray, np.ndarray]  # t, q, v, z


class Hung(NamedTuple):
    """A model that can be hung in a tree, or why it cannot."""

    model: Model
    compiled: Any = None
    state: State | None = None  # as assembled
    tree: Any = None  # engine.studies.tree_equations.TreeEquations in that state
    ways: tuple[Any, ...] = ()  # to the accelerations, compared
    sentence: str = ""

    def at(self, state: State) -> Any:
        """The tree in another closed state."""
        from engine.studies.tree_equations import tree_equations

        return tree_equations(self.compiled, *state)


def hung_of(model: Model) -> Hung:
    """A model as a tree, in its start; a model that cannot be hung has a sentence instead."""
    from engine.running.simulate import prepare
    from engine.studies.tree_equations import recursive, tree_equations
    from engine.studies.tree_tables import compared

    if not any(not body.fixed for body in model.of("body")):
        return Hung(model, sentence=say("Nothing hangs in a tree yet: draw a body."))
    try:
        run = prepare(model)
        state = 0.0, run.start.q, run.start.v, run.compiled.z0
        tree = tree_equations(run.compiled, *state)
        ways = tuple(compared(tree, recursive(run, *state)))
    except EngineError as error:
        return Hung(model, sentence=error.sentence)
    return Hung(model, run.compiled, state, tree, ways)


def formulas_of(hung: Hung) -> tuple[Model, dict[str, Any] | str]:
    """The matrices of a small tree in symbols, or why there are none, and the model that they are of."""
    from engine.studies.tree_symbols import symbol_grids

    try:
        return hung.model, symbol_grids(hung.tree)
    except EngineError as error:
        return hung.model, error.sentence
