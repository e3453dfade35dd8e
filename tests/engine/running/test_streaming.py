"""A run that is written while it goes on: the same files as at once, in memory that does not grow."""

import re
import tracemalloc

import numpy as np
import pytest

from assets import example_paths
from engine.errors import EngineError
from engine.results.streams import CsvStream, NpzStream
from engine.running import room, streaming
from engine.running.simulate import prepare, run
from engine.running.streaming import StreamedRun
from kardan import load, write_csv, write_npz
from tests.engine.sample_runs import pendulum

SHORT = {"t_end": 0.2, "output_step": 0.01}
# plane and space, works and none, Euler angles, teeth, what is not unique
EVERYDAY = ("crane_trolley", "gear_train", "bicycle_wheel", "gimbal_lock", "spatial_four_bar")


def streamed(model, folder, channels, **changes):
    """The model run with its frames written in small pieces."""
    running = prepare(model, **changes)
    streams = [CsvStream(folder / "run.csv"), NpzStream(folder / "run.npz", model.name)]
    one = StreamedRun(running, channels, streams)
    one.run()
    return one


def in_small_pieces(monkeypatch):
    """Pieces of a few frames."""
    monkeypatch.setattr(streaming, "PIECE_BYTES", 1.0)
    monkeypatch.setattr(streaming, "FEWEST", 7)
    monkeypatch.setattr("engine.running.simulate.WORK", 1e-9)


def lines_without_time(text):
    """A summary without what the computing took; rounding of energies is none."""
    rounding = re.compile(r"\d\.?\d*e-1[2-9]")
    return [rounding.sub("0", line.partition(" steps,")[0]) for line in text.splitlines()]


@pytest.mark.parametrize("name", EVERYDAY)
def test_a_streamed_run_is_the_run_at_once(name, tmp_path, monkeypatch):
    model = load(example_paths()[name])
    at_once = run(model, **SHORT)
    in_small_pieces(monkeypatch)
    one = streamed(model, tmp_path, None, **SHORT)
    assert lines_without_time(one.summary()) == lines_without_time(at_once.summary())
    assert len(one.results) <= 8
    _same_files(at_once, tmp_path, None)


@pytest.mark.parametrize("name", ["spinning_top", "pendulum_in_the_wind"])
def test_all_channels_are_followed_from_piece_to_piece(name, tmp_path, monkeypatch):
    model = load(example_paths()[name])
    at_once = run(model, **SHORT)
    in_small_pieces(monkeypatch)
    streamed(model, tmp_path, ["*"], **SHORT)
    _same_files(at_once, tmp_path, ["*"])


def _same_files(results, folder, channels):
    """Compare what was streamed with what is written at once."""
    write_csv(results, folder / "whole.csv", channels)
    write_npz(results, folder / "whole.npz", channels)
    explained = [(folder / f"{name}.columns.csv").read_bytes() for name in ("run", "whole")]
    assert explained[0] == explained[1]
    with np.load(folder / "run.npz") as found, np.load(folder / "whole.npz") as expected:
        assert set(found.files) == set(expected.files)
        for column in expected.files:
            if expected[column].dtype.kind in "U":
                assert np.array_equal(found[column], expected[column])
                continue
            # sums over another number of rows may be rounded differently; an error of energy as the energy
            of_size = "total_energy" if column == "energy_drift" else column
            size = np.abs(np.nan_to_num(expected[of_size])).max(initial=0.0)
            close = {"rtol": 1e-9, "atol": 1e-12 * (1.0 + size)}
            np.testing.assert_allclose(found[column], expected[column], **close)
    heads = [(folder / f"{name}.csv").read_text().splitlines()[0] for name in ("run", "whole")]
    assert heads[0] == heads[1]
    rows = np.loadtxt(folder / "run.csv", delimiter=",", skiprows=1, ndmin=2)
    with np.load(folder / "run.npz") as found:
        assert np.array_equal(rows[:, 0], found["time"])


def test_the_memory_of_a_streamed_run_does_not_grow_with_its_length(tmp_path, monkeypatch):
    monkeypatch.setattr(streaming, "PIECE_BYTES", 3e4)
    monkeypatch.setattr("engine.integrators.problem.MAX_FRAMES", 200)  # of a block
    monkeypatch.setattr("engine.running.simulate.WORK", 1e-9)
    model = pendulum().model

    def peak(t_end):
        tracemalloc.start()
        streamed(model, tmp_path, ["rod_1.angle"], t_end=t_end, output_step=1e-3, step=1e-3)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(0.1)
    short, long = peak(1.0), peak(4.0)  # all frames of the long one would take 0.6 MB
    assert long < 1.3 * short


def test_a_failing_disk_leaves_the_old_files_and_no_rest(tmp_path, monkeypatch):
    for name in ("run.csv", "run.npz"):
        (tmp_path / name).write_bytes(b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("engine.results.streams.csv_rows", full)
    with pytest.raises(OSError):
        streamed(pendulum().model, tmp_path, None, t_end=0.1)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {
        "run.csv": b"old",
        "run.npz": b"old",
    }


def test_a_run_that_does_not_fit_into_memory_is_refused_with_a_step_that_fits(monkeypatch):
    monkeypatch.setattr(room, "free_memory", lambda: 3e6)
    with pytest.raises(EngineError, match="GB of memory") as refused:
        run(pendulum().model, t_end=1000.0)
    step = refused.value.sentence.split("output step of ")[1].split(" s")[0]
    assert len(run(pendulum().model, t_end=1000.0, output_step=float(step))) > 100
