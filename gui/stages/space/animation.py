"""How the solids of a scene move in a run: places, turns and sizes of every actor at some times.

The matrix of an actor is M = T R S with a turn R and sizes S along its own axes, so that its columns are
orthogonal: S are their lengths, and a mirrored axis has a negative one. What is no such product stays.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.results.results import Results
from rotations import quaternion

RATE = 60.0  # samples in a second, at most
MOST_SAMPLES = 1800
SQUARE = 1e-6  # how far columns may be from orthogonal
STILL = 1e-9  # of the largest entry: less is no motion


class Track(NamedTuple):
    """The motion of one actor."""

    place: np.ndarray  # (n, 3)
    turn: np.ndarray  # (n, 4) unit quaternions, scalar first, whose sign does not jump
    size: np.ndarray  # (n, 3)


class Tracks(NamedTuple):
    """The motion of all actors that move."""

    t: np.ndarray  # (n,) seconds from the start of the run
    of: dict[Any, Track]  # by actor


def sample_times(results: Results) -> np.ndarray:
    """Times of a run, both ends among them, that are close enough for a smooth animation."""
    first, last = float(results.t[0]), float(results.t[-1])
    n = min(len(results), MOST_SAMPLES, int((last - first) * RATE) + 2)
    return np.linspace(first, last, max(n, 2))


def tracks_of(scene: Any, results: Results, now: float) -> Tracks:
    """The motion of all actors in a run; the scene is back in the pose of `now` afterwards."""
    times = sample_times(results)
    actors = [actor for graphic in scene.graphics.values() for actor in graphic.actors]
    matrices = np.zeros((len(actors), len(times), 4, 4))
    try:
        for n, t in enumerate(times.tolist()):
            scene.put(scene.placement.frames_of(results, t), t)
            for k, actor in enumerate(actors):
                matrices[k, n] = matrix_of(actor)
    finally:
        scene.put(scene.placement.frames_of(results, now), now)
    found = {}
    for actor, stack in zip(actors, matrices):
        moves = np.ptp(stack, axis=0).max() > STILL * np.abs(stack).max()
        if moves and (track := taken_apart(stack)) is not None:
            found[actor] = track
    return Tracks(times - times[0], found)


def matrix_of(actor: Any) -> np.ndarray:
    """The matrix of an actor."""
    matrix = actor.GetUserMatrix()
    return np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])


def taken_apart(stack: np.ndarray) -> Track | None:
    """Place, turn and size in a stack of matrices (n, 4, 4); None where they are no such product."""
    A = stack[:, :3, :3]
    size = np.linalg.norm(A, axis=1)
    if not (size > 0.0).all():
        return None
    R = A / size[:, None, :]
    mirrored = np.linalg.det(R) < 0.0
    R[mirrored, :, 0] *= -1.0
    size[mirrored, 0] *= -1.0
    if np.abs(np.einsum("nji,njk->nik", R, R) - np.eye(3)).max() > SQUARE:
        return None
    turn = quaternion.continuous(quaternion.from_matrix(R))
    return Track(stack[:, :3, 3].copy(), turn, size)
