"""Four kinds of coordinates: the counts of the lecture, one motion by all, dead centres, and limits."""

import csv

import numpy as np
import pytest
import sympy as sp

from assets import example_paths
from engine.cli.commands import main
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load
from engine.studies.coordinates import compare_coordinates
from engine.symbols.reduced.trigonometry import fourier
from tests.engine.symbols import lecture_models

COUNTS = {  # references.json, group coordinates: [n, m] of absolute, relative, natural, independent
    "double pendulum": (2, (6, 4), (2, 0), (4, 2), (2, 0)),
    "four-bar": (1, (9, 8), (3, 2), (4, 3), (1, 0)),
    "slider-crank": (1, (9, 8), (3, 2), (4, 3), (1, 0)),
}
MODELS = {
    "double pendulum": lambda: lecture_models.chain(2),
    "four-bar": lecture_models.four_bar,
    "slider-crank": lecture_models.slider_crank,
}
AGREE = 1e-9  # the tolerance of the references, over 2 s from rest; 1e-11 was found
NAMES = ("absolute", "relative", "natural", "independent")


@pytest.fixture(scope="module")
def found():
    return {name: compare_coordinates(make()) for name, make in MODELS.items()}


@pytest.mark.parametrize("name", MODELS)
def test_the_counts_are_those_of_the_lecture(found, name):
    dof, *counts = COUNTS[name]
    assert found[name].dof == dof
    assert [found[name][kind].counts for kind in NAMES] == counts
    assert all(n - m == dof for n, m in counts)


@pytest.mark.parametrize("name", MODELS)
def test_all_four_follow_one_motion(found, name):
    one = found[name]
    assert one.t[-1] == pytest.approx(2.0) and len(one.t) == 101
    for kind in NAMES:
        assert one[kind].q is not None and one[kind].differs < AGREE
    assert np.ptp(one["absolute"].q, axis=0).max() > 1.0  # it moves


@pytest.mark.parametrize("kind", ["relative", "natural"])
def test_constraints_hold_all_the_time(found, kind):
    one = found["four-bar"][kind]
    values = {"a": 1.0, "b": 3.0, "c": 2.5, "d": 3.0}
    loop = next(s for s in one.sections if s.title == "Constraints").statements
    symbols = [c.symbol for c in one.coordinates]
    for statement in loop:
        left = statement.pieces[0]
        known = {s: values[str(s)] for s in left.free_symbols - set(symbols)}
        g = sp.lambdify([symbols], left.xreplace(known))
        assert max(abs(g(u)) for u in one.u) < 1e-9


def test_the_mass_matrix_of_natural_coordinates_is_constant(found):
    M = next(s for s in found["four-bar"]["natural"].sections if s.title == "Equations of motion")
    moving = {c.symbol for c in found["four-bar"]["natural"].coordinates}
    assert not M.statements[0].pieces[0].free_symbols & moving


def test_relative_angles_close_the_loop_of_the_lecture(found):
    one = found["four-bar"]["relative"]
    a, b, c, d = sp.symbols("a b c d", real=True)
    crank, rocker, coupler = (sp.Symbol(f"theta_{n}", real=True) for n in (1, 3, 2))
    along = a * sp.cos(crank) + b * sp.cos(crank + coupler) - d - c * sp.cos(rocker)
    shown = next(s for s in one.sections if s.title == "Constraints").statements
    wanted = fourier(along)
    assert any(fourier(s.pieces[0]) in (wanted, fourier(-along)) for s in shown)


def test_a_slider_that_tells_the_crank_gives_up_before_its_dead_centre():
    found = compare_coordinates(MODELS["slider-crank"](), free=("S",))
    one = found["independent"]
    assert one.coordinates[0].words == "displacement of 'slider' along 'S'"
    switches = [note for note in found.notes if "near a dead centre" in note]
    assert switches and "takes over from displacement of 'slider' along 'S'" in switches[0]
    assert one.differs < AGREE


def test_a_choice_that_is_singular_from_the_start_is_changed_and_told():
    model = lecture_models.slider_crank(angle=0.0)
    found = compare_coordinates(model, free=("S",), t_end=0.5)
    assert "At 0 s, near a dead centre" in " ".join(found.notes)
    assert found["independent"].differs < AGREE


def test_springs_and_dampers_act_in_all_of_them():
    found = compare_coordinates(lecture_models.crane())
    assert [found[kind].counts for kind in NAMES] == [(6, 4), (2, 0), (4, 2), (2, 0)]
    assert all(found[kind].differs < AGREE for kind in NAMES)


def test_start_velocities_and_drives():
    found = compare_coordinates(load(example_paths()["slider_crank"]), t_end=0.1)
    assert "Drives are taken out" in found.notes[0]
    assert all(found[kind].differs < AGREE for kind in NAMES)
    speeds = np.abs(np.diff(found["absolute"].q[:, 2])) / np.diff(found.t)
    assert speeds.min() > 50.0  # rad/s


def test_a_body_of_three_points_has_no_natural_coordinates_here_but_the_others():
    m = Mechanism("three points")
    plate = m.rod((0, 0), (2, 0), id="plate")
    m.revolute("ground", plate, at=(0, 0))
    for n, x in enumerate((1.0, 2.0)):
        rod = m.rod((x, 0), (x, -0.5), id=f"hanging_{n}")
        m.revolute(plate, rod, at=(x, 0))
    found = compare_coordinates(m.model, t_end=0.5)
    assert "'plate' has 3" in found["natural"].sentence
    assert found["relative"].differs < AGREE and found["independent"].counts == (3, 0)


def test_another_joint_has_no_natural_coordinates():
    found = compare_coordinates(load(example_paths()["scotch_yoke"]), t_end=0.2)
    assert "'slot' is neither" in found["natural"].sentence
    assert found["relative"].counts == (2, 1) and found["relative"].differs < AGREE


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        ("spinning_top", {}, "in the plane"),
        ("jansen_leg", {}, "up to 6 bodies, and there are 7"),
        ("knife_edge_sled", {}, "constrains velocities"),
        ("rope_that_goes_slack", {}, "holds on one side only"),
        ("bouncing_balls", {}, "cannot be|no joint gives it"),
        ("four_bar", {"t_end": -1.0}, "between 0 s and 60 s"),
    ],
)
def test_what_cannot_be_compared_is_told(name, changes, says):
    with pytest.raises(EngineError, match=says):
        compare_coordinates(load(example_paths()[name]), **changes)


def test_wrong_independent_joints_are_told():
    found = compare_coordinates(MODELS["four-bar"](), free=("A", "B"), t_end=0.1)
    assert "1 coordinates are independent, and 'A, B' give 2" in found["independent"].sentence


def test_the_answer_comes_in_parts_and_tells_how_far_it_is():
    told, shares = [], []
    found = compare_coordinates(
        MODELS["four-bar"](), t_end=0.5, so_far=told.append, progress=shares.append
    )
    known = [[one.apart is not None for one in part.descriptions] for part in told]
    assert known == [[k <= n for k in range(4)] for n in range(4)]
    assert shares == sorted(shares) and shares[0] == 0.0 and 0.9 < shares[-1] <= 1.0
    assert told[-1].sentence == found.sentence


def test_a_motion_that_nobody_wants_any_more_ends():
    told = []
    found = compare_coordinates(MODELS["four-bar"](), wanted=lambda: False, so_far=told.append)
    assert [one.counts for one in told[0].descriptions] == list(COUNTS["four-bar"][1:])
    assert "Take a shorter time" in found["relative"].remark and found["relative"].counts == (3, 2)
    assert "no other motion" in found.sentence


def test_the_command_prints_and_writes_it(capsys, tmp_path):
    out = tmp_path / "motion.csv"
    asked = ["coordinates", "double_pendulum_small", "--t-end", "0.2", "--equations"]
    assert main([*asked, "--csv", str(out)]) == 0
    told = capsys.readouterr().out
    assert "Natural" in told and "theta_" in told and "Constraints" in told
    with out.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][0] == "t" and len(rows) == 102
    assert main(["coordinates", "spinning_top"]) == 2


def test_marked_constraints_are_all_constraints(found):
    yoke = compare_coordinates(load(example_paths()["scotch_yoke"]), t_end=0.01)
    for compared in (*found.values(), yoke):
        for one in compared.descriptions:
            if not one.sentence:
                assert sum(tie.n for tie in one.ties) == one.n_constraints
                assert all(np.isfinite(P).all() for tie in one.ties for _, P in tie.places)


@pytest.mark.parametrize("joints", [("weld",), ("revolute", "revolute")])
def test_what_cannot_move_stays_where_it_is_in_all_of_them(joints):
    m = Mechanism("fixed")
    m.box((0, 0), mass=1.0, id="block")
    for n, joint in enumerate(joints):
        getattr(m, joint)("ground", "block", (0.1 * n, 0.0))
    for way in compare_coordinates(m.model, t_end=0.05).descriptions:
        assert way.sentence or way.apart.max(initial=0.0) < 1e-9
