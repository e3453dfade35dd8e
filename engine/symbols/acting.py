"""Force laws in symbols: tensions along coordinates, laws of markers, and what teeth press."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from engine.kernels import layout
from engine.model.connections import Interaction, Law, Meshing
from engine.symbols.frames import Marker
from engine.symbols.motion import skew
from engine.symbols.traced import expression_of

Components = tuple[sp.Expr, sp.Expr, sp.Expr]


class Channels(NamedTuple):
    """What a law along a coordinate may depend on."""

    x: sp.Expr
    rate: sp.Expr
    other: sp.Expr  # of an expression: the coordinate that it reads besides
    other_rate: sp.Expr


def tension(
    law: Law, x0: sp.Expr, seen: Channels, function: Callable[[Any, dict[str, sp.Expr]], sp.Expr]
) -> sp.Expr:
    """N of a law: positive where it pulls its coordinate back."""
    x, rate, other, other_rate = seen
    if law.kind == layout.EXPRESSION:
        channels = (other, other_rate, x, rate) if law.param[0] else (x, rate, other, other_rate)
        return -function(law.functions[0], dict(zip(law.variables[1:], channels)))
    if law.kind == layout.STOP:
        low, high, stiffness, damping, depth = map(expression_of, law.param)
        beyond = ((low - x, -rate), (x - high, rate))
        below, above = (_stop(d, closing, stiffness, damping, depth) for d, closing in beyond)
        return sp.Piecewise((-below, x < low), (above, x > high), (0, True))
    k, c, _, N0, _ = (sp.S.Zero if p is None else expression_of(p) for p in law.param)
    N = N0 + k * (x - x0) + c * rate
    if law.kind == layout.CURVE:
        for curve, variable, value in zip(law.functions, law.variables, (x - x0, rate)):
            N += function(curve, {variable: value}) if curve is not None else 0
    side = float(law.param[4] or 0.0)
    if side == 0.0:
        return N
    slack = sp.Or(x <= x0, N < 0) if side > 0.0 else sp.Or(x >= x0, N > 0)
    return sp.Piecewise((0, slack), (N, True))


def _stop(d: sp.Expr, closing: sp.Expr, k: sp.Expr, c: sp.Expr, depth: sp.Expr) -> sp.Expr:
    """How hard a stop pushes at the depth d: stiffness, and damping that fades in."""
    z = sp.Min(d / depth, 1)
    return sp.Max(k * d + c * closing * z**2 * (3 - 2 * z), 0)


class Wrench(NamedTuple):
    """A force at P_j and a torque on body j, along world axes; body i takes the opposite."""

    force: Components
    torque: Components


def air_drag(one: Interaction, j: Marker, given: Components, u: Components, **_: Any) -> Wrench:
    """F = -1/2 rho A |u - wind| (u - wind)."""
    rho, area = map(expression_of, one.param)
    against = [a - b for a, b in zip(u, given)]
    speed = sp.sqrt(sum(x**2 for x in against))
    drag = -rho * area / 2 * speed
    return Wrench((drag * against[0], drag * against[1], drag * against[2]), (sp.S.Zero,) * 3)


def given(one: Interaction, i: Marker, j: Marker, given: Components, **_: Any) -> Wrench:
    """A force or a torque by components along the axes of marker i, of marker j, or of the world."""
    turns, axes = (float(x or 0.0) for x in one.param[:2])
    if axes == layout.OF_WORLD:
        along = given
    else:
        marker = i if axes == layout.OF_I else j
        along = _composed(marker, given)
    zero = (sp.S.Zero,) * 3
    return Wrench(zero, along) if turns else Wrench(along, zero)


# The laws of engine.kernels.acting.marker_laws that have a closed form, by name. Of all others force and
# torque are symbols of their own, whose numbers come from the engine.
CLOSED_FORMS: dict[str, Callable[..., Wrench]] = {"air_drag": air_drag, "given": given}


def _composed(marker: Marker, components: Components) -> Components:
    """The vector with these components along the axes of a marker, in world axes."""
    axes = [[c.x for c in marker.axis(n)] for n in range(3)]
    x, y, z = (sum(a[k] * g for a, g in zip(axes, components)) for k in range(3))
    return sp.sympify(x), sp.sympify(y), sp.sympify(z)


class Press(NamedTuple):
    """What teeth press on body j, along world axes, and where."""

    force: Components
    point: Components


def radial_force(mesh: Meshing, lam: sp.Expr, i: Marker, j: Marker) -> Press:
    """F_r = |F_t| tan(alpha) along the line of centres, or across a rack, through the pitch point."""
    slope = sp.tan(expression_of(mesh.pressure_angle))
    r_i, r_j = expression_of(mesh.radius_i), expression_of(mesh.radius_j)
    C_i, C_j = ([r.x + s.x for r, s in zip(m.body.r, m.arm)] for m in (i, j))
    z = [c.x for c in i.axis(2)]
    if mesh.way >= 0:
        n = skew(z, [c.x for c in j.axis(mesh.way)])
        size = -int(np.sign(mesh.radius_i)) * sp.Abs(lam) * slope
        return Press(_scaled(n, size), _plus(C_i, n, -r_i))
    d = _plus(C_j, C_i, -1)
    d = _plus(d, z, -sum(a * b for a, b in zip(z, d)))
    square = sum(x**2 for x in d)
    sign = int(np.sign(mesh.radius_i * mesh.radius_j))
    size = sign * sp.Abs(lam) * sp.Abs(r_i + r_j) * slope / square  # |F_t| = |lam (r_i + r_j)| / d
    return Press(_scaled(d, size), _plus(C_j, d, -r_j / (r_i + r_j)))


def _scaled(a: Any, factor: sp.Expr) -> Components:
    return a[0] * factor, a[1] * factor, a[2] * factor


def _plus(a: Any, b: Any, factor: Any) -> Components:
    return a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]
