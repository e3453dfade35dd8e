"""Joint coordinates agree with absolute ones: in one state, and over whole runs."""

from functools import cache

import numpy as np
import pytest

from assets.make_examples import FOLDER
from engine.compiling.system import Compiled, workspace
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load, loads
from engine.kernels import entries
from engine.kernels.entries import EVERYTHING
from engine.kernels.layout import Workspace
from engine.kernels.trees import entries as tree_entries
from engine.kernels.trees.layout import BALL, CROSS, HINGE, SCREW
from engine.kinematics.evaluate import dense_D, fill, mass_matrix
from engine.model.connections import X, Y, Z
from engine.model.elements import Model
from engine.model.joints import JOINTS
from engine.model.joints.freedom import freedom
from engine.results.results import Results
from engine.running.simulate import Run, prepare, run
from engine.trees.packing import in_joint_coordinates
from engine.trees.spanning import spanning_tree

NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
TURNS = {HINGE: (Z,), CROSS: (X, Y), BALL: (X, Y, Z)}
CARRYING = [(kind, dim) for kind in JOINTS for dim in getattr(kind, "carries", {})]


@cache
def started(name: str) -> Results:
    """The first moments of an example in absolute coordinates."""
    return run(load(FOLDER / f"{name}.json"), t_end=0.06, output_step=0.02)


@pytest.mark.parametrize(("kind", "dim"), CARRYING, ids=lambda one: getattr(one, "kind", str(one)))
def test_free_axes_of_a_joint_are_what_its_rows_leave_free(kind, dim):
    carry, free = kind.carries[dim], freedom(kind, dim)
    axes = [np.eye(6)[axis] for axis in carry.slides]
    if carry.turn == SCREW:
        lead = kind(id="", marker_i="", marker_j="").pitch / (2 * np.pi)
        axes.append(np.eye(6)[3 + Z] + lead * np.eye(6)[Z])
    axes += [np.eye(6)[3 + axis] for axis in TURNS.get(carry.turn, ())]
    declared, motions = np.array(axes).reshape(-1, 6), np.array(free.motions).reshape(-1, 6)
    assert len(declared) == len(motions)
    assert np.abs(declared - declared @ motions.T @ motions).max(initial=0.0) < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_in_one_state_both_formulations_agree(name):
    model = load(FOLDER / f"{name}.json")
    running = prepare(model)
    if running.compiled.elastic:
        with pytest.raises(EngineError, match="bends"):
            prepare(model, coordinates="joint", method="rk4")
        return
    compare_in_last_frame(running, started(name))


def compare_in_last_frame(running: Run, results: Results) -> None:
    """Accelerations, rates, multipliers and the shown state are the same in both coordinates."""
    compiled = running.compiled
    at, t = compiled.layout, float(results.t[-1])
    q, v, z = (np.ascontiguousarray(column[-1]) for column in (results.q, results.v, results.z))
    problem, ws = running.problem(1e-3)
    turns, _ = fill(compiled, workspace(compiled.system), t, q, v)
    ws.angle[: len(turns)] = turns
    state, rates = at.y(q, v, z), np.zeros(at.n_y)
    entries.derive(problem.table, t, state, rates, rates, EVERYTHING)
    a, lam = ws.a.copy(), ws.lam.copy()

    problem, y = in_joint_coordinates(compiled, problem, ws, q, v, reactions=True)
    tree = problem.keep[-1]
    y[tree.n_q + tree.n_v :] = state[at.n_q + at.n_v :]
    y_dot, shown, shown_dot = np.zeros_like(y), np.zeros(at.n_y), np.zeros(at.n_y)
    tree_entries.derive(problem.table, t, y, y_dot, y_dot, EVERYTHING)
    in_tree, n_held = ws.lam.copy(), tree.held["n_rows"].sum() + len(tree.rows)
    others = y_dot[tree.n_q + tree.n_v :], rates[at.n_q + at.n_v :]
    seen = np.zeros(2 * len(compiled.system.switches) + 1)
    tree_entries.modes(problem.table, t, y, seen, y_dot, entries.WITH_SLOPES)

    size = 1.0 + np.abs(a).max()
    rounding = 1e-13 * of_reactions(compiled, ws, lam)
    np.testing.assert_allclose(ws.a, a, rtol=0.0, atol=1e-9 * size + rounding)
    np.testing.assert_allclose(*others, rtol=1e-9, atol=1e-9 * size)
    if not running.mobility.not_unique:
        size = 1.0 + np.abs(lam).max(initial=0.0)
        assert n_held == len(lam)
        np.testing.assert_allclose(in_tree, lam, rtol=0.0, atol=1e-9 * size)
    tree_entries.show(problem.table, t, y, shown, shown_dot, 0)
    np.testing.assert_allclose(shown, state, rtol=0.0, atol=1e-11 * (1.0 + np.abs(state).max()))
    np.testing.assert_allclose(
        ws.lam, lam, rtol=0.0, atol=1e-8 * (1.0 + np.abs(lam).max(initial=0.0))
    )


def of_reactions(compiled: Compiled, ws: Workspace, lam: np.ndarray) -> float:
    """The largest acceleration that the largest reaction alone could give: what cancels leaves rounding."""
    pushes = np.abs(dense_D(compiled, ws)).max(axis=0, initial=0.0) * np.abs(lam).max(initial=0.0)
    inertia = mass_matrix(compiled, compiled.q0).diagonal()
    return float((pushes[inertia > 0] / inertia[inertia > 0]).max(initial=0.0))


def point_masses(*parts: str) -> Model:
    """A point mass on a rod from a turning wheel, a second one below it, and what else is asked for."""
    m = Mechanism("point masses")
    m.body((0.0, 0.0), mass=3.0, inertia=0.2, spin=1.5, id="wheel")
    m.revolute("ground", "wheel", at=(0.0, 0.0))
    m.particle((0.9, -0.8), mass=2.0, id="a")
    m.massless_rod(("wheel", (0.3, 0.0)), ("a", (0.9, -0.8)), id="first")
    m.particle((1.5, -1.0), mass=1.0, id="b")
    m.massless_rod(("b", (1.5, -1.0)), ("a", (0.9, -0.8)), id="second")
    if "arm" in parts:
        m.rod((1.5, -1.0), (2.2, -1.3), mass=1.0, id="arm")
        m.revolute("b", "arm", at=(1.5, -1.0), id="pin")
        m.torsion_spring("pin", stiffness=20.0)
        m.spring_damper(("ground", (0, -3)), ("a", (0.9, -0.8)), stiffness=30.0, damping=2.0)
    if "loop" in parts:
        m.massless_rod(("ground", (2.5, 0.0)), ("b", (1.5, -1.0)), id="third")
    if "rail" in parts:
        m.particle((1.5, -2.0), mass=0.5, id="c")
        m.massless_rod(("b", (1.5, -1.0)), ("c", (1.5, -2.0)), id="third")
        m.point_on_line("ground", "c", at=(1.5, -2.0), id="rail")
    return m.model


@pytest.mark.parametrize(
    ("parts", "n_cuts", "n_v"),
    [((), 0, 3), (("arm",), 0, 4), (("loop",), 1, 3), (("arm", "loop"), 1, 4), (("rail",), 1, 4)],
)
def test_particles_hang_on_their_rods(parts, n_cuts, n_v):
    model = point_masses(*parts)
    running = prepare(model, method="dop853", coordinates="joint")
    spanning = spanning_tree(running.compiled, rods=True)
    assert len(spanning.cuts) == n_cuts
    assert running.mobility.dof == n_v - n_cuts
    compare_in_last_frame(running, run(model, t_end=0.3, output_step=0.1))


def test_point_masses_swing_alike_in_both_coordinates():
    asked = {"t_end": 2.0, "output_step": 0.25, "method": "dop853", "tolerance": 1e-11}
    model = point_masses("arm")
    absolute, joint = (run(model, coordinates=c, **asked) for c in ("absolute", "joint"))
    np.testing.assert_allclose(joint.q, absolute.q, rtol=0.0, atol=1e-8)
    assert joint.gap.max() == 0.0 < absolute.gap.max()  # rods of a tree cannot stretch
    assert np.abs(joint["energy_drift"]).max() < 1e-8


RUNS = {
    "double_pendulum": 1e-8,
    "gyroscope_in_gimbals": 1e-8,
    "four_bar": 1e-8,
    "bricard_loop": 1e-6,
    "spatial_slider_crank": 1e-8,
    "bouncing_balls": 1e-8,
    "gear_train": 1e-8,
    "satellite": 1e-8,
    "drawer_that_jams": 1e-8,
    "gimbal_lock": 1e-8,
    "looping_helicopter": 1e-8,
    "point_in_a_ring": 1e-8,
    "rope_that_goes_slack": 1e-8,
    "stick_slip_on_a_belt": 1e-8,
}
LONGER = {"drawer_that_jams": 0.6, "rope_that_goes_slack": 2.0, "stick_slip_on_a_belt": 1.5}


def poses(results: Results) -> np.ndarray:
    """q of all frames; of a quaternion, whose sign means nothing, the products of its numbers."""
    at, q = results.compiled.layout, results.q
    if results.compiled.system.dim == 2:
        return q
    unit = q[:, at.orientations]
    products = (unit[..., :, None] * unit[..., None, :]).reshape(len(q), -1)
    return np.hstack([q[:, at.positions].reshape(len(q), -1), products])


@pytest.mark.parametrize("name", RUNS)
def test_runs_in_both_coordinates_end_alike(name):
    model = load(FOLDER / f"{name}.json")
    t_end = LONGER.get(name, 0.4)
    asked = {"t_end": t_end, "output_step": t_end / 4, "method": "dop853", "tolerance": 1e-10}
    absolute, joint = (run(model, coordinates=c, **asked) for c in ("absolute", "joint"))
    assert joint.ending.reason == "done"
    np.testing.assert_allclose(poses(joint), poses(absolute), rtol=0.0, atol=RUNS[name])
    np.testing.assert_allclose(joint.v, absolute.v, rtol=0.0, atol=100 * RUNS[name])
    assert [event.sentence for event in joint.events] == [e.sentence for e in absolute.events]
    assert joint.gap.max() <= 1e-9


def test_joints_of_a_tree_cannot_open():
    results = run(
        load(FOLDER / "triple_pendulum.json"), coordinates="joint", method="euler", t_end=0.5
    )
    arms = results.q[:, results.compiled.layout.positions]
    first = np.linalg.norm(arms[:, 0], axis=-1)
    assert results.gap.max() == 0.0
    assert np.ptp(first) < 1e-14 and np.ptp(arms[:, 0, 0]) > 1e-3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"method": "bdf2"}, "works on the coordinates of bodies"),
        ({"method": "generalised_alpha"}, "works on the coordinates of bodies"),
        ({"method": "ida"}, "works on the coordinates of bodies"),
        ({"method": "rk4", "stabilisation": "penalty"}, "penalty"),
    ],
)
def test_where_joint_coordinates_do_not_serve_they_are_refused(changes, words):
    model = load(FOLDER / "double_pendulum.json")
    with pytest.raises(EngineError, match=words):
        prepare(model, coordinates="joint", **changes)
    assert prepare(model, coordinates="auto", **changes).settings.coordinates == "absolute"


def test_automatic_coordinates_are_those_of_joints_for_trees_and_few_loops():
    for name, chosen in {
        "triple_pendulum": "joint",
        "four_bar": "joint",
        "stewart_platform": "absolute",
        "drawer_that_jams": "absolute",
        "rope_that_goes_slack": "absolute",
        "gimbal_lock": "absolute",
    }.items():
        prepared = prepare(load(FOLDER / f"{name}.json"), coordinates="auto", method="dop853")
        assert prepared.settings.coordinates == chosen


def test_unknown_coordinates_are_refused():
    with pytest.raises(EngineError, match="no coordinates 'polar'"):
        prepare(load(FOLDER / "pendulum.json"), coordinates="polar")


def test_an_old_file_runs_in_absolute_coordinates():
    model = loads('{"kardan": 4, "dim": 2}')
    assert model.settings.coordinates == "absolute"


def test_who_asks_for_joint_coordinates_is_told_that_euler_angles_are_only_shown():
    run_of = prepare(load(FOLDER / "gimbal_lock.json"), coordinates="joint", method="dop853")
    assert not run_of.may_lock
    assert any("which never lock" in note for note in run_of.notes)
    results = Results(run_of.compiled, run_of.settings)
    for block in run_of:
        results.append(block)
    assert run_of.ending.reason == "done"
    assert np.isfinite(results.q).all() and np.isfinite(results.a).all()
