"""Events of contacts: touch and leave of whole shapes, stick and slip, with and without an event finder."""

from functools import cache

import numpy as np
import pytest

from engine.running.simulate import run
from engine.running.stops import events_of_frames
from engine.running.telling import Touch
from tests.example_runs import model_of_file, ran


def kinds(events, id):
    return [event.kind for event in events if event.ids == (id,)]


def test_a_bounce_is_a_touch_and_a_leave():
    results = ran("bouncing_balls")
    told = kinds(results.events, "floor_3")
    assert told[:4] == ["touch", "leave", "touch", "leave"]
    assert "The shapes of 'floor_3' touch at t = 0.428352" in results.events[2].sentence


def test_a_ball_that_slides_from_the_start_on_sticks_when_it_rolls():
    """It is on the floor at the start already, so it does not touch it later."""
    results = ran("ball_begins_to_roll")
    (event,) = results.events
    sliding = np.abs(results["floor.sliding_speed"])
    assert event.kind == "stick" and "stick to each other" in event.sentence
    assert sliding[results.t < 0.9 * event.t].min() > 0.05 * sliding[0]
    assert sliding[results.t > event.t + 0.01].max() < 1e-3 * sliding[0]


def test_a_box_with_several_corners_is_told_once():
    assert kinds(ran("block_on_a_slope").events, "sticks_on_slope") == ["stick"]


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        # corner, branch: 0.5 touches without force; 5 sticks, 9 and 13 slide forwards and backwards
        ([(0, 5.0), (1, 5.0), (0, 0.0), (1, 0.0)], ["touch", "", "", "leave"]),
        ([(0, 9.0), (0, 13.0), (0, 5.0), (0, 9.0)], ["touch", "", "stick", "slip"]),
        ([(0, 9.0), (0, 0.5), (0, 5.0), (0, 0.5), (0, 0.0)], ["touch", "", "stick", "", "leave"]),
        ([(0, 9.0), (0, 0.0), (0, 5.0)], ["touch", "leave", "touch"]),
        ([(0, 9.0), (1, 9.0), (0, 5.0), (1, 5.0)], ["touch", "", "stick", ""]),
        ([(0, 1.0), (0, 3.0), (0, 1.0)], ["touch", "", ""]),
    ],
)
def test_what_changes_of_branches_mean(modes, expected):
    touch = Touch(rubs=True)
    assert [touch.change(*one) for one in modes] == expected


def test_branches_of_teeth_tell_no_friction():
    touch = Touch(rubs=False)
    assert [touch.change(0, mode) for mode in (8.0, 4.0, 0.0)] == ["touch", "", "leave"]


@cache
def by_fixed_steps():
    """The balls, which bounce within frames that are shorter than a bounce."""
    model = model_of_file("bouncing_balls")
    return run(model, method="rk4", step=1e-4, output_step=1e-4, t_end=0.8)


def test_a_method_that_finds_no_events_is_told_from_its_frames():
    results, exact = by_fixed_steps(), ran("bouncing_balls")
    assert not results.events
    found = events_of_frames(results)
    before = [event for event in exact.events if event.t < 0.8]
    assert [(e.kind, e.ids) for e in sorted(found)] == [(e.kind, e.ids) for e in sorted(before)]
    times = np.array([[e.t for e in sorted(events)] for events in (found, before)])
    assert np.abs(times[0] - times[1]).max() < 2.5e-4
    assert not events_of_frames(exact)  # nothing twice
