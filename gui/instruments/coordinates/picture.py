"""A small drawing of a planar mechanism with the coordinates of one kind marked in it."""

from math import cos, pi, sin
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.instruments.coordinates.marks import Drawn, MarkPainter, Place
from gui.look.colors import mixed
from gui.look.theme import LIGHT, Theme
from gui.look.tooltips import as_text

if TYPE_CHECKING:
    from engine.studies.coordinates import Compared, Described

HEAD, EDGE = 38.0, 16.0  # px for the title, and round the drawing
LINK = 5.0  # px
LEAST = QSize(200, 160)
PALE = 0.35  # of a link


class CoordinatePicture(QWidget):
    """Title, counts, and the mechanism with its coordinates; a click chooses it."""

    clicked = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self.theme: Theme = LIGHT
        self.tones: dict[str, QColor] = {}
        self.is_chosen = False
        self.enlarged = 1.0
        self.compared: Compared | None = None
        self.one: Described | None = None
        self.q = np.zeros(0)
        self._shapes: list[np.ndarray] = []
        self._middle = self._half = (0.0, 0.0)  # of what ever moves, and half its size
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_described(self, compared: "Compared", one: "Described") -> None:
        """Show this description; changes what is drawn."""
        self.compared, self.one = compared, one
        self.q = compared.motion[0]
        self._shapes = [
            skeleton(compared.compiled, k) for k in range(len(compared.compiled.body_ids))
        ]
        self._fit()
        self.setAccessibleName(f"{one.title}: {one.counted}")
        self.setToolTip(as_text(f"{one.idea}\n{one.sentence}".strip()))
        self.update()

    def show_pose(self, q: np.ndarray) -> None:
        """Show the mechanism in this pose; changes what is drawn."""
        if len(q) == len(self.q):
            self.q = q
            self.update()

    def enlarge(self, factor: float) -> None:
        """Have marks and words of this many times their usual size; changes what is drawn."""
        self.enlarged = factor
        self.update()

    @property
    def head(self) -> float:
        """The height of its title."""
        return HEAD * self.enlarged

    def _fit(self) -> None:
        """Find the middle and the size of the whole motion."""
        assert self.compared is not None
        poses = self.compared.motion[::5]
        every = np.array(
            [p for q in poses for k in range(len(self._shapes)) for p in self.points(k, q)]
        )
        low, high = every.min(axis=0), every.max(axis=0)
        middle, half = (low + high) / 2, (high - low) / 2
        self._middle = float(middle[0]), float(middle[1])
        self._half = float(max(half[0], 1e-9)), float(max(half[1], 1e-9))

    # --- places

    def points(self, k: int, q: np.ndarray | None = None) -> np.ndarray:
        """The points of the outline of body k in the world."""
        return self._carried(k, self._shapes[k], self.q if q is None else q)

    def _carried(self, k: int, P: Any, q: np.ndarray | None = None) -> np.ndarray:
        """Places on a body, from its mass centre, in the world."""
        P = np.atleast_2d(np.asarray(P, dtype=float))
        assert self.compared is not None
        state, layout = (self.q if q is None else q), self.compared.compiled.layout
        phi = float(state[layout.orientation(k)][0])
        c, s = cos(phi), sin(phi)
        return np.asarray(P @ np.array([[c, s], [-s, c]]) + state[layout.position(k)])

    def _place(self, k: int, P: Place) -> Place:
        x, y = self._carried(k, P)[0]
        return float(x), float(y)

    def at(self, place: Any) -> QPointF:
        """A place of the world in the picture."""
        x, y = self._middle
        width, height = self.width() - 2 * EDGE, self.height() - self.head - 2 * EDGE
        scale = min(width / (2 * self._half[0]), height / (2 * self._half[1]))
        middle = QPointF(self.width() / 2, self.head + (self.height() - self.head) / 2)
        return QPointF(middle.x() + scale * (place[0] - x), middle.y() - scale * (place[1] - y))

    def _angle(self, k: int) -> float:
        assert self.compared is not None
        return float(self.q[self.compared.compiled.layout.orientation(k)][0])

    # --- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self.theme.paper))
        border = QPen(QColor(self.theme.accent if self.is_chosen else self.theme.line))
        border.setWidthF(2.0 if self.is_chosen else 1.0)
        painter.setPen(border)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        if self.one is None:
            return
        self._draw_title(painter)
        if self.one.sentence:
            self._draw_sentence(painter)
            return
        self._draw_bodies(painter)
        MarkPainter(painter, self._drawn(), self.one).paint()

    def _drawn(self) -> Drawn:
        assert self.compared is not None
        room = QRectF(self.rect()).adjusted(4.0, self.head, -4.0, -4.0)
        ids = self.compared.compiled.body_ids
        return Drawn(
            ids, self._place, self._angle, self.at, room, self.tones, self.theme, self.enlarged
        )

    def _draw_title(self, painter: QPainter) -> None:
        assert self.one is not None
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.ink))
        width, high = self.width() - 20, self.enlarged
        left, top = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(10, 4 * high, width, 17 * high), left | top, self.one.title)
        font.setBold(False)
        painter.setFont(font)
        painter.setPen(QColor(self.theme.quiet))
        if not self.one.sentence:
            painter.drawText(QRectF(10, 20 * high, width, 16 * high), left | top, self.one.counted)

    def _draw_sentence(self, painter: QPainter) -> None:
        """Why there is no such description."""
        assert self.one is not None
        painter.setPen(QColor(self.theme.quiet))
        room = QRectF(10, self.head + 4, self.width() - 20, self.height() - self.head)
        painter.drawText(room, Qt.TextFlag.TextWordWrap, self.one.sentence)

    def _draw_bodies(self, painter: QPainter) -> None:
        assert self.compared is not None
        paper = QColor(self.theme.paper)
        for k, id in enumerate(self.compared.compiled.body_ids):
            tone = mixed(self.tones.get(id, QColor(self.theme.ink)), paper, PALE)
            pen = QPen(tone, LINK * self.enlarged)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline([self.at(p) for p in self.points(k)])

    # --- choosing

    def choose(self, is_chosen: bool) -> None:
        """Mark it as the one whose equations are shown; changes how it looks."""
        if is_chosen != self.is_chosen:
            self.is_chosen = is_chosen
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell that it was clicked."""
        self.clicked.emit(self.name)

    def keyPressEvent(self, event: Any) -> None:
        """Enter and space choose it as a click does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit(self.name)
        else:
            super().keyPressEvent(event)


def skeleton(compiled: Any, k: int) -> np.ndarray:
    """The outline of body k as a line of points from its mass centre: rods as lines, boxes as boxes."""
    body = compiled.resolved[compiled.body_ids[k]]
    center = np.asarray(compiled.center[k][:2], dtype=float)
    shape: Any = getattr(body, "shape", None)
    kind = getattr(shape, "kind", "")
    if kind == "rod":
        half = float(shape.length) / 2
        return np.array([(-half, 0.0), (half, 0.0)]) - center
    if kind == "box":
        x, y = float(shape.width) / 2, float(shape.height) / 2
        return np.array([(-x, -y), (x, -y), (x, y), (-x, y), (-x, -y)]) - center
    radius = float(getattr(shape, "radius", 0.0) or 0.05 * compiled.length)
    turns = np.linspace(0.0, 2 * pi, 25)
    return radius * np.column_stack([np.cos(turns), np.sin(turns)]) - center
