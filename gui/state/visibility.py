"""Which elements are hidden on the stage; this belongs to the view, not to the model."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from engine.model.elements import Id, Model


class Visibility(QObject):
    """The hidden ids; the tree and the stage follow."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.hidden: frozenset[Id] = frozenset()

    def hide(self, ids: Iterable[Id]) -> None:
        """Hide these too; changes the visibility."""
        self._set(self.hidden | set(ids))

    def toggle(self, id: Id) -> None:
        """Hide it, or show it again; changes the visibility."""
        self._set(self.hidden ^ {id})

    def show_all(self) -> None:
        """Hide nothing; changes the visibility."""
        self._set(frozenset())

    def keep(self, model: Model) -> None:
        """Forget ids that the model no longer has; changes the visibility."""
        self._set(frozenset(id for id in self.hidden if id in model))

    def _set(self, hidden: Iterable[Id]) -> None:
        hidden = frozenset(hidden)
        if hidden != self.hidden:
            self.hidden = hidden
            self.changed.emit()
