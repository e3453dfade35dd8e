"""What a mirror does to the coordinates of joints, over the whole catalogue."""

from dataclasses import replace
from math import pi, remainder

import pytest

from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.editing.edits.mirroring import turns_round
from engine.editing.edits.placing import drawn_value
from engine.errors import EngineError
from engine.kernels import layout
from engine.model.elements import put
from engine.model.joints import Motion
from tests.engine.catalogue import JOINT_CASES, joint_model

DIRECTIONS = {"left-right": lambda dim: 0, "top-bottom": lambda dim: dim - 1}
CASES = [
    pytest.param(joint, dim, direction, id=f"{joint.kind}-{dim}d-{direction}")
    for joint, dim in JOINT_CASES
    for direction in DIRECTIONS
]


@pytest.mark.parametrize("joint, dim, direction", CASES)
def test_a_coordinate_of_the_image_has_the_sign_that_its_geometry_says(joint, dim, direction):
    model = joint_model(joint, dim, seed=3)
    try:
        image = edits.mirrored(model, [body.id for body in model.of("body")], direction)
    except EngineError as error:
        assert "upside down" in error.sentence  # a disc on a floor
        return
    for name, coordinate in model["joint"].coordinates(model).items():
        before = drawn_value(model, coordinate)
        after = drawn_value(image, image["joint"].coordinates(image)[name])
        if turns_round(model, coordinate, DIRECTIONS[direction](dim)):
            before = -before
        away = after - before
        if coordinate.kind == layout.ANGLE:
            away = remainder(away, 2 * pi)
        assert abs(away) < 1e-12, name  # rounding of numbers near one


@pytest.mark.parametrize("joint, dim, direction", CASES)
def test_a_motion_is_turned_round_with_its_coordinate(joint, dim, direction):
    for name in joint_model(joint, dim)["joint"].coordinates(joint_model(joint, dim)):
        model = joint_model(joint, dim)
        model = put(model, Motion(id="motion", joint="joint", coordinate=name, law=0.25))
        try:
            image = edits.mirrored(model, [body.id for body in model.of("body")], direction)
        except EngineError as error:
            assert "upside down" in error.sentence
            continue
        coordinate = model["joint"].coordinates(model)[name]
        turned = turns_round(model, coordinate, DIRECTIONS[direction](dim))
        assert image["motion"].law == (-0.25 if turned else 0.25), name


@pytest.mark.parametrize("joint, dim, direction", CASES)
def test_a_start_rate_is_turned_round_with_its_coordinate(joint, dim, direction):
    model = joint_model(joint, dim)
    known = model["joint"].coordinates(model)
    rates = {f"{name}_rate": 0.25 for name in known if hasattr(model["joint"], f"{name}_rate")}
    model = put(model, replace(model["joint"], **rates))
    try:
        image = edits.mirrored(model, [body.id for body in model.of("body")], direction)
    except EngineError as error:
        assert "upside down" in error.sentence
        return
    for field in rates:
        turned = turns_round(model, known[field.removesuffix("_rate")], DIRECTIONS[direction](dim))
        assert getattr(image["joint"], field) == (-0.25 if turned else 0.25), field


@pytest.mark.parametrize("direction, then", [("left-right", "above"), ("top-bottom", "below")])
def test_a_support_holds_from_the_mirrored_side(direction, then):
    m = Mechanism("support")
    m.rod((0.0, 0.0), (0.4, 0.3), mass=1.0, id="rod")
    m.rod((-1.0, 0.0), (1.0, 0.0), mass=1.0, id="beam")
    m.point_on_line("beam", "rod", (0.0, 0.0), axis=(1.0, 0.0), id="foot", acts="above")
    image = edits.mirrored(m.model, ["rod", "beam"], direction)
    assert image["foot"].acts == then
