"""The transport bar: keys, buttons, slider and time field move the one clock."""

import pytest
from PySide6.QtCore import QPoint, Qt

from engine.results.endings import Ending, Event
from gui.running.simulator import Simulator
from gui.running.transport import SPEEDS, Transport, duration_words
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from tests.run_models import double_pendulum, lasting, pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


class Clock:
    """A clock that goes only when told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def bar(qtbot, tmp_path):
    """A transport bar with a pendulum of two seconds, shown and active."""
    from PySide6.QtCore import QSettings

    document, playback = Document(), Playback()
    document.new(pendulum())
    simulator = Simulator(document, playback)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    transport = Transport(playback, simulator, document, Preferences(settings))
    qtbot.addWidget(transport)
    transport.resize(900, 40)
    transport.show()
    transport.activateWindow()
    qtbot.waitActive(transport)
    qtbot.waitUntil(lambda: simulator.state == "idle", timeout=PATIENCE)
    qtbot.wait(50)  # the window of the test before may still hand over the keyboard
    transport.activateWindow()
    qtbot.waitUntil(transport.isActiveWindow)
    yield transport
    simulator.shutdown()


def solve(qtbot, bar):
    """Run the model to its end, without playing."""
    bar.simulator.run()
    qtbot.waitUntil(lambda: bar.simulator.state == "idle", timeout=PATIENCE)


def with_clock(bar):
    """Give the bar a clock that goes by hand, and stop its timer."""
    bar.clock = Clock()
    return bar.clock


def test_without_a_run_only_what_makes_one_is_enabled(bar):
    assert bar.play_action.isEnabled() and bar.live_action.isEnabled()
    for action in (bar.reset_action, bar.back_action, bar.end_action):
        assert not action.isEnabled() and "no run yet" in action.toolTip()
    assert not bar.time_field.isEnabled()


def test_space_runs_the_model_and_plays_it_then_pauses(qtbot, bar):
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert bar.is_playing and bar.play_action.text() == "Pause"
    qtbot.waitUntil(lambda: bar.playback.time > 0.1, timeout=PATIENCE)
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert not bar.is_playing and bar.play_action.text() == "Play"
    at = bar.playback.time
    qtbot.wait(60)
    assert bar.playback.time == at


def test_arrows_step_by_one_frame_and_with_shift_by_ten(qtbot, bar):
    solve(qtbot, bar)
    step = 0.01
    for key, modifier, expected in (
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 1),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier, 11),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 10),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier, 0),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 0),
        (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 200),
        (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 200),
        (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 0),
    ):
        qtbot.keyClick(bar, key, modifier)
        assert bar.playback.time == pytest.approx(expected * step)
        assert bar.playback.frame() == expected


def test_playing_follows_the_wall_clock_at_the_chosen_speed(qtbot, bar):
    solve(qtbot, bar)
    clock = with_clock(bar)
    bar.play()
    bar.timer.stop()
    bar.timer.setInterval(10_000)
    bar.timer.start()
    clock.now += 0.5
    bar.tick()
    assert bar.playback.time == pytest.approx(0.5)
    bar.speed_box.setCurrentIndex(SPEEDS.index(0.2))
    clock.now += 1.0
    bar.tick()
    assert bar.playback.time == pytest.approx(0.7)
    bar.speed_box.setCurrentIndex(SPEEDS.index(20.0))
    clock.now += 1.0
    bar.tick()
    assert bar.playback.time == pytest.approx(2.0) and not bar.is_playing


def test_at_the_end_play_begins_again_and_loop_goes_round(qtbot, bar):
    solve(qtbot, bar)
    clock = with_clock(bar)
    bar.go_to_end()
    bar.loop_action.trigger()
    bar.play()
    assert bar.playback.time == 0.0
    clock.now += 2.5
    bar.tick()
    assert bar.is_playing and bar.playback.time == pytest.approx(0.5)


def test_playing_never_gets_ahead_of_the_frames(qtbot, bar):
    bar.document.new(lasting(double_pendulum(), 2000.0))
    bar.speed_box.setCurrentIndex(SPEEDS.index(20.0))
    seen = []
    bar.playback.time_changed.connect(lambda t: seen.append((t, bar.playback.t_last)))
    clock = with_clock(bar)
    bar.play()
    qtbot.waitUntil(lambda: len(bar.playback.results or ()) > 0, timeout=PATIENCE)
    clock.now += 1e6
    bar.tick()
    assert bar.is_playing  # it waits for more
    assert bar.playback.time == bar.playback.t_last
    qtbot.waitUntil(lambda: bar.playback.t_last > 20.0, timeout=PATIENCE)
    clock.now += 1e6
    bar.tick()
    assert bar.playback.time > 20.0 and all(t <= last for t, last in seen)
    bar.simulator.cancel()


def test_plus_and_minus_change_the_speed(qtbot, bar):
    qtbot.keyClick(bar, Qt.Key.Key_Plus)
    assert bar.speed == 2.0
    for _ in range(20):
        qtbot.keyClick(bar, Qt.Key.Key_Minus)
    assert bar.speed == 0.05 == bar.simulator.speed


def test_dragging_the_slider_scrubs_and_pauses(qtbot, bar):
    solve(qtbot, bar)
    bar.play()
    line = bar.time_line
    place = QPoint(round(line.x_of(1.0)), line.height() // 2)
    qtbot.mousePress(line, Qt.MouseButton.LeftButton, pos=place)
    assert not bar.is_playing
    assert bar.playback.time == pytest.approx(1.0, abs=2.0 / (line.width() - 18))  # one pixel
    qtbot.mouseMove(line, QPoint(round(line.x_of(1.5)), 5))
    qtbot.mouseRelease(line, Qt.MouseButton.LeftButton, pos=place)
    assert bar.playback.time == pytest.approx(1.5, abs=2.0 / (line.width() - 18))
    assert bar.time_field.text() == f"{bar.playback.time:.3f} s"


def test_a_time_can_be_typed_with_a_unit(qtbot, bar):
    solve(qtbot, bar)
    for typed, expected in (("0.75", 0.75), ("500 ms", 0.5), ("99", 2.0)):
        bar.time_field.setFocus()
        bar.time_field.clear()
        qtbot.keyClicks(bar.time_field, typed)
        qtbot.keyClick(bar.time_field, Qt.Key.Key_Return)
        assert bar.playback.time == pytest.approx(expected)
    complaints = []
    bar.complained.connect(complaints.append)
    bar.time_field.setFocus()
    bar.time_field.clear()
    qtbot.keyClicks(bar.time_field, "3 kg")
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Return)
    assert complaints and "3 kg" in complaints[0]
    assert bar.time_field.text() == "3 kg" and bar.time_field.property("wrong")
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Escape)
    assert bar.time_field.text() == "2.000 s" and not bar.time_field.property("wrong")


def test_keys_in_the_time_field_edit_the_text(qtbot, bar):
    solve(qtbot, bar)
    bar.playback.set_time(1.0)
    bar.time_field.setFocus()
    bar.time_field.setText("12")
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Left)
    qtbot.keyClick(bar.time_field, Qt.Key.Key_Home)
    qtbot.keyClicks(bar.time_field, "3")
    assert bar.time_field.text() == "312" and bar.playback.time == 1.0


def test_events_and_failures_are_marked_on_the_slider(qtbot, bar):
    solve(qtbot, bar)
    results = bar.playback.results
    met = Event(0.5, "stop", "Joint 'Pivot' meets its lower stop.", ())
    ending = Ending("diverged", "The run diverged.", ())
    results.tell(results.account._replace(events=[met], ending=ending))
    marks = bar.time_line.marks()
    assert [(t, kind) for t, kind, _ in marks] == [(0.5, "stop"), (2.0, "failed")]
    assert "lower stop" in bar.time_line.words_at(bar.time_line.x_of(0.5) + 2)
    assert bar.time_line.words_at(bar.time_line.x_of(1.0)) == "t = 1 s"
    place = QPoint(round(bar.time_line.x_of(0.5)) + 3, 10)
    qtbot.mouseClick(bar.time_line, Qt.MouseButton.LeftButton, pos=place)
    assert bar.playback.time == 0.5  # a click near a mark goes to it


def test_stops_of_a_joint_become_marks(qtbot, bar):
    from engine.editing.builder import Mechanism

    m = Mechanism("Stopped")
    rod = m.rod((0, 0), (1, 0), mass=1)
    pivot = m.revolute("ground", rod, at=(0, 0), name="Pivot")
    m.joint_limits(pivot, low=-1.0, high=1.0)
    bar.document.new(lasting(m.model, 1.0, step=1e-4))
    solve(qtbot, bar)
    record = bar.playback.current
    qtbot.waitUntil(lambda: record.quality is not None, timeout=PATIENCE)
    first = bar.time_line.marks()[0]
    angle = record.results["rod_1.angle"]
    n = record.results.frame_at(first[0])
    assert first[1] == "stop" and "Pivot" in first[2]
    assert angle[n] < -1.0 <= angle[n - 1]


def test_a_long_run_shows_progress_and_can_be_cancelled(qtbot, bar):
    bar.document.new(lasting(double_pendulum(), 5000.0))
    bar.run_action.trigger()
    qtbot.waitUntil(lambda: bar.progress.isVisible() and bar.progress.value() > 0, timeout=PATIENCE)
    assert "left" in bar.progress_words.text() and bar.cancel_button.isVisible()
    qtbot.mouseClick(bar.cancel_button, Qt.MouseButton.LeftButton)
    assert bar.simulator.state == "idle" and not bar.progress.isVisible()
    assert len(bar.playback.results) > 1


def test_live_follows_the_clock_and_space_or_scrubbing_stop_it(qtbot, bar):
    bar.live_action.trigger()
    qtbot.waitUntil(lambda: bar.playback.t_last > 0.1, timeout=PATIENCE)
    assert bar.simulator.state == "live" and bar.play_action.text() == "Pause"
    qtbot.keyClick(bar, Qt.Key.Key_Space)
    assert bar.simulator.state == "idle" and not bar.live_action.isChecked()
    bar.live_action.trigger()
    qtbot.waitUntil(lambda: bar.simulator.state == "live" and len(bar.playback.results) > 5)
    bar.playback.scrub(bar.playback.t_first)
    assert bar.simulator.state == "idle" and bar.playback.current.is_live


def test_an_edit_pauses(qtbot, bar):
    solve(qtbot, bar)
    bar.play()
    bar.document.edit("Another", double_pendulum())
    qtbot.waitUntil(lambda: not bar.is_playing)
    assert bar.playback.current is None and len(bar.playback.ghosts) == 1


def test_durations_are_told_roughly():
    assert [duration_words(s) for s in (0.2, 42.0, 130.0, 7200.0)] == [
        "1 s",
        "42 s",
        "2 min",
        "2.0 h",
    ]
