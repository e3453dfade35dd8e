"""Bodies that bend against their reference problems, each to its tolerance."""

import pytest

from tests.validation.flexible_references import DATA, PROBLEMS

IMPORTED = {"F18"}  # the matrices of a part, in tests/validation/test_parts.py


def test_every_problem_is_computed():
    assert set(PROBLEMS) | IMPORTED == set(DATA)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_is_met_to_its_tolerance(name):
    found = list(PROBLEMS[name](name))
    assert found
    too_far = [one for one in found if not one.reached <= one.asked]
    assert not too_far
