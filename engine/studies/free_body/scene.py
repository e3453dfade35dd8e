"""Free-body diagrams as marks in pixels: outlines, arrows, arcs and words, for the screen and for files.

An arrow has the length |F| / F_max of a fifth of the picture, with F_max the largest force of the run, or
the square root of that share. A moment in the plane is an arc whose sweep is its share of a whole turn; in
space it is a double arrow along its axis. Pulled apart, each body is shifted until none lies over another.
"""

from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, radians, sin, sqrt
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import say
from engine.kinematics.poses import body_frames
from engine.model.elements import GROUND, Id
from engine.model.solids import hull
from engine.studies.free_body.diagrams import BodyDiagram, Diagrams
from engine.studies.free_body.labels import Label, place_labels
from engine.studies.free_body.outlines import bent, outline
from engine.studies.free_body.wrenches import WEIGHT, Wrench

LINEAR, SQUARE_ROOT = "linear", "square_root"
SCALES = (LINEAR, SQUARE_ROOT)
ALL = ""  # in the place of a body: all of them, pulled apart
LONGEST = 0.2  # of the picture: the arrow of the largest force
NOISE = 1e-9  # of the largest: less is rounding and has no arrow
LEVER = 0.02  # of the length of the model: moments are small beside forces with a shorter lever
SMALL = 1e-6  # of the largest force by the length of the model: a smaller moment has no arrow
ARC, NEXT_ARC, WHOLE = (
    20.0,
    8.0,
    1.8 * pi,
)  # px of an arc, of the next around it; rad of the largest
SMALLEST = 9.0  # px: the size of a point mass
HOME = (-60.0, 22.0)  # degrees of azimuth and elevation from where one looks in space
APART, ROUNDS = 0.55, 80  # of the mean size between bodies that are pulled apart; steps of that
MOST_VIEWS = 50  # for which it is remembered where bodies are pulled
WIDEST = 1.6  # how much farther they go sideways than up, in a wide picture
PIECE = 0.25  # of the mean size: a piece of the ground


@dataclass(frozen=True, slots=True)
class View:
    """What is shown and how."""

    body: Id = ALL
    width: float = 800.0
    height: float = 560.0
    scale: str = LINEAR
    inertia: bool = False
    eye: tuple[float, float] = HOME
    largest: tuple[float, float] = (0.0, 0.0)  # force and moment; 0: of what is shown
    reach: float = 0.0  # [m] from the middle to the edge, at least
    has_labels: bool = True


class Shape(NamedTuple):
    """The outline of a body."""

    body: Id
    points: np.ndarray  # (n, 2) px
    is_open: bool = False  # spokes of a body without a shape


class Arrow(NamedTuple):
    """A force, or in space a moment, whose head is double."""

    wrench: Wrench
    tail: tuple[float, float]
    tip: tuple[float, float]
    is_moment: bool = False


class Arc(NamedTuple):
    """A moment in the plane."""

    wrench: Wrench
    center: tuple[float, float]
    radius: float
    start: float  # rad, anticlockwise on the screen
    sweep: float


class Tie(NamedTuple):
    """A thin line between the two ends of a connection that was pulled apart."""

    source: Id
    a: tuple[float, float]
    b: tuple[float, float]


@dataclass(slots=True)
class Scene:
    """Everything that is drawn."""

    view: View
    shapes: list[Shape] = field(default_factory=list)
    ties: list[Tie] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    arcs: list[Arc] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    centers: list[tuple[float, float]] = field(default_factory=list)
    ground: list[tuple[float, float]] = field(default_factory=list)
    reach: float = 0.0  # [m] what `View.reach` should be at least
    largest: tuple[float, float] = (0.0, 0.0)  # what arrows were scaled by


def acting(one: BodyDiagram, with_inertia: bool) -> tuple[Wrench, ...]:
    """What is drawn on a body."""
    return (*one.wrenches, one.inertia) if with_inertia and one.inertia else one.wrenches


def quantity(value: float, unit: str) -> str:
    """A number with four digits and its unit."""
    return f"{0.0 if abs(value) < 1e-300 else value:.4g} {unit}".replace("-", "\u2212")


def tones(compiled: Compiled) -> dict[Id, int]:
    """The number of the colour of each element that acts on bodies."""
    acting = [e.id for e in compiled.resolved if e.family in ("joint", "motion", "force")]
    return {id: n for n, id in enumerate(acting)}


class Drawing:
    """Diagrams of one model; what is the same at all times is kept."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.dim = compiled.system.dim
        self._apart: dict[Any, dict[Any, np.ndarray]] = {}
        self._outlines = {
            id: outline(getattr(compiled.resolved[id], "shape", None), self.dim)
            for id in compiled.body_ids
        }

    def scene(self, diagrams: Diagrams, view: View) -> Scene:
        """The marks of one body, or of all."""
        found = Scene(view)
        bodies = diagrams.bodies if view.body == ALL else (diagrams.of(view.body),)
        frames = body_frames(self.compiled, diagrams.q)
        points = {one.body: self._points(one, frames, diagrams.q) for one in bodies}
        axes = self._axes(view)
        shifts = self._shifts(diagrams, points, axes, view) if view.body == ALL else {}
        camera = self._camera(bodies, points, axes, shifts, view, found)
        self._draw_bodies(bodies, points, camera, shifts, found)
        force, moment = self._largest(bodies, view)
        found.largest = force, moment
        ends: dict[Id, list[tuple[float, float]]] = {}
        for one in bodies:
            self._draw_wrenches(one, camera, shifts, (force, moment), found, ends)
        found.ties += [Tie(id, *pair) for id, pair in ends.items() if len(pair) == 2]
        if view.has_labels:
            found.labels = place_labels(found, self._words(view))
        return found

    # --- where everything is

    def _points(self, one: BodyDiagram, frames: Any, q: np.ndarray) -> np.ndarray:
        """The outline of a body in the world, (n, 3); spokes to its points where it has no shape."""
        if one.body == GROUND:
            return np.zeros((0, 3))
        k = self.compiled.body_ids.index(one.body)
        own = self._outlines[one.body]
        if one.body in self.compiled.elastic:
            record = self.compiled.elastic[one.body]
            own = bent(own, record, q[self.compiled.layout.modes(k)]) if record.is_beam else own
        if len(own):
            return np.asarray(frames.r[k] + own @ frames.R[k].T)
        places = [wrench.place for wrench in one.wrenches if wrench.kind != WEIGHT]
        return np.array([p for place in places for p in (one.center, place)]).reshape(-1, 3)

    def _axes(self, view: View) -> np.ndarray:
        """The directions to the right and up on the screen, (2, 3)."""
        if self.dim == 2:
            return np.eye(3)[:2]
        azimuth, up = radians(view.eye[0]), radians(view.eye[1])
        right = np.array([-sin(azimuth), cos(azimuth), 0.0])
        away = np.array([cos(up) * cos(azimuth), cos(up) * sin(azimuth), sin(up)])
        return np.array([right, np.cross(away, right)])

    def _shifts(
        self, diagrams: Diagrams, points: dict[Id, np.ndarray], axes: np.ndarray, view: View
    ) -> dict[Any, np.ndarray]:
        """How far each body and each piece of the ground is moved away; the same at all times."""
        wide = np.array([min(max(view.width / view.height, 1.0), WIDEST), 1.0])
        key = (view.eye if self.dim == 3 else ()), round(float(wide[0]), 1)
        if len(self._apart) > MOST_VIEWS:
            self._apart.clear()
        if key not in self._apart:
            middles, sizes, names = list[np.ndarray](), list[float](), list[Any]()
            for one in diagrams.bodies:
                if one.body != GROUND:
                    middle = axes @ one.center
                    away = np.linalg.norm(points[one.body] @ axes.T - middle, axis=1)
                    sizes.append(float(away.max(initial=0.0)))
                    middles.append(middle)
                    names.append(one.body)
            typical = float(np.mean(sizes)) or self.compiled.length
            sizes = [max(size, 0.2 * typical) for size in sizes]
            for wrench in diagrams.of(GROUND).wrenches:
                middles.append(axes @ wrench.place)
                sizes.append(PIECE * typical)
                names.append((GROUND, wrench.source))
            before = np.array(middles)
            moved = wide * pulled_apart(before / wide, np.array(sizes), APART * typical)
            self._apart[key] = dict(zip(names, moved - before, strict=True))
        return self._apart[key]

    def _camera(
        self,
        bodies: tuple[BodyDiagram, ...],
        points: dict[Id, np.ndarray],
        axes: np.ndarray,
        shifts: dict[Any, np.ndarray],
        view: View,
        found: Scene,
    ) -> "_Camera":
        """The middle of what is shown, and pixels per metre."""
        places = []
        for one in bodies:
            for wrench in one.wrenches:
                places.append(axes @ wrench.place + shifts.get(_part(one, wrench), 0.0))
            if len(points[one.body]):
                places += list(points[one.body] @ axes.T + shifts.get(one.body, 0.0))
        cloud = np.array(places or [np.zeros(2)])
        if view.body == ALL:
            middle = (cloud.min(axis=0) + cloud.max(axis=0)) / 2
        else:
            middle = axes @ bodies[0].center
        # an arrow may stick out on each side
        room = np.array([view.width, view.height]) * (0.5 - LONGEST * (0.8 if view.body else 0.65))
        away = np.abs(cloud - middle).max(axis=0) * (room[0] / room)
        found.reach = max(float(away.max()), view.reach)
        reach = found.reach if found.reach > 1e-12 else self.compiled.length
        return _Camera(axes, middle, float(room[0]) / reach, view)

    # --- marks

    def _draw_bodies(
        self,
        bodies: tuple[BodyDiagram, ...],
        points: dict[Id, np.ndarray],
        camera: "_Camera",
        shifts: dict[Any, np.ndarray],
        found: Scene,
    ) -> None:
        """Outlines and mass centres; changes the scene."""
        for one in bodies:
            if one.body == GROUND:
                continue
            shift = shifts.get(one.body)
            seen = np.array([camera.place(p, shift) for p in points[one.body]]).reshape(-1, 2)
            has_shape = len(self._outlines[one.body]) > 0
            if has_shape and self.dim == 3:
                seen = hull(seen)
            center = camera.place(one.center, shift)
            if not has_shape and not len(seen):
                turn = np.linspace(0.0, 2 * pi, 24, endpoint=False)
                seen = np.array(center) + SMALLEST * np.column_stack([np.cos(turn), np.sin(turn)])
                has_shape = True
            found.shapes.append(Shape(one.body, seen, not has_shape))
            found.centers.append(center)

    def _largest(self, bodies: tuple[BodyDiagram, ...], view: View) -> tuple[float, float]:
        """The force and the moment that arrows are scaled by."""
        every = [w for one in bodies for w in acting(one, view.inertia)]
        force = max([float(np.linalg.norm(w.force)) for w in every], default=0.0)
        moment = max([float(np.linalg.norm(w.moment)) for w in every], default=0.0)
        force = max(force, view.largest[0])
        return force, max(moment, view.largest[1], LEVER * force * self.compiled.length)

    def _draw_wrenches(
        self,
        one: BodyDiagram,
        camera: "_Camera",
        shifts: dict[Any, np.ndarray],
        largest: tuple[float, float],
        found: Scene,
        ends: dict[Id, list[tuple[float, float]]],
    ) -> None:
        """An arrow for each force, an arc or a double arrow for each moment; changes scene and ends."""
        view, arcs = found.view, dict[tuple[int, int], int]()
        noise = (
            NOISE * largest[0],
            max(NOISE * largest[1], SMALL * largest[0] * self.compiled.length),
        )
        for wrench in acting(one, view.inertia):
            tail = camera.place(wrench.place, shifts.get(_part(one, wrench)))
            before = len(found.arrows) + len(found.arcs)
            if np.linalg.norm(wrench.force) > noise[0]:
                tip = camera.along(tail, wrench.force, largest[0])
                found.arrows.append(Arrow(wrench, tail, tip))
            size = float(np.linalg.norm(wrench.moment))
            if size > noise[1] and self.dim == 3:
                tip = camera.along(tail, wrench.moment, largest[1])
                found.arrows.append(Arrow(wrench, tail, tip, is_moment=True))
            elif size > noise[1]:
                at = round(tail[0] / 8), round(tail[1] / 8)
                arcs[at] = arcs.get(at, 0) + 1
                radius = ARC + NEXT_ARC * (arcs[at] - 1)
                sweep = np.sign(wrench.moment[2]) * WHOLE * _share(size, largest[1], view.scale)
                found.arcs.append(Arc(wrench, tail, radius, pi / 2 - sweep / 2, float(sweep)))
            if len(found.arrows) + len(found.arcs) > before:
                if one.body == GROUND:
                    found.ground.append(tail)
                if view.body == ALL and wrench.source and wrench.other:
                    ends.setdefault(wrench.source, []).append(tail)

    def _words(self, view: View) -> Any:
        """What is written at an arrow: the name and the value, in a diagram of all bodies the value."""

        def words(mark: Arrow | Arc) -> str:
            wrench, turns = mark.wrench, isinstance(mark, Arc) or mark.is_moment
            size = float(np.linalg.norm(wrench.moment if turns else wrench.force))
            if isinstance(mark, Arc):
                size = float(wrench.moment[2])
            value = quantity(size, "N m" if turns else "N")
            return value if view.body == ALL else f"{wrench.label}  {value}"

        return words


@dataclass(frozen=True, slots=True)
class _Camera:
    """From metres to pixels; y of pixels goes down."""

    axes: np.ndarray
    middle: np.ndarray
    scale: float  # px/m
    view: View

    def place(self, point: np.ndarray, shift: np.ndarray | None = None) -> tuple[float, float]:
        """Where a point is on the screen."""
        x, y = self.axes @ point - self.middle + (0.0 if shift is None else shift)
        return (
            float(self.view.width / 2 + self.scale * x),
            float(self.view.height / 2 - self.scale * y),
        )

    def along(
        self, tail: tuple[float, float], vector: np.ndarray, largest: float
    ) -> tuple[float, float]:
        """The tip of the arrow of a vector; in space it is foreshortened."""
        size = float(np.linalg.norm(vector))
        length = full_length(self.view)
        length *= _share(size, largest, self.view.scale)
        x, y = self.axes @ vector / size * length
        return tail[0] + float(x), tail[1] - float(y)


def full_length(view: View) -> float:
    """The length of the longest arrow, px."""
    return LONGEST * min(view.width, view.height)


def scale_words(scene: Scene) -> str:
    """What an arrow of full length stands for."""
    force = quantity(scene.largest[0], "N")
    if scene.view.scale == SQUARE_ROOT:
        return say("{force}, lengths as square roots", force=force)
    return force


def _share(size: float, largest: float, scale: str) -> float:
    """The share of a whole arrow."""
    part = size / largest if largest > 0.0 else 0.0
    return sqrt(part) if scale == SQUARE_ROOT else part


def _part(one: BodyDiagram, wrench: Wrench) -> Any:
    """The name of what a wrench moves along with, when bodies are pulled apart."""
    return (GROUND, wrench.source) if one.body == GROUND else one.body


def pulled_apart(middles: np.ndarray, sizes: np.ndarray, gap: float) -> np.ndarray:
    """Circles moved away from each other until none is nearer to another than a gap, (n, 2)."""
    n = len(middles)
    center = middles.mean(axis=0)
    # one direction each, all different: circles with the same middle have to go somewhere
    turn = 2.399963 * np.arange(n)
    moved = center + 1.3 * (middles - center)
    moved += 1e-3 * gap * np.column_stack([np.cos(turn), np.sin(turn)])
    wanted = sizes[:, None] + sizes[None, :] + gap
    for _ in range(ROUNDS):
        d = moved[:, None] - moved[None, :]
        far = np.hypot(d[..., 0], d[..., 1])
        np.fill_diagonal(far, np.inf)
        lacking = np.maximum(wanted - far, 0.0)
        if not lacking.any():
            break
        moved = moved + 0.25 * np.einsum("ij,ijc->ic", lacking / np.maximum(far, 1e-12), d)
    return np.asarray(moved)


def with_size(view: View, width: float, height: float) -> View:
    """The same view in a picture of another size."""
    return replace(view, width=width, height=height)


def distance_to(mark: Arrow | Arc, x: float, y: float) -> float:
    """How far a place is from an arrow or an arc, px."""
    if isinstance(mark, Arc):
        return abs(hypot(x - mark.center[0], y - mark.center[1]) - mark.radius)
    (x0, y0), (x1, y1) = mark.tail, mark.tip
    dx, dy = x1 - x0, y1 - y0
    square = dx * dx + dy * dy
    along = 0.0 if square == 0.0 else ((x - x0) * dx + (y - y0) * dy) / square
    along = min(max(along, 0.0), 1.0)
    return hypot(x - x0 - along * dx, y - y0 - along * dy)
