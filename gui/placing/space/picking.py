"""What the line of sight hits: bodies with place, face and normal, and elements near it on the screen.

Rays are brought into the frame of each body and cut with its triangles. With e1, e2 the sides of a
triangle at corner a, origin o and direction d (Moeller and Trumbore):

    o + t d = a + u e1 + v e2,     u, v >= 0,  u + v <= 1
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from engine.model.elements import Id
from gui.placing.grips import Grip, grip, ring_marker
from gui.placing.loads import arrow_length
from gui.placing.space.loads import force_in_space
from gui.placing.space.picks import Ray
from gui.placing.space.shapes import MANY
from gui.placing.space.solids import Face, Solid

PIN, DOT, LINE, COIL = 11.0, 8.0, 6.0, 9.0  # pixels that still count as on it
AROUND = (11.0, 24.0)  # pixels from a joint where its motor is drawn
TOUCH = 5.0  # pixels beside an arm of a body
DEEP = 2.4  # units of symbols that a joint may lie behind a surface and still be picked


class Hit(NamedTuple):
    """Where the line of sight enters a body."""

    away: float  # along the ray [m]
    body: Id
    at: np.ndarray  # world
    normal: np.ndarray  # world, towards the eye
    face: Face | None = None  # body axes


def hits(scene: Any, ray: Ray, without: Iterable[Id] = ()) -> list[Hit]:
    """Where a ray enters bodies, nearest first."""
    p, out = scene.placement, {*scene.hidden, *without}
    o, d = np.array(ray.origin), np.array(ray.direction)
    found = []
    for k, body in enumerate(p.bodies):
        graphic = scene.graphics.get(body.id)
        if body.id in out or graphic is None or graphic.solid is None:
            continue
        solid, scale = graphic.solid, (1.0 if graphic.body_actors else scene.unit)
        local_o, local_d = p.R[k].T @ (o - p.r[k]) / scale, p.R[k].T @ d / scale
        if not _near(solid, local_o, local_d):
            continue
        cut = cut_triangles(solid, local_o, local_d)
        if cut is not None:
            t, n = cut
            face = None
            if solid.face_of is not None and solid.faces:
                face = solid.faces[int(solid.face_of[n])]
            normal = p.R[k] @ _normal(solid, n, local_o + t * local_d)
            normal = -normal if normal @ d > 0.0 else normal
            found.append(Hit(t, body.id, o + t * d, normal, face))
    return sorted(found, key=lambda hit: hit.away)


def _near(solid: Solid, o: np.ndarray, d: np.ndarray) -> bool:
    """Whether a ray meets the ball around a solid."""
    length = float(d @ d)
    nearest = o - (o @ d) / length * d
    return float(nearest @ nearest) <= (1.001 * solid.reach) ** 2


def cut_triangles(solid: Solid, o: np.ndarray, d: np.ndarray) -> tuple[float, int] | None:
    """How far a ray of a body's frame goes to the nearest triangle, and which one that is."""
    a, e1, e2 = solid.sides
    if len(a) > MANY:  # first those whose bounding sphere the ray meets
        few = solid.near(o, d)
        a, e1, e2 = a[few], e1[few], e2[few]
    else:
        few = None
    h = np.cross(d, e2)
    det = np.einsum("ni,ni->n", e1, h)
    with np.errstate(divide="ignore", invalid="ignore"):
        s = o - a
        u = np.einsum("ni,ni->n", s, h) / det
        q = np.cross(s, e1)
        v = q @ d / det
        t = np.einsum("ni,ni->n", e2, q) / det
        good = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (t > 0.0) & np.isfinite(t)
    if not good.any():
        return None
    n = int(np.argmin(np.where(good, t, np.inf)))
    return float(t[n]), int(n if few is None else few[n])


def _normal(solid: Solid, n: int, at: np.ndarray) -> np.ndarray:
    """The normal of a triangle's surface at a place on it: of round faces the smooth one."""
    face = solid.faces[int(solid.face_of[n])] if solid.face_of is not None and solid.faces else None
    if face is not None and not face.is_flat:
        out = at - np.array(face.center)
        if face.axis is not None:
            axis = np.array(face.axis)
            out = out - (out @ axis) * axis
        return out / max(float(np.linalg.norm(out)), 1e-300)
    normal = solid.normals[solid.triangles[n]].mean(axis=0)
    return normal / max(float(np.linalg.norm(normal)), 1e-300)


class Screen:
    """The projections and distances of a scene for one pixel."""

    def __init__(self, scene: Any, view: Any, x: float, y: float) -> None:
        self.scene, self.view = scene, view
        self.mouse = np.array([x, y])
        self.eye = view.eye
        self.size = (float(view.width()), float(view.height()))
        self.ray = self.eye.ray(x, y, *self.size)

    def pixels(self, places: np.ndarray) -> np.ndarray:
        """Places (n, 3) as pixels (n, 2)."""
        return self.eye.project(places, *self.size)

    def away(self, place: np.ndarray) -> float:
        """How far a place lies along the line of sight."""
        return float((np.asarray(place) - np.array(self.ray.origin)) @ np.array(self.ray.direction))

    def to_place(self, place: np.ndarray) -> float:
        """Pixels from the mouse to a place."""
        far = self.pixels(np.asarray(place).reshape(1, 3))[0] - self.mouse
        return float(np.hypot(*far)) if np.isfinite(far).all() else np.inf

    def to_line(self, a: np.ndarray, b: np.ndarray) -> tuple[float, np.ndarray]:
        """Pixels from the mouse to a line between two places, and the nearest place on it."""
        ends = self.pixels(np.array([a, b]))
        if not np.isfinite(ends).all():
            return np.inf, np.asarray(a)
        side = ends[1] - ends[0]
        square = float(side @ side)
        u = 0.0 if square == 0.0 else float(np.clip((self.mouse - ends[0]) @ side / square, 0, 1))
        far = float(np.hypot(*(ends[0] + u * side - self.mouse)))
        return far, np.asarray(a) + u * (np.asarray(b) - np.asarray(a))


def arm_hits(screen: Screen, without: Iterable[Id] = ()) -> list[Hit]:
    """Bodies whose arms pass the mouse."""
    scene, p = screen.scene, screen.scene.placement
    out, found = {*scene.hidden, *without}, []
    for k, body in enumerate(p.bodies):
        if body.id in out or not hasattr(body, "inertia"):
            continue
        for n in scene.arms_of(body):
            pixels, at = screen.to_line(p.centers[k], p.P[n])
            if pixels <= TOUCH:
                toward = -np.array(screen.ray.direction)
                found.append(Hit(screen.away(at), body.id, at, toward))
                break
    return found


def element_at(screen: Screen, bodies: list[Hit], out: set[Id]) -> tuple[Id, Id]:
    """The element that a click means, and the joint that is there; bodies are what was hit."""
    scene = screen.scene
    surface = bodies[0].away if bodies else np.inf
    limit = surface + DEEP * scene.unit
    joint = nearest_joint(screen, surface, out)
    best: tuple[float, Id] = (np.inf, "")
    for element in scene.model:
        if element.id in out or element.family in ("body", "parameter"):
            continue
        pixels, at = _distance(screen, element)
        if pixels <= 1.0 and screen.away(at) <= limit:
            best = min(best, (pixels, element.id))
    if joint:
        return joint, joint
    if best[1]:
        return best[1], ""
    return (bodies[0].body if bodies else ""), ""


def depth_of(scene: Any, id: Id) -> float:
    """How far behind a surface a joint may lie and still be visible: as far as its symbol reaches."""
    graphic = scene.graphics.get(id)
    return DEEP * max(scene.unit, graphic.least if graphic is not None else 0.0)


def nearest_joint(screen: Screen, surface: float, out: set[Id]) -> Id:
    """The joint under the mouse that is not hidden behind a body."""
    p, best = screen.scene.placement, (PIN, "")
    for joint in screen.scene.model.of("joint"):
        for marker in (getattr(joint, "marker_j", ""), getattr(joint, "marker_i", "")):
            if joint.id in out or marker not in p.marker_index or grip(joint) is not Grip.PIN:
                continue
            at = p.marker_at(marker)
            if screen.away(at) <= surface + depth_of(screen.scene, joint.id):
                best = min(best, (screen.to_place(at), joint.id))
    return best[1]


def _distance(screen: Screen, element: Any) -> tuple[float, np.ndarray]:
    """The distance of the mouse from a small element, relative to the tolerance; and where."""
    scene, p = screen.scene, screen.scene.placement
    nowhere = (np.inf, np.zeros(3))
    if grip(element) is Grip.DOT:
        marker = getattr(element, "marker", element.id)
        bare = element.family == "tracer" or marker not in p.used
        if marker not in p.marker_index or not bare:
            return nowhere
        return screen.to_place(p.marker_at(marker)) / DOT, p.marker_at(marker)
    held = grip(element)
    if held is Grip.RING:
        return _around(screen, ring_marker(scene.model, element, "marker_i"))
    if held is Grip.ARROW and element.marker_i in p.marker_index:
        at, value = p.marker_at(element.marker_i), force_in_space(p, element, scene.time)
        size = float(np.linalg.norm(value))
        tip = at + arrow_length(size) * scene.pixel * value / (size or 1.0)
        pixels, where = screen.to_line(at, tip)
        return pixels / LINE, where
    if held not in (Grip.LINE, Grip.COIL):
        return nowhere
    ends = (element.marker_i, element.marker_j)
    if any(m not in p.marker_index for m in ends):
        return nowhere
    pixels, where = screen.to_line(*(p.marker_at(m) for m in ends))
    return pixels / (COIL if held is Grip.COIL else LINE), where


def _around(screen: Screen, marker: Id) -> tuple[float, np.ndarray]:
    """Whether the mouse is on what is drawn around a marker."""
    p = screen.scene.placement
    if marker not in p.marker_index:
        return np.inf, np.zeros(3)
    at = p.marker_at(marker)
    low, high = AROUND
    pixels = screen.to_place(at)
    return (0.9 if low <= pixels <= high else np.inf), at


def in_box(scene: Any, view: Any, box: Any) -> tuple[Id, ...]:
    """The elements entirely inside a box of the screen: bodies, joints, forces, tracers."""
    found = []
    for id, graphic in scene.graphics.items():
        if id in scene.hidden or not graphic.actors:
            continue
        seen = view.eye.project(scene.places((id,)), *view.extent)
        if len(seen) and np.isfinite(seen).all():
            x, y = seen.T
            low, high = box.topLeft(), box.bottomRight()
            if low.x() <= x.min() and x.max() <= high.x():
                if low.y() <= y.min() and y.max() <= high.y():
                    found.append(id)
    return tuple(found)
