"""The steps of undo: a list of edits and a place in it, with the names that Qt gives such a stack.

Qt's own stack is not used: where Python collects it as garbage together with its commands, both sides
delete the commands and the process dies (PySide 6.10; twenty pushed commands and a circle suffice).
"""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.model.elements import Model


class Step(NamedTuple):
    """One edit: the models before and after it, and what it is called."""

    text: str
    before: Model
    after: Model


class History(QObject):
    """What can be undone and redone; `put` makes a model the one of the document."""

    indexChanged = Signal(int)
    cleanChanged = Signal(bool)

    def __init__(self, put: Callable[[Model], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._put = put
        self._steps: list[Step] = []
        self._index = 0  # steps that are done
        self._clean = 0  # so many were done when the file was written; -1: it holds none of these

    def push(self, step: Step) -> None:
        """Do a step; what was undone is forgotten. Changes the history."""
        self._put(step.after)
        was_clean = self.isClean()
        del self._steps[self._index :]
        if self._clean > self._index:
            self._clean = -1
        self._steps.append(step)
        self._move_to(self._index + 1, was_clean)

    def undo(self) -> None:
        """Undo one step, if there is one; changes the history."""
        if self.canUndo():
            self._put(self._steps[self._index - 1].before)
            self._move_to(self._index - 1, self.isClean())

    def redo(self) -> None:
        """Redo one step, if there is one; changes the history."""
        if self.canRedo():
            self._put(self._steps[self._index].after)
            self._move_to(self._index + 1, self.isClean())

    def setIndex(self, index: int) -> None:
        """Undo or redo until so many steps are done; changes the history."""
        index = min(max(index, 0), len(self._steps))
        while self._index > index:
            self.undo()
        while self._index < index:
            self.redo()

    def clear(self) -> None:
        """Forget all steps; changes the history."""
        was_clean = self.isClean()
        self._steps.clear()
        self._clean = 0
        self._move_to(0, was_clean)

    def setClean(self) -> None:
        """The file holds the model as it is now; changes the history."""
        was_clean, self._clean = self.isClean(), self._index
        if not was_clean:
            self.cleanChanged.emit(True)

    def resetClean(self) -> None:
        """No file holds any of these models; changes the history."""
        was_clean, self._clean = self.isClean(), -1
        if was_clean:
            self.cleanChanged.emit(False)

    def _move_to(self, index: int, was_clean: bool) -> None:
        """Be at another place; the model is there already. Changes the history."""
        moved, self._index = index != self._index, index
        if moved:
            self.indexChanged.emit(index)
        if self.isClean() != was_clean:
            self.cleanChanged.emit(self.isClean())

    # --- what one may ask

    def isClean(self) -> bool:
        """Whether the file holds the model as it is now."""
        return self._index == self._clean

    def canUndo(self) -> bool:
        """Whether there is a step to undo."""
        return self._index > 0

    def canRedo(self) -> bool:
        """Whether there is a step to redo."""
        return self._index < len(self._steps)

    def count(self) -> int:
        """How many steps are known, done and undone."""
        return len(self._steps)

    def index(self) -> int:
        """How many of them are done."""
        return self._index

    def command(self, index: int) -> Step | None:
        """A step by its number."""
        return self._steps[index] if 0 <= index < len(self._steps) else None

    def undoText(self) -> str:
        """What the step is called that would be undone."""
        return self._steps[self._index - 1].text if self.canUndo() else ""

    def redoText(self) -> str:
        """What the step is called that would be redone."""
        return self._steps[self._index].text if self.canRedo() else ""
