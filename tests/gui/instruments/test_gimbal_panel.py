"""The gimbal panel in the window: it follows bodies and runs, edits what it says, and warns in time."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from engine.model.elements import planar
from engine.model.orientation import integration_of
from engine.results.endings import Event
from gui.instruments.gimbal import ring_geometry as geometry
from gui.instruments.gimbal.angles import AnglesView
from gui.instruments.gimbal.panel import GimbalPanel
from gui.instruments.lock.lock_messages import LockMessages
from gui.look.messages import Messages
from gui.running.simulator import Simulator
from gui.running.timeline import TimeLine
from gui.state.document import Document
from gui.state.lock_badges import lock_badges, nearest_lock
from gui.state.playback import Playback
from gui.state.selection import Selection
from rotations import euler_angles, quaternion
from rotations.gimbal_lock import Level
from tests.gui.instruments.test_gimbal_rings import place_on
from tests.gui.orientation_models import diver, flyer
from tests.run_models import pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


class Bench:
    """The panel with what it looks at, without a window around it."""

    def __init__(self, qtbot, preferences):
        self.document, self.selection, self.playback = Document(), Selection(), Playback()
        self.simulator = Simulator(self.document, self.playback)
        shared = (self.document, self.selection, self.playback)
        self.gimbal = GimbalPanel(*shared, preferences)
        self.time_line = TimeLine(self.playback)
        qtbot.addWidget(self.gimbal)
        qtbot.addWidget(self.time_line)
        self.gimbal.resize(400, 700)
        self.gimbal.show()
        qtbot.waitExposed(self.gimbal)
        self.document.new(flyer())
        settle(self)


@pytest.fixture
def rings(qtbot, preferences):
    """A panel, shown, of a block on 3-2-1."""
    bench = Bench(qtbot, preferences)
    yield bench
    bench.gimbal.shutdown()
    bench.simulator.shutdown()


@pytest.fixture
def flying(qtbot, window):
    """A window with a block on 3-2-1 and the gimbal panel open."""
    window.resize(1400, 900)
    window.document.new(flyer())
    window.show_rings()
    qtbot.waitUntil(window.gimbal.isVisible)
    settle(window)
    return window


def settle(window):
    """Show at once what would be shown in a moment."""
    window.gimbal.refresh()
    window.gimbal.rings.grab()


def finish_run(qtbot, window):
    """Run the open model to its end."""
    window.simulator.run()

    def has_ended():
        results = window.playback.results
        return results is not None and results.ending is not None

    qtbot.waitUntil(has_ended, timeout=PATIENCE)
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=PATIENCE)
    settle(window)
    return window.playback.results


def only_body(window):
    """The body of the model."""
    return window.document.model.of("body")[0]


def click(qtbot, button):
    """A real click."""
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_panel_is_hidden_until_the_menu_opens_it(qtbot, window):
    assert window.docks["gimbal"].isHidden()
    window.commands["gimbal"].trigger()
    qtbot.waitUntil(window.gimbal.isVisible)
    window.reset_layout()
    assert window.docks["gimbal"].isHidden()


def test_a_planar_model_and_an_empty_one_get_a_friendly_sentence(qtbot, rings):
    rings.document.new(pendulum())
    settle(rings)
    assert rings.gimbal.pages.currentIndex() == 1
    assert "plane" in rings.gimbal.nothing.text() and rings.gimbal.attitude is None
    rings.document.new(planar())
    settle(rings)
    rings.document.new(flyer(bodies=0))
    settle(rings)
    assert "No body" in rings.gimbal.nothing.text()


def test_rings_and_curves_follow_the_run(qtbot, rings):
    results = finish_run(qtbot, rings)
    rings.gimbal.tabs.setCurrentWidget(rings.gimbal.curves)
    for t in (0.0, 0.36, 0.98):
        rings.playback.scrub(t)
        settle(rings)
        shown = rings.gimbal.attitude
        T = geometry.turns(shown.sequence, shown.angles)
        R = results.frames(results.frame_at(t)).R[0]
        assert np.abs(T[0] @ T[1] @ T[2] - R).max() < 1e-12  # rounding of three products
        assert shown.sequence == "3-2-1"
    assert rings.gimbal.curves.columns.t[-1] == results.t[-1]
    assert rings.gimbal.curves.strips[0].time_line.value() == pytest.approx(0.98)


@pytest.mark.parametrize("ring", [0, 1, 2])
def test_dragging_a_ring_is_one_edit_of_one_angle_and_undo_restores(qtbot, rings, ring):
    before = rings.document.model
    angles = rings.gimbal.attitude.angles.copy()
    view = rings.gimbal.rings
    start = place_on(view, ring)
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 6):
        QTest.mouseMove(view, start + QPoint(5 * step, 4 * step))
    assert rings.document.model is before  # only shown, not kept, while the mouse is down
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start + QPoint(25, 20))
    settle(rings)
    after = rings.gimbal.attitude.angles
    others = [n for n in range(3) if n != ring]
    assert np.abs(after - angles)[others].max() < 1e-12
    assert abs(after[ring] - angles[ring]) > 0.01
    R = quaternion.matrix(np.array(only_body(rings).orientation))
    assert np.abs(R - euler_angles.matrix("3-2-1", after)).max() < 1e-12
    assert rings.document.undo_stack.count() == 1
    rings.document.undo_stack.undo()
    assert rings.document.model is before


def test_a_student_walks_into_the_lock_by_typing_theta(qtbot, rings):
    line = rings.gimbal.angles.lines[1]
    rings.gimbal.tabs.setCurrentWidget(rings.gimbal.angles)
    line.line.setFocus()
    line.line.selectAll()
    qtbot.keyClicks(line.line, "45*2 deg")
    qtbot.keyClick(line.line, Qt.Key.Key_Return)
    settle(rings)
    assert np.degrees(rings.gimbal.attitude.angles) == pytest.approx([0.0, 90.0, 0.0], abs=1e-6)
    assert rings.gimbal.attitude.level == Level.RED
    assert "lost" in rings.gimbal.words.text() and "red" in rings.gimbal.gauge.words()
    assert rings.document.undo_stack.count() == 1


def test_during_a_run_the_rings_refuse_with_a_reason(qtbot, rings):
    finish_run(qtbot, rings)
    said = []
    rings.gimbal.complained.connect(said.append)
    view = rings.gimbal.rings
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_on(view, 0))
    assert said and "design pose" in said[0]
    assert rings.document.undo_stack.count() == 0
    rings.gimbal.tabs.setCurrentWidget(rings.gimbal.angles)
    settle(rings)
    assert not rings.gimbal.angles.lines[0].isEnabled()


def test_buttons_edit_what_they_say_and_are_greyed_with_reasons(qtbot, rings):
    panel = rings.gimbal
    assert (
        not panel.switches.to_best.isEnabled()
        and "best sequence here already" in panel.switches.to_best.toolTip()
    )
    click(qtbot, panel.switches.to_quaternions)
    assert integration_of(rings.document.model, only_body(rings)) == "quaternion"
    settle(rings)
    for button in (panel.switches.to_quaternions, panel.switches.to_best, panel.switches.automatic):
        assert not button.isEnabled() and "quaternions" in button.toolTip()
    rings.document.undo_stack.undo()
    assert integration_of(rings.document.model, only_body(rings)) == "3-2-1"
    settle(rings)
    click(qtbot, panel.switches.automatic)
    assert rings.document.model.settings.near_lock == "switch to quaternion"
    settle(rings)
    assert panel.switches.automatic.isChecked()
    click(qtbot, panel.switches.automatic)
    assert rings.document.model.settings.near_lock == "warn"


def test_a_run_goes_on_from_its_time_without_a_jump(qtbot, rings):
    rings.document.new(diver())
    results = finish_run(qtbot, rings)
    rings.playback.scrub(1.2)
    settle(rings)
    offers, runs = [], []
    rings.gimbal.switches.offered.connect(lambda *what: offers.append(what))
    rings.gimbal.switches.run_wanted.connect(lambda: runs.append(1))
    click(qtbot, rings.gimbal.switches.to_quaternions)
    ((_, button, work),) = offers
    assert button == "Go on from t = 1.2 s"
    work()
    n = results.frame_at(1.2)
    R = quaternion.matrix(np.array(only_body(rings).orientation))
    assert runs and np.abs(R - results.frames(n).R[0]).max() < 1e-12  # rounding
    assert only_body(rings).angular_velocity == pytest.approx(results.v[n, 3:6])
    assert integration_of(rings.document.model, only_body(rings)) == "quaternion"
    assert rings.document.undo_stack.count() == 2


def test_the_best_sequence_is_named_and_chosen(qtbot, rings):
    panel = rings.gimbal
    panel._type(1, np.radians(88.0))
    settle(rings)
    best = panel.switches.to_best.text().split()[-1]
    click(qtbot, panel.switches.to_best)
    assert integration_of(rings.document.model, only_body(rings)) == best
    settle(rings)
    assert panel.attitude.sequence == best and panel.attitude.level == Level.FINE


def test_the_panel_follows_the_selection_and_its_own_choice(qtbot, rings):
    rings.document.new(flyer(bodies=3))
    ids = [b.id for b in rings.document.model.of("body")]
    settle(rings)
    assert rings.gimbal.attitude.id == ids[0]
    rings.selection.set([ids[2]])
    settle(rings)
    assert rings.gimbal.attitude.id == ids[2]
    rings.gimbal.choose(ids[1])
    settle(rings)
    assert rings.gimbal.attitude.id == ids[1]
    rings.gimbal.sequences.setCurrentIndex(rings.gimbal.sequences.findData("3-1-3"))
    rings.gimbal.schedule()
    settle(rings)
    assert rings.gimbal.attitude.sequence == "3-1-3" and rings.gimbal.attitude.level == Level.RED


def test_lock_is_told_while_it_can_be_mended(qtbot, flying):
    flying.document.new(diver())
    told = []
    show = flying.messages.show_message
    flying.messages.show_message = lambda *what: (told.append(what), show(*what))[1]
    results = finish_run(qtbot, flying)
    assert results.ending.reason == "gimbal lock"
    topics = [topic for topic, *_ in told]
    assert topics[-1] == "run"
    bar = flying.messages.bars["run"]
    words = [button.text() for button in bar.buttons]
    assert words[:2] == ["Show the rings", "Use quaternions"]
    assert words[2].startswith("Use ") and words[3:] == ["Switch by itself"]
    amber = next(e for e in results.events if e.kind == "gimbal amber")
    assert amber.t < 1.309 - 0.05  # in time: before the lock at 1.309 s
    flying.docks["gimbal"].close()
    flying.playback.scrub(1.28)
    stage, marks = flying.stage3d, flying.stage3d.overlay.locks
    stage.grab()
    flying.lock_pills.refresh()
    assert flying.lock_pills.isHidden()  # the badge stands at the body itself
    (badge,) = marks.badges.values()
    assert "is near gimbal lock" in badge.words and marks.words(badge).endswith("° to lock")
    (place,) = marks.pills.values()
    QTest.mouseClick(stage, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    assert flying.gimbal.isVisible()
    flying.playback.scrub(0.5)
    stage.grab()
    assert not marks.badges and not marks.pills
    click(qtbot, bar.buttons[1])
    qtbot.waitUntil(lambda: flying.playback.results is not None, timeout=PATIENCE)
    qtbot.waitUntil(lambda: flying.simulator.state == "idle", timeout=PATIENCE)
    assert flying.playback.results.ending.reason == "done"
    assert "lock" not in flying.messages.bars and "run" not in flying.messages.bars


def test_the_strip_opens_the_panel_and_an_amber_run_keeps_its_warning(qtbot, flying):
    flying.docks["gimbal"].close()
    assert flying.health.text("lock") == "lock 90° away" and flying.health.state("lock") == "good"
    click(qtbot, flying.health.items["lock"])
    qtbot.waitUntil(flying.gimbal.isVisible)
    # Pitch turns back 5 degrees before the lock: amber, never red.
    flying.document.new(flyer((0.1, 1.2, 0.05), t_end=2.0))
    results = finish_run(qtbot, flying)
    assert results.ending.reason == "done"
    assert [e.kind for e in results.events] == ["gimbal amber"]
    assert flying.messages.bars["lock"].kind == "warning"
    assert flying.health.state("lock") == "warning"
    flying.document.new(flyer(orientation="quaternion"))
    assert "lock" not in flying.messages.bars
    assert flying.health.items["lock"].isHidden()


def test_a_warning_waits_for_the_frames_it_speaks_of(qtbot, rings):
    results = finish_run(qtbot, rings)
    messages = Messages()
    qtbot.addWidget(messages)
    lock = LockMessages(rings.document, rings.playback, messages, rings.simulator)
    id = only_body(rings).id
    told = results.account
    events = [Event(99.0, "gimbal amber", "Near lock.", (id,))]
    results.tell(told._replace(ending=None, events=events))  # as if the run still went on
    lock.look()
    assert not messages.bars
    results.tell(results.account._replace(ending=told.ending))
    lock.look()
    assert messages.sentence("lock") == "Near lock."


def test_what_was_live_is_live_again_after_a_remedy(qtbot, rings):
    rings.simulator.start_live()
    qtbot.waitUntil(lambda: rings.playback.t_last > 0.05, timeout=PATIENCE)
    messages = Messages()
    qtbot.addWidget(messages)
    lock = LockMessages(rings.document, rings.playback, messages, rings.simulator)
    buttons = dict(lock.buttons([only_body(rings).id]))
    buttons["Use quaternions"]()
    assert integration_of(rings.document.model, only_body(rings)) == "quaternion"
    assert rings.simulator.state == "live"
    rings.simulator.stop_live()


def test_events_are_listed_marked_and_lead_to_their_time(qtbot, rings):
    rings.document.new(diver(near_lock="switch to quaternion"))
    results = finish_run(qtbot, rings)
    assert results.ending.reason == "done"
    listed = rings.gimbal.events.list
    assert listed.count() == len([e for e in results.events if e.kind.startswith("gimbal")]) > 0
    event = results.events[0]
    assert event.kind == "gimbal switch"
    marks = rings.time_line.marks()
    assert (event.t, event.kind) in [(t, kind) for t, kind, _ in marks]
    rings.playback.scrub(0.0)
    rings.gimbal.tabs.setCurrentWidget(rings.gimbal.events)
    place = listed.visualItemRect(listed.item(0)).center()
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert rings.playback.time == pytest.approx(event.t)
    rings.playback.scrub(1.3)
    settle(rings)
    assert "does not feel this lock" in rings.gimbal.words.text()
    assert lock_badges(rings.document.model, results, 1.3) == {}


def test_the_twin_agrees_away_from_lock(qtbot, rings):
    assert not rings.gimbal.twin.button.isEnabled()
    finish_run(qtbot, rings)
    view = rings.gimbal.twin
    rings.gimbal.tabs.setCurrentWidget(view)
    click(qtbot, view.button)
    qtbot.waitUntil(
        lambda: not view.twin.is_running and view.twin.results is not None, timeout=PATIENCE
    )
    from gui.instruments.gimbal.twin import difference_of

    apart = difference_of(rings.playback.results, view.twin.results, rings.gimbal.attitude.id)
    assert len(apart.angle) == len(rings.playback.results) and apart.angle.max() < 1e-8
    assert "agree to" in view.words.text()
    assert [v.attitude.integration for v in view.views] == ["3-2-1", "quaternion"]
    rings.document.edit("Other", flyer(t_end=0.5))
    assert view.twin.results is None  # it was the twin of another run


def test_the_twin_of_a_run_that_stopped_says_where(qtbot, rings):
    rings.document.new(diver())
    finish_run(qtbot, rings)
    view = rings.gimbal.twin
    rings.gimbal.tabs.setCurrentWidget(view)
    click(qtbot, view.button)
    assert view.twin.is_running and view.button.text() == "Cancel"
    qtbot.waitUntil(lambda: not view.twin.is_running, timeout=PATIENCE)
    assert "its twin went on to t = 2 s" in view.words.text()


def test_runs_that_part_are_told_with_time_and_angle(preferences):
    from gui.instruments.gimbal.twin import comparison_words
    from kardan import run

    first = run(flyer((0.1, 1.2, 0.05), t_end=2.0))
    id = first.compiled.body_ids[0]
    # A little faster, it is 1e-3 rad ahead after about 1.8 s: some time after both were near lock.
    later = run(flyer((0.1, 1.2006, 0.05), t_end=2.0, orientation="quaternion"))
    words = comparison_words(preferences, first, later, id, "3-2-1")
    assert words.startswith("They part at t = 1.") and "near the lock" in words
    at_once = run(flyer((0.1, 1.4, 0.05), t_end=2.0, orientation="quaternion"))
    words = comparison_words(preferences, first, at_once, id, "3-2-1")
    assert words.startswith("They part at t = 0.02 s.") and "lock" not in words


def test_a_twin_can_be_cancelled(qtbot, rings):
    rings.document.new(flyer(t_end=1.0))
    finish_run(qtbot, rings)
    view = rings.gimbal.twin
    view.twin.start(rings.playback.current)
    view.twin.cancel()
    assert not view.twin.is_running and view.button.text() == "Run the twin"


def test_badges_tell_level_and_words(qtbot, rings):
    assert lock_badges(rings.document.model) == {}
    rings.document.new(diver())
    results = finish_run(qtbot, rings)
    id = only_body(rings).id
    badge = lock_badges(rings.document.model, results, 1.29)[id]
    assert badge.level == Level.AMBER and "near gimbal lock of 3-2-1" in badge.words
    assert lock_badges(rings.document.model, results, 0.5) == {}
    assert nearest_lock(rings.document.model, results).angle < np.radians(2.0)
    assert nearest_lock(flyer(orientation="quaternion")) is None
    assert lock_badges(pendulum()) == {}


def test_the_lock_that_ended_a_run_is_as_near_in_the_strip_as_in_the_sentence():
    from kardan import run

    model = diver()
    results = run(model)
    assert results.ending.reason == "gimbal lock"
    badge = nearest_lock(model, results)
    (said,) = re.findall(r"is (\S+) degrees .* at t = (\S+) s:", results.ending.sentence)
    assert f"{np.degrees(badge.angle):.2g}" == said[0] and f"t = {said[1]} s" in badge.words
    assert np.sin(badge.angle) < results.lock.min()  # the run ended after its last frame


def test_the_panel_survives_opening_closing_and_changing_models(qtbot, rings):
    models = [flyer(), pendulum(), flyer(bodies=2, orientation="3-1-3"), planar(), diver()]
    for n in range(50):
        rings.gimbal.setVisible(n % 2 == 0)
        rings.document.new(models[n % len(models)])
        rings.gimbal.arrange(("tabs", "tall", "wide")[n % 3])
        if n % 10 == 0:
            qtbot.wait(1)
    rings.gimbal.show()
    rings.document.new(flyer())
    settle(rings)
    assert rings.gimbal.attitude is not None and rings.gimbal.pages.currentIndex() == 0


def test_live_mode_turns_the_rings(qtbot, rings):
    rings.simulator.start_live()
    qtbot.waitUntil(lambda: rings.playback.t_last > 0.15, timeout=PATIENCE)
    settle(rings)
    live = rings.gimbal.attitude.angles.copy()
    rings.simulator.stop_live()
    assert np.abs(live).max() > 0.05  # it turns with 0.8 rad/s
    assert rings.gimbal.twin.reason() == "Live mode has no twin: run the model instead."


def test_angles_and_rates_of_rounding_are_written_as_zero(qtbot, preferences):
    view = AnglesView(Document(), preferences)
    qtbot.addWidget(view)
    assert view._shown(-1.6e-22, "rad/s") == "0" == view._shown(1e-12, "rad")
    assert view._shown(1e-6, "rad/s") == "1e-6"
