"""Cut, copy, paste, delete, mirror, align: what the Edit menu does with the selection."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QPlainTextEdit, QWidget

from engine.editing import edits
from engine.editing.builder.script import script
from engine.errors import EngineError
from engine.model.elements import Id, Model, Parameter, fresh_id, put, with_sliders
from gui.forms.special import parameter_of
from gui.look.messages import Messages
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.selection import Selection
from gui.window.actions import Commands
from gui.window.importing.meshes import MeshImport
from gui.window.importing.parts import PartImport

T = TypeVar("T")
Work = Callable[[Model], tuple[Model, Iterable[Id] | None]]  # the model, and ids to select
CLIP_MIME = "application/x-kardan-clip"
SHIFT = 24  # pixels between an original and its copy
BODIES = ("mirror_x", "mirror_y")
ALIGN = ("left", "center_x", "right", "top", "center_y", "bottom")


class EditCommands(QObject):
    """Commands that make one edit of the document each."""

    complained = Signal(str)

    def __init__(
        self,
        window: QWidget,
        document: Document,
        selection: Selection,
        stage: Stages,
        messages: Messages,
    ) -> None:
        super().__init__(window)
        self.window = window
        self.document, self.selection, self.stage = document, selection, stage
        self.meshes = MeshImport(self, messages)
        self.parts = PartImport(self, messages)
        self._pastes = 0

    def connect_to(self, commands: Commands) -> None:
        """Connect the commands of the menu, and disable those that do not apply."""
        self.commands = commands
        commands.connect(
            undo=self.undo,
            redo=self.redo,
            cut=self.cut,
            copy=self.copy,
            paste=self.paste,
            copy_script=self.copy_script,
            duplicate=self.duplicate,
            delete=self.delete,
            select_all=self.select_all,
            select_none=self.selection.clear,
            mirror_x=lambda: self._arrange("mirror_x"),
            mirror_y=lambda: self._arrange("mirror_y"),
            new_parameter=self.new_parameter,
            import_mesh=self.import_mesh,
            import_part=self.import_part,
            **{f"align_{how}": lambda how=how: self._align(how) for how in ALIGN},
        )
        self.selection.changed.connect(self.refresh)
        self.document.committed.connect(self.refresh)
        self.document.undo_stack.moved.connect(self.refresh)
        QGuiApplication.clipboard().dataChanged.connect(self._on_clipboard)
        self._on_clipboard()

    def refresh(self, *_: object) -> None:
        """Disable the commands that do not apply, with the reason."""
        commands, stack = self.commands, self.document.undo_stack
        chosen = [id for id in self.selection.ids if id in self.document.model]
        bodies = [id for id in chosen if self.document.model[id].family == "body"]
        nothing = "" if chosen else self.tr("Nothing is selected.")
        for name in ("cut", "copy", "duplicate", "delete", "select_none", "hide"):
            commands.allow(name, nothing)
        for name in ("isolate", "fit_selection"):
            commands.allow(name, nothing)
        one = self.tr("Select one element.")
        commands.allow("rename", "" if len(chosen) == 1 else one)
        none = self.tr("Select a body first.")
        for name in (*BODIES, "see_through"):
            commands.allow(name, "" if bodies else none)
        is_followed = commands["follow_body"].isChecked()
        commands.allow("follow_body", "" if bodies or is_followed else none)
        two = self.tr("Select at least two bodies.")
        for how in ALIGN:
            commands.allow(f"align_{how}", "" if len(bodies) > 1 else two)
        flat = self.tr("A mesh is a body in space, and this model is in the plane.")
        commands.allow("import_mesh", flat if self.document.model.dim == 2 else "")
        empty = "" if self._has_clip else self.tr("Nothing has been copied.")
        commands.allow("paste", empty)
        blank = self.tr("The model is empty.")
        commands.allow("select_all", "" if self.document.model.elements else blank)
        for name, can, text, verb in (
            ("undo", stack.can_undo(), stack.undo_text(), self.tr("Undo")),
            ("redo", stack.can_redo(), stack.redo_text(), self.tr("Redo")),
        ):
            commands[name].setText(f"&{verb} {text[:1].lower()}{text[1:]}" if can else f"&{verb}")
            reason = self.tr("Nothing to undo.") if name == "undo" else self.tr("Nothing to redo.")
            commands.allow(name, "" if can else reason)

    def _on_clipboard(self) -> None:
        """Read the clipboard only when it has changed: reading is slow."""
        self._has_clip = bool(self._clip())
        self.refresh()

    def undo(self) -> None:
        """Undo the last edit, or what was typed into a field."""
        if not self._in_text("undo"):
            self.document.undo_stack.undo()

    def redo(self) -> None:
        """Redo what was undone, of the model or in a field."""
        if not self._in_text("redo"):
            self.document.undo_stack.redo()

    # --- copy and paste

    def copy(self) -> None:
        """Put the selection on the clipboard, or the selected text of a field."""
        if self._in_text("copy"):
            return
        if (text := self._try(lambda: edits.clip(self.document.model, self.selection.ids))) is None:
            return
        mime = QMimeData()
        mime.setData(CLIP_MIME, text.encode())
        mime.setText(text)
        QGuiApplication.clipboard().setMimeData(mime)
        self._pastes = 0

    def copy_script(self) -> None:
        """Put the program that builds the model on the clipboard."""
        QGuiApplication.clipboard().setText(script(self.document.model))

    def cut(self) -> None:
        """Copy, then delete, as one edit."""
        if self._in_text("cut"):
            return
        before = self._clip()
        self.copy()
        if self._clip() and (self._clip() != before or before):
            self.edit(self.tr("Cut"), lambda m: (edits.deleted(m, self.selection.ids), ()))

    def paste(self) -> None:
        """Insert what was copied, slightly offset, and select it."""
        if self._in_text("paste"):
            return
        self._pastes += 1
        shift = self._shift(self._pastes)
        self.edit(self.tr("Paste"), lambda m: edits.pasted(m, self._clip(), shift))

    def duplicate(self) -> None:
        """Make a second copy of the selection beside it, and select it."""
        ids, shift = self.selection.ids, self._shift(1)
        self.edit(self.tr("Duplicate"), lambda m: edits.duplicated(m, ids, shift))

    def delete(self) -> None:
        """Delete the selection and what is attached to it."""
        if self._in_text("del_"):
            return
        ids = self.selection.ids
        what = self.document.model[ids[0]].label if len(ids) == 1 else self.tr("selection")
        label = self.tr("Delete {0}").format(what)
        self.edit(label, lambda m: (edits.deleted(m, ids), ()))

    def select_all(self) -> None:
        """Select everything that can be seen."""
        if not self._in_text("selectAll"):
            seen = ("body", "joint", "motion", "force", "tracer", "trigger")
            self.selection.set(e.id for e in self.document.model if e.family in seen)

    # --- arranging

    def _arrange(self, name: str) -> None:
        how = "left-right" if name == "mirror_x" else "top-bottom"
        ids = self.selection.ids
        self.edit(self.tr("Mirror"), lambda m: (edits.mirrored(m, ids, how), None))

    def _align(self, how: str) -> None:
        ids = self.selection.ids
        self.edit(self.tr("Align"), lambda m: (edits.aligned(m, ids, how), None))

    def new_parameter(self) -> None:
        """Add a parameter and select it."""
        id = fresh_id(self.document.model, "p")
        parameter = Parameter(id=id, value=1.0, low=0.0, high=2.0)
        self.edit(self.tr("Add parameter {0}").format(id), lambda m: (put(m, parameter), (id,)))

    def parameter_of_size(self, body: Id, field: str) -> None:
        """Make a parameter of a size of a body, with a slider on the stage."""
        model = self.document.model
        size = getattr(model[body].shape, field)
        words = re.findall(
            "[A-Za-z0-9_]+", model[body].label
        )  # letters a formula can be written with
        id = "_".join([field[0], *words]) if words else f"{field[0]}_{body}"
        id = id if id not in model else fresh_id(model, id)
        after = put(model, parameter_of(id, size, "m"))
        after = edits.with_fields(after, (body,), {f"shape.{field}": id})
        after = with_sliders(after, (*model.view.sliders, id))
        label = self.tr("Make {0} a parameter").format(id)
        self.edit(label, lambda _: (after, None))

    def import_mesh(self) -> None:
        """Ask for a file and add the body in it."""
        path, _ = QFileDialog.getOpenFileName(
            self.window, self.tr("Import mesh"), "", self.tr("Meshes (*.stl *.obj)")
        )
        if path:
            self.meshes.read(path)

    def import_part(self) -> None:
        """Ask for the files of a part that bends, and add it."""
        kinds = self.tr("Parts that bend (*.npz *.mtx *.stl *.obj)")
        paths, _ = QFileDialog.getOpenFileNames(
            self.window, self.tr("Insert a part that bends"), "", kinds
        )
        if paths:
            self.parts.read(paths)

    # --- making edits

    def edit(self, label: str, work: Work) -> None:
        """One edit; `work` gives the model and the ids to select, or None to keep the selection."""
        found = self._try(lambda: work(self.document.model))
        if found is None:
            return
        model, ids = found
        self.document.edit(label, model)
        if ids is not None:
            self.selection.set(ids)

    def _try(self, work: Callable[[], T]) -> T | None:
        """The result, or None after a message to the user says why not."""
        try:
            return work()
        except EngineError as error:
            self.complained.emit(error.sentence)
            known: list[Id] = [id for id in error.ids if id in self.document.model]
            if known:
                self.selection.set(known)
            return None

    def _clip(self) -> str:
        mime = QGuiApplication.clipboard().mimeData()
        if mime is None or not mime.hasFormat(CLIP_MIME):
            return ""
        return bytes(mime.data(CLIP_MIME).data()).decode("utf-8", "replace")

    def _shift(self, times: int) -> tuple[float, ...]:
        step = SHIFT * times * self._pixel()
        return (step, -step) if self.document.model.dim == 2 else (step, -step, 0.0)

    def _pixel(self) -> float:
        return self.stage.scale_of_pixel()

    def _in_text(self, what: str) -> bool:
        """Whether a field with text has the focus; then the command is about its text."""
        field = QApplication.focusWidget()
        if not isinstance(field, QLineEdit | QPlainTextEdit):
            return False
        if what in ("undo", "redo") and not _has_edits(field, what):
            return False
        getattr(field, what, lambda: None)()
        return True


def _has_edits(field: QLineEdit | QPlainTextEdit, what: str) -> bool:
    """Whether a line has something of its own to undo or redo."""
    if not isinstance(field, QLineEdit):
        return False
    can = field.isUndoAvailable() if what == "undo" else field.isRedoAvailable()
    return can and field.isModified()
