"""How ropes, rings and supports are drawn in the plane: by the side on which they hold."""

from dataclasses import replace

import pytest

from engine.editing.builder import Mechanism
from engine.model.elements import put
from tests.gui.stage_events import Hand


def slack_rope(acts, length=1.5):
    """A rod of 1.5 m between points that are 1 m apart."""
    m = Mechanism("rope")
    m.particle((1.0, 0.0), 1.0, id="p")
    ends = ("ground", (0.0, 0.0)), ("p", (1.0, 0.0))
    m.massless_rod(*ends, length=length, acts=acts, id="rope")
    return m.model


@pytest.mark.parametrize(
    "acts, length, sags",
    [("tension", 1.5, True), ("tension", 1.0, False), ("compression", 0.5, False)],
)
def test_a_rope_sags_where_it_is_slack(qtbot, acts, length, sags):
    hand = Hand(qtbot, slack_rope(acts, length))
    line = hand.view.stage_scene.graphics["rope"].mains[0]
    below = line.path().boundingRect().top()
    assert (below < -0.3) is sags and below <= 0.0
    # about as long as it is: the arc of a parabola
    assert line.path().length() == pytest.approx(length if sags else 1.0, rel=0.1)


def test_a_rope_is_thinner_than_a_rod(qtbot):
    hand = Hand(qtbot, slack_rope("tension"))
    width = hand.view.stage_scene.graphics["rope"].mains[0].pen().widthF()
    rod = Hand(qtbot, slack_rope("both", 1.0)).view.stage_scene.graphics["rope"].mains[0]
    assert width < rod.pen().widthF()


def test_a_support_is_hatched_on_the_side_that_lets_nothing_through(qtbot):
    m = Mechanism("support")
    m.particle((0.0, 0.0), 1.0, id="p")
    m.point_on_line("ground", "p", (0.0, 0.0), id="floor", acts="above")
    hand = Hand(qtbot, m.model)
    middles = {}
    for acts in ("above", "below"):
        floor = replace(hand.document.model["floor"], acts=acts)
        hand.document.edit("another side", put(hand.document.model, floor))
        graphic = hand.view.stage_scene.graphics["floor"]
        hatched = graphic.items[1]
        middles[acts] = hatched.path().boundingRect().center().y()
    assert middles["above"] > 0.0 > middles["below"]  # pixels count downwards


def test_a_ring_is_one_line_and_a_groove_has_an_inside(qtbot):
    counts = {}
    for acts in ("both", "inside"):
        m = Mechanism("ring")
        m.particle((1.0, 0.0), 1.0, id="p")
        ends = ("ground", (0.0, 0.0)), ("p", (1.0, 0.0))
        m.point_on_circle(*ends, id="ring", acts=acts)
        counts[acts] = len(Hand(qtbot, m.model).view.stage_scene.graphics["ring"].items)
    assert counts["both"] == counts["inside"] + 1
