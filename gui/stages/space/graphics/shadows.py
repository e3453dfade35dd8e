"""Soft shadows on the floor as one picture that lies there.

Two maps of cells: the shadow along the light, and the one straight down of what is near the floor, which
shows where bodies stand. The cost hardly depends on how the machine draws.
"""

from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkProperty, vtkRenderer, vtkTexture

from gui.placing.space import shapes
from gui.stages.kernels import are_compiled
from gui.stages.kernels.shadow_map import ShadowMap
from gui.stages.space.graphics.vtk_parts import actor_of

SLOPE = np.array([0.30, -0.18])  # of the light: offset of a shadow for each metre of height
CELLS = 192  # of the maps, along each side
SOFT = 0.015  # of the model's size: no edge is softer than this
MOST_SOFT = 2  # cells
BELOW = 2e-4  # of the model's size, so that bodies on the floor are not cut
FLAT = 3e-3  # of the model's size: what is lower throws no shadow
MOST = 60_000  # triangles that throw shadows
FADES = (1.2, 28.0)  # of both maps with height, in sizes of the model
STRENGTH = {True: (0.24, 0.42), False: (0.50, 0.62)}  # of both maps, in a light and in a dark theme
SHADE = {True: (38, 48, 66), False: (0, 0, 0)}
STEP = 1.12  # the picture grows by this factor, so that its cells do not swim


class Shadows:
    """The shadows of the bodies of a spatial model that stands on the floor."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.map = ShadowMap(CELLS)
        self.is_above = True  # the camera, over the floor
        self.local = np.zeros((0, 3))  # corners of triangles in body frames
        self.body = np.zeros(0, dtype=np.int64)  # body of each corner
        self.triangles = np.zeros((0, 3), dtype=np.int64)
        self.owner = np.zeros(0, dtype=np.int64)  # body of each triangle
        self._image = vtkImageData()
        self._image.SetDimensions(CELLS, CELLS, 1)
        flat = self.map.dots.reshape(-1, 4)
        self._image.GetPointData().SetScalars(numpy_to_vtk(flat, deep=0))
        texture = vtkTexture()
        texture.SetInputData(self._image)
        texture.InterpolateOn()
        texture.RepeatOff()
        texture.SetColorModeToDirectScalars()
        look = vtkProperty()
        look.LightingOff()
        self.actor = actor_of(_sheet(), look)
        self.actor.SetTexture(texture)
        self.actor.ForceTranslucentOn()
        self.actor.VisibilityOff()
        renderer.AddActor(self.actor)
        self._falls = False

    def show(self, scene: Any) -> None:
        """Take the triangles of all bodies; changes the picture."""
        self.map.dots[:, :, :3] = SHADE[scene.inks.theme.is_light]
        points, bodies, triangles, owners, n = [], [], [], [], 0
        for graphic in scene.graphics.values() if scene.model.dim == 3 else ():
            if graphic.solid is None or not graphic.body_actors:
                continue
            k = graphic.body_actors[0][1]
            shape = getattr(scene.placement.bodies[k], "shape", None)
            solid = graphic.outline or (
                graphic.solid if shape is None else shapes.solid_of(shape, 0)
            )
            points.append(solid.points)
            bodies.append(np.full(len(solid.points), k))
            triangles.append(solid.triangles + n)
            owners.append(np.full(len(solid.triangles), k))
            n += len(solid.points)
        self.local = np.concatenate([np.zeros((0, 3)), *points])
        self.body = np.concatenate([np.zeros(0, dtype=np.int64), *bodies])
        self.triangles = np.concatenate([np.zeros((0, 3), dtype=np.int64), *triangles])[:MOST]
        self.owner = np.concatenate([np.zeros(0, dtype=np.int64), *owners])[:MOST]
        self.follow(scene)

    def follow(self, scene: Any) -> None:
        """Let the shadows fall from the pose; changes the picture."""
        p, size = scene.placement, scene.size
        local = p.bent(self.body, self.local)
        P = p.r[self.body] + np.einsum("nij,nj->ni", p.R[self.body], local)
        thrown = self._thrown(P, scene)
        self._falls = bool(len(thrown)) and are_compiled()
        self._set_visible()
        if not self._falls:
            return
        P[:, 2] = np.maximum(P[:, 2], 0.0)
        is_seen = np.zeros(len(P), dtype=bool)
        is_seen[thrown.ravel()] = True
        seen = P[is_seen]
        fallen = np.concatenate([seen[:, :2], seen[:, :2] - seen[:, 2:] * SLOPE])
        low, high = fallen.min(axis=0), fallen.max(axis=0)
        wide = 1.04 * float((high - low).max()) + 0.04 * size
        wide = float(STEP ** np.ceil(np.log(wide) / np.log(STEP)))
        cell = wide / CELLS
        corner = np.round((0.5 * (low + high - wide)) / cell) * cell
        self.map.cast(
            P,
            thrown,
            corner=corner,
            cell=cell,
            slope=SLOPE,
            fades=(FADES[0] / size, FADES[1] / size),
            softness=min(int(SOFT * size / cell), MOST_SOFT),
        )
        self.map.darken(*STRENGTH[scene.inks.theme.is_light])
        self._image.GetPointData().GetScalars().Modified()
        self._image.Modified()
        T = np.diag([wide, wide, 1.0, 1.0])
        T[:3, 3] = *corner, -BELOW * size
        self.actor.GetUserMatrix().DeepCopy(T.ravel().tolist())

    def _thrown(self, P: np.ndarray, scene: Any) -> np.ndarray:
        """The triangles that throw a shadow: above the floor, and not hidden."""
        z = P[self.triangles, 2].max(axis=1) if len(self.triangles) else np.zeros(0)
        good = z > FLAT * scene.size
        index = scene.placement.body_index
        hidden = [index[id] for id in scene.hidden if id in index]
        if hidden:
            good &= ~np.isin(self.owner, hidden)
        return self.triangles[good]

    def seen_from(self, toward: np.ndarray) -> None:
        """Draw them only for a camera above the floor; changes the actor."""
        self.is_above = bool(toward[2] > 0.0)
        self._set_visible()

    def _set_visible(self) -> None:
        self.actor.SetVisibility(self._falls and self.is_above)


def _sheet() -> vtkPolyData:
    """A square from 0 to 1 with places in the picture."""
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=np.float32)
    data, points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    points.SetData(numpy_to_vtk(square, deep=1))
    cells.InsertNextCell(4, (0, 1, 2, 3))
    data.SetPoints(points)
    data.SetPolys(cells)
    data.GetPointData().SetTCoords(numpy_to_vtk(np.ascontiguousarray(square[:, :2]), deep=1))
    return data
