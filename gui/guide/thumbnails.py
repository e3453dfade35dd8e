"""Small pictures of models, drawn once and kept on the disk."""

import hashlib
from pathlib import Path

from PySide6.QtCore import QSize, QStandardPaths, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from engine.errors import EngineError
from engine.files.model_files import loads
from gui.look.theme import Theme, palette_of

SIZE = QSize(208, 132)
LARGER = 2.2  # oversampling, which makes symbols of a fixed size small enough
VERSION = 4  # of the drawing: a new number redraws all pictures


def cache_folder() -> Path:
    """Where the pictures are kept."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.CacheLocation)
    return Path(where or Path.home() / ".cache" / "kardan") / "thumbnails"


def thumbnail(path: Path, theme: Theme, ratio: float, folder: Path | None = None) -> QImage:
    """The picture of a model file in a theme; a null picture where it cannot be drawn."""
    try:
        content = path.read_bytes()
        size = QSize(round(SIZE.width() * ratio), round(SIZE.height() * ratio))
        key = hashlib.sha256(content + f"{VERSION}{theme}{size}".encode()).hexdigest()[:32]
        kept = (folder or cache_folder()) / f"{key}.png"
        picture = QImage(str(kept)) if kept.is_file() else QImage()
        if picture.isNull():
            picture = _drawn(content.decode("utf-8"), size, theme)
            kept.parent.mkdir(parents=True, exist_ok=True)
            picture.save(str(kept))
    except (OSError, ValueError, EngineError):
        return QImage()
    picture.setDevicePixelRatio(ratio)
    return picture


def _drawn(text: str, size: QSize, theme: Theme) -> QImage:
    """The picture of the model in a text, without grid and scale."""
    from gui.stages.stages import make_stage
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection

    document = Document()
    document.new(loads(text))
    view = make_stage(document, Selection(), Playback())
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.setPalette(palette_of(theme))
    large = SIZE * LARGER
    view.resize(large)
    view.show()  # only a shown widget is laid out
    view.fit()
    view.show_grid(False)  # which would show a scale in space
    drawn = view.render_image(large, transparent=True)
    view.close()
    view.deleteLater()
    picture = QImage(size, QImage.Format.Format_RGB32)
    picture.fill(QColor(theme.paper))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    smooth = Qt.TransformationMode.SmoothTransformation
    painter.drawImage(0, 0, drawn.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, smooth))
    painter.end()
    return picture
