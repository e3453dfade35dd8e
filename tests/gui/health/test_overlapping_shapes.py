"""Shapes that overlap at the start are told above the stage, and moved apart by one click."""

import numpy as np

from engine.editing.builder import Mechanism
from tests.gui.health.test_health import click, examined


def piled():
    """Two discs in each other over a floor, with one contact for all."""
    m = Mechanism("piled")
    m.disc((0.0, 0.1), 0.1, mass=1.0, id="low")
    m.disc((0.02, 0.24), 0.1, mass=1.0, id="high")
    m.contact_all("ground", (0.0, 0.0), id="all")
    return m.model


def test_an_overlap_is_told_and_mended_by_one_click(qtbot, window):
    window.document.edit("Draw", piled())
    examined(qtbot, window)
    assert window.health.state("problems") == "problem"
    told = window.messages.sentence("overlap")
    assert "overlap by 0.05858 m" in told
    buttons = window.messages.bars["overlap"].buttons
    assert buttons[0].text() == "Move apart"
    before = window.document.model
    click(qtbot, buttons[0])
    examined(qtbot, window)
    assert not window.messages.sentence("overlap")
    assert window.health.state("problems") == "good"
    after = window.document.model
    a, b = (np.array(after[id].position) for id in ("low", "high"))
    assert np.linalg.norm(a - b) > 0.2 - 1e-7 and min(a[1], b[1]) > 0.1 - 1e-7
    window.document.undo_stack.undo()
    assert window.document.model == before
