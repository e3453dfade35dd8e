"""Contact with all: one body, or each of them, against everything that it may meet."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import combinations
from typing import Any, ClassVar

from engine.errors import EngineError, say
from engine.kernels.acting import touching
from engine.model.bodies import Particle
from engine.model.connections import body_of
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import choice, flag, ref, text
from engine.model.forces.contact import Contact
from engine.model.forces.pressing import Pressing
from engine.model.forces.surfaces import Side, nearness, pairs, side_of_frame
from engine.model.making import Gesture, Making

MOST_PAIRS = 20000  # of corners and shapes that may touch

Pair = tuple[Id, Id]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactAll(Pressing):
    """A body touches all others; put on the ground, all bodies touch each other and the ground.

    The ground is solid below the x axis of its marker, in space below its xy plane. Bodies that a joint
    connects are left out, and so are pairs with a contact of their own. Only what is near is looked at, so
    hundreds of bodies may take part.
    """

    kind: ClassVar[str] = "contact_all"
    called: ClassVar[dict[int, str]] = {2: "contact with all", 3: "contact with all"}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_BODY,
            title="Contact with all",
            key="Q",
            says="contact with all",
            help="Click a body that touches all others, or the ground: then everything touches.",
            opening="Contact with all: click a body, or the ground at its surface for all bodies.",
            group="contact",
        ),
    )
    marker_i: Id = ref("marker", help="On the body, or where the surface of the ground is.")
    only: str = text(
        "", help="Names of those that take part, with * for any letters, and commas. Empty: all."
    )
    floor: bool = flag(True, help="The ground below the x axis of its point is solid.")
    joined: bool = flag(False, help="Bodies that a joint connects touch each other too.")
    faces: str = choice(
        "corners",
        ("corners", "area"),
        help="How two polygons press: by corners, or convex ones by the area they share.",
    )

    def idle_fields(self):
        """The numbers of other laws than the chosen ones."""
        return tuple(self.idle_numbers())

    def problems(self, model):
        """Numbers that contradict each other, and names that nobody has."""
        found = self.problems_of_numbers()
        known = [body for body in model.of("body") if _has_shape(body)]
        for name in self._names():
            if not any(_is_called(body, name) for body in known):
                found.append(
                    say(
                        "No body with a shape is called '{pattern}', which '{name}' is about. Correct its "
                        "field 'only'.",
                        name=self.label,
                        pattern=name,
                    )
                )
        return found

    def is_of_ground(self, model: Model) -> bool:
        """Whether it is on the ground, so that all bodies take part."""
        return self.marker_i in model and body_of(model, self.marker_i) == GROUND

    def involved(self, model: Model) -> list[Id]:
        """All bodies that it lets touch each other, or the ground."""
        met = [id for pair in self.wanted(model) for id in pair]
        return list(dict.fromkeys([*met, *self.bodies(model)]))

    def is_served_in(self, model: Model, part: Model) -> bool:
        """On the ground: what is pasted takes part in the one that is there."""
        return self.is_of_ground(part) and any(
            isinstance(other, ContactAll) and other.is_of_ground(model) and other.only == self.only
            for other in model.of("force")
        )

    def surfaces(self, model: Model) -> list[Id]:
        """The markers that carry a plane, which has an upper side."""
        return [self.marker_i] if self.floor and self.is_of_ground(model) else []

    def pairs(self, model: Model) -> list[Pair]:
        """The bodies that it lets touch each other, without those that another element is about."""
        taken = _pairs_with_contacts(model)
        if not self.joined:
            taken |= _pairs_with_joints(model)
        for other in model.of("force"):
            if other.id == self.id:
                break
            if isinstance(other, ContactAll):
                taken |= {frozenset(pair) for pair in other.wanted(model)}
        return [pair for pair in self.wanted(model) if frozenset(pair) not in taken]

    def wanted(self, model: Model) -> Iterator[Pair]:
        """The pairs of moving bodies with shapes that it names."""
        names = self._names()
        known = [body for body in model.of("body") if _has_shape(body)]
        chosen = [b for b in known if not names or any(_is_called(b, name) for name in names)]
        met: Iterable[tuple[Any, Any]] = combinations(chosen, 2)
        if not self.is_of_ground(model):
            own = body_of(model, self.marker_i)
            met = ((model[own], b) for b in chosen if b.id != own and _has_shape(model[own]))
        for a, b in met:
            are_points = isinstance(a, Particle) and isinstance(b, Particle)
            if not (a.fixed and b.fixed) and not are_points:
                yield a.id, b.id

    def bodies(self, model: Model) -> list[Id]:
        """The moving bodies that the surface of the ground carries."""
        if not self.surfaces(model):
            return []
        names = self._names()
        return [
            body.id
            for body in model.of("body")
            if _has_shape(body)
            and not body.fixed
            and (not names or any(_is_called(body, name) for name in names))
        ]

    def interactions(self, model):
        """One law for each two shapes that may touch, or for each corner."""
        sides: dict[Id, Side] = {}
        ground = Side(touching.HALF_SPACE, self.marker_i)
        met = [*self.pairs(model), *((GROUND, id) for id in self.bodies(model))]
        found = []
        for a, b in met:
            for id in (a, b):
                if id != GROUND and id not in sides:
                    sides[id] = side_of_frame(self, model, model[id])
            weights = self.lighter_of(model, a, b)
            for host, ball in self._pieces(model, a, b, sides.get(a, ground), sides[b]):
                near = nearness(model, host, ball)
                found.append(self.law_of(model, weights, host, ball, near))
            if len(found) > MOST_PAIRS:
                raise EngineError(
                    "'{name}' is about more than {most} corners that may touch. Name fewer bodies in its "
                    "field 'only'.",
                    self.id,
                    name=self.label,
                    most=MOST_PAIRS,
                )
        return tuple(found)

    def _pieces(self, model: Model, a: Id, b: Id, i: Side, j: Side) -> list[tuple[Side, Side]]:
        """What of two bodies may touch."""
        try:
            return pairs(self, model, i, j)
        except EngineError as error:
            raise EngineError(
                "'{name}' cannot bring '{a}' and '{b}' in contact: no law is known for their two shapes. "
                "Name others in its field 'only'.",
                self.id,
                a,
                b,
                name=self.label,
                a=model[a].label if a in model else say("the ground"),
                b=model[b].label,
            ) from error

    def _names(self) -> list[str]:
        return [name.strip() for name in self.only.split(",") if name.strip()]


def _has_shape(body: Any) -> bool:
    """Whether a body has something to touch with."""
    return isinstance(body, Particle) or getattr(body, "shape", None) is not None


def _is_called(body: Any, pattern: str) -> bool:
    """Whether the name of a body, or its id, fits a pattern."""
    return fnmatchcase(body.label, pattern) or fnmatchcase(body.id, pattern)


def _pairs_with_contacts(model: Model) -> set[frozenset[Id]]:
    """Bodies that a contact of their own is about."""
    return {
        frozenset(body_of(model, m) for m in (e.marker_i, e.marker_j))
        for e in model.of("force")
        if isinstance(e, Contact)
    }


def _pairs_with_joints(model: Model) -> set[frozenset[Id]]:
    """Bodies that a joint connects."""
    found = set()
    for joint in model.of("joint"):
        ends = [getattr(joint, name, "") for name in ("marker_i", "marker_j")]
        if all(end in model for end in ends):
            found.add(frozenset(body_of(model, end) for end in ends))
    return found
