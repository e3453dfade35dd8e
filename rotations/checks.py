"""Check the input of the package: shapes, finite numbers, unit length, orthogonality.

Every public function passes its arguments through this file once and then works on plain rows:
an array (n, ...) of float64, C-ordered, without other references. Kernels check nothing.

A quaternion may miss unit length, and a matrix orthogonality, by TOLERANCE. That is what typed-in
numbers and long products look like; such input is corrected (normalised, or replaced by the nearest
rotation) before use. A larger deviation is a mistake, and a RotationError says where.
"""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Axes = Literal["body", "fixed"]

TOLERANCE = 1e-6  # six typed decimals are accepted, a forgotten normalisation is not
LARGEST = 1e100  # beyond this, and for lengths below its inverse, squares leave the range of floats
_MENDED_ABOVE = 1e-14  # deviations up to here are rounding: the input is used as it is


class RotationError(ValueError):
    """The input describes no rotation, or the result is undefined there; says how to fix it."""


class Rows(NamedTuple):
    """Checked input: one item per row, and whether a single item was given."""

    values: Array  # (n, ...)
    single: bool
    name: str


def rows(name: str, value: ArrayLike, *item_shape: int) -> Rows:
    """Finite numbers of the given shape, or a stack of them."""
    try:
        given = np.asarray(value)
    except ValueError:  # ragged lists
        given = np.empty(0, dtype=object)
    if given.dtype.kind not in "fiu":
        raise RotationError(f"The {name} must be real numbers in rows of equal length.")
    single = given.shape == item_shape
    stacked = given.ndim == 1 + len(item_shape) and given.shape[1:] == item_shape
    if not (single or stacked):
        item = str(item_shape) if item_shape else "a number"
        stack = str(("n", *item_shape)).replace("'", "")
        raise RotationError(f"The {name} has shape {given.shape}; give {item} or a stack {stack}.")
    values = np.array(given, dtype=np.float64, order="C").reshape(-1, *item_shape)
    checked = Rows(values, single, name)
    size = np.abs(values).max(axis=tuple(range(1, values.ndim)), initial=0.0)
    remedy = f"Every number must be finite and at most {LARGEST:g} in size"
    refuse(checked, np.logical_not(size <= LARGEST), "is not finite or too large", remedy)
    return checked


def refuse(given: Rows, bad: NDArray[np.bool_], complaint: str, remedy: str) -> None:
    """Raise a RotationError about the first bad row, if there is one."""
    if not bad.any():
        return
    r = int(np.argmax(bad))
    where = "" if given.single else f" in row {r}"
    shown = np.array2string(given.values[r], precision=6).replace("\n", "")
    raise RotationError(f"The {given.name}{where} {complaint}: {shown}. {remedy}.")


def nonzero(name: str, value: ArrayLike, n_numbers: int) -> Rows:
    """Vectors or quaternions of any length but zero."""
    given = rows(name, value, n_numbers)
    size = np.abs(given.values).max(axis=1, initial=0.0)
    refuse(given, np.less(size, 1.0 / LARGEST), "is zero", "Give one with a direction")
    return given


def directions(name: str, value: ArrayLike) -> Rows:
    """Axes of any length but zero, returned as unit vectors."""
    given = nonzero(name, value, 3)
    return given._replace(values=_unit(given.values))


def unit_quaternions(name: str, value: ArrayLike) -> Rows:
    """Quaternions of length 1 within TOLERANCE, returned with length 1 to rounding."""
    given = nonzero(name, value, 4)
    off = np.abs(np.linalg.norm(given.values, axis=1) - 1.0)
    refuse(
        given,
        off > TOLERANCE,
        "does not have length 1",
        "If only its direction matters, pass it through quaternion.normalise first",
    )
    worn = (off > _MENDED_ABOVE)[:, None]
    return given._replace(values=np.where(worn, _unit(given.values), given.values))


def rotation_matrices(name: str, value: ArrayLike) -> Rows:
    """Matrices with R^T R = 1 within TOLERANCE and det R > 0, returned as the nearest rotations."""
    given = rows(name, value, 3, 3)
    R = given.values
    off = orthogonality_error(R)
    refuse(
        given,
        off > TOLERANCE,
        "is not orthogonal (its columns must be perpendicular unit vectors)",
        "If it is a worn rotation, pass it through matrix.nearest_rotation first",
    )
    refuse(
        given,
        np.linalg.det(R) < 0.0,
        "is a reflection, its determinant is -1",
        "Reverse one of its columns so that they form a right-handed frame",
    )
    worn = off > _MENDED_ABOVE
    if worn.any():
        R[worn] = polar_factor(R[worn])
    return given


def orthogonality_error(R: Array) -> Array:
    """The largest entry of |R^T R - 1|, per matrix of a stack (n, 3, 3)."""
    return np.abs(np.swapaxes(R, 1, 2) @ R - np.eye(3)).max(axis=(1, 2), initial=0.0)


def polar_factor(M: Array) -> Array:
    """The rotations nearest to matrices with positive determinant, M = U S V^T -> U V^T."""
    U, _, Vt = np.linalg.svd(M)
    return np.ascontiguousarray(U @ Vt)


def over_rows(
    loop: Callable[..., Any],
    item_shape: tuple[int, ...],
    *inputs: Rows,
    settings: tuple[Any, ...] = (),
) -> Any:
    """Run a compiled loop over the rows of the inputs; single inputs are used for every row."""
    lengths = {len(given.values) for given in inputs if not given.single}
    if len(lengths) > 1:
        sizes = ", ".join(f"{g.name}: {len(g.values)}" for g in inputs if not g.single)
        raise RotationError(f"The stacks differ in length ({sizes}). Give equally many rows.")
    n = lengths.pop() if lengths else 1
    columns = [np.repeat(g.values, n, axis=0) if g.single else g.values for g in inputs]
    out = np.empty((n, *item_shape))
    loop(*settings, *columns, out)
    return out[0] if all(given.single for given in inputs) else out


def in_body_axes(axes: str) -> bool:
    """Whether the word for a set of axes is "body" rather than "fixed"."""
    if axes not in ("body", "fixed"):
        raise RotationError(f"Unknown axes {axes!r}. Choose 'body' or 'fixed'.")
    return axes == "body"


def _unit(values: Array) -> Array:
    """The rows divided by their length."""
    return values / np.linalg.norm(values, axis=1, keepdims=True)
