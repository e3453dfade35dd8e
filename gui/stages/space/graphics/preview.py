"""The translucent solids that the active tool would make."""

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from gui.look.colors import rgb
from gui.placing.space.shapes import solid_of
from gui.stages.space.graphics.inks import SpaceInks
from gui.stages.space.graphics.vtk_parts import (
    actor_of,
    line_data,
    line_look,
    mesh_data,
    place,
    solid_look,
)
from rotations import quaternion

OPACITY = 0.42


class PreviewSolids:
    """Draws `Solid3`s of a preview."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.actors: list[vtkActor] = []
        self._shown: tuple[Any, ...] = ()

    def show(self, wanted: tuple[Any, ...], inks: SpaceInks) -> bool:
        """Draw exactly these; True if that changes the picture."""
        if wanted == self._shown:
            return False
        for actor in self.actors:
            self.renderer.RemoveActor(actor)
        self.actors, self._shown = [], wanted
        for one in wanted:
            solid = solid_of(one.shape)
            look = solid_look(rgb(inks.accent))
            look.SetOpacity(OPACITY)
            R = np.asarray(quaternion.matrix(np.array(one.orientation, dtype=float)))
            parts = [actor_of(mesh_data(solid), look)]
            if solid.edges:
                parts.append(actor_of(line_data(solid.edges), line_look(rgb(inks.accent), 1.6)))
            for actor in parts:
                place(actor, R, one.position)
                self.renderer.AddActor(actor)
                self.actors.append(actor)
        return True
