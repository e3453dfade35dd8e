"""The columns of a run, how they grow and what is said about them."""

import re
from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.results.blocks import Block
from engine.results.results import Results
from engine.running.simulate import run
from tests.engine.sample_runs import SHORT, pendulum, pendulum_run, planar_run


def block(results, start, stop):
    """Frames start..stop of a run as a block."""
    columns = ("t", "q", "v", "a", "lam", "gap", "lock", "lock_body")
    return Block(*(getattr(results, name)[start:stop] for name in columns))


def test_appended_blocks_are_the_columns_in_order():
    whole = planar_run()
    copy = Results(whole.compiled)
    at = 0
    for size in (1, 0, 3, 100, 897):
        copy.append(block(whole, at, at + size))
        at += size
    assert len(copy) == len(whole) == at
    for name in ("t", "q", "v", "a", "lam", "gap", "lock", "lock_body"):
        assert np.array_equal(getattr(copy, name), getattr(whole, name)), name
    assert copy.lock_body.dtype == np.int64


def test_growing_moves_the_columns_seldom_and_wastes_little():
    whole = pendulum_run()
    results = Results(whole.compiled)
    one = block(whole, 0, 1)
    rooms = set()
    for _ in range(5000):
        results.append(one)
        rooms.add(results.q.base.shape[0])
    assert len(results) == 5000
    assert len(rooms) <= 15  # log(5000/64) / log(1.5), and a few for the whole numbers
    assert max(rooms) <= 1.5 * 5000


def test_a_view_taken_earlier_stays_as_it_was():
    whole = pendulum_run()
    results = Results(whole.compiled)
    results.append(block(whole, 0, 10))
    early = results.t
    for start in range(10, 50, 10):
        results.append(block(whole, start, start + 10))
    assert np.array_equal(early, whole.t[:10])


def test_the_nearest_frame_is_found_at_both_ends_and_between():
    results = pendulum_run()  # a frame every 0.01 s up to 0.5 s
    assert results.frame_at(-1.0) == 0
    assert results.frame_at(9.0) == 50
    assert results.frame_at(0.1249) == 12
    assert results.frame_at(0.1251) == 13
    assert results.frame_at(float(results.t[7])) == 7
    assert Results(results.compiled).frame_at(0.3) == 0


def test_results_know_the_very_model_and_the_settings_they_came_from():
    model = pendulum().model
    results = run(model, **SHORT)
    assert results.model is model
    assert results.settings.t_end == 0.5 and model.settings.t_end == 10.0


def test_everyday_channels_leave_the_long_lists_out():
    results = pendulum_run()
    every = [channel.name for channel in results.channels()]
    everyday = [channel.name for channel in results.channels(everyday=True)]
    assert "revolute_1.lam_1" in every and "revolute_1.lam_1" not in everyday
    assert set(everyday) < set(every)
    assert results.channel("rod_1.angle").unit == "rad"


def test_the_summary_names_model_freedom_method_and_quality():
    text = pendulum_run().summary()
    for words in (
        "pendulum, in the plane",
        "1 moving, 0 fixed",
        "1 degree, 0 redundant",
        "dop853, tolerance 1e-10",
        "0.5 s in 51 frames, ",
        "Energy:",
        "Largest |Phi|:",
    ):
        assert words in text, text
    assert "Ended early" not in text
    notes = [line for line in text.splitlines() if line.startswith("Note")]
    assert len(notes) == 2 and all(line.startswith("Note:          ") for line in notes)


def test_the_summary_of_a_cancelled_run_says_why_it_ended():
    results = run(pendulum().model, t_end=1000.0, progress=lambda fraction: False, method="rk4")
    assert 0 < len(results) < 1000
    assert "stopped before its end" in results.summary()


def test_the_summary_of_a_run_without_frames_is_still_told():
    model = pendulum().model
    assert "no frames" in Results(compile_model(model)).summary()


def test_the_energy_of_a_model_at_rest_has_no_error():
    m = pendulum()
    m.gravity(0, 0)
    text = run(m.model, **SHORT).summary()
    assert "Energy:        nothing moves\n" in text


def test_the_summary_tells_the_error_of_the_work_balance_where_a_motor_feeds_energy():
    m = pendulum()
    m.motion("revolute_1", "2*t^2")
    text = run(m.model, **SHORT).summary()
    found = re.search(r"Energy: +error (\S+) J of (\S+) J exchanged", text)
    assert float(found[1]) < 1e-9 and float(found[2]) > 1.0


def test_a_changed_model_no_longer_is_the_model_of_the_results():
    results = pendulum_run()
    assert replace(results.model, name="another") is not results.model
    with pytest.raises(AttributeError):
        results.model = None
