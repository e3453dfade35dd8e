"""The entries of a mechanism in joint coordinates, for any method that integrates y' = f(t, y).

The table holds System, Workspace and Tree. Forces, contacts and switches know bodies alone: they are asked
by the table of the same model in absolute coordinates, with the state that belongs to this one.
"""

import math

from engine.kernels import dynamics, inlined, merged, nat
from engine.kernels.acting import nearness, teeth
from engine.kernels.entries import (
    ACCELERATIONS,
    DIVERGED,
    DONE,
    EVERYTHING,
    HUGE,
    JAMMED,
    MAX_CORRECTIONS,
    NEGLIGIBLE,
    NOTE,
    OPEN_JOINT,
    WITH_SLOPES,
)
from engine.kernels.layout import (
    GAP,
    HASTE,
    JAMMED_AT,
    LENGTHS,
    OPEN_GAP,
    PROJECTED,
    PROTOTYPES,
    SPIN,
    TOLERANCE,
    System,
    Workspace,
)
from engine.kernels.linking import (
    DERIVE,
    FORCE,
    MEET,
    MODES,
    POWER,
    PRESS,
    Entry,
    call,
    unpacker,
    vector,
)
from engine.kernels.trees import cuts, plane, reactions, space_inward, space_outward
from engine.kernels.trees.layout import BALL, PROTOTYPE, W_AT, Tree

unpack = unpacker(*PROTOTYPES, PROTOTYPE)  # (system, ws, tree)


@inlined
def stand(system: System, ws: Workspace, tree: Tree, state):
    """Axes, arms and speeds of the bodies, and where something acts on them their places too."""
    if system.dim == 2:
        plane.turn(tree.links, tree.plane, tree.angle, tree.n_q, state)
    else:
        space_outward.outward(tree.links, tree.constants, tree.space, tree.axes, tree.n_q, state)
    if tree.is_acted == 1:
        place(system, ws, tree, state)


@inlined
def place(system: System, ws: Workspace, tree: Tree, state):
    """The frames of bodies, and the state in absolute coordinates but for quaternions."""
    if system.dim == 2:
        plane.place(tree.links, tree.plane, tree.angle, tree.n_q, state)
        plane.write_bodies(
            tree.links,
            tree.plane,
            tree.angle,
            system.bodies,
            ws.planar,
            ws.q_dot.size,
            tree.Y,
        )
    else:
        space_outward.place(tree.links, tree.space)
        space_outward.write_bodies(
            tree.links,
            tree.constants,
            tree.space,
            system.bodies,
            ws.spatial,
            ws.q_dot.size,
            tree.Y,
        )
    n_joint, n_absolute = tree.n_q + tree.n_v, ws.q_dot.size + ws.a.size
    for k in range(tree.Y.size - n_absolute):
        tree.Y[n_absolute + k] = state[n_joint + k]


@inlined
def act(system: System, ws: Workspace, tree: Tree, t):
    """Fill ws.f with all forces but weight; bodies must be placed."""
    for k in range(ws.f.size):
        ws.f[k] = 0.0
    teeth.release(ws.pressed)
    if system.loads.size + system.laws.size + system.interactions.size > 0:
        call(FORCE, tree.absolute, t, tree.Y, tree.Y_dot, tree.Y_dot, 0)


@inlined
def eliminate(system: System, ws: Workspace, tree: Tree, state):
    """Articulated inertia of all bodies with the forces on them."""
    if system.dim == 2:
        if tree.is_acted == 1:
            plane.take_forces(tree.links, tree.plane, tree.angle, system.bodies, ws.f)
        plane.inward(tree.links, tree.plane, tree.angle, tree.n_q, state)
    else:
        if tree.is_acted == 1:
            space_outward.take_forces(
                tree.links, tree.constants, tree.space, system.bodies, ws.spatial, ws.f
            )
        space_inward.inward(tree.links, tree.space, tree.axes)


@inlined
def accelerate(system: System, ws: Workspace, tree: Tree, state, rates):
    """The rates of beta and eta, and the accelerations of bodies where something acts on them."""
    if system.dim == 2:
        plane.accelerate(tree.links, tree.plane, tree.n_q, state, rates)
    else:
        space_inward.accelerate(
            tree.links, tree.constants, tree.space, tree.axes, tree.n_q, state, rates
        )
    if tree.is_acted == 1:
        write_accelerations(system, ws, tree)


@inlined
def write_accelerations(system: System, ws: Workspace, tree: Tree):
    """ws.a from the accelerations of the points O."""
    if system.dim == 2:
        plane.write_accelerations(
            tree.links, tree.plane, tree.angle, system.bodies, tree.gravity, ws.a
        )
    else:
        space_outward.write_accelerations(
            tree.links,
            tree.constants,
            tree.space,
            system.bodies,
            ws.spatial,
            tree.gravity,
            ws.a,
        )


@inlined
def close(system: System, ws: Workspace, tree: Tree, state, rates):
    """Find the multipliers of cut joints, and the accelerations that they leave."""
    cuts.find_responses(system, ws, tree)
    cuts.times_D(tree.rows, tree.parts, ws.D, ws.a, tree.b)
    for n in range(tree.rows.size):
        tree.b[n] -= ws.gamma[tree.rows[n].row]
    cuts.solve(tree.L, tree.F, tree.b, tree.x, tree.lam)
    for n in range(tree.rows.size):
        ws.lam[tree.rows[n].row] = tree.lam[n]
    if system.dim == 2:
        plane.load_axes(tree.links, tree.plane, tree.G, tree.lam)
    else:
        space_inward.load_axes(tree.axes, tree.G, tree.lam)
    accelerate(system, ws, tree, state, rates)


@Entry
def derive(table, t, y, y_dot, more, tasks):
    """y_dot = (beta_dot, eta_dot, z_dot, power) at (t, y); with ACCELERATIONS alone, for changed forces."""
    system, ws, tree = unpack(table)
    n_joint = tree.n_q + tree.n_v
    state = vector(y, n_joint + ws.z_dot.size + ws.power.size)
    rates = vector(y_dot, n_joint + ws.z_dot.size + ws.power.size)
    stand(system, ws, tree, state)
    if tasks != ACCELERATIONS:
        if tree.is_acted == 1:
            act(system, ws, tree, t)
        if tree.rows.size + tree.held.size > 0:
            cuts.constrain(system, ws, tree, t)
            cuts.stabilise(system, ws, tree, tree.Y[ws.q_dot.size :])
    eliminate(system, ws, tree, state)
    accelerate(system, ws, tree, state, rates)
    if tree.rows.size > 0:
        close(system, ws, tree, state, rates)
    if tree.held.size > 0:
        reactions.find(system, ws, tree)
    if tasks == ACCELERATIONS:
        return DONE
    if ws.pressed.size > 0:
        call(PRESS, table, t, y, y_dot, more, 0)
    for k in range(ws.z_dot.size):
        rates[n_joint + k] = ws.z_dot[k]
    if ws.power.size > 0:
        call(POWER, tree.absolute, t, tree.Y, tree.Y_dot, tree.Y_dot, 0)
        for k in range(ws.power.size):
            rates[n_joint + ws.z_dot.size + k] = ws.power[k]
    return DONE


@inlined
def project(table, t, system: System, ws: Workspace, tree: Tree, state):
    """Bring beta and eta back to Phi = 0 and D v = nu of cut joints; the largest |Phi| before and after.

    As in absolute coordinates both are corrected at least once, and factors serve as long as the
    pose has not changed enough to matter.
    """
    opened = 0.0
    gap = 0.0
    moved = 1.0
    v = tree.Y[ws.q_dot.size :]
    for n in range(MAX_CORRECTIONS):
        stand(system, ws, tree, state)
        cuts.constrain(system, ws, tree, t)
        if not moved <= NEGLIGIBLE:
            for k in range(ws.f.size):
                ws.f[k] = 0.0
            eliminate(system, ws, tree, state)
            cuts.find_responses(system, ws, tree)
        cuts.find_slip(system, ws, tree, v)
        gap = 0.0
        for k in range(tree.rows.size):
            gap = max(gap, abs(ws.Phi[tree.rows[k].row]))
        slip = dynamics.largest(tree.b)
        if n == 0:
            opened = gap
        is_closed = gap <= ws.options[TOLERANCE] and slip <= ws.options[TOLERANCE]
        if is_closed and (n > 0 or gap + slip == 0.0):
            break
        give_way(system, tree)
        for k in range(tree.n_v):
            state[tree.n_q + k] += tree.change[k]
        for k in range(tree.rows.size):
            tree.b[k] = ws.Phi[tree.rows[k].row]
        give_way(system, tree)
        moved = dynamics.largest(tree.change)
        if not math.isfinite(moved):
            break
        if system.dim == 2:
            for k in range(tree.n_v):
                state[k] += tree.change[k]
        else:
            space_inward.move(tree.links, tree.n_q, tree.change, state)
            normalise(tree.links, state)
    return opened, gap


@inlined
def give_way(system: System, tree: Tree):
    """The change of the axes that makes up for the error b of the rows."""
    cuts.solve(tree.L, tree.F, tree.b, tree.x, tree.lam)
    if system.dim == 2:
        plane.yield_to(tree.links, tree.plane, tree.G, tree.lam, tree.change)
    else:
        space_inward.yield_to(tree.links, tree.space, tree.axes, tree.G, tree.lam, tree.change)


@merged
def normalise(links, state):
    """Make every quaternion of a ball a unit one again."""
    for k in range(links.size):
        if links[k].turn == BALL:
            at = links[k].q_at + nat(links[k].n_slides)
            size = 0.0
            for c in range(4):
                size += state[at + nat(c)] ** 2
            size = 1.0 / math.sqrt(size)
            for c in range(4):
                state[at + nat(c)] *= size


@Entry
def correct(table, t, y, out, more, flag):
    """Close the cut joints if requested, and monitor the state; changes y and the workspace."""
    system, ws, tree = unpack(table)
    n_joint, n_z = tree.n_q + tree.n_v, ws.z_dot.size
    state = vector(y, n_joint + n_z + ws.power.size)
    if system.dim == 3:
        normalise(tree.links, state)
    opened = 0.0
    left = 0.0
    if tree.rows.size > 0 and ws.options[PROJECTED] > 0.0:
        opened, left = project(table, t, system, ws, tree, state)
    elif tree.is_acted == 1:
        stand(system, ws, tree, state)
        if tree.rows.size > 0:
            cuts.constrain(system, ws, tree, t)
            for k in range(tree.rows.size):
                opened = max(opened, abs(ws.Phi[tree.rows[k].row]))
    if system.n_contacts > 0:
        place(system, ws, tree, state)
        call(MEET, tree.absolute, t, tree.Y, tree.Y_dot, tree.Y_dot, NOTE)
        ws.since[HASTE] = nearness.haste(system, ws)
        for k in range(n_z):
            state[n_joint + k] = tree.Y[ws.q_dot.size + ws.a.size + k]
    ws.since[GAP] = max(ws.since[GAP], opened)
    if not dynamics.largest(state[:n_joint]) < HUGE:
        return DIVERGED
    if not left <= ws.options[OPEN_GAP]:
        return OPEN_JOINT
    if ws.since[JAMMED_AT] > 0.0:
        return JAMMED
    if system.dim == 3 and tree.is_acted == 1:
        dynamics.remember_angles(system.terms, ws.spatial, ws.angle, ws.row)
        fastest = 0.0
        for k in range(tree.links.size):
            o = tree.space[k]
            fastest = max(fastest, o[W_AT] ** 2 + o[W_AT + 1] ** 2 + o[W_AT + 2] ** 2)
        ws.since[SPIN] = math.sqrt(fastest)
    return DONE


@Entry
def modes(table, t, y, out, more, task):
    """As `modes` in absolute coordinates; changes y where a contact remembers how fast shapes met."""
    system, ws, tree = unpack(table)
    n_joint, n_absolute, n_z = tree.n_q + tree.n_v, ws.q_dot.size + ws.a.size, ws.z_dot.size
    state = vector(y, n_joint + n_z + ws.power.size)
    stand(system, ws, tree, state)
    if system.dim == 3:
        space_outward.write_orientations(system.bodies, ws.spatial, ws.seen, tree.Y)
    if task == WITH_SLOPES:
        rates = vector(more, n_joint)
        if system.dim == 2:
            plane.follow(tree.links, tree.plane, tree.n_q, rates)
        else:
            space_outward.follow(tree.links, tree.space, tree.axes, tree.n_q, rates)
        write_accelerations(system, ws, tree)
        for k in range(ws.a.size):
            tree.Y_dot[ws.q_dot.size + k] = ws.a[k]
    call(MODES, tree.absolute, t, tree.Y, out, tree.Y_dot, task)
    for k in range(n_z):
        state[n_joint + k] = tree.Y[n_absolute + k]
    return DONE


@Entry
def pivots(table, t, y, out, more, flag):
    """How many pivots of the last factors of cut joints are small."""
    _, _, tree = unpack(table)
    return cuts.count_small_pivots(tree.rows, tree.L, tree.F)


@Entry
def show(table, t, y, out, more, flag):
    """Write the state in absolute coordinates to `out` and its rates to `more`; fills ws.lam."""
    system, ws, tree = unpack(table)
    state = vector(y, tree.n_q + tree.n_v + ws.z_dot.size + ws.power.size)
    stand(system, ws, tree, state)
    place(system, ws, tree, state)
    if system.dim == 3:
        space_outward.write_orientations(system.bodies, ws.spatial, ws.seen, tree.Y)
        for k in range(system.n_bodies):
            ws.since[LENGTHS + k] = 1.0
    call(DERIVE, tree.absolute, t, tree.Y, more, tree.Y_dot, EVERYTHING)
    shown = vector(out, tree.Y.size)
    for k in range(tree.Y.size):
        shown[k] = tree.Y[k]
    return DONE
