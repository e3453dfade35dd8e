"""The halo of bodies that press: by events where a run has them, by frames where it has not."""

import pytest

from gui.stages.pressing import Pressing
from tests.engine.running.test_telling import by_fixed_steps
from tests.example_runs import ran
from tests.gui.stage_events import Hand


def test_bodies_glow_while_they_touch_and_not_between_bounces(qtbot):
    results = ran("bouncing_balls")
    hand = Hand(qtbot, results.model)
    scene = hand.view.stage_scene
    hand.playback.start(results, None)
    assert not scene.pressed
    touch = next(e for e in results.events if e.ids == ("floor_3",))
    again = [e for e in results.events if e.ids == ("floor_3",)][2]
    hand.playback.set_time(touch.t)  # between two frames
    assert len(scene.pressed) == 3  # they fall from the same height
    ball = next(iter(scene.pressed))
    assert scene.graphics[ball].glow == "pressed"
    hand.playback.set_time(0.5 * (touch.t + again.t))
    assert not scene.pressed and not scene.graphics[ball].glow
    hand.playback.set_time(4.0)
    hand.playback.leave()
    assert not scene.pressed


def test_a_selected_body_keeps_the_halo_of_the_selection(qtbot):
    hand = Hand(qtbot, ran("pla_gear_pair").model)
    scene = hand.view.stage_scene
    hand.playback.start(ran("pla_gear_pair"), None)
    hand.playback.set_time(0.05)
    assert scene.pressed == {"gear_1", "gear_2", "mesh"}  # teeth that touch all the time: no events
    hand.selection.set(["gear_1"])
    assert scene.graphics["gear_1"].glow == "selected"
    assert scene.graphics["gear_2"].glow == "pressed"


def test_a_bounce_between_two_pictures_of_a_film_is_seen_but_a_jump_is_not():
    results, pressing = ran("bouncing_balls"), Pressing()
    assert not pressing.bodies(results, 0.42)
    assert pressing.bodies(results, 0.435)  # the bounce at 0.428 s takes 1 ms
    assert not pressing.bodies(results, 0.44)
    assert not pressing.bodies(results, 0.3) and not pressing.bodies(results, 0.5)


def test_without_events_the_normal_force_of_the_frame_counts():
    results, pressing = by_fixed_steps(), Pressing()
    for contact, ball in (("floor_1", 0), ("floor_3", 2)):
        pressed = results[f"{contact}.normal_force"] > 0.0
        id = results.compiled.body_ids[ball]
        for n in range(4270, 4310):
            seen = pressing.bodies(results, float(results.t[n]))
            assert (id in seen) == bool(pressed[n]), n


@pytest.mark.parametrize("name", ["four_bar", "spinning_top"])
def test_models_without_contacts_have_none(name):
    assert not Pressing().bodies(ran(name), 0.1) and not Pressing().bodies(None, 0.0)


def test_of_many_bodies_those_are_lit_that_press_now():
    results, pressing = ran("dominoes"), Pressing()
    standing = {f"domino_{k}" for k in range(1, 9)}
    assert (
        pressing.bodies(results, 0.0) == frozenset()
    )  # they touch the ground without weight on it yet
    assert pressing.bodies(results, 0.02) == standing  # the ball flies
    assert "ball" in pressing.bodies(results, results.settings.t_end)


def test_normal_force_and_friction_have_an_arrow_each_at_the_point_of_contact(qtbot):
    results = ran("ball_begins_to_roll")
    hand = Hand(qtbot, results.model)
    hand.playback.start(results, None)
    hand.view.show_arrows("forces", True)
    hand.playback.set_time(0.2)
    normal, friction = (one for one in hand.view.arrows.now["forces"] if one.id == "floor")
    k = results.frame_at(0.2)
    assert not normal.rubs and friction.rubs
    assert normal.value == pytest.approx((0.0, 9.81), abs=1e-6)
    assert friction.value == pytest.approx((-0.2 * 9.81, 0.0), abs=1e-6)
    spot = (results["floor.x"][k], results["floor.y"][k])
    assert normal.at == pytest.approx(spot) and friction.at == pytest.approx(spot)
    inks = hand.view.stage_scene.inks
    assert inks.of_arrow("forces", True) != inks.of_arrow("forces", False)
    hand.playback.set_time(0.7)  # it rolls: nothing rubs, and no arrow is drawn
    drawn = [one for one in hand.view.arrows.now["forces"] if one.id == "floor"]
    assert [one.rubs for one in drawn] == [False]


def test_bodies_that_press_have_a_rim_in_space_too(window):
    results = ran("knee_in_a_squat")
    window.document.new(results.model)
    stage = window.stage3d
    window.playback.start(results, None)
    window.playback.set_time(1.0)
    scene = stage.scene
    assert scene.pressed == {"femur", "tibia"} == set(scene.outlines.actors)
    window.selection.set(["femur"])
    assert scene.glow_of("femur") == "selected" and scene.glow_of("tibia") == "pressed"
    window.playback.leave()
    assert not scene.pressed and set(scene.outlines.actors) == {"femur"}


def test_a_run_without_contacts_is_searched_for_them_once(monkeypatch):
    looked, results, pressing = [], ran("four_bar"), Pressing()
    monkeypatch.setattr("gui.stages.pressing.interactions_of", lambda model: looked.append(1) or [])
    for n in range(5):
        assert not pressing.bodies(results, 0.01 * n)
    assert looked == [1]
