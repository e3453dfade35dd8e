"""The shadow of a spatial model on the xz plane, as a planar model that the stage can draw.

Bodies become the hulls of their silhouettes, in world coordinates, x to the right and z up. Ids stay,
so that what is seen can be selected.
"""

from math import atan2, hypot
from typing import Any

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.kinematics.poses import body_frames
from engine.model.bodies import PlanarBody, PlanarMarker, PlanarParticle
from engine.model.elements import GROUND, Element, Id, Model, planar
from engine.model.forces import Damper, PointForce, Spring, SpringDamper
from engine.model.joints import Prismatic, Revolute, Rod
from engine.model.shapes import Polygon, body_mass_properties
from rotations import quaternion

Pose = tuple[np.ndarray, np.ndarray]  # origin and axes (columns) of a body frame
SEEN = (0, 2)  # the axes in the picture
PINNED = ("revolute", "spherical", "universal", "weld")
SLIDING = ("prismatic", "cylindrical", "screw")
SPRINGS = {"spring": Spring, "damper": Damper, "spring_damper": SpringDamper}
END_ON = 0.2  # of its length: an axis seen so short is seen from its end


def poses_as_drawn(model: Model) -> dict[Id, Pose]:
    """Where the bodies of a plain spatial model are drawn."""
    geometry = Geometry.__new__(Geometry)  # without masses, which a drawing may lack
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
    """The planar model that looks as a plain spatial one does from the front, in this pose."""
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
    """What stands for a joint, force, motion or tracer in the picture, or nothing."""
    common = {"id": element.id, "name": element.name}
    if element.family == "tracer":
        return element if element.marker in known else None
    if hasattr(element, "joint"):
        return element if element.joint in known and element.kind != "joint_limits" else None
    ends = [getattr(element, name, "") for name in ("marker_i", "marker_j")]
    if any(end and end not in known for end in ends) or not ends[0]:
        return None
    if element.family == "trigger":
        return element
    if element.kind == "force":
        return PointForce(**common, marker_i=ends[0], f_x=element.f_x, f_y=element.f_z)
    joined = {**common, "marker_i": ends[0], "marker_j": ends[1]}
    if element.kind in SPRINGS:
        both = {"stiffness": element.stiffness, "damping": element.damping}
        return SPRINGS[element.kind](**joined, **both)
    if element.kind == "rod":
        return Rod(**joined)
    end_on = hypot(*axes[ends[0]]) <= END_ON
    if element.kind in PINNED or (element.kind in SLIDING and end_on):
        return Revolute(**joined)
    return Prismatic(**joined) if element.kind in SLIDING else None


def corners(shape: Any) -> np.ndarray:
    """Points (n, 3) of a spatial shape in its body frame; their convex hull is its silhouette."""
    circle = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
    if shape.kind in ("rod", "box"):
        size = (
            (shape.length, shape.width, shape.thickness)
            if shape.kind == "rod"
            else (shape.width, shape.height, shape.thickness)
        )
        flat = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * size[:2]
        return _drawn_out(flat, size[2])
    if shape.kind == "cylinder":
        rim = shape.radius * np.column_stack([np.cos(circle), np.sin(circle)])
        return _drawn_out(rim, shape.length)
    if shape.kind == "polygon":
        return _drawn_out(np.array(shape.points, dtype=float), shape.thickness)
    u, v = np.meshgrid(circle, circle[:17])
    ball = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1).reshape(-1, 3)
    if shape.kind == "sphere":
        return shape.radius * ball
    vertices = np.array(shape.vertices, dtype=float)  # a mesh: its farthest points all round
    return vertices[np.unique([np.argmax(vertices @ direction) for direction in ball])]


def _drawn_out(flat: np.ndarray, thickness: float) -> np.ndarray:
    """A flat outline at both ends of a thickness along z."""
    ends = [np.full(len(flat), side * thickness / 2) for side in (-1, 1)]
    return np.concatenate([np.column_stack([flat, z]) for z in ends])


def hull(points: np.ndarray) -> np.ndarray:
    """The convex hull of points (n, 2), anticlockwise: the lower chain, then the upper one."""
    ordered = sorted(map(tuple, points.tolist()))
    chains = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in run:
            while len(chain) > 1:
                (x0, y0), (x1, y1) = chain[-2:]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
        chains += chain[:-1]
    return np.array(chains or ordered[:1])
