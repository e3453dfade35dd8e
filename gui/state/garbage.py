"""Collect garbage in the thread of the window only.

Python collects cyclic garbage in whatever thread happens to allocate the object that reaches the limit. A
thread that compiles a model would then destroy the Qt objects of a closed form or window while the event
loop is sending events to them, and the process ends with a segmentation fault. So automatic collection is
off while there is an application, and the event loop collects instead, by Python's own rules.
"""

import gc

from PySide6.QtCore import QObject, QTimer

PERIOD = 100  # ms
OLDEST = 2  # generation
GROWTH = 1.25  # of the oldest generation before it is worth a collection, which takes about 0.1 s


class GarbageCollector(QObject):
    """Collects garbage in the thread in which it was made; one for a process."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._kept = 0  # objects that survived the last complete collection
        timer = QTimer(self, interval=PERIOD)
        timer.timeout.connect(self.collect_due)
        timer.start()

    def collect_due(self) -> None:
        """Collect the oldest generation that is due, with those younger than it."""
        counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, limit) in enumerate(counts) if count > limit]
        if not due:
            return
        if due[-1] == OLDEST and _number_of_old() < GROWTH * self._kept:
            gc.collect(OLDEST - 1)
            return
        gc.collect(due[-1])
        if due[-1] == OLDEST:
            self._kept = _number_of_old()


def _number_of_old() -> int:
    return len(gc.get_objects(OLDEST))
