"""Tools from body to body: rod, spring, damper and both; on a joint they become torsional."""

from math import dist
from typing import Any, ClassVar

from engine.editing import edits
from engine.model.elements import GROUND, Element, Id
from engine.model.making import Making
from gui.tools.base import Label, Line, Modifiers, P, Preview
from gui.tools.plane.span import SpanTool


class TiesTool(SpanTool[P]):
    """Press on body one, release on body two; empty space is the ground."""

    element: ClassVar[type[Element]]  # what it makes
    making: ClassVar[Making]  # and how

    @property
    def kind(self) -> str:
        """The kind of the element that it makes."""
        return self.element.kind

    @property
    def turns(self) -> bool:
        """Whether a click on a joint makes it act there."""
        return bool(getattr(self.element, "in_joint", ""))

    def step(self) -> str:
        """The name of the undo step."""
        return self.tr("Add {0}").format(self.tr(self.making.says))

    def body_at(self, pick: P, other: Id = "") -> Id:
        """The body that an end attaches to."""
        return edits.end_body(self.model, self.under(pick), pick.joint, other, self.place(pick))

    def ends(self, start: P, end: P) -> tuple[Id, Id]:
        """The bodies at both ends: different ones where several lie there."""
        first = self.body_at(start, self.body_at(end))
        return first, self.body_at(end, first)

    def is_torsional(self, pick: P) -> bool:
        """Whether a click here makes it act in a joint."""
        if not self.turns or pick.joint not in self.model:
            return False
        return edits.takes_torsional(self.model, self.kind, pick.joint)

    def clicked(self, pick: P, modifiers: Modifiers) -> bool:
        """A click on a joint makes a torsional one."""
        if not self.is_torsional(pick):
            return False
        model, id = edits.torsional(self.model, self.kind, pick.joint)
        self.commit(self.step(), model, (id,))
        return True

    def finish(self, start: P, end: P, modifiers: Modifiers) -> bool:
        """Make it between the two points."""
        first, second = self.ends(start, end)
        ends = (first, self.place(start)), (second, self.place(end))
        fields = {**dict(self.making.begins), **self._typed_length(), **self.directions(start, end)}
        model, id = edits.between(self.model, self.kind, *ends, **fields)
        self.commit(self.step(), model, (id,))
        return True

    def directions(self, start: P, end: P) -> dict[str, Any]:
        """The directions of its axes, where these matter."""
        return {}

    def _typed_length(self) -> dict[str, str]:
        """A formula that was typed as the length, for the field that keeps it."""
        formula = self.entry.formulas(self.model).get("length")
        return {self.making.length: formula} if formula and self.making.length else {}

    def hover_preview(self, pick: P, modifiers: Modifiers) -> Preview:
        """The preview that names the body it would attach to."""
        place, body = self.place(pick), self.body_at(pick)
        if self.is_torsional(pick):
            text = self.tr("click: in {0}; drag: from {1}").format(
                self.named(pick.joint), self.named(body)
            )
        else:
            text = self.tr("from {0}").format(self.named(body))
        return Preview(
            labels=(Label(place, text),),
            rings=(place,) if pick.snapped or pick.bodies else (),
            bodies=(body,) if body in self.model else (),
        )

    def span_preview(self, start: P, end: P, modifiers: Modifiers) -> Preview:
        """The line with its length and the names of both bodies."""
        first, second = self.ends(start, end)
        a, b = self.place(start), self.place(end)
        far = dist(a, b) > 0.0
        text = self.tr("{0} – {1}").format(self.named(first), self.named(second))
        return Preview(
            lines=(Line(a, b, self.making.line),) if far else (),
            labels=(*self.measure_labels(a, b), Label(b, text)),
            rings=(b,) if end.snapped else (),
            filled=(a, b),
            bodies=tuple(id for id in (first, second) if id != GROUND),
            hint=self.span_hint(),
        )

    def span_hint(self) -> str:
        """The hint while the other end is still to be chosen."""
        return self.tr(
            "Release on the other body; empty space is the ground. Type a length, Tab: the angle. "
            "Esc gives up."
        )
