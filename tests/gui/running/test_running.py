"""The simulator: runs in a thread, keeps what it has, tells what is wrong, follows edits, goes live."""

import gc
import os
import time
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from engine.editing.builder import Mechanism
from engine.model.elements import put
from engine.results.balance import balance_of
from engine.running.simulate import run
from gui.plots.plot_area import PlotArea
from gui.running import warm_up, worker
from gui.running.live import LATE
from gui.running.simulator import Simulator
from gui.state import threads
from gui.state.document import Document
from gui.state.playback import Playback, pose_at
from gui.state.selection import Selection
from tests.run_models import double_pendulum, lasting, pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


class Shared:
    """The objects a window shares, with what the simulator told."""

    def __init__(self, model, clock=time.monotonic):
        self.document, self.playback = Document(), Playback()
        self.document.new(model)
        self.simulator = Simulator(self.document, self.playback, None, clock)
        self.failures, self.states, self.progress = [], [], []
        self.simulator.failed.connect(lambda sentence, ids: self.failures.append((sentence, ids)))
        self.simulator.state_changed.connect(self.states.append)
        self.simulator.progressed.connect(lambda *told: self.progress.append(told))


@pytest.fixture
def share(qtbot):
    """Makes shared objects and ends their threads afterwards."""
    made = []

    def make(model, **more):
        made.append(Shared(model, **more))
        shared = made[-1]
        qtbot.waitUntil(lambda: shared.simulator.state == "idle", timeout=PATIENCE)
        return shared

    yield make
    for shared in made:
        shared.simulator.shutdown()


def finish(qtbot, shared):
    """Wait for the end of a run and for its measurement."""
    qtbot.waitUntil(lambda: shared.simulator.state == "idle", timeout=PATIENCE)
    record = shared.playback.current
    if record is not None and not record.is_live:
        qtbot.waitUntil(lambda: record.quality is not None, timeout=PATIENCE)


def test_a_run_in_the_window_has_the_frames_of_the_engine(qtbot, share):
    shared = share(double_pendulum())
    shared.simulator.run()
    assert shared.simulator.state == "running"
    finish(qtbot, shared)
    results, expected = shared.playback.results, run(double_pendulum())
    assert np.array_equal(results.t, expected.t)
    assert np.array_equal(results.q, expected.q)  # the same steps: equal to the last bit
    assert results.model is shared.document.model
    assert results.ending.reason == "done"
    assert results.statistics.steps == expected.statistics.steps
    assert shared.states == ["running", "idle"] and not shared.failures


def test_a_finished_run_is_measured(qtbot, share):
    shared = share(pendulum())
    shared.simulator.run()
    finish(qtbot, shared)
    record = shared.playback.current
    assert record.quality.balance == balance_of(record.results)
    assert record.quality.gap == record.results.gap.max()
    assert record.title == "Run 1: RK4, h = 1 ms"


def endless(model, **changes):
    """A model whose run does not end before a test does; its frames would still fit into memory."""
    return lasting(model, 1e6, **{"output_step": 1.0, **changes})


def test_frames_and_progress_arrive_while_the_solver_works(qtbot, share):
    shared = share(endless(double_pendulum()))
    shared.simulator.run()
    qtbot.waitUntil(lambda: len(shared.playback.results or ()) > 1, timeout=PATIENCE)
    seen = len(shared.playback.results)
    qtbot.waitUntil(lambda: len(shared.playback.results) > seen, timeout=PATIENCE)
    assert shared.simulator.state == "running"
    seen = len(shared.playback.results)
    fractions, left = zip(*shared.progress)
    assert list(fractions) == sorted(fractions) and 0.0 < fractions[-1] < 1.0
    assert 0.0 < left[-1] < np.inf
    shared.simulator.cancel()
    assert shared.simulator.state == "idle"
    assert len(shared.playback.results) >= seen
    assert shared.playback.results.ending.reason == "cancelled"
    assert not shared.failures


def test_a_run_is_cancelled_between_two_frames_that_are_far_apart(qtbot, share, monkeypatch):
    monkeypatch.setattr(threads, "MOMENT", 1e-3 * PATIENCE)
    shared = share(lasting(pendulum(), 1e4, step=1e-6, output_step=5e3))
    shared.simulator.run()
    qtbot.waitUntil(lambda: len(shared.progress) > 3, timeout=PATIENCE)
    thread = shared.simulator._worker
    shared.simulator.cancel()
    assert thread.isFinished()  # the steps to the next frame alone would take an hour
    assert shared.simulator.state == "idle" and len(shared.playback.results) == 1


class Ticking:
    """A clock that goes on by a millisecond whenever somebody looks at it."""

    def __init__(self):
        self.began = self.now = 1e3  # long ago, as seen from the first block: that is told at once

    def monotonic(self):
        """The time [s]."""
        self.now += 1e-3
        return self.now


@pytest.mark.parametrize("is_read", [True, False], ids=["a quick window", "a slow window"])
def test_messages_come_at_most_thirty_times_a_second_and_only_to_who_reads(monkeypatch, is_read):
    clock, sizes = Ticking(), []
    monkeypatch.setattr(worker, "time", clock)
    solving = worker.SolveWorker(lasting(double_pendulum(), 200.0))

    def take(_, blocks):
        sizes.append(len(blocks))
        if is_read:
            solving.was_read()

    solving.advanced.connect(take)
    solving.run()  # in this thread
    n_blocks = sum(sizes)
    assert n_blocks >= 2  # about 20 ms of work each, on any machine
    # the first block, what comes every PAUSE afterwards, and the rest at the end
    allowed = 2 + (clock.now - clock.began) / worker.PAUSE if is_read else 2
    assert 2 <= len(sizes) <= allowed


def test_the_window_stays_alive_while_computing(qtbot, share):
    shared = share(endless(double_pendulum()))
    shared.simulator.run()
    qtbot.waitUntil(lambda: len(shared.progress) > 3, timeout=PATIENCE)
    beats = []
    timer = QTimer(interval=10)
    timer.timeout.connect(lambda: beats.append(shared.simulator.state))
    timer.start()
    qtbot.waitUntil(lambda: len(beats) >= 20, timeout=PATIENCE)
    timer.stop()
    shared.simulator.cancel()
    assert set(beats) == {"running"}  # a window that waits beats when the run is over


def test_a_run_that_diverges_keeps_its_frames_and_says_why(qtbot, share):
    m = Mechanism("Stiff")
    ball = m.particle((0, 0), mass=1e-3)
    m.spring(("ground", (0, 1)), (ball, (0, 0)), stiffness=1e6, free_length=0.5)
    shared = share(lasting(m.model, 5.0))
    shared.simulator.run()
    qtbot.waitUntil(lambda: bool(shared.failures), timeout=PATIENCE)
    sentence, ids = shared.failures[0]
    assert "diverged" in sentence and ids == [ball]
    results = shared.playback.results
    assert len(results) > 0 and results.ending.reason == "diverged"


def test_a_model_that_cannot_run_is_told_and_shows_no_run(qtbot, share):
    shared = share(Mechanism("Nothing").model)
    shared.simulator.run()
    qtbot.waitUntil(lambda: bool(shared.failures), timeout=PATIENCE)
    assert "no moving body" in shared.failures[0][0]
    assert shared.playback.current is None and shared.simulator.state == "idle"


def test_a_fault_in_the_thread_is_told_as_a_sentence(qtbot, share, monkeypatch):
    def broken(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr("engine.running.room.check_memory", broken)
    shared = share(pendulum())
    shared.simulator.run()
    qtbot.waitUntil(lambda: bool(shared.failures), timeout=PATIENCE)
    assert "fault of the program" in shared.failures[0][0] and "a bug" in shared.failures[0][0]
    assert shared.simulator.state == "idle"


def test_a_run_too_large_for_memory_is_refused(qtbot, share):
    shared = share(lasting(pendulum(), 1e7, output_step=1e-3))
    shared.simulator.run()
    qtbot.waitUntil(lambda: bool(shared.failures), timeout=PATIENCE)
    assert "GB of memory" in shared.failures[0][0] and shared.playback.current is None


def test_an_edit_stops_the_run_and_keeps_it_as_a_ghost(qtbot, share):
    shared = share(lasting(pendulum(), 5000.0))
    before = shared.document.model
    shared.simulator.run()
    qtbot.waitUntil(lambda: shared.playback.t_last > 1.0, timeout=PATIENCE)
    rod = shared.document.model["rod_1"]
    shared.document.edit("Name", put(shared.document.model, replace(rod, name="Bar")))
    assert shared.simulator.state == "idle" and shared.playback.current is None
    assert len(shared.playback.ghosts) == 1
    ghost = shared.playback.ghosts[0]
    assert ghost.results.model is before and len(ghost.results) > 100
    shared.document.undo_stack.undo()
    assert shared.document.model is before


def test_a_preview_leaves_the_run_and_another_file_forgets_all_runs(qtbot, share):
    shared = share(pendulum())
    shared.simulator.run()
    finish(qtbot, shared)
    shared.document.preview(double_pendulum())
    assert shared.playback.current is None and len(shared.playback.ghosts) == 1
    shared.document.new(double_pendulum())
    assert shared.playback.ghosts == []


def test_a_second_run_makes_the_first_a_ghost(qtbot, share):
    shared = share(pendulum())
    for number in (1, 2):
        shared.simulator.run()
        finish(qtbot, shared)
        assert shared.playback.current.number == number
    assert [ghost.number for ghost in shared.playback.ghosts] == [1]
    shared.playback.promote(shared.playback.ghosts[0])
    assert shared.playback.current.number == 1
    assert [ghost.number for ghost in shared.playback.ghosts] == [2]


def test_a_run_can_start_from_a_chosen_state(qtbot, share):
    shared = share(pendulum())
    first = run(pendulum())
    shared.simulator.run((first.q[50], first.v[50]))
    finish(qtbot, shared)
    later = shared.playback.results
    # the same motion half a second later; a fresh start projects anew, which rounds differently
    assert later.q[:100] == pytest.approx(first.q[50:150], abs=1e-9)


def test_pressing_play_while_the_solver_is_compiled_queues_the_run(qtbot, monkeypatch):
    started = []
    monkeypatch.setattr("engine.integrators.warm_up.are_compiled", lambda: False)
    monkeypatch.setattr(warm_up.WarmUp, "start", lambda self: started.append(self))
    shared = Shared(pendulum())
    assert shared.simulator.state == "compiling" and started
    shared.simulator.run()
    assert shared.simulator.is_queued and shared.simulator.state == "compiling"
    shared.simulator.warm_up._on_loaded()
    assert shared.simulator.state == "running" and not shared.simulator.is_queued
    finish(qtbot, shared)
    assert len(shared.playback.results) == 201
    shared.simulator.shutdown()


def test_the_warm_up_program_compiles_what_a_run_needs(qtbot, monkeypatch):
    monkeypatch.setattr("engine.integrators.warm_up.are_compiled", lambda: False)
    warming = warm_up.WarmUp()
    with qtbot.waitSignal(warming.ready, timeout=PATIENCE):
        warming.start()
    assert warming.is_ready
    warming.stop()


def test_live_mode_follows_the_clock(qtbot, share):
    now = [0.0]
    shared = share(pendulum(), clock=lambda: now[0])
    shared.simulator.start_live()
    following = shared.simulator._worker

    def wait_for(t):
        qtbot.waitUntil(
            lambda: following.live is not None and following.live.t > t, timeout=PATIENCE
        )

    wait_for(-1.0)
    h = following.live.h
    for n in range(1, 51):
        now[0] = 0.02 * n  # less than the lag after which the clock is set back
        wait_for(now[0] - 2.0 * h)
        assert following.live.t < now[0] + h  # and never ahead of it
    assert shared.simulator.state == "live"
    shared.simulator.stop_live()
    assert shared.playback.time == shared.playback.t_last
    # frames are 10 ms apart, and those of the last message may wait for the next tick
    assert 0.9 < shared.playback.t_last <= 1.0 + h
    assert shared.simulator.state == "idle" and shared.playback.current.is_live


def test_live_mode_that_lags_sets_the_clock_back(qtbot, share):
    now = [0.0]
    shared = share(pendulum(), clock=lambda: now[0])
    shared.simulator.start_live()
    following = shared.simulator._worker
    qtbot.waitUntil(lambda: following.live is not None, timeout=PATIENCE)
    now[0] = 60.0
    qtbot.waitUntil(lambda: following.live.t > 0.5 * LATE, timeout=PATIENCE)
    shared.simulator.stop_live()
    assert following.live.t < LATE + 2.0 * following.live.h


def test_live_mode_waits_for_a_step_that_is_longer_than_its_lag(qtbot, share):
    now = [0.0]
    model = lasting(pendulum(), 2.0, step=0.25, output_step=0.01)
    shared = share(model, clock=lambda: now[0])
    shared.simulator.start_live()
    following = shared.simulator._worker
    qtbot.waitUntil(lambda: following.live is not None, timeout=PATIENCE)
    for n in range(1, 4):
        now[0] = 0.25 * n + 0.05
        qtbot.waitUntil(lambda: following.live.t > now[0] - 0.25, timeout=PATIENCE)
        assert following.live.t < now[0] + 0.25
    shared.simulator.stop_live()
    assert np.diff(shared.playback.results.t) == pytest.approx(0.01)  # frames within its steps


def test_live_mode_goes_on_from_the_shown_frame(qtbot, share):
    shared = share(pendulum())
    shared.simulator.run()
    finish(qtbot, shared)
    shared.playback.set_time(1.0)
    q = shared.playback.results.q[100].copy()
    shared.simulator.start_live()
    qtbot.waitUntil(
        lambda: shared.playback.current.is_live and len(shared.playback.results) > 0,
        timeout=PATIENCE,
    )
    results = shared.playback.results
    assert results.t[0] == 1.0
    assert results.q[0] == pytest.approx(q, abs=1e-9)  # projected anew
    assert shared.playback.t_first >= 1.0


def test_the_mouse_pulls_a_body_to_a_place(qtbot, share):
    shared = share(pendulum())
    shared.simulator.start_live()
    qtbot.waitUntil(lambda: len(shared.playback.results or ()) > 0, timeout=PATIENCE)
    shared.simulator.pull("rod_1", (0.5, 0.0), (0.0, 1.0))  # the tip, straight up

    def is_up():
        return shared.playback.results.q[-1][1] > 0.49

    qtbot.waitUntil(is_up, timeout=PATIENCE)
    shared.simulator.release()
    qtbot.waitUntil(lambda: not is_up(), timeout=PATIENCE)
    assert not shared.failures


def test_pulling_what_does_not_move_is_told(qtbot, share):
    shared = share(pendulum())
    shared.simulator.start_live()
    qtbot.waitUntil(lambda: len(shared.playback.results or ()) > 0, timeout=PATIENCE)
    shared.simulator.pull("ground", (0.0, 0.0), (1.0, 1.0))
    qtbot.waitUntil(lambda: bool(shared.failures), timeout=PATIENCE)
    assert "does not move" in shared.failures[0][0]


def memory():
    """Bytes that this process holds."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_five_minutes_of_live_mode_do_not_grow_the_memory(qtbot, share):
    shared = share(double_pendulum(), clock=lambda: 1e4 * time.monotonic())
    plots = PlotArea(shared.document, Selection(), shared.playback)
    qtbot.addWidget(plots)
    plots.add_time_plot(["rod_1.angle", "revolute_2.force"])
    plots.add_phase_plot("rod_2.angle", "rod_2.angular_velocity")
    plots.show()
    shared.simulator.start_live()
    qtbot.waitUntil(lambda: shared.playback.t_last > 40.0, timeout=PATIENCE)  # the ring is full
    before = memory()
    qtbot.waitUntil(lambda: shared.playback.t_last > 340.0, timeout=PATIENCE)
    grown = memory() - before
    plots.shutdown()
    results = shared.playback.results
    assert len(results) == 2000  # 20 s of 10 ms
    assert results.t[-1] - results.t[0] == pytest.approx(19.99)
    assert grown < 20e6


def test_between_frames_the_pose_is_smooth():
    results = run(pendulum(), output_step=0.02)
    fine = run(pendulum(), output_step=0.01)
    middle = pose_at(results, 0.51)
    # cubic through places and velocities: error dt^4 / 384 times the fourth derivative, about 1e3
    assert middle == pytest.approx(fine.q[51], abs=1e-6)
    assert pose_at(results, 0.5) == pytest.approx(results.q[25])
    assert pose_at(results, 99.0) == pytest.approx(results.q[-1])
