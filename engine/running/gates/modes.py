"""Which one-sided rows carry load, and how they rub: impacts and accelerations as small dense problems.

Rows n of gates that touch, with rows t along which they rub, and rows b that always hold:

    M a = f - D_b^T lam_b - sum_k (D_n^T lam_n + D_t^T lam_t)_k           N = side lam_n >= 0

Each gate is open (N = 0, it moves away), sticks (|lam_t| <= mu_s N) or slides (lam_t = s mu_d N). Every
combination is solved and looked at; friction makes the equations unsymmetric, so that none may fit, or
two that move differently (Painleve). An impact is the same with impulses in the place of forces:

    v+ = v - W D^T Lam        u = side (D_n v - nu) <= target,  L = side Lam_n >= base,  one of both equal

after Newton  base = 0 and target = -e u_before, after Poisson first base = target = 0, and then base = e L
of that, which is the compression.
"""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

OPEN, STICK, SLIDE_UP, SLIDE_DOWN = range(4)
WAYS = {STICK: 0, SLIDE_UP: 1, SLIDE_DOWN: -1}
ROUNDING = 1e-9  # of the numbers compared
DIFFERENT = 1e-6  # of the accelerations: two solutions that are no rounding of one
MOST = 4096  # combinations that are looked at


class TooManyError(Exception):
    """So many rows meet at once that their combinations cannot all be looked at."""


class Touching(NamedTuple):
    """A gate that is at its bound."""

    row: int
    stick: int  # its row along the tangent; -1: it does not rub
    side: int
    mu_s: float
    mu_d: float


class Rows(NamedTuple):
    """All rows at a moment: D v = nu and D a = gamma, with W = M^-1 and the forces f."""

    W: np.ndarray
    f: np.ndarray
    D: np.ndarray
    nu: np.ndarray
    gamma: np.ndarray
    always: np.ndarray  # the rows that always hold


class Solution(NamedTuple):
    """What a combination gives."""

    modes: tuple[int, ...]
    x: np.ndarray  # accelerations, or velocities after an impact
    lam: np.ndarray  # multipliers or impulses of all rows


def accelerations(
    rows: Rows,
    gates: list[Touching],
    slip: np.ndarray,
    still: float,
    wanted: list[tuple[int, ...]],
) -> tuple[Solution | None, bool]:
    """The likeliest combination that fits, None if none does, and whether another one moves otherwise.

    Then it is the one with more gates open, for a load that holds itself is unstable.

    `slip` are the speeds along the tangents, of which those below `still` are none.
    """
    choices = [_modes(gate, u, still) for gate, u in zip(gates, slip)]
    found: Solution | None = None
    free = (
        rows.W @ rows.f
    )  # the size of accelerations, also where all that is left of them is rounding
    for modes in _combinations(choices, wanted):
        one = _solved(rows, gates, modes, free, rows.gamma, np.zeros(len(gates)))
        if one is None or not _accelerates(rows, gates, one, slip, still):
            continue
        if found is None:
            found = one
        elif _pattern(one) != _pattern(found):
            size = max(np.abs(x).max(initial=0.0) for x in (one.x, found.x, free))
            if np.abs(one.x - found.x).max(initial=0.0) > DIFFERENT * size:
                return (one if _n_open(one) > _n_open(found) else found), True
    return found, False


def impact(
    rows: Rows,
    gates: list[Touching],
    v: np.ndarray,
    restitution: np.ndarray,
    by_impulse: bool,
    still: float,
) -> Solution | None:
    """The velocities after an impact and its impulses; None if no combination fits."""
    none = np.zeros(len(gates))
    if not by_impulse:
        sides = np.array([gate.side for gate in gates])
        normal = [gate.row for gate in gates]
        before = sides * (rows.D[normal] @ v - rows.nu[normal])
        target = np.where(before > 0.0, -restitution * before, 0.0)
        return _hit(rows, gates, v, none, target, still)
    first = _hit(rows, gates, v, none, none, still)
    if first is None:
        return None
    pressed = np.array([gate.side * first.lam[gate.row] for gate in gates])
    second = _hit(rows, gates, first.x, restitution * np.maximum(pressed, 0.0), none, still)
    return None if second is None else second._replace(lam=first.lam + second.lam)


def _hit(
    rows: Rows,
    gates: list[Touching],
    v: np.ndarray,
    base: np.ndarray,
    target: np.ndarray,
    still: float,
) -> Solution | None:
    """One phase of an impact: the first combination that fits."""
    slip = np.array([_along(rows, gate, v) for gate in gates])
    rates = rows.nu.copy()
    for gate, wanted in zip(gates, target):
        rates[gate.row] += gate.side * wanted
    choices = [
        _modes(gate, u, np.inf if gate.stick >= 0 else still) for gate, u in zip(gates, slip)
    ]
    for modes in _combinations(choices, [(STICK,)] * len(gates)):
        one = _solved(rows, gates, modes, v, rates, base)
        if one is not None and _fits_after(rows, gates, one, base, rates, still):
            return one
    return None


def _modes(gate: Touching, slip: float, still: float) -> list[int]:
    """How a gate may behave."""
    if gate.stick < 0:
        return [STICK, OPEN]
    if abs(slip) <= still:
        return [STICK, SLIDE_UP, SLIDE_DOWN, OPEN]
    return [SLIDE_UP if slip > 0.0 else SLIDE_DOWN, OPEN]


def _combinations(
    choices: list[list[int]], wanted: list[tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    """All combinations, those with most of what is wanted first; TooManyError if they are."""
    n = int(np.prod([float(len(some)) for some in choices]))
    if n > MOST:
        raise TooManyError
    listed = list(product(*choices))
    listed.sort(key=lambda modes: sum(one not in want for one, want in zip(modes, wanted)))
    yield from listed


def _solved(
    rows: Rows,
    gates: list[Touching],
    modes: tuple[int, ...],
    free: np.ndarray,  # what there is without multipliers
    rates: np.ndarray,  # what the rows that hold give
    base: np.ndarray,  # normal impulses that there are anyway
) -> Solution | None:
    """x = free - W G lam with R x = rates, in the sense of least squares; None where that leaves a gap."""
    held, columns, fixed = np.flatnonzero(rows.always).tolist(), [], np.zeros(len(rows.D))
    of_gate: list[tuple[int, int, float]] = []  # column, row of friction, its share
    columns += [rows.D[row] for row in held]
    for gate, mode, known in zip(gates, modes, base):
        push = rows.D[gate.row].copy()
        if gate.stick >= 0 and WAYS.get(mode, 0):
            share = WAYS[mode] * gate.mu_d * gate.side
            push = push + share * rows.D[gate.stick]
            of_gate.append((gate.row, gate.stick, share))
        fixed[gate.row] = gate.side * known
        free = free - rows.W @ push * (gate.side * known)
        if mode != OPEN:
            held.append(gate.row)
            columns.append(push)
            if gate.stick >= 0 and mode == STICK:
                held.append(gate.stick)
                columns.append(rows.D[gate.stick])
    lam = fixed
    if held:
        R, G = rows.D[held], np.array(columns)
        missing = R @ free - rates[held]
        solved = np.linalg.lstsq(R @ rows.W @ G.T, missing, rcond=1e-12)[0]
        free = free - rows.W @ G.T @ solved
        left = np.abs(R @ free - rates[held]).max()
        size = np.abs(missing).max() + np.abs(rates[held]).max() + np.abs(R @ free).max()
        if left > 1e-8 * size:
            return None
        for row, value in zip(held, solved):
            lam[row] += value
    for row, stick, share in of_gate:
        lam[stick] = share * lam[row]
    return Solution(modes, free, lam)


def _accelerates(
    rows: Rows, gates: list[Touching], one: Solution, slip: np.ndarray, still: float
) -> bool:
    """Whether loads press, open gates part, what sticks can, and what starts to slide goes its way."""
    apart = rows.D @ one.x - rows.gamma
    fast = ROUNDING * sum(np.abs(a).max(initial=0.0) for a in (one.x, rows.gamma, rows.W @ rows.f))
    faint = ROUNDING * max(np.abs(rows.f).max(initial=0.0), np.abs(one.lam).max(initial=0.0))
    for gate, mode, u in zip(gates, one.modes, slip):
        load = gate.side * one.lam[gate.row]
        if mode == OPEN:
            if gate.side * apart[gate.row] > fast:
                return False
            continue
        if load < -faint:
            return False
        if gate.stick < 0:
            continue
        if mode == STICK:
            if abs(one.lam[gate.stick]) > gate.mu_s * load + faint:
                return False
        elif abs(u) <= still and WAYS[mode] * apart[gate.stick] < -fast:
            return False
    return True


def _fits_after(
    rows: Rows,
    gates: list[Touching],
    one: Solution,
    base: np.ndarray,
    rates: np.ndarray,
    still: float,
) -> bool:
    """Whether an impact leaves nothing that closes, pushes everywhere and rubs as it says."""
    apart, faint = rows.D @ one.x - rates, ROUNDING * np.abs(one.lam).max(initial=0.0)
    for gate, mode, known in zip(gates, one.modes, base):
        pushed = gate.side * one.lam[gate.row]
        if gate.side * apart[gate.row] > still or pushed < known - faint:
            return False
        if gate.stick < 0:
            continue
        if mode == STICK:
            if abs(one.lam[gate.stick]) > gate.mu_s * pushed + faint:
                return False
        elif (
            mode != OPEN
            and WAYS[mode] * (rows.D[gate.stick] @ one.x - rows.nu[gate.stick]) < -still
        ):
            return False
    return True


def _along(rows: Rows, gate: Touching, v: np.ndarray) -> float:
    """The speed along the tangent of a gate."""
    return float(rows.D[gate.stick] @ v - rows.nu[gate.stick]) if gate.stick >= 0 else 0.0


def _n_open(one: Solution) -> int:
    """How many gates are open."""
    return sum(_pattern(one))


def _pattern(one: Solution) -> tuple[bool, ...]:
    """Which gates are open."""
    return tuple(mode == OPEN for mode in one.modes)
