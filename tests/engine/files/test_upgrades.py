"""Files of older format versions open and mean what they meant."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import dumps, load, loads
from engine.kinematics.assemble import assemble
from engine.model.elements import planar
from tests.engine.older_settings import BEFORE_VERSION_5

OLD = sorted((Path(__file__).parents[2] / "data").glob("version_*/*.json"))


def file_of_version_1(**body):
    """A rod on a pin at its left end, as version 1 wrote it."""
    fields = ", ".join(f'"{name}": {value}' for name, value in body.items())
    return (
        '{"kardan": 1, "dim": 2, "elements": ['
        f'{{"kind": "body", "id": "rod", "mass": 1.0, "inertia": 0.1, {fields}}},'
        '{"kind": "marker", "id": "A", "body": "ground"},'
        '{"kind": "marker", "id": "B", "body": "rod", "position": [-0.5, 0.0]},'
        '{"kind": "revolute", "id": "pin", "marker_i": "A", "marker_j": "B"}]}'
    )


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_an_old_file_opens_and_is_written_in_the_present_version(path):
    model = load(path)
    assert loads(dumps(model)) == model
    compiled = compile_model(model)
    assert len(assemble(compiled).q) == len(compiled.q0) > 0
    assert not assemble(compiled).unkept


def test_old_files_are_there():
    assert len(OLD) >= 5


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_files_of_before_version_5_keep_the_method_that_they_had(version):
    head = {"kardan": version, "dim": 2}
    assert loads(json.dumps(head)).settings == BEFORE_VERSION_5
    chosen = loads(json.dumps({**head, "settings": {"method": "dop853", "t_end": 2.0}})).settings
    assert chosen == replace(BEFORE_VERSION_5, method="dop853", t_end=2.0)
    again = loads(dumps(loads(json.dumps(head))))
    assert again.settings == BEFORE_VERSION_5  # written in the present version
    with pytest.raises(EngineError, match="settings"):
        loads(json.dumps({**head, "settings": 5}))


def test_a_new_model_leaves_method_and_coordinates_to_the_program():
    settings = loads('{"kardan": 5, "dim": 2}').settings
    assert (settings.method, settings.coordinates, settings.tolerance) == ("auto", "auto", 1e-10)
    assert "settings" not in json.loads(dumps(planar()))


def test_a_zero_of_version_1_becomes_empty_and_other_velocities_stay():
    rod = loads(file_of_version_1(position="[0.5, 0.0]", velocity="[0.0, 0]", spin="5.0"))["rod"]
    assert rod.velocity is None and rod.spin == 5.0
    rod = loads(file_of_version_1(velocity='[0.0, "2*3"]', spin="0"))["rod"]
    assert rod.velocity == (0.0, "2*3") and rod.spin is None


def test_a_free_body_of_version_1_keeps_its_zeros_where_they_held():
    text = (
        '{"kardan": 1, "dim": 2, "elements": ['
        '{"kind": "body", "id": "b", "mass": 1.0, "inertia": 0.1, "center": [1.0, 0.0], "spin": 2.0}]}'
    )
    model = loads(text)
    assert model["b"].velocity == (0.0, 0.0)
    assert assemble(compile_model(model)).v == pytest.approx([0.0, 2.0, 2.0])  # u = w x c


def test_bodies_of_version_2_get_hues_in_the_order_of_the_file():
    kinds = ("body", "particle", "body", "body")
    bodies = [{"kind": kind, "id": f"b{n}", "fixed": n == 2} for n, kind in enumerate(kinds)]
    model = loads(json.dumps({"kardan": 2, "dim": 2, "elements": bodies}))
    assert [body.hue for body in model] == [1, 2, 3, 3]  # a fixed one is drawn as ground
