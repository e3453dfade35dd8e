"""The notebook's mechanism: points and directions of the world, and the model they make."""

import inspect

import numpy as np
import pytest

from engine.compiling.checks import problems
from engine.compiling.geometry import Geometry
from engine.editing.builder.drawing import turn_of_x_to
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.formulas.resolve import resolved
from engine.model.forces import FORCES
from engine.model.joints import JOINTS
from engine.model.shapes import Mesh
from engine.running.simulate import run
from kardan import Mechanism
from tests.engine.sample_joints import CASES, mechanism
from tests.engine.sample_runs import planar_chain, spatial_chain

NEAR = {"abs": 1e-13}  # rounding of turns between frames of about 1 m


def place_of(model, marker):
    """Origin and axes of a marker in the world, as drawn."""
    geometry = Geometry(resolved(model))
    numbers = geometry.model[marker]
    origin, R = np.zeros(3), np.eye(3)
    if numbers.body != "ground":
        origin, R = geometry.pose(geometry.model[numbers.body])
    position = np.zeros(3)
    position[: model.dim] = numbers.position
    return origin + R @ position, R @ geometry.marker(marker)[2]


def test_the_double_pendulum_of_the_first_page_runs():
    dp = Mechanism("double pendulum")
    rod1 = dp.rod((0, 0), (1, 0), mass=1)
    rod2 = dp.rod((1, 0), (2, 0), mass=1)
    dp.revolute("ground", rod1, at=(0, 0))
    dp.revolute(rod1, rod2, at=(1, 0))
    results = dp.run(t_end=0.1)
    assert (rod1, rod2) == ("rod_1", "rod_2")
    assert results["rod_1.angle"][-1] < 0.0 and len(results) == 11
    inertia = results.compiled.system.bodies["J"][:, 0, 0]
    assert inertia == pytest.approx(1 / 12, rel=1e-14)  # slender


@pytest.mark.parametrize("kind, dim", CASES)
def test_every_joint_is_drawn_closed_and_without_problems(kind, dim):
    model = mechanism(kind, dim).model
    assert kind in {element.kind for element in model}
    assert problems(model) == []
    results = run(model, t_end=0.01)
    assert results.statistics.drawn_gap < 1e-12  # of about 1 m: rounding
    assert loads(dumps(model)) == model


def test_a_body_with_a_mesh_is_written_and_read():
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    shape = Mesh(vertices=corners, faces=((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)))
    m = Mechanism("tetrahedron", dim=3)
    m.body((0, 0, 0), shape=shape)
    assert loads(dumps(m.model)) == m.model


def test_every_force_has_a_method():
    for m in (planar_chain(), spatial_chain()):
        hinge, body, dim = "revolute_1", "body_2", m.dim
        ends = ("ground", (0, 0, 0)[:dim]), (body, (1, 1, 1)[:dim])
        for name in ("spring", "damper", "spring_damper"):
            getattr(m, name)(*ends)
        m.general_force(*ends, law="distance - 1", acts="line")
        m.bushing("ground", body, at=(1, 1, 1)[:dim])
        m.torsion_spring(hinge)
        m.joint_damping(hinge)
        m.joint_limits(hinge, -3, 3)
        m.actuator(hinge, "sin(t)")
        m.force(body, (1, 1, 1)[:dim], ("t", 1, 2)[:dim])
        m.torque(body, 1 if dim == 2 else (1, "t", 0))
        m.air_drag(body, (1, 1, 1)[:dim], wind_x="t")
        m.maxwell(*ends)
        m.joint_friction(hinge, mu=0.1, radius=0.01)
        m.contact(*ends, shape_j="point")
        m.contact_all(body, (1, 1, 1)[:dim])
        m.cable(ends[0], ("ground", (0.5, 2, 0)[:dim]), ends[1], radius=0.1)
        m.state_force(*ends, law="-z1", z1_rate="distance - z1")
        m.hydraulic_cylinder(*ends, opening="sin(t)")
        m.dc_motor(hinge, voltage="12*t")
        m.controller(hinge, target="t", filter_time=0.1)
        assert {force.kind for force in m.model.of("force")} == {force.kind for force in FORCES}
        assert problems(m.model) == []


def test_every_joint_of_the_catalogue_is_tried_here():
    assert {kind for kind, _ in CASES} == {joint.kind for joint in JOINTS}


@pytest.mark.parametrize("direction", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (1, 2, -3), (0, 0, -1)])
def test_a_rod_in_space_lies_between_its_ends(direction):
    n = np.array(direction) / np.linalg.norm(direction)
    start = np.array([0.3, -0.2, 1.0])
    m = Mechanism("rod", 3)
    rod = m.rod(start, start + 2 * n, mass=1)
    _, R = Geometry(resolved(m.model)).pose(m.model[rod])
    assert R[:, 0] == pytest.approx(n, **NEAR)
    assert np.array(m.model[rod].position) == pytest.approx(start + n, **NEAR)
    assert m.model[rod].shape.length == pytest.approx(2.0, rel=1e-15)
    assert turn_of_x_to(np.array([1.0, 0.0, 0.0])) == pytest.approx(np.eye(3), **NEAR)


def test_a_marker_is_where_it_was_asked_for_on_a_turned_body():
    m = Mechanism("plate")
    plate = m.box((1, 2), angle=0.7)
    marker = m.marker(plate, (1.5, 1.0), angle=0.2)
    place, axes = place_of(m.model, marker)
    assert place == pytest.approx([1.5, 1.0, 0.0], **NEAR)
    assert axes[:2, 0] == pytest.approx([np.cos(0.2), np.sin(0.2)], **NEAR)


def test_a_joint_in_space_has_its_axis_and_its_x():
    m = Mechanism("hinge", 3)
    unit = (0.5, 0.5, -0.5, 0.5)
    box = m.box((1, 2, 3), orientation=unit)
    m.prismatic("ground", box, at=(1, 1, 1), axis=(0, 3, 4), x=(1, 1, 0))
    for marker in ("marker_1", "marker_2"):
        place, axes = place_of(m.model, marker)
        assert place == pytest.approx([1, 1, 1], **NEAR)
        assert axes[:, 2] == pytest.approx([0, 0.6, 0.8], **NEAR)
        assert axes[:, 0] @ [1, 1, 0] > 0 and np.linalg.det(axes) == pytest.approx(1.0)


@pytest.mark.parametrize("axis_j", [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (1, 1, 1)])
def test_the_arms_of_a_universal_joint_are_perpendicular(axis_j):
    m = Mechanism("cardan", 3)
    box = m.box((0, 0, 0))
    m.universal("ground", box, at=(0, 0, 0), axis_i=(1, 0, 0), axis_j=axis_j)
    (_, i), (_, j) = (place_of(m.model, f"marker_{n}") for n in (1, 2))
    assert i[:, 2] == pytest.approx([1, 0, 0], **NEAR)
    assert j[:, 2] == pytest.approx(np.array(axis_j) / np.linalg.norm(axis_j), **NEAR)
    assert i[:, 0] @ j[:, 1] == pytest.approx(0.0, **NEAR)


def test_a_polygon_and_a_cylinder_are_where_they_were_drawn():
    m = Mechanism("plates")
    plate = m.polygon([(1, 1), (2, 1), (1, 2)])
    center = Geometry(resolved(m.model)).centers()[0, :2]
    assert np.array(m.model[plate].position) + center == pytest.approx([4 / 3, 4 / 3], **NEAR)
    s = Mechanism("bar", 3)
    bar = s.cylinder((0, 0, 1), (2, 0, 1), 0.1)
    _, R = Geometry(resolved(s.model)).pose(s.model[bar])
    assert R[:, 2] == pytest.approx([1, 0, 0], **NEAR)
    assert s.model[bar].position == (1.0, 0.0, 1.0) and s.sphere((0, 0, 0)) == "sphere_1"


def test_fields_may_be_expressions_of_parameters():
    m = Mechanism("scaled")
    m.parameter("m_rod", 3, unit="kg")
    rod = m.rod((0, 0), (2, 0), mass="2*m_rod", name="boom")
    m.revolute("ground", rod, at=(0, 0))
    m.settings(t_end="m_rod/30")
    results = m.run()
    assert results.compiled.mass[0] == 6.0 and results.t[-1] == pytest.approx(0.1)
    assert results.channel("rod_1.x").label.startswith("boom")


def test_numbers_of_numpy_become_plain_numbers_that_files_keep():
    m = Mechanism("numpy", gravity=np.array([0, -1]))
    rod = m.rod(np.zeros(2), np.array([1, 1]), mass=np.float64(2), width=np.int64(1))
    m.motion(m.revolute("ground", rod, at=[0, 0]), [(0, 0), (1, np.float64(2)), (2, 1)])
    assert loads(dumps(m.model)) == m.model
    assert type(m.model[rod].mass) is float and type(m.model[rod].shape.width) is float


@pytest.mark.parametrize(
    "draw, words",
    [
        (lambda m: m.rod((0, 0), (0, 0)), "two different points"),
        (lambda m: m.rod((0, 0, 0), (1, 0, 0)), "A point needs 2 finite numbers"),
        (lambda m: m.rod((0, 0), (1, "l")), "'l' is unknown"),
        (lambda m: m.rod((0, 0), (1, None)), "A point needs 2 finite numbers"),
        (lambda m: m.revolute("ground", "nobody", at=(0, 0)), "no body 'nobody'"),
        (lambda m: m.revolute("ground", "box_1", at=(0, 0), pitch=1), "revolute has no 'pitch'"),
        (lambda m: m.box((0, 0), id="box_1"), "already a 'box_1'"),
        (lambda m: m.gravity(1), "Gravity needs 2 numbers"),
        (lambda m: m.settings(tend=1), "no setting 'tend'"),
        (lambda m: m.force("box_1", (0, 0), (1, 2, 3)), "A force needs 2 components"),
        (lambda m: m.cylinder((0, 0), (1, 0)), "in space"),
        (lambda m: Mechanism("flat", 4), "dim=2"),
        (lambda m: Mechanism("s", 3).marker("ground", (0, 0, 0), axis=(0, 0, 0)), "no direction"),
        (lambda m: Mechanism("s", 3).marker("ground", (0, 0, 0), angle=1), "not by an angle"),
        (lambda m: Mechanism("s", 3).marker("ground", (0, 0, 0), x=(0, 0, 1)), "along its z"),
    ],
)
def test_a_mistake_is_told_in_a_sentence_and_changes_nothing(draw, words):
    m = Mechanism("mistakes")
    m.box((0, 0))
    before = m.model
    with pytest.raises(EngineError, match=words):
        draw(m)
    assert m.model is before


def test_a_body_placed_by_an_expression_takes_points_where_it_is_now():
    m = Mechanism("expression")
    m.parameter("l", 2)
    m.body(("l", 0), mass=1, inertia=1, id="b")
    m.revolute("ground", "b", at=(0, 0))
    assert m.model["b"].position == ("l", 0.0) and m.model["marker_2"].position == (-2.0, 0.0)


def test_a_mechanism_is_saved_as_a_model_file(tmp_path):
    m = planar_chain()
    m.save(tmp_path / "chain.json")
    assert loads((tmp_path / "chain.json").read_text()) == m.model


@pytest.mark.parametrize("kind", (*JOINTS, *FORCES), ids=lambda kind: kind.kind)
def test_every_joint_and_force_has_a_method_by_the_name_of_its_kind(kind):
    name = {"rod": "massless_rod"}.get(kind.kind, kind.kind)  # a rod of the builder is a body
    method = getattr(Mechanism, name)
    assert method.__doc__
    accepted = inspect.signature(method).parameters
    assert any(p.kind is inspect.Parameter.VAR_KEYWORD for p in accepted.values())


def test_a_method_from_the_catalogue_says_what_the_kind_is_and_what_it_takes():
    accepted = list(inspect.signature(Mechanism.prismatic).parameters)
    assert accepted[:4] == ["self", "body_i", "body_j", "at"] and "axis" in accepted
    assert "stiffness" in inspect.signature(Mechanism.spring).parameters
    assert "slides along an axis" in inspect.getdoc(Mechanism.prismatic)
    assert "prismatic" in dir(Mechanism())
