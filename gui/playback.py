"""The one clock: which run is shown, and at what time.

A `Run record` keeps the results of a run with what they came from. The stage, all plots and the
transport bar follow `Playback`; whoever wants another time sets it here.
"""

from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.mobility import Mobility
from engine.results import Results

MAX_GHOSTS = 5


@dataclass(slots=True, eq=False)
class RunRecord:
    """One run: its results, how they were made, and how they are shown."""

    number: int  # 1, 2, ... in the order they were started
    results: Results
    mobility: Mobility
    is_shown: bool = True  # as a ghost, once another run is the current one
    notes: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What lists and legends call it."""
        settings = self.results.settings
        return f"Run {self.number}: {settings.method}, h = {1e3 * float(settings.step):g} ms"


class Playback(QObject):
    """The current run, earlier ones as ghosts, and the time that is shown."""

    run_changed = Signal()  # another run is current, or none; ghosts may have changed
    frames_grew = Signal()  # the current run has more frames, or has ended
    time_changed = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.current: RunRecord | None = None
        self.ghosts: list[RunRecord] = []  # newest first
        self.time = 0.0
        self._started = 0

    @property
    def results(self) -> Results | None:
        """The columns of the current run, or None in the design pose."""
        return None if self.current is None else self.current.results

    @property
    def t_last(self) -> float:
        """The time of the last frame there is."""
        results = self.results
        return float(results.t[-1]) if results is not None and len(results) else 0.0

    def start(self, results: Results, mobility: Mobility) -> RunRecord:
        """Make a new run the current one; the one before becomes a ghost. Changes the playback."""
        self._retire()
        self._started += 1
        self.current = RunRecord(self._started, results, mobility)
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

    def forget(self, record: RunRecord | None = None) -> None:
        """Drop one earlier run, or all runs; changes the playback."""
        if record is None:
            self.current, self.ghosts = None, []
        else:
            self.ghosts = [g for g in self.ghosts if g is not record]
            self.current = None if self.current is record else self.current
        self.run_changed.emit()
        self.set_time(min(self.time, self.t_last))

    def set_time(self, t: float) -> None:
        """Show this time; changes the playback."""
        t = float(np.clip(t, 0.0, self.t_last))
        if t != self.time or self.current is None:
            self.time = t
            self.time_changed.emit(t)

    def frame(self) -> int:
        """The number of the frame that is shown."""
        results = self.results
        return results.frame_at(self.time) if results is not None and len(results) else 0

    def _retire(self) -> None:
        if self.current is not None and len(self.current.results) > 1:
            self.ghosts = [self.current, *self.ghosts][:MAX_GHOSTS]
