"""Channels: everything about a run that can be plotted or exported, by name.

A name is `<element id>.<quantity>`, such as `rod_1.angle`, or one word for the whole model, such as
`total_energy`. To add a quantity, write one function and list it here.
"""

import difflib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError, say
from engine.results.channels import (
    beams,
    bodies,
    forces,
    interactions,
    joints,
    orientation,
    teeth,
    whole,
    works,
)
from engine.results.channels.channel import Channel, Family

if TYPE_CHECKING:
    from engine.results.results import Results

CHANNELS: tuple[Family, ...] = (
    Family("Motion of bodies", "body", bodies.motion_of_body),
    Family("Orientation", "body", orientation.as_shown),
    Family("Orientation in other ways", "body", orientation.in_other_ways, everyday=False),
    Family("Euler angles of bodies", "body", orientation.of_all_sequences, everyday=False),
    Family("Motion of markers", "marker", bodies.motion_of_marker),
    Family("Beams", "body", beams.channels_of_beam),
    Family("Sections of beams", "marker", beams.channels_of_section),
    Family("Work of beams", "body", works.work_of_element),
    Family("Joint coordinates", "joint", joints.coordinates_of_joint),
    Family("Joint reactions", "joint", joints.reactions),
    Family("Tooth forces", "joint", teeth.tooth_forces),
    Family("Teeth in contact, loose pins", "joint", interactions.channels_of_interactions),
    Family("Multipliers of joints", "joint", joints.multipliers, everyday=False),
    Family("Drives", "motion", joints.drive),
    Family("Reactions of drives", "motion", joints.reactions),
    Family("Multipliers of drives", "motion", joints.multipliers, everyday=False),
    Family("Springs, dampers and motors", "force", forces.channels_of_laws),
    Family("Given forces", "force", forces.channels_of_loads),
    Family("Forces on markers", "force", interactions.channels_of_interactions),
    Family("Work of joints", "joint", works.work_of_element),
    Family("Work of drives", "motion", works.work_of_element),
    Family("Work of forces", "force", works.work_of_element),
    Family("Energy", "model", whole.energy),
    Family("Momentum", "model", whole.momentum),
    Family("Constraints", "model", whole.constraints),
)

__all__ = ["CHANNELS", "Channel", "Family", "channels_of", "find", "matching"]


def channels_of(results: "Results", *, everyday: bool = False) -> Iterator[Channel]:
    """Every channel of a run, or only the everyday ones; nothing is computed yet."""
    for family in CHANNELS:
        if family.everyday or not everyday:
            yield from _of_family(results, family)


def find(results: "Results", name: str) -> Channel:
    """The channel of this name, or an EngineError with the nearest names."""
    owner, dot, _ = name.partition(".")
    element: Any = results.model.elements.get(owner)
    if dot and element is None:
        raise _unknown(results, name)
    for family in CHANNELS:
        if family.owner == (element.family if dot else "model"):
            for channel in family.channels(results, element if dot else None):
                if channel.name == name:
                    return channel
    raise _unknown(results, name)


def matching(results: "Results", patterns: Sequence[str]) -> list[Channel]:
    """The channels that match any of the patterns (* stands for anything), in order, each once."""
    every = None
    found: dict[str, Channel] = {}
    for pattern in patterns:
        if not any(sign in pattern for sign in "*?["):
            channel = find(results, pattern)
            found[channel.name] = channel
            continue
        every = list(channels_of(results)) if every is None else every
        hits = [channel for channel in every if fnmatchcase(channel.name, pattern)]
        if not hits:
            raise EngineError(
                "No channel matches '{pattern}': use names such as rod_1.angle, with * for "
                "anything.",
                pattern=pattern[:80],
            )
        found.update((channel.name, channel) for channel in hits)
    return list(found.values())


def _of_family(results: "Results", family: Family) -> Iterator[Channel]:
    """The channels of one family over all its elements."""
    owners: list[Any] = [None] if family.owner == "model" else results.model.of(family.owner)
    for element in owners:
        yield from family.channels(results, element)


def _unknown(results: "Results", name: str) -> EngineError:
    """The sentence about an unknown name."""
    owner, dot, _ = name.partition(".")
    if dot and owner in results.model and not _has_channels(results, owner):
        return EngineError(
            "'{owner}' never moves and nothing is measured on it, so it has no channel "
            "'{name}'; choose another element.",
            owner,
            owner=owner,
            name=name[:80],
        )
    names = [channel.name for channel in channels_of(results)]
    near = difflib.get_close_matches(name[:80], names, n=3, cutoff=0.5)
    advice = (
        say("did you mean {listed}?", listed=" or ".join(near))
        if near
        else say("results.channels() or 'kardan channels' lists them all.")
    )
    return EngineError("There is no channel '{name}': {advice}", name=name[:80], advice=advice)


def _has_channels(results: "Results", id: str) -> bool:
    element = results.model[id]
    families = [f for f in CHANNELS if f.owner == element.family]
    return any(True for f in families for _ in f.channels(results, element))
