"""Show a stage: zoom, grid, scale bar, and pictures for files."""

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QTransform
from PySide6.QtWidgets import QGraphicsView

from engine.system import Compiled
from gui.stage import Stage
from gui.theme import theme_of

MARGIN = 0.12  # of the size of the mechanism, left free around it
HORIZON = 30.0  # sizes of the drawing: what flies farther away is not followed


class StageView(QGraphicsView):
    """Shows a stage with a grid and a scale; the wheel zooms at the cursor."""

    def __init__(self) -> None:
        super().__init__()
        self.bounds = QRectF(-1.0, -1.0, 2.0, 2.0)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setDragMode(QGraphicsView.DragMode.ScrollHandDrag)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_stage(self, stage: Stage) -> None:
        """Show a stage, fitted around where it was drawn."""
        self.stage = stage  # a view does not keep its scene alive
        self.setScene(stage)
        self.used = QRectF()
        drawn = stage.reach(stage.compiled.q0[None, :])
        far = HORIZON * max(drawn.width(), drawn.height())
        self.horizon = drawn.adjusted(-far, -far, far, far)
        self.enclose(stage.compiled.q0[None, :])

    def enclose(self, rows: np.ndarray) -> None:
        """Widen what is shown by where the mechanism is in these rows of q; changes the zoom."""
        used = self.used.united(self.stage.reach(rows) & self.horizon)
        if used == self.used:
            return
        self.used = used
        margin = MARGIN * (max(used.width(), used.height()) or self.stage.compiled.length)
        self.bounds = used.adjusted(-margin, -margin, margin, margin)
        self.fit()

    def fit(self) -> None:
        """Zoom so that the bounds fill the view, y up."""
        far = 50.0 * max(self.bounds.width(), self.bounds.height())
        self.setSceneRect(self.bounds.adjusted(-far, -far, far, far))
        width, height = max(self.width(), 1), max(self.height(), 1)
        scale = min(width / self.bounds.width(), height / self.bounds.height())
        self.setTransform(QTransform.fromScale(scale, -scale))
        self.centerOn(self.bounds.center())

    def resizeEvent(self, event: Any) -> None:
        """Fit again after the window has changed its size."""
        super().resizeEvent(event)
        self.fit()

    def wheelEvent(self, event: Any) -> None:
        """Zoom at the cursor."""
        factor = 1.2 ** (event.angleDelta().y() / 120.0)
        self.scale(factor, factor)

    def drawBackground(self, painter: QPainter, rect: QRectF | Any) -> None:
        """Paper and a grid of 1, 2 or 5 times a power of ten, at least 60 pixels wide."""
        theme = theme_of(self.palette())
        painter.fillRect(rect, QColor(theme.paper))
        step = nice_step(60.0 / self.transform().m11())
        line = QColor(theme.faint)
        line.setAlpha(60)
        painter.setPen(QPen(line, 0))
        first, last = math.floor(rect.left() / step), math.ceil(rect.right() / step)
        xs = [n * step for n in range(first, last + 1)]
        first, last = math.floor(rect.top() / step), math.ceil(rect.bottom() / step)
        ys = [n * step for n in range(first, last + 1)]
        painter.drawLines([QLineF(x, rect.top(), x, rect.bottom()) for x in xs])
        painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for y in ys])

    def drawForeground(self, painter: QPainter, rect: QRectF | Any) -> None:
        """A scale bar as long as one field of the grid, and the word 'projected' in space."""
        theme = theme_of(self.palette())
        step = nice_step(60.0 / self.transform().m11())
        pixels, bottom = step * self.transform().m11(), self.viewport().height() - 16.0
        painter.save()
        painter.resetTransform()
        painter.setPen(QPen(QColor(theme.ink), 1.5))
        for line in (
            (16, bottom, 16 + pixels, bottom),
            *((x, bottom - 4, x, bottom + 4) for x in (16, 16 + pixels)),
        ):
            painter.drawLine(QLineF(*line))
        painter.drawText(QPointF(16.0, bottom - 8.0), f"{step:g} m")
        scene = self.scene()
        if isinstance(scene, Stage) and scene.model.dim == 3:
            note = "projected: x to the right, z up"
            painter.drawText(QPointF(28.0 + pixels, bottom + 4.0), note)
        painter.restore()


def nice_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1.0 - 1e-9))


def render_frame(compiled: Compiled, rows: np.ndarray, size: QSize) -> QImage:
    """A picture of the last of these rows of q, with the trails of the rows before it."""
    view = StageView()
    view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    view.resize(size)
    view.show()  # only a shown widget is laid out
    stage = Stage(compiled, theme_of(view.palette()))
    view.show_stage(stage)
    view.enclose(rows)
    stage.add_trails(rows)
    stage.pose(rows[-1])
    image = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.render(painter)
    painter.end()
    return image
