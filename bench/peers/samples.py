"""How another program is asked for a problem: it takes so many steps from each sample to the next."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bench.peers.mechanisms import Mechanism


class Span(NamedTuple):
    """The samples that are wanted."""

    t_end: float
    n: int  # intervals

    @property
    def interval(self) -> float:
        """From one sample to the next [s]."""
        return self.t_end / self.n


Sampler = Callable[[int], np.ndarray]  # steps in an interval -> observables of all samples
STEPS = tuple(sorted({m * 2**k for k in range(12) for m in (2, 3, 5)} | {1}))  # in an interval


def step(span: Span, per_interval: int) -> str:
    """How long the steps are, in words."""
    return f"step {span.interval / per_interval:.3g} s"


class Program(NamedTuple):
    """Another program with one of its methods."""

    module: str  # that is imported
    name: str
    tree: Callable[[Mechanism, Span], Sampler | None]  # None: it has no way for this one
    tumbler: Callable[[dict, Span], Sampler | None]  # the free body of the collection
    tried: tuple[int, ...] = STEPS  # what its samplers are called with, until the error is reached
    told: Callable[[Span, int], str] = step  # this in words
