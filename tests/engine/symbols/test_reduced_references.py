"""Accelerations of reduced equations at random states, as a study computed them with other tools."""

import numpy as np
import pytest
import sympy as sp

from engine.compiling.system import compile_model
from engine.symbols.equations import Equations
from engine.symbols.powers import Powers
from engine.symbols.reduced.reduction import matrix_form, reduce, solved
from engine.symbols.reduced.spanning import problem_of
from engine.symbols.reduced.trigonometry import equal
from engine.symbols.traced import real
from tests.engine.symbols.lecture_models import chain, crane
from tests.example_runs import ran

TOLERANCE = 1e-11  # relative: that of the references, which have twelve digits
MODELS = {
    "pendulum": lambda: chain(1),
    "crane": crane,
    "double": lambda: chain(2),
    "triple": lambda: chain(3),
}
POINTS = (
    (
        "pendulum",
        {"phi_1": 0.250190933209, "phidot_1": 1.58885520388},
        (-14.2568509238,),
    ),
    (
        "pendulum",
        {"phi_1": 0.55137138049, "phidot_1": -1.09917124004},
        (-12.5343387918,),
    ),
    (
        "pendulum",
        {"phi_1": -0.399667430178, "phidot_1": 1.49421378159},
        (-13.555317499,),
    ),
    (
        "crane",
        {
            "s_1": -0.393935146361,
            "phi_2": -0.443148775798,
            "sdot_1": -0.980521649384,
            "phidot_2": -0.219694776469,
        },
        (113.578646156, -86.3450548321),
    ),
    (
        "crane",
        {
            "s_1": 0.00909651791591,
            "phi_2": 0.106994704149,
            "sdot_1": 1.98200113374,
            "phidot_2": 1.17064767686,
        },
        (-11.507997288, -16.474272882),
    ),
    (
        "crane",
        {
            "s_1": 0.244358458882,
            "phi_2": 0.977920295364,
            "sdot_1": -1.13876520706,
            "phidot_2": -1.35915186457,
        },
        (-64.7673328228, -88.7929157875),
    ),
    (
        "double",
        {
            "phi_1": -0.00625312921299,
            "phi_2": -0.504970155945,
            "phidot_1": -1.95282389783,
            "phidot_2": -1.23039142406,
        },
        (-14.0721769882, 8.39481544339),
    ),
    (
        "double",
        {
            "phi_1": 0.384064241764,
            "phi_2": -0.598786552026,
            "phidot_1": -0.521854757591,
            "phidot_2": -1.98506303179,
        },
        (-10.8885888716, -2.75590454034),
    ),
    (
        "double",
        {
            "phi_1": 0.660095459603,
            "phi_2": -0.691077837877,
            "phidot_1": -0.929602781745,
            "phidot_2": 1.52132861592,
        },
        (-8.9817711693, -7.13850077796),
    ),
    (
        "triple",
        {
            "phi_1": -0.277471881972,
            "phi_2": 0.196368134414,
            "phi_3": -0.881496715309,
            "phidot_1": -0.449472795557,
            "phidot_2": -0.707854614967,
            "phidot_3": -1.39920108372,
        },
        (-9.28794710627, -3.20241005034, 5.21540671718),
    ),
    (
        "triple",
        {
            "phi_1": 0.632676207638,
            "phi_2": -0.241107656899,
            "phi_3": 0.957495768822,
            "phidot_1": 0.359966772042,
            "phidot_2": 0.420225015319,
            "phidot_3": 0.551986323153,
        },
        (-6.91295716495, -6.10355311028, 4.37833557822),
    ),
    (
        "triple",
        {
            "phi_1": 0.352900487626,
            "phi_2": -0.698423961663,
            "phi_3": -0.119373065624,
            "phidot_1": -1.04174415268,
            "phidot_2": -0.390006807584,
            "phidot_3": -1.61318362427,
        },
        (-9.91622154363, -1.79131979623, 1.50047957002),
    ),
)
TRIPLE = (  # the denominator of all three accelerations, times 2 l/3
    "16*m1*m2 + 30*m1*m3 + 30*m2**2 + 9*m2*m3*cos(2*phi_1 - 2*phi_3) + 75*m2*m3 + 18*m3**2"
    " - 9*m3*(2*m1 + 3*m2)*cos(2*phi_2 - 2*phi_3)"
    " - 9*(2*m2**2 + 5*m2*m3 + 2*m3**2)*cos(2*phi_1 - 2*phi_2)"
)


@pytest.mark.parametrize(("name", "state", "accelerations"), POINTS)
def test_accelerations_are_those_of_the_references(name, state, accelerations):
    symbols = Equations(compile_model(MODELS[name]()))
    reduced = reduce(problem_of(symbols))
    known = {**symbols.names.values, **{real(s): value for s, value in state.items()}}
    M, h = matrix_form(reduced)
    numbers = np.array(sp.Matrix([*M, *h]).subs(known).tolist(), dtype=float).ravel()
    n = len(reduced.u)
    found = np.linalg.solve(numbers[: n * n].reshape(n, n), numbers[n * n :])
    np.testing.assert_allclose(found, accelerations, rtol=TOLERANCE)


def test_the_triple_pendulum_has_the_known_denominator():
    reduced = reduce(problem_of(Equations(compile_model(chain(3)))))
    names = ("m1", "m2", "m3", "phi_1", "phi_2", "phi_3")
    wanted = sp.sympify(TRIPLE, locals={name: real(name) for name in names})
    somewhere = dict(zip(map(real, names), (1, 2, 3, 0.3, 1.1, -0.4)))
    for k, one in enumerate(solved(reduced), 1):
        length, under = real(f"l{k}"), sp.fraction(sp.together(one))[1]
        share = float((under / (length * wanted)).subs({**somewhere, length: 1}))
        assert equal(under, sp.Rational(share).limit_denominator(100) * length * wanted)


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "slider_crank", "spinning_top"])
def test_powers_add_up_to_rounding_where_velocities_fit_the_joints(name):
    results = ran(name)
    k = len(results) // 2
    compiled = results.compiled
    balance = Powers(Equations(compiled)).at(
        float(results.t[k]), results.q[k], results.v[k], results.z[k]
    )
    size = max(1.0, *(abs(one.power) for one in balance.powers))
    assert abs(balance.rest) <= 4e-12 * size  # references.json, group power: 3.6e-12
