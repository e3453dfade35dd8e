"""Arrows in space: the same numbers as in the plane, and angular velocities besides."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from engine.model.elements import Id
from engine.results.results import Results
from gui.placing.space.loads import force_in_space
from gui.stages.arrows import KINDS, Arrow, Arrows


class SpaceArrows(Arrows):
    """Arrows of models of both kinds, as vectors of three numbers."""

    kinds_known: ClassVar[dict[str, str]] = {**KINDS, "spins": "rad/s"}

    def units(self) -> Iterator[tuple[str, str]]:
        """The kinds that are shown and have a length, with their units."""
        for kind, unit in self.kinds_known.items():
            if kind in self.kinds and self.pixels_per_unit(kind) > 0.0:
                yield kind, unit

    def of_frame(self, kind: str, results: Results, k: int, placement: Any) -> list[Arrow]:
        """As in the plane; angular velocities are drawn at mass centres, about their axes."""
        if kind != "spins":
            return super().of_frame(kind, results, k, placement)
        compiled = results.compiled
        spins = results.v[k][compiled.layout.spins]
        flat = compiled.system.dim == 2
        R = None if flat else results.frames(k).R
        found = []
        for n, (id, spin) in enumerate(zip(compiled.body_ids, spins)):
            if id in placement.body_index:
                w = np.array([0.0, 0.0, spin[0]]) if R is None else R[n] @ spin
                found.append(self.arrow(id, self.center(placement, placement.body_index[id]), w))
        return found

    def at(self, placement: Any, marker: Id) -> np.ndarray | None:
        """Where a marker is."""
        return placement.marker_at(marker) if marker in placement.marker_index else None

    def center(self, placement: Any, k: int) -> np.ndarray:
        """Where the mass centre of body k is."""
        return placement.centers[k]

    def arrow(self, id: Id, at: Any, value: Any) -> Arrow:
        """An arrow of three plain numbers."""
        three = np.zeros(3)
        three[: len(value)] = value
        return super().arrow(id, at, three)

    def force(self, placement: Any, force: Any, t: float) -> np.ndarray:
        """The given force of an element at a moment [N]."""
        return force_in_space(placement, force, t)

    def starts(self, kind: str, placement: Any) -> list[Arrow]:
        """The velocities of mass centres and the angular velocities at the start."""
        found = []
        for k, body in enumerate(placement.bodies):
            v, w, R = np.zeros(3), np.zeros(3), placement.R[k]
            v[: placement.model.dim] = body.velocity or 0.0
            w[2] = getattr(body, "spin", None) or 0.0
            w = R @ np.array(getattr(body, "angular_velocity", None) or w, dtype=float)
            if kind == "velocities":
                v = v + np.cross(w, placement.centers[k] - placement.r[k])
            if kind in ("velocities", "spins"):
                value = v if kind == "velocities" else w
                found.append(self.arrow(body.id, placement.centers[k], value))
        return found
