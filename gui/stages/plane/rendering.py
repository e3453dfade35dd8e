"""Pictures of the stage: PNG of any size, SVG, thumbnails without a window."""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QIODevice, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from engine.files.atomic import replace_file
from engine.model.elements import Model
from gui.look.theme import Theme, palette_of

if TYPE_CHECKING:
    from gui.stages.plane.canvas import StageCanvas


def render_view(view: "StageCanvas", size: QSize, transparent: bool = False) -> QImage:
    """What the view shows, at this size; where the shape differs, more of the plane is shown."""
    source = _source(view, size)
    sharp = size.width() / source.width()
    image = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(sharp)
    view.stage_scene.set_sharpness(sharp)
    image.fill(QColor(Qt.GlobalColor.transparent) if transparent else view.stage_scene.inks.paper)
    painter = QPainter(image)
    _paint(view, painter, QRectF(0, 0, source.width(), size.height() / sharp), source, transparent)
    painter.end()
    image.setDevicePixelRatio(1.0)
    return image


def write_svg(view: "StageCanvas", path: str, title: str) -> None:
    """Write what the view shows as SVG, at the size of the window."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    source = view.viewport().rect()
    generator.setOutputDevice(buffer)
    generator.setSize(source.size())
    generator.setViewBox(source)
    generator.setTitle(title)
    view.stage_scene.set_sharpness(1.0)
    painter = QPainter(generator)
    _paint(view, painter, QRectF(source), source, False)
    painter.end()
    content = bytes(buffer.data().data())
    replace_file(path, lambda file: file.write(content), "write")


def _source(view: "StageCanvas", size: QSize) -> QRect:
    """The part of the viewport, or a little more, that has the shape of the picture."""
    shown = view.viewport().rect()
    wide = max(shown.width(), round(shown.height() * size.width() / max(size.height(), 1)))
    high = max(shown.height(), round(shown.width() * size.height() / max(size.width(), 1)))
    source = QRect(0, 0, max(wide, 1), max(high, 1))
    source.moveCenter(shown.center())
    return source


def _paint(
    view: "StageCanvas", painter: QPainter, target: QRectF, source: QRect, transparent: bool
) -> None:
    """Draw the stage through a painter, without mouse feedback."""
    hints = QPainter.RenderHint
    painter.setRenderHints(
        hints.Antialiasing | hints.TextAntialiasing | hints.SmoothPixmapTransform
    )
    view.is_transparent, view.painted_area = transparent, QRectF(source)
    view.stage_scene.show_gaps(not transparent)
    try:
        view.render(painter, target, source, Qt.AspectRatioMode.IgnoreAspectRatio)
    finally:
        view.is_transparent, view.painted_area = False, None
        view.stage_scene.show_gaps(True)


def render_model(model: Model, size: QSize, theme: Theme, results: Any = None) -> QImage:
    """A picture of a model as designed, or of the last frame of its results, without a window."""
    from gui.stages.stages import make_stage
    from gui.state.document import Document
    from gui.state.playback import Playback
    from gui.state.selection import Selection

    document, playback = Document(), Playback()
    document.new(model)
    view = make_stage(document, Selection(), playback)
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.setPalette(palette_of(theme))
    view.resize(size)
    view.show()  # only a shown widget is laid out
    if results is not None:
        playback.start(results, None)
        playback.set_time(playback.t_last)
    view.fit()
    image = view.render_image(size)
    view.close()
    view.deleteLater()
    return image
