"""Put small faults into a module, one at a time, and see whether its tests notice.

    python -m tests.mutation gui/state/history.py tests/gui/state
    python -m tests.mutation engine/compiling/checks.py tests/engine/compiling --sample 60 --seconds 600

A fault is another comparison, another number, a statement left out, a condition inverted. Each is tried in
a process of its own that imports the changed module instead of the real one; files are never changed. Tests
that start processes of their own see the real module. A fault that survives is either harmless or a law
that no test states. The tests of a module must pass, and be fast.
"""

import argparse
import ast
import copy
import importlib.abc
import importlib.util
import os
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

ROOT = Path(__file__).parent.parent
LIBRARIES = ("numba", "scipy.optimize", "PySide6.QtWidgets")  # loaded once
PATIENCE = 5.0  # times what the tests need without a fault; more is a fault that was noticed
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
LEFT_OUT = (
    *(ast.Expr, ast.Assign, ast.AugAssign, ast.Delete),
    *(ast.Raise, ast.Continue, ast.Break, ast.Return),
)


class Fault(NamedTuple):
    """A change of one node: the line, the old text, the new text, and the tree."""

    line: int
    before: str
    after: str
    tree: ast.Module


def changed_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The possible replacements of a node."""
    if isinstance(node, ast.Compare):
        for n, op in enumerate(node.ops):
            other = copy.deepcopy(node)
            other.ops[n] = COMPARISONS[type(op)]()
            yield other
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, (ast.If, ast.While)):
        other = copy.deepcopy(node)
        other.test = ast.UnaryOp(ast.Not(), other.test)
        yield other
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, LEFT_OUT) and not _says_nothing(node):
        yield ast.Pass()


def _says_nothing(node: ast.AST) -> bool:
    """Whether a statement could be left out without a difference: a docstring, a plain return."""
    return not isinstance(getattr(node, "value", node), ast.AST) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


def faults(text: str) -> list[Fault]:
    """All faults of a module, in the order of its lines; declarations of its own are left alone."""
    found = []
    for place, node in enumerate(ast.walk(ast.parse(text))):
        for other in changed_nodes(node):
            tree = ast.parse(text)
            parent, field, n = _places(tree)[place]
            if isinstance(other, ast.Pass) and isinstance(parent, (ast.Module, ast.ClassDef)):
                continue  # a missing name is noticed when the module is imported
            if n is None:
                setattr(parent, field, other)
            else:
                getattr(parent, field)[n] = other
            ast.fix_missing_locations(ast.copy_location(other, node))
            words = (ast.unparse(node).splitlines()[0], ast.unparse(other).splitlines()[0])
            found.append(Fault(getattr(node, "lineno", 0), *words, tree))
    return sorted(found, key=lambda fault: fault.line)


def _places(tree: ast.Module) -> list[tuple[ast.AST, str, int | None]]:
    """The parent of each node, in the order of ast.walk; the module itself has none."""
    where: dict[int, tuple[ast.AST, str, int | None]] = {id(tree): (tree, "", None)}
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for n, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    where[id(child)] = (parent, field, n)
    return [where[id(node)] for node in ast.walk(tree)]


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports a changed tree instead of one module."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self.name, self.path, self.tree = name, path, tree

    def find_spec(self, name, path, target=None):
        """Answer for this one module."""
        if name == self.name:
            return importlib.util.spec_from_file_location(name, self.path, loader=self)
        return None

    def exec_module(self, module):
        """Fill the module."""
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)


def notice(
    path: Path, tree: ast.Module, tests: Sequence[str], seconds: float
) -> tuple[bool, float]:
    """Whether the tests notice a changed module, and the seconds of the processor they took."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nothing:
            os.dup2(nothing.fileno(), 1)
            os.dup2(nothing.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        sys.meta_path.insert(0, Instead(name, path, tree))
        import pytest

        quick = ["-x", "-q", "-p", "no:cacheprovider", "--hypothesis-profile=unshrunk"]
        code = pytest.main([*quick, *tests])
        os._exit(int(code))
    _, status, used = os.wait4(child, 0)
    return status != 0, used.ru_utime + used.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the faults of one module and print those that survive; 1 if any does."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("module", type=Path, help="the file that gets faults")
    parser.add_argument("tests", nargs="+", help="what to run: files, folders or -k expressions")
    parser.add_argument("--sample", type=int, help="try only so many, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the drawing")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    given, more = parser.parse_known_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for name in LIBRARIES:
        __import__(name)
    path, tests = given.module.resolve(), [*given.tests, *more]
    text = path.read_text(encoding="utf-8")
    is_noticed, took = notice(path, ast.parse(text), tests, 3600.0)
    if is_noticed:
        print("The tests fail without any fault: mend them first.")
        return 2
    tried = faults(text)
    if given.sample is not None and given.sample < len(tried):
        tried = sorted(random.Random(given.seed).sample(tried, given.sample), key=lambda f: f.line)
    survived, n_tried, stop = [], 0, time.monotonic() + given.seconds
    for fault in tqdm(tried, unit="fault", desc=str(given.module)):
        if time.monotonic() > stop:
            break
        n_tried += 1
        if not notice(path, fault.tree, tests, PATIENCE * took + 10.0)[0]:
            survived.append(fault)
            tqdm.write(f"  {given.module}:{fault.line}: {fault.before}  ->  {fault.after}")
    print(f"{given.module}: {n_tried} faults tried, {n_tried - len(survived)} noticed.")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
