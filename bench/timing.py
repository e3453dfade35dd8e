"""Time several programs fairly: in turns, equally often, and the best of each counts.

On a busy machine a time can only be too long, so the best of several is the most accurate; taking turns
spreads slow periods over all programs. Only ratios of times from one run are meaningful.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from time import perf_counter
from typing import NamedTuple, TypeVar

from tqdm import tqdm

T_ = TypeVar("T_")


class Effort(NamedTuple):
    """How much a bench may do."""

    largest: int  # rods of the longest chain
    work: int  # rods times steps of one timing
    repeats: int  # of each timing
    share: float  # of the full length of long runs
    cold: bool  # also compile everything from scratch, programs in C++ too


FULL = Effort(largest=256, work=65536, repeats=7, share=1.0, cold=True)
QUICK = Effort(largest=64, work=16384, repeats=3, share=0.1, cold=False)
TINY = Effort(largest=4, work=64, repeats=1, share=0.001, cold=False)  # for the tests


def best_times(
    actions: Mapping[str, Callable[[], object]],
    repeats: int,
    in_a_row: int = 1,
    clock: Callable[[], float] = perf_counter,
) -> dict[str, float]:
    """The best time [s] of each action, by wall time if nothing else is said; they take turns.

    Each runs so many times in a row.
    """
    best = dict.fromkeys(actions, inf)
    for _ in range(repeats):
        for name, action in actions.items():
            for _ in range(in_a_row):
                before = clock()
                action()
                best[name] = min(best[name], clock() - before)
    return best


def progress(items: Iterable[T_], label: str) -> Iterator[T_]:
    """The items, with a progress bar on stderr if it is a terminal."""
    yield from tqdm(items, desc=label, file=sys.stderr, disable=None, leave=False)
