"""Everything that is wrong with a model is found at once, and told in sentences."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar

import pytest

from engine.compiling.checks import Problem, checked, problems
from engine.errors import EngineError
from engine.model.bodies import PlanarBody, PlanarMarker, PlanarParticle, SpatialBody, SpatialMarker
from engine.model.elements import Element, Parameter, Settings, planar, put, spatial
from engine.model.fields import choice, number, ref
from engine.model.shapes import Disc, Polygon, Rod, Sphere


@dataclass(frozen=True, slots=True, kw_only=True)
class Hinge(Element):
    """A throw-away joint."""

    kind: ClassVar[str] = "hinge"
    family: ClassVar[str] = "joint"
    marker_i: str = ref("marker")
    marker_j: str = ref("marker")
    tilt: Any = number(0.0, dims=(3,))
    mode: str = choice("free", ("free", "stiff"))
    load: Any = number(0.0)

    def problems(self, model):
        """Overloaded above 1; looks its markers up, as a real one would."""
        bodies = [model[id].body for id in (self.marker_i, self.marker_j)]
        return [f"Hinge '{self.label}' between {bodies} is overloaded."] if self.load > 1.0 else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Gear(Element):
    """A throw-away element that refers to joints, and is one."""

    kind: ClassVar[str] = "gear"
    family: ClassVar[str] = "joint"
    joint_1: str = ref("joint")
    joint_2: str = ref("joint")


GOOD = put(
    planar("good"),
    Parameter(id="length", value=2.0),
    PlanarBody(id="rod", name="Rod", shape=Rod(length="length")),
    PlanarBody(id="wall", fixed=True),
    PlanarMarker(id="a", body="ground"),
    PlanarMarker(id="b", body="rod", position=("length/2", 0.0)),
    PlanarMarker(id="b2", body="rod"),
    PlanarMarker(id="w", body="wall"),
    Hinge(id="hinge", marker_i="a", marker_j="b"),
)


def told(model):
    """All problems, as (sentence, ids)."""
    return [(p.sentence, p.ids) for p in problems(model)]


def test_a_good_model_has_no_problems():
    assert problems(GOOD) == []
    checked(GOOD)
    assert problems(planar()) == problems(spatial()) == []


@pytest.mark.parametrize(
    ("change", "sentence", "ids"),
    [
        ({"marker_j": ""}, "Hinge 'hinge': 'marker_j' is empty; choose a marker.", ("hinge",)),
        (
            {"marker_j": "c"},
            "Hinge 'hinge': 'marker_j' is 'c', which does not exist; choose a marker.",
            ("hinge",),
        ),
        (
            {"marker_j": "rod"},
            "Hinge 'hinge': 'marker_j' is 'Rod', a body; choose a marker instead.",
            ("hinge",),
        ),
        (
            {"marker_j": "ground"},
            "Hinge 'hinge': 'marker_j' is 'ground', which does not exist; choose a marker.",
            ("hinge",),
        ),
        (
            {"marker_i": "b2"},
            "Hinge 'hinge' connects 'Rod' with itself; put one marker on another body.",
            ("hinge", "rod"),
        ),
        (
            {"marker_j": "w"},
            "Hinge 'hinge' connects nothing that moves; put one of its markers on a moving body.",
            ("hinge",),
        ),
        (
            {"marker_j": "a"},
            "Hinge 'hinge' connects nothing that moves; put one of its markers on a moving body.",
            ("hinge",),
        ),
        (
            {"tilt": 0.1},
            "Hinge 'hinge': 'tilt' exists in space only; leave it at its default.",
            ("hinge",),
        ),
        (
            {"mode": "soft"},
            "Hinge 'hinge': 'mode' is 'soft'; choose one of: free, stiff.",
            ("hinge",),
        ),
        ({"load": True}, "Hinge 'hinge': 'load' must be a number, not true.", ("hinge",)),
        (
            {"load": "length*3"},
            "Hinge 'hinge' between ['ground', 'rod'] is overloaded.",
            ("hinge",),
        ),
    ],
)
def test_what_is_wrong_with_a_joint_is_told(change, sentence, ids):
    model = put(GOOD, replace(GOOD["hinge"], **change))
    assert told(model) == [(sentence, ids)]
    with pytest.raises(EngineError) as caught:
        checked(model)
    assert (caught.value.sentence, caught.value.ids) == (sentence, ids)


def test_a_marker_of_a_missing_body_is_told_once_and_not_again_for_its_joint():
    model = put(GOOD, PlanarMarker(id="b", name="Tip", body="gone"))
    sentence = "Marker 'Tip': 'body' is 'gone', which does not exist; choose a body."
    assert told(model) == [(sentence, ("b",))]


def test_two_elements_may_have_the_same_name():
    assert problems(put(GOOD, replace(GOOD["a"], name="x"), replace(GOOD["b"], name="x"))) == []


def test_elements_of_the_other_dimension_are_told():
    model = put(GOOD, SpatialBody(id="s", shape=Sphere()))
    sentence = "Body 's' exists in space only, but this model is in the plane; delete it."
    assert told(model) == [(sentence, ("s",))]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (PlanarBody(id="x"), "Body 'x': it has neither a shape nor a mass"),
        (PlanarBody(id="x", mass=1.0), "make it a particle"),
        (PlanarBody(id="x", shape=Sphere()), "a sphere exists in space only"),
        (PlanarBody(id="x", fixed=True, shape=Sphere()), "a sphere exists in space only"),
        (PlanarBody(id="x", shape=Disc(radius="-length")), "radius"),
        (PlanarParticle(id="x", mass=-1.0), "mass of 'x' is -1 kg"),
        (PlanarBody(id="x", shape=Polygon(points=((0.0, 0.0), (1.0, 0.0)))), "three different"),
        (PlanarBody(id="x", mass="lenght", inertia=1.0), "lenght"),
        (PlanarBody(id="x", shape=Rod(), position=(0.0,)), "'position' must be a list of 2"),
        (PlanarBody(id="x", shape=Rod(), fixed=1), "'fixed' must be true or false"),
        (PlanarBody(id="x", shape="rod"), "'shape' must be an object"),
        (PlanarBody(id="x", shape=Rod(length=float("nan"))), "'length' must be a number below"),
        (PlanarBody(id="no id", shape=Rod()), "letters, digits and _ only"),
    ],
)
def test_what_is_wrong_with_a_body_is_told_with_its_id(body, words):
    (problem,) = problems(put(GOOD, body))
    assert words in problem.sentence
    assert problem.ids == (body.id,)


@pytest.mark.parametrize(
    ("orientation", "norm"),
    [((0.0, 0.0, 0.0, 0.0), "0"), ((1.0, 0.0, 0.0, 0.01), "1.00005"), ((2.0, 0, 0, 0), "2")],
)
@pytest.mark.parametrize("make", [SpatialBody, SpatialMarker])
def test_an_orientation_that_is_no_unit_quaternion_is_told_with_its_norm(make, orientation, norm):
    others = {"shape": Sphere()} if make is SpatialBody else {"body": "ground"}
    (problem,) = problems(put(spatial(), make(id="x", orientation=orientation, **others)))
    assert f"has the norm {norm}" in problem.sentence and problem.ids == ("x",)


def test_a_unit_quaternion_with_seven_digits_is_fine():
    body = SpatialBody(id="x", shape=Sphere(), orientation=(0.7071068, 0.7071068, 0.0, 0.0))
    assert problems(put(spatial(), body)) == []


def test_all_problems_are_found_in_one_pass():
    model = put(
        replace(GOOD, gravity=(0.0, "9,81"), settings=Settings(t_end=-1.0, method="magic")),
        Parameter(id="p1", value="1/0"),
        Parameter(id="p2", value="p1 + 1"),
        Parameter(id="p3", value="2 +"),
        PlanarBody(id="b1"),
        PlanarBody(id="b2", mass="unknown", inertia=1.0),
        PlanarBody(id="b3", mass="p2", inertia=1.0),
        PlanarMarker(id="m1", body="nobody"),
        Hinge(id="h1", marker_i="a", marker_j="w"),
        Hinge(id="h2", marker_i="m1", marker_j="b", mode="odd"),
        Hinge(id="h3", marker_i="a", marker_j="b", load=2.0),
    )
    found = problems(model)
    guilty = sorted(id for p in found for id in p.ids)
    assert guilty == ["b1", "b2", "h1", "h2", "h3", "m1", "p1", "p3"]
    rest = [p.sentence for p in found if not p.ids]
    assert len(rest) == 3
    for words in ("gravity", "end time", "'method' is 'magic'"):
        assert any(words in sentence for sentence in rest)
    assert len({p.sentence for p in found}) == len(found)


def test_parameters_in_a_circle_are_told_once():
    model = put(
        GOOD,
        Parameter(id="x", value="y"),
        Parameter(id="y", value="x"),
        PlanarBody(id="b1", mass="x", inertia=1.0),
    )
    (problem,) = problems(model)
    assert set(problem.ids) == {"x", "y"}


def test_elements_that_refer_to_each_other_in_a_circle_are_told():
    model = put(
        GOOD,
        Gear(id="g1", joint_1="hinge", joint_2="g2"),
        Gear(id="g2", name="Second", joint_1="hinge", joint_2="g1"),
        Gear(id="g3", joint_1="hinge", joint_2="g2"),
    )
    sentence = "These refer to each other in a circle: 'g1', 'Second'."
    assert told(model) == [(sentence, ("g1", "g2"))]
    selfish = put(GOOD, Gear(id="g1", joint_1="hinge", joint_2="g1"))
    assert problems(selfish)[0].ids == ("g1",)
    assert problems(put(GOOD, Gear(id="g1", joint_1="hinge", joint_2="hinge"))) == []


def test_an_error_raised_by_an_element_is_told():
    class Sour(Hinge):
        def problems(self, model):
            raise EngineError("It is sour.")

    sour = Sour(id="hinge", marker_i="a", marker_j="b")
    assert problems(put(GOOD, sour)) == [Problem("It is sour.", ("hinge",))]


def test_an_element_under_a_foreign_id_is_told():
    elements = {**GOOD.elements, "alias": GOOD["rod"]}
    (problem,) = problems(replace(GOOD, elements=MappingProxyType(elements)))
    assert "filed under the id 'alias'" in problem.sentence


def test_a_model_of_no_dimension_is_told():
    assert '"dim" must be 2' in problems(replace(GOOD, dim=4))[0].sentence


def test_malformed_gravity_and_settings_are_told_once():
    model = spatial(gravity=(0.0, -9.81), settings=Settings(t_end=True))
    assert told(model) == [
        ("The gravity of the model must be a list of 3 numbers, not a list of 2.", ()),
        ("The settings: 't_end' must be a number, not true.", ()),
    ]
