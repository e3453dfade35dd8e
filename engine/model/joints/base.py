"""What all joints share."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from engine.model.connections import Coordinate, Row
from engine.model.elements import Element, Id, Model
from engine.model.fields import ref


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint(Element, ABC):
    """A connection of two markers, i and j; a joint is its list of rows."""

    family: ClassVar[str] = "joint"
    marker_i: Id = ref("marker", help="The marker on the first body.")
    marker_j: Id = ref("marker", help="The marker on the second body.")

    @abstractmethod
    def rows(self, model: Model) -> tuple[Row, ...]:
        """The constraints, in the order in which reactions are reported."""

    def coordinates(self, model: Model) -> dict[str, Coordinate]:
        """What may be measured, driven or loaded, by name; the main one first."""
        return {}
