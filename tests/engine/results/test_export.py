"""Tables of channels in files, read back as a person or a program would."""

import csv
import math

import numpy as np
import pytest

from engine.errors import EngineError
from engine.results.export import (
    CancelledError,
    Sampling,
    csv_texts,
    motion_units,
    tabulated,
    write_csv_table,
)
from kardan import write_csv, write_npz
from tests.engine.sample_runs import pendulum_run, planar_run

NAMES = ["rod_1.angle", "revolute_1.force"]


def rows_of(path, separator=","):
    """The header and the cells of a CSV file."""
    header, *lines = path.read_text().splitlines()
    return header.split(separator), [line.split(separator) for line in lines]


def test_a_csv_file_gives_back_every_digit(tmp_path):
    results = pendulum_run()
    write_csv(results, tmp_path / "run.csv", NAMES)
    header, rows = rows_of(tmp_path / "run.csv")
    assert header == ["time [s]", "rod_1.angle [rad]", "revolute_1.force [N]"]
    table = np.array(rows, dtype=float)
    assert np.array_equal(table[:, 0], results.t)
    for column, name in enumerate(NAMES, 1):
        assert np.array_equal(table[:, column], results[name])


def test_a_decimal_comma_comes_with_semicolons(tmp_path):
    results = pendulum_run()
    write_csv(results, tmp_path / "run.csv", NAMES, decimal_comma=True)
    header, rows = rows_of(tmp_path / "run.csv", ";")
    assert header[1] == "rod_1.angle [rad]"  # a point in a name stays
    assert "." not in "".join(rows[3])
    assert float(rows[3][1].replace(",", ".")) == results["rod_1.angle"][3]


def test_without_names_the_everyday_channels_are_written(tmp_path):
    results = planar_run()
    write_csv(results, tmp_path / "run.csv")
    header, rows = rows_of(tmp_path / "run.csv")
    assert len(header) == 1 + len(results.channels(everyday=True))
    assert len(rows) == len(results) and "total_energy [J]" in header
    assert not any("lam_" in title for title in header)


def test_units_are_those_asked_for(tmp_path):
    results = pendulum_run()
    units = {"rad": "deg", "m": "mm"}
    write_csv(results, tmp_path / "run.csv", ["rod_1.angle", "rod_1.x", "rod_1.vx"], units=units)
    header, rows = rows_of(tmp_path / "run.csv")
    assert header[1:] == ["rod_1.angle [deg]", "rod_1.x [mm]", "rod_1.vx [m/s]"]
    # one rounding in the factor and one in the product
    assert float(rows[-1][1]) == pytest.approx(math.degrees(results["rod_1.angle"][-1]), rel=1e-15)
    assert float(rows[0][2]) == pytest.approx(500.0, rel=1e-15)
    with pytest.raises(EngineError, match="'rad' cannot be written in 'mm'"):
        write_csv(results, tmp_path / "run.csv", units={"rad": "mm"})


@pytest.mark.parametrize("step, frames", [(None, 51), (0.01, 51), (0.05, 11), (0.1, 6), (0.03, 17)])
def test_a_longer_step_writes_every_so_many_frames(tmp_path, step, frames):
    results = pendulum_run()
    write_csv(results, tmp_path / "run.csv", NAMES, step=step)
    _, rows = rows_of(tmp_path / "run.csv")
    assert len(rows) == frames
    spacing = step or 0.01
    assert float(rows[1][0]) == pytest.approx(spacing, rel=1e-12)  # rounding of n h


@pytest.mark.parametrize("step", [0.015, 0.001, 0.0, -0.01, math.nan])
def test_a_step_between_frames_is_refused(tmp_path, step):
    with pytest.raises(EngineError, match=r"has a frame every 0\.01 s: choose a whole multiple"):
        write_csv(pendulum_run(), tmp_path / "run.csv", NAMES, step=step)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_export_leaves_the_old_file_and_no_rest(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("old")
    with pytest.raises(EngineError, match=r"no channel 'rod_9\.x'"):
        write_csv(pendulum_run(), path, ["rod_9.x"])
    assert path.read_text() == "old"
    with pytest.raises(
        EngineError, match=r"Cannot write '.*run\.csv': there is no folder '.*nowhere'"
    ):
        write_csv(pendulum_run(), tmp_path / "nowhere" / "run.csv", NAMES)
    with pytest.raises(EngineError, match="Cannot write"):
        write_npz(pendulum_run(), tmp_path, NAMES)  # a folder
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.csv"]


def test_an_old_file_is_replaced(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("old")
    write_csv(pendulum_run(), path, NAMES)
    assert path.read_text().startswith("time [s]")


def test_an_npz_file_loads_without_pickle_and_says_what_it_holds(tmp_path):
    results = pendulum_run()
    write_npz(results, tmp_path / "run.npz", ["rod_1.*", "total_energy"], step=0.02)
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        assert np.array_equal(file["time"], results.t[::2])
        assert np.array_equal(file["rod_1.angle"], results["rod_1.angle"][::2])
        names = file["names"].tolist()
        units = dict(zip(names, file["units"].tolist()))
        frames = dict(zip(names, file["frames"].tolist()))
        assert units["rod_1.ax"] == "m/s^2" and units["total_energy"] == "J"
        assert frames["rod_1.ax"] == "world axes" and frames["total_energy"] == ""
        assert str(file["model"]) == "pendulum"
        assert len(file["labels"]) == len(names) == len(set(names))


def test_a_single_pattern_may_be_given_as_text(tmp_path):
    write_csv(pendulum_run(), tmp_path / "run.csv", "rod_1.v?")
    header, _ = rows_of(tmp_path / "run.csv")
    assert header == ["time [s]", "rod_1.vx [m/s]", "rod_1.vy [m/s]"]


def test_a_step_between_frames_is_interpolated_linearly_if_asked_for():
    results = pendulum_run()
    table = tabulated(results, NAMES, Sampling(step=0.015, resampled=True))
    assert table.time[:3] == pytest.approx([0.0, 0.015, 0.03], rel=1e-14)  # rounding of n h
    angle = results["rod_1.angle"]
    halfway = 0.5 * (angle[1] + angle[2])
    assert table.columns[0][1] == pytest.approx(halfway, rel=1e-13)  # rounding
    assert table.time[-1] <= results.t[-1] and len(table.time) == 34  # 0.5 s / 15 ms
    same = tabulated(results, NAMES, Sampling(step=0.02, resampled=True))
    assert np.array_equal(same.columns[0], angle[::2])  # frames where there are frames
    with pytest.raises(EngineError, match="choose a longer one"):
        tabulated(results, NAMES, Sampling(step=1e-12, resampled=True))


def test_every_nth_frame_of_a_span_can_be_chosen():
    results = pendulum_run()
    table = tabulated(results, NAMES, Sampling(every=3, span=(0.1, 0.2)))
    assert table.time == pytest.approx([0.10, 0.13, 0.16, 0.19], rel=1e-13)  # rounding of n h
    assert len(tabulated(results, NAMES, Sampling(span=(7.0, 8.0))).time) == 0
    with pytest.raises(EngineError, match="must not be before"):
        tabulated(results, NAMES, Sampling(span=(0.2, 0.1)))
    with pytest.raises(EngineError, match="choose 1 or more"):
        tabulated(results, NAMES, Sampling(every=0))


def test_units_of_motion_cover_rates_and_leave_forces_alone():
    units = motion_units("mm", "deg")
    assert units["m/s^2"] == "mm/s^2" and units["rad/s"] == "deg/s"
    assert "N m" not in units and motion_units() == {}
    table = tabulated(pendulum_run(), ["rod_1.angular_velocity", "revolute_1.force"], None, units)
    assert table.titles == ["time [s]", "rod_1.angular_velocity [deg/s]", "revolute_1.force [N]"]
    omega = pendulum_run()["rod_1.angular_velocity"][-1]
    # one rounding in the factor and one in the product
    assert table.columns[0][-1] == pytest.approx(math.degrees(omega), rel=1e-15)


def test_other_separators_and_their_clash_with_the_decimal_comma():
    table = tabulated(pendulum_run(), NAMES)
    head, rows = csv_texts(table, separator="\t")
    assert head.count("\t") == 2 and rows.splitlines()[0].count("\t") == 2
    with pytest.raises(EngineError, match="separate by semicolons"):
        list(csv_texts(table, separator=",", decimal_comma=True))


def test_a_cancelled_table_leaves_the_old_file_and_no_rest(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("old")
    table = tabulated(pendulum_run(), NAMES)
    with pytest.raises(CancelledError):
        write_csv_table(table, path, progress=lambda fraction: False)
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1
    told = []
    write_csv_table(table, path, progress=told.append)
    assert told[0] == 0.0 and path.read_text().startswith("time [s]")


def test_the_first_frames_are_results_that_do_not_grow():
    results = pendulum_run()
    head = results.first(10)
    assert len(head) == 10 and np.array_equal(head["rod_1.x"], results["rod_1.x"][:10])
    assert len(results.first(10**9)) == len(results) and head.model is results.model


def test_the_columns_of_a_table_are_explained_beside_it(tmp_path):
    results = pendulum_run()
    names = ["rod_1.x", "revolute_1.force_x", "gap", "constraint_violation"]
    write_csv(results, tmp_path / "run.csv", names)
    with (tmp_path / "run.csv").open(newline="") as file:
        header = next(csv.reader(file))
    with (tmp_path / "run.columns.csv").open(newline="") as file:
        told = {row["column"]: row for row in csv.DictReader(file)}
    assert list(told) == header  # one line for each column, in order
    assert told["time [s]"]["unit"] == "s"
    force = told["revolute_1.force_x [N]"]
    assert (force["channel"], force["unit"], force["frame"]) == (names[1], "N", "world axes")
    assert "on rod_1" in force["meaning"] and "the ground takes the opposite" in force["meaning"]
    for name in ("gap", "constraint_violation"):
        assert "m" in told[name]["meaning"] and "negative" in told[name]["meaning"]


def test_with_semicolons_the_explanation_has_them_too(tmp_path):
    write_csv(pendulum_run(), tmp_path / "run.txt", NAMES, decimal_comma=True)
    lines = (tmp_path / "run.txt.columns.csv").read_text().splitlines()
    assert lines[0] == "column;channel;unit;frame;meaning" and len(lines) == 2 + len(NAMES)


def test_arrays_say_what_they_mean(tmp_path):
    write_npz(pendulum_run(), tmp_path / "run.npz", ["gap", "rod_1.x"])
    with np.load(tmp_path / "run.npz") as arrays:
        meanings = dict(zip(arrays["names"], arrays["meanings"]))
    assert "never negative" in meanings["gap"] and meanings["rod_1.x"] == "rod_1: position, x"
