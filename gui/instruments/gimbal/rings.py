"""The ring view: three gimbal rings about a body, which the mouse can turn."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.instruments.gimbal import ring_geometry as geometry
from gui.instruments.gimbal.ring_painting import (
    Camera,
    Painted,
    Screen,
    base_colours,
    face_at,
    paint_faces,
    paint_label,
)
from gui.look.theme import Theme, theme_of
from gui.look.tooltips import as_text
from gui.state.attitude import Attitude
from rotations.gimbal_lock import Level

AXES = "xyz"
PRIMES = ("", "′", "″")
GREEK = ("φ", "θ", "ψ")
GRASP = 7.0  # px beside a ring where it can still be grabbed
LEAST_LEVER = 0.3  # of the scale: least lever, which limits how fast a ring seen edge-on turns
SNAP = np.radians(15.0)
AMBER, RED = "#e5a318", "#e0452f"  # of faces; text has the colours of the theme
ORBIT = 0.009  # rad of the camera for each pixel


class RingView(QWidget):
    """Shows an attitude; dragging a ring asks for another angle, dragging beside it orbits."""

    grasped = Signal(int)  # the ring, from 0 outside to 2 inside
    turning = Signal(int, float)  # the ring and its new angle [rad], while it is dragged
    let_go = Signal()
    refused = Signal(str)  # why a ring cannot be turned

    def __init__(self, shown: Callable[[float], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown = shown  # an angle [rad] in words, with its unit
        self.attitude: Attitude | None = None
        self.camera = Camera()
        self.reason = ""  # why the rings cannot be turned now
        self.hovered = -1
        self._painted: Painted | None = None
        self._held = -1  # the ring under the mouse
        self._angle = 0.0  # of the held ring, before snapping
        self._mouse: QPointF | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(160, 150)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Gimbal rings"))

    def sizeHint(self) -> QSize:
        """About as high as wide."""
        return QSize(340, 320)

    def show_attitude(self, attitude: Attitude | None, reason: str = "") -> None:
        """Show a body and its rings; changes the view. `reason`: why they cannot be turned."""
        self.attitude, self.reason = attitude, reason
        self.update()

    @property
    def screen_(self) -> Screen:
        """From the world to pixels of this view."""
        scale = min(self.width() / 2.8, self.height() / 2.95)
        return Screen(self.camera, self.width() / 2.0, self.height() / 2.0, scale)

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axes that point away, faces, axes that point to the eye, and labels."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.paper))
        if self.attitude is not None:
            self._paint_attitude(painter, self.attitude, theme)
        painter.end()

    def _paint_attitude(self, painter: QPainter, attitude: Attitude, theme: Theme) -> None:
        screen = self.screen_
        axes = geometry.directions(attitude.sequence, attitude.angles)
        colours = self._colours(theme, attitude.level)
        towards = self.camera.axes()[2]
        for n in range(3):
            self._paint_axis(painter, screen, axes[n], n, colours, towards, near=False)
        faces = geometry.scene(attitude.sequence, attitude.angles)
        self._painted = paint_faces(painter, screen, faces, colours, QColor(theme.paper))
        for n in range(3):
            self._paint_axis(painter, screen, axes[n], n, colours, towards, near=True)
        taken: list[QRectF] = []
        if attitude.level != Level.FINE:
            self._paint_lost(painter, screen, attitude, theme, taken)
        self._paint_labels(painter, screen, attitude, axes, theme, taken)
        self._paint_world(painter, theme)

    def _colours(self, theme: Theme, level: Level) -> dict[str, QColor]:
        """The colours of the parts; two rings in lock are both amber or red."""
        colours = base_colours(theme)
        if level != Level.FINE:
            alarm = QColor(RED if level == Level.RED else AMBER)
            colours["outer"], colours["inner"] = alarm, alarm
            colours["middle"] = QColor(theme.ground)
        if 0 <= self.hovered < 3:
            tag = geometry.RINGS[self.hovered]
            colours[tag] = colours[tag].lighter(118)
        return colours

    def _paint_axis(
        self,
        painter: QPainter,
        screen: Screen,
        axis: np.ndarray,
        n: int,
        colours: dict[str, QColor],
        towards: np.ndarray,
        *,
        near: bool,
    ) -> None:
        """The two ends of an axis beyond its ring, if they are on this side of the middle."""
        pen = QPen(colours[geometry.RINGS[n]], 1.4)
        pen.setStyle(Qt.PenStyle.SolidLine if n == 0 else Qt.PenStyle.DashLine)
        painter.setPen(pen)
        start = geometry.REACH if n == 0 else geometry.RADII[n]
        for sign, end in ((1.0, 1.33), (-1.0, 1.2)):
            if (sign * axis @ towards >= 0.0) == near and end > start:
                painter.drawLine(screen.point(sign * start * axis), screen.point(sign * end * axis))

    def _paint_lost(
        self,
        painter: QPainter,
        screen: Screen,
        attitude: Attitude,
        theme: Theme,
        taken: list[QRectF],
    ) -> None:
        """Draw the direction about which no ring can turn."""
        lost = geometry.lost_direction(attitude.sequence, attitude.angles)
        painter.setPen(QPen(QColor(theme.quiet), 1.6, Qt.PenStyle.DotLine))
        painter.drawLine(screen.point(-1.2 * lost), screen.point(1.2 * lost))
        words = self.tr("lost") if attitude.level == Level.RED else self.tr("nearly lost")
        place = screen.point(1.28 * lost)
        paint_label(painter, place, words, QColor(theme.quiet), QColor(theme.paper), taken)

    def _paint_labels(
        self,
        painter: QPainter,
        screen: Screen,
        attitude: Attitude,
        axes: np.ndarray,
        theme: Theme,
        taken: list[QRectF],
    ) -> None:
        font = painter.font()
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        colours = self._colours(theme, attitude.level)
        for n, name in enumerate(axis_names(attitude.sequence)):
            words = f"{name}   {GREEK[n]} = {self.shown(attitude.angles[n])}"
            ink = colours[geometry.RINGS[n]]
            ink = ink.darker(150) if theme.is_light else ink.lighter(115)
            place = screen.point(1.4 * axes[n])
            paint_label(painter, place, words, ink, QColor(theme.paper), taken)

    def _paint_world(self, painter: QPainter, theme: Theme) -> None:
        """The axes of the world, small, in the corner."""
        right, up, _ = self.camera.axes()
        middle = QPointF(26.0, self.height() - 26.0)
        painter.setPen(QPen(QColor(theme.quiet), 1.2))
        for n, name in enumerate(AXES):
            tip = middle + QPointF(16.0 * right[n], -16.0 * up[n])
            painter.drawLine(middle, tip)
            end = middle + QPointF(22.0 * right[n], -22.0 * up[n])
            box = QRectF(end.x() - 8.0, end.y() - 8.0, 16.0, 16.0)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    # --- the mouse

    def ring_at(self, place: QPointF) -> int:
        """The ring that is seen at a pixel or near to it; -1 for none."""
        if self.attitude is None or self._painted is None:
            return -1
        offsets = [(0.0, 0.0)]
        offsets += [(dx * GRASP, dy * GRASP) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        for dx, dy in offsets:
            tag = face_at(self._painted, place.x() + dx, place.y() + dy)
            if tag in geometry.RINGS:
                return geometry.RINGS.index(tag)
        return -1

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab a ring, or the space around it."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._mouse = event.position()
        ring = self.ring_at(event.position())
        if ring >= 0 and self.reason:
            self.refused.emit(self.reason)
            self._mouse = None
        elif ring >= 0 and self.attitude is not None:
            self._held, self._angle = ring, float(self.attitude.angles[ring])
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.grasped.emit(ring)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn the ring or the camera; highlight what could be grabbed."""
        if self._mouse is None:
            self._hover(self.ring_at(event.position()))
            return
        moved, self._mouse = event.position() - self._mouse, event.position()
        if self._held >= 0:
            self._angle += self._turn_of(event.position(), moved)
            snapped = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            angle = round(self._angle / SNAP) * SNAP if snapped else self._angle
            self.turning.emit(self._held, float(angle))
        else:
            self.camera = self.camera.turned(ORBIT * moved.x(), ORBIT * moved.y())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        held, self._held, self._mouse = self._held, -1, None
        self.unsetCursor()
        if held >= 0:
            self.let_go.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Reset the camera."""
        if self.ring_at(event.position()) < 0:
            self.camera = Camera()
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight."""
        self._hover(-1)

    def _hover(self, ring: int) -> None:
        if ring != self.hovered:
            self.hovered = ring
            self.setCursor(
                Qt.CursorShape.OpenHandCursor if ring >= 0 else Qt.CursorShape.ArrowCursor
            )
            self.setToolTip(self._tip(ring))
            self.update()

    def _tip(self, ring: int) -> str:
        if ring < 0 or self.attitude is None:
            return self.tr("Drag to look from another side; double-click for the usual one.")
        if self.reason:
            return as_text(self.reason)
        names = (self.tr("outer"), self.tr("middle"), self.tr("inner"))
        words = self.tr("Drag the {0} ring to change {1}. Shift turns in steps of 15°.")
        return words.format(names[ring], GREEK[ring])

    def _turn_of(self, place: QPointF, moved: QPointF) -> float:
        """The angle [rad] by which a ring follows the mouse.

        The point P of the ring under the mouse moves by  dP = d x P dalpha  about the axis d; on the
        screen this is  J dalpha, and  dalpha = J . moved / |J|^2.
        """
        attitude, screen = self.attitude, self.screen_
        assert attitude is not None
        axis = geometry.directions(attitude.sequence, attitude.angles)[self._held]
        points = self._points(attitude, self._held)
        pixels, near = screen.project(points)
        distance = np.hypot(pixels[:, 0] - place.x(), pixels[:, 1] - place.y())
        nearest = points[np.argmin(distance - 4.0 * near)]  # of two equally near, the one in front
        step = 1e-4
        ends = screen.project(np.array([nearest, nearest + step * np.cross(axis, nearest)]))[0]
        J = (ends[1] - ends[0]) / step
        least = LEAST_LEVER * screen.scale
        return float(J @ (moved.x(), moved.y())) / max(float(J @ J), least * least)

    @staticmethod
    def _points(attitude: Attitude, ring: int) -> np.ndarray:
        """Points around a ring, in the world."""
        faces = geometry.scene(attitude.sequence, attitude.angles)
        own = np.array([tag == geometry.RINGS[ring] for tag in faces.tags])
        return faces.corners[own].mean(axis=1)


def axis_names(sequence: str) -> tuple[str, ...]:
    """The names of the three axes of rotation: z, x′, z″ for 3-1-3."""
    axes = geometry.axes_of(sequence)
    return tuple(AXES[axis] + prime for axis, prime in zip(axes, PRIMES))
