"""Which elements are hidden or clear on the stage; this belongs to the view, not to the model."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from engine.model.elements import Id, Model, references


class Visibility(QObject):
    """The hidden ids; the tree and the stage follow."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.hidden: frozenset[Id] = frozenset()
        self.clear: frozenset[Id] = frozenset()  # drawn so that what is behind is seen

    def hide(self, ids: Iterable[Id]) -> None:
        """Hide these too; changes the visibility."""
        self._set(self.hidden | set(ids))

    def toggle(self, id: Id) -> None:
        """Hide it, or show it again; changes the visibility."""
        self._set(self.hidden ^ {id})

    def isolate(self, model: Model, ids: Iterable[Id]) -> None:
        """Hide all but these and what they are made of; changes the visibility."""
        kept = set(ids)
        while more := {r for id in kept for r in references(model[id]) if r in model} - kept:
            kept |= more
        self._set(e.id for e in model if e.id not in kept and e.family != "parameter")

    def see_through(self, ids: Iterable[Id]) -> None:
        """Make these clear, or none of them if all are; changes the visibility."""
        ids = frozenset(ids)
        self._set(self.hidden, self.clear - ids if ids <= self.clear else self.clear | ids)

    def show_all(self) -> None:
        """Hide nothing and see through nothing; changes the visibility."""
        self._set(frozenset(), frozenset())

    def keep(self, model: Model) -> None:
        """Forget ids that the model no longer has; changes the visibility."""
        self._set(*(frozenset(i for i in ids if i in model) for ids in (self.hidden, self.clear)))

    def _set(self, hidden: Iterable[Id], clear: frozenset[Id] | None = None) -> None:
        now = frozenset(hidden), self.clear if clear is None else clear
        if now != (self.hidden, self.clear):
            self.hidden, self.clear = now
            self.changed.emit()
