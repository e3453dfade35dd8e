"""The arrows of given loads are what the engine applies."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.formulas.lenient import lenient
from engine.formulas.resolve import resolved
from engine.kinematics.evaluate import equations
from engine.model.elements import put
from gui.placing.plane.loads import force_vector, torque_value
from gui.placing.plane.placement import Placement
from gui.placing.plane.shadow import poses_as_drawn, shadow
from gui.placing.space.loads import force_in_space, torque_in_space
from gui.placing.space.placement import SpacePlacement

ROUNDING = 1e-12  # of the largest number: a rotation and a sum in another order
SKEW = (0.5, 0.7, -0.1, 0.5)  # a unit quaternion
TABLE = ((1.0, 0.0), (2.0, 5.0), (3.0, 1.0), (4.0, 0.0))


def tables():
    """Tables of two to six points over time whose spline stays moderate."""
    steps = st.lists(st.floats(0.2, 2.0), min_size=2, max_size=6)
    start = st.floats(-2.0, 2.0)

    def table(parts):
        first, gaps, seed = parts
        y = np.random.default_rng(seed).uniform(-10.0, 10.0, len(gaps))
        return tuple(zip((first + np.cumsum(gaps)).tolist(), y.tolist()))

    return st.tuples(start, steps, st.integers(0, 2**32 - 1)).map(table)


FUNCTIONS = st.one_of(
    st.floats(-10.0, 10.0), tables(), st.sampled_from(("c*sin(3*t)", "step(t,0,1,1,-2)", "c/2"))
)
TIMES = st.floats(-3.0, 12.0)  # before, within and after the tables


def applied(model, t):
    """The forces and torques of the engine on the only body, as v is laid out."""
    compiled = compile_model(model)
    return equations(compiled, t, compiled.q0, compiled.v0).f


def planar_model(axes, force, torque):
    """A turned box far from forces other than the given ones."""
    m = Mechanism(gravity=(0.0, 0.0))
    m.parameter("c", 2.5)
    box = m.box((0.3, -0.2), 0.4, 0.2, angle=0.7)
    push = m.force(box, (0.3, -0.2), force, axes=axes)
    turn = m.torque(box, torque)
    return m.model, push, turn


def spatial_model(axes, force, torque):
    """The same in space, turned about a skew axis."""
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    m.parameter("c", 2.5)
    box = m.box((0.3, -0.2, 0.1), 0.4, 0.2, 0.1)
    push = m.force(box, (0.3, -0.2, 0.1), force, axes=axes)
    turn = m.torque(box, torque, axes=axes)
    model = put(m.model, replace(m.model[box], orientation=SKEW))
    return model, push, turn


@pytest.mark.parametrize("axes", ["world", "body"])
@settings(max_examples=40, deadline=None)
@given(force=st.tuples(FUNCTIONS, FUNCTIONS), torque=FUNCTIONS, t=TIMES)
def test_the_arrow_in_the_plane_is_the_force_that_the_engine_applies(axes, force, torque, t):
    model, push, turn = planar_model(axes, force, torque)
    placement, f = Placement(resolved(model)), applied(model, t)
    close = {"rtol": 0.0, "atol": ROUNDING * max(1.0, float(np.abs(f).max()))}
    np.testing.assert_allclose(force_vector(placement, model[push], t), f[:2], **close)
    np.testing.assert_allclose(torque_value(placement, model[turn], t), f[2], **close)


@pytest.mark.parametrize("axes", ["world", "body"])
@settings(max_examples=40, deadline=None)
@given(force=st.tuples(*[FUNCTIONS] * 3), torque=st.tuples(*[FUNCTIONS] * 3), t=TIMES)
def test_the_arrow_in_space_is_the_force_that_the_engine_applies(axes, force, torque, t):
    model, push, turn = spatial_model(axes, force, torque)
    p, f = SpacePlacement(resolved(model)), applied(model, t)
    close = {"rtol": 0.0, "atol": ROUNDING * max(1.0, float(np.abs(f).max()))}
    np.testing.assert_allclose(force_in_space(p, model[push], t), f[:3], **close)
    in_body_axes = p.R[0].T @ torque_in_space(p, model[turn], t)
    np.testing.assert_allclose(in_body_axes, f[3:], **close)


def test_before_its_first_point_a_table_goes_on_straight():
    model, push, _ = planar_model("world", (TABLE, 0.0), 0.0)
    assert force_vector(Placement(resolved(model)), model[push], 0.0)[0] == pytest.approx(-13.5)


def test_a_function_that_is_not_usable_counts_as_zero_and_the_others_stay():
    model, push, turn = planar_model("world", ("1/0*t", 3.0), "nobody + 1")
    placement = Placement(lenient(model))
    assert force_vector(placement, model[push], 0.0) == (0.0, 3.0)
    assert torque_value(placement, model[turn], 0.0) == 0.0


def test_the_shadow_of_a_model_in_space_has_its_forces_in_numbers():
    model, push, _ = spatial_model("world", ("c", 0.0, "2*c"), (0.0, 0.0, 0.0))
    plain = resolved(model)
    placement = Placement(shadow(plain, poses_as_drawn(plain)))
    assert force_vector(placement, model[push]) == (2.5, 5.0)  # along x and z, as it is seen
