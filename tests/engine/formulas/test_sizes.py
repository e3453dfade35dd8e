"""Points whose place uses the sizes of their body's shape."""

from dataclasses import fields, replace

import pytest

from engine.compiling.checks import problems
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.formulas.expressions import names, parse, to_text
from engine.formulas.lenient import PlainNumbers, lenient
from engine.formulas.resolve import resolved
from engine.formulas.sizes import own_sizes
from engine.model.bodies import PlanarBody, PlanarMarker, SpatialBody, SpatialMarker
from engine.model.elements import GROUND, Parameter, planar, put, remove, spatial
from engine.model.shapes import SHAPES, Box, Disc, Mesh, Polygon, Rod
from tests.engine.older_settings import BEFORE_VERSION_5


def a_link(length="l", **marker):
    """A rod of length l = 0.4 with a point at its end."""
    place = {"body": "link", "position": ("shape.length/2", 0.0), **marker}
    return put(
        planar(),
        PlanarMarker(id="end", **place),
        PlanarBody(id="link", name="coupler", shape=Rod(length=length)),
        Parameter(id="l", value=0.4),
    )


def test_a_name_may_have_parts_joined_by_dots():
    assert names(parse("2*shape.length - body.shape.x2 + x")) == {
        "shape.length",
        "body.shape.x2",
        "x",
    }
    assert to_text(parse("-(shape.length/2)")) == "-(shape.length/2)"
    for wrong in ("shape. length", "shape.", ".length", "shape.2", "shape..length"):
        with pytest.raises(EngineError):
            resolved(put(planar(), Parameter(id="p", value=wrong)))


def test_a_point_follows_the_length_of_its_rod_and_the_parameter_behind_it():
    model = a_link()
    assert resolved(model)["end"].position == (0.2, 0.0)
    longer = put(model, replace(model["l"], value=0.6))
    assert resolved(longer)["end"].position == (0.3, 0.0)
    in_numbers = put(model, replace(model["link"], shape=Rod(length=1.0)))
    assert resolved(in_numbers)["end"].position == (0.5, 0.0)


@pytest.mark.parametrize("kind", SHAPES, ids=lambda kind: kind.kind)
def test_every_length_of_every_shape_has_a_name(kind):
    shape = kind()
    found = own_sizes(shape)
    lengths = {"role": "number", "unit": "m"}.items()
    numbers = [f.name for f in fields(shape) if lengths <= f.metadata.items()]
    assert [name for name in numbers if found.get(f"shape.{name}") != getattr(shape, name)] == []
    assert all(isinstance(x, float) for x in found.values())
    if kind is Polygon:
        assert (found["shape.x2"], found["shape.y3"]) == (0.2, 0.1)
    if kind is Mesh:
        assert found == {}


def test_in_space_points_use_sizes_too():
    body = SpatialBody(id="plate", shape=Polygon(points=((0.0, 0.0), ("w", 0.0), (0.0, 0.1))))
    marker = SpatialMarker(
        id="m", body="plate", position=("shape.x2", "shape.y3", "shape.thickness/2")
    )
    model = put(spatial(), body, marker, Parameter(id="w", value=0.3))
    assert resolved(model)["m"].position == (0.3, 0.1, 0.005)


@pytest.mark.parametrize(
    "shape, body, words",
    [
        (Disc(), "link", "'coupler', a disc, which has shape.radius, shape.thickness"),
        (Mesh(), "link", "a mesh without such sizes"),
        (None, "link", "'coupler', which has no shape"),
        (Rod(), GROUND, "the ground, which has no shape"),
    ],
)
def test_a_tie_to_a_size_that_is_not_there_is_named_with_what_to_do(shape, body, words):
    model = a_link(body=body)
    model = put(model, replace(model["link"], shape=shape, mass=1.0, inertia=1.0))
    with pytest.raises(EngineError) as told:
        resolved(model)
    assert "'end' uses 'shape.length'" in told.value.sentence and words in told.value.sentence
    assert "Give its place in numbers" in told.value.sentence
    assert "end" in told.value.ids
    assert told.value.sentence in [p.sentence for p in problems(model)]
    assert lenient(model)["end"].position == (0.0, 0.0)  # the drawing stays


def test_sizes_of_a_body_that_is_gone_are_named():
    model = a_link()
    kept = replace(model, elements={id: e for id, e in model.elements.items() if id != "link"})
    with pytest.raises(EngineError, match=r"uses 'shape\.length'"):
        resolved(kept)
    assert "end" not in remove(model, "link")  # deleting a body deletes its points


def test_nothing_but_a_point_may_use_sizes():
    for shape in (Rod(length="2*shape.width"), Box(width="shape.height")):
        model = put(planar(), PlanarBody(id="b", shape=shape))
        with pytest.raises(EngineError, match="only points on a body use sizes"):
            resolved(model)
    with pytest.raises(EngineError, match="only points on a body use sizes"):
        resolved(put(planar(), Parameter(id="p", value="shape.length")))


def test_a_wrong_size_is_reported_once_and_not_again_for_every_point_tied_to_it():
    model = a_link(length="unknown")
    (problem,) = problems(model)
    assert "length of the shape of 'coupler'" in problem.sentence


def test_the_drawing_of_tied_points_follows_an_edit_of_their_body_alone():
    model, numbers = a_link(), PlainNumbers()
    numbers.of(model)
    after = put(model, replace(model["link"], shape=Rod(length=1.0)))
    assert numbers.of(after) == lenient(after)
    assert numbers.of(after)["end"].position == (0.5, 0.0)
    drawn = numbers.of(after)["end"]
    assert (
        numbers.of(put(after, replace(after["link"], angle=1.0)))["end"] is drawn
    )  # not made anew


def test_files_keep_ties_and_old_programs_are_told_that_they_are_too_old():
    model = a_link()
    text = dumps(model)
    assert loads(text) == model and '"kardan": 5' in text
    plain = put(model, replace(model["end"], position=(0.2, 0.0)))
    older = loads(dumps(plain).replace('"kardan": 5', '"kardan": 2'))
    assert older == replace(plain, settings=BEFORE_VERSION_5)
