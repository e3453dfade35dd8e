"""The axes of body frames: x red, y green, z blue."""

from typing import Any

from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from gui.stages.space.graphics.graphic import Graphic
from gui.stages.space.graphics.symbols import triad
from gui.stages.space.graphics.vtk_parts import place


class BodyFrames:
    """One cross of axes for each body, if they are shown."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.is_shown = False
        self.actors: list[tuple[vtkActor, int]] = []

    def show(self, scene: Any) -> None:
        """Rebuild the axes of all bodies, or none; changes the renderer."""
        for actor, _ in self.actors:
            self.renderer.RemoveActor(actor)
        self.actors = []
        if self.is_shown:
            for k in range(len(scene.placement.bodies)):
                actor = Graphic("").add_symbol(triad(), scene.inks.roles)
                self.renderer.AddActor(actor)
                self.actors.append((actor, k))
        self.follow(scene)

    def follow(self, scene: Any) -> None:
        """Move the axes to the pose; changes the actors."""
        p = scene.placement
        for actor, k in self.actors:
            place(actor, p.R[k], p.r[k], scene.unit)
