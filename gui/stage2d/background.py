"""A picture behind the drawing, to trace over."""

from math import hypot
from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsScene

AT_FIRST = 0.6  # of the width of the view


class Background:
    """The picture, where its middle lies, how large its pixels are and how faint it is."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self.scene = scene
        self.path = ""
        self.picture = QPixmap()
        self.x, self.y = 0.0, 0.0
        self.pixel = 0.001  # metres of one pixel of the picture
        self.opacity = 0.5

    def set_picture(self, path: str | None, x: float, y: float, scale: float) -> bool:
        """Read a picture and lay its middle at a place; False if it cannot be read."""
        image = QImage() if path is None else QImage(path)
        if path is not None and image.isNull():
            return False
        self.path, self.picture = path or "", QPixmap.fromImage(image)
        self.x, self.y = x, y
        if not image.isNull():
            self.pixel = AT_FIRST * 1000.0 / scale / max(image.width(), image.height())
        self.scene.update()
        return True

    def rect(self) -> QRectF:
        """The part of the plane that the picture covers."""
        w, h = self.picture.width() * self.pixel, self.picture.height() * self.pixel
        return QRectF(self.x - w / 2, self.y - h / 2, w, h) if w > 0.0 else QRectF()

    def calibrate(self, a: tuple, b: tuple, distance: float) -> None:
        """Scale the picture about the point a so that two places on it are this far apart."""
        apart = hypot(b[0] - a[0], b[1] - a[1])
        if not (apart > 0.0 and distance > 0.0):
            return
        factor = distance / apart
        self.pixel *= factor
        self.x, self.y = a[0] + factor * (self.x - a[0]), a[1] + factor * (self.y - a[1])
        self.scene.update()

    def state(self) -> dict[str, Any]:
        """Everything that must be kept to show it again."""
        return {
            "path": self.path,
            "x": self.x,
            "y": self.y,
            "pixel": self.pixel,
            "opacity": self.opacity,
        }

    def restore(self, state: dict[str, Any]) -> bool:
        """Show a picture as it was; False if it cannot be read any more."""
        done = self.set_picture(state.get("path") or None, 0.0, 0.0, 1.0)
        for name in ("x", "y", "pixel", "opacity"):
            setattr(self, name, float(state.get(name, getattr(self, name))))
        self.scene.update()
        return done

    def paint(self, painter: QPainter) -> None:
        """Draw it; in metres, y up."""
        if self.picture.isNull():
            return
        rect = self.rect()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(self.opacity)
        painter.translate(QPointF(rect.left(), rect.bottom()))
        painter.scale(self.pixel, -self.pixel)
        painter.drawPixmap(QPointF(0.0, 0.0), self.picture)
        painter.restore()
