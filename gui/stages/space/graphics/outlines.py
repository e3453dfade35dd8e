"""The outline of the selection: a shell a few pixels larger, of which the back faces are drawn.

The shell of a body is its solid, moved outwards along the normals of its corners; only triangles that face
away from the camera are drawn, so that a rim is visible.
"""

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkProperty, vtkRenderer

from engine.model.elements import Id
from gui.look.colors import rgb
from gui.placing.space.solids import Solid
from gui.stages.space.graphics.vtk_parts import actor_of, mesh_data, place, set_points

WIDTHS = {"hover": 2.2, "selected": 3.2, "partner": 2.6, "problem": 3.4, "pressed": 4.0}  # pixels
MOST = 60_000  # triangles of a body that has an outline


class Outlines:
    """The shells of all highlighted bodies."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.actors: dict[Id, tuple[vtkActor, int, bool]] = {}
        self._shells: dict[Id, np.ndarray] = {}  # corners of the shells of straight bodies
        self._shown: Any = None

    def show(self, scene: Any) -> None:
        """Give exactly the highlighted bodies an outline; changes the renderer."""
        wanted = {
            e.id: scene.glow_of(e.id)
            for e in scene.model.of("body")
            if scene.glow_of(e.id) and e.id not in scene.hidden
        }
        shown = (tuple(wanted.items()), round(np.log(scene.pixel) * 6), scene.model, scene.inks)
        if shown == self._shown:
            return
        self._shown = shown
        for actor, _, _ in self.actors.values():
            self.renderer.RemoveActor(actor)
        self.actors, self._shells = {}, {}
        for id, glow in wanted.items():
            graphic = scene.graphics.get(id)
            solid = None if graphic is None else graphic.outline or graphic.solid
            if graphic is None or solid is None or not 0 < len(solid.triangles) <= MOST:
                continue
            is_ball = not graphic.body_actors
            wide = WIDTHS[glow] * (scene.pixel / scene.unit if is_ball else scene.pixel)
            look = vtkProperty()
            look.SetColor(*rgb(scene.inks.rim(glow)))
            look.LightingOff()
            look.FrontfaceCullingOn()
            around = shell(solid, wide)
            actor = actor_of(mesh_data(around), look)
            self._shells[id] = around.points
            self.renderer.AddActor(actor)
            self.actors[id] = (actor, scene.placement.body_index[id], is_ball)
        self.follow(scene)

    def follow(self, scene: Any) -> None:
        """Move the shells to the pose; changes the actors."""
        p = scene.placement
        for id, (actor, k, is_ball) in self.actors.items():
            if id in scene.bent:
                set_points(actor, p.bent(np.full(len(self._shells[id]), k), self._shells[id]))
            if k < len(p.r):
                if is_ball:
                    place(actor, np.eye(3), p.r[k], scene.unit)
                else:
                    place(actor, p.R[k], p.r[k])


def shell(solid: Solid, wide: float) -> Solid:
    """A solid moved outwards; corners that lie in one place move together."""
    size = float(np.ptp(solid.points, axis=0).max()) or 1.0
    keys = np.round(solid.points / (1e-6 * size)).astype(np.int64)
    _, first, where = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    where = where.ravel()
    outward = np.zeros((len(first), 3))
    # faces that meet in a corner count once each, whatever their number of triangles
    seen = np.unique(np.column_stack([where, np.round(solid.normals * 50).astype(int)]), axis=0)
    np.add.at(outward, seen[:, 0], seen[:, 1:] / 50.0)
    long = np.linalg.norm(outward, axis=1, keepdims=True)
    outward /= np.maximum(long, 1e-9)
    points = solid.points + wide * outward[where]
    return Solid(points, solid.normals, solid.triangles)
