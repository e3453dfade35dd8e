"""The record of a flexible body: what the kernels need of a beam, from its drawing and its joints.

A marker sits on the section next to it, at its end of the arm from the axis. Every marker has a station
of the mesh; the elements between stations are as long as the number that was asked for allows.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from engine.compiling.elastic.anchoring import anchor
from engine.compiling.elastic.meshing import (
    Held,
    Needs,
    Places,
    interface_of,
    kept_shapes,
    meshed,
    meshed_bars,
)
from engine.compiling.elastic.parts import (
    PartMesh,
    chosen_rows,
    craig_bampton_of_rows,
    integrals_of_part,
    rows_of_markers,
)
from engine.compiling.elastic.reduction import (
    Mesh,
    Modes,
    Relief,
    held_damping,
    mean_axis,
)
from engine.errors import EngineError
from engine.model.elements import Id, Model
from engine.model.shapes import Beam, Part, Polyline, bends, body_mass_properties

TOO_FAR_APART = (
    "its lengths, masses and stiffnesses lie too far apart to find its modes. Check its measures, its "
    "material and the places of its markers."
)
PRODUCTS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))  # of inertia, in the order of kernels


@dataclass(frozen=True, eq=False)
class Follower:
    """A marker on a flexible body; in the plane dim = 2 and t = 1, in space both are 3."""

    P: np.ndarray  # (dim,) from the mass centre, undeformed   [m]
    Phi: np.ndarray  # (dim, n_f) displacement by modes
    Psi: np.ndarray  # (t, n_f) turn
    G: np.ndarray  # (dim, n_f, n_f) shortening


@dataclass(frozen=True, eq=False)
class Elastic:
    """A flexible body: its shape, its modes and their integrals; s = 1 product of inertia, or 6."""

    beam: Any  # Beam, Polyline, or Part
    mesh: Any  # Mesh, or PartMesh
    mass: float
    J: Any  # a float, or (3, 3)
    modes: Modes
    held: np.ndarray  # frequencies of the shapes with the interface held   [rad/s]
    C: np.ndarray  # (n_f, n_f) damping
    Theta1: np.ndarray  # (s, n_f)
    Theta2: np.ndarray  # (s, n_f, n_f)
    A: np.ndarray  # (t, n_f, n_f)
    followers: dict[Id, Follower]
    nodes: dict[Id, int]  # the station of each marker
    interface: frozenset[int]  # nodal coordinates that were held while shapes were found
    holding: np.ndarray  # (k, n) rows of nodal coordinates that were held while shapes were found
    joined: np.ndarray  # (k, n) rows that joints hold
    anchor: np.ndarray  # (3 or 6, n_f) rigid motion of what joints hold
    rows: dict[
        Id, np.ndarray
    ]  # displacement and turn of each marker by nodal coordinates, (3 or 6, n)
    places: np.ndarray  # (k, dim) of the nodes of bars or of a part, in the frame of the body

    @property
    def is_beam(self) -> bool:
        """Whether it was drawn as one straight beam."""
        return isinstance(self.beam, Beam)

    @property
    def has_sections(self) -> bool:
        """Whether it is made of beams; else its matrices came from outside."""
        return isinstance(self.beam, Beam | Polyline)

    @property
    def joined_nodes(self) -> list[tuple[int, int]]:
        """The pairs of nodes of bars or of a part between which there is something."""
        if isinstance(self.mesh, PartMesh):
            return self.mesh.part.joined()
        return list(self.mesh.elements)

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


def in_matrix(products: np.ndarray) -> np.ndarray:
    """A symmetric matrix of one product of inertia (1, 1) or of six (3, 3)."""
    if len(products) == 1:
        return products.reshape(1, 1)
    matrix = np.zeros((3, 3))
    for (r, c), value in zip(PRODUCTS, products):
        matrix[r, c] = matrix[c, r] = value
    return matrix


def is_flexible(body: Any) -> bool:
    """Whether a body has modes: a moving one with the shape of a beam or a part, or of flexible bars."""
    return bends(getattr(body, "shape", None)) and not body.fixed


def elastic_bodies(model: Model, held_at: Callable[[], tuple[Held, Held]]) -> dict[Id, Elastic]:
    """The records of all flexible bodies of a resolved model.

    `held_at` finds what joints hold and forces push at markers, and what joints hold.
    """
    bodies = [b for b in model.of("body") if is_flexible(b)]
    found: dict[Id, Elastic] = {}
    needs, joined = held_at() if bodies else ({}, {})
    for body in bodies:
        markers = [m for m in model.of("marker") if m.body == body.id]
        places = tuple((m.id, tuple(float(x) for x in m.position)) for m in markers)
        held, joints = (
            tuple((m.id, frozenset(of.get(m.id, ()))) for m in markers) for of in (needs, joined)
        )
        kind = body.shape.kind.capitalize()
        if body.inertia is not None or body.center is not None:
            raise EngineError(
                "{kind} '{body}' has its inertia and its mass centre from its shape; leave both empty.",
                body.id,
                kind=kind,
                body=body.label,
            )
        mass = body_mass_properties(body).mass
        try:
            if isinstance(body.shape, Part):
                _check_mass(body)
                record = record_of_part(body.shape, places, held, joints)
            elif isinstance(body.shape, Polyline):
                record = _record_of_bars(body.shape, model.dim, mass, places, held, joints)
            else:
                record = _record(body.shape, model.dim, mass, places, held, joints)
        except (EngineError, np.linalg.LinAlgError) as error:
            sentence = error.sentence if isinstance(error, EngineError) else TOO_FAR_APART
            raise EngineError(
                *("{kind} '{body}': {sentence}", body.id),
                kind=kind,
                body=body.label,
                sentence=sentence,
            ) from None
        if body.id in needs:  # a formula that names the body itself means its mean axis
            followers = {**record.followers, body.id: _mean_axis_itself(record)}
            record = replace(record, followers=followers)
        found[body.id] = record
    return found


@lru_cache(maxsize=64)
def _record(
    beam: Beam, dim: int, mass: float, places: Places, needs: Needs, joints: Needs
) -> Elastic:
    """The record of one beam, as it was drawn and as it is held."""
    mesh, nodes = meshed(beam, dim, mass, places)
    arms = {id: arm_of(mesh, nodes[id], np.array(P)) for id, P in places}
    interface = interface_of(beam, mesh, nodes, arms, dict(needs))
    shapes = kept_shapes(beam, mesh, interface)
    modes = mean_axis(mesh, shapes.V)
    relief = Relief(mesh) if beam.stiffening else None
    J, Theta1, Theta2, A = integrals(mesh, modes, relief)
    held = sorted(interface_of(beam, mesh, nodes, arms, dict(joints)))
    C = held_damping(mesh, modes, np.eye(mesh.n)[held], float(beam.damping_ratio))
    C = C + float(beam.damping_mass) * np.eye(len(C))
    C = C + float(beam.damping_stiffness) * np.diag(modes.w2)
    followers = {
        id: _follower(mesh, modes, relief, nodes[id], arms[id], np.array(P)) for id, P in places
    }
    rows = {id: np.vstack(mesh.rows_at(nodes[id], arms[id])) for id in nodes}
    return Elastic(
        *(beam, mesh, mass, J, modes, shapes.held, C, Theta1, Theta2, A, followers, nodes),
        interface=frozenset(interface),
        holding=np.eye(mesh.n)[sorted(interface)],
        joined=chosen_rows(rows, dict(joints), mesh.n),
        anchor=anchor(followers, dict(joints), len(C), dim),
        rows=rows,
        places=np.zeros((0, dim)),
    )


@lru_cache(maxsize=64)
def _record_of_bars(
    line: Polyline, dim: int, mass: float, places: Places, needs: Needs, joints: Needs
) -> Elastic:
    """The record of bars that are joined at their corners."""
    mesh, center, nodes = meshed_bars(line, dim, mass, places)
    at = {id: np.array(P) - center for id, P in places}
    arms = {id: at[id] - mesh.nodes[nodes[id], :dim] for id in at}
    rows = {id: np.vstack(mesh.rows_at(nodes[id], arms[id])) for id in at}
    holding, joined = (chosen_rows(rows, dict(of), mesh.n) for of in (needs, joints))
    below = np.inf if line.below is None else 2.0 * np.pi * float(line.below)
    shapes = craig_bampton_of_rows(mesh, holding, int(line.modes), below)
    modes = mean_axis(mesh, shapes.V)
    relief = Relief(mesh) if line.stiffening else None
    J, Theta1, Theta2, A = integrals(mesh, modes, relief)
    C = held_damping(mesh, modes, joined, float(line.damping_ratio))
    C = C + float(line.damping_mass) * np.eye(len(C))
    C = C + float(line.damping_stiffness) * np.diag(modes.w2)
    followers = {
        id: _follower(mesh, modes, relief, nodes[id], arms[id], at[id]) for id, _ in places
    }
    return Elastic(
        *(line, mesh, mass, J, modes, shapes.held, C, Theta1, Theta2, A, followers, nodes),
        interface=frozenset(),
        holding=holding,
        joined=joined,
        anchor=anchor(followers, dict(joints), len(C), dim),
        rows=rows,
        places=mesh.nodes[:, :dim] + center,
    )


def _check_mass(body: Any) -> None:
    """Raise EngineError for a part whose mass is given beside its matrices."""
    if body.mass is not None:
        raise EngineError("its mass is in its matrices; leave the mass empty.")


@lru_cache(maxsize=32)
def record_of_part(part: Part, places: Places, needs: Needs, joints: Needs) -> Elastic:
    """The record of one part from outside, as it is held; without shortening."""
    found = part.matrices()
    mesh = PartMesh(found, float(part.patch))
    rows, B = rows_of_markers(mesh, places, dict(needs))
    below = np.inf if part.below is None else 2.0 * np.pi * float(part.below)
    shapes = craig_bampton_of_rows(mesh, B, int(part.modes), below)
    modes = mean_axis(mesh, shapes.V)
    J, Theta1, Theta2, A = integrals_of_part(mesh, modes, PRODUCTS)
    held = rows_of_markers(mesh, places, dict(joints))[1]
    C = held_damping(mesh, modes, held, float(part.damping_ratio))
    C = C + float(part.damping_mass) * np.eye(len(C))
    C = C + float(part.damping_stiffness) * np.diag(modes.w2)
    none = np.zeros((mesh.dim, len(C), len(C)))
    followers = {}
    for id, P in places:
        moved = rows[id] @ modes.Phi
        at = np.array(P) - found.center
        followers[id] = Follower(at, moved[: mesh.dim], moved[mesh.dim :], none)
    nodes = {id: mesh.nearest(np.array(P)) for id, P in places}
    return Elastic(
        *(part, mesh, found.mass, J, modes, shapes.held, C, Theta1, Theta2, A, followers, nodes),
        interface=frozenset(),
        holding=B,
        joined=held,
        anchor=anchor(followers, dict(joints), len(C), mesh.dim),
        rows=rows,
        places=mesh.nodes,
    )


def integrals(
    mesh: Mesh, modes: Modes, relief: Relief | None
) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    """J, Theta1, Theta2 and A of a mesh with modes, over its mass points x with their shapes S.

    Theta_kl = sum m (delta_kl x.x - x_k x_l)      A_k = sum m (S_i^T S_j - S_j^T S_i)     i, j, k cyclic

    where x is moved by S q. Shortening takes the tension by centrifugal loads w_k w_l away from Theta2.
    """
    m, x, N = mesh.cloud()
    beyond = 3 - mesh.dim  # a plane has no third axis
    x, N = np.pad(x, ((0, 0), (0, beyond))), np.pad(N, ((0, 0), (0, beyond), (0, 0)))
    S = N @ modes.Phi
    squares = np.einsum("p,pk,pl->kl", m, x, x)
    first, load = (np.einsum("p,pk,plf->klf", m, x, X) for X in (S, N))
    second = np.einsum("p,pkf,plg->klfg", m, S, S)
    products = PRODUCTS if mesh.dim == 3 else ((2, 2),)
    J = np.trace(squares) * np.eye(3) - squares
    Theta1 = np.stack([2.0 * _about(first, *pair) for pair in products])
    Theta2 = np.stack([_about(second, *pair) for pair in products])
    if relief is not None:
        loads = np.stack([_about(load, *pair) for pair in products], axis=1)
        Theta2 = Theta2 - _shortened(mesh, modes, relief, loads)
    turns = ((1, 2), (2, 0), (0, 1)) if mesh.dim == 3 else ((0, 1),)
    A = np.stack([second[i, j] - second[j, i] for i, j in turns])
    return (J if mesh.dim == 3 else float(J[2, 2])), Theta1, Theta2, A


def _about(X: np.ndarray, k: int, l: int) -> np.ndarray:
    """delta_kl (X_00 + X_11 + X_22) - (X_kl + X_lk)/2."""
    whole = X[0, 0] + X[1, 1] + X[2, 2] if k == l else np.zeros_like(X[0, 0])
    return np.asarray(whole - 0.5 * (X[k, l] + X[l, k]))


def _mean_axis_itself(record: Elastic) -> Follower:
    """A follower that no mode moves."""
    dim, t, n = record.mesh.dim, len(record.A), record.n_f
    return Follower(np.zeros(dim), np.zeros((dim, n)), np.zeros((t, n)), np.zeros((dim, n, n)))


def arm_of(mesh: Mesh, node: int, P: np.ndarray) -> np.ndarray:
    """From a node to a marker."""
    arm = P.copy()
    arm[0] -= mesh.stations[node]
    return arm


def _shortened(mesh: Mesh, modes: Modes, relief: Relief, loads: np.ndarray) -> np.ndarray:
    """Phi^T (integral N v' v'^T) Phi for the axial force of every load (n, k): (k, n_f, n_f)."""
    N = mesh.tensions(relief.displacement(loads))
    return np.stack(
        [modes.Phi.T @ mesh.stress_stiffness(N[:, k]) @ modes.Phi for k in range(loads.shape[1])]
    )


def _follower(
    mesh: Mesh,
    modes: Modes,
    relief: Relief | None,
    node: int,
    arm: np.ndarray,
    P: np.ndarray,
) -> Follower:
    """A marker at the end of an arm from the section at a node.

    The arm turns by theta = Psi q, to second order a + theta x a + theta x (theta x a)/2.
    """
    u, turn = mesh.rows_at(node, arm)
    psi = turn @ modes.Phi
    G = np.zeros((mesh.dim, len(modes.w2), len(modes.w2)))
    if relief is not None and len(modes.w2):
        ends, _ = mesh.rows_at(node, np.zeros(mesh.dim))
        G = _shortened(mesh, modes, relief, ends.T)
        G = G + arm[:, None, None] * (psi.T @ psi)
        if mesh.dim == 3:
            leaning = np.einsum("df,g->dfg", psi, arm @ psi)
            G = G - 0.5 * (leaning + np.swapaxes(leaning, 1, 2))
    return Follower(P, u @ modes.Phi, psi, G)
