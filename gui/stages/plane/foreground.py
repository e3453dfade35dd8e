"""What lies over the drawing: arrows, names, angles, the gap, the snap ring, previews, the scale bar."""

from collections.abc import Iterator
from itertools import combinations
from math import hypot
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from engine.model.elements import Id
from engine.model.joints import Revolute
from gui.placing.plane.picks import bodies_at, extent
from gui.stages.arrows import KINDS
from gui.stages.names import NOWHERE, paint_names, places_on
from gui.stages.plane import painting
from gui.state.numbers import written
from gui.state.preferences import length_text
from gui.tools.typed import quantity

if TYPE_CHECKING:
    from gui.stages.plane.view import StageView

MOST_NAMES = 6  # of a selection; more would hide what is selected


class Foreground:
    """Paints over the drawing, in pixels of the viewport."""

    def __init__(self, view: "StageView") -> None:
        self.view = view
        self.all_names = False
        self.gap: tuple[Id, Id] | None = None

    def paint(self, painter: QPainter) -> None:
        """Paint everything, from back to front."""
        view, inks = self.view, self.view.stage_scene.inks
        exporting = view.painted_area is not None
        area = QRectF(view.viewport().rect()) if not exporting else view.painted_area
        assert area is not None
        if not exporting:
            view.labels.arrange(area)  # names keep away from them
        view.bending.paint(painter, area)
        self._paint_arrows(painter, area)
        if self.gap is not None:
            self._paint_gap(painter, area)
        marked = (
            view.page_marks is not None
        )  # marks of a page stand in the place of values and names
        angles = [] if exporting or marked else self._paint_angles(painter, area)
        if self.all_names or not marked:
            self._paint_names(painter, area, exporting, angles)
        if view.page_marks is not None:
            view.page_marks(painter, area)
        if not exporting:
            view.labels.paint(painter)
            self._paint_snap(painter)
            tool = view.active_tool
            painting.paint_preview(painter, tool.preview, view.to_pixels, area, inks)
            self._paint_pull(painter)
            band = getattr(tool, "band", None)
            if band is not None:
                painting.paint_box(
                    painter, view.to_pixels(*band[0]), view.to_pixels(*band[1]), inks
                )
        if not view.is_transparent:
            note = view.tr("seen from the front: x to the right, z up") if view.is_spatial() else ""
            pixel = view.scale_of_pixel()
            painting.paint_scale_bar(painter, area, pixel, inks, note, view.preferences)

    def _paint_arrows(self, painter: QPainter, area: QRectF) -> None:
        """Arrows of all kinds, and the lengths they stand for in the lower right corner."""
        view, inks = self.view, self.view.stage_scene.inks
        shown = [kind for kind in KINDS if kind in view.arrows.kinds]
        bottom = area.bottom() - 18.0
        for kind in shown:
            per_unit = view.arrows.pixels_per_unit(kind)
            if not per_unit:
                continue
            color = inks.arrows[kind]
            for rubs in (False, True):
                ends = self._arrows(kind, per_unit, rubs)
                painting.paint_arrows(painter, ends, inks.of_arrow(kind, rubs), inks)
            unit = painting.nice_step(55.0 / per_unit)
            right = area.right() - 18.0
            left = right - unit * per_unit
            painting.paint_arrow(
                painter, QPointF(left, bottom), QPointF(right, bottom), color, inks
            )
            painter.setFont(painting.small_font(painter))
            painter.setPen(color)
            text = f"{written(unit, 4)} {KINDS[kind]}"
            width = painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(QPointF(left - width - 8.0, bottom + 4.0), text)
            bottom -= 20.0

    def _arrows(self, kind: str, per_unit: float, rubs: bool) -> Iterator[tuple[QPointF, QPointF]]:
        """Where the arrows of a kind begin and end, in pixels; those of friction, or the others."""
        for arrow in self.view.arrows.now.get(kind, ()):
            if arrow.rubs != rubs:
                continue
            a = self.view.to_pixels(*arrow.at)
            x, y = arrow.value
            yield a, a + QPointF(x * per_unit, -y * per_unit)

    def _paint_gap(self, painter: QPainter, area: QRectF) -> None:
        placement = self.view.stage_scene.placement
        assert self.gap is not None
        if any(marker not in placement.marker_index for marker in self.gap):
            return
        (ax, ay, _), (bx, by, _) = map(placement.marker_at, self.gap)
        text = length_text(hypot(bx - ax, by - ay), self.view.preferences)
        ends = self.view.to_pixels(ax, ay), self.view.to_pixels(bx, by)
        painting.paint_gap(painter, *ends, text, area, self.view.stage_scene.inks)

    def _paint_angles(self, painter: QPainter, area: QRectF) -> list[QRectF]:
        """The angle of a selected pin, from the x axis of marker i to that of j; where values stand."""
        view, scene = self.view, self.view.stage_scene
        found: list[QRectF] = []
        for id in view.selection.ids:
            joint = scene.model.elements.get(id)
            if not isinstance(joint, Revolute):
                continue
            ends = (joint.marker_i, joint.marker_j)
            if any(marker not in scene.placement.marker_index for marker in ends):
                continue
            (_, _, start), (x, y, end) = map(scene.placement.marker_at, ends)
            at = view.to_pixels(x, y)
            text = quantity(end - start, "rad", view.preferences)
            found.append(
                painting.paint_angle(
                    painter, at, start, end - start, text, scene.inks, area, self._is_free
                )
            )
        return found

    def _is_free(self, card: QRectF) -> bool:
        """Whether no body is seen where a card would lie."""
        placement, pixel = self.view.stage_scene.placement, self.view.scale_of_pixel()
        steps = (0.0, 0.25, 0.5, 0.75, 1.0)
        spots = [
            self.view.to_world(card.topLeft() + QPointF(x * card.width(), y * card.height()))
            for x in steps
            for y in (0.0, 0.5, 1.0)
        ]
        return not any(bodies_at(placement, x, y, 3.0 * pixel) for x, y in spots)

    def _paint_names(
        self, painter: QPainter, area: QRectF, exporting: bool, labels: list[QRectF]
    ) -> None:
        """Names of ghosts and of what is hovered and selected, or of everything."""
        view, scene = self.view, self.view.stage_scene
        ids: list[Id] = []
        if self.all_names:
            ids = [e.id for e in scene.model if e.family in ("body", "joint", "force")]
        elif not exporting and not view.active_tool.says_names:
            ids = list(dict.fromkeys([*view.selection.ids[:MOST_NAMES], view.selection.hovered]))
            labelled = view.labels.body()
            ids = [id for id in ids if labelled is None or id != labelled.id]
        names = [(view.to_pixels(*at[:2]), name) for at, name in view.ghosts.names()]
        for id in ids:
            element = scene.model.elements.get(id)
            if element is None or id in scene.hidden or element.family == "parameter":
                continue
            points = extent(scene.placement, element)
            if not points:
                continue
            pixels = [view.to_pixels(*p) for p in points]
            x, y = (sum(values) / len(pixels) for values in zip(*((p.x(), p.y()) for p in pixels)))
            if element.family == "body" and not self.all_names:
                y = _top_at(x, pixels)
            names.append((QPointF(x, y), element.label))
        bodies = places_on(view.labels.outlines()) if names and not self.all_names else NOWHERE
        sizes = [] if exporting else [rect for _, rect in view.labels.marks]
        paint_names(painter, names, scene.inks, area, [*labels, *sizes], bodies)

    def _paint_pull(self, painter: QPainter) -> None:
        """Live mode: the spring by which the mouse pulls a body."""
        view = self.view
        pull = getattr(view.active_tool, "pull", None)
        placement = view.stage_scene.placement
        if pull is None or pull[0] not in placement.body_index:
            return
        body, point, target = pull
        ends = view.to_pixels(*placement.to_world(body, *point)), view.to_pixels(*target)
        painting.paint_line(painter, *ends, "spring", view.stage_scene.inks)

    def _paint_snap(self, painter: QPainter) -> None:
        """The ring at the place that was snapped to, and the lines it is aligned with."""
        view, inks = self.view, self.view.stage_scene.inks
        snapped = view.snapped
        if not snapped.kind or not view.shows_snap():
            return
        painter.setPen(inks.dashed(1.0, inks.accent))
        for a, b in snapped.guides:
            painter.drawLine(QLineF(view.to_pixels(*a), view.to_pixels(*b)))
        painting.paint_ring(painter, view.to_pixels(snapped.x, snapped.y), snapped.kind, inks)


def _top_at(x: float, around: list[QPointF]) -> float:
    """The upper edge of what points are around, at a place between them; in pixels."""
    found = [p.y() for p in around if p.x() == x]
    for a, b in combinations(around, 2):
        if min(a.x(), b.x()) < x < max(a.x(), b.x()):
            found.append(a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x()))
    return min(found, default=min(p.y() for p in around))
