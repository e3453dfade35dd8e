"""Model files: exact, readable, safe against every input, and never half written."""

import json
import re
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.files import encoding
from engine.files import model_files as files
from engine.files.model_files import dumps, loads
from engine.model import catalogue as catalog
from engine.model.bodies import (
    PlanarBody,
    PlanarMarker,
    PlanarParticle,
    SpatialBody,
    SpatialMarker,
    SpatialParticle,
)
from engine.model.elements import Backdrop, Element, Parameter, Settings, planar, put, spatial
from engine.model.fields import choice, flag, function, number, points, ref, shape, text, vector
from engine.model.shapes import SHAPES, Mesh, Polygon, Rod, Sphere
from tests.engine.older_settings import BEFORE_VERSION_5


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinge(Element):
    """A throw-away joint with a field of every role."""

    kind: ClassVar[str] = "hinge"
    family: ClassVar[str] = "joint"
    marker_i: str = ref("marker")
    marker_j: str = ref("marker")
    stiffness: Any = number(1.0, unit="N m/rad", low=0.0)
    play: Any = number(None)
    axis: Any = vector((1.0, 0.0))
    law: Any = function(None, of=("t",))
    drive: Any = function(0.0)
    note: str = text("none")
    mode: str = choice("free", ("free", "stiff"))
    locked: bool = flag(False)
    path: Any = points()
    guard: Any = shape()


@pytest.fixture(autouse=True)
def with_hinge(monkeypatch):
    """The catalogue with the throw-away joint in it."""
    monkeypatch.setattr(catalog, "ELEMENTS", (*catalog.ELEMENTS, Hinge))


def full_model():
    """A planar model with every role of field away from its default."""
    return put(
        planar(
            'Größe "x" \\ \n2',
            description="Zeile 1\nZeile 2\u2028\t😀",
            gravity=("g", -0.0),
            settings=Settings(t_end=0.1 + 0.2, step="h/2", orientation="3-1-3"),
            background=Backdrop(picture="AAAA", position=(-0.0, 1 / 3), opacity=0.25),
        ),
        Parameter(id="g", value="9.81 m/s^2", unit="m/s^2", low=-1e-300, high=1.7e59),
        PlanarBody(id="rod_1", name="Kurbel", shape=Rod(length="2*g", width=1 / 3), fixed=True),
        PlanarBody(id="_2", mass=1e-17, inertia="g", center=(0.1, "g"), position=(-0.0, 5e-324)),
        PlanarBody(id="plate", shape=Polygon(points=((0.0, 0.0), ("g", 0.0), (0.0, 1.0)))),
        PlanarParticle(id="p", velocity=(1.0, -1.0), color="#ff0000"),
        PlanarMarker(id="a", body="ground", angle="30 deg"),
        PlanarMarker(id="b", body="rod_1", angle=-0.0),
        Hinge(
            id="h",
            marker_i="a",
            marker_j="b",
            stiffness="3 kN/m",
            play=0.0,
            axis=(0.0, "g"),
            law=((0.0, 1.0), (0.1, 2.5)),
            drive="sin(3*t)",
            note="",
            mode="stiff",
            locked=True,
            path=((0.0, 1.0), ("g", 2.0, 3.0)),
            guard=Sphere(radius=2.0),
        ),
    )


def spatial_model():
    """A spatial model, with a mesh."""
    mesh = Mesh(
        vertices=((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 0.1)),
        faces=((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)),
        source="part.stl",
    )
    return put(
        spatial("3D"),
        SpatialBody(id="b", shape=mesh, orientation=(0.5, 0.5, 0.5, 0.5), parameters="3-1-3"),
        SpatialBody(id="c", mass=1.0, inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0)),
        SpatialParticle(id="d"),
        SpatialMarker(id="m", body="b"),
    )


MODELS = [planar(), spatial(), full_model(), spatial_model()]


def refused(text):
    """The error that a text gives."""
    with pytest.raises(EngineError) as caught:
        loads(text)
    assert caught.value.sentence.endswith((".", "?"))
    return caught.value


def file_with(*elements, **top):
    """The text of a planar file with these raw elements."""
    return json.dumps({"kardan": 1, "dim": 2, **top, "elements": list(elements)})


# ---- round trip


@pytest.mark.parametrize("model", MODELS, ids=["planar", "spatial", "all roles", "mesh"])
def test_a_model_comes_back_exactly(model):
    text = dumps(model)
    again = loads(text)
    assert again == model
    assert dumps(again) == text
    assert repr(again) == repr(model)  # -0.0 == 0.0, but it is another float


@pytest.mark.parametrize("cls", [*SHAPES], ids=lambda s: s.kind)
def test_every_shape_comes_back_exactly(cls):
    body = (SpatialBody if 3 in cls.dims else PlanarBody)(id="b", shape=cls())
    model = put(spatial() if 3 in cls.dims else planar(), body)
    assert loads(dumps(model)) == model


def test_every_role_in_the_catalogue_and_the_shapes_can_be_written():
    for cls in (*catalog.ELEMENTS, *SHAPES, Settings):
        for f in fields(cls):
            assert f.name == "id" or f.metadata["role"] in encoding._READERS


@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=2), st.text())
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_every_float_and_text_comes_back_exactly(numbers, words):
    if re.search("[\ud800-\udfff]", words):
        return
    model = put(planar(words), PlanarBody(id="b", name=words, position=tuple(numbers)))
    assert repr(loads(dumps(model))) == repr(model)


def test_each_element_has_a_line_and_defaults_are_left_out():
    model = put(planar("one"), PlanarBody(id="b", mass=2.0), PlanarMarker(id="m", body="b"))
    assert dumps(model) == (
        '{\n  "kardan": 5,\n  "dim": 2,\n  "name": "one",\n  "gravity": [0.0, -9.81],\n'
        '  "elements": [\n    {"kind": "body", "id": "b", "mass": 2.0, "hue": 1.0},\n'
        '    {"kind": "marker", "id": "m", "body": "b"}\n  ]\n}\n'
    )


def test_whole_numbers_become_floats():
    model = put(planar(), PlanarBody(id="b", mass=2, position=(1, 2)))
    again = loads(dumps(model))
    assert again == model and type(again["b"].mass) is float
    assert type(loads(file_with({"kind": "particle", "id": "p", "mass": 3}))["p"].mass) is float


def test_missing_parts_take_their_defaults():
    assert loads('{"kardan": 5, "dim": 3}') == spatial()
    assert loads('{"kardan": 1, "dim": 3}') == spatial(settings=BEFORE_VERSION_5)


def test_null_unsets_what_may_be_unset():
    assert loads(file_with({"kind": "body", "id": "b", "mass": None}))["b"].mass is None


# ---- what is refused


@pytest.mark.parametrize(
    ("background", "words"),
    [
        (5, "The background must be an object"),
        ({"path": "/etc/passwd"}, "The background: there is no field 'path'"),
        ({"pixel": 0}, "pixels above zero"),
        ({"pixel": "l"}, "by numbers"),
        ({"opacity": 2}, "opacity from 0 to 1"),
        ({"picture": "A" * (3 * 2**20 + 1)}, "take a smaller one"),
    ],
    ids=["number", "path", "pixel", "expression", "opacity", "size"],
)
def test_a_background_that_no_model_may_have_is_refused(background, words):
    with pytest.raises(EngineError, match=words):
        loads(file_with(background=background))


@pytest.mark.parametrize(
    ("model", "fields", "words"),
    [
        (spatial(), {}, "Only a model in the plane has a background"),
        (planar(), {"position": ("a", 0.0)}, "placed by numbers"),
        (planar(), {"pixel": 0.0}, "pixels above zero"),
        (planar(), {"opacity": 1.5}, "opacity from 0 to 1"),
        (planar(), {"picture": "A" * (files.MAX_PICTURE + 1)}, "more than 3 MB"),
    ],
)
def test_a_background_that_could_not_be_read_is_not_written(model, fields, words):
    with pytest.raises(EngineError, match=words):
        dumps(replace(model, background=Backdrop(**{"picture": "AAAA", **fields})))


def test_a_model_in_space_has_no_background():
    with pytest.raises(EngineError, match="in the plane"):
        loads('{"kardan": 1, "dim": 3, "background": {}}')


BODY = {"kind": "body", "id": "rod_1"}
HINGE = {"kind": "hinge", "id": "h"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mass": True}, "Element 'rod_1': 'mass' must be a number, not true."),
        ({"mass": [1]}, "'mass' must be a number, not a list"),
        ({"mass": 10**400}, "'mass' must be a number below"),
        ({"density": None}, "'density' must be a number, not null"),
        ({"position": [1.0]}, "'position' must be a list of 2 numbers, not a list of 1."),
        ({"position": 1.0}, "'position' must be a list of 2 numbers, not 1.0."),
        ({"position": [1.0, False]}, "'position' must be a number, not false"),
        ({"fixed": 1}, "'fixed' must be true or false, not 1."),
        ({"name": 5}, "'name' must be a text, not 5."),
        ({"name": "\ud800"}, "half a character"),
        ({"masss": 1.0}, "there is no field 'masss'; did you mean 'mass'?"),
        ({"": 1.0}, "there is no field ''"),
        ({"shape": "rod"}, "'shape' must be an object"),
        ({"shape": {}}, "unknown kind null"),
        ({"shape": {"kind": "rood"}}, "unknown kind 'rood'; did you mean 'rod'?"),
        ({"shape": {"kind": "rod", "size": 1}}, "'shape' (a rod): there is no field 'size'"),
        (
            {"shape": {"kind": "rod", "length": True}},
            "(a rod): 'length' must be a number, not true",
        ),
        ({"shape": {"kind": "polygon", "points": 1}}, "'points' must be a list of lists"),
        ({"shape": {"kind": "polygon", "points": [1]}}, "as its entry 1"),
        ({"shape": {"kind": "mesh", "faces": [[0, 1]]}}, "a list of 3 numbers"),
        ({"shape": {"kind": "mesh", "faces": [[0, 1, 2.5]]}}, "whole numbers"),
        ({"shape": {"kind": "mesh", "faces": [[0, 1, -1]]}}, "whole numbers"),
        ({"kind": "boddy"}, "there is no kind 'boddy' in the plane; did you mean 'body'?"),
        ({"kind": None}, "must be a text, not null"),
    ],
)
def test_a_wrong_value_is_refused_with_its_place(change, words):
    error = refused(file_with({**BODY, **change}))
    assert words.lower() in error.sentence.lower() and "rod_1" in error.sentence
    assert error.ids == ("rod_1",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"law": [[0, 1], [1]]}, "a list of 2 numbers as its entry 2"),
        ({"law": [[0, "x"]]}, "must be a number, not 'x'"),
        ({"law": True}, "must be a number, not true"),
        ({"law": {}}, "must be a number, or a table such as {"),
        ({"drive": None}, "must be a number, not null"),
        ({"marker_i": 1}, "must be a text, not 1"),
        ({"mode": ["free"]}, "must be a text, not a list"),
        ({"id": "other", "marker_j": None}, "must be a text, not null"),
    ],
)
def test_a_wrong_function_reference_or_choice_is_refused(change, words):
    assert words in refused(file_with({**HINGE, **change})).sentence


@pytest.mark.parametrize(
    ("element", "words"),
    [
        ({"kind": "body"}, "Element 1 in the list has no id."),
        ({"kind": "body", "id": 7}, "has no id"),
        ({"kind": "body", "id": "ground"}, "is not 'ground'"),
        ({"kind": "body", "id": "1st"}, "starts with no digit"),
        ({"kind": "body", "id": "a b"}, "has the id 'a b'"),
        ({"kind": "body", "id": "ä"}, "has the id 'ä'"),
        ({"kind": "body", "id": "a\n"}, "letters, digits and _ only"),
        ({"id": "x"}, "Element 'x': There is no kind '' in the plane"),
        (5, "Element 1 in the list must be an object {...}, not 5."),
    ],
)
def test_an_element_without_a_proper_id_or_kind_is_refused(element, words):
    assert words in refused(file_with(element)).sentence


def test_two_elements_with_one_id_are_refused():
    error = refused(file_with(BODY, {"kind": "marker", "id": "rod_1"}))
    assert "'rod_1' is there twice" in error.sentence and error.ids == ("rod_1",)


def test_a_kind_of_the_other_dimension_is_named_as_such(monkeypatch):
    flat = type("Flat", (Hinge,), {"__slots__": (), "kind": "flat", "dims": (2,)})
    deep = type("Deep", (Hinge,), {"__slots__": (), "kind": "deep", "dims": (3,)})
    monkeypatch.setattr(catalog, "ELEMENTS", (flat, deep))
    assert "exists in space only" in refused(file_with({"kind": "deep", "id": "a"})).sentence
    text = file_with({"kind": "flat", "id": "a"}, dim=3)
    assert "exists in the plane only" in refused(text).sentence
    assert catalog.kinds(2) == ("flat",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "It is empty"),
        ('{"kardan": 1,\n"dim"', "ends too early, in line 2"),
        ('{"kardan": 1,\n"dim": 2,,}', "Line 2, column 10 is not valid JSON"),
        ("[]", "not a Kardan model"),
        ("5", "not a Kardan model"),
        ('{"dim": 2}', "not a Kardan model"),
        ('{"kardan": 1}', '"dim" must be 2 (in the plane) or 3 (in space), not null.'),
        ('{"kardan": 1, "dim": 2.0}', "not 2.0"),
        ('{"kardan": 1, "dim": true}', "not true"),
        ('{"kardan": 1, "dim": 4}', "not 4"),
        ('{"kardan": true, "dim": 2}', "whole number, not true"),
        ('{"kardan": 1.0, "dim": 2}', "whole number, not 1.0"),
        ('{"kardan": "1", "dim": 2}', "whole number, not '1'"),
        ('{"kardan": 0, "dim": 2}', "never been a format version 0"),
        ('{"kardan": 7, "future": {}}', "This file needs a newer Kardan: it has format version 7"),
        ('{"kardan": 1, "dim": 2, "elemets": []}', "no 'elemets'; did you mean 'elements'?"),
        ('{"kardan": 1, "dim": 2, "elements": {}}', '"elements" must be a list, not an object'),
        (
            '{"kardan": 1, "dim": 2, "gravity": [0, 0, 0]}',
            "gravity of the model must be a list of 2",
        ),
        ('{"kardan": 1, "dim": 2, "settings": []}', "The settings must be an object"),
        (
            '{"kardan": 1, "dim": 2, "settings": {"steps": 1}}',
            "The settings: there is no field 'steps'",
        ),
        ('{"kardan": 1, "dim": 2, "name": null}', "The name of the model must be a text"),
        ('{"kardan": 1, "dim": NaN}', "NaN is not a number a model can have"),
        ('{"kardan": 1, "dim": -Infinity}', "-Infinity is not a number"),
        ('{"kardan": 1, "dim": 2, "gravity": [1e999, 0]}', "must be a number below 1.8e308"),
        ('{"kardan": 1, "kardan": 1}', "An object has 'kardan' twice"),
        ('{"elements": [{"id": "a", "x": 1, "x": 2}]}', "Element 'a' has 'x' twice"),
        ('{"kardan": ' + "9" * 5000 + "}", "too many digits"),
        ('{"kardan": ' + "[" * 100_000 + "}", "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"kardan": ' + "[" * 900 + "]" * 900 + "}", "must be a whole number, not a list"),
        ("[]," * 5_000_000, "more data than a model may have"),
    ],
    ids=range(31),
)
def test_a_text_that_is_no_model_is_refused_in_a_sentence(text, words):
    assert words in refused(text).sentence


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (put(planar(), PlanarBody(id="b", mass=float("nan"))), "'mass' must be a number below"),
        (put(planar(), PlanarBody(id="b", mass=True)), "'mass' must be a number, not true"),
        (put(planar(), PlanarBody(id="b", shape=Rod(length=1j))), "(a rod): 'length' must be"),
        (put(planar(), PlanarBody(id="a b")), "letters, digits and _ only"),
        (put(planar(), SpatialBody(id="b")), "does not belong"),
        (put(planar("\udc80")), "half a character"),
        (planar(gravity=(0.0,)), "gravity"),
        (replace(planar(), dim=4), '"dim" must be'),
    ],
)
def test_what_could_not_be_read_back_is_not_written(model, words):
    with pytest.raises(EngineError) as caught:
        dumps(model)
    assert words in caught.value.sentence


# ---- any bytes at all

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def survives(text):
    """The text is a model that can be written again, or it is refused in a sentence."""
    try:
        model = loads(text)
    except EngineError as error:
        assert error.sentence.endswith((".", "?"))
    else:
        assert loads(dumps(model)) == model


@given(st.data())
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_a_damaged_text_is_a_model_or_a_sentence(data):
    text = dumps(full_model())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        stop = data.draw(st.integers(start, min(len(text), start + 40)))
        other = data.draw(st.integers(0, len(text)))
        new = data.draw(st.sampled_from(["", text[other : other + 20]]) | st.text(max_size=5))
        text = text[:start] + new + text[stop:]
    survives(text)


def places(raw):
    """Every place in raw data, as (container, key)."""
    found = []
    stack = [raw]
    while stack:
        item = stack.pop()
        keys = item if isinstance(item, dict) else range(len(item))
        for key in keys:
            found.append((item, key))
            if isinstance(item[key], dict | list):
                stack.append(item[key])
    return found


@given(st.data())
@settings(max_examples=500, deadline=None, derandomize=True, database=None)
def test_any_value_at_any_place_is_a_model_or_a_sentence(data):
    raw = json.loads(dumps(full_model()))
    for _ in range(data.draw(st.integers(1, 2))):
        container, key = data.draw(st.sampled_from(places(raw)))
        other, other_key = data.draw(st.sampled_from(places(raw)))
        if data.draw(st.booleans()):
            container[key] = data.draw(JSON)
        else:
            container[key] = json.loads(json.dumps(other[other_key]))
    survives(json.dumps(raw))
