"""Graphics of tracers, events and bare markers in space."""

from typing import Any

from PySide6.QtGui import QColor

from engine.model.bodies import PlanarMarker, SpatialMarker
from engine.model.elements import Element
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger
from gui.stages.space.graphics import symbols
from gui.stages.space.graphics.graphic import Graphic, View, add_bar, between_markers


def _tracer(tracer: Any, scene: Any) -> Graphic | None:
    """A small ball where the trail begins."""
    p = scene.placement
    if tracer.marker not in p.marker_index:
        return None
    g = Graphic(tracer.id)
    own = QColor(tracer.color) if tracer.color else scene.color_of(p.marker_body_id(tracer.marker))
    dot = g.add_symbol(symbols.ball("own", 0.42), {"own": own})
    g.marker_actors.append((dot, p.marker_index[tracer.marker]))
    return g


def _trigger(g: Graphic, trigger: Any, i: int, j: int, scene: Any) -> None:
    """A thin line between both points."""
    add_bar(g, trigger, {"dark": scene.inks.quiet}, 0.08, symbols.rod_body())


def _marker(marker: Any, scene: Any) -> Graphic | None:
    """A small cross of axes where nothing else is drawn."""
    p = scene.placement
    if marker.id in p.used or marker.id not in p.marker_index:
        return None
    g = Graphic(marker.id)
    axes = g.add_symbol(symbols.triad(0.42), scene.inks.roles)
    g.marker_actors.append((axes, p.marker_index[marker.id]))
    return g


POINT_VIEWS: dict[type[Element], View] = {
    PlanarMarker: _marker,
    SpatialMarker: _marker,
    Tracer: _tracer,
    Trigger: between_markers(_trigger),
}
