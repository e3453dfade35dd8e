"""Pictures of the stage and of plots: pixels, vectors, and the clipboard."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView, QWidget

from engine.errors import EngineError
from engine.files.atomic import replace_file
from gui.export.sources import Sources
from gui.look.image_files import encoded

_DPI = 96
FLAT, TALL = 0.15, 0.4  # height of a plot in its width: of a folded one, and of its picture


def stage_image(sources: Sources, size: QSize, *, transparent: bool = False) -> QImage:
    """The stage as it is shown, in any size."""
    return sources.stage.render_image(size, transparent)


def stage_svg(sources: Sources) -> bytes:
    """The stage as it is shown, as the text of an SVG file; empty if there is no stage."""
    if sources.stage is None:
        return b""
    with tempfile.TemporaryDirectory(prefix="kardan-") as folder:
        path = Path(folder) / "stage.svg"
        sources.stage.render_svg(str(path))
        return path.read_bytes()


def plot_image(plot: QWidget, width: int, *, transparent: bool = False) -> QImage:
    """A plot and its legend as a picture of this width, drawn again at this size, not enlarged."""
    with _unfolded(plot):
        size = plot_size(plot)
        scale = width / max(size.width(), 1)
        image = QImage(width, max(round(scale * size.height()), 1), QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent if transparent else plot.palette().base().color())
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        try:
            _paint_plot(plot, painter, transparent)
        finally:
            painter.end()
    return image


def plot_svg(plot: QWidget, title: str, *, transparent: bool = False) -> bytes:
    """A plot and its legend as the text of an SVG file."""
    with _unfolded(plot):
        return _svg_of(plot, title, transparent)


def _svg_of(plot: QWidget, title: str, transparent: bool) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    size = plot_size(plot)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(0, 0), size))
    generator.setTitle(title)
    generator.setResolution(_DPI)
    painter = QPainter(generator)
    try:
        if not transparent:
            painter.fillRect(QRect(QPoint(0, 0), size), plot.palette().base())
        _paint_plot(plot, painter, transparent)
    finally:
        painter.end()
    return bytes(buffer.data().data())


@contextmanager
def _unfolded(plot: QWidget) -> Iterator[None]:
    """Give a plot whose drawer is folded the height of a picture; changes it for a moment."""
    was = plot.size()
    if was.height() < FLAT * was.width():
        plot.resize(was.width(), round(TALL * was.width()))
    try:
        yield
    finally:
        plot.resize(was)


def plot_size(plot: QWidget) -> QSize:
    """The size of a plot together with its legend."""
    return QSize(plot.width(), plot.height() + _legend_height(plot))


def write_image(image: QImage, path: Path) -> None:
    """Write a PNG file; on any failure an old one stays as it was."""
    content = encoded(image)
    if not content:
        raise EngineError(_tr("The picture is too large to be written: choose a smaller one."))
    replace_file(path, lambda file: file.write(content), "write")


def write_svg(svg: bytes, path: Path) -> None:
    """Write an SVG file; on any failure an old one stays as it was."""
    replace_file(path, lambda file: file.write(svg), "write")


def copy_to_clipboard(image: QImage) -> None:
    """Put a picture into the clipboard; changes the clipboard."""
    QGuiApplication.clipboard().setImage(image)


def _legend_height(plot: QWidget) -> int:
    legend = getattr(plot, "legend", None)
    return legend.height() if legend is not None else 0


def _paint_plot(plot: QWidget, painter: QPainter, transparent: bool) -> None:
    """Paint the legend of a plot and the plot below it."""
    legend = getattr(plot, "legend", None)
    if legend is not None:
        _paint(legend, painter, True)
        painter.translate(0, legend.height())
    canvas = getattr(plot, "widget", plot)  # without the frame, which has a background of its own
    if canvas is not plot:
        painter.translate(canvas.pos())
    _paint(canvas, painter, transparent)


def _paint(widget: QWidget, painter: QPainter, transparent: bool) -> None:
    """Paint a widget with all in it, with or without its background."""
    if transparent and isinstance(widget, QGraphicsView):  # what is drawn, not its frame
        with _clear_backgrounds(widget):
            area = widget.viewport().rect()
            QGraphicsView.render(
                widget, painter, QRectF(area), area, Qt.AspectRatioMode.IgnoreAspectRatio
            )
        return
    flags = QWidget.RenderFlag.DrawChildren
    if not transparent:
        flags |= QWidget.RenderFlag.DrawWindowBackground
    with _clear_backgrounds(widget if transparent else None):
        QWidget.render(widget, painter, QPoint(), QRegion(), flags)  # views redefine render


@contextmanager
def _clear_backgrounds(widget: QWidget | None) -> Iterator[None]:
    """Take the background out of every drawing in a widget, and put it back."""
    if widget is None:
        yield
        return
    views: list[Any] = list(widget.findChildren(QGraphicsView))
    views += [widget] if isinstance(widget, QGraphicsView) else []
    before = [
        (view, view.backgroundBrush(), view.viewport().autoFillBackground()) for view in views
    ]
    try:
        for view in views:
            view.setBackgroundBrush(Qt.BrushStyle.NoBrush)
            view.viewport().setAutoFillBackground(False)
        yield
    finally:
        for view, brush, is_filled in before:
            view.setBackgroundBrush(brush)
            view.viewport().setAutoFillBackground(is_filled)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Export", text)
