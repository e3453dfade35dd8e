"""The view of a model: what is seen beside the drawing when it is opened."""

from collections.abc import Container
from dataclasses import dataclass, replace

from engine.model.fields import choice, flag, number
from engine.model.views.plots import Plot, without_owners

ARROWS = ("reactions", "velocities", "accelerations", "forces", "spins")
MOST_PLOTS = 12
COLOURINGS = ("nothing", "deflection", "stress")  # of beams


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """From where the drawing is seen; in the plane the two angles mean nothing."""

    focus: tuple[float, ...] = ()  # in the middle of the stage, one number for each axis        [m]
    height: float | None = number(
        None,
        unit="m",
        above=0.0,
        help="What is seen from below to above. Empty: the whole drawing.",
    )
    azimuth: float = number(0.0, unit="rad", help="Direction of the eye about the upward axis.")
    elevation: float = number(0.0, unit="rad", help="How far above the horizon the eye is.")
    parallel: bool = flag(False, help="Without perspective.")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is shown with a model when it is opened; it changes nothing in a run."""

    sliders: tuple[str, ...] = ()  # the parameters that have one on the stage
    plots: tuple[Plot, ...] = ()
    arrows: tuple[str, ...] = ()  # kinds of arrows, in the order of ARROWS
    arrow_scale: float = number(1.0, above=0.0, high=1e6, help="Longer or shorter arrows.")
    trails: bool = flag(True, help="Trails of tracers.")
    center_trails: bool = flag(False, help="Trails of all mass centres.")
    beams_bent: float = number(1.0, above=0.0, high=1e6, help="Beams are drawn so much more bent.")
    beam_colours: str = choice("nothing", COLOURINGS, help="What beams are coloured by.")
    camera: Camera | None = None  # None: the whole drawing

    def without(self, doomed: Container[str]) -> "View":
        """The view after elements are deleted: their sliders and curves go with them."""
        sliders = tuple(id for id in self.sliders if id not in doomed)
        left = (without_owners(plot, doomed) for plot in self.plots)
        plots = tuple(plot for plot in left if plot is not None)
        if sliders == self.sliders and plots == self.plots:
            return self
        return replace(self, sliders=sliders, plots=plots)
