"""The answers of a reduction as statements to read; what is not there yet is left out."""

from typing import Any

import sympy as sp

from engine.errors import say
from engine.model.elements import Model
from engine.symbols.equations import Equations
from engine.symbols.reduced.ratios import Ratio
from engine.symbols.traced import T, real
from engine.symbols.views import Section, Statement


def reduced_sections(found: dict[str, Any], equations: Equations) -> list[Section]:
    """Coordinates, closure and velocity ratios of loops, M u'' = h, and u'' itself."""
    model, sections = equations.compiled.model, []
    coordinates = found.get("coordinates", [])
    u = [real(name) for name, _ in coordinates]
    second = [real(_second(name)) for name, _ in coordinates]
    if coordinates:
        told = tuple(
            Statement((symbol,), joint, _carried_by(joint, model))
            for symbol, (_, joint) in zip(u, coordinates)
        )
        sections.append(Section(say("Coordinates of joints"), told))
    if found.get("loop"):
        closure = tuple(Statement((x, "=", sp.S.Zero)) for x in found["loop"])
        sections.append(Section(say("Closed loops"), closure))
    if found.get("ratios"):
        ratios = tuple(Statement(ratio_pieces(one)) for one in found["ratios"])
        sections.append(Section(say("Velocity ratios"), ratios))
    elif found.get("rates"):
        rates = tuple(Statement((x, "=", sp.S.Zero)) for x in found["rates"])
        sections.append(Section(say("Velocities of closed loops"), rates))
    if "matrix" in found and u:
        M, h = found["matrix"]
        title = say("M u'' = h")
        if found.get("loop"):
            is_driven = any(T in x.free_symbols for x in found["loop"])
            title = say("M u'' = h − Bᵀ μ, with B u' = 0")
            if is_driven:
                title = say("M u'' = h − Bᵀ μ, with B u' + ∂g/∂t = 0")
        sections.append(Section(title, (Statement((M, sp.Matrix(second), "=", sp.Matrix(h))),)))
    if "solved" in found:
        solved = tuple(Statement((a, "=", x)) for a, x in zip(second, found["solved"]))
        sections.append(Section(say("Solved for the accelerations"), solved))
    return sections


def ratio_pieces(ratio: Ratio) -> tuple[Any, ...]:
    """A dependent rate as a sum of ratios times free rates."""
    pieces: tuple[Any, ...] = (ratio.rate, "=")
    for n, (rate, x) in enumerate(ratio.parts):
        pieces = (*pieces, *(("+",) if n else ()), x, rate)
    return pieces if ratio.parts else (*pieces, sp.S.Zero)


def _carried_by(joint: str, model: Model) -> str:
    """The joint of a coordinate in words; a free body has none."""
    return say("'{joint}'", joint=model[joint].label) if joint else say("free")


def owners(found: dict[str, Any], equations: Equations) -> dict[sp.Symbol, str]:
    """The body that each coordinate and its derivatives belong to."""
    by_index = {body.name: id for body, id in zip(equations.bodies, equations.compiled.body_ids)}
    known = dict(equations.names.owners)
    for name, _ in found.get("coordinates", []):
        id = by_index.get(name.partition("_")[2], "")
        known |= {real(n): id for n in (name, _first(name), _second(name))}
    return known


def _first(name: str) -> str:
    letter, _, index = name.partition("_")
    return f"{letter}dot_{index}"


def _second(name: str) -> str:
    letter, _, index = name.partition("_")
    return f"{letter}ddot_{index}"
