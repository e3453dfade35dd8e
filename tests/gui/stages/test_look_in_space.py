"""How the stage in space looks: light, edges, depth, grid, marks, mounts, smooth edges."""

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from assets import example_paths
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.model.elements import spatial
from engine.model.shapes import Sphere
from gui.look.theme import DARK, LIGHT
from gui.stages.space.graphics.inks import SpaceInks
from gui.tools.space.base import Solid3
from tests.gui.space_hand import SpaceHand


def lone(color="#ffb13b"):
    """One ball of a strong colour over the floor."""
    m = Mechanism("Sphere", dim=3)
    m.sphere((0, 0, 0.5), 0.4, id="ball", color=color)
    return m


@pytest.mark.parametrize("color", ["#ff8000", "#ffffff", "#00ffff"])
def test_lit_colours_never_saturate_a_channel(qtbot, color):
    hand = SpaceHand(qtbot, lone(color))
    hand.view.overlay.centers = False
    hand.view.show_grid(False)
    image = hand.view.rendered(hand.view.size())
    dots = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    body = dots[dots[..., 3] == 255][:, :3]
    assert len(body) > 5000 and int(body.max()) < 254


def test_edges_have_the_tone_of_their_body():
    for theme in (LIGHT, DARK):
        inks = SpaceInks(theme)
        for color in map(QColor, theme.bodies):
            edge = QColor(*inks.edge(color, is_thin=False))
            assert edge.lightness() < color.lightness()
            assert abs((edge.hueF() - color.hueF() + 0.5) % 1.0 - 0.5) < 0.06  # the same hue
            thin = QColor(*inks.edge(color, is_thin=True))
            assert edge.lightness() < thin.lightness() < color.lightness()


def test_no_depth_is_wasted_before_what_is_seen(qtbot):
    hand = SpaceHand(qtbot, load(example_paths()["spatial_four_bar"]))
    view = hand.view
    view.zoom(3.0)
    near, far = view.scene.depths(view.eye)
    assert near >= 0.04 * view.eye.distance
    view.fit()
    near, far = view.scene.depths(view.eye)
    depth = view.eye.distance - view.eye.seen(view.scene.places())[:, 2]
    assert near < depth.min() and depth.max() < far
    view.prepare(view.width(), view.height())
    assert view.renderer.GetActiveCamera().GetClippingRange() == pytest.approx((near, far))


def test_what_a_tool_would_make_is_seen_whole_also_before_an_empty_model(qtbot):
    view = SpaceHand(qtbot, spatial()).view
    view.fit()
    size = 0.4 * view.eye.distance
    here = Solid3(Sphere(radius=size), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    view.preview_solids.show((here,), view.scene.inks)
    view.prepare(view.width(), view.height())
    near, far = view.renderer.GetActiveCamera().GetClippingRange()
    assert near <= view.eye.distance - size and far >= view.eye.distance + size


def test_the_grid_fades_out_before_it_ends(qtbot):
    hand = SpaceHand(qtbot, lone())
    view, room = hand.view, hand.view.scene.room
    view.zoom(0.3)
    area = view.rect().toRectF()
    pictures = []
    for shown in (True, False):
        room.has_grid = shown
        image = QImage(view.size(), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        room.paint(painter, area, view.eye)
        painter.end()
        dots = np.frombuffer(image.constBits(), np.uint8).reshape(view.height(), view.width(), 4)
        pictures.append(dots[..., :3].astype(int))
    drawn = np.abs(pictures[0] - pictures[1]).sum(axis=2)
    assert drawn.max() > 60  # there is a grid
    ends = np.concatenate([lines.reshape(-1, 3) for lines in room.lines.values()])
    seen = view.eye.project(ends, view.width(), view.height())
    inside = (seen > 3.0).all(axis=1) & (seen < np.array([view.width(), view.height()]) - 4.0).all(
        1
    )
    assert inside.sum() > 20
    at = np.round(seen[inside]).astype(int)
    assert max(int(drawn[y - 2 : y + 3, x - 2 : x + 3].max()) for x, y in at) <= 6


def spinning():
    """A drum on a hinge along its axis, one across it, and a fixed one."""
    m = Mechanism("Drums", dim=3)
    m.cylinder((0, 0, 0.4), (0, 0.2, 0.4), 0.3, id="turns")
    m.revolute("ground", "turns", (0, 0, 0.4), axis=(0, 1, 0))
    m.cylinder((1, 0, 0.4), (1, 0.2, 0.4), 0.3, id="tips")
    m.revolute("ground", "tips", (1, 0, 0.4), axis=(1, 0, 0))
    m.cylinder((2, 0, 0.4), (2, 0.2, 0.4), 0.3, id="held", fixed=True)
    m.box((3, 0, 0.4), 0.2, 0.2, 0.2, id="block")
    return m


def test_round_bodies_that_turn_bear_a_mark(qtbot):
    hand = SpaceHand(qtbot, spinning())
    hand.view.look_from("front", smoothly=False)
    hand.view.set_hidden([joint.id for joint in hand.view.scene.model.of("joint")])
    tones = {}
    for id in ("turns", "tips", "held", "block"):
        x, y = hand.view.to_pixels(
            hand.view.scene.placement.centers[hand.view.scene.placement.body_index[id]]
        )
        r = 0.15 / hand.view.scale_of_pixel()
        quarters = [(x + sx * r, y + sy * r) for sx in (-1, 1) for sy in (-1, 1)]
        shown = hand.picture()
        tones[id] = [shown[round(b), round(a), :3].astype(int) for a, b in quarters]
    for id, found in tones.items():
        steps = [int(np.abs(a - b).sum()) for a in found for b in found]
        if id == "turns":
            alike = [sum(int(np.abs(a - b).sum()) < 25 for b in found) for a in found]
            assert sorted(alike) == [1, 3, 3, 3], tones  # one quarter differs from the others
        elif id in ("tips", "held"):
            assert max(steps) < 40, (id, found)


def mounted(end, axis):
    """A bar from the origin to a place, on a hinge there."""
    m = Mechanism("Mounted", dim=3)
    m.rod((0, 0, 0), end, width=0.02, id="bar")
    m.revolute("ground", "bar", (0, 0, 0), axis=axis, id="hinge")
    return m


@pytest.mark.parametrize(
    ("end", "axis", "leads"),
    [
        ((0, 0, 1), (0, 1, 0), (0, 0, 1)),  # stands on the floor
        ((0.2, 0, -1), (0, 1, 0), (0, 0, -1)),  # hangs from the ceiling
        ((1, 0, 0), (1, 0, 0), (1, 0, 0)),  # is held from a wall
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),  # a lever
    ],
)
def test_mounts_turn_to_floor_wall_or_ceiling(qtbot, end, axis, leads):
    hand = SpaceHand(qtbot, mounted(end, axis))
    scene = hand.view.scene
    foot = scene.graphics["hinge"].actors[-1].GetUserMatrix()
    z = np.array([foot.GetElement(i, 2) for i in range(3)])
    assert z / np.linalg.norm(z) == pytest.approx(leads)


@pytest.mark.parametrize("name", ["stewart_platform", "gyroscope_in_gimbals", "screw_press"])
def test_symbols_stay_small(qtbot, name):
    hand = SpaceHand(qtbot, load(example_paths()[name]))
    scene = hand.view.scene
    for zoom in (1.0, 0.2, 8.0):
        hand.view.zoom(zoom)
        assert scene.unit <= 0.022 * scene.size + 1e-12
    assert all(g.least <= 0.026 * scene.size + 1e-12 for g in scene.graphics.values() if g.rail)


# --- smooth edges


def test_edges_are_smooth_while_something_moves_and_finer_at_rest(qtbot):
    hand = SpaceHand(qtbot, lone())
    view = hand.view
    view.budget = 1e9
    view.refresh()
    view.grab()
    assert view.is_fine and not view.is_quick  # four times the pixels are quick enough
    view.budget = -1.0
    for _ in range(8):
        view.refresh()
        view.grab()
    assert view.is_quick and not view.is_fine
    with qtbot.waitExposed(view):
        view.show()
    qtbot.waitUntil(lambda: view.is_fine)
    view.resize(view.width() + 20, view.height())
    assert not view.is_quick  # decided again for another size


def partly_covered(image):
    """How many pixels of a picture are neither clear nor full."""
    dots = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    return int(((dots[..., 3] > 20) & (dots[..., 3] < 235)).sum())


def test_quick_pictures_have_smooth_edges_too(qtbot):
    hand = SpaceHand(qtbot, lone())
    view = hand.view
    view.scene.shadows.actor.VisibilityOff()
    view.is_quick = True
    view.refresh()
    view.grab()
    assert not view.is_fine and partly_covered(view._picture) > 200
    bare = view._dots_of(view.width(), view.height())[..., 3]
    assert ((bare > 20) & (bare < 235)).sum() < 20


def test_the_lines_of_the_grid_stand_one_two_or_five_apart(qtbot):
    room = SpaceHand(qtbot, lone()).view.scene.room
    corner = np.zeros(3)
    for height in np.geomspace(1e-3, 1e3, 60):
        room.lay_grid(corner, corner, height)
        first = f"{room.step:.9e}"
        assert first.startswith(("1.000000000", "2.000000000", "5.000000000"))
