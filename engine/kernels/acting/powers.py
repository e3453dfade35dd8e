"""The power of everything that gives energy to a mechanism, or takes it away.

With T the kinetic energy and V what weight and laws store, the motion fulfils

    d/dt (T + V) = sum P                so that          T + V - sum W = const          W_dot = P

An element says what it stores, and all else that it exchanges is work:

    law along x      P = -(N(x, x_dot, t) - N_0(x)) x_dot            N_0 = dV/dx
    load             P = Q . v                                       Q: its generalised force
    interaction      P = F . u + T . w                               it stores nothing
    driven row       P = -lam nu                                     the force -lam moves with c_dot(t)
    flexible body    P = -q_dot.C q_dot                              its damping
    teeth            P = F_r u . (P_j_dot - P_i_dot)                 the radial force on centres that move

A row that starts at acceleration level has D v in the place of nu. Joints do no work: what they do
in an open state, where D v is not nu, is an error of the method and remains in the balance.
"""

from engine.kernels import dynamics, forces, inlined, kernel
from engine.kernels.acting import teeth
from engine.kernels.flexible.inertia import power_of_damping
from engine.kernels.layout import (
    ACCELERATION,
    BENDING_WORK,
    INTERACTION_WORK,
    LAW_WORK,
    LOAD_WORK,
    MESHING_WORK,
    WHOLE_LAW_WORK,
    System,
    Workspace,
)


@inlined
def fill(system: System, ws: Workspace, t, v, speeds):
    """Fill ws.power at a state whose forces and multipliers are known; changes scratch memory.

    v are the velocities of bodies, `speeds` those of all carriers.
    """
    for k in range(ws.power.size):
        ws.power[k] = 0.0
    is_late = False
    for k in range(system.works.size):
        one = system.works[k]
        if one.kind == LAW_WORK or one.kind == WHOLE_LAW_WORK:
            x = ws.exerted[one.which, 0]
            rate = ws.exerted[one.which, 1]
            N = ws.exerted[one.which, 2]
            if one.kind == LAW_WORK:
                law = system.laws[one.which]
                if forces.is_straight(law):
                    N = law.param[1] * rate
                else:
                    N -= forces.stored_tension(law, system.functions, x, ws.args, ws.stack)
            of_one = -N * rate
        elif one.kind == LOAD_WORK:
            of_one = power_of_load(
                system.dim,
                system.carriers,
                system.loads[one.which],
                system.functions,
                ws.planar,
                ws.spatial,
                t,
                speeds,
                ws.args,
                ws.stack,
                ws.push,
            )
        elif one.kind == INTERACTION_WORK:
            of_one = ws.given[one.which]
        elif one.kind == MESHING_WORK:
            mesh = system.meshings[one.which]
            F_r = ws.pressed[one.which]
            of_one = F_r * teeth.parting_speed(system.carriers, mesh, ws.spatial, speeds)
        elif one.kind == BENDING_WORK:
            bent = system.flexibles[one.which]
            of_one = power_of_damping(bent, system.bodies[bent.body], system.shapes, v)
        elif system.rows[one.which].level != ACCELERATION:
            of_one = -ws.lam[one.which] * ws.nu[one.which]
        else:
            if not is_late:
                dynamics.times_D(system, ws, v, ws.b)
                is_late = True
            of_one = -ws.lam[one.which] * ws.b[one.which]
        ws.power[one.to] += of_one


@kernel
def power_of_load(
    dim, bodies, load, functions_of, planar_frames, spatial_frames, t, v, args, stack, Q
):
    """Q . v of one load; Q is scratch memory, bodies must be placed."""
    if load.body == bodies.size:
        return 0.0
    at = bodies[load.body].v_at
    n_v = bodies[load.body].n_v
    for c in range(n_v):
        Q[at + c] = 0.0
    forces.add_load(
        dim, bodies, load, functions_of, planar_frames, spatial_frames, t, args, stack, Q
    )
    total = 0.0
    for c in range(n_v):
        total += Q[at + c] * v[at + c]
    return total
