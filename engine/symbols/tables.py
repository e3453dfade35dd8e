"""A table of points as a function without a formula: F(t), with its two derivatives in numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from engine.formulas.functions import pack
from engine.kernels import functions as machine
from engine.kernels.functions import STACK_SIZE
from engine.model.fields import Points

ORDERS = ("", "_dot", "_ddot")  # a table is differentiated twice at most

Numeric = Callable[[Any], Any]


def table_function(name: str, points: Points, variable: str) -> tuple[Any, dict[str, Numeric]]:
    """The function of a table for expressions, and its values and derivatives by name."""
    packed = pack([(points, (variable,))], {})
    stack, out = np.zeros(STACK_SIZE), np.zeros(3)

    def number(order: int) -> Numeric:
        def at(x: Any) -> float:
            machine.jet(packed, 0, np.array([float(x)]), np.ones(1), stack, out)
            return float(out[order])

        at.packed = packed  # type: ignore[attr-defined]
        return at

    made = None
    for order in reversed(ORDERS):
        made = _function(f"{name}{order}", made)
    return made, {f"{name}{order}": number(k) for k, order in enumerate(ORDERS)}


def _function(name: str, derivative: Any) -> Any:
    """A function of one variable with a known derivative."""

    def fdiff(self: Any, argindex: int = 1) -> Any:
        if derivative is None:
            return sp.Function.fdiff(self, argindex)
        return derivative(self.args[0])

    return type(name, (sp.Function,), {"fdiff": fdiff, "is_real": True})
