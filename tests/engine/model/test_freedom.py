"""What joints let slide and turn follows from their rows, and agrees with the kernels."""

from math import sqrt

import numpy as np
import pytest
from scipy.linalg import null_space

from engine.compiling.system import compile_model
from engine.kernels import layout
from engine.kinematics.evaluate import equations
from engine.model.attachments import Attachment, attachment, joints_of, markers_of, reads_axes
from engine.model.bodies import PlanarBody, PlanarMarker, SpatialBody, SpatialMarker
from engine.model.catalogue import ELEMENTS
from engine.model.connections import X, Y, Z
from engine.model.elements import GROUND, planar, put, references, spatial
from engine.model.forces import Actuator, Bushing, PointForce, Spring, Torque
from engine.model.joints import JOINTS, Gear, Joint, Motion
from engine.model.joints.freedom import Freedom, freedom, looser

CASES = [
    pytest.param(joint, dim, id=f"{joint.kind}-{dim}d")
    for joint in JOINTS
    if issubclass(joint, Joint)
    for dim in joint.dims
]
IN_PLANE = [0, 1, 5]  # the places of u_x, u_y and w_z in (u, w)
AXLE_ALONG_Y = (sqrt(0.5), -sqrt(0.5), 0.0, 0.0)  # the turn about x that takes z to y
ALONG_X, ABOVE = (1.0, 0.0, 0.0), (0.0, 0.0, 0.1)  # a distance away; a wheel of the default radius


def reference_model(joint: type, dim: int):
    """A joint from the ground to a body, its markers as the derivation in freedom.py has them."""
    model = planar() if dim == 2 else spatial()
    one = joint(id="joint", marker_i="i", marker_j="j")
    kinds = {c.kind for row in one.rows(model) for _, c in row.terms}
    place, turn = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    if layout.DISTANCE in kinds:
        place = ALONG_X
    if layout.DISC_HEIGHT in kinds:
        place, turn = ABOVE, AXLE_ALONG_Y
    if dim == 2:
        body = PlanarBody(id="b", mass=1.0, inertia=1.0, center=(0.0, 0.0), position=place[:2])
        ends = PlanarMarker(id="i", body=GROUND), PlanarMarker(id="j", body="b")
    else:
        inertia = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
        body = SpatialBody(
            id="b", mass=1.0, inertia=inertia, center=(0.0, 0.0, 0.0), position=place
        )
        ends = SpatialMarker(id="i", body=GROUND), SpatialMarker(id="j", body="b", orientation=turn)
    return put(model, body, *ends, one)


@pytest.mark.parametrize("joint, dim", CASES)
def test_free_motions_are_the_null_space_of_the_jacobian(joint, dim):
    compiled = compile_model(reference_model(joint, dim))
    D = equations(compiled, 0.0, compiled.q0, compiled.v0).D
    motions = np.array(freedom(joint, dim).motions).reshape(-1, 6)
    held = motions if dim == 3 else motions[:, IN_PLANE]
    free = null_space(D)
    assert len(held) == free.shape[1]
    # the same space: both projectors agree to rounding of numbers near one
    np.testing.assert_allclose(held.T @ held, free @ free.T, atol=1e-12)


def kinds_that(holds, dim: int) -> set[str]:
    """The joints of the catalogue whose freedom has a property."""
    cases = [j for j in JOINTS if dim in j.dims]
    return {joint.kind for joint in cases if holds(freedom(joint, dim))}


def test_guides_lead_a_point_along_fixed_axes():
    assert kinds_that(lambda f: f.guides, 3) == {
        *("prismatic", "cylindrical", "screw", "planar", "point_on_line", "point_on_plane")
    }
    assert kinds_that(lambda f: f.rail == Z, 3) == {
        *("prismatic", "cylindrical", "screw", "point_on_line")
    }
    assert kinds_that(lambda f: f.rail == X, 2) == {"prismatic", "point_on_line", "rolling_disc"}


def test_joints_that_hold_a_point_let_nothing_slide():
    assert kinds_that(lambda f: f.holds_point, 3) >= {"revolute", "spherical", "universal", "weld"}
    assert kinds_that(lambda f: f.holds_point, 2) == {"revolute", "weld"}


def test_axes_are_aligned_where_nothing_tilts():
    assert freedom(JOINTS[0], 3).aligned == (Z,)
    by_axes = {kind.kind: freedom(kind, 3).aligned for kind in JOINTS}
    assert by_axes["weld"] == by_axes["prismatic"] == (X, Y, Z)
    assert by_axes["planar"] == by_axes["screw"] == by_axes["cylindrical"] == (Z,)
    assert by_axes["universal"] == by_axes["spherical"] == by_axes["gear"] == ()


def test_pins_and_welds_are_told_by_what_they_leave_free():
    for dim in (2, 3):
        assert kinds_that(lambda f: f.is_pin, dim) == {"revolute"}
        assert kinds_that(lambda f: f.is_rigid, dim) == {"weld"}
        assert kinds_that(lambda f: f.is_apart and not f.spans, dim) == {"rolling_disc"}
        assert "rod" in kinds_that(lambda f: f.spans, dim)


def test_a_screw_alone_ties_a_slide_to_a_turn_in_space():
    straight = kinds_that(lambda f: f.is_straight and not f.is_pure, 3)
    assert straight == {"screw"}


@pytest.mark.parametrize("joint, dim", CASES)
def test_a_looser_joint_lets_all_that_this_one_does_and_more(joint, dim):
    here = freedom(joint, dim)
    for other in looser(joint, dim):
        there = freedom(other, dim)
        assert there.contains(here) and not here.contains(there)


def test_the_gentlest_change_of_a_joint_comes_first():
    by_kind = {joint.kind: [k.kind for k in looser(joint, 3)] for joint in JOINTS}
    assert by_kind["revolute"][:2] == ["spherical", "cylindrical"]
    assert by_kind["prismatic"] == ["cylindrical", "point_on_line"]
    assert by_kind["universal"][0] == "spherical"
    assert by_kind["point_on_plane"] == []


def test_what_is_no_joint_of_two_markers_holds_nothing():
    everything = Freedom(3, tuple(map(tuple, np.eye(6).tolist())), True, False, False)
    assert freedom(Gear, 3).contains(everything) and freedom(Spring, 3).contains(everything)
    assert not freedom(Gear, 3).guides


@pytest.mark.parametrize("kind", ELEMENTS, ids=lambda kind: f"{kind.kind}-{kind.dims[0]}d")
def test_every_kind_of_element_is_attached_in_one_of_the_known_ways(kind):
    element = kind(id="one")
    assert len(attachment(kind).value) == len(references(element))
    assert attachment(element) is attachment(kind)


def test_attachments_follow_from_references():
    assert attachment(Spring) is attachment(JOINTS[0]) is Attachment.BETWEEN_MARKERS
    assert attachment(PointForce) is attachment(Torque) is Attachment.AT_MARKER
    assert attachment(Motion) is attachment(Actuator) is Attachment.ON_JOINT
    assert attachment(Gear) is Attachment.BETWEEN_JOINTS
    assert markers_of(Spring(id="s", marker_i="a", marker_j="b")) == ["a", "b"]
    assert joints_of(Gear(id="g", joint_1="a", joint_2="b")) == ["a", "b"]


def test_a_point_mass_may_carry_a_marker_whose_axes_do_not_matter():
    by_kind = {joint.kind: reads_axes(joint, 3) for joint in JOINTS}
    assert by_kind["spherical"] == by_kind["rod"] == by_kind["gear"] == (False, False)
    assert by_kind["point_on_line"] == by_kind["point_on_plane"] == (True, False)
    assert by_kind["revolute"] == by_kind["weld"] == (True, True)
    assert reads_axes(Bushing, 3) == (True, False) and reads_axes(Spring, 3) == (False, False)
    assert reads_axes(JOINTS[0], 2) == (False, False)  # a pin in the plane
