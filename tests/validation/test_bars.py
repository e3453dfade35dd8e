"""Bars from corner to corner as one flexible body: published frames, and chains of welded beams."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.formulas.resolve import resolved
from engine.kinematics.drag_parts import weightless
from engine.model.shapes import Polyline, Rod, mass_properties
from tests.validation.linear_beams import Linear

DATA = json.loads((Path(__file__).parents[1] / "data" / "flexible.json").read_text("utf-8"))
STEEL = {"youngs_modulus": 2.1e11, "density": 7850.0, "width": 0.02, "thickness": 0.02}
BARE = {"flexible": True, "rotary": False, "damping_ratio": 0.0}
SMALL = 1e-8  # of the load: what is of second order in it is rounding then


def given(id, name):
    """A published value, which has eight digits or more."""
    return DATA[id]["values"][name]["value"]


def weighed_down(m, body, at, components):
    """How a small load moves the point where it acts, as if it were the whole load."""
    m.force(body, at, components=tuple(SMALL * x for x in components))
    return lambda marker: Linear(m).of_marker(marker) / SMALL


def test_an_elbow_sags_as_by_castigliano():
    m = Mechanism(gravity=(0.0, 0.0))
    body = m.polyline([(0, 0), (0, 0.8), (0.5, 0.8)], modes=0, elements=1, **STEEL, **BARE)
    m.weld("ground", body, (0, 0))
    end = m.marker(body, (0.5, 0.8))
    moved = weighed_down(m, body, (0.5, 0.8), (0.0, -100.0))(end)
    np.testing.assert_allclose(moved[[0, 1, 5]], given("F05", "a_end"), rtol=1e-9)


def test_a_portal_of_one_body_sways_as_published():
    m = Mechanism(gravity=(0.0, 0.0))
    body = m.polyline([(0, 0), (0, 1), (1.5, 1), (1.5, 0)], modes=0, elements=2, **STEEL, **BARE)
    m.weld("ground", body, (0, 0))
    m.weld("ground", body, (1.5, 0))
    corners = [m.marker(body, at) for at in ((0, 1), (1.5, 1))]
    moved = weighed_down(m, body, (0, 1), (100.0, 0.0))
    for corner, name in zip(corners, ("b_left_corner", "b_right_corner")):
        np.testing.assert_allclose(moved(corner)[[0, 1, 5]], given("F05", name), rtol=1e-8)


def test_an_elbow_in_space_bends_and_twists_as_by_castigliano():
    m = Mechanism(dim=3, gravity=(0.0, 0.0, 0.0))
    body = m.polyline(
        [(0, 0, 0), (0.8, 0, 0), (0.8, 0.5, 0)],
        modes=0,
        torsional_stiffness=1820.0,
        **STEEL,
        **BARE,
    )
    m.weld("ground", body, (0, 0, 0))
    end, corner = (m.marker(body, at) for at in ((0.8, 0.5, 0), (0.8, 0, 0)))
    moved = weighed_down(m, body, (0.8, 0.5, 0), (0.0, 0.0, -100.0))
    assert moved(end)[2] == pytest.approx(given("F05", "c_end_z"), rel=1e-9)
    assert moved(corner)[3] == pytest.approx(given("F05", "c_twist_at_corner"), rel=1e-9)


def test_a_branching_body_rings_as_a_published_tuning_fork():
    m = Mechanism(gravity=(0.0, 0.0))
    left, right = (-0.01, 0.0), (0.01, 0.0)
    line = [(0, -0.03), (0, 0), left, (-0.01, 0.1), left, (0, 0), right, (0.01, 0.1)]
    fork = {**STEEL, "width": 0.005, "thickness": 0.005}
    body = m.polyline(line, modes=30, elements=8, **fork, **BARE)
    assert len(compile_model(m.model).elastic[body].mesh.elements) == 5 * 8
    m.weld("ground", body, (0, -0.03))
    found = Linear(m).frequencies()[:4] / (2.0 * np.pi)
    np.testing.assert_allclose(found, given("F07", "n8"), rtol=1e-7)


@pytest.mark.parametrize("dim", (2, 3))
def test_bars_of_one_body_swing_as_welded_beams_do(dim):
    def at(x, y):
        return (x, y) if dim == 2 else (x, y, 0.0)

    corners = [at(0, 0), at(0.5, 0), at(0.5, 0.3)]
    fields = {**STEEL, "thickness": 0.015, "damping_ratio": 0.0}
    one, two = (Mechanism(dim=dim, gravity=(0.0,) * dim) for _ in range(2))
    body = one.polyline(corners, flexible=True, modes=20, elements=6, **fields)
    one.weld("ground", body, corners[0])
    every = {"modes": 12, "stretch": 6, "elements": 6}
    every |= {} if dim == 2 else {"twist": 6}
    beams = [two.beam(a, b, **fields, **every) for a, b in pairwise(corners)]
    two.weld("ground", beams[0], corners[0])
    two.weld(*beams, corners[1])
    found, expected = (Linear(m).frequencies()[:4] for m in (one, two))
    np.testing.assert_allclose(found, expected, rtol=1e-7)  # of slow shapes of stiff elements


def spun(flexible, E=1e9):
    """An elbow on a pin, flung round: places of its end and the total energy."""
    m = Mechanism(gravity=(0.0, -9.81))
    line = [(0, 0), (0.3, 0), (0.3, 0.2), (0.5, 0.2)]
    fields = {"youngs_modulus": E, "density": 1200.0, "damping_ratio": 0.0, "modes": 3}
    body = m.polyline(line, width=0.02, thickness=0.02, flexible=flexible, **fields)
    m.revolute("ground", body, (0, 0))
    end = m.marker(body, (0.5, 0.2))
    run = m.run(t_end=0.3, output_step=0.02, method="dop853", tolerance=1e-9)
    return np.stack([run[f"{end}.x"], run[f"{end}.y"]]), run["total_energy"]


def test_energy_of_a_flexible_line_of_bars_is_kept():
    _, energy = spun(True)
    assert np.ptp(energy) < 1e-8 * 0.4  # a pendulum of 0.4 J, to ten times its tolerance


def test_stiff_bars_move_as_rigid_ones():
    rigid, _ = spun(False)
    off = [np.abs(spun(True, E)[0] - rigid).max() for E in (1e10, 4e10)]
    assert 3.5 < off[0] / off[1] < 4.5  # of first order in 1/E


def test_a_line_of_bars_weighs_what_its_bars_weigh():
    line = Polyline(points=((0.0, 0.0), (2.0, 0.0)), width=0.1, thickness=0.05)
    found = mass_properties(line, 1000.0, 3)
    rod = mass_properties(Rod(length=2.0, width=0.1, thickness=0.05), 1000.0, 3)
    assert found.mass == pytest.approx(rod.mass) and found.center == pytest.approx((1.0, 0.0, 0.0))
    np.testing.assert_allclose(found.inertia, rod.inertia, rtol=1e-12)
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0))
    closed = mass_properties(Polyline(points=square, width=1e-6, thickness=1e-6), 1e12, 2)
    assert closed.mass == pytest.approx(4.0)
    assert closed.inertia == pytest.approx(4.0 * (1 / 12 + 1 / 4))  # of four slender bars


def test_a_corner_within_a_bar_joins_it_and_what_is_run_twice_is_one_bar():
    tee = Polyline(points=((0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (0.5, 0.0), (0.5, 1.0))).bars()
    assert len(tee.corners) == 4
    assert sorted(np.round(tee.lengths, 12)) == [0.5, 0.5, 1.0]


def pieces_of(points):
    """The pieces of a line, as it is drawn."""
    return Polyline(points=points).bars().bars


def test_a_stem_that_was_drawn_first_is_cut_where_a_branch_begins():
    assert len(pieces_of(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 0.0)))) == 4


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"points": ((0.0, 0.0), (0.0, 0.0))}, "two different corners"),
        ({"points": ((0.0, 0.0), (1.0, float("nan")))}, "not a finite point"),
        ({"points": ((0.0, 0.0), (1.0, 0.0, 0.0))}, "same two or three coordinates"),
        ({"points": tuple((float(n), 0.0) for n in range(70))}, "at most 60 corners"),
        ({"points": ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))}, "two coordinates"),
        ({"section": "tube", "wall": 0.05}, "wall of the section"),
        ({"elements": 2.5}, "must be whole"),
    ],
)
def test_impossible_bars_are_refused(fields, words):
    with pytest.raises(EngineError) as error:
        mass_properties(Polyline(**fields), 1000.0, 2)
    assert words in error.value.sentence


def test_too_many_elements_are_refused_with_a_remedy():
    m = Mechanism()
    zigzag = [(0.1 * n, 0.1 * (n % 2)) for n in range(12)]
    m.polyline(zigzag, flexible=True, elements=32)
    with pytest.raises(EngineError, match="fewer elements"):
        compile_model(m.model)


@pytest.mark.parametrize("dim", (2, 3))
def test_stress_of_a_cantilever_of_bars_is_that_of_its_moment(dim):
    def at(x):
        return (x, 0.0) if dim == 2 else (x, 0.0, 0.0)

    m = Mechanism(dim=dim, gravity=(0.0,) * dim)
    fields = {**STEEL, "thickness": 0.03, "damping_ratio": 1.0}
    body = m.polyline([at(0.0), at(1.0)], flexible=True, **fields)
    m.weld("ground", body, at(0.0))
    m.force(body, at(1.0), components=(0.0, -10.0) if dim == 2 else (0.0, 0.0, -10.0))
    run = m.run(t_end=1.0, output_step=0.5, method="radau", tolerance=1e-8)
    A, h = 0.02 * 0.03, 0.02 if dim == 2 else 0.03
    assert run[f"{body}.stress"][-1] == pytest.approx(10.0 * 6.0 / (A * h), rel=1e-4)  # at rest
    assert abs(run[f"{body}.deflection"][-1]) == pytest.approx(
        10.0 * 12.0 / (3.0 * 2.1e11 * A * h**2), rel=1e-4
    )


def test_bars_are_dragged_as_rigid_ones():
    m = Mechanism()
    body = m.polyline([(0, 0), (1, 0), (1, 1)], flexible=True)
    m.revolute("ground", body, (0, 0))
    assert not compile_model(weightless(resolved(m.model))).elastic
