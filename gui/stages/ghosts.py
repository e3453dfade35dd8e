"""Ghosts: the bodies of earlier runs, faint, at the time that is shown."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any, ClassVar, NamedTuple

from engine.model.elements import Id
from gui.state.playback import Playback, RunRecord


class Ghost(NamedTuple):
    """What is drawn of one run: its moving bodies, each with its number in the placement."""

    record: RunRecord
    placement: Any
    items: list[tuple[Any, int]]


class Ghosts(ABC):
    """All earlier runs that are shown; a stage defines how their bodies are drawn."""

    dims: ClassVar[tuple[int, ...]] = (2, 3)  # of its models

    def __init__(self) -> None:
        self.ghosts: list[Ghost] = []
        self.seen: list[Ghost] = []  # at the time that is shown

    @abstractmethod
    def ghost_of(self, record: RunRecord) -> Ghost:
        """The bodies of a run as items on the stage; changes the picture."""

    @abstractmethod
    def remove(self, item: Any) -> None:
        """Remove an item from the stage; changes the picture."""

    @abstractmethod
    def set_visible(self, item: Any, visible: bool) -> None:
        """Show or hide an item; changes the item."""

    @abstractmethod
    def move(self, item: Any, placement: Any, k: int) -> None:
        """Put an item where body k is in a placement; changes the item."""

    def show(self, playback: Playback, dim: int) -> None:
        """Draw the visible runs of models of this dimension; changes the picture."""
        for ghost in self.ghosts:
            for item, _ in ghost.items:
                self.remove(item)
        here = [r for r in playback.ghosts if r.results.model.dim == dim and dim in self.dims]
        shown = [record for record in here if record.is_shown and len(record.results)]
        self.ghosts, self.seen = [self.ghost_of(record) for record in shown], []

    def put(self, time: float, hidden: Collection[Id] = ()) -> None:
        """Move all ghosts to a time, without hidden bodies; one whose run ends before is not seen.

        Changes the items.
        """
        self.seen = []
        for ghost in self.ghosts:
            p, results = ghost.placement, ghost.record.results
            lasts = bool(results.t[0] <= time <= results.t[-1])
            seen = [(item, k) for item, k in ghost.items if lasts and p.bodies[k].id not in hidden]
            for item, k in ghost.items:
                self.set_visible(item, (item, k) in seen)
            if not seen:
                continue
            self.seen.append(ghost._replace(items=seen))
            p.put_at(results, time)
            for item, k in seen:
                self.move(item, p, k)

    def names(self) -> list[tuple[tuple[float, ...], str]]:
        """Where each ghost that is seen is, and which run it is."""
        return [
            (tuple(ghost.placement.center_of(ghost.items[0][1])), ghost.record.short_title)
            for ghost in self.seen
        ]
