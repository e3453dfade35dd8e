"""The canvas in space: the camera, places as pixels, the visible part, and camera motion."""

from base64 import b64encode
from dataclasses import replace
from math import pi
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QEasingCurve,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QVariantAnimation,
    Signal,
)
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from vtkmodules.vtkRenderingCore import vtkActor

from engine.files.atomic import replace_file
from gui.look.image_files import encoded
from gui.look.theme import theme_of
from gui.placing.space.camera import ANGLE, Eye
from gui.placing.space.picking import Screen, hits
from gui.stages.space.cube import NO_CARD, beside_corners
from gui.stages.space.ghosts import SpaceGhosts
from gui.stages.space.overlay import Overlay
from gui.stages.space.scene import Scene
from gui.stages.space.screen.widget import ImageWidget
from gui.stages.space.trails import SpaceTrails

ZOOM_OF_NOTCH = 1.2
GLIDE = 260  # ms
FINER = 2  # dots in a pixel of pictures that are embedded
EMPTY_HEIGHT = (
    1.2  # m of an empty room that are visible: what fits on a table, two centimetres can be dragged
)


class SpaceCanvas(ImageWidget):
    """Shows a part of space: orbits, pans, zooms, and renders pictures."""

    zoomed = Signal(float)  # metres per pixel at the focus

    def __init__(self, parent: QWidget | None = None, *, is_software: bool = True) -> None:
        super().__init__(parent, is_software=is_software)
        self.has_grid = True
        self.eye = Eye()
        self.is_fitted = True
        self._is_drawn = False  # since it was fitted
        self._corner = NO_CARD  # what a card covers at the upper left
        self._widened: QSize | None = None  # the size before a smaller stage widened the view
        self.scene = Scene(self.renderer, theme_of(self.palette()))
        self.trails = SpaceTrails(self.renderer, self.scene)
        self.ghosts = SpaceGhosts(self.renderer, self.scene)
        self.overlay: Overlay | None = None
        self._glide: QVariantAnimation | None = None
        self._drag: tuple[str, QPointF] | None = None  # orbiting or panning, from where
        self._picture_size: tuple[float, float] | None = None
        self.setAccessibleName(self.tr("Stage"))

    # --- places

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of what is drawn: the widget, or a picture in its pixels."""
        return self._picture_size or (float(self.width()), float(self.height()))

    def scale_of_pixel(self) -> float:
        """Metres per pixel at the focus."""
        return self.eye.height / max(self.extent[1], 1.0)

    def to_pixels(self, place: Any) -> tuple[float, float]:
        """A place of space in pixels of the widget; NaN behind the eye."""
        x, y = self.eye.project(np.asarray(place, dtype=float), *self.extent)[0].tolist()
        return x, y

    # --- what is seen

    def fit(self, *, smoothly: bool = False) -> None:
        """Show the whole model; changes the camera."""
        self.go_to(self._fitted(self.eye), smoothly=smoothly)
        self.is_fitted, self._is_drawn = True, smoothly

    def _fitted(self, eye: Eye) -> Eye:
        places = self.drawn_places()
        if not len(places):
            return replace(eye, focus=(0.0, 0.0, 0.0), height=EMPTY_HEIGHT)
        width, height = max(self.width(), 1), max(self.height(), 1)
        found = eye.fitted(places, width, height)
        least = 6.0 * self.scene.unit if len(places) > 1 else EMPTY_HEIGHT
        if found.height <= least:
            return replace(found, height=least)
        return beside_corners(found, places, width, height, self._corner)

    def keep_clear(self, corner: QSizeF) -> None:
        """Fit drawings beside a card in the upper left corner; one that would lie below it moves away.

        Changes the camera where the whole drawing is shown.
        """
        self._corner = corner
        if self.is_fitted and self.isVisible() and len(places := self.drawn_places()):
            x, y = self.eye.project(places, *self.extent).T
            if ((x < corner.width()) & (y < corner.height())).any():
                self.fit(smoothly=self._is_drawn)

    def drawn_places(self) -> np.ndarray:
        """Places around the model and around the run that is shown."""
        places = self.scene.places()
        if not len(places):
            return places
        low, high = places.min(axis=0), places.max(axis=0)
        return np.concatenate([places, self.trails.reach(low, high, self.scene.outline)])

    def look_from(self, name: str, *, smoothly: bool = True) -> None:
        """Look from the front, the top, the right ...; changes the camera."""
        eye = self.eye.turned_to(name)
        self.go_to(self._fitted(eye) if self.is_fitted else eye, smoothly=smoothly)

    def set_parallel(self, is_parallel: bool) -> None:
        """Turn perspective off or on; changes the camera."""
        self.go_to(replace(self.eye, is_parallel=is_parallel))

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom by a factor about a place of the widget, its middle by default."""
        self.is_fitted = False
        place = None
        if at is not None:
            place = self._depth_at(at)
        self.go_to(self.eye.zoomed(factor, place))

    def _depth_at(self, at: QPointF) -> np.ndarray:
        """The place of space that is seen at a pixel: on a body, on the floor, or by the focus."""
        screen = Screen(self.scene, self, at.x(), at.y())
        if found := hits(self.scene, screen.ray):
            return found[0].at
        o, d = np.array(screen.ray.origin), np.array(screen.ray.direction)
        toward = -self.eye.axes[2]
        return o + float((np.array(self.eye.focus) - o) @ toward) / float(d @ toward) * d

    def go_to(self, eye: Eye, *, smoothly: bool = False) -> None:
        """Use another camera; changes the view."""
        if self._glide is not None:
            self._glide.stop()
            self._glide = None
        if smoothly and self.isVisible():
            self._glide_to(eye)
        else:
            self._set_eye(eye)

    def _set_eye(self, eye: Eye) -> None:
        self.eye = eye
        self.scene.set_pixel(self.scale_of_pixel())
        low, high = self.scene.reach()
        self.scene.room.lay_grid(low, high, eye.height)
        self.scene.shadows.seen_from(eye.axes[2])
        self.zoomed.emit(self.scale_of_pixel())
        self.refresh()

    def _glide_to(self, target: Eye) -> None:
        """Move the camera smoothly."""
        start = self.eye
        glide = QVariantAnimation(self, startValue=0.0, endValue=1.0, duration=GLIDE)
        glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        glide.valueChanged.connect(lambda u: self._set_eye(start.between(target, u)))
        self._glide = glide
        glide.start(QVariantAnimation.DeletionPolicy.KeepWhenStopped)

    # --- the look

    def show_grid(self, shown: bool) -> None:
        """Draw the grid and snap to it, or not."""
        self.has_grid = shown
        self.scene.room.has_grid = shown
        self.update()

    def show_centers(self, shown: bool) -> None:
        """Mark mass centres, or not."""
        if self.overlay is not None:
            self.overlay.centers = shown
        self.update()

    # --- drawing

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel."""
        for part in (self.scene, self.trails, self.ghosts):
            part.set_density(dots)

    def prepare(self, width: int, height: int) -> None:
        """Set the VTK camera."""
        eye = self.eye
        _, up, _ = eye.axes
        camera = self.renderer.GetActiveCamera()
        camera.SetParallelProjection(eye.is_parallel)
        camera.SetViewAngle(ANGLE * 180.0 / pi)
        camera.SetParallelScale(0.5 * eye.height)
        camera.SetFocalPoint(*eye.focus)
        camera.SetPosition(*eye.position)
        camera.SetViewUp(*up)
        camera.SetClippingRange(*self.scene.depths(eye, self.drawn_beside()))

    def drawn_beside(self) -> list[vtkActor]:
        """What is seen beside the model: ghosts of runs, and trails."""
        return [*self.ghosts.actors(), *self.trails.actors()]

    def paint_behind(self, painter: QPainter, area: QRectF) -> None:
        """The sky, lighter towards the floor, and the grid."""
        self.scene.room.paint(painter, area, self.eye)

    def paint_over(self, painter: QPainter, area: QRectF) -> None:
        """Names, arrows, previews and the cube."""
        self._is_drawn = True
        if self.overlay is not None:
            self.overlay.paint(painter, area)

    def render_image(self, size: QSize, transparent: bool = False) -> QImage:
        """What is seen now, as a picture of any size."""
        wide, high = max(self.width(), 1), max(self.height(), 1)
        eye = self.eye
        share = (size.width() / max(size.height(), 1)) / (wide / high)
        if share < 1.0:  # a narrower picture shows more above and below
            self.eye = replace(eye, height=eye.height / share)
        try:
            image = self.rendered(size)
            scale = size.height() / high * min(share, 1.0)
            if share < 1.0:
                scale = size.width() / wide
            self._picture_size = (size.width() / scale, size.height() / scale)
            picture = self._composed(image, scale, transparent=transparent)
        finally:
            self.eye, self._picture_size = eye, None
        return picture

    def _composed(self, image: QImage, scale: float, *, transparent: bool) -> QImage:
        """A picture of VTK with background and overlay."""
        picture = QImage(image.size(), QImage.Format.Format_ARGB32_Premultiplied)
        picture.fill(Qt.GlobalColor.transparent)
        area = QRectF(0.0, 0.0, *self.extent)
        painter = QPainter(picture)
        hints = QPainter.RenderHint
        painter.setRenderHints(hints.Antialiasing | hints.TextAntialiasing)
        painter.scale(scale, scale)
        if not transparent:
            self.paint_behind(painter, area)
        painter.resetTransform()
        painter.drawImage(0, 0, image)
        painter.scale(scale, scale)
        if self.overlay is not None:
            self.overlay.paint(painter, area, for_file=True)
        painter.end()
        return picture

    def render_svg(self, path: str) -> None:
        """Write what is seen now as SVG: a picture in it, because surfaces have no lines."""
        picture = encoded(self.render_image(self.size() * FINER))
        data = b64encode(picture).decode("ascii")
        wide, high = self.width(), self.height()
        text = (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
            f'<image width="{wide}" height="{high}" xlink:href="data:image/png;base64,{data}"/></svg>'
        )
        replace_file(path, lambda file: file.write(text.encode("ascii")), "write")

    # --- events

    def resizeEvent(self, event: Any) -> None:
        """Keep focus and pixels per metre; widen a fitted view that became too small."""
        super().resizeEvent(event)
        before = event.oldSize().height()
        if not self._is_drawn or not self.isVisible() or before <= 1:
            self._resized_at_first()
            return
        share = max(self.height(), 1) / before
        self._set_eye(replace(self.eye, height=self.eye.height * share))
        was, self._widened = self._widened, None
        if self.is_fitted and not self._is_whole():
            self._widened = event.oldSize()
            self.fit(smoothly=True)
        elif self.is_fitted and was == event.size():  # the drawer is closed again
            self.fit(smoothly=True)

    def _resized_at_first(self) -> None:
        """Fit a view that nobody has seen yet; changes the camera."""
        if self.is_fitted:
            self.fit()
        else:
            self._set_eye(self.eye)

    def _is_whole(self) -> bool:
        """Whether the drawing and the run that is shown are seen whole."""
        seen = self.eye.project(self.drawn_places(), *self.extent)
        return bool(((seen >= -1.0) & (seen <= np.array(self.extent) + 1.0)).all())

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the cursor."""
        notches = event.angleDelta().y() / 120.0
        if notches:
            self.zoom(ZOOM_OF_NOTCH**notches, event.position())
        event.accept()

    def begin_drag(self, kind: str, at: QPointF) -> None:
        """Begin to orbit or pan; changes the view."""
        self._drag = (kind, at)
        closed = Qt.CursorShape.ClosedHandCursor
        self.setCursor(closed if kind == "pan" else Qt.CursorShape.SizeAllCursor)

    def drag_on(self, at: QPointF) -> None:
        """Orbit or pan to here; changes the camera."""
        assert self._drag is not None
        kind, before = self._drag
        moved = at - before
        self._drag = (kind, at)
        if kind == "pan":
            self.is_fitted = False
            self.go_to(self.eye.panned(moved.x(), moved.y(), self.height()))
        else:
            per_pixel = 1.2 * pi / max(min(self.width(), self.height()), 200)
            self.go_to(self.eye.orbited(moved.x() * per_pixel, moved.y() * per_pixel))
