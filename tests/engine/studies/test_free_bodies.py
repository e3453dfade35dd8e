"""Free-body diagrams by their laws: equilibrium with inertia, action and reaction, and closed forms."""

import csv
from math import cos, sin
from xml.etree import ElementTree

import numpy as np
import pytest

from assets import example_paths
from engine.cli.commands import main
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.elements import GROUND
from engine.running.simulate import run
from engine.studies.free_body import FreeBodies, free_bodies
from engine.studies.free_body.diagrams import largest_of
from engine.studies.free_body.outlines import bent
from engine.studies.free_body.picture import colour_of_tone
from engine.studies.free_body.scene import SQUARE_ROOT, Drawing, View, full_length
from tests.engine.catalogue import (
    FORCE_CASES,
    JOINT_CASES,
    MOTION_CASES,
    force_model,
    joint_model,
    motion_model,
)
from tests.engine.symbols.test_symbols import somewhere

ROUNDING = (
    1e-12  # of the largest force, or of that by the size of the model: sums of some dozen products
)
EXAMPLES = sorted(example_paths())


def example(name):
    return load(example_paths()[name])


def assert_balanced(found, is_closed=True):
    """Every body is in equilibrium with its inertia, and every action has its reaction.

    In joints that stand open force and opposite force act at two points.
    """
    force, moment = largest_of(found)["", True]
    arm = 1.0 + max(np.abs(w.place).max() for one in found.bodies for w in one.wrenches)
    turning = max(moment, force * arm, 1e-6)  # N m; beside free spins their rounding counts
    for one in found.bodies[:-1]:
        F, T = one.left_over
        assert np.abs(F).max() <= ROUNDING * max(force, 1e-9), one.body
        assert np.abs(T).max() <= ROUNDING * turning, one.body
    sums = {}
    for wrench in (w for one in found.bodies for w in one.wrenches if w.other):
        pair = sums.setdefault((wrench.source, *sorted((wrench.body, wrench.other))), np.zeros(6))
        pair += [*wrench.force, *wrench.about(np.zeros(3))]
    for key, total in sums.items():
        assert np.abs(total[:3]).max() <= ROUNDING * max(force, 1e-9), key
        assert not is_closed or np.abs(total[3:]).max() <= ROUNDING * turning, key
    return sums


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_body_of_every_example_is_in_equilibrium_with_its_inertia(name):
    results = run(example(name), t_end=0.2, output_step=0.05)
    bodies = FreeBodies(results.compiled)
    for k in (0, len(results) - 1):
        assert_balanced(bodies.diagrams(bodies.at_frame(results, k)))


def at_random(model):
    compiled = compile_model(model)
    bodies = FreeBodies(compiled)
    t, q, v = somewhere(compiled, np.random.default_rng(7), 0.0)
    return bodies.diagrams(bodies.state(t, q, v))


@pytest.mark.parametrize("case", JOINT_CASES, ids=lambda case: f"{case[0].kind}-{case[1]}d")
def test_every_joint_acts_and_reacts(case):
    assert_balanced(at_random(joint_model(*case, seed=5)), is_closed=False)


@pytest.mark.parametrize("case", MOTION_CASES, ids=lambda case: "-".join(map(str, case)))
def test_every_motion_acts_and_reacts(case):
    assert assert_balanced(at_random(motion_model(*case, "position", seed=5)), is_closed=False)


@pytest.mark.parametrize("case", FORCE_CASES, ids=lambda case: f"{case[0].kind}-{case[1]}d")
def test_every_force_acts_and_reacts(case):
    assert_balanced(at_random(force_model(*case, seed=5)), is_closed=False)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_bent_beam_is_in_equilibrium_too(dim):
    m = Mechanism("beam", dim)
    origin, end = (0, 0, 0)[:dim], (1, 0.2, 0)[:dim]
    beam = m.beam(origin, end, width=0.01, thickness=0.01, modes=3)
    m.revolute("ground", beam, at=origin, **({"axis": (0, 1, 0)} if dim == 3 else {}))
    bob = (m.disc if dim == 2 else m.sphere)(end, 0.05, mass=0.2)
    (m.revolute if dim == 2 else m.spherical)(beam, bob, at=end)
    results = run(m.model, t_end=0.2, output_step=0.1, method="radau")
    bodies = FreeBodies(results.compiled)
    for k in (0, 2):
        found = bodies.diagrams(bodies.at_frame(results, k))
        assert_balanced(found)
    assert np.linalg.norm(found.of(beam).inertia.force) > 1.0
    # its outline is bent as its markers are moved, but for the shortening, which is of second order
    compiled, record = results.compiled, results.compiled.elastic[beam]
    q = results.q[2][compiled.layout.modes(compiled.body_ids.index(beam))]
    for one in record.followers.values():
        straight = np.pad(one.P, (0, 3 - len(one.P)))
        moved = (bent(straight[None], record, q) - straight)[0, : len(one.P)]
        size = np.abs(one.Phi @ q).max()
        assert size > 1e-5
        np.testing.assert_allclose(moved[1:], (one.Phi @ q)[1:], atol=1e-9 * size)
    scene = Drawing(compiled).scene(found, View(body=beam))
    assert len(scene.shapes) == 1 and scene.arrows


@pytest.mark.parametrize("name", ["four_bar", "governor", "crane_trolley", "screw_press"])
def test_the_forces_are_those_of_the_channels_at_the_same_time(name):
    results = run(example(name), t_end=0.2, output_step=0.1)
    bodies = FreeBodies(results.compiled)
    found = bodies.diagrams(bodies.at_frame(results, 2))
    seen = 0
    axes = "xyz"[: results.compiled.system.dim]
    for wrench in (w for one in found.bodies for w in one.wrenches if w.kind == "reaction"):
        j = results.model[results.model[wrench.source].marker_j].body
        if wrench.body != j:
            continue
        told = [results[f"{wrench.source}.force_{a}"][2] for a in axes]
        # the same equations at the same state, but for the projection of the step
        np.testing.assert_allclose(wrench.force[: len(axes)], told, rtol=1e-6, atol=1e-6)
        place = [results[f"{results.model[wrench.source].marker_j}.{a}"][2] for a in axes]
        np.testing.assert_allclose(wrench.place[: len(axes)], place, atol=1e-12)
        seen += 1
    assert seen


def test_the_pin_of_a_pendulum_and_its_inertia_have_their_closed_forms():
    phi, w, g = -0.6, 1.7, 9.81
    m = Mechanism("pendulum")
    c, s = cos(phi), sin(phi)
    rod = m.rod((0, 0), (c, s), mass=1, spin=w, velocity=(-w * s / 2, w * c / 2))
    m.revolute("ground", rod, at=(0, 0))
    one = free_bodies(m.model).of(rod)
    a = np.array([0.75 * g * s * c - c / 2 * w**2, -0.75 * g * c**2 - s / 2 * w**2])
    pin, weight = one.wrenches[1], one.wrenches[0]
    # rounding of forces of 10 N
    assert pin.force[:2] == pytest.approx([a[0], a[1] + g], abs=1e-12)
    assert weight.force[1] == pytest.approx(-g) and weight.kind == "weight"
    assert one.inertia.force[:2] == pytest.approx(-a, abs=1e-12)
    inertia = m.model and 1.0 / 12.0 * (1.0 + 0.04**2)  # of a rod 1 m long and 4 cm wide
    assert one.inertia.moment[2] == pytest.approx(inertia * 1.5 * g * c, rel=2e-3)


@pytest.mark.parametrize("name", ["dzhanibekov_nut", "spinning_top", "governor"])
def test_inertia_in_space_is_that_of_newton_and_euler(name):
    results = run(example(name), t_end=0.1, output_step=0.1)
    compiled = results.compiled
    bodies = FreeBodies(compiled)
    state = bodies.at_frame(results, 1)
    found = bodies.diagrams(state)
    for k, id in enumerate(compiled.body_ids):
        layout, J = compiled.layout, compiled.system.bodies[k]["J"]
        a, v = state.one.a[0], state.one.v[0]
        w, alpha = v[layout.spin(k)], a[layout.spin(k)]
        needed = -compiled.mass[k] * a[layout.velocity(k)]
        np.testing.assert_allclose(found.of(id).inertia.force, needed, atol=1e-11)
        turn = -state.R[k] @ (J @ alpha + np.cross(w, J @ w))
        np.testing.assert_allclose(found.of(id).inertia.moment, turn, atol=1e-11)


def test_a_force_along_a_line_acts_at_both_ends_and_a_slide_at_its_slider():
    m = Mechanism("ends", gravity=(0, 0))
    a, b = m.box((0, 0), mass=1), m.box((2, 0), mass=1)
    m.spring((a, (0.1, 0)), (b, (1.9, 0)), stiffness=10, free_length=1)
    m.prismatic("ground", a, at=(-0.5, 0), axis=(1, 0))
    found = free_bodies(m.model)
    (pull,) = [w for w in found.of(a).wrenches if w.kind == "force"]
    (back,) = [w for w in found.of(b).wrenches if w.kind == "force"]
    assert pull.place[0] == pytest.approx(0.1) and back.place[0] == pytest.approx(1.9)
    assert pull.force == pytest.approx([8, 0, 0]) and pull.moment == pytest.approx([0, 0, 0])
    assert back.force == pytest.approx([-8, 0, 0])


def test_what_redundant_joints_share_is_told():
    found = free_bodies(example("spatial_four_bar"))
    shared = {name for one in found.bodies for name in one.not_unique}
    assert len(shared) > 1
    assert "Not unique" in found.table()
    assert "Not unique" not in free_bodies(example("four_bar")).table()


def test_what_cannot_be_cut_free_is_told_in_a_sentence():
    with pytest.raises(EngineError, match="Draw a body"):
        free_bodies(Mechanism("empty").model)
    with pytest.raises(
        EngineError, match=r"no moving body 'nobody'\. Choose one of: crank, coupler"
    ):
        free_bodies(example("four_bar")).of("nobody")
    with pytest.raises(EngineError, match="begins at 0"):
        free_bodies(example("four_bar"), -1.0)
    with pytest.raises(EngineError, match="ends at"):
        free_bodies(example("gimbal_lock"), 60.0)
    with pytest.raises(EngineError, match="no scale 'cubic'"):
        free_bodies(example("four_bar")).picture(scale="cubic")
    with pytest.raises(EngineError, match="ground has no diagram"):
        free_bodies(example("four_bar")).picture(GROUND)


@pytest.mark.parametrize(
    "how", [{"method": "trapezoid_index3", "step": 0.01}, {"coordinates": "joint"}]
)
def test_runs_whose_multipliers_say_little_are_balanced_too(how):
    results = run(example("four_bar"), t_end=0.2, output_step=0.1, **how)
    assert_balanced(free_bodies(results, 0.2))


def test_a_run_gives_its_diagrams_at_a_time():
    results = run(example("four_bar"), t_end=0.3, output_step=0.1)
    found = free_bodies(results, 0.2)
    assert found.t == pytest.approx(0.2)
    again = free_bodies(example("four_bar"), 0.2)
    for one, other in zip(found.bodies, again.bodies, strict=True):
        for a, b in zip(one.wrenches, other.wrenches, strict=True):
            # frames of another raster end other steps: the error of the method
            np.testing.assert_allclose(a.force, b.force, atol=1e-4)


# --- drawings


@pytest.mark.parametrize("name", ["four_bar", "governor", "gear_train"])
def test_arrows_are_drawn_to_scale(name):
    found = free_bodies(example(name))
    flat = found.compiled.system.dim == 2
    drawing, largest = Drawing(found.compiled), largest_of(found)["", True][0]
    for scale, power in (("linear", 1.0), (SQUARE_ROOT, 0.5)):
        view = View(inertia=True, scale=scale)
        scene = drawing.scene(found, view)
        assert scene.largest[0] == largest
        for arrow in (a for a in scene.arrows if not a.is_moment):
            long = np.hypot(arrow.tip[0] - arrow.tail[0], arrow.tip[1] - arrow.tail[1])
            share = (np.linalg.norm(arrow.wrench.force) / largest) ** power
            if flat:
                assert long == pytest.approx(share * full_length(view))
            else:  # foreshortened
                assert long <= share * full_length(view) * (1 + 1e-12)
    if flat:  # an arc turns as its moment does
        assert all(np.sign(arc.sweep) == np.sign(arc.wrench.moment[2]) for arc in scene.arcs)


@pytest.mark.parametrize("name", ["jansen_leg", "gear_train", "stewart_platform"])
def test_bodies_that_are_pulled_apart_lie_beside_each_other(name):
    found = free_bodies(example(name))
    scene = Drawing(found.compiled).scene(found, View(width=1000, height=800))
    assert len(scene.shapes) == len(found.compiled.body_ids)
    for one, center in zip(scene.shapes, scene.centers):
        away = np.linalg.norm(one.points - center, axis=1).max()
        for other, at in zip(scene.shapes, scene.centers):
            if other is not one:
                assert np.linalg.norm(other.points - center, axis=1).min() > 0.8 * away, other.body
                assert np.hypot(at[0] - center[0], at[1] - center[1]) > away
    for x, y in [*(a.tail for a in scene.arrows), *scene.centers]:
        assert 0 <= x <= 1000 and 0 <= y <= 800
    both = {tie.source for tie in scene.ties}
    assert both and both <= {w.source for one in found.bodies for w in one.wrenches if w.other}


def test_two_dozen_elements_have_colours_of_their_own():
    assert len({colour_of_tone(n) for n in range(24)}) == 24
    assert all(len(colour_of_tone(n)) == 7 for n in range(60))


def test_pictures_are_svg_with_every_value():
    found = free_bodies(example("four_bar"))
    root = ElementTree.fromstring(found.picture("coupler", inertia=True))
    words = " ".join(node.text or "" for node in root.iter() if node.tag.endswith("text"))
    for text in ("B  82.91 N", "C  26.13 N", "weight  29.43 N", "inertia  87 N", "t = 0 s"):
        assert text in words
    every = ElementTree.fromstring(free_bodies(example("governor")).picture())
    assert len([node for node in every.iter() if node.tag.endswith("polygon")]) > 4


def test_the_command_prints_and_writes(tmp_path, capsys):
    svg, table = tmp_path / "out.svg", tmp_path / "out.csv"
    given = ["--body", "coupler", "--time", "0.1", "--svg", str(svg), "--csv", str(table)]
    assert main(["freebody", "four_bar", *given, "--inertia", "--scale", "square_root"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("t = 0.1 s") and "left over" in told and "crank" not in told
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    with table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["what"] for row in rows] == ["weight", "B", "C", "inertia", "left over"]
    assert abs(sum(float(row["F_x [N]"]) for row in rows[:4])) < 1e-11
    assert main(["freebody", "four_bar", "--body", "x"]) == 2
    assert "no moving body 'x'" in capsys.readouterr().err
    assert main(["freebody", "four_bar", "--svg", str(tmp_path / "out.txt")]) == 2
    assert "ends in .svg" in capsys.readouterr().err
