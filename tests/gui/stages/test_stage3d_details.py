"""Details of the stage in space: badges, boxes, bodies without a shape, large meshes, first views."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest

from engine.editing.builder import Mechanism
from engine.model.shapes import Mesh, body_mass_properties
from gui.guide.key_map import groups_of
from gui.placing.space import placement, shapes
from gui.placing.space.camera import HOME, OTHER_HOME, Eye, home_of
from gui.placing.space.inertia import principal_box
from tests.gui.space_hand import LEFT, NOTHING, SpaceHand, pendulum, table

CORNER = QPointF(30, 30)  # where nothing is drawn
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def hand(qtbot):
    """A hand on the table."""
    return SpaceHand(qtbot, table())


def locked():
    """A block on 3-2-1 that is drawn two degrees before gimbal lock, and one that is far from it."""
    m = Mechanism("Locked", dim=3)
    nose_up = np.radians(88.0)
    turn = (np.cos(0.5 * nose_up), 0.0, np.sin(0.5 * nose_up), 0.0)
    m.box((0, 0, 1), 0.4, 0.2, 0.1, id="near", orientation=turn, parameters="3-2-1")
    m.box((1, 0, 1), 0.4, 0.2, 0.1, id="far", parameters="3-2-1")
    return m


def bare():
    """A body with mass and inertia but no shape."""
    m = Mechanism("Bare", dim=3)
    m.box((0.0, 0.0, 0.25), 0.8, 0.6, 0.5, id="box")
    m.box((2.0, 0.0, 0.5), 0.6, 0.4, 0.2, id="bare")
    body = m.model["bare"]
    known = body_mass_properties(body)
    J = np.array(known.inertia)
    numbers = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    fields = {"mass": known.mass, "center": known.center, "inertia": tuple(map(float, numbers))}
    elements = {**m.model.elements, "bare": replace(body, shape=None, **fields)}
    return replace(m.model, elements=elements)


def drag_box(hand, a, b, modifiers=CTRL):
    """Draw a box with the left button."""
    hand.send(QEvent.Type.MouseButtonPress, a, LEFT, LEFT, modifiers)
    for share in (0.5, 1.0):
        hand.send(QEvent.Type.MouseMove, a + (b - a) * share, NOTHING, LEFT, modifiers)
    hand.send(QEvent.Type.MouseButtonRelease, b, LEFT, NOTHING, modifiers)


# --- the mouse


def test_turning_the_view_keeps_the_selection(hand):
    hand.click((1.5, 0.0, 0.4))
    before = hand.view.eye
    hand.drag(CORNER, CORNER + QPointF(80, 30))
    assert hand.view.eye != before and hand.selection.ids == ("drum",)
    hand.click(CORNER)
    assert hand.selection.ids == ()


def test_ctrl_and_drag_select_what_lies_in_the_box_as_a_whole(hand):
    seen = hand.view.eye.project(hand.view.scene.places(("drum",)), *hand.view.extent)
    low, high = QPointF(*seen.min(axis=0)), QPointF(*seen.max(axis=0))
    slack = QPointF(5, 5)
    before = hand.view.eye
    drag_box(hand, low - slack, high + slack)
    assert hand.selection.ids == ("drum",) and hand.view.eye == before
    middle = 0.5 * (low + high)
    drag_box(hand, low - slack, middle)  # half of it is not enough
    assert hand.selection.ids == ()
    hand.selection.set(("ball",))
    drag_box(hand, low - slack, high + slack, CTRL | SHIFT)
    assert hand.selection.ids == ("ball", "drum")
    drag_box(hand, QPointF(0, 0), QPointF(700, 500))
    assert set(hand.selection.ids) == {"box", "drum", "ball"}


def test_a_box_is_drawn_and_escape_gives_it_up(hand):
    plain = hand.picture()
    hand.send(QEvent.Type.MouseButtonPress, CORNER, LEFT, LEFT, CTRL)
    hand.send(QEvent.Type.MouseMove, QPointF(600, 450), NOTHING, LEFT, CTRL)
    assert (np.abs(hand.picture() - plain).sum(axis=2) > 0).sum() > 100_000
    QTest.keyClick(hand.view, Qt.Key.Key_Escape)
    hand.send(QEvent.Type.MouseButtonRelease, QPointF(600, 450), LEFT, NOTHING, CTRL)
    assert hand.selection.ids == () and hand.view.band is None


def test_ctrl_and_click_add_and_take_away(hand):
    hand.click((1.5, 0.0, 0.4))
    hand.click((-1.5, 0.0, 0.4), modifiers=CTRL)
    assert hand.selection.ids == ("drum", "ball")
    hand.click((1.5, 0.0, 0.4), modifiers=CTRL)
    assert hand.selection.ids == ("ball",)


# --- badges


def test_a_body_near_lock_has_a_badge_that_asks_for_its_rings(qtbot):
    hand = SpaceHand(qtbot, locked())
    asked = []
    hand.view.rings_wanted.connect(asked.append)
    hand.picture()
    marks = hand.view.overlay.locks
    assert set(marks.pills) == {"near"} and marks.words(marks.badges["near"]) == "2° to lock"
    hand.click(marks.pills["near"].center())
    assert asked == ["near"] and hand.selection.ids == ()
    hand.view.set_hidden({"near"})
    hand.picture()
    assert not marks.pills


# --- bodies


def test_a_body_without_a_shape_is_seen_picked_and_outlined(qtbot):
    hand = SpaceHand(qtbot, bare())
    sides, _, center = principal_box(hand.view.scene.model["bare"])
    assert sorted(sides) == pytest.approx([0.2, 0.4, 0.6]) and center == pytest.approx(np.zeros(3))
    hand.view.look_from("top", smoothly=False)
    assert hand.pick((2.0, 0.0, 0.5), snapping=False).element == "bare"
    low, high = hand.view.scene.reach(("bare",))
    assert high - low == pytest.approx((0.6, 0.4, 0.2))
    plain = hand.picture()
    hand.click((2.0, 0.0, 0.5))
    assert hand.selection.ids == ("bare",) and set(hand.view.scene.outlines.actors) == {"bare"}
    assert np.abs(hand.picture() - plain).sum() > 10_000


def ball_of(n):
    """A closed ball of 4 n^2 triangles."""
    t = np.linspace(0.0, np.pi, n + 1)[1:-1]
    p = np.linspace(0.0, 2.0 * np.pi, 2 * n, endpoint=False)
    ring = np.stack(
        [
            np.outer(np.sin(t), np.cos(p)),
            np.outer(np.sin(t), np.sin(p)),
            np.cos(t)[:, None] + 0 * p,
        ],
        axis=-1,
    )
    points = np.concatenate([ring.reshape(-1, 3), [(0, 0, 1), (0, 0, -1)]])
    k = np.arange(2 * n)
    after = (k + 1) % (2 * n)
    faces = [np.column_stack([np.full(2 * n, len(points) - 2), k, after])]
    for row in range(n - 2):
        a, b = row * 2 * n, (row + 1) * 2 * n
        faces += [np.column_stack([a + k, b + k, b + after])]
        faces += [np.column_stack([a + k, b + after, a + after])]
    last = (n - 2) * 2 * n
    faces.append(np.column_stack([np.full(2 * n, len(points) - 1), last + after, last + k]))
    return points, np.concatenate(faces)


def test_a_large_mesh_is_drawn_with_fewer_triangles_but_weighed_as_it_is():
    points, faces = ball_of(120)
    assert len(faces) > 2 * shapes.MOST_SHOWN
    mesh = Mesh(
        vertices=tuple(map(tuple, points.tolist())), faces=tuple(map(tuple, faces.tolist()))
    )
    drawn = shapes.solid_of(mesh)
    assert 1000 < len(drawn.triangles) <= 1.2 * shapes.MOST_SHOWN
    assert np.linalg.norm(drawn.points, axis=1) == pytest.approx(1.0, abs=0.02)
    assert len(mesh.faces) == len(faces)


def test_a_mesh_is_weighed_once_while_it_is_dragged(monkeypatch):
    weighed = []
    real = placement.body_mass_properties
    monkeypatch.setattr(placement, "body_mass_properties", lambda b: weighed.append(b) or real(b))
    points, faces = ball_of(8)
    points = points + np.array([0.0, 0.0, 0.5])
    mesh = Mesh(
        vertices=tuple(map(tuple, points.tolist())), faces=tuple(map(tuple, faces.tolist()))
    )
    body = replace(table().model["box"], shape=mesh)
    for x in (0.0, 0.1, 0.2):
        moved = replace(body, position=(x, 0.0, 0.0))
        assert placement.mass_center(moved, 3) == pytest.approx((0.0, 0.0, 0.5), abs=1e-9)
    given = replace(body, center=(0.0, 0.0, 0.2))
    assert placement.mass_center(given, 3) == pytest.approx((0.0, 0.0, 0.2))
    assert len(weighed) == 2


# --- the look


def test_edges_follow_their_bodies_and_go_with_them(qtbot):
    hand = SpaceHand(qtbot, table())
    edges, scene = hand.view.scene.edges, hand.view.scene
    drawn = edges._drawn[edges.body == scene.placement.body_index["box"]]
    assert drawn.max(axis=0) == pytest.approx((0.4, 0.3, 0.5), abs=1e-6)
    n = len(edges.local)
    hand.view.set_hidden({"box"})
    assert len(edges.local) == n - len(drawn)
    assert scene.placement.body_index["box"] not in edges.body


def test_what_falls_along_y_is_not_seen_end_on():
    assert home_of(3, (0.0, 0.0, -9.81)) == HOME == home_of(3, (-9.81, 0.0, 0.0))
    azimuth, elevation = home_of(3, (0.0, -9.81, 0.0))
    assert (azimuth, elevation) == OTHER_HOME
    toward = Eye(azimuth=azimuth, elevation=elevation).axes[2]
    assert abs(toward[1]) < 0.6


def test_a_model_opens_so_that_its_gravity_is_seen(qtbot):
    hand = SpaceHand(qtbot, table())
    hand.document.new(replace(pendulum(), gravity=(0.0, -9.81, 0.0)))
    assert (hand.view.eye.azimuth, hand.view.eye.elevation) == OTHER_HOME
    hand.view.look_from("front", smoothly=False)
    hand.view.look_from("home", smoothly=False)
    assert (hand.view.eye.azimuth, hand.view.eye.elevation) == OTHER_HOME


def test_the_key_map_tells_of_the_stage_that_is_shown(window):
    window.document.new(table().model)
    bar = [(a.text(), a.menu().actions()) for a in window.menuBar().actions()]
    groups = dict(groups_of(bar, in_space=True))
    keys = [key for rows in groups.values() for key, _ in rows]
    letters = [tool.letter for tool in window.strip.sets[3].tools.values() if len(tool.letter) == 1]
    assert (
        letters
        and set(letters) <= set(keys)
        and {"1", "2", "3", "4", "5", "Ctrl+drag"} <= set(keys)
    )
    window.show_key_map()
    assert "Mouse in space" in dict(window.keys.groups)
    window.keys._close()
    window.document.new()
    window.show_key_map()
    assert "Mouse" in dict(window.keys.groups)


def test_the_menu_of_a_body_shows_its_rings(window):
    window.document.new(table().model)
    menu = window.menu_of(("box",))
    (rings,) = [a for a in menu.actions() if a.text() == "Show the &rings"]
    rings.trigger()
    assert not window.docks["gimbal"].isHidden() and window.gimbal.body() == "box"
