"""How friction in joints changes with their multipliers: -df/dlam = -f_1 dL/dlam, f_1 that of L = 1."""

from engine.kernels import inlined
from engine.kernels.acting import interactions, joint_friction
from engine.kernels.implicit.tangent_layout import Tangents
from engine.kernels.implicit.tangents_of_interactions import forces_of
from engine.kernels.layout import System, Workspace


@inlined
def fill(table, system: System, ws: Workspace, tan: Tangents, t):
    """Fill tan.rubbed at the multipliers ws.lam; bodies must stand in space, and D must be filled."""
    n_d = 3 if system.dim == 2 else 6
    for a in range(tan.rubbed.shape[0]):
        for c in range(n_d):
            tan.rubbed[a, c] = 0.0
    for k in range(system.rubbings.size):
        rub = system.rubbings[k]
        one = system.interactions[rub.interaction]
        i, j = ws.spatial[one.i], ws.spatial[one.j]
        noted = ws.pressed[system.meshings.size + k]
        ws.pressed[system.meshings.size + k] = 1.0
        interactions.evaluate(table, system, ws, t, ws.zero, rub.interaction, ws.wrench, 0)
        ws.pressed[system.meshings.size + k] = noted
        A = interactions.marker_axes(i.R, one.axes_i)
        F = interactions.composed(A, ws.wrench, interactions.FORCE)
        T = interactions.composed(A, ws.wrench, interactions.TORQUE)
        out = tan.work[2]
        forces_of(n_d, one, i, j, A, F, T, out)
        for n in range(rub.n_rows):
            slope = joint_friction.slope_of_load(system.dim, rub, one, ws.spatial, ws.D, ws.lam, n)
            for c in range(n_d):
                if rub.D_i >= 0:
                    tan.rubbed[rub.D_i + n, c] -= slope * out[c]
                if rub.D_j >= 0:
                    tan.rubbed[rub.D_j + n, c] -= slope * out[n_d + c]
