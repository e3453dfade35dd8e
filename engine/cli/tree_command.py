"""The command tree: how the bodies of a model hang in a tree, and its equations in joint coordinates."""

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.cli.arguments import number, table
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import EngineError, say
from engine.model.elements import Model

SECOND = 1e6  # in microseconds
TITLES = {  # of matrices, in their order
    "wrenches": "f^P, f^k",
    "B": "B",
    "C": "C",
    "J": "J",
    "H": "H",
    "momentum": "M",
    "minimal": "M^",
    "sparse": "sparse",
}


def add_tree(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser("tree", help="tell how bodies hang in a tree, in joint coordinates")
    told.add_argument("file", help="a model file, or the name of an example")
    add_set(told)
    told.add_argument("--time", type=number, default=0.0, metavar="T", help="of the state [s]")
    told.add_argument(
        "--matrices",
        action="store_true",
        help="also B, C, J, H, M, M^, k^c, k^t and the sparse system",
    )
    told.add_argument(
        "--symbols", action="store_true", help="B, C, J and M^, k^c, k^t of a small tree in symbols"
    )

    def command(chosen: argparse.Namespace) -> int:
        console.say_if_first_time()
        model = with_set(console.load(chosen.file), chosen)
        print("\n".join(lines_of(model, chosen.time, chosen.matrices, chosen.symbols)))
        return 0

    told.set_defaults(command=command)


def lines_of(
    model: Model, t: float, with_matrices: bool, with_symbols: bool = False
) -> Iterator[str]:
    """What the command prints."""
    from engine.running.simulate import prepare
    from engine.studies.runs import run_until
    from engine.studies.tree_equations import recursive, tree_equations
    from engine.studies.tree_tables import compared, lines_of_tree

    results, k = run_until(model, t)
    compiled = results.compiled
    q, v, z = (np.ascontiguousarray(column[k]) for column in (results.q, results.v, results.z))
    tree = tree_equations(compiled, t, q, v, z)
    yield from _head(tree, model, t)
    yield ""
    yield from table(list(lines_of_tree(tree)))
    for name, title in TITLES.items():
        if name == "wrenches" or with_matrices:
            yield ""
            yield from _grid(tree, name, title)
    if with_symbols:
        yield from _symbols(tree)
    if tree.is_redundant:
        yield say("Rows of cut joints repeat others: wrenches are shared evenly.")
    yield ""
    yield from _compared(compared(tree, recursive(prepare(model), t, q, v, z)))


def _head(tree: Any, model: Model, t: float) -> Iterator[str]:
    """What is told about the whole tree."""
    cuts = ", ".join(f"'{tree.compiled.resolved[id].label}'" for id in tree.spanning.cuts)
    yield say(
        "{name}, t = {t:g} s: {n} bodies, {m} joint coordinates, {cut}",
        name=model.name or "model",
        t=t,
        n=len(tree.hung),
        m=len(tree.eta),
        cut=say("cut: {cuts}", cuts=cuts) if cuts else say("nothing is cut"),
    )
    yield say("Twists (omega, v) and wrenches (M, F) in world axes about O in the joint; SI units.")


def _grid(tree: Any, name: str, title: str) -> Iterator[str]:
    """One matrix in numbers; one that is not there has a sentence."""
    from engine.studies.tree_tables import grid, shown

    try:
        found = grid(tree, name)
    except EngineError as error:
        yield f"{title}: {error.sentence}"
        return
    rows = [(row, *map(shown, values)) for row, values in zip(found.rows, found.values)]
    yield from table([(title, *found.columns), *rows])


def _symbols(tree: Any) -> Iterator[str]:
    """The matrices in symbols; those that are too long have a sentence."""
    from engine.studies.tree_symbols import symbol_grids

    try:
        grids = symbol_grids(tree)
    except EngineError as error:
        yield ""
        yield error.sentence
        return
    for name, found in grids.items():
        yield ""
        rows = [(row, *values) for row, values in zip(found.rows, found.values)]
        yield from table([(TITLES[name], *found.columns), *rows])


def _compared(ways: list[Any]) -> Iterator[str]:
    """How far the ways to eta' are apart, and how long each takes."""
    lines = [(say("accelerations"), say("differ by"), say("time [us]"))]
    lines += [(way.name, f"{way.apart:.1e}", f"{SECOND * way.seconds:.3g}") for way in ways]
    yield from table(lines)
