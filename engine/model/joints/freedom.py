"""Which translations and rotations a joint leaves free, derived from its rows alone.

The motion of marker j as seen from marker i is six numbers in the axes of i:

    (u, w)    u: velocity of P_j,  w: angular velocity of j        in the plane u_x, u_y and w_z alone

Where the axes of both markers coincide, each row of a joint has a gradient over them:

    POINT        P_j - P_i                 u_x, u_y, u_z: one row each
    ALONG a      a_i . (P_j - P_i)         u_a
    ANGLE        about n = a x a2          w_n
    DOT a, b     a_i . b_j                 w . (b x a)
    DISTANCE     |P_j - P_i|               u_x, for a point j that lies along x_i
    DIRECTION    of P_j - P_i              u_y, for a point j that lies at 1 along x_i
    KNIFE b      velocity along b_j        u_b
    DISC_HEIGHT  an upright disc whose     u_z
    DISC_SLIP a  axle lies along y_i       u_a + radius (z x w)_a

Motions in the null space of all rows are free.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from engine.kernels import layout
from engine.model.connections import Coordinate, Row, X, Y, Z
from engine.model.elements import Element, class_of, planar, spatial
from engine.model.joints import JOINTS, Joint

AXES = (X, Y, Z)
STRAIGHT = {layout.POINT, layout.ALONG, layout.ANGLE, layout.DOT}
ROUNDING = 1e-9  # of gradients that are ones and radii


class Freedom(NamedTuple):
    """The free motions of marker j as seen from marker i, and what follows from them."""

    dim: int
    motions: tuple[tuple[float, ...], ...]  # an orthonormal basis of all free (u, w)
    is_straight: bool  # no row is curved or rolls: sliding is along fixed axes of marker i
    spans: bool  # it keeps a distance, so that its two points lie apart
    is_apart: bool  # its points need not meet: they keep a distance or a height

    @property
    def slides(self) -> tuple[int, ...]:
        """Axes of marker i along which a free motion has a component."""
        return tuple(axis for axis in AXES if self._moves(axis))

    @property
    def turns(self) -> tuple[int, ...]:
        """Axes of marker i about which a free motion has a component."""
        return tuple(axis for axis in AXES if self._moves(3 + axis))

    @property
    def holds_point(self) -> bool:
        """Whether both origins stay together."""
        return not self.slides

    @property
    def is_rigid(self) -> bool:
        """Whether nothing is free: two bodies become one."""
        return not self.motions

    @property
    def is_pin(self) -> bool:
        """Whether both origins stay together and turn about z alone."""
        return self.holds_point and self.turns == (Z,)

    @property
    def guides(self) -> bool:
        """Whether a point is guided along fixed axes: free along some of them and held along others."""
        return self.is_straight and 0 < len(self.slides) < self.dim

    @property
    def rail(self) -> int | None:
        """The one axis of marker i along which a point is guided, if there is exactly one."""
        return self.slides[0] if self.guides and len(self.slides) == 1 else None

    @property
    def is_slider(self) -> bool:
        """Whether it slides along one axis and never turns."""
        return self.rail is not None and not self.turns

    @property
    def aligned(self) -> tuple[int, ...]:
        """Axes of both markers that stay parallel: all rotation is about them."""
        return tuple(axis for axis in AXES if set(self.turns) <= {axis})

    @property
    def is_pure(self) -> bool:
        """Whether its free motions are along or about single axes: none couples sliding and rotation."""
        return len(self.motions) == len(self.slides) + len(self.turns)

    def contains(self, other: "Freedom") -> bool:
        """Whether every motion that the other one leaves free is free here too."""
        own = np.array(self.motions).reshape(-1, 6)
        theirs = np.array(other.motions).reshape(-1, 6)
        return bool(np.abs(theirs - theirs @ own.T @ own).max(initial=0.0) < ROUNDING)

    def _moves(self, component: int) -> bool:
        return any(abs(motion[component]) > ROUNDING for motion in self.motions)


def freedom(joint: Element | type[Element], dim: int) -> Freedom:
    """The relative motions of two markers that an element leaves free; all, if it is not a joint of two."""
    return _freedom(class_of(joint), dim)


def looser(joint: Element | type[Element], dim: int) -> tuple[type[Joint], ...]:
    """Joints of the catalogue that leave free all motions of this one, and more.

    Those that hold the point as this one does come first, then those that add the least freedom.
    """
    here = freedom(joint, dim)
    found: list[type[Joint]] = []
    for kind in JOINTS:
        if issubclass(kind, Joint) and dim in kind.dims:
            there = freedom(kind, dim)
            proper = there.is_straight and there.is_pure and len(there.motions) > len(here.motions)
            if proper and there.contains(here):
                found.append(kind)

    def change(kind: type[Joint]) -> tuple[bool, int]:
        there = freedom(kind, dim)
        return there.holds_point != here.holds_point, len(there.motions)

    return tuple(sorted(found, key=change))


@cache
def _freedom(kind: type[Element], dim: int) -> Freedom:
    rows = _rows(kind, dim) if issubclass(kind, Joint) and dim in kind.dims else ()
    gradients = [gradient for row in rows for gradient in _gradients(row)]
    gradients += list(np.eye(6)[[2, 3, 4]]) if dim == 2 else []
    _, sizes, basis = np.linalg.svd(np.array(gradients).reshape(-1, 6))
    free = basis[int((sizes > ROUNDING).sum()) :]
    used = {c.kind for row in rows for _, c in row.terms}
    spans = layout.DISTANCE in used
    raised = any(c.kind == layout.ALONG and row.target for row in rows for _, c in row.terms)
    return Freedom(
        dim,
        motions=tuple(tuple(motion) for motion in free.tolist()),
        is_straight=used <= STRAIGHT,
        spans=spans,
        is_apart=spans or raised or layout.DISC_HEIGHT in used,
    )


def _rows(kind: type[Joint], dim: int) -> tuple[Row, ...]:
    """The rows of a joint with its default fields, in an otherwise empty model."""
    one = kind(id="joint", marker_i="i", marker_j="j")
    return one.rows(planar() if dim == 2 else spatial())


def _gradients(row: Row) -> Iterator[np.ndarray]:
    """The gradients of one row over (u, w): one, or three of a point."""
    if row.terms[0][1].kind == layout.POINT:
        yield from np.eye(6)[:3]
    else:
        yield sum((weight * _gradient(c) for weight, c in row.terms), start=np.zeros(6))


def _gradient(c: Coordinate) -> np.ndarray:
    """The gradient of one coordinate over (u, w)."""
    (a, a2, b), e, none = c.axes, np.eye(3), np.zeros(3)
    if c.kind == layout.ALONG:
        return np.concatenate([e[a], none])
    if c.kind == layout.ANGLE:
        return np.concatenate([none, np.cross(e[a], e[a2])])
    if c.kind == layout.DOT:
        return np.concatenate([none, np.cross(e[b], e[a])])
    if c.kind == layout.DISTANCE:
        return np.concatenate([e[X], none])
    if c.kind == layout.DIRECTION:
        return np.concatenate([e[Y], none])
    if c.kind == layout.KNIFE:
        return np.concatenate([e[b], none])
    if c.kind == layout.DISC_HEIGHT:
        return np.concatenate([e[Z], none])
    assert c.kind == layout.DISC_SLIP, "a kind of coordinate without a gradient here"
    return np.concatenate([e[a], c.radius * np.cross(e[a], e[Z])])
