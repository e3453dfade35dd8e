"""What all joints share."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from engine.kernels.trees.layout import RIGID
from engine.model.connections import Coordinate, Meshing, Row
from engine.model.elements import Element, Id, Model
from engine.model.fields import ref


class Carry(NamedTuple):
    """How a joint carries a body in a tree: it slides along axes of marker i, then it turns.

    A law test compares this with what the rows of the joint leave free.
    """

    slides: tuple[int, ...] = ()
    turn: int = RIGID  # of engine.kernels.trees.layout
    both_ways: bool = True  # body i may hang on body j as well: the axes are those of both markers


@dataclass(frozen=True, slots=True, kw_only=True)
class Joint(Element, ABC):
    """A connection of two markers, i and j; a joint is its list of rows."""

    family: ClassVar[str] = "joint"
    carries: ClassVar[Mapping[int, Carry]] = MappingProxyType({})  # by dimension; empty: it cannot
    marker_i: Id = ref("marker", help="The point on the first body.")
    marker_j: Id = ref("marker", help="The point on the second body.")

    @abstractmethod
    def rows(self, model: Model) -> tuple[Row, ...]:
        """The constraints, in the order in which reactions are reported."""

    def coordinates(self, model: Model) -> dict[str, Coordinate]:
        """What may be measured, driven or loaded, by name; the main one first."""
        return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Transmission(Element):
    """Teeth that tie the coordinates of two joints."""

    family: ClassVar[str] = "joint"
    joint_1: Id = ref("joint", help="The first joint.")
    joint_2: Id = ref("joint", help="The second joint.")

    def coordinates(self, model: Model) -> dict[str, Coordinate]:
        """None of its own."""
        return {}

    def meshing(self, model: Model) -> Meshing | None:
        """How the teeth meet as drawn; None where they only couple the coordinates of two joints."""
        raise NotImplementedError
