"""Makes the symbols of a model in a thread, so that the window goes on meanwhile."""

from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError, say
from engine.model.elements import Model
from gui.state.threads import BackgroundThread

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


class SymbolsThread(BackgroundThread):
    """Compiles a model and writes its equations in symbols."""

    made = Signal(object)

    def __init__(self, model: Model, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model = model

    def run(self) -> None:
        """Make them; a model that cannot run has a sentence instead."""
        self.made.emit(made_of(self.model))


def made_of(model: Model) -> Made:
    """The symbols of a model."""
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
        terms = (*equations.D, *equations.Phi, *equations.gamma, *equations.f)
        count = sum(int(x.count_ops()) for x in terms)
        return Made(model, compiled, equations, Powers(equations), count)
    except EngineError as error:
        return Made(model, sentence=error.sentence)
