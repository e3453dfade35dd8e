"""B, C, J, H, M^, k^c and k^t of a small tree in symbols, as tree_equations has them in numbers.

Symbols are the coordinates beta and speeds eta of the joints, and the masses m of the bodies; lengths and
inertia are numbers of the model. In k^t stands the weight, and where more acts its wrenches (M, F) about O.
In the plane products of sines become sums of angles; in space that would take too long.
"""

from typing import NamedTuple

import numpy as np
import sympy as sp

from engine.errors import EngineError
from engine.kernels.trees.layout import BALL, CROSS, HINGE, SCREW
from engine.studies.tree_equations import PLANAR, TreeEquations
from engine.studies.tree_tables import BETA, ETA, WRENCH, Grid, grid
from engine.symbols.traced import exact
from engine.trees.poses import Hung

MOST = {2: 4, 3: 3}  # bodies: of more nobody reads the formulas
NAMES = ("B", "C", "J", "H", "minimal")
ZERO = sp.zeros(3, 1)
TWIST = 6  # numbers of a twist in space


class TreeSymbols(NamedTuple):
    """The matrices of a tree in symbols, and the symbols in the order of the tree."""

    beta: tuple[sp.Symbol, ...]
    eta: tuple[sp.Symbol, ...]
    masses: tuple[sp.Symbol, ...]
    wrenches: tuple[sp.Symbol, ...]  # of what acts besides the weight; empty if nothing does
    B: sp.Matrix
    C: sp.Matrix
    J: sp.Matrix
    H: sp.Matrix
    M_hat: sp.Matrix
    k_c: sp.Matrix
    k_t: sp.Matrix


class _Placed(NamedTuple):
    """A body of the tree in symbols, in world axes."""

    R: sp.Matrix  # axes of its joint
    angle: sp.Expr  # in the plane
    w: sp.Matrix


def check_size(tree: TreeEquations) -> None:
    """Raise if the formulas would be too long to be read."""
    most = MOST[tree.compiled.system.dim]
    if len(tree.hung) > most:
        raise EngineError(
            "The matrices of {n} bodies are too long in symbols; those of up to {most} are written out. "
            "Look at the numbers.",
            n=len(tree.hung),
            most=most,
        )
    balls = [one for one in tree.hung if one.carry.turn == BALL]
    if balls:
        id = tree.compiled.body_ids[balls[0].branch.body]
        raise EngineError(
            "Body '{name}' turns by a quaternion, whose products are too long in symbols. Look at the "
            "numbers.",
            id,
            name=tree.compiled.resolved[id].label,
        )


def tree_symbols(tree: TreeEquations) -> TreeSymbols:
    """The matrices of a small tree in symbols."""
    check_size(tree)
    n, dim = len(tree.hung), tree.compiled.system.dim
    beta = sp.symbols([f"{BETA}{k + 1}" for k in range(len(tree.beta))], real=True)
    eta = sp.symbols([f"{ETA}{k + 1}" for k in range(len(tree.eta))], real=True)
    masses = sp.symbols([f"m{k + 1}" for k in range(n)], positive=True)
    B, C, gamma = sp.eye(TWIST * n), sp.zeros(TWIST * n, len(eta)), sp.zeros(TWIST * n, 1)
    M, f_c, f_t = sp.zeros(TWIST * n, TWIST * n), sp.zeros(TWIST * n, 1), sp.zeros(TWIST * n, 1)
    placed = {-1: _Placed(sp.eye(3), sp.S.Zero, ZERO)}
    q_at = v_at = 0
    for k, (one, before) in enumerate(zip(tree.hung, tree.predecessors)):
        at, parent = slice(TWIST * k, TWIST * (k + 1)), before - 1
        own = beta[q_at : q_at + len(one.beta)], eta[v_at : v_at + len(one.eta)]
        r, columns, rate, placed[k] = _joint(one, placed[parent], *own, dim)
        C[at, v_at : v_at + len(one.eta)], gamma[at, 0] = columns, rate
        if parent >= 0:
            B[at, TWIST * parent : TWIST * (parent + 1)] = -_carried(r)
        M[at, at], f_c[at, 0], f_t[at, 0] = _momentum(tree, one, placed[k], masses[k])
        q_at, v_at = q_at + len(one.beta), v_at + len(one.eta)
    acting = _acting(tree)
    if acting:
        f_t += sp.Matrix([x for k in range(n) for x in acting[TWIST * k : TWIST * (k + 1)]])
    if dim == 2:
        rows = [TWIST * k + c for k in range(n) for c in PLANAR]
        B, M = B.extract(rows, rows), M.extract(rows, rows)
        C, gamma, f_c, f_t = (x.extract(rows, list(range(x.cols))) for x in (C, gamma, f_c, f_t))
        acting = tuple(acting[k] for k in rows) if acting else ()
    J, away = _carried_out(tree, B, C), _carried_out(tree, B, gamma)
    found = B, C, J, J.T * M * J, J.T * (f_c - M * away), J.T * f_t
    B, C, J, M_hat, k_c, k_t = (_short(x) if dim == 2 else x.applyfunc(sp.expand) for x in found)
    names = tuple(beta), tuple(eta), tuple(masses), acting
    return TreeSymbols(*names, B, C, J, sp.eye(len(eta)), M_hat, k_c, k_t)


def symbol_grids(tree: TreeEquations) -> dict[str, Grid]:
    """The tables of NAMES with formulas in the place of numbers."""
    found = tree_symbols(tree)
    minimal = found.M_hat.row_join(found.k_c).row_join(found.k_t)
    matrices = {"B": found.B, "C": found.C, "J": found.J, "H": found.H, "minimal": minimal}
    grids = {}
    for name, matrix in matrices.items():
        numbers = grid(tree, name)
        texts = np.array([[written(x) for x in row] for row in matrix.tolist()], dtype=object)
        columns = numbers.columns[: matrix.cols]
        grids[name] = numbers._replace(columns=columns, values=texts)
    return grids


def written(x: sp.Expr) -> str:
    """A formula as text: powers as digits above, products as dots."""
    return str(x).replace("**2", "\u00b2").replace("*", "\u00b7")


def _acting(tree: TreeEquations) -> tuple[sp.Symbol, ...]:
    """The wrenches of all bodies, where something besides the weight acts on any."""
    system = tree.compiled.system
    if not len(system.laws) + len(system.loads) + len(system.interactions):
        return ()
    names = [f"{c}{k + 1}" for k in range(len(tree.hung)) for c in WRENCH[6]]
    if system.dim == 2:  # one moment
        names = [name.replace("Mz", "M") for name in names]
    return tuple(sp.symbols(names, real=True))


def _joint(
    one: Hung, before: _Placed, beta: list[sp.Symbol], eta: list[sp.Symbol], dim: int
) -> tuple[sp.Matrix, sp.Matrix, sp.Matrix, _Placed]:
    """The arm from O to O, C_i, gamma_i^rel, and where the body is then."""
    fixed, slides = before.R * _numbers(one.axes), list(one.carry.slides)
    r = before.R * _numbers(one.arm)
    for axis, x in zip(slides, beta):
        r += x * fixed[:, axis]
    turned, speeds = beta[len(slides) :], eta[len(slides) :]
    R, axes, angle = _turned(one, before, fixed, turned, dim)
    lead = exact(one.lead)
    columns = sp.zeros(6, len(eta))
    for c, axis in enumerate(slides):
        columns[3:, c] = fixed[:, axis]
    for c, axis in enumerate(axes, len(slides)):
        columns[:3, c] = axis
        columns[3:, c] = lead * axis
    if one.carry.turn == SCREW:
        r += lead * turned[0] * fixed[:, 2]
    moving = columns * sp.Matrix(eta) if eta else sp.zeros(6, 1)
    u, w = moving[3:, 0], before.w
    rate = w.cross(moving[:3, 0]).col_join(w.cross(w.cross(r)) + 2 * w.cross(u))
    if one.carry.turn == CROSS:  # the second axis turns with the first
        extra = (axes[0] * speeds[0]).cross(axes[1] * speeds[1])
        rate = rate + extra.col_join(ZERO)
    return r, columns, rate, _Placed(R, angle, w + moving[:3, 0])


def _turned(
    one: Hung, before: _Placed, fixed: sp.Matrix, beta: list[sp.Symbol], dim: int
) -> tuple[sp.Matrix, list[sp.Matrix], sp.Expr]:
    """The axes of the joint behind its turn, those about which it turns, and the angle in the plane."""
    turn = one.carry.turn
    if dim == 2:
        angle = before.angle + (beta[0] if turn == HINGE else exact(one.phi))
        return _elementary(2, angle), [sp.Matrix([0, 0, 1])] * (turn == HINGE), angle
    if turn in (HINGE, SCREW):
        return fixed * _elementary(2, beta[0]), [fixed[:, 2]], sp.S.Zero
    if turn == CROSS:
        R = fixed * _elementary(0, beta[0]) * _elementary(1, beta[1])
        return R, [fixed[:, 0], R[:, 1]], sp.S.Zero
    return fixed, [], sp.S.Zero


def _elementary(axis: int, angle: sp.Expr) -> sp.Matrix:
    """The rotation by an angle about one axis."""
    c, s, (i, j) = sp.cos(angle), sp.sin(angle), ((1, 2), (2, 0), (0, 1))[axis]
    R = sp.eye(3)
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R


def _momentum(
    tree: TreeEquations, one: Hung, placed: _Placed, m: sp.Symbol
) -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """M_i, f_i^c and the weight about O_i."""
    k, dim = one.branch.body, tree.compiled.system.dim
    J = np.array(tree.compiled.system.bodies["J"][k])
    R = placed.R * _numbers(one.R_own.T)
    if tree.compiled.is_particle[k]:
        R = sp.eye(3)
    rho, w = -R * _numbers(one.O), placed.w
    inertia = sp.diag(0, 0, exact(float(J[0, 0]))) if dim == 2 else R * _numbers(J) * R.T
    tilde = _tilde(rho)
    about_O = inertia + m * tilde.T * tilde
    M = about_O.row_join(m * tilde).col_join((m * tilde.T).row_join(m * sp.eye(3)))
    f_c = (-w.cross(about_O * w)).col_join(-m * w.cross(w.cross(rho)))
    weight = m * _numbers(np.append(tree.compiled.resolved.gravity, 0.0)[:3])
    return M, f_c, rho.cross(weight).col_join(weight)


def _carried_out(tree: TreeEquations, B: sp.Matrix, x: sp.Matrix) -> sp.Matrix:
    """B^-1 x from body to body, as B has one block beside its diagonal."""
    size, found = tree.size, x.copy()
    for k, before in enumerate(tree.predecessors):
        if before:
            at, of = slice(size * k, size * (k + 1)), slice(size * (before - 1), size * before)
            found[at, :] = found[at, :] - B[at, of] * found[of, :]
    return found


def _carried(r: sp.Matrix) -> sp.Matrix:
    """B_ip: the twist of the predecessor, taken to O_i."""
    return sp.eye(3).row_join(sp.zeros(3)).col_join((-_tilde(r)).row_join(sp.eye(3)))


def _tilde(a: sp.Matrix) -> sp.Matrix:
    """The matrix of the product a x."""
    return sp.Matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def _numbers(x: np.ndarray) -> sp.Matrix:
    """Numbers as short fractions, where they are; rounding is zero."""
    return sp.Matrix(
        np.vectorize(lambda a: exact(float(a)) if abs(a) > 1e-13 else sp.S.Zero, otypes=[object])(x)
    )


def _short(matrix: sp.Matrix) -> sp.Matrix:
    """The entries with sums of angles in the place of products of sines."""
    return matrix.applyfunc(lambda x: sp.trigsimp(sp.expand(x)) if x.free_symbols else sp.expand(x))
