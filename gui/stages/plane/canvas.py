"""The canvas under the stage: camera, paper, grid, places in metres and pixels, pictures."""

from math import isclose
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QPoint,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QImage, QPainter, QTransform
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

from gui.look.theme import theme_of
from gui.stages.plane import rendering
from gui.stages.plane.background import Background
from gui.stages.plane.camera import NO_CARD, Camera, lies_under
from gui.stages.plane.foreground import Foreground
from gui.stages.plane.painting import paint_grid
from gui.stages.plane.scene import StageScene

ZOOM_OF_NOTCH = 1.2
EDGE = 26.0  # pixels around a drawing in which its mounts lie


class Widened(NamedTuple):
    """A view that a smaller stage has widened, so that it returns with the size of the stage."""

    size: QSize  # of the stage before
    before: tuple[float, float, float]  # the camera then
    after: tuple[float, float, float]


class StageCanvas(QGraphicsView):
    """Shows a part of the plane: zooms, pans, and paints what lies behind and over the drawing."""

    zoomed = Signal(float)  # metres per pixel

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.has_grid = True
        self.camera = Camera()
        self.stage_scene = StageScene(theme_of(self.palette()))  # a view does not own its scene
        self.background = Background(self.stage_scene)
        self.foreground: Foreground | None = None
        self.painted_area: QRectF | None = None  # while a picture is rendered
        self.is_transparent = False
        self.is_fitted = True  # the whole drawing is shown, and stays so
        self._corner = NO_CARD  # what a card covers at the upper left
        self._middle: QPointF | None = None  # of the viewport in its window, as it was painted last
        self._glide: QVariantAnimation | None = None
        self._widened: Widened | None = None  # since a drawer was opened
        self._set_up()

    def _set_up(self) -> None:
        """Configure the graphics view for this stage."""
        self.setScene(self.stage_scene)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing)
        self.setFrameShape(QFrame.Shape.NoFrame)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAcceptDrops(False)
        self.setAccessibleName(self.tr("Stage"))

    # --- places

    def scale_of_pixel(self) -> float:
        """Metres per pixel."""
        return 1.0 / self.camera.scale

    def to_world(self, at: QPointF | QPoint) -> tuple[float, float]:
        """A place in the viewport as metres."""
        inverse, _ = self.viewportTransform().inverted()
        point = inverse.map(QPointF(at))
        return point.x(), point.y()

    def to_pixels(self, x: float, y: float) -> QPointF:
        """A place in metres as pixels of the viewport."""
        return self.viewportTransform().map(QPointF(x, y))

    # --- what is seen

    def fit(self, *, smoothly: bool = False) -> None:
        """Show the whole drawing; changes the zoom."""
        self.is_fitted = True
        target = self._fitted(self.drawn_rect())
        if smoothly and self.isVisible():
            self._glide_to(target)
        else:
            self.camera.set_state(*target)
            self._middle = None  # a size that changes before the next picture is fitted as well
            self._apply_camera()

    def glide_to_rect(self, rect: QRectF) -> None:
        """Show a rectangle of the plane with a margin; changes the zoom."""
        self.is_fitted = False
        self._glide_to(self._fitted(rect))

    def keep_clear(self, corner: QSizeF) -> None:
        """Fit drawings beside a card in the upper left corner; one that would lie below it moves away.

        Changes the zoom where the whole drawing is shown.
        """
        self._corner, drawn = corner, self.drawn_rect()
        size = QSizeF(self.viewport().size())
        is_hidden = lies_under(corner, drawn, size, *self.camera.state)
        if self.is_fitted and self.isVisible() and is_hidden:
            self.fit(smoothly=True)

    def _fitted(self, rect: QRectF) -> tuple[float, float, float]:
        """Middle and scale that show a rectangle beside what lies over the stage."""
        return self.camera.fitted(rect, QSizeF(self.viewport().size()), self._corner)

    def drawn_rect(self) -> QRectF:
        """The rectangle around the drawing and its background picture."""
        return self.stage_scene.reach().united(self.background.rect())

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom by a factor about a place of the viewport, its middle by default."""
        place = QPointF(self.viewport().rect().center()) if at is None else at
        self.camera.zoom(factor, QPointF(*self.to_world(place)))
        self.is_fitted = False
        self._apply_camera()

    def show_grid(self, shown: bool) -> None:
        """Draw the grid and snap to it, or not."""
        self.has_grid = shown
        self.viewport().update()

    def show_centers(self, shown: bool) -> None:
        """Mark mass centres, or not."""
        self.stage_scene.set_show_centers(shown)

    def render_image(self, size: QSize, transparent: bool = False) -> QImage:
        """What is seen now, as a picture of any size."""
        return rendering.render_view(self, size, transparent)

    # --- the camera

    def _apply_camera(self) -> None:
        size = QSizeF(self.viewport().size())
        self.setSceneRect(self.camera.rect(size))
        self.setTransform(QTransform.fromScale(self.camera.scale, -self.camera.scale))
        self.stage_scene.set_pixel(self.scale_of_pixel())
        self.zoomed.emit(self.scale_of_pixel())
        self.viewport().update()

    def _glide_to(self, target: tuple[float, float, float]) -> None:
        """Move the camera smoothly to a place and scale."""
        start = self.camera.state
        glide = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=180)
        glide.setEasingCurve(QEasingCurve.Type.OutCubic)

        def step(u: float) -> None:
            x, y = (a + u * (b - a) for a, b in zip(start[:2], target[:2]))
            self.camera.set_state(x, y, start[2] * (target[2] / start[2]) ** u)
            self._apply_camera()

        glide.valueChanged.connect(step)
        self._end_glide()
        self._glide = glide
        glide.start(QVariantAnimation.DeletionPolicy.KeepWhenStopped)

    def _end_glide(self) -> None:
        """Be where the camera is going; changes the camera."""
        if self._glide is not None and self._glide.state() != QVariantAnimation.State.Stopped:
            self._glide.setCurrentTime(self._glide.duration())
            self._glide.stop()

    # --- events

    def resizeEvent(self, event: Any) -> None:
        """Keep every point at its place on the screen; widen the view if it hides what was whole."""
        super().resizeEvent(event)
        if self._middle is None or not self.isVisible():
            if self.is_fitted:
                self.fit()
            else:
                self._apply_camera()
            return
        self._end_glide()
        if self._returns(event.size()):
            return
        drawn, was, state = self.drawn_rect(), self._middle, self.camera.state
        old = self.camera.rect(QSizeF(event.oldSize()))
        edge = EDGE / self.camera.scale
        around = drawn.adjusted(-edge, -edge, edge, edge)  # with mounts and names
        was_whole = _holds(old, drawn)
        needed = around if _holds(old, around) else drawn
        self._middle = self._middle_in_window()
        self.camera.keep(self._middle.x() - was.x(), self._middle.y() - was.y())
        self._apply_camera()
        if was_whole and not self.sees(needed):
            x, y, scale = self._fitted(drawn)
            after = (x, y, min(scale, self.camera.scale))
            self._widened = Widened(event.oldSize(), state, after)
            self._glide_to(after)

    def _returns(self, size: QSize) -> bool:
        """Where a drawer is closed and nobody moved the view, glide back; whether it does."""
        was, self._widened = self._widened, None
        if was is None or was.size != size:
            return False
        if not all(isclose(a, b, abs_tol=1e-9) for a, b in zip(was.after, self.camera.state)):
            return False
        self._middle = self._middle_in_window()
        self._apply_camera()
        self._glide_to(was.before)
        return True

    def _middle_in_window(self) -> QPointF:
        """The middle of the viewport in pixels of the window."""
        size = QSizeF(self.viewport().size()) / 2.0
        corner = QPointF(self.viewport().mapTo(self.window(), QPoint(0, 0)))
        return corner + QPointF(size.width(), size.height())

    def sees(self, rect: QRectF, edge: float = 0.0) -> bool:
        """Whether the whole of a rectangle [m] is in sight, this far from the edge [pixels]."""
        area = self.viewport().rect()
        low, high = self.to_world(area.bottomLeft()), self.to_world(area.topRight())
        around = edge / self.camera.scale
        wide = rect.adjusted(-around, -around, around, around)
        return _holds(QRectF(QPointF(*low), QPointF(*high)), wide)

    def viewportEvent(self, event: Any) -> bool:
        """Zoom with two fingers, where the system reports them."""
        if event.type() == QEvent.Type.NativeGesture:
            if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
                self.zoom(1.0 + event.value(), event.position())
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the cursor."""
        notches = event.angleDelta().y() / 120.0
        if notches:
            self.zoom(ZOOM_OF_NOTCH**notches, event.position())
        event.accept()

    # --- painting

    def paintEvent(self, event: Any) -> None:
        """Paint for the density of the screen the window is on."""
        self.stage_scene.set_sharpness(self.devicePixelRatioF())
        super().paintEvent(event)
        self._middle = self._middle_in_window()

    def drawBackground(self, painter: QPainter, rect: QRectF | Any) -> None:
        """Paper, picture and grid."""
        inks = self.stage_scene.inks
        if not self.is_transparent:
            painter.fillRect(rect, inks.paper)
        self.background.paint(painter)
        if self.has_grid and not self.is_transparent:
            area = self.painted_area or QRectF(self.viewport().rect())
            corners = self.to_world(area.bottomLeft()), self.to_world(area.topRight())
            seen = QRectF(QPointF(*corners[0]), QPointF(*corners[1]))
            painter.save()
            painter.setWorldTransform(self._pixels(painter))
            paint_grid(painter, area, seen, self.scale_of_pixel(), inks)
            painter.restore()

    def drawForeground(self, painter: QPainter, rect: QRectF | Any) -> None:
        """Arrows, names, the preview of the tool and the scale bar, in pixels of the viewport."""
        painter.save()
        painter.setWorldTransform(self._pixels(painter))
        if self.foreground is not None:
            self.foreground.paint(painter)
        painter.restore()

    def _pixels(self, painter: QPainter) -> QTransform:
        """The transform with which a painter of the scene draws in pixels of the viewport."""
        inverse, _ = self.viewportTransform().inverted()
        return inverse * painter.worldTransform()


def _holds(outer: QRectF, inner: QRectF) -> bool:
    """Whether a rectangle is within another; it may be a line or a point, unlike with Qt."""
    across = outer.left() <= inner.left() and inner.right() <= outer.right()
    return across and outer.top() <= inner.top() and inner.bottom() <= outer.bottom()
