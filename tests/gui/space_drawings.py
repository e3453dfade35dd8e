"""Examples in space drawn as a user would, step by step; for tests and for the pictures of the pages."""

from math import cos, radians, sin

import numpy as np
from PySide6.QtCore import QPoint, Qt

from gui.stages.space.gizmo import handle_at, handle_lines

ENTER, TAB, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
SHIFT = Qt.KeyboardModifier.ShiftModifier
RADIUS, LENGTH = 0.03, 0.1  # of the top [m]
LEAN, SPIN = 20, 300  # of the top [degrees, rad/s]
CRANK, ROCKER = (0.0, 0.0, 0.4), (1.0, 0.5, 0.9)  # ends of two rods that stand upright


def draw_top(hand):
    """A cylinder, a ball joint at its lower end, a lean by a ring, a spin by a number."""
    hand.look_at((0, 0, 0.05), 0.4)
    draw_cylinder(hand)
    hand.hit(Qt.Key.Key_S)
    hand.click(*rim(hand, 0.01))  # on its round face, near the lower end
    hand.hit(ESCAPE)
    hand.window.selection.set(["cylinder_1"])
    turn_by_ring(hand, "turn_x", str(LEAN))
    spin_top(hand)


def draw_cylinder(hand, way=RADIUS):
    """A cylinder on the floor with typed radius and length, whatever the drag of the mouse."""
    hand.hit(Qt.Key.Key_O)
    hand.press(0, 0, 0)
    hand.move(way, 0, 0, buttons=Qt.MouseButton.LeftButton)
    hand.type(f"{1000 * RADIUS:g} mm")
    hand.hit(TAB)
    hand.type(str(LENGTH))
    hand.hit(ENTER)
    hand.release(way, 0, 0)


def rim(hand, height):
    """A place on the round face of the upright cylinder that is seen."""
    toward = np.array(hand.stage.eye.position) * (1.0, 1.0, 0.0)
    x, y, _ = RADIUS * toward / np.linalg.norm(toward)
    return x, y, height


def turn_by_ring(hand, handle, angle):
    """Take a ring of the gizmo with the mouse, type an angle, Enter."""
    at = on_ring(hand, handle)
    hand.pressed_at(at)
    hand.type(angle)
    hand.hit(ENTER)
    hand.released_at(at)


def on_ring(hand, handle):
    """A pixel on a ring of the gizmo."""
    gizmo, stage = hand.stage.active_tool.preview.gizmo, hand.stage
    ring = handle_lines(gizmo, stage.eye.pixel(gizmo.at, stage.height()))[handle]
    seen = [QPoint(*(round(x) for x in stage.to_pixels(place))) for place in ring[::6]]
    return next(p for p in seen if handle_at(gizmo, stage, p.x(), p.y()) == handle)


def spin_top(hand):
    """Press with Shift on the upper face of the leaning cylinder, type the spin, Enter."""
    hand.hit(Qt.Key.Key_V)
    hand.press(*on_top(), held=SHIFT)
    hand.type(str(SPIN))
    hand.hit(ENTER)
    hand.release(*on_top())
    hand.hit(ESCAPE)


def on_top(aside=0.015):
    """A place on the upper face of the leaning cylinder, beside its middle."""
    axle = np.array([0.0, -sin(radians(LEAN)), cos(radians(LEAN))])
    return tuple(LENGTH * axle + np.array([aside, 0.0, 0.0]))


def draw_four_bar(hand, height=2.2):
    """Two upright rods with typed lengths, a coupler from end to end, two hinges and a motor."""
    hand.look_at((0.5, 0.25, 0.35), height)
    hand.hit(Qt.Key.Key_L, times=2)
    for foot, tip in (((0, 0, 0), CRANK), ((1, 0.5, 0), ROCKER)):
        hand.click(*foot)
        hand.move(foot[0], foot[1], 0.2)
        hand.type("z")
        hand.type(str(tip[2]))
        hand.hit(ENTER)
    hand.click(*CRANK)
    hand.click(*ROCKER)
    hand.hit(Qt.Key.Key_R, times=2)
    for foot, axis in (((0, 0, 0.01), "x"), ((1, 0.5, 0.01), "y")):
        hand.move(*foot)
        hand.type(axis)
        hand.click(*foot)
    hand.hit(Qt.Key.Key_M)
    hand.click(0, 0, 0)
    hand.choose(0)  # a constant speed
    hand.hit(ESCAPE)
