"""The tools: gestures end in one edit, previews say beforehand what will happen."""

from math import pi

import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.editing import edits
from engine.model.elements import spatial
from engine.model.shapes import Polygon
from gui.tools import TOOLS
from gui.tools.base import ALT, NO_MODIFIER, SHIFT
from gui.tools.plane.bodies import (
    BoxTool,
    DiscTool,
    GroundTool,
    LinkTool,
    PointMassTool,
    PolygonTool,
)
from gui.tools.plane.loads import PointTool, TorqueTool, TracerTool
from gui.tools.plane.on_joints import GearTool
from gui.tools.plane.polyline import PolylineTool
from tests.gui.hands import PIXEL, Hand, tool_named

ENTER, TAB, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape


@pytest.fixture
def hand(qapp):
    """A hand before an empty model."""
    return Hand()


@pytest.fixture
def linked(hand):
    """A hand before two links that are pinned to each other at (1, 0)."""
    return hand.draw_two_links()


# --- what all tools share


def test_names_and_letters_are_different_and_none_is_missing():
    assert len({tool.name for tool in TOOLS}) == len({tool.letter for tool in TOOLS}) == len(TOOLS)
    assert all(tool.title and tool.icon and tool.group and tool.help for tool in TOOLS)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_tool_says_what_to_do_before_and_during_its_gesture(linked, tool):
    def told():
        """A hint that fits under the stage of a small window."""
        return 0 < len(linked.tool.hint) <= 112

    linked.selection.clear()
    linked.take(tool)
    assert told()
    linked.move(0.5, 0)
    assert told()
    linked.press(0.5, 0)
    assert told()
    linked.move(0.6, 0.3)
    assert told()


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_escape_leaves_nothing_behind(linked, tool):
    before = linked.model
    linked.take(tool)
    linked.move(0.5, 0)
    linked.press(0.5, 0.0)
    linked.tool.cancel()
    undone = linked.document.undo_stack
    while linked.model is not before:  # tools that need one press are done already
        undone.undo()
    assert not linked.tool.is_busy and not linked.tool.cancel()


@pytest.mark.parametrize("tool", [LinkTool, tool_named("spring"), BoxTool, GearTool, PolygonTool])
def test_undo_in_the_middle_of_a_gesture_ends_the_gesture(linked, tool):
    linked.take(tool_named("revolute"))
    linked.click(0, 0)
    linked.take(tool)
    linked.click(0, 0)
    if tool is tool_named("spring"):  # a click on the pin made a torsion spring
        linked.click(0.5, 0.5)
    assert linked.tool.is_busy
    linked.document.undo_stack.undo()
    assert not linked.tool.is_busy


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_model_in_space_ends_the_tool(linked, tool, qtbot):
    linked.selection.clear()
    linked.take(tool)
    linked.document.new(spatial())
    assert linked.finished > 0 and not linked.tool.is_busy
    before = linked.finished
    linked.take(tool)
    assert "in space" in linked.complaints[-1]
    qtbot.waitUntil(lambda: linked.finished > before)


# --- link


def test_two_clicks_make_a_link_and_one_step_of_undo(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    shown = hand.move(0.6, 0.8)
    assert "1 m" in hand.words()[0] and "53.13°" in hand.words()[0]
    assert shown.hollow == ((0.0, 0.0), (0.6, 0.8)) and not shown.filled
    hand.click(0.6, 0.8)
    assert hand.model["link_1"].shape.length == 1.0
    assert hand.selection.ids == ("link_1",)
    assert hand.document.undo_stack.count() == 1
    hand.document.undo_stack.undo()
    assert not hand.model.elements


def test_a_link_may_be_dragged_too(hand):
    hand.take(LinkTool).drag((0, 0), (1, 0))
    assert hand.kinds() == ["body"] and not hand.tool.is_busy


def test_digits_set_the_length_and_tab_the_angle(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    hand.move(3, 0.1)
    hand.type("2.5")
    assert "2.5|" in hand.words()[0] and hand.tool.preview.labels[0].field
    assert hand.hit(TAB)
    hand.type("-90")
    assert hand.hit(ENTER)
    body = hand.model["link_1"]
    assert body.shape.length == 2.5 and body.position == (0.0, -1.25)
    assert body.angle == -pi / 2


def test_units_and_arithmetic_can_be_typed_and_backspace_mends(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    hand.move(1, 0)
    hand.type("2*150 mmm")
    hand.hit(Qt.Key.Key_Backspace)
    hand.hit(ENTER)
    assert hand.model["link_1"].shape.length == pytest.approx(0.3)


def test_numbers_are_typed_and_shown_in_the_units_of_the_user(hand, preferences):
    preferences.set("length_unit", "mm")
    preferences.set("angle_unit", "rad")
    tool = hand.tool = LinkTool(hand.document, hand.selection, preferences)
    tool.pixel = PIXEL
    hand.click(0, 0)
    hand.move(0, 1)
    assert hand.words() == ["1000 mm   ∠ 1.5708 rad"]
    hand.type("300")
    hand.hit(TAB)
    hand.type("0.5")
    assert hand.words() == ["300 mm   ∠ 0.5| rad"]
    hand.hit(ENTER)
    assert hand.model["link_1"].shape.length == pytest.approx(0.3)
    assert hand.model["link_1"].angle == pytest.approx(0.5)


def test_nonsense_is_refused_with_a_sentence_and_the_gesture_goes_on(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    hand.move(1, 0)
    hand.type("2*/3")
    hand.hit(ENTER)
    assert hand.complaints and not hand.model.elements and hand.tool.is_busy
    assert hand.tool.cancel() and hand.tool.is_busy  # first what was typed, then the link
    assert hand.tool.cancel() and not hand.tool.is_busy
    assert not hand.tool.cancel()


def test_a_typed_length_lands_and_joins_where_it_ends(linked):
    linked.take(LinkTool)
    linked.click(1, 2)
    linked.move(1, 1.4)
    linked.type("1")  # ends at the free end of link_2
    assert linked.tool.preview.filled
    linked.hit(ENTER)
    pin = linked.model["pin_2"]
    assert edits.bodies_of(linked.model, pin.id) == ("link_2", "link_3")


def test_landing_on_a_body_joins_and_alt_lies_on_top(linked):
    shown = linked.move(0.5, 0)
    assert shown.filled == ((0.5, 0.0),) and linked.words() == ["pin link_1"]
    linked.click(0.5, 0)
    assert linked.move(0.5, 2, ALT).hollow == ((0.5, 2.0),)
    linked.click(0.5, 2)
    assert linked.kinds()[-2:] == ["body", "revolute"]
    shown = linked.move(0.5, 0, ALT)
    assert shown.hollow == ((0.5, 0.0),) and linked.words() == ["on top, not joined"]
    linked.click(0.5, 0, ALT)
    linked.click(-1, 1, ALT)
    assert linked.kinds()[-1] == "body"
    assert problems(linked.model) == []


def test_shift_click_adds_a_third_point_during_and_after_the_link(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    hand.click(1, 0, SHIFT)
    assert hand.move(1, 1).outlines
    hand.click(1, 1)
    assert isinstance(hand.model["link_1"].shape, Polygon)
    assert hand.document.undo_stack.count() == 1
    hand.click(3, 0)
    hand.click(4, 0)
    hand.click(3.5, 1, SHIFT)
    assert len(hand.model["link_2"].shape.points) == 3
    assert hand.model["link_2"].position == (3.5, 0.0)
    assert hand.kinds() == ["body", "body"] and problems(hand.model) == []


def test_a_click_twice_at_one_place_still_waits_for_the_other_end(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    hand.click(0, 0)
    assert hand.tool.is_busy and not hand.model.elements and not hand.complaints


def test_a_double_click_makes_nothing_twice(linked):
    def twice(tool, x, y):
        before = len(linked.model.elements)
        linked.take(tool).click(x, y)
        made = len(linked.model.elements) - before
        linked.tool.double_click(linked.pick(x, y), NO_MODIFIER)
        linked.tool.release(linked.pick(x, y), NO_MODIFIER)
        assert len(linked.model.elements) == before + made and not linked.tool.choices
        return made

    one_click = (
        tool_named("revolute"),
        PointMassTool,
        tool_named("spring"),
        TorqueTool,
        TracerTool,
        PointTool,
    )
    places = ((0, 0), (3, 3), (1, 0), (0.5, 0), (1, 1), (0.5, 0))
    assert all(twice(tool, *place) for tool, place in zip(one_click, places))
    assert not linked.complaints


def test_a_quick_click_at_the_end_of_a_link_begins_the_next_one(hand):
    hand.take(LinkTool)
    hand.click(0, 0)
    hand.click(1, 0)
    hand.tool.double_click(hand.pick(1, 0), NO_MODIFIER)
    hand.tool.release(hand.pick(1, 0), NO_MODIFIER)
    hand.click(1, 1)
    assert hand.kinds() == ["body", "body", "revolute"]


# --- other bodies


def test_boxes_and_discs_are_dragged_or_typed(hand):
    hand.take(BoxTool).drag((0, 0), (0.4, -0.2))
    assert edits.extent(hand.model, "box_1") == pytest.approx((0.0, -0.2, 0.4, 0.0))
    hand.press(1, 0)
    hand.move(1.5, 0.5)
    hand.type("0.3")
    hand.hit(TAB)
    hand.type("0.1")
    hand.hit(ENTER)
    assert edits.extent(hand.model, "box_2") == pytest.approx((1.0, 0.0, 1.3, 0.1))
    hand.take(BoxTool).drag((2, 2), (2.5, 2.3), SHIFT)
    assert hand.model["box_3"].shape.width == hand.model["box_3"].shape.height == 0.5
    hand.take(DiscTool).drag((5, 5), (5.3, 5.4))
    assert hand.model["disc_1"].shape.radius == pytest.approx(0.5)
    hand.press(8, 8)
    hand.move(8.1, 8)
    hand.type("250 mm")
    hand.hit(ENTER)
    assert hand.model["disc_2"].shape.radius == 0.25


@pytest.mark.parametrize("how", ["first corner", "double click", "enter"])
def test_a_polygon_is_closed_in_three_ways(hand, how):
    hand.take(PolygonTool)
    corners = [(0, 0), (1, 0), (1, 1)]
    for corner in corners:
        hand.click(*corner)
    if how == "first corner":
        assert hand.move(0, 0) and hand.words() == ["close"]
        hand.click(0, 0)
    elif how == "double click":
        hand.tool.double_click(hand.pick(1, 1), NO_MODIFIER)
    else:
        hand.hit(ENTER)
    assert hand.kinds() == ["body"] and len(hand.model["polygon_1"].shape.points) == 3


def test_backspace_takes_a_corner_back_and_crossing_edges_are_refused(hand):
    hand.take(PolygonTool)
    for corner in [(0, 0), (1, 1), (1, 0), (0, 1)]:
        hand.click(*corner)
    hand.hit(ENTER)
    assert hand.complaints and not hand.model.elements and hand.tool.is_busy
    hand.hit(Qt.Key.Key_Backspace)
    hand.hit(ENTER)
    assert hand.kinds() == ["body"]


def test_a_point_mass_on_a_body_is_pinned(linked):
    linked.take(PointMassTool).click(1, 1)
    linked.click(3, 3)
    linked.click(0.5, 0, ALT)
    assert linked.kinds()[3:] == ["particle", "revolute", "particle", "particle"]
    assert problems(linked.model) == []


def test_ground_works_on_the_selection_at_once_or_on_a_click(linked, qtbot):
    linked.selection.set(("link_1",))
    linked.take(GroundTool)
    assert linked.model["link_1"].fixed
    qtbot.waitUntil(lambda: linked.finished == 1)
    linked.selection.clear()
    linked.take(GroundTool)
    linked.move(0.5, 0)
    assert linked.words() == ["set link_1 free"]
    linked.click(0.5, 0)
    assert not linked.model["link_1"].fixed
    linked.click(7, 7)
    assert len(linked.complaints) == 1


def test_bars_are_drawn_corner_by_corner_and_end_by_enter(hand):
    hand.take(PolylineTool)
    for at in ((0, 0), (0, 1), (1.5, 1)):
        hand.click(*at)
    assert hand.move(1.5, 0).lines and hand.words() == ["1 m"]
    hand.click(1.5, 0)
    hand.hit(ENTER)
    (body,) = hand.model.elements.values()
    x, y = body.position
    assert [(x + a, y + b) for a, b in body.shape.points] == [(0, 0), (0, 1), (1.5, 1), (1.5, 0)]
    assert not body.shape.flexible and problems(hand.model) == []
    assert hand.document.undo_stack.count() == 1


def test_the_first_corner_closes_bars_and_backspace_takes_one_back(hand):
    hand.take(PolylineTool)
    for at in ((0, 0), (1, 0), (2, 2)):
        hand.click(*at)
    hand.hit(Qt.Key.Key_Backspace)
    hand.click(0, 1)
    hand.click(0, 0)
    (body,) = hand.model.elements.values()
    assert len(body.shape.bars().bars) == 3 and len(body.shape.bars().corners) == 3
    assert not hand.tool.is_busy


def test_going_back_over_a_bar_branches(hand):
    hand.take(PolylineTool)
    for at in ((0, 0), (1, 0), (1, 1), (1, 0), (2, 0)):
        hand.click(*at)
    hand.tool.double_click(hand.pick(2, 0), NO_MODIFIER)
    (body,) = hand.model.elements.values()
    assert len(body.shape.points) == 5 and len(body.shape.bars().bars) == 3


def test_one_corner_makes_no_bars_and_a_sentence_says_so(hand):
    hand.take(PolylineTool)
    hand.click(0, 0)
    hand.hit(ENTER)
    assert "two different corners" in hand.complaints[-1] and not hand.model.elements
    assert hand.tool.is_busy
