"""Pictures as the bytes of files."""

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage, QImageWriter


def encoded(image: QImage, kind: str = "png", quality: int = -1) -> bytes:
    """The picture as a file of this kind; nothing if it is empty or too large to be written."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, kind.encode())
    writer.setQuality(quality)
    return bytes(buffer.data().data()) if writer.write(image) else b""
