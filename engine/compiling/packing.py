"""Pack the declarations of joints and forces: terms, rows, laws, loads, functions."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.nearness import pack_nearness
from engine.compiling.sparsity import Structure, structure
from engine.formulas import functions
from engine.formulas.grammar import TIME
from engine.kernels import layout
from engine.kernels.acting.marker_laws import LAWS
from engine.kernels.functions import TABLE, Functions
from engine.kernels.layout import (
    CURVE,
    DRIVEN,
    FORMULA,
    INTERACTION,
    LAW,
    LINEAR,
    LOAD,
    MESHING,
    ROW,
    RUBBING,
    STATE,
    STOP,
    SWITCH,
    TERM,
    USE,
)
from engine.kernels.linking import Entry
from engine.model.connections import Coordinate, Interaction, Law, Load, Meshing, Row
from engine.model.elements import Id
from engine.model.fields import Function, plain

VARIABLES_OF_TIME = (TIME,)


class TermTable:
    """All coordinates of a model; equal ones are shared."""

    def __init__(self) -> None:
        self.coordinates: list[Coordinate] = []
        self.index: dict[Coordinate, int] = {}

    def add(self, coordinate: Coordinate) -> int:
        """The number of a coordinate."""
        if coordinate not in self.index:
            self.index[coordinate] = len(self.coordinates)
            self.coordinates.append(coordinate)
        return self.index[coordinate]

    def pack(self, geometry: Geometry) -> np.ndarray:
        """The records for the kernels."""
        packed = np.zeros(len(self.coordinates), dtype=TERM)
        for term, c in zip(packed, self.coordinates):
            term["kind"], term["param"] = c.kind, c.radius
            term["i"], term["P_i"], axes_i = geometry.carrier(c.marker_i)
            term["j"], term["P_j"], axes_j = geometry.carrier(c.marker_j)
            for name, axes, axis in zip(("a", "a2", "b"), (axes_i, axes_i, axes_j), c.axes):
                if axis >= 0:
                    term[name] = axes[:, axis]
            if geometry.dim == 2 and c.is_angle:
                term["param"] = -geometry.marker_angle(c.marker_i)
                if c.kind == layout.ANGLE:
                    term["param"] += geometry.marker_angle(c.marker_j)
        return packed


class FunctionTable:
    """All functions of a model, numbered."""

    def __init__(self, constants: Mapping[str, float]) -> None:
        self.constants = constants
        self.functions: list[tuple[Function, tuple[str, ...]]] = []
        self.owners: list[Any] = []

    def add(self, function: Function | None, variables: tuple[str, ...], owner: Any) -> int:
        """The number of a function of the element `owner`; -1 for none."""
        if function is None:
            return -1
        self.functions.append((function, variables))
        self.owners.append(owner)
        return len(self.functions) - 1

    def pack(self) -> Functions:
        """The arrays for the kernels."""
        return functions.pack(self.functions, self.constants, self.owners)

    def kinks(self) -> np.ndarray:
        """The times at which a function has a kink, ascending and each once."""
        found = [functions.kinks(f) for f, variables in self.functions if variables[0] == TIME]
        return np.unique(np.concatenate([np.zeros(0), *found]))


def count_rows(row: Row, dim: int) -> int:
    """Scalar equations of a row: a point difference has one for each axis."""
    return dim if row.terms[0][1].kind == layout.POINT else 1


def row_structure(
    rows: Sequence[tuple[Row, ...]], table: TermTable, terms: np.ndarray, geometry: Geometry
) -> Structure:
    """The sparsity of S, one node for each element that has rows."""
    sizes = [sum(count_rows(row, geometry.dim) for row in of_element) for of_element in rows]
    bodies_of, pins = [], []
    for of_element in rows:
        used = [table.index[c] for row in of_element for _, c in row.terms]
        touched = {int(terms[k][side]) for k in used for side in "ij"}
        bodies_of.append(sorted(touched - {geometry.ground}))
        first, others = terms[used[0]], terms["kind"][used[1:]]
        holds = first["kind"] == layout.POINT and np.isin(others, (layout.DOT, layout.ANGLE)).all()
        pins.append({int(first["i"]): -1.0, int(first["j"]): 1.0} if holds else {})
    n = geometry.n_bodies
    owner = [*range(n), *(geometry.index[body] for body, _ in geometry.followers)]
    return structure(sizes, bodies_of, owner, n, pins)


class PackedRows(NamedTuple):
    """Everything about rows that the kernels and the names of rows need."""

    uses: np.ndarray  # USE
    shared: np.ndarray  # rows of D to which several terms add
    rows: np.ndarray  # ROW
    driven: np.ndarray  # DRIVEN
    formulas: np.ndarray  # FORMULA
    arguments: np.ndarray  # USE, of formulas
    rows_of: dict[Id, np.ndarray]  # the rows of each element, in its own order


def pack_rows(
    elements: Sequence[Any],
    rows: Sequence[tuple[Row, ...]],
    tree: Structure,
    table: TermTable,
    terms: np.ndarray,
    drawn: np.ndarray,
    functions_of: FunctionTable,
    geometry: Geometry,
) -> PackedRows:
    """Rows in elimination order."""
    dim, ground = geometry.dim, geometry.ground
    packed = np.zeros(
        sum(count_rows(row, dim) for of_element in rows for row in of_element), dtype=ROW
    )
    n_D = len(tree.row_of)  # the ground's place comes after all rows of D
    uses: list[tuple[Any, ...]] = []
    shared, driven = set(), []
    formulas: list[tuple[int, ...]] = []
    arguments: list[tuple[Any, ...]] = []
    n_pairs, rows_of = 0, {}
    for node, (element, of_element) in enumerate(zip(elements, rows)):
        first = at = tree.first_row[node]
        for row in of_element:
            count = count_rows(row, dim)
            packed["level"][at : at + count] = row.level
            packed["period"][at : at + count] = row.period
            for n, (weight, coordinate) in enumerate(row.terms):
                k = table.index[coordinate]
                D = [
                    tree.D_at[node, int(body)] + at - first if body < ground else n_D
                    for body in (terms[k]["i"], terms[k]["j"])
                ]
                part = layout.ONLY
                if len(row.terms) > 1 or row.typed:
                    part = layout.FIRST if n == 0 else layout.LATER
                    shared |= set(D)
                if row.typed:
                    part = layout.OF_RATE if row.typed.of_rate[n] else layout.OF_VALUE
                (arguments if row.typed else uses).append((k, at, weight, part, D[0], D[1]))
            if row.typed:
                stop = len(arguments)
                variables = (*row.typed.names, TIME)
                function = functions_of.add(row.typed.text, variables, element)
                formulas.append((at, function, stop - len(row.terms), stop, n_pairs))
                n_pairs += len(row.terms) ** 2
            fixed = row.target is None or isinstance(row.target, int | float)
            if fixed and row.level == layout.POSITION:
                if count == 1 and row.typed is None:
                    packed["constant"][at] = _constant(row, table, drawn, dim)
            elif row.target != 0.0:
                driven.append((at, functions_of.add(row.target, VARIABLES_OF_TIME, element)))
            at += count
        rows_of[element.id] = np.arange(first, at)
    return PackedRows(
        np.array(uses, dtype=USE),
        np.array(sorted(shared), dtype=np.int64),
        packed,
        np.array(driven, dtype=DRIVEN),
        np.array(formulas, dtype=FORMULA),
        np.array(arguments, dtype=USE),
        rows_of,
    )


def _constant(row: Row, table: TermTable, drawn: np.ndarray, dim: int) -> float:
    """The target of a row: as drawn, or the given number on the nearest turn of an angle."""
    value = sum(weight * drawn[table.index[c]] for weight, c in row.terms)
    if row.target is None:
        return float(value)
    given = float(row.target)  # type: ignore[arg-type]
    if dim == 2 and row.terms[0][1].is_angle:
        return given + 2 * np.pi * round((value - given) / (2 * np.pi))
    return given


def pack_laws(
    laws: Sequence[tuple[Any, Law]],
    table: TermTable,
    drawn: np.ndarray,
    functions_of: FunctionTable,
) -> np.ndarray:
    """The laws for the kernels, each given with its element."""
    packed = np.zeros(len(laws), dtype=LAW)
    for record, (element, law) in zip(packed, laws):
        term = table.index[law.coordinate]
        record["kind"], record["term"] = law.kind, term
        record["other"] = table.index[law.other or law.coordinate]
        x0 = drawn[term] if law.param[2] is None else law.param[2]
        record["param"] = (*law.param[:2], x0, *law.param[3:])
        for c, function in enumerate(law.functions):
            variables = law.variables[c : c + 1] if law.kind == layout.CURVE else law.variables
            record[f"f{c + 1}"] = functions_of.add(function, variables, element)
    return packed


def pack_loads(
    loads: Sequence[tuple[Any, Load]], geometry: Geometry, functions_of: FunctionTable
) -> np.ndarray:
    """The loads for the kernels, each given with its element."""
    packed = np.zeros(len(loads), dtype=LOAD)
    for record, (element, load) in zip(packed, loads):
        record["kind"], record["in_body_axes"] = load.kind, load.in_body_axes
        record["body"], record["P"], _ = geometry.carrier(load.marker)
        record["function"] = _over_time(load.components, element, functions_of)
    return packed


def pack_interactions(
    interactions: Sequence[tuple[Any, Interaction]],
    geometry: Geometry,
    functions_of: FunctionTable,
    table: TermTable,
    drawn: np.ndarray,
    laws: Sequence[Entry] = LAWS,
    is_called: bool = True,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The laws of markers for the kernels, each given with its element; their states and outlines.

    Where no law is called, none needs to be compiled.
    """
    packed = np.zeros(len(interactions), dtype=INTERACTION)
    by_name = {law.name: law for law in laws}
    states: list[tuple[float, float]] = []
    outlines: list[float] = []
    packed["rubbing"] = -1
    for record, (element, one) in zip(packed, interactions):
        record["law"] = by_name[one.law].address if is_called else 0
        for side, marker in zip("ij", (one.marker_i, one.marker_j)):
            body, P, axes = geometry.frame(marker)
            record[side], record[f"P_{side}"], record[f"axes_{side}"] = body, P, axes
        term = -1 if one.coordinate is None else table.index[one.coordinate]
        record["term"] = term
        record["param"][: len(one.param)] = [
            drawn[term] if number is None else plain(number) for number in one.param
        ]
        of_time = one.variables == VARIABLES_OF_TIME
        numbered = _numbered(one.given, one.variables, element, functions_of)
        record["function"], record["n_given"] = -1, len(numbered) if of_time else 0
        record["function"][: len(numbered)] = numbered
        record["rests"] = one.rests
        pack_nearness(record, one)
        record["z_at"], record["n_z"] = len(states), len(one.states)
        record["points_at"], record["n_points"] = len(outlines), len(one.outline)
        outlines += [x for corner in one.outline for x in corner]
        states += [(plain(state.initial), plain(state.size)) for state in one.states]
    return packed, np.array(states, dtype=STATE), np.array(outlines, dtype=float)


def pack_meshings(
    meshings: Sequence[tuple[Any, Meshing]], rows_of: dict[Id, np.ndarray], geometry: Geometry
) -> np.ndarray:
    """How teeth meet, for the kernels, each given with its element."""
    packed = np.zeros(len(meshings), dtype=MESHING)
    for record, (element, one) in zip(packed, meshings):
        record["row"] = rows_of[element.id][0]
        record["i"], record["P_i"], axes_i = geometry.carrier(one.marker_i)
        record["j"], record["P_j"], axes_j = geometry.carrier(one.marker_j)
        record["axis"] = axes_i[:, 2]
        if one.way >= 0:
            record["way"] = axes_j[:, one.way]
        record["radius_i"], record["radius_j"] = one.radius_i, one.radius_j
        record["slope"] = np.tan(one.pressure_angle)
    return packed


def pack_rubbings(
    interactions: Sequence[tuple[Any, Interaction]],
    packed_interactions: np.ndarray,
    elements: Sequence[Any],
    rows_of: dict[Id, np.ndarray],
    tree: Structure,
) -> np.ndarray:
    """Which interactions follow from the reactions of joints; notes their numbers in their records."""
    node_of = {element.id: node for node, element in enumerate(elements)}
    found: list[tuple[int, ...]] = []
    for k, (_, one) in enumerate(interactions):
        if one.joint:
            rows, record = rows_of[one.joint], packed_interactions[k]
            D = [
                tree.D_at.get((node_of[one.joint], int(record[side])), layout.NOWHERE)
                for side in "ij"
            ]
            record["rubbing"] = len(found)
            found.append((k, rows[0], len(rows), *D))
    return np.array(found, dtype=RUBBING)


def _over_time(given: Sequence[Function], element: Any, functions_of: FunctionTable) -> list[int]:
    """The numbers of functions of time; -1 for what is zero."""
    return _numbered(given, VARIABLES_OF_TIME, element, functions_of)


def _numbered(
    given: Sequence[Function],
    variables: tuple[str, ...],
    element: Any,
    functions_of: FunctionTable,
) -> list[int]:
    """The numbers of functions of some variables; -1 for what is zero."""
    return [
        -1 if function == 0.0 else functions_of.add(function, variables, element)
        for function in given
    ]


def pack_switches(
    packed_laws: np.ndarray,
    laws: list[tuple[Any, Law]],
    interactions: list[tuple[Any, Interaction]],
    gate_ids: Sequence[Id],
    triggers: list[tuple[Any, int]],
    functions: Functions,
) -> tuple[np.ndarray, tuple[Id, ...]]:
    """Laws with kinks, contacts, gates and the triggers of the user, and the element of each."""
    found: list[tuple[int, int, int, int, int, float]] = []
    ids: list[Id] = []
    for k, ((element, _), law) in enumerate(zip(laws, packed_laws)):
        curves = [int(f) for f in (law["f1"], law["f2"]) if f >= 0 and law["kind"] == CURVE]
        one_sided = law["kind"] in (LINEAR, CURVE) and law["param"][4] != 0.0
        bent = any(functions.kind[f] == TABLE for f in curves)
        if law["kind"] == STOP or one_sided or bent:
            found.append((k, -1, -1, int(law["term"]), 0, 0.0))
            ids.append(element.id)
    for k, (element, one) in enumerate(interactions):
        if one.touches:
            found.append((-1, k, -1, -1, 0, 0.0))
            ids.append(element.id)
    for k, id in enumerate(gate_ids):
        found.append((-1, -1, k, -1, 0, 0.0))
        ids.append(id)
    for trigger, term in triggers:
        found.append((-1, -1, -1, term, int(trigger.of == "rate"), plain(trigger.value)))
        ids.append(trigger.id)
    return np.array(found, dtype=SWITCH), tuple(ids)
