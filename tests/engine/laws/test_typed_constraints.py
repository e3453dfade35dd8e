"""Constraints typed as formulas: the laws of joints for random formulas, and joints typed by hand."""

from dataclasses import replace

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kernels import layout
from engine.kernels.layout import VELOCITY
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations
from engine.kinematics.mobility import mobility
from engine.model.elements import put, remove
from engine.model.joints import JOINTS, Motion, TypedConstraint
from engine.running.simulate import run
from engine.studies.classification import classify_anywhere
from engine.symbols.equations import Equations
from engine.symbols.numbers import Numbers
from tests.engine.catalogue import bodies_and_markers, joint_model, motion_model
from tests.engine.kernels.test_tangents import assert_tangents, columns, linearised
from tests.engine.laws.test_joint_laws import (
    assert_gamma_is_minus_D_dot_v,
    assert_is_derivative_of_phi,
)
from tests.engine.poses import moved
from tests.engine.sample_joints import mechanism

EXACT = 2e-15  # of the largest entry: the rounding of a formula of some ten operations
# What every model of `bodies_and_markers` has; rates stand in front, since they enter linearly.
NAMES = {
    2: ("a.x", "a.y", "a.angle", "b1.x", "b1.angle", "a1.b1.distance", "g1.c1.y", "x", "c.y"),
    3: ("a.x", "b1.y", "b1.z", "a1.b1.distance", "g1.c1.angle", "a1.c2.zx", "x", "z", "c.y"),
}
SHAPES = (
    "sin({0})*{1} - {2}^2 + 0.3*t*{0}",
    "sqrt({0}^2 + {1}^2 + 1) - exp(0.2*{2})*cos(t)",
    "atan2({0}, {1} + 4) + {2}*{0}*{1}",
    "if({0} < 99, {0}*{1}, 0) - max({2}, -99)*log(9 + {1}) + t^2",
    "hypot({0}, {1}) + abs({2} + 7)^1.5 - tanh({0})",
)
RATES = "({0} + 2)*{3}_rate - {4}_rate*sin({1} + t) + 0.3*{2} + cos(t)"
FORMULAS = [
    pytest.param(
        dim, seed, text, id=f"{dim}d-{seed}-{'velocity' if 'rate' in text else 'position'}"
    )
    for dim in (2, 3)
    for seed, text in enumerate((*SHAPES, RATES, RATES))
]


def typed_model(dim: int, seed: int, text: str):
    """Three bodies in random poses and one formula of random coordinates of theirs."""
    rng = np.random.default_rng(seed)
    model = bodies_and_markers(rng, dim)
    chosen = [str(name) for name in rng.choice(NAMES[dim], size=5, replace=False)]
    return put(model, TypedConstraint(id="joint", marker_i="b2", formula=text.format(*chosen)))


@pytest.mark.parametrize(("dim", "seed", "text"), FORMULAS)
def test_random_formulas_obey_the_laws_of_joints(dim, seed, text):
    compiled = compile_model(typed_model(dim, seed, text))
    q, v, t = compiled.q0, compiled.v0, 0.7
    assert_is_derivative_of_phi(compiled, t, q, v)
    assert_gamma_is_minus_D_dot_v(compiled, t, q, v)
    e = equations(compiled, t, q, v)
    assert np.abs(e.D).max() > 0.01
    np.testing.assert_allclose(e.M @ e.a + e.D.T @ e.lam, e.f, atol=1e-11 * (1 + np.abs(e.f).max()))
    np.testing.assert_allclose(e.D @ e.a, e.gamma, atol=1e-11 * (1 + np.abs(e.gamma).max()))


@pytest.mark.parametrize(("dim", "seed", "text"), FORMULAS)
def test_random_formulas_have_exact_tangents(dim, seed, text):
    model = typed_model(dim, seed, text)
    assert_tangents(model, 1e-8)  # powers of 1.5 and atan2 bend more than the coordinates of joints
    compiled = compile_model(model)
    q, v, n = compiled.q0, compiled.v0, len(compiled.v0)
    a, t = np.random.default_rng(2).normal(size=n), 0.3
    _, _, G = linearised(compiled, t, q, v, np.zeros(1), a, (0.0, 0.0, 1.0))
    by_pose = columns(lambda d: equations(compiled, t, moved(compiled, q, d), v).D @ a, n)
    np.testing.assert_allclose(G, by_pose, atol=1e-8 * (1 + np.abs(by_pose).max()))
    _, _, G = linearised(compiled, t, q, v, np.zeros(1), a, (1.0, 1.0, 0.0))
    by_v = columns(lambda d: -equations(compiled, t, q, v + d).gamma, n)
    np.testing.assert_allclose(G, by_v, atol=1e-8 * (1 + np.abs(by_v).max()))
    _, _, G = linearised(compiled, t, q, v, np.zeros(1), a, (1.0, 0.0, 0.0))

    def left(d):
        e = equations(compiled, t, moved(compiled, q, d), v)
        return e.D @ v - e.nu

    by_pose = columns(left, n)
    np.testing.assert_allclose(G, by_pose, atol=1e-8 * (1 + np.abs(by_pose).max()))


# --- joints typed by hand

TYPED = {layout.DISTANCE: "distance", layout.DIRECTION: "direction", layout.ANGLE: "angle"}
AXES = "xyz"


def name_of(c) -> str:
    """The dotted name of a coordinate between two points."""
    if c.kind == layout.ALONG:
        return f"{c.marker_i}.{c.marker_j}.{AXES[c.axes[0]]}"
    if c.kind == layout.DOT:
        return f"{c.marker_i}.{c.marker_j}.{AXES[c.axes[0]]}{AXES[c.axes[2]]}"
    if c.kind == layout.ANGLE and c.axes[2] != c.axes[0]:
        a, a2, b = (AXES[axis] for axis in c.axes)
        return f"atan2({c.marker_i}.{c.marker_j}.{a2}{b}, {c.marker_i}.{c.marker_j}.{a}{b})"
    about = {1: "_x", 2: "_y"}.get(c.axes[0], "") if c.kind == layout.ANGLE else ""
    return f"{c.marker_i}.{c.marker_j}.{TYPED[c.kind]}{about}"


def typed_rows(compiled, element):
    """The formulas that say what the rows of a joint say, in their order."""
    at = iter(compiled.rows_of[element.id])
    for row in element.rows(compiled.resolved):
        first = row.terms[0][1]
        if first.kind == layout.POINT:
            for axis in AXES[: compiled.system.dim]:
                next(at)
                yield f"{first.marker_j}.{axis} - {first.marker_i}.{axis}"
            continue
        constant = compiled.system.rows["constant"][next(at)]
        parts = " + ".join(f"({weight!r})*{name_of(c)}" for weight, c in row.terms)
        yield f"{parts} - ({float(constant)!r})"


def with_typed(model, id):
    """The model with typed constraints in place of a joint, and their ids in the order of its rows."""
    compiled = compile_model(model)
    element = compiled.resolved[id]
    texts = list(typed_rows(compiled, element))
    point = compiled.resolved.of("marker")[-1].id
    ids = [f"typed_{n}" for n in range(len(texts))]
    made = [TypedConstraint(id=i, marker_i=point, formula=t) for i, t in zip(ids, texts)]
    return put(remove(model, id), *made), ids


HANDMADE = [
    pytest.param(joint.kind, dim, id=f"{joint.kind}-{dim}d")
    for joint in JOINTS
    for dim in joint.dims
    if joint.kind not in ("rolling_disc", "knife_edge", "constraint")
]


@pytest.mark.parametrize(("kind", "dim"), HANDMADE)
def test_a_joint_typed_by_hand_moves_and_reacts_as_the_joint(kind, dim):
    model = mechanism(kind, dim).model
    model = replace(model, elements={**model.elements})
    id = next(e.id for e in model if e.kind == kind)
    if kind in ("gear", "rack_and_pinion"):  # the radial force of teeth is no constraint
        model = put(model, replace(model[id], pressure_angle=0.0))
    typed, ids = with_typed(model, id)
    settings = {"t_end": 0.2, "output_step": 0.1, "step": 2e-3}
    one, other = run(model, **settings), run(typed, **settings)
    np.testing.assert_allclose(other.q, one.q, atol=1e-10)
    scale = 1.0 + np.abs(one.lam).max()
    lam = np.array([other.lam[:, other.compiled.rows_of[i][0]] for i in ids]).T
    np.testing.assert_allclose(lam, one.lam[:, one.compiled.rows_of[id]], atol=1e-10 * scale)


def test_a_typed_motor_drives_as_a_motor():
    m = Mechanism("driven")
    rod = m.rod((0, 0), (1, 0), mass=2)
    hinge = m.revolute("ground", rod, at=(0, 0))
    free = m.model
    motor = put(free, Motion(id="motor", joint=hinge, law="0.3*sin(2*t) + t"))
    point = free.of("marker")[-1].id
    typed = put(
        free,
        TypedConstraint(id="motor", marker_i=point, formula=f"{hinge}.angle - 0.3*sin(2*t) - t"),
    )
    one, other = (run(model, t_end=0.5, step=5e-3) for model in (motor, typed))
    np.testing.assert_allclose(other.q, one.q, atol=1e-10)
    np.testing.assert_allclose(other.lam, one.lam, atol=1e-10 * np.abs(one.lam).max())


def test_a_typed_blade_glides_as_a_knife_edge():
    m = Mechanism("blade", gravity=(1.0, 0.0))
    box = m.box((0.3, 0.2), 0.4, 0.3, mass=2, spin=1.5, velocity=(0.3, 0.0))
    blade = m.knife_edge("ground", box, at=(0.1, 0.1), axis=(1, 0))
    j = m.model[blade].marker_j
    text = f"cos({j}.angle)*{j}.vy - sin({j}.angle)*{j}.vx"
    typed = put(remove(m.model, blade), TypedConstraint(id="typed", marker_i=j, formula=text))
    typed = put(typed, m.model[j])
    one, other = (run(model, t_end=0.5, step=5e-3) for model in (m.model, typed))
    assert other.compiled.system.rows["level"].tolist() == [VELOCITY]
    np.testing.assert_allclose(other.q, one.q, atol=1e-10)
    np.testing.assert_allclose(other.lam, one.lam, atol=1e-10 * np.abs(one.lam).max())


# --- the point pendulum of the lecture


def point_pendulum(text="x^2 + y^2 - l^2", **fields):
    """A point mass on a circle of radius l about the origin, released at rest where it is level."""
    m = Mechanism("point pendulum")
    m.parameter("l", 2.0, unit="m")
    mass = m.particle((2.0, 0.0), mass=3.0)
    m.constraint(mass, (2.0, 0.0), formula=text, **fields)
    return m.model


@pytest.mark.parametrize(
    ("method", "changes"),
    [
        ("rk4", {}),
        ("rk4", {"stabilisation": "baumgarte"}),
        ("rk4", {"stabilisation": "penalty"}),
        ("rk4", {"stabilisation": "none"}),
        ("euler_cromer", {"step": 2e-4}),
        ("dopri5", {}),
        ("trapezoid", {}),
        ("bdf2", {}),
        ("generalised_alpha", {}),
        ("radau", {}),
        ("ida", {}),
    ],
    ids=lambda case: case if isinstance(case, str) else "-".join(map(str, case.values())),
)
def test_the_multiplier_of_the_point_pendulum(method, changes):
    # m x'' = -2 x lam, and with x^2 + y^2 = l^2: 2 lam l^2 = m (v^2 - g y) = -3 m g y from rest at y = 0
    settings = {"t_end": 0.4, "step": 1e-3, "output_step": 0.1, **changes}
    results = run(point_pendulum(), method=method, **settings)
    _, y = results.q[:, :2].T
    m, g, l = 3.0, 9.81, 2.0
    rough = {"euler_cromer": 2e-3, "bdf2": 1e-4, "trapezoid": 1e-4, "generalised_alpha": 1e-3}
    atol = rough.get(method, 1e-3 if changes else 2e-5) * m * g / l
    np.testing.assert_allclose(results.lam[:, 0], -3 * m * g * y / (2 * l**2), atol=atol)
    np.testing.assert_allclose(np.hypot(*results.q[:, :2].T), l, atol=1e-5)


@pytest.mark.parametrize(
    "name",
    [
        "point_pendulum",
        "bead_on_a_rotating_wire",
        "point_on_a_moving_surface",
        "car_driven_by_a_steering_law",
    ],
)
def test_energy_changes_by_the_work_of_what_moves(name):
    results = run(load(example_paths()[name]), t_end=1.0)
    energy = results["total_energy"] - results["work"]
    scale = np.abs(results["kinetic_energy"]).max()
    assert np.ptp(energy) < 1e-8 * scale  # RK4 at 1 ms
    moves = np.abs(results["work"]).max() > 1e-3 * scale
    assert moves == (name in ("bead_on_a_rotating_wire", "point_on_a_moving_surface"))


def test_a_bead_on_a_rotating_wire_is_flung_out_as_a_hyperbolic_cosine():
    # r'' = w^2 r from r = 0.1 m at rest along the wire: r = 0.1 cosh(w t)
    results = run(load(example_paths()["bead_on_a_rotating_wire"]), t_end=1.0)
    r = np.hypot(results["bead.x"], results["bead.y"])
    np.testing.assert_allclose(r, 0.1 * np.cosh(2.0 * results.t), rtol=1e-9)


# --- wrong formulas are told

WRONG = [
    ("2*l - 4", "holds no coordinate"),
    ("x - x + y - y", "stays the same however the bodies move"),
    ("rod_7.x - 1", "there is no 'rod_7'"),
    ("particle_1.q - 1", "it may use: x, y, angle"),
    ("x - width", "'width' is unknown"),
    ("x +", "expected a number"),
    ("x - 2 kg", "something in m meets something in kg"),
    ("x - l^2", "Give both sides the same unit"),
    ("sqrt(y) - x", "cannot be differentiated by y"),
    ("log(y) + x", "no finite value"),
    ("y^2", "derivatives are all zero where the mechanism is drawn"),
    ("vx*vy - 1", "only enter linearly"),
    ("z - 1", "holds no coordinate"),
]


@pytest.mark.parametrize(("text", "told"), WRONG)
def test_a_wrong_formula_is_told_with_a_remedy(text, told):
    with pytest.raises(EngineError, match="(?s).*" + told.replace("(", r"\(")) as error:
        compile_model(point_pendulum(text))
    assert "constraint_1" in (error.value.sentence + " ".join(error.value.ids))


def test_a_formula_that_contradicts_the_joints_says_so():
    with pytest.raises(EngineError, match="constraint_1"):
        assemble(compile_model(put(point_pendulum("x^2 + y^2 + l^2"))))


def test_problems_name_the_formula():
    (problem,) = problems(point_pendulum("x^2 + rad_1.y"))
    assert "rad_1" in problem.sentence and problem.ids == ("constraint_1",)


def test_deleting_a_body_deletes_the_formulas_that_name_it():
    model = joint_model(TypedConstraint, 2)
    assert "joint" not in remove(model, "c")
    assert "joint" in remove(model, "c2")


@pytest.mark.parametrize(
    ("name", "is_holonomic", "flag"),
    [
        ("point_pendulum", True, (1, 1)),
        ("bead_on_a_rotating_wire", True, (1, 1)),
        ("car_driven_by_a_steering_law", False, (2, 1, 0)),  # with the time as a coordinate
    ],
)
def test_the_examples_are_of_their_classes(name, is_holonomic, flag):
    compiled = compile_model(load(example_paths()[name]))
    start = assemble(compiled)
    found = classify_anywhere(compiled, start.q, mobility(compiled, start.q, start.v).motions)
    assert (found.is_holonomic, found.flag) == (is_holonomic, flag)


def test_a_typed_motion_has_complete_time_terms():
    model = motion_model("revolute", "angle", 2, "position")
    text = "joint.angle - 0.3*sin(2*t) - 0.1*t^2"
    typed = put(remove(model, "motion"), TypedConstraint(id="typed", marker_i="a1", formula=text))
    one, other = (compile_model(m) for m in (model, typed))
    here, there = (equations(c, 0.7, c.q0, c.v0) for c in (one, other))
    for name in ("Phi", "nu", "gamma"):
        a = getattr(here, name)[one.rows_of["motion"]]
        b = getattr(there, name)[other.rows_of["typed"]]
        np.testing.assert_allclose(b, a, rtol=0, atol=EXACT * max(1.0, np.abs(a).max()))


@pytest.mark.parametrize(("dim", "seed", "text"), FORMULAS)
def test_random_formulas_are_differentiated_exactly(dim, seed, text):
    """Against derivatives of the same formula in symbols; references.json has 2.8e-16 for six formulas."""
    compiled = compile_model(typed_model(dim, seed, text))
    symbols = Equations(compiled)
    terms = {name: list(getattr(symbols, name)) for name in ("Phi", "nu", "gamma")}
    terms["D"] = list(symbols.D)
    q, v, t = compiled.q0, compiled.v0, 0.7
    here = equations(compiled, t, q, v)
    for name, expressions in terms.items():
        found = Numbers(symbols, expressions).at(t, q, v, here.lam)
        wanted = getattr(here, name).ravel()
        largest = max(np.abs(wanted).max(), 1.0)
        assert np.abs(found - wanted).max() <= EXACT * largest, name
