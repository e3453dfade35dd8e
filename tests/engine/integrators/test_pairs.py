"""The coefficients of explicit pairs: those of the literature, and consistent among themselves."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.integrate import DOP853, RK45

from engine.integrators.pairs import NODES, dormand_prince, dormand_prince_8

PAIRS = {"order 5": dormand_prince, "order 8": dormand_prince_8}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_coefficients_fit_together(pair):
    p = pair()
    n = len(p.b)
    assert p.A.sum(axis=1) == pytest.approx(
        p.c, abs=2e-14
    )  # its numbers have 16 digits and sizes to 60
    assert np.array_equal(p.A[n, :n], p.b) and np.count_nonzero(p.A[n, n:]) == 0
    assert p.P.sum(axis=1)[:n] == pytest.approx(p.b, abs=2e-13)  # where the step ends
    assert p.P[:, 0] == pytest.approx(np.eye(len(p.c))[0], abs=1e-13)  # y' = k_0 where it begins
    powers = np.arange(1, p.P.shape[1] + 1)
    at_end = p.P @ powers  # y' = k_n where it ends
    assert at_end == pytest.approx(np.eye(len(p.c))[n], abs=1e-12)
    for m in range(pair().order):  # quadratures: sum_i b_i c_i^m = 1 / (m + 1)
        assert p.b @ p.c[:n] ** m == pytest.approx(1 / (m + 1), abs=1e-14)
    for m in range(4 if p.order == 4 else 5):  # what an estimate of such an order does not see
        assert abs(p.d @ p.c[: n + 1] ** m) < 1e-14
    for m in range(3):
        assert abs(p.d_other @ p.c[: n + 1] ** m) < 1e-14


@pytest.mark.parametrize("theta", 0.5 + 0.5 * NODES)
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_dense_output_integrates_powers(pair, theta):
    """sum_j P_j(theta) c_j^m = theta^(m+1) / (m+1) up to the order of the interpolant."""
    p = pair()
    weights = p.P @ theta ** np.arange(1, p.P.shape[1] + 1)
    for m in range(4 if p.order == 4 else 7):
        assert weights @ p.c**m == pytest.approx(theta ** (m + 1) / (m + 1), abs=1e-12)


def test_coefficients_are_those_of_another_library():
    one, other = dormand_prince(), dormand_prince_8()
    assert np.array_equal(one.A[:6, :5], RK45.A) and np.array_equal(one.b, RK45.B)
    assert np.array_equal(one.d, RK45.E) and np.array_equal(one.P, RK45.P)
    assert np.array_equal(other.A[:12, :12], DOP853.A) and np.array_equal(other.b, DOP853.B)
    assert np.array_equal(other.A[13:], DOP853.A_EXTRA) and np.array_equal(
        other.c[13:], DOP853.C_EXTRA
    )
    assert np.array_equal(other.d, DOP853.E5) and np.array_equal(other.d_other, DOP853.E3)


def test_a_run_waits_for_no_library_of_integrators():
    """scipy.integrate takes a quarter of a second to import, as long as a first run itself."""
    script = (
        "import sys, kardan; from assets import example_paths;"
        "kardan.run(kardan.load(example_paths()['pendulum']), t_end=0.1);"
        "print([name for name in ('scipy.integrate', 'scipy.optimize') if name in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "[]"
