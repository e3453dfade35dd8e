"""Icons: drawings of 24 x 24 in the colour of the text of the current theme.

The files of assets/icons draw with `currentColor`; the engine below inserts the colour of the palette when
it paints, so that a change of theme needs no reload.
"""

import functools

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

import assets

_UNKNOWN = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none"
stroke="currentColor" stroke-width="1.8"><circle cx="12" cy="12" r="3"/></svg>"""


class _Engine(QIconEngine):
    """Paints one drawing in the colour of the palette."""

    def __init__(self, drawing: bytes, role: QPalette.ColorRole | None) -> None:
        super().__init__()
        self.drawing, self.role = drawing, role

    def clone(self) -> QIconEngine:
        """Another engine of the same drawing."""
        return _Engine(self.drawing, self.role)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Draw it into the rectangle."""
        group, role = QPalette.ColorGroup.Active, QPalette.ColorRole.ButtonText
        if mode == QIcon.Mode.Disabled:
            group = QPalette.ColorGroup.Disabled
        elif self.role is not None:
            role = self.role
        elif state == QIcon.State.On:
            role = QPalette.ColorRole.Highlight
        colour = QGuiApplication.palette().color(group, role).name()
        _renderer(self.drawing, colour).render(painter, QRectF(rect))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """The drawing as a picture with a clear background; none of a size that holds nothing."""
        picture = QPixmap(size)
        if picture.isNull():
            return picture
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        self.paint(painter, picture.rect(), mode, state)
        painter.end()
        return picture


@functools.cache
def icon(name: str, role: QPalette.ColorRole | None = None) -> QIcon:
    """The icon of this name, in the colour of text or of the given role."""
    return QIcon(_Engine(_drawing(name), role))


def coloured(name: str, colour: str) -> QIcon:
    """The icon of this name in one colour, as for a state that is good or bad."""
    return QIcon(_Engine(_drawing(name).replace(b"currentColor", colour.encode()), None))


def _drawing(name: str) -> bytes:
    """The drawing of this name; an empty ring where there is none."""
    path = assets.ICONS / f"{name}.svg"
    return path.read_bytes() if path.is_file() else _UNKNOWN


@functools.lru_cache(maxsize=512)
def _renderer(drawing: bytes, colour: str) -> QSvgRenderer:
    """The icon engine that draws it in this colour."""
    return QSvgRenderer(QByteArray(drawing.replace(b"currentColor", colour.encode())))
