"""The page on integrators: its numbers are computed, and every method and stabilisation is on it."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from docs.stability import (
    bdf_angle,
    bdf_coefficients,
    bdf_growth,
    bdf_locus,
    generalised_alpha,
    growth_of,
    hht,
    imaginary_limit,
    oscillator_radius,
    outlines,
    polynomial,
    real_limit,
)
from engine.integrators.amplification import amplification
from engine.model.methods import BY_NAME, STABILISATION_NAMES

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "integrators.md").read_text(encoding="utf-8")
SCRIPT = runpy.run_path(str(DOCS / "make_integrator_pictures.py"))


def test_the_tables_are_what_the_script_computes():
    assert SCRIPT["with_tables"](PAGE) == PAGE, (
        "run: .venv/bin/python docs/make_integrator_pictures.py"
    )


def test_every_method_and_every_stabilisation_is_explained():
    named = set(re.findall(r"`(\w+)`", PAGE))
    missing = [name for name in (*BY_NAME, *STABILISATION_NAMES) if name not in named]
    ranges = {f"bdf{k}" for k in range(1, 6)} if {"bdf1", "bdf5"} <= named else set()
    assert not set(missing) - ranges


def test_every_method_that_is_introduced_can_be_chosen():
    """A line of a list, or a heading, that begins with names in code introduces methods."""
    opening = re.compile(r"^(?:- |#+ [^`\n]*)((?:`\w+`(?: … |, )?)+)", re.MULTILINE)
    introduced = {name for names in opening.findall(PAGE) for name in re.findall(r"\w+", names)}
    assert len(introduced) > 10
    assert introduced <= {*BY_NAME, *STABILISATION_NAMES}


def test_every_picture_is_there_and_shown():
    for name in SCRIPT["PICTURES"]:
        ElementTree.parse(DOCS / "images" / name)
        assert f"images/{name}" in PAGE


@pytest.mark.parametrize(
    ("method", "real", "imaginary"),
    [
        ("euler", 2.0, 0.0),
        ("heun", 2.0, 0.0),
        ("rk4", 2.785, 2.828),
        ("implicit_euler", np.inf, np.inf),
        ("trapezoid", np.inf, np.inf),
    ],
)
def test_the_limits_of_stability_are_those_of_the_theory(method, real, imaginary):
    growth = growth_of(method)
    assert real_limit(growth) == pytest.approx(real, abs=5e-4)  # the digits of the theory
    assert imaginary_limit(growth) == pytest.approx(imaginary, abs=5e-4)


@pytest.mark.parametrize("method", ["euler", "heun", "rk4", "dopri5", "dop853"])
def test_r_agrees_with_the_exponential_up_to_the_order(method):
    p = BY_NAME[method].order
    exact = 1.0 / np.cumprod([1.0, *range(1, p + 1)])
    np.testing.assert_allclose(polynomial(method)[: p + 1], exact, rtol=1e-12)  # rounding


def test_bdf4_is_the_formula_of_the_theory_and_stable_in_its_angle():
    np.testing.assert_allclose(12 * bdf_coefficients(4), [25, -48, 36, -16, 3], rtol=1e-14)
    assert bdf_angle(4) == pytest.approx(73.35, abs=5e-3)  # the digits of the theory
    assert bdf_angle(2) == 90.0
    inside = -np.exp(1j * np.radians(73.0)) * np.array([0.1, 1.0, 3.0])
    assert (bdf_growth(4, inside) < 1.0).all()
    assert bdf_growth(4, -np.exp(1j * np.radians(80.0)) * np.array([2.0]))[0] > 1.0


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_on_the_locus_some_root_has_length_one(k):
    a = bdf_coefficients(k)
    for z in bdf_locus(k, 9):
        roots = np.roots(a - z * np.eye(1, k + 1)[0])
        assert np.abs(np.abs(roots) - 1.0).min() < 1e-3  # k equal roots at z = 0 are known to this


def test_an_outline_goes_around_the_region():
    x = y = np.linspace(-3.0, 3.0, 121)
    loops = outlines(1.0 - growth_of("euler")(x[None, :] + 1j * y[:, None]), x, y)
    assert len(loops) == 1
    away = np.abs(loops[0][:, 0] + 1j * loops[0][:, 1] + 1.0)
    np.testing.assert_allclose(away, 1.0, atol=2e-3)  # a straight cut through cells of 0.05


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
def test_generalised_alpha_leaves_rho_of_the_fastest_oscillation(rho):
    choice = generalised_alpha(rho)
    fast = oscillator_radius(choice, np.array([1e5]))[0]
    assert fast == pytest.approx(
        rho, abs=5e-3
    )  # a double root: the square root of rounding and 1e-5
    assert (oscillator_radius(choice, np.logspace(-3, 5, 60)) < 1.0 + 1e-6).all()


def test_hht_leaves_what_its_authors_say():
    assert oscillator_radius(hht(-0.1), np.array([1e5]))[0] == pytest.approx(0.9 / 1.1, abs=1e-3)


@pytest.mark.parametrize(
    ("method", "factor"),
    [
        *(("heun", 0.0), ("rk4", 0.373), ("implicit_euler", 0.447), ("trapezoid", 0.447)),
        *(("euler", 1.0), ("euler_cromer", 2.414)),
    ],
)
def test_the_amplifications_of_constraint_errors_are_those_of_the_theory(method, factor):
    assert amplification(method, 1.0, 2**0.5) == pytest.approx(factor, abs=5e-4)  # its digits
