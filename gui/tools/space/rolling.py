"""The tool that lets a wheel roll."""

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import GROUND, Id
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import Label, Modifiers
from gui.tools.space.base import NEAR, Ring3, SpacePreview, SpaceTool
from gui.tools.space.joints import FLOOR


class RollingTool(SpaceTool):
    """Lets a cylinder roll on a plane below it."""

    name = icon = "rolling_disc"
    makes = ("rolling_disc",)
    title = QT_TRANSLATE_NOOP("Tool", "Rolling disc")
    letter = "Shift+O"
    group = "contact"
    help = QT_TRANSLATE_NOOP("Tool", "Click a cylinder: it rolls on the level plane below it.")

    def idle_hint(self) -> str:
        """What a click does."""
        return self.tr("Rolling disc: click a cylinder; it rolls on the level plane below it.")

    def contact(self, pick: SpacePick) -> tuple[Id, Id, Vec3]:
        """The body with the plane, the wheel, and where they touch."""
        wheel = next(iter(pick.bodies), "")
        on = edits.wheel_contact(self.model, wheel, FLOOR)
        others = [b.id for b in self.model.of("body") if b.id != wheel]
        below = edits.bodies_at(self.model, others, on, NEAR * pick.pixel)
        return (below[0] if below else GROUND), wheel, on

    def move(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Show where it would touch."""
        try:
            body, wheel, on = self.contact(pick)
        except EngineError:
            self.show(self.nothing)
            return
        text = self.tr("{0} rolls on {1}").format(self.named(wheel), self.named(body))
        known = tuple(id for id in (body, wheel) if id in self.model)
        self.show(SpacePreview(labels=(Label(on, text),), rings=(Ring3(on, FLOOR),), bodies=known))

    def press(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Make it."""
        try:
            body, wheel, _ = self.contact(pick)
            model, id = edits.rolling_wheel(self.model, body, wheel)
        except EngineError as error:
            self.complain(error)
            return
        self.commit(self.tr("Add rolling disc"), model, (id,))
