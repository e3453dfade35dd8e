"""What the pages that explain have in common: whom they follow, a thread that works for them, their end."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, QTimer, Signal
from PySide6.QtGui import QColor, QShowEvent
from PySide6.QtWidgets import QTableView, QWidget

from engine.model.elements import Id
from gui.instruments.formula.sheet import LARGEST, SMALLEST
from gui.look.colors import body_colors, outline_tone
from gui.look.theme import Theme, theme_of
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.state.threads import BackgroundThread

HALF_A_WINDOW, SLIM_PAGE = QSize(760, 640), QSize(420, 640)


class Finding(BackgroundThread):
    """Finds one answer about one model, and may tell parts of it before."""

    told = Signal(object, object, bool)  # who tells, what, and whether it is the last

    def __init__(self, find: Callable[["Finding"], Any], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._find = find

    def run(self) -> None:
        """Find it."""
        self.told.emit(self, self._find(self), True)

    def tell(self, part: Any) -> None:
        """Tell a part of the answer."""
        self.told.emit(self, part, False)

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for it."""
        return not self.isInterruptionRequested()


class InstrumentPage(QWidget):
    """A page about the document at the time that is shown; it works only while somebody looks.

    A page fills itself in `renew`, and follows theme and selection in `paint_anew` and `light`.
    """

    ready = Signal()  # what was asked for is there, or the sentence why it is not
    complained = Signal(str)
    wanted_size = HALF_A_WINDOW
    usual_letters = 18.0  # px of formulas

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.selection, self.playback = document, selection, playback
        self.question: Any = None  # what the thread that is under way was asked
        self._thread: Finding | None = None
        self._take: Callable[[Any], object] = lambda _: None
        self._timers: list[QTimer] = []
        self._is_made = False
        self.enlarged = 1.0  # how much larger letters are in a window of its own
        self.letters = self.usual_letters

    def follow(self) -> None:
        """Begin to follow theme and selection, once all parts are made; changes connections."""
        self._is_made = True
        self.selection.changed.connect(self.light)
        self.selection.hover_changed.connect(self.light)

    def after(self, pause: int, do: Callable[[], object], *, again: bool = False) -> QTimer:
        """A timer that does something after a pause [ms], or again and again; it ends with the page."""
        timer = QTimer(self, singleShot=not again, interval=pause)
        timer.timeout.connect(do)
        self._timers.append(timer)
        return timer

    def sizeHint(self) -> QSize:
        """Half a window, or a slim page."""
        return self.wanted_size

    # --- what a page does

    def renew(self) -> None:
        """Show what fits the document; changes what is shown."""

    def light(self) -> None:
        """Light up what is selected and what the mouse is over; changes how it looks."""

    def paint_anew(self) -> None:
        """Take the colours of the theme; changes how it looks."""

    def show_letters(self) -> None:
        """Lay out what is written in `letters`, or drawn in `enlarged` size; changes what is shown."""

    # --- the size of letters

    def zoom(self, factor: float) -> None:
        """Make the letters of formulas larger or smaller; changes what is shown."""
        self.letters = min(max(self.letters * factor, SMALLEST), LARGEST)
        self.show_letters()

    def enlarge(self, factor: float) -> None:
        """Have letters of this many times their usual size; changes what is shown."""
        self.letters, before = self.usual_letters * factor, self.enlarged
        self.enlarged = factor
        for table in self.findChildren(QTableView):
            rows = table.verticalHeader()
            rows.setDefaultSectionSize(round(rows.defaultSectionSize() * factor / before))
        self.show_letters()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.renew()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and getattr(self, "_is_made", False):
            self.paint_anew()

    # --- what it asks

    def results(self) -> Any:
        """The run that is shown, if it is one of this model and has frames."""
        results = self.playback.results
        fits = results is not None and len(results) and results.model is self.document.model
        return results if fits else None

    def lit(self) -> frozenset[Id]:
        """What is selected and what the mouse is over."""
        return frozenset(id for id in (*self.selection.ids, self.selection.hovered) if id)

    def select(self, part: Id) -> None:
        """Select a part, if there is one; changes the selection."""
        if part:
            self.selection.set((part,))

    def theme(self) -> Theme:
        """The theme of the window."""
        return theme_of(self.palette())

    def tones(self) -> dict[Id, QColor]:
        """The colours of bodies, as lines and letters have them in this theme."""
        theme = self.theme()
        bodies = body_colors(self.document.model, theme)
        return {id: outline_tone(colour, theme) for id, colour in bodies.items()}

    # --- the thread that works for it

    def find_out(
        self, question: Any, find: Callable[[Finding], Any], take: Callable[[Any], object]
    ) -> None:
        """Find something in a thread; who was asked before is let go. Changes what is under way."""
        self.end_thread()
        self.question, self._take, self._thread = question, take, Finding(find, self)
        self._thread.told.connect(self._on_told)
        self._thread.start()

    def _on_told(self, who: Finding, answer: Any, is_last: bool) -> None:
        """Take an answer, unless nobody waits for it any more."""
        if who is self._thread:
            if is_last:
                self.end_thread()
            self._take(answer)

    @property
    def is_finding(self) -> bool:
        """Whether a thread is under way."""
        return self._thread is not None

    def end_thread(self) -> None:
        """Nobody waits for the thread any more; changes what is under way."""
        if self._thread is not None:
            self._thread.let_go()
            self._thread, self.question = None, None

    def shutdown(self) -> None:
        """End what is under way; changes the page."""
        for timer in self._timers:
            timer.stop()
        self.end_thread()
