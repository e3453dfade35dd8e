"""Write channels of a run to files: CSV for spreadsheets, NPZ for numpy."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.files.atomic import is_device, replace_file
from engine.files.places import explanation_of
from engine.formulas.units import from_si, same_dimension
from engine.results.channels import Channel, matching
from engine.results.results import Results

Progress = Callable[[float], bool | None]  # gets the fraction done; False cancels

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
MAX_ROWS = 20_000_000  # rows of one table; more is probably a mistyped step
_ROWS_AT_ONCE = 1000  # rows of text at a time, so that memory does not grow with the run
_STEP_SLACK = 1e-6  # of a frame: 0.1 is not a whole multiple of 0.01 in binary numbers


class Table(NamedTuple):
    """Chosen channels at chosen times, in the units asked for."""

    time: np.ndarray  # (n,)
    channels: list[Channel]
    units: list[str]
    columns: list[np.ndarray]  # (n,) each

    @property
    def titles(self) -> list[str]:
        """The header of each column with its unit, time first."""
        named = ((channel.name, unit) for channel, unit in zip(self.channels, self.units))
        return ["time [s]", *(f"{name} [{unit}]" if unit else name for name, unit in named)]

    @property
    def explained(self) -> list[tuple[str, ...]]:
        """For each column its title, channel, unit, frame and meaning."""
        channels = zip(self.titles[1:], self.channels, self.units)
        return [
            (self.titles[0], "time", "s", "", "Time of the frame"),
            *((title, c.name, unit, c.frame, c.meaning) for title, c, unit in channels),
        ]


COLUMNS = ("column", "channel", "unit", "frame", "meaning")  # of the table that explains a table


class Sampling(NamedTuple):
    """Which times of a run a table has: all frames by default."""

    step: float | None = None  # [s] from row to row; None: as set by `every`
    every: int = 1  # frames from row to row
    resampled: bool = False  # a step between frames is interpolated linearly instead of refused
    span: tuple[float, float] | None = None  # [s] first and last time; None: the whole run


class CancelledError(Exception):
    """The export was cancelled by its progress callback."""


def write_csv(
    results: Results,
    path: str | Path,
    channels: Sequence[str] | None = None,
    step: float | None = None,
    decimal_comma: bool = False,
    units: Mapping[str, str] | None = None,
) -> None:
    """Write channels as text with a header; numbers keep all their digits.

    Beside run.csv a small table run.columns.csv says of each column which unit and frame it has and what
    it means, so that run.csv itself stays one header and numbers.

    `channels` are names or patterns with *; without them the everyday ones are written. `step` is
    a whole multiple of the time between frames. `units` says what to write instead of an SI unit,
    such as {"rad": "deg", "m": "mm"}. With a decimal comma the columns are separated by semicolons.
    On any failure an old file stays as it was.
    """
    write_csv_table(tabulated(results, channels, step, units), path, decimal_comma=decimal_comma)


def write_csv_table(
    table: Table,
    path: str | Path,
    *,
    separator: str | None = None,
    decimal_comma: bool = False,
    progress: Progress | None = None,
) -> None:
    """Write a table and its explanation; on any failure, and if `progress` cancels, old files stay."""

    def write(file: IO[bytes]) -> None:
        done = 0
        for text in csv_texts(table, separator, decimal_comma):
            file.write(text.encode())
            if progress is not None and progress(min(done / max(len(table.time), 1), 1.0)) is False:
                raise CancelledError
            done += _ROWS_AT_ONCE

    replace_file(path, write, "write")
    write_explanation(table, path, separator or (";" if decimal_comma else ","))


def write_explanation(table: Table, path: str | Path, separator: str) -> None:
    """Write what the columns of a table mean beside it, unless it went into a device or a pipe."""
    if is_device(path):
        return
    rows = [COLUMNS, *(tuple(map(harmless, row)) for row in table.explained)]
    lines = (separator.join(_quoted(word, separator) for word in row) + "\n" for row in rows)
    replace_file(
        explanation_of(path), lambda file: file.writelines(map(str.encode, lines)), "write"
    )


def csv_texts(
    table: Table, separator: str | None = None, decimal_comma: bool = False
) -> Iterator[str]:
    """The header of a table as text, then its rows, some thousand lines at a time."""
    separator = separator or (";" if decimal_comma else ",")
    if decimal_comma and separator == ",":
        raise EngineError(
            "A comma cannot both separate columns and stand in numbers: separate by semicolons."
        )
    yield separator.join(_quoted(title, separator) for title in table.titles) + "\n"
    yield from csv_rows(table, separator, decimal_comma)


def csv_rows(table: Table, separator: str, decimal_comma: bool) -> Iterator[str]:
    """The rows of a table as text, some thousand lines at a time."""
    for start in range(0, len(table.time), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        rows = np.stack([table.time[some], *(c[some] for c in table.columns)], axis=1)
        text = "".join(separator.join(map(repr, row)) + "\n" for row in rows.tolist())
        yield text.replace(".", ",") if decimal_comma else text


def write_npz(
    results: Results,
    path: str | Path,
    channels: Sequence[str] | None = None,
    step: float | None = None,
    units: Mapping[str, str] | None = None,
) -> None:
    """Write channels as arrays by name, with `time`, `names`, `units`, `frames`, `labels`, `meanings`.

    Read it with numpy.load(path): there are no Python objects in it.
    """
    write_npz_table(tabulated(results, channels, step, units), path, results.model.name)


def write_npz_table(table: Table, path: str | Path, model_name: str = "") -> None:
    """Write a table as arrays by name; on any failure an old file stays as it was."""
    arrays: dict[str, Any] = {"time": table.time, **npz_words(table, model_name)}
    arrays |= {channel.name: column for channel, column in zip(table.channels, table.columns)}
    replace_file(path, lambda file: np.savez(file, **arrays), "write")


def npz_words(table: Table, model_name: str) -> dict[str, np.ndarray]:
    """What an NPZ file says about its columns."""
    words = {
        "names": [channel.name for channel in table.channels],
        "units": table.units,
        "frames": [channel.frame for channel in table.channels],
        "labels": [channel.label for channel in table.channels],
        "meanings": [channel.meaning for channel in table.channels],
    }
    return {
        "model": np.array(model_name, dtype=np.str_),
        **{name: np.array(texts, dtype=np.str_) for name, texts in words.items()},
    }


def tabulated(
    results: Results,
    channels: Sequence[str] | None = None,
    step: float | Sampling | None = None,
    units: Mapping[str, str] | None = None,
) -> Table:
    """The chosen channels at the chosen times, in the units asked for."""
    if isinstance(channels, str):
        channels = [channels]
    results = results.so_far()  # a growing run must not lengthen only some columns
    chosen = results.channels(everyday=True) if channels is None else matching(results, channels)
    wanted = dict(units or {})
    for si, other in wanted.items():
        if not same_dimension(si, other):
            raise EngineError(
                "'{si}' cannot be written in '{other}': choose a unit of its kind.",
                si=si,
                other=other,
            )
    names = [wanted.get(channel.unit, channel.unit) for channel in chosen]
    time, pick = _rows(results.t, step if isinstance(step, Sampling) else Sampling(step))
    columns = [
        from_si(1.0, name) * pick(channel.values)
        if channel.unit in wanted
        else pick(channel.values)
        for channel, name in zip(chosen, names)
    ]
    return Table(time, chosen, names, columns)


def motion_units(length: str = "m", angle: str = "rad") -> dict[str, str]:
    """What to write instead of the SI units of place, speed and acceleration; forces keep theirs."""
    given = {"m": length, "rad": angle}
    rates = {f"{si}{per}": f"{name}{per}" for si, name in given.items() for per in _RATES}
    return {si: name for si, name in rates.items() if si != name}


_RATES = ("", "/s", "/s^2")


def _rows(t: np.ndarray, sampling: Sampling) -> tuple[np.ndarray, Callable[..., np.ndarray]]:
    """The times of a table, and the function that samples a full column at them."""
    if sampling.every < 1:
        raise EngineError(
            "Every {every}th frame cannot be written: choose 1 or more.", every=sampling.every
        )
    low, high = (-np.inf, np.inf) if sampling.span is None else sampling.span
    if not low <= high:
        raise EngineError(
            "The table would go from {low:g} s to {high:g} s: the end must not be before the start.",
            low=low,
            high=high,
        )
    frames = np.flatnonzero((t >= low) & (t <= high))
    every = sampling.every
    if sampling.step is not None and len(t) > 1:
        between = float(t[1] - t[0])
        ratio = sampling.step / between
        if ratio >= 0.5 and abs(ratio - round(ratio)) <= _STEP_SLACK:
            every = round(ratio)
        elif sampling.resampled and 0.0 < sampling.step < np.inf:
            return _resampled(t, frames, sampling.step)
        else:
            raise EngineError(
                "A step of {step:g} s cannot be written, for the run has a frame every "
                "{between:g} s: choose a whole multiple of that, or run with another output step.",
                step=sampling.step,
                between=between,
            )
    chosen = slice(frames[0], frames[-1] + 1, every) if len(frames) else slice(0, 0)
    return t[chosen], lambda column: column[chosen]


def _resampled(
    t: np.ndarray, frames: np.ndarray, step: float
) -> tuple[np.ndarray, Callable[..., np.ndarray]]:
    """Equally spaced times from the first chosen frame on, with linear interpolation between frames."""
    first, last = (t[frames[0]], t[frames[-1]]) if len(frames) else (0.0, -1.0)
    n_rows = np.floor((last - first) / step * (1.0 + 1e-12)) + 1.0
    if n_rows > MAX_ROWS:
        raise EngineError(
            "A step of {step:g} s gives {n_rows:.2g} rows, more than {max_rows}: choose a longer one.",
            step=step,
            n_rows=n_rows,
            max_rows=MAX_ROWS,
        )
    times = np.minimum(first + step * np.arange(int(n_rows)), last)
    return times, lambda column: np.interp(times, t, column)


def _quoted(title: str, separator: str) -> str:
    """The header of a column, quoted so that separators and line ends in it do no harm."""
    is_harmful = any(sign in title for sign in (separator, '"', "\n", "\r"))
    return '"' + title.replace('"', '""') + '"' if is_harmful else title


def harmless(words: str) -> str:
    """Words that no spreadsheet takes for a formula, whatever elements are called; numbers as they are."""
    if not words.startswith(("=", "+", "-", "@")) or _is_number(words):
        return words
    return f"'{words}"


def _is_number(words: str) -> bool:
    try:
        float(words)
    except ValueError:
        return False
    return True
