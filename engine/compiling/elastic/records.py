"""The record of a flexible body: what the kernels need of a beam, from its drawing and its joints.

A marker sits on the section next to it, at its end of the arm from the axis. Every marker has a station
of the mesh; the elements between stations are as long as the number that was asked for allows.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from engine.compiling.elastic.beams import PER_NODE, TURN, BeamMesh, Material, U, V
from engine.compiling.elastic.reduction import (
    BENDING,
    STRETCH,
    Modes,
    Relief,
    Shapes,
    craig_bampton,
    held_damping,
    mean_axis,
)
from engine.errors import EngineError
from engine.model.elastic.sections import CLAMPED, FREE, INTERFACE, PINNED
from engine.model.elements import Id, Model
from engine.model.shapes import Beam, body_mass_properties

TOGETHER = 1e-3  # of the length: markers nearer than this share a station, on arms
BEYOND = 1e-9  # of the length, rounding
SLENDER = 10.0  # length to width, below which shear counts and beam theory does not hold
Needs = tuple[tuple[Id, frozenset[int]], ...]  # markers with the coordinates that are held there


@dataclass(frozen=True, eq=False)
class Follower:
    """A marker on a flexible body."""

    P: np.ndarray  # (2,) from the mass centre, undeformed   [m]
    Phi: np.ndarray  # (2, n_f) displacement by modes
    Psi: np.ndarray  # (1, n_f) turn
    G: np.ndarray  # (2, n_f, n_f) shortening


@dataclass(frozen=True, eq=False)
class Elastic:
    """A flexible body: its beam, its modes and their integrals."""

    beam: Beam
    mesh: BeamMesh
    mass: float
    J: float
    modes: Modes
    held: np.ndarray  # frequencies of the shapes with the interface held   [rad/s]
    C: np.ndarray  # (n_f, n_f) damping
    Theta1: np.ndarray  # (1, n_f)
    Theta2: np.ndarray  # (1, n_f, n_f)
    A: np.ndarray  # (1, n_f, n_f)
    followers: dict[Id, Follower]
    nodes: dict[Id, int]  # the station of each marker

    @property
    def n_f(self) -> int:
        """How many modes it has."""
        return len(self.modes.w2)

    @property
    def frequencies(self) -> np.ndarray:
        """Of its modes, free of all joints, ascending   [rad/s]."""
        return np.sqrt(self.modes.w2)

    def numbers(self) -> np.ndarray:
        """All its constants in the order of engine.kernels.flexible.inertia."""
        parts = (self.modes.w2, self.C, self.Theta1, self.Theta2, self.A)
        return np.concatenate([np.ravel(part) for part in parts])


def is_flexible(body: Any) -> bool:
    """Whether a body has modes: a moving one with the shape of a beam."""
    return isinstance(getattr(body, "shape", None), Beam) and not body.fixed


def elastic_bodies(model: Model, needs: dict[Id, set[int]]) -> dict[Id, Elastic]:
    """The records of all flexible bodies of a resolved model; `needs` are coordinates held at markers."""
    found = {}
    for body in (b for b in model.of("body") if is_flexible(b)):
        markers = [m for m in model.of("marker") if m.body == body.id]
        places = tuple((m.id, tuple(float(x) for x in m.position)) for m in markers)
        held = tuple((m.id, frozenset(needs.get(m.id, ()))) for m in markers)
        if body.inertia is not None or body.center is not None:
            raise EngineError(
                "Beam '{body}' has its inertia and its mass centre from its shape; leave both empty.",
                body.id,
                body=body.label,
            )
        try:
            mass = body_mass_properties(body).mass
            found[body.id] = _record(body.shape, mass, places, held)
        except EngineError as error:
            raise EngineError(
                "Beam '{body}': {sentence}", body.id, body=body.label, sentence=error.sentence
            ) from None
    return found


@lru_cache(maxsize=64)
def _record(
    beam: Beam, mass: float, places: tuple[tuple[Id, tuple[float, ...]], ...], needs: Needs
) -> Elastic:
    """The record of one beam, as it was drawn and as it is held."""
    mesh, nodes = meshed(beam, mass, places)
    arms = {id: np.array([x - mesh.stations[nodes[id]], y]) for id, (x, y) in places}
    shapes = kept_shapes(beam, mesh, _interface(beam, mesh, nodes, arms, dict(needs)))
    modes = mean_axis(mesh, shapes.V)
    m, x, S = mesh.cloud()
    S = S @ modes.Phi
    first = np.einsum("p,pk,plf->klf", m, x, S)
    second = np.einsum("p,pkf,plg->klfg", m, S, S)
    Theta1 = 2.0 * (first[0, 0] + first[1, 1])
    Theta2, A = second[0, 0] + second[1, 1], second[0, 1] - second[1, 0]
    relief = Relief(mesh) if beam.stiffening else None
    if relief is not None:
        load = np.einsum("p,pk,pkn->n", *mesh.cloud())
        Theta2 = Theta2 - _shortened(mesh, modes, relief, load[:, None])[0]
    C = held_damping(mesh, modes, shapes.V, float(beam.damping_ratio))
    C = C + float(beam.damping_mass) * np.eye(len(C))
    C = C + float(beam.damping_stiffness) * np.diag(modes.w2)
    followers = {
        id: _follower(mesh, modes, relief, nodes[id], arms[id], np.array(P)) for id, P in places
    }
    J = float(m @ (x * x).sum(axis=1))
    return Elastic(
        *(beam, mesh, mass, J, modes, shapes.held, C),
        *(Theta1[None], Theta2[None], A[None], followers, nodes),
    )


def meshed(
    beam: Beam, mass: float, places: tuple[tuple[Id, tuple[float, ...]], ...]
) -> tuple[BeamMesh, dict[Id, int]]:
    """The elements of a beam, and the node of each marker."""
    length, one = float(beam.length), beam.cross_section()
    half = length / 2.0
    stops = [-half, half]
    for id, (x, _) in places:
        if abs(x) > half + max(float(beam.width), BEYOND * length):
            raise EngineError(
                "a marker at x = {x:.4g} m lies beyond its ends at {half:.4g} m; "
                "move it onto the beam, or make the beam longer.",
                id,
                x=x,
                half=half,
            )
        x = min(max(x, -half), half)
        if min(abs(x - stop) for stop in stops) > TOGETHER * length:
            stops.append(x)
    stops.sort()
    stations = [stops[0]]
    for a, b in pairwise(stops):
        n = max(1, round(float(beam.elements) * (b - a) / length))
        stations += list(a + (b - a) * np.arange(1, n + 1) / n)
    xs = np.array(stations)
    E = float(beam.youngs_modulus)
    rhoA = mass / length
    rotary = rhoA * one.I_z / one.A if beam.rotary else 0.0
    EA = E * one.A if beam.axial_stiffness is None else float(beam.axial_stiffness)
    EI = E * one.I_z if beam.bending_stiffness is None else float(beam.bending_stiffness)
    mesh = BeamMesh(xs, Material(EA, EI, rhoA, rotary))
    return mesh, {id: int(np.abs(xs - x).argmin()) for id, (x, _) in places}


def _interface(
    beam: Beam,
    mesh: BeamMesh,
    nodes: dict[Id, int],
    arms: dict[Id, np.ndarray],
    needs: dict[Id, frozenset[int]],
) -> set[int]:
    """The nodal coordinates that are held while shapes are found."""
    last = PER_NODE * (len(mesh.stations) - 1)
    if beam.shapes == FREE:
        return set()
    if beam.shapes == CLAMPED:
        return {U, V, TURN}
    if beam.shapes == PINNED:
        return {U, V, last + V}
    assert beam.shapes == INTERFACE
    held: set[int] = set()
    tiny = TOGETHER * float(beam.length)
    for id, coordinates in needs.items():
        first = PER_NODE * nodes[id]
        held |= {first + c for c in coordinates}
        # on an arm, a force along x turns the section; beyond an end one along y does
        if (U in coordinates and abs(arms[id][1]) > tiny) or (
            V in coordinates and abs(arms[id][0]) > tiny
        ):
            held.add(first + TURN)
    return held


def kept_shapes(beam: Beam, mesh: BeamMesh, interface: set[int]) -> Shapes:
    """The shapes that a beam keeps: of bending, and of stretch if asked for."""
    below = np.inf if beam.below is None else 2.0 * np.pi * float(beam.below)
    asked = int(beam.modes)
    if asked > 2 * (len(mesh.stations) - 1):
        raise EngineError(
            "{asked} shapes are asked for, but {n} elements have {most} at most that are right; "
            "take more elements or fewer shapes.",
            asked=asked,
            n=len(mesh.stations) - 1,
            most=2 * (len(mesh.stations) - 1),
        )
    bending = craig_bampton(mesh, BENDING, interface, asked, below)
    n_stretch = int(beam.stretch)
    if n_stretch == 0:
        return bending
    stretch = craig_bampton(mesh, STRETCH, interface, n_stretch, below)
    both = np.hstack([bending.V, stretch.V])
    return Shapes(both, np.sort(np.concatenate([bending.held, stretch.held])))


def _shortened(mesh: BeamMesh, modes: Modes, relief: Relief, loads: np.ndarray) -> np.ndarray:
    """Phi^T (integral N v' v'^T) Phi for the axial force of every load (n, k): (k, n_f, n_f)."""
    N = mesh.tensions(relief.displacement(loads))
    return np.stack(
        [modes.Phi.T @ mesh.stress_stiffness(N[:, k]) @ modes.Phi for k in range(loads.shape[1])]
    )


def _follower(
    mesh: BeamMesh,
    modes: Modes,
    relief: Relief | None,
    node: int,
    arm: np.ndarray,
    P: np.ndarray,
) -> Follower:
    """A marker at the end of an arm from the section at a node."""
    u, turn = mesh.rows_at(node, arm)
    psi = turn @ modes.Phi
    G = np.zeros((2, len(modes.w2), len(modes.w2)))
    if relief is not None and len(modes.w2):
        ends, _ = mesh.rows_at(node, np.zeros(2))
        G = _shortened(mesh, modes, relief, ends.T)
        G = G + arm[:, None, None] * np.outer(psi, psi)  # the arm turns by psi.q
    return Follower(P, u @ modes.Phi, psi[None], G)
