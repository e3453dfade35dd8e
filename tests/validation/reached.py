"""How near the program comes to the values of reference problems."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Problems = Mapping[str, Callable[[str], "Iterator[Reached]"]]


class Reached(NamedTuple):
    """A value of a problem: how far off it may be, and how far it is."""

    problem: str
    what: str
    asked: float
    reached: float
    sense: str  # "rel", "abs", "abs, m"
    by: str = ""  # the method that found it


def read(name: str) -> dict[str, Any]:
    """The problems of a file beside the tests."""
    return json.loads((Path(__file__).parents[1] / "data" / name).read_text())


def compared(data: dict[str, Any], problem: str, what: str, found: Any, by: str = "") -> Reached:
    """A value that was found beside the one of the problem."""
    given = data[problem]["values"][what]
    value, found = np.array(given["value"], dtype=float), np.array(found, dtype=float)
    assert found.shape == value.shape, (problem, what)
    off = np.abs(found - value)
    if given["is"].startswith("rel"):
        off = off / np.abs(value)
    asked = np.array(given["tolerance"], dtype=float)
    worst = np.argmax(np.atleast_1d(off / asked))
    asked = np.broadcast_to(asked, np.shape(off))
    return Reached(
        problem,
        what,
        float(asked.flat[worst]),
        float(np.atleast_1d(off).flat[worst]),
        given["is"],
        by,
    )


def tell(problems: Problems) -> None:
    """Print what each problem asks for and what is reached."""
    for problem, find in problems.items():
        for one in find(problem):
            mark = "" if one.reached <= one.asked else "  <--"
            numbers = f"{one.asked:10.1e}{one.reached:10.1e} {one.sense}"
            print(f"{one.problem:5}{one.what:28}{one.by:16}{numbers}{mark}")
