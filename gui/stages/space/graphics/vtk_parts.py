"""Arrays as VTK actors; the only place that knows the memory layout of VTK."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProperty

from gui.placing.space.solids import Solid

AMBIENT = 0.34  # ambient light


def mesh_data(solid: Solid, colors: np.ndarray | None = None) -> vtkPolyData:
    """Triangles with normals, and with a colour (n, 3) of bytes for each place if wanted."""
    data = vtkPolyData()
    data.SetPoints(_points(solid.points))
    cells = vtkCellArray()
    flat = np.ascontiguousarray(oriented(solid), dtype=np.int64).ravel()
    cells.SetData(3, numpy_to_vtkIdTypeArray(flat, deep=1))
    data.SetPolys(cells)
    normals = numpy_to_vtk(np.ascontiguousarray(solid.normals, dtype=np.float32), deep=1)
    data.GetPointData().SetNormals(normals)
    if colors is not None:
        shades = numpy_to_vtk(np.ascontiguousarray(colors, dtype=np.uint8), deep=1)
        data.GetPointData().SetScalars(shades)
    return data


def oriented(solid: Solid) -> np.ndarray:
    """Triangles whose winding agrees with their normals: VTK lights the other side from behind."""
    _, e1, e2 = solid.sides
    facing = np.einsum("ni,ni->n", np.cross(e1, e2), solid.normals[solid.triangles[:, 0]])
    return np.where((facing < 0.0)[:, None], solid.triangles[:, ::-1], solid.triangles)


def line_data(chains: Sequence[np.ndarray]) -> vtkPolyData:
    """Chains of places as lines."""
    data = vtkPolyData()
    chains = [np.asarray(c, dtype=float).reshape(-1, 3) for c in chains if len(c) > 1]
    if not chains:
        return data
    data.SetPoints(_points(np.concatenate(chains)))
    sizes = np.array([len(c) for c in chains])
    offsets = numpy_to_vtkIdTypeArray(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), 1)
    cells = vtkCellArray()
    cells.SetData(offsets, numpy_to_vtkIdTypeArray(np.arange(sizes.sum(), dtype=np.int64), deep=1))
    data.SetLines(cells)
    return data


def _points(places: np.ndarray) -> vtkPoints:
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.ascontiguousarray(places, dtype=np.float32), deep=1))
    return points


def actor_of(data: vtkPolyData, look: vtkProperty, *, static: bool = True) -> vtkActor:
    """An actor with a matrix of its own, for `place`."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.SetStatic(static)
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.SetProperty(look)
    actor.SetUserMatrix(vtkMatrix4x4())
    actor.PickableOff()
    return actor


def set_data(actor: vtkActor, data: vtkPolyData) -> None:
    """Let an actor of `actor_of` draw something else; changes the actor."""
    mapper = actor.GetMapper()
    assert isinstance(mapper, vtkPolyDataMapper)
    mapper.SetInputData(data)


def place(actor: vtkActor, R: np.ndarray, r: Any, scale: Any = 1.0) -> None:
    """Put an actor at r with axes R, scaled along its own axes; changes the actor."""
    T = np.zeros((4, 4))
    T[:3, :3] = R * np.asarray(scale, dtype=float)
    T[:3, 3] = r
    T[3, 3] = 1.0
    actor.GetUserMatrix().DeepCopy(T.ravel().tolist())


def matrices(R: np.ndarray, r: np.ndarray) -> list[list[float]]:
    """Frames (n, 3, 3) and (n, 3) as rows of sixteen numbers."""
    T = np.zeros((len(r), 4, 4))
    T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = R, r, 1.0
    return T.reshape(-1, 16).tolist()


def solid_look(color: Sequence[float], *, shine: float = 0.22) -> vtkProperty:
    """A surface of a colour, softly lit."""
    look = vtkProperty()
    look.SetColor(*color)
    look.SetInterpolationToPhong()
    look.SetAmbient(AMBIENT)
    look.SetDiffuse(0.70)
    look.SetSpecular(shine)
    look.SetSpecularPower(28.0)
    return look


def line_look(color: Sequence[float], width: float, opacity: float = 1.0) -> vtkProperty:
    """A line of a colour and a width, not lit."""
    look = vtkProperty()
    look.SetColor(*color)
    look.SetLineWidth(width)
    look.LightingOff()
    look.SetOpacity(opacity)
    return look
