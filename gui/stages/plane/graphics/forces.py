"""Graphics of springs, dampers and loads, and the table of the views of all forces and motions."""

from math import atan2, degrees, hypot
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QTransform
from PySide6.QtWidgets import QGraphicsPathItem

from engine.model.elements import Element
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
from engine.model.joints import Motion
from gui.look.colors import mixed
from gui.placing.loads import arrow_length
from gui.placing.plane.loads import force_vector, torque_value
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import on_joints, symbols
from gui.stages.plane.graphics.cables import cable_view
from gui.stages.plane.graphics.contacts import contact_all_view, contact_view
from gui.stages.plane.graphics.graphic import (
    LINES,
    LOADS,
    PINS,
    RINGS,
    Context,
    Graphic,
    View,
    at_marker,
    between_markers,
    on_joint,
)
from gui.stages.plane.graphics.inks import NO_PEN
from gui.stages.plane.graphics.joints import add_bracket

# --- between two points


def _springs(g: Graphic, force: Any, i: int, j: int, c: Context) -> None:
    """A coil, a dashpot, or both side by side between two bars."""
    has_coil = bool(force.stiffness) or force.spring_curve is not None or isinstance(force, Spring)
    has_pot = bool(force.damping) or force.damper_curve is not None or isinstance(force, Damper)
    (ax, ay, _), (bx, by, _) = (c.placement.pose.markers[n] for n in (i, j))
    drawn = hypot(bx - ax, by - ay) or float(force.free_length or 0.0) or 0.1 * c.size
    width = min(0.16 * drawn, 0.040 * c.size)
    both = has_coil and has_pot
    side = 0.72 * width if both else 0.0
    lead = 0.06 if both else 0.0
    pen = c.inks.line(1.8, c.inks.metal)
    coil = None
    if has_coil:
        behind, before = symbols.coil_parts(width / drawn)
        rear = mixed(c.inks.metal, c.inks.paper, 0.50)
        coil = g.add(behind, c.inks.line(1.5, rear), layer=LINES, main=True)
        g.add_child(before, c.inks.line(2.4, c.inks.metal), coil)
    cup = mixed(c.inks.metal, c.inks.paper, 0.20)
    pot = g.add(QPainterPath(), pen, cup, LINES, main=True) if has_pot else None
    yoke = g.add(QPainterPath(), pen, layer=LINES) if both else None

    def place(pose: Pose) -> None:
        (x, y, _), (px, py, _) = pose.markers[i], pose.markers[j]
        length = hypot(px - x, py - y) or 1e-9 * c.size
        e, n = (px - x) / length, (py - y) / length
        inner = (1.0 - 2.0 * lead) * length
        sx, sy = x + lead * length * e, y + lead * length * n
        if coil is not None:
            frame = QTransform(e, n, -n, e, sx - side * n, sy + side * e)
            coil.setTransform(QTransform.fromScale(inner, width) * frame)
        if pot is not None:
            pot.setTransform(QTransform(e, n, -n, e, sx + side * n, sy - side * e))
            path = symbols.dashpot(inner, (1.0 - 2.0 * lead) * drawn, 0.66 * width)
            g.set_path(pot, path)
        if yoke is not None:
            yoke.setTransform(QTransform(e, n, -n, e, x, y))
            yoke.setPath(_yoke(length, lead, side))

    g.places.append(place)
    _add_ends(g, i, j, c)


def _yoke(length: float, lead: float, side: float) -> QPainterPath:
    """The bars that tie a spring and a damper, and the leads to their ends."""
    path = QPainterPath()
    for end, bar in ((0.0, lead * length), (length, (1.0 - lead) * length)):
        path.moveTo(end, 0.0)
        path.lineTo(bar, 0.0)
        path.moveTo(bar, side)
        path.lineTo(bar, -side)
    return path


def _add_ends(g: Graphic, i: int, j: int, c: Context) -> None:
    """Small filled points where a spring is held, and supports on the ground."""
    for n, other in ((i, j), (j, i)):
        if c.placement.markers[n].body == "ground":
            _add_wall(g, n, other, c)
        dot = g.add(
            symbols.circle(3.4), c.inks.line(1.2, c.inks.paper), c.inks.ink, PINS, pixels=True
        )
        g.at_marker(dot, n)


def _add_wall(g: Graphic, n: int, other: int, c: Context) -> None:
    """A wall across the line to the other end: what holds a spring on the ground."""
    wall = g.add(symbols.wall(), c.inks.line(1.5, c.inks.hatch), layer=LINES - 0.1, pixels=True)

    def place(pose: Pose) -> None:
        (x, y, _), (px, py, _) = pose.markers[n], pose.markers[other]
        wall.setPos(x, y)
        wall.setRotation(90.0 - degrees(atan2(py - y, px - x)))

    g.places.append(place)


def _series(g: Graphic, force: Any, i: int, j: int, c: Context) -> None:
    """A coil and behind it a dashpot, on one line."""
    (ax, ay, _), (bx, by, _) = (c.placement.pose.markers[n] for n in (i, j))
    drawn = hypot(bx - ax, by - ay) or float(force.free_length or 0.0) or 0.1 * c.size
    width = min(0.16 * drawn, 0.040 * c.size)
    behind, before = symbols.coil_parts(2.0 * width / drawn)
    rear = mixed(c.inks.metal, c.inks.paper, 0.50)
    coil = g.add(behind, c.inks.line(1.5, rear), layer=LINES, main=True)
    g.add_child(before, c.inks.line(2.4, c.inks.metal), coil)
    cup = mixed(c.inks.metal, c.inks.paper, 0.20)
    pot = g.add(QPainterPath(), c.inks.line(1.8, c.inks.metal), cup, LINES, main=True)

    def place(pose: Pose) -> None:
        (x, y, _), (px, py, _) = pose.markers[i], pose.markers[j]
        length = hypot(px - x, py - y) or 1e-9 * c.size
        e, n = (px - x) / length, (py - y) / length
        half = 0.5 * length
        coil.setTransform(QTransform.fromScale(half, width) * QTransform(e, n, -n, e, x, y))
        pot.setTransform(QTransform(e, n, -n, e, x + half * e, y + half * n))
        g.set_path(pot, symbols.dashpot(half, 0.5 * drawn, 0.66 * width))

    g.places.append(place)
    _add_ends(g, i, j, c)


def _cylinder(g: Graphic, force: Any, i: int, j: int, c: Context) -> None:
    """A barrel from the first end, and a rod with a piston from the second."""
    stroke = float(force.stroke)
    wide = min(0.12 * stroke, 0.030 * c.size)
    pen, fill = c.inks.line(1.8, c.inks.metal), mixed(c.inks.metal, c.inks.paper, 0.25)
    barrel = g.add(QPainterPath(), pen, fill, LINES, main=True)
    rod = g.add(QPainterPath(), c.inks.line(2.6, c.inks.metal), layer=LINES + 0.1, main=True)

    def place(pose: Pose) -> None:
        (x, y, _), (px, py, _) = pose.markers[i], pose.markers[j]
        length = hypot(px - x, py - y) or 1e-9 * c.size
        e, n = (px - x) / length, (py - y) / length
        long = min(stroke, 0.8 * length)
        piston = max(min(length - 0.6 * long, 0.95 * long), 0.1 * long)
        for item in (barrel, rod):
            item.setTransform(QTransform(e, n, -n, e, x, y))
        corners = [(0.0, -wide), (long, -wide), (long, wide), (0.0, wide), (0.0, -wide)]
        g.set_path(barrel, symbols.polyline(corners))
        path = symbols.polyline([(piston, -wide), (piston, wide)])
        path.addPath(symbols.polyline([(piston, 0.0), (length, 0.0)]))
        g.set_path(rod, path)

    g.places.append(place)
    _add_ends(g, i, j, c)


def _bushing(g: Graphic, force: Any, i: int, j: int, c: Context) -> None:
    rubber = c.inks.line(6.0, c.inks.ground)
    g.at_marker(g.add(symbols.circle(12.0), rubber, layer=RINGS - 0.2, pixels=True, main=True), i)
    for radius in (8.5, 15.5):
        ring = g.add(symbols.circle(radius), c.inks.line(1.3), layer=RINGS - 0.1, pixels=True)
        g.at_marker(ring, i)
    dot = g.add(symbols.circle(3.4), c.inks.line(1.2, c.inks.paper), c.inks.ink, PINS, pixels=True)
    g.at_marker(dot, j)
    if c.placement.markers[i].body == "ground":
        add_bracket(g, i, j, c)


def _general_force(g: Graphic, force: Any, i: int, j: int, c: Context) -> None:
    pen = c.inks.dashed(1.6, c.inks.load)
    line = g.add(QPainterPath(), pen, layer=LINES, main=True)
    heads = [
        g.add(symbols.arrow_head(9.0), NO_PEN, c.inks.load, LINES + 0.1, pixels=True)
        for _ in range(2)
    ]

    def place(pose: Pose) -> None:
        (x, y, _), (px, py, _) = pose.markers[i], pose.markers[j]
        path = QPainterPath(QPointF(x, y))
        path.lineTo(px, py)
        g.set_path(line, path)
        turn = -degrees(atan2(py - y, px - x))
        for head, at, angle in zip(heads, ((x, y), (px, py)), (turn + 180.0, turn)):
            head.setPos(*at)
            head.setRotation(angle)

    g.places.append(place)
    if getattr(force, "acts", "line") == "torque":
        arrow = symbols.turning_arrow(18.0, -40.0, 260.0)
        item = g.add(arrow, c.inks.line(1.6, c.inks.load), layer=RINGS, pixels=True)
        g.at_marker(item, j)
    _add_ends(g, i, j, c)


# --- at one point


def _force(g: Graphic, force: Any, n: int, c: Context) -> None:
    color = c.inks.load
    arrow = g.add(QPainterPath(), c.inks.line(2.4, color), layer=LOADS, pixels=True, main=True)
    head = QGraphicsPathItem(symbols.arrow_head(12.0), arrow)
    head.setPen(NO_PEN)
    head.setBrush(color)
    dot = g.add(symbols.circle(3.0), NO_PEN, color, LOADS, pixels=True)
    shown = [-1.0]
    g.at_marker(dot, n)

    def place(pose: Pose) -> None:
        fx, fy = force_vector(c.placement, force, c.time)
        size = hypot(fx, fy)
        length = arrow_length(size)
        if abs(length - shown[0]) > 0.5:
            shown[0] = length
            g.set_path(arrow, symbols.polyline([(0.0, 0.0), (length - 8.0, 0.0)]))
            head.setPos(length, 0.0)
        arrow.setOpacity(1.0 if size > 0.0 else 0.45)
        arrow.setPos(pose.markers[n][0], pose.markers[n][1])
        arrow.setRotation(-degrees(atan2(fy, fx)) if size > 0.0 else 0.0)

    g.places.append(place)


def _torque(g: Graphic, torque: Any, n: int, c: Context) -> None:
    color = c.inks.load
    arrow = g.add(QPainterPath(), c.inks.line(2.2, color), layer=LOADS, pixels=True, main=True)
    shown = [0.0]
    g.at_marker(arrow, n)

    def place(pose: Pose) -> None:
        size = torque_value(c.placement, torque, c.time)
        sign = -1.0 if size < 0.0 else 1.0
        if sign != shown[0]:
            shown[0] = sign
            start = -50.0 if sign > 0 else 230.0
            g.set_path(arrow, symbols.turning_arrow(21.0, start, sign * 250.0, 10.0))
        arrow.setOpacity(1.0 if size else 0.45)

    g.places.append(place)


def _air_drag(g: Graphic, drag: Any, n: int, c: Context) -> None:
    """Streaks of air that meet a bow."""
    pen = c.inks.line(2.0, c.inks.load)
    g.at_marker(g.add(_streaks(), pen, layer=LOADS, pixels=True, main=True), n)


def _streaks() -> QPainterPath:
    """Air that streams along x against a bow around the origin."""
    path = symbols.arc(12.0, 110.0, 140.0)
    for y, start in ((-8.0, -25.0), (0.0, -28.0), (8.0, -25.0)):
        path.addPath(symbols.polyline([(start, y), (-15.0, y)]))
    return path


FORCE_VIEWS: dict[type[Element], View] = {
    Spring: between_markers(_springs),
    Damper: between_markers(_springs),
    SpringDamper: between_markers(_springs),
    Bushing: between_markers(_bushing),
    Contact: between_markers(contact_view),
    Cable: cable_view,
    Maxwell: between_markers(_series),
    GeneralForce: between_markers(_general_force),
    StateForce: between_markers(_general_force),
    HydraulicCylinder: between_markers(_cylinder),
    PointForce: at_marker(_force),
    Torque: at_marker(_torque),
    AirDrag: at_marker(_air_drag),
    ContactAll: at_marker(contact_all_view),
    TorsionSpring: on_joint(on_joints.torsion_spring),
    JointDamping: on_joint(on_joints.joint_damping),
    JointFriction: on_joint(on_joints.joint_friction),
    JointLimits: on_joint(on_joints.joint_limits),
    Actuator: on_joint(on_joints.motor),
    DcMotor: on_joint(on_joints.dc_motor),
    Controller: on_joint(on_joints.controller),
    Motion: on_joint(on_joints.drive),
}
