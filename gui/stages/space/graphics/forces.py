"""Graphics of springs, loads, motors and motions in space."""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtGui import QColor

from engine.model.elements import Element, Id
from engine.model.fields import plain
from engine.model.forces import (
    Actuator,
    AirDrag,
    Bushing,
    Cable,
    Contact,
    ContactAll,
    Controller,
    Damper,
    DcMotor,
    GeneralForce,
    HydraulicCylinder,
    JointDamping,
    JointFriction,
    JointLimits,
    Maxwell,
    PointForce,
    Spring,
    SpringDamper,
    StateForce,
    Torque,
    TorsionSpring,
)
from engine.model.forces.cable import WAYS, wound
from engine.model.joints import Motion
from gui.placing.grips import is_along_length
from gui.placing.loads import arrow_length
from gui.placing.space import solids
from gui.placing.space.loads import force_in_space, torque_in_space
from gui.placing.touching import touching
from gui.stages.space.graphics import symbols
from gui.stages.space.graphics.graphic import Graphic, View, add_bar, along, between_markers
from gui.stages.space.graphics.joints import MOST_UNIT
from gui.stages.space.graphics.symbols import TURN_Y, Part
from gui.stages.space.graphics.vtk_parts import place

Roles = dict[str, QColor]
ON_PULLEY = 14  # pieces of a cable that lies on a cylinder
CABLE = 0.16  # half the width of a cable, in units of symbols
ARC = 1.9  # radius of an arc
OPENING, WALL = 0.6, 0.06  # of a socket: half its angle [rad], and its wall in radii
COIL = 1.15  # half width of a spring
CUP, BESIDE = 0.5, 0.34  # half widths of a damper by itself, and beside a spring
UNIT_SHARE = 0.014  # of the model's size that a unit usually has


# --- between two points


def _spring(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A coil."""
    coil = symbols.coil(_slenderness(force, scene))
    add_bar(g, force, scene.inks.roles, COIL, coil)


def _damper(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A bar with a cup."""
    _add_cup(g, force, scene.inks.roles, CUP)


def _spring_damper(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A coil around a damper."""
    _spring(g, force, i, j, scene)
    _add_cup(g, force, scene.inks.roles, BESIDE)


def _series(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A coil and behind it a cup, on one thin bar."""
    add_bar(g, force, scene.inks.roles, 0.16, symbols.rod_body())
    coil = g.add_symbol(symbols.coil(0.5 * _slenderness(force, scene)), scene.inks.roles)
    cup = g.add_symbol(symbols.cup(), scene.inks.roles)

    def follow(s: Any) -> None:
        a, b = (s.placement.marker_at(m) for m in (force.marker_i, force.marker_j))
        R, length = along(a, b)
        wide, half = min(COIL * s.unit, 0.2 * length), min(CUP * s.unit, 0.2 * length)
        place(coil, R, a, (0.5 * length, wide, wide))
        place(cup, R, a + 0.58 * length * R[:, 0], (0.3 * length, half, half))

    g.places.append(follow)


def _cylinder(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A wide barrel from the first end, and a rod from the second."""
    add_bar(g, force, scene.inks.roles, 0.2, symbols.rod_body())
    barrel = g.add_symbol(symbols.cup(), scene.inks.roles)

    def follow(s: Any) -> None:
        a, b = (s.placement.marker_at(m) for m in (force.marker_i, force.marker_j))
        R, length = along(a, b)
        long = min(float(force.stroke), 0.8 * length)
        half = min(0.9 * s.unit, 0.2 * length)
        place(barrel, R, a, (long, half, half))

    g.places.append(follow)


def _contact(g: Graphic, contact: Any, i: int, j: int, scene: Any) -> None:
    """Two thin discs, one over the other, where round shapes would touch."""
    parts = [
        Part(solids.cylinder(0.8, 0.10, 24).moved(np.eye(3), (0.0, 0.0, z)), "metal")
        for z in (-0.2, 0.2)
    ]
    discs, found = g.add_symbol(parts, scene.inks.roles), touching(contact, scene.model)
    own, other = (i, j) if found.side == "i" else (j, i)

    def follow(s: Any) -> None:
        P, A = s.placement.P, s.placement.A
        here, there = P[own] + A[own] @ found.middle, P[other] + A[other] @ found.aim
        at, n = found.mark(here, there, A[other][:, 2])
        place(discs, _about(n), at, s.unit)

    g.places.append(follow)
    for n, other, shape, radius in (
        (i, j, contact.shape_i, contact.radius_i),
        (j, i, contact.shape_j, contact.radius_j),
    ):
        if shape == "circle" and isinstance(radius, float | int):
            _add_ball(g, (contact.marker_i, contact.marker_j)[n == j], float(radius), scene)
        if shape == "hole" and isinstance(radius, float | int) and radius > 0.0:
            _add_socket(g, n, other, float(radius), scene)


def _add_ball(g: Graphic, marker: Id, radius: float, scene: Any) -> None:
    """The ball with which a marker touches, as large as it is."""
    ball = g.add_symbol([Part(solids.sphere(radius, 14), "metal")], scene.inks.roles)
    g.places.append(lambda s: place(ball, np.eye(3), s.placement.marker_at(marker), 1.0))


def _add_socket(g: Graphic, n: int, other: int, radius: float, scene: Any) -> None:
    """The part of a hole in which the other shape lies as drawn, as a cup on the body of marker n."""
    p = scene.placement
    parts = [Part(solids.bowl(radius, OPENING, WALL * radius, 12), "paper")]
    cup = g.add_symbol(parts, scene.inks.roles)
    own = p.A[n].T @ _about(p.P[other] - p.P[n])  # along the axes of the marker
    g.places.append(lambda s: place(cup, s.placement.A[n] @ own, s.placement.P[n], 1.0))


def _contact_all(g: Graphic, contact: Any, scene: Any) -> None:
    """Three balls that touch, on the xy plane of the marker."""
    n = scene.placement.marker_index[contact.marker_i]
    balls = [
        Part(solids.sphere(0.3, 14).moved(np.eye(3), (0.34 * x, 0.34 * y, 0.3)), "metal")
        for x, y in ((0.0, 1.0), (-0.87, -0.5), (0.87, -0.5))
    ]
    symbol = g.add_symbol(balls, scene.inks.roles)
    g.places.append(lambda s: place(symbol, s.placement.A[n], s.placement.P[n], s.unit))


def _bushing(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A sleeve of rubber at marker i."""
    g.marker_actors.append((g.add_symbol(symbols.bushing(), scene.inks.roles), i))


def _general_force(g: Graphic, force: Any, i: int, j: int, scene: Any) -> None:
    """A thin bar in the colour of loads; about the axis of a torque an arc."""
    load = {**scene.inks.roles, "dark": scene.inks.load}
    add_bar(g, force, load, 0.16, symbols.rod_body())
    if getattr(force, "acts", "line") == "torque":
        arc, axis = g.add_symbol(symbols.turning_arrow("load"), scene.inks.roles), force.about

        def follow(s: Any) -> None:
            about = s.placement.A[i][:, "xyz".index(axis)]
            place(arc, _about(about), s.placement.P[j], 1.25 * s.unit)

        g.places.append(follow)


def _slenderness(force: Any, scene: Any) -> float:
    """How many times longer than its half width a spring is as designed."""
    a, b = (scene.placement.marker_at(m) for m in (force.marker_i, force.marker_j))
    usual = UNIT_SHARE * scene.size * COIL
    return max(float(np.linalg.norm(b - a)) / usual, 4.0)


def _add_cup(g: Graphic, force: Any, roles: Roles, wide: float) -> None:
    """A thin bar with a cup in its middle."""
    add_bar(g, force, roles, 0.16, symbols.rod_body())
    cup = g.add_symbol(symbols.cup(), roles)

    def follow(s: Any) -> None:
        a, b = (s.placement.marker_at(m) for m in (force.marker_i, force.marker_j))
        R, length = along(a, b)
        half = min(wide * s.unit, 0.2 * length)
        place(cup, R, a + 0.3 * length * R[:, 0], (0.36 * length, half, half))

    g.places.append(follow)


# --- at one point


def _at_marker(draw: Callable[[Graphic, Any, Any], None]) -> View:
    """The view of an element on marker i; nothing where that does not exist."""

    def view(element: Any, scene: Any) -> Graphic | None:
        if element.marker_i not in scene.placement.marker_index:
            return None
        g = Graphic(element.id)
        draw(g, element, scene)
        return g

    return view


def _point_force(g: Graphic, force: Any, scene: Any) -> None:
    """An arrow whose length grows with the power of ten of the force."""
    shaft = g.add_symbol(symbols.arrow("load"), scene.inks.roles)
    head = g.add_symbol(symbols.arrow_head("load"), scene.inks.roles)

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


def _torque(g: Graphic, force: Any, scene: Any) -> None:
    """An arc about the torque."""
    arc = g.add_symbol(symbols.turning_arrow("load"), scene.inks.roles)
    g.least = _around_body(force.marker_i, scene)

    def follow(s: Any) -> None:
        value = torque_in_space(s.placement, force, s.time)
        size = float(np.linalg.norm(value))
        axis = value / size if size else np.array([0.0, 0.0, 1.0])
        size = max(1.25 * s.unit, g.least)
        place(arc, _about(axis), s.placement.marker_at(force.marker_i), size)

    g.places.append(follow)


def _air_drag(g: Graphic, drag: Any, scene: Any) -> None:
    """Streaks of air that meet a bow around the body, along the x axis of the marker."""
    n = scene.placement.marker_index[drag.marker_i]
    streaks = g.add_symbol(_streaks("load"), scene.inks.roles)
    g.least = _around_body(drag.marker_i, scene, side=2)

    def follow(s: Any) -> None:
        place(streaks, s.placement.A[n], s.placement.P[n], max(1.25 * s.unit, g.least))

    g.places.append(follow)


def _streaks(role: str) -> list[Part]:
    """Air that streams along x against a bow around the origin."""
    turn = np.linspace(0.6 * np.pi, 1.4 * np.pi, 20)
    bow = np.column_stack([1.9 * np.cos(turn), 1.9 * np.sin(turn), np.zeros(20)])
    air = solids.cylinder(0.12, 1.5, 10).moved(TURN_Y, (-3.3, 0.0, 0.0))
    lines = [air.moved(np.eye(3), (0.0, y, 0.0)) for y in (-1.1, 0.0, 1.1)]
    return [Part(solids.tubed(bow, 0.16, 8), role), *(Part(line, role) for line in lines)]


def _around_body(marker: Id, scene: Any, side: int = 1) -> float:
    """The unit for which an arc runs around the body of a marker, within limits.

    `side` is the edge of its box that must fit: 0 the shortest, 2 the longest.
    """
    p = scene.placement
    body = scene.model.elements.get(p.marker_body_id(marker))
    if body is None or getattr(body, "shape", None) is None:
        return 0.0
    half = 0.5 * np.ptp(scene.solid(body).box, axis=0)
    return min(1.15 * float(np.sort(half)[side]) / ARC, 2.0 * MOST_UNIT * scene.size)


def _about(axis: np.ndarray) -> np.ndarray:
    """Axes whose z is this one."""
    R, _ = along(np.zeros(3), axis)
    return np.column_stack([R[:, 1], R[:, 2], R[:, 0]])


# --- on a joint


def _on_joint(parts: Callable[[Any, Any], list[Part]]) -> View:
    """The view of an element on a joint: parts in the frame of its marker i."""

    def view(element: Any, scene: Any) -> Graphic | None:
        p, joint = scene.placement, scene.model.elements.get(element.joint)
        if getattr(joint, "marker_j", "") not in p.marker_index:
            return None
        g, n = Graphic(element.id), p.marker_index[joint.marker_i]
        actor = g.add_symbol(parts(element, scene), scene.inks.roles)

        def follow(s: Any) -> None:
            """Around the symbol of the joint, whatever its size."""
            size = max(s.unit, s.graphics[joint.id].least if joint.id in s.graphics else 0.0)
            place(actor, s.placement.A[n], s.placement.P[n], size)

        g.places.append(follow)
        return g

    return view


def _torsion_spring(force: Any, scene: Any) -> list[Part]:
    return symbols.torsion_coil()


def _joint_damping(force: Any, scene: Any) -> list[Part]:
    return [Part(solids.torus(1.25, 0.2), "spring")]


def _drive(drive: Any, scene: Any) -> list[Part]:
    """An arrow that turns about the axis or lies beside it; in the plane a slider goes along x."""
    if not is_along_length(scene.model, drive):
        return symbols.turning_arrow("drive")
    parts = symbols.sliding_arrow("drive")
    if scene.model.dim == 2:
        return [Part(part.solid.moved(TURN_Y), part.role) for part in parts]
    return parts


def _unseen(element: Any, scene: Any) -> None:
    """Elements without a symbol in space: the stops of a joint."""


def cable_view(cable: Any, scene: Any) -> Graphic | None:
    """Thin bars along the cable: two that are straight, and those that lie on the cylinder."""
    index = scene.placement.marker_index
    if any(m not in index for m in (cable.marker_i, cable.marker_j, cable.pulley)):
        return None
    g = Graphic(cable.id)
    bars = [g.add_symbol(symbols.rod_body(), scene.inks.roles) for _ in range(ON_PULLEY + 2)]

    def follow(s: Any) -> None:
        places = cable_places(cable, s.placement)
        for bar, a, b in zip(bars, places, places[1:]):
            R, length = along(a, b)
            half = CABLE * s.unit
            place(bar, R, a, (length, half, half))

    g.places.append(follow)
    return g


def cable_places(cable: Any, placement: Any) -> np.ndarray:
    """Places along a cable in the world, (ON_PULLEY + 3, 3); on the cylinder it lies in a helix."""
    P, A = placement.marker_at(cable.pulley), placement.marker_axes(cable.pulley)
    d, o = (A.T @ (placement.marker_at(m) - P) for m in (cable.marker_i, cable.marker_j))
    radius, way = plain(cable.radius), WAYS[cable.way]
    _, at, wrapped = wound(d, o, radius, way, plain(cable.turns))
    if wrapped < 0.0:
        on = d + np.linspace(0.0, 1.0, ON_PULLEY + 1)[:, None] * (o - d)
        return np.concatenate([[d], on, [o]]) @ A.T + P
    angles = at + way * wrapped * np.linspace(0.0, 1.0, ON_PULLEY + 1)
    on = np.column_stack(
        [radius * np.cos(angles), radius * np.sin(angles), np.zeros(ON_PULLEY + 1)]
    )
    seen = np.concatenate([[d], on, [o]])
    flat = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(seen[:, :2], axis=0), axis=1))])
    seen[:, 2] = d[2] + (o[2] - d[2]) * flat / max(float(flat[-1]), 1e-300)
    return seen @ A.T + P


FORCE_VIEWS: dict[type[Element], View] = {
    Spring: between_markers(_spring),
    Damper: between_markers(_damper),
    SpringDamper: between_markers(_spring_damper),
    Bushing: between_markers(_bushing),
    Contact: between_markers(_contact),
    Cable: cable_view,
    Maxwell: between_markers(_series),
    GeneralForce: between_markers(_general_force),
    StateForce: between_markers(_general_force),
    HydraulicCylinder: between_markers(_cylinder),
    PointForce: _at_marker(_point_force),
    Torque: _at_marker(_torque),
    AirDrag: _at_marker(_air_drag),
    ContactAll: _at_marker(_contact_all),
    TorsionSpring: _on_joint(_torsion_spring),
    JointDamping: _on_joint(_joint_damping),
    JointFriction: _on_joint(_joint_damping),
    JointLimits: _unseen,
    Actuator: _on_joint(_drive),
    DcMotor: _on_joint(_drive),
    Controller: _on_joint(_drive),
    Motion: _on_joint(_drive),
}
