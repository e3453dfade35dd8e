"""Compiled loops over the pixels of pictures: smooth edges, and shadows."""

from pathlib import Path

from rotations.jit import kernel_decorator

kernel = kernel_decorator(Path(__file__).parent)
