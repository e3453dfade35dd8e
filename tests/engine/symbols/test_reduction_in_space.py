"""Trees in space: the heavy top as in books, and every joint that carries as in the engine."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations
from engine.model.elements import put, remove
from engine.model.forces import SpringDamper
from engine.model.joints import JOINTS, Weld
from engine.symbols.equations import Equations
from engine.symbols.reduced.answers import owners, reduced_sections
from engine.symbols.reduced.background import DONE, Reduction
from engine.symbols.reduced.exchange import problem_as_data, problem_of_data
from engine.symbols.reduced.ratios import closing_rates, independent, velocity_ratios
from engine.symbols.reduced.reduction import matrix_form, solved
from engine.symbols.reduced.space import reduce_in_space
from engine.symbols.reduced.spatial_tree import spatial_problem_of
from engine.symbols.reduced.starting import reduction_of
from engine.symbols.reduced.trigonometry import equal
from engine.symbols.traced import T, real
from rotations import SEQUENCES, euler_angles, quaternion
from tests.engine.catalogue import JOINT_OF, joint_model

TOLERANCE = 1e-11  # of references.json, group reduced: relative to the largest acceleration
CARRYING = [joint for joint in JOINTS if 3 in getattr(joint, "carries", {})]


UPRIGHT = (1.0, 0.0, 0.0, 0.0)
ALONG_X = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)


def compiled_example(name):
    return compile_model(load(example_paths()[name]))


@pytest.fixture(scope="module")
def top():
    return reduce_in_space(spatial_problem_of(Equations(compiled_example("spinning_top"))))


def of_books():
    """M and h of a top with the axis at s from its tip; A and C about its mass centre."""
    A, C, s, m, g = map(real, ("Jx_top", "Jz_top", "cz_top", "m", "g"))
    theta = real("theta_top")
    phidot, thetadot, psidot = map(real, ("phidot_top", "thetadot_top", "psidot_top"))
    sin, cos, double = sp.sin(theta), sp.cos(theta), sp.sin(2 * theta)
    around = A + m * s**2
    M = sp.Matrix([[around * sin**2 + C * cos**2, 0, C * cos], [0, around, 0], [C * cos, 0, C]])
    h = (
        C * psidot * thetadot * sin + phidot * thetadot * (C - around) * double,
        -C * phidot * psidot * sin + g * m * s * sin + phidot**2 * (around - C) * double / 2,
        C * phidot * thetadot * sin,
    )
    return M, h


def test_the_heavy_top_is_that_of_books(top):
    assert [str(u) for u in top.u] == ["phi_top", "theta_top", "psi_top"]
    M, h = matrix_form(top)
    wanted_M, wanted_h = of_books()
    assert all(equal(a, b) for a, b in zip(M, wanted_M))
    assert all(equal(a, b) for a, b in zip(h, wanted_h))
    assert not equal(M[0, 0], wanted_M[0, 0] + real("m"))


def test_its_accelerations_solve_the_equations_and_nutation_stands_alone(top):
    M, h = of_books()
    answers = solved(top)
    for row, right in zip(M.tolist(), h):
        assert equal(sp.Add(*(a * b for a, b in zip(row, answers))), right)
    under = sp.fraction(sp.together(answers[1]))[1]
    assert real("theta_top") not in under.free_symbols  # theta couples with no other acceleration


def numbers(expressions, symbols, values, known):
    call = sp.lambdify([symbols], [sp.sympify(x).xreplace(known) for x in expressions], cse=True)
    return np.array(call(values), dtype=float)


def assert_reduced_is_the_engine(compiled, seed=3, size=0.4):
    """At a random state a = R u'' + R' u' with u'' = M_u^-1 h is what the engine finds."""
    symbols = Equations(compiled)
    reduced = reduce_in_space(spatial_problem_of(symbols))
    assert not reduced.loop
    n, layout = len(reduced.u), compiled.layout
    rng = np.random.default_rng(seed)
    state = rng.uniform(-size, size, 2 * n)
    terms = [*reduced.q, *reduced.R, *reduced.bias, *reduced.M, *reduced.h]
    flat = numbers(terms, [*reduced.u, *reduced.rates], state, symbols.names.values)
    bodies = len(compiled.body_ids)
    sizes = [12 * bodies, 6 * bodies * n, 6 * bodies, n * n, n]
    pose, R, bias, M, h = np.split(flat, np.cumsum(sizes)[:-1])
    rows, M = R.reshape(-1, n), M.reshape(n, n)
    q = compiled.q0.copy()
    for k, one in enumerate(pose.reshape(bodies, 12)):
        q[layout.position(k)] = one[:3]
        code = int(compiled.system.bodies[k]["orientation"])
        R = one[3:].reshape(3, 3)
        turn = quaternion.from_matrix(R)
        if code >= 0:
            turn = np.append(euler_angles.from_matrix(tuple(SEQUENCES)[code], R), 0.0)
        q[layout.orientation(k)] = turn[: len(q[layout.orientation(k)])]
    here = equations(compiled, 0.0, q, rows @ state[n:])
    assert np.abs(here.Phi).max(initial=0.0) < 1e-11 * max(1.0, compiled.length)
    a = rows @ np.linalg.solve(M, h) + bias
    np.testing.assert_allclose(a, here.a, rtol=0, atol=TOLERANCE * max(1.0, np.abs(here.a).max()))
    return reduced


@pytest.mark.parametrize("name", ["spinning_top", "looping_helicopter"])
def test_reduced_examples_are_those_of_the_engine(name):
    assert_reduced_is_the_engine(compiled_example(name))


@pytest.mark.parametrize("joint", CARRYING, ids=lambda joint: joint.kind)
def test_every_joint_that_carries_gives_the_equations_of_the_engine(joint):
    compiled = compile_model(
        of_two_markers(joint_model(joint, 3, seed=5, on_ground=True), "a", "c")
    )
    if joint is Weld:
        with pytest.raises(EngineError, match="No joint lets a body move"):
            reduction_of(Equations(compiled))
    else:
        assert_reduced_is_the_engine(compiled)


def of_two_markers(model, *without):
    """Without some bodies; the others and their markers stand along common axes."""
    model = remove(model, *(body + n for body in without for n in ("", "1", "2")))
    bodies = [replace(body, orientation=UPRIGHT) for body in model.of("body")]
    return put(model, *bodies, *(replace(m, orientation=ALONG_X) for m in model.of("marker")))


@pytest.mark.parametrize("kind", ["universal", "prismatic"])
def test_a_body_that_hangs_on_marker_j_gives_the_equations_of_the_engine(kind):
    model = joint_model(JOINT_OF["spherical"], 3, seed=9, on_ground=True)
    model = of_two_markers(remove(model, "joint"), "c")
    first = JOINT_OF["revolute"](id="first", marker_i="g1", marker_j="a2")
    second = JOINT_OF[kind](id="second", marker_i="b1", marker_j="a1")
    assert_reduced_is_the_engine(compile_model(put(model, first, second)))


def test_forces_are_in_it():
    model = load(example_paths()["spinning_top"])
    held = replace(model["marker_1"], id="hook", body="ground", position=(0.3, 0.2, 0.4))
    spring = SpringDamper(
        id="spring", marker_i="hook", marker_j="head", stiffness=40.0, damping=2.0
    )
    assert_reduced_is_the_engine(compile_model(put(model, held, spring)))


def test_a_process_of_its_own_gives_the_top_in_parts_with_words():
    equations = Equations(compiled_example("spinning_top"))
    problem = reduction_of(equations)
    assert problem_of_data(problem_as_data(problem)) == problem
    job = Reduction(problem)
    assert job.wait() == DONE and list(job.found) == ["coordinates", "matrix", "solved", "done"]
    M, h = job.found["matrix"]
    wanted_M, wanted_h = of_books()
    assert all(equal(a, b) for a, b in zip((*M, *h), (*wanted_M, *wanted_h)))
    sections = reduced_sections(job.found, equations)
    assert [s.title for s in sections][:2] == ["Coordinates of joints", "M u'' = h"]
    assert owners(job.found, equations)[real("thetadot_top")] == "top"


def test_a_loop_in_space_shows_what_closes_it():
    equations = Equations(compiled_example("spatial_four_bar"))
    reduced = reduce_in_space(spatial_problem_of(equations))
    here = assemble(equations.compiled)
    joints = {joint: k for k, joint in enumerate(reduced.joints)}
    angles = drawn_angles(equations.compiled, here.q, joints)
    gaps = numbers(reduced.loop, reduced.u, angles, equations.names.values)
    assert len(gaps) == 5 and np.abs(gaps).max() < 1e-9
    assert (
        np.abs(numbers(reduced.loop, reduced.u, angles + 0.1, equations.names.values)).max() > 0.01
    )


LOOPS = ("spatial_four_bar", "spatial_slider_crank", "universal_joint_shaft")


@pytest.mark.parametrize("name", LOOPS)
def test_velocity_ratios_of_loops_in_space_keep_them_closed(name):
    equations = Equations(compiled_example(name))
    reduced, values = reduce_in_space(spatial_problem_of(equations)), equations.names.values
    ratios = velocity_ratios(reduced)
    free = {rate for one in ratios for rate, _ in one.parts}
    assert len(free) == 1 and len(ratios) == len(reduced.u) - 1
    rates = {one.rate: one.value for one in ratios}
    loop = [g for g in reduced.loop if T not in g.free_symbols]
    opening = [
        sum(sp.diff(g, u) * rates.get(rate, rate) for u, rate in zip(reduced.u, reduced.rates))
        for g in loop
    ]
    symbols = (*reduced.u, *free)
    rng = np.random.default_rng(4)
    for _ in range(3):  # rows stay as they are even in poses that are not assembled
        found = numbers(opening, symbols, rng.uniform(0.3, 1.2, len(symbols)), values)
        np.testing.assert_allclose(found, 0.0, atol=1e-9)  # directions have twelve digits in files


def test_what_a_drive_closes_is_differentiated_by_time_too():
    equations = Equations(compiled_example("spatial_slider_crank"))
    reduced = reduce_in_space(spatial_problem_of(equations))
    *_, driven = closing_rates(reduced)
    assert driven == real("phidot_1") - real("speed")
    told = {"loop": list(reduced.loop), "coordinates": [[str(u), ""] for u in reduced.u]}
    told |= {"rates": [driven], "matrix": matrix_form(reduced)}
    titles = [section.title for section in reduced_sections(told, equations)]
    assert "Velocities of closed loops" in titles and titles[-1].endswith("∂g/∂t = 0")


def test_rows_that_depend_on_others_are_found_by_elimination():
    rng = np.random.default_rng(8)
    basis = rng.normal(size=(3, 6))
    mixed = [basis[0], 2 * basis[0], basis[1], basis[0] - 3 * basis[1], np.zeros(6), basis[2]]
    assert independent([list(row) for row in mixed]) == [0, 2, 5]
    assert independent([]) == [] == independent([[], []])


def drawn_angles(compiled, q, joints):
    """The angle of each joint coordinate in a pose, by the channel of the joint."""
    at = compiled.coordinates
    found = np.zeros(len(joints))
    for joint, k in joints.items():
        term = at[joint, "angle"]
        found[k] = compiled.system.terms["drawn"][term]
    return found


def test_what_is_too_large_or_has_no_coordinates_says_why(monkeypatch):
    rolling = joint_model(JOINT_OF["rolling_disc"], 3, on_ground=True)
    with pytest.raises(EngineError, match="constrains velocities"):
        reduction_of(Equations(compile_model(remove(rolling, "a", "a1", "a2", "c", "c1", "c2"))))
    monkeypatch.setattr("engine.symbols.reduced.spatial_tree.MOST_BODIES", 0)
    with pytest.raises(EngineError, match=r"1 bodies are too many .* up to 0"):
        reduction_of(Equations(compiled_example("spinning_top")))
