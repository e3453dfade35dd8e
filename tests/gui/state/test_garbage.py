"""Garbage is collected in the thread of the window only, and it is collected."""

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject

from gui.state.threads import BackgroundThread


class Ring(QObject):
    """A Qt object that only the collector of cyclic garbage can destroy."""

    def __init__(self):
        super().__init__()
        self.itself = self


class Busy(BackgroundThread):
    """Allocates far more objects than the limits of the collector allow."""

    def run(self):
        """Allocate."""
        limit, often, more = gc.get_threshold()
        self.kept = [[] for _ in range(limit * (often + 1) * (more + 1))]


@pytest.fixture
def collecting_threads():
    """The threads in which garbage has been collected."""
    threads = set()

    def note(phase, info):
        threads.add(threading.get_ident())

    gc.callbacks.append(note)
    yield threads
    gc.callbacks.remove(note)


def test_a_thread_that_allocates_never_destroys_the_objects_of_the_window(collecting_threads):
    ring = Ring()
    seen = weakref.ref(ring)
    del ring
    busy = Busy()
    busy.start()
    assert busy.wait()
    assert collecting_threads <= {threading.get_ident()} and seen() is not None


def test_the_event_loop_collects_in_its_own_thread(qtbot, collecting_threads):
    seen = weakref.ref(Ring())
    kept = [[] for _ in range(10 * gc.get_threshold()[0])]
    qtbot.waitUntil(lambda: seen() is None)
    assert collecting_threads == {threading.get_ident()} and kept


def test_old_garbage_is_collected_too(qtbot, collector):
    ring = Ring()
    gc.collect()  # makes it old
    seen = weakref.ref(ring)
    del ring
    limits, grown = gc.get_threshold(), []
    collector._took = 0
    for _ in range((limits[1] + 2) * (limits[2] + 3)):
        grown += [[] for _ in range(limits[0] + 1)]
        collector.collect_due()
    assert seen() is None


def test_complete_collections_take_a_small_part_of_the_time(qtbot, collector, monkeypatch):
    generations = []
    monkeypatch.setattr("gc.collect", generations.append)
    monkeypatch.setattr("gc.get_count", lambda: (1000, 1000, 1000))
    collector._took = 0
    collector.collect_due()
    collector._took = 3_600_000  # it took an hour: the next one is days away
    collector.collect_due()
    assert generations == [2, 1]


def test_objects_that_other_threads_are_building_are_not_touched(qtbot, collector, monkeypatch):
    def refuse(*_):
        raise AssertionError("a list of all objects holds tuples that are being built")

    monkeypatch.setattr("gc.get_objects", refuse)
    monkeypatch.setattr("gc.get_count", lambda: (1000, 1000, 1000))
    collector._took = 0
    collector.collect_due()
    collector.collect_due()
