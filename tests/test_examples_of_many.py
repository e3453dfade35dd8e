"""Examples of many bodies that touch each other."""

import numpy as np
import pytest

from tests.example_runs import ran


def test_dominoes_fall_one_after_the_other_in_a_wave_of_steady_speed():
    results = ran("dominoes")
    told = {event.sentence.split(" touch")[0]: event.t for event in results.events}
    times = [told[f"domino_{k} and domino_{k + 1}"] for k in range(1, 8)]
    between = np.diff(times)
    assert told["ball and domino_1"] < times[0] and (between > 0.0).all()
    # the last ones have the same fall before them, and are pushed by ever more of those behind
    np.testing.assert_allclose(between[-3:], between[-1], rtol=0.02)
    for k in range(1, 8):  # each leans on the next one, on the floor at its foot
        assert -90.0 < np.degrees(results[f"domino_{k}.angle"][-1]) < -60.0
    assert np.degrees(results["domino_8.angle"][-1]) == pytest.approx(-90.0, abs=0.5)  # it lies
    assert results["touching.depth"].max() < 1e-3  # nothing passes through anything


def test_discs_in_a_box_come_to_rest_on_each_other():
    results = ran("discs_in_a_box")
    x, y = (np.column_stack([results[f"disc_{k}.{c}"] for k in range(1, 13)]) for c in "xy")
    assert y.min() > 0.05 - 0.005 and np.abs(x).max() < 0.18 - 0.05 + 0.005  # in the box
    apart = np.hypot(x[-1][:, None] - x[-1], y[-1][:, None] - y[-1])[np.triu_indices(12, 1)]
    assert apart.min() > 0.1 - 0.005  # two of 0.05 m, pressed by the weight of some
    assert results["kinetic_energy"][-1] < 1e-3 * results["kinetic_energy"].max()
    assert results["touching.touching"][-1] >= 12  # each rests on something
