"""Channels of orientation: quaternion, Euler angles of all sequences, turn, matrix, and distance to lock.

The sequence that is shown for a body has plain names, such as `top.theta`; all twelve have names with the
sequence in them, such as `top.euler_3-1-3_2`. Angles neither jump nor wrap. Rates are B^-1 w, which are
undefined at the lock itself.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.model.orientation import rates_of_angles, shown_sequence
from engine.results.channels.channel import AXES, WORLD, Channel, component, vector
from engine.results.channels.motion import quaternions
from rotations import SEQUENCES, axis_angle, euler_angles, gimbal_lock, quaternion

if TYPE_CHECKING:
    from engine.results.results import Results

_FREE = 1e-7  # a singularity measure at which angles keep half of their digits
ANGLES = ("phi", "theta", "psi")

Columns = Callable[[], np.ndarray]


def as_shown(results: "Results", body: Any) -> Iterator[Channel]:
    """Angles of the sequence that is shown, their rates, distance to lock and the norm integrated."""
    k = _place(results, body)
    if k is None:
        return
    id, who = body.id, body.label
    sequence = shown_sequence(results.model, body)
    angles, rates = _angles_and_rates(results, k, sequence)
    for n, name in enumerate(ANGLES):
        label = f"{who}: angle {name} of {sequence}"
        yield Channel(f"{id}.{name}", label, "rad", "", component(angles, n))
        label = f"{who}: rate of {name} of {sequence}"
        yield Channel(f"{id}.{name}_rate", label, "rad/s", "", component(rates, n))
    yield from _distances(id, who, sequence, angles, "")
    label = f"{who}: length of the quaternion after a step, before it is made 1"
    yield Channel(f"{id}.quaternion_norm", label, "", "", lambda: results.norm[:, k])


def in_other_ways(results: "Results", body: Any) -> Iterator[Channel]:
    """Conditioning of the angles near lock, the rotation vector, and the rotation matrix."""
    k = _place(results, body)
    if k is None:
        return
    id, who = body.id, body.label
    sequence = shown_sequence(results.model, body)
    yield from _strain(id, who, sequence, *_angles_and_rates(results, k, sequence), "")
    turn, axis = partial(_turn, results, k), partial(_axis, results, k)
    yield from vector(f"{id}.turn_*", f"{who}: rotation vector", "rad", WORLD, 3, turn)
    label = f"{who}: angle of turn"
    yield Channel(f"{id}.turn_angle", label, "rad", "", lambda: np.linalg.norm(turn(), axis=1))
    yield from vector(f"{id}.turn_axis_*", f"{who}: axis of turn", "", WORLD, 3, axis)
    R = partial(_entries, results, k)
    for n in range(9):
        row, column = (AXES[axis] for axis in divmod(n, 3))
        label = f"{who}: body axis {column}, {row} in the world"
        yield Channel(f"{id}.R_{row}{column}", label, "", WORLD, component(R, n))


def of_all_sequences(results: "Results", body: Any) -> Iterator[Channel]:
    """Euler angles of all twelve sequences, their rates, and how near each is to its lock."""
    k = _place(results, body)
    if k is None:
        return
    id, who = body.id, body.label
    for sequence in SEQUENCES:
        angles, rates = _angles_and_rates(results, k, sequence)
        for n in range(3):
            name, label = f"{id}.euler_{sequence}_{n + 1}", f"{who}: Euler angle {n + 1}"
            yield Channel(name, f"{label} of {sequence}", "rad", "", component(angles, n))
            rate = component(rates, n)
            yield Channel(f"{name}_rate", f"{label} of {sequence}, rate", "rad/s", "", rate)
        yield from _distances(id, who, sequence, angles, f"_{sequence}")
        yield from _strain(id, who, sequence, angles, rates, f"_{sequence}")


def angle_history(results: "Results", k: int, sequence: str) -> np.ndarray:
    """The Euler angles (n, 3) of a body over all frames, without jumps; remembers that they were requested.

    For a body that is integrated on this sequence they are the angles integrated. A body that starts in
    gimbal lock gets the angles with which it leaves it.
    """
    if SEQUENCES.index(sequence) == results.compiled.system.bodies[k]["orientation"]:
        return results.q[:, results.compiled.layout.angles(k)]
    results.asked_sequences.add((k, sequence))
    return results.followed(partial(_followed, k, sequence))


def _followed(k: int, sequence: str, results: "Results") -> np.ndarray:
    """The angles from frame to frame, continuing those of discarded frames."""
    if len(results) == 0:
        return np.zeros((0, 3))
    angles = euler_angles.from_quaternion(sequence, quaternions(results, k))
    free = int(np.argmax(gimbal_lock.measure(sequence, angles) > _FREE))
    start = angles[free]
    if results.beginning is not None:
        start = results.beginning.angles.get((k, sequence), start)
    return euler_angles.continuous(sequence, angles, start=start)


def _angles_and_rates(results: "Results", k: int, sequence: str) -> tuple[Columns, Columns]:
    """The angles (n, 3) and their rates (n, 3), on demand."""
    return partial(angle_history, results, k, sequence), partial(_rates, results, k, sequence)


def _rates(results: "Results", k: int, sequence: str) -> np.ndarray:
    w = results.v[:, results.compiled.layout.spin(k)]
    angles = angle_history(results, k, sequence)
    return rates_of_angles(sequence, angles, w) if len(results) else np.zeros((0, 3))


def _distances(id: str, who: str, sequence: str, angles: Columns, end: str) -> Iterator[Channel]:
    """How far a sequence is from its lock: as the measure s and as an angle."""

    def measure() -> np.ndarray:
        found = angles()
        return gimbal_lock.measure(sequence, found) if len(found) else np.zeros(0)

    label = f"{who}: measure s of {sequence}, 0 in gimbal lock"
    yield Channel(f"{id}.lock_measure{end}", label, "", "", measure)
    label = f"{who}: distance from gimbal lock of {sequence}"
    yield Channel(f"{id}.lock_distance{end}", label, "rad", "", lambda: np.arcsin(measure()))


def _strain(
    id: str, who: str, sequence: str, angles: Columns, rates: Columns, end: str
) -> Iterator[Channel]:
    """Conditioning of the angles near lock: the condition number of B, and the largest rate."""

    def condition() -> np.ndarray:
        found = angles()
        with np.errstate(over="ignore"):  # within 1e-308 of the lock
            return gimbal_lock.condition(sequence, found) if len(found) else np.zeros(0)

    label = f"{who}: condition number of the angle rates of {sequence}"
    yield Channel(f"{id}.rate_condition{end}", label, "", "", condition)
    label = f"{who}: largest angle rate of {sequence}"
    largest = partial(_largest, rates)
    yield Channel(f"{id}.largest_angle_rate{end}", label, "rad/s", "", largest)


def _largest(rates: Columns) -> np.ndarray:
    return np.abs(rates()).max(axis=1, initial=0.0)


def _turn(results: "Results", k: int) -> np.ndarray:
    """The rotation vector: axis times angle, 0 ... pi, of the rotation from the reference orientation."""
    units = quaternions(results, k)
    return axis_angle.logarithm_quaternion(units) if len(units) else np.zeros((0, 3))


def _axis(results: "Results", k: int) -> np.ndarray:
    units = quaternions(results, k)
    return axis_angle.from_quaternion(units)[0] if len(units) else np.zeros((0, 3))


def _entries(results: "Results", k: int) -> np.ndarray:
    """R row by row, (n, 9)."""
    units = quaternions(results, k)
    return quaternion.matrix(units).reshape(-1, 9) if len(units) else np.zeros((0, 9))


def _place(results: "Results", body: Any) -> int | None:
    """The number of a body that moves and turns in space; None for others."""
    compiled = results.compiled
    if compiled.system.dim == 2 or body.id not in compiled.body_ids:
        return None
    k = compiled.body_ids.index(body.id)
    return None if compiled.is_particle[k] else int(k)
