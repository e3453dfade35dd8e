"""The projection of a spatial model on the xz plane, as a planar model that the stage can draw.

Bodies become the hulls of their silhouettes, in world coordinates, x to the right and z up. Ids stay, so
that elements can be selected.
"""

from functools import lru_cache
from math import atan2, hypot
from typing import Any

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.kernels.layout import FORCE
from engine.kinematics.poses import body_frames
from engine.model.attachments import Attachment, attachment
from engine.model.bodies import PlanarBody, PlanarMarker, PlanarParticle
from engine.model.connections import Load
from engine.model.elements import GROUND, Element, Id, Model, planar
from engine.model.forces import JointLimits, PointForce
from engine.model.forces.base import Force
from engine.model.joints import Joint, Prismatic, Revolute
from engine.model.joints.freedom import freedom
from engine.model.shapes import Polygon, body_mass_properties
from engine.model.solids import hull
from gui.placing.grips import Grip, grip, is_slider
from gui.placing.space.shapes import solid_of
from gui.placing.space.solids import sphere
from rotations import quaternion

Pose = tuple[np.ndarray, np.ndarray]  # origin and axes (columns) of a body frame
SEEN = (0, 2)  # the axes in the picture
FINE = 2  # level of detail of round solids
MOST_CORNERS = 2000  # of a solid whose hull is found from all of them
MOST_KEPT = 64  # shapes whose corners are kept while a run is played
DIRECTIONS = 16  # rings of directions in which the farthest corners of the others are looked for
END_ON = 0.2  # of its length: an axis that appears this short is seen end-on


def poses_as_drawn(model: Model) -> dict[Id, Pose]:
    """Where the bodies of a plain spatial model are drawn."""
    geometry = Geometry.__new__(Geometry)  # without masses, which may be missing in a drawing
    geometry.dim = 3
    return {body.id: Geometry.pose(geometry, body) for body in model.of("body")}


def poses_of_row(compiled: Compiled, q_row: np.ndarray) -> dict[Id, Pose]:
    """Where the bodies are in a row of q."""
    found = poses_as_drawn(compiled.resolved)
    r, R = body_frames(compiled, q_row)
    for k, id in enumerate(compiled.body_ids):
        found[id] = (r[k], R[k])
    return found


def shadow(model: Model, poses: dict[Id, Pose]) -> Model:
    """The planar model that looks like a plain spatial one seen from the front, in this pose."""
    elements: dict[Id, Element] = {p.id: p for p in model.of("parameter")}  # forces may use them
    for body in model.of("body"):
        elements[body.id] = _body(body, poses[body.id])
    axes = {}
    for marker in model.of("marker"):
        r, R = poses.get(marker.body, (np.zeros(3), np.eye(3)))
        if marker.body != GROUND and marker.body not in poses:
            continue
        own = R @ quaternion.matrix(np.array(marker.orientation, dtype=float))
        x, y = (r + R @ np.array(marker.position, dtype=float))[list(SEEN)]
        axis = own[list(SEEN), 2]
        axes[marker.id] = axis
        turn = atan2(axis[1], axis[0]) if hypot(*axis) > END_ON else 0.0
        place: Any = (float(x), float(y))
        elements[marker.id] = PlanarMarker(
            id=marker.id, name=marker.name, body=marker.body, position=place, angle=turn
        )
    for element in model:
        if element.family in ("joint", "force", "motion", "tracer", "trigger"):
            seen = _seen(element, elements, axes)
            if seen is not None:
                elements[element.id] = seen
    return planar(model.name, elements=elements)


def _body(body: Any, pose: Pose) -> Element:
    """The silhouette of a body, or the ball of a point mass, in world coordinates."""
    r, R = pose
    common = {"id": body.id, "name": body.name, "color": body.color, "fixed": body.fixed}
    if not hasattr(body, "inertia"):
        place: Any = tuple(map(float, r[list(SEEN)]))
        return PlanarParticle(**common, position=place)
    try:
        center = r + R @ np.array(body_mass_properties(body).center)
    except EngineError:
        center = r
    shape = None
    if body.shape is not None:
        outline = hull((r + corners(body.shape) @ R.T)[:, list(SEEN)])
        if len(outline) > 2:
            shape = Polygon(points=tuple((float(x), float(y)) for x, y in outline))
    place = tuple(map(float, center[list(SEEN)]))
    return PlanarBody(**common, shape=shape, mass=1.0, inertia=1.0, center=place)


def _seen(element: Any, known: dict[Id, Element], axes: dict[Id, np.ndarray]) -> Element | None:
    """The planar element for a joint, force, motion or tracer, or nothing."""
    common = {"id": element.id, "name": element.name}
    if element.family == "tracer":
        return element if element.marker in known else None
    if attachment(element) is Attachment.ON_JOINT:
        seen = element.joint in known and not isinstance(element, JointLimits)  # of another joint
        return element if seen else None
    ends = [getattr(element, name, "") for name in ("marker_i", "marker_j")]
    if any(end and end not in known for end in ends) or not ends[0]:
        return None
    if element.family == "trigger":
        return element
    forces = [load for load in _loads(element) if load.kind == FORCE]
    if forces:
        x, _, z = forces[0].components
        return PointForce(**common, marker_i=ends[0], f_x=x, f_y=z)
    if grip(element) in (Grip.LINE, Grip.COIL):
        return element if 2 in element.dims else None
    return _seen_joint(element, {**common, "marker_i": ends[0], "marker_j": ends[1]}, axes)


def _loads(element: Any) -> tuple[Load, ...]:
    return element.loads(planar()) if isinstance(element, Force) else ()


def _seen_joint(element: Any, joined: dict[str, Any], axes: dict[Id, np.ndarray]) -> Element | None:
    """A pin for what holds a point, and for a slider that is seen from its end; else a slider."""
    if not isinstance(element, Joint):
        return None
    end_on = hypot(*axes[element.marker_i]) <= END_ON
    if freedom(element, 3).holds_point or (is_slider(element, 3) and end_on):
        return Revolute(**joined)
    return Prismatic(**joined) if is_slider(element, 3) else None


@lru_cache(maxsize=MOST_KEPT)
def corners(shape: Any) -> np.ndarray:
    """Points (n, 3) of a spatial shape in its body frame; their convex hull is its silhouette.

    Of a solid of many corners only the farthest ones all round.
    """
    points = solid_of(shape, FINE).points
    if len(points) <= MOST_CORNERS:
        return points
    directions = sphere(1.0, DIRECTIONS).points
    return points[np.unique([np.argmax(points @ direction) for direction in directions])]
