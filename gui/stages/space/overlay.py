"""What is painted over the picture: names, centres, arrows, the gap, previews, handles, cube, scale."""

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from gui.stages.names import NOWHERE, paint_names, places_on
from gui.stages.plane import painting
from gui.stages.plane.graphics.inks import NO_BRUSH
from gui.stages.plane.graphics.symbols import mass_center_mark
from gui.stages.space.cube import paint_cube
from gui.stages.space.gizmo import paint_gizmo
from gui.stages.space.graphics.graphic import along
from gui.stages.space.graphics.inks import SpaceInks
from gui.stages.space.lock_marks import LockMarks

if TYPE_CHECKING:
    from gui.stages.space.view import Stage3D
from gui.state.numbers import written
from gui.state.preferences import length_text

MOST_NAMES, MOST_CENTERS = 12, 120
MARK = 16.0  # pixels of the square of a mass centre


class Overlay:
    """Paints over the picture of a stage, in pixels of the widget."""

    def __init__(self, stage: "Stage3D") -> None:
        self.stage = stage
        self.all_names, self.centers = False, True
        self.gap: tuple[str, str] | None = None
        self.locks = LockMarks(stage)
        self._fixtures: tuple[Any, QPixmap] | None = None
        self._mark: tuple[Any, QPixmap] | None = None

    def at(self, place: Any) -> QPointF | None:
        """A place in pixels; None behind the camera."""
        x, y = self.stage.to_pixels(place)
        return QPointF(x, y) if np.isfinite((x, y)).all() else None

    def paint(self, painter: QPainter, area: QRectF, *, for_file: bool = False) -> None:
        """Paint everything; `for_file` without mouse feedback."""
        stage, inks = self.stage, self.stage.scene.inks
        if not for_file and not stage.scene.model.elements:
            self._paint_invitation(painter, area)
        if not for_file:
            stage.labels.arrange(area)  # names keep away from them
        self.paint_data(painter, area, for_file=for_file)
        if not for_file:
            self._paint_snap(painter)
            paint_preview(painter, stage.active_tool.preview, self, area)
            gizmo = getattr(stage.active_tool.preview, "gizmo", None)
            if gizmo is not None:
                paint_gizmo(painter, gizmo, stage, inks, stage.hovered_handle)
            stage.labels.paint(painter)
            self.locks.paint(painter, area)
            self._paint_fixtures(painter, area)
            if stage.band is not None:
                painting.paint_box(painter, *stage.band, inks)
        elif stage.has_grid:
            painting.paint_scale_bar(
                painter, area, stage.scale_of_pixel(), inks, preferences=stage.preferences
            )

    def _paint_fixtures(self, painter: QPainter, area: QRectF) -> None:
        """Cube, axes and scale; repainted only when they change."""
        stage, inks = self.stage, self.stage.scene.inks
        dots = painter.device().devicePixelRatioF()
        unit = length_text(1.0, stage.preferences)
        state = (stage.eye, area.size(), dots, stage.hovered_face, inks, stage.has_grid, unit)
        if self._fixtures is None or self._fixtures[0] != state:
            picture = QPixmap(ceil(area.width() * dots), ceil(area.height() * dots))
            picture.setDevicePixelRatio(dots)
            picture.fill(Qt.GlobalColor.transparent)
            inside = QPainter(picture)
            inside.setRenderHints(painter.renderHints())
            inside.setFont(painter.font())
            paint_cube(inside, stage.eye, area, inks, stage.hovered_face)
            if stage.has_grid:
                painting.paint_scale_bar(
                    inside, area, stage.scale_of_pixel(), inks, preferences=stage.preferences
                )
            inside.end()
            self._fixtures = (state, picture)
        painter.drawPixmap(area.topLeft(), self._fixtures[1])

    def _paint_invitation(self, painter: QPainter, area: QRectF) -> None:
        """The hint in an empty room."""
        words = QCoreApplication.translate(
            "Space",
            "This model is empty. Choose a body at the left and click on the grid to place it.\n"
            "Drag turns the view, the middle button moves it, the wheel zooms.",
        )
        painter.setFont(painting.small_font(painter))
        painter.setPen(self.stage.scene.inks.quiet)
        place = area.adjusted(20.0, 24.0, -110.0, 0.0)
        top = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
        painter.drawText(place, int(top | Qt.TextFlag.TextWordWrap), words)

    def paint_data(self, painter: QPainter, area: QRectF, *, for_file: bool) -> None:
        """Centres, arrows, names and the gap."""
        self.stage.bending.paint(painter, area)
        if self.centers:
            self._paint_centers(painter)
        self._paint_arrows(painter, area)
        self._paint_names(painter, area, for_file)
        if self.gap is not None:
            self._paint_gap(painter, area)
        pull = getattr(self.stage.active_tool, "pull", None)
        p = self.stage.scene.placement
        if pull is not None and pull[0] in p.body_index:
            body, point, target = pull
            a, b = self.at(p.to_world(body, point)), self.at(target)
            if a is not None and b is not None:
                painting.paint_line(painter, a, b, "spring", self.stage.scene.inks)

    def _paint_centers(self, painter: QPainter) -> None:
        """The quartered circle at each mass centre that moves."""
        scene = self.stage.scene
        if len(scene.placement.bodies) > MOST_CENTERS:
            return
        shown = [
            k
            for k, body in enumerate(scene.placement.bodies)
            if not body.fixed and body.id not in scene.hidden and hasattr(body, "inertia")
        ]
        places = self.stage.eye.project(scene.placement.centers[shown], *self.stage.extent)
        dots = painter.device().devicePixelRatioF() * max(painter.worldTransform().m11(), 1.0)
        if self._mark is None or self._mark[0] != (dots, scene.inks):
            self._mark = ((dots, scene.inks), center_mark(dots, scene.inks))
        mark = self._mark[1]
        half = mark.width() / mark.devicePixelRatio() / 2
        for x, y in places[np.isfinite(places).all(axis=1)].tolist():
            painter.drawPixmap(QPointF(x - half, y - half), mark)

    def _paint_arrows(self, painter: QPainter, area: QRectF) -> None:
        """Arrows of all kinds, and the lengths they stand for in the lower right corner."""
        stage, inks = self.stage, self.stage.scene.inks
        bottom = area.bottom() - 18.0
        for kind, unit_name in stage.arrows.units():
            per_unit = stage.arrows.pixels_per_unit(kind)
            color = inks.arrows[kind]
            seen: list[tuple[QPointF, QPointF]] = []
            rubbing: list[tuple[QPointF, QPointF]] = []
            for arrow in stage.arrows.now.get(kind, ()):
                if arrow.id in stage.scene.hidden:
                    continue
                start = np.array(arrow.at)
                tip = start + np.array(arrow.value) * per_unit * stage.scale_of_pixel()
                a, b = self.at(start), self.at(tip)
                if a is not None and b is not None:
                    (rubbing if arrow.rubs else seen).append((a, b))
            painting.paint_arrows(painter, seen, color, inks)
            painting.paint_arrows(painter, rubbing, inks.of_arrow(kind, True), inks)
            if kind == "spins":
                for a, b in seen:
                    _paint_second_head(painter, a, b, color, inks)
            step = painting.nice_step(55.0 / per_unit)
            right = area.right() - 18.0
            left = right - step * per_unit
            ends = QPointF(left, bottom), QPointF(right, bottom)
            painting.paint_arrow(painter, *ends, color, inks)
            painter.setFont(painting.small_font(painter))
            painter.setPen(color)
            text = f"{written(step, 4)} {unit_name}"
            width = painter.fontMetrics().horizontalAdvance(text)
            painter.drawText(QPointF(left - width - 8.0, bottom + 4.0), text)
            bottom -= 20.0

    def _paint_names(self, painter: QPainter, area: QRectF, for_file: bool) -> None:
        """Names of ghosts and of what is hovered and selected, or of everything."""
        stage, scene = self.stage, self.stage.scene
        ids: list[str] = []
        if self.all_names:
            ids = [e.id for e in scene.model if e.family in ("body", "joint", "force")]
        elif not for_file and not stage.active_tool.says_names:
            chosen = [*stage.selection.ids[:MOST_NAMES], stage.selection.hovered]
            labelled = stage.labels.body()
            ids = [i for i in dict.fromkeys(chosen) if labelled is None or i != labelled.id]
        ghosts = ((self.at(at), name) for at, name in stage.ghosts.names())
        names = [(at, name) for at, name in ghosts if at is not None]
        for id in ids:
            element = scene.model.elements.get(id)
            if element is None or id in scene.hidden or element.family == "parameter":
                continue
            pixels = stage.eye.project(scene.places((id,)), *stage.extent)
            pixels = pixels[np.isfinite(pixels).all(axis=1)]
            if len(pixels):
                x, y = pixels.mean(axis=0)
                if element.family == "body" and not self.all_names:
                    y = max(float(pixels[:, 1].min()), area.top())
                if area.contains(QPointF(x, y)):
                    names.append((QPointF(x, y), element.label))
        grips = [] if for_file else stage.grips_of_tool()
        sizes = [] if for_file else [rect for _, rect in stage.labels.marks]
        names = [(_off(at, grips), name) for at, name in names]
        bodies = places_on(stage.labels.outlines()) if names and not self.all_names else NOWHERE
        paint_names(painter, names, scene.inks, area, [*grips, *sizes], bodies)

    def _paint_gap(self, painter: QPainter, area: QRectF) -> None:
        p = self.stage.scene.placement
        assert self.gap is not None
        if any(marker not in p.marker_index for marker in self.gap):
            return
        i, j = (p.marker_at(m) for m in self.gap)
        a, b = self.at(i), self.at(j)
        if a is not None and b is not None:
            text = length_text(float(np.linalg.norm(j - i)), self.stage.preferences)
            painting.paint_gap(painter, a, b, text, area, self.stage.scene.inks)

    def _paint_snap(self, painter: QPainter) -> None:
        """The ring at the place that was snapped to, and the axis that is natural there."""
        stage = self.stage
        pick = stage.last_pick
        if pick is None or not pick.snap_kind or not stage.shows_snap():
            return
        place = self.at(pick.point)
        if place is None:
            return
        kinds = {"grid": "grid", "edge": "middle"}
        painting.paint_ring(painter, place, kinds.get(pick.snap_kind, "joint"), stage.scene.inks)


def _off(at: QPointF, grips: Sequence[QRectF]) -> QPointF:
    """The point for a name: where a gizmo lies around it, above the gizmo."""
    around = next((grip for grip in grips if grip.contains(at)), None)
    return at if around is None else QPointF(around.center().x(), around.top())


def center_mark(dots: float, inks: SpaceInks) -> QPixmap:
    """The quartered circle of a mass centre, with this many dots per pixel."""
    mark = QPixmap(ceil(MARK * dots), ceil(MARK * dots))
    mark.setDevicePixelRatio(dots)
    mark.fill(Qt.GlobalColor.transparent)
    inside = QPainter(mark)
    inside.setRenderHint(QPainter.RenderHint.Antialiasing)
    inside.translate(MARK / 2, MARK / 2)
    inside.scale(0.85, 0.85)
    inside.setPen(inks.line(1.1, inks.roles["ink"]))
    inside.setBrush(inks.roles["paper"])
    inside.drawEllipse(QPointF(0.0, 0.0), 5.5, 5.5)
    inside.setBrush(inks.roles["ink"])
    inside.drawPath(mass_center_mark())
    inside.end()
    return mark


def _paint_second_head(painter: QPainter, a: QPointF, b: QPointF, color: Any, inks: Any) -> None:
    """Turning is drawn with two heads."""
    line = QLineF(a, b)
    if line.length() > 24.0:
        line.setLength(line.length() - 9.0)
        painting.paint_arrow(painter, a, line.p2(), color, inks)


def paint_preview(painter: QPainter, preview: Any, overlay: Overlay, area: QRectF) -> None:
    """The preview of a tool: lines, rings and labels."""
    inks = overlay.stage.scene.inks
    for line in getattr(preview, "lines", ()):
        a, b = overlay.at(line.a), overlay.at(line.b)
        if a is None or b is None:
            continue
        if line.style == "axis":
            painter.setPen(inks.centre_line(inks.accent))
            painter.drawLine(a, b)
        else:
            painting.paint_line(painter, a, b, line.style, inks)
    for ring in getattr(preview, "rings", ()):
        place = overlay.at(ring.at)
        if place is None:
            continue
        if ring.normal is None:
            painting.paint_ring(painter, place, "joint", inks)
        else:
            _paint_flat_ring(painter, ring, overlay)
    for label in getattr(preview, "labels", ()):
        place = overlay.at(label.at)
        if place is not None:
            painting.paint_label(painter, place, label.text, inks, strong=label.field, area=area)


def _paint_flat_ring(painter: QPainter, ring: Any, overlay: Overlay) -> None:
    """A circle that lies in a plane, and a short arrow along its normal."""
    stage, inks = overlay.stage, overlay.stage.scene.inks
    R, _ = along(np.zeros(3), np.array(ring.normal))
    pixel = stage.eye.pixel(ring.at, stage.extent[1])
    turn = np.linspace(0.0, 2.0 * np.pi, 41)
    flat = np.outer(np.cos(turn), R[:, 1]) + np.outer(np.sin(turn), R[:, 2])
    seen = stage.eye.project(np.array(ring.at) + 12.0 * pixel * flat, *stage.extent)
    painter.setBrush(NO_BRUSH)
    painter.setPen(inks.line(1.8, inks.accent))
    if np.isfinite(seen).all():
        painter.drawPolyline([QPointF(*p) for p in seen.tolist()])
    a, b = overlay.at(ring.at), overlay.at(np.array(ring.at) + 34.0 * pixel * R[:, 0])
    if a is not None and b is not None:
        painting.paint_arrow(painter, a, b, inks.accent, inks)
