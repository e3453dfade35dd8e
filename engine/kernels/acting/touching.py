"""Where two shapes touch: how deep, along which normal, and at which point.

Marker i carries the first shape and marker j a ball (in the plane a circle) of radius r_j whose centre p is
given along the axes of i; a corner is a ball of radius 0. With the signed distance s of p from the first
shape, negative within it, and the normal n, which points from i to j and is the gradient of s,

    depth = r_j - s                            point p - r_j n

    half space   above x_a = 0           s = p_a                       n = e_a
    hole         of radius r_i           s = r_i - |p|                 n = -p/|p|
    ball         of radius r_i           s = |p| - r_i                 n = p/|p|     point (r_i - depth/2) n
    capsule      about |z| <= l          s = |p - q| - r_i             n = (p - q)/|p - q|, q the nearest
                                                                       point of its axis; point as of a ball
    box, cylinder, outline               s = |p - q|, q the nearest point of the surface; within the solid
                                         s < 0, and n points out of the nearest face
    chain, curve                         see engine.kernels.acting.curves
    area                                 two polygons, see engine.kernels.acting.overlap

The point is one of the ball, so that it rolls by its own radius.

A rim is a circle of radius rho about an axis a of body j, and touches a half space of normal n at one of
three points 120 degrees apart, of which the first is the lowest: along m = -(n - (n.a) a), of unit length,
turned about a by the angle of the point. An upright cylinder stands on three points, a lying one on one of
each rim, and it rolls over its rim without edges.
"""

import math

from engine.kernels import kernel
from engine.kernels.acting import curves, overlap
from engine.kernels.spatial import cross, dot, minus, plus, times

# --- numbers of the shapes of a contact, among those of its law
SHAPE, NUMBER, R_J, OFFSET = 0, 1, 2, 3  # kind and number of the first shape; ball of the second
SIZE = 26  # half sizes of a box; half the length of a cylinder or capsule; cos and sin of a point of a rim
RIM = 29  # the axis of a rim along the axes of j, as long as its radius; zero: a ball
# --- kinds of the first shape
HALF_SPACE, BALL, HOLE, OUTLINE, BOX, CYLINDER, CAPSULE = 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0
CHAIN, CURVE, AREA = 7.0, 8.0, 9.0
NEAREST = 1e-14  # [m] a centre this near to a surface lies on it
STRAIGHT = 1e-12  # below this a rim lies flat on its plane, and all its points are equally low


@kernel
def meet(param, points, n_points, d, R):
    """Depth, normal and point of contact; R: the axes of marker j along those of i, row by row."""
    kind, number, r_j = param[SHAPE], param[NUMBER], param[R_J]
    if kind == AREA:
        return overlap.meet(points, int(number), n_points - int(number), d, R)
    offset = (param[OFFSET], param[OFFSET + 1], param[OFFSET + 2])
    p = plus(d, turned(R, offset))
    if kind == HALF_SPACE:
        a = int(number)
        n = (1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, 1.0 if a == 2 else 0.0)
        axis = (param[RIM], param[RIM + 1], param[RIM + 2])
        if dot(axis, axis) > 0.0:
            p = plus(p, low_on_rim(turned(R, axis), n, param[SIZE], param[SIZE + 1]))
        return r_j - p[a], n, minus(p, times(r_j, n))
    if kind == BALL or kind == CAPSULE:
        l = param[SIZE]
        away = (p[0], p[1], p[2] - min(max(p[2], -l), l)) if kind == CAPSULE else p
        length = math.sqrt(dot(away, away))
        n = times(1.0 / max(length, 1e-300), away)
        depth = number + r_j - length
        return depth, n, minus(p, times(r_j - 0.5 * depth, n))
    s, n = apart(kind, number, (param[SIZE], param[SIZE + 1], param[SIZE + 2]), points, n_points, p)
    return r_j - s, n, minus(p, times(r_j, n))


@kernel
def turned(R, a):
    """R a, with R row by row."""
    return (dot(R[0], a), dot(R[1], a), dot(R[2], a))


@kernel
def low_on_rim(axis, n, c, s):
    """From the middle of a rim to its lowest point over a plane, turned about its axis by (c, s)."""
    rho = math.sqrt(dot(axis, axis))
    a = times(1.0 / rho, axis)
    down = minus(times(dot(n, a), a), n)
    length = math.sqrt(dot(down, down))
    if length < STRAIGHT:  # any direction across the axis
        k = 0 if abs(a[0]) < 0.6 else 1
        e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 0.0)
        down = minus(e, times(dot(e, a), a))
        length = math.sqrt(dot(down, down))
    m = times(1.0 / length, down)
    return times(rho, plus(times(c, m), times(s, cross(a, m))))


@kernel
def apart(kind, number, size, points, n_points, p):
    """The signed distance of p from a surface, and its normal."""
    if kind == HOLE:
        length = math.sqrt(dot(p, p))
        return number - length, times(-1.0 / max(length, 1e-300), p)
    if kind == BOX:
        return from_box(size, p)
    if kind == CYLINDER:
        return from_cylinder(number, size[0], p)
    if kind == CHAIN:
        return curves.from_chain(points, n_points, p)
    if kind == CURVE:
        return curves.from_curve(points, n_points // 2, number == 1.0, p)
    return from_outline(points, n_points, p)


@kernel
def from_box(size, p):
    """Of half sizes; within it from the nearest face."""
    over = (abs(p[0]) - size[0], abs(p[1]) - size[1], abs(p[2]) - size[2])
    away = (
        math.copysign(max(over[0], 0.0), p[0]),
        math.copysign(max(over[1], 0.0), p[1]),
        math.copysign(max(over[2], 0.0), p[2]),
    )
    length = math.sqrt(dot(away, away))
    if length > NEAREST:
        return length, times(1.0 / length, away)
    if over[0] >= over[1] and over[0] >= over[2]:
        return over[0], (math.copysign(1.0, p[0]), 0.0, 0.0)
    if over[1] >= over[2]:
        return over[1], (0.0, math.copysign(1.0, p[1]), 0.0)
    return over[2], (0.0, 0.0, math.copysign(1.0, p[2]))


@kernel
def from_cylinder(radius, half, p):
    """Along z; within it from the mantle or from an end, whichever is nearer."""
    rho = math.sqrt(p[0] * p[0] + p[1] * p[1])
    x, y = (p[0] / rho, p[1] / rho) if rho > 0.0 else (1.0, 0.0)
    aside, beyond = rho - radius, abs(p[2]) - half
    up = math.copysign(1.0, p[2])
    if aside > 0.0 and beyond > 0.0:
        s = math.sqrt(aside * aside + beyond * beyond)
        if s > NEAREST:
            return s, (x * aside / s, y * aside / s, up * beyond / s)
    if aside > beyond:
        return aside, (x, y, 0.0)
    return beyond, (0.0, 0.0, up)


@kernel
def from_outline(corners, n_corners, p):
    """From straight edges that go round anticlockwise, in the plane."""
    nearest = math.inf
    inside = False
    qx, qy, nx, ny = 0.0, 0.0, 0.0, 1.0
    for k in range(n_corners):
        ax, ay = corners[2 * k], corners[2 * k + 1]
        after = k + 1 if k + 1 < n_corners else 0
        ex, ey = corners[2 * after] - ax, corners[2 * after + 1] - ay
        px, py = p[0] - ax, p[1] - ay
        square = ex * ex + ey * ey
        share = min(max((px * ex + py * ey) / square, 0.0), 1.0)
        dx, dy = px - share * ex, py - share * ey
        away = dx * dx + dy * dy
        if away < nearest:
            nearest = away
            qx, qy = ax + share * ex, ay + share * ey
            inv = 1.0 / math.sqrt(square)
            nx, ny = ey * inv, -ex * inv
        if (ay > p[1]) != (ay + ey > p[1]) and p[0] < ax + ex * (p[1] - ay) / ey:
            inside = not inside
    length = math.sqrt(nearest)
    if length > NEAREST:
        sign = -1.0 if inside else 1.0
        nx, ny = sign * (p[0] - qx) / length, sign * (p[1] - qy) / length
        length *= sign
    return length, (nx, ny, 0.0)
