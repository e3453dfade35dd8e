"""The child process of a reduction: it reads a problem and writes one line for every answer, best last.

It imports sympy and nothing of the kernels, so that it starts in less than a second.
"""

import json
import sys
from typing import Any

from engine.symbols.reduced.exchange import encoded, problem_of_data
from engine.symbols.reduced.ratios import Ratio, closing_rates, velocity_ratios
from engine.symbols.reduced.reduction import (
    MOST_SOLVED,
    Problem,
    matrix_form,
    reduce,
    solved,
)
from engine.symbols.reduced.space import reduce_in_space
from engine.symbols.reduced.trigonometry import fourier, shortest


def main() -> None:
    """Answer the problem on standard input."""
    problem = problem_of_data(json.load(sys.stdin))
    reduced = reduce(problem) if isinstance(problem, Problem) else reduce_in_space(problem)
    told = [[str(a), joint] for a, joint in zip(reduced.u, reduced.joints)]
    answer("coordinates", told)
    if reduced.loop:
        loop = [shortest(form) for x in reduced.loop if (form := fourier(x))]
        answer("loop", [encoded(x) for x in loop])
        answer("rates", [encoded(x) for x in closing_rates(reduced)])
    M, h = matrix_form(reduced)
    answer("matrix", [encoded(M), [encoded(x) for x in h]])
    if reduced.loop:
        ratios = velocity_ratios(reduced)
        answer("ratios", [[encoded(one.rate), _encoded_parts(one)] for one in ratios])
    if not reduced.loop and len(reduced.u) <= MOST_SOLVED:
        answer("solved", [encoded(x) for x in solved(reduced)])
    answer("done", None)


def _encoded_parts(ratio: Ratio) -> list[list[Any]]:
    return [[encoded(rate), encoded(x)] for rate, x in ratio.parts]


def answer(name: str, data: Any) -> None:
    """Write one answer."""
    print(json.dumps([name, data]), flush=True)


if __name__ == "__main__":
    main()
