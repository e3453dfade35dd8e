"""How bodies hang in a tree: constants of each joint, coordinates and speeds, from a state of the model.

The tree passes exactly through the state from which it is made. What a joint holds, such as the angle of a
weld, becomes part of its arm and of the axes of its body.
"""

from collections.abc import Sequence
from math import atan2, pi
from typing import NamedTuple

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.kernels.trees.layout import BALL, CROSS, HINGE, RIGID, SCREW
from engine.model.fields import plain
from engine.model.joints.base import Carry
from engine.trees.spanning import BY_ROD, Branch
from rotations import SEQUENCES, euler_angles, matrix, quaternion

FREE = {2: Carry((0, 1), HINGE), 3: Carry((0, 1, 2), BALL)}
FREE_PARTICLE = {2: Carry((0, 1)), 3: Carry((0, 1, 2))}
NOTHING = np.zeros(0)
EXCHANGED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])  # x and y of a cross


class Pose(NamedTuple):
    """Where a body is and how fast, in world axes."""

    r: np.ndarray  # mass centre
    R: np.ndarray  # axes of the body
    u: np.ndarray
    w: np.ndarray
    phi: float  # its angle in the plane, full turns counted


class Hung(NamedTuple):
    """A body that hangs in a tree."""

    branch: Branch
    carry: Carry
    O: np.ndarray  # from the mass centre, body axes
    R_own: np.ndarray  # axes of its joint in those of the body
    arm: np.ndarray  # from O of the predecessor to the marker, in its joint's axes
    axes: np.ndarray  # of the marker, likewise
    lead: float
    phi: float  # in the plane, of what does not turn: from the predecessor; of a particle from x
    beta: np.ndarray
    eta: np.ndarray


class Carrier(NamedTuple):
    """A body, or the ground, as what hangs on it sees it."""

    pose: Pose
    O: np.ndarray  # from the mass centre, body axes
    R_own: np.ndarray  # axes of its joint in those of the body

    @property
    def axes(self) -> np.ndarray:
        """The axes of its joint, in world axes."""
        return self.pose.R @ self.R_own


GROUND = Carrier(
    Pose(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3), 0.0), np.zeros(3), np.eye(3)
)


def poses_of(compiled: Compiled, q: np.ndarray, v: np.ndarray) -> list[Pose]:
    """All bodies in a state, and the ground as the last."""
    at, dim, found = compiled.layout, compiled.system.dim, []
    for k, code in enumerate(compiled.system.bodies["orientation"]):
        r, u, w, phi = np.zeros(3), np.zeros(3), np.zeros(3), 0.0
        r[:dim], u[:dim] = q[at.position(k)], v[at.velocity(k)]
        turned = q[at.orientation(k)]
        if dim == 2:
            phi = float(turned[0])
            R, w[2] = matrix.elementary(3, phi), v[at.spin(k)][0]
        else:
            is_euler = code >= 0
            R = (
                euler_angles.matrix(SEQUENCES[code], turned[:3])
                if is_euler
                else quaternion.matrix(turned)
            )
            w = R @ v[at.spin(k)]
        found.append(Pose(r, R, u, np.zeros(3) if compiled.is_particle[k] else w, phi))
    return [*found, GROUND.pose]


def hang(
    compiled: Compiled, branches: tuple[Branch, ...], q: np.ndarray, v: np.ndarray
) -> list[Hung]:
    """Every body of a tree, from a closed state of the model."""
    geometry, poses = Geometry(compiled.resolved), poses_of(compiled, q, v)
    carriers, hung = {compiled.system.n_bodies: GROUND}, []
    for branch in branches:
        before, body = carriers[branch.parent], poses[branch.body]
        one = (
            _on_rod(geometry, branch, before, body)
            if branch.is_rod
            else _in_joint(compiled, geometry, branch, before, body)
        )
        beta, eta = _state(one, before, body, compiled.system.dim)
        hung.append(one._replace(beta=beta, eta=eta))
        carriers[branch.body] = _carrier(hung[-1], before, body)
    return hung


def follow(compiled: Compiled, hung: Sequence[Hung], q: np.ndarray, v: np.ndarray) -> list[Hung]:
    """The bodies of a tree in another state of the model, near to that in which they hang now."""
    poses = poses_of(compiled, q, v)
    carriers, found = {compiled.system.n_bodies: GROUND}, []
    for one in hung:
        before, body = carriers[one.branch.parent], poses[one.branch.body]
        beta, eta = _state(one, before, body, compiled.system.dim)
        found.append(one._replace(beta=_nearest(one, beta), eta=eta))
        carriers[one.branch.body] = _carrier(found[-1], before, body)
    return found


def _carrier(one: Hung, before: Carrier, body: Pose) -> Carrier:
    """A body that hangs as what hangs on it sees it: the rod of a particle turns, with it as its origin."""
    if not one.branch.is_rod:
        return Carrier(body, one.O, one.R_own)
    phi, w = before.pose.phi + one.beta[0], before.pose.w + np.array([0.0, 0.0, one.eta[0]])
    return Carrier(Pose(body.r, matrix.elementary(3, phi), body.u, w, phi), one.O, one.R_own)


def _on_rod(geometry: Geometry, branch: Branch, before: Carrier, body: Pose) -> Hung:
    """A particle at the tip of a rod, whose x axis it is on: O is the other end."""
    markers = branch.joint.marker_i, branch.joint.marker_j
    _, P, A = geometry.marker(markers[branch.is_reversed])
    d = body.r - before.pose.r - before.pose.R @ P
    return Hung(
        branch,
        BY_ROD,
        O=np.array([-np.hypot(d[0], d[1]), 0.0, 0.0]),
        R_own=np.eye(3),
        arm=before.R_own.T @ (P - before.O),
        axes=before.R_own.T @ A,
        lead=0.0,
        phi=body.phi,
        beta=NOTHING,
        eta=NOTHING,
    )


def _in_joint(
    compiled: Compiled, geometry: Geometry, branch: Branch, before: Carrier, body: Pose
) -> Hung:
    """One body on its predecessor, by a joint or free; what the joint holds goes into arm and axes."""
    dim, is_particle = compiled.system.dim, bool(compiled.is_particle[branch.body])
    lead = 0.0
    if branch.joint is None:
        carry = (FREE_PARTICLE if is_particle else FREE)[dim]
        P, A, O, A_own = np.zeros(3), np.eye(3), np.zeros(3), np.eye(3)
    else:
        assert branch.carry is not None
        carry, joint = branch.carry, branch.joint
        markers = joint.marker_i, joint.marker_j
        near, far = markers[::-1] if branch.is_reversed else markers
        (_, P, A), (_, O, A_own) = geometry.marker(near), geometry.marker(far)
        if carry.turn == CROSS and branch.is_reversed:
            A, A_own = A @ EXCHANGED, A_own @ EXCHANGED
        if carry.turn == SCREW:
            lead = plain(joint.pitch) / (2 * pi)
        if is_particle:
            carry = carry._replace(turn=RIGID)
    fixed = before.pose.R @ A  # the marker on the predecessor, in world axes
    held = fixed.T @ (body.r + body.R @ O - before.pose.r - before.pose.R @ P)
    angles, turned = _coordinates(carry.turn, fixed.T @ body.R @ A_own)
    held[list(carry.slides)] = 0.0
    if carry.turn == SCREW:
        held[2] -= lead * angles[0]
    R_joint = np.eye(3) if is_particle else fixed @ turned
    own = before.R_own.T @ A
    return Hung(
        branch,
        carry,
        O=O,
        R_own=np.eye(3) if dim == 2 else body.R.T @ R_joint,
        arm=before.R_own.T @ (P - before.O) + own @ held,
        axes=own,
        lead=lead,
        phi=body.phi if is_particle else body.phi - before.pose.phi,
        beta=NOTHING,
        eta=NOTHING,
    )


def _state(one: Hung, before: Carrier, body: Pose, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """beta and eta of a body that hangs as `one` does, where it and its predecessor are now.

    With d from the marker on the predecessor to O, in its axes, slides are parts of d; a rod turns to d.
    """
    fixed = before.axes @ one.axes
    marker = before.pose.R @ before.O + before.axes @ one.arm  # from the mass centre before
    if one.branch.is_rod:
        d = body.r - before.pose.r - marker
        speed = body.u - before.pose.u - np.cross(before.pose.w, marker)
        turned = before.pose.R.T @ d
        rate = (d[0] * speed[1] - d[1] * speed[0]) / (d @ d)
        return np.array([atan2(turned[1], turned[0])]), np.array([rate - before.pose.w[2]])
    slides, arm = list(one.carry.slides), body.R @ one.O
    apart = body.r + arm - before.pose.r
    speed = body.u + np.cross(body.w, arm) - before.pose.u - np.cross(before.pose.w, apart)
    R = body.R @ one.R_own
    angles, _ = _coordinates(one.carry.turn, fixed.T @ R)
    if dim == 2 and one.carry.turn == HINGE:
        angles = np.array([body.phi - before.pose.phi])
    speeds = _speeds(one.carry.turn, fixed, R, body.w - before.pose.w)
    return (
        np.concatenate([(fixed.T @ (apart - marker))[slides], angles]),
        np.concatenate([(fixed.T @ speed)[slides], speeds]),
    )


def _nearest(one: Hung, beta: np.ndarray) -> np.ndarray:
    """The same coordinates with as many full turns as before, and the sign of the quaternion."""
    near, first = beta.copy(), len(one.carry.slides)
    known = one.beta[first:]
    if one.carry.turn == BALL:
        near[first:] *= -1.0 if known @ beta[first:] < 0.0 else 1.0
    else:
        near[first:] += 2 * pi * np.round((known - beta[first:]) / (2 * pi))
    return near


def _coordinates(turn: int, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angles or quaternion of a relative rotation, and the rotation that they give."""
    if turn in (HINGE, SCREW):
        angle = atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])
        return np.array([angle]), matrix.elementary(3, angle)
    if turn == CROSS:
        first, second = atan2(R[2, 1], R[1, 1]), atan2(R[0, 2], R[0, 0])
        turned = matrix.elementary(1, first) @ matrix.elementary(2, second)
        return np.array([first, second]), turned
    if turn == BALL:
        unit = quaternion.from_matrix(R)
        return unit, quaternion.matrix(unit)
    return np.zeros(0), np.eye(3)


def _speeds(turn: int, fixed: np.ndarray, R: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Speeds of turning from the relative angular velocity; `fixed` and R are the axes before and after."""
    if turn in (HINGE, SCREW):
        return np.array([fixed[:, 2] @ w])
    if turn == CROSS:
        return np.array([fixed[:, 0] @ w, R[:, 1] @ w])
    return R.T @ w if turn == BALL else np.zeros(0)
