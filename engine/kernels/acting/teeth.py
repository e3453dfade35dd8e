"""The radial part of tooth forces, which presses wheels apart whichever flank carries the load.

The row of a mesh (engine.model.joints.teeth) pushes along the pitch circles, across the line of centres,
with the force F_t. Flanks lean by the pressure angle alpha, so they also press along it with

    F_r = |F_t| tan(alpha)              |F_t| = |lam (r_i + r_j)| / d          of a rack |lam|

    two wheels    u = (C_j - C_i) / d,  across the axis z of wheel i
                  pitch point  P = C_j - r_j d u / (r_i + r_j)      +F_r u on j at P, where r_i r_j > 0
    in a ring     r_i r_j < 0: the pinion is pressed towards the middle of the ring:      -F_r u on j
    rack          along e on body j,  n = z x e:  P = C_i - r_i n,  away from the wheel: -F_r sign(r_i) n

and the opposite on i. So f depends on lam, and both are found together: with r the misfit of the forces in
f for the lam that f gives, F_r grows by w r, where w follows from two misfits (Aitken). Bodies of the plane
stand in space.
"""

import math

from engine.kernels import forces, inlined, kernel
from engine.kernels.acting import interactions, joint_friction
from engine.kernels.layout import System, Workspace
from engine.kernels.spatial import cross, dot, minus, plus, times, to_body, to_world, vec


@kernel
def release(pressed):
    """Note that f holds no radial forces; changes pressed."""
    for k in range(pressed.size):
        pressed[k] = 0.0


@kernel
def contact(mesh, frames):
    """The pitch point, the direction in which body j is pressed, and |F_t| for lam = 1; world axes."""
    z = to_world(frames[mesh.i].R, mesh.axis)
    C_i = plus(vec(frames[mesh.i].r), to_world(frames[mesh.i].R, mesh.P_i))
    e = to_world(frames[mesh.j].R, mesh.way)
    if dot(e, e) > 0.0:
        n = cross(z, e)
        return (
            minus(C_i, times(mesh.radius_i, n)),
            times(-math.copysign(1.0, mesh.radius_i), n),
            1.0,
        )
    C_j = plus(vec(frames[mesh.j].r), to_world(frames[mesh.j].R, mesh.P_j))
    d = minus(C_j, C_i)
    d = minus(d, times(dot(z, d), z))
    inv = 1.0 / max(math.sqrt(dot(d, d)), 1e-300)
    both = mesh.radius_i + mesh.radius_j
    P = minus(C_j, times(mesh.radius_j / both, d))
    u = times(math.copysign(inv, mesh.radius_i * mesh.radius_j), d)
    return P, u, abs(both) * inv


@kernel
def push(bodies, body, frames, P, F, f):
    """Add the force F at the point P of a body to f; nothing for the ground."""
    if body == bodies.size:
        return
    at = bodies[body].v_at
    moment = cross(minus(P, vec(frames[body].r)), F)
    if bodies[body].n_v == 3:
        f[at] += F[0]
        f[at + 1] += F[1]
        f[at + 2] += moment[2]
        return
    turn = to_body(frames[body].R, moment)
    for c in range(3):
        f[at + c] += F[c]
        f[at + 3 + c] += turn[c]


@kernel
def speed_along(bodies, body, frames, P, u, v):
    """How fast the point P of a body moves along u; zero for the ground."""
    if body == bodies.size:
        return 0.0
    at = bodies[body].v_at
    arm = minus(P, vec(frames[body].r))
    if bodies[body].n_v == 3:
        w = v[at + 2]
        return (v[at] - w * arm[1]) * u[0] + (v[at + 1] + w * arm[0]) * u[1]
    turn = cross(to_world(frames[body].R, (v[at + 3], v[at + 4], v[at + 5])), arm)
    return dot(plus((v[at], v[at + 1], v[at + 2]), turn), u)


@kernel
def parting_speed(bodies, mesh, frames, v):
    """How fast the pitch points of both bodies part along the radial force; bodies must stand in space."""
    P, u, _ = contact(mesh, frames)
    of_j = speed_along(bodies, mesh.j, frames, P, u, v)
    return of_j - speed_along(bodies, mesh.i, frames, P, u, v)


@kernel
def measure(meshings, frames, lam, least, pressed, misfit):
    """Fill misfit with what the radial forces of lam differ from those in f.

    Returns the largest one relative to the largest force, which counts as at least `least`.
    """
    worst = 0.0
    size = least
    for k in range(meshings.size):
        F_r = meshings[k].slope * contact(meshings[k], frames)[2] * abs(lam[meshings[k].row])
        misfit[k] = F_r - pressed[k]
        worst = max(worst, abs(misfit[k]))
        size = max(size, F_r)
    return worst / max(size, 1e-300)


@kernel
def relaxation(before, misfit, share):
    """The share of the misfit to take next: Aitken's, which is exact for one mesh."""
    along = 0.0
    square = 0.0
    for k in range(misfit.size):
        change = misfit[k] - before[k]
        along -= before[k] * change
        square += change * change
    return share * along / square if square > 0.0 else 1.0


@kernel
def add(bodies, meshings, frames, share, misfit, before, pressed, f):
    """Add a share of the missing radial forces to f; changes pressed, and before becomes the misfit."""
    for k in range(meshings.size):
        P, u, _ = contact(meshings[k], frames)
        F = times(share * misfit[k], u)
        push(bodies, meshings[k].j, frames, P, F, f)
        push(bodies, meshings[k].i, frames, P, times(-1.0, F), f)
        pressed[k] += share * misfit[k]
        before[k] = misfit[k]


@kernel
def largest_of(x):
    """Which number of x is the largest."""
    best = 0
    for k in range(x.size):
        if abs(x[k]) > abs(x[best]):
            best = k
    return best


@inlined
def stand(system: System, ws: Workspace):
    """Place the bodies of the plane in space."""
    if system.dim == 2:
        interactions.stand_in_space(system.carriers.size, ws.planar, ws.spatial)


@inlined
def press(table, system: System, ws: Workspace, t, lam):
    """Bring ws.f to the radial forces and the friction in joints of lam; bodies must be placed."""
    n, end = ws.pressed.size // 3, system.meshings.size
    pressed, misfit, before = ws.pressed[:n], ws.pressed[n : 2 * n], ws.pressed[2 * n :]
    stand(system, ws)
    measure(system.meshings, ws.spatial, lam, 0.0, pressed, misfit)
    joint_friction.measure(system, ws, lam, 0.0, pressed[end:], misfit[end:])
    joint_friction.add(table, system, ws, t, 1.0, misfit[end:], before[end:], pressed[end:])
    add(system.carriers, system.meshings, ws.spatial, 1.0, misfit, before, pressed, ws.f)
    forces.gather(system, ws)
