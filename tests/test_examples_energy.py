"""The energy of every example is accounted for: what is stored, what rubs and wears off, what drives do."""

import pytest

from assets import example_paths
from engine.results.balance import balance_of
from tests.example_runs import ran


@pytest.mark.parametrize("name", sorted(example_paths()))
def test_the_balance_closes_to_the_tolerance_of_the_method(name):
    balance = balance_of(ran(name))
    assert balance.exchanged > 0.0
    assert balance.share < balance.promised <= 1e-3, balance.sentence
