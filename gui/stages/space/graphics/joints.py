"""Graphics of joints in space: their symbols in the frames of their markers, rods and wheels."""

from typing import Any

import numpy as np
from PySide6.QtGui import QColor

from engine.model.elements import GROUND, Element
from engine.model.joints import Gear, PointOnCircle, RackAndPinion, Rod, TypedConstraint
from gui.placing.plane.gears import pitch_radii
from gui.placing.space import solids
from gui.stages.space.graphics import symbols
from gui.stages.space.graphics.graphic import Graphic, View, add_bar, between_markers
from gui.stages.space.graphics.joint_symbols import SYMBOLS, JointSymbol
from gui.stages.space.graphics.symbols import TURN_Y, Part
from gui.stages.space.graphics.vtk_parts import place

MOST_UNIT = 0.026  # of a joint's symbol, in sizes of the model
HANGING = 0.25  # height over distance below a joint at which a body hangs from the ceiling
LEVEL, ALONG = 0.2, 0.9  # cosines: of axes that lie level, and of bodies that are held along them
FEWEST_SIDES = 6  # of a round part


def _view(symbol: JointSymbol) -> View:
    """The view that draws a symbol."""

    def draw(g: Graphic, joint: Any, i: int, j: int, scene: Any) -> None:
        roles = scene.roles_of(joint)
        g.least, g.rail = _least_unit(symbol, i, j, scene), symbol.rail
        parts = _parts(symbol, scene)
        moving = [part for part in parts if part.role == "j"]
        at: dict[int, list[Part]] = {}  # parts that follow one marker are one actor
        if moving:
            at[j] = moving
            _add_guide(g, symbol, [part for part in parts if part.role != "j"], roles, (i, j))
        else:
            at[j if symbol.is_at_j else i] = parts[:1] if scene.is_crowded else parts
        for marker, more in symbol.more:
            end = i if marker == "i" else j
            at[end] = [*at.get(end, []), *more(lambda n: _sides(n, scene))]
        g.marker_actors += [(g.add_symbol(own, roles), end) for end, own in at.items()]
        if symbol.stands and not scene.is_crowded:
            _add_foot(g, scene, i, j)

    return between_markers(draw)


def _sides(usual: int, scene: Any) -> int:
    """How many sides a round part has: fewer in models of many joints."""
    return max(round(scene.detail * usual), FEWEST_SIDES)


def _parts(symbol: JointSymbol, scene: Any) -> list[Part]:
    """The parts of a symbol; in the plane a rail lies along x."""
    parts = symbol.parts(lambda n: _sides(n, scene))
    if symbol.rail and scene.model.dim == 2:
        return [Part(part.solid.moved(TURN_Y), part.role) for part in parts]
    return parts


def _least_unit(symbol: JointSymbol, i: int, j: int, scene: Any) -> float:
    """The unit for which the symbol reaches out of the bodies it joins.

    A pin must be longer than the thickness of the bodies along it, a ball or cross wider than their
    smallest size.
    """
    p, need = scene.placement, 0.0
    for n in (i, j):
        body = scene.model.elements.get(p.markers[n].body)
        if body is None or getattr(body, "shape", None) is None:
            continue
        low, high = scene.solid(body).box.min(axis=0), scene.solid(body).box.max(axis=0)
        at = p.marker_P[n]
        if ((at < low - 1e-9) | (at > high + 1e-9)).any():
            continue
        if symbol.sleeve:
            half = np.minimum(at - low, high - at)  # to the nearer side, along each body axis
            need = max(need, float(np.sort(half)[:2].max()) / symbol.sleeve)
        elif symbol.pin:
            need = max(need, _to_side(p.marker_A[n][:, 2], at - low, high - at) / symbol.pin)
        else:
            need = max(need, 0.95 * float(np.sort(np.maximum(at - low, high - at))[1]))
    return min(1.08 * need, MOST_UNIT * scene.size)


def _to_side(axis: np.ndarray, down: np.ndarray, up: np.ndarray) -> float:
    """The distance along an axis, to the farther side, at which a box ends."""
    steep = np.maximum(np.abs(axis), 1e-9)
    forth, back = np.where(axis > 0.0, up, down), np.where(axis > 0.0, down, up)
    return max(float((forth / steep).min()), float((back / steep).min()))


def _add_guide(
    g: Graphic, symbol: JointSymbol, parts: list[Part], roles: dict[str, QColor], ends: Any
) -> None:
    """The track of a slider: a plate at marker i, or a rail in the middle between both markers."""
    bars, (i, j) = g.add_symbol(parts, roles), ends

    def follow(s: Any) -> None:
        """The middle is seen along the axis of i."""
        p = s.placement
        axis = p.A[i][:, 0] if p.model.dim == 2 else p.A[i][:, 2]
        middle = p.P[i]
        if symbol.rail:
            middle = p.P[i] + 0.5 * float((p.P[j] - p.P[i]) @ axis) * axis
        place(bars, p.A[i], middle, max(s.unit, g.least))

    g.places.append(follow)


def _add_foot(g: Graphic, scene: Any, i: int, j: int) -> None:
    """A pedestal under a joint that stands on the ground."""
    on_ground = [n for n in (i, j) if scene.placement.markers[n].body == GROUND]
    if not on_ground:
        return
    n = on_ground[0]
    R = _standing(n, j if n == i else i, scene)
    foot = g.add_symbol(symbols.foot(), {"foot": scene.inks.ground})

    def follow(s: Any) -> None:
        place(foot, R, s.placement.P[n], max(s.unit, min(g.least, 2.0 * s.unit)))

    g.places.append(follow)


def _standing(n: int, other: int, scene: Any) -> np.ndarray:
    """Axes of the mount of marker n, whose z leads from floor, wall or ceiling to what it carries.

    It stands, unless the body at the other marker hangs well below it, or is held at its end by a joint
    whose axis lies level and leads along it: then from a wall.
    """
    p, up = scene.placement, scene.upright
    k = int(p.marker_body[other])
    body = p.bodies[k] if k < len(p.bodies) else None
    if body is None:
        return up
    at = p.marker_P[n]
    away = p.drawn.r[k] + p.drawn.R[k] @ p.center[k] - at
    far = float(np.linalg.norm(away))
    if far <= 1e-9 * scene.size:
        return up
    if float(away @ up[:, 2]) < -HANGING * far:
        return up @ np.diag([1.0, -1.0, -1.0])
    axis = p.marker_A[n][:, 2]
    if p.model.dim == 2 or abs(axis[2]) > LEVEL or abs(float(away @ axis)) < ALONG * far:
        return up
    z = np.copysign(1.0, away @ axis) * np.array([axis[0], axis[1], 0.0])
    z /= np.linalg.norm(z)
    if getattr(body, "shape", None) is not None:
        corners = p.drawn.r[k] + scene.solid(body).box @ p.drawn.R[k].T - at
        if float((corners @ z).min()) < -0.1 * far:  # it goes through the mount
            return up
    return np.column_stack([np.cross(up[:, 2], z), up[:, 2], z])


def _rod(g: Graphic, rod: Any, i: int, j: int, scene: Any) -> None:
    """A bar with a ball at each end."""
    roles = scene.roles_of(rod)
    add_bar(g, rod, roles, 0.22, symbols.rod_body())
    for end in (i, j):
        g.marker_actors.append((g.add_symbol(symbols.ball("metal", 0.5), roles), end))


def _point_on_circle(g: Graphic, joint: Any, i: int, j: int, scene: Any) -> None:
    """The circle about marker i, and the ball that stays on it."""
    p, roles = scene.placement, scene.roles_of(joint)
    drawn = float(np.linalg.norm(p.P[j] - p.P[i]))
    radius = (drawn if joint.radius is None else float(joint.radius)) or 1e-3
    ring = g.add_symbol([Part(solids.torus(1.0, 0.02, 64), "metal")], roles)
    g.marker_actors.append((g.add_symbol(symbols.ball("j", 0.6), roles), j))
    g.places.append(lambda s: place(ring, s.placement.A[i], s.placement.P[i], radius))


def _gear(gear: Any, scene: Any) -> Graphic | None:
    """The pitch circles of both gears."""
    radii = pitch_radii(scene.placement.model, gear)
    return (
        None if radii is None else _wheels(gear.id, zip((gear.joint_1, gear.joint_2), radii), scene)
    )


def _pinion(rack: Any, scene: Any) -> Graphic | None:
    """The pitch circle of the pinion."""
    return _wheels(rack.id, ((rack.joint_1, rack.radius),), scene)


def _wheels(id: str, wheels: Any, scene: Any) -> Graphic | None:
    """A circle at the second marker of each joint; none where one of them does not exist."""
    p, g = scene.placement, Graphic(id)
    for joint, size in wheels:
        marker = getattr(scene.model.elements.get(joint), "marker_j", "")
        if marker not in p.marker_index:
            return None
        n, radius = p.marker_index[marker], abs(float(size)) or 1e-3
        wheel = g.add_symbol([Part(solids.torus(1.0, 0.025, 64), "dark")], scene.inks.roles)

        def follow(s: Any, wheel: Any = wheel, n: int = n, radius: float = radius) -> None:
            place(wheel, s.placement.A[n], s.placement.P[n], radius)

        g.places.append(follow)
    return g


def _typed_constraint(joint: Any, scene: Any) -> Graphic | None:
    """Two rings, the sign of equality, around the ball of a point."""
    p = scene.placement
    if joint.marker_i not in p.marker_index:
        return None
    g, n = Graphic(joint.id), p.marker_index[joint.marker_i]
    rings = [
        Part(solids.torus(1.1, 0.16, 32).moved(np.eye(3), (0.0, 0.0, z)), "metal")
        for z in (-0.4, 0.4)
    ]
    g.marker_actors.append(
        (g.add_symbol([*rings, *symbols.ball("dark", 0.5)], scene.inks.roles), n)
    )
    return g


JOINT_VIEWS: dict[type[Element], View] = {
    **{joint: _view(symbol) for joint, symbol in SYMBOLS.items()},
    Rod: between_markers(_rod),
    PointOnCircle: between_markers(_point_on_circle),
    Gear: _gear,
    RackAndPinion: _pinion,
    TypedConstraint: _typed_constraint,
}
