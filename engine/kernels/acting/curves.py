"""The distance of a point from a curve in the plane: chains of straight lines, and smooth curves.

The material lies to the left of the way along the curve, so n = (t_y, -t_x) points out of it, with t the
direction of the way. Both ends of an open one go on straight.

A smooth curve is a chain of cubics, c(u) with u from node to node,

    c(k + x) = (1 - x)^2 (1 + 2x) a + x^2 (3 - 2x) b + x (1 - x)^2 a' - x^2 (1 - x) b'

and the foot of p on it is where f(u) = (c - p).c' = 0, by Newton with f' = c'.c' + (c - p).c'' from the
nearest point of the straight lines between nodes. The signed distance is s = (p - c).n, of which n is the
gradient.
"""

import math

from engine.kernels import kernel

ROUNDS = 20  # of Newton; a few are needed
CLOSE = 1e-14  # of a step between nodes: where Newton ends
FARTHEST = 0.5  # of a step between nodes: the longest correction


@kernel
def from_chain(points, n_points, p):
    """Signed distance and normal of an open chain of straight lines.

    At a corner the sign is that of the mean of the normals of both lines.
    """
    nearest = math.inf
    qx, qy, nx, ny = 0.0, 0.0, 0.0, 1.0
    for k in range(n_points - 1):
        ax, ay = points[2 * k], points[2 * k + 1]
        ex, ey = points[2 * k + 2] - ax, points[2 * k + 3] - ay
        square = ex * ex + ey * ey
        share = ((p[0] - ax) * ex + (p[1] - ay) * ey) / square
        if k > 0:
            share = max(share, 0.0)
        if k < n_points - 2:
            share = min(share, 1.0)
        fx, fy = ax + share * ex, ay + share * ey
        away = (p[0] - fx) * (p[0] - fx) + (p[1] - fy) * (p[1] - fy)
        inv = 1.0 / math.sqrt(square)
        if away < nearest:
            nearest, qx, qy, nx, ny = away, fx, fy, ey * inv, -ex * inv
        elif away == nearest:  # the corner is nearest: its other line
            nx, ny = nx + ey * inv, ny - ex * inv
    dx, dy = p[0] - qx, p[1] - qy
    length = math.sqrt(nearest)
    sign = 1.0 if dx * nx + dy * ny >= 0.0 else -1.0
    if length > 1e-14:
        return sign * length, (sign * dx / length, sign * dy / length, 0.0)
    size = math.sqrt(nx * nx + ny * ny)
    return 0.0, (nx / size, ny / size, 0.0)


@kernel
def place_on(nodes, n_nodes, is_closed, u):
    """c, c' and c'' at u; beyond the ends of an open curve along its last direction."""
    last = n_nodes if is_closed else n_nodes - 1
    straight = not is_closed and (u < 0.0 or u > last)
    if is_closed:
        u -= last * math.floor(u / last)
    k = min(max(math.floor(u), 0), last - 1)
    after = k + 1 if k + 1 < n_nodes else 0
    ax, ay, bx, by = nodes[4 * k], nodes[4 * k + 1], nodes[4 * after], nodes[4 * after + 1]
    dax, day, dbx, dby = (
        nodes[4 * k + 2],
        nodes[4 * k + 3],
        nodes[4 * after + 2],
        nodes[4 * after + 3],
    )
    if straight:
        if u < 0.0:
            return ax + u * dax, ay + u * day, dax, day, 0.0, 0.0
        x = u - last
        return bx + x * dbx, by + x * dby, dbx, dby, 0.0, 0.0
    x = u - k
    h0, h1 = (1.0 - x) * (1.0 - x) * (1.0 + 2.0 * x), x * x * (3.0 - 2.0 * x)
    g0, g1 = x * (1.0 - x) * (1.0 - x), -x * x * (1.0 - x)
    dh = 6.0 * x * (x - 1.0)
    dg0, dg1 = (1.0 - x) * (1.0 - 3.0 * x), x * (3.0 * x - 2.0)
    ddh = 12.0 * x - 6.0
    ddg0, ddg1 = 6.0 * x - 4.0, 6.0 * x - 2.0
    return (
        h0 * ax + h1 * bx + g0 * dax + g1 * dbx,
        h0 * ay + h1 * by + g0 * day + g1 * dby,
        dh * (ax - bx) + dg0 * dax + dg1 * dbx,
        dh * (ay - by) + dg0 * day + dg1 * dby,
        ddh * (ax - bx) + ddg0 * dax + ddg1 * dbx,
        ddh * (ay - by) + ddg0 * day + ddg1 * dby,
    )


@kernel
def foot_of(nodes, n_nodes, is_closed, p):
    """u of the point of a smooth curve that is nearest to p."""
    nearest, u = math.inf, 0.0
    last = n_nodes if is_closed else n_nodes - 1
    for k in range(last):
        after = k + 1 if k + 1 < n_nodes else 0
        ax, ay = nodes[4 * k], nodes[4 * k + 1]
        ex, ey = nodes[4 * after] - ax, nodes[4 * after + 1] - ay
        share = ((p[0] - ax) * ex + (p[1] - ay) * ey) / (ex * ex + ey * ey)
        low = -math.inf if k == 0 and not is_closed else 0.0
        high = math.inf if k == last - 1 and not is_closed else 1.0
        share = min(max(share, low), high)
        dx, dy = p[0] - ax - share * ex, p[1] - ay - share * ey
        away = dx * dx + dy * dy
        if away < nearest:
            nearest, u = away, k + share
    for _ in range(ROUNDS):
        x, y, dx, dy, ddx, ddy = place_on(nodes, n_nodes, is_closed, u)
        square = dx * dx + dy * dy
        slope = square + (x - p[0]) * ddx + (y - p[1]) * ddy
        if slope < 0.1 * square:  # beyond the centre of curvature
            slope = square
        step = ((x - p[0]) * dx + (y - p[1]) * dy) / slope
        u -= min(max(step, -FARTHEST), FARTHEST)
        if abs(step) < CLOSE * max(1.0, abs(u)):
            break
    return u


@kernel
def from_curve(nodes, n_nodes, is_closed, p):
    """Signed distance and normal of a smooth curve; four numbers for each node: c and c'."""
    u = foot_of(nodes, n_nodes, is_closed, p)
    x, y, dx, dy, _, _ = place_on(nodes, n_nodes, is_closed, u)
    inv = 1.0 / math.sqrt(dx * dx + dy * dy)
    nx, ny = dy * inv, -dx * inv
    return (p[0] - x) * nx + (p[1] - y) * ny, (nx, ny, 0.0)
