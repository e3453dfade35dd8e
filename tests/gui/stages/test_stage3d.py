"""The stage in space: what is picked, how the eye moves, what is drawn and played."""

from itertools import pairwise
from math import pi

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QSize, QSizeF, Qt
from PySide6.QtTest import QTest

from assets import example_paths
from engine.editing.edits import deleted
from engine.files.model_files import load
from engine.running.simulate import run
from gui.look.theme import DARK, LIGHT, palette_of
from gui.placing.space.camera import VIEWS, Eye
from gui.stages.names import paint_names
from gui.stages.space.cube import MARGIN, SIZE, beside_corners
from tests.gui.space_hand import MIDDLE, RIGHT, SpaceHand, actor_frame, pendulum, table


def test_names_stand_beside_the_gizmo_not_in_it(hand, monkeypatch):
    from gui.stages.space import overlay
    from gui.tools.space.base import Gizmo, SpacePreview

    view, cards = hand.view, []

    def paint(*arguments):
        found = paint_names(*arguments)
        cards.append(found)
        return found

    monkeypatch.setattr(overlay, "paint_names", paint)
    view.selection.set(["drum"])
    view.selection.hover("drum")
    view.labels.body = lambda: None  # where the sizes are shown, the name is not
    at = view.scene.placement.to_world("drum", (0.0, 0.0, 0.0))
    view.active_tool.show(SpacePreview(gizmo=Gizmo(tuple(at))))
    view.grab()
    (card,) = cards[-1]
    grip, cube = view.grips_of_tool()
    assert grip.contains(view.overlay.at(at)) and not card.intersects(grip)
    assert cube.right() > 0.9 * view.width() and not card.intersects(cube)


CORNER = QPointF(30, 30)  # where nothing is drawn


@pytest.fixture
def hand(qtbot):
    """A hand on the table."""
    return SpaceHand(qtbot, table())


# --- the eye


def test_a_place_is_projected_where_its_line_of_sight_goes():
    for is_parallel in (False, True):
        eye = Eye((0.2, -0.1, 0.3), 0.7, 0.4, 3.0, is_parallel)
        place = np.array([0.5, 0.4, -0.2])
        x, y = eye.project(place, 800, 600)[0]
        ray = eye.ray(x, y, 800, 600)
        away = place - np.array(ray.origin)
        assert np.allclose(np.cross(away, ray.direction), 0.0, atol=1e-9)  # rounding
        assert away @ np.array(ray.direction) > 0.0


@pytest.mark.parametrize("up", ["z", "y"])
@pytest.mark.parametrize("name", VIEWS)
def test_axes_of_the_eye_are_a_right_handed_frame(name, up):
    right, above, toward = Eye(up=up).turned_to(name).axes
    assert np.allclose(np.cross(right, above), toward)
    if name not in ("top", "bottom"):
        assert above["xyz".index(up)] > 0.0


def test_fitting_shows_every_place_and_fills_the_view():
    places = np.random.default_rng(1).uniform(-1, 2, (60, 3))
    for is_parallel in (False, True):
        eye = Eye(is_parallel=is_parallel).fitted(places, 900, 500)
        x, y = eye.project(places, 900, 500).T
        assert x.min() > 0 and x.max() < 900 and y.min() > 0 and y.max() < 500
        assert max(np.ptp(x) / 900, np.ptp(y) / 500) > 0.6


def test_fitting_leaves_the_cube_free_but_does_not_go_far_away_for_it():
    bar = np.array([[-0.7, 0.0, -0.65], [0.7, 0.0, 0.65]])  # ends at the upper right
    eye = Eye(is_parallel=True, height=2.0).turned_to("front")
    x, y = eye.project(bar, 400, 400).T
    free = beside_corners(eye, bar, 400, 400)
    assert x.max() > 400 - MARGIN - SIZE and y.min() < MARGIN + SIZE  # it would be hidden
    x, y = free.project(bar, 400, 400).T
    assert not ((x > 400 - MARGIN - SIZE) & (y < MARGIN + SIZE)).any()
    assert eye.height < free.height <= 1.25 * eye.height
    card = QSizeF(120.0, 80.0)  # at the upper left
    other = bar * (-1.0, 1.0, 1.0)
    x, y = eye.project(other, 400, 400).T
    assert ((x < card.width()) & (y < card.height())).any()
    x, y = beside_corners(eye, other, 400, 400, card).project(other, 400, 400).T
    assert not ((x < card.width()) & (y < card.height())).any()
    everywhere = np.random.default_rng(1).uniform(-1, 1, (900, 3))
    assert beside_corners(eye, everywhere, 400, 400) is eye


# --- picking


@pytest.mark.parametrize("view", ["home", "front", "right", "top"])
def test_the_ball_the_drum_and_the_box_are_picked_where_they_are(hand, view):
    hand.view.look_from(view, smoothly=False)
    middles = {"box": (0.0, 0.0, 0.25), "drum": (1.5, 0.0, 0.4), "ball": (-1.5, 0.0, 0.4)}
    for id, middle in middles.items():
        pick = hand.pick(middle, snapping=False)
        assert id in pick.bodies
        if view != "right":  # there they stand one behind the other
            assert pick.bodies[0] == pick.element == id


def test_bodies_are_listed_along_the_line_of_sight_nearest_first(hand):
    hand.view.look_from("right", smoothly=False)
    assert hand.pick((0.0, 0.0, 0.3), snapping=False).bodies == ("drum", "box", "ball")


def test_a_face_gives_its_normal_and_a_round_side_its_axis(hand):
    hand.view.look_from("front", smoothly=False)
    face = hand.pick((0.2, -0.3, 0.35), snapping=False)
    assert face.normal == pytest.approx((0.0, -1.0, 0.0))
    assert face.axis == pytest.approx((0.0, -1.0, 0.0))
    assert face.point[1] == pytest.approx(-0.3)
    side = hand.pick((1.45, -0.3, 0.5), snapping=False)
    assert np.abs(side.axis) == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)
    assert side.normal[2] == pytest.approx(0.0, abs=1e-9)
    hand.view.look_from("top", smoothly=False)
    end = hand.pick((1.6, 0.1, 0.8), snapping=False)
    assert end.normal == pytest.approx((0.0, 0.0, 1.0))
    assert end.point[2] == pytest.approx(0.8)


def test_the_mouse_snaps_to_faces_corners_and_edges(hand):
    hand.view.look_from("home", smoothly=False)
    centre = hand.pick((0.0, 0.0, 0.5))
    assert centre.snap_kind == "face" and centre.point == pytest.approx((0.0, 0.0, 0.5))
    corner = hand.pick((0.392, -0.294, 0.496))
    assert corner.snap_kind == "corner" and corner.point == pytest.approx((0.4, -0.3, 0.5))
    edge = hand.pick((0.0, -0.295, 0.498))
    assert edge.snap_kind == "edge" and edge.point == pytest.approx((0.0, -0.3, 0.5))
    assert np.abs(edge.axis) == pytest.approx((1.0, 0.0, 0.0))
    rim = hand.pick((1.5, 0.0, 0.8))
    assert rim.snap_kind == "face" and rim.axis == pytest.approx((0.0, 0.0, 1.0))


def test_empty_places_lie_on_the_ground_or_on_the_plane_that_faces_the_eye(hand):
    ground = hand.pick((0.6, -1.0, 0.0), snapping=False)
    assert ground.point == pytest.approx((0.6, -1.0, 0.0), abs=1e-6)
    assert not ground.element and ground.normal == (0.0, 0.0, 1.0)
    crossing = hand.pick((0.999, -1.0, 0.0))
    assert crossing.snap_kind == "grid"
    hand.view.look_from("front", smoothly=False)
    wall = hand.pick((0.7, 0.0, 0.7), snapping=False)
    assert wall.point == pytest.approx((0.7, 0.0, 0.7), abs=1e-6)
    assert np.abs(wall.normal) == pytest.approx((0.0, 1.0, 0.0))


def test_joints_and_markers_catch_the_mouse(qtbot):
    hand = SpaceHand(qtbot, pendulum())
    pick = hand.pick((0.0, 0.0, 1.0))
    assert pick.joint == pick.element == "pivot" and pick.snap_kind == "joint"
    assert pick.point == pytest.approx((0.0, 0.0, 1.0)) and "rod" in pick.bodies
    assert hand.pick((0.8, 0.0, 1.0)).element == "pen"


def test_hidden_and_left_out_bodies_are_not_picked(hand):
    hand.view.set_hidden({"box"})
    assert "box" not in hand.pick((0.0, 0.0, 0.25)).bodies
    assert "drum" not in hand.pick((1.5, 0.0, 0.4), without=("drum",)).bodies


# --- the mouse


def test_a_click_selects_and_a_click_beside_clears(hand):
    hand.click((1.5, 0.0, 0.4))
    assert hand.selection.ids == ("drum",)
    hand.click((-1.5, 0.0, 0.4), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert hand.selection.ids == ("drum", "ball")
    hand.click(CORNER)
    assert hand.selection.ids == ()


def test_what_is_selected_elsewhere_is_outlined_here(hand):
    before = hand.picture()
    hand.selection.set(("box",))
    assert set(hand.view.scene.outlines.actors) == {"box"}
    assert np.abs(hand.picture() - before).sum() > 10000
    hand.selection.clear()
    assert not hand.view.scene.outlines.actors


def test_dragging_beside_the_model_turns_the_view_and_up_stays_up(hand):
    before = hand.view.eye
    hand.drag(CORNER, CORNER + QPointF(120, 40))
    after = hand.view.eye
    assert after.azimuth != before.azimuth and after.elevation > before.elevation
    assert after.focus == before.focus and after.height == before.height
    hand.drag(CORNER, CORNER + QPointF(0, 5000))
    assert hand.view.eye.elevation == pytest.approx(pi / 2)


def test_the_right_button_turns_the_view_over_bodies_and_a_click_asks_for_the_menu(hand):
    asked = []
    hand.view.context_menu_requested.connect(lambda ids, at: asked.append(ids))
    before = hand.view.eye
    hand.drag((0.0, 0.0, 0.4), QPointF(500, 200), RIGHT)
    assert hand.view.eye.azimuth != before.azimuth and not asked
    hand.click((0.0, 0.0, 0.25), RIGHT)
    assert asked == [("box",)]


def test_the_middle_button_moves_what_is_seen_with_the_mouse(hand):
    place = (0.0, 0.0, 0.25)
    start = hand.at(place)
    hand.drag(start, start + QPointF(60, -40), MIDDLE)
    moved = hand.at(place) - start
    assert moved.x() == pytest.approx(60, rel=0.1) and moved.y() == pytest.approx(-40, rel=0.1)
    assert not hand.view.is_fitted


def test_the_wheel_zooms_at_the_cursor(hand):
    place = np.array(hand.pick((0.3, -0.3, 0.4), snapping=False).point)
    at, before = hand.at(place), hand.view.eye.height
    hand.wheel(at, 3)
    assert hand.view.eye.height == pytest.approx(before / 1.2**3)
    assert hand.at(place).x() == pytest.approx(at.x(), abs=0.01)
    assert hand.at(place).y() == pytest.approx(at.y(), abs=0.01)


def test_keys_look_from_the_front_the_top_and_the_right_and_fit(hand, qtbot):
    hand.view.zoom(3.0)
    zoomed = hand.view.eye.height
    for key, name in ((Qt.Key.Key_1, "front"), (Qt.Key.Key_2, "top"), (Qt.Key.Key_3, "right")):
        QTest.keyClick(hand.view, key)
        qtbot.waitUntil(lambda: hand.view._glide.state() == hand.view._glide.State.Stopped)
        azimuth, elevation = VIEWS[name]
        assert hand.view.eye.elevation == pytest.approx(elevation)
        assert np.cos(hand.view.eye.azimuth - azimuth) == pytest.approx(1.0)
    QTest.keyClick(hand.view, Qt.Key.Key_0)
    qtbot.waitUntil(lambda: hand.view._glide.state() == hand.view._glide.State.Stopped)
    assert hand.view.is_fitted and hand.view.eye.height > zoomed
    QTest.keyClick(hand.view, Qt.Key.Key_5)
    assert hand.view.eye.is_parallel


def test_the_cube_turns_the_view(hand, qtbot):
    from gui.stages.space.cube import faces_seen

    polygon = faces_seen(hand.view.eye, hand.view.rect().toRectF())["top"]
    hand.click(polygon.boundingRect().center())
    qtbot.waitUntil(lambda: hand.view.eye.elevation == pytest.approx(pi / 2))


# --- drawing and playing


def test_playing_puts_every_actor_where_the_run_says(qtbot):
    model = pendulum()
    hand = SpaceHand(qtbot, model)
    results = run(hand.document.model)
    hand.playback.start(results, None)
    for n in (3, 17):
        hand.playback.set_time(float(results.t[n]))
        r, R = actor_frame(hand.view, "rod")
        assert np.array_equal(r, results.frames(n).r[0])
        assert np.array_equal(R, results.frames(n).R[0])
    between = 0.5 * (results.t[5] + results.t[6])
    hand.playback.set_time(float(between))
    _, R = actor_frame(hand.view, "rod")
    assert np.allclose(R @ R.T, np.eye(3))
    far = [np.linalg.norm(R - results.frames(n).R[0]) for n in (5, 6)]
    assert far[0] == pytest.approx(far[1], rel=0.05)  # about in the middle
    tip = results.frames(17).r[0] + results.frames(17).R[0] @ np.array([0.4, 0.0, 0.0])
    hand.playback.set_time(float(results.t[17]))
    trail = hand.view.trails.lines[0].path.places
    assert np.allclose(trail[17], tip, atol=1e-9)
    hand.playback.leave()
    assert np.array_equal(actor_frame(hand.view, "rod")[0], (0.4, 0.0, 1.0))


def test_fast_bodies_turn_on_between_two_frames(qtbot):
    from gui.placing.space.placement import frames_at

    results = run(load(example_paths()["spinning_top"]), t_end=0.05)
    dt = float(results.t[1] - results.t[0])
    wheel = [frames_at(results, k * dt / 8).R[0] for k in range(9)]
    turns = [np.arccos(np.clip((np.trace(a.T @ b) - 1) / 2, -1, 1)) for a, b in pairwise(wheel)]
    w = np.linalg.norm(results.v[0, 3:6])  # nearly constant
    assert turns == pytest.approx([w * dt / 8] * 8, rel=2e-2)


def test_the_picture_is_not_empty_and_follows_the_clock(qtbot):
    hand = SpaceHand(qtbot, pendulum())
    first = hand.picture()
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100
    hand.playback.start(run(hand.document.model), None)
    hand.playback.set_time(0.3)
    assert (np.abs(hand.picture() - first).sum(axis=2) > 30).sum() > 500


def test_the_picture_becomes_fine_when_nothing_moves(hand, qtbot):
    hand.view.is_quick = True  # on a slow machine
    hand.view.refresh()
    hand.view.repaint()
    assert not hand.view.is_fine
    qtbot.waitUntil(lambda: hand.view.is_fine)


def test_the_theme_is_followed(hand):
    hand.view.setPalette(palette_of(DARK))
    dark = hand.picture().mean()
    hand.view.setPalette(palette_of(LIGHT))
    assert hand.picture().mean() > dark + 80


def test_edits_are_drawn_at_once(hand):
    hand.document.edit("remove", deleted(hand.document.model, ["ball"]))
    assert "ball" not in hand.view.scene.graphics
    hand.document.undo_stack.undo()
    assert "ball" in hand.view.scene.graphics


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_every_example_is_drawn_in_space(name, qtbot, spare_stage):
    spare_stage.document.new(load(example_paths()[name]))
    scene = spare_stage.view.scene
    drawn = {e.id for e in scene.model if e.family in ("body", "joint", "force", "motion")}
    assert drawn - set(scene.graphics) <= {e.id for e in scene.model if e.kind == "joint_limits"}
    assert len(np.unique(spare_stage.picture().reshape(-1, 3), axis=0)) > 100


@pytest.fixture(scope="module")
def spare_stage(qapp):
    """One stage for many models."""

    class Keep:
        """Stands in for qtbot, which lives for one test only."""

        addWidget = staticmethod(lambda *_, **__: None)
        waitExposed = staticmethod(lambda *_: None)

    hand = SpaceHand(Keep(), size=(320, 240))
    yield hand
    hand.view.close_drawing()
    hand.view.close()
    hand.view.deleteLater()


def test_pictures_have_the_size_that_was_asked_for(hand):
    for size in (QSize(640, 480), QSize(300, 600)):
        picture = hand.view.render_image(size)
        assert picture.size() == size
    clear = hand.view.render_image(QSize(200, 100), transparent=True)
    assert clear.pixelColor(2, 2).alpha() == 0
    assert clear.pixelColor(100, 50).alpha() == 255


def test_arrows_names_and_frames_are_drawn_over_the_model(qtbot):
    hand = SpaceHand(qtbot, pendulum())
    results = run(hand.document.model)
    hand.playback.start(results, None)
    plain = hand.picture()
    for kind in ("reactions", "velocities", "accelerations", "spins"):
        hand.view.show_arrows(kind, True)
        assert hand.view.arrows.now[kind] and hand.view.arrows.pixels_per_unit(kind) > 0.0
    spin = hand.view.arrows.now["spins"][0].value
    assert spin == pytest.approx(results.frames(0).R[0] @ results.v[0, 3:])
    hand.view.show_names(True)
    hand.view.show_frames(True)
    assert np.abs(hand.picture() - plain).sum() > 50000


def test_frames_of_bodies_follow_another_model_while_a_run_is_shown(hand):
    hand.view.show_frames(True)
    assert len(hand.view.body_frames.actors) == 3
    hand.view.set_asleep(True)
    hand.document.new(pendulum())  # fewer bodies than before
    hand.view.set_asleep(False)
    assert len(hand.view.body_frames.actors) == 1
    hand.playback.start(run(hand.document.model), None)
    hand.playback.scrub(0.2)
    matrix = hand.view.body_frames.actors[0][0].GetUserMatrix()
    at = [matrix.GetElement(i, 3) for i in range(3)]
    assert at == pytest.approx(actor_frame(hand.view, "rod")[0])


def test_in_live_mode_the_mouse_pulls_a_body_in_the_plane_that_faces_the_eye(hand):
    pulls = []
    hand.view.pull_started.connect(lambda *values: pulls.append(values))
    hand.view.pull_moved.connect(pulls.append)
    hand.view.pull_ended.connect(lambda: pulls.append("end"))
    hand.view.is_live = True
    start = hand.at((1.5, 0.0, 0.4))
    grip = np.array(hand.pick(start, snapping=False).point)
    hand.drag(start, start + QPointF(60, -30), steps=2)
    body, point, target = pulls[0]
    assert body == "drum" and target == pytest.approx(grip)
    assert hand.view.scene.placement.to_world(body, point) == pytest.approx(grip)
    moved = np.array(pulls[-2]) - grip
    assert moved @ hand.view.eye.axes[2] == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(moved) > 0.1 and pulls[-1] == "end"


def test_thin_handles_of_a_gizmo_are_easy_to_hit(hand):
    from gui.stages.space.gizmo import handle_lines
    from gui.tools.space.base import Gizmo, SpacePreview

    gizmo = Gizmo((0.0, 0.0, 0.25))
    hand.view.active_tool.show(SpacePreview(gizmo=gizmo))
    pixel = hand.view.eye.pixel(gizmo.at, hand.view.height())
    lines = handle_lines(gizmo, pixel)
    for name in ("x", "y", "z"):
        tip = hand.at(lines[name][1])
        assert hand.pick(tip + QPointF(4, -4)).handle == name
    assert hand.pick(lines["xy"].mean(axis=0)).handle == "xy"
    for name in ("turn_x", "turn_y", "turn_z"):  # where rings cross, either may be meant
        found = [hand.pick(place).handle for place in lines[name][:-1]]
        assert found.count(name) > len(found) / 2
    assert hand.pick(CORNER).handle == ""
    hand.view.active_tool.show(SpacePreview(gizmo=gizmo._replace(active="z")))
    assert hand.pick(CORNER).handle == "z"  # what is held stays held


def test_previews_of_solids_are_drawn_and_taken_away(hand):
    from engine.model.shapes import Box
    from gui.tools.space.base import EMPTY, Line3, Ring3, Solid3, SpacePreview

    before = hand.picture()
    block = Solid3(Box(width=0.5, height=0.5, thickness=0.5), (0.7, -0.8, 0.25))
    line = Line3((0.0, 0.0, 0.0), (0.7, -0.8, 0.0), "axis")
    ring = Ring3((0.7, -0.8, 0.5), (0.0, 0.0, 1.0))
    hand.view.active_tool.show(SpacePreview(solids=(block,), lines=(line,), rings=(ring,)))
    shown = hand.picture()
    assert (np.abs(shown - before).sum(axis=2) > 30).sum() > 500
    hand.view.active_tool.show(EMPTY)
    assert not hand.view.preview_solids.actors
    assert np.abs(hand.picture() - before).sum() < 0.02 * np.abs(shown - before).sum()


def test_a_run_is_shown_from_before_its_first_frame_on(qtbot):
    hand = SpaceHand(qtbot, pendulum())
    hand.view.show_center_trails(True)
    whole = run(hand.document.model)
    for n in (0, 1, 2):
        hand.playback.start(whole.first(n), None)
        hand.playback.frames_grew.emit()
        hand.picture()
    hand.playback.set_time(hand.playback.t_last)
    assert [len(trail.path.t) for trail in hand.view.trails.lines] == [2, 2]


def test_a_run_that_is_left_stays_as_a_ghost(qtbot):
    hand = SpaceHand(qtbot, pendulum())
    hand.playback.start(run(hand.document.model), None)
    hand.playback.leave()
    assert len(hand.view.ghosts.ghosts) == 1
    hand.playback.show(hand.playback.ghosts[0], False)
    assert not hand.view.ghosts.ghosts


def test_problems_are_red_and_the_gap_is_drawn_with_its_length(qtbot):
    hand = SpaceHand(qtbot, pendulum())
    plain = hand.picture()
    hand.view.highlight(("rod",))
    assert hand.view.scene.glow_of("rod") == "problem"
    red = hand.picture()
    assert np.abs(red - plain).sum() > 10000
    hand.view.highlight((), "")
    markers = [m.id for m in hand.document.model.of("marker")][:2]
    hand.view.show_gap(*markers)
    assert np.abs(hand.picture() - plain).sum() > 0
