"""How two convex polygons overlap in the plane: by the area that they share.

The boundary of the shared area A consists of the pieces of each outline that lie within the other one.
Over all of them, from a to b,

    A = 1/2 sum a x b         c = sum (a + b) (a x b) / (6 A)           centroid: the point of contact

and over those of polygon j alone  L = sum (b - a).  Moving j by d changes A by  d.(L_y, -L_x),  so with

    n = -(L_y, -L_x)/|L|           depth = A/|L|

a flat face presses as deep as it is pressed in, and a corner half as deep as its tip. Depth and point
change smoothly where faces lie on each other, and there are no corners that take turns.

Where nothing is shared the depth is minus the largest gap along the normal of an edge.
"""

import math

from engine.kernels import kernel

FLAT = 1e-30  # [m^2] areas below this are none


@kernel
def corner(points, at, k, moved, d, R):
    """Corner k of a polygon along the axes of i; `moved`: it is one of j."""
    x, y = points[2 * (at + k)], points[2 * (at + k) + 1]
    if not moved:
        return x, y
    return d[0] + R[0][0] * x + R[0][1] * y, d[1] + R[1][0] * x + R[1][1] * y


@kernel
def piece(points, at, n, moved, ax, ay, bx, by, strict, d, R):
    """The part of the line from a to b that lies within a polygon, as shares from and to.

    An edge that both have in common is one of the first alone: `strict` leaves it out.
    """
    low, high = 0.0, 1.0
    px, py = corner(points, at, n - 1, moved, d, R)
    for k in range(n):
        qx, qy = corner(points, at, k, moved, d, R)
        ex, ey = qx - px, qy - py
        # the inside is to the left: e x (x - p) >= 0
        begin = ex * (ay - py) - ey * (ax - px)
        change = ex * (by - ay) - ey * (bx - ax)
        if change == 0.0:
            if begin < 0.0 or (strict and begin == 0.0):
                return 0.0, 0.0
        elif change > 0.0:
            low = max(low, -begin / change)
        else:
            high = min(high, -begin / change)
        px, py = qx, qy
    return low, high


@kernel
def sums(points, at, n, moved, other_at, n_other, ox, oy, d, R):
    """Twice the area, six times its moments and the way, over the pieces of one outline."""
    twice, mx, my, lx, ly = 0.0, 0.0, 0.0, 0.0, 0.0
    ax, ay = corner(points, at, n - 1, moved, d, R)
    for k in range(n):
        bx, by = corner(points, at, k, moved, d, R)
        low, high = piece(points, other_at, n_other, not moved, ax, ay, bx, by, moved, d, R)
        if low < high:
            sx, sy = ax + low * (bx - ax) - ox, ay + low * (by - ay) - oy
            tx, ty = ax + high * (bx - ax) - ox, ay + high * (by - ay) - oy
            across = sx * ty - sy * tx
            twice += across
            mx += (sx + tx) * across
            my += (sy + ty) * across
            lx += tx - sx
            ly += ty - sy
        ax, ay = bx, by
    return twice, mx, my, lx, ly


@kernel
def gap(points, at, n, moved, other_at, n_other, d, R):
    """The largest gap that the normal of an edge of one polygon sees to the other one; and that normal."""
    most, nx, ny = -math.inf, 0.0, 1.0
    ax, ay = corner(points, at, n - 1, moved, d, R)
    for k in range(n):
        bx, by = corner(points, at, k, moved, d, R)
        inv = 1.0 / math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
        ux, uy = (by - ay) * inv, (ax - bx) * inv
        least = math.inf
        for m in range(n_other):
            x, y = corner(points, other_at, m, not moved, d, R)
            least = min(least, ux * (x - ax) + uy * (y - ay))
        if least > most:
            most, nx, ny = least, ux, uy
        ax, ay = bx, by
    return most, nx, ny


@kernel
def meet(points, n_i, n_j, d, R):
    """Depth, normal from i to j, and point of contact of two convex polygons, both anticlockwise."""
    gap_i, nx, ny = gap(points, 0, n_i, False, n_i, n_j, d, R)
    gap_j, mx, my = gap(points, n_i, n_j, True, 0, n_i, d, R)
    if gap_j > gap_i:
        nx, ny = -mx, -my
    most = max(gap_i, gap_j)
    ox, oy = corner(points, n_i, 0, True, d, R)  # moments about a point nearby keep their digits
    if most < 0.0:
        twice, ax, ay, _, _ = sums(points, 0, n_i, False, n_i, n_j, ox, oy, d, R)
        more, bx, by, lx, ly = sums(points, n_i, n_j, True, 0, n_i, ox, oy, d, R)
        twice += more
        length = math.sqrt(lx * lx + ly * ly)
        if twice > FLAT and length * length > 1e-12 * twice:
            third = 1.0 / (3.0 * twice)
            c = (ox + (ax + bx) * third, oy + (ay + by) * third, 0.0)
            return 0.5 * twice / length, (-ly / length, lx / length, 0.0), c
    return -most, (nx, ny, 0.0), (ox, oy, 0.0)
