"""Whatever is done with the tools in space, nothing is raised and the model stays sound."""

import random

import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.files.model_files import dumps, loads
from gui.tools.base import ALT, NO_MODIFIER, SHIFT
from gui.tools.space import TOOLS3D
from gui.tools.space.base import MOVE, TURN
from gui.tools.space.select import SelectTool3D
from tests.gui.sight_hand import SpaceHand

EVENTS = 350  # of each seed
KEYS = [
    (Qt.Key.Key_Tab, "\t"),
    (Qt.Key.Key_Return, "\r"),
    (Qt.Key.Key_Backspace, "\b"),
    (Qt.Key.Key_Left, ""),
    *((ord(c.upper()), c) for c in "0123.5-* m(xyz,"),
]


@pytest.mark.parametrize("seed", range(2))
def test_random_gestures_leave_a_sound_model_and_exact_undo(qapp, seed):
    chance = random.Random(seed)
    hand = SpaceHand().take(TOOLS3D[0])
    checked, changes = None, 0
    spots = [(0.2 * x, 0.2 * y, 0.1 * z) for x in range(4) for y in range(4) for z in range(3)]
    for _ in range(EVENTS):
        at, held = chance.choice(spots), chance.choice([NO_MODIFIER] * 4 + [SHIFT, ALT])
        handle = ""
        if isinstance(hand.tool, SelectTool3D) and hand.tool.preview.gizmo is not None:
            handle = chance.choice(["", *MOVE, *TURN])
        act = chance.random()
        if hand.tool.choices:
            hand.tool.choose(chance.randint(-1, len(hand.tool.choices)))
        elif act < 0.06 or len(hand.model.elements) > 60:
            stack = hand.document.undo_stack
            for _ in range(chance.randint(1, 6)):
                chance.choice([stack.undo, stack.undo, stack.redo])()
        elif act < 0.30:
            hand.take(chance.choice([*TOOLS3D, SelectTool3D]))
        elif act < 0.55:
            hand.click(*at, held=held)
        elif act < 0.78:
            hand.drag(at, chance.choice(spots), held, handle)
        elif act < 0.81:
            hand.tool.double_click(hand.pick(*at), held)
        elif act < 0.84:
            hand.tool.cancel()
        elif act < 0.9:
            hand.selection.set(
                chance.sample(list(hand.model.elements), len(hand.model.elements) // 3)
            )
        else:
            key, text = chance.choice(KEYS)
            hand.tool.key(key, text, NO_MODIFIER)
        if hand.model is not checked:
            assert problems(hand.model) == []
            checked, changes = hand.model, changes + 1
    model, stack = hand.model, hand.document.undo_stack
    assert loads(dumps(model)) == model
    assert changes > 10 and len(hand.complaints) > 5  # else nothing was tried
    steps = stack.index()
    while stack.can_undo():
        stack.undo()
    assert not hand.model.elements
    while stack.index() < steps:
        stack.redo()
    assert hand.model is model
