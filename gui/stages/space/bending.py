"""How bent beams are shown in space: magnified, coloured by deflection or stress, with a legend."""

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from vtkmodules.util.numpy_support import numpy_to_vtk

from engine.model.elements import Id
from engine.results.results import Results
from gui.placing.plane.bends import NOTHING, values_at
from gui.placing.plane.placement import row_at
from gui.placing.space.bends import AnySolidBend, bends_of_row, with_values
from gui.stages.plane.bending import colour_of, paint_legend
from gui.stages.space.graphics.vtk_parts import set_points

if TYPE_CHECKING:
    from gui.stages.space.view import Stage3D

SHADES = 64  # colours of the scale


class SolidBending:
    """The magnification and the colouring of beams in space, and the legend."""

    def __init__(self, stage: "Stage3D") -> None:
        self.stage = stage
        self.magnification, self.colouring = 1.0, NOTHING

    def take(self, other: "SolidBending") -> None:
        """Show beams as another stage does; changes the stage."""
        self.magnification, self.colouring = other.magnification, other.colouring

    def set_magnification(self, factor: float) -> None:
        """Draw beams bent by so much more; changes the stage."""
        self.magnification = factor
        self.stage.show_pose()
        self.stage.refresh()

    def set_colouring(self, colouring: str) -> None:
        """Colour beams by something; changes the stage."""
        self.colouring = colouring
        self.stage.show_pose()
        self.stage.refresh()

    def at(self, results: Results, time: float) -> dict[Id, AnySolidBend]:
        """The beams at a moment of a run, with what they are coloured by."""
        compiled = results.compiled
        if not compiled.elastic:
            return {}
        bends = bends_of_row(compiled, row_at(results, time), self.magnification)
        if self.colouring == NOTHING:
            return bends
        frame = int(np.abs(results.t - time).argmin())
        return {
            id: with_values(
                bend, compiled.elastic[id], values_at(results, id, frame, self.colouring)
            )
            for id, bend in bends.items()
        }

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint what colours and magnification mean."""
        bends = self.stage.scene.placement.bends
        if bends:
            how = (self.magnification, self.colouring, largest(bends))
            ink = self.stage.scene.inks.quiet
            paint_legend(painter, area, *how, ink, self.stage.preferences)


def largest(bends: dict[Id, AnySolidBend]) -> float:
    """The most that any beam is coloured by; zero without colours."""
    return max((float(b.values.max(initial=0.0)) for b in bends.values()), default=0.0)


def bend_solid(graphic: Any, bend: AnySolidBend | None, most: float) -> None:
    """Bend the surface of a body, or make it straight again, and colour it; changes its data."""
    solid, actor = graphic.solid, graphic.body_actors[0][0]
    shades = None
    if bend is not None and bend.values.size and most > 0.0:
        colours = [colour_of(n / (SHADES - 1)) for n in range(SHADES)]
        table = np.array([(c.red(), c.green(), c.blue()) for c in colours])
        share = bend.values_on(solid.points) / most
        at = np.round(np.clip(share, 0.0, 1.0) * (SHADES - 1)).astype(int)
        shades = numpy_to_vtk(np.ascontiguousarray(table[at], dtype=np.uint8), deep=1)
    actor.GetMapper().GetInput().GetPointData().SetScalars(shades)
    set_points(actor, solid.points if bend is None else bend.moved(solid.points))
