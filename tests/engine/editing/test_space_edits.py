"""Laws of edits on spatial models: copies, shifts, turns and restarts move alike; joints stay closed."""

from dataclasses import replace

import numpy as np
import pytest

import assets
from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import dumps, load, loads
from engine.formulas.resolve import resolved
from engine.kinematics.assemble import assemble
from engine.kinematics.mobility import mobility
from engine.model.elements import GROUND
from engine.running.simulate import run
from rotations import axis_angle
from tests.engine.space_models import everything_in_space, spatial_four_bar

FRAMES = 20  # of each run: far from chaos
MODELS = {  # a typed constraint is written in the world: it stays where it is when bodies are moved
    p.stem: load(p)
    for p in sorted(assets.EXAMPLES.glob("*.json"))
    if load(p).dim == 3 and not any(e.kind == "constraint" for e in load(p))
}
MODELS |= {"all": everything_in_space(), "four_bar": spatial_four_bar()}
AXIS = np.array([0.48, 0.6, 0.64])
TURN = axis_angle.matrix(AXIS, 0.8)
ABOUT = np.array([0.3, -0.2, 0.5])


@pytest.fixture(params=MODELS, scope="module")
def model(request):
    """Each model in turn."""
    return MODELS[request.param]


def all_bodies(model):
    """The ids of all bodies."""
    return [body.id for body in model.of("body")]


def short_run(model):
    """The first frames of a run, one for each step."""
    step = float(resolved(model).settings.step)
    return run(model, t_end=FRAMES * step, output_step=step)


def places(results):
    """Mass centres, (frames, bodies, 3)."""
    return results.q[:, results.compiled.layout.positions]


def weightless(model):
    """Without gravity, which knows where up is."""
    return replace(model, gravity=(0.0, 0.0, 0.0))


def test_a_shifted_model_moves_alike(model):
    shift = (0.4, -0.3, 0.7)
    after = edits.translated(model, all_bodies(model), shift)
    assert problems(after) == []
    assert places(short_run(after)) == pytest.approx(places(short_run(model)) + shift, abs=1e-8)


def test_a_turned_model_moves_alike(model):
    model = weightless(model)
    after = edits.turned_by(model, all_bodies(model), TURN, tuple(ABOUT))
    before, now = short_run(model), short_run(after)
    expected = ABOUT + (places(before) - ABOUT) @ TURN.T
    assert places(now) == pytest.approx(expected, abs=1e-7)
    old, new = compile_model(model), compile_model(after)
    assert mobility(new).dof == mobility(old).dof
    assert assemble(new).drawn_gap == pytest.approx(assemble(old).drawn_gap, abs=1e-12)


@pytest.mark.parametrize(("direction", "axis"), [("left-right", 0), ("top-bottom", 2)])
def test_a_mirrored_model_moves_as_the_mirror_image(model, direction, axis):
    model = weightless(model)
    if axis == 2 and any(joint.kind == "rolling_disc" for joint in model.of("joint")):
        with pytest.raises(EngineError, match="upside down"):
            edits.mirrored(model, all_bodies(model), direction)
        return
    after = edits.mirrored(model, all_bodies(model), direction, tuple(ABOUT))
    expected = places(short_run(model)).copy()
    expected[..., axis] = 2.0 * ABOUT[axis] - expected[..., axis]
    assert places(short_run(after)) == pytest.approx(expected, abs=1e-7)
    back = edits.mirrored(after, all_bodies(model), direction, tuple(ABOUT))
    for body in model.of("body"):
        old, new = edits.space_frame(model, body.id), edits.space_frame(back, body.id)
        assert pytest.approx(old.R, abs=1e-12) == new.R
        assert new.r == pytest.approx(old.r, abs=1e-12)


def test_bodies_in_space_are_aligned_as_seen_from_the_front():
    m = Mechanism(dim=3)
    a, b = m.box((0, 0, 0), 1, 1, 1), m.box((2, 3, 4), 1, 1, 2)
    left = edits.aligned(m.model, [a, b], "left")
    assert [left[id].position for id in (a, b)] == [(0, 0, 0), (0, 3, 4)]
    top = edits.aligned(m.model, [a, b], "top")
    assert top[a].position == (0, 0, 4.5) and top[b] is m.model[b]


def test_turning_back_gives_the_same_place(model):
    there = edits.turned(model, all_bodies(model), tuple(AXIS), 0.8, tuple(ABOUT))
    back = edits.turned(there, all_bodies(model), tuple(AXIS), -0.8, tuple(ABOUT))
    for body in model.of("body"):
        old, new = edits.space_frame(model, body.id), edits.space_frame(back, body.id)
        assert new.r == pytest.approx(old.r, abs=1e-12)
        assert pytest.approx(old.R, abs=1e-12) == new.R


def test_a_copy_beside_it_moves_alike(model):
    ids = [*all_bodies(model), *(e.id for e in model if e.family in ("joint", "force", "motion"))]
    shift = (5.0, 0.0, 0.0)
    after, made = edits.duplicated(model, ids, shift)
    assert problems(after) == [] and len(made) >= len(all_bodies(model))
    results = short_run(after)
    moved, copied = places(results), np.isin(results.compiled.body_ids, made)
    assert moved[:, copied] == pytest.approx(moved[:, ~copied] + shift, abs=1e-7)


def test_a_moment_of_a_run_becomes_the_design_pose(model):
    results = short_run(model)
    half = len(results) // 2
    moment = results.q[half], results.v[half], float(results.t[half])
    if results.compiled.elastic:
        with pytest.raises(EngineError, match="is bent at this moment"):
            edits.at_state(model, *moment)
        return
    after = edits.at_state(model, *moment)
    going_on = short_run(after)
    same = len(results) - half
    assert places(going_on)[:same] == pytest.approx(places(results)[half:], abs=1e-6)


def test_deleting_a_body_takes_its_joints_and_leaves_a_sound_model(model):
    after = edits.deleted(model, [all_bodies(model)[0]])
    used = {r for e in after for r in edits.markers_of(e)}
    assert all(id in after for id in used)
    assert loads(dumps(after)) == after


def test_a_part_is_not_torn_from_its_joints():
    model = spatial_four_bar()
    with pytest.raises(EngineError, match="tear 'B' apart"):
        edits.translated(model, ["crank"], (0.1, 0.0, 0.0))
    with pytest.raises(EngineError, match="tear"):
        edits.turned(model, ["coupler"], (0.0, 0.0, 1.0), 0.2)


def test_what_is_placed_by_an_expression_may_be_shifted_and_turned():
    m = Mechanism(dim=3)
    m.parameter("a", 1.0)
    box = m.box((0, 0, 0), 1, 1, 1, position=("a", 0.0, 0.0), velocity=(0.0, "2*a", 0.0))
    after = edits.translated(m.model, [box], (0.5, 0.0, 0.0))
    assert after[box].position[0] == "a + 0.5"
    turned = edits.turned(after, [box], (0, 0, 1), np.pi / 2, about=(0.5, 0.0, 0.0))
    numbers = resolved(turned)[box]
    assert numbers.position == pytest.approx((0.5, 1.0, 0.0))
    assert numbers.velocity == pytest.approx((-2.0, 0.0, 0.0))
    assert resolved(edits.with_fields(turned, ["a"], {"value": 3.0}))[box].position[1] == 3.0
    written = edits.with_fields(turned, [box], {"orientation": ("a", 0.0, 0.0, 0.0)})
    with pytest.raises(EngineError, match="expression 'a'"):
        edits.turned(written, [box], (0, 0, 1), 0.5)


def test_loads_in_world_axes_turn_with_their_body_and_keep_expressions():
    m = Mechanism(dim=3)
    box = m.box((0, 0, 0), 1, 1, 1)
    m.force(box, (0, 0, 0), ("2*t", 0.0, 0.0), id="F")
    after = edits.turned(m.model, [box], (0.0, 0.0, 1.0), np.pi / 2)
    assert "t" in after["F"].f_y and isinstance(after["F"].f_z, float)


# --- joints


def joined(kind="revolute", **more):
    """A wheel in a joint on a fixed base, moved off the origin and turned."""
    m = Mechanism(dim=3)
    wheel = m.cylinder((0.1, 0.2, 0.3), (0.1, 0.2, 0.5), 0.2, id="wheel")
    base = m.box((0.1, 0.2, 0.2), 0.4, 0.4, 0.2, id="base")
    getattr(m, kind)(base, wheel, (0.1, 0.2, 0.3), axis=(0, 0, 1), id="J", **more)
    return m.model


KINDS = ["revolute", "prismatic", "cylindrical", "planar", "screw", "point_on_line", "weld"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_axis_is_turned_and_flipped_without_moving_bodies_or_opening_the_joint(kind):
    model = joined(kind)
    for axis in ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.6, 0.0, 0.8)):
        after = edits.axis_along(model, "J", axis)
        assert edits.joint_frame(after, "J").R[:, 2] == pytest.approx(axis, abs=1e-12)
        compiled = compile_model(after)
        assert assemble(compiled).drawn_gap < 1e-12
        assert mobility(compiled).dof == mobility(compile_model(model)).dof
        assert after["wheel"] is model["wheel"]
    back = edits.axis_flipped(edits.axis_flipped(model, "J"), "J")
    assert (
        pytest.approx(edits.joint_frame(model, "J").R, abs=1e-12) == edits.joint_frame(back, "J").R
    )


def test_flipping_the_axis_turns_a_motor_round():
    model = joined()
    model, _ = edits.motion(model, "J", 2.0, "speed")
    model = edits.with_ground_toggled(model, ["base"])
    w = assemble(compile_model(model)).v[5]
    flipped = assemble(compile_model(edits.axis_flipped(model, "J"))).v[5]
    assert (w, flipped) == (pytest.approx(2.0), pytest.approx(-2.0))
    swapped = assemble(compile_model(edits.bodies_swapped(model, "J"))).v[5]
    assert swapped == pytest.approx(-2.0)


def test_a_joint_is_put_elsewhere_on_its_bodies():
    model = joined()
    after = edits.joint_shifted(model, "J", (0.05, 0.0, 0.0))
    assert edits.joint_point(after, "J") == pytest.approx((0.15, 0.2, 0.3))
    assert assemble(compile_model(after)).drawn_gap < 1e-12


def test_a_joint_that_would_open_is_not_swapped():
    m = Mechanism(dim=3)
    a, b = m.box((0, 0, 0), 1, 1, 1), m.box((0, 0, 2), 1, 1, 1)
    joint = m.point_on_line(a, b, (0, 0, 1), axis=(0, 0, 1))
    grown = edits.translated(m.model, [b], (0.0, 0.0, 0.5))  # along its line
    turned = edits.turned(grown, [b], (1.0, 0.0, 0.0), 0.5, (0.0, 0.0, 1.5))
    with pytest.raises(EngineError, match="would open"):
        edits.bodies_swapped(turned, joint)


def test_a_universal_joint_lies_along_its_shafts():
    m = Mechanism(dim=3)
    first = m.cylinder((0, 0, 0), (1, 0, 0), 0.05)
    second = m.cylinder((1, 0, 0), (1.8, 0.6, 0), 0.05)
    model, id = edits.on_shafts(
        m.model, "universal", edits.Pair(first, second), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    )
    ends = [edits.space_marker(model, marker).R[:, 2] for marker in edits.markers_of(model[id])]
    assert ends[0] == pytest.approx((1, 0, 0)) and ends[1] == pytest.approx((0.8, 0.6, 0))
    compiled = compile_model(model)
    assert assemble(compiled).drawn_gap < 1e-12 and mobility(compiled).dof == 8


def test_a_rack_follows_its_pinion_the_way_the_teeth_go():
    for side in (1.0, -1.0):
        m = Mechanism(dim=3, gravity=(0, 0, 0))
        wheel = m.cylinder((0, -0.05, 0), (0, 0.05, 0), 0.1)
        bar = m.box((0, 0, -0.12 * side), 1.0, 0.05, 0.04)
        hinge = m.revolute(GROUND, wheel, (0, 0, 0), axis=(0, 1, 0))
        slide = m.prismatic(GROUND, bar, (0, 0, -0.1 * side), axis=(1, 0, 0))
        model, _ = edits.rack_and_pinion(m.model, hinge, slide)
        model, _ = edits.motion(model, hinge, 1.0, "speed")
        v = assemble(compile_model(model)).v
        # the rim below a wheel that turns about +y moves along -x:  w x (0, 0, -r) = (-r, 0, 0)
        assert v[6] == pytest.approx(-0.1 * side)


# --- bodies


def test_a_body_is_put_upright_by_the_least_turn_and_on_the_ground_plane():
    m = Mechanism(dim=3)
    box = m.box((0.3, 0.2, 1.0), 0.6, 0.4, 0.2)
    tilted = edits.turned(m.model, [box], tuple(AXIS), 0.4)
    upright = edits.along_world_axes(tilted, box)
    assert pytest.approx(np.eye(3), abs=1e-12) == edits.space_frame(upright, box).R
    assert edits.space_frame(upright, box).r == pytest.approx((0.3, 0.2, 1.0), abs=1e-12)
    down = edits.on_ground_plane(tilted, [box])
    assert edits.extent3(down, box)[0][2] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("shape", ["box", "cylinder", "sphere", "rod"])
def test_the_extent_and_the_distance_of_solids_agree_with_points_inside(shape):
    m = Mechanism(dim=3)
    body = {
        "box": lambda: m.box((0, 0, 0), 0.6, 0.4, 0.2),
        "cylinder": lambda: m.cylinder((0, 0, -0.3), (0, 0, 0.3), 0.2),
        "sphere": lambda: m.sphere((0, 0, 0), 0.3),
        "rod": lambda: m.rod((-0.5, 0, 0), (0.5, 0, 0)),
    }[shape]()
    model = edits.turned(m.model, [body], tuple(AXIS), 0.9, (0.2, 0.0, 0.1))
    rng = np.random.default_rng(1)
    low, high = map(np.array, edits.extent3(model, body))
    cloud = rng.uniform(low - 0.05, high + 0.05, size=(600, 3))
    inside = np.array([edits.distance_to(model, body, p) == 0.0 for p in cloud])
    assert inside.any() == (shape != "rod") and inside.sum() != 1  # a rod has no inside
    assert (cloud[inside] >= low - 1e-12).all() and (cloud[inside] <= high + 1e-12).all()


def test_a_mesh_becomes_a_body_with_its_mass_or_a_warning(tmp_path):
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    quads = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["f " + " ".join(map(str, quad)) for quad in quads]
    path = tmp_path / "cube one.obj"
    path.write_text("\n".join(lines))
    part = edits.mesh_part(path, 0.1)
    model, id = edits.mesh_body(Mechanism(dim=3).model, part, (1.0, 2.0, 3.0))
    assert not part.warnings and part.extent == pytest.approx((0.1, 0.1, 0.1))
    assert model[id].name == "cube one" and id == "cube_one_1"
    assert compile_model(model).mass[0] == pytest.approx(7.85)
    assert edits.mass_center(model, id) == pytest.approx((1.05, 2.05, 3.05))
    path.write_text("\n".join(lines[:-1]))
    part = edits.mesh_part(path)
    model, id = edits.mesh_body(model, part)
    assert "not closed" in part.warnings[0] and "1 kg" in part.warnings[-1]
    assert compile_model(model).mass[1] == pytest.approx(1.0)
    with pytest.raises(EngineError, match="Cannot read"):
        edits.mesh_part(tmp_path / "none.stl")


def test_point_masses_are_held_by_ball_joints_only():
    m = Mechanism(dim=3)
    box, bob = m.box((0, 0, 0), 1, 1, 1), m.particle((0, 0, 0.5))
    with pytest.raises(EngineError, match="ball joint"):
        edits.joint(m.model, "revolute", edits.Pair(box, bob), (0.0, 0.0, 0.5))
    model, _ = edits.joint(m.model, "spherical", edits.Pair(box, bob), (0.0, 0.0, 0.5))
    assert assemble(compile_model(model)).drawn_gap < 1e-12


def test_a_rolling_wheel_that_is_given_a_spin_rolls_with_it():
    m = Mechanism(dim=3)
    wheel = m.cylinder((0, -0.05, 0.2), (0, 0.05, 0.2), 0.2)
    model, _ = edits.rolling_wheel(m.model, GROUND, wheel)
    after = edits.with_spin(model, wheel, (0.0, 5.0, 0.0))
    assert after[wheel].velocity is None
    v = assemble(compile_model(after)).v
    assert v == pytest.approx((1.0, 0.0, 0.0, 0.0, 0.0, 5.0), abs=1e-12)  # body axes: z is the axle
    results = run(after, t_end=1.0)
    assert results.q[-1][:3] == pytest.approx((1.0, 0.0, 0.2), abs=1e-6)
