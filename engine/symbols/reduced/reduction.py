"""The equations of a planar model in the coordinates of its joints: a spanning tree and closed loops.

    q = q(u)        R = dq/du        M_u u'' = h        M_u = R^T M R,   h = R^T (f - M R' u')

u are angles of bodies behind pins, counted from the world's x axis as the lecture does, and
displacements along guides. Without loops this is the reduced equation. Needs sympy alone: it is done in
a process of its own.
"""

from collections.abc import Mapping
from typing import NamedTuple

import sympy as sp

from engine.symbols.reduced.trigonometry import (
    Form,
    content,
    divided,
    fourier,
    rational,
    shortest,
    without_common_factor,
    written,
)

MOST_SOLVED = 3  # coordinates up to which u'' itself is written out
MOST_ROOTED = 12  # terms under a root that may be a square
Place = tuple[tuple[sp.Expr, sp.Expr], sp.Expr]  # mass centre and angle


class Link(NamedTuple):
    """A joint of the tree: it ties body `there` to body `here`, and which coordinates it adds."""

    joint: str
    here: int
    there: int
    P_here: tuple[sp.Expr, sp.Expr]  # from the mass centre, body axes
    P_there: tuple[sp.Expr, sp.Expr]
    turns: bool
    slides: bool
    guide_on_here: bool  # whether the guide turns with the body that is placed already
    guide_angle: sp.Expr  # of the guide in its body
    offset: sp.Expr  # angle of `there` against `here` where nothing turns


class Problem(NamedTuple):
    """What a reduction starts from, all of it expressions: it can be sent to another process."""

    q: tuple[sp.Expr, ...]  # x, y, phi of every body
    v: tuple[sp.Expr, ...]
    masses: tuple[sp.Expr, ...]  # the diagonal of M
    f: tuple[sp.Expr, ...]
    links: tuple[Link, ...]
    closing: tuple[sp.Expr, ...]  # Phi of the rows that no link has taken
    names: tuple[str, ...]  # of the bodies in symbols
    values: Mapping[sp.Expr, float]  # of all symbols, coordinates as drawn


class Reduced(NamedTuple):
    """The equations in joint coordinates."""

    u: tuple[sp.Symbol, ...]
    rates: tuple[sp.Symbol, ...]
    joints: tuple[str, ...]  # of each coordinate
    q: tuple[sp.Expr, ...]
    R: sp.Matrix
    bias: tuple[sp.Expr, ...]  # R' u'
    M: sp.Matrix
    h: tuple[sp.Expr, ...]
    loop: tuple[sp.Expr, ...]


def reduce(problem: Problem, *, relative: bool = False) -> Reduced:
    """M_u and h as sums and products that are not simplified yet, and the closure of loops.

    Relative: angles are counted from the body before instead of the world's x axis, theta instead of phi.
    """
    u: list[sp.Symbol] = []
    joints: list[str] = []
    places: dict[int, Place] = {-1: ((sp.S.Zero, sp.S.Zero), sp.S.Zero)}
    for link in problem.links:
        place = places[link.here]
        places[link.there] = _placed(link, place, problem.names, u, joints, relative)
    q = tuple(
        sp.expand(x) for k in range(len(problem.names)) for x in (*places[k][0], places[k][1])
    )
    rates = tuple(sp.Symbol(_rate_name(str(a)), real=True) for a in u)
    R = sp.Matrix(len(q), len(u), lambda i, j: sp.diff(q[i], u[j]))
    speeds = [sp.Add(*(R[i, j] * b for j, b in enumerate(rates))) for i in range(len(q))]
    bias = tuple(sp.Add(*(sp.diff(x, a) * b for a, b in zip(u, rates))) for x in speeds)
    put = dict(zip((*problem.q, *problem.v), (*q, *speeds)))
    f = [_rooted(x.subs(put, simultaneous=True), problem.values) for x in problem.f]
    columns = [list(R.col(j)) for j in range(len(u))]
    M = sp.Matrix(
        len(u),
        len(u),
        lambda i, j: sp.Add(
            *(a * m * b for a, m, b in zip(columns[i], problem.masses, columns[j]))
        ),
    )
    rest = [a - m * b for a, m, b in zip(f, problem.masses, bias)]
    h = tuple(sp.Add(*(a * b for a, b in zip(column, rest))) for column in columns)
    loop = tuple(x.subs(put, simultaneous=True) for x in problem.closing)
    return Reduced(tuple(u), rates, tuple(joints), q, R, bias, M, h, loop)


def _rate_name(name: str) -> str:
    letter, _, index = name.partition("_")
    return f"{letter}dot_{index}"


def _placed(
    link: Link,
    place: Place,
    names: tuple[str, ...],
    u: list[sp.Symbol],
    joints: list[str],
    relative: bool,
) -> Place:
    """Where the next body is, told by new coordinates of the joint that ties it; adds to u and joints."""
    (r, phi), n = place, names[link.there]
    angle = phi + link.offset
    if link.turns:
        symbol = sp.Symbol(f"theta_{n}" if relative else f"phi_{n}", real=True)
        angle = phi + symbol if relative else symbol
        u.append(symbol)
        joints.append(link.joint)
    start = _plus(r, _turned(phi, link.P_here))
    if link.slides:
        slide = sp.Symbol(f"s_{n}", real=True)
        u.append(slide)
        joints.append(link.joint)
        along = (phi if link.guide_on_here else angle) + link.guide_angle
        sign = 1 if link.guide_on_here else -1
        start = _plus(start, (sp.cos(along), sp.sin(along)), sign * slide)
    return _plus(start, _turned(angle, link.P_there), -1), angle


def _turned(angle: sp.Expr, a: tuple[sp.Expr, sp.Expr]) -> tuple[sp.Expr, sp.Expr]:
    c, s = sp.cos(angle), sp.sin(angle)
    return c * a[0] - s * a[1], s * a[0] + c * a[1]


def _plus(
    a: tuple[sp.Expr, sp.Expr], b: tuple[sp.Expr, sp.Expr], factor: sp.Expr | int = 1
) -> tuple[sp.Expr, sp.Expr]:
    return a[0] + factor * b[0], a[1] + factor * b[1]


def _rooted(g: sp.Expr, values: Mapping[sp.Expr, float]) -> sp.Expr:
    """Roots of squares with the sign they have as drawn: the length of a spring along its guide."""
    change = {}
    for root in g.atoms(sp.Pow):
        if abs(root.exp) == sp.Rational(1, 2):
            form = fourier(root.base)
            if 0 < len(form) <= MOST_ROOTED:
                change[root] = sp.sqrt(sp.factor(written(form))) ** (2 * root.exp)
    g = g.xreplace(change)
    sizes = {size: size.args[0] for size in g.atoms(sp.Abs)}
    return g.xreplace({size: x if x.subs(values) > 0 else -x for size, x in sizes.items()})


def matrix_form(reduced: Reduced) -> tuple[sp.Matrix, tuple[sp.Expr, ...]]:
    """M_u and h, every entry in its shortest form."""

    def short(x: sp.Expr) -> sp.Expr:
        form = fourier(x)
        return shortest(form, reduced.rates) if form else sp.S.Zero

    return reduced.M.applyfunc(short), tuple(map(short, reduced.h))


def solved(reduced: Reduced) -> tuple[sp.Expr, ...]:
    """u'' by Cramer's rule in normal form, of coordinates that M couples together."""
    n = len(reduced.u)
    M = [[normal(reduced.M[i, j]) for j in range(n)] for i in range(n)]
    h = [normal(x) for x in reduced.h]
    answers = [sp.S.Zero] * n
    for block in coupled(M):
        A = [[M[i][j] for j in block] for i in block]
        under = fourier(determinant(A))
        for c, k in enumerate(block):
            swapped = [
                [h[i] if n == c else x for n, x in enumerate(row)] for i, row in zip(block, A)
            ]
            answers[k] = quotient(fourier(determinant(swapped)), under, reduced.rates)
    return tuple(answers)


def coupled(M: list[list[sp.Expr]]) -> list[list[int]]:
    """The coordinates in groups between which all entries of M are zero."""
    groups: list[list[int]] = []
    for k in range(len(M)):
        joined = [group for group in groups if any(M[k][j] != 0 for j in group)]
        groups = [group for group in groups if group not in joined]
        groups.append(sorted([k, *(j for group in joined for j in group)]))
    return sorted(groups)


def quotient(top: Form, under: Form, outer: tuple[sp.Symbol, ...] = ()) -> sp.Expr:
    """top / under without common factors, both in their shortest form."""
    if not top:
        return sp.S.Zero
    top, under = without_common_factor(top, under)
    (n_top, m_top), (n_under, m_under) = content(top), content(under)
    factor = rational(n_top / n_under) * m_top / m_under
    over, below = sp.fraction(sp.cancel(factor))
    numerator = over * shortest(divided(top, n_top, m_top), outer)
    return numerator / (below * shortest(divided(under, n_under, m_under), outer))


def normal(x: sp.Expr) -> sp.Expr:
    """An expression written from its normal form."""
    return written(fourier(x)) if x != 0 else sp.S.Zero


def determinant(A: list[list[sp.Expr]]) -> sp.Expr:
    """By minors: entries are sums, and nothing is divided."""
    if len(A) == 1:
        return A[0][0]
    return sp.Add(
        *(
            (-1) ** k * A[0][k] * determinant([row[:k] + row[k + 1 :] for row in A[1:]])
            for k in range(len(A))
            if A[0][k] != 0
        )
    )
