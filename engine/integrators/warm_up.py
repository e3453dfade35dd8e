"""Compile the kernels for this machine, once, in two processes side by side.

Each process stores its machine code in the cache, where the other finds it: what both need is compiled by
the one that needs it first. `python -m engine.integrators.warm_up` does it ahead of time.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import numpy as np

from engine.integrators import cromer
from engine.integrators.libraries import sundials
from engine.integrators.ode import solve
from engine.kernels import blocksolve, entries, histories
from engine.kernels.acting.marker_laws import LAWS
from engine.kernels.functions import EMPTY_FUNCTIONS, STACK_SIZE
from engine.kernels.implicit import entries as implicit_entries
from engine.kernels.layout import LAW, PROTOTYPES
from engine.kernels.linking import CACHE_FOLDER
from engine.model.methods import METHODS, Method
from engine.processes import command, search_path

FIRST_TIME = "The solver is compiled for this machine, once; this takes about half a minute."
_DONE = "complete"  # a file in the cache folder that says so


def are_compiled() -> bool:
    """Whether the machine code of all kernels is already on the disk."""
    return CACHE_FOLDER is not None and (CACHE_FOLDER / _DONE).exists()


@cache
def compile_all() -> None:
    """Make sure that all kernels are in the cache, with the help of a second process; fills it.

    Those of adaptive and stiff methods come later: when first used, or by this module as a program.
    """
    if CACHE_FOLDER is None or are_compiled():
        return
    other = _start_other()
    with _without_collection():
        assert entries.derive.address  # by far the largest
    if other is None or other.wait() != 0:
        with _without_collection():
            _compile_rest()
    (CACHE_FOLDER / _DONE).touch()


def _start_other() -> "subprocess.Popen[bytes] | None":
    """A process that compiles the second part; None where none can be started."""
    if getattr(sys, "frozen", False) or (os.cpu_count() or 1) < 2:
        return None
    try:
        return subprocess.Popen(
            [*command(f"{__package__}.warm_up"), "rest"],
            env={**os.environ, "PYTHONPATH": search_path()},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError:
        return None


def _compile_rest() -> None:
    """The elimination first, then the rest of what the default method needs, and channels.

    Kernels that are not entries are called with nothing to do.
    """
    system, ws = PROTOTYPES
    factors = ws.S, ws.U, ws.F, ws.scale, ws.dropped, ws.b
    blocksolve.factorise(system.nodes, system.couplings, system.updates, 0.0, 0.0, *factors)
    blocksolve.carry_forward(system.nodes, system.couplings, ws.U, ws.b)
    blocksolve.substitute_back(system.nodes, system.couplings, ws.U, ws.F, ws.b, ws.lam)
    small = (
        entries.force,
        entries.power,
        entries.correct,
        entries.measure,
        entries.modes,
        entries.meet,
    )
    for entry in (*small, *LAWS):
        assert entry.address
    _exercise(METHODS[:1])
    table, t, flat = np.zeros(1, dtype=np.int64), np.zeros(0), np.zeros((0, 0))
    histories.coordinates(table, t, flat, t, flat, flat)
    histories.reactions(table, t, flat, flat, flat)
    histories.violations(table, t, flat, t, t, t)
    laws, args, stack = np.zeros(0, dtype=LAW), np.zeros(5), np.zeros(STACK_SIZE)
    histories.tensions(laws, EMPTY_FUNCTIONS, t, flat, flat, args, stack, flat)
    histories.stored_tensions(laws, EMPTY_FUNCTIONS, t, args, stack, t)
    histories.wrenches(table, t, flat, 0, np.zeros(0), flat)
    histories.over_time(EMPTY_FUNCTIONS, 0, t, args, stack, t)


def _compile_other_methods() -> None:
    """What adaptive and stiff methods need in addition."""
    others = (sundials.residual, cromer.land)
    implicit = (implicit_entries.tangent, implicit_entries.newton, implicit_entries.step)
    for entry in (*others, *implicit):
        assert entry.address
    _exercise(METHODS)


def _exercise(methods: Sequence[Method]) -> None:
    """Run methods once, on a plain equation."""
    for method in methods:
        if not method.is_direct:
            solve(lambda t, y: -y, [1.0, 0.0], 0.2, 0.1, method=method.name, n_q=1)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Suspend garbage collection: among the many small objects of a compiler it costs a tenth."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


if __name__ == "__main__":
    if sys.argv[1:] == ["rest"]:
        with _without_collection():
            _compile_rest()
    else:
        compile_all()
        with _without_collection():
            _compile_other_methods()
