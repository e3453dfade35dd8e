"""How bodies hang in a tree: constants of each joint, coordinates and speeds, from a state of the model.

The tree passes exactly through the state from which it is made. What a joint holds, such as the angle of a
weld, becomes part of its arm and of the axes of its body.
"""

from math import atan2, pi
from typing import NamedTuple

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.kernels.trees.layout import BALL, CROSS, HINGE, RIGID, SCREW
from engine.model.fields import plain
from engine.model.joints.base import Carry
from engine.trees.spanning import BY_ROD, Branch
from rotations import matrix, quaternion

FREE = {2: Carry((0, 1), HINGE), 3: Carry((0, 1, 2), BALL)}
FREE_PARTICLE = {2: Carry((0, 1)), 3: Carry((0, 1, 2))}
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


def poses_of(compiled: Compiled, q: np.ndarray, v: np.ndarray) -> list[Pose]:
    """All bodies in a state, and the ground as the last."""
    at, dim, found = compiled.layout, compiled.system.dim, []
    for k in range(compiled.system.n_bodies):
        r, u, w, phi = np.zeros(3), np.zeros(3), np.zeros(3), 0.0
        r[:dim], u[:dim] = q[at.position(k)], v[at.velocity(k)]
        if dim == 2:
            phi = float(q[at.orientation(k)][0])
            R, w[2] = matrix.elementary(3, phi), v[at.spin(k)][0]
        else:
            R = quaternion.matrix(q[at.orientation(k)])
            w = R @ v[at.spin(k)]
        found.append(Pose(r, R, u, np.zeros(3) if compiled.is_particle[k] else w, phi))
    return [*found, Pose(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3), 0.0)]


def hang(
    compiled: Compiled, branches: tuple[Branch, ...], q: np.ndarray, v: np.ndarray
) -> list[Hung]:
    """Every body of a tree, from a closed state of the model."""
    geometry, poses = Geometry(compiled.resolved), poses_of(compiled, q, v)
    n = compiled.system.n_bodies
    known = {n: (np.zeros(3), np.eye(3))}  # O and R_own of those that carry
    hung = []
    for branch in branches:
        one = _hang_one(compiled, geometry, branch, poses, *known[branch.parent])
        known[branch.body] = one.O, one.R_own
        if branch.is_rod:
            poses[branch.body] = _at_tip(one, poses)
        hung.append(one)
    return hung


def _on_rod(
    geometry: Geometry,
    branch: Branch,
    poses: list[Pose],
    O_before: np.ndarray,
    R_before: np.ndarray,
) -> Hung:
    """A particle at the tip of a rod, whose x axis it is on: O is the other end."""
    before, body = poses[branch.parent], poses[branch.body]
    markers = branch.joint.marker_i, branch.joint.marker_j
    _, P, A = geometry.marker(markers[branch.is_reversed])
    arm = before.R @ P
    d = body.r - before.r - arm
    speed = body.u - before.u - np.cross(before.w, arm)
    turned = before.R.T @ d
    rate = (d[0] * speed[1] - d[1] * speed[0]) / (d @ d)
    return Hung(
        branch,
        BY_ROD,
        O=np.array([-np.hypot(d[0], d[1]), 0.0, 0.0]),
        R_own=np.eye(3),
        arm=R_before.T @ (P - O_before),
        axes=R_before.T @ A,
        lead=0.0,
        phi=body.phi,
        beta=np.array([atan2(turned[1], turned[0])]),
        eta=np.array([rate - before.w[2]]),
    )


def _at_tip(one: Hung, poses: list[Pose]) -> Pose:
    """The rod of a particle as what hangs on it sees it: it turns, and the particle is its origin."""
    before, body = poses[one.branch.parent], poses[one.branch.body]
    phi, w = before.phi + one.beta[0], before.w + np.array([0.0, 0.0, one.eta[0]])
    return Pose(body.r, matrix.elementary(3, phi), body.u, w, phi)


def _hang_one(
    compiled: Compiled,
    geometry: Geometry,
    branch: Branch,
    poses: list[Pose],
    O_before: np.ndarray,
    R_before: np.ndarray,
) -> Hung:
    """One body on its predecessor."""
    if branch.is_rod:
        return _on_rod(geometry, branch, poses, O_before, R_before)
    dim, is_particle = compiled.system.dim, bool(compiled.is_particle[branch.body])
    before, body = poses[branch.parent], poses[branch.body]
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
    fixed = before.R @ A  # the marker on the predecessor, in world axes
    apart = body.r + body.R @ O - before.r
    d = fixed.T @ (apart - before.R @ P)
    angles, turned = _coordinates(carry.turn, fixed.T @ body.R @ A_own)
    if dim == 2 and carry.turn == HINGE:
        angles = np.array([body.phi - before.phi])
    held = d.copy()
    held[list(carry.slides)] = 0.0
    if carry.turn == SCREW:
        held[2] -= lead * angles[0]
    R_joint = np.eye(3) if is_particle else fixed @ turned
    own = R_before.T @ A
    speed = fixed.T @ (body.u + np.cross(body.w, body.R @ O) - before.u - np.cross(before.w, apart))
    return Hung(
        branch,
        carry,
        O=O,
        R_own=np.eye(3) if dim == 2 else body.R.T @ R_joint,
        arm=R_before.T @ (P - O_before) + own @ held,
        axes=own,
        lead=lead,
        phi=body.phi if is_particle else body.phi - before.phi,
        beta=np.concatenate([d[list(carry.slides)], angles]),
        eta=np.concatenate(
            [speed[list(carry.slides)], _speeds(carry.turn, fixed, R_joint, body.w - before.w)]
        ),
    )


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
