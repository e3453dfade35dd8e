"""The graphics of bodies, joints, forces, motions, tracers and markers in space."""

from typing import Any

import numpy as np
from PySide6.QtGui import QColor

from engine.model.elements import GROUND, Id
from gui.placing.loads import arrow_length
from gui.placing.space import solids
from gui.placing.space.inertia import inertia_box
from gui.placing.space.loads import force_in_space, torque_in_space
from gui.placing.space.placement import SpacePlacement
from gui.stages.space.graphics import symbols
from gui.stages.space.graphics.graphic import Graphic
from gui.stages.space.graphics.vtk_parts import place

ON_JOINT = ("torsion_spring", "joint_damping", "joint_limits", "actuator")
MOST_UNIT = 0.05  # of a joint's symbol, in sizes of the model
ARM = 0.26  # radius of an arm, in units of symbols
RAILS, RAIL = ("prismatic", "cylindrical", "screw", "point_on_line"), 4.4  # half its length
ARC = 1.9  # radius of an arc
COIL = 1.15  # half width of a spring
UNIT_SHARE = 0.014  # of the model's size that a unit usually has
BALL = 0.95  # radius of a point mass


def graphic_of(element: Any, scene: Any) -> Graphic | None:
    """The graphic of an element in a scene, or none."""
    builder = {
        "body": _body,
        "joint": _joint,
        "force": _force,
        "motion": _on_joint,
        "tracer": _tracer,
        "trigger": _trigger,
        "marker": _marker,
    }.get(element.family)
    return None if builder is None else builder(element, scene)


# --- bodies


def _body(body: Any, scene: Any) -> Graphic:
    g, p = Graphic(body.id), scene.placement
    k, color = p.body_index[body.id], scene.colors[body.id]
    shape = getattr(body, "shape", None)
    if not hasattr(body, "inertia"):  # a point mass
        ball = g.add_solid(solids.sphere(BALL, 14), color, scene.inks, 0.4)
        g.places.append(lambda s: place(ball, np.eye(3), s.placement.r[k], s.unit))
        g.solid = solids.sphere(BALL, 10)
        return g
    if shape is not None:
        solid = scene.solid(body)
        actor = g.add_solid(solid, color, scene.inks)
        actor.GetProperty().SetBackfaceCulling(shape.kind != "mesh")  # a mesh may have holes
        g.body_actors.append((actor, k))
        g.solid = solid
    elif (made := inertia_box(body, scene)) is not None:
        solid, cage = made
        g.body_actors.append((g.add_solid(cage, color, scene.inks), k))
        g.solid, g.outline = solid, cage
    for n in scene.arms_of(body):
        _arm(g, k, p.center[k], p.marker_P[n], color, scene)
    return g


def arms(p: SpacePlacement, k: int, solid: solids.Solid | None) -> list[int]:
    """The markers of body k that lie off its shape: an arm leads there."""
    found = []
    for n in np.flatnonzero(p.marker_body == k).tolist():
        if p.markers[n].id not in p.used:
            continue
        if solid is not None:
            if p.markers[n].id in p.sliding:
                continue
            low, high = solid.points.min(axis=0), solid.points.max(axis=0)
            slack = 1e-6 * float((high - low).max())
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


def along(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """Axes whose x leads from a to b, and how far that is."""
    d = np.asarray(b, dtype=float) - np.asarray(a, dtype=float)
    length = float(np.linalg.norm(d))
    if length < 1e-12:
        return np.eye(3), 1e-12
    x = d / length
    other = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    y = np.cross(other, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)]), length


# --- joints


def _joint(joint: Any, scene: Any) -> Graphic | None:
    p = scene.placement
    if not hasattr(joint, "marker_i"):
        return _transmission(joint, scene)
    if any(m not in p.marker_index for m in (joint.marker_i, joint.marker_j)):
        return None
    g, roles = Graphic(joint.id), scene.roles_of(joint)
    i, j = p.marker_index[joint.marker_i], p.marker_index[joint.marker_j]
    if joint.kind == "rod":
        _bar(g, joint, roles, 0.22)
        for end in (i, j):
            g.marker_actors.append((g.add_symbol(symbols.ball("metal", 0.5), roles), end))
        return g
    g.least = _least_unit(joint, scene)
    at = j if joint.kind in ("rolling_disc", "knife_edge") else i
    if joint.kind in ("prismatic", "cylindrical", "screw", "planar"):
        _slider(g, joint, i, j, roles, scene)
    else:
        parts = symbols.joint_parts(joint.kind, planar=p.model.dim == 2, detail=scene.detail)
        if parts:
            heart = parts[:1] if scene.is_crowded else parts
            g.marker_actors.append((g.add_symbol(heart, roles), at))
    if joint.kind == "universal":
        for marker, role, on_j in ((i, "i", False), (j, "j", True)):
            fork = g.add_symbol(symbols.fork_parts(role, along_y=on_j), roles)
            g.marker_actors.append((fork, marker))
    elif joint.kind in ("point_on_line", "point_on_plane"):
        g.marker_actors.append((g.add_symbol(symbols.pin_ball(scene.detail), roles), j))
    _foot(g, joint, scene, i, j)
    return g


def _least_unit(joint: Any, scene: Any) -> float:
    """How large a unit must be so that the symbol reaches out of the bodies it joins.

    A pin must be longer than the bodies are thick along it, a ball or cross wider than they are thin.
    """
    p, need = scene.placement, 0.0
    long = {"revolute": 1.3, "screw": 1.0, "cylindrical": 0.85, "prismatic": 0.75}
    for marker in (joint.marker_i, joint.marker_j):
        n = p.marker_index[marker]
        body = scene.model.elements.get(p.markers[n].body)
        if body is None or getattr(body, "shape", None) is None:
            continue
        low, high = scene.solid(body).box.min(axis=0), scene.solid(body).box.max(axis=0)
        at = p.marker_P[n]
        if ((at < low - 1e-9) | (at > high + 1e-9)).any():
            continue
        half = np.minimum(at - low, high - at)  # to the nearer side, along each body axis
        if joint.kind == "revolute" or joint.kind not in long:
            along_axis = _to_side(p.marker_A[n][:, 2], at - low, high - at)
            wide = float(np.sort(np.maximum(at - low, high - at))[1])
            need = max(need, along_axis / 1.3 if joint.kind == "revolute" else 0.95 * wide)
        else:
            across = np.sort(half)[:2]
            need = max(need, float(across.max()) / long[joint.kind])
    return min(1.08 * need, MOST_UNIT * scene.size)


def _to_side(axis: np.ndarray, down: np.ndarray, up: np.ndarray) -> float:
    """How far one must go along an axis, to the farther side, to leave a box."""
    steep = np.maximum(np.abs(axis), 1e-9)
    forth, back = np.where(axis > 0.0, up, down), np.where(axis > 0.0, down, up)
    return max(float((forth / steep).min()), float((back / steep).min()))


def _slider(g: Graphic, joint: Any, i: int, j: int, roles: dict, scene: Any) -> None:
    """A rail in the frame of marker i, and what slides on it at marker j."""
    parts = symbols.joint_parts(
        joint.kind, planar=scene.placement.model.dim == 2, detail=scene.detail
    )
    moving = [part for part in parts if part.role == "j"]
    rail = [part for part in parts if part.role != "j"]
    g.marker_actors.append((g.add_symbol(moving, roles), j))
    bars = g.add_symbol(rail, roles)

    def follow(s: Any) -> None:
        """The rail lies in the middle between both markers, seen along the axis of i."""
        p = s.placement
        axis = p.A[i][:, 0] if p.model.dim == 2 else p.A[i][:, 2]
        middle = p.P[i]
        if joint.kind != "planar":
            middle = p.P[i] + 0.5 * float((p.P[j] - p.P[i]) @ axis) * axis
        place(bars, p.A[i], middle, max(s.unit, g.least))

    g.places.append(follow)


def _foot(g: Graphic, joint: Any, scene: Any, i: int, j: int) -> None:
    """A pedestal under a joint that stands on the ground."""
    p = scene.placement
    on_ground = [n for n in (i, j) if p.markers[n].body == GROUND]
    if (
        not on_ground
        or scene.is_crowded
        or joint.kind in ("point_on_plane", "planar", "rolling_disc", "knife_edge")
    ):
        return
    n = on_ground[0]
    foot = g.add_symbol(symbols.foot(), {"foot": scene.inks.ground})
    R = scene.upright

    def follow(s: Any) -> None:
        place(foot, R, s.placement.P[n], max(s.unit, min(g.least, 2.0 * s.unit)))

    g.places.append(follow)


def _transmission(joint: Any, scene: Any) -> Graphic | None:
    """The pitch circles of gears, and of a pinion."""
    p, model = scene.placement, scene.model
    g = Graphic(joint.id)
    named = ((joint.joint_1, "radius_1"), (joint.joint_2, "radius_2"))
    for id, name in named if joint.kind == "gear" else ((joint.joint_1, "radius"),):
        marker = getattr(model.elements.get(id), "marker_j", "")
        if marker not in p.marker_index:
            return None
        n, radius = p.marker_index[marker], abs(float(getattr(joint, name))) or 1e-3
        wheel = g.add_symbol([symbols.Part(solids.torus(1.0, 0.025, 64), "dark")], scene.inks.roles)

        def follow(s: Any, wheel: Any = wheel, n: int = n, radius: float = radius) -> None:
            place(wheel, s.placement.A[n], s.placement.P[n], radius)

        g.places.append(follow)
    return g


def _bar(g: Graphic, element: Any, roles: dict, wide: float, parts: Any = None) -> None:
    """Something that reaches from marker i to marker j; `wide` is its half width in units."""
    actor = g.add_symbol(parts or symbols.rod_body(), roles)

    def follow(s: Any) -> None:
        p = s.placement
        a, b = p.marker_at(element.marker_i), p.marker_at(element.marker_j)
        R, length = along(a, b)
        half = min(wide * s.unit, 0.25 * length)
        place(actor, R, a, (length, half, half))

    g.places.append(follow)


# --- forces and motions


def _force(force: Any, scene: Any) -> Graphic | None:
    p = scene.placement
    if force.kind in ON_JOINT:
        return _on_joint(force, scene)
    ends = [m for m in (force.marker_i, getattr(force, "marker_j", None)) if m is not None]
    if any(m not in p.marker_index for m in ends):
        return None
    g, roles = Graphic(force.id), scene.inks.roles
    if force.kind in ("spring", "spring_damper"):
        _bar(g, force, roles, COIL, symbols.coil(_slenderness(force, scene)))
    if force.kind in ("damper", "spring_damper"):
        _damper(g, force, roles, 0.5 if force.kind == "damper" else 0.34)
    if force.kind == "bushing":
        n = p.marker_index[force.marker_i]
        g.marker_actors.append((g.add_symbol(symbols.bushing(), roles), n))
    elif force.kind == "general_force":
        load = {**roles, "dark": scene.inks.load}
        _bar(g, force, load, 0.16)
    elif force.kind == "force":
        _point_force(g, force, roles)
    elif force.kind == "torque":
        _torque(g, force, roles, scene)
    return g


def _slenderness(force: Any, scene: Any) -> float:
    """How many times longer than its half width a spring is as designed."""
    a, b = (scene.placement.marker_at(m) for m in (force.marker_i, force.marker_j))
    usual = UNIT_SHARE * scene.size * COIL
    return max(float(np.linalg.norm(b - a)) / usual, 4.0)


def _damper(g: Graphic, force: Any, roles: dict, wide: float) -> None:
    """A thin bar with a cup in its middle."""
    _bar(g, force, roles, 0.16)
    cup = g.add_symbol(symbols.cup(), roles)

    def follow(s: Any) -> None:
        a, b = (s.placement.marker_at(m) for m in (force.marker_i, force.marker_j))
        R, length = along(a, b)
        half = min(wide * s.unit, 0.2 * length)
        place(cup, R, a + 0.3 * length * R[:, 0], (0.36 * length, half, half))

    g.places.append(follow)


def _point_force(g: Graphic, force: Any, roles: dict) -> None:
    """An arrow whose length grows with the power of ten of the force."""
    shaft = g.add_symbol(symbols.arrow("load"), roles)
    head = g.add_symbol(symbols.arrow_head("load"), roles)

    def follow(s: Any) -> None:
        value = force_in_space(s.placement, force, s.time)
        size = float(np.linalg.norm(value))
        at = s.placement.marker_at(force.marker_i)
        tip = at + arrow_length(size) * s.pixel * (value / size if size else np.array([1.0, 0, 0]))
        R, length = along(at, tip)
        tall = min(0.62 * s.unit, 0.2 * length)
        thin = 0.3 * tall
        place(shaft, R, at, (max(length - 2.0 * tall, 1e-9), thin, thin))
        place(head, R, at + (length - 2.4 * tall) * R[:, 0], tall)

    g.places.append(follow)


def _torque(g: Graphic, force: Any, roles: dict, scene: Any) -> None:
    """An arc about the torque."""
    arc = g.add_symbol(symbols.turning_arrow("load"), roles)
    g.least = _around_body(force.marker_i, scene)

    def follow(s: Any) -> None:
        value = torque_in_space(s.placement, force, s.time)
        size = float(np.linalg.norm(value))
        axis = value / size if size else np.array([0.0, 0.0, 1.0])
        size = max(1.25 * s.unit, g.least)
        place(arc, _about(axis), s.placement.marker_at(force.marker_i), size)

    g.places.append(follow)


def _around_body(marker: Id, scene: Any) -> float:
    """How large a unit must be so that an arc runs around the body of a marker, within reason."""
    p = scene.placement
    body = scene.model.elements.get(p.marker_body_id(marker))
    if body is None or getattr(body, "shape", None) is None:
        return 0.0
    half = 0.5 * np.ptp(scene.solid(body).box, axis=0)
    return min(1.15 * float(np.sort(half)[1]) / ARC, 2.0 * MOST_UNIT * scene.size)


def _about(axis: np.ndarray) -> np.ndarray:
    """Axes whose z is this one."""
    R, _ = along(np.zeros(3), axis)
    return np.column_stack([R[:, 1], R[:, 2], R[:, 0]])


def _on_joint(element: Any, scene: Any) -> Graphic | None:
    """What drives or holds a joint: a motor, a motion, a torsion spring, a damping."""
    p = scene.placement
    joint = scene.model.elements.get(element.joint)
    if element.kind == "joint_limits" or getattr(joint, "marker_j", "") not in p.marker_index:
        return None
    g, roles = Graphic(element.id), scene.inks.roles
    slides = joint.kind in ("prismatic", "rod", "point_on_line") or element.coordinate in (
        *("displacement", "x", "y", "length"),
    )
    if element.kind == "torsion_spring":
        parts = symbols.torsion_coil()
    elif element.kind == "joint_damping":
        parts = [symbols.Part(solids.torus(1.25, 0.2), "spring")]
    elif slides:
        parts = symbols.sliding_arrow("drive")
        if p.model.dim == 2:
            parts = [symbols.Part(q.solid.moved(symbols.TURN_Y), q.role) for q in parts]
    else:
        parts = symbols.turning_arrow("drive")
    actor = g.add_symbol(parts, roles)
    n = p.marker_index[joint.marker_i]
    if joint.kind == "rod":
        g.marker_actors.append((actor, n))
        return g

    def follow(s: Any) -> None:
        """Around the symbol of the joint, however large that is."""
        size = max(s.unit, s.graphics[joint.id].least if joint.id in s.graphics else 0.0)
        place(actor, s.placement.A[n], s.placement.P[n], size)

    g.places.append(follow)
    return g


# --- points


def _tracer(tracer: Any, scene: Any) -> Graphic | None:
    p = scene.placement
    if tracer.marker not in p.marker_index:
        return None
    g = Graphic(tracer.id)
    own = QColor(tracer.color) if tracer.color else scene.color_of(p.marker_body_id(tracer.marker))
    dot = g.add_symbol(symbols.ball("own", 0.42), {"own": own})
    g.marker_actors.append((dot, p.marker_index[tracer.marker]))
    return g


def _trigger(trigger: Any, scene: Any) -> Graphic | None:
    if any(m not in scene.placement.marker_index for m in (trigger.marker_i, trigger.marker_j)):
        return None
    g = Graphic(trigger.id)
    _bar(g, trigger, {"dark": scene.inks.quiet}, 0.08)
    return g


def _marker(marker: Any, scene: Any) -> Graphic | None:
    """A small cross of axes where nothing else stands."""
    p = scene.placement
    if marker.id in p.used or marker.id not in p.marker_index:
        return None
    g = Graphic(marker.id)
    axes = g.add_symbol(symbols.triad(0.42), scene.inks.roles)
    g.marker_actors.append((axes, p.marker_index[marker.id]))
    return g


def reach_of(scene: Any, id: Id) -> np.ndarray:
    """Places (n, 3) around what is drawn of an element, in the pose."""
    p, element = scene.placement, scene.model.elements.get(id)
    if element is None:
        return np.zeros((0, 3))
    if element.family == "body":
        k = p.body_index[id]
        solid = scene.graphics[id].solid if id in scene.graphics else None
        if solid is None or not hasattr(element, "inertia"):
            return np.concatenate([p.centers[k : k + 1], p.P[p.marker_body == k]])
        return p.r[k] + solid.box @ p.R[k].T
    names = ("marker", "marker_i", "marker_j")
    ends = [getattr(element, name, "") for name in names]
    if hasattr(element, "joint"):
        ends.append(getattr(scene.model.elements.get(element.joint), "marker_j", ""))
    if element.family == "marker":
        ends.append(id)
    found = [p.marker_at(m) for m in ends if m in p.marker_index]
    if element.kind in RAILS and element.marker_i in p.marker_index and id in scene.graphics:
        unit = max(scene.unit, scene.graphics[id].least)
        rail = RAIL * unit * p.marker_axes(element.marker_i)[:, 2 if p.model.dim == 3 else 0]
        found += [place + side * rail for place in found[:1] for side in (-1.0, 1.0)]
    return np.array(found).reshape(-1, 3)
