"""The tangents K, C and G of every element are derivatives, by central differences at random states."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.elimination import dense_blocks, with_tangents
from engine.compiling.system import compile_model, linked, workspace
from engine.kernels.acting import joint_friction
from engine.kernels.implicit.entries import LINEARISE, tangent
from engine.kernels.implicit.tangent_layout import BY, BY_STATE
from engine.kinematics.evaluate import equations, fill
from engine.model.bodies import SpatialBody
from engine.model.elements import put
from engine.model.forces import FORCES
from tests.engine.catalogue import FORCE_CASES, JOINT_CASES, force_model, joint_model
from tests.engine.poses import moved, slope

T = 0.3
# Sixth-order differences with a step of 1e-3: truncation below 1e-12 for smooth functions of order one,
# rounding 1e-13 of the force. A disc that nearly lies flat bends much more: its derivatives reach 1e8.
DIFFERENCE = 1e-10
FLAT_DISC = 1e-8

JOINTS_EVERYWHERE = [
    pytest.param(joint, dim, ground, id=f"{joint.kind}-{dim}d-{'ground' if ground else 'body'}")
    for joint, dim in JOINT_CASES
    for ground in (False, True)
]
BY_DIFFERENCES = 1e-7  # a contact takes differences itself
FORCES_EVERYWHERE = [pytest.param(f, dim, {}, id=f"{f.kind}-{dim}d") for f, dim in FORCE_CASES]
FORCE_OF = {force.kind: force for force in FORCES}
SPECIAL_FORCES = [
    pytest.param(FORCE_OF[kind], dim, changes, id=f"{kind}-{dim}d-{'-'.join(changes)}-{n}")
    for dim in (2, 3)
    for n, (kind, changes) in enumerate(
        [
            ("spring", {"spring_curve": "40*x^3 + 2*x", "free_length": 0.2}),
            ("damper", {"damper_curve": "3*v^3"}),
            ("spring", {"acts": "tension", "free_length": 0.05}),
            ("spring", {"acts": "tension", "free_length": 9.0}),
            ("spring", {"acts": "compression", "free_length": 9.0}),
            ("torsion_spring", {"spring_curve": "x^3", "damping": 2.0, "free_angle": 0.4}),
            ("joint_limits", {"low": 2.5, "high": 3.0, "depth": 9.0}),
            ("general_force", {"acts": "torque", "law": "distance*angle - speed*rate^2 + t"}),
            ("general_force", {"law": "sin(distance*angle) - 0.3*speed*rate"}),
            ("force", {"axes": "world", "f_x": "3*sin(t)", "f_y": 2.0}),
            ("torque", {"axes": "body", "t_z": 2.0}),
            ("torque", {"axes": "world", "t_z": "cos(t)"}),
        ]
    )
]


def linearised(compiled, t, q, v, lam, a=None, by=(0.0, 0.0, 0.0)):
    """K, C and the rows G as matrices, with given multipliers, accelerations and weights."""
    system = compiled.system
    ws = workspace(system)
    fill(compiled, ws, t, q, v)
    ws.lam[:] = lam
    if a is not None:
        ws.a[:] = a
    table, (order, tan) = with_tangents(linked(system, ws), system)
    tan.factors[BY : BY + 3] = by
    tan.factors[BY_STATE] = 1e30  # states stand still
    tangent(table, t, compiled.layout.y(q, v, compiled.z0), flag=LINEARISE)
    G = np.zeros((compiled.n_rows, len(v)))
    for k, body in enumerate(system.bodies):
        part = slice(body["start"], body["stop"])
        G[system.row_of[part], compiled.layout.v(k)] = tan.G[part]
    return dense_blocks(system, order, tan.K), dense_blocks(system, order, tan.C), G


def rubbing(compiled, ws, q, v, load):
    """What the friction of a load does more than that of the load in ws, where f holds it."""
    noted, f = ws.pressed[0], ws.f.copy()
    smooth = compiled.system._replace(rubbings=compiled.system.rubbings[:0])
    without = equations(replace(compiled, system=smooth), T, q, v)
    return (load - noted) / noted * (f - without.f)


def columns(of, n):
    """The derivatives of a vector along n unit directions, as columns."""
    return np.array([slope(lambda h, e=e: of(h * e)) for e in np.eye(n)]).T


def assert_tangents(model, tolerance=DIFFERENCE):
    """K and C of a model are the derivatives of D^T lam - f as drawn, with the friction of its load."""
    compiled = compile_model(model)
    q, v, n = compiled.q0, compiled.v0, len(compiled.v0)
    lam = np.random.default_rng(1).normal(size=compiled.n_rows)
    ws = workspace(compiled.system)
    equations(compiled, T, q, v, ws)
    load = ws.pressed[:1].copy() if len(compiled.system.rubbings) else None

    def left_over(q, v):
        e = equations(compiled, T, q, v, ws)
        return e.D.T @ lam - e.f - (0.0 if load is None else rubbing(compiled, ws, q, v, load))

    K, C, _ = linearised(compiled, T, q, v, lam)
    by_pose = columns(lambda d: left_over(moved(compiled, q, d), v), n)
    by_velocity = columns(lambda d: left_over(q, v + d), n)
    size = 1.0 + np.abs(left_over(q, v)).max() + np.abs(by_pose).max()
    np.testing.assert_allclose(K, by_pose, atol=tolerance * size, rtol=0)
    np.testing.assert_allclose(C, by_velocity, atol=tolerance * size, rtol=0)
    return K, C


@pytest.mark.parametrize(("joint", "dim", "on_ground"), JOINTS_EVERYWHERE)
def test_K_holds_the_second_derivative_of_every_joint(joint, dim, on_ground):
    flat = joint.kind == "rolling_disc" and dim == 3
    for seed in range(2):
        model = joint_model(joint, dim, seed, on_ground)
        assert_tangents(model, FLAT_DISC if flat else DIFFERENCE)


@pytest.mark.parametrize(("force", "dim", "changes"), FORCES_EVERYWHERE + SPECIAL_FORCES)
def test_K_and_C_are_the_stiffness_and_damping_of_every_force(force, dim, changes):
    tolerance = BY_DIFFERENCES if force.kind in ("contact", "cable") else DIFFERENCE
    for seed in range(2):
        assert_tangents(force_model(force, dim, seed, **changes), tolerance)


def test_the_sample_forces_have_stiffness_and_damping():
    # A stop and a one-sided spring out of reach would make the test above an empty one.
    for kind in ("spring", "joint_limits", "general_force", "bushing"):
        K, _ = assert_tangents(force_model(FORCE_OF[kind], 3, 0))
        assert np.abs(K).max() > 1.0, kind
    changes = {"low": 2.5, "high": 3.0, "depth": 9.0}
    _, C = assert_tangents(force_model(FORCE_OF["joint_limits"], 2, 0, **changes))
    assert np.abs(C).max() > 1.0


def test_the_stiffness_does_not_depend_on_how_orientation_is_written():
    model = force_model(FORCE_OF["bushing"], 3, 0)
    bodies = [e for e in model if isinstance(e, SpatialBody)]
    by_angles = [replace(body, parameters="1-2-3") for body in bodies]
    K, C = assert_tangents(model)
    K_angles, C_angles = assert_tangents(put(model, *by_angles))
    # the same matrices after a conversion of the orientation, whose rounding is amplified by 1e4 N/m
    np.testing.assert_allclose(K_angles, K, atol=1e-9)
    np.testing.assert_allclose(C_angles, C, atol=1e-9)


@pytest.mark.parametrize("dim", [2, 3])
def test_friction_in_a_joint_changes_with_its_multipliers(dim):
    compiled = compile_model(force_model(FORCE_OF["joint_friction"], dim, 0))
    system, q, v = compiled.system, compiled.q0, compiled.v0
    ws = workspace(system)
    fill(compiled, ws, T, q, v)
    lam = np.random.default_rng(1).normal(size=compiled.n_rows)
    (rub,) = system.rubbings
    one = system.interactions[rub["interaction"]]

    def load(x):
        return joint_friction.load(dim, rub, one, ws.spatial, ws.D, x)

    of_one = rubbing(compiled, ws, q, v, ws.pressed[0] + 1.0)
    by_lam = np.array([slope(lambda h, e=e: load(lam + h * e)) for e in np.eye(len(lam))])
    ws.lam[:] = lam
    table, (_, tan) = with_tangents(linked(system, ws), system)
    tan.factors[BY_STATE] = 1e30
    tangent(table, T, compiled.layout.y(q, v, compiled.z0), flag=LINEARISE)
    found = np.zeros((len(lam), len(v)))
    for k, body in enumerate(system.bodies):
        part = slice(body["start"], body["stop"])
        found[system.row_of[part], compiled.layout.v(k)] = tan.rubbed[part]
    assert np.abs(found).max() > 0.01
    np.testing.assert_allclose(found, -np.outer(by_lam, of_one), atol=1e-8)  # differences of 1e-6


@pytest.mark.parametrize(("joint", "dim", "on_ground"), JOINTS_EVERYWHERE)
def test_G_says_how_the_accelerations_of_rows_change(joint, dim, on_ground):
    compiled = compile_model(joint_model(joint, dim, 0, on_ground))
    q, v, n = compiled.q0, compiled.v0, len(compiled.v0)
    a = np.random.default_rng(2).normal(size=n)
    no_lam = np.zeros(compiled.n_rows)
    flat = joint.kind == "rolling_disc" and dim == 3
    tolerance = {"atol": FLAT_DISC if flat else DIFFERENCE, "rtol": 0}

    # d(D a)/d(delta) = a^T H
    _, _, G = linearised(compiled, T, q, v, no_lam, a, (0.0, 0.0, 1.0))
    measured = columns(lambda d: equations(compiled, T, moved(compiled, q, d), v).D @ a, n)
    np.testing.assert_allclose(G, measured, **tolerance)

    # d(g_ww)/dv = v^T (H + H^T);  rows that start at velocity level are no gradients, yet g_ww = D_dot v
    _, _, G = linearised(compiled, T, q, v, no_lam, a, (1.0, 1.0, 0.0))
    measured = columns(lambda d: -equations(compiled, T, q, v + d).gamma, n)
    np.testing.assert_allclose(G, measured, **tolerance)


def test_bodies_without_a_common_element_are_not_coupled():
    compiled = compile_model(force_model(FORCE_OF["spring"], 2, 0))  # between a and b; c is free
    K, C, _ = linearised(compiled, T, compiled.q0, compiled.v0, np.zeros(0))
    c = compiled.body_ids.index("c")
    assert not K[:, 3 * c : 3 * c + 3].any() and not C[:, 3 * c : 3 * c + 3].any()
    assert K[:3, 3:6].any()
