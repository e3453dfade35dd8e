"""Work that a crash left behind: it is offered once the window is open, one model after another."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject

from engine.errors import EngineError
from engine.model.elements import Model
from gui.look.messages import Messages
from gui.state.recovery import Left, Recovery


class Leftovers(QObject):
    """Offers to recover or to discard unsaved work."""

    def __init__(
        self, recovery: Recovery, messages: Messages, take: Callable[[Model, Left], bool]
    ) -> None:
        super().__init__(recovery)
        self.recovery, self.messages = recovery, messages
        self.take = take  # opens a model; False if the user keeps the one that is open

    def offer(self) -> None:
        """Offer the newest work that was left; changes the messages."""
        left = self.recovery.left()
        if not left:
            return
        first = left[0]
        then = datetime.fromtimestamp(first.when)
        when = then.strftime("%H:%M" if then.date() == datetime.now().date() else "%Y-%m-%d")
        name = first.title or self.tr("a model without a name")
        sentence = self.tr("Unsaved work was kept: {0}, {1}.")
        bar = self.messages.show_message(
            "recovery",
            "notice",
            sentence.format(name, when),
            [
                (self.tr("Recover"), lambda: self._recover(first)),
                (self.tr("Discard"), lambda: self._discard(first)),
            ],
        )
        bar.text.setToolTip(
            self.tr("Kardan was not closed properly on {0}.").format(
                then.strftime("%Y-%m-%d %H:%M")
            )
        )

    def _recover(self, left: Left) -> None:
        try:
            model = left.load()
        except EngineError as error:
            self.messages.show_message("file", "problem", error.sentence)
            return
        if self.take(model, left):
            self.recovery.keep()
            self.recovery.wait()
            self._discard(left)

    def _discard(self, left: Left) -> None:
        self.recovery.discard(left)
        self.messages.clear("recovery")
        self.offer()
