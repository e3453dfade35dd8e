"""Badges at bodies that are near gimbal lock, painted over the picture; a click asks for the rings."""

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from engine.model.elements import Id, same_mechanism
from gui.look.icons import coloured
from gui.stages.plane import painting
from gui.stages.space.cube import SIZE, place_of
from gui.state.lock_badges import Badge, level_state, lock_badges, shown_angle
from gui.state.numbers import written

if TYPE_CHECKING:
    from gui.stages.space.view import Stage3D

MOST = 12  # badges that are painted; those nearest to lock
ICON, PAD, GAP = 14.0, 7.0, 10.0  # pixels: the symbol, inside the pill, and from the body


class LockMarks:
    """Finds the bodies near lock, paints a pill beside each, and knows which one the mouse is on."""

    def __init__(self, stage: "Stage3D") -> None:
        self.stage = stage
        self.badges: dict[Id, Badge] = {}
        self.pills: dict[Id, QRectF] = {}  # where they were painted last

    def find(self) -> None:
        """Find which bodies are near lock in the pose that is shown; changes the badges."""
        stage, results = self.stage, self.stage.playback.results
        model = stage.document.shown
        if results is not None and not same_mechanism(results.model, model):
            results = None
        self.badges = lock_badges(model, results, stage.playback.time)

    def at(self, place: QPointF) -> Badge | None:
        """The badge under the mouse."""
        hit = (id for id, pill in self.pills.items() if pill.contains(place))
        return self.badges.get(next(hit, ""))

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """A pill with a symbol and the angle to lock, beside each body; changes the places of pills."""
        self.pills = {}
        nearest = sorted(self.badges.values(), key=lambda badge: badge.angle)[:MOST]
        for badge in nearest:
            at = self._beside(badge.id)
            if at is not None and area.adjusted(-40.0, -40.0, 40.0, 40.0).contains(at):
                self.pills[badge.id] = self._paint_pill(painter, badge, at, area)

    def _beside(self, id: Id) -> QPointF | None:
        """The upper right corner of a body on the screen; None where it is not seen."""
        scene = self.stage.scene
        if id in scene.hidden or id not in scene.graphics:
            return None
        seen = self.stage.eye.project(scene.places((id,)), *self.stage.extent)
        seen = seen[np.isfinite(seen).all(axis=1)]
        return QPointF(float(seen[:, 0].max()), float(seen[:, 1].min())) if len(seen) else None

    def words(self, badge: Badge) -> str:
        """How far a body is from lock, in few words."""
        preferences = self.stage.preferences
        if preferences is None:
            away = f"{written(float(np.degrees(badge.angle)), 2)}°"
        else:
            away = shown_angle(preferences, badge.angle, 2)
        return self.stage.tr("{0} to lock").format(away)

    def _paint_pill(self, painter: QPainter, badge: Badge, at: QPointF, area: QRectF) -> QRectF:
        theme: Any = self.stage.scene.inks.theme
        state = level_state(badge.level)
        color, text = QColor(getattr(theme, state)), self.words(badge)
        font = painting.small_font(painter, True)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        wide = metrics.horizontalAdvance(text) + ICON + 2.0 * PAD + 4.0
        pill = QRectF(at.x() + GAP, at.y() - GAP, wide, metrics.height() + 6.0)
        pill.moveLeft(min(max(pill.left(), area.left() + 6.0), area.right() - wide - 6.0))
        pill.moveTop(min(max(pill.top(), area.top() + 6.0), area.bottom() - pill.height() - 6.0))
        cube = QRectF(0.0, 0.0, SIZE, SIZE)
        cube.moveCenter(place_of(area))
        if pill.intersects(cube):
            pill.moveRight(cube.left() - 3.0)
        for other in self.pills.values():
            if pill.intersects(other):
                pill.moveTop(other.bottom() + 3.0)
        painter.setPen(QPen(color, 1.4))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(pill, 0.5 * pill.height(), 0.5 * pill.height())
        symbol = QRectF(pill.left() + PAD, pill.center().y() - 0.5 * ICON, ICON, ICON)
        coloured(state, color.name()).paint(painter, symbol.toRect())
        painter.setPen(color)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(pill.adjusted(PAD + ICON + 4.0, 0.0, 0.0, 0.0), int(left), text)
        return pill
