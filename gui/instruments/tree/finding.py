"""Hangs a model in a tree, in a thread, so that the window goes on meanwhile."""

from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError, say
from engine.model.elements import Model
from gui.state.threads import BackgroundThread

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


class TreeThread(BackgroundThread):
    """Hangs one model and compares the ways to its accelerations."""

    found = Signal(object)

    def __init__(self, model: Model, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model = model

    def run(self) -> None:
        """Do it; a model that cannot be hung has a sentence instead."""
        self.found.emit(hung_of(self.model))


def hung_of(model: Model) -> Hung:
    """A model as a tree, in its start."""
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
