"""Energy and angular momentum of the modes of flexible bodies, over all frames.

T = w.(Theta - J) w / 2 + w.B q_dot + q_dot.q_dot / 2       V = q.diag(w2) q / 2
L = (Theta - J) w + B q_dot                                 Theta - J = Theta1.q + q.(Theta2 q),  B = q^T A
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.compiling.elastic.records import in_matrix
from engine.model.elements import Id

if TYPE_CHECKING:
    from engine.results.results import Results


def modal(results: "Results", k: int) -> tuple[np.ndarray, np.ndarray]:
    """q and q_dot of the modes of body number k, (n, n_f) each."""
    layout = results.compiled.layout
    return results.q[:, layout.modes(k)], results.v[:, layout.modal_speeds(k)]


def moment_of_modes(results: "Results", k: int) -> np.ndarray:
    """The angular momentum about the mass centre that body k has beyond J w, (n, 1 or 3), body axes."""
    q, q_dot = modal(results, k)
    record = results.compiled.elastic[results.compiled.body_ids[k]]
    w = results.v[:, results.compiled.layout.spin(k)]
    products = q @ record.Theta1.T + np.einsum("nf,efg,ng->ne", q, record.Theta2, q)
    more = np.array([in_matrix(one) for one in products]).reshape(len(q), w.shape[1], -1)
    return np.einsum("nij,nj->ni", more, w) + np.einsum("nf,tfg,ng->nt", q, record.A, q_dot)


def kinetic_energy_of_modes(results: "Results", k: int) -> np.ndarray:
    """What the modes add to the kinetic energy of body k."""
    q, q_dot = modal(results, k)
    record = results.compiled.elastic[results.compiled.body_ids[k]]
    w = results.v[:, results.compiled.layout.spin(k)]
    along = np.einsum("nf,tfg,ng->nt", q, record.A, q_dot)
    turning = (w * (moment_of_modes(results, k) + along)).sum(axis=1)
    return 0.5 * turning + 0.5 * (q_dot * q_dot).sum(axis=1)


def strain_energy(results: "Results", id: Id) -> np.ndarray:
    """What a flexible body stores by bending."""
    compiled = results.compiled
    q, _ = modal(results, compiled.body_ids.index(id))
    return 0.5 * (q * q) @ compiled.elastic[id].modes.w2
