"""Parts that bend by their matrices: a body in the model, and its record before it has joints."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.compiling.elastic.records import Elastic, record_of_part
from engine.errors import EngineError
from engine.model.bodies import PlanarBody, SpatialBody
from engine.model.elements import Id, Model, fresh_id, put
from engine.model.shapes import Part

FIRST = "node {0}"


def part_body(model: Model, part: Part) -> tuple[Model, Id]:
    """A body with this shape, the origin of its node coordinates at the origin of the model."""
    dim = part.matrices().dim
    if dim != model.dim:
        raise EngineError(
            "The nodes of the part have {n} coordinates: it belongs into a model {there}.",
            n=dim,
            there="in the plane" if dim == 2 else "in space",
        )
    part.check()
    stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in Path(part.source).stem)[:20]
    id = fresh_id(model, stem if stem[:1].isalpha() else "part")
    name = Path(part.source).stem[:40]
    if dim == 2:
        return put(model, PlanarBody(id=id, name=name, shape=part)), id
    return put(model, SpatialBody(id=id, name=name, shape=part)), id


def part_as_held(part: Part, nodes: Sequence[int]) -> Elastic:
    """The record of a part with some nodes held in all their coordinates, as joints would hold them.

    Where nodes have no turns, a patch around them is held against turning too.
    """
    one = part.matrices()
    turns = 1 if one.dim == 2 else 3
    all_of_them = one.dim + (turns if one.has_turns or float(part.patch) > 0.0 else 0)
    places = tuple((FIRST.format(n + 1), tuple(map(float, one.nodes[n]))) for n in nodes)
    needs = tuple((id, frozenset(range(all_of_them))) for id, _ in places)
    return record_of_part(replace(part, source=""), places, needs, needs)
