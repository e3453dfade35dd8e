"""What is to be said about beams before a run: where beam theory, or the choice of shapes, is poor."""

from collections.abc import Iterator

from engine.compiling.system import Compiled
from engine.errors import say
from engine.model.elastic.sections import FREE

SLENDER = 10.0  # length to width, below which shear counts and beam theory does not hold


def remarks_on_beams(compiled: Compiled) -> Iterator[str]:
    """A sentence for each doubt."""
    for id, record in compiled.elastic.items():
        beam, label = record.beam, compiled.resolved[id].label
        if float(beam.length) < SLENDER * float(beam.width):
            yield say(
                "Beam '{label}' is only {ratio:.1f} times as long as wide: below 10 its frequencies "
                "are too high by 1 % or more, because shear is left out.",
                label=label,
                ratio=float(beam.length) / float(beam.width),
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
