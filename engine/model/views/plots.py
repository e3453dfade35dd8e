"""What a plot shows: the names of its channels and its options."""

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.model.fields import choice, flag, number, text

RISING, FALLING, BOTH = "rising", "falling", "both"
DIRECTIONS = (RISING, FALLING, BOTH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """When points of a portrait are taken: once in each period, or when a channel passes a value."""

    period: float = number(0.0, unit="s", low=0.0, help="0: by a channel.")
    channel: str = text()
    value: float = number(0.0, help="In SI units.")
    direction: str = choice(RISING, DIRECTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Channels over time."""

    kind: ClassVar[str] = "time"
    channels: tuple[str, ...] = ()
    log: bool = flag(False, help="Values on logarithmic axes.")

    @property
    def names(self) -> tuple[str, ...]:
        """All channels that it shows."""
        return self.channels


@dataclass(frozen=True, slots=True, kw_only=True)
class Portrait:
    """One channel against another."""

    kind: ClassVar[str] = "phase"
    x: str = text(help="The channel along the horizontal axis.")
    y: str = text(help="The channel along the vertical axis.")
    wraps: bool = flag(False, help="Angles between -180 and 180 degrees.")
    as_frequency: bool = flag(False, help="Angular velocity as turns per second.")
    shows_field: bool = flag(True, help="Directions of all motions, where there is one freedom.")
    section: Section | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All channels that it shows."""
        return tuple(name for name in (self.x, self.y) if name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Bars of energy and work at the present time."""

    kind: ClassVar[str] = "energy"

    @property
    def names(self) -> tuple[str, ...]:
        """It shows no channels that one could choose."""
        return ()


Plot = Curves | Portrait | Bars
PLOTS: tuple[type[Curves] | type[Portrait] | type[Bars], ...] = (Curves, Portrait, Bars)


def owner_of(channel: str) -> str:
    """The id in the name of a channel; empty for one of the whole model."""
    owner, dot, _ = channel.partition(".")
    return owner if dot else ""


def without_owners(plot: Plot, doomed: Container[str]) -> Plot | None:
    """A plot without the channels of some elements; None if nothing of it is left."""
    if not any(owner_of(name) in doomed for name in plot.names):
        if isinstance(plot, Portrait) and plot.section is not None:
            if owner_of(plot.section.channel) in doomed:
                return replace(plot, section=None)
        return plot
    if isinstance(plot, Curves):
        kept = tuple(name for name in plot.channels if owner_of(name) not in doomed)
        return replace(plot, channels=kept) if kept else None
    return None
