"""The command tree: how the bodies of a model hang in a tree, and its equations in joint coordinates."""

import argparse
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

from engine.cli.arguments import number, table
from engine.cli.parameters import add_set, with_set
from engine.cli.study_commands import Console
from engine.errors import say
from engine.model.elements import Model

REPEATS = 20  # of each way, of which the fastest counts
SECOND = 1e6  # in microseconds


def add_tree(commands: Any, console: Console) -> None:
    """Add the command to the parser."""
    told = commands.add_parser("tree", help="tell how bodies hang in a tree, in joint coordinates")
    told.add_argument("file", help="a model file, or the name of an example")
    add_set(told)
    told.add_argument("--time", type=number, default=0.0, metavar="T", help="of the state [s]")
    told.add_argument("--matrices", action="store_true", help="also B, C, J, M^, k^c and k^t")

    def command(chosen: argparse.Namespace) -> int:
        console.say_if_first_time()
        model = with_set(console.load(chosen.file), chosen)
        print("\n".join(lines_of(model, chosen.time, chosen.matrices)))
        return 0

    told.set_defaults(command=command)


def lines_of(model: Model, t: float, with_matrices: bool) -> Iterator[str]:
    """What the command prints."""
    from engine.running.simulate import prepare, run
    from engine.studies.tree_equations import recursive, tree_equations

    results = run(model, t_end=t or model_step(model), output_step=t or model_step(model))
    compiled, k = results.compiled, (-1 if t else 0)
    q, v, z = (np.ascontiguousarray(column[k]) for column in (results.q, results.v, results.z))
    tree = tree_equations(compiled, t, q, v, z)
    yield from _head(tree, model, t)
    yield ""
    yield from _bodies(tree)
    yield ""
    yield from _wrenches(tree)
    if with_matrices:
        yield from _matrices(tree)
    prepared = prepare(model)
    ways: dict[str, Callable[[], np.ndarray]] = {
        "minimal": lambda: tree_equations(compiled, t, q, v, z).minimal(),
        "sparse": lambda: tree_equations(compiled, t, q, v, z).sparse()[2],
        "recursive": recursive(prepared, t, q, v, z),
    }
    if tree.spanning.cuts:
        del ways["sparse"]
    yield ""
    yield from _compared(ways)


def model_step(model: Model) -> float:
    """A short time for which a run can be asked."""
    from engine.formulas.resolve import resolved

    return float(resolved(model).settings.step)


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


def _bodies(tree: Any) -> Iterator[str]:
    """One line for each coordinate of the tree."""
    from engine.kernels.trees.layout import BALL

    resolved, eta_dot = tree.compiled.resolved, tree.minimal()
    lines, at = [("i", "Body", "p(i)", "Joint", "beta", "eta", "eta'")], 0
    for n, (one, before) in enumerate(zip(tree.hung, tree.predecessors), 1):
        joint = one.branch.joint
        by = resolved[joint.id].label if joint is not None else say("(free)")
        name = (str(n), resolved[tree.compiled.body_ids[one.branch.body]].label, str(before), by)
        if not len(one.eta):
            lines.append((*name, "", "", ""))
        is_ball = one.carry.turn == BALL  # one coordinate more than speeds
        for k in range(max(len(one.beta), len(one.eta))):
            speed = k - (is_ball and k >= len(one.carry.slides))
            moves = 0 <= speed < len(one.eta) and not (is_ball and k == len(one.carry.slides))
            speeds = (one.eta[speed], eta_dot[at + speed]) if moves else ()
            shown = [f"{value:.9g}" for value in (one.beta[k], *speeds)]
            lines.append((*(name if k == 0 else ("",) * 4), *shown, *[""] * (3 - len(shown))))
        at += len(one.eta)
    yield from table(lines)


def _wrenches(tree: Any) -> Iterator[str]:
    """f^P of each joint on its body, where the tree determines it."""
    if tree.spanning.cuts:
        yield say("Wrenches of joints: see the reactions of a run; cut joints share in them.")
        return
    names = ("M_z", "F_x", "F_y") if tree.size == 3 else ("M_x", "M_y", "M_z", "F_x", "F_y", "F_z")
    wrenches = tree.wrenches(tree.minimal()).reshape(-1, tree.size)
    lines = [("f^P on body", *names)]
    for one, wrench in zip(tree.hung, wrenches):
        label = tree.compiled.resolved[tree.compiled.body_ids[one.branch.body]].label
        lines.append((label, *_shown(wrench)))
    yield from table(lines)


def _matrices(tree: Any) -> Iterator[str]:
    """The matrices of the tree in numbers."""
    for name in ("B", "C", "J"):
        yield ""
        A = getattr(tree, name)
        numbers = tuple(str(n) for n in range(1, A.shape[1] + 1))
        yield from table([(name, *numbers), *((str(n), *_shown(r)) for n, r in enumerate(A, 1))])
    yield ""
    columns = [f"eta{n}" for n in range(1, len(tree.eta) + 1)]
    lines = [("M^", *columns, "k^c", "k^t")]
    for name, row, *ends in zip(columns, tree.M_hat, tree.k_c, tree.k_t):
        lines.append((name, *_shown(row), *_shown(ends)))
    yield from table(lines)


def _compared(ways: dict[str, Callable[[], np.ndarray]]) -> Iterator[str]:
    """How far the ways to eta' are apart, and how long each takes."""
    found = {name: way() for name, way in ways.items()}
    size = 1.0 + np.abs(found["minimal"]).max(initial=0.0)
    lines = [("eta' by", "differs by", "time [us]")]
    for name, way in ways.items():
        best = np.inf
        for _ in range(REPEATS):
            before = perf_counter()
            way()
            best = min(best, perf_counter() - before)
        apart = np.abs(found[name] - found["minimal"]).max(initial=0.0) / size
        lines.append((name, f"{apart:.1e}", f"{SECOND * best:.3g}"))
    yield from table(lines)


def _shown(values: Any) -> list[str]:
    """Numbers as this command writes them; rounding is zero."""
    return [f"{0.0 if abs(value) < 1e-13 else value:.6g}" for value in values]
