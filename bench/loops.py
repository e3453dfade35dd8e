"""The closed loop of Bricard: six hinges that counting calls rigid, and that moves all the same."""

from assets.examples_of_linkages import bricard_loop_of
from engine.model.elements import Model

SPIN = 1.0  # [rad/s] rough start: the assembly finds the nearest speeds that the hinges allow


def orthogonal_bricard() -> Model:
    """The loop of the gallery, thrown at the start."""
    return bricard_loop_of(SPIN).model
