"""The three turns of Euler angles one after the other, and the same turns in another order, in numbers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.errors import EngineError, say
from rotations import SEQUENCES, euler_angles, gimbal_lock, matrix
from rotations.gimbal_lock import Level

LARGEST = 1e9  # rad: of larger angles less than eight digits of a turn are known

NATURAL = (0, 1, 2)
ORDERS = ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))  # the others
NAMES = ("φ", "θ", "ψ")
LOCKED = 1e-9  # distance from lock below which numbers say nothing


class Turn(NamedTuple):
    """One elementary turn: which angle, about which axis 1, 2 or 3, and how far."""

    name: str
    axis: int
    angle: float  # [rad]


class Turns(NamedTuple):
    """A sequence with its angles, and the same turns in another order."""

    sequence: str
    angles: np.ndarray  # (3,)           phi, theta, psi                          [rad]
    order: tuple[int, ...]  # of the turns beside it
    turns: tuple[Turn, ...]
    others: tuple[Turn, ...]
    steps: np.ndarray  # (4, 3, 3)       the axes of the body before and after each turn
    other_steps: np.ndarray  # (4, 3, 3) likewise, in the other order
    A: np.ndarray  # (3, 3)              w_fixed = A rates
    B: np.ndarray  # (3, 3)              w_body = B rates

    @property
    def R(self) -> np.ndarray:
        """The rotation of all three turns."""
        return np.asarray(self.steps[-1])

    @property
    def apart(self) -> float:
        """The angle between what both orders lead to [rad]."""
        return float(matrix.angle_between_rotations(self.R, self.other_steps[-1]))

    @property
    def determinant(self) -> float:
        """That of A, and of B."""
        return float(np.linalg.det(self.A))

    @property
    def measure(self) -> float:
        """The distance from gimbal lock, |sin theta| or |cos theta|."""
        return float(gimbal_lock.measure(self.sequence, self.angles))

    @property
    def condition(self) -> float:
        """The condition number of A and of B; inf at the lock."""
        return float(gimbal_lock.condition(self.sequence, self.angles))

    @property
    def level(self) -> Level:
        """Fine, amber or red."""
        return Level(int(gimbal_lock.level_at(self.measure)))


def turns_of(
    sequence: str, angles: Sequence[float] | np.ndarray, order: Sequence[int] = ORDERS[-1]
) -> Turns:
    """Angles [rad] of a sequence, with the same turns in another order."""
    if sequence not in SEQUENCES:
        raise EngineError(
            "There is no sequence '{sequence}'. Choose one of: {known}.",
            sequence=sequence,
            known=", ".join(SEQUENCES),
        )
    given = np.asarray(angles, dtype=float)
    if given.shape != (3,) or not np.isfinite(given).all():
        raise EngineError("Three turns need three angles, each a finite number.")
    if np.abs(given).max() > LARGEST:
        raise EngineError(
            "An angle is at most {largest:g} rad. Type a smaller one.", largest=LARGEST
        )
    if sorted(order) != [0, 1, 2]:
        raise EngineError("An order names each of the three turns once, as 3 2 1.")
    turns = tuple(
        Turn(name, int(axis), float(angle))
        for name, axis, angle in zip(NAMES, sequence.split("-"), given)
    )
    others = tuple(turns[n] for n in order)
    A = euler_angles.rate_matrix(sequence, given, "fixed")
    B = euler_angles.rate_matrix(sequence, given, "body")
    return Turns(
        sequence, given, tuple(order), turns, others, steps_of(turns), steps_of(others), A, B
    )


def steps_of(turns: Sequence[Turn]) -> np.ndarray:
    """The rotation before the first turn and after each, about axes that turn along: (n + 1, 3, 3)."""
    found = [np.eye(3)]
    for one in turns:
        found.append(found[-1] @ matrix.elementary(one.axis, one.angle))
    return np.array(found)


def lock_sentence(found: Turns) -> str:
    """How far it is from lock, or what is left of the angles there."""
    if found.measure > LOCKED:
        return say(
            "det A = det B = {det}; distance from lock {s}, condition number {condition}.",
            det=f"{found.determinant:.4f}".replace("-", "\u2212"),
            s=f"{found.measure:.4f}",
            condition=f"{found.condition:.4g}",
        )
    sign = "+" if found.A[:, 0] @ found.A[:, 2] > 0.0 else "\u2212"
    return say(
        "Gimbal lock: A and B are singular. The first and the third axis lie on one line, only "
        "φ {sign} ψ is defined, and no rates turn the body about the direction that is lost.",
        sign=sign,
    )


def order_sentence(found: Turns) -> str:
    """How far apart both orders end."""
    first, second = (
        " ".join(f"{t.name}:{t.axis}" for t in of) for of in (found.turns, found.others)
    )
    return say(
        "The same turns in the order {second} instead of {first} end {angle}° apart.",
        first=first,
        second=second,
        angle=f"{np.degrees(found.apart) if found.apart > LOCKED else 0.0:.4g}",
    )


def rows_of(found: Turns) -> list[tuple[str, str, float, float, float]]:
    """All matrices row by row, for a table: which, which row, and three numbers."""
    shown = {"R": found.R, "A": found.A, "B": found.B, "R, other order": found.other_steps[-1]}
    for n, one in enumerate(found.steps[1:-1], 1):
        shown[f"after turn {n}"] = one
    for n, one in enumerate(found.other_steps[1:-1], 1):
        shown[f"after turn {n}, other order"] = one
    return [
        (name, str(r + 1), float(M[r, 0]), float(M[r, 1]), float(M[r, 2]))
        for name, M in shown.items()
        for r in range(3)
    ]


def lines_of(found: Turns) -> Iterator[str]:
    """The numbers as text."""
    angles = ", ".join(f"{t.name} = {np.degrees(t.angle):.6g}° about {t.axis}" for t in found.turns)
    yield say("{sequence}: {angles}", sequence=found.sequence, angles=angles)
    for name, M in (("R", found.R), ("A", found.A), ("B", found.B)):
        yield ""
        for r in range(3):
            head = f"{name} = " if r == 1 else " " * (len(name) + 3)
            yield (
                head + "[" + "  ".join(f"{0.0 if abs(x) < 5e-10 else x:12.9f}" for x in M[r]) + " ]"
            )
    yield ""
    yield lock_sentence(found)
    yield order_sentence(found)
