"""The ends of rods in space catch the mouse from beside them, before the floor behind."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from engine.editing import edits
from engine.editing.builder import Mechanism
from tests.gui.hands import tool_named
from tests.gui.space_hand import SpaceHand, table


def two_rods():
    """Two rods that stand apart on the floor."""
    m = Mechanism("Rods", dim=3)
    m.rod((0, 0, 0), (0, 0, 0.6), width=0.03, id="a")
    m.rod((0.6, 0.3, 0), (0.6, 0.3, 0.6), width=0.03, id="b")
    return m


@pytest.mark.parametrize("turn", range(8))
def test_the_tip_of_a_rod_catches_from_ten_pixels_around(qtbot, turn):
    hand = SpaceHand(qtbot, two_rods())
    for body, tip in (("a", (0, 0, 0.6)), ("b", (0.6, 0.3, 0.6))):
        x, y = hand.view.to_pixels(tip)
        angle = turn * np.pi / 4
        pick = hand.pick(QPointF(x + 10 * np.cos(angle), y + 10 * np.sin(angle)))
        assert pick.point == pytest.approx(tip, abs=0.02)  # the rod is 3 cm thick
        assert body in pick.bodies and pick.snapped
    far = hand.pick(QPointF(x, y - 14))
    assert "b" not in far.bodies


def test_an_end_that_is_hidden_does_not_catch(qtbot):
    hand = SpaceHand(qtbot, table())
    view = hand.view
    graphic, p = view.scene.graphics["box"], view.scene.placement
    k = p.body_index["box"]
    hidden = []
    for spot in graphic.solid.spots:
        at = p.r[k] + p.R[k] @ np.array(spot.at)
        if (at - p.centers[k]) @ -view.eye.axes[2] > 0.35:  # the far side
            hidden.append(at)
    assert hidden
    for at in hidden:
        x, y = view.to_pixels(at)
        pick = hand.pick(QPointF(x, y))
        assert np.abs(np.array(pick.point) - at).max() > 1e-6 or "box" not in pick.bodies


def test_a_joint_just_beside_a_body_is_meant_on_it_and_a_new_body_is_not(qtbot):
    """The edge of a face is a line of no width: from outside it is missed by a fraction of a pixel."""
    hand = SpaceHand(qtbot, table())
    view, box = hand.view, []
    for x in range(
        view.width()
    ):  # from the left to the first pixel of the box, at half of its height
        at = QPointF(x, view.to_pixels((0, 0, 0.2))[1])
        if "box" in hand.pick(at, snapping=False).bodies:
            box.append(at)
    beside = box[0] - QPointF(3.0, 0.0)
    for name, is_meant in (("revolute", True), ("link", False)):
        view.set_tool(tool_named(name, 3)(hand.document, hand.selection))
        assert ("box" in hand.pick(beside).bodies) is is_meant


def test_a_disc_on_a_stem_is_welded_to_the_stem_and_hinged_to_the_ground():
    """The stem is hidden by the disc; a weld in the air is not meant for the ground."""
    m = Mechanism("Top", dim=3)
    m.rod((0, 0, 0), (0, 0, 0.2), width=0.008, id="stem")
    m.cylinder((0, 0, 0.2), (0, 0, 0.23), 0.08, id="disc")
    m.box((0, 0.5, 0.5), 0.1, 0.1, 0.1, id="aside")

    def first(kind, model):
        sight, on_mantle = ("disc", "stem", "aside"), (0.0, -0.08, 0.21)
        return set(edits.pairs_in_space(model, sight, "", on_mantle, kind, near=0.003)[0])

    assert first("weld", m.model) == {"disc", "stem"}
    assert first("revolute", m.model) == {
        "ground",
        "disc",
    }  # it needs a point: the stem is not there
    lower = edits.translated(m.model, ["stem"], (0.0, 0.0, -0.1))
    assert first("weld", lower) == {"ground", "disc"}  # they do not touch
