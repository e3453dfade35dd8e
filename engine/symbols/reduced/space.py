"""The equations of a tree in space in the coordinates of its joints. Needs sympy alone.

Every body has v, the velocity of its mass centre, and w, both along its own axes, linear in u':

    v = V u'    w = W u'        M_u = sum m V^T V + W^T J W
    h = sum V^T (R^T f - m (V' u' + w x v)) + W^T (f_w - J W' u')

Along body axes they hold only the angles of joints that lie between: so M_u is as short as it is in books.
f_w is what turns the body, with -w x J w in it.
"""

from typing import NamedTuple

import sympy as sp

from engine.symbols.reduced.reduction import Reduced
from engine.symbols.reduced.trigonometry import fourier, written

UNIT = sp.eye(3)


class Step(NamedTuple):
    """A joint of the tree: where it is on both bodies, and how the second one slides and turns."""

    joint: str
    here: int  # -1: the ground
    there: int
    P_here: tuple[sp.Expr, ...]  # from the mass centre, body axes
    axes_here: sp.Matrix  # columns, in body axes
    P_there: tuple[sp.Expr, ...]
    axes_there: sp.Matrix
    slides: tuple[tuple[int, str], ...]  # along these axes, with the names of the coordinates
    turns: tuple[tuple[int, str], ...]  # then about these, one after the other
    lead: sp.Expr  # way along z for each radian of the first turn: of a screw


class SpatialProblem(NamedTuple):
    """What a reduction in space starts from, all of it expressions."""

    q: tuple[sp.Expr, ...]  # r and the entries of R of every body
    v: tuple[sp.Expr, ...]  # r' in world axes and w in body axes
    masses: tuple[sp.Expr, ...]
    inertias: tuple[sp.Matrix, ...]
    forces: tuple[sp.Matrix, ...]  # of every body, world axes
    moments: tuple[sp.Matrix, ...]  # body axes, with -w x J w
    steps: tuple[Step, ...]
    closing: tuple[sp.Expr, ...]
    names: tuple[str, ...]


class _Placed(NamedTuple):
    """Where a body is and how fast."""

    r: sp.Matrix  # world axes
    R: sp.Matrix
    v: sp.Matrix  # body axes
    w: sp.Matrix


NOWHERE = _Placed(sp.zeros(3, 1), UNIT, sp.zeros(3, 1), sp.zeros(3, 1))


def reduce_in_space(problem: SpatialProblem) -> Reduced:
    """M_u and h, and q with its rates v = R u', in joint coordinates."""
    u: list[sp.Symbol] = []
    joints: list[str] = []
    found: dict[int, _Placed] = {-1: NOWHERE}
    for step in problem.steps:
        found[step.there] = _placed(step, found[step.here], u, joints)
    rates = [rate_of(a) for a in u]
    bodies = [found[k] for k in range(len(problem.names))]
    q = [x for body in bodies for x in (*body.r, *body.R)]
    speeds = [x for body in bodies for x in (*(body.R * body.v), *body.w)]
    put = dict(zip((*problem.q, *problem.v), (*q, *speeds)))
    n = len(u)
    M, h = sp.zeros(n, n), sp.zeros(n, 1)
    for k, body in enumerate(bodies):
        m, J = problem.masses[k], problem.inertias[k]
        V, W = (_slopes(x, rates) for x in (body.v, body.w))
        M += m * V.T * V + W.T * J * W
        push = body.R.T * problem.forces[k].xreplace(put)
        turn = problem.moments[k].xreplace(put)
        turned = _along(body.v, u, rates) + body.w.cross(body.v)
        h += V.T * (push - m * turned) + W.T * (turn - J * _along(body.w, u, rates))
    R = sp.Matrix(len(speeds), n, lambda i, j: sp.diff(speeds[i], rates[j]))
    bias = tuple(_along(sp.Matrix(speeds), u, rates))
    loop = tuple(_unwound(x.xreplace(put)) for x in problem.closing)
    return Reduced(tuple(u), tuple(rates), tuple(joints), tuple(q), R, bias, M, tuple(h), loop)


def rate_of(coordinate: sp.Symbol) -> sp.Symbol:
    """The symbol of its rate."""
    letter, _, index = str(coordinate).partition("_")
    return sp.Symbol(f"{letter}dot_{index}", real=True)


def _placed(step: Step, before: _Placed, u: list[sp.Symbol], joints: list[str]) -> _Placed:
    """The next body, told by new coordinates of the joint that carries it; adds to u and joints.

    It hangs at P_here + A d on the body before, and turns there by Q = A R_1 R_2 ... A_there^T.
    """

    def coordinate(name: str) -> sp.Symbol:
        u.append(sp.Symbol(name, real=True))
        joints.append(step.joint)
        return u[-1]

    A = step.axes_here
    d, d_rate = sp.zeros(3, 1), sp.zeros(3, 1)
    for axis, name in step.slides:
        d[axis] = coordinate(name)
        d_rate[axis] = rate_of(u[-1])
    turned, w = A, sp.zeros(3, 1)  # w along the axes of the body before
    for axis, name in step.turns:
        angle = coordinate(name)
        w += turned[:, axis] * rate_of(angle)
        turned = turned * elementary(axis, angle)
        if step.lead != 0:
            d[2], d_rate[2] = step.lead * angle, step.lead * rate_of(angle)
    Q = turned * step.axes_there.T
    P, O = sp.Matrix(step.P_here) + A * d, sp.Matrix(step.P_there)
    W = _short(Q.T * (before.w + w))
    v = Q.T * (before.v + before.w.cross(P) + A * d_rate) - W.cross(O)
    R = before.R * Q
    return _Placed(before.r + before.R * P - R * O, R, _short(v), W)


def elementary(axis: int, angle: sp.Expr) -> sp.Matrix:
    """The turn about coordinate axis 0, 1 or 2."""
    c, s = sp.cos(angle), sp.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    M = sp.eye(3)
    M[j, j], M[j, k], M[k, j], M[k, k] = c, -s, s, c
    return M


def _short(vector: sp.Matrix) -> sp.Matrix:
    """Every component in normal form, in which what cancels is gone."""
    return vector.applyfunc(lambda x: written(form) if (form := fourier(x)) else sp.S.Zero)


def _unwound(x: sp.Expr) -> sp.Expr:
    """The angle itself in the place of its direction, which differs by full turns alone."""
    pairs = {one: one.args for one in x.atoms(sp.atan2)}
    angles = {
        one: up.args[0]
        for one, (up, along) in pairs.items()
        if isinstance(up, sp.sin) and along == sp.cos(up.args[0])
    }
    return x.xreplace(angles)


def _slopes(vector: sp.Matrix, rates: list[sp.Symbol]) -> sp.Matrix:
    """How a vector that is linear in the rates depends on each."""
    return sp.Matrix(len(vector), len(rates), lambda i, j: sp.diff(vector[i], rates[j]))


def _along(vector: sp.Matrix, u: list[sp.Symbol], rates: list[sp.Symbol]) -> sp.Matrix:
    """The rate of a vector while all u' stay."""
    return vector.applyfunc(lambda x: sp.Add(*(sp.diff(x, a) * b for a, b in zip(u, rates))))
