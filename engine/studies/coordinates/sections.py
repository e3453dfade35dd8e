"""The equations of each description as statements to read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from engine.errors import say
from engine.kinematics.evaluate import movable
from engine.symbols.equations import Equations
from engine.symbols.reduced.answers import ratio_pieces
from engine.symbols.reduced.ratios import velocity_ratios
from engine.symbols.traced import real
from engine.symbols.views import Section, Statement, Views

if TYPE_CHECKING:
    from engine.studies.coordinates.description import Description, Meaning
    from engine.studies.coordinates.natural import Natural
    from engine.studies.coordinates.relative import Relative

MANY = 400  # operations of an expression that nobody reads


def second(symbol: sp.Symbol) -> sp.Symbol:
    """The second derivative of a coordinate."""
    letter, _, index = str(symbol).partition("_")
    return real(f"{letter}ddot_{index}")


def coordinates_section(coordinates: "Sequence[Meaning]") -> Section:
    """What each coordinate means."""
    told = tuple(Statement((one.symbol,), one.part, one.words) for one in coordinates)
    return Section(say("Coordinates"), told)


def constraints_section(loop: Sequence[sp.Expr], none: str) -> Section:
    """What the coordinates have to fulfil."""
    if not loop:
        return Section(say("Constraints"), (Statement((), "", none),))
    return Section(say("Constraints"), tuple(Statement((x, "=", sp.S.Zero)) for x in loop))


def absolute_sections(equations: Equations) -> tuple[Section, ...]:
    """M q'' + D^T lambda = f with Phi = 0."""
    compiled = equations.compiled
    views = Views(equations)
    free, layout = movable(compiled), compiled.layout
    coordinates = []
    for k, id in enumerate(compiled.body_ids):
        symbols = [s for s, moves in zip(equations.bodies[k].q, free[layout.v(k)]) if moves]
        pieces = [p for symbol in symbols for p in (symbol, ",")][:-1]
        words = say("mass centre and angle of '{body}'", body=compiled.resolved[id].label)
        coordinates.append(Statement(tuple(pieces), id, words))
    rows = tuple(
        Statement((equations.Phi[k], "=", sp.S.Zero), compiled.row_ids[k]) for k in equations.order
    )
    return (
        Section(say("Coordinates"), tuple(coordinates)),
        Section(say("Constraints"), rows or (Statement((), "", say("none")),)),
        *views.view("matrix"),
    )


def relative_sections(one: "Relative") -> tuple[Section, ...]:
    """M u'' + B^T mu = h with the closure of loops."""
    M, h = one.shown()
    return (
        coordinates_section(one.coordinates),
        constraints_section(one.loop, say("none: the joints form a tree")),
        *_motion(one, M, h),
    )


def natural_sections(one: "Natural", equations: Equations) -> tuple[Section, ...]:
    """M u'' + B^T mu = h with constant M and quadratic constraints."""
    posed, layout = set(equations.q) | set(equations.v), equations.compiled.layout
    h: tuple[sp.Expr, ...] = ()
    if not any(x.free_symbols & posed for x in equations.f):
        slopes = [[sp.diff(c, s) for s in one.u] for c in one.centers]
        h = tuple(
            sp.Add(
                *(
                    slopes[2 * k + c][j] * equations.f[layout.velocity(k).start + c]
                    for k in range(len(one.on))
                    for c in range(2)
                ),
                *(
                    one.turns[k * one.n + j] * equations.f[layout.spin(k).start]
                    for k in range(len(one.on))
                ),
            )
            for j in range(one.n)
        )
    return (
        coordinates_section(one.coordinates),
        constraints_section(one.loop, say("none")),
        *_motion(one, one.M_symbols, h),
    )


def independent_sections(one: "Relative", free: Sequence[int]) -> tuple[Section, ...]:
    """The dependent coordinates by the independent ones, and what is left of the equations of motion."""
    rest = [k for k in range(one.n) if k not in free]
    chosen = [one.coordinates[k] for k in free]
    sections = [coordinates_section(chosen)]
    u_free = sp.Matrix([one.rates[k] for k in free])
    if rest:
        u_dep = sp.Matrix([one.rates[k] for k in rest])
        closing = constraints_section(one.loop, "").statements
        others = tuple(
            Statement((one.u[k],), one.coordinates[k].part, one.coordinates[k].words) for k in rest
        )
        sections.append(
            Section(say("The others, from the loops by Newton's method"), (*others, *closing))
        )
        B = one.B_symbols
        rates = Statement((B[:, rest], u_dep, "= −", B[:, list(free)], u_free))
        sections.append(Section(say("Their rates"), (rates,)))
        if free == (0,):
            ratios = velocity_ratios(one.reduced)
            told = tuple(Statement(ratio_pieces(ratio)) for ratio in ratios)
            if told:
                sections.append(Section(say("Velocity ratios"), told))
    accelerations = sp.Matrix([second(one.u[k]) for k in free])
    if rest:
        words = say("K = [1; −B_dep⁻¹ B_free] gives all rates, c the part of u'' without u_free''")
        left = Statement(("Kᵀ M K", accelerations, "= Kᵀ (h − M c)"), "", words)
        sections.append(Section(say("Equations of motion"), (left,)))
    else:
        M, h = one.shown()
        sections += _motion(one, M, h)
    return tuple(sections)


def _motion(one: "Description", M: sp.Matrix, h: Sequence[sp.Expr]) -> list[Section]:
    """M u'' + B^T mu = h and B u'' = gamma."""
    accelerations = sp.Matrix([second(s) for s in one.u])
    right: Any = sp.Matrix(h) if h and sum(x.count_ops() for x in h) < MANY else "h"
    pieces: tuple[Any, ...] = (M, accelerations)
    sections = []
    if one.m:
        mu = sp.Matrix([real(f"mu_{k + 1}") for k in range(one.m)])
        pieces = (*pieces, "+", one.B_symbols.T, mu)
    sections.append(Section(say("Equations of motion"), (Statement((*pieces, "=", right)),)))
    if one.m:
        gamma = sp.Matrix(one.gamma_symbols)
        second_of = Statement((one.B_symbols, accelerations, "=", gamma))
        sections.append(Section(say("The constraints, differentiated twice"), (second_of,)))
    return sections
