"""The room around a model: light, sky, and the grid on the floor, which lies behind everything."""

from math import ceil, floor
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QLinearGradient,
    QPainter,
    QPen,
    QPixmap,
    QRadialGradient,
    QTransform,
)
from vtkmodules.vtkRenderingCore import vtkLight, vtkMapper, vtkRenderer

from gui.placing.plane.snapping import nice_step, parts_of_step
from gui.placing.space.camera import Eye
from gui.stages.space.graphics.inks import SpaceInks

CELLS = 9.0  # coarse cells of the grid over the height of the view
MOST_LINES = 90  # of the fine grid, to each side
REACH = 1.7  # half of the grid, in sizes of what stands on it
FADE = ((0.0, 1.0), (0.45, 0.85), (0.7, 0.42), (0.88, 0.12), (0.98, 0.0))  # share of REACH, alpha
NEAR = 0.05  # of the distance to the focus: nearer parts of the grid are cut off


class Room:
    """Lights a renderer, and paints the background; the painting is cached while it is valid."""

    def __init__(self, renderer: vtkRenderer, inks: SpaceInks) -> None:
        renderer.AutomaticLightCreationOff()
        renderer.SetUseOIT(False)
        vtkMapper.SetResolveCoincidentTopologyToPolygonOffset()
        vtkMapper.SetResolveCoincidentTopologyPolygonOffsetParameters(0.0, 0.0)
        light = vtkLight()  # what is seen of it is said in the shader
        light.SetLightTypeToHeadlight()
        renderer.AddLight(light)
        self.inks = inks
        self.has_grid = True
        self.step = 0.0  # m between lines of the fine grid
        self.lines: dict[str, np.ndarray] = {}  # ends (n, 2, 3) of fine and coarse ones and axes
        self.middle, self.radius = np.zeros(2), 1.0  # the circle on the floor in which it is seen
        self._laid: Any = None
        self._kept: tuple[Any, QPixmap] | None = None

    def lay_grid(self, low: np.ndarray, high: np.ndarray, height: float) -> None:
        """Lay the grid in z = 0 under everything between two corners, for a view of this height.

        Changes the lines, but only if they differ.
        """
        coarse = nice_step(height / CELLS)
        size = max(float((high - low)[:2].max()), 3.0 * coarse)
        fine = coarse / parts_of_step(coarse)
        middle, half = 0.5 * (low + high)[:2], REACH * size
        if 2.0 * half / fine > 2.0 * MOST_LINES:
            fine = coarse
        half = min(half, 0.5 * MOST_LINES * coarse)
        x0, y0 = (floor((m - half) / coarse) for m in middle)
        x1, y1 = (ceil((m + half) / coarse) for m in middle)
        self.step = fine
        self.middle, self.radius = coarse * 0.5 * np.array([x0 + x1, y0 + y1]), half
        if (laid := (coarse, fine, x0, x1, y0, y1, half)) == self._laid:
            return
        self._laid = laid
        every = round(coarse / fine)
        ends: dict[str, list[Any]] = {"fine": [], "coarse": [], "x": [], "y": []}
        for n in range(x0 * every, x1 * every + 1):
            name = "y" if n == 0 else ("fine" if n % every else "coarse")
            ends[name].append([(n * fine, y0 * coarse, 0.0), (n * fine, y1 * coarse, 0.0)])
        for n in range(y0 * every, y1 * every + 1):
            name = "x" if n == 0 else ("fine" if n % every else "coarse")
            ends[name].append([(x0 * coarse, n * fine, 0.0), (x1 * coarse, n * fine, 0.0)])
        self.lines = {name: np.array(e, dtype=float).reshape(-1, 2, 3) for name, e in ends.items()}

    def paint(self, painter: QPainter, area: QRectF, eye: Eye) -> None:
        """Sky and grid; repainted only when they change."""
        dots = painter.device().devicePixelRatioF() * painter.worldTransform().m11()
        state = (eye, area.size(), dots, self._laid, self.has_grid, self.inks)
        if self._kept is None or self._kept[0] != state:
            picture = QPixmap(ceil(area.width() * dots), ceil(area.height() * dots))
            picture.setDevicePixelRatio(dots)
            inside = QPainter(picture)
            self._paint_sky(inside, area)
            if self.has_grid:
                self._paint_grid(inside, area, eye)
            inside.end()
            self._kept = (state, picture)
        painter.drawPixmap(area.topLeft(), self._kept[1])

    def _paint_sky(self, painter: QPainter, area: QRectF) -> None:
        shade = QLinearGradient(area.topLeft(), area.bottomLeft())
        shade.setColorAt(0.0, self.inks.sky)
        shade.setColorAt(1.0, self.inks.floor)
        painter.fillRect(area, shade)

    def _paint_grid(self, painter: QPainter, area: QRectF, eye: Eye) -> None:
        """The lines on a clear sheet, faded towards a circle on the floor, over the sky."""
        dots = painter.device().devicePixelRatioF()
        sheet = QPixmap(ceil(area.width() * dots), ceil(area.height() * dots))
        sheet.setDevicePixelRatio(dots)
        sheet.fill(Qt.GlobalColor.transparent)
        inside = QPainter(sheet)
        self._paint_lines(inside, area, eye)
        fade = QRadialGradient(0.0, 0.0, 1.0)
        for share, alpha in FADE:
            fade.setColorAt(share, QColor.fromRgbF(0.0, 0.0, 0.0, alpha))
        brush = QBrush(fade)
        brush.setTransform(self._circle(area, eye))
        inside.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
        inside.fillRect(area, brush)
        inside.end()
        painter.drawPixmap(area.topLeft(), sheet)

    def _circle(self, area: QRectF, eye: Eye) -> QTransform:
        """How the unit circle becomes, nearly, the circle on the floor as it is seen."""
        turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
        rim = np.column_stack([np.cos(turn), np.sin(turn)]) * self.radius + self.middle
        rim = np.column_stack([rim, np.zeros(24)])
        seen = eye.project(rim, area.width(), area.height())
        seen = seen[np.isfinite(seen).all(axis=1)]
        if len(seen) < 12:  # the camera is inside of it
            middle = area.center()
            far = QTransform.fromTranslate(middle.x(), middle.y())
            return far.scale(area.width(), area.height())
        low = np.maximum(seen.min(axis=0), -3.0 * area.width())
        high = np.minimum(seen.max(axis=0), 4.0 * area.width())
        x, y = 0.5 * (low + high)
        wide, tall = np.maximum(0.5 * (high - low), 1.0)
        return QTransform(wide, 0.0, 0.0, tall, x, y)

    def _paint_lines(self, painter: QPainter, area: QRectF, eye: Eye) -> None:
        inks = self.inks
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colors = {"fine": inks.grid, "coarse": inks.coarse, **inks.roles}
        for name, ends in self.lines.items():
            seen = eye.project(cut_before(ends, eye).reshape(-1, 3), area.width(), area.height())
            good = seen[np.isfinite(seen).all(axis=1).reshape(-1, 2).all(axis=1).repeat(2)]
            pen = QPen(colors[name], 1.4 if name in "xy" else 1.0)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawLines([QLineF(*line) for line in good.reshape(-1, 4).tolist()])


def cut_before(ends: np.ndarray, eye: Eye) -> np.ndarray:
    """Lines (n, 2, 3) without the parts that are behind the camera or too near to it."""
    if eye.is_parallel or not len(ends):
        return ends
    depth = eye.distance * (1.0 - NEAR) - eye.seen(ends.reshape(-1, 3))[:, 2].reshape(-1, 2)
    keep = (depth > 0.0).any(axis=1)
    ends, depth = ends[keep].copy(), depth[keep]
    for a, b in ((0, 1), (1, 0)):
        out = depth[:, a] <= 0.0
        share = depth[out, b] / (depth[out, b] - depth[out, a])
        ends[out, a] = ends[out, b] + share[:, None] * (ends[out, a] - ends[out, b])
    return ends
