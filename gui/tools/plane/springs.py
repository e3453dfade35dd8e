"""Tools from body to body: rod, spring, damper and both; on a joint they turn torsional."""

from math import dist

from PySide6.QtCore import QT_TRANSLATE_NOOP

from engine.editing import edits
from engine.model.elements import GROUND, Id
from gui.placing.plane.picks import Pick
from gui.tools.base import Label, Line, Modifiers, Preview
from gui.tools.plane.span import SpanTool


class TiesTool(SpanTool):
    """Press on body one, release on body two; empty space is the ground."""

    kind = ""  # of the element that it makes
    drawn = "solid"  # style of the line
    turns = False  # whether a click on a joint makes a torsional one
    fields: dict[str, float] = {}  # noqa: RUF012, read only
    step = ""  # of undo
    length_field = ""  # that keeps a formula typed as the length
    group = "forces"

    def body_at(self, pick: Pick, other: Id = "") -> Id:
        """The body that an end takes hold of."""
        return edits.end_body(self.model, self.under(pick), pick.joint, other, self.place(pick))

    def ends(self, start: Pick, end: Pick) -> tuple[Id, Id]:
        """The bodies at both ends: different ones where several lie there."""
        first = self.body_at(start, self.body_at(end))
        return first, self.body_at(end, first)

    def is_torsional(self, pick: Pick) -> bool:
        """Whether a click here makes it act in a joint."""
        if not self.turns or pick.joint not in self.model:
            return False
        return edits.takes_torsional(self.model, self.kind, pick.joint)

    def clicked(self, pick: Pick, modifiers: Modifiers) -> bool:
        """A click on a joint makes a torsional one."""
        if not self.is_torsional(pick):
            return False
        model, id = edits.torsional(self.model, self.kind, pick.joint)
        self.commit(self.tr(self.step), model, (id,))
        return True

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make it between the two points."""
        first, second = self.ends(start, end)
        ends = (first, self.place(start)), (second, self.place(end))
        fields = {**self.fields, **self._typed_length()}
        model, id = edits.between(self.model, self.kind, *ends, **fields)
        self.commit(self.tr(self.step), model, (id,))
        return True

    def _typed_length(self) -> dict[str, str]:
        """A formula that was typed as the length, for the field that keeps it."""
        formula = self.entry.formulas(self.model).get("length")
        return {self.length_field: formula} if formula and self.length_field else {}

    def hover_preview(self, pick: Pick, modifiers: Modifiers) -> Preview:
        """Whom it would take hold of."""
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

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """The line with its length and the names of both bodies."""
        first, second = self.ends(start, end)
        a, b = self.place(start), self.place(end)
        far = dist(a, b) > 0.0
        text = self.tr("{0} – {1}").format(self.named(first), self.named(second))
        return Preview(
            lines=(Line(a, b, self.drawn),) if far else (),
            labels=(*self.measure_labels(a, b), Label(b, text)),
            rings=(b,) if end.snapped else (),
            filled=(a, b),
            bodies=tuple(id for id in (first, second) if id != GROUND),
            hint=self.span_hint(),
        )

    def span_hint(self) -> str:
        """What to do while the other end is sought."""
        return self.tr(
            "Release on the other body; empty space is the ground. Type a length, Tab: the angle. "
            "Esc gives up."
        )


class RodTool(TiesTool):
    """Keeps two points at their distance."""

    name = kind = icon = "rod"
    title = QT_TRANSLATE_NOOP("Tool", "Rod (fixed distance)")
    letter = "X"
    group = "joints"
    length_field = "length"
    step = QT_TRANSLATE_NOOP("RodTool", "Add rod")
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on one body, release on another: their distance stays. No mass."
    )
    opening = QT_TRANSLATE_NOOP(
        "RodTool",
        "Rod: press on one body and release on another; their distance stays.",
    )


class SpringTool(TiesTool):
    """A spring between two bodies, or a torsion spring in a joint."""

    name = kind = icon = drawn = "spring"
    title = QT_TRANSLATE_NOOP("Tool", "Spring")
    letter = "K"
    turns = True
    length_field = "free_length"
    step = QT_TRANSLATE_NOOP("SpringTool", "Add spring")
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on one body, release on another. Click a joint: a torsion spring."
    )
    opening = QT_TRANSLATE_NOOP(
        "SpringTool",
        "Spring: press on one body, release on another; click a joint for torsion.",
    )


class DamperTool(TiesTool):
    """A damper between two bodies, or in a joint."""

    name = kind = icon = drawn = "damper"
    title = QT_TRANSLATE_NOOP("Tool", "Damper")
    letter = "D"
    turns = True
    step = QT_TRANSLATE_NOOP("DamperTool", "Add damper")
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on one body, release on another. Click a joint: damping in it."
    )
    opening = QT_TRANSLATE_NOOP(
        "DamperTool",
        "Damper: press on one body, release on another; click a joint to damp it.",
    )


class SpringDamperTool(TiesTool):
    """A spring and a damper side by side, or both in a joint."""

    name = kind = icon = "spring_damper"
    title = QT_TRANSLATE_NOOP("Tool", "Spring-damper")
    letter = "H"
    drawn = "spring"
    turns = True
    length_field = "free_length"
    step = QT_TRANSLATE_NOOP("SpringDamperTool", "Add spring-damper")
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on one body, release on another. Click a joint: torsion spring and damper."
    )
    opening = QT_TRANSLATE_NOOP(
        "SpringDamperTool",
        "Spring-damper: press on one body, release on another; or click a joint.",
    )


class GeneralForceTool(TiesTool):
    """A force between two bodies by a formula of their distance, rate, angle and speed."""

    name = kind = icon = "general_force"
    title = QT_TRANSLATE_NOOP("Tool", "Force by formula")
    letter = "Shift+X"
    drawn = "dashed"
    fields = {"law": 10.0}  # noqa: RUF012, read only
    step = QT_TRANSLATE_NOOP("GeneralForceTool", "Add force by formula")
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on one body, release on another; then write its law in the properties."
    )
    opening = QT_TRANSLATE_NOOP(
        "GeneralForceTool",
        "Force by formula: press on one body, release on another, then give its law.",
    )
