"""Mobility: degrees of freedom by rank, counting by Gruebler, and redundancy told in words."""

from math import cos, pi, sin

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations, mass_matrix
from engine.kinematics.mobility import mobility
from engine.model.joints import JOINTS
from tests.engine.catalogue import JOINT_CASES, joint_model
from tests.validation import models

ABOUT_Z = (0, 0, 1)


def found(m):
    """The mobility of a mechanism as drawn."""
    return mobility(compile_model(getattr(m, "model", m)))


def double_slider():
    """Two sliders on crossed rails, joined by a rod: an elliptic trammel."""
    m = Mechanism("trammel")
    small = {"mass": 1.0, "inertia": 0.1, "center": (0, 0)}
    m.body((0.6, 0), id="h", **small)
    m.body((0, 0.8), id="v", **small)
    m.rod((0.6, 0), (0, 0.8), mass=1.0, id="bar")
    m.prismatic("ground", "h", at=(0, 0))
    m.prismatic("ground", "v", at=(0, 0), axis=(0, 1))
    m.revolute("h", "bar", at=(0.6, 0))
    m.revolute("v", "bar", at=(0, 0.8))
    return m


def three_cranks():
    """A parallelogram with a third crank that is not needed."""
    m = Mechanism("three cranks")
    m.rod((0, 1), (2, 1), mass=1.0, id="coupler")
    for k in range(3):
        crank = m.rod((k, 0), (k, 1), mass=1.0, id=f"crank_{k}")
        m.revolute("ground", crank, at=(k, 0), id=f"base_{k}")
        m.revolute(crank, "coupler", at=(k, 1), id=f"top_{k}")
    return m


def two_welds():
    """Two bodies that are welded twice."""
    m = Mechanism("two welds", 3)
    a, b = (m.box((x, 0, 0), mass=1.0) for x in (0, 0.3))
    m.weld(a, b, at=(0.1, 0, 0), id="first", name="left weld")
    m.weld(a, b, at=(0.2, 0, 0), id="second", name="right weld")
    return m


def bennett():
    """Bennett's linkage: four skew hinges that move only because sin(alpha)/a = sin(beta)/b.

    Denavit-Hartenberg: turn theta about z, then shift a and twist alpha along and about x; closed for
    tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2), t3 = -t1, t4 = -t2.
    """
    alpha, a = 0.6, 0.5
    beta = 1.1
    b = a * sin(beta) / sin(alpha)
    t1 = 1.3
    t2 = 2 * np.arctan(sin((beta + alpha) / 2) / sin((beta - alpha) / 2) / np.tan(t1 / 2))
    T, hinges = np.eye(4), []
    for theta, shift, twist in ((t1, a, alpha), (t2, b, beta), (-t1, a, alpha), (-t2, b, beta)):
        hinges.append((T[:3, 3].copy(), T[:3, 2].copy()))
        c, s, ca, sa = cos(theta), sin(theta), cos(twist), sin(twist)
        T = T @ np.array(
            [
                [c, -s * ca, s * sa, shift * c],
                [s, c * ca, -c * sa, shift * s],
                [0, sa, ca, 0],
                [0, 0, 0, 1],
            ]
        )
    np.testing.assert_allclose(T, np.eye(4), atol=1e-12)  # the loop closes
    m = Mechanism("Bennett", 3)
    links = ["ground", *(m.rod(hinges[k][0], hinges[k + 1][0], mass=1.0) for k in (0, 1, 2))]
    for k, (point, axis) in enumerate(hinges):
        m.revolute(links[k], links[(k + 1) % 4], at=point, axis=axis, id=f"hinge_{k}")
    return m


def particles():
    """Two particles in space on a rod."""
    m = Mechanism("dumbbell", 3)
    ends = [(m.particle((x, 0, 0)), (x, 0, 0)) for x in (0, 1)]
    m.massless_rod(*ends)
    return m


COUNTS = {  # (dof, Gruebler, redundant)
    "four-bar": (lambda: models.four_bar(1, 3, 2.5, 3, 1.0), (1, 1, 0)),
    "four-bar in space": (lambda: models.four_bar(1, 3, 2.5, 3, 1.0, dim=3), (1, -2, 3)),
    "slider-crank in space": (lambda: models.slider_crank(0.5, 1.5, 0.7, dim=3), (1, -2, 3)),
    "double slider": (double_slider, (1, 1, 0)),
    "three cranks": (three_cranks, (1, 0, 1)),
    "two welds": (two_welds, (6, 0, 6)),
    "Bennett": (bennett, (1, -2, 3)),
    "dumbbell": (particles, (5, 5, 0)),
    "crane": (lambda: models.crane(m1=1, m2=1, length=1, s=1, k=1, x1=0, phi=0), (2, 2, 0)),
    "free body": (lambda: models.free_body(1, (1, 2, 3), (0, 0, 0)), (6, 6, 0)),
    "knife edge": (lambda: models.knife_edge((0, 0), 0), (2, 2, 0)),
    "chain of eight": (lambda: models.horizontal_chain(8), (8, 8, 0)),
    "parallel cranks": (lambda: models.parallel_cranks(2), (1, 1, 0)),
}


@pytest.mark.parametrize("name", COUNTS)
def test_degrees_of_freedom_gruebler_and_redundancy(name):
    draw, expected = COUNTS[name]
    m = found(draw())
    assert (m.dof, m.gruebler, m.redundant) == expected
    assert m.rank + m.redundant == m.n_rows
    assert len(m.redundancies) == m.redundant


@pytest.mark.parametrize("name", COUNTS)
def test_free_motions_are_allowed_by_the_joints_and_orthonormal(name):
    compiled = compile_model(getattr(COUNTS[name][0](), "model", None) or COUNTS[name][0]())
    m = mobility(compiled)
    e = equations(compiled, 0.0, compiled.q0, compiled.v0)
    assert m.motions.shape == (len(compiled.v0), m.dof)
    np.testing.assert_allclose(e.D @ m.motions, 0.0, rtol=0, atol=1e-12)  # rounding
    M = mass_matrix(compiled)
    np.testing.assert_allclose(m.motions.T @ M @ m.motions, np.eye(m.dof), rtol=0, atol=1e-12)


REMOVED = {  # rows of each joint, in the plane and in space
    "revolute": (2, 5),
    "prismatic": (2, 5),
    "weld": (3, 6),
    "rod": (1, 1),
    "point_on_line": (1, 2),
    "rolling_disc": (2, 3),
    "gear": (1, 1),
    "rack_and_pinion": (1, 1),
    "knife_edge": (1, 1),
    "spherical": (None, 3),
    "cylindrical": (None, 4),
    "universal": (None, 4),
    "constant_velocity": (None, 4),
    "point_on_circle": (1, 2),
    "planar": (None, 3),
    "point_on_plane": (None, 1),
    "screw": (None, 5),
    "constraint": (1, 1),
}


@pytest.mark.parametrize(("joint", "dim"), JOINT_CASES)
def test_a_joint_removes_what_textbooks_say(joint, dim):
    compiled = compile_model(joint_model(joint, dim, 7))  # a drawing that closes
    start = assemble(compiled)
    m = mobility(compiled, start.q, start.v)
    expected = REMOVED[joint.kind][dim - 2]
    assert len(compiled.rows_of["joint"]) == expected
    assert m.redundant == 0
    assert m.dof == m.n_velocities - m.n_rows


def test_every_joint_is_counted():
    assert set(REMOVED) == {joint.kind for joint in JOINTS}


def test_redundant_hinges_of_a_spatial_four_bar_are_told_in_words():
    m = found(models.four_bar(1, 3, 2.5, 3, 1.0, dim=3))
    assert m.not_unique == frozenset("ABCD")
    # parallel hinges about z: what is stopped twice lies out of the plane, whichever joint is blamed
    out_of_plane = ("displacement along z", "rotation about x", "rotation about y")
    for sentence in m.sentences:
        assert any(f"stops {what}, which" in sentence for what in out_of_plane)
        assert sentence.endswith("already do.")
        assert all(f"'{id}'" in sentence for id in "ABCD")


def test_the_second_weld_repeats_the_first():
    m = found(two_welds())
    assert m.not_unique == {"first", "second"}
    for sentence in m.sentences:
        assert "'left weld'" in sentence and "'right weld'" in sentence


def test_a_third_crank_shares_its_redundancy_with_all_others():
    m = found(three_cranks())
    assert len(m.redundancies) == 1
    assert m.not_unique <= {f"{end}_{k}" for end in ("base", "top") for k in range(3)}
    assert {f"base_{k}" for k in range(3)} <= m.not_unique


def test_planar_four_bars_share_nothing():
    m = found(models.four_bar(1, 3, 2.5, 3, 1.0))
    assert m.not_unique == frozenset()
    assert m.sentences == ()


KINDS = {
    "holonomic-scleronomic": lambda: models.four_bar(1, 3, 2.5, 3, 1.0),
    "non-holonomic-scleronomic": lambda: models.knife_edge((0, 0), 0),
    "holonomic-rheonomic": lambda: driven(models.four_bar(1, 3, 2.5, 3, 1.0)),
}


def driven(m):
    """The same with a motor in joint A."""
    m.motion("A", "2*t")
    return m


@pytest.mark.parametrize("kind", KINDS)
def test_systems_are_classed_as_textbooks_do(kind):
    assert found(KINDS[kind]()).kind == kind


def test_a_speed_motion_at_constant_speed_is_rheonomic_and_integrable():
    m = models.four_bar(1, 3, 2.5, 3, 1.0)
    m.motion("A", 2.0, "speed")
    assert found(m).kind == "holonomic-rheonomic"
    assert found(m).dof == 0


def test_a_dead_centre_has_a_freedom_more_for_the_slider_drive():
    m = models.slider_crank(0.5, 1.5, 0.0)
    assert found(m).dof == 1
    m.motion("guide", "0*t")
    assert found(m).dof == 1  # holding the slider does not hold the crank in line
    m = models.slider_crank(0.5, 1.5, pi / 3)
    m.motion("guide", "0*t")
    assert found(m).dof == 0


def test_nothing_at_all_has_no_freedom():
    m = Mechanism("empty")
    result = found(m)
    assert (result.dof, result.gruebler, result.redundant) == (0, 0, 0)
    assert result.motions.shape == (0, 0)
