"""Write channels of a run to files: CSV for spreadsheets, NPZ for numpy."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from engine.atomic import replace_file
from engine.channels import Channel, matching
from engine.errors import EngineError
from engine.results import Results
from engine.units import from_si, same_dimension

_ROWS_AT_ONCE = 1000  # of text, so that memory does not grow with the run
_STEP_SLACK = 1e-6  # of a frame: 0.1 is no whole multiple of 0.01 in binary numbers


class Table(NamedTuple):
    """Chosen channels at chosen frames, in the units asked for."""

    time: np.ndarray  # (n,)
    channels: list[Channel]
    units: list[str]
    columns: list[np.ndarray]  # (n,) each


def write_csv(
    results: Results,
    path: str | Path,
    channels: Sequence[str] | None = None,
    step: float | None = None,
    decimal_comma: bool = False,
    units: Mapping[str, str] | None = None,
) -> None:
    """Write channels as text with a header; numbers keep all their digits.

    `channels` are names or patterns with *; without them the everyday ones are written. `step` is
    a whole multiple of the time between frames. `units` says what to write instead of an SI unit,
    such as {"rad": "deg", "m": "mm"}. With a decimal comma the columns are separated by semicolons.
    On any failure an old file stays as it was.
    """
    table = tabulated(results, channels, step, units)
    separator = ";" if decimal_comma else ","
    titles = ["time [s]"]
    for channel, unit in zip(table.channels, table.units):
        titles.append(f"{channel.name} [{unit}]" if unit else channel.name)

    def write(file: IO[bytes]) -> None:
        file.write((separator.join(titles) + "\n").encode())
        for start in range(0, len(table.time), _ROWS_AT_ONCE):
            some = slice(start, start + _ROWS_AT_ONCE)
            rows = np.stack([table.time[some], *(c[some] for c in table.columns)], axis=1)
            text = "".join(separator.join(map(repr, row)) + "\n" for row in rows.tolist())
            file.write((text.replace(".", ",") if decimal_comma else text).encode())

    replace_file(path, write, "write")


def write_npz(
    results: Results,
    path: str | Path,
    channels: Sequence[str] | None = None,
    step: float | None = None,
    units: Mapping[str, str] | None = None,
) -> None:
    """Write channels as arrays by name, with `time`, `names`, `units`, `frames` and `labels`.

    Read it with numpy.load(path): there are no Python objects in it.
    """
    table = tabulated(results, channels, step, units)
    words = {
        "names": [channel.name for channel in table.channels],
        "units": table.units,
        "frames": [channel.frame for channel in table.channels],
        "labels": [channel.label for channel in table.channels],
    }
    arrays: dict[str, Any] = {
        "time": table.time,
        "model": np.array(results.model.name, dtype=np.str_),
        **{name: np.array(texts, dtype=np.str_) for name, texts in words.items()},
        **{channel.name: column for channel, column in zip(table.channels, table.columns)},
    }
    replace_file(path, lambda file: np.savez(file, **arrays), "write")


def tabulated(
    results: Results,
    channels: Sequence[str] | None = None,
    step: float | None = None,
    units: Mapping[str, str] | None = None,
) -> Table:
    """The chosen channels at the chosen frames, in the units asked for."""
    if isinstance(channels, str):
        channels = [channels]
    chosen = results.channels(everyday=True) if channels is None else matching(results, channels)
    frames = slice(None, None, _frames_per_step(results, step))
    wanted = dict(units or {})
    for si, other in wanted.items():
        if not same_dimension(si, other):
            raise EngineError(f"'{si}' cannot be written in '{other}': choose a unit of its kind.")
    names = [wanted.get(channel.unit, channel.unit) for channel in chosen]
    columns = [
        from_si(1.0, name) * channel.values[frames]
        if channel.unit in wanted
        else channel.values[frames]
        for channel, name in zip(chosen, names)
    ]
    return Table(results.t[frames], chosen, names, columns)


def _frames_per_step(results: Results, step: float | None) -> int:
    """How many frames one step of the table spans."""
    if step is None or len(results) < 2:
        return 1
    between = float(results.t[1] - results.t[0])
    ratio = step / between
    if not (ratio >= 0.5 and abs(ratio - round(ratio)) <= _STEP_SLACK):
        raise EngineError(
            f"A step of {step:g} s cannot be written, for the run has a frame every {between:g} s: "
            "choose a whole multiple of that, or run with another output step."
        )
    return round(ratio)
