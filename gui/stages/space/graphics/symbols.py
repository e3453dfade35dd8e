"""Symbols as solids of unit size, made of parts that have roles of colours.

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


def moved_along(solid: Solid, z: float = 0.0, R: np.ndarray | None = None) -> Solid:
    """A part moved along its own z, then turned."""
    moved = solid.moved(np.eye(3), (0.0, 0.0, z))
    return moved if R is None else moved.moved(R)


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
    head = solids.cone(0.27, 0.8, sides=20).moved(R, path[-1])
    return [Part(solids.tubed(path, 0.085, 8), role), Part(head, role)]


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
    return [Part(solids.sphere(radius, 8), role)]


def foot() -> list[Part]:
    """A pedestal on the ground."""
    low = solids.cone(1.9, 1.5, 0.75, 4).moved(_EIGHTH, (0.0, 0.0, -2.3))
    return [Part(low, "foot"), Part(moved_along(solids.box(3.4, 3.4, 0.3), -2.4), "foot")]


def sliding_arrow(role: str) -> list[Part]:
    """An arrow beside an axis: a force along it."""
    bar = solids.cylinder(0.09, 2.6, 12).moved(np.eye(3), (1.5, 0.0, 0.0))
    head = solids.cone(0.27, 0.8, sides=20).moved(np.eye(3), (1.5, 0.0, 1.2))
    return [Part(bar, role), Part(head, role)]


def triad(size: float = 1.0) -> list[Part]:
    """Three arrows along x, y and z, five units long."""
    shaft = solids.cylinder(0.13, 4.0, 12).moved(np.eye(3), (0.0, 0.0, 2.0))
    head = solids.cone(0.38, 1.1, sides=14).moved(np.eye(3), (0.0, 0.0, 3.9))
    bar = merged([shaft, head]).moved(np.eye(3), scale=size)
    return [Part(bar.moved(TURN_Y), "x"), Part(bar.moved(TURN_X), "y"), Part(bar, "z")]
