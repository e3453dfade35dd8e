"""Hostile changes of model files that keep their structure, so that they get past the reader.

A file of random bytes is refused at once. These take a sound model and change a number to an extreme, a
name to markup, a reference to another element, a formula to nonsense: one to four changes. Fields that
the file leaves out are filled in too, and kinds of elements and shapes become any other of the catalogue.
"""

import copy
import json
import random
from dataclasses import fields
from typing import Any

from engine.model.catalogue import ELEMENTS
from engine.model.shapes import SHAPES

NUMBERS = (
    *(0.0, -0.0, 1.0, -1.0, 1e-320, -1e-320, 1e-300, 1e-30, 1e-9, 1e9, -1e9, 1e10, 1e15, 1e30),
    *(1e100, 1e150, -1e150, 1e300, 1e308, -1e308, 1.7976931348623157e308, 2**53, 10**400),
)
TEXTS = (
    *(
        "",
        " ",
        "0",
        "1e308",
        "-1e308",
        "nan",
        "inf",
        "1/0",
        "t",
        "x",
        "pi",
        "1e309",
        "0x10",
        "1_000",
    ),
    *(
        "sin(",
        "((((((((((1))))))))))",
        "1" * 400,
        "a" * 300,
        "-" * 200 + "1",
        "2^2^2^2^2",
        "10^400",
    ),
    *("30 mm", "1 kg", "5 deg", "1/t", "sqrt(-1)", "log(0)", "step(t,0,0,0,1)", "if(t,1,0)"),
    *(
        "ground",
        "%s",
        "{0}",
        "<img src='x'>",
        "\u0000",
        "\ud83d\ude00",
        "__import__('os')",
        "shape.length",
    ),
    *("shape.radius/2", "shape.nothing", "0*t", "if(t > 0.01, 1e200, 0)", "exp(1000*t)"),
)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    False,
    [],
    {},
    [[]],
    [0.0],
    [1e308, 1e308],
    [0.0] * 7,
    {"kind": "rod"},
)


def mutated(text: str, rng: random.Random) -> str:
    """A model file with a few hostile changes; half of them such as a person may make."""
    raw = json.loads(text)
    mild = rng.random() < 0.5
    for _ in range(rng.randint(1, 4)):
        if mild:
            rng.choice((_amount, _amount, _amount, _setting, _kind))(raw, rng)
            continue
        change = rng.choices(
            (_value, _number, _reference, _copy, _drop, _kind, _field), (6, 8, 3, 2, 2, 1, 4)
        )[0]
        change(raw, rng)
    return json.dumps(raw)


def places(raw: Any) -> list[tuple[Any, Any]]:
    """Every container with a key or index in it."""
    found: list[tuple[Any, Any]] = []
    todo = [raw]
    while todo:
        here = todo.pop()
        keys = here.keys() if isinstance(here, dict) else range(len(here))
        for key in list(keys):
            found.append((here, key))
            if isinstance(here[key], dict | list):
                todo.append(here[key])
    return found


def _value(raw: Any, rng: random.Random) -> None:
    """Something else in any place."""
    container, key = rng.choice(places(raw))
    container[key] = copy.deepcopy(
        rng.choice((rng.choice(NUMBERS), rng.choice(TEXTS), rng.choice(OTHERS)))
    )


def _number(raw: Any, rng: random.Random) -> None:
    """An extreme, a slightly changed or a formula in the place of a number."""
    numbers = [(c, k) for c, k in places(raw) if type(c[k]) is float]
    if not numbers:
        return
    container, key = rng.choice(numbers)
    old = container[key]
    container[key] = rng.choice(
        (
            rng.choice(NUMBERS),
            rng.choice(TEXTS),
            -old,
            old * 10.0 ** rng.randint(-12, 12),
            old + rng.gauss(0, 1),
        )
    )


def _amount(raw: Any, rng: random.Random) -> None:
    """Another size or sign of a number, none at all, or a round one."""
    numbers = [(c, k) for c, k in places(raw) if type(c[k]) is float]
    if numbers:
        container, key = rng.choice(numbers)
        old = container[key]
        others = (
            -old,
            old * 10.0 ** rng.randint(-6, 6),
            old + rng.gauss(0, 1),
            0.0,
            1.0,
            1e-3,
            1e3,
        )
        container[key] = rng.choice(others)


def _reference(raw: Any, rng: random.Random) -> None:
    """One text in the place of another: references to the wrong element, circles, wrong choices."""
    texts = [(c, k) for c, k in places(raw) if isinstance(c[k], str)]
    if not texts:
        return
    container, key = rng.choice(texts)
    other, other_key = rng.choice(texts)
    container[key] = other[other_key]


def _copy(raw: Any, rng: random.Random) -> None:
    """A whole part in another place, or an element twice."""
    elements = raw.get("elements")
    if isinstance(elements, list) and elements and rng.random() < 0.5:
        extra = copy.deepcopy(rng.choice(elements))
        if isinstance(extra, dict) and rng.random() < 0.7:
            extra["id"] = f"copy_{rng.randrange(1000)}"
        elements.insert(rng.randrange(len(elements) + 1), extra)
        return
    (container, key), (other, other_key) = rng.choice(places(raw)), rng.choice(places(raw))
    container[key] = copy.deepcopy(other[other_key])


def _drop(raw: Any, rng: random.Random) -> None:
    """Something is missing."""
    container, key = rng.choice(places(raw))
    del container[key]


def _kind(raw: Any, rng: random.Random) -> None:
    """An element or a shape of another kind with the same fields."""
    found = [e for e in _elements(raw) if "kind" in e]
    shapes = [e["shape"] for e in found if isinstance(e.get("shape"), dict)]
    if shapes and rng.random() < 0.3:
        rng.choice(shapes)["kind"] = rng.choice(SHAPES).kind
    elif found:
        others = [rng.choice(found)["kind"], rng.choice(ELEMENTS).kind]
        rng.choice(found)["kind"] = rng.choice(others)


def _field(raw: Any, rng: random.Random) -> None:
    """Anything in a field of an element or its shape that the file may have left out."""
    _fill(raw, rng, [rng.choice(NUMBERS), rng.choice(TEXTS), rng.choice(OTHERS)])


def _setting(raw: Any, rng: random.Random) -> None:
    """One of its choices, or a usual number, in such a field."""
    _fill(raw, rng, [10.0 ** rng.randint(-4, 4), -1.0, "0.1*sin(5*t)", True, False])


def _fill(raw: Any, rng: random.Random, values: list[Any]) -> None:
    """Choose a field that is declared, and one of its choices or of the values for it."""
    kinds = {kind.kind: kind for kind in (*ELEMENTS, *SHAPES)}
    found = [e for e in _elements(raw) if isinstance(e.get("kind"), str)]
    found += [e["shape"] for e in found if isinstance(e.get("shape"), dict)]
    found = [e for e in found if isinstance(e.get("kind"), str) and e["kind"] in kinds]
    if found:
        element = rng.choice(found)
        declared = [f for f in fields(kinds[element["kind"]]) if f.name not in ("id", "name")]
        if declared:
            f = rng.choice(declared)
            choices = f.metadata.get("choices", ())
            element[f.name] = copy.deepcopy(rng.choice(choices or values))


def _elements(raw: Any) -> list[dict[str, Any]]:
    """The elements that are still such."""
    listed = raw.get("elements")
    return [e for e in listed if isinstance(e, dict)] if isinstance(listed, list) else []
