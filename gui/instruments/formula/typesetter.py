"""sympy expressions as boxes: symbols with dots and indices, sums, fractions, matrices."""

import re
from collections.abc import Callable
from typing import Any

import sympy as sp

from gui.instruments.formula.boxes import (
    Box,
    dotted,
    fenced,
    fraction,
    glyphs,
    grid,
    root,
    row,
    scripts,
    space,
)
from gui.look.translation import separated

SMALL = 0.72  # of an index against its base
GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
}
ZERO = "·"  # an empty place of a matrix


def italic(text: str) -> str:
    """Latin and small Greek letters as mathematical italics."""
    found = []
    for letter in text:
        if letter == "h":
            found.append("\u210e")
        elif "a" <= letter <= "z":
            found.append(chr(0x1D44E + ord(letter) - ord("a")))
        elif "A" <= letter <= "Z":
            found.append(chr(0x1D434 + ord(letter) - ord("A")))
        elif "α" <= letter <= "ω":
            found.append(chr(0x1D6FC + ord(letter) - ord("α")))
        else:
            found.append(letter)
    return "".join(found)


def minus(text: str) -> str:
    """Numbers with a true minus sign."""
    return text.replace("-", "−")


class Typesetter:
    """Lays out expressions; `part_of` tells the part of a symbol."""

    def __init__(
        self, size: float, part_of: Callable[[sp.Symbol], str] = lambda symbol: ""
    ) -> None:
        self.size, self.part_of = size, part_of
        self._known: dict[
            tuple[Any, float], Box
        ] = {}  # boxes are never changed, so they are shared

    def statement(self, pieces: tuple[Any, ...]) -> Box:
        """A row of texts, expressions and matrices."""
        boxes = [glyphs(p, self.size) if isinstance(p, str) else self.of(p) for p in pieces]
        return row(*boxes, gap=0.35 * self.size)

    def of(self, x: Any, size: float = 0.0) -> Box:
        """The box of an expression or a matrix."""
        s = size or self.size
        if isinstance(x, sp.MatrixBase):
            return grid([[self._cell(entry, s) for entry in line] for line in x.tolist()], s)
        if (x, s) not in self._known:
            self._known[x, s] = self._made(x, s)
        return self._known[x, s]

    def _made(self, x: Any, s: float) -> Box:
        if x.is_Symbol:
            return self.symbol(str(x), s, self.part_of(x))
        if x.is_Number:
            return self._number(x, s)
        if x.is_Add:
            return self._sum(x, s)
        if x.is_Mul:
            return self._product(x, s)
        if x.is_Pow:
            return self._power(x, s)
        if isinstance(x, sp.Piecewise):
            return self._cases(x, s)
        return self._other(x, s)

    def _cell(self, x: Any, s: float) -> Box:
        if x.is_Number and x == 0:  # no question of assumptions, which take long
            return self._known.setdefault((ZERO, s), glyphs(ZERO, s))
        return self.of(x, s)

    def symbol(self, name: str, s: float, part: str, above: Box | None = None) -> Box:
        """A name such as phidot_1, omegax_2, l0_spring or grad|l_1|x_2."""
        if name.startswith("grad|"):
            _, of, by = name.split("|")
            top, under = (
                row(glyphs("∂", SMALL * s, part), self.symbol(n, SMALL * s, part)) for n in (of, by)
            )
            return fraction(top, under, SMALL * s)
        letter, _, index = name.partition("_")
        virtual = letter.startswith("delta") and letter != "delta"
        letter = letter.removeprefix("delta") if virtual else letter
        dots = 2 if letter.endswith("ddot") else int(letter.endswith("dot") and letter != "dot")
        letter = letter[: -3 - (dots == 2)] if dots else letter
        letter, behind = _split(letter)
        base = glyphs(italic(GREEK.get(letter, letter)), s, part)
        base = dotted(base, dots, s) if dots else base
        words = [w for w in (index.replace("_", " "), behind) if w]
        if behind.isdigit() and letter != "R":  # l0_spring
            words.reverse()
        below = glyphs(" ".join(words), SMALL * s, part) if words else None
        base = scripts(base, s, below, above) if below or above else base
        return row(glyphs("δ", s, part), base, part=part) if virtual else base

    def _number(self, x: Any, s: float) -> Box:
        if x.is_Rational and not x.is_Integer:
            made = fraction(glyphs(str(abs(x.p)), s), glyphs(str(x.q), s), s)
            return row(glyphs("−", s), made) if x.p < 0 else made
        return glyphs(minus(str(x) if x.is_Integer else separated(f"{float(x):.6g}")), s)

    def _sum(self, x: Any, s: float) -> Box:
        signed = []
        for n, term in enumerate(x.as_ordered_terms()):
            negative = term.could_extract_minus_sign()
            boxes = []
            if n or negative:
                boxes = [
                    space(0.2 * s if n else 0.0),
                    glyphs("−" if negative else "+", s),
                    space(0.2 * s if n else 0.05 * s),
                ]
            shown = -term if negative else term
            term_box = fenced(self.of(shown, s), s) if shown.is_Add else self.of(shown, s)
            signed.append(row(*boxes, term_box))
        return row(*signed, is_sum=True)

    def _product(self, x: Any, s: float) -> Box:
        if x.could_extract_minus_sign():
            inner = -x
            box = fenced(self.of(inner, s), s) if inner.is_Add else self.of(inner, s)
            return row(glyphs("−", s), box, gap=0.05 * s)
        number, rest = x.as_coeff_Mul()
        is_divided = any(f.is_Pow or isinstance(f, sp.exp) for f in sp.Mul.make_args(rest))
        if number.is_Rational and number.q != 1 and not (is_divided and sp.fraction(rest)[1] != 1):
            small = fraction(
                glyphs(str(number.p), SMALL * s), glyphs(str(number.q), SMALL * s), SMALL * s
            )
            return row(small, self._factor(rest, s), gap=0.12 * s)
        if is_divided:
            top, under = sp.fraction(x)
            if under != 1:
                return fraction(self.of(top, s), self.of(under, s), s)
        return row(*(self._factor(f, s) for f in x.as_ordered_factors()), gap=0.13 * s)

    def _factor(self, x: Any, s: float) -> Box:
        return (
            fenced(self.of(x, s), s) if x.is_Add or isinstance(x, sp.Piecewise) else self.of(x, s)
        )

    def _power(self, x: Any, s: float) -> Box:
        base, power = x.as_base_exp()
        if power == sp.Rational(1, 2):
            return root(self.of(base, s), s)
        if power.is_number and power.is_negative:
            return fraction(glyphs("1", s), self.of(base**-power, s), s)
        raised = self.of(power, SMALL * s)
        if isinstance(base, sp.Function) and len(base.args) == 1 and not isinstance(base, sp.Abs):
            head = scripts(glyphs(base.func.__name__, s), s, above=raised)
            return row(head, self._argument(base.args[0], s), gap=0.14 * s)
        if base.is_Symbol and not str(base).startswith("grad|"):
            return self.symbol(str(base), s, self.part_of(base), raised)
        return scripts(fenced(self.of(base, s), s), s, above=raised)

    def _argument(self, x: Any, s: float) -> Box:
        """The argument of a sine: bare where nobody can misread it."""
        bare = x.is_Symbol or (x.is_Mul and len(x.args) == 2 and not x.could_extract_minus_sign())
        return self.of(x, s) if bare else fenced(self.of(x, s), s)

    def _other(self, x: Any, s: float) -> Box:
        if x is sp.pi:
            return glyphs(italic("π"), s)
        if isinstance(x, sp.Abs):
            return fenced(self.of(x.args[0], s), s, "||")
        if x.is_Relational:
            signs = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "=", "!=": "≠"}
            left, right = (self.of(a, s) for a in x.args)
            return row(left, glyphs(signs[x.rel_op], s), right, gap=0.25 * s)
        if isinstance(x, sp.And | sp.Or):
            word = glyphs("and" if isinstance(x, sp.And) else "or", s)
            parts = [self.of(a, s) for a in x.args]
            return row(
                *(b for n, p in enumerate(parts) for b in ((word, p) if n else (p,))), gap=0.3 * s
            )
        if not getattr(x, "args", ()):
            return glyphs(str(x), s)
        name = glyphs(x.func.__name__.replace("_", " "), s)
        if len(x.args) == 1:
            return row(name, self._argument(x.args[0], s), gap=0.14 * s)
        comma = glyphs(",", s)
        inside = [
            b
            for n, a in enumerate(x.args)
            for b in ((comma, self.of(a, s)) if n else (self.of(a, s),))
        ]
        return row(name, fenced(row(*inside, gap=0.12 * s), s))

    def _cases(self, x: Any, s: float) -> Box:
        lines = []
        for value, condition in x.args:
            when = glyphs("else", s) if condition == sp.true else self.of(condition, s)
            lines.append([self.of(value, s), when])
        return grid(lines, s, "[|")


def _split(letter: str) -> tuple[str, str]:
    """A letter and the axes or numbers that stand directly behind it: omegax, R11, l0, s1x."""
    for greek in sorted(GREEK, key=len, reverse=True):
        if letter.startswith(greek):
            return greek, letter[len(greek) :]
    found = re.fullmatch(r"([A-Za-z])(\d+[xyz]?|[xyz]{1,2})", letter)
    return (found[1], found[2]) if found else (letter, "")
