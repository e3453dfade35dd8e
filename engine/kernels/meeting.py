"""The entry that looks at contacts: on which branch each is, and how fast its shapes met."""

from engine.kernels.acting import interactions, nearness
from engine.kernels.acting.contact_laws import LAW, LEAST_SPEED, RESTITUTION
from engine.kernels.acting.interactions import CLOSING, DEPTH, MODE, Z_DOT
from engine.kernels.entries import DONE, HOLD, NOTE, PLACE, RELEASE, WITH_SLOPES
from engine.kernels.layout import FREE
from engine.kernels.linking import DERIVE, Entry, call, unpack, vector


@Entry
def meet(table, t, y, out, more, task):
    """What `modes` does, for contacts; for WITH_SLOPES and 0 bodies must be placed.

    Where shapes meet, and where they are apart in a run that holds no law on a branch, the state of a
    contact that remembers how fast its shapes met is set to that speed: changes y.
    """
    system, ws = unpack(table)
    n_motion, n_z, n = ws.q_dot.size + ws.a.size, ws.z_dot.size, system.switches.size
    if task == HOLD:
        call(DERIVE, table, t, y, out, more, PLACE)
    if system.dim == 2:
        interactions.stand_in_space(system.carriers.size, ws.planar, ws.spatial)
    mode = vector(out, 2 * n if task == WITH_SLOPES else n)
    z = vector(y, n_motion + n_z)[n_motion:]
    if task != RELEASE:
        nearness.count(system, ws, z)
    for k in range(n):
        which = system.switches[k].contact
        if which < 0:
            continue
        if task == RELEASE:
            ws.touching[which] = FREE
            continue
        one = system.interactions[which]
        if not nearness.is_listed(system, ws, which):
            if task == HOLD:
                ws.touching[which] = mode[k]
            elif task != NOTE:
                mode[k] = 0.0
                if task == WITH_SLOPES:
                    mode[n + k] = 0.0
            continue
        if task == NOTE and (one.param[LAW] != RESTITUTION or ws.touching[which] != FREE):
            continue
        interactions.evaluate(table, system, ws, t, z, which, ws.wrench, 0)
        told = Z_DOT + one.n_z
        closing = ws.wrench[told + CLOSING]
        if task == HOLD or task == NOTE:
            was = ws.touching[which]
            notes = was == FREE and ws.wrench[told + DEPTH] <= 0.0
            if task == HOLD:
                notes = mode[k] != 0.0 and (was == FREE or was == 0.0)
                ws.touching[which] = mode[k]
            if notes and one.param[LAW] == RESTITUTION:
                z[one.z_at] = max(closing, one.param[LEAST_SPEED])
        else:
            mode[k] = ws.wrench[told + MODE]
            if task == WITH_SLOPES:
                mode[n + k] = closing
    return DONE
