"""What one element looks like in space: its actors, how they follow the pose, and their highlights."""

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtGui import QColor
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkActor, vtkProperty

from gui.look.colors import mixed, rgb
from gui.placing.space.solids import Solid, merged
from gui.stages.space.graphics.inks import SpaceInks
from gui.stages.space.graphics.symbols import Part
from gui.stages.space.graphics.vtk_parts import actor_of, lit, mesh_data, place, solid_look

Place = Callable[[Any], None]  # passed to the scene
Shade = Callable[[QColor], Any]  # a colour as VTK expects it
FADED = 0.20  # share of the colour left in elements that are not the problem
SHARES = {"hover": 0.20, "selected": 0.38, "partner": 0.30, "problem": 0.62}  # of the highlight


class Graphic:
    """The actors of one element."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.actors: list[vtkActor] = []
        self.body_actors: list[tuple[vtkActor, int]] = []  # they follow a body frame
        self.marker_actors: list[tuple[vtkActor, int]] = []  # a marker frame, scaled as symbols are
        self.least = 0.0  # m: smallest visible size of one unit of its symbol
        self.rail = 0.0  # half the length of its rail along the axis of marker i, in units
        self.places: list[Place] = []  # the others
        self.solids: list[tuple[vtkProperty, QColor, Shade]] = []  # surfaces, their own colours
        self.tints: list[tuple[Any, np.ndarray]] = []  # symbols: data and their own colours
        self.solid: Solid | None = None  # of a body: what the mouse hits
        self.outline: Solid | None = None  # what is outlined, if that is less than the solid
        self.glow, self.is_faded = "", False

    def add(self, actor: vtkActor) -> vtkActor:
        """Keep an actor; changes the graphic."""
        self.actors.append(actor)
        return actor

    def add_solid(self, solid: Solid, color: QColor, inks: SpaceInks) -> vtkActor:
        """A surface of one colour; changes the graphic."""
        look = solid_look(inks.surface(color))
        self.solids.append((look, color, inks.surface))
        return self.add(lit(actor_of(mesh_data(solid), look)))

    def add_symbol(self, parts: list[Part], roles: dict[str, QColor]) -> vtkActor:
        """A symbol whose parts have colours of their own; changes the graphic."""
        whole = merged([p.solid for p in parts])
        if len({p.role for p in parts}) == 1:  # drawn more quickly than with a colour at each place
            color = roles[parts[0].role]
            look = solid_look(rgb(color))
            look.BackfaceCullingOn()
            self.solids.append((look, color, rgb))
            return self.add(lit(actor_of(mesh_data(whole), look)))
        colors = [
            np.tile(np.round(np.array(rgb(roles[p.role])) * 255.0), (len(p.solid.points), 1))
            for p in parts
        ]
        shades = np.concatenate(colors).astype(np.uint8)
        data = mesh_data(whole, shades)
        self.tints.append((data, shades))
        look = solid_look((1.0, 1.0, 1.0))
        look.BackfaceCullingOn()
        return self.add(lit(actor_of(data, look)))

    def set_visible(self, shown: bool) -> None:
        """Show or hide it; changes the actors."""
        for actor in self.actors:
            actor.SetVisibility(shown)

    def set_opacity(self, opacity: float) -> None:
        """Let what is behind be seen; changes the looks."""
        for look, _, _ in self.solids:
            look.SetOpacity(opacity)

    def set_state(self, glow: str, is_faded: bool, inks: SpaceInks) -> None:
        """Highlight it as 'hover', 'selected', 'partner' or 'problem', or fade it; changes the looks."""
        if (glow, is_faded) == (self.glow, self.is_faded):
            return
        self.glow, self.is_faded = glow, is_faded
        color, share = inks.floor, 1.0 - FADED
        if not is_faded:
            color = inks.problem if glow == "problem" else inks.accent
            share = SHARES.get(glow, 0.0)
        for look, own, shade in self.solids:
            look.SetColor(*shade(mixed(color, own, share)))
        wash = np.array(rgb(color)) * 255.0
        for data, own_shades in self.tints:
            shades = share * wash + (1.0 - share) * own_shades
            kept = data.GetPointData().GetScalars()
            vtk_to_numpy(kept)[:] = shades.astype(np.uint8)
            kept.Modified()
            data.Modified()


View = Callable[[Any, Any], Graphic | None]  # an element and its scene: what it looks like


def between_markers(draw: Callable[[Graphic, Any, int, int, Any], None]) -> View:
    """The view of what joins markers i and j; nothing where one of them does not exist."""

    def view(element: Any, scene: Any) -> Graphic | None:
        index = scene.placement.marker_index
        if element.marker_i not in index or element.marker_j not in index:
            return None
        g = Graphic(element.id)
        draw(g, element, index[element.marker_i], index[element.marker_j], scene)
        return g

    return view


def add_bar(
    g: Graphic, element: Any, roles: dict[str, QColor], wide: float, parts: list[Part]
) -> None:
    """Parts that reach from marker i to marker j; `wide` is their half width in units."""
    actor = g.add_symbol(parts, roles)

    def follow(s: Any) -> None:
        p = s.placement
        a, b = p.marker_at(element.marker_i), p.marker_at(element.marker_j)
        R, length = along(a, b)
        half = min(wide * s.unit, 0.25 * length)
        place(actor, R, a, (length, half, half))

    g.places.append(follow)


def along(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, float]:
    """Axes whose x leads from a to b, and how far that is."""
    d = np.asarray(b, dtype=float) - np.asarray(a, dtype=float)
    length = float(np.linalg.norm(d))
    if length < 1e-12:
        return np.eye(3), 1e-12
    x = d / length
    other = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
    y = np.cross(other, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)]), length
