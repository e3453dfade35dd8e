"""Tools that join bodies in space with one click: place and axis come from the geometry under the mouse.

The preview names the bodies and the axis before the click. Tab chooses another pair; x, y and z choose an
axis of the world (again: of the body, once more: the natural one; Shift reverses it); Alt lists all pairs.
"""

from typing import Any

from engine.editing import edits
from engine.editing.edits import Pair
from engine.errors import EngineError
from engine.model.attachments import reads_axes
from engine.model.connections import Z
from engine.model.elements import GROUND, Id, Model
from engine.model.joints.freedom import freedom
from engine.model.shapes import Rod
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import ALT, SHIFT, Label, Modifiers
from gui.tools.plane.joints import JointTool
from gui.tools.plane.span import DRAGGED, snapped_angle
from gui.tools.space import geometry as g
from gui.tools.space.axis_choice import AxisChoice
from gui.tools.space.base import NEAR, Fastening, Line3, Ring3, SpacePreview

AXIS = 55.0  # pixels of the drawn axis to either side
STRAIGHT = 0.97  # cosine of the angle within which a dragged direction snaps to an axis
FLOOR: Vec3 = (0.0, 0.0, 1.0)


class JointTool3D(Fastening, JointTool[SpacePick]):
    """One click on a face, an edge or a centre."""

    def __init__(self, *arguments, **named) -> None:
        self.chosen = AxisChoice()
        super().__init__(*arguments, **named)

    def start(self) -> None:
        """Begin with natural axes."""
        self.chosen.clear()
        super().start()

    has_direction = False  # it is an axis that is chosen here, not the angle of x

    @property
    def has_axis(self) -> bool:
        """Whether its direction matters."""
        return any(reads_axes(self.element, 3)) and not freedom(self.element, 3).is_rigid

    @property
    def is_shaft(self) -> bool:
        """Whether on a rod its axis lies along the rod: a slider that may also turn about it alone."""
        free = freedom(self.element, 3)
        return free.rail == Z and free.turns == (Z,)

    @property
    def is_guide(self) -> bool:
        """Whether its axis lies along the body, and may be dragged."""
        return freedom(self.element, 3).rail == Z and not self.is_shaft

    @property
    def on_axle(self) -> bool:
        """Whether a click on a round face means its axis: not where a plane is meant."""
        return len(freedom(self.element, 3).slides) != 2

    def place(self, pick: SpacePick) -> Vec3:
        """Where the joint would be: on a round face on its axis, or at the end if it has no axis."""
        if (
            not pick.bodies
            or pick.joint
            or pick.snap_kind in ("joint", "point", "center", "corner")
        ):
            return pick.point
        body = pick.bodies[0]
        try:
            if self.has_axis and self.on_axle:
                return edits.axle_point(self.model, body, pick.point, pick.axis or FLOOR)
            if not any(reads_axes(self.element, 3)) and pick.snap_kind in ("", "edge"):
                return edits.end_point(self.model, body, pick.point)
        except EngineError:  # a formula cannot be read: the form says so
            pass
        return pick.point

    def under(self, pick: SpacePick) -> tuple[Id, ...]:
        """All bodies in the line of sight."""
        return pick.bodies

    def _find_pairs(self, pick: SpacePick) -> list[Pair]:
        near = NEAR * pick.pixel
        found = self.selected_pairs(pick)
        if found is None:
            found = edits.pairs_in_space(
                self.model, pick.bodies, pick.joint, self.place(pick), self.kind, near
            )
        if self.making.prefers_ground:
            found.sort(key=lambda pair: GROUND not in pair)
        if self.has_sides:
            sides = [side for pair in found for side in (pair, Pair(pair.body_j, pair.body_i))]
            found = [side for side in sides if edits.can_guide(self.model, side.body_i)]
        return found

    def needs_list(self, pick: SpacePick, modifiers: Modifiers) -> bool:
        """Only with Alt: the preview says which pair is meant, and Tab takes the next."""
        return bool(modifiers & ALT) and not self.turn and len(self.pairs(pick)) > 1

    # --- the axis

    def angle(self, pair: Pair) -> Any:
        """The direction of the axis: chosen, dragged, or natural here."""
        guide = pair.body_j if pair.body_i == GROUND else pair.body_i
        if (axis := self.chosen.direction(edits.space_frame(self.model, guide).R)) is not None:
            return axis
        at = self.pressed or self.here
        assert at is not None
        return self._dragged_axis() or self.natural_axis(pair, at)

    def natural_axis(self, pair: Pair, at: SpacePick) -> Vec3:
        """Of the geometry there; a guide goes along an edge, or along the body."""
        if not self.is_guide:
            rod = self._rod_at(at) if self.is_shaft else ""
            return g.unit(edits.long_axis(self.model, rod) if rod else at.axis or at.normal)
        if at.snap_kind == "edge" and at.axis is not None:
            return g.unit(at.axis)
        guide = pair.body_j if pair.body_i == GROUND else pair.body_i
        return g.unit(edits.long_axis(self.model, guide))

    def _rod_at(self, at: SpacePick) -> Id:
        """The rod that the mouse is on, unless it is on an edge; or nothing."""
        body = next(iter(at.bodies), "")
        is_rod = body and isinstance(getattr(self.model[body], "shape", None), Rod)
        return body if is_rod and at.snap_kind != "edge" else ""

    def _dragged_axis(self) -> Vec3 | None:
        """The direction in which a guide was dragged, on the surface where it was pressed."""
        start, end = self.pressed, self.here
        if not self.is_guide or start is None or end is None:
            return None
        if g.way_seen(start, end) <= DRAGGED * start.pixel:
            return None
        to = end.point if end.snapped and end.snap_kind != "grid" else None
        to = to or g.on_plane(end.ray, start.point, start.normal) or g.facing(end, start)
        way = g.minus(to, start.point)
        if not g.norm(way) > 0.0:
            return None
        axis = g.unit(way)
        if self.modifiers & SHIFT:
            u = g.plane_axes(g.unit(start.normal))[0]
            turn = snapped_angle(g.angle_about(g.unit(start.normal), u, axis))
            return g.unit(g.rotated(u, g.unit(start.normal), turn))
        nearest = g.nearest_axis(axis)
        return nearest if g.dot(nearest, axis) > STRAIGHT else axis

    # --- keys

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Tab for the next pair; x, y, z for the axis while the preview shows one."""
        if self.has_axis and text.lower() in g.AXES and not modifiers & ~SHIFT:
            at = self.pressed or self.here
            return at is not None and not self.choices and bool(self.pairs(at))
        return super().wants_key(key, text, modifiers)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Choose an axis of the world, of the body, the natural one; or the next pair."""
        letter = text.lower()
        if letter in g.AXES and self.wants_key(key, text, modifiers):
            self.chosen.press(letter, reverses=bool(modifiers & SHIFT), has_own=True)
            self._refresh()
            return True
        return super().key(key, text, modifiers)

    # --- result and preview

    @property
    def shows_axis(self) -> bool:
        """Whether the axis that is known here is the one of the joint."""
        return self.has_axis

    def made(self, pair: Pair, at: SpacePick, direction: Vec3) -> tuple[Model, Id]:
        """The new model and the id of the joint."""
        return edits.joint(self.model, self.kind, pair, self.place(at), axis=direction)

    def _refresh(self) -> None:
        at = self.pressed or self.here
        if at is None or self.choices:
            return
        pair = self.taken(at)
        if pair is None:
            self.show(SpacePreview(rings=(Ring3(at.point),) if at.snapped else ()))
            return
        place, axis = self.place(at), self.angle(pair)
        words = self.said(pair)
        lines: tuple[Line3, ...] = ()
        if self.shows_axis:
            words = self.tr("{0}, axis {1}").format(words, g.axis_name(axis))
            reach = AXIS * at.pixel
            lines = (Line3(g.plus(place, axis, -reach), g.plus(place, axis, reach), "axis"),)
        if self.needs_list(at, self.modifiers):
            words = self.tr("{0} … choose").format(words)
        self.show(
            SpacePreview(
                lines=lines,
                labels=(Label(place, words),),
                rings=(Ring3(place, axis if self.shows_axis else None),),
                bodies=tuple(id for id in pair if id in self.model),
                hint=self._hint(pair, at),
            )
        )

    def _hint(self, pair: Pair, at: SpacePick) -> str:
        if self.is_guide and self.pressed is not None:
            return self.tr("Release to set the direction; Shift: steps of 15°. x, y, z: an axis.")
        parts = [self.tr("Click: {0}.").format(self.said(pair))]
        if self.is_guide:
            parts.append(self.tr("Drag: along."))
        if self.has_axis:
            parts.append(self.tr("x, y, z: axis."))
        if len(self.pairs(at)) > 1:
            parts.append(self.tr("Tab: other bodies."))
        return " ".join(parts)


class ShaftTool(JointTool3D):
    """One click where two shafts meet: they give the directions, unless an axis is chosen."""

    @property
    def shows_axis(self) -> bool:
        """Only the chosen one: else each shaft has its own."""
        return bool(self.chosen)

    def made(self, pair: Pair, at: SpacePick, direction: Vec3) -> tuple[Model, Id]:
        """The joint of the shafts, or one along the chosen axis."""
        if self.chosen:
            return edits.joint(self.model, self.kind, pair, self.place(at), axis=direction)
        return edits.on_shafts(self.model, self.kind, pair, self.place(at), direction)


class BladeTool3D(JointTool3D):
    """Press on a body and drag along its blade."""

    is_guide = True
    on_axle = False

    def made(self, pair: Pair, at: SpacePick, direction: Vec3) -> tuple[Model, Id]:
        """The blade along x, upright on the floor: it never moves along y."""
        up = FLOOR if abs(direction[2]) < STRAIGHT else g.X
        return edits.joint(self.model, self.kind, pair, at.point, axis=up, x=direction)
