"""Drawing bars from corner to corner: a bent link or a frame, in the plane and in space."""

from itertools import pairwise
from math import dist

from PySide6.QtCore import Qt

from engine.editing import edits
from engine.errors import EngineError
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.tools.base import Label, Line, Modifiers, P, Preview, Tool
from gui.tools.plane.bodies import ENTER
from gui.tools.plane.span import DRAGGED


class PolylineTool(Tool[P]):
    """Draws bars corner by corner."""

    name = "polyline"
    title = QT_TRANSLATE_NOOP("Tool", "Bars")
    letter = "J"
    icon = "polyline"
    group = "bodies"
    help = QT_TRANSLATE_NOOP(
        "Tool",
        "Click the corners; a double click or Enter ends the line, the first corner closes it. Going back "
        "over a bar branches. In its form the bars become flexible.",
    )
    opening = QT_TRANSLATE_NOOP("PolylineTool", "Bars: click their corners one after another.")

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.corners: list[tuple[float, ...]] = []

    @property
    def is_busy(self) -> bool:
        """Whether there are corners."""
        return bool(self.corners)

    def reset(self) -> None:
        """Forget the corners; changes the tool."""
        self.corners = []
        super().reset()

    def meant_place(self, pick: P, modifiers: Modifiers) -> tuple[float, ...]:
        """The next corner: an old one if the mouse is on it."""
        near = DRAGGED * self.pixel_of(pick)
        for corner in self.corners:
            if dist(corner, pick.place) <= near:
                return corner
        return pick.place

    def pixel_of(self, pick: P) -> float:
        """Metres per pixel at the mouse."""
        return self.pixel

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Add a corner; the first one closes the line, which is then done."""
        place = self.meant_place(pick, modifiers)
        if self.corners and place == self.corners[-1]:
            return
        self.corners.append(place)
        if len(self.corners) > 3 and place == self.corners[0]:
            self._end()
        else:
            self.move(pick, modifiers)

    def double_click(self, pick: P, modifiers: Modifiers) -> None:
        """End the line."""
        self._end()

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Follow the mouse with the next bar."""
        here = self.meant_place(pick, modifiers)
        if not self.corners:
            self.show(Preview(rings=(here,) if pick.snapped else ()))  # type: ignore[arg-type]
            return
        last = self.corners[-1]
        closing = len(self.corners) > 2 and here == self.corners[0]
        length = self.quantity(dist(here, last), "m")
        middle = tuple((a + b) / 2 for a, b in zip(here, last))
        words = self.tr("close") if closing else length
        on_something = pick.snapped or here in self.corners
        self.show(
            Preview(
                lines=self._lines((*self.corners, here)),
                labels=(Label(here if closing else middle, words),),
                rings=(here,) if on_something else (),  # type: ignore[arg-type]
                filled=tuple(self.corners),  # type: ignore[arg-type]
                hint=self.tr(
                    "Click the next corner; double click or Enter ends. Backspace: one back."
                ),
            )
        )

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Enter and Backspace, once there are corners."""
        return self.is_busy and key in (*ENTER, Qt.Key.Key_Backspace)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """End the line, or remove the last corner."""
        if not self.wants_key(key, text, modifiers):
            return False
        if key in ENTER:
            self._end()
        else:
            self.corners.pop()
            filled = tuple(self.corners)
            self.show(Preview(lines=self._lines(filled), filled=filled))  # type: ignore[arg-type]
        return True

    @staticmethod
    def _lines(points: tuple[tuple[float, ...], ...]) -> tuple[Line, ...]:
        return tuple(Line(a, b) for a, b in pairwise(points) if a != b)  # type: ignore[arg-type]

    def _end(self) -> None:
        try:
            model, id = edits.polyline(self.model, self.corners)
        except EngineError as error:
            self.complain(error)
            return
        self.commit(self.tr("Draw bars"), model, (id,))
        self.reset()
