"""Count kernels: those that functions need, and those whose machine code is on the disk."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from numba.core.dispatcher import Dispatcher


def kernels_in(*modules: ModuleType) -> set[Any]:
    """The kernels that are defined in these modules."""
    return {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Dispatcher) and value.py_func.__module__ == module.__name__
    }


def needed(roots: Iterable[Any]) -> set[Any]:
    """The roots and all kernels they call, directly or not; without those that are parts of their callers.

    A root is a kernel, or anything else with a `py_func` that is compiled.
    """
    found: set[Any] = set()
    waiting = list(roots)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += _named_in(one.py_func)
    return {one for one in found if not _is_inlined(one)}


def n_kept(folders: Iterable[Path | None]) -> int:
    """How many kernels have machine code in the folders."""
    return sum(len(list(folder.glob("*.nbi"))) for folder in folders if folder is not None)


def _named_in(function: FunctionType) -> Iterator[Any]:
    """The kernels that a function names: by themselves, as `module.kernel`, or in a closure."""
    names, known = function.__code__.co_names, function.__globals__
    values = [known[name] for name in names if name in known]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    for value in values:
        if isinstance(value, ModuleType):
            yield from _kernels(vars(value)[name] for name in names if name in vars(value))
    yield from _kernels(values)


def _kernels(values: Iterable[Any]) -> Iterator[Any]:
    return (value for value in values if isinstance(value, Dispatcher))


def _is_inlined(one: Any) -> bool:
    """Whether a kernel has no machine code of its own."""
    return getattr(one, "targetoptions", {}).get("inline") == "always"
