"""The energy of every example is accounted for: what is stored, what rubs and wears off, what drives do."""

import pytest

from assets import example_paths
from engine.results.balance import balance_of
from engine.running.simulate import run
from tests.example_runs import model_of_file, ran

SHORT = 0.6  # s: every one of them has touched, slid or let go by then
TOUCHING = (
    *("ball_begins_to_roll", "block_on_a_slope", "bouncing_balls", "cam_that_loses_its_follower"),
    *("drawer_that_jams", "geneva_wheel", "knee_in_a_squat", "loose_wrist_pin", "maxwell_creep"),
    *("pla_gear_pair", "rope_that_goes_slack", "screw_press", "stick_slip_on_a_belt"),
    "swing_arm_suspension",
)


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_the_balance_closes_to_the_tolerance_of_the_method(name):
    balance = balance_of(ran(name))
    assert balance.exchanged > 0.0
    assert balance.share < balance.promised <= 1e-3, balance.sentence


@pytest.mark.parametrize("method", ["radau", "dop853"])
@pytest.mark.parametrize("name", TOUCHING)
def test_with_contact_and_friction_it_closes_explicit_and_implicit(name, method):
    model = model_of_file(name)
    t_end = min(float(model.settings.t_end), SHORT)
    results = run(model, method=method, tolerance=1e-9, t_end=t_end)
    balance = balance_of(results)
    assert results.ending.reason == "done" and balance.exchanged > 0.0
    # some hundred to thousand steps, each with its tolerance
    assert balance.share < min(balance.promised, 1e-5), balance.sentence
