"""The tool of cables: one end, a pulley, the other end."""

from itertools import pairwise
from typing import Any, ClassVar

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import GROUND, Element, Id
from engine.model.making import Making
from gui.tools.base import Label, Line, Modifiers, P, Preview, Tool


class CableTool(Tool[P]):
    """Three clicks: where the cable begins, the body over which it runs, and where it ends.

    A disc or cylinder is the pulley; of another body the pulley is about the place of the click.
    """

    element: ClassVar[type[Element]]  # what it makes
    making: ClassVar[Making]  # and how

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.chosen: list[tuple[Id, Any]] = []  # body and place of each click

    @property
    def is_busy(self) -> bool:
        """Whether there is still something to click."""
        return bool(self.chosen)

    def reset(self) -> None:
        """Forget what was clicked; changes the tool."""
        self.chosen = []
        super().reset()

    def end_at(self, pick: P) -> tuple[Id, Any]:
        """The body and place that a click means; of a pulley its middle."""
        place = self.place(pick)
        if len(self.chosen) == 1:
            return self.pulley_at(pick)
        return edits.end_body(self.model, self.under(pick), pick.joint, at=place), place

    def pulley_at(self, pick: P) -> tuple[Id, Any]:
        """The topmost round body here and its middle; else the topmost one, or the ground, here."""
        rounds = [b for b in pick.bodies if edits.radius_of(self.model, b) is not None]
        if rounds:
            return rounds[0], tuple(edits.middle_of_body(self.model, rounds[0]))
        place = self.place(pick)
        return edits.end_body(self.model, self.under(pick), pick.joint, at=place), place

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Take an end or the pulley; the third click makes the cable."""
        try:
            self.chosen.append(self.end_at(pick))
            if len(self.chosen) == 3:
                model, id = edits.over(self.model, self.element, *self.chosen)
                self.chosen = []
                self.commit(self.tr("Add {0}").format(self.tr(self.making.says)), model, (id,))
                self.reset()
                return
        except EngineError as error:
            self.complain(error)
            if len(self.chosen) == 3:
                self.chosen.pop()
        self.move(pick, modifiers)

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Name what a click would take, and draw the cable so far."""
        try:
            body, place = self.end_at(pick)
        except EngineError:
            body, place = "", self.place(pick)
        words = (self.tr("from {0}"), self.tr("over {0}"), self.tr("to {0}"))[len(self.chosen)]
        places = [at for _, at in self.chosen] + [place]
        known = [id for id, _ in self.chosen] + [body]
        self.show(
            Preview(
                lines=tuple(Line(a, b, "dashed") for a, b in pairwise(places)),
                labels=(Label(place, words.format(self.named(body))),) if body else (),
                rings=(place,) if body else (),
                filled=tuple(places[:-1]),
                bodies=tuple(id for id in known if id and id != GROUND),
                hint=self.next_hint(),
            )
        )

    def next_hint(self) -> str:
        """What to click next."""
        return (
            "",
            self.tr(
                "Now click the pulley: a disc or cylinder, or a point of a body. Esc gives up."
            ),
            self.tr("Now click the point where the cable ends. Esc gives up."),
        )[len(self.chosen)]
