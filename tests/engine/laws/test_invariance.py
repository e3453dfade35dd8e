"""What must not matter does not: place, direction, order, names, sides, dimension, parameters."""

from dataclasses import fields, replace
from types import MappingProxyType

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations
from engine.model.elements import GROUND, Model, put
from engine.model.joints.typed import TypedConstraint, with_elements
from engine.running.simulate import run
from rotations import SEQUENCES, quaternion
from tests.engine.catalogue import (
    FORCE_CASES,
    JOINT_CASES,
    MOTION_CASES,
    force_model,
    joint_model,
    motion_model,
)
from tests.engine.poses import about_z, body_pose
from tests.validation import models

ROUNDING = 1e-10  # of S with a condition of about 1e4 at random poses


FROM_POINTS = {  # coordinates as seen from points of the model: a formula in world axes stays where it is
    2: "g1.a1.x*sin(g1.b1.angle) - 0.3*a1.b1.distance*g2.c1.x + 0.1*t*g1.b1.y + g1.c1.direction",
    3: "g1.a1.x*g1.b1.y - 0.3*a1.b1.distance*g2.c1.x + a1.b1.zx*g1.c2.z + 0.1*t*g1.b1.z",
}


def _drawn(joint: type, dim: int, on_ground: bool = False) -> Model:
    """A joint between random bodies; a typed one holds between points."""
    model = joint_model(joint, dim, 3, on_ground)
    if joint is TypedConstraint:
        return put(model, replace(model["joint"], formula=FROM_POINTS[dim]))
    return model


def _catalogue():
    """Every element between random bodies, in plane and space."""
    in_body_axes = {
        "force": {"axes": "body"},
        "torque": {"axes": "body"},
        "air_drag": {"wind_x": 0.0, "wind_y": 0.0},  # the wind is given in world axes
    }
    for joint, dim in JOINT_CASES:
        yield f"{joint.kind}-{dim}d", lambda j=joint, d=dim: _drawn(j, d)
        yield f"{joint.kind}-{dim}d-ground", lambda j=joint, d=dim: _drawn(j, d, True)
    for kind, coordinate, dim in MOTION_CASES:
        yield (
            f"motion-{kind}-{coordinate}-{dim}d",
            lambda k=kind, c=coordinate, d=dim: motion_model(k, c, d, "position", 3),
        )
    for force, dim in FORCE_CASES:
        changes = in_body_axes.get(force.kind, {})
        yield (
            f"{force.kind}-{dim}d",
            lambda f=force, d=dim, c=changes: force_model(f, d, 3, **c),
        )


EVERYTHING = [pytest.param(draw, id=name) for name, draw in _catalogue()]


def displaced(model: Model, R: np.ndarray, shift: np.ndarray) -> Model:
    """The whole model turned by R and shifted, gravity turned along."""
    dim = model.dim

    def turned(vector, by=0.0):
        return tuple((R @ np.array([*vector, 0.0][:3]) + by)[:dim])

    angle = float(np.arctan2(R[1, 0], R[0, 0]))
    new = {}
    for id, e in model.elements.items():
        if e.family == "body" or (e.family == "marker" and e.body == GROUND):
            changes = {"position": turned(e.position, shift)}
            if e.family == "body":
                changes["velocity"] = turned(e.velocity)
            if dim == 2:
                changes["angle"] = e.angle + angle
            else:
                unit = quaternion.product(quaternion.from_matrix(R), np.array(e.orientation))
                changes["orientation"] = tuple(unit)
            e = replace(e, **changes)
        new[id] = e
    return replace(model, elements=MappingProxyType(new), gravity=turned(model.gravity))


@pytest.mark.parametrize("draw", EVERYTHING)
def test_shifting_and_turning_the_whole_model_changes_nothing(draw):
    model = draw()
    dim = model.dim
    R = about_z(0.8) if dim == 2 else quaternion.matrix(np.array([0.5, 0.1, -0.7, 0.5]))
    shift = np.array([3.0, -2.0, 0.0 if dim == 2 else 5.0])
    first, second = (compile_model(m) for m in (model, displaced(model, R, shift)))
    e, f = (equations(c, 0.4, c.q0, c.v0) for c in (first, second))
    shifts, turns = first.layout.velocities, first.layout.spins
    for here, there in ((e.a, f.a), (-e.D.T @ e.lam, -f.D.T @ f.lam), (e.f, f.f)):
        scale = 1.0 + np.abs(here).max()
        moved = here[shifts] @ R[:dim, :dim].T
        np.testing.assert_allclose(there[shifts], moved, rtol=0, atol=ROUNDING * scale)
        np.testing.assert_allclose(there[turns], here[turns], rtol=0, atol=ROUNDING * scale)


def renamed_and_shuffled(model: Model, seed: int) -> tuple[Model, dict[str, str]]:
    """The same model under other ids in another order, and the new id of each old one."""
    rng = np.random.default_rng(seed)
    ids = list(model.elements)
    new_id = {old: f"e{n}" for old, n in zip(ids, rng.permutation(len(ids)))} | {GROUND: GROUND}
    new = {}
    for old in rng.permutation(ids):
        e = model[str(old)]
        roles = {f.name: f.metadata.get("role") for f in fields(e)}
        refs = {n: new_id[getattr(e, n)] for n, r in roles.items() if r == "ref" and getattr(e, n)}
        typed = {
            n: with_elements(getattr(e, n), new_id) for n, r in roles.items() if r == "formula"
        }
        new[new_id[e.id]] = replace(e, id=new_id[e.id], **refs, **typed)
    return replace(model, elements=MappingProxyType(new)), new_id


@pytest.mark.parametrize("draw", EVERYTHING)
def test_order_and_names_change_nothing(draw):
    model = draw()
    first = compile_model(model)
    shuffled, new_id = renamed_and_shuffled(model, 1)
    second = compile_model(shuffled)
    order = [second.body_ids.index(new_id[id]) for id in first.body_ids]
    q, v = np.empty_like(first.q0), np.empty_like(first.v0)
    in_q, in_v = second.layout.q_of(order), second.layout.v_of(order)
    q[in_q], v[in_v] = first.q0, first.v0
    e = equations(first, 0.4, first.q0, first.v0)
    f = equations(second, 0.4, q, v)
    scale = 1.0 + np.abs(e.a).max() + np.abs(e.lam).max(initial=0.0)
    np.testing.assert_allclose(f.a[in_v], e.a, rtol=0, atol=ROUNDING * scale)
    for id, rows in first.rows_of.items():
        same = second.rows_of[new_id[id]]
        np.testing.assert_allclose(f.lam[same], e.lam[rows], rtol=0, atol=ROUNDING * scale)


SYMMETRIC = [
    (joint, dim)
    for joint, dim in JOINT_CASES
    if joint.kind
    in ("revolute", "prismatic", "weld", "rod", "spherical", "cylindrical", "planar", "screw")
]


@pytest.mark.parametrize(("joint", "dim"), SYMMETRIC)
def test_exchanging_the_sides_of_a_symmetric_joint_changes_no_motion(joint, dim):
    model = joint_model(joint, dim, 3)
    j = model["joint"]
    other = replace(j, marker_i=j.marker_j, marker_j=j.marker_i)
    first = compile_model(model)
    exchanged = {**model.elements, "joint": other}
    second = compile_model(replace(model, elements=MappingProxyType(exchanged)))
    start = assemble(first)
    e, f = (equations(c, 0.0, start.q, start.v) for c in (first, second))
    scale = 1.0 + np.abs(e.a).max() + np.abs(e.lam).max()
    np.testing.assert_allclose(f.a, e.a, rtol=0, atol=ROUNDING * scale)
    np.testing.assert_allclose(f.D.T @ f.lam, e.D.T @ e.lam, rtol=0, atol=ROUNDING * scale)
    if joint.kind in ("revolute", "weld", "spherical"):
        points = first.rows_of["joint"][:dim]
        np.testing.assert_allclose(f.lam[points], -e.lam[points], rtol=0, atol=ROUNDING * scale)


def double_pendulum(dim):
    """Two rods that fall from an angle."""
    m = Mechanism("double pendulum", dim, gravity=(0.0, -9.81, 0.0)[:dim])
    about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
    before, start = "ground", np.zeros(2)
    for id, pin, angle in (("first", "A", -0.4), ("second", "B", 0.9)):
        end = start + models.polar(1.0, angle)
        models.thin_rod(m, (*start, 0.0)[:dim], (*end, 0.0)[:dim], 2.0, id=id)
        m.revolute(before, id, at=(*start, 0.0)[:dim], id=pin, **about_z)
        before, start = id, end
    return m


def four_bar(dim):
    """A falling four-bar; in space with redundant hinges."""
    return models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, dim)


def sprung_slider_crank(dim):
    """A slider-crank with a spring, a damper, a torsion spring and a motor torque."""
    m = models.slider_crank(0.5, 1.5, 0.7, dim)
    slider = (*m.model["slider"].position, 0.0)[:dim]
    wall = ("ground", (3.0, 0.4, 0.0)[:dim])
    m.spring_damper(wall, ("slider", slider), stiffness=80.0, damping=3.0, free_length=0.8)
    m.torsion_spring("A", 4.0, damping=0.1, free_angle=0.2)
    m.actuator("A", "2*sin(3*t) - 0.2*speed")
    return m


def driven_four_bar(dim):
    """A four-bar whose crank turns by a motion."""
    m = four_bar(dim)
    m.motion("A", "2*t + 0.1*sin(5*t)", id="drive")
    return m


@pytest.mark.parametrize("draw", (double_pendulum, four_bar, sprung_slider_crank, driven_four_bar))
def test_a_planar_mechanism_moves_in_space_as_in_the_plane(draw):
    flat, solid = (run(draw(dim).model, t_end=1.0, step=5e-4) for dim in (2, 3))
    # Both have the errors of RK4 at this step, near 1e-11, with different constants
    near = {"rtol": 0, "atol": 1e-8}
    for body in flat.compiled.body_ids:
        for c in ("x", "y"):
            np.testing.assert_allclose(solid[f"{body}.{c}"], flat[f"{body}.{c}"], **near)
        np.testing.assert_allclose(solid[f"{body}.z"], 0.0, **near)
        spins = [
            r.v[:, r.compiled.layout.spin(r.compiled.body_ids.index(body))] for r in (solid, flat)
        ]
        np.testing.assert_allclose(spins[0][:, 2], spins[1][:, 0], **near)
    for joint in flat.model.of("joint"):
        for c in ("x", "y"):
            name = f"{joint.id}.force_{c}"
            np.testing.assert_allclose(
                solid[name], flat[name], rtol=0, atol=1e-6
            )  # times stiffness
    if "drive" in flat.model:
        np.testing.assert_allclose(solid["drive.drive"], flat["drive.drive"], rtol=0, atol=1e-6)


def tilted_chain(orientation):
    """A body on a ball joint and one on a cross below it, in axes far from every gimbal lock."""
    m = Mechanism("tilted chain", 3, gravity=(0, 0, -3))  # slowly: it swings by half a radian
    m.settings(orientation=orientation)
    turn = 70 * np.pi / 180  # about the space diagonal: no entry of R is above 0.77
    tilt = (np.cos(turn / 2), *(np.sin(turn / 2) / np.sqrt(3) * np.ones(3)))
    lopsided = {"mass": 1.0, "inertia": (0.1, 0.14, 0.2, 0.01, 0.02, -0.01), "orientation": tilt}
    m.body(
        (0, 0, 0),
        id="upper",
        center=(0.1, 0.1, -0.5),
        angular_velocity=(0.3, 0.2, -0.2),
        **lopsided,
    )
    m.body((0.1, 0.2, -1), id="lower", center=(0.0, 0.1, -0.4), **lopsided)
    m.spherical("ground", "upper", at=(0, 0.2, 0.1), id="ball")
    m.universal(
        "upper", "lower", at=(0, 0.3, -0.8), axis_i=(0, 0, 1), axis_j=(0.1, 0, 1), id="cross"
    )
    return m.model


@pytest.fixture(scope="module")
def by_quaternions():
    """The tilted chain on quaternions."""
    return run(tilted_chain("quaternion"), t_end=1.0, step=5e-4)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_every_euler_sequence_moves_as_quaternions_do(sequence, by_quaternions):
    results = run(tilted_chain(sequence), t_end=1.0, step=5e-4)
    assert results.ending.reason == "done"
    assert results.lock.min() > 0.1  # the comparison stays away from the lock
    # RK4 at this step errs by about 1e-11, nearer to the lock by 1/s^5 more
    near = {"rtol": 0, "atol": 1e-7}
    for k in (-1, 50):
        for id in ("upper", "lower"):
            here = body_pose(results.compiled, results.q[k], id)
            there = body_pose(by_quaternions.compiled, by_quaternions.q[k], id)
            np.testing.assert_allclose(here.P, there.P, **near)
            np.testing.assert_allclose(here.axes, there.axes, **near)
    np.testing.assert_allclose(results.v, by_quaternions.v, **near)
    np.testing.assert_allclose(results.lam, by_quaternions.lam, rtol=0, atol=1e-6)
