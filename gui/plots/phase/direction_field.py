"""The direction field behind a phase portrait: computed in a thread, a few times in a second."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.studies.portrait import PhasePlane
from gui.plots.phase.phase_items import Field
from gui.running.worker import Worker
from gui.state.playback import RunRecord

GRID = (23, 15)  # arrows along x and y
PAUSE = 250  # ms, at least, between two fields


class Request(NamedTuple):
    """Which field to compute: for a run, a pair of channels and the visible part of their plane."""

    record: RunRecord
    pair: tuple[str, str]
    box: tuple[float, float, float, float]  # x0, x1, y0, y1 in SI units
    factors: tuple[float, float]  # from the units of the axes to SI units


class _FieldWorker(Worker):
    """One direction field: emits its places and directions in SI units, or why there is none."""

    found = Signal(object, object, object)  # the worker, places (n, 2), directions (n, 2)
    refused = Signal(object, str)  # the worker, the reason

    def __init__(self, plane: PhasePlane | None, request: Request) -> None:
        super().__init__()
        self.plane, self.request = plane, request
        results = request.record.results
        self.compiled, self.q = results.compiled, results.q[0].copy()

    def work(self) -> tuple[str, list[str]]:
        """Follow the poses over the box and ask for the accelerations."""
        x0, x1, y0, y1 = self.request.box
        xs = x0 + (np.arange(GRID[0]) + 0.5) / GRID[0] * (x1 - x0)
        ys = y0 + (np.arange(GRID[1]) + 0.5) / GRID[1] * (y1 - y0)
        try:
            if self.plane is None:
                self.plane = PhasePlane(self.compiled, *self.request.pair, self.q)
            slopes = self.plane.slopes(xs, ys)
        except EngineError as error:
            self.refused.emit(self, error.sentence)
            return "", []
        places = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1).reshape(-1, 2)
        directions = np.stack([places[:, 1], slopes.ravel()], axis=1)
        self.found.emit(self, places, directions)
        return "", []


class DirectionField(QObject):
    """Keeps the field of a portrait up to date; `plane` is known where there is one."""

    def __init__(self, item: Field, wanted: Callable[[], Request | None], parent: QObject) -> None:
        super().__init__(parent)
        self.item, self.wanted = item, wanted
        self.reason = ""  # why there is no field
        self.plane: PhasePlane | None = None
        self._of: tuple[Any, ...] = ()  # the model and the pair that plane and reason belong to
        self._drawn: Request | None = None
        self._worker: _FieldWorker | None = None
        self._rest = QTimer(self, singleShot=True, interval=PAUSE)
        self._rest.timeout.connect(self._start)

    def schedule(self) -> None:
        """Compute the field soon."""
        if not self._rest.isActive():
            self._rest.start()

    @property
    def is_busy(self) -> bool:
        """Whether a field is being computed or will be soon."""
        return self._worker is not None or self._rest.isActive()

    def shutdown(self) -> None:
        """End the thread before the plot is destroyed."""
        self._rest.stop()
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _start(self) -> None:
        """Compute the requested field, if it is not known already."""
        if self._worker is not None:
            self._rest.start()
            return
        request = self.wanted()
        if request is None or not len(request.record.results):
            self._drawn = None
            self.item.clear()
            return
        subject = (request.record.results.model, *request.pair)
        if self._of != subject:
            self._of, self.plane, self.reason, self._drawn = subject, None, "", None
            self.item.clear()
        if self.reason or request == self._drawn:
            return
        self._drawn = request
        self._worker = _FieldWorker(self.plane, request)
        self._worker.found.connect(self._on_found)
        self._worker.refused.connect(self._on_refused)
        self._worker.ended.connect(self._on_ended)
        self._worker.start()

    def _on_found(self, worker: _FieldWorker, places: np.ndarray, directions: np.ndarray) -> None:
        if worker is self._worker:
            self.plane = worker.plane
            x0, x1, y0, y1 = worker.request.box
            factors = np.array(worker.request.factors)
            cell = np.array([(x1 - x0) / GRID[0], (y1 - y0) / GRID[1]]) / factors
            self.item.set_field(places / factors, directions / factors, (cell[0], cell[1]))

    def _on_refused(self, worker: _FieldWorker, reason: str) -> None:
        if worker is self._worker:
            self.reason, self.plane = reason, None
            self.item.clear()

    def _on_ended(self, worker: _FieldWorker, sentence: str) -> None:
        if worker is self._worker:
            self._worker = None
            worker.wait()
            self.reason = self.reason or sentence
