"""Trails: the paths of tracers, and of mass centres where asked for, up to the time that is shown."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsScene

from engine.model.elements import Model
from engine.results.results import Results
from gui.stages.plane.graphics.graphic import TRAILS
from gui.stages.plane.graphics.symbols import polyline
from gui.state.playback import Playback

SAMPLES = 60  # frames that are looked at to see how far a run goes
HORIZON = 2.0  # times the size of the drawing: what flies further is not followed
MOST_POINTS = 3000  # of one trail: more cannot be told apart and would be slow to draw


@dataclass(slots=True)
class Trail:
    """The path of one point of a body."""

    body: int  # its number in q; -1: it never moves
    point: tuple[float, float]  # from the mass centre, body axes
    seconds: float  # how long it stays
    whole: QGraphicsPathItem  # the path of the whole run, faint
    past: QGraphicsPathItem  # up to now


class Trails:
    """All trails of the current run."""

    def __init__(self, scene: QGraphicsScene) -> None:
        self.scene = scene
        self.is_shown, self.of_centers = True, False
        self.results: Results | None = None
        self.lines: list[Trail] = []

    def set_shown(self, shown: bool) -> None:
        """Show or hide all trails; changes the items."""
        self.is_shown = shown
        for trail in self.lines:
            trail.whole.setVisible(shown)
            trail.past.setVisible(shown)

    def follow(self, playback: Playback, model: Model) -> None:
        """Draw the trails of the current run, or none; changes the scene."""
        for trail in self.lines:
            self.scene.removeItem(trail.whole)
            self.scene.removeItem(trail.past)
        self.lines, self.results = [], playback.results
        if self.results is None or self.results.model.dim != 2:
            return
        compiled = self.results.compiled
        index = {id: k for k, id in enumerate(compiled.body_ids)}
        for tracer in compiled.resolved.of("tracer"):
            marker = compiled.resolved[tracer.marker]
            if marker.body in index:
                k = index[marker.body]
                x, y = np.array(marker.position) - compiled.center[k, :2]
                self._add(k, (x, y), float(tracer.seconds or np.inf), tracer.color, marker.body)
        if self.of_centers:
            for id, k in index.items():
                self._add(k, (0.0, 0.0), np.inf, "", id)
        self.set_shown(self.is_shown)
        self.grow()

    def _add(self, k: int, point: tuple, seconds: float, color: str, body: str) -> None:
        context = self.scene.context  # type: ignore[attr-defined]
        ink = QColor(color) if color else context.inks.body_edge(context.color_of(body)).color()
        items = []
        for alpha, width in ((70, 1.2), (235, 1.9)):
            shade = QColor(ink)
            shade.setAlpha(alpha)
            item = QGraphicsPathItem()
            item.setPen(context.inks.line(width, shade))
            item.setZValue(TRAILS)
            self.scene.addItem(item)
            items.append(item)
        self.lines.append(Trail(k, point, seconds, *items))

    def grow(self) -> None:
        """Draw the whole paths anew: the run has more frames. Changes the items."""
        for trail in self.lines:
            trail.whole.setPath(self._path(trail, 0, len(self.results or ())))

    def reach(self, drawn: QRectF) -> QRectF:
        """Where mass centres and markers go in the run; what flies far away is not followed."""
        if self.results is None or not len(self.results) or self.results.model.dim != 2:
            return QRectF()
        rows = np.unique(np.linspace(0, len(self.results) - 1, SAMPLES).astype(int))
        places = self._points_in(rows)
        far = HORIZON * max(drawn.width(), drawn.height())
        nearest = (drawn.left() - far, drawn.top() - far)
        furthest = (drawn.right() + far, drawn.bottom() + far)
        places = np.clip(places, nearest, furthest)
        low, high = places.min(axis=0), places.max(axis=0)
        return QRectF(*low, *(high - low))

    def _points_in(self, rows: np.ndarray) -> np.ndarray:
        """The mass centres and the markers on moving bodies in some frames, one below the other."""
        assert self.results is not None
        compiled = self.results.compiled
        index = {id: k for k, id in enumerate(compiled.body_ids)}
        glued = [m for m in compiled.resolved.of("marker") if m.body in index]
        k = np.array([*index.values(), *(index[m.body] for m in glued)], dtype=np.int64)
        local = np.zeros((len(k), 2))
        for n, marker in enumerate(glued, len(index)):
            local[n] = np.array(marker.position) - compiled.center[index[marker.body], :2]
        x, y, phi = np.moveaxis(self.results.q[rows].reshape(len(rows), -1, 3)[:, k], 2, 0)
        c, s = np.cos(phi), np.sin(phi)
        places = np.stack(
            [x + c * local[:, 0] - s * local[:, 1], y + s * local[:, 0] + c * local[:, 1]]
        )
        return np.nan_to_num(places.reshape(2, -1).T)

    def show(self, time: float) -> None:
        """Draw the paths up to a time; changes the items."""
        if not self.is_shown or self.results is None or not len(self.results):
            return
        times = self.results.t
        stop = int(np.searchsorted(times, time, side="right"))
        for trail in self.lines:
            start = int(np.searchsorted(times, time - trail.seconds))
            trail.past.setPath(self._path(trail, start, stop))

    def _path(self, trail: Trail, start: int, stop: int) -> QPainterPath:
        """The path between two frames, thinned where there are too many."""
        if self.results is None or stop - start < 2:
            return QPainterPath()
        stride = max((stop - start) // MOST_POINTS, 1)
        rows = np.r_[start:stop:stride, stop - 1]
        x, y, phi = self.results.q[rows, 3 * trail.body : 3 * trail.body + 3].T
        c, s = np.cos(phi), np.sin(phi)
        px, py = trail.point
        return polyline(np.column_stack([x + c * px - s * py, y + s * px + c * py]))
