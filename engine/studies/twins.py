"""The same model integrated with other orientation parameters, and the difference of both runs."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import EngineError
from engine.model.bodies import SpatialBody
from engine.model.elements import Id, Model, put
from engine.model.orientation import QUATERNION, integration_of, shown_sequence
from engine.results.channels.motion import quaternions
from rotations import axis_angle, quaternion

if TYPE_CHECKING:
    from engine.results.results import Results

SAME_TIME = 1e-9  # of the time between two frames


def twin(model: Model) -> Model:
    """The model with quaternions for Euler angles; without Euler angles, with those that are shown."""
    bodies = [b for b in model.of("body") if isinstance(b, SpatialBody) and not b.fixed]
    if not bodies:
        raise EngineError(
            "No body turns in space here, so there is nothing to integrate in two ways."
        )
    on_angles = [b for b in bodies if integration_of(model, b) != QUATERNION]
    if on_angles:
        return put(model, *(replace(b, parameters=QUATERNION) for b in on_angles))
    return put(model, *(replace(b, parameters=shown_sequence(model, b)) for b in bodies))


def difference(results: "Results", twin_results: "Results") -> dict[Id, np.ndarray]:
    """The angle between the two orientations of each body, over the frames that both have [rad].

    Both start together; where one ended early, only the common frames count.
    """
    n = min(len(results), len(twin_results))
    t, other = results.t[:n], twin_results.t[:n]
    between = float(t[1] - t[0]) if n > 1 else 1.0
    if not np.allclose(t, other, rtol=0.0, atol=SAME_TIME * between):
        raise EngineError(
            "The two runs have their frames at different times: run both with the same output step."
        )
    first, second = results.first(n), twin_results.first(n)
    apart: dict[Id, np.ndarray] = {}
    for k, id in enumerate(results.compiled.body_ids):
        if results.compiled.is_particle[k] or id not in second.compiled.body_ids or n == 0:
            continue
        p, q = quaternions(first, k), quaternions(second, second.compiled.body_ids.index(id))
        turn = quaternion.product(quaternion.conjugate(p), q)
        apart[id] = np.linalg.norm(axis_angle.logarithm_quaternion(turn), axis=1)
    return apart
