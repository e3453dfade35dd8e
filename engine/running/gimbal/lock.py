"""Gimbal lock in plain words: what it is, which axes coincide, what goes wrong, what to do.

The three angles of a sequence are three rings, one inside the other. The axis of the outer ring is fixed,
that of the middle ring is carried by the outer one, that of the inner ring by the middle one. A prime marks
an axis that was turned once, two primes one that was turned twice.
"""

from math import asin, degrees

from engine.errors import say
from rotations import gimbal_lock
from rotations.sequences import name_of

AXES = "xyz"
NEAR = gimbal_lock.AMBER_BELOW  # s below which a run switches, if it may
LEAST = 0.01  # degrees; smaller distances read the same
UNSAFE = gimbal_lock.RED_BELOW  # s below which a run stops, if it is set to


def axes_of(sequence: str) -> tuple[str, str, str]:
    """The axes of the outer, middle and inner ring, such as ("z", "y'", "x''")."""
    i, j, k = (AXES[int(digit) - 1] for digit in name_of(sequence).split("-"))
    return i, f"{j}'", f"{k}''"


def warning(label: str, sequence: str, t: float, measure: float, near_lock: str) -> str:
    """The sentence when a body comes near lock: how near, what happens to the numbers, what follows."""
    outer, _, inner = axes_of(sequence)
    return say(
        "Body '{label}' is {distance} from gimbal lock of the sequence {sequence} at "
        "t = {t:.4g} s: its axes {outer} and {inner} nearly coincide, and its angle rates grow without "
        "bound there. {follows}",
        label=label,
        distance=distance(measure),
        sequence=sequence,
        t=t,
        outer=outer,
        inner=inner,
        follows=_follows(near_lock),
    )


def crossing(label: str, sequence: str, before: float, t: float) -> str:
    """The sentence when a body has crossed the lock between two frames."""
    return say(
        "Body '{label}' passed through gimbal lock of the sequence {sequence} between t = {before:.4g} s "
        "and t = {t:.4g} s. Its angles do not show how it turned there; quaternions would.",
        label=label,
        sequence=sequence,
        before=before,
        t=t,
    )


def switching(label: str, old: str, new: str, t: float, measure: float) -> str:
    """The sentence when a run continues with other parameters."""
    outer, _, inner = axes_of(old)
    return say(
        "Body '{label}' switched from {old} to {new} at t = {t:.6g} s, because it was "
        "{distance} from gimbal lock, where its axes {outer} and {inner} coincide. The "
        "motion goes on without a jump; what is shown stays in the parameters of the model.",
        label=label,
        old=old,
        new=new,
        t=t,
        distance=distance(measure),
        outer=outer,
        inner=inner,
    )


def too_fast(label: str, t: float, h: float) -> str:
    """The sentence when no sequence is far enough from lock for the step."""
    return say(
        "The run stopped at t = {t:.6g} s: body '{label}' turns so fast that even the best sequence may "
        "reach its gimbal lock within a step of {h:g} s. Use a shorter step, or quaternions.",
        t=t,
        label=label,
        h=h,
    )


def stopping(label: str, sequence: str, t: float, measure: float) -> str:
    """The sentence of a run that ends at the lock."""
    outer, _, inner = axes_of(sequence)
    return say(
        "The run stopped. Body '{label}' is {distance} from gimbal lock of the sequence "
        "{sequence} at t = {t:.4g} s: its axes {outer} and {inner} nearly coincide, and a step can no "
        "longer be trusted. Use quaternions or another sequence for it, or let the run switch by "
        "itself near lock.",
        label=label,
        distance=distance(measure),
        sequence=sequence,
        t=t,
        outer=outer,
        inner=inner,
    )


def distance(measure: float) -> str:
    """The distance of s from the lock, in degrees."""
    angle = degrees(asin(min(max(measure, 0.0), 1.0)))
    return (
        say("{angle:.2g} degrees", angle=angle)
        if angle >= LEAST
        else say("less than {least:g} degrees", least=LEAST)
    )


def _follows(near_lock: str) -> str:
    """What the run will do, by the setting."""
    if near_lock == "stop":
        return say(
            "The run will stop before its numbers are spoiled. Use quaternions or another sequence."
        )
    if near_lock == "warn":
        return say(
            "The run goes on as long as its steps can be trusted. Use quaternions or another sequence "
            "for it, or let the run switch by itself."
        )
    return say("The run will switch by itself.")
