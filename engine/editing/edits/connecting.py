"""Joints and forces where bodies overlap or between two points: the bodies are inferred.

Every function that makes something returns the new model and the id of what it made.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import atan2, cos, dist, hypot, pi, sin
from typing import Any, NamedTuple

from engine.editing.builder.connecting import End
from engine.editing.edits.bodies import radius_of
from engine.editing.edits.placing import (
    Place,
    body_frame,
    built,
    is_still,
    joint_point,
    label,
    marker_place,
    on_body,
    size,
    space_frame,
)
from engine.errors import EngineError, say
from engine.model.attachments import markers_of, reads_axes
from engine.model.elements import GROUND, Element, Id, Model, fresh_id, put, references
from engine.model.forces import FORCES, Torque
from engine.model.joints import JOINTS
from engine.model.joints.freedom import freedom
from engine.model.shapes import Rod
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger

KINDS: dict[str, type[Element]] = {kind.kind: kind for kind in (*JOINTS, *FORCES)}
_JOINT_KINDS = frozenset(kind.kind for kind in JOINTS)
_POINT_MASS = say("A point mass cannot turn, so a pin holds it; choose a pin, or a pin in a slot.")
_POINT_IN_SPACE = say(
    "A point mass cannot turn; hold it with a ball joint, or a point on a line or plane."
)
DUST = 1e-12  # m: two places this near at the origin differ only by rounding
SAME_PLACE = 1e-6  # of the size of the drawing
ENDS_AT = 0.05  # of the length of a rod: a point this near to an end means the end


class Pair(NamedTuple):
    """Two bodies that a joint may connect; the ground or the one drawn first is i."""

    body_i: Id
    body_j: Id


def pairs_at(model: Model, bodies: Sequence[Id], at: Place, kind: str) -> list[Pair]:
    """Which bodies a joint of this kind could connect at a point, the likeliest pair first.

    `bodies` lie there, topmost first. Pairs that nothing could move, and pairs that are joined in
    the same way at the same place, are left out.
    """
    here = _bodies_in(model, bodies)
    found = [_ordered(model, a, b) for a, b in combinations(here, 2)]
    found += [Pair(GROUND, id) for id in here]
    found = [pair for pair in found if not all(is_still(model, body) for body in pair)]
    joined = joined_at(model, here, at, kind)
    found = [pair for pair in found if frozenset(pair) not in joined]
    found = [pair for pair in found if not _has_idle_turn(model, pair, kind)]
    if kind in _JOINT_KINDS and not freedom(KINDS[kind], model.dim).holds_point:
        # What a pin holds together here cannot slide there: another pair is meant.
        held = {frozenset(pair) for _, pair in _holding(model, here, at)}
        found.sort(key=lambda pair: frozenset(pair) in held)
    return [_with_point_second(model, pair, at, kind) for pair in found]


def refuse_none(model: Model, bodies: Sequence[Id], at: Place, kind: str) -> None:
    """Raise EngineError with the reason why nothing can be joined at a point."""
    here = [id for id in bodies if id in model]
    if not here:
        raise EngineError("There is no body here; click where two bodies overlap, or on one.")
    if all(is_still(model, id) for id in here):
        raise EngineError(
            "'{here}' is part of the ground; click where a moving body is.",
            *here,
            here=label(model, here[0]),
        )
    if any(_has_idle_turn(model, Pair(GROUND, id), kind) for id in here):
        raise EngineError(_POINT_MASS if model.dim == 2 else _POINT_IN_SPACE, *here)
    names = " and ".join(f"'{label(model, id)}'" for id in here[:2])
    raise EngineError(
        "There is such a joint on {names} here already; select that one to change it.",
        *here,
        names=names,
    )


def joined_at(model: Model, bodies: Sequence[Id], at: Place, kind: str) -> set[frozenset[Id]]:
    """The pairs of bodies that a joint of this kind connects at this place already."""
    found: set[frozenset[Id]] = set()
    near = 0.0
    for e in model:
        if e.kind != kind or len(markers := markers_of(e)) != 2:
            continue
        pair = frozenset(model[marker].body for marker in markers)
        if pair.isdisjoint(bodies):
            continue
        near = near or SAME_PLACE * size(model)
        place = joint_point(model, e.id)
        if dist(place, at) <= near:
            found.add(pair)
    return found


def doubled(model: Model, kind: str, pair: Pair, at: Place) -> Id:
    """The joint that holds two bodies together at this point already, if one of this kind would too.

    Both would constrain the point twice. Where something drives or measures it, it stays: nothing is named.
    """
    if kind not in _JOINT_KINDS or not freedom(KINDS[kind], model.dim).holds_point:
        return ""
    for e, held in _holding(model, pair, at):
        if e.kind != kind and held == set(pair):
            if not any(e.id in references(other) for other in model):
                return str(e.id)
    return ""


def _holding(model: Model, bodies: Iterable[Id], at: Place) -> Iterator[tuple[Any, set[Id]]]:
    """The joints that hold two bodies, one of them among these, together at a place; with both."""
    among, near = set(bodies), SAME_PLACE * size(model)
    for e in model.of("joint"):
        if len(markers := markers_of(e)) != 2:
            continue
        pair = {model[marker].body for marker in markers}
        if pair.isdisjoint(among) or not freedom(e, model.dim).holds_point:
            continue
        if dist(joint_point(model, e.id), at) <= near:
            yield e, pair


def joint(
    model: Model, kind: str, pair: Pair, at: Place, angle: float = 0.0, **fields: Any
) -> tuple[Model, Id]:
    """A joint or bushing of a kind at a point between two bodies; x, the axis, at the angle.

    In space `axis` among the fields is the direction of z, the axis, and `x` that of x.
    """
    _refuse_still(model, pair, kind)
    if _has_idle_turn(model, pair, kind):
        sentence = _POINT_MASS if model.dim == 2 else _POINT_IN_SPACE
        raise EngineError(sentence, *(id for id in pair if id in model))
    return built(
        model, lambda m: m.joint(KINDS[kind], pair.body_i, pair.body_j, at, angle=angle, **fields)
    )


def can_guide(model: Model, body: Id) -> bool:
    """Whether a body has directions, so that a slot or a rail can lie in it."""
    return not _is_point(model, body)


def natural_angle(model: Model, pair: Pair) -> float:
    """The default direction of a slider: along the body that guides it."""
    guide = pair.body_j if pair.body_i == GROUND else pair.body_i
    angle = body_frame(model, guide).angle
    return atan2(sin(angle), cos(angle)) if abs(angle) > pi else angle


def between(model: Model, kind: str, start: End, end: End, **fields: Any) -> tuple[Model, Id]:
    """A rod, spring, damper or other element between two points, each on its body."""
    _refuse_ends(model, kind, start, end)
    return built(model, lambda m: m.between(KINDS[kind], start, end, **fields))


def over(
    model: Model, kind: type[Element], start: End, pulley: End, end: End, **fields: Any
) -> tuple[Model, Id]:
    """A cable from one point over a pulley to another point, each on its body."""
    if start[0] == end[0] == pulley[0]:
        raise EngineError(
            "Both ends of the cable and its pulley are on '{body}'; let it end on another body.",
            *(id for id in start[:1] if id in model),
            body=label(model, start[0]),
        )
    if all(is_still(model, body) or body == GROUND for body in (start[0], pulley[0], end[0])):
        raise EngineError(
            "Nothing of this cable can move; let an end or the pulley be on a moving body."
        )
    return built(model, lambda m: m.over(kind, start, pulley, end, **fields))


def middle_of_body(model: Model, body: Id) -> Place:
    """The origin of a body in the world, about which a round one is round."""
    return tuple(body_frame(model, body)[:2]) if model.dim == 2 else space_frame(model, body).place


def trigger(model: Model, start: End, end: End, **fields: Any) -> tuple[Model, Id]:
    """An event when the distance of two points, each on its body, crosses the drawn one."""
    _refuse_ends(model, "trigger", start, end)
    model, (i, j) = built(model, lambda m: (m.marker(*start), m.marker(*end)))
    id = fresh_id(model, "trigger")
    drawn = _apart(start, end)
    limit = {"value": float(f"{drawn:.12g}"), **fields}
    return put(model, Trigger(id=id, marker_i=i, marker_j=j, **limit)), id


def _apart(start: End, end: End) -> float:
    """The distance of two points in the world."""
    return dist(map(float, start[1]), map(float, end[1]))


def _refuse_ends(model: Model, kind: str, start: End, end: End) -> None:
    """Raise EngineError where nothing can be made between two points."""
    what = kind.replace("_", "-")
    if start[0] == end[0]:
        raise EngineError(
            "Both ends of the {what} are on '{start}'; release it on another body.",
            *(id for id in start[:1] if id in model),
            what=what,
            start=label(model, start[0]),
        )
    _refuse_still(model, Pair(start[0], end[0]), kind)
    if not _apart(start, end) > SAME_PLACE * size(model):
        raise EngineError(
            "Both ends of the {what} are at the same place; drag it further.", what=what
        )


def end_body(
    model: Model, bodies: Sequence[Id], joint_id: Id, other: Id = "", at: Place | None = None
) -> Id:
    """The body that an end attaches to: topmost and moving first, other than that of the other end.

    At a joint it is one of the bodies joined there. Where nothing is, it is the ground.
    """
    here = _bodies_in(model, bodies)
    joined = [id for id in _joined_bodies(model, joint_id, at) if id != GROUND]
    here = joined + [id for id in here if id not in joined]
    candidates = [id for id in here if id != other] or here
    moving = [id for id in candidates if not is_still(model, id)]
    return (moving or candidates or [GROUND])[0]


def landing_body(
    model: Model,
    bodies: Sequence[Id],
    joint_id: Id,
    but: Sequence[Id] = (),
    at: Place | None = None,
) -> Id:
    """The body that a new link is pinned to where it lands, or empty where nothing is.

    On a pin to the ground that is the ground, on another pin its first body; any of them gives the
    same motion. On a slider it is the sliding body.
    """
    if joined := [id for id in _joined_bodies(model, joint_id, at) if id not in but]:
        return joined[0] if freedom(model[joint_id], model.dim).is_pin else joined[-1]
    here = [id for id in _bodies_in(model, bodies) if id not in but]
    moving = [id for id in here if not is_still(model, id)]
    return (moving or here or [""])[0]


def _bodies_in(model: Model, ids: Sequence[Id]) -> list[Id]:
    """Those of the ids that are bodies of the model, each once."""
    return [id for id in dict.fromkeys(ids) if id in model and model[id].family == "body"]


def _joined_bodies(model: Model, joint_id: Id, at: Place | None) -> list[Id]:
    """The bodies of a joint at a point of it: both, or only the nearer one where its ends are apart."""
    markers = markers_of(model[joint_id]) if joint_id in model else []
    if len(markers) != 2:
        return []
    ends = [marker_place(model, marker) for marker in markers]
    if at is not None:
        away = [dist(end, at) for end in ends]
        apart = dist(*ends)
        far = max(abs(x) for end in ends for x in end)
        if apart > DUST + SAME_PLACE * far:
            return [model[markers[away.index(min(away))]].body]
    return [model[marker].body for marker in markers]


def force(
    model: Model, body: Id, at: Place, components: tuple[float, ...], **fields: Any
) -> tuple[Model, Id]:
    """A given force on a body at a point."""
    _refuse_load(model, body, "force")
    if not hypot(*components) > 0.0:
        raise EngineError("A force needs a size; drag its arrow further.")
    return built(model, lambda m: m.force(body, at, components, **fields))


def torque(
    model: Model, body: Id, value: float | tuple[float, ...], at: Place, **fields: Any
) -> tuple[Model, Id]:
    """A given torque on a body, drawn at a point of it; in space three components, world axes.

    In the plane a positive one is anticlockwise.
    """
    _refuse_load(model, body, "torque")
    names = ("t_x", "t_y", "t_z") if isinstance(value, tuple) else ("t_z",)
    components: dict[str, Any] = dict(zip(names, value if isinstance(value, tuple) else (value,)))
    if not any(components.values()):
        raise EngineError("A torque needs a size; drag further.")
    if _is_point(model, body):
        raise EngineError(
            "'{body}' is a point mass: nothing can turn it.", body, body=label(model, body)
        )
    model, marker = built(model, lambda m: m.marker(body, at))
    id = fresh_id(model, "torque")
    return put(model, Torque(id=id, marker_i=marker, **components, **fields)), id


def load(model: Model, kind: type[Element], body: Id, at: Place, **fields: Any) -> tuple[Model, Id]:
    """Any force that acts at one point of a body."""
    _refuse_load(model, body, "force")
    return built(model, lambda m: m.at_marker(kind, body, at, **fields))


def tracer(model: Model, body: Id, at: Place, **fields: Any) -> tuple[Model, Id]:
    """A tracer on a body."""
    if body == GROUND or is_still(model, body):
        raise EngineError("A point that never moves leaves no trail; click on a moving body.")
    model, marker = built(model, lambda m: m.marker(body, at))
    id = fresh_id(model, "tracer")
    return put(model, Tracer(id=id, marker=marker, **fields)), id


def rolling_disc(
    model: Model, body_i: Id, body_j: Id, toward: float, radius: float | None = None
) -> tuple[Model, Id]:
    """Body j, a disc, rolls on a line of body i; `toward` is the direction to the contact point."""
    center = body_frame(model, body_j)
    radius = radius_of(model, body_j) if radius is None else radius
    if radius is None:
        raise EngineError(
            "'{body_j}' is no disc, so it cannot roll.", body_j, body_j=label(model, body_j)
        )
    _refuse_still(model, Pair(body_i, body_j), "rolling_disc")
    middle = (center.x, center.y)
    on = (center.x + radius * cos(toward), center.y + radius * sin(toward))
    angle = _without_dust(toward + pi / 2)
    return built(
        model,
        lambda m: m.rolling_disc(body_i, body_j, on, middle, radius=radius, angle=angle),
    )


def _without_dust(angle: float) -> float:
    """The angle within a turn, and 0 where it is 0 up to rounding."""
    angle = atan2(sin(angle), cos(angle))
    return 0.0 if abs(angle) < 1e-15 else angle


def _ordered(model: Model, a: Id, b: Id) -> Pair:
    """A fixed body first, else the one that was drawn first."""
    order = list(model.elements)
    first, second = sorted((a, b), key=lambda id: (not model[id].fixed, order.index(id)))
    return Pair(first, second)


def _is_point(model: Model, id: Id) -> bool:
    """Whether a body is a point mass."""
    return id in model and not hasattr(model[id], "inertia")


def _has_idle_turn(model: Model, pair: Pair, kind: str) -> bool:
    """Whether a joint of this kind would need the direction of a point mass, which has none."""
    reads_i, reads_j = reads_axes(KINDS[kind], model.dim)
    points = [_is_point(model, id) for id in pair]
    if reads_i and not reads_j:  # the point mass comes second
        return all(points)
    return (reads_i and points[0]) or (reads_j and points[1])


def _with_point_second(model: Model, pair: Pair, at: Place, kind: str) -> Pair:
    """The pair in the order that suits a joint which reads the axes of its first body alone.

    A point mass comes second. So does, where a point is guided, a body that ends here: it carries the
    pin, and the other one has the slot.
    """
    i, j = pair
    if reads_axes(KINDS[kind], model.dim) != (True, False):
        return pair
    led = freedom(KINDS[kind], model.dim).guides and i != GROUND
    ends = led and _ends_at(model, i, at) and not _ends_at(model, j, at)
    return Pair(j, i) if _is_point(model, i) or ends else pair


def _ends_at(model: Model, body: Id, at: Place) -> bool:
    """Whether a body is a rod with an end at this point, or a point mass there."""
    x = on_body(model, body, at)[0]
    shape = getattr(model[body], "shape", None)
    if isinstance(shape, Rod) and isinstance(shape.length, float):
        return abs(abs(x) - shape.length / 2) <= ENDS_AT * shape.length
    return not hasattr(model[body], "shape")


def _refuse_still(model: Model, pair: Pair, kind: str) -> None:
    """Raise EngineError where neither body can move, or both are the same."""
    ids = [id for id in pair if id in model]
    for id in pair:
        if id != GROUND and (id not in model or model[id].family != "body"):
            raise EngineError(
                "There is no body '{id}' in the model; choose one that is there.", id=id
            )
    if pair[0] == pair[1]:
        raise EngineError(
            "'{pair}' cannot be joined with itself.", *ids, pair=label(model, pair[0])
        )
    if all(is_still(model, id) for id in pair):
        raise EngineError(
            "A {kind} here would connect nothing that moves; choose a moving body.",
            *ids,
            kind=kind.replace("_", " "),
        )


def _refuse_load(model: Model, body: Id, what: str) -> None:
    if body == GROUND or body not in model or is_still(model, body):
        raise EngineError("A {what} acts on a moving body; press on one.", what=what)
