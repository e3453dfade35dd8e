"""How a model is shown: its plots, arrows, trails, sliders and camera, as plain data."""

from engine.model.views.plots import PLOTS, Bars, Curves, Plot, Portrait, Section
from engine.model.views.view import ARROWS, MOST_PLOTS, Camera, View

__all__ = [
    "ARROWS",
    "MOST_PLOTS",
    "PLOTS",
    "Bars",
    "Camera",
    "Curves",
    "Plot",
    "Portrait",
    "Section",
    "View",
]
