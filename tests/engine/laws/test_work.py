"""Energy and work of every element: d/dt (T + V) = sum P, at random states of motion."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.system import Compiled, compile_model, linked, workspace
from engine.kernels import entries
from engine.kernels.entries import EVERYTHING
from engine.kinematics.evaluate import dense_D, fill, mass_matrix
from engine.model.elements import Model
from engine.results.blocks import Block
from engine.results.channels.forces import stored_energy
from engine.results.results import Results
from tests.engine.catalogue import (
    FORCE_CASES,
    JOINT_CASES,
    MOTION_CASES,
    force_model,
    joint_model,
    motion_model,
)
from tests.engine.marker_laws import SERIES, acting, sample
from tests.engine.poses import moved, slope

T = 0.7  # a time at which laws of t are not special
VARIANTS = {
    "spring": ({"spring_curve": "40*x^3 + 2*x"}, {"acts": "tension", "free_length": 0.1}),
    "damper": ({"damper_curve": "3*v^3"}, {"acts": "tension", "free_length": 0.1}),
    "spring_damper": ({"free_length": 0.3}, {"preload": 2.0, "acts": "compression"}),
    "torsion_spring": ({"damping": 2.0, "preload": 1.0, "free_angle": 0.3},),
    "joint_limits": ({"low": -0.2, "high": 0.1, "stiffness": 50.0, "damping": 3.0},),
    "force": ({"axes": "world"},),
}
FORCED = [
    pytest.param(force_model(force, dim, seed, **changes), id=f"{force.kind}-{dim}d-{seed}")
    for force, dim in FORCE_CASES
    for seed, changes in enumerate(({}, *VARIANTS.get(force.kind, ())))
    if dim in force.dims
]
JOINED = [
    pytest.param(joint_model(joint, dim, 1), id=f"{joint.kind}-{dim}d")
    for joint, dim in JOINT_CASES
]
DRIVEN = [
    pytest.param(motion_model(*case, quantity), id=f"{case[0]}-{case[1]}-{case[2]}d-{quantity}")
    for case in MOTION_CASES
    for quantity in ("position", "speed", "acceleration")
]


def exchange(compiled: Compiled, seed: int = 0) -> tuple[float, np.ndarray, float]:
    """d/dt (T + V) and the powers of all works at a random state with D v = nu; and what rounding does."""
    rng, layout = np.random.default_rng(seed + 50), compiled.layout
    q = moved(compiled, compiled.q0, rng.uniform(-0.2, 0.2, layout.n_v))
    v, ws = rng.uniform(-1.0, 1.0, layout.n_v), workspace(compiled.system)
    ws.angle[:] = fill(compiled, ws, T, q, v)[0]
    M = mass_matrix(compiled)
    if compiled.n_rows:
        D, held = dense_D(compiled, ws), compiled.system.rows["level"] < 2
        v -= np.linalg.lstsq(D[held], D[held] @ v - ws.nu[held], rcond=1e-10)[0]
    y, y_dot = layout.y(q, v, compiled.z0), np.zeros(layout.n_y)
    entries.derive(linked(compiled.system, ws), T, y, y_dot, flag=EVERYTHING)
    kinetic = v @ M @ layout.parts(y_dot)[1]
    z, z_dot = compiled.z0, layout.parts(y_dot)[2]
    stored = slope(lambda h: potential(compiled, moved(compiled, q, h * v), v, z + h * z_dot))
    powers = layout.work(y_dot)
    size = abs(kinetic) + np.abs(powers).sum() + abs(potential(compiled, q, v, z))
    return kinetic + stored, powers, 1e-9 * (1.0 + size)  # rounding of V, divided by 1e-3 s


def potential(compiled: Compiled, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> float:
    """V of one pose, from its channel."""
    results, one = Results(compiled), np.zeros(1)
    lam = np.zeros((1, compiled.n_rows))
    results.append(Block(one, q[None], v[None], v[None], lam, one, one, one, z=z[None]))
    return float(results["potential_energy"][0])


@pytest.mark.parametrize("model", [*FORCED, *JOINED, *DRIVEN])
def test_energy_changes_by_the_power_of_what_is_not_stored(model: Model):
    compiled = compile_model(model)
    gained, powers, rounding = exchange(compiled)
    assert gained == pytest.approx(powers.sum(), abs=rounding)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("kind", [SERIES, "everything"])
def test_laws_of_markers_with_states_do_work_by_their_power(kind, dim):
    model = joint_model(JOINT_CASES[0][0], dim, 3)
    gained, powers, rounding = exchange(acting(model, sample(kind, "a2", "b2")))
    assert len(powers) == 1 and abs(powers[0]) > 1e-3
    assert gained == pytest.approx(powers[0], abs=rounding)


@pytest.mark.parametrize("orientation", ["1-2-3", "3-1-3"])
def test_euler_angles_change_no_power(orientation):
    model = force_model(next(f for f, d in FORCE_CASES if f.kind == "general_force"), 3, 2)
    model = replace(model, settings=replace(model.settings, orientation=orientation))
    gained, powers, rounding = exchange(compile_model(model))
    assert abs(gained) > 1e-2
    assert gained == pytest.approx(powers.sum(), abs=rounding)


def test_only_what_exchanges_energy_does_work():
    of = {force.kind: force for force, _ in FORCE_CASES}
    for kind, changes, works in (
        ("spring", {}, False),
        ("spring", {"spring_curve": "40*x^3"}, False),
        ("damper", {}, True),
        ("spring_damper", {"damping": 0.0}, False),
        ("bushing", {"c_x": 0.0, "c_y": 0.0, "turn_c_z": 0.0}, False),
        ("general_force", {}, True),
        ("air_drag", {}, True),
    ):
        ids = compile_model(force_model(of[kind], 2, **changes)).work_ids
        assert ids == (("force",) if works else ()), kind


@pytest.mark.parametrize("acts, sign", [("tension", 1.0), ("compression", -1.0)])
def test_the_store_of_a_law_that_bends_is_exact(acts, sign):
    of = {force.kind: force for force, _ in FORCE_CASES}
    changes = {"stiffness": 50.0, "free_length": 1.0, "preload": -5.0 * sign, "acts": acts}
    compiled = compile_model(force_model(of["spring"], 2, **changes))
    x = 1.0 + sign * np.array([-0.3, 0.02, 0.0999, 0.1234, 0.7])
    beyond = np.maximum(sign * (x - 1.0) - 0.1, 0.0)  # it pulls only after 5 N / (50 N/m)
    found = stored_energy(compiled.system.laws[0], compiled.system.functions, x)
    np.testing.assert_allclose(found, 25.0 * beyond**2, rtol=0, atol=1e-12)  # rounding of 9 J
