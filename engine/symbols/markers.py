"""Markers and the frames of bodies in symbols: the body they are on, their place and their axes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from engine.compiling.geometry import Geometry
from engine.model.elements import GROUND, Id, Model
from engine.symbols.frames import Body, Marker
from engine.symbols.naming import matrix_of
from engine.symbols.traced import exact, expression_of, share_of_pi

WORLD_AXES = tuple(tuple(sp.Integer(int(i == j)) for j in range(3)) for i in range(3))
NOTHING = (sp.S.Zero,) * 3


class Markers:
    """Markers of a model, with the symbols of its bodies and of their mass centres."""

    def __init__(
        self,
        model: Model,
        geometry: Geometry,
        bodies: Sequence[Body],
        ground: Body,
        center: Sequence[tuple[sp.Expr, ...]],
    ) -> None:
        self._model, self._geometry, self._dim = model, geometry, model.dim
        self._bodies, self._ground, self._center = bodies, ground, center

    def marker(self, id: Id) -> Marker:
        """A marker in symbols; without an id the world, of a body its mass centre."""
        if not id:
            return Marker(self._ground, len(self._bodies), NOTHING, WORLD_AXES, sp.S.Zero)
        if id in self._geometry.index:
            k = self._geometry.index[id]
            return Marker(self._bodies[k], k, NOTHING, WORLD_AXES, sp.S.Zero)
        marker = self._model[id]
        k, P, axes = self._geometry.marker(id)
        if k == len(self._bodies) and marker.body != GROUND:  # on a fixed body
            return self._placed(k, tuple(map(exact, P.tolist())), axes, self._angle_of(id))
        place = tuple(expression_of(x) for x in marker.position)
        if k < len(self._bodies):
            place = tuple(x - c for x, c in zip(place, self._center[k]))
        return self._placed(k, place, axes, expression_of(marker.angle) if self._dim == 2 else 0)

    def frame(self, id: Id) -> Marker:
        """As `marker`, but of a body its own frame, also of a fixed one."""
        if id not in self._model or self._model[id].family != "body":
            return self.marker(id)
        k, P, axes = self._geometry.frame(id)
        if k < len(self._bodies):
            return self._placed(k, tuple(-x for x in self._center[k]), axes, 0)
        angle = exact(float(self._model[id].angle)) if self._dim == 2 else 0
        return self._placed(len(self._bodies), tuple(map(exact, P.tolist())), axes, angle)

    def _placed(self, k: int, place: tuple[sp.Expr, ...], axes: np.ndarray, angle: Any) -> Marker:
        """A marker on a body, or on the ground where no body has its number."""
        body = self._bodies[k] if k < len(self._bodies) else self._ground
        place = (*place, *(sp.S.Zero,) * (3 - len(place)))
        return Marker(body, k, place, matrix_of(axes), sp.sympify(angle))

    def _angle_of(self, id: Id) -> sp.Expr:
        if self._dim == 3:
            return sp.S.Zero
        angle = self._geometry.marker_angle(id)
        share = share_of_pi(angle)
        return exact(angle) if share is None else share
