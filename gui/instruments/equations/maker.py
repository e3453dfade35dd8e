"""The symbols of a model; made in a thread, so that the window goes on meanwhile."""

from typing import Any, NamedTuple

from engine.errors import EngineError, say
from engine.model.elements import Model

MOST_IN_SPACE = 3000  # operations that a person may still read


class Made(NamedTuple):
    """The symbols of a model, or why there are none."""

    model: Model
    compiled: Any = None
    equations: Any = None
    powers: Any = None
    operations: int = 0
    sentence: str = ""

    @property
    def is_too_large(self) -> bool:
        """Whether numbers say more than symbols."""
        return self.model.dim == 3 and self.operations > MOST_IN_SPACE


def made_of(model: Model) -> Made:
    """The symbols of a model; one that cannot run has a sentence instead."""
    from engine.compiling.system import compile_model
    from engine.symbols.equations import Equations
    from engine.symbols.powers import Powers

    try:
        compiled = compile_model(model)
        if not compiled.body_ids:
            return Made(
                model, sentence=say("Draw a body that can move: it has the first equation.")
            )
        equations = Equations(compiled)
        return Made(model, compiled, equations, Powers(equations), _operations(equations))
    except EngineError as error:
        return Made(model, sentence=error.sentence)


def _operations(equations: Any) -> int:
    """How many operations the equations have; in the plane nobody asks."""
    if equations.dim == 2:
        return 0
    terms = (*equations.D, *equations.Phi, *equations.gamma, *equations.f)
    return sum(int(x.count_ops()) for x in terms if not x.is_Atom)
