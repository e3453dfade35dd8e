"""Collect garbage in the thread of the window only.

Python collects cyclic garbage in whatever thread happens to allocate the object that reaches the limit. A
thread that compiles a model would then destroy the Qt objects of a closed form or window while the event
loop is sending events to them, and the process ends with a segmentation fault. So automatic collection is
off while there is an application, and the event loop collects instead, by Python's own rules.
"""

import gc

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

PERIOD = 100  # ms
OLDEST = 2  # generation
SHARE = 50  # a complete collection, of about 0.1 s, takes one part in 50 of the time at most


class GarbageCollector(QObject):
    """Collects garbage in the thread in which it was made; one for a process.

    How many objects have grown old, which Python itself goes by, cannot be asked for here: a list of all
    objects holds the tuples that other threads are just building, and Python refuses to complete those.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._since = QElapsedTimer()  # the last complete collection
        self._took = 0  # ms that it took
        timer = QTimer(self, interval=PERIOD)
        timer.timeout.connect(self.collect_due)
        timer.start()

    def collect_due(self) -> None:
        """Collect the oldest generation that is due, with those younger than it."""
        counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, limit) in enumerate(counts) if count > limit]
        if not due:
            return
        if due[-1] < OLDEST:
            gc.collect(due[-1])
        elif self._since.isValid() and self._since.elapsed() < SHARE * self._took:
            gc.collect(OLDEST - 1)
        else:
            self._since.start()
            gc.collect(OLDEST)
            self._took = self._since.restart()
