"""Displacements of bodies and changes of their coordinates, as Newton iterations need them.

A quaternion is added to like any other number, and q_dot = q o w / 2. With p = 1 - c w/2, s = c w/2

    dq o p = r_q + c/2 q o dw      2 conj(q) o dq = delta = E (eta + c dw)      E x = (x - s x x)/(1 + s^2)

where c^2 K becomes c^2 K E. For Euler angles E = 1 is used, which costs a factor of order c w.
"""

from engine.kernels import kernel, spatial
from rotations import euler_angles, quaternion


@kernel
def to_displacement(dim, bodies, q, q_dot, c, v, delta):
    """The displacement eta, given like a velocity, of a small change q_dot of the coordinates."""
    if dim == 2:
        for k in range(delta.size):
            delta[k] = q_dot[k]
        return
    for k in range(bodies.size):
        at = bodies[k].q_at
        v_at = bodies[k].v_at
        for n in range(3):
            delta[v_at + n] = q_dot[at + n]
        turn = delta[v_at + 3 : v_at + 6]
        code = bodies[k].orientation
        if code < 0:
            # E eta = 2 (x o conj(p)) / (1 + s^2) without its first number, x = conj(q) o q_dot = (x0, x):
            # eta = 2 x + 2 x0 s
            p = q[at + 3 : at + 7]
            r = q_dot[at + 3 : at + 7]
            w = v[v_at + 3 : v_at + 6]
            longer = p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3]
            turn[0] = 2.0 * (p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2])
            turn[1] = 2.0 * (p[0] * r[2] - p[2] * r[0] - p[3] * r[1] + p[1] * r[3])
            turn[2] = 2.0 * (p[0] * r[3] - p[3] * r[0] - p[1] * r[2] + p[2] * r[1])
            for n in range(3):
                turn[n] += longer * c * w[n]
        else:
            angles = q[at + 3 : at + 6]
            euler_angles.velocity_body_into(code, angles, q_dot[at + 3 : at + 6], turn)
        for n in range(6, bodies[k].n_v):  # modes
            delta[v_at + n] = q_dot[at + 1 + n]


@kernel
def turn_along(dim, bodies, c, v, x):
    """x <- E x for the turns in space."""
    if dim == 3:
        for k in range(bodies.size):
            if bodies[k].orientation < 0:
                at = bodies[k].v_at + 3
                s = (0.5 * c * v[at], 0.5 * c * v[at + 1], 0.5 * c * v[at + 2])
                across = spatial.cross(s, (x[at], x[at + 1], x[at + 2]))
                inv = 1.0 / (1.0 + spatial.dot(s, s))
                for n in range(3):
                    x[at + n] = inv * (x[at + n] - across[n])


@kernel
def turn_columns(dim, bodies, blocks, c, v, K):
    """K <- K E: a row k of it becomes (k + s x k) / (1 + s^2)."""
    if dim == 3:
        for k in range(blocks.size - 1):
            block = blocks[k]
            if block.lu >= 0 and bodies[block.j].orientation < 0:
                at = bodies[block.j].v_at + 3
                s = (0.5 * c * v[at], 0.5 * c * v[at + 1], 0.5 * c * v[at + 2])
                inv = 1.0 / (1.0 + spatial.dot(s, s))
                for r in range(block.n_i):
                    to = block.at + r * block.n_j + 3
                    across = spatial.cross(s, (K[to], K[to + 1], K[to + 2]))
                    for n in range(3):
                        K[to + n] = inv * (K[to + n] + across[n])


@kernel
def add_to_quaternions(dim, bodies, c, v, q, r, dw, out):
    """Write dq = (r + c/2 q o dw) o conj(p) / (1 + s^2) of all quaternions into out."""
    if dim == 3:
        for k in range(bodies.size):
            q_at = bodies[k].q_at
            if bodies[k].orientation < 0:
                at = bodies[k].v_at + 3
                to = out[q_at + 3 : q_at + 7]
                quaternion.rate_body_into(q[q_at + 3 : q_at + 7], dw[at : at + 3], to)
                for n in range(4):
                    to[n] = c * to[n] + r[q_at + 3 + n]
                s = (0.5 * c * v[at], 0.5 * c * v[at + 1], 0.5 * c * v[at + 2])
                a, x, y, z = to[0], to[1], to[2], to[3]
                inv = 1.0 / (1.0 + spatial.dot(s, s))
                turned = spatial.cross((x, y, z), s)
                to[0] = inv * (a - x * s[0] - y * s[1] - z * s[2])
                to[1] = inv * (x + a * s[0] + turned[0])
                to[2] = inv * (y + a * s[1] + turned[1])
                to[3] = inv * (z + a * s[2] + turned[2])
            else:  # the fourth place is not used
                out[q_at + 6] = r[q_at + 6]


@kernel
def displace(dim, bodies, q, x, out):
    """Write q after the displacement x, which may be large, into out.

    A quaternion turns by the exponential of x. Euler angles follow w = x for one second in a step of RK4:
    their error is of fifth order in x.
    """
    for k in range(bodies.size):
        q_at = bodies[k].q_at
        v_at = bodies[k].v_at
        for c in range(3):
            out[q_at + c] = q[q_at + c] + x[v_at + c]
        rigid = 3 if dim == 2 else 6
        shift = q_at + bodies[k].n_q - bodies[k].n_v
        for c in range(rigid, bodies[k].n_v):  # modes
            out[shift + c] = q[shift + c] + x[v_at + c]
        if dim == 2:
            continue
        turn = x[v_at + 3 : v_at + 6]
        code = bodies[k].orientation
        if code < 0:
            quaternion.step_into(q[q_at + 3 : q_at + 7], turn, 1.0, out[q_at + 3 : q_at + 7])
            continue
        now = q[q_at + 3 : q_at + 6]
        at = out[q_at + 3 : q_at + 6]
        sum0, sum1, sum2 = 0.0, 0.0, 0.0
        for stage in range(4):
            part = 0.0 if stage == 0 else 1.0 if stage == 3 else 0.5
            for c in range(3):
                at[c] = now[c] + part * (at[c] if stage > 0 else 0.0)
            euler_angles.rates_body_into(code, at, turn, at)
            weight = 1.0 / 6.0 if stage == 0 or stage == 3 else 1.0 / 3.0
            sum0 += weight * at[0]
            sum1 += weight * at[1]
            sum2 += weight * at[2]
        at[0] = now[0] + sum0
        at[1] = now[1] + sum1
        at[2] = now[2] + sum2


@kernel
def add_correction(dim, bodies, delta, x):
    """Add a displacement of the displaced bodies to x:  x += delta + x x delta / 2 for turns."""
    if dim == 2:
        for k in range(x.size):
            x[k] += delta[k]
        return
    for k in range(bodies.size):
        at = bodies[k].v_at + 3
        turn = (x[at], x[at + 1], x[at + 2])
        more = spatial.cross(turn, (delta[at], delta[at + 1], delta[at + 2]))
        for c in range(3):
            x[at - 3 + c] += delta[at - 3 + c]
            x[at + c] += delta[at + c] + 0.5 * more[c]
        for c in range(3, bodies[k].n_v - 3):  # modes
            x[at + c] += delta[at + c]
