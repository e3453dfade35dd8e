"""Compares kinds of coordinates in a thread; a comparison that nobody wants any more ends soon."""

from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model.elements import Model
from gui.state.threads import BackgroundThread


class Found(NamedTuple):
    """The comparison of a model over a time, or why there is none."""

    model: Model
    t_end: float
    compared: Any = None  # engine.studies.coordinates.Compared
    sentence: str = ""
    is_over: bool = True  # False: the motions are still to come


class ComparingThread(BackgroundThread):
    """Compares one model."""

    found = Signal(object)

    def __init__(self, model: Model, t_end: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.model, self.t_end = model, t_end

    def run(self) -> None:
        """Compare; what cannot be compared has a sentence instead."""
        from engine.studies.coordinates import compare_coordinates

        try:
            compared = compare_coordinates(
                self.model,
                t_end=self.t_end,
                wanted=lambda: not self.isInterruptionRequested(),
                first=lambda one: self.found.emit(
                    Found(self.model, self.t_end, one, is_over=False)
                ),
            )
        except EngineError as error:
            self.found.emit(Found(self.model, self.t_end, sentence=error.sentence))
        else:
            self.found.emit(Found(self.model, self.t_end, compared))
