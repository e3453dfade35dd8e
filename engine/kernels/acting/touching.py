"""Where two shapes touch: how deep, along which normal, and at which point.

Marker i carries the first shape and marker j a ball (in the plane a circle) of radius r_j whose centre p is
given along the axes of i; a corner is a ball of radius 0. The normal n points from i to j:

    half space   above x_a = 0           n = e_a          depth = r_j - p_a            point p - r_j n
    ball         of radius r_i           n = p/|p|        depth = r_i + r_j - |p|      point (r_i - d/2) n
    hole         of radius r_i           n = -p/|p|       depth = |p| + r_j - r_i      point p - r_j n
    outline      of straight edges       from the nearest point q of the edges:
                                         depth = r_j - |p - q|                         point p - r_j n

The point is one of the ball, so that it rolls by its own radius. Within an outline |p - q| counts negative
and n points out of the nearest edge.
"""

import math

from engine.kernels import kernel
from engine.kernels.spatial import dot, minus, plus, times

# --- kinds of the first shape
HALF_SPACE, BALL, HOLE, OUTLINE = 0.0, 1.0, 2.0, 3.0
NEAREST = 1e-14  # [m] a centre this near to a surface lies on it


@kernel
def meet(kind, number, corners, n_corners, r_j, p):
    """Depth, normal and point of contact; number: the axis or the radius of the first shape."""
    if kind == HALF_SPACE:
        a = int(number)
        n = (1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, 1.0 if a == 2 else 0.0)
        return r_j - p[a], n, minus(p, times(r_j, n))
    if kind == BALL or kind == HOLE:
        length = math.sqrt(dot(p, p))
        away = times(1.0 / max(length, 1e-300), p)
        if kind == BALL:
            depth = number + r_j - length
            return depth, away, times(number - 0.5 * depth, away)
        return length + r_j - number, times(-1.0, away), plus(p, times(r_j, away))
    return meet_outline(corners, n_corners, r_j, p)


@kernel
def meet_outline(corners, n_corners, r_j, p):
    """A circle and an outline whose corners go round anticlockwise, in the plane."""
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
    return r_j - length, (nx, ny, 0.0), (p[0] - r_j * nx, p[1] - r_j * ny, 0.0)
