"""Contacts on the time line: where shapes touch, part, stick and slip."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.results.endings import Event
from gui.look.theme import theme_of
from gui.running.timeline import TimeLine, mark_colour
from gui.state.playback import Playback
from tests.example_runs import ran


@pytest.fixture
def line(qtbot):
    playback = Playback()
    made = TimeLine(playback)
    qtbot.addWidget(made)
    made.resize(900, 26)
    made.show()
    qtbot.waitExposed(made)
    return made


def shown(line, name):
    line.playback.start(ran(name), None)
    return line.playback.results


def test_a_bounce_has_a_mark_with_its_sentence_and_a_click_goes_there(line):
    results = shown(line, "bouncing_balls")
    touch = next(event for event in results.events if event.ids == ("floor_1",))
    place = line.x_of(touch.t)
    words = line.words_at(place).splitlines()
    assert words[0] == touch.sentence and words[-1] == "and 2 more" and len(words) == 5
    QTest.mouseClick(line, Qt.MouseButton.LeftButton, pos=QPoint(round(place) + 3, 6))
    assert line.playback.time in [event.t for event in results.events[:6]]


def colours(line, x, ys):
    image = line.grab().toImage()
    return [image.pixelColor(round(x), y).name() for y in ys]


def test_touching_is_drawn_above_the_track_and_parting_below(line):
    results = shown(line, "bouncing_balls")
    theme = theme_of(line.palette())
    quiet = mark_colour("touch", theme)
    place, above, below = line.x_of(2.0), 5, 18
    for kind, expected in (("touch", (True, False)), ("leave", (False, True))):
        events = [Event(2.0, kind, "It happens.", ())]
        mine = replace(line.playback.current, results=Told(results, events))
        line.playback.current = mine
        seen = colours(line, place, (above, below))
        assert tuple(colour == quiet for colour in seen) == expected
    assert quiet == theme.quiet != mark_colour("trigger", theme)


class Told:
    """Results with other events."""

    def __init__(self, results, events):
        self._results, self.events = results, events

    def __getattr__(self, name):
        return getattr(self._results, name)

    def __len__(self):
        return len(self._results)


def test_what_sticks_is_a_dot_and_what_slips_a_ring(line):
    results = shown(line, "ball_begins_to_roll")
    (stick,) = results.events
    theme = theme_of(line.palette())
    assert "stick to each other" in line.words_at(line.x_of(stick.t))
    assert colours(line, line.x_of(stick.t), (13,)) == [theme.quiet]
    slips = [stick._replace(kind="slip")]
    line.playback.current = replace(line.playback.current, results=Told(results, slips))
    assert colours(line, line.x_of(stick.t), (13,)) == [theme.paper]
