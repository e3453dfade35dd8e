"""Classics in space built by mouse and keys alone, run, and compared with those of the builder."""

from math import cos, radians, sin

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from space_stage_hand import SpaceStageHand

from engine.builder import Mechanism
from engine.checks import problems
from engine.files import load
from engine.mobility import mobility
from engine.model import spatial
from engine.simulate import run
from engine.system import compile_model
from gui.stage3d.gizmo import handle_at, handle_lines

ENTER, TAB, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEAN, SPIN = 20.0, 150.0  # degrees, rad/s


@pytest.fixture
def hand(window):
    """A hand at an empty room."""
    window.resize(1400, 900)
    window.commands["new_space"].trigger()
    QApplication.processEvents()
    assert window.document.model.elements == spatial().elements
    hand = SpaceStageHand(window)
    hand.stage.setFocus()
    return hand


def draw_top(hand):
    """A disc, a ball joint at its lower end, a lean by a ring, a spin by a number."""
    hand.look_at((0, 0, 0.05), 0.6)
    hand.hit(Qt.Key.Key_O)
    hand.press(0, 0, 0)
    hand.move(0.1, 0, 0, buttons=Qt.MouseButton.LeftButton)
    hand.type("0.1")
    hand.hit(TAB)
    hand.type("50 mm")
    hand.hit(ENTER)
    hand.release(0.1, 0, 0)
    hand.hit(Qt.Key.Key_S)
    hand.click(*rim(hand, 0.01))  # on its round face, near the lower end
    hand.hit(ESCAPE)
    hand.window.selection.set(["cylinder_1"])
    turn_by_ring(hand, "turn_x", str(LEAN))
    hand.hit(Qt.Key.Key_V)
    hand.press(*seen_top(hand), held=SHIFT)
    hand.type(str(SPIN))
    hand.hit(ENTER)
    hand.release(*seen_top(hand))
    hand.hit(ESCAPE)


def rim(hand, height):
    """A place on the round face of the disc that is seen."""
    toward = np.array(hand.stage.eye.position) * (1.0, 1.0, 0.0)
    x, y, _ = 0.1 * toward / np.linalg.norm(toward)
    return x, y, height


def seen_top(hand):
    """A place on the upper face of the leaning disc, beside its middle."""
    axle = np.array([0.0, -sin(radians(LEAN)), cos(radians(LEAN))])
    return tuple(0.05 * axle + np.array([0.03, 0.0, 0.0]))


def turn_by_ring(hand, handle, angle):
    """Take a ring of the gizmo with the mouse, type an angle, Enter."""
    gizmo, stage = hand.stage.active_tool.preview.gizmo, hand.stage
    ring = handle_lines(gizmo, stage.eye.pixel(gizmo.at, stage.height()))[handle]
    seen = [QPoint(*(round(x) for x in stage.to_pixels(place))) for place in ring[::6]]
    at = next(p for p in seen if handle_at(gizmo, stage, p.x(), p.y()) == handle)
    hand.pressed_at(at)
    hand.type(angle)
    hand.hit(ENTER)
    hand.released_at(at)


def build_top():
    """The same with the builder: leaning about x by the same angle."""
    m = Mechanism(dim=3)
    end = (0.0, -0.05 * sin(radians(LEAN)), 0.05 * cos(radians(LEAN)))
    disc = m.cylinder((0, 0, 0), end, 0.1, angular_velocity=(0.0, 0.0, SPIN))
    m.spherical("ground", disc, (0, 0, 0))
    return m.model


CRANK, ROCKER = (0.0, 0.0, 0.4), (1.0, 0.5, 0.9)


def draw_four_bar(hand):
    """Two upright rods with typed lengths, a coupler from end to end, two hinges and a motor."""
    hand.look_at((0.5, 0.25, 0.35), 2.2)
    hand.hit(Qt.Key.Key_L)
    for foot, tip in (((0, 0, 0), CRANK), ((1, 0.5, 0), ROCKER)):
        hand.click(*foot)
        hand.move(foot[0], foot[1], 0.2)
        hand.type("z")
        hand.type(str(tip[2]))
        hand.hit(ENTER)
    hand.click(*CRANK)
    hand.click(*ROCKER)
    hand.hit(Qt.Key.Key_R)
    for foot, axis in (((0, 0, 0.01), "x"), ((1, 0.5, 0.01), "y")):
        hand.move(*foot)
        hand.type(axis)
        hand.click(*foot)
    hand.hit(Qt.Key.Key_M)
    hand.click(0, 0, 0)
    hand.choose(0)  # a constant speed
    hand.hit(ESCAPE)


def build_four_bar():
    """The same with the builder."""
    m = Mechanism(dim=3)
    ends = [((0, 0, 0), CRANK), ((1, 0.5, 0), ROCKER), (CRANK, ROCKER)]
    for start, end in ends:
        m.rod(start, end, width=0.02, thickness=0.02)
    m.spherical("rod_1", "rod_3", CRANK)
    m.spherical("rod_2", "rod_3", ROCKER)
    base = m.revolute("ground", "rod_1", (0, 0, 0), axis=(1, 0, 0))
    m.revolute("ground", "rod_2", (1, 0.5, 0), axis=(0, 1, 0))
    m.motion(base, "2*pi", "speed")
    return m.model


CLASSICS = {"top": (draw_top, build_top, 3), "four_bar": (draw_four_bar, build_four_bar, 1)}


@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_built_by_hand_moves_as_the_one_of_the_builder(hand, name, tmp_path):
    draw, build, freedom = CLASSICS[name]
    draw(hand)
    drawn, built = hand.window.document.model, build()
    assert problems(drawn) == []
    assert [e.kind for e in drawn] == [e.kind for e in built]
    for one in (drawn, built):
        assert mobility(compile_model(one)).dof == freedom
    ours, theirs = (run(model, t_end=0.5) for model in (drawn, built))
    places = [r.q.reshape(len(r), -1, 7) for r in (ours, theirs)]
    assert places[0][..., :3] == pytest.approx(places[1][..., :3], abs=1e-6)
    turns = np.abs(np.einsum("tbi,tbi->tb", places[0][..., 3:], places[1][..., 3:]))
    assert turns == pytest.approx(np.ones_like(turns), abs=1e-9)
    assert np.ptp(places[0][:, 0, :3], axis=0).max() > 1e-3  # it moves
    stack, whole = hand.window.document.undo_stack, drawn
    steps = stack.index()
    while stack.canUndo():
        stack.undo()
    assert not hand.window.document.model.elements
    while stack.index() < steps:
        stack.redo()
    assert hand.window.document.model is whole
    hand.window.document.save(tmp_path / "classic.json")
    assert load(tmp_path / "classic.json") == whole
