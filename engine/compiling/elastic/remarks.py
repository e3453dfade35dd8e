"""What is to be said about beams before a run: where beam theory, or the choice of shapes, is poor."""

from collections.abc import Iterator
from math import degrees
from typing import Protocol, TypeVar

import numpy as np

from engine.compiling.elastic.records import Elastic
from engine.compiling.system import Compiled
from engine.errors import say
from engine.model.elastic.sections import FREE

SLENDER = 10.0  # length to width, below which shear counts and beam theory does not hold
STEEP = 0.16  # rad: slope of a beam that is bent by 5 % of its length, beyond which one body is too little


def remarks_on_beams(compiled: Compiled) -> Iterator[str]:
    """A sentence for each doubt."""
    for id, record in compiled.elastic.items():
        if not record.is_beam:
            continue
        beam, label = record.beam, compiled.resolved[id].label
        wide = float(beam.width)
        if compiled.system.dim == 3:
            wide = max(wide, float(beam.thickness))
        half_wave = float(beam.length) / max(float(beam.modes), 1.0)
        if float(beam.length) < SLENDER * wide:
            yield say(
                "Beam '{label}' is only {ratio:.1f} times as long as wide: below 10 its frequencies "
                "are too high by 1 % or more, because shear is left out.",
                label=label,
                ratio=float(beam.length) / wide,
            )
        elif half_wave < SLENDER * wide:
            yield say(
                "Shape {count:.0f} of beam '{label}' has half waves only {ratio:.1f} times as long as "
                "the beam is wide: its frequency is too high by some percent. Keep fewer shapes.",
                count=float(beam.modes),
                label=label,
                ratio=half_wave / wide,
            )
        own = compiled.system.followers["body"] == compiled.body_ids.index(id)
        is_held = bool(
            (compiled.system.followers["stop"] > compiled.system.followers["start"])[own].any()
        )
        if beam.shapes == FREE and is_held:
            yield say(
                "Beam '{label}' is held by joints but keeps only shapes of a free beam: frequencies "
                "and deflections may be wrong by 10 %. Choose interface shapes.",
                label=label,
            )
        if not beam.stiffening:
            yield say(
                "Beam '{label}' is computed without stiffening: where it turns fast or is pulled, its "
                "deflection may be wrong by a third.",
                label=label,
            )


class _Frames(Protocol):
    @property
    def q(self) -> np.ndarray:
        """All coordinates, (n, n_q)."""


class _Noted(Protocol):
    slopes: dict[str, float]


F = TypeVar("F", bound=_Frames)


def steepened(compiled: Compiled, frames: F, noted: _Noted) -> F:
    """The frames, after the steepest slope of every beam in them was noted; changes what is noted.

    Slopes are seen from the mean axis.
    """
    for id, record in compiled.elastic.items():
        if not record.has_sections:
            continue
        q = frames.q[:, compiled.layout.modes(compiled.body_ids.index(id))]
        noted.slopes[id] = max(noted.slopes.get(id, 0.0), steepest(record, q))
    return frames


def steepest(record: Elastic, q: np.ndarray) -> float:
    """The steepest slope of beams or bars over some states (n, n_f), from the mean axis   [rad]."""
    nodal = record.modes.Phi.reshape(len(record.mesh.stations), record.mesh.per_node, -1)
    is_flat = record.mesh.dim == 2
    turns = nodal[:, 2:] if is_flat else nodal[:, 4 if record.is_beam else 3 :]  # without twist
    return float(np.abs(np.einsum("scf,nf->nsc", turns, q)).max(initial=0.0))


def remarks_on_slopes(compiled: Compiled, slopes: dict[str, float]) -> Iterator[str]:
    """A sentence for each beam that was bent too far."""
    for id, slope in slopes.items():
        if slope > STEEP:
            yield say(
                "Beam '{label}' was bent until it sloped by {slope:.0f} degrees: beyond some 9 degrees "
                "its deflection is wrong by percents. Cut it into two bodies, joined by a weld.",
                label=compiled.resolved[id].label,
                slope=degrees(slope),
            )
