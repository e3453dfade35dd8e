"""The twelve sequences of Euler angles, their names and their axes.

A sequence i-j-k turns by phi about axis i, by theta about the new axis j, by psi about the newest
axis k: R = R_i(phi) R_j(theta) R_k(psi). Neighbouring axes differ. With i = k the sequence is of
Euler type (the first six), with three different axes of Cardan or Tait-Bryan type (the last six).

Kernels identify a sequence by its code, its index 0..11 in SEQUENCES.
"""

import numpy as np

from rotations.checks import RotationError
from rotations.jit import kernel

SEQUENCES = (
    *("1-2-1", "1-3-1", "2-1-2", "2-3-2", "3-1-3", "3-2-3"),
    *("1-2-3", "1-3-2", "2-1-3", "2-3-1", "3-1-2", "3-2-1"),
)
N_EULER_TYPE = 6  # codes below are of Euler type (i = k), from here on of Cardan type

_AXES = np.array([[int(digit) - 1 for digit in name.split("-")] for name in SEQUENCES])  # 0, 1, 2


@kernel
def axes_of(code):
    """The axes i, j, the third axis o, and the sign e in e_i x e_j = e e_o.

    The last axis k of the sequence is i for Euler type, o for Cardan type.
    """
    i, j = _AXES[code, 0], _AXES[code, 1]
    e = 1.0 if (j - i) % 3 == 1 else -1.0
    return i, j, 3 - i - j, e


def code_of(sequence: str) -> int:
    """The code 0..11 of a sequence, named like "3-1-3", "313", "zxz" or "ZXZ"."""
    if isinstance(sequence, str):
        digits = sequence.strip().upper().translate(str.maketrans("XYZ", "123", "-"))
        name = "-".join(digits)
        if name in SEQUENCES:
            return SEQUENCES.index(name)
    raise RotationError(
        f"Unknown sequence {sequence!r}: three axes of which neighbours differ are needed. "
        f"Choose one of {', '.join(SEQUENCES)}."
    )


def name_of(sequence: str) -> str:
    """The standard name, like "3-1-3", of a sequence given in any spelling."""
    return SEQUENCES[code_of(sequence)]


def is_euler_type(sequence: str) -> bool:
    """Whether first and last axis are the same, so that the lock is at sin(theta) = 0."""
    return code_of(sequence) < N_EULER_TYPE
