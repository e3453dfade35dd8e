"""The document: one model, its history and its file.

An edit is a new Model. Undo keeps the old one: one kind of step with two references is enough for the whole
program.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.files.atomic import digest
from engine.files.model_files import load, save
from engine.model.elements import Model, diff, planar, with_view
from engine.model.limits import check_numbers
from engine.model.views import Camera
from gui.state.history import History, Step


class Document(QObject):
    """The model that is open; `edit` is the only way to change it."""

    changed = Signal(object, object)  # the Model shown before and the one shown now
    opened = Signal()  # another document is opened; emitted before the other signals
    committed = Signal()  # the model itself was replaced: edited, undone or opened
    file_changed = Signal()  # path or unsaved changes
    refused = Signal(str)  # an edit was not made, in a sentence

    def __init__(self) -> None:
        super().__init__()
        self.model: Model = planar()
        self.shown: Model = self.model  # the model, or a preview while something is dragged
        self.path: Path | None = None
        self.content = ""  # digest of the file as it was read or written here
        self.camera: Callable[[], Camera | None] = lambda: None  # from where it is seen now
        self.undo_stack = History(self._put, self)
        self.undo_stack.clean_changed.connect(self._on_clean_changed)

    @property
    def is_saved(self) -> bool:
        """Whether the file holds exactly this model, or there is nothing to save yet."""
        return self.undo_stack.is_clean()

    @property
    def is_changed_elsewhere(self) -> bool:
        """Whether the file is there, and no longer holds what was read or written here."""
        found = digest(self.path) if self.path is not None else ""
        return found not in ("", self.content)

    def edit(self, label: str, model: Model) -> None:
        """Make this the model, as one step of undo; changes the document.

        A gesture may make numbers that no file can hold, as an arrow drawn while the view is very far away:
        then nothing changes, and `refused` says why.
        """
        if model is self.model:
            self.preview(None)
            return
        model = _without_strangers(model)
        try:
            _check_numbers(self.model, model)
        except EngineError as error:
            self.preview(None)
            self.refused.emit(error.sentence)
        else:
            self.undo_stack.push(Step(label, self.model, model))

    def preview(self, model: Model | None) -> None:
        """Show a model without keeping it, until the next edit; None shows the real one again."""
        before, self.shown = self.shown, self.model if model is None else model
        if self.shown is not before:
            self.changed.emit(before, self.shown)

    def new(self, model: Model | None = None) -> None:
        """Start over with an empty model, or with a copy that has no file; forgets the history."""
        self.path, self.content = None, ""
        self._start(planar() if model is None else model)

    def open(self, path: str | Path) -> None:
        """Read a file; if that fails, EngineError is raised and nothing has changed."""
        content = digest(path)
        model = load(path)
        self.path, self.content = Path(path), content
        self._start(model)

    def save(self, path: str | Path | None = None) -> None:
        """Write the model, atomically, to this path or to its own; changes path and saved state."""
        target = Path(path) if path is not None else self.path
        assert target is not None, "a new document needs a path"
        view = replace(self.model.view, camera=self.camera())  # no step of undo: nothing changed
        save(with_view(self.model, view), target)
        self.path, self.content = target, digest(target)
        self.undo_stack.mark_clean()
        self.file_changed.emit()

    def _on_clean_changed(self, _is_clean: bool) -> None:
        self.file_changed.emit()

    def _start(self, model: Model) -> None:
        self.undo_stack.clear()
        self.opened.emit()
        self._put(model)
        self.file_changed.emit()

    def _put(self, model: Model) -> None:
        """Make this the model and show it."""
        before, self.model, self.shown = self.shown, model, model
        self.changed.emit(before, model)
        self.committed.emit()


class _Missing:
    """All names that no element of a model has."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def __contains__(self, id: object) -> bool:
        return bool(id) and id not in self.model.elements


def _without_strangers(model: Model) -> Model:
    """The model without curves and sliders of elements that it does not have: no file could hold them.

    A panel may still show those of a model that was undone when it changes its plots.
    """
    return with_view(model, model.view.without(_Missing(model)))


def _check_numbers(before: Model, after: Model) -> None:
    """Raise EngineError if a number that an edit has made is beyond what the program computes with."""
    added, _, changed = diff(before, after)
    for id in added | changed:
        try:
            check_numbers(after[id])
        except EngineError as error:
            raise EngineError(
                "A number of '{name}' {reason}", id, name=after[id].label, reason=error.sentence
            ) from None
