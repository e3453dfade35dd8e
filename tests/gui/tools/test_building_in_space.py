"""Classics in space built by mouse and keys alone, run, and compared with those of the builder."""

from math import cos, radians, sin

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.kinematics.mobility import mobility
from engine.model.elements import spatial
from engine.running.simulate import run
from tests.gui.space_drawings import (
    CRANK,
    LEAN,
    LENGTH,
    RADIUS,
    ROCKER,
    SPIN,
    draw_four_bar,
    draw_top,
)
from tests.gui.space_stage_hand import SpaceStageHand


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


def build_top():
    """The same with the builder: leaning about x by the same angle."""
    m = Mechanism(dim=3)
    end = (0.0, -LENGTH * sin(radians(LEAN)), LENGTH * cos(radians(LEAN)))
    disc = m.cylinder((0, 0, 0), end, RADIUS, angular_velocity=(0.0, 0.0, SPIN))
    m.spherical("ground", disc, (0, 0, 0))
    return m.model


def build_four_bar():
    """The same with the builder."""
    m = Mechanism(dim=3)
    m.names_for_people = True  # as the window names them
    ends = [((0, 0, 0), CRANK), ((1, 0.5, 0), ROCKER), (CRANK, ROCKER)]
    for start, end in ends:
        m.rod(start, end, width=0.02, thickness=0.02)
    m.spherical("rod_1", "rod_3", CRANK)
    m.spherical("rod_2", "rod_3", ROCKER)
    base = m.revolute("ground", "rod_1", (0, 0, 0), axis=(1, 0, 0))
    m.revolute("ground", "rod_2", (1, 0.5, 0), axis=(0, 1, 0))
    m.motion(base, "2*pi", "speed")
    return m.model


CLASSICS = {
    "top": (draw_top, build_top, 3),
    "four_bar": (draw_four_bar, build_four_bar, 1),
}


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
    places = [r.q[:, r.compiled.layout.positions] for r in (ours, theirs)]
    assert places[0] == pytest.approx(places[1], abs=1e-6)
    units = [r.q[:, r.compiled.layout.orientations] for r in (ours, theirs)]
    turns = np.abs(np.einsum("tbi,tbi->tb", *units))
    assert turns == pytest.approx(np.ones_like(turns), abs=1e-9)
    assert np.ptp(places[0][:, 0], axis=0).max() > 1e-3  # it moves
    stack, whole = hand.window.document.undo_stack, drawn
    steps = stack.index()
    while stack.can_undo():
        stack.undo()
    assert not hand.window.document.model.elements
    while stack.index() < steps:
        stack.redo()
    assert hand.window.document.model is whole
    hand.window.document.save(tmp_path / "classic.json")
    assert load(tmp_path / "classic.json") == whole


def test_two_centimetres_are_dragged_at_the_first_zoom(hand):
    assert hand.stage.eye.height * 0.02 < 1.0
    for n, (tool, size) in enumerate((("o", "radius"), ("b", "width")), start=1):
        hand.hit(tool)
        middle = (0.0, 0.3 * (n - 1), 0.0)
        hand.drag(middle, (0.02, middle[1] + (0.02 if tool == "b" else 0.0), 0.0))
        hand.click(*middle[:2], 0.05)
        body = hand.window.document.model.of("body")[-1]
        assert len(hand.window.document.model.of("body")) == n
        assert getattr(body.shape, size) == pytest.approx(0.02, rel=1e-9)
