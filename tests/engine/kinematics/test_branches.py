"""Other branches: closed forms of dyads, drivers and ground kept, and sentences where there is none."""

from itertools import pairwise
from math import hypot

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.edits import at_state, marker_frame
from engine.errors import EngineError
from engine.kinematics.branches import branches
from engine.kinematics.evaluate import equations
from tests.validation import models

CLOSED = 1e-11  # rounding of coordinates of a few metres


def place(model, marker):
    """Where a marker is drawn."""
    return np.array(marker_frame(model, marker)[:2])


def other(model, at="", number=0):
    """The model in another branch."""
    compiled = compile_model(model)
    found = branches(compiled, at)[number]
    assert np.abs(equations(compiled, 0.0, found.q, found.v).Phi).max() < CLOSED
    return at_state(model, found.q, found.v)


def stays(before, after, *bodies):
    """Whether bodies are where they were, to the rounding of a closed joint."""
    places = [(*m[id].position, m[id].angle) for m in (before, after) for id in bodies]
    return np.abs(np.subtract(places[: len(bodies)], places[len(bodies) :])).max() < CLOSED


def mirrored(point, a, b):
    """A point mirrored in the line through two others."""
    along = (b - a) / np.linalg.norm(b - a)
    return 2 * (a + (point - a) @ along * along) - point


def driven_four_bar(speed=1.0):
    """Crank 1, coupler 3, rocker 2.5, ground 3; a motion turns the crank."""
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0)
    m.motion("A", speed, "speed")
    return m.model


def test_the_other_branch_of_a_driven_four_bar_is_the_mirrored_solution():
    model = driven_four_bar()
    B, C, D = (place(model, model[joint].marker_i) for joint in "BCD")
    after = other(model)
    assert place(after, after["C"].marker_i) == pytest.approx(mirrored(C, B, D), abs=CLOSED)
    assert stays(model, after, "crank")  # the driver has not moved


def test_going_twice_to_the_other_branch_leads_back():
    model = driven_four_bar()
    back = other(other(model))
    for body in ("crank", "coupler", "rocker"):
        assert back[body].position == pytest.approx(model[body].position, abs=CLOSED)


def test_a_free_four_bar_can_be_mirrored_at_the_joint_that_is_asked_for():
    model = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model
    A, B, C = (place(model, model[joint].marker_i) for joint in "ABC")
    assert stays(model, other(model, "C"), "crank")
    after = other(model, "B")
    assert stays(model, after, "rocker")
    assert place(after, after["B"].marker_i) == pytest.approx(mirrored(B, A, C), abs=CLOSED)


def test_the_slider_of_a_crank_goes_to_the_other_side():
    m = models.slider_crank(0.5, 1.5, 0.7)
    m.motion("A", 1.0, "speed")
    pin = place(m.model, m.model["B"].marker_i)
    right, left = (pin[0] + side * np.sqrt(1.5**2 - pin[1] ** 2) for side in (1, -1))
    assert m.model["slider"].position[0] == pytest.approx(right)
    after = other(m.model)
    assert after["slider"].position == pytest.approx((left, 0.0), abs=CLOSED)
    assert other(after)["slider"].position == pytest.approx((right, 0.0), abs=CLOSED)


def five_bar():
    """Two driven cranks and two couplers that meet at C."""
    m = Mechanism("five-bar")
    points = {"A": (0, 0), "B": (0, 1), "C": (1, 2), "D": (2, 1), "E": (2, 0)}
    for id, a, b in (("left", "A", "B"), ("up", "B", "C"), ("down", "C", "D"), ("right", "D", "E")):
        m.rod(points[a], points[b], id=id)
    chain = ("ground", "left", "up", "down", "right", "ground")
    for (id, at), (i, j) in zip(points.items(), pairwise(chain)):
        m.revolute(i, j, at=at, id=id)
    m.motion("A", 1.0, "speed")
    m.motion("E", -1.0, "speed")
    return m.model


def test_a_driven_five_bar_has_two_branches():
    model = five_bar()
    assert len(branches(compile_model(model))) == 1
    after = other(model)
    assert place(after, after["C"].marker_i) == pytest.approx((1, 0), abs=CLOSED)
    assert stays(model, after, "left", "right")


def test_a_triangle_of_bars_has_its_mirror_image():
    m = Mechanism("truss")
    base, left, right = m.rod((0, 0), (2, 0)), m.rod((0, 0), (0.5, 1)), m.rod((2, 0), (0.5, 1))
    m.revolute("ground", base, at=(0, 0))
    m.prismatic("ground", m.body((2, 0), mass=1.0, inertia=0.1, id="roller"), at=(2, 0))
    m.revolute("roller", base, at=(2, 0))
    m.revolute(base, left, at=(0, 0))
    m.revolute(base, right, at=(2, 0))
    top = m.revolute(left, right, at=(0.5, 1))
    after = other(m.model, top)
    assert place(after, after[top].marker_i) == pytest.approx((0.5, -1), abs=CLOSED)
    assert stays(m.model, after, base)


def test_a_rod_and_what_is_welded_to_a_body_are_mirrored_too():
    m = Mechanism("rod and rocker")
    rocker = m.rod((2, 0), (2, 1.5), id="rocker")
    flag = m.box((2, 1.5), 0.2, 0.2, id="flag")
    m.weld(rocker, flag, at=(2, 1.5))
    m.revolute("ground", rocker, at=(2, 0))
    rod = m.massless_rod(("ground", (0, 1)), (rocker, (2, 1.5)))
    end = mirrored(np.array([2, 1.5]), np.array([0, 1.0]), np.array([2.0, 0]))
    after = other(m.model, rod)
    assert after["flag"].position == pytest.approx(tuple(end), abs=CLOSED)
    assert hypot(end[0], end[1] - 1) == pytest.approx(hypot(2, 0.5))


def test_a_motion_that_asks_for_the_impossible_from_here_is_met_on_another_branch():
    """The turned guide of a quick return has no dyad of pins: a random start finds the other pose."""
    m = Mechanism("inverted slider-crank")
    crank = m.rod((0, 0), (1, 0), id="crank")
    guide = m.rod((-1.5, 0.0), (2, 0), id="guide")
    block = m.body((1, 0), mass=1.0, inertia=0.1, id="block")
    m.revolute("ground", crank, at=(0, 0), id="A")
    m.revolute("ground", guide, at=(-1.5, 0.0))
    m.revolute(crank, block, at=(1, 0))
    m.prismatic(guide, block, at=(1, 0))
    m.motion("A", 1.0, "speed")
    after = other(m.model)
    turned = after["guide"].angle - m.model["guide"].angle
    assert np.cos(turned) == pytest.approx(-1.0, abs=CLOSED)


def test_a_driven_loop_in_space_finds_its_other_branch():
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, dim=3)
    m.motion("A", 1.0, "speed")
    flat = driven_four_bar()
    C = mirrored(*(place(flat, flat[joint].marker_i) for joint in "CBD"))
    rocker = other(m.model)["rocker"].position
    assert rocker == pytest.approx(((C[0] + 3.0) / 2, C[1] / 2, 0.0), abs=1e-9)


@pytest.mark.parametrize(
    ("model", "at", "said"),
    [
        (models.horizontal_chain(3), "", "Only a loop"),
        (models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model, "A", "'A' has no other side"),
        (models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, dim=3).model, "", "In space"),
        (models.horizontal_chain(80), "", "too large"),
    ],
    ids=["chain", "ground pin", "space", "large"],
)
def test_a_sentence_says_why_there_is_no_other_branch(model, at, said):
    with pytest.raises(EngineError, match=said):
        branches(compile_model(model), at)


def test_open_chains_have_no_branches_even_where_elbows_could_bend_the_other_way():
    bent = models.rod_chain((0.3, -0.4, 0.9), (1.0,) * 3, (1.0,) * 3)
    with pytest.raises(EngineError):
        branches(compile_model(bent))
