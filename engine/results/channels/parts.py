"""The few bodies, coordinates and rows of a system that one channel needs, as a small system.

The kernels work on it as on the full system, so the cost of a channel does not grow with the model.
"""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.compiling.system import linked, workspace
from engine.kernels import histories
from engine.kernels.layout import NODE, ONLY, RIGID, System
from engine.kernels.state import layout_of, place
from engine.results.channels.motion import carrier_states

if TYPE_CHECKING:
    from engine.results.results import Results


class Part(NamedTuple):
    """A small system, and which carriers of the full one are its bodies, all of them rigid."""

    system: System
    bodies: np.ndarray  # (n,) their numbers in the whole system
    terms: np.ndarray  # (m,) those of its coordinates


class Coordinates(NamedTuple):
    """Values and rates of the terms of a part, (n_frames, n_terms)."""

    values: np.ndarray
    speeds: np.ndarray


def part_of_terms(system: System, terms: np.ndarray) -> Part:
    """These coordinates and the bodies they connect; no rows and no laws."""
    chosen, bodies = _terms_and_bodies(system, terms)
    return Part(_small_system(system, chosen, bodies), bodies, terms)


def part_of_laws(system: System, laws: np.ndarray) -> Part:
    """These laws with their coordinates."""
    of_whole = system.laws[laws]
    terms = np.unique(np.concatenate([of_whole["term"], of_whole["other"]]))
    part = part_of_terms(system, terms)
    of_part = of_whole.copy()
    for name in ("term", "other"):
        of_part[name] = np.searchsorted(terms, of_whole[name])
    return part._replace(system=part.system._replace(laws=of_part))


def part_of_rows(system: System, rows: np.ndarray) -> Part:
    """These neighbouring rows, which become rows 0, 1, ... of one node, on bodies with W = 1.

    Each body has m rows of D, one for each row; the ground's place comes after those of all bodies.
    """
    m = len(rows)
    uses = system.uses[np.isin(system.uses["row"], rows)]
    formulas = system.formulas[np.isin(system.formulas["row"], rows)]
    arguments = system.arguments[np.isin(system.arguments["row"], rows)]
    terms = np.unique(np.concatenate([uses["term"], arguments["term"]]))
    chosen, bodies = _terms_and_bodies(system, terms)
    n = len(bodies)
    for table in (uses, arguments):
        table["term"] = np.searchsorted(terms, table["term"])
        table["row"] -= rows[0]
        for side in "ij":
            body = chosen[side][table["term"]]
            table[f"D_{side}"] = np.where(body < n, body * m + table["row"], n * m)
    several = np.concatenate([uses[uses["part"] != ONLY], arguments])
    formulas["row"] -= rows[0]
    counts = formulas["stop"] - formulas["start"]
    formulas["stop"] = np.cumsum(counts)
    formulas["start"] = formulas["stop"] - counts
    driven = system.driven[np.isin(system.driven["row"], rows)]
    driven["row"] -= rows[0]
    small = _small_system(system, chosen, bodies)
    small.bodies["start"] = np.arange(n) * m
    small.bodies["stop"] = np.arange(n) * m + m
    small.bodies["inv_mass"], small.bodies["inv_J"] = 1.0, np.eye(3)
    node = np.zeros(1, dtype=NODE)
    node["size"] = m
    small = small._replace(
        uses=uses,
        shared=np.unique(np.concatenate([several["D_i"], several["D_j"]])),
        rows=system.rows[rows],
        driven=driven,
        formulas=formulas,
        arguments=arguments,
        nodes=node,
        row_of=np.tile(np.arange(m), n),
    )
    return Part(small, bodies, terms)


def frames_of(results: "Results", part: Part) -> tuple[np.ndarray, np.ndarray]:
    """t and y = (q, v) of the bodies of a part."""
    return results.t, layout_of(part.system).y(*carrier_states(results, part.bodies))


def coordinates(results: "Results", part: Part) -> Coordinates:
    """Every scalar coordinate of a part and its rate, in every frame; angles count turns."""
    return Coordinates(*np.moveaxis(results.followed(partial(_followed, part)), 1, 0))


def _followed(part: Part, results: "Results") -> np.ndarray:
    """Values and rates of all frames, (n_frames, 2, n_terms)."""
    n_terms = len(part.system.terms)
    values, speeds = np.zeros((2, len(results), n_terms))
    ws = workspace(part.system)
    if results.beginning is not None:
        ws.angle[:] = results.beginning.angle[part.terms]
    table, frames = linked(part.system, ws), frames_of(results, part)
    histories.coordinates(table, *frames, np.zeros(n_terms), values, speeds)
    return np.stack([values, speeds], axis=1)


def _terms_and_bodies(system: System, terms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The chosen terms with their bodies renumbered, and those bodies."""
    chosen = system.terms[terms]
    touched = np.unique(np.concatenate([chosen["i"], chosen["j"]]))
    bodies = touched[touched < len(system.carriers)]
    for side in "ij":
        chosen[side] = np.searchsorted(bodies, chosen[side])  # the ground comes after them
    return chosen, bodies


def _small_system(system: System, terms: np.ndarray, bodies: np.ndarray) -> System:
    """A system of these terms and bodies, with no rows, laws or loads."""
    small_bodies = system.carriers[bodies]
    small_bodies["n_q"], small_bodies["n_v"] = RIGID[system.dim]
    small_bodies["orientation"] = [
        system.bodies["orientation"][k] if k < system.n_bodies else -1 for k in bodies
    ]
    place(small_bodies)
    for name in ("start", "stop"):
        small_bodies[name] = 0
    return system._replace(
        n_bodies=len(bodies),
        bodies=small_bodies,
        carriers=small_bodies,
        flexibles=system.flexibles[:0],
        followers=system.followers[:0],
        carried=system.carried[:0],
        weight=np.zeros(int(small_bodies["n_v"].sum())),
        terms=terms,
        uses=system.uses[:0],
        shared=system.shared[:0],
        rows=system.rows[:0],
        driven=system.driven[:0],
        formulas=system.formulas[:0],
        arguments=system.arguments[:0],
        nodes=system.nodes[:0],
        couplings=system.couplings[:0],
        updates=system.updates[:0],
        row_of=system.row_of[:0],
        products=system.products[:0],
        blank=system.blank[:0],
        laws=system.laws[:0],
        loads=system.loads[:0],
        interactions=system.interactions[:0],
        meshings=system.meshings[:0],
        rubbings=system.rubbings[:0],
        gates=system.gates[:0],
        states=system.states[:0],
        works=system.works[:0],
    )
