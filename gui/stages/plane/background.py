"""A picture behind the drawing, to trace over: it belongs to the model and is kept in its file."""

import base64
import binascii
from dataclasses import replace
from math import hypot

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsScene

from engine.errors import EngineError
from engine.model.elements import Backdrop
from gui.look.image_files import encoded

AT_FIRST = 600.0  # pixels of the view that the longer side of a new picture covers
MAX_BYTES = 2 * 2**20  # of a picture in a model file
MAX_SIDE = 4000  # pixels: a larger picture is made smaller, one in a file is refused
SMALLER = 0.7  # times its size, until it fits
FORMATS = (b"png", b"jpeg", b"jpg")  # accepted in files, which are untrusted


class Background:
    """Shows the backdrop of a model in a scene."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self.scene = scene
        self.backdrop: Backdrop | None = None
        self.picture = QPixmap()

    def show(self, backdrop: Backdrop | None) -> str:
        """Show this picture, or none; a sentence if it cannot be read. Changes what is painted."""
        before, self.backdrop = self.backdrop, backdrop
        if backdrop is before:
            return ""
        self.scene.update()
        if backdrop is None:
            self.picture = QPixmap()
            return ""
        if before is not None and backdrop.picture == before.picture:
            return ""
        try:
            self.picture = QPixmap.fromImage(picture_of(backdrop))
        except EngineError as error:
            self.picture = QPixmap()
            return error.sentence
        return ""

    def rect(self) -> QRectF:
        """The part of the plane that the picture covers."""
        if self.backdrop is None or self.picture.isNull():
            return QRectF()
        pixel, (x, y) = float(self.backdrop.pixel), map(float, self.backdrop.position)
        w, h = self.picture.width() * pixel, self.picture.height() * pixel
        return QRectF(x - w / 2, y - h / 2, w, h)

    def paint(self, painter: QPainter) -> None:
        """Draw it; in metres, y up."""
        if self.backdrop is None or self.picture.isNull():
            return
        rect, pixel = self.rect(), float(self.backdrop.pixel)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(float(self.backdrop.opacity))
        painter.translate(QPointF(rect.left(), rect.bottom()))
        painter.scale(pixel, -pixel)
        painter.drawPixmap(QPointF(0.0, 0.0), self.picture)
        painter.restore()


def backdrop_of(path: str, x: float, y: float, scale: float) -> Backdrop:
    """The picture in a file, centred at a place of a view with the given pixels per metre.

    It is encoded again, so that neither its path nor its camera metadata gets into the model.
    """
    reader = QImageReader(path)
    reader.setAutoTransform(True)
    kind = bytes(reader.format().data())
    image = reader.read()
    if image.isNull():
        words = _tr("'{0}' is not a picture that can be read. Choose another.")
        raise EngineError(words.format(path))
    data, image = _encoded(image, "JPEG" if kind in FORMATS[1:] else "PNG")
    pixel = AT_FIRST / scale / max(image.width(), image.height())
    return Backdrop(picture=base64.b64encode(data).decode(), position=(x, y), pixel=pixel)


def calibrated(
    backdrop: Backdrop, a: tuple[float, float], b: tuple[float, float], distance: float
) -> Backdrop:
    """The backdrop scaled about the point a so that two places on it are this far apart."""
    apart = hypot(b[0] - a[0], b[1] - a[1])
    if not (apart > 0.0 and distance > 0.0):
        return backdrop
    factor, (x, y) = distance / apart, map(float, backdrop.position)
    place = (a[0] + factor * (x - a[0]), a[1] + factor * (y - a[1]))
    return replace(backdrop, pixel=factor * float(backdrop.pixel), position=place)


def picture_of(backdrop: Backdrop) -> QImage:
    """The picture in a backdrop; EngineError says why it cannot be shown."""
    try:
        data = base64.b64decode(backdrop.picture, validate=True)
    except (binascii.Error, ValueError):
        raise EngineError(_broken()) from None
    buffer = QBuffer()
    buffer.setData(data)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    size: QSize = reader.size()
    if bytes(reader.format().data()) not in FORMATS or max(size.width(), size.height()) > MAX_SIDE:
        raise EngineError(_broken())
    image = reader.read()
    if image.isNull():
        raise EngineError(_broken())
    return image


def _encoded(image: QImage, kind: str) -> tuple[bytes, QImage]:
    """The picture as a file, made smaller where it is too large for a model, and in its final form."""
    if max(image.width(), image.height()) > MAX_SIDE:
        image = _scaled(image, MAX_SIDE / max(image.width(), image.height()))
    while True:
        data = encoded(image, kind, 90 if kind == "JPEG" else -1)
        if len(data) <= MAX_BYTES:
            return data, image
        if kind == "PNG" and not image.hasAlphaChannel():
            kind = "JPEG"
        else:
            image = _scaled(image, SMALLER)


def _scaled(image: QImage, factor: float) -> QImage:
    size = QSize(max(round(factor * image.width()), 1), max(round(factor * image.height()), 1))
    modes = Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(size, *modes)


def _broken() -> str:
    return _tr(
        "The background picture of this model cannot be read; the model is complete without it. "
        "Choose another picture, or remove it."
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Stage", text)
