"""The equations of motion as statements to read: by index, by body, as powers, as one matrix.

A statement is a row of pieces: words of mathematics such as "=", expressions and matrices. Rows stand in
the order of the model's elements, each with the element it belongs to.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from engine.errors import say
from engine.kinematics.evaluate import movable
from engine.model.elements import Id
from engine.symbols.equations import Equations
from engine.symbols.traced import real

Piece = Any  # text, an expression or a matrix
VIEWS = {
    "matrix": say("The whole system"),
    "index_3": say("Index 3: positions"),
    "index_2": say("Index 2: velocities"),
    "index_1": say("Index 1: accelerations"),
    "newton_euler": say("Newton and Euler, body by body"),
    "power": say("Virtual power"),
}


class Statement(NamedTuple):
    """One line of mathematics, and the element it is about."""

    pieces: tuple[Piece, ...]
    part: Id = ""
    says: str = ""  # in words, where words help


class Section(NamedTuple):
    """Statements under one heading."""

    title: str
    statements: tuple[Statement, ...]


class Views:
    """The statements of a model in symbols; force laws stay folded unless they are named in `unfolded`."""

    def __init__(self, equations: Equations, unfolded: frozenset[Id] = frozenset()) -> None:
        self.equations, self.unfolded = equations, unfolded
        self.order = equations.order
        self.columns = [int(k) for k in np.flatnonzero(movable(equations.compiled))]
        self.a = [real(_accelerated(str(v))) for v in equations.v]
        self.owners = dict(equations.names.owners)
        for a, v in zip(self.a, equations.v):
            self.owners[a] = self.owners[v]
        self.laws = list(self._folded_laws())
        self.f = self._folded_forces()

    # --- force laws as N, l and grad l

    def _folded_laws(self) -> Iterator["_Law"]:
        """The symbols of each law along a coordinate that is not unfolded."""
        count: dict[Id, int] = {}
        for id, N, x, gradient in self.equations.tensions:
            count[id] = count.get(id, 0) + 1
            name = id if count[id] == 1 else f"{id}_{count[id]}"
            folded = id not in self.unfolded and (N.count_ops() > 3 or x.x.count_ops() > 3)
            symbols = real(f"N_{name}"), real(f"l_{name}"), real(f"ldot_{name}")
            slopes = {
                k: real(f"grad|l_{name}|{_coordinate_of(str(self.equations.v[k]))}")
                for k in gradient
            }
            for symbol in (*symbols, *slopes.values()):
                self.owners[symbol] = id
            yield _Law(id, folded, N, x, gradient, *symbols, slopes)

    def _folded_forces(self) -> list[sp.Expr]:
        """f with N grad l in the place of folded laws."""
        along = {law.id for law in self.laws}
        f = [sp.S.Zero] * len(self.equations.v)
        for id, part in self.equations.parts.items():
            for k, force in part.items() if id not in along else ():
                f[k] += force
        for law in self.laws:
            for k, slope in law.gradient.items():
                if law.folded:
                    f[k] -= law.N_symbol * (slope if slope.count_ops() <= 1 else law.slopes[k])
                else:
                    f[k] -= law.N * slope
        return f

    def definitions(self) -> Section:
        """What the symbols of folded laws stand for."""
        found = []
        for law in self.laws:
            if law.folded:
                short = {law.x.x: law.l_symbol, law.x.dot: law.rate_symbol}
                N = law.N.subs(short) if law.x.x != 0 else law.N
                found.append(Statement((law.N_symbol, "=", N), law.id))
                if law.l_symbol in N.free_symbols:
                    found.append(Statement((law.l_symbol, "=", law.x.x), law.id))
                if law.rate_symbol in N.free_symbols:
                    found.append(Statement((law.rate_symbol, "=", law.x.dot), law.id))
        return Section(say("Forces of laws"), tuple(found))

    # --- pieces

    def column(self, entries: list[sp.Expr]) -> sp.Matrix:
        """Entries of rows in the order of the model."""
        return sp.Matrix([entries[k] for k in self.order] or [0])

    @property
    def D(self) -> sp.Matrix:
        """D with its rows in the order of the model; a point mass has no columns for turning."""
        D = self.equations.D
        return D.extract(self.order, self.columns) if self.order else sp.zeros(0, len(self.columns))

    @property
    def M(self) -> sp.Matrix:
        """M without the rows and columns of turning point masses."""
        return self.equations.M.extract(self.columns, self.columns)

    def chosen(self, entries: list[sp.Expr]) -> list[sp.Expr]:
        """Entries as v has them, without those of turning point masses."""
        return [entries[k] for k in self.columns]

    def parts(self) -> list[Id]:
        """The element of each row, in the order of the model."""
        return [self.equations.compiled.row_ids[k] for k in self.order]

    def legend(self) -> Section:
        """Which body an index means, and the coordinates."""
        equations = self.equations
        statements = [
            Statement(
                (sp.Matrix([self._coordinates_of(k)]),),
                id,
                say("'{body}'", body=equations.compiled.model[id].label),
            )
            for k, id in enumerate(equations.compiled.body_ids)
        ]
        return Section(say("Coordinates"), tuple(statements))

    def _coordinates_of(self, k: int) -> list[sp.Expr]:
        """x, y and phi; in space the place alone, for R has nine entries."""
        is_point = bool(self.equations.compiled.is_particle[k])
        count = 2 if self.equations.dim == 2 and is_point else 3
        return list(self.equations.bodies[k].q[:count])

    # --- views

    def view(self, name: str) -> list[Section]:
        """The sections of a view."""
        made = {
            "matrix": self._matrix,
            "index_3": lambda: self._index(3),
            "index_2": lambda: self._index(2),
            "index_1": lambda: self._index(1),
            "newton_euler": self._newton_euler,
            "power": self._power,
        }[name]()
        explained = [self.definitions(), self._shorts()]
        return [self.legend(), *made, *(section for section in explained if section.statements)]

    def _shorts(self) -> Section:
        """Arms, axes and angular velocities in world axes, in space."""
        meaning = list(self.equations.short.meaning.items())
        index = {
            body.name: id
            for body, id in zip(self.equations.bodies, self.equations.compiled.body_ids)
        }
        found = []
        for k in range(0, len(meaning), 3):
            symbols, values = zip(*meaning[k : k + 3])
            id = index[str(symbols[0]).partition("_")[2]]
            self.owners |= dict.fromkeys(symbols, id)
            found.append(Statement((sp.Matrix(symbols), "=", sp.Matrix(values)), id))
        return Section(say("Arms s, axes e and angular velocities W in world axes"), tuple(found))

    def _dynamics(self) -> Section:
        M, D = self.M, self.D
        a, lam = sp.Matrix(self.chosen(self.a) or [0]), self.column(list(self.equations.lam))
        pieces: tuple[Piece, ...] = (M, a)
        if self.order:
            pieces = (*pieces, "+", D.T, lam)
        pieces = (*pieces, "=", sp.Matrix(self.chosen(self.f) or [0]))
        return Section(say("M a + Dᵀ λ = f"), (Statement(pieces),) if self.a else ())

    def _matrix(self) -> list[Section]:
        """[M D^T; D 0] [a; lam] = [f; gamma]."""
        M, D, n = self.M, self.D, len(self.order)
        whole = sp.Matrix.vstack(M.row_join(D.T), D.row_join(sp.zeros(n, n))) if n else M
        unknown = sp.Matrix(
            [*self.chosen(self.a), *(self.equations.lam[k] for k in self.order)] or [0]
        )
        right = sp.Matrix(
            [*self.chosen(self.f), *(self.equations.gamma[k] for k in self.order)] or [0]
        )
        return [
            Section(say("[M Dᵀ; D 0] [a; λ] = [f; γ]"), (Statement((whole, unknown, "=", right)),))
        ]

    def _index(self, index: int) -> list[Section]:
        """The rows from positions down to what this index uses, each by differentiating the last."""
        equations, zero = self.equations, sp.S.Zero
        positions = [
            Statement((equations.Phi[k], "=", zero), id, self._called(id))
            for k, id in zip(self.order, self.parts())
            if equations.Phi[k] != 0
        ]
        rates = [
            Statement((self._rate(k), "=", equations.nu[k]), id, self._called(id))
            for k, id in zip(self.order, self.parts())
            if equations.compiled.system.rows["level"][k] < 2
        ]
        accelerations = [
            Statement((self._rate(k, self.a), "=", equations.gamma[k]), id, self._called(id))
            for k, id in zip(self.order, self.parts())
        ]
        sections = [Section(say("Φ(q, t) = 0"), tuple(positions))]
        if index < 3:
            sections.append(Section(say("differentiated by t:  D v = ν"), tuple(rates)))
        if index < 2:
            sections.append(Section(say("differentiated again:  D a = γ"), tuple(accelerations)))
        return [self._dynamics(), *sections]

    def _rate(self, row: int, of: list[sp.Expr] | None = None) -> sp.Expr:
        """D v or D a of one row."""
        speeds = self.equations.v if of is None else of
        return sp.Add(*(self.equations.D[row, k] * x for k, x in enumerate(speeds)))

    def _called(self, id: Id) -> str:
        return say("'{name}'", name=self.equations.compiled.model[id].label)

    def _newton_euler(self) -> list[Section]:
        """m a = forces and reactions -D^T lam, body by body."""
        equations, sections = self.equations, []
        for k, id in enumerate(equations.compiled.body_ids):
            statements = []
            for at in equations.compiled.layout.v_of([k]):
                left = sp.Add(*(equations.M[int(at), c] * a for c, a in enumerate(self.a)))
                reactions = [-equations.D[r, int(at)] * equations.lam[r] for r in self.order]
                right = sp.Add(self.f[int(at)], *reactions)
                if left != 0 or right != 0:
                    statements.append(Statement((left, "=", right), id))
            label = equations.compiled.model[id].label
            sections.append(Section(say("'{body}'", body=label), tuple(statements)))
        return sections

    def _power(self) -> list[Section]:
        """sum (f - M a) . dv = 0 for all dv with D dv = 0."""
        equations = self.equations
        virtual = [real(f"delta{v}") for v in equations.v]
        for d, v in zip(virtual, equations.v):
            self.owners[d] = self.owners[v]
        M = equations.M
        statements: list[Statement] = []
        for k, id in enumerate(equations.compiled.body_ids):
            for at in map(int, equations.compiled.layout.v_of([k])):
                inertia = sp.Add(*(M[at, c] * a for c, a in enumerate(self.a)))
                term = self.f[at] - inertia
                if term != 0:
                    product = term * virtual[at]
                    is_minus = bool(statements) and product.could_extract_minus_sign()
                    sign: tuple[Piece, ...] = ("−" if is_minus else "+",) if statements else ()
                    statements.append(Statement((*sign, -product if is_minus else product), id))
        if statements:
            last = statements[-1]
            statements[-1] = last._replace(pieces=(*last.pieces, "=", sp.S.Zero))
        rows = [
            Statement((self._rate(k, virtual), "=", sp.S.Zero), id, self._called(id))
            for k, id in zip(self.order, self.parts())
        ]
        return [
            Section(say("(f − M a) · δv = 0"), tuple(statements)),
            Section(say("for all δv with  D δv = 0"), tuple(rows)),
        ]


class _Law(NamedTuple):
    """A law along a coordinate with the symbols that stand for it."""

    id: Id
    folded: bool
    N: sp.Expr
    x: Any
    gradient: dict[int, sp.Expr]
    N_symbol: sp.Symbol
    l_symbol: sp.Symbol
    rate_symbol: sp.Symbol
    slopes: dict[int, sp.Symbol]


def _accelerated(name: str) -> str:
    """The name of the derivative of a velocity."""
    letter, _, index = name.partition("_")
    second = letter[:-3] + "ddot" if letter.endswith("dot") else f"{letter}dot"
    return f"{second}_{index}"


def _coordinate_of(name: str) -> str:
    """The name of the coordinate of a velocity; of a turn in space, the turn."""
    letter, _, index = name.partition("_")
    return f"{letter.removesuffix('dot')}_{index}"
