"""Compile a Model into packed arrays. The only place where ids become indices."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.compiling.bare import bare_system
from engine.compiling.checks import checked
from engine.compiling.elastic.holding import holdings
from engine.compiling.elastic.packing import n_carried, n_elastic, pack_elastic
from engine.compiling.elastic.records import Elastic, Follower, elastic_bodies
from engine.compiling.gates import gates_of, pack_gates
from engine.compiling.geometry import Geometry
from engine.compiling.nearness import extents_of
from engine.compiling.packing import (
    FunctionTable,
    PackedRows,
    TermTable,
    pack_interactions,
    pack_laws,
    pack_loads,
    pack_meshings,
    pack_rows,
    pack_rubbings,
    pack_switches,
    row_structure,
)
from engine.compiling.typed_rows import check_typed_rows, driving_rows
from engine.compiling.works import pack_works
from engine.formulas.resolve import parameter_values
from engine.integrators.warm_up import compile_all
from engine.kernels import entries, meeting
from engine.kernels.acting.interactions import N_TOLD, Z_DOT, Z
from engine.kernels.functions import STACK_SIZE
from engine.kernels.layout import (
    FREE,
    N_ARGS,
    N_OPTIONS,
    N_SINCE,
    PLANAR_FRAME,
    POSITION,
    RIGID,
    SPATIAL_FRAME,
    System,
    Workspace,
)
from engine.kernels.linking import (
    CORRECT,
    DERIVE,
    FORCE,
    MEET,
    MODES,
    N_ENTRIES,
    PIVOTS,
    POWER,
    PRESS,
    words,
)
from engine.kernels.state import Layout, layout_of
from engine.model.bodies import Particle
from engine.model.connections import interactions_of
from engine.model.elements import Id, Model
from engine.model.joints.base import Transmission

_CACHE_LINE = 8  # numbers


@dataclass(frozen=True, slots=True)
class Compiled:
    """A System with the names of everything in it and the state it was drawn in."""

    model: Model  # as edited by the user
    resolved: Model  # every expression replaced by its number
    system: System
    elastic: dict[Id, Elastic]  # flexible bodies, in the order of system.flexibles
    followers: dict[Id, int]  # marker on a flexible body -> its carrier
    layout: Layout  # where the numbers of each body are in y = (q, v, z, work)
    body_ids: tuple[Id, ...]  # moving bodies, in the order of q and v
    is_particle: np.ndarray  # (n_bodies,)
    mass: np.ndarray  # (n_bodies,)              [kg]
    center: np.ndarray  # (n_bodies, 3)          mass centre in the body frame [m]
    row_ids: tuple[Id, ...]  # element of each row
    rows_of: dict[Id, np.ndarray]  # element -> its rows, in its own order
    coordinates: dict[tuple[Id, str], int]  # (joint, name) of each joint coordinate -> its term
    law_ids: tuple[Id, ...]  # element of each law
    interaction_ids: tuple[Id, ...]  # element of each interaction
    switch_ids: tuple[Id, ...]  # element of each switch
    gate_ids: tuple[Id, ...]  # element of each gate
    work_ids: tuple[Id, ...]  # element of each work
    kinks: np.ndarray  # (n,)  times at which something given over time has a kink, ascending  [s]
    length: float  # a typical length of the model    [m]
    q0: np.ndarray  # (n_q,)  as drawn
    v0: np.ndarray  # (n_v,)
    asked: dict[tuple[str, ...], Any] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )  # which points channels are of, as far as somebody has asked: see engine.results.columns

    @property
    def z0(self) -> np.ndarray:
        """The states of force laws at the start, (n_z,)."""
        return self.system.states["initial"].copy()

    def body_and_follower(self, carrier: int) -> tuple[int, Follower]:
        """The number of the flexible body of a follower, and its record."""
        k = int(self.system.followers[carrier - self.system.n_bodies]["body"])
        id = next(id for id, number in self.followers.items() if number == carrier)
        return k, self.elastic[self.body_ids[k]].followers[id]

    @property
    def ground(self) -> int:
        """The number of the ground among carriers."""
        return len(self.system.carriers)

    @property
    def n_rows(self) -> int:
        """Scalar constraint equations."""
        return len(self.row_ids)


def compile_model(model: Model, *, only_names: bool = False) -> Compiled:
    """Check the model, replace expressions by numbers and pack it for the kernels.

    With `only_names` no compiled code is needed, and nothing can be run: channels have their names by it.
    """
    numbers = checked(model)
    joints = [e for e in numbers if e.family in ("joint", "motion")]
    ties = [(e, rows_of_e) for e in joints if (rows_of_e := e.rows(numbers))]
    tying, rows = [e for e, _ in ties], [rows_of_e for _, rows_of_e in ties]
    laws = [(e, law) for e in numbers.of("force") for law in e.laws(numbers)]
    loads = [(e, load) for e in numbers.of("force") for load in e.loads(numbers)]
    interactions = interactions_of(numbers)

    transmissions = [e for e in tying if isinstance(e, Transmission)]
    meetings = [(e, one) for e in transmissions if (one := e.meshing(numbers)) is not None]

    table = TermTable()
    functions = FunctionTable(parameter_values(model))
    for coordinate in (c for of_element in rows for row in of_element for _, c in row.terms):
        table.add(coordinate)
    joined = tuple(table.coordinates)
    for coordinate in (c for _, law in laws for c in (law.coordinate, law.other or law.coordinate)):
        table.add(coordinate)
    for coordinate in (one.coordinate for _, one in interactions if one.coordinate):
        table.add(coordinate)
    acting = tuple(table.coordinates)  # what is only measured holds nothing
    triggers = [(e, table.add(e.watched(numbers))) for e in numbers.of("trigger")]
    coordinates = {
        (e.id, name): table.add(c) for e in joints for name, c in e.coordinates(numbers).items()
    }

    elastic = elastic_bodies(
        numbers,
        lambda: holdings(
            Geometry(numbers), joined, acting, [x for _, x in loads], [x for _, x in interactions]
        ),
    )
    geometry = Geometry(numbers, elastic)
    terms, (bodies, weight) = table.pack(geometry), geometry.packed_bodies()
    q0, v0 = geometry.drawn_state()
    terms["drawn"] = drawn = _values_as_drawn(
        Geometry(numbers) if elastic else geometry,
        table,
        None if elastic else (terms, bodies, weight),
        are_needed=not only_names,
    )
    tree = row_structure(rows, table, terms, geometry)
    for name, column in zip(("start", "stop"), tree.ranges.T):
        bodies[name] = column[: len(bodies)]
    carriers = geometry.carriers(bodies, tree.ranges)
    packed_elastic = pack_elastic(model.dim, elastic, geometry.index, carriers, tree)
    packed = pack_rows(tying, rows, tree, table, terms, drawn, functions, geometry)
    packed_laws = pack_laws(laws, table, drawn, functions)
    packed_loads = pack_loads(loads, geometry, functions)
    packed_interactions, states, outlines = pack_interactions(
        interactions, geometry, functions, table, drawn, is_called=not only_names
    )
    (extents, skin), meshings, rubbings = (
        extents_of(interactions, packed_interactions, len(carriers)),
        pack_meshings(meetings, packed.rows_of, geometry),
        pack_rubbings(interactions, packed_interactions, tying, packed.rows_of, tree),
    )
    packed_functions = functions.pack()
    check_typed_rows(
        *(
            numbers,
            [] if only_names else tying,
            rows,
            packed.formulas,
            packed.arguments,
            packed_functions,
            drawn,
        )
    )
    gates, gate_ids = pack_gates(
        gates_of(numbers), packed, packed_functions, drawn, geometry.typical_length
    )
    switches, switch_ids = pack_switches(
        packed_laws, laws, interactions, gate_ids, triggers, packed_functions
    )
    row_ids = _ids_of_rows(packed)
    law_ids, load_ids, interaction_ids = (
        tuple(e.id for e, _ in acting) for acting in (laws, loads, interactions)
    )
    works, work_ids = pack_works(
        *(packed_laws, law_ids, load_ids, interaction_ids, meshings),
        packed.rows,
        np.append(
            packed.driven["row"], driving_rows(packed.rows, packed.formulas, packed_functions)
        ),
        row_ids,
        one_sided=gates["row"].tolist(),
        damped=[id if record.C.any() else None for id, record in elastic.items()],
    )
    return Compiled(
        model=model,
        resolved=numbers,
        system=System(
            dim=model.dim,
            n_bodies=geometry.n_bodies,
            bodies=bodies,
            carriers=carriers,
            flexibles=packed_elastic.flexibles,
            followers=packed_elastic.followers,
            carried=packed_elastic.carried,
            shapes=packed_elastic.shapes,
            weight=weight,
            terms=terms,
            uses=packed.uses,
            shared=packed.shared,
            rows=packed.rows,
            n_late=int((packed.rows["level"] != POSITION).sum()),
            driven=packed.driven,
            formulas=packed.formulas,
            arguments=packed.arguments,
            nodes=tree.nodes,
            couplings=tree.couplings,
            updates=tree.updates,
            row_of=tree.row_of,
            products=tree.products,
            blank=tree.blank,
            laws=packed_laws,
            loads=packed_loads,
            interactions=packed_interactions,
            meshings=meshings,
            rubbings=rubbings,
            gates=gates,
            states=states,
            works=works,
            switches=switches,
            n_contacts=int((switches["contact"] >= 0).sum()),
            outlines=outlines,
            extents=extents,
            skin=skin,
            functions=packed_functions,
        ),
        elastic=elastic,
        followers={id: len(bodies) + m for m, (_, id) in enumerate(geometry.followers)},
        layout=Layout(model.dim, bodies, len(states), len(work_ids)),
        body_ids=tuple(geometry.index),
        is_particle=np.array([isinstance(b, Particle) for b in geometry.moving], dtype=bool),
        mass=np.array([p.mass for p in geometry.properties], dtype=float),
        center=geometry.centers(),
        row_ids=tuple(row_ids),
        rows_of=packed.rows_of,
        coordinates=coordinates,
        law_ids=law_ids,
        interaction_ids=interaction_ids,
        switch_ids=switch_ids,
        gate_ids=gate_ids,
        work_ids=work_ids,
        kinks=functions.kinks(),
        length=geometry.typical_length,
        q0=q0,
        v0=v0,
    )


def workspace(system: System) -> Workspace:
    """Fresh scratch memory for one run. All but the frames of bodies is one block, see `memory_of`."""
    n, size = len(system.carriers), system.nodes["size"]
    at, n_d = layout_of(system), RIGID[system.dim].n_v
    n_rows = len(system.rows)
    of_column = np.repeat(size, system.nodes["below_stop"] - system.nodes["below"])
    n_S = int((size**2).sum() + (system.couplings["size"] * of_column).sum())
    largest = int(size.max(initial=1))
    n_followers = len(system.followers)
    n_u, n_E = at.n_v + n_d * n_followers, n_carried(system.flexibles, system.followers)
    planar, spatial = np.zeros(n + 1, dtype=PLANAR_FRAME), np.zeros(n + 1, dtype=SPATIAL_FRAME)
    planar[n]["c"] = 1.0
    spatial[n]["R"] = np.eye(3)
    lengths = {
        **dict.fromkeys(("Phi", "nu", "gamma", "scale", "b", "lam", "x", "dropped"), n_rows),
        **dict.fromkeys(("S", "U", "F"), n_S),
        **dict.fromkeys(("a", "zero", "dv"), at.n_v),
        **dict.fromkeys(("f", "push"), n_u),
        **dict.fromkeys(("E", "WE"), n_E),
        "speeds": n_u if n_followers else 0,
        "elastic": n_elastic(system.dim, system.flexibles, system.followers),
        "D": (len(system.row_of) + largest) * n_d,  # the rows of the ground are never read
        "q_dot": at.n_q,
        "z_dot": at.n_z,
        "angle": len(system.terms),
        "held": len(system.laws),
        "touching": len(system.interactions),
        "exerted": 3 * len(system.laws) if len(system.works) else 0,
        "given": len(system.interactions),
        "listed": 1 + len(system.interactions) if len(system.skin) else 0,
        "near": len(system.interactions) if len(system.skin) else 0,
        "standing": 12 * n if len(system.skin) else 0,
        "power": at.n_work,
        "seen": Z + most_states(system),
        "wrench": Z_DOT + most_states(system) + N_TOLD,
        "row": 2 + 2 * n_d,
        "jet": 3,
        "args": N_ARGS,
        "rates": N_ARGS,
        "stack": STACK_SIZE,
        "pressed": 3 * (len(system.meshings) + len(system.rubbings)),
        "options": N_OPTIONS,
        "since": N_SINCE + (system.n_bodies if system.dim == 3 else 0),
    }
    parts = _parts_of_one_block(lengths)
    parts["D"], parts["exerted"] = parts["D"].reshape(-1, n_d), parts["exerted"].reshape(-1, 3)
    parts["standing"] = parts["standing"].reshape(-1, 4, 3)
    for name in ("dropped", "listed", "near"):
        parts[name] = parts[name].view(np.int64)
    parts["held"][:] = parts["touching"][:] = FREE
    parts["angle"][:] = system.terms["drawn"]
    return Workspace(planar=planar, spatial=spatial, **parts)


def _parts_of_one_block(lengths: dict[str, int]) -> dict[str, np.ndarray]:
    """Arrays of zeros one behind the other, each from the start of a cache line on."""
    starts, stop = [], 0
    for length in lengths.values():
        starts.append(stop)
        stop += -(-length // _CACHE_LINE) * _CACHE_LINE
    block = np.zeros(stop)
    return {
        name: block[start : start + length]
        for start, (name, length) in zip(starts, lengths.items())
    }


def memory_of(ws: Workspace) -> np.ndarray:
    """The one block that holds all of a workspace but the frames of bodies, which follow from a state."""
    block = ws.options.base
    assert isinstance(block, np.ndarray), "made by `workspace`"
    return block


def most_states(system: System) -> int:
    """How many states an interaction has at most."""
    return int(system.interactions["n_z"].max(initial=0))


def linked(system: System, ws: Workspace) -> np.ndarray:
    """The table by which entries find this system, this workspace and each other.

    It holds addresses: keep system and workspace as long as the table is used.
    """
    compile_all()
    linked_entries = {
        DERIVE: entries.derive,
        CORRECT: entries.correct,
        FORCE: entries.force,
        POWER: entries.power,
        MODES: entries.modes,
        PRESS: entries.press,
        PIVOTS: entries.pivots,
        MEET: meeting.meet,
    }
    addresses = [0] * N_ENTRIES
    for which, entry in linked_entries.items():
        addresses[which] = entry.address
    return np.array([*addresses, *words(system), *words(ws)], dtype=np.int64)


def _ids_of_rows(packed: PackedRows) -> list[Id]:
    """The element of each row."""
    ids = [""] * len(packed.rows)
    for id, of_element in packed.rows_of.items():
        for k in of_element:
            ids[k] = id
    return ids


def _values_as_drawn(
    geometry: Geometry,
    table: TermTable,
    packed: tuple[np.ndarray, np.ndarray, np.ndarray] | None,
    *,
    are_needed: bool,
) -> np.ndarray:
    """All coordinates of the drawing, whose beams are straight; ones where only names are wanted.

    `packed` are its terms, bodies and weight as far as they are known.
    """
    if not are_needed:
        return np.ones(len(table.coordinates))
    terms, bodies, weight = packed or (table.pack(geometry), *geometry.packed_bodies())
    return coordinate_values(bare_system(geometry, terms, bodies, weight), *geometry.drawn_state())


def coordinate_values(system: System, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """g of every scalar term in a pose; angles in space between -pi and pi."""
    values, rates = np.zeros(len(system.terms)), np.zeros(len(system.terms))
    ws = workspace(system)
    entries.measure(linked(system, ws), 0.0, layout_of(system).y(q, v), values, rates)
    return values
