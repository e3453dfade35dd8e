"""What is said of each constraint agrees with the rows the kernels have."""

from dataclasses import replace

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.compiling.typed_rows import rows_of_time
from engine.kernels.functions import CONSTANT
from engine.kinematics.checkup import examine
from engine.kinematics.constraints import LEVELS, constraints
from engine.kinematics.mobility import mobility
from engine.model.elements import put
from kardan import Mechanism, Polyline, load
from tests.engine.sample_runs import pendulum


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_the_table_of_constraints_holds_every_row_once(name):
    compiled = compile_model(load(example_paths()[name]))
    told = constraints(compiled)
    named = [channel for one in told for channel in one.multipliers]
    rows = {id: len(which) for id, which in compiled.rows_of.items()}
    assert named == [
        f"{e.id}.lam_{k + 1}" for e in compiled.resolved for k in range(rows.get(e.id, 0))
    ]
    levels = {
        f"{id}.lam_{k + 1}": LEVELS[compiled.system.rows["level"][row]]
        for id, which in compiled.rows_of.items()
        for k, row in enumerate(which)
    }
    functions = compiled.system.functions
    driven = set(rows_of_time(compiled.system).tolist())
    for row, function in compiled.system.driven:
        moves = functions.arg[functions.start[function]] != 0.0
        if functions.kind[function] != CONSTANT or (compiled.system.rows["level"][row] and moves):
            driven.add(int(row))
    for one in told:
        for channel in one.multipliers:
            id, _, n = channel.rpartition(".lam_")
            assert levels[channel] == one.level
            assert (int(compiled.rows_of[id][int(n) - 1]) in driven) == (not one.is_scleronomic)
    assert mobility(compiled).is_scleronomic == all(one.is_scleronomic for one in told)


def driven(law, quantity="position"):
    """A driven pendulum."""
    m = pendulum()
    m.parameter("turn", 0.5)
    m.motion("revolute_1", law, quantity=quantity)
    return m.model


@pytest.mark.parametrize(
    "law, quantity, scleronomic, words",
    [
        (0.5, "position", True, ""),
        ("2*turn", "position", True, ""),  # a formula without t is a number
        ("turn*t", "position", False, "law(t) = turn*t"),
        (0.0, "speed", True, ""),
        ("0*turn", "speed", True, ""),
        (2.0, "speed", False, "the velocity is 2 rad/s"),
        ("4*turn", "acceleration", False, "the acceleration is 2 rad/s^2"),
        (
            ((0.0, 0.0), (1.0, 1.0), (2.0, 0.0)),
            "position",
            False,
            "table of 3 points, joined by a cubic",
        ),
        (Polyline(((0.0, 0.0), (1.0, 1.0))), "speed", False, "2 points, joined by straight lines"),
    ],
)
def test_time_enters_only_where_the_target_changes_with_it(law, quantity, scleronomic, words):
    compiled = compile_model(driven(law, quantity))
    (told,) = (one for one in constraints(compiled) if one.id == "motion_1")
    assert told.is_scleronomic == scleronomic == mobility(compiled).is_scleronomic
    assert words in told.driven_by and bool(words) == bool(told.driven_by)
    assert told.level == {"position": "position", "speed": "velocity"}.get(quantity, quantity)


def test_equations_are_written_as_in_the_notation():
    m = Mechanism("slider")
    m.box((0.0, 0.0), 0.2, 0.1, id="sled")
    m.prismatic("ground", "sled", at=(0.0, 0.0), id="rail")
    m.particle((1.0, 0.0), id="ball")
    m.massless_rod(("sled", (0.0, 0.0)), ("ball", (1.0, 0.0)), length=1.0, id="link")
    found = [one.equation for one in constraints(compile_model(m.model))]
    assert found == ["y_i . d = 0", "angle = 0", "|d| = 1"]


def test_every_open_joint_is_named_the_widest_first():
    m = Mechanism("gaping")
    m.rod((0.0, 0.0), (1.0, 0.0))
    m.rod((1.0, 0.0), (2.0, 0.0))
    m.revolute("ground", "rod_1", at=(0.0, 0.0))
    m.revolute("rod_1", "rod_2", at=(1.0, 0.0))
    model = m.model
    second = model["rod_2"]
    model = put(model, replace(second, position=(second.position[0], second.position[1] + 0.054)))
    ground = next(x for x in model.of("marker") if x.body == "ground")
    model = put(model, replace(ground, position=(0.0, 0.003)))
    checkup = examine(model)
    assert [gap.id for gap in checkup.gaps] == ["revolute_2", "revolute_1"]
    assert [gap.size for gap in checkup.gaps] == pytest.approx([0.054, 0.003])
    assert "'revolute_2' (rod_1 - rod_2) is 54 mm apart" in checkup.gaps[0].sentence
    assert checkup.can_run and len(checkup.warnings) == 2
    assert not examine(m.model).gaps and np.isfinite(examine(m.model).gap)


def test_a_law_that_is_named_like_a_choice_is_told_as_a_law():
    m = Mechanism("Driven")
    m.parameter("speed", 3.0)
    crank = m.rod((0, 0), (1, 0))
    m.motion(m.revolute("ground", crank, at=(0, 0)), "speed", "speed", id="motor")
    (motor,) = [one for one in constraints(compile_model(m.model)) if one.id == "motor"]
    assert motor.equation == "d/dt angle = law(t)"
