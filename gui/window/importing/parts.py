"""Reads a part that bends in the background, shows what it keeps, and adds the body."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model.elements import Id, Model, planar, spatial
from engine.model.shapes import Part
from gui.look.messages import Messages
from gui.state.passing import answer_of
from gui.state.threads import BackgroundThread

if TYPE_CHECKING:
    from gui.window.edit_commands import EditCommands

TOPIC = "part"
SOLIDS = (".stl", ".obj")
Read = Callable[[], Part]


class PartReader(BackgroundThread):
    """Reads one part; at the end reports what it found or what went wrong."""

    ended = Signal(object)  # the reader

    def __init__(self, read: Read) -> None:
        super().__init__()
        self._read = read
        self.part: Part | None = None
        self.sentence = ""

    def run(self) -> None:
        """Read; changes the reader."""
        try:
            self.part = self._read()
        except EngineError as error:
            self.sentence = error.sentence
        except MemoryError:
            self.sentence = self.tr("There is not enough memory to read the part.")
        self.ended.emit(self)


class PartImport(QObject):
    """Inserts parts into the model while the window stays responsive."""

    def __init__(self, commands: "EditCommands", messages: Messages) -> None:
        super().__init__(commands)
        self.commands, self.messages = commands, messages
        self._reader: PartReader | None = None  # the reader whose result is used
        self._given_up: list[PartReader] = []  # still running, but no longer needed
        commands.document.opened.connect(self.cancel)

    def read(self, paths: Sequence[str]) -> None:
        """Read the matrices in files, or fill a solid, and ask what is kept of the part."""
        from engine.files.matrices import part_of_files

        if len(paths) == 1 and paths[0].lower().endswith(SOLIDS):
            self._fill(paths[0])
            return
        names = ", ".join(Path(path).name for path in paths)
        self.start(
            lambda: part_of_files(paths), self.tr("Reading the part '{0}' ...").format(names)
        )

    def _fill(self, path: str) -> None:
        """Ask for the material of a solid, and fill it with elements."""
        from engine.editing.solid_parts import solid_part
        from gui.window.importing.solid_dialog import SolidDialog

        dialog = SolidDialog(Path(path).name, self.commands.window)
        wanted = answer_of(dialog)
        material, scale, edge = dialog.material, dialog.scale, dialog.edge
        dialog.deleteLater()
        if wanted:
            words = self.tr("Filling '{0}' with tetrahedra ...").format(Path(path).name)
            self.start(lambda: solid_part(path, material, scale, edge), words)

    def start(self, read: Read, words: str) -> None:
        """Find a part in the background, and ask what is kept of it."""
        self.cancel()
        self._reader = PartReader(read)
        self._reader.ended.connect(self._on_ended)  # in the thread of the window
        self._reader.start()
        cancel = (self.tr("Cancel"), self.cancel)
        self.messages.show_message(TOPIC, "notice", words, (cancel,))

    def cancel(self) -> None:
        """Cancel reading; changes the messages."""
        if self._reader is not None:
            self._given_up.append(self._reader)
            self._reader = None
        self.messages.clear(TOPIC)

    def shutdown(self) -> None:
        """Release the threads before the window is destroyed."""
        self.cancel()
        for reader in self._given_up:
            reader.let_go()

    def _on_ended(self, reader: PartReader) -> None:
        reader.wait()  # it has reported its result
        if reader is not self._reader:
            self._given_up.remove(reader)
            return
        self._reader = None
        self.messages.clear(TOPIC)
        if reader.part is None:
            self.messages.show_message(TOPIC, "problem", reader.sentence, ())
        else:
            self._ask(reader.part)

    def _ask(self, part: Part) -> None:
        """Show what the part keeps, and add it if that is wanted."""
        from gui.window.importing.part_dialog import PartDialog

        dialog = PartDialog(part, parent=self.commands.window)
        wanted = answer_of(dialog)
        chosen = dialog.chosen
        dialog.deleteLater()
        if wanted:
            self._add(chosen)

    def _add(self, part: Part) -> None:
        """Add the body, select it and show it."""
        from engine.editing.edits.parts import part_body

        commands, document = self.commands, self.commands.document
        is_empty, dim = not document.model.elements, part.matrices().dim
        if is_empty and document.model.dim != dim:
            document.new((planar if dim == 2 else spatial)(settings=document.model.settings))

        def work(model: Model) -> tuple[Model, tuple[Id]]:
            after, id = part_body(model, part)
            return after, (id,)

        commands.edit(commands.tr("Insert part"), work)
        if is_empty:
            commands.stage.fit()
