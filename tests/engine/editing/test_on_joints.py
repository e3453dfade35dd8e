"""What acts in joints: an offer is kept for every joint there is, and gears are refused in words."""

import pytest

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import GROUND, planar
from tests.engine.catalogue import JOINT_CASES, joint_model

KINDS = ("spring", "damper", "spring_damper")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_joint_is_said_to_take_it_takes_and_what_not_it_refuses(kind):
    taken, refused = set(), set()
    for joint, dim in JOINT_CASES:
        model = joint_model(joint, dim)
        if edits.takes_torsional(model, kind, "joint"):
            taken.add(joint.kind)
            after, new = edits.torsional(model, kind, "joint")
            assert after[new].joint == "joint"
        else:
            refused.add(joint.kind)
            with pytest.raises(EngineError, match=r"'joint' .*\.$"):
                edits.torsional(model, kind, "joint")
    assert {"revolute", "cylindrical"} <= taken and {"weld", "spherical"} <= refused
    assert ("prismatic" in taken) == (kind == "damper")  # it slides, and has no angle


def two_rods(kind):
    """Two rods of one metre side by side, each held to the ground by a joint of a kind, and both joints."""
    model, found = planar(), []
    for x in (0.0, 0.6):
        model, rod, *_ = edits.link(model, [(x, 0.0), (x, 1.0)])
        model, joint = edits.joint(model, kind, edits.Pair(GROUND, rod), (x, 0.0))
        found.append(joint)
    return model, *found


def test_bodies_without_a_radius_mesh_in_the_middle_of_their_pins():
    model, gear = edits.gear(*two_rods("revolute"))
    assert (model[gear].radius_1, model[gear].radius_2) == pytest.approx((0.3, 0.3), abs=1e-12)
    assert not model[gear].inside


def test_gears_turn_in_revolute_joints_only():
    with pytest.raises(EngineError, match="A gear turns in a revolute joint"):
        edits.gear(*two_rods("prismatic"))
