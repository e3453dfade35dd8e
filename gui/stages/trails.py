"""Trails: the paths of tracers, and of mass centres where asked for, up to the time that is shown."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from engine.model.elements import Id, Model
from engine.results.results import Results
from gui.placing.space.placement import path_of
from gui.state.playback import Playback

SAMPLES = 60  # frames that are sampled to find the extent of a run
HORIZON = 2.0  # times the size of the drawing: points farther away are not followed
MOST_POINTS = 3000  # points of one trail: more cannot be distinguished and would be slow to draw


class Line(Protocol):
    """A line of a trail as a stage draws it."""

    def draw(self, places: np.ndarray) -> None:
        """Draw the line through places (n, 3); changes the picture."""

    def show(self, shown: bool) -> None:
        """Show or hide it; changes the picture."""

    def remove(self) -> None:
        """Remove it from the stage; changes the picture."""


class Traced(NamedTuple):
    """A point of a moving body that leaves a trail."""

    k: int  # number of the body in the run
    body: Id
    local: np.ndarray  # the point in the body frame
    seconds: float  # how long the trail stays
    color: str  # empty: that of the body


@dataclass(slots=True)
class Trail:
    """The path of one point of a body."""

    point: Traced
    whole: Line  # of the whole run, faint
    past: Line  # up to now
    places: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # at the frames drawn


class Trails(ABC):
    """All trails of the current run; a stage defines how their lines are drawn."""

    dims: ClassVar[tuple[int, ...]] = (2, 3)  # of its models

    def __init__(self) -> None:
        self.is_shown, self.of_centers = True, False
        self.results: Results | None = None
        self.lines: list[Trail] = []
        self._rows = np.zeros(0, dtype=np.int64)  # the frames that are drawn

    @abstractmethod
    def lines_of(self, point: Traced) -> tuple[Line, Line]:
        """The lines of the whole path and of the past; changes the picture."""

    def set_shown(self, shown: bool) -> None:
        """Show or hide all trails; changes the picture."""
        self.is_shown = shown
        for trail in self.lines:
            trail.whole.show(shown)
            trail.past.show(shown)

    def follow(self, playback: Playback, model: Model) -> None:
        """Draw the trails of the current run, or none; changes the picture."""
        for trail in self.lines:
            trail.whole.remove()
            trail.past.remove()
        self.lines, self.results = [], None
        self._rows = np.zeros(0, dtype=np.int64)
        results = playback.results
        if results is None or model.dim not in self.dims or results.model.dim != model.dim:
            return
        self.results = results
        points = traced(self.results, of_centers=self.of_centers)
        self.lines = [Trail(point, *self.lines_of(point)) for point in points]
        self.set_shown(self.is_shown)
        self.grow()

    def grow(self) -> None:
        """Draw the whole paths again: the run has more frames. Changes the picture."""
        if self.results is None or not len(self.results) or not self.lines:
            return
        n = len(self.results)
        self._rows = np.unique(np.r_[0 : n : max(n // MOST_POINTS, 1), n - 1])
        for trail in self.lines:
            trail.places = self._path(trail, self._rows)
            trail.whole.draw(trail.places)

    def show(self, time: float) -> None:
        """Draw the paths up to a time; changes the picture."""
        if not self.is_shown or self.results is None or not len(self.results):
            return
        times = self.results.t
        last = int(np.searchsorted(times, time, side="right")) - 1
        for trail in self.lines:
            first = int(np.searchsorted(times, time - trail.point.seconds))
            if last - first < 1:
                trail.past.draw(np.zeros((0, 3)))
                continue
            drawn = slice(*np.searchsorted(self._rows, (first, last)))
            end = self._path(trail, np.array([last]))
            trail.past.draw(np.concatenate([trail.places[drawn], end]))

    def reach(self, low: np.ndarray, high: np.ndarray, *, of_markers: bool) -> np.ndarray:
        """Places (n, 3) of mass centres and, if wanted, markers in the run.

        Points far away from the drawing between two corners are not followed.
        """
        if self.results is None or not len(self.results):
            return np.zeros((0, 3))
        rows = np.unique(np.linspace(0, len(self.results) - 1, SAMPLES).astype(int))
        points = _points(self.results, of_markers=of_markers)
        found = [path_of(self.results, k, local, rows) for k, local in points]
        far = HORIZON * float((high - low).max())
        places = np.concatenate(found) if found else np.zeros((0, 3))
        return np.clip(np.nan_to_num(places), low - far, high + far)

    def _path(self, trail: Trail, rows: np.ndarray) -> np.ndarray:
        """Where the point of a trail is in some frames."""
        assert self.results is not None
        return np.nan_to_num(path_of(self.results, trail.point.k, trail.point.local, rows))


def traced(results: Results, *, of_centers: bool) -> list[Traced]:
    """The points of a run that leave trails: those of tracers, and mass centres if wanted."""
    compiled = results.compiled
    index = {id: k for k, id in enumerate(compiled.body_ids)}
    found = []
    for tracer in compiled.resolved.of("tracer"):
        marker = compiled.resolved[tracer.marker]
        if marker.body in index:
            seconds = float(tracer.seconds or np.inf)
            at = _in_space(marker.position)
            found.append(Traced(index[marker.body], marker.body, at, seconds, tracer.color))
    if of_centers:
        found += [Traced(k, id, compiled.center[k], np.inf, "") for id, k in index.items()]
    return found


def _points(results: Results, *, of_markers: bool) -> Iterator[tuple[int, np.ndarray]]:
    """The mass centres of moving bodies, and their markers if wanted, in body frames."""
    compiled = results.compiled
    index = {id: k for k, id in enumerate(compiled.body_ids)}
    for k in index.values():
        yield k, compiled.center[k]
    for marker in compiled.resolved.of("marker") if of_markers else ():
        if marker.body in index:
            yield index[marker.body], _in_space(marker.position)


def _in_space(position: tuple[float, ...]) -> np.ndarray:
    """A place of the plane or of space as three numbers."""
    at = np.zeros(3)
    at[: len(position)] = position
    return at
