"""The base of all tools of the stage: it receives mouse and key events and provides a preview.

A tool knows neither the stage nor widgets. It receives the place of the mouse as a `Pick`, shows what would
happen as a `Preview`, and ends a gesture with one edit of the document, which is one undo step.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from engine.editing.edits import label
from engine.errors import EngineError
from engine.formulas.lenient import PlainNumbers
from engine.model.elements import GROUND, Id, Model
from gui.placing.plane.picks import pick_at
from gui.placing.plane.placement import Placement
from gui.state.document import Document
from gui.state.selection import Selection
from gui.tools.typed import quantity

Point = tuple[float, float]
Modifiers = Qt.KeyboardModifier

NO_MODIFIER = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


class Line(NamedTuple):
    """A line of the overlay between two world points."""

    a: Point
    b: Point
    style: str = "solid"  # "solid", "dashed", "arrow" (head at b), "spring", "damper"


class Outline(NamedTuple):
    """A polygon, or an open chain of lines, through world points."""

    points: tuple[Point, ...]
    closed: bool = True


class Circle(NamedTuple):
    """A circle of a radius in metres."""

    center: Point
    radius: float


class Label(NamedTuple):
    """A few words beside a world point; `field` marks the number that is being typed."""

    at: tuple[float, ...]  # two coordinates, in space three
    text: str
    field: bool = False


class Choice(NamedTuple):
    """One line of the small list at the cursor, and the elements it is about."""

    label: str
    ids: tuple[Id, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """What the stage draws over the model while a tool is active; places in metres, world axes."""

    lines: tuple[Line, ...] = ()
    outlines: tuple[Outline, ...] = ()
    circles: tuple[Circle, ...] = ()
    labels: tuple[Label, ...] = ()
    rings: tuple[Point, ...] = ()  # targets; of a fixed size in pixels
    filled: tuple[Point, ...] = ()  # points that will be joined
    hollow: tuple[Point, ...] = ()  # free ends
    bodies: tuple[Id, ...] = ()  # elements that take part, to be outlined
    hint: str = ""  # for the status bar

    def plus(self, **more: Any) -> "Preview":
        """The same with more of each kind; a hint replaces the old one."""
        merged = {k: v if k == "hint" else getattr(self, k) + tuple(v) for k, v in more.items()}
        return replace(self, **merged)


EMPTY = Preview()


class Picked(Protocol):
    """What every pick tells, in the plane or in space."""

    @property
    def place(self) -> tuple[float, ...]:
        """The place of the mouse: two coordinates, in space three."""

    @property
    def snapped(self) -> bool:
        """Whether the place is that of something, or of the grid."""

    @property
    def bodies(self) -> tuple[Id, ...]:
        """The bodies there, topmost first."""

    @property
    def element(self) -> Id:
        """The topmost element of any kind, or nothing."""

    @property
    def joint(self) -> Id:
        """The joint there, or nothing."""


P = TypeVar("P", bound=Picked)


class Tool(QObject, Generic[P]):
    """A gesture: press, move, release and keys, ended by one edit of the document.

    The stage sets `pixel` (metres per pixel) before it calls, and shows `preview` after it. Escape
    calls `cancel`; if that returns False there was no gesture, and the stage returns to selecting.
    """

    name: ClassVar[str] = ""  # never shown
    title: ClassVar[str] = ""  # shown after QCoreApplication.translate("Tool", title)
    letter: ClassVar[str] = ""  # the shortcut, as QKeySequence reads it
    icon: ClassVar[str] = ""  # name for gui.look.icons
    group: ClassVar[str] = ""  # one of GROUPS of making.py; empty: it draws nothing
    help: ClassVar[str] = ""  # for the tooltip; translated like the title
    opening: ClassVar[str] = ""  # what to do first, for the status bar; translated for its class
    makes: ClassVar[tuple[str, ...]] = ()  # the kinds of elements that it makes
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.CrossCursor
    dim: ClassVar[int] = 2  # of the models it draws in
    nothing: ClassVar[Any] = EMPTY  # the preview of a tool at rest

    changed = Signal()  # the preview or the choices have changed
    complained = Signal(str)  # a sentence: why the request cannot be fulfilled
    finished = Signal()  # the tool is done: return to selecting
    used = Signal()  # one edit was made: the tool is done unless it is kept

    def __init__(
        self,
        document: Document,
        selection: Selection,
        preferences: Any = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.selection, self.preferences = document, selection, preferences
        self.pixel = 0.005
        self.preview: Any = self.nothing  # a Preview, or a SpacePreview in space
        self.choices: tuple[Choice, ...] = ()  # see `choose`
        self._commits = False
        self._plain = PlainNumbers()
        self._placement: Placement | None = None
        document.committed.connect(self._on_committed)

    @property
    def hint(self) -> str:
        """What the user can do now, for the status bar."""
        return self.preview.hint or self.idle_hint()

    def idle_hint(self) -> str:
        """What to do first."""
        return self.tr(self.opening) if self.opening else ""

    def start(self) -> None:
        """Become the active tool; a command that needs no mouse does its work here."""
        self.reset()
        if self.group and self.model.dim != self.dim:
            self.complained.emit(
                self.tr("This tool draws in the plane, and the model is in space.")
                if self.dim == 2
                else self.tr("This tool draws in space, and the model is in the plane.")
            )
            QTimer.singleShot(0, self, self.finished.emit)

    def stop(self) -> None:
        """Another tool becomes active; an unfinished gesture is discarded."""
        self.reset()

    def reset(self) -> None:
        """Discard the current gesture; changes the tool."""
        self.choices = ()
        self.show(self.nothing)

    def cancel(self) -> bool:
        """Cancel the current gesture; False if there was none."""
        busy = self.is_busy
        self.reset()
        return busy

    @property
    def is_busy(self) -> bool:
        """Whether there is a gesture that Escape should cancel."""
        return bool(self.choices)

    @property
    def says_names(self) -> bool:
        """Whether its own words tell what is meant, so that the stage need not show names beside them."""
        return self.is_busy or bool(getattr(self.preview, "labels", ()))

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """The left button goes down."""

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """The mouse moves, with the button up or down."""

    def release(self, pick: P, modifiers: Modifiers) -> None:
        """The left button goes up."""

    def double_click(self, pick: P, modifiers: Modifiers) -> None:
        """The second press of a double click; tools that need only one click ignore it."""

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Whether this key is for the tool now, before any shortcut of the window."""
        return False

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """A key goes down; True if the tool used it."""
        return False

    def choose(self, number: int) -> None:
        """The user chose this line of `choices`; -1: none of them."""
        self.reset()

    # --- for the tools themselves

    @property
    def model(self) -> Model:
        """The model as it is now."""
        return self.document.model

    def show(self, preview: Any) -> None:
        """Let the stage draw this; changes the tool."""
        if preview != self.preview:
            self.preview = preview
            self.changed.emit()

    def commit(self, label: str, model: Model, selected: tuple[Id, ...] | None = None) -> None:
        """Commit one undo step, and select what was made; changes the document."""
        self._commits = True
        try:
            self.document.edit(label, model)
        finally:
            self._commits = False
        if selected is not None:
            self.selection.set(selected)
        self.used.emit()

    def complain(self, error: EngineError) -> None:
        """Tell the user why not, and highlight the elements concerned."""
        self.complained.emit(error.sentence)
        if known := tuple(id for id in error.ids if id in self.model):
            self.selection.set(known)

    def named(self, id: Id) -> str:
        """The name of an element or of the ground."""
        return self.tr("ground") if id == GROUND else label(self.model, id)

    def quantity(self, value: float, unit: str) -> str:
        """A number with its unit in the user's format, with as many digits as the mouse can resolve."""
        return quantity(value, unit, self.preferences)

    def place(self, pick: P) -> Any:
        """The place of the mouse: two coordinates, in space three."""
        return pick.place

    def under(self, pick: P) -> tuple[Id, ...]:
        """The bodies at the place of the mouse, topmost first."""
        return pick.bodies

    def look(self, x: float, y: float) -> Any:
        """The pick at a place of the plane, without snapping."""
        model = self._plain.of(self.model)
        if self._placement is None or self._placement.model is not model:
            self._placement = Placement(model)
        return pick_at(self._placement, x, y, self.pixel)

    def _on_committed(self) -> None:
        """The model was changed elsewhere, by undo for instance: the current gesture is cancelled."""
        if not self._commits and self.is_busy:
            self.reset()
        if self.group and self.model.dim != self.dim:
            self.finished.emit()
