"""What the joints of a tree carry: their multipliers, from the accelerations that were found without them.

Newton and Euler leave for each body what its joints must give it. From the leaves to the ground, the joint
that carries a body gives all that is left there, and takes it from the predecessor:

    r = f - M a - D_cut^T lam_cut            lam = (D W D^T)^-1 D W r            r_p <- r_p - D_p^T lam

with D the rows of this joint alone, which never depend on each other.
"""

import math

from engine.kernels import inlined, kernel, spatial_products
from engine.kernels.layout import System, Workspace
from engine.kernels.trees.layout import Tree


@inlined
def find(system: System, ws: Workspace, tree: Tree):
    """Fill ws.lam of the joints of the tree; accelerations, D and the other multipliers must be known."""
    leave(system.bodies, system.weight, tree.Y[ws.q_dot.size :], ws.f, ws.a, tree.left)
    if system.dim == 3:
        spatial_products.add_gyroscopic(system.bodies, tree.Y[ws.q_dot.size :], tree.left)
    take_cuts(tree.rows, tree.parts, ws.D, tree.lam, tree.left)
    give(tree.held, system.bodies, ws.D, tree.K, tree.left, ws.lam)


@kernel
def leave(bodies, weight, v, f, a, left):
    """left = f - M a with the weight, but without gyroscopic moments."""
    for k in range(bodies.size):
        body = bodies[k]
        at = body.v_at
        n_places = body.n_v // 2 + body.n_v % 2  # 2 in the plane, 3 in space
        for c in range(n_places):
            left[at + c] = weight[at + c] + f[at + c] - a[at + c] / body.inv_mass
        for r in range(body.n_v - n_places):
            moment = 0.0
            for c in range(body.n_v - n_places):
                moment += body.J[r, c] * a[at + n_places + c]
            left[at + n_places + r] = weight[at + n_places + r] + f[at + n_places + r] - moment


@kernel
def take_cuts(rows, parts, D, lam, left):
    """left -= D^T lam of the cut joints."""
    for n in range(rows.size):
        for k in range(rows[n].start, rows[n].stop):
            for c in range(D.shape[1]):
                left[parts[k].v_at + c] -= D[parts[k].D, c] * lam[n]


@kernel
def weighed(body, x, out):
    """out = W x for one body; a particle takes no moment."""
    n_places = body.n_v // 2 + body.n_v % 2
    for c in range(n_places):
        out[c] = body.inv_mass * x[c]
    for r in range(body.n_v - n_places):
        out[n_places + r] = 0.0
        for c in range(body.n_v - n_places):
            out[n_places + r] += body.inv_J[r, c] * x[n_places + c]


@kernel
def give(held, bodies, D, K, left, lam):
    """lam of each joint of the tree, leaves first; changes what is left for the bodies."""
    for n in range(held.size):
        joint = held[n]
        body = bodies[joint.body]
        wide, first, at = body.n_v, joint.D, body.v_at
        row = K[6]
        for i in range(joint.n_rows):
            weighed(body, D[first + i], row)
            for j in range(i + 1):
                K[i, j] = 0.0
                for c in range(wide):
                    K[i, j] += row[c] * D[first + j, c]
            lam[joint.row + i] = 0.0
            for c in range(wide):
                lam[joint.row + i] += row[c] * left[at + c]
        solve(joint.n_rows, joint.row, K, lam)
        for i in range(joint.n_rows):
            push = lam[joint.row + i]
            for c in range(wide):
                left[at + c] -= D[first + i, c] * push
            if joint.parent >= 0:
                for c in range(wide):
                    left[bodies[joint.parent].v_at + c] -= D[joint.parent_D + i, c] * push


@kernel
def solve(n, at, K, x):
    """Solve K x = x for the n numbers of x from `at` on, by Cholesky factors in the lower half of K."""
    for i in range(n):
        for j in range(i + 1):
            total = K[i, j]
            for k in range(j):
                total -= K[i, k] * K[j, k]
            K[i, j] = math.sqrt(max(total, 1e-300)) if i == j else total / K[j, j]
    for i in range(n):
        for k in range(i):
            x[at + i] -= K[i, k] * x[at + k]
        x[at + i] /= K[i, i]
    for m in range(n):
        i = n - 1 - m
        for k in range(i + 1, n):
            x[at + i] -= K[k, i] * x[at + k]
        x[at + i] /= K[i, i]
