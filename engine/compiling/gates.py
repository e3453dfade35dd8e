"""Pack the rows that hold on one side only, see engine.kernels.acting.gates."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.compiling.packing import PackedRows
from engine.errors import EngineError
from engine.formulas.functions import value_at
from engine.kernels.functions import CONSTANT, Functions
from engine.kernels.layout import GATE, NOWHERE
from engine.model.connections import Gate
from engine.model.elements import Id, Model

SLACK = 1e-11  # of the size of the model: nearer to its bound a gate is at it
TOUCHES = 1e-9  # of the size of the model: a drawing that is nearer is meant to touch


def gates_of(model: Model) -> list[tuple[Any, Gate]]:
    """All gates of a resolved model with their elements, in the order in which they are packed."""
    holding = [e for e in model if e.family in ("joint", "force") and hasattr(e, "gates")]
    return [(e, gate) for e in holding for gate in e.gates(model)]


def pack_gates(
    gates: Sequence[tuple[Any, Gate]],
    packed: PackedRows,
    functions: Functions,
    drawn: np.ndarray,
    size: float,
) -> tuple[np.ndarray, tuple[Id, ...]]:
    """The gates for the kernels, closed where the drawing is at the bound or beyond, and their elements."""
    found = np.zeros(len(gates), dtype=GATE)
    for record, (element, gate) in zip(found, gates):
        rows = packed.rows_of[element.id]
        row, use = rows[gate.row], _use(packed, rows[gate.row])
        record["row"], record["D_i"], record["D_j"] = row, use["D_i"], use["D_j"]
        record["term"], bound = use["term"], _target(element, packed, functions, row)
        record["low"], record["high"] = (-np.inf, bound) if gate.side > 0 else (bound, np.inf)
        beyond = gate.side * (drawn[use["term"]] - bound)
        record["side"] = gate.side if beyond > -TOUCHES * size else 0
        record["stick"], record["slack"], record["mu_s"] = NOWHERE, SLACK * size, gate.mu_s
        if gate.stick >= 0:
            row, use = rows[gate.stick], _use(packed, rows[gate.stick])
            record["stick"], record["along"] = row, use["term"]
            record["stick_D_i"], record["stick_D_j"] = use["D_i"], use["D_j"]
            record["slides"] = 1  # a drawing does not stick
    return found, tuple(element.id for element, _ in gates)


def all_open(compiled: Any) -> Any:
    """The compiled model with all gates open: what moves towards a bound, or away from it, may do so."""
    gates = compiled.system.gates
    if not len(gates):
        return compiled
    opened = gates.copy()
    opened["side"] = 0
    return replace(compiled, system=compiled.system._replace(gates=opened))


def is_off(system: Any) -> np.ndarray:
    """Which rows hold nothing now, because their gates are open or slide."""
    off = np.zeros(len(system.rows), dtype=bool)
    for gate in system.gates:
        off[gate["row"]] = gate["side"] == 0
        if gate["stick"] >= 0:
            off[gate["stick"]] = gate["side"] == 0 or gate["slides"] != 0
    return off


def _target(element: Any, packed: PackedRows, functions: Functions, row: int) -> float:
    """What the coordinate of a row is to be; EngineError if it follows time."""
    driven = packed.driven[packed.driven["row"] == row]
    if not len(driven):
        return float(packed.rows["constant"][row])
    which = int(driven["function"][0])
    if functions.kind[which] != CONSTANT:
        raise EngineError(
            "What '{name}' holds follows time, and it holds on one side only. Give it a constant number, "
            "or let it act both ways.",
            element.id,
            name=element.label,
        )
    return value_at(functions, which, 0.0)


def _use(packed: PackedRows, row: int) -> np.void:
    """The only term of a row."""
    return packed.uses[packed.uses["row"] == row][0]
