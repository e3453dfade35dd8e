"""Where the bodies and markers of a resolved model are, as drawn, and the masses of the bodies."""

from typing import Any

import numpy as np

from engine.kernels.state import Layout, rigid_bodies
from engine.model.bodies import Particle
from engine.model.elements import GROUND, Id, Model
from engine.model.places import place
from engine.model.shapes import body_mass_properties
from rotations import SEQUENCES, convert, quaternion


class Geometry:
    """The drawing in numbers: moving bodies have an index, everything else is ground."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.dim = model.dim
        self.moving = [b for b in model.of("body") if not b.fixed]
        self.layout = Layout(self.dim, rigid_bodies(self.dim, len(self.moving)))
        self.index = {b.id: k for k, b in enumerate(self.moving)}
        self.properties = [body_mass_properties(b) for b in self.moving]

    @property
    def n_bodies(self) -> int:
        """Moving bodies; also the index of the ground."""
        return len(self.moving)

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
        """Body index, origin from the mass centre and axes (3x3, columns) of a marker, body axes."""
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

    def marker_or_world(self, id: Id) -> tuple[int, np.ndarray, np.ndarray]:
        """As `marker`; without an id the axes of the world at its origin."""
        return self.marker(id) if id else (self.n_bodies, np.zeros(3), np.eye(3))

    def marker_angle(self, id: Id) -> float:
        """The angle of a planar marker in its body, or in the world on the ground; turns counted."""
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

    def typical_length(self) -> float:
        """The size of the drawing: the reference for residuals."""
        q0, _ = self.drawn_state()
        centers = q0[self.layout.positions]
        places = [np.zeros((0, self.dim)), centers]
        for marker in self.model.of("marker"):
            body, P, _ = self.marker(marker.id)
            if body < self.n_bodies:
                _, R = self.pose(self.moving[body])
                places.append(centers[body : body + 1] + (R @ P)[: self.dim])
            else:
                places.append(P[None, : self.dim])
        everything = np.concatenate(places)
        return (float(np.ptp(everything, axis=0).max()) or 1.0) if len(everything) else 1.0

    def packed_bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """Masses, inertia and orientation codes for the kernels, and the weight vector."""
        bodies, weight = rigid_bodies(self.dim, self.n_bodies), np.zeros(self.layout.n_v)
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
