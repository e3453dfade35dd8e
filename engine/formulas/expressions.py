"""Arithmetic expressions: their names, values and texts, and flat code for the compiled machine.

engine/formulas/grammar.py describes the language and reads it. Nothing calls Python's own eval.
"""

import difflib
import itertools
import math
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from engine.errors import EngineError, say
from engine.formulas import grammar
from engine.formulas.grammar import BINDING, CONSTANTS, RESERVED, TIME, Expression, opening, parse
from engine.formulas.units import unit

__all__ = [
    *("Expression", "Program", "names", "parse", "program", "to_text", "value", "written_unit"),
]


class Program(NamedTuple):
    """Flat postfix code with all constants folded.

    ops are "number" (push the arg), "name" (push the variable with index arg) or an operation on
    the topmost entries; at most `depth` entries are on the stack at once.
    """

    ops: tuple[str, ...]
    args: tuple[float, ...]
    depth: int


def _mod(a: float, b: float) -> float:
    rest = math.fmod(a, b)
    return rest + b if rest != 0.0 and (rest < 0.0) != (b < 0.0) else rest


def _step(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    u = (x - x0) / (x1 - x0)
    if u <= 0.0:
        return y0
    return y1 if u >= 1.0 else y0 + (y1 - y0) * u * u * (3.0 - 2.0 * u)


_MOST_COMPARED = 100  # names that a misspelt one is compared with

_OPERATIONS: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": math.pow,
    "neg": lambda a: -a,
    "<": lambda a, b: float(a < b),
    "<=": lambda a, b: float(a <= b),
    ">": lambda a, b: float(a > b),
    ">=": lambda a, b: float(a >= b),
    "==": lambda a, b: float(a == b),
    "!=": lambda a, b: float(a != b),
    "not": lambda a: float(a == 0.0),
    **{f: getattr(math, f) for f in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{f: getattr(math, f) for f in ("sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt")},
    "abs": abs,
    "sign": lambda a: float((a > 0.0) - (a < 0.0)),
    "floor": lambda a: float(math.floor(a)),
    "min": min,
    "max": max,
    "mod": _mod,
    "hypot": math.hypot,
    "step": _step,
}


def names(expression: Expression) -> set[str]:
    """The variables an expression needs; constants, functions and units do not count."""
    return {str(arg) for op, arg in expression.code if op == "name"}


def value(text_or_number: str | float | Expression, variables: Mapping[str, float]) -> float:
    """The value of a number or of an expression; anything but a finite number is an error."""
    if isinstance(text_or_number, bool) or not isinstance(
        text_or_number, (int, float, str, Expression)
    ):
        raise EngineError(
            "'{text_or_number!r:.40}' is not a number: write one such as 0.5 or 30 mm.",
            text_or_number=text_or_number,
        )
    if isinstance(text_or_number, (int, float)):
        return _finite(text_or_number)
    expression = text_or_number
    if isinstance(expression, str):
        expression = parse(expression)
    _check_names(expression, variables)
    result, trouble = _evaluate(expression, variables)
    if trouble:
        raise EngineError(
            "{opening} {trouble}; change the expression or what it is made of.",
            opening=opening(expression.text),
            trouble=trouble,
        )
    return result


def written_unit(expression: Expression) -> str | None:
    """The unit that ends an expression such as "-30 mm", or None where there is none."""
    code = expression.code[:-1] if expression.code[-1][0] == "neg" else expression.code
    op, arg = code[-1]
    return str(arg) if op == "unit" else None


def to_text(expression: Expression) -> str:
    """A text that reads back as the same expression, with only the parentheses it needs."""
    stack: list[tuple[str, int]] = []
    for op, arg in expression.code:
        if op == "number":
            stack.append((repr(arg).removesuffix(".0"), grammar.ATOM))
        elif op in ("name", "constant"):
            stack.append((str(arg), grammar.ATOM))
        elif op == "unit":
            inner, binding = stack.pop()
            plain = inner in CONSTANTS or (binding == grammar.ATOM and inner[0] in "0123456789")
            stack.append((f"{inner if plain else f'({inner})'} {arg}", grammar.UNIT_TEXT))
        elif op in ("neg", "not"):
            sign, own = ("-", grammar.NEG) if op == "neg" else ("not ", grammar.NOT)
            stack.append((sign + _bracketed(stack.pop(), own), own))
        elif op in BINDING:
            own = BINDING[op]
            right = _bracketed(stack.pop(), own if op == "^" else own + 1)
            left = _bracketed(stack.pop(), own + 1 if op == "^" or own == grammar.COMPARE else own)
            space = "" if own >= grammar.PRODUCT else " "
            stack.append((f"{left}{space}{op}{space}{right}", own))
        else:
            at = len(stack) - int(arg)
            stack[at:] = [(f"{op}({', '.join(inner for inner, _ in stack[at:])})", grammar.ATOM)]
    return stack[0][0]


def program(
    expression: Expression, variables: tuple[str, ...], constants: Mapping[str, float]
) -> Program:
    """Flat code for engine.kernels.functions; a variable hides a constant of the same name.

    Parts without variables are evaluated here, unless they have no finite value: such a part may be in the
    branch of an `if` that is never taken.
    """
    _check_names(expression, variables, constants)
    code: list[tuple[str, float]] = []
    starts: list[int] = []  # where in `code` each entry on the stack begins
    depth = 0
    for op, arg in expression.code:
        if op in ("number", "name", "constant", "unit"):
            starts.append(len(code))
            depth = max(depth, len(starts))
        if op == "name" and arg in variables:
            code.append(("name", float(variables.index(str(arg)))))
        elif op == "unit":
            code.append(("number", unit(str(arg)).factor))
            _append_folded(code, starts, "*", 2)
        elif op in ("number", "name", "constant"):
            code.append(("number", _number(op, arg, constants)))
        else:
            _append_folded(code, starts, op, int(arg))
    return Program(tuple(op for op, _ in code), tuple(arg for _, arg in code), depth)


def _append_folded(code: list[tuple[str, float]], starts: list[int], op: str, n: int) -> None:
    """Append to `code` an operation on the last n entries, or its value where all are numbers."""
    operands = starts[len(starts) - n :]
    del starts[len(starts) - n + 1 :]
    if len(code) - operands[0] == n and all(word == "number" for word, _ in code[-n:]):
        result, trouble = _apply(op, [(arg, "") for _, arg in code[-n:]])
        if not trouble:
            code[operands[0] :] = [("number", result)]
            return
    code.append((op, 0.0))


def _evaluate(expression: Expression, variables: Mapping[str, float]) -> tuple[float, str]:
    """The value and an empty text, or what is wrong with the value."""
    stack: list[tuple[float, str]] = []
    for op, arg in expression.code:
        if op in ("number", "name", "constant"):
            number = _number(op, arg, variables)
            stack.append(
                (number, "" if math.isfinite(number) else say("'{arg}' is not finite", arg=arg))
            )
        elif op == "unit":
            stack.append(_apply("*", [stack.pop(), (unit(str(arg)).factor, "")]))
        else:
            at = len(stack) - int(arg)
            stack[at:] = [_apply(op, stack[at:])]
    return stack[0]


def _number(op: str, arg: float | str, variables: Mapping[str, float]) -> float:
    """The value of a number, a named constant or a variable."""
    if op == "number":
        return float(arg)
    return float((CONSTANTS if op == "constant" else variables)[str(arg)])


def _apply(op: str, operands: list[tuple[float, str]]) -> tuple[float, str]:
    """One operation on pairs of a value and what is wrong with it; unused operands may be wrong."""
    if op in ("if", "and", "or"):
        condition, trouble = operands[0]
        if trouble:
            return operands[0]
        if op == "if":
            return operands[1] if condition != 0.0 else operands[2]
        if (condition != 0.0) == (op == "or"):
            return float(op == "or"), ""
        return float(operands[1][0] != 0.0), operands[1][1]
    for operand in operands:
        if operand[1]:
            return operand
    numbers = [number for number, _ in operands]
    try:
        result = _OPERATIONS[op](*numbers)
    except (ValueError, OverflowError, ZeroDivisionError):
        result = math.nan
    if math.isfinite(result):
        return result, ""
    if op == "/" and numbers[1] == 0.0:
        return math.nan, say("there is a division by zero")
    written = [f"{number:.6g}" for number in numbers]
    call = f" {op} ".join(written) if op in BINDING else f"{op}({', '.join(written)})"
    return math.nan, say("{call} has no finite value", call=call)


def _check_names(expression: Expression, *known: Collection[str]) -> None:
    """Refuse names without a value, and names that could be a unit as well as a variable.

    What is known is asked, not copied: there may be thousands of parameters, each with an expression.
    """

    def is_known(name: str) -> bool:
        return any(name in some for some in known)

    both = sorted(filter(is_known, expression.unit_divisors))
    if both:
        name = both[0]
        raise EngineError(
            "{opening} '/{name}' could be the unit or the variable '{name}': "
            "write '{name}^-1' for the unit, or put parentheses before '/' for the variable.",
            opening=opening(expression.text),
            name=name,
        )
    for name in sorted(itertools.filterfalse(is_known, names(expression))):
        if name == TIME:
            hint = say("the time t can only be used where a function of it is asked for.")
        elif "." in name:
            hint = say("only points on a body use sizes of its shape, such as shape.length.")
        else:
            some = itertools.islice(itertools.chain(*known), _MOST_COMPARED)
            close = difflib.get_close_matches(name[:40], {*some} | RESERVED - {TIME}, n=3)
            hint = (
                say("did you mean {listed}?", listed=" or ".join(close))
                if close
                else say("add a parameter of that name.")
            )
        raise EngineError(
            "{opening} '{name:.40}' is unknown: {hint}",
            opening=opening(expression.text),
            name=name,
            hint=hint,
        )


def _finite(number: float) -> float:
    """The number as a float, if it is finite."""
    try:
        result = float(number)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise EngineError("{result} is not a finite number: give one.", result=result)
    return result


def _bracketed(operand: tuple[str, int], least: int) -> str:
    """The text of an operand, in parentheses if it binds weaker than `least`."""
    return operand[0] if operand[1] >= least else f"({operand[0]})"
