"""Ghosts as faint edges in space."""

from typing import Any

from vtkmodules.vtkRenderingCore import vtkActor, vtkProperty, vtkRenderer

from gui.look.colors import body_colors, mixed, rgb
from gui.placing.space import shapes, solids
from gui.placing.space.placement import SpacePlacement
from gui.stages.ghosts import Ghost, Ghosts
from gui.stages.space.graphics.vtk_parts import actor_of, line_data, line_look, mesh_data, place
from gui.state.playback import Playback, RunRecord

MOST = 200  # bodies of a run that is shown as a ghost
WIDE = 1.2  # pixels of an edge


class SpaceGhosts(Ghosts):
    """The ghosts on the stage in space."""

    def __init__(self, renderer: vtkRenderer, scene: Any) -> None:
        super().__init__()
        self.renderer, self.scene = renderer, scene
        self.looks: list[vtkProperty] = []

    def show(self, playback: Playback, dim: int) -> None:
        """Draw the visible runs of models of this dimension; changes the renderer."""
        self.looks = []
        super().show(playback, dim)

    def ghost_of(self, record: RunRecord) -> Ghost:
        """The edges of the moving bodies; changes the renderer."""
        placement, inks = SpacePlacement(record.results.compiled.resolved), self.scene.inks
        colors, actors = body_colors(placement.model, inks.theme), []
        for k, body in enumerate(placement.bodies[:MOST]):
            shape = getattr(body, "shape", None)
            if body.fixed or shape is None:
                continue
            look = line_look(rgb(mixed(colors[body.id], inks.floor, 0.5)), WIDE)
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

    def remove(self, item: vtkActor) -> None:
        """Remove edges from the renderer; changes the renderer."""
        self.renderer.RemoveActor(item)

    def set_visible(self, item: vtkActor, visible: bool) -> None:
        """Show or hide edges; changes the actor."""
        item.SetVisibility(visible)

    def move(self, item: vtkActor, placement: SpacePlacement, k: int) -> None:
        """Put edges where body k is; changes the actor."""
        place(item, placement.R[k], placement.r[k])

    def actors(self) -> list[vtkActor]:
        """The bodies that are seen."""
        return [item for ghost in self.seen for item, _ in ghost.items]

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel; changes the looks."""
        for look in self.looks:
            look.SetLineWidth(WIDE * dots)
