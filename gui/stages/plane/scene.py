"""The scene: one graphic for each element, rebuilt only where the model has changed.

Scene coordinates are metres, x to the right and y up.
"""

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QAbstractGraphicsShapeItem, QGraphicsScene

from engine.compiling.system import Compiled
from engine.formulas.lenient import PlainNumbers
from engine.model.elements import Id, Model, diff, references
from engine.model.joints import Gear
from gui.look.colors import body_colors
from gui.look.theme import Theme
from gui.placing.plane.bends import AnyBend
from gui.placing.plane.picks import extent
from gui.placing.plane.placement import Placement
from gui.placing.plane.shadow import poses_as_drawn, poses_of_row, shadow
from gui.placing.plane.silhouettes import is_link, outermost
from gui.stages.looks import Looks
from gui.stages.plane.graphics.graphic import Context, Graphic
from gui.stages.plane.graphics.inks import Inks
from gui.stages.plane.graphics.views import VIEWS

POSE_FIELDS = ("position", "angle", "velocity", "spin")
GROWTH = 1.7  # how much the drawing may grow before springs and rails are rescaled
FADED = 0.22
CLEAR = 0.4  # opacity of elements that are seen through


class StageScene(Looks, QGraphicsScene):
    """Everything that is drawn of a model, in the pose that was set last."""

    view_table = VIEWS

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.setSceneRect(QRectF(-1e6, -1e6, 2e6, 2e6))
        self.numbers = PlainNumbers()
        self.model = self.numbers.of(Model())
        self.placement = Placement(self.model)
        self.context = Context(self, Inks(theme), self.placement, 1.0, 0.005)
        self.graphics: dict[Id, Graphic] = {}
        self.glows = {}

    @property
    def inks(self) -> Inks:
        """Pens and brushes of the theme."""
        return self.context.inks

    def set_theme(self, theme: Theme) -> None:
        """Draw everything in the colours of another theme; changes the scene."""
        self.context.inks = Inks(theme, self.inks.sharp)
        self._build(self.model.elements)

    def set_sharpness(self, sharp: float) -> None:
        """Draw for a screen or picture with this many dots in a pixel; changes all pens."""
        ratio = sharp / self.inks.sharp
        if ratio == 1.0:
            return
        self.inks.sharp = sharp
        for item in self.items():
            if isinstance(item, QAbstractGraphicsShapeItem):
                pen = item.pen()
                pen.setWidthF(pen.widthF() * ratio)
                item.setPen(pen)

    def set_pixel(self, pixel: float) -> None:
        """Draw for this zoom, in metres per pixel: thin rods become links. Changes the scene."""
        self.context.pixel = pixel
        changed = [
            body.id
            for body in self.model.of("body")
            if body.id in self.graphics
            and is_link(getattr(body, "shape", None), pixel) != self.graphics[body.id].is_link
        ]
        if changed:
            self._build(changed)

    def set_show_centers(self, shown: bool) -> None:
        """Mark mass centres or not; changes the scene."""
        self.context.show_centers = shown
        self._build(e.id for e in self.model.of("body"))

    def show_model(self, model: Model) -> None:
        """Draw a model as designed; only what has changed is rebuilt. Changes the scene."""
        after = self.numbers.of(model)
        if after.dim == 3:
            after = self._shadow(after, poses_as_drawn(after))
        self._show_plain(after)

    def show_shadow(self, compiled: Compiled, q_row: np.ndarray) -> None:
        """Draw a spatial model in the pose of a row of q, seen from the front; changes the scene."""
        self._show_plain(self._shadow(compiled.resolved, poses_of_row(compiled, q_row)))

    def _shadow(self, model: Model, poses: Any) -> Model:
        """The planar projection of a spatial model; elements that look unchanged stay the same objects."""
        new, old = shadow(model, poses), self.model.elements
        kept = {id: old[id] if id in old and old[id] == e else e for id, e in new.elements.items()}
        return replace(new, elements=MappingProxyType(kept))

    def _show_plain(self, after: Model) -> None:
        """Draw a planar model without expressions; changes the scene."""
        before = self.model
        if after is before:
            return
        added, removed, changed = diff(before, after)
        if not added and not removed and all(only_moved(before[i], after[i]) for i in changed):
            self.model, self.placement = after, self.placement.with_bodies_moved(after)
            self.context.placement = self.placement
            self.put(self.placement.drawn)
            return
        old_index = {**self.placement.body_index, **self.placement.marker_index}
        self.model, self.placement = after, Placement(after)
        c = self.context
        c.follow(self.placement)
        c.colors = body_colors(after, c.inks.theme)
        new_index = {**self.placement.body_index, **self.placement.marker_index}
        moved = any(
            new_index[id] != k for id, k in old_index.items() if id in new_index and id != "ground"
        )
        size = self.size()
        if moved or not c.size / GROWTH < size < c.size * GROWTH:
            c.size = size
            self._build(after.elements, removed)
        else:
            affected = self._affected(before, added, removed, changed)
            self._build([id for id in after.elements if id in affected], removed)
        self.put(self.placement.drawn)

    def put(
        self, frames: np.ndarray, time: float = 0.0, bends: dict[Id, AnyBend] | None = None
    ) -> None:
        """Move all graphics to a pose of the body frames, with bent beams; changes the scene."""
        self.context.time = time
        if not np.isfinite(frames).all():  # a run that diverged
            frames = np.where(np.isfinite(frames), frames, self.placement.drawn)
        pose = self.placement.put(frames, bends)
        for graphic in self.graphics.values():
            for place in graphic.places:
                place(pose)

    def size(self) -> float:
        """The larger side of the drawing as designed [m]."""
        rect = self.reach()
        return max(rect.width(), rect.height()) or 1.0

    def reach(self) -> QRectF:
        """The rectangle around all bodies, joints and springs in the pose."""
        points = [p for e in self.model for p in extent(self.placement, e)]
        if not points:
            return QRectF()
        low, high = np.min(points, axis=0), np.max(points, axis=0)
        return QRectF(*low, *(high - low))

    def outline(self, id: Id) -> np.ndarray:
        """The outermost points (n, 3) of the shape of a body, in its frame."""
        points = outermost(getattr(self.model.elements.get(id), "shape", None))
        return np.array([(x, y, 0.0) for x, y in points]).reshape(-1, 3)

    def refresh(self, graphic: Graphic) -> None:
        """Give a graphic the look of its state; changes the graphic."""
        graphic.set_glow(self.glow_of(graphic.id))
        clear = CLEAR if graphic.id in self.sheer else 1.0
        graphic.set_opacity(FADED if self.is_faint(graphic.id) else clear)

    def show_gaps(self, shown: bool) -> None:
        """Leave paper around bars, or not: a clear picture has no paper. Changes the scene."""
        for graphic in self.graphics.values():
            graphic.show_gaps(shown and not self.is_faint(graphic.id))

    def _affected(
        self, before: Model, added: set[Id], removed: set[Id], changed: set[Id]
    ) -> set[Id]:
        """Elements whose graphics must be rebuilt."""
        model = self.model
        ids = added | {id for id in changed if not only_moved(before[id], model[id])}
        for element in [before[id] for id in (removed | ids) if id in before] + [
            model[id] for id in ids
        ]:
            if element.family in ("joint", "force", "tracer", "trigger", "marker"):
                ids |= _near(element, before) | _near(element, model)
        ids |= {e.id for e in model.of("body") if e.id in self.graphics and self._recoloured(e.id)}
        if any(
            isinstance(e, Gear)
            for e in (
                *(model[id] for id in ids if id in model),
                *(before[id] for id in removed),
            )
        ):
            ids |= {e.id for e in model if isinstance(e, Gear)}  # they share wheels
        while more := {e.id for e in model if ids & set(references(e))} - ids:
            ids |= more
        return ids

    def _recoloured(self, id: Id) -> bool:
        """Whether a body has another colour than it is drawn in."""
        return self.graphics[id].tag != self.context.colors[id].name()

    def _build(self, ids: Iterable[Id], removed: Iterable[Id] = ()) -> None:
        """Rebuild the graphics of these elements; changes the scene."""
        c, model = self.context, self.model
        c.colors = body_colors(model, c.inks.theme)
        ids = list(ids)
        for id in [*removed, *ids]:
            if id in self.graphics:
                self.graphics.pop(id).remove()
        for id in ids:
            element: Any = model.elements.get(id)
            if element is None:
                continue
            view = self.view_table.get(type(element))
            if view is None or id in self.placement.used_markers:  # the element there is drawn
                continue
            graphic = view(element, c)
            graphic.tag = c.colors[id].name() if element.family == "body" else ""
            self.graphics[id] = graphic
            graphic.put(self.placement.pose)
            self.refresh(graphic)
            if id in self.hidden:
                graphic.set_visible(False)


def only_moved(before: Any, after: Any) -> bool:
    """Whether two bodies differ only in place and speed."""
    if before.family != "body" or type(before) is not type(after):
        return False
    place = {name: getattr(after, name) for name in POSE_FIELDS if hasattr(after, name)}
    return replace(before, **place) == after


def _near(element: Any, model: Model) -> set[Id]:
    """The markers of an element and the bodies they sit on."""
    markers = [m for m in references(element) if m in model and model[m].family == "marker"]
    if element.family == "marker":
        markers.append(element.id)
    bodies = {model[m].body for m in markers if m in model}
    return {id for id in {*markers, *bodies} if id in model}
