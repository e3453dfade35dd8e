"""Trails as lines in space."""

from typing import Any

import numpy as np
from PySide6.QtGui import QColor
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from gui.look.colors import mixed, rgb
from gui.stages.space.graphics.vtk_parts import actor_of, line_data, line_look, set_data
from gui.stages.trails import Path, Traced, Trails

WIDTHS = (1.0, 1.6, 2.4)  # pixels of the lines: the whole, the past, the last part
SHARES = (0.38, 0.70, 0.82)  # of the colour: in the floor, in the floor, in the ink
OVER = -6.0  # offset that draws each of them over the one before
FINEST, MOST_PARTS = 6000, 6  # places on a trail, and between two frames


class SpaceLine:
    """One line of a trail; that of a planar body lies as high as the body."""

    def __init__(self, renderer: vtkRenderer, color: QColor, width: float, lift: float) -> None:
        self.renderer, self.width = renderer, width
        self.lift = np.array([0.0, 0.0, lift])
        self.look = line_look(rgb(color), width)
        self.actor = actor_of(line_data([]), self.look, static=False)
        renderer.AddActor(self.actor)

    def draw(self, path: Path) -> None:
        """Draw the line; changes the actor."""
        parts = int(np.clip(FINEST // max(len(path.t), 1), 1, MOST_PARTS))
        set_data(self.actor, line_data([path.finely(parts) + self.lift]))

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

    def actors(self) -> list[vtkActor]:
        """The whole paths, if they are seen."""
        whole = (trail.whole for trail in self.lines) if self.is_shown else ()
        return [line.actor for line in whole if isinstance(line, SpaceLine)]

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel; changes the looks."""
        for line in self._all_lines():
            if isinstance(line, SpaceLine):
                line.look.SetLineWidth(line.width * dots)

    def lines_of(self, point: Traced) -> tuple[SpaceLine, SpaceLine, SpaceLine]:
        """Lines in the colour of the tracer or of its body; changes the renderer."""
        scene, p = self.scene, self.scene.placement
        color = QColor(point.color) if point.color else scene.color_of(point.body)
        lift = float(p.layer[p.body_index.get(point.body, -1)])
        under = (scene.inks.floor, scene.inks.floor, scene.inks.ink)
        whole, past, fresh = (
            SpaceLine(self.renderer, mixed(color, back, share), width, lift)
            for back, share, width in zip(under, SHARES, WIDTHS)
        )
        for n, line in enumerate((past, fresh), 1):
            mapper = line.actor.GetMapper()
            mapper.SetRelativeCoincidentTopologyLineOffsetParameters(0.0, n * OVER)
        return whole, past, fresh
