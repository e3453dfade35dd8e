"""Two joints beyond those of the tables: constant velocity, and a point on a circle."""

import numpy as np
import pytest
from scipy.linalg import null_space

from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations
from engine.model.joints import ConstantVelocity, PointOnCircle, Universal
from kardan import Mechanism
from tests.engine.catalogue import joint_model
from tests.engine.poses import body_pose, marker_pose


def twist_about_bisector(joint, seed):
    """How much (w_b - w_a) . (z_i + z_j) any free motion of a random closed pose may have."""
    compiled = compile_model(joint_model(joint, 3, seed))
    start = assemble(compiled)
    free = null_space(equations(compiled, 0.0, start.q, start.v).D)
    z = sum(marker_pose(compiled, start.q, id).axes[:, 2] for id in ("a1", "b1"))
    w_a, w_b = (
        body_pose(compiled, start.q, id).axes @ free.reshape(-1, 6, free.shape[1])[k, 3:]
        for k, id in enumerate(compiled.body_ids)
        if id in "ab"
    )
    return np.abs(z @ (w_b - w_a)).max()


@pytest.mark.parametrize("seed", range(5))
def test_shafts_of_a_constant_velocity_joint_turn_equally_fast_at_any_bend(seed):
    # rounding of unit vectors, amplified by a pose that assembly closed to 1e-12
    assert twist_about_bisector(ConstantVelocity, seed) < 1e-10


def test_shafts_of_a_universal_joint_do_not():
    assert max(twist_about_bisector(Universal, seed) for seed in range(5)) > 1e-2


@pytest.mark.parametrize("dim", (2, 3))
@pytest.mark.parametrize("radius", (0.0, -0.2))
def test_a_circle_without_a_radius_is_told_in_a_sentence(dim, radius):
    m = Mechanism("circle", dim)
    box = m.box((0.5, 0, 0)[:dim], 0.1, 0.1)
    m.point_on_circle(("ground", (0, 0, 0)[:dim]), (box, (0.5, 0, 0)[:dim]), radius=radius)
    assert any("radius" in problem.sentence for problem in problems(m.model))


def test_a_circle_in_space_lies_across_its_axis_and_goes_through_the_point():
    m = Mechanism("circle", 3)
    box = m.box((0.3, 0.0, 0.4), 0.1, 0.1)
    ring = m.point_on_circle(("ground", (0, 0, 0)), (box, (0.3, 0.0, 0.4)), axis=(0, 1, 0))
    compiled = compile_model(m.model)
    start = assemble(compiled)
    assert start.drawn_gap < 1e-15  # it is closed as drawn
    axes = marker_pose(compiled, start.q, m.model[ring].marker_i).axes
    np.testing.assert_allclose(axes[:, 2], (0, 1, 0), atol=1e-15)
    np.testing.assert_allclose(axes[:, 0], (0.6, 0, 0.8), atol=1e-15)
    assert isinstance(m.model[ring], PointOnCircle)
