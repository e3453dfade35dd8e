"""Rows that hold on one side only: ropes, supports, rings and stops.

A gate keeps a coordinate x between low and high. While it is open its row is nothing,

    D = 0     Phi = nu = gamma = 0                 so that the elimination drops it, and lam = 0

and while it is closed the row x = low or x = high holds, as long as it pushes x back: side lam >= 0 with
side = -1 at low and 1 at high, since the force on x is -lam. A gate that rubs has a second row, which holds
the place along its tangent while it sticks, |lam_t| <= mu_s |lam|. Where it slides, body j feels

    -mu_d |lam| s                                     s = 1 or -1, the way in which it slides

with lam of the row, as friction in joints (engine.kernels.acting.joint_friction). Who opens and closes
gates between two steps is engine.running.gates; here is what ends a step.
"""

import math

from engine.kernels import forces, inlined, kernel
from engine.kernels.acting.interactions import FRICTION, PRESSURE, SLIDING, Z_DOT, U, arguments
from engine.kernels.layout import System, Workspace
from engine.kernels.linking import Entry, unpack

# --- what a gate reports, its mode
AS_IT_IS, MET, FREED, SLIPS, STOPS = range(5)
FAINT = 1e-11  # of the largest force: a load this small is rounding

# --- numbers of the friction; AXIS stands where joint_friction has the axis of a joint
AXIS, WAY, TOWARDS, MU = range(4)  # WAY: the axis along which it slides, TOWARDS: s, 0 as it moves;
# behind them stands side mu: the load L is side mu lam


@kernel
def shut_off(gates, Phi, nu, gamma, D):
    """Clear the rows of gates that are open, and of those that slide the row that sticks."""
    for k in range(gates.size):
        gate = gates[k]
        if gate.side == 0:
            clear(gate.row, gate.D_i, gate.D_j, Phi, nu, gamma, D)
        if gate.stick >= 0 and (gate.side == 0 or gate.slides != 0):
            clear(gate.stick, gate.stick_D_i, gate.stick_D_j, Phi, nu, gamma, D)


@kernel
def clear(row, D_i, D_j, Phi, nu, gamma, D):
    """Make a row nothing."""
    Phi[row] = 0.0
    nu[row] = 0.0
    gamma[row] = 0.0
    for c in range(D.shape[1]):
        D[D_i, c] = 0.0
        D[D_j, c] = 0.0


@kernel
def any_closed(gates):
    """Whether a gate is closed: then its load must be known."""
    n = 0
    for k in range(gates.size):
        n += gates[k].side != 0
    return n > 0


@inlined
def rate_of(system: System, ws: Workspace, of, v):
    """The rate of a coordinate, whose value is in ws.row[0] then."""
    return forces.measure(
        system.dim,
        system.carriers,
        system.terms[of],
        ws.planar,
        ws.spatial,
        ws.angle[of],
        v,
        ws.row,
    )


@inlined
def look(system: System, ws: Workspace, which, v):
    """What gate number `which` reports, and the rate of its coordinate while it is open."""
    gate = system.gates[which]
    if gate.side == 0:
        rate = rate_of(system, ws, gate.term, v)
        over = max(ws.row[0] - gate.high, gate.low - ws.row[0])
        return (MET if over > gate.slack else AS_IT_IS), rate
    load = gate.side * ws.lam[gate.row]
    faint = 0.0
    for k in range(ws.lam.size):
        faint = max(faint, FAINT * abs(ws.lam[k]))
    for k in range(ws.f.size):
        faint = max(faint, FAINT * abs(ws.f[k]))
    if load < -faint:
        return FREED, 0.0
    if gate.stick >= 0 and gate.slides == 0:
        if abs(ws.lam[gate.stick]) > gate.mu_s * load + faint:
            return SLIPS, 0.0
    elif gate.stick >= 0:
        if gate.slides * rate_of(system, ws, gate.along, v) < -gate.slack:
            return STOPS, 0.0
    return AS_IT_IS, 0.0


@Entry
def gate_friction(table, t, seen, out, slopes, flag):
    """The force -L s along an axis of marker i, with the load L that is noted in ws.pressed."""
    one, x, Q, _, _ = arguments(table, seen, out, slopes, flag)
    system, ws = unpack(table)
    L = 0.0
    if system.rubbings.size > 0:
        L = ws.pressed[system.meshings.size + one.rubbing]
    axis = int(one.param[WAY])
    speed = x[U + axis]
    s = one.param[TOWARDS]
    if s == 0.0 and speed != 0.0:
        s = math.copysign(1.0, speed)
    Q[axis] = -L * s
    Q[Z_DOT + PRESSURE] = L / one.param[MU] if one.param[MU] > 0.0 else 0.0
    Q[Z_DOT + FRICTION] = L * abs(s)
    Q[Z_DOT + SLIDING] = speed
    return 0
