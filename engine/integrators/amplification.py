"""The amplification of a constraint error by a method in one step, under Baumgarte's terms.

    Phi_ddot + 2 alpha Phi_dot + beta^2 Phi = 0,     u = (Phi, Phi_dot),   u' = A u

A method of fixed step makes u <- G u, with G a function of hA; the largest |eigenvalue| of G says how
errors grow or decay. Below 1 the joints stay closed; 0 is dead-beat: an error is gone after two steps.
"""

import numpy as np

from engine.integrators.explicit import TABLEAUS

IMPLICIT_SHARE = {"implicit_euler": 1.0, "trapezoid": 0.5}  # of the new rate in the step


def amplification(method: str, alpha_h: float, beta_h: float) -> float:
    """The factor per step for alpha = alpha_h / h and beta = beta_h / h."""
    hA = np.array([[0.0, 1.0], [-(beta_h**2), -2.0 * alpha_h]])
    return float(np.abs(np.linalg.eigvals(growth(method, hA))).max())


def growth(method: str, hA: np.ndarray) -> np.ndarray:
    """The matrix G of one step on u' = A u; for two numbers u = (q, v) with Euler-Cromer."""
    one = np.eye(len(hA))
    if method == "euler_cromer":
        first = np.array([[1.0, 0.0], hA[1] + [0.0, 1.0]])  # v <- v + h a(q, v)
        return np.array([[1.0, hA[0, 1]], [0.0, 1.0]]) @ first  # q <- q + h v
    if method in IMPLICIT_SHARE:
        share = IMPLICIT_SHARE[method]
        return np.linalg.solve(one - share * hA, one + (1.0 - share) * hA)
    tableau = TABLEAUS[method]
    k: list[np.ndarray] = []
    for row in tableau.A:
        k.append(hA @ (one + sum((w * k_j for w, k_j in zip(row, k)), np.zeros_like(hA))))
    return one + sum((w * k_j for w, k_j in zip(tableau.b, k)), np.zeros_like(hA))
