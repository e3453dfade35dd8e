"""Contact, friction, laws with states and wear against their reference problems, each to its tolerance."""

import pytest

from tests.validation.contact_references import DATA, PROBLEMS

CLOSED_FORM = {"C25"}  # no run, so no method


def test_every_problem_is_computed():
    assert set(PROBLEMS) == set(DATA)


@pytest.mark.parametrize("name", sorted(PROBLEMS))
def test_a_problem_is_met_to_its_tolerance_by_two_methods(name):
    found = list(PROBLEMS[name](name))
    assert not [one for one in found if not one.reached <= one.asked]
    assert {one.what for one in found} == set(DATA[name]["values"])
    assert len({one.by for one in found} - {""}) >= 2 or name in CLOSED_FORM
