"""Where the mouse snaps to in space, and the pick that tools receive."""

from collections.abc import Iterable
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from engine.model.attachments import reads_axes
from engine.model.elements import GROUND, Id
from gui.placing.space.picking import Hit, Screen, arm_hits, depth_of, element_at, hits
from gui.placing.space.picks import SpacePick, Vec3

REACH = 11.0  # pixels within which the mouse snaps to a place
GRID_REACH = 7.0  # pixels within which it snaps to a crossing of the grid
EDGE_ON = 0.12  # sine between the line of sight and a plane: below it, another plane is worked in
RANKS = {"joint": 0, "point": 1, "face": 2, "corner": 3, "edge": 4, "center": 5}


class Anchor(NamedTuple):
    """A place to snap to."""

    at: np.ndarray
    kind: str
    axis: np.ndarray | None = None
    marker: Id = ""
    joint: Id = ""
    body: Id = ""  # that it belongs to, where it is no marker


def pick(screen: Screen, *, snapping: bool, without: Iterable[Id] = ()) -> SpacePick:
    """The pick at a place of the screen."""
    scene, left_out = screen.scene, set(without)
    bodies = hits(scene, screen.ray, left_out)
    bodies = _sorted(bodies, arm_hits(screen, left_out))
    element, joint = element_at(screen, bodies, {*scene.hidden, *left_out})
    caught = _caught(screen, bodies, left_out) if snapping else None
    ids = tuple(dict.fromkeys(hit.body for hit in bodies))
    normal = bodies[0].normal if bodies else working_plane(screen)
    axis = _axis(scene, bodies[0]) if bodies else None
    if caught is not None:
        at, kind = caught.at, caught.kind
        axis = caught.axis if caught.axis is not None else axis
        joint = caught.joint or joint
        ids = tuple(dict.fromkeys((*ids, *_bodies_of(screen, caught))))
    elif bodies:
        at, kind = bodies[0].at, ""
    else:
        at, kind = _on_plane(screen, normal, snapping)
    return SpacePick(
        point=vec(at),
        normal=vec(normal),
        ray=screen.ray,
        pixel=screen.eye.pixel(at, screen.size[1]),
        snapped=bool(kind),
        snap_kind=kind,
        axis=None if axis is None else vec(axis),
        bodies=ids,
        element=element,
        marker=caught.marker if caught is not None else "",
        joint=joint,
    )


def vec(p: Any) -> Vec3:
    """Three numbers of an array."""
    x, y, z = np.asarray(p, dtype=float).tolist()
    return x, y, z


def _sorted(solid: list[Hit], arms: list[Hit]) -> list[Hit]:
    """All bodies on the line of sight, nearest first, each once."""
    known = {hit.body for hit in solid}
    return sorted([*solid, *(h for h in arms if h.body not in known)], key=lambda hit: hit.away)


def working_plane(screen: Screen) -> np.ndarray:
    """The normal, towards the camera, of the plane in which empty places lie.

    The ground, unless it is seen edge-on; then the coordinate plane that faces the camera most.
    """
    toward = -np.array(screen.eye.ray(0.5 * screen.size[0], 0.5 * screen.size[1], *screen.size)[1])
    axis = 2 if abs(toward[2]) > EDGE_ON else int(np.argmax(np.abs(toward)))
    normal = np.zeros(3)
    normal[axis] = 1.0 if toward[axis] > 0.0 else -1.0
    return normal


def _on_plane(screen: Screen, normal: np.ndarray, snapping: bool) -> tuple[np.ndarray, str]:
    """The place of the mouse in the working plane, on a crossing of the grid if one is near."""
    o, d = np.array(screen.ray.origin), np.array(screen.ray.direction)
    slope = float(d @ normal)
    t = -float(o @ normal) / slope if abs(slope) > 1e-6 else -1.0
    if t <= 0.0:  # above the horizon: at the depth of the focus
        focus = np.array(screen.eye.focus)
        return o + float((focus - o) @ d) * d, ""
    at = o + t * d
    if t > 60.0 * screen.eye.distance:
        at = o + 60.0 * screen.eye.distance * d
    if snapping and screen.view.has_grid:
        step = screen.scene.room.step or 1.0
        near = np.where(normal == 0.0, np.round(at / step) * step, 0.0)
        if screen.to_place(near) <= GRID_REACH:
            return near + 0.0, "grid"
    return at, ""


def _axis(scene: Any, hit: Hit) -> np.ndarray | None:
    """The direction that is natural where a body was hit: of a round face its axis, else the normal."""
    if hit.face is None:
        return hit.normal
    if hit.face.axis is None:
        return hit.normal
    k = scene.placement.body_index[hit.body]
    return scene.placement.R[k] @ np.array(hit.face.axis)


def _caught(screen: Screen, bodies: list[Hit], out: set[Id]) -> Anchor | None:
    """The place to snap to, if any: joints first, centres last."""
    scene = screen.scene
    surface = bodies[0].away if bodies else np.inf
    found = [
        a
        for a in (*_joints(scene, out), *_points(scene, out))
        if screen.away(a.at) <= surface + depth_of(scene, a.joint)
    ]
    if bodies:
        found += _spots(screen, bodies[0])
    else:
        found += _ends(screen, out)
    best: tuple[float, float, Anchor | None] = (np.inf, np.inf, None)
    for anchor in found:
        pixels = screen.to_place(anchor.at)
        if pixels <= REACH and (RANKS[anchor.kind], pixels) < best[:2]:
            best = (RANKS[anchor.kind], pixels, anchor)
    return best[2]


def _joints(scene: Any, out: set[Id]) -> list[Anchor]:
    p = scene.placement
    found = []
    for joint in scene.model.of("joint"):
        marker = getattr(joint, "marker_j", "")
        if joint.id in out or joint.id in scene.hidden or marker not in p.marker_index:
            continue
        if p.marker_body_id(marker) in out:
            marker = joint.marker_i
        axis = joint_axis(scene, joint, marker)
        found.append(Anchor(p.marker_at(marker), "joint", axis, marker, joint.id))
    return found


def joint_axis(scene: Any, joint: Any, marker: Id) -> np.ndarray | None:
    """The direction that is natural at a joint: z of the given marker, or of the one it goes by.

    In the plane every joint has the normal of the plane; a ball joint in space has none.
    """
    p, dim = scene.placement, scene.model.dim
    by_i, by_j = reads_axes(joint, dim)
    if dim == 2 or (by_j if marker == joint.marker_j else by_i):
        return p.marker_axes(marker)[:, 2]
    if not (by_i or by_j):
        return None
    return p.marker_axes(joint.marker_i if by_i else joint.marker_j)[:, 2]


def _points(scene: Any, out: set[Id]) -> list[Anchor]:
    p = scene.placement
    return [
        Anchor(p.P[n], "point", p.A[n][:, 2], m.id)
        for n, m in enumerate(p.markers)
        if m.id not in out and m.body not in out and m.body not in scene.hidden
    ]


def _spots(screen: Screen, hit: Hit) -> list[Anchor]:
    """Faces, corners, edges and the centre of the body that was hit, if they are seen."""
    scene, p = screen.scene, screen.scene.placement
    k, graphic = p.body_index[hit.body], scene.graphics[hit.body]
    found = [Anchor(p.centers[k], "center")]
    if np.abs(p.centers[k] - p.r[k]).max() > 1e-9:
        found.append(Anchor(p.r[k], "center"))
    if graphic.solid is None or not graphic.body_actors:
        return found
    slack = 3.0 * scene.pixel
    for spot in graphic.solid.spots:
        at = p.r[k] + p.R[k] @ np.array(spot.at)
        if screen.away(at) > hit.away + slack + _depth(screen, hit, at):
            continue
        if spot.kind == "face" and (hit.face is None or hit.face.center != spot.at):
            continue
        axis = None if spot.axis is None else p.R[k] @ np.array(spot.axis)
        found.append(Anchor(at, spot.kind, axis))
    return found


def _ends(screen: Screen, out: set[Id]) -> list[Anchor]:
    """The ends and corners of all bodies that are seen near the mouse, though it is beside them."""
    scene, p = screen.scene, screen.scene.placement
    found = []
    for k, body in enumerate(p.bodies):
        graphic = scene.graphics.get(body.id)
        if body.id in out or body.id in scene.hidden or graphic is None or graphic.solid is None:
            continue
        for spot in graphic.solid.spots if graphic.body_actors else ():
            at = p.r[k] + p.R[k] @ np.array(spot.at)
            if spot.kind != "edge" and screen.to_place(at) <= REACH and _is_seen(screen, at):
                axis = None if spot.axis is None else p.R[k] @ np.array(spot.axis)
                found.append(Anchor(at, spot.kind, axis, body=body.id))
    return found


def _is_seen(screen: Screen, at: np.ndarray) -> bool:
    """Whether no body hides a place."""
    x, y = screen.eye.project(at, *screen.size)[0]
    first = next(iter(hits(screen.scene, screen.eye.ray(float(x), float(y), *screen.size))), None)
    return first is None or first.away >= screen.away(at) - 3.0 * screen.scene.pixel


def _depth(screen: Screen, hit: Hit, at: np.ndarray) -> float:
    """How much deeper than the hit a place on the same slanted face may lie."""
    slope = abs(float(hit.normal @ np.array(screen.ray.direction)))
    aside = float(np.linalg.norm(np.cross(at - hit.at, screen.ray.direction)))
    return aside * sqrt(max(1.0 - slope * slope, 0.0)) / max(slope, 0.05) + 0.05 * aside


def _bodies_of(screen: Screen, anchor: Anchor) -> tuple[Id, ...]:
    """The bodies whose markers meet where the mouse snapped."""
    scene = screen.scene
    joint = scene.model.elements.get(anchor.joint)
    if joint is not None and hasattr(joint, "marker_i"):
        ends = (joint.marker_i, joint.marker_j)
        return tuple(b for b in map(scene.placement.marker_body_id, ends) if b != GROUND)
    if anchor.body:
        return (anchor.body,)
    if anchor.marker:
        body = scene.placement.marker_body_id(anchor.marker)
        return () if body == GROUND else (body,)
    return ()
