"""Every kind of coordinate between two markers, written once, as g; of velocity rows, as their velocity."""

import sympy as sp

from engine.errors import EngineError
from engine.kernels import layout
from engine.model.connections import Coordinate
from engine.symbols.frames import Marker
from engine.symbols.motion import (
    Moving,
    Vector,
    cross,
    direction,
    dot,
    length,
    plus,
    scaled,
    stretched,
)
from engine.symbols.traced import expression_of


def coordinate(c: Coordinate, i: Marker, j: Marker) -> tuple[Moving, ...]:
    """g of a coordinate, with its rate; the x, y, z of a difference of points.

    A velocity row has its velocity as `dot` and what that changes by as `ww`.
    """
    e = plus(plus(j.body.r, j.arm), i.body.r, -1)
    d = plus(e, i.arm, -1)
    a, a2, b = (
        marker.axis(n) if n >= 0 else None for marker, n in zip((i, i, j), c.axes, strict=True)
    )
    if c.kind == layout.POINT:
        return tuple(d[: i.body.dim])
    if c.kind == layout.DISTANCE:
        return (length(d),)
    if c.kind == layout.ANGLE and i.body.dim == 2:
        return (_planar_angle(i, j),)
    if c.kind == layout.ANGLE:
        assert a and a2 and b
        return (direction(dot(a2, b), dot(a, b)),)
    if c.kind == layout.ALONG:
        assert a
        return (dot(a, d),)
    if c.kind == layout.DOT:
        assert a and b
        return (dot(a, b),)
    if c.kind == layout.DIRECTION:
        return (_direction(i, a, a2, d),)
    if c.kind == layout.KNIFE:
        assert b
        return (_as_rate(dot(b, _seen(i, j, e))),)
    if c.kind in (layout.DISC_HEIGHT, layout.DISC_SLIP):
        return (_disc(c, i, j, e, d),)
    raise EngineError(
        "What ties '{i}' and '{j}' has no formula in symbols. Simulate the model: its numbers are there.",
        c.marker_i,
        c.marker_j,
        i=c.marker_i,
        j=c.marker_j,
    )


def _planar_angle(i: Marker, j: Marker) -> Moving:
    """phi_j - phi_i with the angles of the markers."""
    turns = [(m.body.q[2], m.body.v[2]) if m.body.q else (sp.S.Zero, sp.S.Zero) for m in (i, j)]
    return Moving(turns[1][0] + j.angle - turns[0][0] - i.angle, turns[1][1] - turns[0][1])


def _direction(i: Marker, a: Vector | None, a2: Vector | None, d: Vector) -> Moving:
    """The direction of d as an angle from x_i."""
    if i.body.dim == 3:
        assert a and a2
        return direction(dot(a2, d), dot(a, d))
    seen = direction(d.y, d.x)
    phi, w = (i.body.q[2], i.body.v[2]) if i.body.q else (sp.S.Zero, sp.S.Zero)
    return seen.plus(Moving(phi + i.angle, w), -1)


def _as_rate(u: Moving) -> Moving:
    """A velocity as the rate of a coordinate that nobody knows."""
    return Moving(sp.S.Zero, u.x, u.dot)


def _seen(i: Marker, j: Marker, e: Vector) -> Vector:
    """The velocity of P_j seen from body i:  u_j + w_j x s_j - u_i - w_i x e."""
    of_j = plus(j.body.velocity, cross(j.body.spin, j.arm))
    return plus(of_j, plus(i.body.velocity, cross(i.body.spin, e)), -1)


def _disc(c: Coordinate, i: Marker, j: Marker, e: Vector, d: Vector) -> Moving:
    """A leaning disc on the plane of marker i: its height over the ground, or how fast it slips.

    p = z_i . z_j is the cosine of the lean; the contact lies at -rho (z_i - p z_j) / sqrt(1 - p^2).
    """
    rho = expression_of(c.radius)
    z_i, z_j = i.axis(2), j.axis(c.axes[2])
    p = dot(z_i, z_j)
    sine = Moving(sp.S.One).plus(p.times(p), -1).root()
    if c.kind == layout.DISC_HEIGHT:
        return dot(z_i, d).plus(sine, -rho)
    arm = scaled(plus(z_i, stretched(z_j, p), -1), -rho)
    contact = Vector(*(component.over(sine) for component in arm))
    turn = cross(plus(j.body.spin, i.body.spin, -1), contact)
    return _as_rate(dot(i.axis(c.axes[0]), plus(_seen(i, j, e), turn)))
