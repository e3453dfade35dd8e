"""What is selected and what the mouse is over: ids, in the order they were chosen."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from engine.model.elements import Id, Model


class Selection(QObject):
    """The ids that commands act on; panels and stages show them and change them here."""

    changed = Signal()
    hover_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.ids: tuple[Id, ...] = ()
        self.hovered: Id = ""

    def set(self, ids: Iterable[Id]) -> None:
        """Select exactly these; changes the selection."""
        chosen = tuple(dict.fromkeys(ids))
        if chosen != self.ids:
            self.ids = chosen
            self.changed.emit()

    def toggle(self, id: Id) -> None:
        """Select it too, or no longer; changes the selection."""
        self.set(i for i in (*self.ids, id) if i != id or id not in self.ids)

    def clear(self) -> None:
        """Select nothing; changes the selection."""
        self.set(())

    def hover(self, id: Id) -> None:
        """Mark what the mouse is over, or nothing; changes what is hovered."""
        if id != self.hovered:
            self.hovered = id
            self.hover_changed.emit()

    def keep(self, model: Model) -> None:
        """Forget ids that the model no longer has; changes the selection."""
        if self.hovered and self.hovered not in model:
            self.hover("")
        self.set(id for id in self.ids if id in model)
