"""Roads and cams: circles and points on chains of lines and smooth curves."""

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.model.elements import put
from engine.running.simulate import run

G = 9.81


def on_road(x, height, **fields):
    """A point of 1 kg above a road; frictionless and stiff."""
    m = Mechanism()
    m.particle((x, height), 1.0, id="bead")
    hard = {"law": "impact", "stiffness": 1e7, "exponent": 1.0, "damping": 0.0, "friction": "none"}
    m.contact(("ground", (0, 0)), ("bead", (x, height)), id="road", **hard, **fields)
    return m.model


def test_a_bead_in_a_parabola_swings_with_the_energy_it_has():
    model = on_road(0.5, 0.25, shape_i="curve", curve_y="s^2", curve_from=-1.0, curve_to=1.0)
    results = run(model, method="dop853", tolerance=1e-9, t_end=1.0, output_step=1e-3)
    x, y = results["bead.x"], results["bead.y"]
    # it presses with some 30 N, by 3 um, and jumps about that
    np.testing.assert_allclose(y, x**2, atol=2e-5)
    speed = results["bead.speed"] ** 2 / 2
    np.testing.assert_allclose(speed + G * y, 0.25 * G, atol=1e-3)
    assert x.min() == pytest.approx(-0.5, abs=1e-3)


def test_points_of_a_parabola_make_the_same_road_as_its_formula():
    s = np.linspace(-1.0, 1.0, 41)
    by_points = on_road(
        0.5, 0.25, shape_i="curve", points=tuple((float(x), float(x * x)) for x in s)
    )
    by_formula = on_road(0.5, 0.25, shape_i="curve", curve_y="s^2", curve_from=-1, curve_to=1)
    a, b = (
        run(m, method="dop853", tolerance=1e-9, t_end=0.5)["bead.x"]
        for m in (by_points, by_formula)
    )
    np.testing.assert_allclose(a, b, atol=1e-3)  # a bead that jumps in other places


def test_a_disc_slides_down_a_chain_and_up_again():
    chain = ((-1.0, 1.0), (0.0, 0.0), (2.0, 0.0))
    m = Mechanism()
    m.disc((-0.5 + 0.1 * 2**-0.5, 0.5 + 0.1 * 2**-0.5), 0.1, mass=1.0, id="disc")
    m.contact(
        *(("ground", (0, 0)), ("disc", (-0.5, 0.5))),
        shape_i="chain",
        points=chain,
        friction="none",
        restitution=1.0,
        id="slide",
    )
    results = run(m.model, method="dopri5", tolerance=1e-8, t_end=0.3, output_step=1e-3)
    # a = g sin 45 along the slope, without friction
    way = (results["disc.x"] - results["disc.x"][0]) * 2**0.5
    assert way[-1] == pytest.approx(0.5 * G * 2**-0.5 * 0.3**2, rel=1e-3)


def test_a_smooth_polygon_is_a_cam_that_lifts_as_its_curve():
    angles = np.linspace(0.0, 2 * pi, 36, endpoint=False)
    middle, radius = (0.01, 0.0), 0.03
    corners = [(middle[0] + radius * np.cos(a), middle[1] + radius * np.sin(a)) for a in angles]
    m = Mechanism(gravity=(0.0, -100.0))
    m.polygon(corners, id="cam")
    m.revolute("ground", "cam", (0, 0), id="shaft")
    m.motion("shaft", "10", "speed", id="motor")
    top = (radius**2 - 0.01**2) ** 0.5
    m.rod((0, top), (0, top + 0.1), width=0.004, mass=1.0, id="follower")
    m.prismatic("ground", "follower", (0, top), axis=(0, 1), id="guide")
    hard = {
        "law": "impact",
        "stiffness": 1e7,
        "exponent": 1.0,
        "damping": 2000.0,
        "friction": "none",
    }
    m.contact(
        *(("cam", (0, 0)), ("follower", (0, top))),
        shape_i="smooth",
        shape_j="point",
        full_depth=1e-6,
        **hard,
        id="rim",
    )
    results = run(m.model, method="dopri5", tolerance=1e-8, t_end=0.6, output_step=5e-3)
    a = 10.0 * results.t
    lift = 0.01 * np.sin(a) + np.sqrt(radius**2 - (0.01 * np.cos(a)) ** 2)
    # pressed in by 1e-5 m, and a spline through 36 points is true to 2e-8 m
    np.testing.assert_allclose(results["guide.displacement"][20:] + top, lift[20:], atol=3e-5)


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"shape_i": "curve"}, "at least 2 points"),
        ({"shape_i": "chain", "points": ((0.0, 0.0), (0.0, 0.0))}, "are the same"),
        (
            {"shape_i": "curve", "shape_j": "chain", "points": ((0.0, 0.0), (1.0, 0.0))},
            "Both sides",
        ),
    ],
)
def test_bad_curves_are_told(fields, words):
    model = on_road(0.5, 0.25)
    model = put(model, replace(model["road"], **fields))
    assert any(words in problem.sentence for problem in problems(model))


def test_a_curve_of_no_length_is_told():
    with pytest.raises(EngineError, match="begins and ends at s = 1"):
        run(on_road(0.5, 0.3, shape_i="curve", curve_y="s", curve_from=1.0, curve_to=1.0))
