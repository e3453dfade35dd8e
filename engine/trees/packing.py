"""The tables of a tree for the kernels, and the problem of a run in joint coordinates."""

from collections.abc import Sequence

import numpy as np

from engine.compiling.system import Compiled
from engine.integrators.problem import Problem
from engine.kernels.layout import System, Workspace
from engine.kernels.linking import CORRECT, DERIVE, MODES, PIVOTS, SHOW, words
from engine.kernels.trees import entries
from engine.kernels.trees.layout import (
    A_AT,
    ARM_AT,
    AXES_AT,
    CENTER_AT,
    CUT,
    CUT_ROW,
    HELD,
    HINGE,
    INERTIA_AT,
    INVERSE_AT,
    LINK,
    N_AXIS,
    N_CONSTANTS,
    N_SPACE,
    OWN_AT,
    PLANE,
    R_AT,
    Tree,
)
from engine.model.elements import Id
from engine.trees.poses import FREE, Hung, hang
from engine.trees.spanning import spanning_tree

UPPER = (0, 1, 2, 4, 5, 8)  # of a symmetric matrix, row by row


def in_joint_coordinates(
    compiled: Compiled,
    problem: Problem,
    ws: Workspace,
    q: np.ndarray,
    v: np.ndarray,
    *,
    rods: bool = True,
    reactions: bool = False,
) -> tuple[Problem, np.ndarray]:
    """The problem of a run, for a state of joint coordinates, and its state at the start.

    With `reactions`, or where a force follows from them, ws.lam has the multipliers of all joints.
    """
    system = problem.keep[0]
    spanning = spanning_tree(compiled, rods=rods)
    hung = hang(compiled, spanning.branches, q, v)
    Y = compiled.layout.y(q, v, compiled.z0)
    tree = _tree(compiled, system, hung, spanning.cuts, problem.table, Y)
    if reactions or len(system.rubbings):
        tree = _with_reactions(compiled, tree, hung)
    table = np.array([*problem.table, *words(tree)], dtype=np.int64)
    linked = {
        DERIVE: entries.derive,
        CORRECT: entries.correct,
        MODES: entries.modes,
        PIVOTS: entries.pivots,
        SHOW: entries.show,
    }
    for which, entry in linked.items():
        table[which] = entry.address
    n_motion = compiled.layout.n_motion
    y = np.concatenate(
        [
            *(one.beta for one in hung),
            *(one.eta for one in hung),
            Y[n_motion - compiled.layout.n_z :],
        ]
    )
    changed = problem._replace(
        table=table,
        n_q=tree.n_q,
        floor=np.concatenate([*_sizes(hung, compiled.length), compiled.system.states["size"]]),
        n_shown=len(Y),
        keep=(*problem.keep, hung, tree),
    )
    return changed, y


def states_at_rest(problem: Problem, q: np.ndarray, y: np.ndarray) -> None:
    """Write the coordinates of the joints of a planar tree at rest in many poses (n, n_q) to y (n, n_y).

    The slides are R_p^T (X - X_p) - P along the axes of the joint, with X the points O of bodies.
    """
    system, tree = problem.keep[0], problem.keep[-1]
    n = len(tree.links)
    X, phi = np.zeros((n + 1, len(q), 2)), np.zeros((n + 1, len(q)))
    for k, link in enumerate(tree.links):
        at = int(system.bodies[link["body"]]["q_at"])
        phi[k] = q[:, at + 2] if not link["is_particle"] else 0.0
        if link["is_particle"] and link["turn"] == HINGE:
            phi[k] = _angles_of_rod(link, q[:, at : at + 2], X, phi)
        c, s = np.cos(phi[k]), np.sin(phi[k])
        X[k, :, 0] = q[:, at] - c * link["cx"] + s * link["cy"]
        X[k, :, 1] = q[:, at + 1] - s * link["cx"] - c * link["cy"]
    for k, link in enumerate(tree.links):
        p, slot = int(link["parent"]), int(link["q_at"])
        c, s = np.cos(phi[p]), np.sin(phi[p])
        dx, dy = (X[k] - X[p]).T
        x, y_ = c * dx + s * dy - link["px"], c * dy - s * dx - link["py"]
        along = link["ax"] * x + link["ay"] * y_, link["ax"] * y_ - link["ay"] * x
        for axis in range(2):
            if int(link["slides"]) >> axis & 1:
                y[:, slot], slot = along[axis], slot + 1
        if link["turn"] == HINGE:
            y[:, slot] = phi[k] - phi[p]
    y[:, tree.n_q : tree.n_q + tree.n_v] = 0.0


def _angles_of_rod(link: np.void, tips: np.ndarray, X: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """The angles of a rod from where its tip is in many poses, and where its predecessor is."""
    p = int(link["parent"])
    c, s = np.cos(phi[p]), np.sin(phi[p])
    dx = tips[:, 0] - X[p, :, 0] - (c * link["px"] - s * link["py"])
    dy = tips[:, 1] - X[p, :, 1] - (s * link["px"] + c * link["py"])
    return np.arctan2(dy, dx)


def _sizes(hung: Sequence[Hung], length: float) -> tuple[np.ndarray, np.ndarray]:
    """The sizes below which coordinates and speeds count as zero: the model's, or a radian."""
    of_q, of_v = [], []
    for one in hung:
        slides = [length] * len(one.carry.slides)
        of_q += slides + [1.0] * (len(one.beta) - len(slides))
        of_v += slides + [1.0] * (len(one.eta) - len(slides))
    return np.array(of_q), np.array(of_v)


def _tree(
    compiled: Compiled,
    system: System,
    hung: Sequence[Hung],
    cuts: Sequence[Id],
    absolute: np.ndarray,
    Y: np.ndarray,
) -> Tree:
    """The tables of a tree, with memory for one run."""
    n, dim = len(hung), system.dim
    n_q, n_v = sum(len(one.beta) for one in hung), sum(len(one.eta) for one in hung)
    rows, parts, path = _cut_rows(compiled, hung, cuts)
    acting = system.laws, system.loads, system.interactions, system.switches, rows
    is_acted = any(len(table) for table in acting)
    links, constants = _links(compiled, hung, is_acted, set(path.tolist()))
    plane, space = np.zeros(n + 1, dtype=PLANE), np.zeros((n + 1, N_SPACE))
    gravity = np.zeros(3)
    gravity[:dim] = np.array(compiled.resolved.gravity, dtype=float)
    plane[n]["a1"], plane[n]["a2"] = -gravity[0], -gravity[1]
    space[n, A_AT : A_AT + 3], space[n, R_AT : R_AT + 9] = -gravity, np.eye(3).ravel()
    angle = np.zeros((3, n + 1))
    angle[1, n] = 1.0
    cut = rows["row"]
    is_cut = np.isin(system.uses["row"], cut)
    of_shared = system.shared
    inside = of_shared < len(system.row_of)
    kept = ~inside
    kept[inside] = np.isin(system.row_of[of_shared[inside]], cut)
    n_cut = len(rows)
    return Tree(
        n_q=n_q,
        n_v=n_v,
        is_acted=int(is_acted),
        links=links,
        constants=constants,
        gravity=gravity,
        absolute=absolute,
        uses=system.uses[is_cut].copy(),
        shared=of_shared[kept].copy(),
        rows=rows,
        parts=parts,
        path=path,
        plane=plane,
        angle=angle,
        space=space,
        axes=np.zeros((n_v, N_AXIS)),
        Y=Y.copy(),
        Y_dot=np.zeros(len(Y)),
        G=np.zeros((n_cut, n_v)),
        L=np.zeros((n_cut, n_cut)),
        F=np.zeros((n_cut, n_cut)),
        b=np.zeros(n_cut),
        x=np.zeros(n_cut),
        lam=np.zeros(n_cut),
        change=np.zeros(n_v),
        held=np.zeros(0, dtype=HELD),
        left=np.zeros(len(system.weight)),
        K=np.zeros((7, 6)),
    )


def _with_reactions(compiled: Compiled, tree: Tree, hung: Sequence[Hung]) -> Tree:
    """The tree with the tables by which it finds what its own joints carry."""
    system, n, held = compiled.system, len(hung), list[tuple[int, ...]]()
    for one in reversed(hung):
        if one.branch.joint is not None:
            rows = compiled.rows_of[one.branch.joint.id]
            pair = one.branch.body, one.branch.parent
            carried = [(k, _row_of_D(system, k, rows[0])) if k < n else (-1, 0) for k in pair]
            held.append((rows[0], len(rows), *carried[0], *carried[1]))
    table = np.array(held, dtype=HELD)
    links = tree.links.copy()
    links["is_met"] = 1
    links["is_alone"] = 0
    return tree._replace(
        is_acted=1,
        links=links,
        uses=system.uses.copy(),
        shared=system.shared.copy(),
        held=table,
    )


def _row_of_D(system: System, body: int, row: int) -> int:
    """Where a body has a row of the model in D; those of its joint follow."""
    start, stop = int(system.bodies[body]["start"]), int(system.bodies[body]["stop"])
    return start + system.row_of[start:stop].tolist().index(row)


def _links(
    compiled: Compiled, hung: Sequence[Hung], is_acted: bool, on_loops: set[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The records of bodies in the order of the tree, and their constants in space."""
    n, dim, bodies = len(hung), compiled.system.dim, compiled.system.bodies
    place = {one.branch.body: k for k, one in enumerate(hung)} | {n: n}
    carrying = {place[one.branch.parent] for one in hung}
    links, constants = np.zeros(n, dtype=LINK), np.zeros((n, N_CONSTANTS))
    q_at = v_at = 0
    for k, (link, e, one) in enumerate(zip(links, constants, hung)):
        body, parent = one.branch.body, place[one.branch.parent]
        m, center = compiled.mass[body], -one.R_own.T @ one.O
        link["parent"], link["body"], link["q_at"], link["v_at"] = parent, body, q_at, v_at
        link["n_v"], link["n_slides"] = len(one.eta), len(one.carry.slides)
        link["slides"] = sum(1 << axis for axis in one.carry.slides)
        link["turn"], link["lead"], link["mass"] = one.carry.turn, one.lead, m
        link["is_branch"], link["is_met"] = int(parent != k - 1), int(is_acted)
        link["is_particle"] = int(compiled.is_particle[body])
        is_free = one.branch.joint is None and one.carry == FREE[dim]
        link["is_alone"] = int(dim == 3 and is_free and k not in carrying | on_loops)
        q_at, v_at = q_at + len(one.beta), v_at + len(one.eta)
        J = bodies[body]["J"]
        link["px"], link["py"] = one.arm[:2]
        link["phi"] = one.phi
        link["ax"], link["ay"] = one.axes[:2, 0]
        link["cx"], link["cy"] = center[:2]
        link["J"] = J[0, 0] + m * center[:2] @ center[:2]
        e[ARM_AT : ARM_AT + 3], e[AXES_AT : AXES_AT + 9] = one.arm, one.axes.ravel()
        inertia = one.R_own.T @ J @ one.R_own
        inverse = one.R_own.T @ bodies[body]["inv_J"] @ one.R_own
        e[INERTIA_AT : INERTIA_AT + 6] = inertia.ravel()[list(UPPER)]
        e[INVERSE_AT : INVERSE_AT + 6] = inverse.ravel()[list(UPPER)]
        e[CENTER_AT : CENTER_AT + 3], e[OWN_AT : OWN_AT + 9] = center, one.R_own.ravel()
    links["is_met"][[k for k in (links["parent"][links["is_branch"] == 1]) if k < n]] = 1
    return links, constants


def _cut_rows(
    compiled: Compiled, hung: Sequence[Hung], cuts: Sequence[Id]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows of cut joints, what bodies have of them, and the bodies from there to the ground."""
    system, n = compiled.system, len(hung)
    place = {one.branch.body: k for k, one in enumerate(hung)}
    parent = [place.get(one.branch.parent, n) for one in hung]
    of_row: dict[int, list[tuple[int, int, int]]] = {}
    for k, body in enumerate(system.bodies):
        for at in range(body["start"], body["stop"]):
            of_row.setdefault(int(system.row_of[at]), []).append((place[k], int(body["v_at"]), at))
    rows, parts, path = list[tuple[int, ...]](), list[tuple[int, int, int]](), list[int]()
    for id in cuts:
        first = len(rows)
        for row in compiled.rows_of[id].tolist():
            on = set[int]()
            for link, _, _ in of_row.get(row, []):
                while link < n:
                    on.add(link)
                    link = parent[link]
            start, begin = len(parts), len(path)
            parts += of_row.get(row, [])
            path += sorted(on, reverse=True)
            last = first + len(compiled.rows_of[id])
            rows.append((row, start, len(parts), begin, len(path), first, last))
    return np.array(rows, dtype=CUT_ROW), np.array(parts, dtype=CUT), np.array(path, dtype=np.int64)
