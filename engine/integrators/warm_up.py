"""Compile the kernels, once, in two processes side by side.

Each process stores its machine code in the cache, where the other finds it: what both need is compiled by
the one that needs it first. A third one that wants the same waits. `gui.running.exercise` does it ahead of
time; a wheel brings the machine code along, and nothing is compiled.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from engine.errors import EngineError, say
from engine.integrators import cromer, explicit
from engine.integrators.libraries import sundials
from engine.integrators.ode import solve
from engine.kernels import blocksolve, entries, histories, meeting
from engine.kernels.acting.marker_laws import LAWS
from engine.kernels.functions import EMPTY_FUNCTIONS, STACK_SIZE
from engine.kernels.implicit import entries as implicit_entries
from engine.kernels.layout import LAW, PROTOTYPES
from engine.kernels.linking import FOLDERS
from engine.kernels.trees import entries as tree_entries
from engine.model.methods import METHODS, Method
from engine.processes import command, search_path
from rotations.jit.counting import kernels_in, needed
from rotations.jit.folders import compiler, made_with
from rotations.jit.turns import alone

FIRST_TIME = "The solver is compiled for this machine, once; this takes about half a minute."
OTHER_COMPILER = (
    "The compiled solver that came with Kardan was made with {made}; here it would have to be {here}. "
    + FIRST_TIME
)
OTHER_SOURCES = (
    "The sources of the solver were changed, so that the compiled one that came with Kardan does not fit. "
    + FIRST_TIME
)
_DONE, _ALL_DONE = "complete", "complete-methods"  # files in the cache folder that say so
_SMALL = (
    *(entries.force, entries.power, entries.correct, entries.measure, entries.modes),
    *(entries.press, entries.pivots, meeting.meet, *LAWS),
)


class Elsewhere:
    """Another process that compiles for this one, which must not wait: a window has one.

    `reason` says why kernels cannot be used yet, in a sentence; it is None where there is no such process.
    """

    reason: ClassVar[Callable[[], str] | None] = None


def are_compiled() -> bool:
    """Whether the machine code of all kernels that the default method needs is on the disk."""
    return FOLDERS.have(_DONE)


def are_all_compiled() -> bool:
    """Whether that of all methods is."""
    return FOLDERS.have(_DONE) and FOLDERS.have(_ALL_DONE)


def first_time() -> str:
    """Why the first run takes a while, in a sentence."""
    made, here = made_with(), compiler()
    if not made:
        return say(FIRST_TIME)
    return say(OTHER_SOURCES) if made == here else say(OTHER_COMPILER, made=made, here=here)


@cache
def say_first_time() -> None:
    """Print on stderr why the first run takes a while; once, and only if it does."""
    if not are_compiled():
        print(first_time(), file=sys.stderr, flush=True)


def first_kernels() -> set[Any]:
    """What `compile_all` compiles: kernels and entries."""
    called = kernels_in(blocksolve, histories)
    return needed([entries.derive, explicit.advance, *_SMALL, *called])


@cache
def compile_all() -> None:
    """Make sure that all kernels are in the cache, with the help of a second process; fills it.

    Those of adaptive and stiff methods come later: when first used, or by `compile_other_methods`.
    """
    folder = FOLDERS.own
    if folder is None or are_compiled():
        return
    if Elsewhere.reason is not None:
        raise EngineError(Elsewhere.reason())
    say_first_time()
    with alone(folder, "solver"):
        if not are_compiled():
            _compile_first(folder)


def compile_other_methods() -> None:
    """Make sure that what adaptive and stiff methods need is in the cache too; fills it."""
    folder = FOLDERS.own
    if folder is None or are_all_compiled():
        return
    compile_all()
    with alone(folder, "methods"):
        if not are_all_compiled():
            with _without_collection():
                _compile_other_methods()
            (folder / _ALL_DONE).touch()


def _compile_first(folder: Path) -> None:
    """Compile what the default method needs, and mark it as complete."""
    other = _start_other()
    with _without_collection():
        assert entries.derive.address  # by far the largest
    if other is None or other.wait() != 0:
        with _without_collection():
            _compile_rest()
    (folder / _DONE).touch()


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
    blocksolve.carry_forward(system.nodes, system.couplings, ws.U, ws.F, ws.b)
    blocksolve.substitute_back(system.nodes, system.couplings, ws.U, ws.F, ws.b, ws.lam)
    for entry in _SMALL:
        assert entry.address
    _exercise(METHODS[:1])
    table, t, flat = np.zeros(1, dtype=np.int64), np.zeros(0), np.zeros((0, 0))
    histories.coordinates(table, t, flat, t, flat, flat)
    histories.reactions(table, t, flat, flat, flat)
    histories.violations(table, t, flat, t, t, t)
    laws, args, stack = np.zeros(0, dtype=LAW), np.zeros(5), np.zeros(STACK_SIZE)
    histories.tensions(laws, EMPTY_FUNCTIONS, t, flat, flat, args, stack, flat)
    histories.stored_tensions(laws, EMPTY_FUNCTIONS, t, args, stack, t)
    histories.wrenches(table, t, flat, flat, 0, np.zeros(0), flat)
    histories.branches(table, t, flat, np.zeros(0), flat)
    histories.totals(table, t, flat, 0, 0, np.zeros(0), flat)
    histories.over_time(EMPTY_FUNCTIONS, 0, t, args, stack, t)


def _compile_other_methods() -> None:
    """What adaptive and stiff methods need in addition."""
    others = (sundials.residual, cromer.land)
    implicit = (implicit_entries.tangent, implicit_entries.newton, implicit_entries.step)
    trees = (tree_entries.derive, tree_entries.correct, tree_entries.modes)
    shown = (tree_entries.pivots, tree_entries.show)
    for entry in (*others, *implicit, *trees, *shown):
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
        compile_other_methods()
