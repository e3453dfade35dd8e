"""The edges of all bodies as one set of lines: many small sets would cost more than their pixels."""

from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderer

from gui.stages.space.graphics.vtk_parts import actor_of, line_data, line_look, set_data

WIDE = 1.0  # pixels
THIN = 0.03  # of the model's size: bodies below have fainter edges
OVER = -3.0  # offset that draws edges over their faces


class Edges:
    """Draws the edges of every body that is not hidden, in its pose."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.look = line_look((1.0, 1.0, 1.0), WIDE)
        self.actor = actor_of(line_data([]), self.look, static=False)
        self.actor.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0.0, OVER)
        renderer.AddActor(self.actor)
        self.local = np.zeros((0, 3))  # ends of lines in body frames
        self.body = np.zeros(0, dtype=np.int64)  # body of each line
        self._drawn = np.zeros((0, 3), dtype=np.float32)  # the array that VTK reads

    def show(self, scene: Any) -> None:
        """Take the edges of all bodies that are seen; changes the lines."""
        chains, owners, shades = [], [], []
        for k, body in enumerate(scene.placement.bodies):
            graphic = scene.graphics.get(body.id)
            if graphic is None or not graphic.body_actors or body.id in scene.hidden:
                continue
            drawn = graphic.outline or graphic.solid
            own = [np.asarray(c, dtype=float) for c in drawn.edges if len(c) > 1]
            is_thin = float(np.sort(np.ptp(drawn.box, axis=0))[1]) < THIN * scene.size
            count = sum(map(len, own))
            chains += own
            owners += [k] * count
            shades += [scene.inks.edge(scene.colors[body.id], is_thin=is_thin)] * count
        self.local = np.concatenate(chains) if chains else np.zeros((0, 3))
        self.body = np.array(owners, dtype=np.int64)
        data = line_data(chains)
        set_data(self.actor, data)
        self.actor.SetVisibility(bool(chains))
        if chains:
            colors = numpy_to_vtk(np.array(shades, dtype=np.uint8), deep=1)
            data.GetPointData().SetScalars(colors)
            self._drawn = vtk_to_numpy(data.GetPoints().GetData())
        self.follow(scene)

    def follow(self, scene: Any) -> None:
        """Move the lines with their bodies; changes the lines."""
        if len(self.local):
            p, at = scene.placement, self.body
            self._drawn[:] = p.r[at] + np.einsum("nij,nj->ni", p.R[at], p.bent(at, self.local))
            points = self.actor.GetMapper().GetInput().GetPoints()
            points.GetData().Modified()
            points.Modified()

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel; changes the look."""
        self.look.SetLineWidth(WIDE * dots)
