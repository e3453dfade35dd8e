"""Compiling before the first run: how far it is, who waits for it, and that nothing is forgotten."""

from math import inf
from pathlib import Path
from threading import current_thread, main_thread

import pytest

from engine.errors import EngineError
from engine.integrators import warm_up as kernels
from gui.running import exercise, warm_up
from gui.running.simulator import Simulator
from gui.running.transport import Transport
from gui.state.document import Document
from gui.state.playback import Playback
from rotations.jit.folders import Folders
from tests.run_models import pendulum


class Shared:
    """The objects that a window shares."""

    def __init__(self, model):
        self.document, self.playback = Document(), Playback()
        self.document.new(model)
        self.simulator = Simulator(self.document, self.playback)


def test_the_time_left_follows_from_the_kernels_compiled_so_far():
    countdown = warm_up.Countdown(189, 8)
    assert countdown.at(8, 90.0) == (8 / 189, inf)  # the process is starting
    assert countdown.at(9, 100.0) == (9 / 189, inf)
    assert countdown.at(10, 101.0) == (10 / 189, inf)  # one kernel says nothing yet
    assert countdown.at(69, 130.0) == pytest.approx((69 / 189, 60.0))  # 2 a second, 120 left
    assert countdown.at(69, 160.0)[1] == pytest.approx(120.0)  # it stands still: no false hope
    assert countdown.at(189, 190.0) == (1.0, 0.0)
    assert countdown.at(250, 191.0) == (1.0, 0.0)  # what other methods need lies there too


@pytest.fixture
def compiling(monkeypatch):
    """A simulator that waits for the solver, and the number of kernels compiled, to be changed."""
    n, now = [0], [0.0]
    monkeypatch.setattr("engine.integrators.warm_up.are_compiled", lambda: False)
    monkeypatch.setattr(warm_up.WarmUp, "_run", lambda *_: None)
    monkeypatch.setattr(warm_up, "n_compiled", lambda: n[0])
    monkeypatch.setattr(warm_up, "n_needed", lambda: 100)
    shared = Shared(pendulum())
    waiting = shared.simulator.warm_up
    waiting._clock = lambda: now[0]
    waiting._countdown = warm_up.Countdown(100, 0)
    waiting._countdown.at(5, 0.0)

    def go_on(done, seconds):
        n[0], now[0] = done, seconds
        waiting.look()

    shared.go_on = go_on
    yield shared
    shared.simulator.shutdown()


def test_play_says_what_it_waits_for_and_how_long(qtbot, compiling):
    simulator = compiling.simulator
    transport = Transport(compiling.playback, simulator, compiling.document)
    qtbot.addWidget(transport)
    transport._on_state(simulator.state)
    assert transport.progress.isVisibleTo(transport)
    assert transport.progress_words.text() == "Compiling: 0 %"
    compiling.go_on(25, 8.0)
    assert transport.progress.value() == 250
    assert transport.progress_words.text() == "Compiling the solver: 25 %, about 30 s left"
    simulator.run()
    assert transport.progress_words.text() == "Play waits for the solver: 25 %, about 30 s left"
    assert transport.cancel_button.isVisibleTo(transport)
    compiling.go_on(100, 40.0)
    assert transport.progress_words.text() == "Play waits: the solver is being loaded"
    assert "is being loaded" in simulator.warm_up.reason()  # it is compiled: no time is promised
    simulator.warm_up._on_loaded()
    assert not transport.progress_words.isVisibleTo(transport) or simulator.state == "running"


def test_what_needs_the_solver_is_refused_with_the_time_left(compiling):
    said = []
    compiling.simulator.failed.connect(lambda sentence, ids: said.append(sentence))
    compiling.simulator.start_live()
    compiling.go_on(50, 18.0)
    compiling.simulator.start_live()
    assert "being compiled" in said[0] and "about 20 s left" in said[1]
    kernels.compile_all.cache_clear()
    with pytest.raises(EngineError, match="about 20 s left"):
        kernels.compile_all()
    compiling.simulator.shutdown()
    assert kernels.Elsewhere.reason is None


def test_every_kernel_that_is_counted_is_exercised():
    exercise.compile_ahead()
    assert exercise.is_exercised()
    files = [path.name for folder in exercise.own_folders() for path in folder.glob("*.nbi")]
    for one in exercise.needed_kernels():
        code = one.py_func.__code__
        start, end = f"{Path(code.co_filename).stem}.{code.co_name}-", f"-{code.co_firstlineno}."
        assert any(file.startswith(start) and end in file for file in files), start
    assert exercise.n_needed() <= exercise.n_compiled() == len(files)


def test_a_solver_that_came_along_is_ready_at_once(tmp_path, monkeypatch):
    came_along = Folders(tmp_path / "own", tmp_path / "shipped")
    for module in (kernels, exercise):
        monkeypatch.setattr(module, "FOLDERS", came_along)
    assert not warm_up.WarmUp().is_ready
    (tmp_path / "shipped").mkdir()
    for mark in (kernels._DONE, exercise._DONE):
        assert not warm_up.WarmUp().is_ready
        (tmp_path / "shipped" / mark).touch()
    assert warm_up.WarmUp().is_ready
    assert not kernels.are_all_compiled()  # the other methods are compiled for the user


def test_what_pages_of_symbols_need_is_imported_in_a_thread_while_the_solver_is_compiled(
    qtbot, monkeypatch
):
    imported = []
    monkeypatch.setattr(
        warm_up,
        "import_module",
        lambda name: imported.append((name, current_thread() is main_thread())),
    )
    monkeypatch.setattr("engine.integrators.warm_up.are_compiled", lambda: False)
    monkeypatch.setattr(warm_up.WarmUp, "_run", lambda *_: None)
    warming = warm_up.WarmUp()
    warming.start()
    qtbot.waitUntil(lambda: bool(imported), timeout=60_000)
    assert not warming.is_ready  # pages are opened long before
    warming.stop()
    assert imported == [("sympy", False)]
