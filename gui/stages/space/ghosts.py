"""Ghosts in space: the edges of the bodies of earlier runs, at the time that is shown."""

from typing import Any, NamedTuple

from vtkmodules.vtkRenderingCore import vtkActor, vtkProperty, vtkRenderer

from gui.placing.space import shapes, solids
from gui.placing.space.placement import SpacePlacement
from gui.stages.plane.graphics.bodies import body_colors
from gui.stages.plane.graphics.inks import mixed
from gui.stages.space.graphics.inks import rgb
from gui.stages.space.graphics.vtk_parts import actor_of, line_data, line_look, mesh_data, place
from gui.state.playback import Playback, RunRecord

MOST = 200  # bodies of a run that is shown as a ghost


class Ghost(NamedTuple):
    """The moving bodies of one run."""

    record: RunRecord
    placement: SpacePlacement
    actors: list[tuple[vtkActor, int]]


class Ghosts:
    """All earlier runs that are shown."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.ghosts: list[Ghost] = []
        self.looks: list[vtkProperty] = []

    def show(self, playback: Playback, scene: Any) -> None:
        """Draw the runs that are to be seen as faint edges; changes the renderer."""
        for ghost in self.ghosts:
            for actor, _ in ghost.actors:
                self.renderer.RemoveActor(actor)
        self.looks = []
        shown = [
            r
            for r in playback.ghosts
            if r.is_shown and len(r.results) and r.results.model.dim == scene.model.dim
        ]
        self.ghosts = [self._ghost(record, scene) for record in shown]

    def _ghost(self, record: RunRecord, scene: Any) -> Ghost:
        placement = SpacePlacement(record.results.compiled.resolved)
        colors, actors = body_colors(placement.model, scene.inks.theme), []
        for k, body in enumerate(placement.bodies[:MOST]):
            shape = getattr(body, "shape", None)
            if body.fixed or shape is None:
                continue
            look = line_look(rgb(mixed(colors[body.id], scene.inks.floor, 0.5)), 1.2)
            self.looks.append(look)
            solid = shapes.solid_of(shape, 0)
            if solid.edges:
                actor = actor_of(line_data(solid.edges), look)
            else:
                actor = actor_of(mesh_data(solids.sphere(solid.reach, 6)), look)
                look.SetRepresentationToWireframe()
            self.renderer.AddActor(actor)
            actors.append((actor, k))
        return Ghost(record, placement, actors)

    def set_density(self, dots: float) -> None:
        """Draw lines for so many dots in a pixel; changes the looks."""
        for look in self.looks:
            look.SetLineWidth(1.2 * dots)

    def put(self, time: float) -> None:
        """Move all ghosts to a time; changes the actors."""
        for ghost in self.ghosts:
            p, results = ghost.placement, ghost.record.results
            p.put(p.frames_of(results, min(time, float(results.t[-1]))))
            for actor, k in ghost.actors:
                place(actor, p.R[k], p.r[k])
