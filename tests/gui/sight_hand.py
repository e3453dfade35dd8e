"""A simulated mouse that operates a tool in space without a window: it hits boxes, cylinders and balls.

Places are given in metres. The camera looks from far away in one direction; intersections are exact.
"""

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.editing import edits
from engine.editing.edits.space.solids import box_middle, half_sizes, shape_of
from engine.model.elements import spatial
from gui.placing.space.picks import Ray, SpacePick
from gui.state.playback import Playback
from gui.tools.base import NO_MODIFIER
from tests.gui.hands import Hand

PIXEL = 0.002
GRID = 0.01
REACH = 8.0  # pixels within which the mouse snaps to a point
ASLANT = (-0.6, 0.64, -0.48)


def cut(shape, o, d):
    """How far a ray of a body's frame goes to its surface, the normal and the natural axis there."""
    kind = getattr(shape, "kind", "")
    if kind in ("", "sphere"):
        radius = shape.radius if kind else 3.0 * PIXEL
        b, c = o @ d, o @ o - radius**2
        if b * b < c:
            return None
        t = -b - np.sqrt(b * b - c)
        normal = (o + t * d) / radius
        return t, normal, normal
    half, faces = half_sizes(shape), []
    with np.errstate(divide="ignore"):
        first, last = np.sort([(-half - o) / d, (half - o) / d], axis=0)
    if kind == "cylinder":
        a, b, c = d[:2] @ d[:2], o[:2] @ d[:2], o[:2] @ o[:2] - half[0] ** 2
        if b * b < a * c:
            return None
        root = np.sqrt(b * b - a * c)
        first[:2], last[:2] = (-b - root) / a, (-b + root) / a
    k = int(first.argmax())
    t = first[k]
    if t > last.min():
        return None
    if kind == "cylinder" and k < 2:
        out = (o + t * d) * (1.0, 1.0, 0.0) / half[0]
        return t, out, np.array([0.0, 0.0, 1.0])
    faces = np.zeros(3)
    faces[k] = -np.sign(d[k])
    return t, faces, faces


class FakeStage(QObject):
    """What the selection tool needs of its stage."""

    edit_requested = Signal(str)
    pull_started = Signal(str, object, object)
    pull_moved = Signal(object)
    pull_ended = Signal()

    def __init__(self):
        super().__init__()
        self.is_live = False
        self.playback = Playback()

    def across(self, ray, through):
        """Where a line of sight meets the plane through a place that faces the camera."""
        o, d = np.array(ray.origin), np.array(ray.direction)
        return tuple(map(float, o + float((np.array(through) - o) @ d) * d))


class SpaceHand(Hand):
    """A document in space, a selection, a tool, and the messages of the tool."""

    def __init__(self, model=None, sight=ASLANT):
        super().__init__()
        self.document.new(spatial() if model is None else model)
        self.sight = np.array(sight) / np.linalg.norm(sight)
        self.stage = FakeStage()

    def take(self, tool_class):
        """Activate a tool."""
        super().take(tool_class)
        self.tool.pixel = PIXEL
        if getattr(self.tool, "stage", self) is None:
            self.tool.stage = self.stage
            self.tool.start()
        return self

    def pick(self, x, y, z, handle=""):
        """The pick that the stage would pass to the tool at a place."""
        place = np.array([x, y, z], dtype=float)
        ray = Ray(tuple(map(float, place - 50.0 * self.sight)), tuple(map(float, self.sight)))
        left_out = set(getattr(self.tool, "dragged_ids", ()))
        hits = [hit for hit in self._hits(np.array(ray.origin)) if hit[1] not in left_out]
        bodies = tuple(hit[1] for hit in hits)
        found = {"ray": ray, "pixel": PIXEL, "bodies": bodies, "handle": handle}
        if bodies:
            found |= {"element": bodies[0]}
            found |= dict(zip(("point", "normal", "axis"), hits[0][2:]))
        else:
            t = -ray.origin[2] / self.sight[2]
            at = np.array(ray.origin) + t * self.sight
            grid = np.round(at / GRID) * GRID
            near = float(np.linalg.norm(grid - at)) < REACH * PIXEL
            at = grid + 0.0 if near else at
            found |= {"point": tuple(map(float, at)), "snapped": near}
            found |= {"snap_kind": "grid" if near else ""}
        return self._caught(place, SpacePick(**found), left_out)

    def _hits(self, origin):
        """Bodies along the sight, nearest first: depth, id, place, normal, axis."""
        found = []
        for body in self.model.of("body"):
            frame, shape = edits.space_frame(self.model, body.id), shape_of(self.model, body.id)
            o = frame.R.T @ (origin - frame.r) - box_middle(shape)
            met = cut(shape, o, frame.R.T @ self.sight)
            if met is not None:
                t, normal, axis = met
                ends = (origin + t * self.sight, frame.R @ normal, frame.R @ axis)
                found.append((t, body.id, *(tuple(map(float, e)) for e in ends)))
        return sorted(found)

    def _caught(self, place, pick, left_out):
        """The pick at a joint, a marker or the middle of a flat face that is near the mouse."""
        model = self.model
        for joint in model.of("joint"):
            if joint.id in left_out or not edits.markers_of(joint):
                continue
            at = edits.joint_point(model, joint.id)
            if np.linalg.norm(np.subtract(at, place)) < REACH * PIXEL:
                return pick._replace(
                    point=at, snapped=True, snap_kind="joint", joint=joint.id, element=joint.id
                )
        for body in pick.bodies[:1]:
            frame, half = (
                edits.space_frame(model, body),
                half_sizes(shape_of(model, body)),
            )
            local = frame.R.T @ np.array(pick.normal)
            k = int(np.abs(local).argmax())
            if abs(local[k]) > 1.0 - 1e-9:
                at = frame.to_world(np.sign(local) * half * (np.arange(3) == k))
                if np.linalg.norm(np.subtract(at, place)) < REACH * PIXEL:
                    return pick._replace(point=at, snapped=True, snap_kind="face")
        return pick

    def move(self, *at, held=NO_MODIFIER, handle=""):
        """Move the mouse."""
        self.tool.move(self.pick(*at, handle=handle), held)
        return self.tool.preview

    def press(self, *at, held=NO_MODIFIER, handle=""):
        """Press the button."""
        self.move(*at, held=held, handle=handle)
        self.tool.press(self.pick(*at, handle=handle), held)

    def release(self, *at, held=NO_MODIFIER, handle=""):
        """Release the button."""
        self.move(*at, held=held, handle=handle)
        self.tool.release(self.pick(*at, handle=handle), held)

    def click(self, *at, held=NO_MODIFIER):
        """Press and release at one place."""
        self.press(*at, held=held)
        self.release(*at, held=held)

    def drag(self, a, b, held=NO_MODIFIER, handle=""):
        """Press at one place, move in steps and release at another."""
        a, b = np.array(a, dtype=float), np.array(b, dtype=float)
        self.press(*a, held=held, handle=handle)
        for share in (0.3, 0.6):
            self.move(*(a + share * (b - a)), held=held, handle=handle)
        self.release(*b, held=held, handle=handle)
