"""Trails: the paths of tracers, and of mass centres where asked for, up to the time that is shown."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from engine.model.elements import Id, Model
from engine.results.results import Results
from gui.placing.space.placement import hermite, path_of, places_of
from gui.state.playback import Playback

SAMPLES = 60  # frames that are sampled to find the extent of a run
HORIZON = 2.0  # times the size of the drawing: points farther away are not followed
FRESH = 0.12  # of the run: so much of a trail is drawn stronger
MOST_POINTS = 3000  # points of one trail: more cannot be distinguished and would be slow to draw

Outline = Callable[[Id], np.ndarray]  # the outermost points (n, 3) of a body, in its frame


class Path(NamedTuple):
    """Pieces of cubics: places at some moments, and the velocities at both ends of each piece."""

    t: np.ndarray  # (n,)
    places: np.ndarray  # (n, 3)
    starts: np.ndarray  # (n - 1, 3)
    ends: np.ndarray  # (n - 1, 3)

    def part(self, first: int, last: int) -> "Path":
        """The pieces from one place to another."""
        at, between = slice(first, last + 1), slice(first, max(last, first))
        return Path(self.t[at], self.places[at], self.starts[between], self.ends[between])

    def until(self, time: float) -> "Path":
        """The path up to a moment within its last piece."""
        if len(self.t) < 2 or time >= self.t[-1]:
            return self
        (t0, t1), (p0, p1) = self.t[-2:], self.places[-2:]
        h, v0, v1 = t1 - t0, self.starts[-1], self.ends[-1]
        s = (time - t0) / h
        at = hermite(s, p0, p1, h * v0, h * v1)
        speed = 6.0 * s * (1.0 - s) * (p1 - p0) / h
        speed = speed + (1.0 - s) * (1.0 - 3.0 * s) * v0 + s * (3.0 * s - 2.0) * v1
        places, ends = self.places.copy(), self.ends.copy()
        places[-1], ends[-1] = at, speed
        return Path(np.append(self.t[:-1], time), places, self.starts, ends)

    def finely(self, parts: int) -> np.ndarray:
        """Places (m, 3) with more of them between those of the frames."""
        if parts < 2 or len(self.t) < 2:
            return self.places
        h = np.diff(self.t)[:, None, None]
        s = (np.arange(parts) / parts)[None, :, None]
        p0, p1 = self.places[:-1, None], self.places[1:, None]
        fine = hermite(s, p0, p1, h * self.starts[:, None], h * self.ends[:, None])
        return np.concatenate([fine.reshape(-1, 3), self.places[-1:]])


NOTHING = Path(np.zeros(0), *(np.zeros((0, 3)) for _ in range(3)))


class Line(Protocol):
    """A line of a trail as a stage draws it."""

    def draw(self, path: Path) -> None:
        """Draw the line; changes the picture."""

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
    fresh: Line  # the last part of it, stronger
    path: Path = NOTHING  # at the frames drawn

    @property
    def lines(self) -> tuple[Line, Line, Line]:
        """All its lines."""
        return self.whole, self.past, self.fresh


class Trails(ABC):
    """All trails of the current run; a stage defines how their lines are drawn."""

    dims: ClassVar[tuple[int, ...]] = (2, 3)  # of its models

    def __init__(self) -> None:
        self.is_shown, self.of_centers = True, False
        self.results: Results | None = None
        self.lines: list[Trail] = []
        self._rows = np.zeros(0, dtype=np.int64)  # the frames that are drawn

    @abstractmethod
    def lines_of(self, point: Traced) -> tuple[Line, Line, Line]:
        """The lines of the whole path, of the past and of its last part; changes the picture."""

    def set_shown(self, shown: bool) -> None:
        """Show or hide all trails; changes the picture."""
        self.is_shown = shown
        for line in self._all_lines():
            line.show(shown)

    def _all_lines(self) -> Iterator[Line]:
        return (line for trail in self.lines for line in trail.lines)

    def follow(self, playback: Playback, model: Model) -> None:
        """Draw the trails of the current run, or none; changes the picture."""
        for line in self._all_lines():
            line.remove()
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
            trail.path = self._path(trail, self._rows)
            trail.whole.draw(trail.path)

    def show(self, time: float) -> None:
        """Draw the paths up to a time; changes the picture."""
        if not self.is_shown or self.results is None or not len(self.results):
            return
        times = self.results.t
        fresh = FRESH * float(times[-1] - times[0])
        for trail in self.lines:
            shown = trail.point.seconds
            trail.past.draw(self._between(trail, time - shown, time))
            trail.fresh.draw(self._between(trail, time - min(shown, fresh), time))

    def _between(self, trail: Trail, start: float, time: float) -> Path:
        """The path from the frame after one moment to another."""
        path = trail.path
        first = int(np.searchsorted(path.t, start))
        last = int(np.searchsorted(path.t, time, side="left"))  # the place where the piece ends
        last = min(last, len(path.t) - 1)
        return path.part(first, last).until(time) if last > first else NOTHING

    def reach(self, low: np.ndarray, high: np.ndarray, outline: Outline) -> np.ndarray:
        """Places (n, 3) of bodies and of trails in the run.

        Points far away from the drawing between two corners are not followed.
        """
        if self.results is None or not len(self.results):
            return np.zeros((0, 3))
        rows = np.unique(np.linspace(0, len(self.results) - 1, SAMPLES).astype(int))
        points = [*_points(self.results, outline)]
        if self.is_shown:
            points += [(trail.point.k, trail.point.local) for trail in self.lines]
        found = [places_of(self.results, k, local, rows) for k, local in points]
        far = HORIZON * float((high - low).max())
        places = np.concatenate(found) if found else np.zeros((0, 3))
        return np.clip(np.nan_to_num(places), low - far, high + far)

    def _path(self, trail: Trail, rows: np.ndarray) -> Path:
        """The path of the point of a trail through some frames: straight across events."""
        assert self.results is not None
        at, rates = np.nan_to_num(path_of(self.results, trail.point.k, trail.point.local, rows))
        t = self.results.t[rows]
        starts, ends = rates[:-1].copy(), rates[1:].copy()
        kinks = np.array([e.t for e in self.results.events if not e.kind.startswith("gimbal")])
        before = np.searchsorted(t, kinks, side="right") - 1
        inside = (before >= 0) & (before < len(starts))
        broken = [k for k, kink in zip(before[inside], kinks[inside]) if t[k] < kink]
        starts[broken] = ends[broken] = (np.diff(at, axis=0) / np.diff(t)[:, None])[broken]
        return Path(t, at, starts, ends)


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


def _points(results: Results, outline: Outline) -> Iterator[tuple[int, np.ndarray]]:
    """Mass centre, outermost points and markers of each moving body, in its frame."""
    compiled = results.compiled
    at: dict[Id, list[np.ndarray]] = {
        id: [compiled.center[k], *outline(id)] for k, id in enumerate(compiled.body_ids)
    }
    for marker in compiled.resolved.of("marker"):
        if marker.body in at:
            at[marker.body].append(_in_space(marker.position))
    yield from ((k, np.array(at[id])) for k, id in enumerate(compiled.body_ids))


def _in_space(position: tuple[float, ...]) -> np.ndarray:
    """A place of the plane or of space as three numbers."""
    at = np.zeros(3)
    at[: len(position)] = position
    return at
