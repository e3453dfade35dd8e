"""Channels of beams: modes, deflection, and the moment, stress and strain of their sections.

The bending moment of a section follows from equilibrium of the part of the beam beyond it, not from the
curvature of modes, which converges slowly:

    M(x) = sum over the part (r - r_x) x (forces of joints and elements + m (g - a))_z + torques

    N(x) = the same forces along the axis         strain = N/EA +- M h/EI,   stress = E strain

with h the distance of the outer fibre. Of both parts the longer one is taken.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.compiling.elastic.beams import PER_NODE, TURN, V
from engine.compiling.system import linked, workspace
from engine.errors import say
from engine.kinematics.evaluate import fill
from engine.model.elastic.sections import CHORD, CLAMP
from engine.model.elements import Id
from engine.results.channels.channel import Channel, component, point_words
from engine.results.channels.modes import modal, strain_energy

if TYPE_CHECKING:
    from engine.results.results import Results


class Loads(NamedTuple):
    """What a beam carries at its stations, over all frames."""

    moment: np.ndarray  # (n, stations)   [N m]
    tension: np.ndarray  # (n, stations)  [N]


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
    about = say("From the {line}.", line=record.beam.seen_from)
    largest = partial(_largest, partial(deflections, results, id))
    label = f"{who}: largest deflection"
    yield Channel(f"{id}.deflection", label, "m", "", largest, about)
    energy = partial(strain_energy, results, id)
    yield Channel(f"{id}.strain_energy", f"{who}: strain energy", "J", "", energy)
    moment = partial(_largest, lambda: loads(results, id).moment)
    yield Channel(f"{id}.moment", f"{who}: largest bending moment", "N m", "", moment)
    stress = partial(_largest, partial(stresses, results, id))
    yield Channel(f"{id}.stress", f"{who}: largest stress", "Pa", "", stress)


def channels_of_section(results: "Results", marker: Any) -> Iterator[Channel]:
    """Deflection, moment, normal force, strain and stress of the section at a marker of a beam."""
    compiled, id = results.compiled, marker.id
    if id not in compiled.followers:
        return
    body, who = compiled.resolved[id].body, point_words(compiled.model, id)
    record = compiled.elastic[body]
    at, E = record.nodes[id], float(record.beam.youngs_modulus)
    about = say("From the {line}.", line=record.beam.seen_from)
    column = component(partial(deflections, results, body), at)
    yield Channel(f"{id}.deflection", f"{who}: deflection", "m", "", column, about)
    moment = component(lambda: loads(results, body).moment, at)
    yield Channel(f"{id}.moment", f"{who}: bending moment of the section", "N m", "", moment)
    tension = component(lambda: loads(results, body).tension, at)
    yield Channel(f"{id}.tension", f"{who}: normal force of the section", "N", "", tension)
    stress = component(partial(stresses, results, body), at)
    yield Channel(f"{id}.stress", f"{who}: largest stress of the section", "Pa", "", stress)
    yield Channel(
        f"{id}.strain", f"{who}: largest strain of the section", "", "", lambda: stress() / E
    )


def deflections(results: "Results", id: Id) -> np.ndarray:
    """The deflection of all stations across the beam, (n, stations), from its chord, clamp or mean axis."""
    record = results.compiled.elastic[id]
    q, _ = modal(results, results.compiled.body_ids.index(id))
    return seen_from(record.beam.seen_from, record.mesh.stations, q @ record.modes.Phi.T)


def seen_from(line: str, x: np.ndarray, nodal: np.ndarray) -> np.ndarray:
    """v of all stations from a line, for nodal coordinates (n, PER_NODE stations)."""
    v, turn = nodal[:, V::PER_NODE], nodal[:, TURN::PER_NODE]
    along = x - x[0]
    if line == CHORD:
        return v - v[:, :1] - np.outer(v[:, -1] - v[:, 0], along / along[-1])
    if line == CLAMP:
        return v - v[:, :1] - np.outer(turn[:, 0], along)
    return v


def stresses(results: "Results", id: Id, frames: Sequence[int] | None = None) -> np.ndarray:
    """The largest |stress| of all stations, (n, stations), in every frame or in some."""
    record, found = results.compiled.elastic[id], loads(results, id, frames)
    material, half = record.mesh.material, record.beam.cross_section().half_y
    strain = np.abs(found.tension) / material.EA + np.abs(found.moment) * half / material.EI
    return float(record.beam.youngs_modulus) * strain


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
    both = np.array(found).reshape(-1, 2, len(record.mesh.stations))
    return Loads(both[:, 0], both[:, 1])


def _carried(
    compiled: Any, record: Any, id: Id, ws: Any, q: Any, v: Any, a: Any, lam: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Moment and normal force of all stations in one state, in axes of the body."""
    layout, k = compiled.layout, compiled.body_ids.index(id)
    phi, w, alpha = q[layout.orientation(k)][0], v[layout.spin(k)][0], a[layout.spin(k)][0]
    R = np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])
    x, x_dot, x_ddot = q[layout.modes(k)], v[layout.modal_speeds(k)], a[layout.modal_speeds(k)]
    m, places, S = record.mesh.cloud()
    S = S @ record.modes.Phi
    r, moving = places + S @ x, S @ x_dot
    gravity = R.T @ (compiled.system.weight[layout.velocity(k)] / record.mass)
    center = R.T @ a[layout.velocity(k)]
    push = gravity - center - alpha * _perp(r) + w * w * r - 2 * w * _perp(moving) - S @ x_ddot
    where, forces, torques = [places[:, 0]], [m[:, None] * push], [np.zeros(len(m))]
    at = [r]
    for one in compiled.system.followers[compiled.system.followers["body"] == k]:
        n_v = int(compiled.system.carriers["n_v"][k])
        noted = int(one["now"]) + 3 * (n_v + 1)
        rows = slice(one["start"], one["stop"])
        F = ws.elastic[noted : noted + 3] - lam[compiled.system.row_of[rows]] @ ws.D[rows]
        _, follower = compiled.body_and_follower(int(one["carrier"]))
        p = follower.P + (follower.Phi - 0.5 * follower.G @ x) @ x
        where.append(np.array([follower.P[0]]))
        at.append(p[None])
        forces.append((R.T @ F[:2])[None])
        torques.append(np.array([F[2]]))
    X, P, F, T = (np.concatenate(part) for part in (where, at, forces, torques))
    stations, nodal = record.mesh.stations, record.modes.Phi @ x
    moment, tension = np.zeros(len(stations)), np.zeros(len(stations))
    for n, station in enumerate(stations):
        right = station <= 0.0
        beyond = station + 1e-9 < X if right else station - 1e-9 > X
        sign = 1.0 if right else -1.0
        own = np.array([station + nodal[PER_NODE * n], nodal[PER_NODE * n + V]])
        arm = P[beyond] - own
        turning = arm[:, 0] * F[beyond, 1] - arm[:, 1] * F[beyond, 0] + T[beyond]
        moment[n], tension[n] = sign * turning.sum(), sign * F[beyond, 0].sum()
    return moment, tension


def _perp(s: np.ndarray) -> np.ndarray:
    return np.stack([-s[:, 1], s[:, 0]], axis=1)


def _largest(compute: Any) -> np.ndarray:
    """The value of largest magnitude in each frame."""
    values = compute()
    return values[np.arange(len(values)), np.abs(values).argmax(axis=1)]
