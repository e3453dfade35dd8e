"""Drawing bars from corner to corner in space: over empty space along the axes of the world."""

from gui.placing.space.picks import SpacePick
from gui.tools.base import CTRL, Modifiers
from gui.tools.plane.polyline import PolylineTool
from gui.tools.space.base import InSpace
from gui.tools.space.span import along_axis, caught_axis, is_free


class PolylineTool3D(InSpace, PolylineTool[SpacePick]):
    """Draws bars corner by corner; near an axis through the last corner the next one lies on it."""

    def meant_place(self, pick: SpacePick, modifiers: Modifiers) -> tuple[float, ...]:
        """An old corner, a place on an axis through the last one, or where the mouse is."""
        place = super().meant_place(pick, modifiers)
        if not self.corners or place != pick.place or modifiers & CTRL or not is_free(pick):
            return place
        x, y, z = self.corners[-1]
        axis = caught_axis((x, y, z), pick)
        found = None if axis is None else along_axis((x, y, z), pick, axis, modifiers)
        return place if found is None else found

    def pixel_of(self, pick: SpacePick) -> float:
        """Metres per pixel at the place of the mouse."""
        return pick.pixel
