"""A twin of a run: the same model followed by the other description of orientation, in a thread."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtCore import QCoreApplication, QObject, Signal

from engine.editing.edits import at_state
from engine.model.elements import Id
from gui.running.worker import SolveWorker
from gui.state.attitude import QUATERNION, Attitude, run_attitude
from gui.state.numbers import written
from gui.state.playback import RunRecord
from gui.state.preferences import Preferences

if TYPE_CHECKING:
    from engine.results.results import Results

AGREE = 1e-6  # rad: smaller differences come from the integration, not from the parameters
PART = 1e-3  # rad: from here on two runs have parted


class TwinWorker(SolveWorker):
    """Simulates the twin of a run from its first frame on."""

    def __init__(self, run: "Results") -> None:
        super().__init__(run.model)
        self.run_ = run.so_far()

    def work(self) -> tuple[str, list[str]]:
        """Turn the model of the run into its twin, and simulate that."""
        from engine.studies.twins import twin

        run = self.run_
        self.model = twin(at_state(run.model, run.q[0], run.v[0], float(run.t[0]), run.z[0]))
        return super().work()


class TwinRun(QObject):
    """Makes the twin of a run; one at a time."""

    changed = Signal()  # begun, more frames, or ended

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.of: RunRecord | None = None  # the run whose twin this is
        self.results: Results | None = None
        self.trouble = ""  # why there is no twin
        self.fraction = 0.0
        self._worker: SolveWorker | None = None

    @property
    def is_running(self) -> bool:
        """Whether the twin is being computed."""
        return self._worker is not None

    def start(self, record: RunRecord) -> None:
        """Simulate the twin of a run from the same first frame; changes the twin."""
        self.forget()
        self.of = record
        self._worker = TwinWorker(record.results)
        self._worker.prepared.connect(self._on_prepared)
        self._worker.advanced.connect(self._on_advanced)
        self._worker.ended.connect(self._on_ended)
        self._worker.start()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop computing; the frames so far are kept. Changes the twin."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()
            if worker.running is not None and self.results is not None:
                self.results.tell(worker.running.account())
            self.changed.emit()

    def forget(self) -> None:
        """Drop the twin; changes it."""
        self.cancel()
        if self.of is not None or self.trouble:
            self.of, self.results, self.trouble, self.fraction = None, None, "", 0.0
            self.changed.emit()

    def _on_prepared(self, worker: SolveWorker, running: Any) -> None:
        from engine.results.results import Results

        if worker is self._worker:
            self.results = Results(running.compiled, running.settings)

    def _on_advanced(self, worker: SolveWorker, blocks: list[Any]) -> None:
        if worker is not self._worker or self.results is None or worker.running is None:
            return
        worker.was_read()
        for block in blocks:
            self.results.append(block)
        self.fraction = worker.running.fraction
        self.changed.emit()

    def _on_ended(self, worker: SolveWorker, sentence: str, _ids: list[Id]) -> None:
        if worker is not self._worker:
            return
        self._worker = None
        worker.wait()
        if self.results is not None and worker.running is not None:
            self.results.tell(worker.running.account())
        if self.results is None or not len(self.results):
            self.trouble = sentence
        self.changed.emit()


class Difference(NamedTuple):
    """The difference between a run and its twin."""

    t: np.ndarray  # (n,)      [s]
    angle: np.ndarray  # (n,)  between both orientations of a body [rad]

    @property
    def parting(self) -> int:
        """The first frame in which they have parted; -1 if they have not."""
        parted = np.flatnonzero(self.angle > PART)
        return int(parted[0]) if len(parted) else -1


def difference_of(run: "Results", twin: "Results", id: Id) -> Difference:
    """The angle between the orientations of a body in both runs, over their common frames.

    EngineError says why they cannot be compared.
    """
    from engine.studies.twins import difference

    angle = difference(run, twin).get(id, np.zeros(0))
    return Difference(run.t[: len(angle)], angle)


def method_words(attitude: Attitude) -> str:
    """How a run follows a body, for a caption."""
    if attitude.integration == QUATERNION:
        return _tr("Quaternion")
    return _tr("Euler angles {0}").format(attitude.integration)


def comparison_words(
    preferences: Preferences, run: "Results", twin: "Results", id: Id, sequence: str
) -> str:
    """The result of comparing a run with its twin, in words."""
    apart = difference_of(run, twin, id)
    if not len(apart.angle):
        return ""
    worst, n = float(apart.angle.max()), apart.parting
    if n < 0:
        if worst < AGREE:
            words = _tr("They agree to {0} rad.").format(_power(preferences, worst))
        else:
            words = _tr("They differ by at most {0} rad: the error of both integrations.").format(
                _power(preferences, worst)
            )
        return " ".join([words, *_early(run, twin)])
    near = _nearest_lock(run, apart, n, id, sequence)
    words = _tr("They part at t = {0} s{1}. The largest difference is {2}°.").format(
        preferences.digits(float(apart.t[n]), 3),
        near,
        preferences.digits(float(np.degrees(worst)), 3),
    )
    return " ".join([words, *_early(run, twin)])


def _power(preferences: Preferences, number: float) -> str:
    return preferences.digits(number, 1) if number > 0.0 else "0"


def _nearest_lock(run: "Results", apart: Difference, n: int, id: Id, sequence: str) -> str:
    """Where theta was when the runs parted, if it was near its lock."""
    from gui.instruments.lock.lock_curves import lock_columns
    from rotations.gimbal_lock import AMBER_BELOW

    columns = lock_columns(run.first(n + 1), id, sequence)
    nearest = int(columns.measure.argmin())
    if columns.measure[nearest] > AMBER_BELOW:
        return ""
    attitude = run_attitude(run, run.q[nearest], nearest, id, sequence)
    if attitude is None:
        return ""
    theta = float(np.degrees(attitude.angles[1]))
    return _tr(", after θ reached {0}° at t = {1} s, near the lock").format(
        written(theta, 4), written(float(columns.t[nearest]), 3)
    )


def _early(run: "Results", twin: "Results") -> list[str]:
    """A sentence where one of the runs ended before the other."""
    if run.ending is None or twin.ending is None or not len(run) or not len(twin):
        return []
    if float(run.t[-1]) < float(twin.t[-1]) - 1e-9:
        words = _tr("This run ended at t = {0} s; its twin went on to t = {1} s.")
        return [words.format(written(float(run.t[-1]), 3), written(float(twin.t[-1]), 3))]
    if float(twin.t[-1]) < float(run.t[-1]) - 1e-9:
        words = _tr("The twin ended at t = {0} s: {1}")
        return [words.format(written(float(twin.t[-1]), 3), twin.ending.sentence)]
    return []


def _tr(text: str) -> str:
    return QCoreApplication.translate("Twin", text)
