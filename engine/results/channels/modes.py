"""Energy and angular momentum of the modes of flexible bodies, over all frames.

T = w.(Theta - J) w / 2 + w.B q_dot + q_dot.q_dot / 2       V = q.diag(w2) q / 2
L = (Theta - J) w + B q_dot                                 Theta - J = Theta1.q + q.(Theta2 q),  B = q^T A
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.model.elements import Id

if TYPE_CHECKING:
    from engine.results.results import Results


def modal(results: "Results", k: int) -> tuple[np.ndarray, np.ndarray]:
    """q and q_dot of the modes of body number k, (n, n_f) each."""
    layout = results.compiled.layout
    return results.q[:, layout.modes(k)], results.v[:, layout.modal_speeds(k)]


def moment_of_modes(results: "Results", k: int) -> np.ndarray:
    """The angular momentum about the mass centre that body k has beyond J w, in the plane."""
    q, q_dot = modal(results, k)
    record = results.compiled.elastic[results.compiled.body_ids[k]]
    w = results.v[:, results.compiled.layout.spin(k).start]
    more = q @ record.Theta1[0] + np.einsum("nf,fg,ng->n", q, record.Theta2[0], q)
    return more * w + np.einsum("nf,fg,ng->n", q, record.A[0], q_dot)


def kinetic_energy_of_modes(results: "Results", k: int) -> np.ndarray:
    """What the modes add to the kinetic energy of body k."""
    q, q_dot = modal(results, k)
    record = results.compiled.elastic[results.compiled.body_ids[k]]
    w = results.v[:, results.compiled.layout.spin(k).start]
    along = np.einsum("nf,fg,ng->n", q, record.A[0], q_dot)
    return 0.5 * w * (moment_of_modes(results, k) + along) + 0.5 * (q_dot * q_dot).sum(axis=1)


def strain_energy(results: "Results", id: Id) -> np.ndarray:
    """What a flexible body stores by bending."""
    compiled = results.compiled
    q, _ = modal(results, compiled.body_ids.index(id))
    return 0.5 * (q * q) @ compiled.elastic[id].modes.w2
