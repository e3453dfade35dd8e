"""The equations of a tree as tables with names at their sides, for the window, the terminal and files.

Rows of twists and wrenches are numbered by the body, those of eta along the tree: w1 v1 ... eta1 eta2 ...
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

import numpy as np

from engine.errors import EngineError, say
from engine.kernels.trees.layout import BALL
from engine.model.elements import Id
from engine.studies.tree_equations import TreeEquations

REPEATS = 10  # of each way, of which the fastest counts
ROUNDING = 1e-13  # what is nearer to zero is zero
MOST_BODIES = 150  # whose matrices are shown: beyond, nobody reads them

TWIST = {3: ("\u03c9", "vx", "vy"), 6: ("\u03c9x", "\u03c9y", "\u03c9z", "vx", "vy", "vz")}
RATE = {3: ("\u03b5", "ax", "ay"), 6: ("\u03b5x", "\u03b5y", "\u03b5z", "ax", "ay", "az")}
WRENCH = {3: ("M", "Fx", "Fy"), 6: ("Mx", "My", "Mz", "Fx", "Fy", "Fz")}
M_HAT, ETA, ETA_DOT, BETA = "M\u0302", "\u03b7", "\u03b7\u2032", "\u03b2"


class Grid(NamedTuple):
    """Numbers in rows and columns with their names."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: np.ndarray
    parts: tuple[Id, ...]  # the body of each row; empty for rows of cuts


class Coordinate(NamedTuple):
    """One coordinate of the tree, or a body without any."""

    number: int  # of its body in the tree
    body: Id
    predecessor: int
    joint: Id  # empty: the body is free
    beta: float | None
    eta: float | None
    eta_dot: float | None


class Way(NamedTuple):
    """One way to the accelerations: how far it is from the first, and how long it takes."""

    name: str
    apart: float
    seconds: float


def coordinates(tree: TreeEquations) -> list[Coordinate]:
    """All coordinates of the joints, body by body; a ball has one beta more than eta."""
    eta_dot, found, at = tree.minimal(), list[Coordinate](), 0
    for n, (one, before) in enumerate(zip(tree.hung, tree.predecessors), 1):
        body = tree.compiled.body_ids[one.branch.body]
        joint = "" if one.branch.joint is None else one.branch.joint.id
        slides, is_ball = len(one.carry.slides), one.carry.turn == BALL
        for k, beta in enumerate(one.beta):
            speed = k - (is_ball and k >= slides)
            moves = not (is_ball and k == slides)
            speeds = (float(one.eta[speed]), float(eta_dot[at + speed])) if moves else (None, None)
            found.append(Coordinate(n, body, before, joint, float(beta), *speeds))
        if not len(one.beta):
            found.append(Coordinate(n, body, before, joint, None, None, None))
        at += len(one.eta)
    return found


def refuse_many(tree: TreeEquations) -> None:
    """Raise if the matrices are too large to be read."""
    if len(tree.hung) > MOST_BODIES:
        raise EngineError(
            "The matrices of {n} bodies are too large to be read; those of up to {most} are shown. The "
            "coordinates and the three ways are there for any number.",
            n=len(tree.hung),
            most=MOST_BODIES,
        )


def grid(tree: TreeEquations, name: str) -> Grid:
    """A matrix of the tree by its name in GRIDS."""
    refuse_many(tree)
    return GRIDS[name](tree)


def _of_bodies(tree: TreeEquations, names: dict[int, tuple[str, ...]]) -> tuple[str, ...]:
    """Names of components, numbered by the bodies of the tree."""
    return tuple(f"{c}{n}" for n in range(1, len(tree.hung) + 1) for c in names[tree.size])


def _parts(tree: TreeEquations) -> tuple[Id, ...]:
    """The body of each row of twists."""
    ids = tree.compiled.body_ids
    return tuple(ids[one.branch.body] for one in tree.hung for _ in range(tree.size))


def _of_eta(tree: TreeEquations, name: str = ETA) -> tuple[str, ...]:
    return tuple(f"{name}{n}" for n in range(1, len(tree.eta) + 1))


def _parts_of_eta(tree: TreeEquations) -> tuple[Id, ...]:
    ids = tree.compiled.body_ids
    return tuple(ids[one.branch.body] for one in tree.hung for _ in one.eta)


def _B(tree: TreeEquations) -> Grid:
    names = _of_bodies(tree, TWIST)
    return Grid(names, names, tree.B, _parts(tree))


def _C(tree: TreeEquations) -> Grid:
    return Grid(_of_bodies(tree, TWIST), _of_eta(tree), tree.C, _parts(tree))


def _J(tree: TreeEquations) -> Grid:
    return Grid(_of_bodies(tree, TWIST), _of_eta(tree), tree.J, _parts(tree))


def _H(tree: TreeEquations) -> Grid:
    rows = tuple(f"{BETA}{n}" for n in range(1, len(tree.beta) + 1))
    ids = tree.compiled.body_ids
    parts = tuple(ids[one.branch.body] for one in tree.hung for _ in one.beta)
    return Grid(rows, _of_eta(tree), tree.H, parts)


def _momentum(tree: TreeEquations) -> Grid:
    """M with a, gamma, f^c, f^t and f^k."""
    a = tree.accelerations(tree.minimal())
    columns = (*_of_bodies(tree, RATE), "a", "\u03b3", "f\u1d9c", "f\u1d57", "f\u1d4f")
    beside = np.column_stack([a, tree.gamma, tree.f_c, tree.f_t, tree.resultants()])
    return Grid(_of_bodies(tree, WRENCH), columns, np.hstack([tree.M, beside]), _parts(tree))


def _minimal(tree: TreeEquations) -> Grid:
    """M^ with k^c, k^t and eta'."""
    columns = (*_of_eta(tree, ETA_DOT), "k\u1d9c", "k\u1d57", ETA_DOT)
    beside = np.column_stack([tree.k_c, tree.k_t, tree.minimal()])
    return Grid(_of_eta(tree), columns, np.hstack([tree.M_hat, beside]), _parts_of_eta(tree))


def _wrenches(tree: TreeEquations) -> Grid:
    """One row for each body: f^P of its joint, and f^k, the sum of all its joints."""
    names = WRENCH[tree.size]
    columns = tuple(f"{c}\u1d3e" for c in names) + tuple(f"{c}\u1d4f" for c in names)
    values = [one.reshape(-1, tree.size) for one in (tree.wrenches(), tree.resultants())]
    ids = tuple(tree.compiled.body_ids[one.branch.body] for one in tree.hung)
    rows = tuple(tree.compiled.resolved[id].label for id in ids)
    return Grid(rows, columns, np.hstack(values), ids)


def _sparse(tree: TreeEquations) -> Grid:
    """The sparse system, its solution and its right side."""
    a, f_P, eta_dot = tree.sparse()
    A, right = tree.sparse_system()
    lam = tree.minimal_with_cuts()[1]
    of_lam = tuple(f"\u03bb{n}" for n in range(1, len(lam) + 1))
    columns = (
        *_of_bodies(tree, RATE),
        *(f"{one}\u1d3e" for one in _of_bodies(tree, WRENCH)),
        *_of_eta(tree, ETA_DOT),
        *of_lam,
        *("x", "b"),
    )
    rows = (*_of_bodies(tree, WRENCH), *_of_bodies(tree, RATE), *_of_eta(tree, "C\u1d40f"), *of_lam)
    x = np.concatenate([a, f_P, eta_dot, lam])
    parts = (*_parts(tree), *_parts(tree), *_parts_of_eta(tree), *("" for _ in of_lam))
    return Grid(rows, columns, np.column_stack([A.toarray(), x, right]), parts)


GRIDS: dict[str, Callable[[TreeEquations], Grid]] = {
    "B": _B,
    "C": _C,
    "J": _J,
    "H": _H,
    "momentum": _momentum,
    "minimal": _minimal,
    "wrenches": _wrenches,
    "sparse": _sparse,
}


def compared(tree: TreeEquations, recursion: Callable[[], np.ndarray]) -> list[Way]:
    """The ways to eta' side by side: from B, C, M and forces the first two, from the state the third."""
    ways: dict[str, Callable[[], np.ndarray]] = {say("non-recursive"): lambda: _solved(tree)}
    if not tree.is_redundant:
        ways[say("sparse")] = lambda: tree.sparse()[2]
    ways[say("recursive")] = recursion
    first = _solved(tree)
    size = 1.0 + np.abs(first).max(initial=0.0)
    return [
        Way(name, float(np.abs(way() - first).max(initial=0.0) / size), _best(way))
        for name, way in ways.items()
    ]


def _solved(tree: TreeEquations) -> np.ndarray:
    """eta' from B, C, M and forces, with all that follows from them."""
    J = np.linalg.solve(tree.B, tree.C)
    gamma = np.linalg.solve(tree.B, tree.gamma_rel)
    return replace(tree, J=J, gamma=gamma).minimal()


def _best(way: Callable[[], np.ndarray]) -> float:
    """The shortest time that a way takes [s]."""
    best = np.inf
    for _ in range(REPEATS):
        before = perf_counter()
        way()
        best = min(best, perf_counter() - before)
    return best


def lines_of_tree(tree: TreeEquations) -> Iterator[tuple[str, ...]]:
    """The coordinates in words, with a heading; a body is named in its first line only."""
    yield ("i", say("body"), "p(i)", say("joint"), BETA, ETA, ETA_DOT)
    resolved, before = tree.compiled.resolved, 0
    for one in coordinates(tree):
        joint = resolved[one.joint].label if one.joint else say("(free)")
        name = (str(one.number), resolved[one.body].label, str(one.predecessor), joint)
        numbers = [
            "" if value is None else shown(value, 9) for value in (one.beta, one.eta, one.eta_dot)
        ]
        yield (*(name if one.number != before else ("",) * 4), *numbers)
        before = one.number


def shown(value: float, digits: int = 6) -> str:
    """A number of a table; rounding is zero."""
    return f"{0.0 if abs(value) < ROUNDING else value:.{digits}g}"
