"""Frobenius' test finds what integrates, whatever the kind of the joint says."""

import numpy as np
import pytest

from assets import example_paths
from engine.cli.commands import main
from engine.compiling.system import compile_model
from engine.files.model_files import load, save
from engine.kinematics.assemble import assemble
from engine.model.bodies import PlanarBody, PlanarMarker, SpatialBody, SpatialMarker
from engine.model.elements import GROUND, planar, put, spatial
from engine.model.joints import KnifeEdge, Motion, Planar, Prismatic, Revolute, RollingDisc
from engine.model.shapes import Box
from engine.studies.classification import Field, classify, flag_of

Q = np.array([0.3, 0.7, -0.4, 0.5, 0.2])


def boxed(*ids):
    """Boxes, each with a point at its middle; and a point on the ground."""
    model = put(
        planar(), PlanarMarker(id="g", body=GROUND), PlanarMarker(id="up", body=GROUND, angle=1.25)
    )
    for id in ids:
        model = put(model, PlanarBody(id=id, shape=Box(), position=(0.0, 0.0)))
        model = put(model, PlanarMarker(id=f"at_{id}", body=id))
    return model


def x_y_table():
    """A blade on a table that slides along x on a slide along y: it cannot turn."""
    model = boxed("slide", "table")
    model = put(
        model,
        PlanarMarker(id="across", body="slide", angle=1.0),
        PlanarMarker(id="on", body="table", angle=1.0),
        Prismatic(id="x", marker_i="g", marker_j="at_slide"),
        Prismatic(id="y", marker_i="across", marker_j="on"),
    )
    return put(model, KnifeEdge(id="blade", marker_i="g", marker_j="on"))


def driven_hinge():
    model = put(boxed("wheel"), Revolute(id="pin", marker_i="g", marker_j="at_wheel"))
    return put(model, Motion(id="motor", joint="pin", quantity="speed", law=2.0))


def disc(half=0.6, height=0.09):
    """A disc that rolls on the floor, leaning by twice `half` from lying flat."""
    body = SpatialBody(
        id="disc",
        mass=1.0,
        inertia=(0.1, 0.1, 0.2, 0.0, 0.0, 0.0),
        position=(0.0, 0.0, height),
        orientation=(float(np.cos(half)), float(np.sin(half)), 0.0, 0.0),
    )
    model = put(spatial(), body, SpatialMarker(id="floor", body=GROUND))
    model = put(model, SpatialMarker(id="hub", body="disc"))
    return put(model, RollingDisc(id="rolling", marker_i="floor", marker_j="hub", radius=0.1))


def upright_disc():
    """The disc as a wheel of a fork that stays on a plane: it rolls and steers upright."""
    quarter = float(np.sqrt(0.5))
    sideways = (quarter, quarter, 0.0, 0.0)
    fork = SpatialBody(
        id="fork", mass=1.0, inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0), position=(0.0, 0.0, 0.1)
    )
    level = SpatialMarker(id="level", body=GROUND, position=(0.0, 0.0, 0.1))
    model = put(disc(np.pi / 4, 0.1), fork, level, SpatialMarker(id="foot", body="fork"))
    model = put(model, SpatialMarker(id="fork_axle", body="fork", orientation=sideways))
    model = put(model, Planar(id="plane", marker_i="level", marker_j="foot"))
    return put(model, Revolute(id="axle", marker_i="fork_axle", marker_j="hub"))


def blade():
    return put(boxed("sled"), KnifeEdge(id="blade", marker_i="g", marker_j="at_sled"))


@pytest.mark.parametrize(
    ("model", "n", "flag", "hidden", "holonomic"),
    [
        (blade, 3, (1, 0), 0, False),
        (x_y_table, 6, (5, 5), 1, True),
        (driven_hinge, 3, (3, 3), 1, True),
        (disc, 6, (3, 2, 1), 0, False),
        (upright_disc, 12, (10, 9, 8), 0, False),
        (lambda: load(example_paths()["rolling_disc"]), 3, (2, 2), 0, True),
        (lambda: load(example_paths()["four_bar"]), 9, (8, 8), 0, True),
    ],
    ids=[
        *("knife edge", "x-y table", "speed in a hinge", "leaning disc", "upright disc"),
        *("disc on a line", "four-bar"),
    ],
)
def test_mechanisms_are_classified_by_their_rows_not_by_their_kind(
    model, n, flag, hidden, holonomic
):
    compiled = compile_model(model())
    found = classify(compiled, assemble(compiled).q)
    assert (found.n, found.rank, found.flag, found.hidden) == (n, flag[0], flag, hidden)
    assert found.is_holonomic == holonomic
    assert ("disguise" in found.sentence) == bool(hidden)
    assert found.sentence.startswith("Holonomic" if holonomic else "Non-holonomic")


def test_check_tells_the_class_and_why(tmp_path, capsys):
    for name, model, words in (
        ("table", x_y_table(), ("holonomic-scleronomic", "in disguise (1 of 5)")),
        (
            "sled",
            blade(),
            ("non-holonomic-scleronomic", "of 1 independent constraints 0 integrate"),
        ),
    ):
        path = tmp_path / f"{name}.json"
        save(model, path)
        assert main(["check", str(path)]) == 0
        told = capsys.readouterr().out
        lines = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
        assert lines["System"].strip() == words[0]
        assert words[1] in lines["Why"] + told


def in_disguise(p):
    """Two exact forms, turned by the pose."""
    c, s = np.cos(p[0]), np.sin(p[0])
    wave = np.cos(p[0] * p[1])
    exact = [[2 * p[0], 2 * p[1], 0, 0, 1.0], [p[1] * wave, p[0] * wave, 1.0, 0, 0]]
    return np.array([[c, -s], [s, c]]) @ np.array(exact)


@pytest.mark.parametrize(
    ("rows", "n", "flag"),
    [
        (lambda p: np.exp(p[0]) * np.array([[2 * p[0] * p[1], p[0] ** 2, 0.0]]), 3, (1, 1)),
        (lambda p: np.array([[-p[1], 0.0, 1.0]]), 3, (1, 0)),
        (lambda p: np.array([[-p[1], 0, 1.0, 0], [-p[2], 0, 0, 1.0]]), 4, (2, 1, 0)),
        (lambda p: np.array([[2 * p[0], 2 * p[1], 0, 0], [-p[1], 0, 1.0, 0]]), 4, (2, 2)),
        (in_disguise, 5, (2, 2)),
    ],
    ids=["integrating factor", "contact", "Engel", "span that integrates", "turned by the pose"],
)
def test_flags_of_forms_given_by_hand(rows, n, flag):
    field = Field(rows, n, lambda q, step: q + step)
    assert flag_of(field, Q[:n]) == flag
