"""Trails in space: the paths of tracers, and of mass centres where asked for."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtGui import QColor
from vtkmodules.vtkRenderingCore import vtkActor, vtkProperty, vtkRenderer

from engine.model.elements import Model
from engine.results.results import Results
from gui.placing.space.placement import path_of
from gui.stages.plane.graphics.inks import mixed
from gui.stages.plane.trails import HORIZON, MOST_POINTS, SAMPLES
from gui.stages.space.graphics.inks import rgb
from gui.stages.space.graphics.vtk_parts import actor_of, line_data, line_look
from gui.state.playback import Playback


@dataclass(slots=True)
class Trail:
    """The path of one point of a body."""

    body: int  # its number in the run
    local: np.ndarray  # the point, body axes, from the origin of its frame
    lift: float  # m, of planar bodies
    seconds: float  # how long it stays
    whole: vtkActor  # of the whole run, faint
    past: vtkActor  # up to now
    looks: tuple[vtkProperty, vtkProperty]
    places: np.ndarray  # (n, 3) at all frames


class Trails:
    """All trails of the current run."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self.renderer = renderer
        self.is_shown, self.of_centers = True, False
        self.results: Results | None = None
        self.lines: list[Trail] = []
        self._rows = np.zeros(0, dtype=np.int64)  # the frames that are drawn

    def set_shown(self, shown: bool) -> None:
        """Show or hide all trails; changes the actors."""
        self.is_shown = shown
        for trail in self.lines:
            trail.whole.SetVisibility(shown)
            trail.past.SetVisibility(shown)

    def set_density(self, dots: float) -> None:
        """Draw lines for so many dots in a pixel; changes the looks."""
        for trail in self.lines:
            trail.looks[0].SetLineWidth(1.1 * dots)
            trail.looks[1].SetLineWidth(2.2 * dots)

    def follow(self, playback: Playback, model: Model, scene: Any) -> None:
        """Draw the trails of the current run, or none; changes the renderer."""
        for trail in self.lines:
            self.renderer.RemoveActor(trail.whole)
            self.renderer.RemoveActor(trail.past)
        self.lines, self.results = [], playback.results
        self._rows = np.zeros(0, dtype=np.int64)
        if self.results is None or self.results.model.dim != model.dim:
            return
        compiled = self.results.compiled
        index = {id: k for k, id in enumerate(compiled.body_ids)}
        for tracer in compiled.resolved.of("tracer"):
            marker = compiled.resolved[tracer.marker]
            if marker.body in index:
                local = np.zeros(3)
                local[: model.dim] = marker.position
                own = QColor(tracer.color) if tracer.color else scene.color_of(marker.body)
                seconds = float(tracer.seconds or np.inf)
                self._add(index[marker.body], local, seconds, own, scene, marker.body)
        if self.of_centers:
            for id, k in index.items():
                self._add(k, compiled.center[k], np.inf, scene.color_of(id), scene, id)
        self.set_shown(self.is_shown)
        self.grow()

    def _add(
        self, k: int, local: np.ndarray, seconds: float, color: QColor, scene: Any, body: str
    ) -> None:
        looks = (
            line_look(rgb(mixed(color, scene.inks.floor, 0.38)), 1.1),
            line_look(rgb(mixed(color, scene.inks.ink, 0.82)), 2.2),
        )
        whole, past = (actor_of(line_data([]), look, static=False) for look in looks)
        past.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -6.0)  # over whole
        self.renderer.AddActor(whole)
        self.renderer.AddActor(past)
        lift = float(scene.placement.layer[scene.placement.body_index.get(body, -1)])
        empty = np.zeros((0, 3))
        self.lines.append(Trail(k, local, lift, seconds, whole, past, looks, empty))

    def grow(self) -> None:
        """Draw the whole paths anew: the run has more frames. Changes the actors."""
        if self.results is None or not len(self.results) or not self.lines:
            return
        stride = max(len(self.results) // MOST_POINTS, 1)
        rows = np.unique(np.r_[0 : len(self.results) : stride, len(self.results) - 1])
        self._rows = rows
        for trail in self.lines:
            at = path_of(self.results, trail.body, trail.local, rows)
            trail.places = np.nan_to_num(at) + np.array([0.0, 0.0, trail.lift])
            trail.whole.GetMapper().SetInputData(line_data([trail.places]))

    def show(self, time: float) -> None:
        """Draw the paths up to a time; changes the actors."""
        if not self.is_shown or self.results is None or not len(self.results):
            return
        times = self.results.t[self._rows] if self.lines else np.zeros(0)
        for trail in self.lines:
            start = int(np.searchsorted(times, time - trail.seconds))
            stop = int(np.searchsorted(times, time, side="right"))
            trail.past.GetMapper().SetInputData(line_data([trail.places[start:stop]]))

    def reach(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Places (n, 3) of mass centres in the run; what flies far away is not followed."""
        if self.results is None or not len(self.results):
            return np.zeros((0, 3))
        rows = np.unique(np.linspace(0, len(self.results) - 1, SAMPLES).astype(int))
        dim, n = self.results.compiled.system.dim, self.results.compiled.system.n_bodies
        P = np.zeros((len(rows), n, 3))
        P[:, :, :dim] = self.results.q[rows].reshape(len(rows), n, -1)[:, :, :dim]
        far = HORIZON * float((high - low).max())
        return np.clip(np.nan_to_num(P.reshape(-1, 3)), low - far, high + far)
