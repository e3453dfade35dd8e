"""The initial values of quantities followed from frame to frame, kept when earlier frames are discarded.

Angles in space count full turns, and signs of quaternions and Euler angles follow the frame before. The
first frame that is kept therefore needs to know their values there.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.kernels.layout import ANGLE, DIRECTION
from engine.model.elements import Id
from engine.results.channels.motion import quaternions
from engine.results.channels.orientation import angle_history
from engine.results.channels.parts import coordinates, part_of_terms

if TYPE_CHECKING:
    from engine.results.results import Results


class Beginning(NamedTuple):
    """The values followed up to a frame."""

    angle: np.ndarray  # (n_terms,)        angles of coordinates with all their turns
    unit: np.ndarray  # (n_bodies, 4)      quaternions with their signs
    angles: dict[
        tuple[int, Id], np.ndarray
    ]  # Euler angles by body and sequence, where they were requested


def beginning_at_end(results: "Results") -> Beginning:
    """The values followed up to the last frame of results in space."""
    system = results.compiled.system
    angle = np.zeros(len(system.terms))
    which = np.flatnonzero(np.isin(system.terms["kind"], (ANGLE, DIRECTION)))
    if len(which):
        angle[which] = coordinates(results, part_of_terms(system, which)).values[-1]
    unit = _last_units(results)
    for k in np.flatnonzero(system.bodies["orientation"] >= 0):
        unit[k] = quaternions(results, int(k))[-1]
    asked = {at: angle_history(results, *at)[-1] for at in list(results.asked_sequences)}
    return Beginning(angle, unit, asked)


def _last_units(results: "Results") -> np.ndarray:
    """The quaternions of the last frame with the signs that follow from frame to frame, all at once."""
    p = results.q[:, results.compiled.layout.orientations]
    before = p[:1] if results.beginning is None else results.beginning.unit[None]
    steps = np.einsum("nkc,nkc->nk", p, np.concatenate([before, p[:-1]]))
    signs = np.where(steps < 0.0, -1.0, 1.0).prod(axis=0)
    return p[-1] * signs[:, None]
