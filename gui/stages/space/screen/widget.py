"""A widget that VTK draws into: offscreen, then as a picture, so that it works on every Qt platform.

Edges are always smooth. Where a graphics card draws, it takes several samples of each pixel. Where the
processor draws, a picture has four times the pixels and is scaled down; if that keeps taking too long
while something moves, edges are smoothed in the finished picture instead, and a moment after the last
change it is drawn once more with four times the pixels.
"""

from time import perf_counter
from typing import Any

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (the factory of all that draws)
from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from gui.stages.kernels import are_compiled
from gui.stages.kernels.smoothing import Smoother, ready_picture
from gui.stages.space.screen.memory import give_back_soon

REST = 140  # ms without a change until the picture is drawn finely
FINE = 2  # dots in a pixel of the fine picture, along each side
MOST_DOTS = 12_000_000  # of a buffer; larger pictures are not drawn finely
SAMPLES = 8  # in a pixel, where a graphics card draws
BUDGET = 11.0  # ms of a picture with four times the pixels while something moves
PATIENCE = 6  # pictures over the budget, less those within it, until they are drawn quickly


class ImageWidget(QWidget):
    """Shows one renderer; `refresh` asks for a new picture."""

    def __init__(self, parent: QWidget | None = None, *, is_software: bool = True) -> None:
        super().__init__(parent)
        self.is_software = is_software
        self.renderer = vtkRenderer()
        self.window_ = vtkRenderWindow()
        self.window_.SetOffScreenRendering(1)
        self.window_.SetAlphaBitPlanes(1)
        self.window_.SetMultiSamples(0 if is_software else SAMPLES)
        self.window_.AddRenderer(self.renderer)
        self.renderer.SetBackground(0.0, 0.0, 0.0)
        self.renderer.SetBackgroundAlpha(0.0)
        self.is_closed = False
        self.is_fine = False  # the picture that is shown
        self._buffer = vtkUnsignedCharArray()
        self._picture = QImage()
        self._is_stale = True
        self.budget = BUDGET
        self.is_quick = False  # four times the pixels take too long while something moves
        self._late = 0  # pictures over the budget, less those within it
        self._smoother = Smoother()
        self._smooth = self._smoother.out
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._draw_finely)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.destroyed.connect(_finalizer(self.window_))

    # --- for subclasses

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel; for subclasses that draw lines."""

    def prepare(self, width: int, height: int) -> None:
        """Place the camera for a picture of this size, in pixels of the widget."""

    def paint_behind(self, painter: QPainter, area: QRectF) -> None:
        """Draw the background of the picture, which is transparent where nothing is drawn."""

    def paint_over(self, painter: QPainter, area: QRectF) -> None:
        """Draw over the picture, in pixels of the widget."""

    def refresh(self) -> None:
        """Ask for a new picture; changes the widget."""
        self._is_stale = True
        self.update()

    # --- pictures

    def _dots(self) -> tuple[int, int]:
        """The widget in dots of the screen."""
        ratio = self.devicePixelRatioF()
        return max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)

    def _factor(self, width: int, height: int) -> int:
        """How many times finer the picture at rest is."""
        dense = self.devicePixelRatioF() >= 1.5
        if not self.is_software or dense or width * height * FINE * FINE > MOST_DOTS:
            return 1
        return FINE

    def _dots_of(self, w: int, h: int) -> np.ndarray:
        """The renderers as premultiplied bytes (h, w, 4), from the lowest line; valid until the next."""
        if self.window_.GetSize() != (w, h):
            self.window_.SetSize(w, h)
        self.window_.Render()
        self.window_.GetRGBACharPixelData(0, 0, w - 1, h - 1, 0, self._buffer, 0)
        return vtk_to_numpy(self._buffer).reshape(-1)[: 4 * w * h].reshape(h, w, 4)

    def _draw(self, *, finely: bool) -> None:
        """Draw the picture that is shown; changes the widget."""
        width, height = self._dots()
        finest = self._factor(width, height)
        factor = 1 if self.is_quick and not finely else finest
        start = perf_counter()
        self.prepare(self.width(), self.height())
        self.set_density(factor * self.devicePixelRatioF())
        dots = self._dots_of(width * factor, height * factor)
        if factor > 1:
            self._picture = smaller(ready_picture(dots), QSize(width, height))
        elif self.is_software and are_compiled():
            self._smooth = self._smoother.smoothed(dots)  # kept as long as the picture
            self._picture = _image(self._smooth)
        else:
            self._picture = _image(ready_picture(dots)).copy()
        self.is_fine = factor == finest
        self._is_stale = False
        if factor > 1 and not finely:
            self._judge(1e3 * (perf_counter() - start))

    def _judge(self, took: float) -> None:
        """Draw quickly from now on if fine pictures keep taking too long; changes the widget."""
        self._late = max(self._late + (1 if took > self.budget else -1), 0)
        if self._late > PATIENCE:
            self.is_quick = True

    def try_finely(self) -> None:
        """Try fine pictures again: another model, or another size. Changes the widget."""
        self.is_quick, self._late = False, 0

    def _draw_finely(self) -> None:
        if not self.is_closed and self.isVisible() and not self.is_fine:
            self._draw(finely=True)
            self.update()

    def rendered(self, size: QSize) -> QImage:
        """What VTK draws, without what is painted behind and over it, at any size; fine."""
        width, height = max(size.width(), 1), max(size.height(), 1)
        factor = FINE if width * height * FINE * FINE <= 4 * MOST_DOTS else 1
        self.prepare(width, height)
        self.set_density(factor * height / max(self.height(), 1))
        dots = ready_picture(self._dots_of(width * factor, height * factor))
        image = smaller(dots, QSize(width, height))
        self.refresh()
        return image

    # --- events

    def resizeEvent(self, event: Any) -> None:
        """Another size needs another picture."""
        super().resizeEvent(event)
        self.try_finely()
        self._is_stale = True

    def paintEvent(self, event: Any) -> None:
        """Draw if something has changed, then show the picture and its overlay."""
        if self.is_closed or self.width() < 2 or self.height() < 2:
            return
        if self._is_stale:
            self._draw(finely=False)
            self._rest.start()
        with QPainter(self) as painter:  # ends it, whatever happens
            area = QRectF(self.rect())
            self.paint_behind(painter, area)
            painter.drawImage(area, self._picture)
            painter.setRenderHints(
                QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
            )
            self.paint_over(painter, area)

    def close_drawing(self) -> None:
        """Release the graphics memory; nothing is drawn after this. Changes the widget."""
        if not self.is_closed:
            self.is_closed = True
            self._rest.stop()
            self.renderer.RemoveAllViewProps()
            self.window_.Finalize()
            give_back_soon()


def _finalizer(window: vtkRenderWindow) -> Any:
    """The finalizer of a render window after its widget; it must not reference the widget."""

    def finalize(*_: object) -> None:
        window.Finalize()
        give_back_soon()

    return finalize


def _image(dots: np.ndarray) -> QImage:
    """Premultiplied bytes BGRA (h, w, 4) as a picture in the same memory."""
    h, w, _ = dots.shape
    return QImage(dots.data, w, h, 4 * w, QImage.Format.Format_ARGB32_Premultiplied)


def smaller(dots: np.ndarray, size: QSize) -> QImage:
    """A picture of its own, scaled down by a whole factor: every dot is the mean of those it replaces."""
    image = _image(dots)
    factor = image.width() // max(size.width(), 1)
    if factor <= 1:
        return image.copy()
    return image.scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
