"""Channels of beams: modes, deflection, and the moment, stress and strain of their sections.

The moment of a section follows from equilibrium of the part of the beam beyond it, not from the curvature
of modes, which converges slowly:

    M(x) = sum over the part (r - r_x) x (forces of joints and elements + m (g - a)) + torques

    N(x) = the same forces along the axis

in axes of the body: M_z bends along y (in the plane it is all there is), M_y along z, M_x twists. Of both
parts the longer one is taken. The outer fibres, at h_y and h_z, have

    strain = |N|/EA + |M_z| h_y/EI_z + |M_y| h_z/EI_y     (of round sections M_y and M_z together)
    stress = sqrt((E strain)^2 + 3 (M_x/W_t)^2)
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.compiling.elastic.beams import TURN, V
from engine.compiling.elastic.frames import Stiffness
from engine.compiling.elastic.stresses import stresses_of_bars
from engine.compiling.system import linked, workspace
from engine.errors import say
from engine.kinematics.evaluate import fill
from engine.model.elastic.sections import CHORD, CIRCLE, CLAMP, TUBE
from engine.model.elements import Id
from engine.model.places import about_z
from engine.results.channels.channel import Channel, component, point_words
from engine.results.channels.modes import modal, strain_energy
from rotations import axis_angle

if TYPE_CHECKING:
    from engine.compiling.elastic.records import Elastic
    from engine.results.results import Results

ROUND = (CIRCLE, TUBE)


class Loads(NamedTuple):
    """What a beam carries at its stations, over all frames, in axes of its body."""

    moment: np.ndarray  # (n, stations, 3): torque, and what bends along z and along y   [N m]
    tension: np.ndarray  # (n, stations)  [N]

    @property
    def bending(self) -> np.ndarray:
        """How much bends, (n, stations); in the plane with its sign."""
        M_y, M_z = self.moment[:, :, 1], self.moment[:, :, 2]
        return M_z if not M_y.any() else np.hypot(M_y, M_z)


def channels_of_beam(results: "Results", body: Any) -> Iterator[Channel]:
    """Modal coordinates, deflection, strain energy, and the largest moment and stress."""
    compiled, id, who = results.compiled, body.id, body.label
    if id not in compiled.elastic:
        return
    record, k = compiled.elastic[id], compiled.body_ids.index(id)
    for n in range(record.n_f):
        about = say(
            "Of the mode with {f:.4g} Hz, mass-normalised.", f=record.frequencies[n] / (2 * np.pi)
        )
        value = component(lambda: modal(results, k)[0], n)
        label = f"{who}: modal coordinate {n + 1}"
        yield Channel(f"{id}.mode_{n + 1}", label, "", "", value, about)
    if not record.is_beam:
        label, about = f"{who}: largest deflection", say("Of its nodes, from what its joints hold.")
        largest = partial(_of_nodes, results, id)
        yield Channel(f"{id}.deflection", label, "m", "", largest, about)
        energy = partial(strain_energy, results, id)
        yield Channel(f"{id}.strain_energy", f"{who}: strain energy", "J", "", energy)
        if record.has_sections:
            about = say("Of its bars at nodes, from how its shapes curve them.")
            stress = partial(_stress_of_bars, results, id)
            yield Channel(f"{id}.stress", f"{who}: largest stress", "Pa", "", stress, about)
        return
    about = say("From the {line}.", line=record.beam.seen_from)
    largest = partial(_largest, lambda: _signed(deflections(results, id)))
    label = f"{who}: largest deflection"
    yield Channel(f"{id}.deflection", label, "m", "", largest, about)
    energy = partial(strain_energy, results, id)
    yield Channel(f"{id}.strain_energy", f"{who}: strain energy", "J", "", energy)
    moment = partial(_largest, lambda: loads(results, id).bending)
    yield Channel(f"{id}.moment", f"{who}: largest bending moment", "N m", "", moment)
    stress = partial(_largest, partial(stresses, results, id))
    yield Channel(f"{id}.stress", f"{who}: largest stress", "Pa", "", stress)


def channels_of_section(results: "Results", marker: Any) -> Iterator[Channel]:
    """Deflection, moment, normal force, strain and stress of the section at a marker of a beam."""
    compiled, id = results.compiled, marker.id
    if id not in compiled.followers or id in compiled.elastic:
        return
    body, who = compiled.resolved[id].body, point_words(compiled.model, id)
    record = compiled.elastic[body]
    if not record.is_beam:
        return
    at = record.nodes[id]
    about = say("From the {line}.", line=record.beam.seen_from)
    dim = results.compiled.system.dim
    ways: tuple[tuple[int, str, str], ...] = ((0, "deflection", "deflection"),)
    turns: tuple[tuple[int, str, str], ...] = ((2, "moment", "bending moment of the section"),)
    if dim == 3:
        ways = (
            (0, "deflection_y", "deflection along y"),
            (1, "deflection_z", "deflection along z"),
        )
        turns = (
            (0, "torque", "torque of the section"),
            (1, "moment_y", "bending moment about y of the section"),
            (2, "moment_z", "bending moment about z of the section"),
        )
    for n, name, words in ways:
        column = partial(_column, partial(deflections, results, body), at, n)
        yield Channel(f"{id}.{name}", f"{who}: {words}", "m", "", column, about)
    for n, name, words in turns:
        moment = partial(_column, lambda: loads(results, body).moment, at, n)
        yield Channel(f"{id}.{name}", f"{who}: {words}", "N m", "", moment)
    tension = component(lambda: loads(results, body).tension, at)
    yield Channel(f"{id}.tension", f"{who}: normal force of the section", "N", "", tension)
    stress = component(partial(stresses, results, body), at)
    yield Channel(f"{id}.stress", f"{who}: largest stress of the section", "Pa", "", stress)
    strain = component(lambda: strains(results, body)[0], at)
    yield Channel(f"{id}.strain", f"{who}: largest strain of the section", "", "", strain)


def _stress_of_bars(results: "Results", id: Id) -> np.ndarray:
    """The largest stress of all bars of a body."""
    q, _ = modal(results, results.compiled.body_ids.index(id))
    return np.asarray(stresses_of_bars(results.compiled.elastic[id], q).max(axis=1))


def _of_nodes(results: "Results", id: Id) -> np.ndarray:
    """The largest deflection of a node of a part."""
    q, _ = modal(results, results.compiled.body_ids.index(id))
    return np.asarray(deflected_nodes(results.compiled.elastic[id], q).max(axis=1))


def deflected_nodes(record: "Elastic", q: np.ndarray) -> np.ndarray:
    """How far each node of a part is from where what its joints hold would carry it, (n, nodes)."""
    nodal = q @ (record.modes.Phi - record.mesh.rigid() @ record.anchor).T
    shift = nodal.reshape(len(q), -1, record.mesh.per_node)[:, :, : record.mesh.dim]
    return np.asarray(np.linalg.norm(shift, axis=2))


def deflections(results: "Results", id: Id) -> np.ndarray:
    """The deflection of all stations, (n, stations, 1 or 2), along y and z, from the chosen line."""
    record = results.compiled.elastic[id]
    q, _ = modal(results, results.compiled.body_ids.index(id))
    return deflected(record, q)


def deflected(record: "Elastic", q: np.ndarray) -> np.ndarray:
    """The deflection of all stations for modal coordinates (n, n_f), (n, stations, 1 or 2)."""
    nodal = q @ record.modes.Phi.T
    line, x, k = record.beam.seen_from, record.mesh.stations, record.mesh.per_node
    if record.mesh.dim == 2:
        return seen_from(line, x, nodal[:, V::k], nodal[:, TURN::k])[:, :, None]
    v = seen_from(line, x, nodal[:, 1::k], nodal[:, 5::k])
    w = seen_from(line, x, nodal[:, 2::k], -nodal[:, 4::k])
    return np.stack([v, w], axis=2)


def seen_from(line: str, x: np.ndarray, v: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """v of all stations from a line, for displacements across and slopes (n, stations)."""
    along = x - x[0]
    if line == CHORD:
        return v - v[:, :1] - np.outer(v[:, -1] - v[:, 0], along / along[-1])
    if line == CLAMP:
        return v - v[:, :1] - np.outer(slope[:, 0], along)
    return v


def _signed(values: np.ndarray) -> np.ndarray:
    """One way with its sign, two by their size, (n, stations)."""
    return values[:, :, 0] if values.shape[2] == 1 else np.asarray(np.linalg.norm(values, axis=2))


def _column(compute: Any, at: int, n: int) -> np.ndarray:
    return np.asarray(compute()[:, at, n])


def strains(
    results: "Results", id: Id, frames: Sequence[int] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The largest |strain| along the beam of all stations, (n, stations), and their torque."""
    record, found = results.compiled.elastic[id], loads(results, id, frames)
    material, one = record.mesh.material, record.beam.cross_section()
    bend = np.abs(found.moment[:, :, 2]) * one.half_y / material.EI
    if isinstance(material, Stiffness):
        other = np.abs(found.moment[:, :, 1]) * one.half_z / material.EI_y
        bend = np.hypot(bend, other) if record.beam.section in ROUND else bend + other
    return np.abs(found.tension) / material.EA + bend, found.moment[:, :, 0]


def stresses(results: "Results", id: Id, frames: Sequence[int] | None = None) -> np.ndarray:
    """The largest stress of all stations (von Mises), (n, stations), in every frame or in some."""
    beam = results.compiled.elastic[id].beam
    strain, torque = strains(results, id, frames)
    normal, shear = float(beam.youngs_modulus) * strain, torque / beam.cross_section().W_t
    return np.asarray(np.sqrt(normal**2 + 3.0 * shear**2))


def stresses_in_frame(results: "Results", id: Id, frame: int) -> np.ndarray:
    """The largest |stress| of all stations in one frame."""
    return stresses(results, id, [frame])[0]


def loads(results: "Results", id: Id, frames: Sequence[int] | None = None) -> Loads:
    """Moment and normal force of all stations in every frame, or in some, from equilibrium."""
    compiled, record = results.compiled, results.compiled.elastic[id]
    ws, found = workspace(compiled.system), []
    table = linked(compiled.system, ws)
    for n in range(len(results)) if frames is None else frames:
        q, v, t = results.q[n], results.v[n], float(results.t[n])
        fill(compiled, ws, t, q, v, results.z[n], table)
        found.append(_carried(compiled, record, id, ws, q, v, results.a[n], results.lam[n]))
    both = np.array(found).reshape(-1, len(record.mesh.stations), 4)
    return Loads(both[:, :, :3], both[:, :, 3])


def _carried(
    compiled: Any, record: Any, id: Id, ws: Any, q: Any, v: Any, a: Any, lam: Any
) -> np.ndarray:
    """Moment and normal force of all stations in one state, in axes of the body, (stations, 4)."""
    layout, k, dim = compiled.layout, compiled.body_ids.index(id), compiled.system.dim
    flat = dim == 2
    frame = (ws.planar if flat else ws.spatial)[k]
    R = about_z(float(frame["phi"])) if flat else frame["R"].copy()
    w, alpha = (_turn(x[layout.spin(k)]) for x in (v, a))
    x, x_dot, x_ddot = q[layout.modes(k)], v[layout.modal_speeds(k)], a[layout.modal_speeds(k)]
    m, places, S = record.mesh.cloud()
    places = _in_space(places)
    S = np.pad(S, ((0, 0), (0, 3 - dim), (0, 0))) @ record.modes.Phi
    r, moving = places + S @ x, S @ x_dot
    push = _in_space(
        compiled.system.weight[layout.velocity(k)] / record.mass - a[layout.velocity(k)]
    )
    push = R.T @ push - np.cross(alpha, r) - np.cross(w, np.cross(w, r) + 2.0 * moving) - S @ x_ddot
    where, forces, torques, at = [places[:, 0]], [m[:, None] * push], [np.zeros_like(r)], [r]
    n_d = 3 if flat else 6
    for one in compiled.system.followers[compiled.system.followers["body"] == k]:
        n_v = int(compiled.system.carriers["n_v"][k])
        noted = int(one["now"]) + n_d * (n_v + 1)
        rows = slice(one["start"], one["stop"])
        F = ws.elastic[noted : noted + n_d] - lam[compiled.system.row_of[rows]] @ ws.D[rows]
        _, follower = compiled.body_and_follower(int(one["carrier"]))
        p = follower.P + (follower.Phi - 0.5 * follower.G @ x) @ x
        twist = np.eye(3) if flat else axis_angle.exponential(follower.Psi @ x)
        where.append(np.array([follower.P[0]]))
        at.append(_in_space(p)[None])
        forces.append((R.T @ _in_space(F[:dim]))[None])
        torques.append((twist @ _turn(F[dim:]))[None])
    X, P, F, T = (np.concatenate(part) for part in (where, at, forces, torques))
    stations, per_node = record.mesh.stations, record.mesh.per_node
    nodal = _in_space((record.modes.Phi @ x).reshape(-1, per_node)[:, :dim])
    found = np.zeros((len(stations), 4))
    for n, station in enumerate(stations):
        right = station <= 0.0
        beyond = station + 1e-9 < X if right else station - 1e-9 > X
        sign = 1.0 if right else -1.0
        arm = P[beyond] - nodal[n] - (station, 0.0, 0.0)
        turning = np.cross(arm, F[beyond]).sum(axis=0) + T[beyond].sum(axis=0)
        found[n, :3], found[n, 3] = sign * turning, sign * F[beyond, 0].sum()
    return found


def _in_space(x: np.ndarray) -> np.ndarray:
    """Vectors of the plane or of space with three components."""
    return np.concatenate([x, np.zeros((*x.shape[:-1], 3 - x.shape[-1]))], axis=-1)


def _turn(x: np.ndarray) -> np.ndarray:
    """A turn with three components."""
    return np.array([0.0, 0.0, x[0]]) if len(x) == 1 else x


def _largest(compute: Any) -> np.ndarray:
    """The value of largest magnitude in each frame."""
    values = compute()
    return values[np.arange(len(values)), np.abs(values).argmax(axis=1)]
