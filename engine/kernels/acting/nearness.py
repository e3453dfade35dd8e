"""Which of many shapes are near each other: the others are not looked at.

A point c of body j, the middle of what touches there, is far from marker i where

    |p| > reach + room       or p lies outside a box that is wider by room       p = A^T (c - P_i)

A list holds what is near with room = skin. While no point of a body has moved by more than half of that
since it was made, nothing else can touch, so forces do not depend on when it was made. A point within the
extent l of a body moves by at most

    |r - r_0| + l |R - R_0|                                                     (Frobenius norm)

States that die out where shapes are apart, the springs of friction, are followed until they have. No step
should be so long that bodies pass each other between two looks at what touches: see `haste`.
"""

import math

from engine.kernels import inlined, kernel
from engine.kernels.layout import FREE, System, Workspace
from engine.kernels.spatial import dot, minus, plus, to_body, to_world, vec

SETTLED = 1e-6  # of the size of a state: it has died out
LOOKS = 8  # at what touches in a step, at least


@kernel
def is_far(one, i, j, room):
    """Whether what is placed is too far apart to touch; bodies must be placed in space."""
    if one.reach == 0.0:
        return False
    c = plus(vec(j.r), to_world(j.R, point_of(one)))
    e = minus(c, plus(vec(i.r), to_world(i.R, vec(one.P_i))))
    reach = one.reach + room
    if dot(e, e) > reach * reach:
        return True
    own = to_body(i.R, e)
    for k in range(3):
        x = one.axes_i[0, k] * own[0] + one.axes_i[1, k] * own[1] + one.axes_i[2, k] * own[2]
        if x < one.box[0, k] - room or x > one.box[1, k] + room:
            return True
    return False


@kernel
def point_of(one):
    """The middle of what touches on body j, from its mass centre, body axes."""
    m = vec(one.middle)
    axes = one.axes_j
    return (
        one.P_j[0] + axes[0, 0] * m[0] + axes[0, 1] * m[1] + axes[0, 2] * m[2],
        one.P_j[1] + axes[1, 0] * m[0] + axes[1, 1] * m[1] + axes[1, 2] * m[2],
        one.P_j[2] + axes[2, 0] * m[0] + axes[2, 1] * m[1] + axes[2, 2] * m[2],
    )


@inlined
def is_idle(system: System, ws: Workspace, which, z, room):
    """Whether an interaction is far, is held on no branch but that, and all that dies out has."""
    one = system.interactions[which]
    if not is_far(one, ws.spatial[one.i], ws.spatial[one.j], room):
        return False
    if ws.touching[which] != FREE and ws.touching[which] != 0.0:
        return False
    for k in range(one.rests, one.n_z):
        if abs(z[one.z_at + k]) > SETTLED * system.states[one.z_at + k].size:
            return False
    return True


@kernel
def moved(n, extents, frames, standing):
    """How far a point of a body may have moved since the list was made, at most."""
    most = 0.0
    for k in range(n):
        frame = frames[k]
        old = standing[k]
        shift = 0.0
        turn = 0.0
        for c in range(3):
            shift += (frame.r[c] - old[0, c]) ** 2
            for d in range(3):
                turn += (frame.R[c, d] - old[1 + c, d]) ** 2
        most = max(most, math.sqrt(shift) + extents[k] * math.sqrt(turn))
    return most


@kernel
def note_standing(n, frames, standing):
    """Remember where bodies are; changes `standing`."""
    for k in range(n):
        frame = frames[k]
        for c in range(3):
            standing[k, 0, c] = frame.r[c]
            for d in range(3):
                standing[k, 1 + c, d] = frame.R[c, d]


@inlined
def count(system: System, ws: Workspace, z):
    """How many interactions are to be looked at; makes the list anew if bodies have moved far enough.

    What is not in it gives nothing: its power and the rates of its states are set to zero once.
    """
    if system.skin.size == 0:
        return system.interactions.size
    n = system.carriers.size
    if (
        ws.listed[0] > 0
        and 2.0 * moved(n, system.extents, ws.spatial, ws.standing) <= system.skin[0]
    ):
        return ws.listed[0] - 1
    found = 0
    for k in range(system.interactions.size):
        ws.near[k] = 1
        if is_idle(system, ws, k, z, system.skin[0]):
            one = system.interactions[k]
            ws.near[k] = 0
            ws.given[k] = 0.0
            for c in range(one.n_z):
                ws.z_dot[one.z_at + c] = 0.0
        else:
            found += 1
            ws.listed[found] = k
    ws.listed[0] = 1 + found
    note_standing(n, ws.spatial, ws.standing)
    return found


@inlined
def number(system: System, ws: Workspace, m):
    """The interaction at place m of the list, or m itself where there is none."""
    return m if system.skin.size == 0 else ws.listed[1 + m]


@inlined
def is_listed(system: System, ws: Workspace, which):
    """Whether an interaction is in the list; all are where there is none."""
    return system.skin.size == 0 or ws.near[which] == 1


@inlined
def haste(system: System, ws: Workspace):
    """One over the longest step between whose looks no body moves by more than half of the skin."""
    if system.skin.size == 0:
        return 0.0
    fastest = 0.0
    for k in range(system.carriers.size):
        frame = ws.spatial[k]
        u, w = vec(frame.u), vec(frame.w)
        speed = math.sqrt(dot(u, u)) + system.extents[k] * math.sqrt(dot(w, w))
        fastest = max(fastest, speed)
    return fastest / (0.5 * LOOKS * system.skin[0])
