"""More bodies in space: the rod that is joined where it lands, the point mass; and the ground."""

from PySide6.QtCore import Qt

from engine.editing import edits
from engine.editing.edits import Landing
from engine.model.joints import Revolute, Spherical, Universal, Weld
from engine.model.joints.freedom import freedom
from engine.model.shapes import Rod
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.space.picks import SpacePick
from gui.tools.base import ALT, Label, Modifiers
from gui.tools.plane.bodies import GroundTool, PointMassTool
from gui.tools.plane.span import DRAGGED
from gui.tools.space import geometry as g
from gui.tools.space.base import Fastening, InSpace, Line3, Ring3, Solid3, SpacePreview
from gui.tools.space.span import SpanInSpace
from gui.tools.typed import TABS

HOLDS = (
    Spherical.kind,
    Revolute.kind,
    Weld.kind,
    Universal.kind,
)  # how the end of a rod may be joined; Tab cycles


class RodTool3D(Fastening, SpanInSpace):
    """Draws a rod from click to click; where it lands on something it is joined."""

    name = "link"
    title = QT_TRANSLATE_NOOP("Tool", "Rod")
    letter = "L"
    icon = "body_rod"
    group = "bodies"
    help = QT_TRANSLATE_NOOP(
        "Tool",
        "Click, move, click. On a body it gets a ball joint, on a hinge a hinge; Tab: another joint, "
        "Alt: none. Type a length; x, y, z: along an axis.",
    )

    def __init__(self, *arguments, **named) -> None:
        self.first: Landing | None = None  # what its beginning is joined to
        self.turn = 0  # how often Tab was pressed for this end
        super().__init__(*arguments, **named)

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr(
            "Rod: click where it begins; on a body it gets a ball joint, on a hinge one."
        )

    def reset(self) -> None:
        """Discard both ends; changes the tool."""
        self.first, self.turn = None, 0
        super().reset()

    def landing(self, pick: SpacePick, modifiers: Modifiers) -> Landing | None:
        """How an end is joined at a place; None: it stays free."""
        if modifiers & ALT:
            return None
        body = edits.landing_body(self.model, self.under(pick), pick.joint, at=pick.point)
        if not body:
            return None
        axis = pick.axis or pick.normal
        kinds = list(HOLDS)
        if pick.joint in self.model and freedom(self.model[pick.joint], 3).is_pin:
            z = edits.joint_frame(self.model, pick.joint).R[:, 2]
            axis = (float(z[0]), float(z[1]), float(z[2]))
            kinds.sort(key=lambda kind: kind != Revolute.kind)
        return Landing(body, kinds[self.turn % len(kinds)], axis)

    def may_begin(self, pick: SpacePick, modifiers: Modifiers) -> bool:
        """Remember what its beginning is joined to."""
        self.first, self.turn = self.landing(pick, modifiers), 0
        return True

    def finish(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> bool:
        """Make the rod."""
        far = g.norm(g.minus(end.point, start.point)) > DRAGGED * start.pixel
        if not far and not self.entry.is_open:
            return False  # a second click at the same place: the other end is still to come
        ends = (self.first, self.landing(end, modifiers))
        model, id, _ = edits.bar(self.model, start.point, end.point, ends)
        self.commit(self.tr("Draw rod"), model, (id,))
        return True

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Tab too: another joint where it lands, or where it begins."""
        if key in TABS:
            return self.begun is not None or self._lands(modifiers)
        return super().wants_key(key, text, modifiers)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Choose another joint, constrain to an axis, or type the length."""
        if key in TABS and self.wants_key(key, text, modifiers):
            step = -1 if key == Qt.Key.Key_Backtab else 1
            if self._lands(modifiers):
                self.turn += step
            elif self.first is not None:
                kind = HOLDS[(HOLDS.index(self.first.kind) + step) % len(HOLDS)]
                self.first = self.first._replace(kind=kind)
            self._refresh()
            return True
        return super().key(key, text, modifiers)

    def _lands(self, modifiers: Modifiers) -> bool:
        """Whether there is something to join at the mouse."""
        return self.here is not None and self.landing(self.here, modifiers) is not None

    def said(self, landing: Landing) -> str:
        """How an end is joined, in words."""
        words = {
            "spherical": self.tr("ball joint with {0}"),
            "revolute": self.tr("hinge with {0}, axis {1}"),
            "weld": self.tr("welded to {0}"),
            "universal": self.tr("universal joint with {0}"),
        }
        return words[landing.kind].format(self.named(landing.body), g.axis_name(landing.axis))

    def hover_preview(self, pick: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """Whether it will be joined here, and how."""
        return SpacePreview(
            rings=(Ring3(pick.point),),
            hint=self.tr("Click where it begins. Tab: another joint. Alt: none.")
            if pick.bodies
            else "",
        ).plus(**self._end_marks(pick, modifiers))

    def span_preview(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """The rod with its length, and how its ends are joined."""
        a, b = start.point, end.point
        length = g.norm(g.minus(b, a))
        solids: tuple[Solid3, ...] = ()
        if length > 0.0:
            width = edits.link_width(self.model, length)
            across, z = g.plane_axes(g.unit(g.minus(b, a)))
            frame = edits.frame_of_axes(g.unit(g.minus(b, a)), across, z)
            shape = Rod(length=length, width=width, thickness=width)
            solids = (Solid3(shape, g.middle(a, b), frame.orientation),)
        labels = list(self.measure_labels(a, b))
        if self.first is not None:
            labels.append(Label(a, self.said(self.first)))
        shown = SpacePreview(
            lines=(Line3(a, b),) if length > 0.0 else (),
            solids=solids,
            labels=tuple(labels),
            rings=(Ring3(a), Ring3(b)),
            hint=self.tr("Click the other end. Type a length; x, y, z: along an axis. Tab: joint."),
        )
        return shown.plus(**self._end_marks(end, modifiers))

    def _end_marks(self, pick: SpacePick, modifiers: Modifiers) -> dict:
        """The joint at the mouse, with the name of the partner."""
        landing = self.landing(pick, modifiers)
        if landing is None:
            on_top = bool(modifiers & ALT) and bool(pick.bodies)
            return {"labels": (Label(pick.point, self.tr("not joined")),) if on_top else ()}
        bodies = (landing.body,) if landing.body in self.model else ()
        return {"labels": (Label(pick.point, self.said(landing)),), "bodies": bodies}


class PointMassTool3D(Fastening, PointMassTool[SpacePick]):
    """Puts a point mass somewhere; on a body it is attached by a ball joint."""

    held_by = "spherical"


class GroundTool3D(InSpace, GroundTool[SpacePick]):
    """Makes bodies part of the ground, or sets them free."""
