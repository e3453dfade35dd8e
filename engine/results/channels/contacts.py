"""Channels of shapes and teeth that touch: how deep, how hard, how they slide and roll, and where.

With C the point of contact, c_i and c_j the same point in the axes of both bodies, and R_i, R_j these axes,

    w_i = R_i c_i_dot,   w_j = R_j c_j_dot          how fast the point moves over each surface
    v = w_i - w_j                                   how fast they slide
    S/R = |v| / max(|w_i|, |w_j|)                   1: one of them only slides, 0: both roll

The point is followed from frame to frame. Friction takes the power T.v.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import say
from engine.kernels.acting.interactions import (
    DEPTH,
    FRICTION,
    LAG,
    LOSS,
    NORMAL,
    PAIRS,
    PRESSURE,
    SLIDING,
    SPOT,
)
from engine.model.joints.tooth_contact import ToothedPair
from engine.results.channels.channel import WORLD, Channel, component, vector
from engine.results.channels.motion import body_motion, turned, turned_back

if TYPE_CHECKING:
    from engine.results.results import Results

TOLD = 7  # columns before those that an interaction tells
STILL = 1e-9  # [1/s] speed, in sizes of the model, of a point of contact that does not move

Each = Callable[[], np.ndarray]  # what each interaction tells, (n_interactions, n, TOLD + N_TOLD)


def channels_of_contact(
    results: "Results", force: Any, which: list[int], each: Each
) -> Iterator[Channel]:
    """How deep shapes press, how hard, and how they slide; of several corners the sum, or the deepest."""
    id, who = force.id, force.label
    for name, label, unit, column, fold in (
        ("normal_force", "normal force", "N", PRESSURE, np.sum),
        ("friction", "friction", "N", FRICTION, np.sum),
        ("depth", "depth; negative: distance", "m", DEPTH, np.max),
    ):
        compute = partial(folded, each, column, fold)
        yield Channel(f"{id}.{name}", f"{who}: {label}", unit, "", compute)
    yield Channel(f"{id}.pressed", f"{who}: 1 where it presses", "", "", partial(_pressed, each))
    takes = partial(_power_of_friction, each)
    about = say("Negative: it takes energy.")
    yield Channel(f"{id}.friction_power", f"{who}: power of friction", "W", "", takes, about)
    about = say("From the first frame on, by trapezoids over the frames.")
    work = partial(_work_of_friction, results, takes)
    yield Channel(f"{id}.friction_work", f"{who}: work of friction", "J", "", work, about)
    if len(which) == 1:
        yield from _of_one_point(results, force, which[0], each)
    if isinstance(force, ToothedPair):
        told = partial(_summed, each)
        label = f"{who}: pairs of teeth in contact"
        yield Channel(f"{id}.pairs", label, "", "", component(told, TOLD + PAIRS))
        lag = component(told, TOLD + LAG)
        about = say("How far the second gear lags behind an ideal one, along the line of action.")
        label = f"{who}: transmission error"
        yield Channel(f"{id}.transmission_error", label, "m", "", lag, about)


def _of_one_point(results: "Results", force: Any, which: int, each: Each) -> Iterator[Channel]:
    """Sliding, rolling, the place and the normal force of what touches at one point."""
    id, who, dim = force.id, force.label, results.compiled.system.dim
    about = say("Of the second shape against the first, along the tangent of the contact.")
    sliding = partial(folded, each, SLIDING, np.sum)
    yield Channel(f"{id}.sliding_speed", f"{who}: sliding speed", "m/s", "", sliding, about)
    if not isinstance(force, ToothedPair):  # the mean point of several pairs jumps
        about = say(
            "1 where one shape only slides, more where both move against each other, 0 where both "
            "roll, or where nothing presses."
        )
        ratio = partial(_slide_roll, results, which, each)
        yield Channel(f"{id}.slide_roll", f"{who}: slide-roll ratio", "", "", ratio, about)
    spot = partial(_columns, each, SPOT)
    yield from vector(f"{id}.*", f"{who}: point of contact", "m", WORLD, dim, spot)
    record = results.compiled.system.interactions[which]
    for carrier in (int(record["i"]), int(record["j"])):
        body = _body(results, carrier)
        if body is not None:
            label = f"{who}: point of contact on {body.label}"
            seen = partial(_on_body, results, carrier, each)
            axes = f"axes of {body.label}"
            yield from vector(f"{id}.*_on_{body.id}", label, "m", axes, dim, seen)
    push = partial(_columns, each, NORMAL)
    about = say("On the second shape; the first takes the opposite.")
    yield from vector(f"{id}.normal_*", f"{who}: normal force", "N", WORLD, dim, push, about)


def folded(each: Each, column: int, fold: Any) -> np.ndarray:
    """One number that is told, of all interactions together."""
    return np.asarray(fold(each()[:, :, TOLD + column], axis=0))


def _summed(each: Each) -> np.ndarray:
    return each().sum(axis=0)


def _columns(each: Each, first: int) -> np.ndarray:
    """A vector that the first interaction tells, (n, 3)."""
    return each()[0, :, TOLD + first : TOLD + first + 3]


def _pressed(each: Each) -> np.ndarray:
    """1 in frames in which a normal force acts."""
    return (folded(each, PRESSURE, np.sum) > 0.0).astype(float)


def _power_of_friction(each: Each) -> np.ndarray:
    """-T.v of all corners or pairs."""
    return -folded(each, LOSS, np.sum)


def _work_of_friction(results: "Results", power: Callable[[], np.ndarray]) -> np.ndarray:
    """The integral of a power over the frames."""
    P = power()
    return np.concatenate([[0.0], np.cumsum(0.5 * np.diff(results.t) * (P[1:] + P[:-1]))])


def _body(results: "Results", carrier: int) -> Any:
    """The element of a carrier that moves; None: the ground."""
    compiled = results.compiled
    if carrier == compiled.ground:
        return None
    if carrier >= compiled.layout.n_bodies:
        carrier, _ = compiled.body_and_follower(carrier)
    return compiled.model[compiled.body_ids[carrier]]


def _on_body(results: "Results", carrier: int, each: Each) -> np.ndarray:
    """The point of contact from the origin of a body, in its axes, (n, 3)."""
    compiled, moving = results.compiled, body_motion(results, carrier)
    seen = turned_back(moving.R, _columns(each, SPOT) - moving.r)
    return seen + (compiled.center[carrier] if carrier < compiled.layout.n_bodies else 0.0)


def _slide_roll(results: "Results", which: int, each: Each) -> np.ndarray:
    """S/R in every frame; 0 where nothing presses or moves."""
    n = len(results)
    if n < 2:
        return np.zeros(n)
    told, record = each(), results.compiled.system.interactions[which]
    C, fastest = told[0, :, TOLD + SPOT : TOLD + SPOT + 3], np.zeros(n)
    for carrier in (int(record["i"]), int(record["j"])):
        moving = body_motion(results, carrier)
        seen = turned_back(moving.R, C - moving.r)
        with np.errstate(divide="ignore", invalid="ignore"):  # frames at one time
            rate = np.nan_to_num(np.gradient(seen, results.t, axis=0), posinf=0.0, neginf=0.0)
        over = turned(moving.R, rate)
        fastest = np.maximum(fastest, np.linalg.norm(over, axis=1))
    moves = (fastest > STILL * results.compiled.length) & (told[0, :, TOLD + PRESSURE] > 0.0)
    sliding = np.abs(told[0, :, TOLD + SLIDING])
    return np.where(moves, sliding / np.where(moves, fastest, 1.0), 0.0)
