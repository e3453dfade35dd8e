"""Close a mechanism again after a size, a place or a parameter has been changed.

The body that was changed stays with its angle, and so does what is marked as typed; the others move by the
least amount. Only if that leaves a gap, everything moves except the typed value itself. If it gapes even
then, nothing moves. Joints that are torn far apart close in short strides, which keeps the branch.

Displacement is measured as in a drag, by size and not by mass: a heavy body follows as easily as a light
one. Bodies that are placed by formulas stay where these say.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled, compile_model
from engine.errors import EngineError
from engine.formulas.resolve import resolved
from engine.kinematics.assemble import gap_sentence, refuse_turned_axes
from engine.kinematics.closing import (
    CLOSED,
    TIGHT,
    Conditions,
    closed_in_strides,
    difference,
)
from engine.kinematics.drag_parts import is_placed_by_numbers, part, weightless
from engine.kinematics.holding import Hold, drawn, left_of, typed, whole_bodies
from engine.kinematics.poses import body_frames
from engine.model.bodies import Particle, placed_by_hand
from engine.model.elements import Id, Model, put

OPEN = 1e-6  # of the size: a joint that was drawn wider open need not close
Value = tuple[Id, str]  # a body and its position, angle or orientation


class Reassembly(NamedTuple):
    """The model after a change, and where it is open, in words; nothing is said if it is closed."""

    model: Model
    sentence: str = ""
    ids: tuple[Id, ...] = ()  # the joint that is open

    @property
    def is_closed(self) -> bool:
        """Whether every joint is closed that was closed before."""
        return not self.sentence


def reassembled(
    before: Model | None,
    after: Model,
    changed: Sequence[Id] = (),
    values: Sequence[Value] = (),
) -> Reassembly:
    """The model after a change of some bodies, its joints closed again; `values` hold in any case.

    Joints that were open before may stay open; without a model before the change, none may. A model
    that cannot be compiled is returned as it is: what is wrong with it is told elsewhere.
    """
    try:
        compiled = _compiled(after)
    except EngineError:
        return Reassembly(after)
    if not compiled.n_rows:
        return Reassembly(after)
    whole = Conditions(compiled)
    Phi = whole.Phi(compiled.q0)
    left = left_of(compiled, typed(compiled), compiled.q0, whole.values)
    if max(np.abs(Phi).max(), np.abs(left).max(initial=0.0)) <= TIGHT * compiled.length:
        return Reassembly(after)
    for without in _left_open(before):
        for still, holds in _attempts(after, compiled, changed, values):
            q = _closed(Conditions(compiled, holds=holds, without=without), compiled.q0)
            if q is not None:
                return Reassembly(in_pose(after, compiled, q, still))
    where, id = gap_sentence(compiled, Phi)
    return Reassembly(after, where, (id,))


def _compiled(model: Model) -> Compiled:
    """The bodies and joints of a model, weighted by size."""
    moving = frozenset(b.id for b in model.of("body") if not b.fixed)
    return compile_model(weightless(resolved(part(model, moving))))


def _left_open(before: Model | None) -> Iterator[tuple[Id, ...]]:
    """Which joints need not close: first none, then those that were open before."""
    yield ()
    if before is None:
        return
    try:
        old = _compiled(before)
    except EngineError:
        return
    apart = np.abs(Conditions(old).Phi(old.q0)) > OPEN * old.length
    opened = {old.row_ids[row] for row in np.flatnonzero(apart)}
    if opened:
        yield tuple(sorted(opened))


def _attempts(
    model: Model, compiled: Compiled, changed: Sequence[Id], values: Sequence[Value]
) -> Iterator[tuple[set[Id], list[Hold]]]:
    """What is held, from everything to the least: the bodies that stay whole, and all that holds."""
    written = [id for id in compiled.body_ids if not is_placed_by_numbers(model[id])]
    always = [drawn(compiled, id, field) for id, field in values if id in compiled.body_ids]
    marks, seen = typed(compiled), list[Any]()
    for bodies in ([*changed, *written], written):
        for marked in (marks, []):
            own = {id for id in bodies if id in compiled.body_ids}
            extra = {hold[:2]: hold for hold in (*always, *marked) if hold.id not in own}
            if (which := (own, set(extra))) not in seen:
                seen.append(which)
                yield own, [*whole_bodies(compiled, sorted(own)), *extra.values()]


def _closed(conditions: Conditions, q: np.ndarray) -> np.ndarray | None:
    """The nearest pose in which the conditions hold, or None."""
    found = closed_in_strides(conditions, q)
    if not found.gap <= CLOSED * conditions.size:
        return None
    try:
        refuse_turned_axes(conditions.compiled, found.q)
    except EngineError:
        return None
    return found.q


def in_pose(
    model: Model, compiled: Compiled, q: np.ndarray, still: frozenset[Id] | set[Id] = frozenset()
) -> Model:
    """The model with its bodies in a pose; those that stay, or move by rounding only, are unchanged."""
    layout, frames = compiled.layout, body_frames(compiled, q)
    way = np.abs(difference(compiled, q, compiled.q0))
    new: list[Any] = []
    for k, id in enumerate(compiled.body_ids):
        if id in still or way[layout.v(k)].max() <= TIGHT * compiled.length:
            continue
        place: dict[str, Any] = {"position": tuple(frames.r[k, : layout.dim].tolist())}
        if not isinstance(model[id], Particle):
            turn = q[layout.orientation(k)]
            if layout.dim == 2:
                place["angle"] = float(turn[0])
            else:
                place["orientation"] = tuple((turn / np.linalg.norm(turn)).tolist())
        new.append(placed_by_hand(model[id], **place))
    return put(model, *new) if new else model
