"""However many parameters are wrong, the work to say so grows no faster than their number."""

import json
import sys

import pytest

from engine.compiling.checks import problems
from engine.files.model_files import loads
from engine.formulas.lenient import lenient

CASES = {
    "each names itself": lambda n: [f"p{k}" for k in range(n)],
    "a chain": lambda n: ["1", *(f"p{k} + 0" for k in range(n - 1))],
    "a chain from behind": lambda n: [*(f"p{k + 1}" for k in range(n - 1)), "1"],
    "one large circle": lambda n: [f"p{(k + 1) % n}" for k in range(n)],
    "a chain on something unknown": lambda n: ["nowhere", *(f"p{k}" for k in range(n - 1))],
    "texts that cannot be read": lambda n: [f"1 + * {k}" for k in range(n)],
    "divisions by zero": lambda n: [f"{k}/0" for k in range(n)],
}


def model_of(values, n_bodies):
    """A model of parameters with these values, and of bodies that use them, one of them unknown."""
    elements = [{"kind": "parameter", "id": f"p{k}", "value": v} for k, v in enumerate(values)]
    elements += [
        {
            "kind": "body",
            "id": f"b{k}",
            "mass": "nowhere" if k == 3 else 1.0,
            "position": [f"p{k}", 0],
        }
        for k in range(n_bodies)
    ]
    return loads(json.dumps({"kardan": 3, "dim": 2, "elements": elements}))


def calls_of(work):
    """How many functions were called."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("work", [problems, lenient])
@pytest.mark.parametrize("name", CASES)
def test_twice_as_many_take_twice_the_work(name, work):
    small, large = (model_of(CASES[name](n), n // 10) for n in (300, 600))
    for model in (small, large):  # texts that were read are remembered
        work(model)
    assert calls_of(lambda: work(large)) < 2.5 * calls_of(lambda: work(small))


def test_a_chain_of_twenty_thousand_parameters_is_followed_to_its_end():
    model = model_of(CASES["a chain from behind"](20_000), 1)
    assert lenient(model)["p0"].value == 1.0
    assert problems(model_of(CASES["a chain"](20_000), 0)) == []


def test_references_in_a_long_row_are_followed_once():
    def row(n):
        markers = [
            {"kind": "marker", "id": f"m{k}", "body": f"m{k + 1}", "position": [0.0, 0.0]}
            for k in range(n)
        ]
        return loads(json.dumps({"kardan": 3, "dim": 2, "elements": markers}))

    small, large = row(200), row(400)
    assert calls_of(lambda: problems(large)) < 2.5 * calls_of(lambda: problems(small))


def test_of_very_many_wrong_parameters_a_hundred_are_told_and_the_others_counted():
    found = problems(model_of(CASES["each names itself"](150), 0))
    assert len(found) == 101 and found[-1].sentence == "So it is with 50 more parameters."
