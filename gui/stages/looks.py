"""The display state of graphics in a scene: hidden, marked as wrong, or highlighted."""

from collections.abc import Iterable
from typing import Any

from engine.model.elements import Id


class Looks:
    """Mixed into a scene, in the plane or in space: which graphics are hidden or highlighted.

    The scene has `graphics` by id, draws the look of one in `refresh`, and may draw more in
    `hidden_changed` and `glow_changed`.
    """

    graphics: dict[Id, Any]
    hidden: frozenset[Id] = frozenset()
    sheer: frozenset[Id] = frozenset()  # what is behind them is seen
    problems: frozenset[Id] = frozenset()
    glows: dict[Id, str]
    pressed: frozenset[Id] = frozenset()  # bodies in a contact that presses

    def refresh(self, graphic: Any) -> None:
        """Give a graphic the look of its state; changes the graphic."""
        raise NotImplementedError

    def hidden_changed(self) -> None:
        """Update what else depends on hidden elements; changes the scene."""

    def glow_changed(self) -> None:
        """Update what else depends on highlights; changes the scene."""

    def set_hidden(self, ids: Iterable[Id]) -> None:
        """Hide exactly these elements; changes the scene."""
        new = frozenset(ids)
        for id in new ^ self.hidden:
            if id in self.graphics:
                self.graphics[id].set_visible(id not in new)
        self.hidden = new
        self.hidden_changed()

    def set_clear(self, ids: Iterable[Id]) -> None:
        """See through exactly these elements; changes the scene."""
        changed, self.sheer = self.sheer ^ frozenset(ids), frozenset(ids)
        for id in changed & self.graphics.keys():
            self.refresh(self.graphics[id])

    def set_problems(self, ids: Iterable[Id]) -> None:
        """Paint these red and the rest faint; nothing if there are none. Changes the scene."""
        self.problems = frozenset(ids)
        for graphic in self.graphics.values():
            self.refresh(graphic)
        self.glow_changed()

    def set_glows(self, glows: dict[Id, str]) -> None:
        """Highlight elements: 'hover', 'selected' or 'partner' by id. Changes the scene."""
        old, self.glows = self.glows, glows
        for id in old.keys() | glows.keys():
            if id in self.graphics and old.get(id) != glows.get(id):
                self.refresh(self.graphics[id])
        self.glow_changed()

    def set_pressed(self, ids: frozenset[Id]) -> None:
        """Give exactly these bodies the soft halo of a contact that presses; changes the scene."""
        changed, self.pressed = self.pressed ^ ids, ids
        for id in changed & self.graphics.keys():
            self.refresh(self.graphics[id])
        if changed:
            self.glow_changed()

    def glow_of(self, id: Id) -> str:
        """The highlight of an element."""
        pressed = "pressed" if id in self.pressed else ""
        return "problem" if id in self.problems else self.glows.get(id, pressed)

    def is_faint(self, id: Id) -> bool:
        """Whether an element is faint because others are wrong."""
        return bool(self.problems) and id not in self.problems
