"""Pictures as PNG files."""

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QImageWriter


def png(image: QImage) -> bytes:
    """The bytes of a PNG file; none if the picture is empty or too large to be written."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    is_written = QImageWriter(buffer, b"png").write(image)
    return bytes(buffer.data().data()) if is_written else b""
