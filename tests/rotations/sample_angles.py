"""Euler angles to test with, away from the lock and in it."""

import numpy as np

from rotations import euler_angles


def regular_angles(sequence, n=1000, seed=7):
    """Random angles at least 0.1 rad from the lock, so that 1/s stays below 10."""
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, size=(n, 3))
    middle = rng.uniform(0.1, np.pi - 0.1, size=n)
    angles[:, 1] = middle if euler_angles.is_euler_type(sequence) else middle - np.pi / 2
    return angles


def locked_thetas(sequence):
    """The two singular values of theta within one turn."""
    return (0.0, np.pi) if euler_angles.is_euler_type(sequence) else (-np.pi / 2, np.pi / 2)
