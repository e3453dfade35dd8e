"""What single kinds of forces do: ropes, buffers, stops, loads, motors, tables and expressions."""

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.evaluate import equations
from engine.model.elements import Parameter, put, remove
from engine.model.forces import Actuator, PointForce, SpringDamper
from engine.model.joints import Prismatic
from tests.engine.catalogue import bodies_and_markers, force_model
from tests.engine.force_states import (
    DIFFERENCE,
    FORCE_OF,
    State,
    T,
    along,
    angle,
    force_of,
    frames,
    gradient,
    random_state,
)
from tests.engine.poses import body_pose, marker_pose, moved

LOADS = ("force", "torque")
LINE = ((-2.0, -10.0), (0.0, 0.0), (2.0, 10.0))
IN_BOTH = pytest.mark.parametrize("dim", (2, 3))


def pulled(model, x, rate=0.0):
    """The tension of a spring drawn with its ends a distance x apart, separating at a rate."""
    compiled = compile_model(model)
    q, v = np.zeros_like(compiled.q0), np.zeros_like(compiled.v0)
    q[0], v[0] = x, rate
    return -(equations(compiled, 0.0, q, v).f - compiled.system.weight)[0]


def line_model(**fields):
    """A particle on a spring and damper from the origin along x."""
    m = Mechanism("line", gravity=(0, 0))
    bob = m.particle((1, 0))
    m.spring_damper(("ground", (0, 0)), (bob, (1, 0)), id="force", **fields)
    return m.model


@pytest.mark.parametrize(
    ("acts", "x", "rate", "tension"),
    [
        ("both", 1.5, 0.0, 50.0),
        ("both", 0.5, 0.0, -50.0),
        ("tension", 1.5, 0.0, 50.0),
        ("tension", 0.5, 0.0, 0.0),
        ("tension", 0.5, 9.0, 0.0),  # slack, whatever its rate
        ("tension", 1.5, -90.0, 0.0),  # the damper would push: the rope goes slack instead
        ("compression", 1.5, 0.0, 0.0),
        ("compression", 0.5, 0.0, -50.0),
        ("compression", 0.5, 90.0, 0.0),
        ("compression", 0.5, -1.0, -51.0),
    ],
)
def test_a_rope_only_pulls_and_a_buffer_only_pushes(acts, x, rate, tension):
    model = line_model(stiffness=100.0, damping=1.0, free_length=1.0, acts=acts)
    assert pulled(model, x, rate) == pytest.approx(tension, abs=1e-12)  # a few exact operations


@pytest.mark.parametrize(
    ("angle_", "rate", "moment"),
    [
        (0.0, 5.0, 0.0),
        (0.199, -5.0, 0.0),
        (0.2, 5.0, 0.0),
        (0.25, 0.0, -5.0),
        (-0.35, 0.0, 5.0),
        (0.25, 1.0, -7.0),  # full damping beyond the depth
        (0.25, -1.0, -3.0),
        (0.25, -9.0, 0.0),  # a stop never pulls
        (0.21, 1.0, -(1.0 + 2.0 * 0.5)),  # half way to full damping
    ],
)
def test_stops_are_silent_inside_and_push_back_outside(angle_, rate, moment):
    m = Mechanism("stop", gravity=(0, 0))
    arm = m.body((0, 0), mass=1.0, inertia=1.0, center=(0, 0))
    pin = m.revolute("ground", arm, at=(0, 0))
    m.joint_limits(pin, -0.3, 0.2, stiffness=100.0, damping=2.0, depth=0.02, id="stop")
    compiled = compile_model(m.model)
    e = equations(compiled, 0.0, np.array([0, 0, angle_]), np.array([0, 0, rate]))
    assert e.f[2] == pytest.approx(moment, abs=1e-11)  # rounding of 100 times an angle


@IN_BOTH
@pytest.mark.parametrize("axes", ("world", "body"))
@pytest.mark.parametrize("kind", LOADS)
def test_given_loads_act_at_their_point_in_their_axes(kind, axes, dim):
    letters = "xyz"[:dim] if kind == "force" else "xyz"[3 - (1 if dim == 2 else 3) :]
    values = dict(zip(letters, (1.3, -0.4, 2.2)))
    fields = {f"{kind[0]}_{c}": f"{value} + 0.5*t" for c, value in values.items()}
    model = force_model(
        FORCE_OF[kind], dim, 3, **{"f_x": 0.0, "f_y": 0.0} if kind == "force" else {}
    )
    model = put(
        remove(model, "force"), FORCE_OF[kind](id="force", marker_i="a1", axes=axes, **fields)
    )
    compiled = compile_model(model)
    rng = np.random.default_rng(5)
    q = moved(compiled, compiled.q0, rng.uniform(-0.2, 0.2, size=len(compiled.v0)))
    Q = force_of(model, T, q, compiled.v0)
    body, marker = body_pose(compiled, q, "a"), marker_pose(compiled, q, "a1")
    given = np.array([values.get(c, -0.5 * T) + 0.5 * T for c in "xyz"])
    world = body.axes @ given if axes == "body" else given
    F, M = (world, np.cross(marker.P - body.P, world)) if kind == "force" else (0 * world, world)
    expected = [*F[:2], M[2]] if dim == 2 else [*F, *(body.axes.T @ M)]
    own = compiled.layout.v(0)
    np.testing.assert_allclose(Q[own], expected, rtol=0, atol=1e-13)  # rounding of order one
    assert not Q[own.stop :].any()  # the ground takes the opposite


@IN_BOTH
def test_loads_and_laws_on_the_ground_alone_do_nothing_to_the_bodies(dim):
    model = bodies_and_markers(np.random.default_rng(0), dim)
    on_ground = SpringDamper(id="force", marker_i="g1", marker_j="g2", free_length=0.1)
    load = PointForce(id="load", marker_i="g1", f_x=5.0)
    compiled = compile_model(put(model, on_ground, load))
    e = equations(compiled, 0.0, compiled.q0, np.zeros_like(compiled.v0))
    np.testing.assert_array_equal(e.f, compiled.system.weight)


@pytest.mark.parametrize(
    ("fields", "same"),
    [
        ({"spring_curve": LINE}, {"spring_curve": "5*x"}),
        ({"spring_curve": LINE}, {"stiffness": 5.0}),
        ({"damper_curve": LINE}, {"damper_curve": "5*v"}),
        ({"damper_curve": LINE}, {"damping": 5.0}),
        ({"spring_curve": "k*x^2"}, {"spring_curve": "3*x*abs(x)"}),
    ],
)
def test_tables_expressions_and_numbers_say_the_same(fields, same):
    plain = {"stiffness": 0.0, "damping": 0.0, "free_length": 1.0}
    k = Parameter(id="k", value=3.0)
    first, second = (put(line_model(**{**plain, **f}), k) for f in (fields, same))
    for x, rate in ((1.0, 0.5), (1.4, -0.7), (2.7, 1.9)):
        assert pulled(first, x, rate) == pytest.approx(pulled(second, x, rate), abs=1e-13)
    assert pulled(first, 1.4, 1.0) != 0.0


def test_a_table_over_time_is_the_cubic_it_was_taken_from():
    times = np.linspace(0.0, 1.0, 6)
    table = tuple((float(t), float(2 * t**3 - t)) for t in times)
    model = force_model(PointForce, 2, f_x=table, f_y="2*t^3 - t", axes="world")
    compiled = compile_model(model)
    for t in (0.0, 0.13, 0.77, 1.0):
        Q = force_of(model, t, compiled.q0, compiled.v0)
        assert Q[0] == pytest.approx(Q[1], abs=1e-14)  # a spline of a cubic is the cubic
        assert Q[1] == pytest.approx(2 * t**3 - t, abs=1e-14)


@IN_BOTH
def test_an_actuator_on_a_slider_reads_distance_and_rate(dim):
    rng = np.random.default_rng(2)
    model = put(
        bodies_and_markers(rng, dim),
        Prismatic(id="joint", marker_i="a1", marker_j="b1"),
        Actuator(id="force", joint="joint", law="7*distance - 3*rate + t + 100*angle*speed*0"),
    )
    compiled = compile_model(model)
    coordinate = along(0 if dim == 2 else 2)
    state = State(compiled, compiled.q0, compiled.v0, force_of(model, T, compiled.q0, compiled.v0))
    g = gradient(state, coordinate)
    x, rate = coordinate(compiled, compiled.q0), g @ compiled.v0
    np.testing.assert_allclose(state.Q, g * (7 * x - 3 * rate + T), rtol=0, atol=DIFFERENCE)


def test_a_general_torque_turns_marker_j_forwards():
    state = random_state(FORCE_OF["general_force"], 3, 1, acts="torque", law="2 + 0*distance")
    layout = state.compiled.layout
    i, _ = frames(state.compiled, state.q)
    assert not state.Q[layout.velocities].any()  # a torque moves no mass centre by itself
    g = gradient(state, angle)
    np.testing.assert_allclose(state.Q, 2.0 * g, rtol=0, atol=DIFFERENCE)
    turn = body_pose(state.compiled, state.q, "b").axes @ state.Q[layout.spin(1)]
    assert turn @ i.axes[:, 2] > 0.0


def test_a_damper_follows_the_rate_of_its_length_not_the_speed():
    model = line_model(stiffness=0.0, damping=3.0)
    compiled = compile_model(model)
    across = equations(compiled, 0.0, np.array([1.0, 0, 0]), np.array([0.0, 5.0, 0])).f
    np.testing.assert_array_equal(across, 0.0)  # it turns, its length stays
    assert pulled(model, 1.0, -2.0) == pytest.approx(-6.0, abs=1e-13)


@IN_BOTH
def test_a_spring_of_no_length_has_no_direction_and_no_force(dim):
    m = Mechanism("nothing apart", dim)
    origin = (0.0, 0.0, 0.0)[:dim]
    bob = m.particle(origin)
    m.spring_damper(("ground", origin), (bob, origin), free_length=0.5)
    compiled = compile_model(m.model)
    e = equations(compiled, 0.0, compiled.q0, compiled.v0)
    np.testing.assert_array_equal(e.f, compiled.system.weight)
