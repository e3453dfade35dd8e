"""The steps of undo: a list of edits and a place in it.

Qt's own stack is not used: where Python collects it as garbage together with its commands, both sides
delete the commands and the process dies (PySide 6.10; twenty pushed commands and a reference cycle are
enough).
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

    moved = Signal(int)  # how many steps are done now
    clean_changed = Signal(bool)

    def __init__(self, put: Callable[[Model], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._put = put
        self._steps: list[Step] = []
        self._index = 0  # steps that are done
        self._clean = 0  # steps done when the file was written; -1: it holds none of these models

    def push(self, step: Step) -> None:
        """Do a step; steps that were undone are discarded. Changes the history."""
        self._put(step.after)
        was_clean = self.is_clean()
        del self._steps[self._index :]
        if self._clean > self._index:
            self._clean = -1
        self._steps.append(step)
        self._move_to(self._index + 1, was_clean)

    def undo(self) -> None:
        """Undo one step, if there is one; changes the history."""
        if self.can_undo():
            self._put(self._steps[self._index - 1].before)
            self._move_to(self._index - 1, self.is_clean())

    def redo(self) -> None:
        """Redo one step, if there is one; changes the history."""
        if self.can_redo():
            self._put(self._steps[self._index].after)
            self._move_to(self._index + 1, self.is_clean())

    def clear(self) -> None:
        """Forget all steps; changes the history."""
        was_clean = self.is_clean()
        self._steps.clear()
        self._clean = 0
        self._move_to(0, was_clean)

    def mark_clean(self) -> None:
        """The file holds the model as it is now; changes the history."""
        was_clean, self._clean = self.is_clean(), self._index
        if not was_clean:
            self.clean_changed.emit(True)

    def mark_unclean(self) -> None:
        """No file holds any of these models; changes the history."""
        was_clean, self._clean = self.is_clean(), -1
        if was_clean:
            self.clean_changed.emit(False)

    def _move_to(self, index: int, was_clean: bool) -> None:
        """Move to another place; the model is already the one there. Changes the history."""
        before, self._index = self._index, index
        if index != before:
            self.moved.emit(index)
        if self.is_clean() != was_clean:
            self.clean_changed.emit(self.is_clean())

    # --- queries

    def last(self) -> Step | None:
        """The step that was done last, which undo would undo."""
        return self._steps[self._index - 1] if self.can_undo() else None

    def is_clean(self) -> bool:
        """Whether the file holds the model as it is now."""
        return self._index == self._clean

    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self._index > 0

    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self._index < len(self._steps)

    def count(self) -> int:
        """How many steps are known, done and undone."""
        return len(self._steps)

    def index(self) -> int:
        """How many of them are done."""
        return self._index

    def step(self, index: int) -> Step | None:
        """A step by its number."""
        return self._steps[index] if 0 <= index < len(self._steps) else None

    def undo_text(self) -> str:
        """What the step is called that would be undone."""
        return self._steps[self._index - 1].text if self.can_undo() else ""

    def redo_text(self) -> str:
        """What the step is called that would be redone."""
        return self._steps[self._index].text if self.can_redo() else ""
