"""Trails as lines in space."""

from typing import Any

import numpy as np
from PySide6.QtGui import QColor
from vtkmodules.vtkRenderingCore import vtkRenderer

from gui.look.colors import mixed, rgb
from gui.stages.space.graphics.vtk_parts import actor_of, line_data, line_look, set_data
from gui.stages.trails import Traced, Trails

WHOLE, PAST = 1.1, 2.2  # pixels of the lines
OVER = -6.0  # offset that draws the past over the whole path


class SpaceLine:
    """One line of a trail; that of a planar body lies as high as the body."""

    def __init__(self, renderer: vtkRenderer, color: QColor, width: float, lift: float) -> None:
        self.renderer, self.width = renderer, width
        self.lift = np.array([0.0, 0.0, lift])
        self.look = line_look(rgb(color), width)
        self.actor = actor_of(line_data([]), self.look, static=False)
        renderer.AddActor(self.actor)

    def draw(self, places: np.ndarray) -> None:
        """Draw the line through places (n, 3); changes the actor."""
        set_data(self.actor, line_data([places + self.lift]))

    def show(self, shown: bool) -> None:
        """Show or hide it; changes the actor."""
        self.actor.SetVisibility(shown)

    def remove(self) -> None:
        """Remove it from the renderer; changes the renderer."""
        self.renderer.RemoveActor(self.actor)


class SpaceTrails(Trails):
    """The trails on the stage in space."""

    def __init__(self, renderer: vtkRenderer, scene: Any) -> None:
        super().__init__()
        self.renderer, self.scene = renderer, scene

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel; changes the looks."""
        for trail in self.lines:
            for line in (trail.whole, trail.past):
                if isinstance(line, SpaceLine):
                    line.look.SetLineWidth(line.width * dots)

    def lines_of(self, point: Traced) -> tuple[SpaceLine, SpaceLine]:
        """Lines in the colour of the tracer or of its body; changes the renderer."""
        scene, p = self.scene, self.scene.placement
        color = QColor(point.color) if point.color else scene.color_of(point.body)
        lift = float(p.layer[p.body_index.get(point.body, -1)])
        faint, strong = mixed(color, scene.inks.floor, 0.38), mixed(color, scene.inks.ink, 0.82)
        whole = SpaceLine(self.renderer, faint, WHOLE, lift)
        past = SpaceLine(self.renderer, strong, PAST, lift)
        past.actor.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0.0, OVER)
        return whole, past
