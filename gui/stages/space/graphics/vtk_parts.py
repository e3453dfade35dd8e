"""Arrays as VTK actors; the only place that knows the memory layout of VTK."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProperty

from gui.placing.space.solids import Solid
from gui.placing.space.spin import Sector

DIFFUSE = 0.70  # what VTK multiplies colours by before they are lit
# A large soft key light from the upper left, a fill from the right, sky above and floor below; in camera
# axes. Light x becomes x / (0.34 + 0.73 x), which stays below 1: no channel of a colour saturates.
STUDIO = """
  vec3 n = normalVCVSOutput;
  float key = max(0.88 * dot(n, vec3(-0.42, 0.66, 0.62)) + 0.12, 0.0);
  float fill = max(dot(n, vec3(0.82, 0.02, 0.57)), 0.0);
  float shine = pow(max(dot(n, vec3(-0.233, 0.367, 0.900)), 0.0), 42.0);
  float rim = 1.0 - clamp(n.z, 0.0, 1.0);
  vec3 lit = mix(vec3(0.31, 0.30, 0.32), vec3(0.46, 0.47, 0.49), 0.5 + 0.5 * n.y)
    + vec3(0.51, 0.50, 0.48) * key + vec3(0.13, 0.14, 0.17) * fill;
  vec3 own = diffuseColor / DIFFUSE;
  MARKED
  vec3 seen = own * lit / (0.34 + 0.73 * lit);
  fragOutput0 = vec4(mix(seen, vec3(1.0), 0.10 * shine + 0.05 * rim * rim * rim), opacity);
"""
# A quarter of a round body, where both products are positive, has another tone, or two opposite ones.
SECTOR = """
  vec3 off = placeInBody - markMiddle;
  float p = dot(off, markFirst), q = dot(off, markSecond);
  float inside = min(p, q);
  if (markTwice > 0.5) inside = max(inside, min(-p, -q));
  float edge = max(fwidth(inside), 1e-12);
  own = mix(own, markTone, SHARE * smoothstep(-edge, edge, inside));
"""
DECLARED, FILLED, LIT = "//VTK::Normal::Dec", "//VTK::Normal::Impl", "//VTK::Light::Impl"
MARK = 0.30  # share of the other tone in the sector of a round body


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


def set_points(actor: vtkActor, places: np.ndarray) -> None:
    """Move the places of an actor's data; changes the data."""
    mapper = actor.GetMapper()
    assert isinstance(mapper, vtkPolyDataMapper)
    data = mapper.GetInput()
    kept = data.GetPoints().GetData()
    vtk_to_numpy(kept)[:] = places
    kept.Modified()
    data.GetPoints().Modified()
    data.Modified()


def lit(actor: vtkActor) -> vtkActor:
    """Light an actor of `mesh_data` as in a studio; changes and returns it."""
    _shade(actor, "")
    return actor


def mark(actor: vtkActor, sector: Sector, tone: Sequence[float]) -> None:
    """Give a quarter of a lit body another tone; changes the actor."""
    look = actor.GetShaderProperty()
    for place, code in (
        (DECLARED, "out vec3 placeInBody;"),
        (FILLED, "placeInBody = vertexMC.xyz;"),
    ):
        look.AddVertexShaderReplacement(place, True, f"{place}\n{code}", False)
    inside = f"{DECLARED}\nin vec3 placeInBody;"
    look.AddFragmentShaderReplacement(DECLARED, True, inside, False)
    _shade(actor, SECTOR.replace("SHARE", f"{MARK:.2f}"))
    said = look.GetFragmentCustomUniforms()
    said.SetUniform3f("markMiddle", tuple(sector.middle))
    said.SetUniform3f("markFirst", tuple(sector.first))
    said.SetUniform3f("markSecond", tuple(sector.second))
    said.SetUniformf("markTwice", float(sector.is_twice))
    said.SetUniform3f("markTone", tuple(tone))


def _shade(actor: vtkActor, marked: str) -> None:
    """Set how the colour of a pixel is found; changes the actor."""
    code = STUDIO.replace("DIFFUSE", f"{DIFFUSE:.2f}").replace("MARKED", marked)
    actor.GetShaderProperty().AddFragmentShaderReplacement(LIT, True, code, False)


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


def solid_look(color: Sequence[float]) -> vtkProperty:
    """A surface of a colour, to be lit."""
    look = vtkProperty()
    look.SetColor(*color)
    look.SetInterpolationToPhong()
    look.SetDiffuse(DIFFUSE)
    return look


def line_look(color: Sequence[float], width: float, opacity: float = 1.0) -> vtkProperty:
    """A line of a colour and a width, not lit."""
    look = vtkProperty()
    look.SetColor(*color)
    look.SetLineWidth(width)
    look.LightingOff()
    look.SetOpacity(opacity)
    return look
