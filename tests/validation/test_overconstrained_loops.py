"""Loops that move only because of their special dimensions: redundant in every pose."""

from dataclasses import replace

import numpy as np

from bench.loops import orthogonal_bricard
from engine.compiling.system import compile_model
from engine.kinematics.mobility import mobility
from engine.running.simulate import run
from tests.example_runs import ran


def test_counting_calls_the_bricard_loop_rigid_but_it_moves():
    found = mobility(compile_model(orthogonal_bricard()))
    assert (found.gruebler, found.dof, found.redundant) == (0, 1, 1)
    assert len(found.sentences) == 1


def drifts(step: float) -> np.ndarray:
    """The energy drifts of twenty runs whose starts differ by 1e-9, relative to the kinetic energy.

    On the way, as at 3.22 s, the share of some hinge in the redundancy passes through zero.
    """
    compiled = compile_model(orthogonal_bricard())
    found = []
    for seed in range(20):
        nudge = 1e-9 * np.random.default_rng(seed).standard_normal(compiled.v0.size)
        start = replace(compiled, v0=compiled.v0 + nudge)
        results = run(start, method="rk4", t_end=3.5, step=step, output_step=0.05)
        assert results.ending.reason == "done"
        assert results["constraint_violation"].max() < 1e-14  # rounding of lengths of 1 m
        found.append(np.abs(results["energy_drift"]).max() / results["kinetic_energy"].max())
    return np.array(found)


def test_the_bricard_loop_keeps_its_energy_to_fourth_order_from_every_start():
    # Projecting with dropped rows makes 2 to 7 of 20 runs drift by up to 1e-4, whatever the step.
    coarse, middle, fine = drifts(2e-3), drifts(1e-3), drifts(5e-4)
    for found in (coarse, middle, fine):
        # rounding in 7000 steps, beside the smallest drift of 5e-10
        assert np.ptp(found) < 1e-4 * found.min()
    assert fine.max() < 5.5e-10  # the error of RK4, 10 % above what was measured
    # the order of RK4; the next term of the error is 15 % at 2 ms
    np.testing.assert_allclose(np.log2(coarse / middle), 4.0, atol=0.25)
    np.testing.assert_allclose(np.log2(middle / fine), 4.0, atol=0.05)


def test_the_bricard_loop_keeps_its_energy_for_a_long_time():
    results = run(orthogonal_bricard(), t_end=10.0, step=1e-3, output_step=0.01, method="rk4")
    drift = np.abs(results["energy_drift"]).max() / results["kinetic_energy"].max()
    assert drift < 1e-8  # measured: 7.8e-9, the error of RK4


def test_no_number_of_a_redundant_loop_fades_away():
    # Each step leaves a small part of what should be zero; below 1e-308 arithmetic becomes slow.
    results = ran("spatial_four_bar")
    state = np.abs(np.concatenate([results.q, results.v], axis=1))
    assert state[state > 0.0].min() > 1e-100


def test_the_reactions_of_redundant_joints_are_marked_as_not_unique():
    results = run(orthogonal_bricard(), t_end=0.1)
    assert results.not_unique
    marked = next(iter(sorted(results.not_unique)))
    assert "not unique" in results.channel(f"{marked}.force_x").label
