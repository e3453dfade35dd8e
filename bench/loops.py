"""The closed loop of Bricard: six hinges that counting calls rigid, but that can move."""

from assets.examples_of_linkages import bricard_loop_of
from engine.model.elements import Model

SPIN = 1.0  # [rad/s] rough start: the assembly finds the nearest velocities that the hinges allow


def orthogonal_bricard() -> Model:
    """The loop of the gallery with an initial velocity."""
    return bricard_loop_of(SPIN).model
