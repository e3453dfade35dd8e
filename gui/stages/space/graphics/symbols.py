"""Symbols of joints and forces as solids of unit size, made of parts that have roles of colours.

The axis of a joint is z. One unit is the half width of a pin on the screen; the scene scales them with
the zoom. Roles: 'i' and 'j' take the colours of the two bodies, the others those of the theme.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gui.placing.space import solids
from gui.placing.space.solids import Solid, merged

TURN_Y = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # z becomes x
TURN_X = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # z becomes y
_HALF = float(np.sqrt(0.5))
_EIGHTH = np.array([[_HALF, -_HALF, 0.0], [_HALF, _HALF, 0.0], [0.0, 0.0, 1.0]])
Sides = Callable[[int], int]  # how many sides a round part has instead of the usual ones
STEPS = 16  # places on one turn of a spring


class Part(NamedTuple):
    """A solid and what gives it its colour."""

    solid: Solid
    role: str = "metal"  # "metal", "dark", "i", "j", "drive", "load", "spring", "accent"


def joint_parts(kind: str, *, planar: bool = False, detail: float = 1.0) -> list[Part]:
    """The symbol of a joint, its axis along z (along x of planar sliders).

    With less detail round parts have fewer sides, for models of many joints.
    """
    if kind not in _SYMBOLS:
        return []

    def sides(usual: int) -> int:
        return max(round(detail * usual), 6)

    parts = _SYMBOLS[kind](sides)
    if planar and kind in ("prismatic", "point_on_line"):
        return [Part(p.solid.moved(TURN_Y), p.role) for p in parts]
    return parts


def _at(solid: Solid, z: float = 0.0, R: np.ndarray | None = None) -> Solid:
    """A part moved along its own z, then turned."""
    moved = solid.moved(np.eye(3), (0.0, 0.0, z))
    return moved if R is None else moved.moved(R)


def _revolute(n: Sides) -> list[Part]:
    """A pin in a barrel, with heads at both ends."""
    return [
        Part(solids.cylinder(0.74, 1.5, n(28)), "i"),
        Part(solids.cylinder(0.36, 2.5, n(20)), "metal"),
        Part(_at(solids.cylinder(0.62, 0.26, n(20)), 1.25), "metal"),
        Part(_at(solids.cylinder(0.62, 0.26, n(20)), -1.25), "metal"),
    ]


def _spherical(n: Sides) -> list[Part]:
    """A ball in the lower half of a socket."""
    turn = np.linspace(0.5 * np.pi, 0.94 * np.pi, n(10))
    return [
        Part(solids.sphere(0.85, n(14)), "metal"),
        Part(_revolved(1.05 * np.sin(turn), 1.05 * np.cos(turn), n(28)), "i"),
        Part(_at(solids.torus(1.05, 0.12, n(28), n(8))), "i"),
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
        Part(_at(solids.cylinder(0.22, 2.3, n(16)), 0.0, TURN_Y), "metal"),
        Part(_at(solids.cylinder(0.22, 2.3, n(16)), 0.0, TURN_X), "metal"),
        Part(solids.sphere(0.42, n(12)), "metal"),
    ]


def fork_parts(role: str, *, along_y: bool) -> list[Part]:
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


def _rail(long: float = 7.0) -> list[Part]:
    return [Part(solids.box(0.55, 0.55, long), "metal")]


def _prismatic(n: Sides) -> list[Part]:
    """A block on a rail."""
    block = solids.box(1.7, 1.7, 1.9)
    return [*_rail(), Part(block, "j"), *_tips(3.9, n)]


def _tips(far: float, n: Sides) -> list[Part]:
    """Small arrow heads at both ends of an axis: along it something slides."""
    head = solids.cone(0.48, 0.8, sides=n(18))
    flip = np.diag([1.0, -1.0, -1.0])
    return [
        Part(head.moved(np.eye(3), (0.0, 0.0, far)), "accent"),
        Part(head.moved(flip, (0.0, 0.0, -far)), "accent"),
    ]


def _cylindrical(n: Sides) -> list[Part]:
    """A sleeve on a round bar."""
    return [
        Part(solids.cylinder(0.4, 7.0, n(20)), "metal"),
        Part(solids.cylinder(0.9, 1.9, n(28)), "j"),
        *_tips(3.9, n),
    ]


def _screw(n: Sides) -> list[Part]:
    """A nut on a threaded bar."""
    turn = np.linspace(0.0, 2 * np.pi * 9, 9 * 18)
    path = np.column_stack(
        [0.5 * np.cos(turn), 0.5 * np.sin(turn), np.linspace(-3.3, 3.3, len(turn))]
    )
    hexagon = solids.prism(1.05 * solids.ring(6), 1.3)
    return [
        Part(solids.cylinder(0.42, 7.0, n(20)), "metal"),
        Part(solids.tubed(path, 0.13, 6), "dark"),
        Part(hexagon, "j"),
    ]


def _planar(n: Sides) -> list[Part]:
    """A puck on a plate."""
    return [
        Part(solids.box(4.2, 4.2, 0.16), "metal"),
        Part(_at(solids.cylinder(0.9, 0.7, n(28)), 0.42), "j"),
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
    return [Part(solids.cylinder(0.22, 7.6, n(14)), "metal"), *_tips(3.9, n)]


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


_SYMBOLS = {
    "revolute": _revolute,
    "spherical": _spherical,
    "universal": _universal,
    "prismatic": _prismatic,
    "cylindrical": _cylindrical,
    "screw": _screw,
    "planar": _planar,
    "weld": _weld,
    "point_on_line": _point_on_line,
    "point_on_plane": _point_on_plane,
    "rolling_disc": _rolling,
    "knife_edge": _knife,
}


def pin_ball(detail: float = 1.0) -> list[Part]:
    """The ball of a point that stays on a line or plane."""
    return [Part(solids.sphere(0.75, max(round(12 * detail), 6)), "j")]


def coil(slender: float = 10.0) -> list[Part]:
    """A spring along x from 0 to 1 of half width one, that will be drawn `slender` times longer."""
    turns = int(np.clip(round(1.3 * slender), 5, 14))
    turn = np.linspace(0.0, 2 * np.pi * turns, turns * STEPS + 1)
    x = np.linspace(0.14, 0.86, len(turn))
    fade = np.minimum(1.0, np.minimum(turn, turn[-1] - turn) / (0.5 * np.pi))
    body = np.column_stack([x, fade * np.cos(turn), fade * np.sin(turn)])
    path = np.concatenate([[[0.0, 0.0, 0.0]], body, [[1.0, 0.0, 0.0]]]) * (slender, 1.0, 1.0)
    wire = solids.tubed(path, 0.14, 6)
    return [Part(wire.moved(np.eye(3), scale=(1.0 / slender, 1.0, 1.0)), "spring")]


def rod_body() -> list[Part]:
    """A bar along x from 0 to 1; its radius is one."""
    bar = solids.cylinder(1.0, 1.0, 16).moved(TURN_Y, (0.5, 0.0, 0.0))
    return [Part(bar, "dark")]


def cup() -> list[Part]:
    """The cylinder of a damper along x from 0 to 1; its radius is one."""
    tube = solids.cylinder(1.0, 1.0, 20).moved(TURN_Y, (0.5, 0.0, 0.0))
    return [Part(tube, "spring")]


def arrow(role: str = "load") -> list[Part]:
    """An arrow along x from 0; the shaft is one long and scaled, the head is a part of its own."""
    shaft = solids.cylinder(1.0, 1.0, 16).moved(TURN_Y, (0.5, 0.0, 0.0))
    return [Part(shaft, role)]


def arrow_head(role: str = "load") -> list[Part]:
    """The head of an arrow along x, from 0 to 2.4."""
    return [Part(solids.cone(1.0, 2.4, sides=20).moved(TURN_Y), role)]


def turning_arrow(role: str, sweep: float = 1.55 * np.pi, radius: float = 1.9) -> list[Part]:
    """An arc about z with a head: a motor or a torque."""
    turn = np.linspace(0.25 * np.pi, 0.25 * np.pi + sweep, 40)
    path = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(40)])
    end = turn[-1]
    along = np.array([-np.sin(end), np.cos(end), 0.0])
    out = np.array([np.cos(end), np.sin(end), 0.0])
    R = np.column_stack([out, np.cross(along, out), along])
    head = solids.cone(0.42, 1.0, sides=16).moved(R, path[-1])
    return [Part(solids.tubed(path, 0.15, 8), role), Part(head, role)]


def torsion_coil() -> list[Part]:
    """A flat spiral about z: a torsion spring."""
    turn = np.linspace(0.0, 2 * np.pi * 2.5, 70)
    radius = np.linspace(1.1, 2.2, 70)
    path = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(70)])
    return [Part(solids.tubed(path, 0.13, 6), "spring")]


def bushing() -> list[Part]:
    """A sleeve of rubber in a ring."""
    return [Part(solids.cylinder(1.0, 1.7, 28), "dark"), Part(solids.torus(1.15, 0.2), "metal")]


def ball(role: str, radius: float = 0.5) -> list[Part]:
    """A ball: a tracer, a marker or a mass centre."""
    return [Part(solids.sphere(radius, 10), role)]


def foot() -> list[Part]:
    """A pedestal: what stands on the ground."""
    low = solids.cone(1.9, 1.5, 0.75, 4).moved(_EIGHTH, (0.0, 0.0, -2.3))
    return [Part(low, "foot"), Part(_at(solids.box(3.4, 3.4, 0.3), -2.4), "foot")]


def sliding_arrow(role: str) -> list[Part]:
    """An arrow beside an axis: what pushes along it."""
    bar = solids.cylinder(0.17, 2.6, 12).moved(np.eye(3), (1.5, 0.0, 0.0))
    head = solids.cone(0.5, 1.1, sides=16).moved(np.eye(3), (1.5, 0.0, 1.2))
    return [Part(bar, role), Part(head, role)]


def triad(size: float = 1.0) -> list[Part]:
    """Three arrows along x, y and z, five units long."""
    shaft = solids.cylinder(0.13, 4.0, 12).moved(np.eye(3), (0.0, 0.0, 2.0))
    head = solids.cone(0.38, 1.1, sides=14).moved(np.eye(3), (0.0, 0.0, 3.9))
    bar = merged([shaft, head]).moved(np.eye(3), scale=size)
    return [Part(bar.moved(TURN_Y), "x"), Part(bar.moved(TURN_X), "y"), Part(bar, "z")]
