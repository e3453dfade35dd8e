"""The language of expressions: its words, precedence and units, and the reader of its texts.

    2*l_crank + 30 mm        step(t, 0, 0, 1, 2*pi rad/s)        if(x < 0, 0, 5 N/mm*x)

Precedence, weakest first; operators of one column associate to the left, ^ to the right:

    or     and     not     < <= > >= == !=     + -     * /     unit     -x     ^ (or **)

so -2^2 = -4, 2^3^2 = 512 and 2*-3 = -6. A comparison is 1 or 0 and cannot be chained; any number
but 0 counts as true; `if`, `and` and `or` evaluate only the operands they need. log (or ln) is the natural
logarithm, mod(a, b) has the sign of b, pi and e are constants, and

    step(x, x0, y0, x1, y1) = y0 + (y1 - y0) u^2 (3 - 2 u),   u = (x - x0)/(x1 - x0) within 0 .. 1.

Units. A name that directly follows a number, pi, e, a closing parenthesis or another unit is a
unit, that is a factor to SI: "30 mm", "(3/4) in", "2*pi rad/s", "30°". Anywhere else a name is a
variable: with a parameter m, "2*m" is the parameter and "2 m" two metres. After a unit

  - "/" and the name of a unit continue the unit: "5 N/mm". Where a variable has that name too, the
    text is refused, for "5 N/m" could mean both; "(5 N)/m" is the variable, "5 N m^-1" the unit;
  - "^" takes a whole number and belongs to the unit: "3 m^2" is three square metres;
  - "t" is never a unit: it is the time.

A name may have parts, joined by dots without spaces: shape.length.

A unit binds tighter than "*", so "3/4 in" would be 3/(4 in), which few would expect: a unit behind
a divisor is refused wherever the two readings differ.
"""

import difflib
import math
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from engine.errors import EngineError, say
from engine.formulas.units import UNITS, unit

LONGEST = 10_000  # characters of one expression
DEEPEST = 100  # operands within operands; the reader's own calls stay far below Python's limit

CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e}
WORDS = ("and", "or", "not")
TIME = "t"

_ONE = ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "ln")
ARGUMENTS = {  # least and most
    **dict.fromkeys((*_ONE, "log10", "sqrt", "abs", "sign", "floor"), (1, 1)),
    **dict.fromkeys(("atan2", "mod", "pow", "hypot"), (2, 2)),
    **dict.fromkeys(("min", "max"), (1, LONGEST)),
    "step": (5, 5),
    "if": (3, 3),
}
FUNCTIONS = tuple(ARGUMENTS)
RESERVED = frozenset((TIME, *FUNCTIONS, *CONSTANTS, *WORDS))
_ALIASES = {"ln": "log", "pow": "^"}

# How tightly operators bind their operands. A unit is read at one precedence and, so that no needed
# parenthesis is missing, written by to_text at a weaker one.
OR, AND, NOT, COMPARE, SUM, UNIT_TEXT, PRODUCT, UNIT, NEG, POWER, ATOM = range(1, 12)
BINDING = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), COMPARE),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/"), PRODUCT),
    "or": OR,
    "and": AND,
    "^": POWER,
}
_SIGNS = ("**", "<=", ">=", "==", "!=", *"+-*/^()<>,·×−")
_SPELLINGS = {"**": "^", "·": "*", "×": "*", "−": "-"}
_SPECIAL = {  # one character that stands for several words
    "°": (("name", "deg"),),
    "²": (("sign", "^"), ("number", "2")),
    "³": (("sign", "^"), ("number", "3")),
}
_NUMBER = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

# ("number", 2.0), ("name", "x"), ("constant", "pi"), ("unit", "N/mm"), or (operation, n_operands).
Item = tuple[str, float | str | int]


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression as postfix code; equal code means the same expression.

    Code is a plain tuple without branches: no text, however deep or long, can exhaust the call stack of the
    code that walks it. `unit_divisors` are the units written behind a "/".
    """

    code: tuple[Item, ...]
    text: str = field(compare=False)
    unit_divisors: frozenset[str] = field(default=frozenset(), compare=False)


@lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """The expression written in `text`."""
    if len(text) > LONGEST:
        raise EngineError(
            "The expression '{text}...' has {n_text} characters: at most {longest} are "
            "read; split it into parameters.",
            text=text[:20],
            n_text=len(text),
            longest=LONGEST,
        )
    reader = _Reader(text)
    reader.read_all()
    return Expression(tuple(reader.code), text, frozenset(reader.unit_divisors))


def opening(text: str, at: int = 0) -> str:
    """The start of a sentence about a text, of which a long one is shown around the place `at`."""
    first = max(0, at - 30) if len(text) > 60 else 0
    shown = "..." * (first > 0) + text[first : first + 60] + "..." * (first + 60 < len(text))
    return say("In '{shown}':", shown=shown)


class _Token(NamedTuple):
    """A word, sign or number of the text and where it begins."""

    kind: str  # "number", "name", "sign" or "end"
    text: str
    at: int


def _tokens(text: str) -> list[_Token]:
    """The words, signs and numbers of a text."""
    found: list[_Token] = []
    at = 0
    while at < len(text):
        sign = next((sign for sign in _SIGNS if text.startswith(sign, at)), "")
        if text[at].isspace():
            stop = at + 1
        elif text[at].isidentifier():
            stop = at + 1
            while _goes_on(text, stop):
                stop += 1
            found.append(_Token("name", text[at:stop], at))
        elif match := _NUMBER.match(text, at):
            stop = match.end()
            found.append(_Token("number", match[0], at))
        elif text[at] in _SPECIAL:
            stop = at + 1
            found += [_Token(kind, words, at) for kind, words in _SPECIAL[text[at]]]
        elif sign:
            stop = at + len(sign)
            found.append(_Token("sign", _SPELLINGS.get(sign, sign), at))
        else:
            raise EngineError(
                "{opening} {text!r} cannot be read (character {at}).",
                opening=opening(text, at),
                text=text[at],
                at=at + 1,
            )
        at = stop
    return [*found, _Token("end", "", len(text))]


def _goes_on(text: str, at: int) -> bool:
    """Whether a name goes on here: by a letter, a digit, or a dot before a letter."""
    letter = text[at + 1 : at + 2] if text[at : at + 1] == "." else "a" + text[at : at + 1]
    return at < len(text) and letter.isidentifier()


class _Reader:
    """Reads one text by precedence climbing and appends postfix code as operands complete."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.next = 0
        self.depth = 0
        self.code: list[Item] = []
        self.unit_divisors: set[str] = set()

    @property
    def token(self) -> _Token:
        """The next word, not yet read."""
        return self.tokens[self.next]

    def error(self, words: str, token: _Token | None = None) -> EngineError:
        """The error to raise for what is wrong at a word, or at the next one."""
        at = (token or self.token).at
        return EngineError(
            "{opening} {words} (character {at}).",
            opening=opening(self.text, at),
            words=words,
            at=at + 1,
        )

    def read_all(self) -> None:
        """Read the whole text into `code`."""
        if self.token.kind == "end":
            raise EngineError("The expression is empty: write a number such as 0.5 or 30 mm.")
        self.read(OR)
        if self.token.text == ",":
            raise self.error(say("unexpected ','; decimals are written with a point, as in 1.5"))
        if self.token.kind != "end":
            raise self.error(
                say("expected an operator such as * before '{token}'", token=self.token.text)
            )

    def read(self, least: int, divides: bool = False) -> None:
        """Read an operand and everything that binds to it at least as tightly as `least`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(
                say("operands are nested more than {deepest} deep; use parameters", deepest=DEEPEST)
            )
        self.read_operand(least)
        while True:
            op = self.token
            if op.kind == "name" and op.text not in WORDS:
                if least > UNIT:
                    break
                self.read_unit(divides)
                continue
            own = BINDING.get(op.text, 0)
            if own < least:
                break
            self.next += 1
            self.read(own if op.text == "^" else own + 1, divides=op.text == "/")
            self.code.append((op.text, 2))
            if own == COMPARE and BINDING.get(self.token.text) == COMPARE:
                raise self.error(say("a comparison cannot be chained; write a < x and x < b"))
        self.depth -= 1

    def read_operand(self, least: int) -> None:
        """Read a number, a name, a call, something in parentheses, or a sign and its operand."""
        token = self.token
        self.next += 1
        if token.kind == "number":
            if math.isinf(float(token.text)):
                raise self.error(say("'{token}' is too large", token=token.text), token)
            self.code.append(("number", float(token.text)))
        elif token.text == "-":
            self.read(NEG)
            self.code.append(("neg", 1))
        elif token.text == "+" and (self.next < 2 or self.tokens[self.next - 2].text in ("(", ",")):
            self.read(NEG)
        elif token.text == "not" and least <= NOT:
            self.read(NOT)
            self.code.append(("not", 1))
        elif token.text == "(":
            self.read(OR)
            self.expect(")", token)
        elif token.kind == "name" and token.text not in WORDS:
            self.read_name(token)
        else:
            after = (
                say(" after '{token}'", token=self.tokens[self.next - 2].text)
                if self.next > 1
                else ""
            )
            raise self.error(say("expected a number{after}", after=after), token)

    def expect(self, sign: str, bracket: _Token) -> None:
        """Read the sign that closes a bracket."""
        shown = "the end" if self.token.kind == "end" else f"'{self.token.text}'"
        if self.token.text != sign:
            raise self.error(
                say(
                    "expected '{sign}' before {shown} to close the '{bracket}' of character {at}",
                    sign=sign,
                    shown=shown,
                    bracket=bracket.text,
                    at=bracket.at + 1,
                )
            )
        self.next += 1

    def read_name(self, token: _Token) -> None:
        """Read the rest of a constant, a call or a variable."""
        name = token.text
        called = self.token.text == "("
        if name in ARGUMENTS and called:
            self.read_call(token)
        elif name in ARGUMENTS:
            raise self.error(
                say("the function '{name}' needs its arguments in parentheses", name=name), token
            )
        elif called:
            close = difflib.get_close_matches(name[:40], FUNCTIONS, n=3)
            hint = (
                say("did you mean {listed}?", listed=" or ".join(close))
                if close
                else say("for a product write *")
            )
            raise self.error(
                say("there is no function '{name}'; {hint}", name=name, hint=hint), token
            )
        elif name in CONSTANTS:
            self.code.append(("constant", name))
        else:
            self.code.append(("name", name))

    def read_call(self, function: _Token) -> None:
        """Read the arguments of a function; min and max of many are taken pair by pair."""
        name, bracket = function.text, self.token
        count = 0
        while count == 0 or self.token.text == ",":
            self.next += 1
            self.read(OR)
            count += 1
            if name in ("min", "max") and count > 1:
                self.code.append((name, 2))
        self.expect(")", bracket)
        least, most = ARGUMENTS[name]
        if not least <= count <= most:
            plural = "argument" if least == 1 else "arguments"
            raise self.error(
                say(
                    "'{name}' takes {least} {plural}, not {count}",
                    name=name,
                    least=least,
                    plural=plural,
                    count=count,
                ),
                function,
            )
        if name not in ("min", "max"):
            self.code.append((_ALIASES.get(name, name), count))

    def read_unit(self, divides: bool) -> None:
        """Read a unit such as N s/m^2 that follows a number; `divides`: the number is a divisor."""
        first, before = self.token, self.tokens[self.next - 1]
        if not (before.kind == "number" or before.text == ")" or before.text in CONSTANTS):
            raise self.error(
                say("expected an operator such as * before '{first}'", first=first.text)
            )
        text = self.read_unit_name()
        divided = False
        while True:
            if self.token.kind == "name" and self.token.text not in WORDS:
                if divided:
                    raise self.error(
                        say(
                            "it is unclear whether '{token}' is divided by; write units "
                            "without '/' first, as in N s/m",
                            token=self.token.text,
                        )
                    )
                text += " " + self.read_unit_name()
            elif self.token.text == "/" and self.unit_follows():
                self.next += 1
                divided = True
                self.unit_divisors.add(self.token.text)
                text += "/" + self.read_unit_name()
            else:
                break
        factor = unit(text).factor
        if divides and factor != 1.0:
            raise self.error(
                say(
                    "the unit '{text}' could belong to the quotient or to its divisor alone; write "
                    "(a/b) {text} or a/(b {text})",
                    text=text,
                ),
                first,
            )
        self.code.append(("unit", text))

    def unit_follows(self) -> bool:
        """Whether the word behind this sign is a unit, and not the time or a call such as min()."""
        word = self.tokens[self.next + 1]
        behind = self.tokens[min(self.next + 2, len(self.tokens) - 1)]
        return word.text in UNITS and word.text != TIME and behind.text != "("

    def read_unit_name(self) -> str:
        """Read one unit and its exponent."""
        token = self.token
        self.next += 1
        if token.text == TIME:
            raise self.error(
                say("'t' is the time; write *t for a product, and 1000 kg for a ton"), token
            )
        if token.text not in UNITS:
            try:
                unit(token.text)
            except EngineError as unknown:
                hint = say(
                    "{reason} If it is a parameter, write * before it", reason=unknown.sentence
                )
                raise self.error(hint, token) from None
        if self.token.text != "^":
            return token.text
        self.next += 1
        minus = "-" if self.token.text == "-" else ""
        self.next += len(minus)
        digit = self.token
        if digit.text not in tuple("123456789"):
            raise self.error(
                say("the exponent of a unit is a whole number from -9 to 9, but not 0")
            )
        self.next += 1
        if self.token.text == "^":
            raise self.error(say("put parentheses before the second '^'"))
        return f"{token.text}^{minus}{digit.text}"
