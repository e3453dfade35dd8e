"""The numbers of a model as symbols, named after its parts, each with its value and the part it belongs to.

What was typed as a formula of parameters stays that formula; a plain number gets a symbol of its own;
zero stays zero; a place on a body that is a simple share of one of its lengths is written so, l_1/2, and
angles are shares of pi.
"""

import re
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import sympy as sp

from engine.compiling.system import Compiled
from engine.formulas.resolve import parameter_values
from engine.formulas.sizes import OWNER, own_sizes
from engine.model.elements import Id
from engine.symbols.traced import Traced, exact, expression_of, formula, real, share_of_pi

LETTERS = {
    "mass": "m",
    "length": "l",
    "width": "b",
    "height": "h",
    "radius": "r",
    "radius_1": "r1",
    "radius_2": "r2",
    "stiffness": "k",
    "damping": "c",
    "free_length": "l0",
    "free_angle": "beta0",
    "preload": "N0",
    "pressure_angle": "alpha",
    "air_density": "rho",
    "drag_area": "A",
    "inertia": "J",
}
PLACES = ("a", "b", "h")  # of a point on its body along x, y, z
MOST_NAMED = 4  # bodies whose names stand as indices; more are numbered
LONGEST = 8  # letters of such a name
NOT_EQUATIONS = ("hue", "density", "low", "high")
SAME = 2e-13  # relative: a number that differs from a share of a length by less is that share


class Names:
    """The model with traced numbers in its fields, and value and owner of each symbol."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.values: dict[sp.Symbol, float] = {}
        self.owners: dict[sp.Symbol, Id] = {}
        model, numbers = compiled.model, compiled.resolved
        self.parameters = {
            id: self.symbol(id, value, id) for id, value in parameter_values(model).items()
        }
        self.index = dict(zip(compiled.body_ids, self._indices()))
        self.gravity = [
            self.number(raw, float(plain), "g", "")
            for raw, plain in zip(model.gravity, numbers.gravity)
        ]
        self.sizes: dict[Id, dict[str, sp.Expr]] = {}
        elements: dict[Id, Any] = {}
        for body in model.of("body"):
            elements[body.id] = self._body(body, numbers[body.id])
        for id, element in model.elements.items():
            if element.family == "marker":
                elements[id] = self._marker(element, numbers[id])
            elif element.family in ("joint", "motion", "force"):
                elements[id] = self._traced(element, numbers[id], self._suffix(element))
            elif id not in elements:
                elements[id] = numbers[id]
        in_order = {id: elements[id] for id in model.elements}
        self.model = replace(numbers, elements=MappingProxyType(in_order))

    def symbol(self, name: str, value: float, owner: Id, other: str = "") -> sp.Symbol:
        """A new symbol with its value and its part; `other` is its name if this one is taken."""
        taken = {str(s) for s in self.values}
        name = re.sub(r"\W", "_", name)
        if name in taken or name == "t":
            name = re.sub(r"\W", "_", other) or name
        stem, n = name, 1
        while name in taken or name == "t":
            n += 1
            name = f"{stem}_{n}"
        made = real(name)
        self.values[made], self.owners[made] = float(value), owner
        return made

    def number(
        self, raw: Any, value: float, name: str, owner: Id, other: str = "", **known: sp.Expr
    ) -> sp.Expr:
        """What was typed: a formula of parameters, zero, or a symbol of its own."""
        if isinstance(raw, str):
            return formula(raw, {**self.parameters, **known})
        if value == 0.0:
            return sp.S.Zero
        size = self.symbol(name, abs(value), owner, other)
        return size if value > 0.0 else -size

    def _indices(self) -> list[str]:
        """What tells the symbols of bodies apart: short names of a few bodies, else numbers."""
        bodies = [self.compiled.model[id] for id in self.compiled.body_ids]
        labels = [re.sub(r"\W", "_", body.label) for body in bodies]
        endings = [re.sub(r"^\D*", "", label) for label in labels]
        if all(e.isdigit() for e in endings) and len(set(endings)) == len(endings):
            return endings
        named = len(labels) <= MOST_NAMED and len(set(labels)) == len(labels)
        if named and all(len(label) <= LONGEST for label in labels):
            return labels
        return [str(n) for n in range(1, len(labels) + 1)]

    def _suffix(self, element: Any) -> str:
        """What stands behind the letter of a number of an element."""
        numbered = re.fullmatch(rf"{element.kind}_?(\d+)", element.label)
        return numbered[1] if numbered else element.label

    def _traced(self, element: Any, numbers: Any, suffix: str, owner: Id = "") -> Any:
        """An element with traced numbers in its fields."""
        owner = owner or element.id
        changes: dict[str, Any] = {}
        for f in fields(element):
            raw, value = getattr(element, f.name), getattr(numbers, f.name)
            role, letter = f.metadata.get("role"), LETTERS.get(f.name, f.name)
            if f.name in NOT_EQUATIONS and not hasattr(element, "depth"):
                continue
            if role == "number" and raw is not None:
                changes[f.name] = self._number_of(f, raw, value, f"{letter}_{suffix}", owner)
            elif role == "function" and isinstance(value, int | float):
                name, other = f"{letter}_{suffix}", f"{letter}_{owner}"
                changes[f.name] = Traced(value, self.number(raw, float(value), name, owner, other))
        return replace(element, **changes)

    def _number_of(self, f: Any, raw: Any, value: float, name: str, owner: Id) -> Traced:
        """A number of a field; an angle that is a simple share of pi is written so."""
        share = share_of_pi(value) if f.metadata.get("unit") == "rad" else None
        if share is not None and not isinstance(raw, str):
            return Traced(value, share)
        return Traced(value, self.number(raw, value, name, owner, f"{name}_{owner}"))

    def _body(self, body: Any, numbers: Any) -> Any:
        """A body with traced sizes and mass; where it is drawn does not enter the equations."""
        suffix = self.index.get(body.id, self._suffix(body))
        changes: dict[str, Any] = {}
        shape = getattr(numbers, "shape", None)
        if is_dataclass(shape) and not body.fixed:
            shape = changes["shape"] = self._traced(body.shape, shape, suffix, body.id)
        self.sizes[body.id] = {name: expression_of(x) for name, x in own_sizes(shape).items()}
        if body.mass is not None and not body.fixed:
            changes["mass"] = Traced(
                numbers.mass, self.number(body.mass, numbers.mass, f"m_{suffix}", body.id)
            )
        return replace(numbers, **changes)

    def _marker(self, marker: Any, numbers: Any) -> Any:
        """A marker with a traced place and, in the plane, a traced angle."""
        suffix = marker.label
        places = tuple(
            Traced(value, self.place(marker.body, raw, value, f"{axis}_{suffix}", marker.id))
            for axis, raw, value in zip(PLACES, marker.position, numbers.position)
        )
        changes: dict[str, Any] = {"position": places}
        if hasattr(marker, "angle"):
            share = share_of_pi(numbers.angle)
            expression = (
                share
                if share is not None and not isinstance(marker.angle, str)
                else self.number(marker.angle, numbers.angle, f"beta_{suffix}", marker.id)
            )
            changes["angle"] = Traced(numbers.angle, expression)
        return replace(numbers, **changes)

    def place(self, body: Id, raw: Any, value: float, name: str, owner: Id) -> sp.Expr:
        """A place on a body, as a simple share of one of its lengths where it is one."""
        sizes = self.sizes.get(body, {})
        if isinstance(raw, str) or value == 0.0:
            return self.number(raw, value, name, owner, **sizes)
        for size in sizes.values():
            found = self.share(value, size)
            if found is not None:
                return found
        return self.number(raw, value, name, owner)

    def share(self, value: float, size: sp.Expr) -> sp.Expr | None:
        """A number as a simple share of a size, or None."""
        length = self.value(size)
        if length == 0.0:
            return None
        part = Fraction(value / length).limit_denominator(4)
        if not 0 < abs(part) <= 1 or abs(float(part) * length - value) > SAME * abs(value):
            return None
        return sp.Rational(part.numerator, part.denominator) * size

    def value(self, expression: sp.Expr) -> float:
        """An expression of known symbols in numbers."""
        known = self.values.get(expression)  # most are symbols
        return float(expression.subs(self.values)) if known is None else known

    def length(self, owner: Id, name: str) -> sp.Expr:
        """A size of the shape of a body, zero where it has none."""
        return self.sizes.get(owner, {}).get(f"{OWNER}.{name}", sp.S.Zero)

    def known_or_symbol(
        self, value: float, candidates: list[sp.Expr], name: str, owner: Id
    ) -> sp.Expr:
        """The first candidate that has this value, else a new symbol; zero stays zero."""
        if value == 0.0:
            return sp.S.Zero
        for candidate in candidates:
            if np.isclose(self.value(candidate), value, rtol=SAME, atol=0.0):
                return candidate
        sign = 1 if value > 0.0 else -1
        return sign * self.symbol(name, abs(value), owner)


def matrix_of(axes: np.ndarray) -> tuple[tuple[sp.Expr, ...], ...]:
    """The columns of a matrix of directions; what is rounding is zero."""
    return tuple(
        tuple(sp.S.Zero if abs(x) < 1e-15 else exact(float(x)) for x in column) for column in axes.T
    )
