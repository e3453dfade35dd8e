"""Channels of the whole model: energy, momentum, and how well the joints are kept closed.

T = sum (m u.u + w.(J w)) / 2        V = -sum m g.r + energy stored in springs, bushings and stops
W = sum of the work of elements      T + V - W stays what it is at the start
p = sum m u                          L = sum (r x m u + R J w)   about the origin of the world
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compiling.gates import all_open
from engine.compiling.system import linked, workspace
from engine.errors import say
from engine.kernels import histories
from engine.results.channels.bodies import kinetic_energy
from engine.results.channels.channel import WORLD, Channel, vector
from engine.results.channels.forces import law_history
from engine.results.channels.interactions import stored_energy
from engine.results.channels.modes import moment_of_modes, strain_energy
from engine.results.channels.motion import body_motion, turned
from engine.results.channels.works import total_work

if TYPE_CHECKING:
    from engine.results.results import Results


def energy(results: "Results", _: Any) -> Iterator[Channel]:
    """Kinetic, potential and total energy, the work done, and what the balance of all leaves open."""
    for name, label, compute in (
        ("kinetic_energy", "Kinetic energy", total_kinetic_energy),
        ("potential_energy", "Potential energy", potential_energy),
        ("total_energy", "Total energy", total_energy),
        ("work", "Work done on the mechanism", total_work),
        ("energy_balance", "Total energy less the work done", energy_balance),
        ("energy_drift", "Energy error: total energy less work and start", energy_drift),
    ):
        yield Channel(name, label, "J", "", partial(compute, results))
    if results.hand.any():
        yield Channel("hand_work", "Work of the hand", "J", "", lambda: results.hand)


def momentum(results: "Results", _: Any) -> Iterator[Channel]:
    """Momentum, and angular momentum about the origin of the world."""
    dim = results.compiled.system.dim
    p = partial(linear_momentum, results)
    yield from vector("momentum_*", "Momentum", "kg m/s", WORLD, dim, p)
    L = partial(angular_momentum, results)
    label, unit = "Angular momentum about the world origin", "kg m^2/s"
    if dim == 2:
        yield Channel("angular_momentum", label, unit, WORLD, lambda: L()[:, 2])
    else:
        yield from vector("angular_momentum_*", label, unit, WORLD, 3, L)


def constraints(results: "Results", _: Any) -> Iterator[Channel]:
    """The largest constraint residual, in metres or radians, and its rate."""
    violated = partial(violations, results)
    position, speed = (lambda: violated()[0]), (lambda: violated()[1])
    label = "Largest |Phi| (m or rad)"
    about = say(
        "The widest opening of any joint or motion in this frame, after joints were closed: a length in m "
        "where points or distances are held, an angle in rad where directions are. Never negative; it "
        "belongs to the row that is open most, whichever that is."
    )
    yield Channel("constraint_violation", label, "", "", position, about)
    label = "Largest |D v - nu| (m/s or rad/s)"
    about = say(
        "The fastest that any joint or motion opens in this frame, in m/s or rad/s. Never negative."
    )
    yield Channel("velocity_violation", label, "", "", speed, about)
    label = "Largest |Phi| since the last frame, before it was closed (m or rad)"
    about = say(
        "The widest opening of any joint or motion at the end of any step since the frame before, as the "
        "method left it: a length in m or an angle in rad, never negative. It tells whether the step "
        "is short enough; constraint_violation tells what is left after closing."
    )
    yield Channel("gap", label, "", "", lambda: results.gap, about)
    if (results.compiled.system.bodies["orientation"] >= 0).any() and results.model.dim == 3:
        label = "Distance from gimbal lock: 0 in the lock, 1 farthest from it"
        yield Channel("gimbal_measure", label, "", "", lambda: results.lock)


def total_kinetic_energy(results: "Results") -> np.ndarray:
    """T of all bodies."""
    bodies = range(results.compiled.system.n_bodies)
    return sum((kinetic_energy(results, k) for k in bodies), np.zeros(len(results)))


def potential_energy(results: "Results") -> np.ndarray:
    """-sum m g.r, zero at the origin of the world, and what springs, stops and bent beams store."""
    compiled = results.compiled
    layout = compiled.layout
    r, weight = results.q[:, layout.positions], compiled.system.weight[layout.velocities]
    V = -np.einsum("nkc,kc->n", r, weight)
    if len(compiled.system.laws):
        every = np.arange(len(compiled.system.laws))
        V = V + law_history(results, every).energy.sum(axis=1)
    if len(compiled.interaction_ids):
        V = V + stored_energy(results)
    for id in compiled.elastic:
        V = V + strain_energy(results, id)
    return V


def total_energy(results: "Results") -> np.ndarray:
    """T + V."""
    return total_kinetic_energy(results) + potential_energy(results)


def energy_balance(results: "Results") -> np.ndarray:
    """T + V - W."""
    return total_energy(results) - total_work(results)


def energy_drift(results: "Results") -> np.ndarray:
    """T + V - W less its value at the start of the run: zero, but for the error of the method."""
    balance = energy_balance(results)
    return balance - (balance[:1] if results.first_balance is None else results.first_balance)


def linear_momentum(results: "Results") -> np.ndarray:
    """sum m u, (n, 3)."""
    compiled = results.compiled
    u = results.v[:, compiled.layout.velocities]
    p = np.zeros((len(results), 3))
    p[:, : compiled.system.dim] = np.einsum("k,nkc->nc", compiled.mass, u)
    return p


def angular_momentum(results: "Results") -> np.ndarray:
    """sum (r x m u + R J w), (n, 3)."""
    compiled = results.compiled
    L = np.zeros((len(results), 3))
    for k in range(compiled.system.n_bodies):
        motion = body_motion(results, k)
        J = compiled.system.bodies[k]["J"]
        if compiled.system.dim == 2:
            L += J[0, 0] * motion.w
            if compiled.layout.n_modes(k):
                L[:, 2] += moment_of_modes(results, k)[:, 0]
        else:
            L += turned(motion.R, results.v[:, compiled.layout.spin(k)] @ J)
            if compiled.layout.n_modes(k):
                L += turned(motion.R, moment_of_modes(results, k))
        L += np.cross(motion.r, compiled.mass[k] * motion.u)
    return L


def violations(results: "Results") -> np.ndarray:
    """The largest |Phi| and the largest |D v - nu| of every frame, (2, n)."""
    return results.followed(_violations).T


def _violations(results: "Results") -> np.ndarray:
    """Both for all frames, (n, 2); of rows that always hold."""
    system = all_open(results.compiled).system
    found = np.zeros((2, len(results)))
    ws, y = workspace(system), results.compiled.layout.y(results.q, results.v, results.z)
    if results.beginning is not None:
        ws.angle[:] = results.beginning.angle
    rates = np.zeros(len(system.terms))
    histories.violations(linked(system, ws), results.t, y, rates, *found)
    return found.T
