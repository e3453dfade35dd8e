"""The problems in Pinocchio from C++, trees and loops, in equal steps of RK4 (problems.cpp)."""

import ctypes
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.peers.mechanisms import TURN, Between, Mechanism
from bench.peers.pinocchio_cpp import compiled
from bench.peers.samples import Sampler, Span
from bench.recursion import Doubles

SOURCE = Path(__file__).parent / "problems.cpp"
LINK = np.dtype(
    [
        *((name, "i8") for name in ("parent", "turns", "axis")),
        *(("place", "3f8"), ("center", "3f8"), ("mass", "f8"), ("inertia", "3f8")),
        *((name, "f8") for name in ("start", "speed", "stiffness", "damping", "torque")),
    ]
)
PAIR = np.dtype(
    [
        *(("i", "i8"), ("j", "i8"), ("at_i", "3f8"), ("at_j", "3f8")),
        *((name, "f8") for name in ("stiffness", "damping", "free_length")),
    ]
)


@cache
def library() -> ctypes.CDLL | None:
    """The compiled program, which stays as long as this one; None where it cannot be compiled."""
    folder = TemporaryDirectory(prefix="kardan-bench-")
    found = compiled(SOURCE, Path(folder.name) / "problems.so")
    folder.cleanup()  # what is loaded stays
    if found is not None:
        many, number, at = ctypes.c_long, ctypes.c_double, ctypes.c_void_p
        found.problem_new.argtypes = (many, at, Doubles, many, at, many, at)
        found.problem_new.restype = at
        found.problem_rk4.argtypes = (at, number, many, many, Doubles)
    return found


def tree(mechanism: Mechanism, span: Span) -> Sampler | None:
    """A sampler of a tree, with loops and springs between points."""
    found = library()
    if found is None:
        return None
    links = np.zeros(len(mechanism.links), dtype=LINK)
    for record, link in zip(links, mechanism.links):
        for name in LINK.names or ():
            if name not in ("turns", "axis", "torque"):
                record[name] = getattr(link, name)
        record["turns"], record["axis"] = link.joint == TURN, "xyz".index(link.axis)
    if mechanism.torques:
        links["torque"] = mechanism.torques
    pins, springs = _pairs(mechanism.pins), _pairs(one.ends for one in mechanism.springs)
    for record, spring in zip(springs, mechanism.springs):
        for name in ("stiffness", "damping", "free_length"):
            record[name] = getattr(spring, name)
    tables = (
        *(len(links), links.ctypes.data, np.array(mechanism.gravity)),
        *(len(pins), pins.ctypes.data, len(springs), springs.ctypes.data),
    )
    problem = found.problem_new(*tables)
    q = np.empty((span.n + 1, len(links)))

    def sample(per_interval: int) -> np.ndarray:
        found.problem_rk4(problem, span.interval / per_interval, per_interval, span.n, q)
        return mechanism.observe(q)

    return sample


def _pairs(given: Iterable[Between]) -> np.ndarray:
    """Pairs of points for the program."""
    pairs = list(given)
    packed = np.zeros(len(pairs), dtype=PAIR)
    for record, pair in zip(packed, pairs):
        record["i"], record["at_i"], record["j"], record["at_j"] = pair
    return packed
