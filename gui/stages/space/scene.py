"""The scene in space: one graphic for each element of a model, in the pose that was set last."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtGui import QColor
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from engine.formulas.lenient import PlainNumbers
from engine.kinematics.poses import Frames
from engine.model.elements import GROUND, Id, Model, diff
from gui.look.colors import body_colors
from gui.look.theme import Theme
from gui.placing.space import shapes
from gui.placing.space.bends import AnySolidBend
from gui.placing.space.camera import TABLES, Eye
from gui.placing.space.placement import SpacePlacement
from gui.placing.space.solids import Solid
from gui.stages.looks import Looks
from gui.stages.plane.scene import only_moved
from gui.stages.space.bending import bend_solid, largest
from gui.stages.space.graphics.bodies import arms
from gui.stages.space.graphics.edges import Edges
from gui.stages.space.graphics.graphic import Graphic
from gui.stages.space.graphics.inks import SpaceInks
from gui.stages.space.graphics.outlines import Outlines
from gui.stages.space.graphics.shadows import Shadows
from gui.stages.space.graphics.views import VIEWS, graphic_of, reach_of
from gui.stages.space.graphics.vtk_parts import matrices
from gui.stages.space.room import Room

UNIT = 7.5  # pixels of one unit of a symbol
UNITS = (0.004, 0.022)  # least and most of a unit, in sizes of the model
BESIDE = 0.15  # of the model's size: symbols reach so far beyond places
NEAREST = 0.04  # of the distance to the focus: what is nearer is cut off
CLEAR = 0.35  # opacity of elements that are seen through
CROWD = 40  # joints: with more each has only the core of its symbol
FEW, MANY = 12, 100  # bodies: up to FEW are drawn with more sides, beyond MANY with fewer


class Scene(Looks):
    """Everything that is drawn of a model."""

    view_table = VIEWS

    def __init__(self, renderer: vtkRenderer, theme: Theme) -> None:
        self.renderer = renderer
        self.inks = SpaceInks(theme)
        self.numbers = PlainNumbers()
        self.model = self.numbers.of(Model())
        self.placement = SpacePlacement(self.model)
        self.colors: dict[Id, QColor] = {}
        self.graphics: dict[Id, Graphic] = {}
        self.glows = {}
        self.time, self.pixel, self.size = 0.0, 0.005, 1.0
        self.room = Room(renderer, self.inks)
        self.outlines = Outlines(renderer)
        self.shadows = Shadows(renderer)
        self.edges = Edges(renderer)
        self._arms: dict[Id, list[int]] = {}
        self._solids: dict[Id, tuple[Any, int, Solid]] = {}
        self.bent: dict[Id, None] = {}  # bodies whose surfaces are not as drawn
        self._at_bodies: tuple[list[Any], np.ndarray] = ([], np.zeros(0, dtype=np.int64))
        self._at_markers: tuple[list[Any], np.ndarray] = ([], np.zeros(0, dtype=np.int64))
        self._least = np.zeros(0)

    # --- for builders

    @property
    def unit(self) -> float:
        """Metres of one unit of a symbol at this zoom."""
        return min(max(UNIT * self.pixel, UNITS[0] * self.size), UNITS[1] * self.size)

    @property
    def detail(self) -> float:
        """The level of detail of symbols: lower where there are many."""
        n = len(self.model.of("joint"))
        return 1.0 if n <= FEW else 0.6 if n <= 30 else 0.4

    @property
    def is_crowded(self) -> bool:
        """Whether there are so many joints that each has only the core of its symbol."""
        return len(self.model.of("joint")) > CROWD

    @property
    def upright(self) -> np.ndarray:
        """Axes whose z points up: z in space, y in the plane."""
        return TABLES["z" if self.model.dim == 3 else "y"]

    def solid(self, body: Any) -> Solid:
        """The solid of a body, made once for each shape."""
        n = len(self.placement.bodies)
        level = 2 if n <= FEW else 1 if n <= MANY else 0
        kept = self._solids.get(body.id)
        if kept is None or kept[1] != level or not (kept[0] is body.shape or kept[0] == body.shape):
            kept = (body.shape, level, shapes.solid_of(body.shape, level))
            self._solids[body.id] = kept
        return kept[2]

    def arms_of(self, body: Any) -> list[int]:
        """The markers to which arms of a body lead; cached."""
        if body.id not in self._arms:
            solid = None if body.shape is None else self.solid(body)
            self._arms[body.id] = arms(self.placement, self.placement.body_index[body.id], solid)
        return self._arms[body.id]

    def color_of(self, body: Id) -> QColor:
        """The colour of a body or of the ground."""
        return self.inks.ground if body == GROUND else self.colors.get(body, self.inks.ground)

    def roles_of(self, joint: Any) -> dict[str, QColor]:
        """The colours of a joint's symbol."""
        ends = [self.placement.marker_body_id(m) for m in (joint.marker_i, joint.marker_j)]
        return {**self.inks.roles, "i": self.color_of(ends[0]), "j": self.color_of(ends[1])}

    # --- for the stage

    def show_model(self, model: Model) -> None:
        """Draw a model as designed; changes the scene."""
        before, after = self.model, self.numbers.of(model)
        if after is before:
            self.put(self.placement.drawn)
            return
        added, removed, changed = diff(before, after)
        same = before.dim == after.dim and not added and not removed
        self.model, self.placement = after, SpacePlacement(after)
        if not (same and all(only_moved(before[i], after[i]) for i in changed)):
            self._build()
        self.put(self.placement.drawn)

    def set_theme(self, theme: Theme) -> None:
        """Draw everything in the colours of another theme; changes the scene."""
        self.inks = SpaceInks(theme)
        self.room.inks = self.inks
        self._build()
        self.put(self.placement.frames, self.time)

    def _build(self) -> None:
        """Rebuild all graphics; changes the scene."""
        for graphic in self.graphics.values():
            for actor in graphic.actors:
                self.renderer.RemoveActor(actor)
        self.colors = body_colors(self.model, self.inks.theme)
        self.size = self._drawn_size()
        self._arms = {}
        self._solids = {id: kept for id, kept in self._solids.items() if id in self.model}
        made = ((e.id, graphic_of(e, self)) for e in self.model)
        self.graphics = {id: graphic for id, graphic in made if graphic is not None}
        for graphic in self.graphics.values():
            for actor in graphic.actors:
                self.renderer.AddActor(actor)
            graphic.set_visible(graphic.id not in self.hidden)
        everything = list(self.graphics.values())
        self._at_bodies = _group([pair for g in everything for pair in g.body_actors])
        self._at_markers = _group([pair for g in everything for pair in g.marker_actors])
        self._least = np.array([g.least for g in everything for _ in g.marker_actors])
        for graphic in everything:
            self.refresh(graphic)
        self.shadows.show(self)
        self.edges.show(self)

    def _drawn_size(self) -> float:
        """How large the model is as designed, from corner to corner [m]."""
        p, found = self.placement, [np.zeros((0, 3))]
        for k, body in enumerate(p.bodies):
            own = p.center[k : k + 1]
            if getattr(body, "shape", None) is not None:
                own = self.solid(body).box
            found.append(p.drawn.r[k] + own @ p.drawn.R[k].T)
        places = np.concatenate([*found, p.P])
        return (float(np.linalg.norm(np.ptp(places, axis=0))) if len(places) else 0.0) or 1.0

    def put(
        self, frames: Frames, time: float = 0.0, bends: dict[Id, AnySolidBend] | None = None
    ) -> None:
        """Move everything to a pose of the body frames, with bent beams; changes the scene."""
        self.time = time
        self.placement.put(frames, bends)
        self._bend()
        self._follow_bodies()
        self._follow_symbols()
        self.outlines.follow(self)
        self.shadows.follow(self)

    def set_pixel(self, pixel: float) -> None:
        """Draw symbols for this zoom, in metres per pixel; changes the scene."""
        if abs(pixel - self.pixel) > 1e-3 * self.pixel:
            self.pixel = pixel
            self._follow_symbols()
            self.outlines.show(self)

    def _bend(self) -> None:
        """Bend the beams of the pose and make others straight again; changes their surfaces."""
        bends = self.placement.bends
        most = largest(bends)
        for id in {**self.bent, **bends}:
            graphic = self.graphics.get(id)
            if graphic is not None and graphic.body_actors:
                bend_solid(graphic, bends.get(id), most)
        self.bent = dict.fromkeys({**self.bent, **bends} if bends else {})

    def _follow_bodies(self) -> None:
        actors, at = self._at_bodies
        if actors:
            p = self.placement
            for matrix, row in zip(actors, matrices(p.R[at], p.r[at])):
                matrix.DeepCopy(row)
        self.edges.follow(self)

    def _follow_symbols(self) -> None:
        actors, at = self._at_markers
        if actors:
            p = self.placement
            units = np.maximum(self.unit, self._least)[:, None, None]
            for matrix, row in zip(actors, matrices(units * p.A[at], p.P[at])):
                matrix.DeepCopy(row)
        for graphic in self.graphics.values():
            for follow in graphic.places:
                follow(self)

    def depths(self, eye: Eye, beside: Iterable[vtkActor] = ()) -> tuple[float, float]:
        """From where to where the camera must see, in metres before it, for depths to be exact.

        `beside` is drawn too, but not part of the model. What VTK finds by itself begins so near that
        lines are seen through bodies.
        """
        p = self.placement
        on_floor = p.r[:-1] * (1.0, 1.0, 0.0)
        places = np.concatenate([p.r[:-1], p.P, on_floor, np.zeros((1, 3))])
        reach = np.full(len(places), BESIDE * self.size)
        for k, body in enumerate(p.bodies):
            graphic = self.graphics.get(body.id)
            if graphic is not None and graphic.solid is not None:
                reach[k] += graphic.solid.reach
        for low, high in map(_corners, beside):
            if np.any(low > high):  # nothing is drawn
                continue
            places = np.append(places, [0.5 * (low + high)], axis=0)
            reach = np.append(reach, 0.5 * np.linalg.norm(high - low))
        away = eye.distance - eye.seen(places)[:, 2]
        near, far = float((away - reach).min()), float((away + reach).max())
        return max(near, NEAREST * eye.distance), max(far, eye.distance) + self.size

    def set_density(self, dots: float) -> None:
        """Scale lines for this many dots per pixel; changes the looks."""
        self.edges.set_density(dots)

    def reach(self, ids: Iterable[Id] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The corners of the box around elements, or around all, in the pose."""
        places = self.places(ids)
        if not len(places):
            return np.zeros(3), np.zeros(3)
        return places.min(axis=0), places.max(axis=0)

    def places(self, ids: Iterable[Id] | None = None) -> np.ndarray:
        """Places (n, 3) around elements, or around all that are not hidden, in the pose."""
        wanted = [e.id for e in self.model if e.id not in self.hidden] if ids is None else ids
        found = [reach_of(self, id) for id in wanted]
        return np.concatenate(found) if found else np.zeros((0, 3))

    def outline(self, id: Id) -> np.ndarray:
        """The corners (n, 3) of the box around the solid of a body, in its frame; none without one."""
        solid = self.graphics[id].solid if id in self.graphics else None
        return np.zeros((0, 3)) if solid is None else solid.box

    # --- looks

    def refresh(self, graphic: Graphic) -> None:
        """Give a graphic the look of its state; changes the graphic."""
        graphic.set_state(self.glow_of(graphic.id), self.is_faint(graphic.id), self.inks)
        graphic.set_opacity(CLEAR if graphic.id in self.sheer else 1.0)

    def glow_changed(self) -> None:
        """Draw the outlines of highlighted elements; changes the scene."""
        self.outlines.show(self)

    def hidden_changed(self) -> None:
        """Draw outlines, shadows and edges of what is not hidden; changes the scene."""
        self.outlines.show(self)
        self.shadows.follow(self)
        self.edges.show(self)


def _group(pairs: list[tuple[Any, int]]) -> tuple[list[Any], np.ndarray]:
    """The matrices of actors, and the frames they follow."""
    return [a.GetUserMatrix() for a, _ in pairs], np.array([n for _, n in pairs], dtype=np.int64)


def _corners(actor: vtkActor) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper corner of the box around what an actor draws."""
    bounds = np.array(actor.GetBounds())
    return bounds[0::2], bounds[1::2]
