"""Move bodies apart whose shapes overlap: the least motion after which they just touch.

With the depths d of shapes that overlap, their gradients G over the motions of the bodies, and the rows D
of the joints,

    G dq = -d,   D dq = -Phi        dq = W A^T (A W A^T)^+ (-d, -Phi),   A = (G, D)

again and again, because shapes are curved and what is moved may meet others. W weighs a turn by the size of
the model; bodies that a joint does not let move stay.
"""

import numpy as np

from engine.compiling.system import Compiled, compile_model
from engine.editing.edits.changing import at_state
from engine.errors import EngineError
from engine.kernels import dynamics
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations
from engine.kinematics.limits import DEEP, depths
from engine.model.elements import Model

ROUNDS = 200
STEP = 1e-6  # of the size of the model: of difference quotients
TOUCHING = 1e-9  # of the size of the model: what overlaps by less only touches
SMALL = 1e-10  # of the largest singular value: motions that the joints do not allow


def moved_apart(model: Model) -> Model:
    """The model with its bodies moved until no shapes overlap; EngineError says if joints hold them."""
    compiled = compile_model(model)
    start = assemble(compiled)
    q, enough = start.q.copy(), TOUCHING * compiled.length
    for _ in range(ROUNDS):
        deep = {k: depth for k, depth in _pressed(compiled, q).items() if depth > enough}
        if not deep:
            return at_state(model, q, start.v)
        q = _moved(compiled, q, _step(compiled, q, deep))
    if max(deep.values()) < DEEP * compiled.length:
        return at_state(model, q, start.v)
    worst = max(deep, key=lambda k: deep[k])
    id = compiled.interaction_ids[worst]
    raise EngineError(
        "The shapes of '{contact}' cannot be moved apart: joints hold them. Move a joint, or make one of "
        "the shapes smaller.",
        id,
        contact=compiled.resolved[id].label,
    )


def _pressed(compiled: Compiled, q: np.ndarray) -> dict[int, float]:
    return depths(compiled, q, np.zeros(compiled.layout.n_v))


def _moved(compiled: Compiled, q: np.ndarray, dv: np.ndarray) -> np.ndarray:
    """The pose after a small displacement, given like a velocity."""
    q, system = q.copy(), compiled.system
    dynamics.move(system.dim, system.bodies, q, np.ascontiguousarray(dv), np.zeros_like(q))
    return q


def _step(compiled: Compiled, q: np.ndarray, deep: dict[int, float]) -> np.ndarray:
    """dq: what takes depths and gaps of joints away, to first order."""
    n, found = compiled.layout.n_v, equations(compiled, 0.0, q, np.zeros(compiled.layout.n_v))
    h, G = STEP * compiled.length, np.zeros((len(deep), n))
    for column in range(n):
        way = h * np.eye(n)[column]
        ahead, back = (_pressed(compiled, _moved(compiled, q, by)) for by in (way, -way))
        for row, k in enumerate(deep):
            G[row, column] = (ahead.get(k, 0.0) - back.get(k, 0.0)) / (2.0 * h)
    weights = np.ones(n)
    for k in range(len(compiled.body_ids)):
        weights[compiled.layout.spin(k)] = 1.0 / max(compiled.length, 1e-9)
    A = np.vstack([G, found.D]) * weights
    wanted = -np.concatenate([list(deep.values()), found.Phi])
    return weights * np.linalg.lstsq(A, wanted, rcond=SMALL)[0]
