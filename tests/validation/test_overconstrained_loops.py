"""Loops that move only because of their special dimensions: redundant in every pose."""

import numpy as np
import pytest

from bench.loops import orthogonal_bricard
from engine.compiling.system import compile_model
from engine.kinematics.mobility import mobility
from engine.running.simulate import run


def test_counting_calls_the_bricard_loop_rigid_but_it_moves():
    found = mobility(compile_model(orthogonal_bricard()))
    assert (found.gruebler, found.dof, found.redundant) == (0, 1, 1)
    assert len(found.sentences) == 1


@pytest.mark.parametrize(("step", "allowed"), [(1e-3, 1e-7), (5e-4, 1e-8)])
def test_the_bricard_loop_keeps_its_energy_through_poses_where_the_redundancy_changes_hands(
    step, allowed
):
    # The share of each hinge in the redundancy passes through zero on the way. Dropping one fixed row
    # loses 4 % of the energy there; measured with the proximal form: 8e-9 and 5e-10.
    results = run(orthogonal_bricard(), t_end=10.0, step=step, output_step=0.01)
    assert results.ending.reason == "done"
    assert np.abs(results["energy_drift"]).max() < allowed * results["kinetic_energy"].max()
    assert results["constraint_violation"].max() < 1e-11  # rounding, near nearly singular poses


def test_the_reactions_of_redundant_joints_are_marked_as_not_unique():
    results = run(orthogonal_bricard(), t_end=0.1)
    assert results.not_unique
    marked = next(iter(sorted(results.not_unique)))
    assert "not unique" in results.channel(f"{marked}.force_x").label
