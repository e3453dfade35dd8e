"""Where the bodies and markers of a resolved model are, as drawn, and the masses of the bodies."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from engine.compiling.elastic.records import Elastic, is_flexible
from engine.kernels.layout import BODY, RIGID
from engine.kernels.state import Layout, placed_bodies
from engine.model.bodies import Particle
from engine.model.elements import GROUND, Id, Model
from engine.model.places import place
from engine.model.shapes import MassProperties, body_mass_properties
from rotations import SEQUENCES, convert, quaternion


class Geometry:
    """The drawing in numbers: moving bodies have an index, everything else is ground.

    Flexible bodies come last. Their records are needed for the carriers of markers and for places in q;
    what is only about the undeformed drawing does without.
    """

    def __init__(self, model: Model, elastic: Mapping[Id, Elastic] | None = None) -> None:
        self.model = model
        self.dim = model.dim
        self.elastic = elastic or {}
        self.moving = sorted((b for b in model.of("body") if not b.fixed), key=is_flexible)
        self.layout = Layout(self.dim, placed_bodies(self.dim, self._n_modes()))
        self.index = {b.id: k for k, b in enumerate(self.moving)}
        self.properties = [self._weighed(b) for b in self.moving]
        self.followers = [
            (body, id) for body, record in self.elastic.items() for id in record.followers
        ]
        self._found: dict[Id, tuple[int, np.ndarray, np.ndarray]] = {}
        self._carrier = {id: self.n_bodies + m for m, (_, id) in enumerate(self.followers)}

    def _n_modes(self) -> list[int]:
        return [self.elastic[b.id].n_f if b.id in self.elastic else 0 for b in self.moving]

    def _weighed(self, body: Any) -> MassProperties:
        """Mass, centre and inertia; those of a flexible body as its elements have them."""
        found = body_mass_properties(body)
        record = self.elastic.get(body.id)
        return found if record is None else replace(found, inertia=record.J)

    @property
    def n_bodies(self) -> int:
        """Moving bodies."""
        return len(self.moving)

    @property
    def ground(self) -> int:
        """The number of the ground among carriers: after all bodies and followers."""
        return self.n_bodies + len(self.followers)

    def centers(self) -> np.ndarray:
        """Mass centres in the body frames, (n_bodies, 3)."""
        center = np.zeros((self.n_bodies, 3))
        for k, p in enumerate(self.properties):
            center[k, : self.dim] = p.center
        return center

    def pose(self, body: Any) -> tuple[np.ndarray, np.ndarray]:
        """Origin and axes (3x3, body -> world) of a body as drawn."""
        return place(body)

    def marker(self, id: Id) -> tuple[int, np.ndarray, np.ndarray]:
        """Body index, origin from the mass centre and axes (3x3, columns) of a marker, as drawn, body axes.

        The ground has the number of bodies.
        """
        if id not in self._found:
            self._found[id] = self._located(id)
        body, P, axes = self._found[id]
        return body, P.copy(), axes

    def _located(self, id: Id) -> tuple[int, np.ndarray, np.ndarray]:
        """As `marker`, which asks once for each."""
        marker = self.model[id]
        P, axes = place(marker)
        if marker.body in self.index:
            k = self.index[marker.body]
            P[: self.dim] -= self.properties[k].center
            return k, P, axes
        if marker.body != GROUND:  # a fixed body is part of the ground
            r, R = self.pose(self.model[marker.body])
            P, axes = r + R @ P, R @ axes
        return self.n_bodies, P, axes

    def carrier(self, id: Id) -> tuple[int, np.ndarray, np.ndarray]:
        """Carrier, origin from its own and axes of a marker, in its axes.

        Without an id the axes of the world at its origin, of a body its axes at its mass centre.
        """
        if not id or id in self.index:
            k = self._carrier.get(id, self.index.get(id, self.ground))
            return k, np.zeros(3), np.eye(3)
        body, P, axes = self.marker(id)
        if id in self._carrier:
            return self._carrier[id], np.zeros(3), axes
        return (self.ground if body == self.n_bodies else body), P, axes

    def frame(self, id: Id) -> tuple[int, np.ndarray, np.ndarray]:
        """As `carrier`, and of a body its own frame."""
        if id not in self.model or self.model[id].family != "body":
            return self.carrier(id)
        if id in self.index:
            P = np.zeros(3)
            P[: self.dim] = self.properties[self.index[id]].center
            return self.index[id], -P, np.eye(3)
        return self.ground, *self.pose(self.model[id])

    def marker_angle(self, id: Id) -> float:
        """The angle of a planar marker in its body, or in the world on the ground; turns counted."""
        if not id or id in self.index:
            return 0.0
        marker = self.model[id]
        on_ground = marker.body not in self.index and marker.body != GROUND
        base = getattr(self.model[marker.body], "angle", 0.0) if on_ground else 0.0
        return float(base + marker.angle)

    def orientation_code(self, body: Any) -> int:
        """-1 for a quaternion, else the number of the Euler sequence."""
        choice = getattr(body, "parameters", "quaternion")
        if choice == "as model":
            choice = self.model.settings.orientation
        return -1 if choice == "quaternion" else SEQUENCES.index(choice)

    def drawn_state(self) -> tuple[np.ndarray, np.ndarray]:
        """q and v of the mass centres as drawn; velocities that are left empty are zero."""
        q, v = self._drawn_state
        return q.copy(), v.copy()

    @cached_property
    def _drawn_state(self) -> tuple[np.ndarray, np.ndarray]:
        """As `drawn_state`, which gives copies."""
        at = self.layout
        q, v = np.zeros(at.n_q), np.zeros(at.n_v)
        for k, (body, center) in enumerate(zip(self.moving, self.centers())):
            r, R = self.pose(body)
            arm = R @ center
            q[at.position(k)] = (r + arm)[: self.dim]
            v[at.velocity(k)] = 0.0 if body.velocity is None else body.velocity
            if self.dim == 3:
                unit = np.array(getattr(body, "orientation", (1.0, 0.0, 0.0, 0.0)), dtype=float)
                code = self.orientation_code(body)
                if code < 0:
                    q[at.orientation(k)] = quaternion.normalise(unit)
                else:
                    q[at.angles(k)] = convert(unit, "quaternion", SEQUENCES[code])
            if isinstance(body, Particle):
                continue
            if self.dim == 2:
                spin = 0.0 if body.spin is None else body.spin
                q[at.orientation(k)], v[at.spin(k)] = body.angle, spin
                v[at.velocity(k)] += spin * np.array([-arm[1], arm[0]])
            else:
                v[at.spin(k)] = body.angular_velocity or (0.0, 0.0, 0.0)
                v[at.velocity(k)] += R @ np.cross(v[at.spin(k)], center)
        return q, v

    @cached_property
    def typical_length(self) -> float:
        """The size of the drawing: the reference for residuals."""
        centers = self._drawn_state[0][self.layout.positions]
        found = [self.marker(marker.id) for marker in self.model.of("marker")]
        of = np.array([body for body, _, _ in found], dtype=np.int64)
        P = np.array([P for _, P, _ in found]).reshape(-1, 3)
        moving = of < self.n_bodies
        axes = np.array([self.pose(body)[1] for body in self.moving]).reshape(-1, 3, 3)
        arms = np.einsum("nij,nj->ni", axes[of[moving]], P[moving])[:, : self.dim]
        everything = np.concatenate(
            [centers, centers[of[moving]] + arms, P[~moving][:, : self.dim]]
        )
        return (float(np.ptp(everything, axis=0).max()) or 1.0) if len(everything) else 1.0

    def packed_bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses, inertia and orientation codes for the kernels, and the weight vector."""
        bodies = placed_bodies(self.dim, self._n_modes())
        n_u = self.layout.n_v + RIGID[self.dim].n_v * len(self.followers)
        weight = np.zeros(n_u)
        for k, (body, p) in enumerate(zip(self.moving, self.properties)):
            bodies[k]["inv_mass"] = 1.0 / p.mass
            weight[self.layout.velocity(k)] = p.mass * np.array(self.model.gravity, dtype=float)
            if self.dim == 3:
                bodies[k]["orientation"] = self.orientation_code(body)
            if isinstance(body, Particle):
                continue
            if self.dim == 2:
                bodies[k]["J"][0, 0] = p.inertia
                bodies[k]["inv_J"][0, 0] = 1.0 / p.inertia
            else:
                bodies[k]["J"] = p.inertia
                bodies[k]["inv_J"] = np.linalg.inv(np.array(p.inertia))
        return bodies, weight

    def carriers(self, bodies: np.ndarray, ranges: np.ndarray) -> np.ndarray:
        """The records of all carriers: bodies, and followers behind them; `ranges` are their rows of D."""
        n_d = RIGID[self.dim].n_v
        found = np.zeros(self.ground, dtype=BODY)
        found[: self.n_bodies] = bodies
        behind = found[self.n_bodies :]
        behind["n_q"], behind["n_v"] = RIGID[self.dim]
        behind["v_at"] = self.layout.n_v + n_d * np.arange(len(behind))
        found["start"], found["stop"] = ranges.T
        return found
