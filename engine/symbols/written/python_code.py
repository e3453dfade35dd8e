"""The equations of a model as programs that run alone: a Python function of the state, and sympy code.

The function solves  [M D^T; D 0] [a; lam] = [f; gamma]  with numpy and needs nothing else. In the plane
its state is y = (q, v); in space each body has r and a unit quaternion p, scalar first, then r_dot and w
in body axes.
"""

from typing import Any

import sympy as sp

from engine.errors import EngineError
from engine.symbols.equations import Equations
from engine.symbols.traced import T

QUATERNION = "abcd"
OF_QUATERNION = (
    *("{a}*{a} + {b}*{b} - {c}*{c} - {d}*{d}", "2*({b}*{c} - {a}*{d})", "2*({b}*{d} + {a}*{c})"),
    *("2*({b}*{c} + {a}*{d})", "{a}*{a} - {b}*{b} + {c}*{c} - {d}*{d}", "2*({c}*{d} - {a}*{b})"),
    *("2*({b}*{d} - {a}*{c})", "2*({c}*{d} + {a}*{b})", "{a}*{a} - {b}*{b} - {c}*{c} + {d}*{d}"),
)
RATES = (  # p_dot = 1/2 p o w
    *("-({b}*{x} + {c}*{y} + {d}*{z})/2", "({a}*{x} + {c}*{z} - {d}*{y})/2"),
    *("({a}*{y} + {d}*{x} - {b}*{z})/2", "({a}*{z} + {b}*{y} - {c}*{x})/2"),
)
TABLE = '''
def {name}(x, order={order}):
    """A table of points by cubic pieces, beyond its ends by their slopes."""
    knots, pieces = {knots}, {pieces}
    k = max(0, sum(x >= knot for knot in knots) - 1)
    u, (a, b, c, d) = x - knots[k], pieces[k]
    if u < 0.0:
        c = d = 0.0
    return (a + u*(b + u*(c + u*d)), b + u*(2*c + 3*u*d), 2*c + 6*u*d)[order]
'''


def python_function(equations: Equations) -> str:
    """The text of a module with PARAMETERS, START and derivative(t, y, p)."""
    _refuse_forces_without_formula(equations)
    return _Writer(equations).text()


def sympy_code(equations: Equations) -> str:
    """The text of a module with q, v, M, D, Phi, nu, gamma, f as sympy matrices, and VALUES of symbols.

    In space MEANING has arms, axes and angular velocities in world axes, by the entries of R.
    """
    symbols = [T, *equations.q, *equations.v, *equations.lam, *equations.outside]
    symbols += list(equations.names.values)
    words = [f"{s} = Symbol({str(s)!r}, real=True)" for s in dict.fromkeys(symbols)]
    tables = sorted(equations.tables)
    words += [f"{name} = Function({name!r})" for name in tables]
    matrices = {
        "q": sp.Matrix(equations.q),
        "v": sp.Matrix(equations.v),
        "lam": sp.Matrix(equations.lam),
        "M": equations.M,
        "D": equations.D,
        "Phi": sp.Matrix(equations.Phi),
        "nu": sp.Matrix(equations.nu),
        "gamma": sp.Matrix(equations.gamma),
        "f": sp.Matrix(equations.f),
    }
    lines = ["from sympy import *", "", *words, ""]
    short = equations.short.meaning
    lines += [f"{s} = Symbol({str(s)!r}, real=True)" for s in short]
    meaning = ", ".join(f"{s}: {sp.sstr(x, full_prec=True)}" for s, x in short.items())
    lines.append(f"MEANING = {{{meaning}}}")
    for name, matrix in matrices.items():
        rows = [f"    {sp.sstr(list(matrix.row(r)), full_prec=True)}," for r in range(matrix.rows)]
        size = f"{matrix.rows}, {matrix.cols}, "
        lines += [f"{name} = Matrix({size}sum([", *rows, "], []))"]
    values = ", ".join(f"{s}: {value!r}" for s, value in equations.names.values.items())
    return "\n".join([*lines, f"VALUES = {{{values}}}", ""])


def _refuse_forces_without_formula(equations: Equations) -> None:
    if equations.outside:
        symbol = next(iter(equations.outside))
        id = equations.names.owners[symbol]
        raise EngineError(
            "The force of '{name}' has no formula, so there is no program that runs alone. Look at the "
            "numbers, or remove it first.",
            id,
            name=equations.compiled.model[id].label,
        )


class _Writer:
    """Writes the module of one model."""

    def __init__(self, equations: Equations) -> None:
        self.equations, self.compiled = equations, equations.compiled
        self.plain: dict[sp.Symbol, sp.Symbol] = {}

    def text(self) -> str:
        """The whole module."""
        e = self.equations
        known = list(e.names.values)
        self._rename(e.q, "q")
        self._rename(e.v, "v")
        self._rename(known, "c")
        self._rename(e.lam, "lam")
        header = '"""The equations of motion of {0}, written by Kardan."""'
        name = (self.compiled.model.name or "a model").replace('"', "'").replace("\\", "/")
        values = ",\n".join(f"    {str(s)!r}: {e.names.values[s]!r}" for s in known)
        state, names = self._start()
        return "\n".join(
            [
                header.format(name),
                "",
                "import math",
                "",
                "import numpy as np",
                "",
                f"PARAMETERS = {{\n{values}\n}}",
                f"STATE = {names!r}",
                f"START = {state!r}",
                *self._tables(),
                "",
                "def derivative(t, y, p=PARAMETERS):",
                '    """The rate of the state y at time t."""',
                *self._body(known),
                "",
            ]
        )

    def _rename(self, symbols: Any, letter: str) -> None:
        self.plain |= {s: sp.Symbol(f"{letter}{k}", real=True) for k, s in enumerate(symbols)}

    def _start(self) -> tuple[list[float], list[str]]:
        """The drawn state, and the names of its numbers."""
        e, c = self.equations, self.compiled
        if e.dim == 2:
            return [*map(float, c.q0), *map(float, c.v0)], [str(s) for s in (*e.q, *e.v)]
        from engine.kinematics.poses import unit_quaternion

        numbers: list[float] = []
        names: list[str] = []
        for k, body in enumerate(e.bodies):
            index = str(body.q[0]).partition("_")[2]
            numbers += [*map(float, c.q0[c.layout.position(k)])]
            numbers += [*map(float, unit_quaternion(c, k, c.q0))]
            names += [str(s) for s in body.q[:3]] + [f"p{n}_{index}" for n in range(4)]
        return [*numbers, *map(float, c.v0)], [*names, *(str(s) for s in e.v)]

    def _tables(self) -> list[str]:
        """Tables of points as functions of their own."""
        made = []
        for name, of in self.equations.tables.items():
            order = 2 if name.endswith("_ddot") else int(name.endswith("_dot"))
            packed = of.packed  # type: ignore[attr-defined]
            knots = [float(x) for x in packed.knot]
            pieces = [tuple(map(float, row)) for row in packed.coefficient]
            made.append(TABLE.format(name=name, order=order, knots=knots, pieces=pieces))
        return made

    def _body(self, known: list[sp.Symbol]) -> list[str]:
        """The lines of the function."""
        e = self.equations
        n, m = len(e.v), len(e.lam)
        lines = self._unpacking(known)
        short = e.short.meaning
        self._rename(short, "w")
        lines += [
            f"    {self.plain[s]} = {_code(x.xreplace(self.plain))}" for s, x in short.items()
        ]
        entries = [(r, c, e.D[r, c]) for r in range(m) for c in range(n) if e.D[r, c] != 0]
        masses = [(r, c, e.M[r, c]) for r in range(n) for c in range(n) if e.M[r, c] != 0]
        wanted = [x for *_, x in (*entries, *masses)] + list(e.gamma)
        temporary, results = self._shortened([*wanted], "k")
        lines += temporary
        found = iter(results)
        lines.append(f"    A, b = np.zeros(({n + m}, {n + m})), np.zeros({n + m})")
        lines += [f"    A[{n + r}, {c}] = A[{c}, {n + r}] = {next(found)}" for r, c, _ in entries]
        lines += [f"    A[{r}, {c}] = {next(found)}" for r, c, _ in masses]
        lines += [f"    b[{n + r}] = {next(found)}" for r in range(m)]
        return [*lines, *self._solution(n, m)]

    def _solution(self, n: int, m: int) -> list[str]:
        """f, and the solution for a and lam; where f depends on lam they are found by turns."""
        e = self.equations
        temporary, results = self._shortened(list(e.f), "s")
        forces = [f"    b[{c}] = {x}" for c, x in enumerate(results)]
        singular = self.compiled.is_particle.any() or self._is_redundant()
        solve = "np.linalg.lstsq(A, b, rcond=1e-12)[0]" if singular else "np.linalg.solve(A, b)"
        by_lam = any(set(e.lam) & x.free_symbols for x in e.f)
        if by_lam:
            names = ", ".join(f"lam{k}" for k in range(m))
            before = [f"    x = np.zeros({n + m})", "    for _ in range(100):"]
            inner = [f"    {names}, = x[{n}:]", *temporary, *forces, f"    new = {solve}"]
            inner += ["    done = abs(new - x).max() <= 1e-14*abs(new).max()", "    x = new"]
            inner += ["    if done:", "        break"]
            lines = [*before, *("    " + line for line in inner)]
        else:
            lines = [*temporary, *forces, f"    x = {solve}"]
        return [*lines, f"    return np.concatenate([{self._rates()}, x[:{n}]])"]

    def _is_redundant(self) -> bool:
        from engine.kinematics.mobility import mobility

        return bool(mobility(self.compiled, self.compiled.q0).redundant)

    def _rates(self) -> str:
        """q_dot."""
        e, parts = self.equations, []
        if e.dim == 2:
            return f"y[{len(e.q)}:]"
        for k, body in enumerate(e.bodies):
            u, w = body.v[:3], body.v[3:]
            letters = {x: f"p{x}{k}" for x in QUATERNION}
            letters |= {axis: str(self.plain[s]) for axis, s in zip("xyz", w)}
            parts += [*(str(self.plain[s]) for s in u), *(rate.format(**letters) for rate in RATES)]
        return f"[{', '.join(parts)}]"

    def _unpacking(self, known: list[sp.Symbol]) -> list[str]:
        """Lines that give every symbol its number."""
        e = self.equations
        constants = [f"    {self.plain[s]} = p[{str(s)!r}]" for s in known]
        speeds = ", ".join(str(self.plain[s]) for s in e.v)
        if e.dim == 2:
            places = ", ".join(str(self.plain[s]) for s in e.q)
            return [f"    {places}, {speeds}, = map(float, y)", *constants]
        places, lines = "", []
        for k, body in enumerate(e.bodies):
            letters = {x: f"p{x}{k}" for x in QUATERNION}
            places += (
                ", ".join([*(str(self.plain[s]) for s in body.q[:3]), *letters.values()]) + ", "
            )
            lines += [
                f"    {self.plain[s]} = {text.format(**letters)}"
                for s, text in zip(body.q[3:], OF_QUATERNION)
            ]
        return [f"    {places}{speeds}, = map(float, y)", *lines, *constants]

    def _shortened(self, expressions: list[sp.Expr], letter: str) -> tuple[list[str], list[str]]:
        """Lines for repeated parts, and the texts of the expressions."""
        plain = [sp.sympify(x).xreplace(self.plain) for x in expressions]
        repeated, short = sp.cse(plain, symbols=sp.numbered_symbols(f"{letter}_"), order="none")
        return [f"    {s} = {_code(x)}" for s, x in repeated], [_code(x) for x in short]


def _code(expression: sp.Expr) -> str:
    return str(sp.pycode(expression, allow_unknown_functions=True))
