"""Followers in space: the frames of markers on bodies that bend and twist.

A marker at P is moved by Phi q and turned by theta = Psi q, in axes of its body. With R of the body and
E = exp(theta~)

    p = P + Phi q - (q.G q)/2,     J_P = Phi - G q,     R_m = R E
    w_m = E^T (w + T theta_dot)    in axes of the marker, as bodies have theirs

    L = [ 1  -R p~  R J_P     ]    bias = R (w x (w x p) + 2 w x J_P q_dot - q_dot.G q_dot)
        [ 0   E^T   E^T T Psi ]           E^T (w x T theta_dot + T_dot theta_dot)

The exponential keeps unit vectors unit vectors whatever the deflection. With s = theta^2

    E = 1 + c0 theta~ + c1 theta~^2        c0 = sin/theta,  c1 = (1 - cos)/s,  c2 = (theta - sin)/theta^3
    T = 1 + c1 theta~ + c2 theta~^2        d1 = 2 dc1/ds,  d2 = 2 dc2/ds
"""

import math

from engine.kernels import kernel
from engine.kernels.spatial import cross, dot, plus, times, to_world

SMALL = 0.04  # of theta^2, below which series are exact to rounding


@kernel
def coefficients(s):
    """c0, c1, c2, d1 and d2 of the turn whose angle squared is s."""
    if s < SMALL:
        c0 = 1.0 - s / 6.0 * (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0)))
        c1 = 0.5 * (1.0 - s / 12.0 * (1.0 - s / 30.0 * (1.0 - s / 56.0 * (1.0 - s / 90.0))))
        c2 = (1.0 - s / 20.0 * (1.0 - s / 42.0 * (1.0 - s / 72.0 * (1.0 - s / 110.0)))) / 6.0
        d1 = -1.0 / 12.0 + s / 180.0 - s * s / 6720.0 + s * s * s / 453600.0
        d2 = -1.0 / 60.0 + s / 1260.0 - s * s / 60480.0 + s * s * s / 4989600.0
        return c0, c1, c2, d1, d2
    x = math.sqrt(s)
    c0 = math.sin(x) / x
    c1, c2 = (1.0 - math.cos(x)) / s, (1.0 - c0) / s
    return c0, c1, c2, (c0 - 2.0 * c1) / s, (c1 - 3.0 * c2) / s


@kernel
def turned_by(theta, a, b, x):
    """x + a theta x x + b theta x (theta x x)."""
    once = cross(theta, x)
    return plus(x, plus(times(a, once), times(b, cross(theta, once))))


@kernel
def unit(k):
    """The unit vector along axis k."""
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)


@kernel
def by_modes(shapes, at, n, a):
    """Column a of a matrix (3, n) that starts at `at` in shapes."""
    return (shapes[at + a], shapes[at + n + a], shapes[at + 2 * n + a])


@kernel
def turn_by_modes(shapes, Psi, n, x, at):
    """Psi x[at:] of a marker whose Psi starts at `Psi` in shapes."""
    total = (0.0, 0.0, 0.0)
    for a in range(n):
        total = plus(total, times(x[at + a], by_modes(shapes, Psi, n, a)))
    return total


@kernel
def place_in_space(bodies, flexibles, followers, shapes, q, v, frames, elastic):
    """Place all followers, and fill L and bias; bodies must be placed; changes frames and elastic."""
    for m in range(followers.size):
        one = followers[m]
        n, n_v = flexibles[one.flexible].n_f, flexibles[one.flexible].n_v
        modes, rates = bodies[one.body].q_at + 7, bodies[one.body].v_at + 6
        b, L = frames[one.body], one.now
        Psi, G = one.at + 3 * n, one.at + 6 * n
        p = (one.P[0], one.P[1], one.P[2])
        slide, bent = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        theta = turn_by_modes(shapes, Psi, n, q, modes)
        theta_dot = turn_by_modes(shapes, Psi, n, v, rates)
        c0, c1, c2, d1, d2 = coefficients(dot(theta, theta))
        for a in range(n):
            whole = by_modes(shapes, one.at, n, a)
            J, change = whole, (0.0, 0.0, 0.0)
            for c in range(n):
                g = by_modes(shapes, G + a * n, n * n, c)
                J = plus(J, times(-q[modes + c], g))
                change = plus(change, times(v[rates + c], g))
            p = plus(p, times(0.5 * q[modes + a], plus(whole, J)))  # Phi q - (q.G q)/2
            slide = plus(slide, times(v[rates + a], J))
            bent = plus(bent, times(v[rates + a], change))
            moved = to_world(b.R, J)
            turned = turned_by(theta, -c1, c2, by_modes(shapes, Psi, n, a))
            for r in range(3):
                elastic[L + r * n_v + 6 + a] = moved[r]
                elastic[L + (3 + r) * n_v + 6 + a] = turned[r]
        at = bodies[one.body].v_at + 3
        w = (v[at], v[at + 1], v[at + 2])
        frame = frames[one.carrier]
        for k in range(3):
            swept = to_world(b.R, cross(unit(k), p))
            back = turned_by(theta, -c0, c1, unit(k))
            axis = to_world(b.R, turned_by(theta, c0, c1, unit(k)))
            for r in range(3):
                elastic[L + r * n_v + k] = 1.0 if r == k else 0.0
                elastic[L + r * n_v + 3 + k] = swept[r]
                elastic[L + (3 + r) * n_v + k] = 0.0
                elastic[L + (3 + r) * n_v + 3 + k] = back[r]
                frame.R[r, k] = axis[r]
        # of first order in time
        spin = turned_by(theta, c1, c2, theta_dot)
        arm, moving = to_world(b.R, p), to_world(b.R, plus(cross(w, p), slide))
        turning = to_world(b.R, plus(w, spin))
        # and of second
        push = plus(cross(w, plus(cross(w, p), times(2.0, slide))), times(-1.0, bent))
        push = to_world(b.R, push)
        rate, side = dot(theta, theta_dot), cross(theta, theta_dot)
        more = plus(times(d1 * rate, side), times(d2 * rate, cross(theta, side)))
        more = plus(cross(w, spin), plus(more, times(c2, cross(theta_dot, side))))
        more = turned_by(theta, -c0, c1, more)
        bias = L + 6 * n_v
        for r in range(3):
            elastic[bias + r] = push[r]
            elastic[bias + 3 + r] = more[r]
            frame.r[r] = b.r[r] + arm[r]
            frame.u[r] = b.u[r] + moving[r]
            frame.w[r] = turning[r]
