"""Places, velocities and accelerations of bodies, points and markers over all frames at once.

    P = r + s      P_dot = u + w x s      P_ddot = a + alpha x s + w x (w x s)      s = R s_loc

Everything is in world axes with three components; in the plane the third one of places, and the
first two of w and alpha, are zero.
"""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.model.bodies import Particle
from engine.model.elements import GROUND, Id
from engine.model.places import about_z
from rotations import SEQUENCES, euler_angles, quaternion

if TYPE_CHECKING:
    from engine.compiling.system import Compiled
    from engine.results.results import Results


class Motion(NamedTuple):
    """How a body moves: its mass centre and its rotation."""

    r: np.ndarray  # (n, 3)     mass centre                            [m]
    R: np.ndarray  # (n, 3, 3)  body axes -> world axes
    u: np.ndarray  # (n, 3)     velocity of the mass centre            [m/s]
    w: np.ndarray  # (n, 3)     angular velocity                       [rad/s]
    a: np.ndarray  # (n, 3)     acceleration of the mass centre        [m/s^2]
    alpha: np.ndarray  # (n, 3) angular acceleration                   [rad/s^2]


class PointMotion(NamedTuple):
    """How a point moves."""

    place: np.ndarray  # (n, 3)
    velocity: np.ndarray  # (n, 3)
    acceleration: np.ndarray  # (n, 3)


class MarkerFrame(NamedTuple):
    """Where a marker sits on its body; a marker on a fixed body sits on the ground."""

    body: int  # n_bodies: the ground
    P: np.ndarray  # (3,)      origin from the mass centre, body axes      [m]
    axes: np.ndarray  # (3, 3) its axes as columns, body axes


def body_motion(results: "Results", k: int) -> Motion:
    """The motion of body number k; that of the ground if k is the number of bodies."""
    n, compiled = len(results), results.compiled
    if k == compiled.system.n_bodies:
        return Motion(*(np.zeros((n, 3)) for _ in range(6)))._replace(
            R=np.broadcast_to(np.eye(3), (n, 3, 3))
        )
    layout = compiled.layout
    r, velocity, spin = results.q[:, layout.position(k)], layout.velocity(k), layout.spin(k)
    u, w = results.v[:, velocity], results.v[:, spin]
    a, alpha = results.a[:, velocity], results.a[:, spin]
    if layout.dim == 2:
        phi, zero = results.q[:, layout.orientation(k).start], np.zeros(n)
        c, s = np.cos(phi), np.sin(phi)
        R = np.stack([c, -s, zero, s, c, zero, zero, zero, zero + 1.0], axis=1).reshape(n, 3, 3)
        r, u, a = (np.pad(x, ((0, 0), (0, 1))) for x in (r, u, a))
        w, alpha = (np.pad(x, ((0, 0), (2, 0))) for x in (w, alpha))
        return Motion(r, R, u, w, a, alpha)
    R = quaternion.matrix(quaternions(results, k)) if n else np.zeros((0, 3, 3))
    # (R w)_dot = R w_dot, as w x w = 0
    return Motion(r, R, u, turned(R, w), a, turned(R, alpha))


def quaternions(results: "Results", k: int) -> np.ndarray:
    """The orientation of a spatial body as unit quaternions (n, 4) whose sign does not jump."""
    return results.followed(partial(_units, k))


def _units(k: int, results: "Results") -> np.ndarray:
    """Unit quaternions from frame to frame, with the sign they had where earlier frames are forgotten."""
    slots = results.q[:, results.compiled.layout.orientation(k)]
    code = results.compiled.system.bodies[k]["orientation"]
    if len(results) == 0:
        return slots
    if code >= 0:
        slots = euler_angles.quaternion(SEQUENCES[code], slots[:, :3])
    units, beginning = quaternion.continuous(slots), results.beginning
    return -units if beginning is not None and units[0] @ beginning.unit[k] < 0.0 else units


def point_motion(body: Motion, s_loc: np.ndarray) -> PointMotion:
    """The motion of a point of a body, given from the mass centre in body axes."""
    s = body.R @ s_loc
    turning = np.cross(body.w, s)
    return PointMotion(
        body.r + s, body.u + turning, body.a + np.cross(body.alpha, s) + np.cross(body.w, turning)
    )


def marker_motion(results: "Results", id: Id) -> PointMotion:
    """The motion of the origin of a marker."""
    frame = marker_frame(results.compiled, id)
    return point_motion(body_motion(results, frame.body), frame.P)


def marker_frame(compiled: "Compiled", id: Id) -> MarkerFrame:
    """Where a marker sits, seen from the mass centre of its body."""
    marker, dim = compiled.resolved[id], compiled.system.dim
    P = np.zeros(3)
    P[:dim] = marker.position
    axes = about_z(marker.angle) if dim == 2 else quaternion.matrix(marker.orientation)
    if marker.body in compiled.body_ids:
        k = compiled.body_ids.index(marker.body)
        return MarkerFrame(k, P - compiled.center[k], axes)
    if marker.body != GROUND:
        body = compiled.resolved[marker.body]
        R = np.eye(3)
        if not isinstance(body, Particle):
            R = about_z(body.angle) if dim == 2 else quaternion.matrix(body.orientation)
        P, axes = R @ P, R @ axes
        P[:dim] += body.position
    return MarkerFrame(compiled.system.n_bodies, P, axes)


def turned(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R x, frame by frame."""
    return np.einsum("nij,nj->ni", R, x)


def turned_back(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R^T x, frame by frame."""
    return np.einsum("nji,nj->ni", R, x)
