"""The orientation of a body as the orientation instruments show it: in the drawing or in a run."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.model.bodies import SpatialBody
from engine.model.elements import Id, Model
from engine.model.orientation import integration_of, shown_sequence
from rotations import SEQUENCES, RotationError, euler_angles, gimbal_lock, quaternion
from rotations.gimbal_lock import Level

if TYPE_CHECKING:
    from engine.results.results import Results

QUATERNION = "quaternion"


class Attitude(NamedTuple):
    """The orientation of one body at one time, by the angles of one sequence."""

    id: Id
    label: str
    sequence: str  # of the angles
    integration: str  # QUATERNION, or the sequence by which a run follows it
    angles: np.ndarray  # (3,)    phi, theta, psi                       [rad]
    R: np.ndarray  # (3, 3)       body -> world
    w: np.ndarray  # (3,)         angular velocity, body axes           [rad/s]

    @property
    def measure(self) -> float:
        """The distance from gimbal lock as |sin theta| or |cos theta|."""
        return float(gimbal_lock.measure(self.sequence, self.angles))

    @property
    def to_lock(self) -> float:
        """The angle from theta to the nearest lock [rad]."""
        return float(np.radians(gimbal_lock.degrees_to_lock(self.sequence, self.angles)))

    @property
    def level(self) -> Level:
        """Fine, amber or red."""
        return Level(int(gimbal_lock.level_at(self.measure)))

    @property
    def condition(self) -> float:
        """The condition number of the rate matrices; inf at the lock."""
        return float(gimbal_lock.condition(self.sequence, self.angles))

    @property
    def rates(self) -> np.ndarray | None:
        """Rates of the three angles [rad/s]; None at the lock, where they are undefined."""
        try:
            return euler_angles.rates(self.sequence, self.angles, self.w)
        except RotationError:
            return None


def turning_bodies(model: Model) -> list[Any]:
    """The bodies that can turn in space, in creation order."""
    return [b for b in model.of("body") if isinstance(b, SpatialBody) and not b.fixed]


def euler_bodies(model: Model) -> list[Any]:
    """Those of them that a run follows by Euler angles."""
    return [b for b in turning_bodies(model) if integration_of(model, b) != QUATERNION]


def ring_sequence(model: Model, body: Any) -> str:
    """The sequence whose lock matters: that of the run if it has one, else the one shown."""
    chosen = integration_of(model, body)
    return chosen if chosen != QUATERNION else shown_sequence(model, body)


def numbers(model: Model, vector: Any) -> np.ndarray:
    """The numbers of a vector of numbers and expressions; EngineError says what is wrong."""
    if not any(isinstance(one, str) for one in vector):
        return np.array(vector, dtype=float)
    known = parameter_values(model)
    return np.array([value(one, known) if isinstance(one, str) else one for one in vector])


def near_angles(sequence: str, R: np.ndarray, near: np.ndarray | None) -> np.ndarray:
    """Euler angles of an orientation; of all equivalent sets the one nearest to given angles."""
    if near is None:
        return euler_angles.from_matrix(sequence, R)
    found = euler_angles.from_matrix(sequence, R, psi_at_lock=near[2])
    return euler_angles.continuous(sequence, [found], start=near)[0]


def drawn_attitude(
    model: Model, id: Id, sequence: str, near: np.ndarray | None = None
) -> Attitude | None:
    """A body as it is drawn; None if its numbers cannot be evaluated."""
    body = model[id]
    try:
        R = quaternion.matrix(numbers(model, body.orientation))
        w = numbers(model, body.angular_velocity or (0.0, 0.0, 0.0))
    except (EngineError, RotationError):
        return None
    how = integration_of(model, body)
    return Attitude(id, body.label, sequence, how, near_angles(sequence, R, near), R, w)


def run_attitude(
    results: "Results",
    q: np.ndarray,
    frame: int,
    id: Id,
    sequence: str,
    near: np.ndarray | None = None,
) -> Attitude | None:
    """A body in the row q of a run, at the velocities of a frame; None if it does not move there.

    Where the run itself follows the body by these angles, they are exactly those of the run.
    """
    from engine.kinematics.poses import body_frames

    compiled = results.compiled
    if id not in compiled.body_ids or compiled.system.dim == 2:
        return None
    k = compiled.body_ids.index(id)
    code = int(compiled.system.bodies["orientation"][k])
    R = body_frames(compiled, q).R[k]
    own = code >= 0 and SEQUENCES[code] == sequence
    angles = q[compiled.layout.angles(k)].copy() if own else near_angles(sequence, R, near)
    w = results.v[frame, compiled.layout.spin(k)].copy()
    how = SEQUENCES[code] if code >= 0 else QUATERNION
    return Attitude(id, compiled.resolved[id].label, sequence, how, angles, R, w)


def nearest_to_lock(model: Model, results: "Results | None", q: np.ndarray | None) -> Id:
    """The body whose Euler angles are nearest to their lock; else the first that can turn."""
    candidates = euler_bodies(model)
    found: list[tuple[float, Id]] = []
    for body in candidates:
        sequence = integration_of(model, body)
        attitude = (
            run_attitude(results, q, 0, body.id, sequence)
            if results is not None and q is not None
            else drawn_attitude(model, body.id, sequence)
        )
        if attitude is not None:
            found.append((attitude.measure, body.id))
    if found:
        return min(found)[1]
    bodies = turning_bodies(model)
    return bodies[0].id if bodies else ""
