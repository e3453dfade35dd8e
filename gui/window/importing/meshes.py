"""Reads a mesh file in the background, asks for what the file does not say, and adds the body."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.editing import edits
from engine.editing.edits import MeshPart
from engine.errors import EngineError
from engine.files.meshes import TooManyTrianglesError
from engine.model.elements import Id, Model
from gui.look.messages import Button, Messages
from gui.state.numbers import written
from gui.state.threads import BackgroundThread

if TYPE_CHECKING:
    from gui.window.edit_commands import EditCommands

TOPIC = "mesh"
FEWER = 50_000  # triangles of a mesh that is simplified: drawn and saved quickly
LARGE = 5.0  # m; for a larger part the user is asked for the unit of the file
MILLIMETRE, INCH = 1e-3, 0.0254


class MeshReader(BackgroundThread):
    """Reads one file; at the end reports what it found or what went wrong."""

    ended = Signal(object)  # the reader

    def __init__(self, path: str, scale: float, simplify_to: int | None) -> None:
        super().__init__()
        self.path, self.scale, self.simplify_to = path, scale, simplify_to
        self.asks = False  # whether the unit is to be asked for
        self.part: MeshPart | None = None
        self.error: EngineError | None = None

    def run(self) -> None:
        """Read; changes the reader."""
        try:
            self.part = edits.mesh_part(self.path, self.scale, self.simplify_to)
        except EngineError as error:
            self.error = error
        except MemoryError:
            self.error = EngineError(
                self.tr("There is not enough memory to read '{0}'.").format(Path(self.path).name)
            )
        self.ended.emit(self)


class MeshImport(QObject):
    """Imports meshes into the model while the window stays responsive."""

    def __init__(self, commands: "EditCommands", messages: Messages) -> None:
        super().__init__(commands)
        self.commands, self.messages = commands, messages
        self._reader: MeshReader | None = None  # the reader whose result is used
        self._given_up: list[MeshReader] = []  # still running, but no longer needed
        commands.document.opened.connect(self.cancel)

    def read(self, path: str, scale: float | None = None, simplify_to: int | None = None) -> None:
        """Read a file; without a scale the unit is asked for where the part would be large."""
        self.cancel()
        reader = MeshReader(path, 1.0 if scale is None else scale, simplify_to)
        reader.asks = scale is None
        reader.ended.connect(self._on_ended)  # in the thread of the window
        self._reader = reader
        reader.start()
        words = self.tr("Reading the mesh '{0}' ...").format(Path(path).name)
        self._say("notice", words, (self.tr("Cancel"), self.cancel))

    def cancel(self) -> None:
        """Cancel reading or asking; changes the messages."""
        if self._reader is not None:
            self._given_up.append(self._reader)
            self._reader = None
        self.messages.clear(TOPIC)

    def shutdown(self) -> None:
        """Release the threads before the window is destroyed."""
        self.cancel()
        for reader in self._given_up:
            reader.let_go()

    def _on_ended(self, reader: MeshReader) -> None:
        reader.wait()  # it has reported its result
        if reader is not self._reader:
            self._given_up.remove(reader)
            return
        self._reader = None
        self.messages.clear(TOPIC)
        if reader.part is None:
            self._refuse(reader)
        elif reader.asks and max(reader.part.extent) > LARGE:
            self._ask_unit(reader, reader.part)
        else:
            self._add(reader.part)

    def _refuse(self, reader: MeshReader) -> None:
        """Say why the file cannot be read; offer to simplify it where that may help."""
        assert reader.error is not None
        many = isinstance(reader.error, TooManyTrianglesError)
        if not (many and reader.simplify_to is None and reader.path.lower().endswith(".stl")):
            self._say("problem", reader.error.sentence)
            return
        simplify = self.tr("Simplify to {0} triangles").format(f"{FEWER:,}".replace(",", " "))
        self._say(
            "warning",
            reader.error.sentence,
            (simplify, lambda: self.read(reader.path, simplify_to=FEWER)),
            (self.tr("Cancel"), self.cancel),
        )

    def _ask_unit(self, reader: MeshReader, part: MeshPart) -> None:
        """Ask the user for the unit, which the file does not give."""
        sizes = " \u00d7 ".join(written(length, 3) for length in part.extent)
        words = self.tr("'{0}' measures {1}. In which unit?").format(Path(reader.path).name, sizes)

        def in_unit(scale: float) -> None:
            self.read(reader.path, scale, reader.simplify_to)

        def as_it_is() -> None:
            self.messages.clear(TOPIC)
            self._add(part)

        self._say(
            "notice",
            words,
            (self.tr("Millimetres"), lambda: in_unit(MILLIMETRE)),
            (self.tr("Inches"), lambda: in_unit(INCH)),
            (self.tr("Metres"), as_it_is),
            (self.tr("Cancel"), self.cancel),
        )

    def _add(self, part: MeshPart) -> None:
        """Add the body, select it, show it, and say what is odd about the mesh."""
        commands = self.commands
        if commands.document.model.dim != 3:
            return
        empty = not commands.document.model.elements

        def work(model: Model) -> tuple[Model, tuple[Id]]:
            after, id = edits.mesh_body(model, part)
            return after, (id,)

        commands.edit(commands.tr("Import mesh"), work)
        if empty:
            commands.stage.fit()
        if part.warnings:
            self._say("warning", " ".join(part.warnings))

    def _say(self, kind: str, sentence: str, *buttons: Button) -> None:
        self.messages.show_message(TOPIC, kind, sentence, buttons)
