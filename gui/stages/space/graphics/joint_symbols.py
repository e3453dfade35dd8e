"""The symbols of joints: solids of unit size along z, and how each of them is placed and scaled.

A joint in space needs one function here, for its parts, and one line in the table below.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.model.elements import Element
from engine.model.joints import (
    ConstantVelocity,
    Cylindrical,
    KnifeEdge,
    Planar,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Revolute,
    RollingDisc,
    Screw,
    Spherical,
    Universal,
    Weld,
)
from gui.placing.space import solids
from gui.placing.space.solids import Solid, merged
from gui.stages.space.graphics.symbols import TURN_X, TURN_Y, Part, Sides, moved_along

BAR = 3.0  # half the length of a rail
RAIL = BAR + 0.62  # with its tips
Parts = Callable[[Sides], list[Part]]


class JointSymbol(NamedTuple):
    """What a joint looks like, in units; where nothing else is said, in the frame of marker i.

    Parts of the role 'j' are drawn at marker j: they slide on the others.
    """

    parts: Parts
    more: tuple[tuple[str, Parts], ...] = ()  # further parts, at marker "i" or "j"
    is_at_j: bool = False  # the symbol belongs to marker j
    rail: float = 0.0  # half the length of the rail along its axis; in the plane that is x
    stands: bool = True  # on the ground it has a foot
    pin: float = 0.0  # half the length of a pin, which must be longer than the bodies are thick
    sleeve: float = 0.0  # half the width of a sleeve, which must be wider than the bodies across


def _revolute(n: Sides) -> list[Part]:
    """A pin in a barrel, with heads at both ends."""
    return [
        Part(solids.cylinder(0.70, 1.5, n(32)), "i"),
        Part(solids.cylinder(0.30, 2.3, n(20)), "metal"),
        Part(moved_along(solids.cylinder(0.46, 0.18, n(24)), 1.16), "metal"),
        Part(moved_along(solids.cylinder(0.46, 0.18, n(24)), -1.16), "metal"),
    ]


def _spherical(n: Sides) -> list[Part]:
    """A ball in the lower half of a socket."""
    turn = np.linspace(0.5 * np.pi, 0.94 * np.pi, n(10))
    return [
        Part(solids.sphere(0.80, n(12)), "metal"),
        Part(_revolved(0.95 * np.sin(turn), 0.95 * np.cos(turn), n(32)), "i"),
        Part(moved_along(solids.torus(0.95, 0.06, n(32), n(8))), "i"),
    ]


def _revolved(radius: np.ndarray, z: np.ndarray, sides: int = 28) -> Solid:
    """A curve turned about z."""
    turn = np.linspace(0.0, 2 * np.pi, sides + 1)
    points = np.stack(
        [
            np.outer(np.cos(turn), radius),
            np.outer(np.sin(turn), radius),
            np.tile(z, (sides + 1, 1)),
        ],
        -1,
    )
    slope = np.gradient(np.column_stack([radius, z]), axis=0)
    out, up = slope[:, 1], -slope[:, 0]
    normals = np.stack(
        [np.outer(np.cos(turn), out), np.outer(np.sin(turn), out), np.tile(up, (sides + 1, 1))], -1
    )
    flat = normals.reshape(-1, 3)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300)
    return Solid(points.reshape(-1, 3), flat, solids.patch(sides + 1, len(radius)))


def _universal(n: Sides) -> list[Part]:
    """A cross with two forks; the forks are drawn in the frames of their own markers."""
    return [
        Part(moved_along(solids.cylinder(0.22, 2.3, n(16)), 0.0, TURN_Y), "metal"),
        Part(moved_along(solids.cylinder(0.22, 2.3, n(16)), 0.0, TURN_X), "metal"),
        Part(solids.sphere(0.42, n(7)), "metal"),
    ]


def _constant_velocity(n: Sides) -> list[Part]:
    """A ball in a bell, with the balls of its cage around the middle."""
    turn = np.linspace(0.0, 2 * np.pi, 6, endpoint=False)
    balls = [solids.sphere(0.3, n(8)).moved(np.eye(3), (np.cos(a), np.sin(a), 0.0)) for a in turn]
    return [
        Part(solids.sphere(0.85, n(14)), "metal"),
        Part(merged(balls), "dark"),
        Part(moved_along(solids.cylinder(1.05, 0.9, n(24)), -0.75), "i"),
    ]


def _stub_of_j(n: Sides) -> list[Part]:
    """The shaft that leaves the ball."""
    return [Part(moved_along(solids.cylinder(0.4, 1.6, n(16)), 1.2), "j")]


def _fork_of_i(n: Sides) -> list[Part]:
    return _fork("i", along_y=False)


def _fork_of_j(n: Sides) -> list[Part]:
    return _fork("j", along_y=True)


def _fork(role: str, *, along_y: bool) -> list[Part]:
    """The fork of a universal joint, open towards the cross, which it holds at both ends of an arm."""
    arm = merged(
        [
            solids.box(0.34, 0.62, 1.5).moved(np.eye(3), (x, 0.0, -0.55 if not along_y else 0.55))
            for x in (-1.0, 1.0)
        ]
    )
    bridge = solids.box(2.34, 0.62, 0.34).moved(np.eye(3), (0.0, 0.0, 1.35 if along_y else -1.35))
    both = merged([arm, bridge])
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    return [Part(both.moved(turn) if along_y else both, role)]


def _rail() -> list[Part]:
    return [Part(solids.box(0.30, 0.30, 2.0 * BAR), "metal")]


def _prismatic(n: Sides) -> list[Part]:
    """A block on a rail."""
    block = solids.box(1.2, 1.2, 1.5)
    return [*_rail(), Part(block, "j"), *_tips(n)]


def _tips(n: Sides) -> list[Part]:
    """Small arrow heads at both ends of a sliding axis."""
    head = solids.cone(0.26, 0.62, sides=n(18))
    flip = np.diag([1.0, -1.0, -1.0])
    return [
        Part(head.moved(np.eye(3), (0.0, 0.0, BAR)), "dark"),
        Part(head.moved(flip, (0.0, 0.0, -BAR)), "dark"),
    ]


def _cylindrical(n: Sides) -> list[Part]:
    """A sleeve on a round bar."""
    return [
        Part(solids.cylinder(0.2, 2.0 * BAR, n(20)), "metal"),
        Part(solids.cylinder(0.65, 1.5, n(28)), "j"),
        *_tips(n),
    ]


def _screw(n: Sides) -> list[Part]:
    """A nut on a threaded bar."""
    turn = np.linspace(0.0, 2 * np.pi * 9, 9 * 18)
    path = np.column_stack(
        [0.32 * np.cos(turn), 0.32 * np.sin(turn), np.linspace(-0.95 * BAR, 0.95 * BAR, len(turn))]
    )
    hexagon = solids.prism(0.85 * solids.ring(6), 1.1)
    return [
        Part(solids.cylinder(0.26, 2.0 * BAR, n(20)), "metal"),
        Part(solids.tubed(path, 0.09, 6), "dark"),
        Part(hexagon, "j"),
    ]


def _planar(n: Sides) -> list[Part]:
    """A puck on a plate."""
    return [
        Part(solids.box(4.2, 4.2, 0.16), "metal"),
        Part(moved_along(solids.cylinder(0.9, 0.7, n(28)), 0.42), "j"),
    ]


def _weld(n: Sides) -> list[Part]:
    """A lump of weld: three crossed plates."""
    return [
        Part(solids.box(1.7, 1.7, 0.4), "dark"),
        Part(solids.box(1.7, 0.4, 1.7), "dark"),
        Part(solids.box(0.4, 1.7, 1.7), "dark"),
    ]


def _point_on_line(n: Sides) -> list[Part]:
    """A ball on a thin bar."""
    return [Part(solids.cylinder(0.15, 2.0 * BAR, n(14)), "metal"), *_tips(n)]


def _point_on_plane(n: Sides) -> list[Part]:
    """A plate for a ball."""
    return [Part(solids.box(4.6, 4.6, 0.12), "metal")]


def _rolling(n: Sides) -> list[Part]:
    """The axle of a disc."""
    return [Part(solids.cylinder(0.4, 2.2, n(20)), "metal")]


def _knife(n: Sides) -> list[Part]:
    """A blade along x."""
    blade = np.array([(-1.9, 0.9), (-1.5, -0.6), (1.5, -0.6), (1.9, 0.9)])
    return [Part(solids.prism(blade, 0.2).moved(TURN_X @ np.diag([1.0, 1.0, 1.0])), "metal")]


def _pin_ball(n: Sides) -> list[Part]:
    """The ball of a point that stays on a line or plane."""
    return [Part(solids.sphere(0.6, n(9)), "j")]


SYMBOLS: dict[type[Element], JointSymbol] = {
    Revolute: JointSymbol(_revolute, pin=1.3),
    Spherical: JointSymbol(_spherical),
    Universal: JointSymbol(_universal, (("i", _fork_of_i), ("j", _fork_of_j))),
    ConstantVelocity: JointSymbol(_constant_velocity, (("j", _stub_of_j),)),
    Prismatic: JointSymbol(_prismatic, rail=RAIL, sleeve=0.60),
    Cylindrical: JointSymbol(_cylindrical, rail=RAIL, sleeve=0.65),
    Screw: JointSymbol(_screw, rail=RAIL, sleeve=0.75),
    Planar: JointSymbol(_planar, stands=False),
    Weld: JointSymbol(_weld),
    PointOnLine: JointSymbol(_point_on_line, (("j", _pin_ball),), rail=RAIL),
    PointOnPlane: JointSymbol(_point_on_plane, (("j", _pin_ball),), stands=False),
    RollingDisc: JointSymbol(_rolling, is_at_j=True, stands=False),
    KnifeEdge: JointSymbol(_knife, is_at_j=True, stands=False),
}
