"""Whatever is done with the tools, nothing is raised and the model stays sound."""

import random

import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.files.model_files import dumps, loads
from gui.tools import TOOLS
from gui.tools.base import ALT, NO_MODIFIER, SHIFT
from tests.gui.hands import Hand

EVENTS = 700  # of each seed
KEYS = [
    (Qt.Key.Key_Tab, "\t"),
    (Qt.Key.Key_Return, "\r"),
    (Qt.Key.Key_Backspace, "\b"),
    *((ord(c.upper()), c) for c in "0123.5-* m(x,"),
]


@pytest.mark.parametrize("seed", range(3))
def test_random_gestures_leave_a_sound_model_and_exact_undo(qapp, seed):
    chance = random.Random(seed)
    hand = Hand().take(TOOLS[0])
    checked, changes = None, 0
    spots = [(0.25 * x, 0.25 * y) for x in range(9) for y in range(7)]
    for _ in range(EVENTS):
        x, y = chance.choice(spots)
        held = chance.choice([NO_MODIFIER] * 4 + [SHIFT, ALT])
        act = chance.random()
        if hand.tool.choices:
            hand.tool.choose(chance.randint(-1, len(hand.tool.choices)))
        elif act < 0.06 or len(hand.model.elements) > 120:
            stack = hand.document.undo_stack
            for _ in range(chance.randint(1, 6)):
                chance.choice([stack.undo, stack.undo, stack.redo])()
        elif act < 0.30:
            hand.take(chance.choice(TOOLS))
        elif act < 0.60:
            hand.click(x, y, held)
        elif act < 0.75:
            hand.drag((x, y), chance.choice(spots), held)
        elif act < 0.80:
            hand.tool.double_click(hand.pick(x, y), held)
        elif act < 0.83:
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
    assert changes > 50 and len(hand.complaints) > 5  # else nothing was tried
    steps = stack.index()
    while stack.can_undo():
        stack.undo()
    assert not hand.model.elements
    while stack.index() < steps:
        stack.redo()
    assert hand.model is model
