"""What every shape of a body says: its moments and how far it reaches."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.model.solids import Array, Moments

TRIANGLES = {"role": "faces", "help": "Three corners each, anticlockwise from outside."}


@dataclass(frozen=True, slots=True)
class Shape(ABC):
    """What a body looks like."""

    kind: ClassVar[str]
    dims: ClassVar[tuple[int, ...]] = (2, 3)
    shaft: ClassVar[int | None] = None  # the body axis along which it lies, if it is slender
    axle: ClassVar[int | None] = None  # the body axis about which it is round

    @abstractmethod
    def moments(self) -> Moments:
        """Volume, centroid and spread."""

    @abstractmethod
    def reach(self, n: Array) -> Any:
        """Its extent along a unit direction n of the body frame: the largest n . x of its points."""

    def distance(self, p: Array) -> Any:
        """How far a point of the body frame is from it, zero inside; by default from the box around."""
        low, high = self.box()
        return np.linalg.norm(np.maximum(np.maximum(low - p, p - high), 0.0))

    def box(self) -> tuple[Array, Array]:
        """The least and the greatest x, y, z in the body frame."""
        low = np.array([-self.reach(-n) for n in np.eye(3)])
        return low, np.array([self.reach(n) for n in np.eye(3)])

    def long_axis(self) -> int | None:
        """The body axis that is its natural one: of a round one its axle, else along its longest side."""
        if self.axle is not None:
            return self.axle
        low, high = self.box()
        return int((high - low).argmax())

    def check(self) -> None:  # noqa: B027, most shapes have nothing to add
        """Raise EngineError where the numbers are valid individually but define no solid."""
