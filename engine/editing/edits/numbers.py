"""Arithmetic with the numbers of a model, which may be texts of expressions: they stay expressions."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from engine.errors import EngineError
from engine.formulas.expressions import Expression, names, parse, to_text
from engine.formulas.grammar import Item
from engine.formulas.resolve import resolved_alone
from engine.model.elements import Id, Model
from engine.model.fields import Function, Number, Polyline, Vector, joined_like


def plus(number: Number, shift: float) -> Number:
    """The number moved by a shift; an expression gets a summand."""
    if not isinstance(number, str):
        return number + shift
    if shift == 0.0:
        return number
    sign = "+" if shift > 0.0 else "-"
    return _text((*parse(number).code, ("number", abs(shift)), (sign, 2)))


def moved(vector: Vector, shift: tuple[float, ...]) -> Vector:
    """Every entry moved by its own shift."""
    return tuple(plus(entry, by) for entry, by in zip(vector, shift))


def combined(a: float, x: Number, b: float, y: Number) -> Number:
    """a x + b y; an expression if x or y is one."""
    if not isinstance(x, str) and not isinstance(y, str):
        return a * x + b * y
    return plus_product(plus_product(0.0, a, x), b, y)


def plus_product(total: Number, factor: float, number: Number) -> Number:
    """total + factor number, without terms that are zero."""
    if factor == 0.0 or number == 0.0:
        return total
    if isinstance(total, str) or isinstance(number, str):
        product = f"{factor!r}*({number})"
        return _text(parse(product if total == 0.0 else f"({total}) + {product}").code)
    return total + factor * number


def minus(number: Number, mirror: float = 0.0) -> Number:
    """The mirror image 2 mirror - number; an expression changes its sign, twice changes nothing."""
    if not isinstance(number, str):
        return 2.0 * mirror - number if mirror or number else number
    code = parse(number).code
    head = (("number", 2.0 * mirror),)
    if mirror and code[:1] == head and code[-1] == ("-", 2) and _operands(code[1:-1]) == 1:
        return _text(code[1:-1])
    if mirror:
        return _text((*head, *code, ("-", 2)))
    return _text(code[:-1] if code[-1] == ("neg", 1) else (*code, ("neg", 1)))


def negated(function: Function) -> Function:
    """The function with the opposite sign; a table or an expression keeps its form."""
    if isinstance(function, tuple):
        return joined_like(function, ((x, -y if y else y) for x, y in function))
    return minus(function)


def odd_image(function: Function, variables: tuple[str, ...]) -> Function:
    """-f(-x) for the function f(x, ...): a mirrored characteristic.

    Of an expression the signs of these variables change; of a table that of the first.
    """
    if isinstance(function, tuple):
        mirrored = ((-x if x else x, -y if y else y) for x, y in reversed(function))
        return joined_like(function, mirrored)
    if not isinstance(function, str):
        return minus(function)
    code: list[Item] = []
    turned = [("name", variable) for variable in variables]
    for item in parse(function).code:
        if item == ("neg", 1) and code[-2:-1] and code[-2] in turned and code[-1] == item:
            del code[-1]  # -(-x) is x
            continue
        code.append(item)
        if item in turned:
            code.append(("neg", 1))
    return minus(_text(tuple(code)))


def with_name(text: str, name: str, instead: str) -> str:
    """The expression with a variable replaced by another expression."""
    expression = parse(text)
    if name not in names(expression):
        return text
    inner = parse(instead).code
    code = [part for i in expression.code for part in (inner if i == ("name", name) else (i,))]
    return _text(tuple(code))


def uses(text: Any, name: str) -> bool:
    """Whether a value is the text of an expression with this variable."""
    if not isinstance(text, str):
        return False
    try:
        return name in names(parse(text))
    except EngineError:
        return False


def texts_changed(item: Any, change: Any) -> Any:
    """The element, shape or settings with another text for every expression in its fields."""
    changes = {}
    for f in fields(item):
        old = getattr(item, f.name)
        role = f.metadata.get("role")
        if role in ("number", "function", "vector", "points", "formula"):
            new = _changed(old, change)
        elif is_dataclass(old) and not isinstance(old, type):
            new = texts_changed(old, change)
        else:
            continue
        if new != old:
            changes[f.name] = new
    return replace(item, **changes) if changes else item


def in_numbers(model: Model, element: Any) -> Any:
    """One element with numbers for its expressions, even if others are wrong."""
    return checked(model, element) if _has_texts(element) else element


def checked(model: Model, element: Any) -> Any:
    """One element in numbers that are all within their limits, or an EngineError."""
    return resolved_alone(model, element)


def refuse_expression(number: Any, where: str, id: Id) -> None:
    """Raise EngineError where an edit needs plain numbers and one is an expression."""
    entries = number if isinstance(number, tuple) else (number,)
    for entry in entries:
        if isinstance(entry, str):
            raise EngineError(
                "The {where} is the expression '{entry}', which cannot be turned; replace it "
                "by a number first.",
                id,
                where=where,
                entry=entry[:40],
            )


def _text(code: tuple[Item, ...]) -> str:
    return to_text(Expression(code, ""))


def _operands(code: tuple[Item, ...]) -> int:
    """How many values postfix code leaves behind."""
    depth = 0
    for op, arg in code:
        if op in ("number", "name", "constant"):
            depth += 1
        elif op != "unit":
            depth += 1 - int(arg)
        if depth < 1:
            return 0
    return depth


def _changed(value: Any, change: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple) and not isinstance(value, Polyline):  # it holds numbers alone
        return tuple(_changed(entry, change) for entry in value)
    return value


def _has_texts(item: Any) -> bool:
    return texts_changed(item, lambda text: text + " ") is not item
