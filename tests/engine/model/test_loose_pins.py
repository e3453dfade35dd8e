"""Pins with clearance: a point in a hole, with the law of a contact."""

from dataclasses import replace

import numpy as np
import pytest

from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from engine.kinematics.mobility import mobility
from engine.model.elements import put
from engine.running.simulate import run

G = 9.81


def hanging(clearance, dim=2, **fields):
    """A rod of 1 kg whose upper end hangs on a pin of the ground."""
    m = Mechanism("hanging", dim)
    m.rod((0.0, 0.0), (0.0, -0.4), mass=1.0, id="rod")
    m.revolute("ground", "rod", (0.0, 0.0), id="pin", clearance=clearance, **fields)
    return m.model


def test_a_loose_pin_removes_no_degree_of_freedom():
    for clearance, dof in ((0.0, 1), (1e-3, 3)):
        compiled = compile_model(hanging(clearance))
        assert mobility(compiled, assemble(compiled).q).dof == dof


def test_a_pin_crosses_its_clearance_and_bounces_with_its_restitution():
    model = replace(hanging(1e-2, restitution=0.6), gravity=(0.0, 0.0))
    model = put(model, replace(model["rod"], velocity=(0.0, -0.5)))
    results = run(model, method="dop853", tolerance=1e-10, t_end=0.04, output_step=1e-4)
    assert results.events[0].t == pytest.approx(0.02, abs=1e-9)
    assert "'pin' touch" in results.events[0].sentence
    assert results["rod.vy"][-1] == pytest.approx(0.6 * 0.5, abs=1e-6)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-9)


def test_a_pin_at_rest_carries_the_weight_at_the_rim_of_its_hole():
    results = run(hanging(1e-3, restitution=0.1), method="dop853", t_end=1.5)
    assert results["pin.normal_force"][-1] == pytest.approx(G, rel=1e-5)
    assert results["pin.force_y"][-1] == pytest.approx(G, rel=1e-5)
    assert results["pin.pressed"][-1] == 1.0
    assert results["rod.y"][-1] == pytest.approx(-0.2 - 1e-3, abs=1e-5)
    assert "pin.lam_1" not in [channel.name for channel in results.channels()]


def test_a_clearance_is_checked_and_exists_in_the_plane():
    assert "must" in problems(hanging(-1e-3))[0].sentence
    m = Mechanism("space", 3)
    m.box((0, 0, 0), 0.1, 0.1, 0.1, id="box")
    m.revolute("ground", "box", (0, 0, 0), id="hinge")
    loose = put(m.model, replace(m.model["hinge"], clearance=1e-3))
    assert "in the plane only" in problems(loose)[0].sentence
    assert hanging(0.0)["pin"].idle_fields() == ("restitution",)
