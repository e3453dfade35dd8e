"""How orientations are integrated, typed and shown: three independent choices, for a model and for a body.

A file keeps the unit quaternion whatever is chosen. The functions here turn it into the numbers of a form
and back; none of them needs a run.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.model.bodies import SpatialBody
from engine.model.elements import Model
from rotations import RotationError, convert, euler_angles, gimbal_lock, quaternion

AS_MODEL = "as model"
QUATERNION = "quaternion"
FALLBACK = "1-2-3"  # the first sequence of the list that is not locked at the identity
SYMBOLS = ("q0", "q1", "q2", "q3"), ("φ", "θ", "ψ")


def integration_of(model: Model, body: Any) -> str:
    """What is integrated for a body: "quaternion" or a sequence; a particle has no orientation."""
    return _chosen(body, "parameters", model.settings.orientation)


def input_of(model: Model, body: Any) -> str:
    """How the orientation of a body is typed: "quaternion" or a sequence."""
    return _chosen(body, "orientation_input", model.settings.orientation_input)


def display_of(model: Model, body: Any) -> str:
    """How the orientation of a body is shown: "quaternion" or a sequence."""
    return _chosen(body, "orientation_display", model.settings.orientation_display)


def shown_sequence(model: Model, body: Any) -> str:
    """The sequence whose rings and angles are shown for a body, also where a quaternion is chosen.

    It is the one of the display, else that of the integration, else that of the input, else 1-2-3.
    """
    choices = (of(model, body) for of in (display_of, integration_of, input_of))
    return next((choice for choice in choices if choice != QUATERNION), FALLBACK)


def symbols(representation: str) -> tuple[str, ...]:
    """The symbols of the numbers of a representation, for forms."""
    return SYMBOLS[0] if representation == QUATERNION else SYMBOLS[1]


def with_orientation(
    body: SpatialBody, representation: str, numbers: Sequence[float]
) -> SpatialBody:
    """The body turned to a quaternion of any length but zero, or to angles of a sequence in radians."""
    wanted = len(symbols(representation))
    if len(numbers) != wanted or not all(map(isfinite, numbers)):
        raise EngineError(
            "The orientation of '{body}' by {representation} needs {wanted} numbers.",
            body.id,
            body=body.label,
            representation=representation,
            wanted=wanted,
        )
    given = np.array(numbers, dtype=float)
    try:
        if representation != QUATERNION:
            return replace(body, orientation=_floats(convert(given, representation, QUATERNION)))
        size = float(np.abs(given).max())
        if size == 0.0:
            raise EngineError(
                "The quaternion of '{body}' is zero, which is no orientation. Make one of its "
                "numbers different from zero; 1, 0, 0, 0 is unturned.",
                body.id,
                body=body.label,
            )
        return replace(body, orientation=_floats(quaternion.normalise(given / size)))
    except RotationError as error:
        raise EngineError(
            "Body '{body}': {reason}", body.id, body=body.label, reason=str(error)
        ) from None


def _chosen(body: Any, name: str, of_model: str) -> str:
    """A choice of a body, or that of its model."""
    choice = getattr(body, name, AS_MODEL)
    return of_model if choice == AS_MODEL else str(choice)


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(map(float, values))


def rates_of_angles(sequence: str, angles: Any, w: Any) -> Any:
    """The rates (n, 3) of angles under the angular velocity w in body axes; NaN at the lock itself."""
    free = gimbal_lock.measure(sequence, angles) > euler_angles.LOCK_ANGLE
    rates = np.full(np.shape(angles), np.nan)
    if free.any():
        rates[free] = euler_angles.rates(sequence, angles[free], w[free])
    return rates
