"""Solids that touch in space: balls on every solid, solids on a plane, cables over pulleys."""

from dataclasses import replace
from math import acos, atan2, pi, radians, sin, sqrt

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.model.elements import put
from engine.model.shapes import Capsule, Mesh, Polygon, mass_properties
from engine.running.simulate import run

SPRING = {"law": "impact", "stiffness": 1e5, "exponent": 1.0, "damping": 0.0, "friction": "none"}
FALL, K, G = 0.2, 1e5, 9.81
SPEED = sqrt(2 * G * FALL)
PERIOD = 2 * SPEED / G + 2 / sqrt(K) * (pi - np.arctan(SPEED * sqrt(K) / G))
HOSTS = {  # a fixed solid, and how high its top is
    "box": (lambda m: m.box((0, 0, 0), 0.4, 0.4, 0.2, id="host", fixed=True), 0.1),
    "sphere": (lambda m: m.sphere((0, 0, 0), 0.3, id="host", fixed=True), 0.3),
    "standing cylinder": (
        lambda m: m.cylinder((0, 0, -0.2), (0, 0, 0.2), 0.3, id="host", fixed=True),
        0.2,
    ),
    "lying cylinder": (
        lambda m: m.cylinder((-0.5, 0, 0), (0.5, 0, 0), 0.3, id="host", fixed=True),
        0.3,
    ),
    "lying capsule": (
        lambda m: m.capsule((-0.5, 0, 0), (0.5, 0, 0), 0.3, id="host", fixed=True),
        0.3,
    ),
    "standing capsule": (
        lambda m: m.capsule((0, 0, -0.5), (0, 0, 0.5), 0.3, id="host", fixed=True),
        0.8,
    ),
}


@pytest.mark.parametrize("name", HOSTS)
def test_a_ball_bounces_on_the_top_of_every_solid_as_on_a_plane(name):
    make, top = HOSTS[name]
    m = Mechanism(dim=3)
    make(m)
    start = top + 0.1 + FALL
    m.sphere((0.0, 0.0, start), 0.1, id="ball", mass=1.0)
    m.contact(("host", (0, 0, 0)), ("ball", (0, 0, start)), id="c", **SPRING)
    results = run(m.model, method="dop853", tolerance=1e-10, t_end=2 * PERIOD, output_step=PERIOD)
    assert results["ball.z"][1:] == pytest.approx([start, start], abs=1e-7)
    assert [e.kind for e in results.events] == ["touch", "leave"] * 2


def box_mesh(a, b, c):
    """A closed mesh of a box by its half sizes."""
    corners = [(x, y, z) for x in (-a, a) for y in (-b, b) for z in (-c, c)]
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [t for p, q, r, s in quads for t in ((p, q, r), (p, r, s))]
    return Mesh(vertices=tuple(corners), faces=tuple(faces))


RESTING = {  # a solid just above the floor, and how high its middle comes to rest
    "box": (lambda m: m.box((0, 0, 0.06), 0.3, 0.2, 0.1, id="body"), 0.05),
    "standing cylinder": (lambda m: m.cylinder((0, 0, 0.01), (0, 0, 0.21), 0.1, id="body"), 0.1),
    "lying cylinder": (lambda m: m.cylinder((-0.2, 0, 0.11), (0.2, 0, 0.11), 0.1, id="body"), 0.1),
    "capsule": (lambda m: m.capsule((-0.2, 0, 0.11), (0.2, 0, 0.11), 0.1, id="body"), 0.1),
    "plate": (
        lambda m: m.body(
            (0, 0, 0.03),
            shape=Polygon(points=((-0.1, -0.1), (0.1, -0.1), (0.0, 0.2)), thickness=0.04),
            id="body",
        ),
        0.02,
    ),
    "mesh": (lambda m: m.body((0, 0, 0.11), shape=box_mesh(0.15, 0.1, 0.1), id="body"), 0.1),
}


@pytest.mark.parametrize("name", RESTING)
def test_every_solid_comes_to_rest_on_a_plane_and_presses_with_its_weight(name):
    make, height = RESTING[name]
    m = Mechanism(dim=3)
    make(m)
    m.contact(("ground", (0, 0, 0)), ("body", (0, 0, height)), id="floor", restitution=0.05)
    results = run(m.model, method="dopri5", tolerance=1e-7, t_end=0.5)
    shape = m.model["body"].shape
    weight = G * mass_properties(shape, m.model["body"].density, 3).mass
    assert results["body.z"][-1] == pytest.approx(height, abs=2e-4)  # less the sag
    assert results["floor.normal_force"][-1] == pytest.approx(weight, rel=2e-3)
    assert np.abs(results["body.speed"][-1]) < 1e-3


@pytest.mark.parametrize("make", ["cylinder", "capsule"])
def test_a_lying_bar_rolls_down_a_slope(make):
    # a = g sin(slope)/(1 + J/(m r^2)), with friction enough to roll
    slope = radians(10.0)
    m = Mechanism(dim=3, gravity=(G * sin(slope), 0.0, -G * np.cos(slope)))
    getattr(m, make)((0, -0.2, 0.05), (0, 0.2, 0.05), 0.05, id="bar", mass=1.0)
    m.contact(
        ("ground", (0, 0, 0)), ("bar", (0, 0, 0.05)), id="floor", mu_static=0.5, mu_dynamic=0.5
    )
    results = run(m.model, method="dopri5", tolerance=1e-7, t_end=0.5)
    J = mass_properties(m.model["bar"].shape, 1.0, 3)
    ratio = J.inertia[2][2] / J.mass / 0.05**2
    a = G * sin(slope) / (1.0 + ratio)
    # the friction yields by 1e-4 of the size of the body before it holds
    assert results["bar.vx"][-1] == pytest.approx(0.5 * a, rel=3e-3)


def test_a_capsule_weighs_as_its_bar_and_its_ball():
    r, l, density = 0.2, 0.5, 700.0
    found = mass_properties(Capsule(radius=r, length=l), density, 3)
    rng = np.random.default_rng(1)
    p = rng.uniform(-1.0, 1.0, (400_000, 3)) * (r, r, r + l / 2)
    beyond = np.maximum(np.abs(p[:, 2]) - l / 2, 0.0)
    p = p[p[:, 0] ** 2 + p[:, 1] ** 2 + beyond**2 <= r * r]
    box = 8.0 * r * r * (r + l / 2)
    m = density * box * len(p) / 400_000
    # Monte Carlo: the error of a mean of 4e5 samples is some 1e-3
    assert found.mass == pytest.approx(m, rel=5e-3)
    S = (p**2).mean(axis=0)
    assert found.inertia[0][0] == pytest.approx(found.mass * (S[1] + S[2]), rel=1e-2)
    assert found.inertia[2][2] == pytest.approx(found.mass * (S[0] + S[1]), rel=1e-2)
    assert found.mass == pytest.approx(density * pi * r * r * (l + 4.0 / 3.0 * r), rel=1e-12)


def test_shapes_that_cannot_meet_are_told():
    m = Mechanism(dim=3)
    m.box((0, 0, 0), id="a")
    m.box((0, 0, 1), id="b")
    m.contact(("a", (0, 0, 0)), ("b", (0, 0, 1)), id="c")
    with pytest.raises(EngineError, match="does not bring in contact"):
        run(m.model, t_end=0.1)


def atwood(dim, k=1e6, **fields):
    """Two masses on a cable over a fixed pulley of radius 0.2 m."""
    m = Mechanism(dim=dim)
    at = (lambda x, y: (x, y)) if dim == 2 else (lambda x, y: (x, 0.0, y))
    m.particle(at(-0.2, -1.0), 1.0, id="left")
    m.particle(at(0.2, -1.0), 3.0, id="right")
    along = {} if dim == 2 else {"axis": (0, 1, 0)}
    ends = ("left", at(-0.2, -1.0)), ("ground", at(0.0, 0.0)), ("right", at(0.2, -1.0))
    m.cable(*ends, radius=0.2, stiffness=k, damping=100.0, id="rope", **along, **fields)
    return m.model


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("method", ["dopri5", "generalised_alpha"])
def test_masses_on_a_cable_fall_as_atwood_says(dim, method):
    model = atwood(dim)
    step = {"step": 1e-4} if method == "generalised_alpha" else {"tolerance": 1e-8}
    results = run(model, method=method, t_end=0.3, output_step=0.01, **step)
    up = "vy" if dim == 2 else "vz"
    a = G * (3.0 - 1.0) / (3.0 + 1.0)
    # the rope stretches by some 15 um, and swings about that
    assert results[f"left.{up}"][-1] == pytest.approx(0.3 * a, rel=3e-3)
    assert results[f"right.{up}"][-1] == pytest.approx(-0.3 * a, rel=3e-3)
    assert results["rope.tension"][-1] == pytest.approx(2 * 3.0 * G / 4.0, rel=2e-2)
    assert results["rope.length"][0] == pytest.approx(2.0 + 0.2 * pi, abs=1e-12)
    assert results["rope.wrapped"][0] == pytest.approx(pi, abs=1e-12)
    # of 2 J that are exchanged
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=2e-4)


def test_a_cable_on_a_cylinder_lies_in_a_helix():
    m = Mechanism(dim=3)
    m.particle((0.2, -0.3, -1.0), 1.0, id="load")
    ends = ("ground", (-0.2, 0.3, -1.0)), ("ground", (0, 0, 0)), ("load", (0.2, -0.3, -1.0))
    m.cable(*ends, radius=0.2, axis=(0, 1, 0), id="rope")
    results = run(m.model, method="dopri5", t_end=1e-3)
    s = 2.0 + 0.2 * pi
    assert results["rope.length"][0] == pytest.approx(sqrt(s * s + 0.36), abs=1e-12)


def test_a_cable_that_does_not_reach_its_pulley_is_straight_and_leaves_it_alone():
    m = Mechanism(gravity=(0.0, 0.0))
    m.disc((0.0, 0.5), 0.2, id="pulley")
    m.particle((1.0, 0.0), 1.0, id="load")
    ends = ("ground", (-1.0, 0.0)), ("pulley", (0.0, 0.5)), ("load", (1.0, 0.0))
    m.cable(*ends, way="anticlockwise", free_length=1.9, stiffness=100.0, damping=0.0, id="rope")
    results = run(m.model, method="dopri5", t_end=0.05)
    assert results["rope.length"][0] == pytest.approx(2.0, abs=1e-12)
    assert results["rope.tension"][0] == pytest.approx(10.0, abs=1e-9)
    assert np.abs(results["pulley.vy"]).max() < 1e-12
    # the other way round it lies on the top of the pulley, and presses it down
    over = put(m.model, replace(m.model["rope"], way="clockwise"))
    bent = run(over, method="dopri5", t_end=0.01)
    away = acos(0.2 / sqrt(1.25)) - atan2(0.5, 1.0)  # of where it leaves, from the horizontal
    assert bent["rope.wrapped"][0] == pytest.approx(pi - 2.0 * away, abs=1e-12)
    tension = bent["rope.tension"][0]
    mass = mass_properties(m.model["pulley"].shape, m.model["pulley"].density, 2).mass
    push = 2.0 * tension * sin(pi / 2 - away)
    assert bent["pulley.vy"][-1] == pytest.approx(-push / mass * 0.01, rel=2e-2)
