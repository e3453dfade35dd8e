"""Where a method is stable: the test equation y' = s y, z = h s, and the oscillator.

one-step methods     y_1 = R(z) y_0                               stable where |R(z)| <= 1
Runge-Kutta          R(z) = 1 + z b^T (1 - z A)^-1 (1, ..., 1)    a polynomial if A is strictly lower
BDF of order k       sum_j (1 - 1/zeta)^j / j = z,  j = 1 ... k   stable where all |zeta| <= 1
generalised alpha    the largest |eigenvalue| of a step of x'' + omega^2 x = 0
"""

from collections.abc import Callable
from math import pi
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from engine.errors import EngineError
from engine.integrators.explicit import TABLEAUS
from engine.integrators.pairs import dormand_prince, dormand_prince_8

Growth = Callable[[np.ndarray], np.ndarray]  # |R| or the largest |zeta| at every z

RATIONAL = {  # coefficients of the numerator and the denominator, the constant first
    "implicit_euler": ((1.0,), (1.0, -1.0)),
    "trapezoid": ((1.0, 0.5), (1.0, -0.5)),
    "radau": ((1.0, 2 / 5, 1 / 20), (1.0, -3 / 5, 3 / 20, -1 / 60)),
}
BDF_ORDERS = (1, 2, 3, 4, 5)
FINEST = 2e-3  # in z, when a limit is searched
ROUNDING = 1e-12  # |R| may exceed 1 by this much
AT_ONCE = 0.05  # in z: growth like z^4 or z^6 shows only here


class Oscillation(NamedTuple):
    """The parameters of the generalised alpha method, as its authors name them."""

    alpha_m: float
    alpha_f: float
    gamma: float
    beta: float


def polynomial(method: str) -> np.ndarray:
    """The coefficients of R of an explicit Runge-Kutta method, the constant first: 1, b 1, b A 1, ..."""
    if method in ("dopri5", "dop853"):
        pair = dormand_prince() if method == "dopri5" else dormand_prince_8()
        n = len(pair.b)
        A, b = pair.A[:n, :n], pair.b
    elif method in TABLEAUS:
        A, b = TABLEAUS[method].A, TABLEAUS[method].b
    else:
        raise EngineError(f"'{method}' is no explicit Runge-Kutta method.")
    coefficients, power = [1.0], np.ones(len(b))
    for _ in b:
        coefficients.append(float(b @ power))
        power = A @ power
    return np.array(coefficients)


def growth_of(method: str) -> Growth:
    """|R(z)| of a one-step method, or the largest |zeta| of 'bdf1' to 'bdf5'."""
    if method.startswith("bdf"):
        return lambda z: bdf_growth(int(method[3:]), z)
    if method in RATIONAL:
        over, under = (np.array(c) for c in RATIONAL[method])
        return lambda z: np.abs(_quotient(_polyval(over, z), _polyval(under, z)))
    coefficients = polynomial(method)
    return lambda z: np.abs(_polyval(coefficients, z))


def _polyval(coefficients: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.polynomial.polynomial.polyval(np.asarray(z), coefficients)


def _quotient(over: np.ndarray, under: np.ndarray) -> np.ndarray:
    """over / under, infinite at a pole."""
    return np.divide(over, under, out=np.full(np.shape(over), np.inf + 0j), where=under != 0)


def bdf_coefficients(k: int) -> np.ndarray:
    """a of  sum_i a_i y_{n-i} = h f_n,  from the backward differences of orders 1 to k."""
    total = np.zeros(k + 1)
    difference = np.array([1.0])
    for j in range(1, k + 1):
        difference = np.convolve(difference, [1.0, -1.0])
        total[: j + 1] += difference / j
    return total


def bdf_growth(k: int, z: np.ndarray) -> np.ndarray:
    """The largest |zeta| of BDF of order k at every z."""
    flat = np.asarray(z, dtype=complex).ravel()
    companion = np.zeros((len(flat), k, k), dtype=complex)
    a = bdf_coefficients(k)
    under = np.where(flat == a[0], 1e-300, a[0] - flat)  # a pole: growth without bound
    companion[:, 0, :] = -a[1:] / under[:, None]
    companion[:, np.arange(1, k), np.arange(k - 1)] = 1.0
    return np.abs(np.linalg.eigvals(companion)).max(axis=1).reshape(np.shape(z))


def bdf_locus(k: int, n: int = 720) -> np.ndarray:
    """z where some |zeta| is 1: the border of the stable region, and perhaps more."""
    zeta = np.exp(1j * np.linspace(0.0, 2 * pi, n))
    return np.asarray(sum((1 - 1 / zeta) ** j / j for j in range(1, k + 1)))


def bdf_angle(k: int) -> float:
    """alpha of A(alpha) stability [deg]: stable within this angle from the negative real axis."""
    z = bdf_locus(k, 200_001)
    left = z[(z.real < -1e-9) & (z.imag > 0.0)]
    return float(np.degrees(np.arctan2(left.imag, -left.real)).min()) if len(left) else 90.0


def real_limit(growth: Growth, most: float = 8.0) -> float:
    """The largest x such that all z from -x to 0 are stable; inf if there is no limit up to `most`."""
    return _limit(lambda x: growth(-x + 0j), most)


def imaginary_limit(growth: Growth, most: float = 8.0) -> float:
    """The largest x such that all z from 0 to i x are stable; inf without a limit, 0 if none is stable."""
    return _limit(lambda x: growth(1j * x), most)


def _limit(size: Growth, most: float) -> float:
    """Where a size that starts at 1 first goes above 1; 0 if it does so at once."""
    x = np.arange(FINEST, most, FINEST)
    above = np.flatnonzero(size(x) > 1.0 + ROUNDING)
    if not len(above):
        return float("inf")
    end = float(x[above[0]])
    if end < AT_ONCE:
        return 0.0
    return float(brentq(lambda s: float(size(np.array([s]))[0]) - 1.0, end - FINEST, end + FINEST))


def generalised_alpha(damping: float) -> Oscillation:
    """Chung and Hulbert's choice for a spectral radius at infinity; 1 damps nothing, 0 everything."""
    alpha_m, alpha_f = (2 * damping - 1) / (damping + 1), damping / (damping + 1)
    return Oscillation(
        alpha_m, alpha_f, 0.5 - alpha_m + alpha_f, 0.25 * (1 - alpha_m + alpha_f) ** 2
    )


def hht(alpha: float) -> Oscillation:
    """The choice of Hilber, Hughes and Taylor, alpha from -1/3 to 0."""
    return Oscillation(0.0, -alpha, 0.5 - alpha, 0.25 * (1 - alpha) ** 2)


def oscillator_radius(choice: Oscillation, omega_h: np.ndarray) -> np.ndarray:
    """The largest |eigenvalue| of one step on the undamped oscillator, for every omega h.

    x1 = x + h v + h^2 ((1/2 - beta) a + beta a1)         v1 = v + h ((1 - gamma) a + gamma a1)
    (1 - alpha_m) a1 + alpha_m a + omega^2 ((1 - alpha_f) x1 + alpha_f x) = 0           h = 1
    """
    alpha_m, alpha_f, gamma, beta = choice
    found = []
    for w in np.square(np.atleast_1d(omega_h)):
        new = np.array(
            [[1.0, 0.0, -beta], [0.0, 1.0, -gamma], [w * (1 - alpha_f), 0.0, 1 - alpha_m]]
        )
        old = np.array(
            [[1.0, 1.0, 0.5 - beta], [0.0, 1.0, 1 - gamma], [-w * alpha_f, 0.0, -alpha_m]]
        )
        found.append(np.abs(np.linalg.eigvals(np.linalg.solve(new, old))).max())
    return np.array(found)


def outlines(inside: np.ndarray, x: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
    """Closed lines around where `inside` (n_y, n_x) is positive, (n, 2) each; the window closes them.

    Each cell of the grid is cut by straight pieces between its edges; the pieces are joined end to end.
    """
    field = np.full((len(y) + 2, len(x) + 2), -1.0)
    field[1:-1, 1:-1] = np.clip(inside, -1.0, 1.0)
    xs, ys = (np.concatenate([c[:1], c, c[-1:]]) for c in (x, y))
    following: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    for i, j in np.argwhere(_is_cut(field > 0)):
        corners = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
        edges = [(i, j, 0), (i, j + 1, 1), (i + 1, j, 0), (i, j, 1)]
        state = [field[c] > 0 for c in corners]
        # walking around the cell, an edge from inside to outside starts a piece
        leaves = [e for k, e in enumerate(edges) if state[k] and not state[(k + 1) % 4]]
        enters = [e for k, e in enumerate(edges) if not state[k] and state[(k + 1) % 4]]
        following.update(zip(leaves, enters))
    loops = []
    while following:
        edge, after = following.popitem()
        loop = [edge]
        while after != loop[0]:
            loop.append(after)
            after = following.pop(after)
        loops.append(np.array([_crossing(field, xs, ys, *one) for one in loop]))
    return loops


def _is_cut(inside: np.ndarray) -> np.ndarray:
    """Which cells have corners on both sides."""
    corners = np.stack([inside[:-1, :-1], inside[:-1, 1:], inside[1:, 1:], inside[1:, :-1]])
    return np.asarray(corners.any(axis=0) & ~corners.all(axis=0))


def _crossing(
    field: np.ndarray, xs: np.ndarray, ys: np.ndarray, i: int, j: int, way: int
) -> tuple[float, float]:
    """Where the field is zero on an edge: way 0 along x, 1 along y."""
    a, b = field[i, j], field[i + way, j + 1 - way]
    share = a / (a - b)
    x = xs[j] + (1 - way) * share * (xs[j + 1] - xs[j])
    y = ys[i] + way * share * (ys[i + 1] - ys[i])
    return float(x), float(y)
