"""The texts of the orientation instruments about gimbal lock, in plain words."""

import numpy as np
from PySide6.QtCore import QCoreApplication

from gui.instruments.gimbal.ring_geometry import lost_direction
from gui.instruments.gimbal.rings import axis_names
from gui.state.attitude import QUATERNION, Attitude
from gui.state.numbers import listed, written
from rotations.gimbal_lock import Level

SAME = np.cos(np.radians(6.0))  # a direction this near to a world axis is called by its name


def lock_words(attitude: Attitude, switched: float | None = None) -> str:
    """Which axes coincide and which rotation is lost; or that nothing is wrong.

    `switched` is the time at which the run has left these angles, if it has [s].
    """
    first, _, last = axis_names(attitude.sequence)
    if switched is not None and attitude.level != Level.FINE:
        return _tr(
            "The axes {0} and {1} coincide, or nearly so. But the run switched to other numbers at "
            "t = {2} s and does not feel this lock."
        ).format(first, last, written(switched, 3))
    if attitude.level == Level.FINE:
        words = _tr("The three axes point in three directions: the rings can follow any turn.")
    elif attitude.level == Level.AMBER:
        words = _tr(
            "The axes {0} (outer ring) and {1} (inner ring) nearly coincide: φ and ψ do almost the "
            "same, and turning about {2} makes them race."
        ).format(first, last, direction_words(lost(attitude)))
    else:
        words = _tr(
            "The axes {0} (outer ring) and {1} (inner ring) coincide: φ and ψ turn the body about the "
            "same line. No ring turns it about {2}: that rotation is lost."
        ).format(first, last, direction_words(lost(attitude)))
    if attitude.integration == QUATERNION:
        words += " " + _tr("This body is followed by a quaternion: its run does not feel the lock.")
    return words


def lost(attitude: Attitude) -> np.ndarray:
    """The direction in the world about which no ring turns."""
    return lost_direction(attitude.sequence, attitude.angles)


def direction_words(direction: np.ndarray) -> str:
    """A direction by the axis of the world it is near to, or by its numbers."""
    n = int(np.argmax(np.abs(direction)))
    if abs(direction[n]) > SAME:
        return _tr("the world axis {0}").format("xyz"[n])
    return listed(written(round(float(x), 2), 2) for x in direction)


def _tr(text: str) -> str:
    return QCoreApplication.translate("LockWords", text)
