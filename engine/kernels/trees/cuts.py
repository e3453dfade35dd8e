"""Loops of a tree: the rows of cut joints, held by multipliers on the tree.

Rows come as they are in absolute coordinates: D over the velocities of bodies, gamma and targets. With G
the wrenches of the rows on each axis of the tree, carried to the ground by the articulated factors,

    L = G diag(1/d) G^T          L lam = D a_free - gamma          u <- u - G^T lam

A row of L may vanish in a singular pose, so that a share of its own diagonal would protect nothing: eps is
a share of the largest diagonal of its joint. What eps spoils is made good by proximal steps.
"""

import math

import numpy as np

from engine.kernels import dynamics, inlined, merged, planar, spatial
from engine.kernels.acting import gates
from engine.kernels.layout import (
    ACCELERATION,
    BETA_SQUARED,
    POSITION,
    TWO_ALPHA,
    System,
    Workspace,
)
from engine.kernels.trees import plane, space_inward
from engine.kernels.trees.layout import INV_D, Tree

EPS = 1e-11  # of the largest diagonal of a joint
MOST = 8  # proximal steps
ENOUGH = 1e-14  # an error of a row, relative
STALLED = 0.9  # the share of the error that a step must leave less than
SMALL_PIVOT = 1e-3  # of the largest diagonal of its joint


@inlined
def constrain(system: System, ws: Workspace, tree: Tree, t):
    """Fill Phi, D, nu and gamma of the rows of cut joints, or of all where their reactions are needed."""
    if system.dim == 2:
        planar.fill_rows(
            system.terms,
            tree.uses,
            tree.shared,
            system.rows,
            ws.planar,
            ws.row,
            ws.Phi,
            ws.gamma,
            ws.D,
        )
    else:
        spatial.fill_rows(
            system.terms,
            tree.uses,
            tree.shared,
            system.rows,
            ws.spatial,
            ws.angle,
            ws.row,
            ws.Phi,
            ws.gamma,
            ws.D,
        )
    if system.driven.size > 0:
        dynamics.drive(
            system.rows,
            system.driven,
            system.functions,
            t,
            ws.args,
            ws.rates,
            ws.stack,
            ws.jet,
            ws.Phi,
            ws.nu,
            ws.gamma,
        )
    dynamics.type_rows(system, ws, t)
    if system.gates.size > 0:
        gates.shut_off(system.gates, ws.Phi, ws.nu, ws.gamma, ws.D)
    for n in range(tree.rows.size):
        if system.rows[tree.rows[n].row].level != POSITION:
            ws.Phi[tree.rows[n].row] = 0.0


@merged
def times_D(rows, parts, D, v, out):
    """out = D v for the rows of cut joints."""
    for n in range(rows.size):
        total = 0.0
        for k in range(rows[n].start, rows[n].stop):
            part = parts[k]
            for c in range(D.shape[1]):
                total += D[part.D, c] * v[part.v_at + c]
        out[n] = total


@inlined
def stabilise(system: System, ws: Workspace, tree: Tree, v):
    """Baumgarte:  gamma -= 2 alpha (D v - nu) + beta^2 Phi,  as far as a row holds at each level."""
    if ws.options[TWO_ALPHA] != 0.0 or ws.options[BETA_SQUARED] != 0.0:
        find_slip(system, ws, tree, v)
        for n in range(tree.rows.size):
            row = tree.rows[n].row
            ws.gamma[row] -= (
                ws.options[TWO_ALPHA] * tree.b[n] + ws.options[BETA_SQUARED] * ws.Phi[row]
            )


@inlined
def find_slip(system: System, ws: Workspace, tree: Tree, v):
    """b = D v - nu, zero where a row holds only for accelerations."""
    times_D(tree.rows, tree.parts, ws.D, v, tree.b)
    for n in range(tree.rows.size):
        row = tree.rows[n].row
        tree.b[n] = 0.0 if system.rows[row].level == ACCELERATION else tree.b[n] - ws.nu[row]


@inlined
def find_responses(system: System, ws: Workspace, tree: Tree):
    """Fill G and the factors of L from the articulated factors and D."""
    if system.dim == 2:
        plane.respond(
            tree.links,
            tree.plane,
            tree.rows,
            tree.parts,
            tree.path,
            tree.angle,
            ws.D,
            tree.G,
        )
        plane.inverse_pivots(tree.links, tree.plane, tree.change)
    else:
        space_inward.respond(
            tree.links,
            tree.constants,
            tree.space,
            tree.axes,
            tree.rows,
            tree.parts,
            tree.path,
            system.bodies,
            ws.spatial,
            ws.D,
            tree.G,
        )
        for k in range(tree.n_v):
            tree.change[k] = tree.axes[k, INV_D]
    factorise(tree.links, tree.rows, tree.path, tree.change, tree.G, tree.L, tree.F)


@merged
def factorise(links, rows, path, inv_d, G, L, F):
    """L = G diag(1/d) G^T, and the factors of L + eps."""
    for i in range(rows.size):
        for j in range(i + 1):
            total = 0.0
            for k in range(rows[i].path, rows[i].path_stop):
                link = links[path[k]]
                at = np.int64(link.v_at)
                for axis in range(at, at + link.n_v):
                    total += G[i, axis] * G[j, axis] * inv_d[axis]
            L[i, j] = total
            L[j, i] = total
    for i in range(rows.size):
        size = 0.0
        for k in range(rows[i].first, rows[i].last):
            size = max(size, L[k, k])
        for j in range(i + 1):
            y = L[i, j]
            if i == j:
                y += EPS * size + 1e-300
            for k in range(j):
                y -= F[i, k] * F[j, k] * F[k, k]
            F[i, j] = y if i == j else y / F[j, j]


@merged
def solve(L, F, b, x, lam):
    """L lam = b by proximal steps; b becomes what is left of it."""
    n, before = b.size, math.inf
    size = 0.0
    for i in range(n):
        lam[i] = 0.0
        size = max(size, abs(b[i]))
    for _ in range(MOST):
        for i in range(n):
            y = b[i]
            for k in range(i):
                y -= F[i, k] * x[k]
            x[i] = y
        for m in range(n):
            i = n - 1 - m
            y = x[i] / F[i, i]
            for k in range(i + 1, n):
                y -= F[k, i] * x[k]
            x[i] = y
        for i in range(n):
            lam[i] += x[i]
        left = 0.0
        for i in range(n):
            y = b[i]
            for k in range(n):
                y -= L[i, k] * x[k]
            b[i] = y
            left = max(left, abs(y))
        if left <= ENOUGH * size or not left < STALLED * before:
            break
        before = left


@merged
def count_small_pivots(rows, L, F):
    """How many pivots are small: of redundant rows, and near singular poses."""
    found = 0
    for i in range(rows.size):
        size = 0.0
        for k in range(rows[i].first, rows[i].last):
            size = max(size, L[k, k])
        found += not SMALL_PIVOT * size < F[i, i]
    return found
