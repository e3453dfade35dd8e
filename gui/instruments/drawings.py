"""Drawings of pages in files: what a widget paints, as SVG or PNG."""

from collections.abc import Callable

from PySide6.QtCore import QBuffer, QPoint, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from engine.files.atomic import replace_file

SHARP = 2  # dots per pixel of a picture


def save_drawing(
    path: str, size: QSize, draw: Callable[[QPainter], object], paper: QColor | None = None
) -> None:
    """Write a drawing, by the end of the name; a picture of dots stands on this paper."""
    if path.lower().endswith(".svg"):
        buffer, target = QBuffer(), QSvgGenerator()
        target.setOutputDevice(buffer)
        target.setSize(size)
        target.setViewBox(QRect(QPoint(0, 0), size))
        painter = QPainter(target)
        draw(painter)
        painter.end()
        _write(path, buffer)
        return
    image = QImage(size * SHARP, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(SHARP)
    image.fill(QColor(0, 0, 0, 0) if paper is None else paper)
    painter = QPainter(image)
    draw(painter)
    painter.end()
    _write_image(path, image)


def save_widget(path: str, shown: QWidget) -> None:
    """Write a widget with its background as dots, or its drawing as SVG."""
    if path.lower().endswith(".svg"):
        save_drawing(path, shown.size(), shown.draw)  # type: ignore[attr-defined]
        return
    image = QImage(shown.size() * SHARP, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(SHARP)
    shown.render(image, QPoint(0, 0))
    _write_image(path, image)


def _write_image(path: str, image: QImage) -> None:
    buffer = QBuffer()
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    _write(path, buffer)


def _write(path: str, buffer: QBuffer) -> None:
    """Write what was drawn; on any failure an old file stays as it was, and an EngineError says why."""
    content = buffer.data().data()
    replace_file(path, lambda file: file.write(content), "write")
