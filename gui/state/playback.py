"""The one clock: which run is shown, and at what time.

A `RunRecord` keeps the results of a run with what they came from. The stage, all plots and the transport
bar follow `Playback`; to show another time, set it here.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, Signal

from gui.look.method_words import is_adaptive, method_short
from gui.state.numbers import written

if TYPE_CHECKING:
    from engine.kinematics.mobility import Mobility
    from engine.results.balance import Balance
    from engine.results.results import Results

MAX_GHOSTS = 5
ENDS_WELL = ("done", "cancelled", "stopped")  # reasons of an ending that are not errors


class Quality(NamedTuple):
    """How well a run kept its work balance and its joints closed."""

    balance: "Balance"
    gap: float  # largest |Phi| of all steps, before correction               [m, rad]


@dataclass(slots=True, eq=False)
class RunRecord:
    """One run: its results, how they were made, and how they are shown."""

    number: int  # 1, 2, ... in the order they were started
    results: "Results"
    mobility: "Mobility | None"  # None: nobody asked
    is_shown: bool = True  # as a ghost, once another run is the current one
    notes: list[str] = field(default_factory=list)
    name: str = ""  # given by the user
    is_live: bool = False  # the last seconds of live mode
    quality: Quality | None = None  # measured after the end

    @property
    def short_title(self) -> str:
        """What the stage calls it, where there is little room."""
        translate = QCoreApplication.translate
        words = translate("RunRecord", "Live {0}" if self.is_live else "Run {0}")
        return self.name or words.format(self.number)

    @property
    def title(self) -> str:
        """What lists and legends call it."""
        if self.name:
            return self.name
        settings = self.results.settings
        translate = QCoreApplication.translate
        how = translate("RunRecord", "h = {0} ms").format(written(1e3 * float(settings.step)))
        if is_adaptive(settings.method):
            how = translate("RunRecord", "tol {0}").format(written(float(settings.tolerance), 2))
        return f"{self.short_title}: {method_short(settings.method)}, {how}"


class Playback(QObject):
    """The current run, earlier ones as ghosts, and the time that is shown."""

    run_changed = Signal()  # another run is current, or none; ghosts may have changed
    frames_grew = Signal()  # the current run has more frames, has ended or was measured
    time_changed = Signal(float)
    scrubbed = Signal()  # the user chose the time
    playing_changed = Signal()  # the transport lets time run, or stops it

    def __init__(self) -> None:
        super().__init__()
        self.current: RunRecord | None = None
        self.ghosts: list[RunRecord] = []  # newest first
        self.time = 0.0
        self.is_playing = False
        self._started = 0

    @property
    def results(self) -> "Results | None":
        """The results of the current run, or None in the design pose."""
        return None if self.current is None else self.current.results

    @property
    def t_first(self) -> float:
        """The time of the first frame there is: 0, or later in live mode."""
        results = self.results
        return float(results.t[0]) if results is not None and len(results) else 0.0

    @property
    def t_last(self) -> float:
        """The time of the last frame there is."""
        results = self.results
        return float(results.t[-1]) if results is not None and len(results) else 0.0

    def start(
        self, results: "Results", mobility: "Mobility | None", *, is_live: bool = False
    ) -> RunRecord:
        """Make a new run the current one; the one before becomes a ghost. Changes the playback."""
        self._retire()
        self._started += 1
        self.current = RunRecord(self._started, results, mobility, is_live=is_live)
        self.run_changed.emit()
        self.set_time(0.0)
        return self.current

    def leave(self) -> None:
        """Return to the design pose; a finished run stays as a ghost. Changes the playback."""
        if self.current is not None:
            self._retire()
            self.current = None
            self.run_changed.emit()
            self.set_time(0.0)

    def promote(self, record: RunRecord) -> None:
        """Make an earlier run the current one again; changes the playback."""
        if record is not self.current:
            self.ghosts = [ghost for ghost in self.ghosts if ghost is not record]
            self._retire()
            self.current = record
            self.run_changed.emit()
            self.set_time(self.time)

    def show(self, record: RunRecord, is_shown: bool) -> None:
        """Show an earlier run as a ghost, or hide it; changes the record."""
        if record.is_shown != is_shown:
            record.is_shown = is_shown
            self.run_changed.emit()

    def rename(self, record: RunRecord, name: str) -> None:
        """Give a run a name; an empty one gives it its own title back. Changes the record."""
        if record.name != name:
            record.name = name
            self.run_changed.emit()

    def forget(self, record: RunRecord | None = None) -> None:
        """Drop one earlier run, or all runs; changes the playback."""
        if record is None:
            self.current, self.ghosts, self._started = None, [], 0
        else:
            self.ghosts = [g for g in self.ghosts if g is not record]
            self.current = None if self.current is record else self.current
        self.run_changed.emit()
        self.set_time(min(self.time, self.t_last))

    def set_time(self, t: float) -> None:
        """Show this time; changes the playback."""
        t = float(np.clip(t, self.t_first, self.t_last))
        if t != self.time or self.current is None:
            self.time = t
            self.time_changed.emit(t)

    def set_playing(self, is_playing: bool) -> None:
        """Time runs, or stands still; changes the playback."""
        if is_playing != self.is_playing:
            self.is_playing = is_playing
            self.playing_changed.emit()

    def scrub(self, t: float) -> None:
        """Show a time chosen by the user, which stops playing; changes the time."""
        self.scrubbed.emit()
        self.set_time(t)

    def frame(self) -> int:
        """The number of the frame that is shown."""
        results = self.results
        return results.frame_at(self.time) if results is not None and len(results) else 0

    def pose(self) -> np.ndarray | None:
        """q at the shown time, interpolated between frames so that slow motion is smooth."""
        results = self.results
        return None if results is None or not len(results) else pose_at(results, self.time)

    def _retire(self) -> None:
        if self.current is not None and len(self.current.results) > 1:
            self.ghosts = [self.current, *self.ghosts][:MAX_GHOSTS]


def pose_at(results: "Results", time: float) -> np.ndarray:
    """q of a run at any time.

    In the plane the cubic through places and velocities of the two frames around it:

        q(s) = h00 q0 + h10 dt v0 + h01 q1 + h11 dt v1        s = (t - t0) / dt

    In space the nearer frame, because the rates of its four orientation coordinates are not part of v.
    """
    after = int(np.searchsorted(results.t, time))
    if after == 0 or after >= len(results) or results.compiled.system.dim == 3:
        return results.q[results.frame_at(time)]
    t0, t1 = results.t[after - 1 : after + 1]
    dt = t1 - t0
    s = (time - t0) / dt
    q0, q1 = results.q[after - 1 : after + 1]
    v0, v1 = results.v[after - 1 : after + 1]
    h01 = s * s * (3.0 - 2.0 * s)
    return (1.0 - h01) * q0 + h01 * q1 + dt * s * (1.0 - s) * ((1.0 - s) * v0 - s * v1)
