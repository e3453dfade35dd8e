"""The list of what happened near gimbal lock in a run; a click goes there."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from engine.results.endings import Event
from gui.look.icons import coloured
from gui.look.theme import Theme, theme_of
from gui.look.tooltips import as_text
from gui.state.playback import Playback
from gui.state.preferences import Preferences

if TYPE_CHECKING:  # it loads the kernels
    from engine.results.results import Results

LOCK = "gimbal"  # prefix of the kinds of these events
SENTENCE = Qt.ItemDataRole.UserRole + 1


class LockEvents(QWidget):
    """Amber, red, crossing and switching, in the order of time."""

    chosen = Signal(str)  # the body of the event that was clicked

    def __init__(
        self, playback: Playback, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.playback, self.preferences = playback, preferences
        self._listed: list[Event] = []
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setIconSize(QSize(16, 16))
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        self.hint = QLabel(
            wordWrap=True,
            alignment=Qt.AlignmentFlag.AlignCenter,
            textFormat=Qt.TextFormat.PlainText,
        )
        self.hint.setProperty("role", "quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.list, 1)
        column.addWidget(self.hint)
        playback.run_changed.connect(self.refresh)
        playback.frames_grew.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """List the events of the run that is shown."""
        results = self.playback.results
        events = lock_events(results)
        if events != self._listed or self.list.count() != len(events):
            self._listed = events
            self.list.clear()
            theme = theme_of(self.palette())
            for event in events:
                self.list.addItem(self._item(event, theme))
        self.list.setVisible(bool(events))
        self.hint.setVisible(not events)
        words = self.tr("No body came near gimbal lock in this run.")
        self.hint.setText(words if results is not None else self.tr("There is no run yet."))

    def _item(self, event: Event, theme: Theme) -> QListWidgetItem:
        time = self.preferences.digits(event.t, 4)
        item = QListWidgetItem(f"t = {time} s   {event_words(event.kind)}")
        item.setIcon(coloured(event_state(event.kind), event_colour(event.kind, theme)))
        item.setToolTip(as_text(event.sentence))
        item.setData(SENTENCE, event)
        return item

    def _go(self, item: QListWidgetItem) -> None:
        """Show the time of an event and its body."""
        event = item.data(SENTENCE)
        self.playback.scrub(event.t)
        if event.ids:
            self.chosen.emit(event.ids[0])


def lock_events(results: "Results | None") -> list[Event]:
    """The events of a run that concern gimbal lock."""
    return [] if results is None else [e for e in results.events if e.kind.startswith(LOCK)]


def event_words(kind: str) -> str:
    """A kind of event in words."""
    translate = QCoreApplication.translate
    known = {
        "gimbal amber": translate("LockEvents", "near gimbal lock: amber"),
        "gimbal red": translate("LockEvents", "at gimbal lock: red"),
        "gimbal crossed": translate("LockEvents", "passed through gimbal lock"),
        "gimbal switch": translate("LockEvents", "switched: the run goes on"),
    }
    return known.get(kind, kind)


def event_state(kind: str) -> str:
    """The state of the window that an event stands for."""
    known = {"gimbal amber": "warning", "gimbal switch": "good"}
    return known.get(kind, "problem")


def event_colour(kind: str, theme: Theme) -> str:
    """The colour of an event."""
    colour: str = getattr(theme, event_state(kind))
    return colour
