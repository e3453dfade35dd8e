"""Graphics of bodies and particles in space."""

from typing import Any

import numpy as np
from PySide6.QtGui import QColor

from engine.model.bodies import PlanarBody, PlanarParticle, SpatialBody, SpatialParticle
from engine.model.elements import Element
from engine.model.joints import Revolute
from engine.model.shapes import Cylinder, Disc, Mesh, Sphere
from gui.look.colors import rgb
from gui.placing.space import solids
from gui.placing.space.inertia import inertia_box
from gui.placing.space.placement import SpacePlacement
from gui.placing.space.rounding import is_closed
from gui.placing.space.spin import Sector, sector_of
from gui.stages.space.graphics import symbols
from gui.stages.space.graphics.graphic import Graphic, View, along
from gui.stages.space.graphics.vtk_parts import mark, place

ARM = 0.26  # radius of an arm, in units of symbols
BALL = 0.95  # radius of a point mass
SLENDER = 3.0  # diameters: of longer bodies only those that turn on hinges bear a mark
BESIDE = 0.06  # of a body's size: to markers so near beside it no arm leads


def _particle(body: Any, scene: Any) -> Graphic:
    """A point mass: a ball as large as a symbol."""
    g, k = Graphic(body.id), scene.placement.body_index[body.id]
    ball = g.add_solid(solids.sphere(BALL, 14), scene.colors[body.id], scene.inks)
    g.places.append(lambda s: place(ball, np.eye(3), s.placement.r[k], s.unit))
    g.solid = solids.sphere(BALL, 10)
    return g


def _rigid(body: Any, scene: Any) -> Graphic:
    """The solid of a body, or the cage of its inertia, and the arms to its markers."""
    g, p = Graphic(body.id), scene.placement
    k, color = p.body_index[body.id], scene.colors[body.id]
    if body.shape is not None:
        solid = scene.solid(body)
        actor = g.add_solid(solid, color, scene.inks)
        actor.GetProperty().SetBackfaceCulling(_has_no_inside(body.shape))
        g.body_actors.append((actor, k))
        g.solid = solid
        if not body.fixed and (sector := _spin_mark(body, k, solid, p)) is not None:
            mark(actor, sector, rgb(scene.inks.mark))
    elif (made := inertia_box(body, scene)) is not None:
        solid, cage = made
        g.body_actors.append((g.add_solid(cage, color, scene.inks), k))
        g.solid, g.outline = solid, cage
    for n in scene.arms_of(body):
        _arm(g, k, p.center[k], p.marker_P[n], color, scene)
    return g


def _has_no_inside(shape: Any) -> bool:
    """Whether only the outside of a shape is ever seen; through the holes of a mesh its inside is."""
    if not isinstance(shape, Mesh):
        return True
    vertices = np.array(shape.vertices, dtype=float).reshape(-1, 3)
    return is_closed(vertices, np.array(shape.faces, dtype=np.int64).reshape(-1, 3))


def _spin_mark(body: Any, k: int, solid: solids.Solid, p: SpacePlacement) -> Sector | None:
    """The marked quarter of a round body, unless its hinges let it turn only about other axes."""
    if not isinstance(body.shape, Cylinder | Disc | Mesh | Sphere):
        return None
    sector = sector_of(solid, is_ball=isinstance(body.shape, Sphere))
    if sector is None or sector.is_twice:
        return sector
    axis = np.cross(sector.first, sector.second)
    hinges = [
        n
        for joint in p.model.of("joint")
        if isinstance(joint, Revolute)
        for n in (p.marker_index.get(joint.marker_i, -1), p.marker_index.get(joint.marker_j, -1))
        if n >= 0 and p.marker_body[n] == k
    ]
    if hinges:
        return sector if max(abs(float(p.marker_A[n][:, 2] @ axis)) for n in hinges) > 0.5 else None
    across = np.ptp(solid.points @ np.array(sector.first))
    return sector if np.ptp(solid.points @ axis) <= SLENDER * across else None


def arms(p: SpacePlacement, k: int, solid: solids.Solid | None) -> list[int]:
    """The markers of body k that lie off its shape: an arm leads there."""
    found = []
    for n in np.flatnonzero(p.marker_body == k).tolist():
        if p.markers[n].id not in p.used:
            continue
        if solid is not None and len(solid.points):
            if p.markers[n].id in p.sliding:
                continue
            low, high = solid.points.min(axis=0), solid.points.max(axis=0)
            slack = BESIDE * float((high - low).max())
            at = p.marker_P[n]
            flat = 2 if p.model.dim == 3 else 1
            inside = (at >= low - slack) & (at <= high + slack)
            if inside[: flat + 1].all():
                continue
        if np.linalg.norm(p.marker_P[n] - p.center[k]) > 1e-9:
            found.append(n)
    return found


def _arm(g: Graphic, k: int, a: np.ndarray, b: np.ndarray, color: QColor, scene: Any) -> None:
    """A bar of a body from its mass centre to a marker."""
    bar = g.add_solid(symbols.rod_body()[0].solid, color, scene.inks)
    R, length = along(a, b)

    def follow(s: Any) -> None:
        wide = ARM * s.unit
        frame = s.placement.R[k]
        place(bar, frame @ R, s.placement.r[k] + frame @ a, (length, wide, wide))

    g.places.append(follow)


BODY_VIEWS: dict[type[Element], View] = {
    PlanarBody: _rigid,
    SpatialBody: _rigid,
    PlanarParticle: _particle,
    SpatialParticle: _particle,
}
