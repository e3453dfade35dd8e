"""Channels of bodies and markers: where they are, how fast they move, how they accelerate."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.results.channels.channel import (
    WORLD,
    Channel,
    PointColumn,
    component,
    magnitude,
    point_words,
    vector,
)
from engine.results.channels.modes import kinetic_energy_of_modes
from engine.results.channels.motion import (
    PointMotion,
    body_motion,
    marker_frame,
    marker_motion,
    planar_angle,
    point_motion,
    quaternions,
)

if TYPE_CHECKING:
    from engine.results.results import Results

ORIGIN = np.zeros(3)


def motion_of_body(results: "Results", body: Any) -> Iterator[Channel]:
    """The origin of the body as drawn, its mass centre, its rotation and its kinetic energy."""
    compiled, id, who = results.compiled, body.id, body.label
    if id not in compiled.body_ids:
        return
    k = compiled.body_ids.index(id)
    dim, center = compiled.system.dim, compiled.center[k]
    if compiled.is_particle[k]:
        yield from _point(f"{id}.", who, dim, partial(_point_of, results, k, ORIGIN), k, ORIGIN)
    else:
        yield from _point(f"{id}.", who, dim, partial(_point_of, results, k, -center), k, -center)
        place = partial(_point_of, results, k, ORIGIN)
        twin = "" if center.any() else f"{id}."
        stem, whose = f"{id}.center_", f"Mass centre of {who}"
        yield from _point(stem, whose, dim, place, k, ORIGIN, twin)
        yield from (_planar_rotation if dim == 2 else _spatial_rotation)(results, id, who, k)
    energy = partial(kinetic_energy, results, k)
    yield Channel(f"{id}.kinetic_energy", f"{who}: kinetic energy", "J", "", energy)


def motion_of_marker(results: "Results", marker: Any) -> Iterator[Channel]:
    """The origin of a marker on a moving body; in the plane also its angle."""
    compiled = results.compiled
    dim = compiled.system.dim
    frame = marker_frame(compiled, marker.id)
    if frame.body == compiled.ground:
        return
    moving = partial(marker_motion, results, marker.id)
    who = point_words(compiled.model, marker.id)
    yield from _point(f"{marker.id}.", who, dim, moving, frame.body, frame.P)
    if dim == 2:
        offset = float(compiled.resolved[marker.id].angle)
        turn = partial(planar_angle, results, frame.body)
        label = f"{who}: angle"
        yield Channel(f"{marker.id}.angle", label, "rad", WORLD, lambda: turn() + offset)


def kinetic_energy(results: "Results", k: int) -> np.ndarray:
    """T = m u.u / 2 + w.(J w) / 2 of one body, over all frames; of a flexible one with its modes."""
    compiled = results.compiled
    layout, v = compiled.layout, results.v
    u, w = v[:, layout.velocity(k)], v[:, layout.spin(k)]
    J = compiled.system.bodies[k]["J"][: w.shape[1], : w.shape[1]]
    T = 0.5 * compiled.mass[k] * (u * u).sum(axis=1) + 0.5 * ((w @ J) * w).sum(axis=1)
    return T + kinetic_energy_of_modes(results, k) if layout.n_modes(k) else T


def _point(
    stem: str,
    who: str,
    dim: int,
    moving: Callable[[], PointMotion],
    body: int,
    s_loc: np.ndarray,
    twin: str = "",
) -> Iterator[Channel]:
    """Place, velocity, speed and acceleration of a point; `twin` is the stem of the same point."""
    arm = tuple(map(float, s_loc))
    for sign, words, unit, n in (
        ("", "position", "m", 0),
        ("v", "velocity", "m/s", 1),
        ("a", "acceleration", "m/s^2", 2),
    ):
        value, same = partial(_of_point, moving, n), f"{twin}{sign}*" if twin else ""
        label = f"{who}: {words}"
        each = vector(f"{stem}{sign}*", label, unit, WORLD, dim, value, "", same)
        for axis, channel in enumerate(each):
            yield replace(channel, point=PointColumn(body, arm, n, axis))
        if sign == "v":
            same = f"{twin}speed" if twin else ""
            yield magnitude(f"{stem}speed", f"{who}: speed", unit, value, "", same)


def _planar_rotation(results: "Results", id: str, who: str, k: int) -> Iterator[Channel]:
    """The angle of a planar body and its rates."""
    layout = results.compiled.layout
    turn, spin = layout.orientation(k).start, layout.spin(k).start
    for name, unit, columns, slot in (
        ("angle", "rad", "q", turn),
        ("angular_velocity", "rad/s", "v", spin),
        ("angular_acceleration", "rad/s^2", "a", spin),
    ):
        compute = partial(_slots, results, columns, slot)
        yield Channel(f"{id}.{name}", f"{who}: {name.replace('_', ' ')}", unit, WORLD, compute)


def _spatial_rotation(results: "Results", id: str, who: str, k: int) -> Iterator[Channel]:
    """The quaternion of a spatial body and its angular velocity and acceleration."""
    for n in range(4):
        slot = component(partial(quaternions, results, k), n)
        yield Channel(f"{id}.q{n}", f"{who}: quaternion q{n}", "", WORLD, slot)
    own = f"axes of {who}"
    turns = results.compiled.layout.spin(k)
    for name, unit, columns, symbol in (
        ("angular_velocity", "rad/s", "v", "w"),
        ("angular_acceleration", "rad/s^2", "a", "alpha"),
    ):
        label = f"{who}: {name.replace('_', ' ')}"
        in_world = partial(_turning, results, k, symbol)
        in_body = partial(_slots, results, columns, turns)
        yield from vector(f"{id}.{name}_*", label, unit, WORLD, 3, in_world)
        yield from vector(f"{id}.{name}_*_body", f"{label} in body axes", unit, own, 3, in_body)
    w = partial(_slots, results, "v", turns)
    yield magnitude(f"{id}.angular_speed", f"{who}: angular speed", "rad/s", w)


def _of_point(moving: Callable[[], PointMotion], n: int) -> np.ndarray:
    """Place (n = 0), velocity (1) or acceleration (2) of a moving point."""
    return moving()[n]


def _point_of(results: "Results", k: int, s_loc: np.ndarray) -> PointMotion:
    return point_motion(body_motion(results, k), s_loc)


def _slots(results: "Results", columns: str, slots: int | slice) -> np.ndarray:
    """Some columns of q, v or a."""
    return getattr(results, columns)[:, slots]


def _turning(results: "Results", k: int, symbol: str) -> np.ndarray:
    """w or alpha of a body in world axes."""
    return getattr(body_motion(results, k), symbol)
