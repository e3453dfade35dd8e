"""Shadows on the floor: every solid projected along the light, in one colour.

x' = x - l_x z      y' = y - l_y z      z' = just below the floor          l: slope of the light
"""

from typing import Any

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkProperty, vtkRenderer

from gui.look.colors import rgb
from gui.stages.space.graphics.vtk_parts import actor_of

SLOPE = (0.30, -0.18)  # of the light: offset of a shadow for each metre of height
MOST = 40  # bodies that have shadows
BELOW = 2e-4  # of the model's size, so that bodies on the floor are not cut


class Shadows:
    """The shadows of the bodies of a spatial model that stands on the floor."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.look = vtkProperty()
        self.look.LightingOff()
        self.strength = 0.0  # of one face; the shadow of a solid has two, one over the other
        self.actors: list[tuple[vtkActor, int]] = []

    def show(self, scene: Any) -> None:
        """Rebuild the shadows of all bodies; changes the renderer."""
        for actor, _ in self.actors:
            self.renderer.RemoveActor(actor)
        self.actors = []
        inks = scene.inks
        self.strength = 0.075 if inks.theme.is_light else 0.26
        self.look.SetColor(*(rgb(inks.ink) if inks.theme.is_light else (0.0, 0.0, 0.0)))
        self.look.SetOpacity(self.strength)
        if scene.model.dim != 3 or len(scene.placement.bodies) > MOST:
            return
        for graphic in scene.graphics.values():
            for actor, k in graphic.body_actors:
                flat = actor_of(actor.GetMapper().GetInput(), self.look)
                flat.SetVisibility(graphic.id not in scene.hidden)
                self.renderer.AddActor(flat)
                self.actors.append((flat, k))

    def follow(self, scene: Any) -> None:
        """Project the bodies in their pose; changes the actors."""
        p, z = scene.placement, -BELOW * scene.size
        press = np.array([[1.0, 0.0, -SLOPE[0]], [0.0, 1.0, -SLOPE[1]], [0.0, 0.0, 0.0]])
        for actor, k in self.actors:
            body = p.bodies[k].id
            actor.SetVisibility(body not in scene.hidden and float(p.centers[k][2]) > 0.0)
            T = np.zeros((4, 4))
            T[:3, :3], T[:3, 3], T[3, 3] = press @ p.R[k], press @ p.r[k] + (0.0, 0.0, z), 1.0
            actor.GetUserMatrix().DeepCopy(T.ravel().tolist())

    def seen_from(self, toward: np.ndarray) -> None:
        """Draw them only for a camera above the floor; changes the look."""
        self.look.SetOpacity(self.strength if toward[2] > 0.0 else 0.0)
