"""Columns of channels, computed in a thread from the frames there are, and kept.

A plot asks again and again with `get`, gets what is known, and receives `arrived` when there is more.
While a run grows, columns are recomputed no more often than their cost allows.
"""

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from gui.running.worker import Worker
from gui.state.playback import Playback, RunRecord

if TYPE_CHECKING:
    from engine.results.results import Results

LEAST_PAUSE = 0.08  # s between two rounds
ROUNDING = {"rad": 1e-15, "rad/s": 1e-15, "rad/s^2": 1e-15}  # less is 0, by unit
LEAST = 1e-25  # less is 0 in any unit
REST = 3.0  # pause as a multiple of the cost of a round, to leave the processor to other work


class Column(NamedTuple):
    """The values of a channel over time, in SI units."""

    t: np.ndarray
    values: np.ndarray
    low: float  # of the finite values
    high: float
    least_positive: float  # for logarithmic axes; NaN if there is none
    token: tuple[int, float, float]  # of the frames it was computed from


Key = tuple[RunRecord, str]


class _Round(Worker):
    """Computes some columns; known ones are only extended."""

    def __init__(self, keys: list[Key], known: dict[Key, Column]) -> None:
        super().__init__()
        frozen = {record: record.results.so_far() for record, _ in keys}
        self.jobs = [(key, frozen[key[0]], known.get(key)) for key in keys]
        self.found: dict[Key, Column] = {}
        self.refused: dict[Key, str] = {}

    def work(self) -> tuple[str, list[str]]:
        """Compute one column after the other."""
        new_frames: dict[tuple[int, int], Results] = {}
        for key, results, known in self.jobs:
            if self.isInterruptionRequested():
                break
            try:
                if known is not None and grew(known, results):
                    n, place = len(known.t), (id(results), len(known.t))
                    if place not in new_frames:
                        new_frames[place] = results.since(n)
                    new = quiet_values(new_frames[place].channel(key[1]))[1:]
                    self.found[key] = extended(known, results, new)
                else:
                    values = quiet_values(results.channel(key[1]))
                    self.found[key] = column(results.t, values, token_of(results))
            except EngineError as error:
                self.refused[key] = error.sentence
        return "", []


class Columns(QObject):
    """The columns that plots show, by run and name of channel."""

    arrived = Signal()

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playback = playback
        self._known: dict[Key, Column] = {}
        self._refused: dict[Key, str] = {}
        self._wanted: dict[Key, None] = {}
        self._round: _Round | None = None
        self._began = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._start_round)
        playback.run_changed.connect(self._forget)

    def get(self, record: RunRecord, name: str) -> Column | None:
        """What is known of a column; what is missing or old is computed and announced."""
        key = (record, name)
        known = self._known.get(key)
        if key in self._refused or not len(record.results):
            return known
        if known is None or known.token != token_of(record.results):
            self._wanted[key] = None
            if self._round is None and (known is None or not self._timer.isActive()):
                self._timer.start(0)
        return known

    def reason(self, record: RunRecord, name: str) -> str:
        """Why a run has no such column; empty if it has, or if that is not known yet."""
        return self._refused.get((record, name), "")

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be computed."""
        return self._round is not None or bool(self._wanted)

    def shutdown(self) -> None:
        """End the thread before the window is destroyed."""
        self._timer.stop()
        self._wanted.clear()
        if self._round is not None:
            self._round.stop()
            self._round = None

    def _start_round(self) -> None:
        """Compute what is wanted."""
        if self._round is None and self._wanted:
            self._round = _Round(list(self._wanted), self._known)
            self._began = time.monotonic()
            self._wanted.clear()
            self._round.ended.connect(self._on_ended)
            self._round.start()

    def _on_ended(self, finished: _Round, sentence: str) -> None:
        """Take over what a round found."""
        if finished is not self._round:
            return
        self._round = None
        finished.wait()
        cost = time.monotonic() - self._began
        self._known.update(finished.found)
        self._refused.update(finished.refused)
        for key, _, _ in finished.jobs if sentence else ():
            if key not in finished.found:
                self._refused[key] = sentence
        self._forget()
        is_urgent = any(key not in self._known for key in self._wanted)
        pause = 0.0 if is_urgent else max(LEAST_PAUSE, REST * cost)
        self._timer.start(round(1e3 * pause))
        self.arrived.emit()

    def _forget(self) -> None:
        """Drop columns of runs that are gone."""
        alive = {self.playback.current, *self.playback.ghosts}
        for table in (self._known, self._refused, self._wanted):
            for key in [key for key in table if key[0] not in alive]:
                del table[key]


def token_of(results: "Results") -> tuple[int, float, float]:
    """A key that changes when frames were added or discarded."""
    t = results.t
    return (len(t), float(t[0]), float(t[-1])) if len(t) else (0, 0.0, 0.0)


def grew(known: Column, results: "Results") -> bool:
    """Whether frames were only added since a column was computed, and can be computed alone.

    In space angles count turns from frame to frame, so there all frames are needed.
    """
    return (
        results.compiled.system.dim == 2
        and 0 < len(known.t) < len(results)
        and known.t[0] == results.t[0]
        and known.t[-1] == results.t[len(known.t) - 1]
    )


def extended(known: Column, results: "Results", new: np.ndarray) -> Column:
    """A column with the values of new frames at its end."""
    added = column(results.t[len(known.t) :], new, token_of(results))
    return Column(
        results.t,
        np.concatenate([known.values, new]),
        float(np.fmin(known.low, added.low)),
        float(np.fmax(known.high, added.high)),
        float(np.fmin(known.least_positive, added.least_positive)),
        added.token,
    )


def quiet_values(channel: Any) -> np.ndarray:
    """The values of a channel; what is only rounding is 0, so that no axis magnifies it."""
    values = np.asarray(channel.values)
    return np.where(np.abs(values) < ROUNDING.get(channel.unit, LEAST), 0.0, values)


def column(t: np.ndarray, values: np.ndarray, token: tuple[int, float, float]) -> Column:
    """A column with its extremes."""
    finite = values[np.isfinite(values)]
    positive = finite[finite > 0.0]
    return Column(
        t,
        values,
        float(finite.min()) if len(finite) else np.nan,
        float(finite.max()) if len(finite) else np.nan,
        float(positive.min()) if len(positive) else np.nan,
        token,
    )
