"""Robot descriptions: opened, they move as in another program; written, they are read back the same."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kardan
from assets import example_paths
from engine.cli.commands import main
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.robots.links import links_of
from engine.editing.robots.urdf import open_urdf
from engine.editing.robots.writing import mjcf_text, urdf_text, write_robot
from engine.editing.robots.xml_reader import MAX_DEPTH, MAX_SIZE, MAX_TEXT, parsed
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kinematics.assemble import assemble
from engine.model.elements import put
from engine.running.simulate import run
from engine.studies.tree_equations import tree_equations

DATA = Path(__file__).parents[2] / "data" / "robots"
ARM = DATA / "arm.urdf"
KNOWN = json.loads((DATA / "accelerations.json").read_text(encoding="utf-8"))["of"]
COORDINATES = {
    "yaw": "angle",
    "shoulder": "angle",
    "reach": "displacement",
    "wrist": "angle",
}
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[-+]?\d+)?")


def in_state(model, beta, eta):
    """The model with start values in its joints."""
    for (id, word), at, speed in zip(COORDINATES.items(), beta, eta):
        start = {f"{word}_start": at, f"{word}_rate": speed}
        model = put(model, replace(model[id], **start))
    return model


def tree_of(model):
    """The tree of a model in its start."""
    compiled = compile_model(model)
    start = assemble(compiled)
    assert not start.unkept
    return tree_equations(compiled, 0.0, start.q, start.v)


def accelerations(model):
    """eta' at the start."""
    return tree_of(model).minimal()


def agree(found, known):
    """To 1e-9 of the largest, or of 1."""
    known = np.array(known)
    np.testing.assert_allclose(found, known, rtol=0, atol=1e-9 * (1 + abs(known).max(initial=0)))


def without_forces(name):
    """An example without what a file cannot hold."""
    model = load(example_paths()[name])
    kept = {id: e for id, e in model.elements.items() if e.family != "force"}
    return replace(model, elements=kept)


def test_an_opened_robot_accelerates_as_another_program_says():
    known = KNOWN["arm.urdf"]
    agree(accelerations(in_state(open_urdf(ARM), known["beta"], known["eta"])), known["eta_dot"])


def test_a_robot_written_as_urdf_opens_again_and_is_the_same(tmp_path):
    known, file = KNOWN["arm.urdf"], tmp_path / "again.urdf"
    assert write_robot(open_urdf(ARM), file) == []
    again = open_urdf(file)
    agree(accelerations(in_state(again, known["beta"], known["eta"])), known["eta_dot"])
    before = open_urdf(ARM)
    for id in ("joint_limits_1", "joint_limits_2", "joint_damping_1"):
        for name in ("low", "high", "damping"):
            assert getattr(again[id], name, 0.0) == pytest.approx(getattr(before[id], name, 0.0))
    sizes = [np.ptp(np.array(model["slide"].shape.vertices), axis=0) for model in (before, again)]
    np.testing.assert_allclose(*sizes, atol=1e-9)  # STL has seven digits
    assert (tmp_path / "again_slide.stl").is_file()


@pytest.mark.parametrize("name", [name for name in KNOWN if name.endswith(".xml")])
def test_what_is_written_for_mujoco_is_what_mujoco_has_judged(name):
    model = without_forces(name.removesuffix(".xml"))
    text = mjcf_text(links_of(model), name.removesuffix(".xml"))
    judged = (DATA / name).read_text(encoding="utf-8")
    assert NUMBER.sub("", text) == NUMBER.sub("", judged)
    found, expected = (list(map(float, NUMBER.findall(one))) for one in (text, judged))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
    tree, known = tree_of(model), KNOWN[name]
    np.testing.assert_allclose(tree.beta, known["beta"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(tree.eta, known["eta"], rtol=0, atol=1e-9)
    agree(tree.minimal(), known["eta_dot"])


def test_links_have_their_mass_shape_colour_points_and_notes():
    model = open_urdf(ARM)
    assert model["base"].fixed and model["base"].color == "#808c99"
    assert model["turret"].mass == 4.2 and model["upper_arm"].label == "upper arm"
    assert model["flange"].family == "marker" and model["flange"].body == "slide"
    assert np.ptp(np.array(model["slide"].shape.vertices), axis=0) == pytest.approx(
        (0.1, 0.06, 0.04)
    )
    assert (model["joint_limits_1"].low, model["joint_limits_1"].high) == (-1.2, 2.1)
    assert model["joint_damping_1"].damping == 0.4
    assert "mimic of joint 'wrist'" in model.description
    assert "further visuals of link 'upper arm'" in model.description
    # of a hand that weighs 0.6 kg and a camera of 0.2 kg, the masses alone are the same in any axes
    assert sum(body.mass for body in model.of("body") if not body.fixed) == pytest.approx(8.6)


def test_an_opened_robot_runs_keeps_its_energy_and_meets_no_open_joint():
    model = open_urdf(ARM)
    still = {id: e for id, e in model.elements.items() if e.family != "force"}
    results = run(replace(model, elements=still), t_end=0.5, output_step=0.1)
    assert results.ending.reason == "done" and results.gap.max() < 1e-12
    energy = results["total_energy"]
    assert np.ptp(energy) < 1e-8 * np.abs(energy).max()


def test_planar_trees_are_written_too(tmp_path):
    model = load(example_paths()["double_pendulum"])
    write_robot(model, tmp_path / "two.urdf")
    spatial = replace(open_urdf(tmp_path / "two.urdf"), gravity=(0.0, -9.81, 0.0))
    agree(accelerations(spatial), accelerations(model))


def test_stops_of_planar_hinges_are_counted_from_body_to_body(tmp_path):
    m = Mechanism("stopped")
    rod = m.rod((0, 0), (0, 1), mass=1.0)
    pin = m.revolute("ground", rod, at=(0, 0), angle=0.3)
    m.joint_limits(pin, -0.4, 0.5)
    (link,) = links_of(m.model).links
    # the drawn rod stands at 90 degrees, where its pin has the angle 0
    assert link.limits == pytest.approx((np.pi / 2 - 0.4, np.pi / 2 + 0.5))


@pytest.mark.parametrize(
    ("name", "suffix", "words"),
    [
        ("four_bar", "urdf", "'C' would be left out"),
        ("spinning_top", "urdf", "'tip' is none of them. Save it as MJCF"),
        ("gimbal_lock", "xml", "'motor' would be left out"),
        ("double_pendulum", "txt", "should end in .urdf"),
    ],
)
def test_what_cannot_be_written_is_told(name, suffix, words, tmp_path):
    with pytest.raises(EngineError, match=words):
        write_robot(load(example_paths()[name]), tmp_path / f"a.{suffix}")
    assert not list(tmp_path.iterdir())


# --- bad input

LINK = '<link name="{}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
BASE, ARM_LINK = '<link name="base"/>', LINK.format("arm")


def joint(name="pin", kind="continuous", parent="base", child="arm", more=""):
    """A joint."""
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{more}</joint>'


def mesh(file):
    """A link whose looks are a file."""
    looks = f'<visual><geometry><mesh filename="{file}"/></geometry></visual></link>'
    return ARM_LINK.replace("</link>", looks)


BAD = {
    "no robot": ("<machine/>", "begins with <machine>"),
    "no link": ("<robot/>", "no <link>"),
    "twice": (f"<robot>{BASE}{BASE}</robot>", "two <link> with the name 'base'"),
    "no name": ("<robot><link/></robot>", "<link> has no name"),
    "type": (f"<robot>{BASE}{ARM_LINK}{joint(kind='gear')}</robot>", "'gear', which is unknown"),
    "unknown link": (f"<robot>{BASE}{joint()}</robot>", "names link 'arm', which is not there"),
    "no child": (
        f'<robot>{BASE}<joint name="a" type="fixed"><parent link="base"/></joint></robot>',
        "has no <child>",
    ),
    "two joints": (
        f"<robot>{BASE}{ARM_LINK}{joint()}{joint('other')}</robot>",
        "'arm' is carried by two joints",
    ),
    "two bases": (f"<robot>{BASE}{ARM_LINK}</robot>", "'base', 'arm' are carried by no joint"),
    "cycle": (
        f"<robot>{BASE}{ARM_LINK}{LINK.format('b')}{joint(parent='b')}"
        f"{joint('other', parent='arm', child='b')}</robot>",
        "'arm' is carried by itself",
    ),
    "all in a cycle": (
        f"<robot>{ARM_LINK}{LINK.format('b')}{joint(parent='b')}"
        f"{joint('other', parent='arm', child='b')}</robot>",
        "joints form a cycle",
    ),
    "massless": (
        f'<robot>{BASE}<link name="arm"/>{joint()}</robot>',
        "'arm' can move by joint 'pin', but it has no mass",
    ),
    "no inertia": (
        f'<robot>{BASE}{ARM_LINK.replace("""ixx="1" """, "")}{joint()}</robot>',
        "all must be above zero",
    ),
    "negative mass": (
        f'<robot>{BASE}{ARM_LINK.replace("""value="1""", """value="-1""")}{joint()}</robot>',
        "has mass -1 kg",
    ),
    "axis": (
        f"<robot>{BASE}{ARM_LINK}{joint(more=chr(60) + 'axis xyz=' + repr('0 0 0') + '/>')}</robot>",
        "axis of length 0",
    ),
    "words": (
        f"<robot>{BASE}{ARM_LINK}{joint(more=chr(60) + 'axis xyz=' + repr('0 up 0') + '/>')}</robot>",
        "should be 3 numbers",
    ),
    "long axis": (
        f"<robot>{BASE}{ARM_LINK}" + joint(more="<axis xyz='1.5e308 1.5e308 0'/>") + "</robot>",
        "axis of length inf",
    ),
    "one word": (
        f'<robot>{BASE}{ARM_LINK.replace("""value="1""", """value="nan""")}{joint()}</robot>',
        "value of <mass> is 'nan', and should be a number.",
    ),
    "encoding": ('<?xml version="1.0" encoding="foo-8"?><robot/>', "Save it as UTF-8"),
    "limits": (
        f"<robot>{BASE}{ARM_LINK}"
        + joint(kind="revolute", more="<limit lower='1' upper='-1'/>")
        + "</robot>",
        "lower limit of joint 'pin' is above",
    ),
    "mesh": (
        f"<robot>{BASE}{mesh('package://none/arm.stl')}{joint()}</robot>",
        "mesh 'package://none/arm.stl' of link 'arm' is not there",
    ),
    "scheme": (f"<robot>{BASE}{mesh('https://a.b/c.stl')}{joint()}</robot>", "is not there"),
    "collada": (f"<robot>{BASE}{mesh('arm.dae')}{joint()}</robot>", "is no STL or OBJ file"),
    "not closed": ("<robot><link name='a'>", "is not valid XML"),
    "not XML": ("a robot", "Line 1, column 0 is not valid XML"),
    "entity": (
        '<!DOCTYPE r [<!ENTITY a "b">]><robot name="&a;"/>',
        "declares a document type or an entity",
    ),
    "geometry": (
        f"<robot>{BASE}"
        + ARM_LINK.replace("</link>", "<visual><geometry><cone/></geometry></visual></link>")
        + f"{joint()}</robot>",
        "has a <cone>",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_description_is_told_in_a_sentence(case, tmp_path):
    text, words = BAD[case]
    file = tmp_path / "bad.urdf"
    file.write_text(text, encoding="utf-8")
    (tmp_path / "arm.dae").write_text("<COLLADA/>", encoding="utf-8")
    with pytest.raises(EngineError) as told:
        open_urdf(file)
    assert words in told.value.sentence and str(file) in told.value.sentence


def test_files_that_are_too_large_or_too_deep_are_refused(tmp_path):
    for content in (
        b"<a>" * (MAX_DEPTH + 1),
        b"<a b='" + b"x" * (MAX_TEXT + 1) + b"'/>",
        b"<a>" + b"<b/>" * 100_001 + b"</a>",
    ):
        with pytest.raises(EngineError, match="more, longer or deeper"):
            parsed(content)
    (tmp_path / "large.urdf").write_bytes(b" " * (MAX_SIZE + 1))
    with pytest.raises(EngineError, match="larger than 16 MB"):
        open_urdf(tmp_path / "large.urdf")
    with pytest.raises(EngineError, match="cannot be read"):
        open_urdf(tmp_path / "none.urdf")


def test_names_are_only_names(tmp_path):
    m = Mechanism('<&"> \x01')
    rod = m.rod((0, 0), (1, 0), mass=1.0, name='"/><evil>')
    m.revolute("ground", rod, at=(0, 0), name="<pin>")
    for text in (urdf_text(links_of(m.model), "a"), mjcf_text(links_of(m.model), "a")):
        root = parsed(text.encode())
        assert "evil" not in {child.tag for child in root.children}


# --- from the command line and from programs


def test_the_command_line_converts_and_runs_robots(tmp_path, capsys):
    out = tmp_path / "pendulum.urdf"
    assert main(["robot", "crane_trolley", str(tmp_path / "crane.xml")]) == 0
    assert "Not written: 'wall'." in capsys.readouterr().out
    assert main(["robot", "double_pendulum", str(out)]) == 0
    assert main(["robot", str(out), str(tmp_path / "again.json")]) == 0
    assert main(["simulate", str(out), "--t-end", "0.1"]) == 0
    assert "2 degrees" in capsys.readouterr().out
    assert main(["robot", "four_bar", str(tmp_path / "a.urdf")]) == 2
    assert "Delete loops" in capsys.readouterr().err
    agree(accelerations(kardan.load(tmp_path / "again.json")), accelerations(kardan.load(out)))


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_a_model_in_which_nothing_can_move_is_written_too(tmp_path, suffix):
    m = Mechanism("wall", dim=3)
    m.box((0, 0, 0), id="wall")
    fixed = put(m.model, replace(m.model["wall"], fixed=True))
    write_robot(fixed, tmp_path / f"wall{suffix}")
    assert "keyframe" not in (tmp_path / f"wall{suffix}").read_text(encoding="utf-8")
