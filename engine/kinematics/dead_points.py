"""Where a driven mechanism cannot go on: the last moment at which its joints can be closed, and its pose.

At a dead point the rows become dependent: there is a set of multipliers with D^T lam = 0, a load that the
joints pass round among themselves. It is the left singular vector u of the smallest singular value of

    diag(S)^(-1/2) D W^(1/2)          lam = diag(S)^(-1/2) u

and a motion that goes on would raise it without bound. Of the joints that carry it, one whose bodies are in
line is named: that is what one sees.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled, workspace
from engine.errors import say
from engine.kernels import histories
from engine.kernels.functions import STACK_SIZE
from engine.kernels.layout import (
    ACCELERATION,
    ALONG,
    ANGLE,
    DISTANCE,
    POINT,
    POSITION,
    Workspace,
)
from engine.kinematics.assemble import joint_words
from engine.kinematics.closing import Conditions, closed_near
from engine.kinematics.evaluate import dense_D, fill, inverse_mass
from engine.kinematics.poses import body_frames
from engine.model.attachments import markers_of
from engine.model.elements import Id
from engine.model.shapes import Beam

PARTS = 8  # of the time that is searched: short enough to stay on one branch
EASY = 3  # steps in a row after which longer ones are tried
TRIED = 200  # poses at most
MOMENT = 1e-7  # of the time that is searched: accuracy of the last moment
SAMPLES = 33  # of a law that is integrated
IN_LINE = 0.02  # [rad] between two bodies that count as being in line
CARRIES = 0.3  # of the largest load in a joint: less does not count
BENT = 1e-3  # of the coordinates of shapes, which are of order one
ROUNDING = 1e-8  # of a singular value of rows of unit length
DEPENDENT = 0.02  # a singular value, of the largest, below which a pose counts as a dead point


class Pose(NamedTuple):
    """A pose at a time, with full turns of the angles, and the rates where they are known."""

    t: float
    q: np.ndarray
    angle: np.ndarray  # (n_terms,)
    rate: np.ndarray  # (n_terms,)


class DeadPoint(NamedTuple):
    """A pose at which a mechanism cannot go on."""

    t: float
    ids: tuple[Id, ...]  # the joint that is named, and the motion
    joint: str  # with its bodies, in words
    pose: str  # a sentence


class Motions:
    """What motions ask for from a pose on; those by speed or acceleration are integrated over time."""

    def __init__(self, compiled: Compiled, start: Pose) -> None:
        self._compiled, self._start = compiled, start
        system = compiled.system
        self._late = []  # row, its coordinate, its function
        for driven in system.driven:
            row, level = int(driven["row"]), system.rows["level"][driven["row"]]
            terms = system.uses["term"][system.uses["row"] == row]
            if level != POSITION and len(terms) == 1:
                if system.terms["kind"][terms[0]] in (ALONG, ANGLE, DISTANCE):
                    self._late.append((row, int(terms[0]), int(driven["function"])))

    def given(self, t: float) -> list[tuple[int, int, float]]:
        """Rows by speed and acceleration, their coordinates and where these are at a time.

        x(t) = x + int v ds        or        x + (t - t0) x_dot + int (t - s) a ds,    by Simpson's rule
        """
        found, start = [], self._start
        times = np.linspace(start.t, t, SAMPLES)
        weights = np.ones(SAMPLES)
        weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
        weights *= (t - start.t) / (3.0 * (SAMPLES - 1))
        for row, term, function in self._late:
            law = np.zeros(SAMPLES)
            args, stack = np.zeros(5), np.zeros(STACK_SIZE)
            histories.over_time(self._compiled.system.functions, function, times, args, stack, law)
            x = float(start.angle[term] + weights @ law)
            if self._compiled.system.rows["level"][row] == ACCELERATION:
                moved = float(weights @ ((t - times) * law))
                x = float(start.angle[term] + (t - start.t) * start.rate[term] + moved)
            found.append((row, term, x))
        return found

    def closed_at(self, t: float, near: Pose) -> Pose | None:
        """The closed pose at a time near another one; None if there is none."""
        conditions = Conditions(self._compiled, t)
        conditions.ws.angle[:] = near.angle
        q = closed_near(conditions, near.q, self.given(t))
        return None if q is None else posed(self._compiled, t, q, near.angle)

    def last_closed(self, end: float) -> Pose | None:
        """The last pose before `end` that can be closed; None if all can, or not even the first.

        A search over very many turns is given up: it would take longer than the run.
        """
        here = self.closed_at(self._start.t, self._start)
        if here is None:
            return None
        step, in_a_row = (end - here.t) / PARTS, 0
        width = max(MOMENT * (end - here.t), 1e-15 * abs(end))
        for _ in range(TRIED):
            if here.t >= end:
                break
            ahead = self.closed_at(min(here.t + step, end), here)
            if ahead is None:  # too far at once, or beyond the last pose: nearer ones tell
                step, in_a_row = 0.5 * step, 0
                if step < width:
                    return here
                continue
            here, in_a_row = ahead, in_a_row + 1
            if in_a_row == EASY:
                step, in_a_row = 2.0 * step, 0
        return None


def posed(
    compiled: Compiled, t: float, q: np.ndarray, angle: np.ndarray, v: np.ndarray | None = None
) -> Pose:
    """A pose whose angles count their turns from those given."""
    ws = workspace(compiled.system)
    ws.angle[:] = angle
    values, rates = fill(compiled, ws, t, q, np.zeros_like(compiled.v0) if v is None else v)
    return Pose(t, q, values, rates)


def dead_point(compiled: Compiled, start: Pose, end: float) -> DeadPoint | None:
    """The dead point of motions between a closed pose and a time; None if there is none."""
    if not len(compiled.system.driven) or not end > start.t:
        return None
    last = Motions(compiled, start).last_closed(end)
    return None if last is None else told(compiled, last)


def near_dead_point(compiled: Compiled, pose: Pose, redundant: int) -> DeadPoint | None:
    """The dead point that a pose is near: rows that were independent at the start hardly are."""
    values, _ = singular_values(compiled, pose)
    if len(values) <= redundant or values[redundant] > DEPENDENT * values[-1]:
        return None
    return told(compiled, pose, redundant)


def singular_values(compiled: Compiled, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """The singular values of the scaled D, smallest first, and the multipliers of each as columns."""
    ws = _at(compiled, pose)
    D, W = dense_D(compiled, ws), inverse_mass(compiled)
    S = D @ W @ D.T
    scale = 1.0 / np.sqrt(np.maximum(S.diagonal(), 1e-300))
    squares, vectors = np.linalg.eigh(scale[:, None] * S * scale)
    return np.sqrt(np.maximum(squares, 0.0)), scale[:, None] * vectors


def remarks_on_locked_beams(compiled: Compiled, q: np.ndarray) -> Iterator[str]:
    """A sentence for each beam that cannot bend, because it would have to become shorter or to twist.

    Straight it is at a dead point: bent by a little, more of its rows are independent.
    """
    stiff = [id for id, one in compiled.elastic.items() if _not_kept(compiled, one.beam)]
    if not stiff:
        return
    straight = _rank(compiled, q)
    if _rank(compiled, _bent(compiled, q, stiff)) == straight:
        return
    for id in stiff:
        n = _rank(compiled, _bent(compiled, q, [id])) - straight
        if n > 0:
            fields = [f"{name} = 1" for name in _not_kept(compiled, compiled.elastic[id].beam)]
            yield say(
                "Beam '{label}' cannot bend: as it is held it would have to stretch or twist, and it keeps "
                "no shapes of that. Give its shape {fields}, or the run may take very long.",
                label=compiled.resolved[id].label,
                fields=", ".join(fields[:n]),
            )


def _not_kept(compiled: Compiled, beam: Any) -> list[str]:
    """The fields of the shapes of stretch and torsion that a beam does not keep; a part has none."""
    if not isinstance(beam, Beam):
        return []
    names = ("stretch",) if compiled.system.dim == 2 else ("stretch", "twist")
    return [name for name in names if not int(getattr(beam, name))]


def _bent(compiled: Compiled, q: np.ndarray, ids: Sequence[Id]) -> np.ndarray:
    """The coordinates with all shapes of some beams added a little, and differently."""
    bent = q.copy()
    for id in ids:
        k = compiled.body_ids.index(id)
        bent[compiled.layout.modes(k)] += BENT * np.cos(1.0 + np.arange(compiled.layout.n_modes(k)))
    return bent


def _rank(compiled: Compiled, q: np.ndarray) -> int:
    """How many rows are independent."""
    ws = workspace(compiled.system)
    fill(compiled, ws, 0.0, q, np.zeros_like(compiled.v0))
    D = dense_D(compiled, ws)
    sizes = np.linalg.norm(D, axis=1)
    D = D[sizes > 0.0] / sizes[sizes > 0.0, None]
    return int((np.linalg.svd(D, compute_uv=False) > ROUNDING).sum()) if len(D) else 0


def told(compiled: Compiled, pose: Pose, which: int | None = None) -> DeadPoint:
    """A dead point in words; `which` is the singular value, by default the one that loads a motion most."""
    values, loads = singular_values(compiled, pose)
    driven = _driven_rows(compiled)
    if which is None:  # redundant rows have small values too, but no load on a motion
        small = np.flatnonzero(values < DEPENDENT * values[-1])
        small = small if len(small) else np.array([0])
        share = np.abs(loads[driven][:, small]).max(axis=0) / np.abs(loads[:, small]).max(axis=0)
        which = int(small[share.argmax()])
    lam = loads[:, which]
    joint, in_line = _named_joint(compiled, pose, lam)
    motion = max(driven, key=lambda row: abs(lam[row]), default=None)
    words, ids = [], [joint]
    if in_line:
        words.append(say("bodies '{a}' and '{b}' are in line", a=in_line[0], b=in_line[1]))
    if motion is not None:
        id = compiled.row_ids[motion]
        ids.append(id)
        words.append(_reached(compiled, pose, motion))
    if not words:
        sentence = ""
    elif len(words) == 1:
        sentence = say("There {first}.", first=words[0])
    else:
        sentence = say("There {first}, and {second}.", first=words[0], second=words[1])
    return DeadPoint(pose.t, tuple(ids), joint_words(compiled, joint), sentence)


def _driven_rows(compiled: Compiled) -> list[int]:
    """The rows whose targets are given over time."""
    return [int(row) for row in compiled.system.driven["row"]]


def _at(compiled: Compiled, pose: Pose) -> Workspace:
    """A workspace that is filled in a pose at rest."""
    ws = workspace(compiled.system)
    ws.angle[:] = pose.angle
    fill(compiled, ws, pose.t, pose.q, np.zeros_like(compiled.v0))
    return ws


def _reached(compiled: Compiled, pose: Pose, row: int) -> str:
    """How far a motion, or a rod whose length is given over time, has brought its coordinate, in words."""
    motion: Any = compiled.resolved[compiled.row_ids[row]]
    uses = compiled.system.uses
    term = int(uses["term"][uses["row"] == row][0])
    value = float(pose.angle[term])
    is_angle = compiled.system.terms["kind"][term] == ANGLE
    reached = (
        say("{angle:.6g} degrees", angle=np.degrees(value))
        if is_angle
        else say("{length:.6g} m", length=value)
    )
    if not hasattr(motion, "joint"):
        return say(
            "{driven} has come to {value}", driven=joint_words(compiled, motion.id), value=reached
        )
    return say(
        "the motor '{motion}' has brought joint '{joint}' to {value}",
        motion=motion.label,
        joint=compiled.resolved[motion.joint].label,
        value=reached,
    )


def _named_joint(
    compiled: Compiled, pose: Pose, lam: np.ndarray
) -> tuple[Id, tuple[str, str] | None]:
    """The joint to name, and the labels of its bodies if they are in line there."""
    model, frames = compiled.resolved, body_frames(compiled, pose.q)
    load = {
        id: float(np.linalg.norm(lam[rows]))
        for id, rows in compiled.rows_of.items()
        if model[id].family == "joint"
    }
    most = max(load.values(), default=0.0)
    pins: dict[Id, dict[Id, np.ndarray]] = {}  # joint -> body -> its point there, world axes
    for id in load:
        kinds = [term.kind for row in model[id].rows(model) for _, term in row.terms]
        if kinds and kinds[0] == POINT and load[id] >= CARRIES * most:
            pins[id] = {}
            for marker in markers_of(model[id]):
                body = model[marker].body
                if body in compiled.body_ids:
                    k = compiled.body_ids.index(body)
                    place = np.zeros(3)
                    place[: compiled.system.dim] = model[marker].position
                    pins[id][body] = frames.r[k] + frames.R[k] @ place
    best, found, bodies_of_best = IN_LINE, None, None
    for id, places in pins.items():
        if len(places) != 2:
            continue
        (a, P_a), (b, P_b) = places.items()
        before = [P_a - other[a] for n, other in pins.items() if n != id and a in other]
        after = [other[b] - P_b for n, other in pins.items() if n != id and b in other]
        for u, w in product(before, after):
            sizes = np.linalg.norm(u) * np.linalg.norm(w)
            if sizes > 0.0:
                angle = float(np.linalg.norm(np.cross(u, w)) / sizes)
                if angle < best:
                    best, found, bodies_of_best = angle, id, (a, b)
    if found is not None and bodies_of_best is not None:
        a, b = (model[body].label for body in bodies_of_best)
        return found, (a, b)
    return max(load, key=lambda id: load[id]), None
