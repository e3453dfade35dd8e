"""One step opened up: the replay lands where the engine lands, and tells what every equation leaves."""

import csv

import numpy as np
import pytest

from assets import example_paths
from engine.cli.commands import main
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.methods import METHOD_NAMES
from engine.running.simulate import run
from engine.studies.microscope import SUPPORTED, open_step
from tests.engine.running.test_events import pendulum

LANDS = 1e-14  # of the largest entry: rounding of sums in the order of the engine


def example(name):
    return compile_model(load(example_paths()[name]))


@pytest.fixture(scope="module")
def swinging():
    """The double pendulum B and its state at 1 s."""
    compiled = example("double_pendulum")
    results = run(compiled, t_end=1.0, output_step=0.01, method="dop853", tolerance=1e-12)
    return compiled, (results.q[-1], results.v[-1], results.z[-1])


def opened(swinging, method, stabilisation="none"):
    compiled, state = swinging
    return open_step(
        compiled, time=1.0, method=method, step=0.01, stabilisation=stabilisation, state=state
    )


def assert_lands(step):
    assert step.differs <= LANDS * max(1.0, np.abs(step.end).max())


@pytest.mark.parametrize("stabilisation", ["none", "projection", "baumgarte"])
@pytest.mark.parametrize("method", SUPPORTED)
def test_every_method_lands_on_the_step_of_the_engine(swinging, method, stabilisation):
    assert_lands(opened(swinging, method, stabilisation))


def test_the_reference_of_the_index_3_trapezoid_is_met(swinging):
    step = opened(swinging, "trapezoid_index3")
    assert step.differs <= 5.6e-17  # references.json, as found there with exact accelerations
    left = [step.worst(stage, "bodies")[0] for stage in step.stages]
    assert left[0] == pytest.approx(6.84, rel=0.01)  # N m
    assert 6.1e-5 / 2 < left[1] < 6.1e-5 * 2
    assert left[2] < 1e-8  # rounding of 4/h^2 times the displacement
    assert step.worst(step.stages[0], "joints")[1].label == "'A': P_j - P_i = 0 (x)"
    assert opened(swinging, "rk4").differs <= 4.4e-16


@pytest.mark.parametrize(
    "name", ["four_bar", "rod_with_spring", "crane_trolley", "rheonomic_pendulum", "spinning_top"]
)
@pytest.mark.parametrize("method", ["rk4", "trapezoid", "trapezoid_index3", "generalised_alpha"])
def test_examples_land_too(name, method):
    assert_lands(open_step(example(name), time=0.05, method=method, step=0.002))


IN_SPACE = (
    "spinning_top",
    "gyroscope_in_gimbals",
    "gimbal_lock",
    "spatial_slider_crank",
    "satellite",
)


@pytest.mark.parametrize("stabilisation", ["none", "projection"])
@pytest.mark.parametrize("name", IN_SPACE)
def test_euler_cromer_lands_in_space_too(name, stabilisation):
    step = open_step(
        example(name), time=0.05, method="euler_cromer", step=0.002, stabilisation=stabilisation
    )
    assert_lands(step)


def test_iterations_converge_and_close_the_joints(swinging):
    step = opened(swinging, "generalised_alpha")
    corrections = [stage.correction for stage in step.stages]
    assert corrections == sorted(corrections, reverse=True) and corrections[-1] < 1e-12
    assert step.worst(step.stages[-1], "joints")[0] < 1e-15  # m
    assert all(1.0 < stage.condition < 1e6 for stage in step.stages)


def test_stages_fulfil_the_equations_of_motion_and_open_joints_by_the_order(swinging):
    gaps = []
    for h in (0.02, 0.01):
        compiled, state = swinging
        step = open_step(
            compiled, time=1.0, method="heun", step=h, stabilisation="none", state=state
        )
        assert max(step.worst(s, "bodies")[0] for s in step.stages) < 1e-12  # N
        gaps.append(step.worst(step.stages[-1], "joints")[0])
    assert gaps[0] / gaps[1] == pytest.approx(4.0, rel=0.05)  # a stage of Euler is open by h^2


def test_the_matrix_stands_in_the_order_of_elimination_with_its_fill():
    step = open_step(example("four_bar"), method="trapezoid_index3", step=0.01)
    matrix = step.matrix
    first = [node.first for node in matrix.nodes]
    assert first == sorted(first) and len(matrix.values) == 9 + 8
    for i, one in enumerate(matrix.nodes):  # outside couplings everything is zero
        for j in range(i + 1, len(matrix.nodes)):
            other = matrix.nodes[j]
            block = matrix.values[one.first :][: one.size, other.first :][:, : other.size]
            if (i, j) not in matrix.coupled:
                assert not block.any()
    assert matrix.fill  # a loop cannot be eliminated without
    assert "Fill: none" not in step.elimination
    explicit = open_step(example("four_bar"), method="rk4", step=0.01).matrix
    assert all(node.is_joint for node in explicit.nodes)
    np.testing.assert_allclose(explicit.values, explicit.values.T, atol=1e-12)


def test_fill_is_what_elimination_without_pivoting_makes():
    matrix = open_step(example("jansen_leg"), method="rk4", step=0.01).matrix
    left = matrix.values.copy()
    made = set()
    for k, node in enumerate(matrix.nodes):
        a, b = node.first, node.first + node.size
        for j in range(k + 1, len(matrix.nodes)):
            other = matrix.nodes[j]
            if np.abs(left[a:b, other.first : other.first + other.size]).max() > 1e-9:
                made.add((k, j))
        left[b:, b:] -= left[b:, a:b] @ np.linalg.solve(left[a:b, a:b], left[a:b, b:])
    assert made <= matrix.coupled | matrix.fill and matrix.fill - made == set()


@pytest.mark.parametrize("method", [m for m in METHOD_NAMES if m not in SUPPORTED])
def test_methods_that_choose_steps_or_remember_are_refused(method):
    with pytest.raises(EngineError, match="microscope opens steps of equal length"):
        open_step(example("pendulum"), method=method)


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        ("pendulum", {"method": "rk9"}, "There is no method 'rk9'"),
        ("pendulum", {"step": 0.0}, "longer than 0 s"),
        ("pendulum", {"time": -1.0}, "a run begins at 0 s"),
        ("pendulum", {"stabilisation": "glue"}, "no stabilisation 'glue'"),
        ("maxwell_creep", {"method": "trapezoid"}, "does not know the states, of"),
        ("gear_train", {"method": "hht"}, "does not know the friction by reactions"),
        ("gimbal_lock", {"method": "hht"}, "does not know the Euler angles, of"),
    ],
)
def test_what_cannot_be_opened_is_told(name, changes, says):
    with pytest.raises(EngineError, match=says):
        open_step(example(name), **{"method": "rk4", "step": 0.01, **changes})


def test_what_holds_on_one_side_is_refused_without_naming_methods_that_cannot_be_opened():
    with pytest.raises(EngineError, match="act both ways") as told:
        open_step(load(example_paths()["rope_that_goes_slack"]))
    assert "Radau" not in told.value.sentence and told.value.ids == ("rope",)


def test_a_step_that_is_not_solved_is_told():
    m = Mechanism("out of reach")
    bob = m.particle((0.6, 0.8), mass=1)
    m.constraint(bob, (0.6, 0.8), formula="x^2 + y^2 - 1")
    m.constraint(bob, (0.6, 0.8), formula="x - 0.6 - 2*t")
    with pytest.raises(EngineError, match="Take a shorter step"):
        open_step(m.model, method="trapezoid_index3", step=1.0)


def test_a_time_after_the_end_of_the_run_is_told():
    with pytest.raises(EngineError, match="Choose an earlier time"):
        open_step(pendulum(2, 1.0, value=-0.4, action="stop").model, time=2.0, method="rk4")


def test_the_command_prints_and_writes_it(capsys, tmp_path):
    out = tmp_path / "step.csv"
    asked = ["microscope", "double_pendulum", "--time", "0.1", "--method", "trapezoid_index3"]
    assert main([*asked, "--step", "0.01", "--residuals", "--csv", str(out)]) == 0
    told = capsys.readouterr().out
    assert (
        "iteration 1" in told and "Eliminated in the order" in told and "angle of 'lower'" in told
    )
    with out.open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0][0] == "stage" and len(rows) > 20
    assert main(["microscope", "double_pendulum", "--method", "bdf2"]) == 2
    assert "remember no earlier step" in capsys.readouterr().err
