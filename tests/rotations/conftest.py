"""Random and special rotations shared by the tests of this folder."""

import itertools

import numpy as np
import pytest

from rotations import SEQUENCES, axis_angle, quaternion

N_RANDOM = 10_000


@pytest.fixture(scope="session")
def random_quaternions():
    """Rotations spread evenly over all orientations, each sign equally likely."""
    return quaternion.normalise(np.random.default_rng(5).normal(size=(N_RANDOM, 4)))


@pytest.fixture(scope="session")
def special_quaternions():
    """Rotations where formulas break: angle 0, tiny, pi and nearly pi, about plain and odd axes."""
    axes = [axis for axis in itertools.product((-1, 0, 1), repeat=3) if any(axis)]
    axes += [(1e-9, 1, 0), (1, 1e-13, -1e-13), (0.3, -0.5, 0.8)]
    tiny = [0.0, 1e-300, 1e-160, 1e-16, 1e-12, 1e-8, 1e-4]
    turns = tiny + [np.pi / 2 - x for x in tiny] + [np.pi - x for x in tiny]
    return np.array([axis_angle.quaternion(n, phi) for n in axes for phi in turns])


@pytest.fixture(scope="session")
def vectors():
    """Random vectors, as many as random quaternions."""
    return np.random.default_rng(6).normal(size=(N_RANDOM, 3))


@pytest.fixture(params=SEQUENCES)
def sequence(request):
    """Each of the twelve sequences in turn."""
    return request.param
