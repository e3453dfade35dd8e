"""Velocities at the start: what is typed holds, what is empty costs least energy."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import null_space

from engine.compiling.system import compile_model, workspace
from engine.editing.builder import Mechanism
from engine.editing.edits import at_state
from engine.kernels.layout import ACCELERATION
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations, fill
from engine.kinematics.speeds import start_speeds, wishes
from engine.model.elements import put
from engine.model.joints.freedom import freedom
from engine.running.simulate import run
from tests.engine.catalogue import JOINT_CASES, joint_model

EXACT = 1e-10  # rounding of a few small least-squares problems with speeds of about one


def pinned_rod(**start):
    """A rod of one metre on a pin at its left end."""
    m = Mechanism("rod")
    rod = m.rod((0, 0), (1, 0), mass=1.0, **start)
    m.revolute("ground", rod, at=(0, 0))
    return m.model


def test_a_typed_spin_is_the_spin_that_runs():
    start = assemble(compile_model(pinned_rod(spin=5.0)))
    assert start.v == pytest.approx([0.0, 2.5, 5.0], abs=EXACT)
    assert start.unkept == ()


def test_zero_is_typed_and_a_contradiction_is_told_with_both_values():
    start = assemble(compile_model(pinned_rod(spin=5.0, velocity=(0.0, 0.0))))
    told = {one.field: one for one in start.unkept}
    assert set(told) == {"spin", "velocity"}
    assert told["spin"].runs == pytest.approx([start.v[2]]) and 0.0 < start.v[2] < 5.0
    assert "'rod_1'" in told["spin"].sentence and "5 rad/s" in told["spin"].sentence
    assert f"{start.v[2]:.4g} rad/s" in told["spin"].sentence


def test_a_velocity_that_no_joint_allows_is_replaced_by_the_nearest():
    start = assemble(compile_model(pinned_rod(velocity=(3.0, 1.0))))
    assert start.v == pytest.approx([0.0, 1.0, 2.0], abs=EXACT)  # along the rod nothing can move
    assert [one.field for one in start.unkept] == ["velocity"]


def with_some_left_empty(model, rng):
    """The model with half of the velocities of its bodies left empty."""
    names = ("velocity", "spin", "angular_velocity")
    changed = []
    for body in model.of("body"):
        typed = [name for name in names if hasattr(body, name)]
        changed.append(replace(body, **{name: None for name in typed if rng.random() < 0.5}))
    return put(model, *changed)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("joint", "dim"), JOINT_CASES, ids=str)
def test_joints_hold_and_nothing_cheaper_keeps_what_is_typed(joint, dim, seed):
    rng = np.random.default_rng(seed)
    compiled = compile_model(with_some_left_empty(joint_model(joint, dim, seed), rng))
    q = compiled.q0
    found = start_speeds(compiled, 0.0, q)
    e = equations(compiled, 0.0, q, found.v)
    held = compiled.system.rows["level"] != ACCELERATION
    assert np.abs(e.D @ found.v - e.nu)[held].max(initial=0.0) < EXACT * 10
    if not found.unkept:  # M v, the gradient of the energy, has no part that is free to change
        rows = np.concatenate([e.D[held], *(wish.A for wish in wishes(compiled, q))])
        free = null_space(rows, rcond=1e-9)
        assert np.abs(free.T @ e.M @ found.v).max(initial=0.0) < EXACT * 10


def test_typed_velocities_of_a_run_are_kept_when_all_of_them_are_typed():
    rng = np.random.default_rng(3)
    m = Mechanism("chain")
    ids = [m.rod((n, 0), (n + 1, 0), mass=1.0) for n in range(3)]
    for n, (left, right) in enumerate(pairwise(["ground", *ids])):
        m.revolute(left, right, at=(n, 0))
    compiled = compile_model(m.model)
    D = equations(compiled, 0.0, compiled.q0, compiled.v0).D
    basis = null_space(D)
    v = basis @ rng.normal(size=basis.shape[1])
    after = at_state(m.model, compiled.q0, v)
    start = assemble(compile_model(after))
    assert start.v == pytest.approx(v, abs=EXACT) and start.unkept == ()
    assert all(after[id].velocity is not None for id in ids)


@pytest.mark.parametrize(("joint", "dim"), JOINT_CASES, ids=str)
def test_a_coordinate_that_is_free_has_a_start_rate_that_holds(joint, dim):
    model = joint_model(joint, dim, 1)
    typed = model["joint"]
    names = [n for n in typed.coordinates(model) if hasattr(typed, f"{n}_rate")]
    free = freedom(joint, dim)
    assert names or not typed.coordinates(model) or not free.is_straight, "give it start rates"
    bodies = [replace(b, velocity=None, **{_spin(dim): None}) for b in model.of("body")]
    for name in names:
        one = put(model, *bodies, replace(typed, **{f"{name}_rate": 0.7}))
        compiled = compile_model(one)
        found = start_speeds(compiled, 0.0, compiled.q0)
        rates = fill(compiled, workspace(compiled.system), 0.0, compiled.q0, found.v)[1]
        assert not found.unkept
        assert rates[compiled.coordinates["joint", name]] == pytest.approx(0.7, abs=EXACT)


def _spin(dim):
    return "spin" if dim == 2 else "angular_velocity"


def test_values_that_could_not_be_kept_stand_in_the_summary():
    results = run(pinned_rod(spin=5.0, velocity=(0.0, 0.0)), t_end=0.01)
    assert "angular velocity of 'rod_1' cannot be kept at the start" in results.summary()


def test_a_spin_that_a_slider_forbids_is_told_and_moves_nothing():
    m = Mechanism("slider")
    block = m.box((0.3, 0.2), 0.1, 0.1, mass=1.0, spin=0.5)
    m.prismatic("ground", block, at=(0.3, 0.2), axis=(2, 1))
    start = assemble(compile_model(m.model))
    assert start.v == pytest.approx([0.0, 0.0, 0.0], abs=EXACT)
    assert [one.field for one in start.unkept] == ["spin"]
