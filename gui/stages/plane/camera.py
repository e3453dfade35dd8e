"""Which part of the plane is seen: a middle point and a scale, and how they change."""

from PySide6.QtCore import QPointF, QRectF, QSizeF

LEAST, MOST = 1e-7, 1e8  # pixels per metre
AT_FIRST = 240.0
MARGIN = 0.14  # of the window around what is fitted
SYMBOLS = 40.0  # pixels that symbols need around a drawing
LARGEST_AT_FIT = 2000.0  # pixels per metre: a single point is not magnified further
NO_CARD = QSizeF(0.0, 0.0)


class Camera:
    """The middle of the view in metres and the pixels per metre."""

    def __init__(self) -> None:
        self.x, self.y, self.scale = 0.0, 0.0, AT_FIRST

    @property
    def state(self) -> tuple[float, float, float]:
        """Middle and scale."""
        return self.x, self.y, self.scale

    def set_state(self, x: float, y: float, scale: float) -> None:
        """Look at a place; changes the camera."""
        self.x, self.y = x, y
        self.scale = min(max(scale, LEAST), MOST)

    def rect(self, size: QSizeF) -> QRectF:
        """The part of the plane that a window of this size shows."""
        w, h = size.width() / self.scale, size.height() / self.scale
        return QRectF(self.x - w / 2, self.y - h / 2, w, h)

    def zoom(self, factor: float, at: QPointF) -> None:
        """Scale by a factor while a point of the plane stays where it is; changes the camera."""
        scale = min(max(self.scale * factor, LEAST), MOST)
        ratio = self.scale / scale
        self.x = at.x() + ratio * (self.x - at.x())
        self.y = at.y() + ratio * (self.y - at.y())
        self.scale = scale

    def pan(self, dx: float, dy: float) -> None:
        """Move by metres; changes the camera."""
        self.x, self.y = self.x + dx, self.y + dy

    def keep(self, dx: float, dy: float) -> None:
        """Keep every point at its place on the screen while the middle of the view moves by pixels."""
        self.pan(dx / self.scale, -dy / self.scale)

    def fitted(
        self, rect: QRectF, size: QSizeF, corner: QSizeF = NO_CARD
    ) -> tuple[float, float, float]:
        """Middle and scale that show a rectangle with a margin, beside a card in the upper left corner."""
        whole = self._fitted(rect, size)
        if not lies_under(corner, rect, size, *whole):
            return whole
        x, y, scale = self._fitted(rect, QSizeF(size.width() - corner.width(), size.height()))
        beside = (x - 0.5 * corner.width() / scale, y, scale)
        x, y, scale = self._fitted(rect, QSizeF(size.width(), size.height() - corner.height()))
        below = (x, y + 0.5 * corner.height() / scale, scale)
        return max(beside, below, key=lambda state: state[2])

    def _fitted(self, rect: QRectF, size: QSizeF) -> tuple[float, float, float]:
        """Middle and scale that show a rectangle in the middle of a window."""
        if rect.isNull() and rect.topLeft().isNull():
            return 0.0, 0.0, AT_FIRST
        w = max(size.width() * (1 - MARGIN) - 2 * SYMBOLS, 20.0)
        h = max(size.height() * (1 - MARGIN) - 2 * SYMBOLS, 20.0)
        scale = min(
            w / rect.width() if rect.width() > 0.0 else LARGEST_AT_FIT,
            h / rect.height() if rect.height() > 0.0 else LARGEST_AT_FIT,
        )
        if rect.width() == 0.0 and rect.height() == 0.0:
            scale = AT_FIRST
        return rect.center().x(), rect.center().y(), min(max(scale, LEAST), MOST)


def lies_under(
    corner: QSizeF, rect: QRectF, size: QSizeF, x: float, y: float, scale: float
) -> bool:
    """Whether a part of a rectangle, or its symbols, would lie in the upper left corner of a window."""
    if corner.isEmpty():
        return False
    left = 0.5 * size.width() + (rect.left() - x) * scale
    top = 0.5 * size.height() - (rect.bottom() - y) * scale  # y points up
    return left - SYMBOLS < corner.width() and top - SYMBOLS < corner.height()
