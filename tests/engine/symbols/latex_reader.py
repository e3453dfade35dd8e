"""Reads mathematics in LaTeX and gives its value: what a person would compute from the printed page.

sum = [-] product {(+|-) product}      product = power {[\\cdot] power}      power = atom [^{sum}]
"""

import math
import re
from collections.abc import Mapping

NUMBER = re.compile(r"\d+(\.\d+)?")
WORD = re.compile(r"\\[A-Za-z]+|\\.")
SPACES = ("\\:", "\\;", "\\,", "\\!")
FUNCTIONS = {
    **{f: getattr(math, f) for f in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "log")},
    **{f: getattr(math, f) for f in ("asin", "acos", "atan", "asinh")},
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "min": min,
    "max": max,
    "atan2": math.atan2,
}
COMPARED = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "\\leq": lambda a, b: a <= b,
    "\\geq": lambda a, b: a >= b,
    "\\neq": lambda a, b: a != b,
}
PAIRS = {"\\lfloor": ("\\rfloor", math.floor), "|": ("|", abs), "(": (")", float)}


class LatexError(ValueError):
    """What is no mathematics, and where."""


def value_of(text: str, symbols: Mapping[str, float]) -> float | list[list[float]]:
    """The number, or the rows of the matrix, that a text stands for; symbols by their LaTeX."""
    reader = _Reader(text, symbols)
    found = reader.matrix() if reader.sees("\\left[\\begin{matrix}") else reader.sum()
    reader.end()
    return found


class _Reader:
    """Walks through a text once, from left to right."""

    def __init__(self, text: str, symbols: Mapping[str, float]) -> None:
        self.text, self.at, self.symbols = text, 0, symbols
        self.names = sorted(symbols, key=len, reverse=True)

    # --- signs

    def skip(self) -> None:
        """Leave out what is white on paper."""
        while self.at < len(self.text):
            if self.text[self.at] in " \n":
                self.at += 1
            elif self.text.startswith(SPACES, self.at):
                self.at += 2
            else:
                return

    def sees(self, sign: str) -> bool:
        """Whether a sign is next; of a command all letters."""
        self.skip()
        if not self.text.startswith(sign, self.at):
            return False
        after = self.text[self.at + len(sign) :][:1]
        return not (sign.startswith("\\") and sign[-1].isalpha() and after.isalpha())

    def takes(self, sign: str) -> bool:
        """Go on behind a sign, if it is next."""
        found = self.sees(sign)
        self.at += len(sign) if found else 0
        return found

    def needs(self, sign: str) -> None:
        """Go on behind a sign that has to be there."""
        if not self.takes(sign):
            raise LatexError(f"{sign!r} is missing at {self.text[self.at : self.at + 40]!r}")

    def end(self) -> None:
        """Nothing is left."""
        self.skip()
        if self.at < len(self.text):
            raise LatexError(f"cannot go on at {self.text[self.at : self.at + 40]!r}")

    # --- mathematics

    def matrix(self) -> list[list[float]]:
        """Rows between brackets."""
        self.needs("\\left[\\begin{matrix}")
        rows = [[self.sum()]]
        while not self.takes("\\end{matrix}\\right]"):
            if self.takes("\\\\"):
                rows.append([self.sum()])
            else:
                self.needs("&")
                rows[-1].append(self.sum())
        return rows

    def sum(self) -> float:
        """Products with their signs."""
        total, sign = 0.0, -1.0 if self.takes("-") else 1.0
        while True:
            total += sign * self.product()
            if self.takes("+"):
                sign = 1.0
            elif self.takes("-"):
                sign = -1.0
            else:
                return total

    def product(self) -> float:
        """Powers beside each other."""
        found = self.power()
        while True:
            if self.takes("\\bmod"):
                found %= self.power()
            elif self.takes("\\cdot") or self.begins():
                found *= self.power()
            else:
                return found

    def begins(self) -> bool:
        """Whether another factor is next."""
        ends = ("+", "-", "&", "}", ")", "]", ",", "|", "<", ">", "=", "\\\\", "\\right", "\\end")
        more = (*ends, "\\wedge", "\\vee", "\\rfloor", "\\quad", *COMPARED)
        self.skip()
        return self.at < len(self.text) and not any(self.sees(sign) for sign in more)

    def power(self) -> float:
        """An atom, raised if a power follows."""
        base = self.atom()
        return base ** self.braced() if self.takes("^") else base

    def braced(self) -> float:
        """A sum in braces."""
        self.needs("{")
        found = self.sum()
        self.needs("}")
        return found

    def atom(self) -> float:
        """A symbol, a number, a fraction, a root, a fence, or a function of something."""
        self.skip()
        for name in self.names:
            if self.sees(name):
                self.at += len(name)
                return self.symbols[name]
        if found := NUMBER.match(self.text, self.at):
            self.at = found.end()
            return float(found[0])
        if self.takes("\\pi"):
            return math.pi
        if self.takes("e^"):
            return math.exp(self.braced())
        if self.takes("\\frac"):
            return self.braced() / self.braced()
        if self.takes("\\sqrt"):
            return math.sqrt(self.braced())
        if self.takes("\\begin{cases}"):
            return self.cases()
        if self.takes("\\left"):
            return self.fence()
        return self.function()

    def fence(self) -> float:
        """What stands between two fences of one kind."""
        for left, (right, of) in PAIRS.items():
            if self.takes(left):
                found = self.braced() if self.sees("{") else self.sum()
                self.needs("\\right")
                self.needs(right)
                return of(found)
        raise LatexError(f"no fence at {self.text[self.at : self.at + 40]!r}")

    def function(self) -> float:
        """A function by its name, with its power before its argument."""
        if self.takes("\\operatorname"):
            self.needs("{")
            name = self.text[self.at : self.text.index("}", self.at)]
            self.at += len(name) + 1
            name += "2" if self.takes("_{2}") else ""
        else:
            found = WORD.match(self.text, self.at)
            name = found[0][1:] if found else ""
            self.at += len(name) + 1
        if name not in FUNCTIONS:
            raise LatexError(f"{name!r} is unknown at {self.text[self.at : self.at + 40]!r}")
        power = self.braced() if self.takes("^") else 1.0
        has_braces = self.takes("{")
        self.needs("\\left(")
        arguments = [self.sum()]
        while self.takes(","):
            arguments.append(self.sum())
        self.needs("\\right)")
        if has_braces:
            self.needs("}")
        return FUNCTIONS[name](*arguments) ** power

    def cases(self) -> float:
        """The first value whose condition holds."""
        found = None
        while True:
            value = self.sum()
            self.needs("&")
            holds = self.takes("\\text{otherwise}")
            if not holds:
                self.needs("\\text{for}")
                holds = self.condition()
            found = value if holds and found is None else found
            if self.takes("\\end{cases}"):
                assert found is not None
                return found
            self.needs("\\\\")

    def condition(self) -> bool:
        """Comparisons with 'and' or 'or' between them."""
        found = self.comparison()
        while True:
            if self.takes("\\wedge"):
                found = self.comparison() and found
            elif self.takes("\\vee"):
                found = self.comparison() or found
            else:
                return found

    def comparison(self) -> bool:
        """Two sums with a sign between them."""
        left = self.sum()
        for sign, holds in COMPARED.items():
            if self.takes(sign):
                return bool(holds(left, self.sum()))
        raise LatexError(f"nothing is compared at {self.text[self.at : self.at + 40]!r}")
