"""Places, velocities and accelerations of bodies, points and markers over all frames at once.

    P = r + s      P_dot = u + w x s      P_ddot = a + alpha x s + w x (w x s)      s = R s_loc

Everything is in world axes with three components; in the plane the third one of places, and the
first two of w and alpha, are zero.
"""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.kernels import histories
from engine.kernels.layout import SPATIAL_FRAME
from engine.model.bodies import Particle
from engine.model.elements import GROUND, Id
from engine.model.places import about_z
from rotations import SEQUENCES, axis_angle, euler_angles, quaternion

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

    body: int  # its carrier: a body, a follower on a flexible one, or the ground
    P: np.ndarray  # (3,)      origin from that of the carrier, in its axes      [m]
    axes: np.ndarray  # (3, 3) its axes as columns, body axes


def body_motion(results: "Results", k: int) -> Motion:
    """The motion of carrier number k: of a body, of a follower on a flexible one, or of the ground."""
    n, compiled = len(results), results.compiled
    if k == compiled.ground:
        return Motion(*(np.zeros((n, 3)) for _ in range(6)))._replace(
            R=np.broadcast_to(np.eye(3), (n, 3, 3))
        )
    return rigid_motion(results, k) if k < compiled.layout.n_bodies else follower(results, k)


def follower(results: "Results", k: int) -> Motion:
    """The motion of the follower whose number among carriers is k.

    p = P + Phi q - (q.G q)/2     J_P = Phi - G q     s = R p
    P_dot  = u + w x s + R J_P q_dot
    P_ddot = a + alpha x s + w x (w x s) + 2 w x R J_P q_dot + R (J_P q_ddot - q_dot.G q_dot)
    """
    body, marker = results.compiled.body_and_follower(k)
    layout, one = results.compiled.layout, marker
    moving, q = rigid_motion(results, body), results.q[:, layout.modes(body)]
    q_dot, q_ddot = (x[:, layout.modal_speeds(body)] for x in (results.v, results.a))
    Gq = np.einsum("dfg,ng->ndf", one.G, q)
    J = one.Phi - Gq
    bend = np.einsum("ndf,nf->nd", J, q_ddot) - np.einsum("dfg,nf,ng->nd", one.G, q_dot, q_dot)
    flat = one.P + np.einsum("ndf,nf->nd", one.Phi - 0.5 * Gq, q)
    flat_turns = layout.dim == 2
    s, slide, bend = (
        turned(moving.R, np.pad(x, ((0, 0), (0, 1))) if flat_turns else x)
        for x in (flat, np.einsum("ndf,nf->nd", J, q_dot), bend)
    )
    turn, rate, more = (x @ one.Psi.T for x in (q, q_dot, q_ddot))
    if flat_turns:
        turn, rate, more = (np.pad(x, ((0, 0), (2, 0))) for x in (turn, rate, more))
    own, spin, spinning = turning(turn, rate, more)
    spin, spinning = turned(moving.R, spin), turned(moving.R, spinning)
    whirl = np.cross(moving.w, s)
    push = np.cross(moving.alpha, s) + np.cross(moving.w, whirl + 2.0 * slide) + bend
    return Motion(
        r=moving.r + s,
        R=moving.R @ own,
        u=moving.u + whirl + slide,
        w=moving.w + spin,
        a=moving.a + push,
        alpha=moving.alpha + spinning + np.cross(moving.w, spin),
    )


def turning(
    theta: np.ndarray, rate: np.ndarray, more: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """exp(theta~), its angular velocity T theta_dot, and the rate of that, frame by frame.

    T = 1 + c1 theta~ + c2 theta~^2 with the coefficients of engine.kernels.flexible.followers_in_space.
    """
    c = _coefficients((theta * theta).sum(axis=1, keepdims=True))
    side, up = np.cross(theta, rate), (theta * rate).sum(axis=1, keepdims=True)
    across = np.cross(theta, side)
    spin = rate + c[1] * side + c[2] * across
    ahead = np.cross(theta, more)
    spinning = more + c[1] * ahead + c[2] * np.cross(theta, ahead)
    spinning = spinning + up * (c[3] * side + c[4] * across) + c[2] * np.cross(rate, side)
    return axis_angle.exponential(theta), spin, spinning


def _coefficients(s: np.ndarray) -> tuple[np.ndarray, ...]:
    """c0, c1, c2, d1 and d2 of turns whose angles squared are s."""
    is_small = s < 0.04
    z = np.where(is_small, 1.0, s)
    x = np.sqrt(z)
    c0 = np.where(is_small, 1 - s / 6 * (1 - s / 20 * (1 - s / 42)), np.sin(x) / x)
    c1 = np.where(is_small, 0.5 - s / 24 * (1 - s / 30 * (1 - s / 56)), (1 - np.cos(x)) / z)
    c2 = np.where(is_small, 1 / 6 - s / 120 * (1 - s / 42 * (1 - s / 72)), (1 - c0) / z)
    d1 = np.where(is_small, -1 / 12 + s / 180 - s**2 / 6720 + s**3 / 453600, (c0 - 2 * c1) / z)
    d2 = np.where(is_small, -1 / 60 + s / 1260 - s**2 / 60480, (c1 - 3 * c2) / z)
    return c0, c1, c2, d1, d2


def planar_angle(results: "Results", k: int) -> np.ndarray:
    """The angle of a carrier in the plane, turns counted."""
    layout = results.compiled.layout
    if k < layout.n_bodies:
        return results.q[:, layout.orientation(k).start]
    body, one = results.compiled.body_and_follower(k)
    return (
        results.q[:, layout.orientation(body).start] + results.q[:, layout.modes(body)] @ one.Psi[0]
    )


def carrier_states(results: "Results", carriers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q and v of some carriers as those of rigid bodies, one after the other."""
    layout, none = results.compiled.layout, np.zeros((len(results), 0))
    q, v = [none], [none]
    for k in map(int, carriers):
        if k < layout.n_bodies:
            q += [results.q[:, layout.position(k)], results.q[:, layout.orientation(k)]]
            v += [results.v[:, layout.velocity(k)], results.v[:, layout.spin(k)]]
        else:
            moving = follower(results, k)
            if layout.dim == 2:
                q += [moving.r[:, :2], planar_angle(results, k)[:, None]]
                v += [moving.u[:, :2], moving.w[:, 2:]]
            else:
                q += [moving.r, quaternion.from_matrix(moving.R)]
                v += [moving.u, turned_back(moving.R, moving.w)]
    return np.hstack(q), np.hstack(v)


def rigid_motion(results: "Results", k: int) -> Motion:
    """The motion of the frame of body number k."""
    n, layout = len(results), results.compiled.layout
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


def points_of(results: "Results", bodies: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """Place, velocity and acceleration of points of bodies over all frames: (n, 3, 3, n_frames)."""
    system = results.compiled.system
    motions = np.zeros((len(bodies), 3, 3, len(results)))
    frames = np.zeros(system.n_bodies + 1 if system.dim == 3 else 1, dtype=SPATIAL_FRAME)
    columns = [np.ascontiguousarray(c) for c in (results.q, results.v, results.a)]
    histories.points(system.bodies, frames, *columns, bodies, arms, motions)
    return motions


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
    if id in compiled.followers:
        return MarkerFrame(compiled.followers[id], np.zeros(3), axes)
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
    return MarkerFrame(compiled.ground, P, axes)


def turned(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R x, frame by frame."""
    return np.einsum("nij,nj->ni", R, x)


def turned_back(R: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R^T x, frame by frame."""
    return np.einsum("nji,nj->ni", R, x)
