"""What the stage draws: one graphic per element, made anew only where the model changed."""

from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from assets.make_examples import four_bar, gear_train
from engine.editing.builder import Mechanism
from engine.formulas.resolve import resolved
from engine.model.catalogue import ELEMENTS
from engine.model.elements import put, remove
from engine.model.shapes import Box, Disc, Polygon, Rod
from gui.look.theme import DARK, LIGHT, palette_of
from gui.placing.plane.gears import wheels_of
from gui.placing.plane.picks import bodies_at
from gui.placing.plane.placement import Placement
from gui.stages.plane import painting
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.inks import Inks
from gui.stages.plane.view import StageView
from gui.state.preferences import length_text
from tests.gui.stage_events import Hand
from tests.gui.stage_models import every_kind

DRAWN = ("body", "joint", "force", "motion", "tracer", "trigger")


@pytest.fixture
def hand(qtbot):
    """A stage with the four-bar."""
    return Hand(qtbot, four_bar().model)


def test_every_kind_of_element_of_the_plane_is_drawn(qtbot):
    model = every_kind()
    known = {e.kind for e in ELEMENTS if 2 in e.dims}
    assert {e.kind for e in model} == known
    hand = Hand(qtbot, model)
    graphics = hand.view.stage_scene.graphics
    for element in model:
        if element.family in DRAWN and element.kind != "gear":
            assert graphics[element.id].items, element.id
    for theme in (DARK, LIGHT):
        hand.view.setPalette(palette_of(theme))
        assert hand.view.stage_scene.inks.theme is theme
        assert hand.colors()[QColor(theme.paper).name()] > 1000
        assert set(hand.view.stage_scene.graphics) == set(graphics)


@pytest.mark.parametrize(
    "shape", [Rod(), Rod(width=0.0), Box(), Disc(), Polygon()], ids=lambda s: s.kind
)
def test_outlines_have_the_size_of_their_shapes(shape):
    rect = symbols.body_outline(shape).boundingRect()
    size = {
        "rod": (1.0 + shape.width, shape.width) if shape.kind == "rod" else None,
        "box": (0.2, 0.1),
        "disc": (0.2, 0.2),
        "polygon": tuple(np.ptp(np.array(shape.points), axis=0))
        if shape.kind == "polygon"
        else None,
    }[shape.kind]
    assert (rect.width(), rect.height()) == pytest.approx(size)


def test_a_body_is_drawn_in_its_colour_where_it_is(qtbot):
    m = Mechanism()
    m.box((0, 0), 1.0, 1.0, id="red", color="#ff0000")
    m.box((2, 0), 1.0, 1.0, id="blue")
    hand = Hand(qtbot, m.model)
    image = hand.view.grab().toImage()
    inks = Inks(LIGHT)
    for at, color in (((0.3, 0.3), "#ff0000"), ((2.3, 0.3), LIGHT.bodies[1])):
        expected = inks.body_fill(QColor(color)).color()
        assert image.pixelColor(hand.pixels(at)).name() == expected.name()
    assert image.pixelColor(hand.pixels((1.02, 0.33))).name() == LIGHT.paper


def test_an_edit_makes_only_what_it_concerns_anew(hand):
    before = dict(hand.view.stage_scene.graphics)
    moved = replace(hand.model["crank"], angle=1.2)
    hand.document.edit("turn", put(hand.model, moved))
    assert all(hand.view.stage_scene.graphics[id] is g for id, g in before.items())
    item = before["crank"].items[0]
    assert item.rotation() == pytest.approx(np.degrees(1.2))
    hand.document.edit("colour", put(hand.model, replace(moved, color="#123456")))
    after = hand.view.stage_scene.graphics
    assert after["crank"] is not before["crank"]
    assert after["rocker"] is before["rocker"] and after["D"] is before["D"]
    hand.document.edit("delete", remove(hand.model, "rocker"))
    assert set(hand.view.stage_scene.graphics) >= {"crank", "coupler", "A", "B"}
    assert not {"rocker", "C", "D"} & set(hand.view.stage_scene.graphics)
    while hand.document.undo_stack.can_undo():
        hand.document.undo_stack.undo()
    assert set(hand.view.stage_scene.graphics) == set(before)


@pytest.mark.parametrize("scale", [1, 2])
def test_joined_ends_have_an_eye_with_a_filled_dot_and_free_ends_are_plain_and_round(qtbot, scale):
    m = Mechanism()
    m.rod((0, 0), (1, 0), mass=1.0, id="rod")
    m.revolute("ground", "rod", (0, 0), id="pin")
    hand = Hand(qtbot, m.model)
    view = hand.view
    view.show_grid(False)
    image = view.render_image(view.viewport().size() * scale)
    inks = view.stage_scene.inks
    fill = inks.body_fill(view.stage_scene.context.color_of("rod")).color()

    def at(x, dx, dy):
        """The colour at some pixels from a place."""
        p = view.to_pixels(x, 0.0)
        return image.pixelColor(round(scale * (p.x() + dx)), round(scale * (p.y() + dy)))

    def is_like(a, b):
        """Whether two colours are nearly the same."""
        return sum(abs(p - q) for p, q in zip(a.getRgb()[:3], b.getRgb()[:3])) < 40

    assert is_like(at(0.0, 0, 0), inks.ink)  # the dot
    assert is_like(at(0.0, 0, -7), fill)  # the eye is wider than the bar
    assert is_like(at(1.0, 0, 3), fill)  # neither dot nor hole
    assert is_like(at(1.0, 0, -8), inks.paper) and is_like(at(1.0, 8, 0), inks.paper)  # no eye
    assert not is_like(at(1.0, 4, 0), inks.paper)  # but round


def test_a_clear_picture_has_no_paper_around_links(hand):
    image = hand.view.render_image(hand.view.viewport().size(), transparent=True)
    paper = QColor(LIGHT.paper).name()
    bare = [image.pixelColor(x, y) for y in range(image.height()) for x in range(image.width())]
    around = sum(c.alpha() == 255 and c.name() == paper for c in bare)
    assert around < 4 * 4 * 12  # only the rims of pins
    assert hand.view.stage_scene.graphics["coupler"].gaps[0].isVisible()


@pytest.mark.parametrize("aspect", [0.01, 0.05, 0.2, 1.0])
def test_springs_have_five_to_twelve_turns(aspect):
    behind, before = symbols.coil_parts(aspect)
    half_turns = [len(path.toSubpathPolygons()) for path in (behind, before)]
    assert half_turns[1] - 2 == half_turns[0] + 1  # and two straight ends
    assert 5 <= half_turns[0] <= 12 and half_turns[0] == symbols.turns_of_coil(aspect)
    whole = behind.boundingRect().united(before.boundingRect())
    assert (whole.left(), whole.right()) == pytest.approx((0.0, 1.0))
    assert whole.height() == pytest.approx(1.0)


def test_polygons_that_hold_pins_are_plates_with_round_corners(qtbot):
    m = Mechanism()
    m.polygon(((0, 0), (1, 0), (0, 1)), id="plate")
    free = Hand(qtbot, m.model).view.stage_scene.graphics["plate"].items[0].pen().widthF()
    m.revolute("ground", "plate", (0, 0))
    m.revolute("ground", "plate", (1, 0))
    held = Hand(qtbot, m.model).view.stage_scene.graphics["plate"].items[0].pen().widthF()
    assert free < 2.0 and held == 18.0


def test_a_joint_whose_points_are_apart_is_drawn_with_a_red_gap(hand):
    marker = resolved(hand.model)[hand.model["B"].marker_j]
    away = replace(marker, position=(marker.position[0] + 0.2, marker.position[1]))
    red = QColor(LIGHT.problem).name()
    assert red not in hand.colors()
    hand.document.edit("tear", put(hand.model, away))
    assert hand.colors().get(red, 0) > 1  # a dashed line and a ring, every second dot looked at


def test_problems_are_red_the_rest_is_faint_and_nothing_clears(hand):
    scene = hand.view.stage_scene
    hand.view.highlight(("B",), "problem")
    assert scene.graphics["B"].glow == "problem" and scene.graphics["B"].items[0].opacity() == 1.0
    assert scene.graphics["crank"].items[0].opacity() < 0.5
    hand.view.highlight(())
    assert scene.graphics["B"].glow == "" and scene.graphics["crank"].items[0].opacity() == 1.0


def test_a_gap_is_drawn_with_its_length(hand):
    red = QColor(LIGHT.problem).name()
    hand.view.show_gap(hand.model["A"].marker_i, hand.model["D"].marker_i)
    assert hand.colors().get(red, 0) > 30
    hand.view.show_gap(None)
    assert red not in hand.colors()
    assert length_text(0.0032) == "3.2 mm" and length_text(3.0) == "3 m"


def test_what_is_hidden_is_neither_drawn_nor_picked(hand):
    crank = (0.6 * cos(radians(60)), 0.6 * sin(radians(60)))
    hand.view.set_hidden(("crank",))
    assert not hand.view.stage_scene.graphics["crank"].items[0].isVisible()
    hand.click(crank)
    assert hand.selection.ids == ()
    hand.document.edit("paint", put(hand.model, replace(hand.model["crank"], color="#00ff00")))
    assert not hand.view.stage_scene.graphics["crank"].items[0].isVisible()
    hand.view.set_hidden(())
    hand.click(crank)
    assert hand.selection.ids == ("crank",)


def test_selected_and_hovered_things_glow(hand):
    hand.selection.set(("crank",))
    hand.selection.hover("rocker")
    graphics = hand.view.stage_scene.graphics
    assert (graphics["crank"].glow, graphics["rocker"].glow, graphics["A"].glow) == (
        "selected",
        "hover",
        "",
    )
    hand.selection.clear()
    assert graphics["crank"].glow == ""


def test_wheels_of_a_gear_train_mesh_and_each_is_drawn_once():
    placement = Placement(gear_train().model)
    drawn = wheels_of(placement)
    wheels = [w for of_gear in drawn.values() for w in of_gear]
    assert len(wheels) == 3 and len({w.marker for w in wheels}) == 3
    assert len({round(w.module, 12) for w in wheels}) == 1  # equal teeth
    for gear in placement.model.of("joint"):
        if gear.kind != "gear":
            continue
        met = []
        for joint, way in ((gear.joint_1, 0.0), (gear.joint_2, np.pi)):  # they lie in a row
            n = placement.marker_index[placement.model[joint].marker_j]
            wheel = next(w for w in wheels if w.marker == n)
            past = (way - wheel.phase - placement.pose.markers[n][2]) / (2 * np.pi / wheel.teeth)
            met.append(past % 1.0)
        assert (met[0] + met[1]) % 1.0 == pytest.approx(0.5)  # a tooth in a gap


def test_a_stage_can_be_closed_and_another_opened_on_the_same_document(qtbot, hand):
    other = StageView(hand.document, hand.selection, hand.playback)
    qtbot.addWidget(other)
    other.show()
    hand.view.close()
    hand.document.edit("turn", put(hand.model, replace(hand.model["crank"], angle=1.3)))
    assert other.stage_scene.placement.pose.bodies[0][2] == pytest.approx(1.3)
    assert other.to_pixels(0.0, 0.0) != QPointF()


def test_a_rod_is_never_thinner_than_a_link_at_any_zoom(qtbot):
    m = Mechanism()
    m.rod((0, 0), (1, 0), mass=1.0, width=0.05, id="rod")
    hand = Hand(qtbot, m.model)
    for factor, is_link in ((1.0, False), (0.1, True), (10.0, False)):
        hand.view.zoom(factor)
        assert hand.view.stage_scene.graphics["rod"].is_link is is_link
        hand.click((0.25, 5.0 * hand.view.scale_of_pixel()))
        assert hand.selection.ids == ("rod",)


@pytest.mark.parametrize("sweep", [0.0, 0.2, -0.3, 1.2, -2.0, 3.0])
def test_the_value_of_an_angle_lies_beside_its_bars(sweep):
    image = QImage(600, 600, QImage.Format.Format_ARGB32)
    at, area = QPointF(300.0, 300.0), QRectF(0.0, 0.0, 600.0, 600.0)
    ways, cards = np.linspace(-3.0, 3.0, 13).tolist(), []
    painter = QPainter(image)
    for start in ways:
        cards.append(painting.paint_angle(painter, at, start, sweep, "-123.45°", Inks(LIGHT), area))
    painter.end()
    for start, card in zip(ways, cards):
        for way in (start, start + sweep):
            bar = [at + QPointF(cos(way), -sin(way)) * r for r in range(0, 290, 2)]
            assert not any(card.contains(p) for p in bar), (start, way)


def test_the_angle_of_a_pin_covers_no_body_where_it_need_not(qtbot, monkeypatch):
    m = Mechanism()
    m.rod(
        (0, 0), (0.9, -0.5), id="link"
    )  # below the axis of its marker, where the value would stand
    m.revolute("ground", "link", (0, 0), id="pin")
    cards = []
    paint = painting.paint_angle
    monkeypatch.setattr(painting, "paint_angle", lambda *a: cards.append(paint(*a)) or cards[-1])
    hand = Hand(qtbot, m.model)
    hand.selection.set(["pin"])
    hand.view.grab()
    view = hand.view
    middle = view.to_world(cards[-1].center())
    assert bodies_at(view.stage_scene.placement, *middle, 8.0 * view.scale_of_pixel()) == ()


@pytest.mark.parametrize("angle", [0.0, 0.5])
def test_rails_touch_the_box_wherever_the_slider_was_clicked_on_it(qtbot, angle):
    m = Mechanism()
    box = m.box((0.8, 0.0), 0.2, 0.12, angle=angle)
    off = 0.03  # from the middle of the box, across the slide
    m.prismatic("ground", box, at=(0.8 - off * sin(angle), off * cos(angle)), angle=angle)
    scene = Hand(qtbot, m.model).view.stage_scene
    rails = scene.graphics["prismatic_1"].items[0]
    low, high = rails.path().boundingRect().top(), rails.path().boundingRect().bottom()
    assert (low + off, high + off) == pytest.approx((-0.06, 0.06), abs=1e-12)
