"""Whether rows that are typed as formulas can be used where the mechanism stands."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import EngineError, say
from engine.formulas.dimensions import Known, Quantity, check_sums
from engine.formulas.expressions import parse
from engine.formulas.units import unit
from engine.kernels import functions as machine
from engine.kernels.functions import CODE, CODES, STACK_SIZE, Functions
from engine.kernels.layout import DOT, OF_RATE, VELOCITY, System
from engine.model.connections import Row
from engine.model.elements import Model

LINEAR = 1e-9  # of the formula: what is left of a second derivative by rounding
TRIES = 3


class Typed:
    """One typed formula, with its derivatives by its arguments: coordinates, rates and the time."""

    def __init__(self, functions: Functions, which: int) -> None:
        self._functions, self._which = functions, which
        self._stack, self._jet = np.zeros(STACK_SIZE), np.zeros(3)

    def jet(self, x: np.ndarray, way: np.ndarray) -> np.ndarray:
        """F and its first two derivatives along a way."""
        machine.jet(self._functions, self._which, x, way, self._stack, self._jet)
        return self._jet.copy()

    def slopes(self, x: np.ndarray) -> np.ndarray:
        """F_k of every argument."""
        return np.array([self.jet(x, way)[1] for way in np.eye(len(x))])


def check_typed_rows(
    model: Model,
    elements: Sequence[Any],
    rows: Sequence[tuple[Row, ...]],
    formulas: np.ndarray,
    arguments: np.ndarray,
    functions: Functions,
    drawn: np.ndarray,
) -> None:
    """Raise EngineError about a typed row that no mechanism can keep, or not here."""
    records = iter(formulas)
    for element, of_element in zip(elements, rows):
        for row in of_element:
            if row.typed is None:
                continue
            record = next(records)
            own = arguments[record["start"] : record["stop"]]
            _check_units(model, element, row)
            at = np.append(np.where(own["part"] == OF_RATE, 0.0, drawn[own["term"]]), 0.0)
            formula = Typed(functions, int(record["function"]))
            _check_finite(element, row, formula, at)
            if row.level == VELOCITY:
                _check_linear(element, row, formula, at)
            _check_slopes(element, row, formula, at)


def rows_of_time(system: System) -> np.ndarray:
    """The typed rows in which the time appears."""
    return timed_rows(system.formulas, system.functions)


def timed_rows(formulas: np.ndarray, functions: Functions) -> np.ndarray:
    """The rows of those formulas in which the time appears."""
    found = []
    for formula in formulas:
        k, n = formula["function"], formula["stop"] - formula["start"]
        part = slice(functions.start[k], functions.stop[k])
        is_time = (functions.op[part] == CODES["name"]) & (functions.arg[part] == n)
        if functions.kind[k] == CODE and is_time.any():
            found.append(int(formula["row"]))
    return np.array(found, dtype=np.int64)


def driving_rows(rows: np.ndarray, formulas: np.ndarray, functions: Functions) -> np.ndarray:
    """The typed rows that may do work: with the time in them, or of velocities."""
    late = formulas["row"][rows["level"][formulas["row"]] == VELOCITY]
    return np.union1d(timed_rows(formulas, functions), late).astype(np.int64)


def _check_units(model: Model, element: Any, row: Row) -> None:
    """Refuse sums of lengths and masses."""
    assert row.typed is not None
    dimensions: dict[str, Known] = {}
    for parameter in model.of("parameter"):
        try:
            own = parameter.unit
            dimensions[parameter.id] = Quantity(unit(own).dimension, True) if own else None
        except EngineError:  # its unit is for people
            dimensions[parameter.id] = None
    for name, is_rate, (_, coordinate) in zip(row.typed.names, row.typed.of_rate, row.terms):
        is_length = not coordinate.is_angle and coordinate.kind != DOT
        dimensions[name] = Quantity((int(is_length), 0, -1 if is_rate else 0, 0))
    dimensions["t"] = Quantity((0, 0, 1, 0))
    try:
        check_sums(parse(row.typed.text), dimensions)
    except EngineError as error:
        raise EngineError(_about(element, error.sentence), element.id) from None


def _check_finite(element: Any, row: Row, formula: Typed, at: np.ndarray) -> None:
    """Refuse a formula without a value or a derivative where the mechanism is drawn."""
    assert row.typed is not None
    names: Mapping[int, str] = dict(enumerate((*row.typed.names, "t")))
    if not np.isfinite(formula.jet(at, np.zeros(len(at)))[0]):
        raise EngineError(
            _about(
                element,
                say(
                    "It has no finite value where the mechanism is drawn. Move the body, or "
                    "write it in another way."
                ),
            ),
            element.id,
        )
    for k, way in enumerate(np.eye(len(at))):
        if not np.isfinite(formula.jet(at, way)).all():
            raise EngineError(
                _about(
                    element,
                    say(
                        "It cannot be differentiated by {name} where the mechanism is drawn. Move the "
                        "body, or write it in another way, such as with squares in place of roots.",
                        name=names[k],
                    ),
                ),
                element.id,
            )


def _check_slopes(element: Any, row: Row, formula: Typed, at: np.ndarray) -> None:
    """Refuse a formula that no coordinate changes."""
    assert row.typed is not None
    makes_D = np.array([rate or row.level != VELOCITY for rate in row.typed.of_rate])

    def is_flat(x: np.ndarray) -> bool:
        slopes = formula.slopes(x)[:-1][makes_D]
        return not slopes.any()

    if not is_flat(at):
        return
    rng = np.random.default_rng(1)
    if all(is_flat(at + rng.normal(size=len(at))) for _ in range(TRIES)):
        told = say("It stays the same however the bodies move, so that it constrains nothing.")
    else:
        told = say(
            "Its derivatives are all zero where the mechanism is drawn, so that it holds nothing "
            "there. Move the body, or write it without squares."
        )
    raise EngineError(_about(element, told), element.id)


def _check_linear(element: Any, row: Row, formula: Typed, at: np.ndarray) -> None:
    """Refuse rates that enter in another way than linearly."""
    assert row.typed is not None
    rates = np.append(np.array(row.typed.of_rate), False)
    rng = np.random.default_rng(2)
    for _ in range(TRIES):
        x = at + np.where(rates, rng.normal(size=len(at)), 0.0)
        value, slope, bend = formula.jet(x, np.where(rates, rng.normal(size=len(at)), 0.0))
        if not abs(bend) <= LINEAR * (abs(value) + abs(slope)):
            raise EngineError(
                _about(
                    element,
                    say(
                        "Rates may only enter linearly, as in a*vx + b*vy + c: without powers or products."
                    ),
                ),
                element.id,
            )


def _about(element: Any, reason: str) -> str:
    """The start of a sentence about a formula, and what is wrong with it."""
    return say(
        "The formula of '{constraint}' is not usable. {reason}",
        constraint=element.label,
        reason=reason,
    )
