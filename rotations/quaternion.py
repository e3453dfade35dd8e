"""Unit quaternions, scalar first: the public names, functions for arrays and kernels for loops.

    q = (q0, q1, q2, q3) = (cos phi/2, n sin phi/2)        x_fixed = q o x_body o conj(q)

The functions check their input and take one quaternion (4,) or a stack (n, 4). The kernels, whose
names end in `_into`, check nothing, allocate nothing and write into their last argument.
"""

from rotations.quaternion_algebra import (
    canonical,
    canonical_into,
    conjugate,
    from_matrix,
    from_matrix_into,
    inverse,
    matrix,
    matrix_into,
    norm,
    normalise,
    normalise_into,
    product,
    product_into,
    to_body,
    to_body_into,
    to_fixed,
    to_fixed_into,
)
from rotations.quaternion_motion import (
    angular_velocity,
    continuous,
    nearest_sign,
    nearest_sign_into,
    rate,
    rate_body_into,
    rate_fixed_into,
    slerp,
    slerp_into,
    step,
    step_fixed_into,
    step_into,
)

__all__ = [
    "angular_velocity",
    "canonical",
    "canonical_into",
    "conjugate",
    "continuous",
    "from_matrix",
    "from_matrix_into",
    "inverse",
    "matrix",
    "matrix_into",
    "nearest_sign",
    "nearest_sign_into",
    "norm",
    "normalise",
    "normalise_into",
    "product",
    "product_into",
    "rate",
    "rate_body_into",
    "rate_fixed_into",
    "slerp",
    "slerp_into",
    "step",
    "step_fixed_into",
    "step_into",
    "to_body",
    "to_body_into",
    "to_fixed",
    "to_fixed_into",
]
