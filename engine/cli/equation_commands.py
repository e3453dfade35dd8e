"""The command equations: the equations of motion of a model in symbols, as programs, or in numbers."""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.cli.arguments import number, one_of, table
from engine.cli.parameters import add_set, with_set
from engine.model.elements import Model

VIEW_NAMES = ("newton_euler", "index_3", "index_2", "index_1", "power", "matrix")


def add_equations(commands: Any, load: Callable[[str], Model], warn: Callable[[], None]) -> None:
    """Add the command; `load` reads a model and `warn` tells that kernels are compiled first."""
    told = commands.add_parser("equations", help="write the equations of motion of a model")
    told.add_argument("file", help="a model file, or the name of an example")
    add_set(told)
    form = told.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="as LaTeX")
    form.add_argument("--sympy", action="store_true", help="as a program of sympy")
    form.add_argument("--reduced", action="store_true", help="in joint coordinates")
    form.add_argument("--python", action="store_true", help="as a function that needs numpy alone")
    form.add_argument(
        "--numbers", action="store_true", help="in numbers, with the balance of powers"
    )
    told.add_argument("--time", type=number, metavar="T", help="of the numbers [s]; 0 by default")
    told.add_argument(
        "--view", type=one_of(VIEW_NAMES), metavar="V", help=f"one of {', '.join(VIEW_NAMES)}"
    )

    def command(chosen: argparse.Namespace) -> int:
        warn()
        print(text_of(with_set(load(chosen.file), chosen), chosen), end="")
        return 0

    told.set_defaults(command=command)


def text_of(model: Model, chosen: argparse.Namespace) -> str:
    """What the command prints."""
    from engine.compiling.system import compile_model
    from engine.symbols.equations import Equations
    from engine.symbols.views import Views
    from engine.symbols.written import python_code
    from engine.symbols.written.latex import latex_document
    from engine.symbols.written.plain_text import plain_document

    if chosen.numbers or chosen.time is not None:
        return "\n".join(_numbers(model, chosen.time or 0.0)) + "\n"
    equations = Equations(compile_model(model))
    if chosen.python:
        return python_code.python_function(equations)
    if chosen.sympy:
        return python_code.sympy_code(equations)
    if chosen.reduced:
        return "\n".join(_reduced(equations)) + "\n"
    views = Views(equations)
    if chosen.latex:
        return latex_document(views.view(chosen.view or "matrix"))
    names = [chosen.view] if chosen.view else ["newton_euler", "index_1"]
    return "\n".join(plain_document(views, names)) + "\n"


def _numbers(model: Model, t: float) -> Iterator[str]:
    """M, D, gamma, f, the solution and the powers at a time of the run."""
    from engine.kinematics.evaluate import equations
    from engine.studies.runs import run_until
    from engine.symbols.equations import Equations
    from engine.symbols.powers import Powers

    results, k = run_until(model, t)
    compiled = results.compiled
    q, v, z = results.q[k], results.v[k], results.z[k]
    here = equations(compiled, t, q, v, z=z)
    symbols = Equations(compiled)
    columns = [str(s) for s in symbols.v]
    rows = [f"{symbols.lam[n]} {compiled.model[id].label}" for n, id in enumerate(compiled.row_ids)]
    yield f"t = {t:g} s"
    yield ""
    state = [("", *columns), ("v", *_shown(v)), ("a", *_shown(here.a)), ("f", *_shown(here.f))]
    yield from table(state)
    yield ""
    yield from table([("M", *columns), *((n, *_shown(r)) for n, r in zip(columns, here.M))])
    if rows:
        yield ""
        head = ("D", *columns, "Phi", "nu", "gamma", "lambda")
        ends = np.column_stack([here.Phi, here.nu, here.gamma, here.lam])
        body = (
            (name, *_shown(D), *_shown(end))
            for name, D, end in zip(rows, here.D, ends, strict=True)
        )
        yield from table([head, *body])
    balance = Powers(symbols).at(t, q, v, z)
    yield ""
    lines = [("Power", "W"), *((p.label, f"{p.power:.9g}") for p in balance.powers)]
    yield from table([*lines, ("v . M a", f"{balance.kinetic:.9g}")])


def _reduced(equations: Any) -> Iterator[str]:
    """The equations in joint coordinates: what was found within the limit of time."""
    from engine.symbols.reduced.answers import reduced_sections
    from engine.symbols.reduced.background import Reduction
    from engine.symbols.reduced.starting import reduction_of
    from engine.symbols.written.plain_text import lines_of

    job = Reduction(reduction_of(equations))
    job.wait()
    for section in reduced_sections(job.found, equations):
        yield from lines_of(section)
    if job.sentence():
        yield job.sentence()


def _shown(values: np.ndarray) -> list[str]:
    return [f"{value:.6g}" for value in values]
