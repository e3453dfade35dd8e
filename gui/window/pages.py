"""The pages of Learn and Analyse, in the order of their lists: a new page is one entry.

A page makes its widget from the workbench when it is opened first, and imports what it needs then.
"""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from gui.layout.pages import WIDE, Page
from gui.look.translation import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from gui.window.workbench import Workbench

N = QT_TRANSLATE_NOOP


def _gimbal(parts: "Workbench") -> QWidget:
    """The rings of a body in space."""
    from gui.instruments.gimbal.panel import GimbalPanel

    shared = (parts.document, parts.selection, parts.playback, parts.preferences)
    panel = GimbalPanel(*shared)
    panel.complained.connect(parts.toaster.say)
    panel.switches.offered.connect(parts.toaster.say)
    panel.switches.run_wanted.connect(parts.simulator.run)
    panel.gallery_wanted.connect(parts.files.show_gallery)
    return panel


def _equations(parts: "Workbench") -> QWidget:
    """The equations of motion."""
    from gui.instruments.equations.panel import EquationsPanel

    panel = EquationsPanel(parts.document, parts.selection, parts.playback)
    panel.complained.connect(parts.toaster.say)
    return panel


def _freedom(parts: "Workbench") -> QWidget:
    """How the model can move, and why not."""
    from gui.instruments.freedom.page import FreedomPage

    return FreedomPage(parts.document, parts.selection, parts.playback)


def _coordinates(parts: "Workbench") -> QWidget:
    """Kinds of coordinates side by side."""
    from gui.instruments.coordinates.page import CoordinatesPage

    shared = (parts.document, parts.selection, parts.playback, parts.preferences)
    return CoordinatesPage(*shared, parts.stages)


def _microscope(parts: "Workbench") -> QWidget:
    """One step opened up."""
    from gui.instruments.microscope.page import MicroscopePage

    return MicroscopePage(parts.document, parts.selection, parts.playback)


def _modes(parts: "Workbench") -> QWidget:
    """The shapes in which beams swing."""
    from gui.instruments.modes.page import ModesPage

    return ModesPage(parts.document, parts.selection, parts.playback, parts.stages)


def _free_body(parts: "Workbench") -> QWidget:
    """All forces and moments on a body."""
    from gui.instruments.free_body.page import FreeBodyPage

    return FreeBodyPage(parts.document, parts.selection, parts.playback)


def _rotation(parts: "Workbench") -> QWidget:
    """Three turns and their matrices."""
    from gui.instruments.rotation.page import RotationPage

    return RotationPage(parts.document, parts.selection, parts.playback)


def _trees(parts: "Workbench") -> QWidget:
    """How bodies hang on each other, and the matrices of joint coordinates."""
    from gui.instruments.tree.page import TreePage

    return TreePage(parts.document, parts.selection, parts.playback)


def _energy(parts: "Workbench") -> QWidget:
    """Where the energy of the run is at the time that is shown."""
    from gui.plots.energy_bars import EnergyBars

    return EnergyBars(parts.make_result_panels().plots.context)


def _wear(parts: "Workbench") -> QWidget:
    """What the contacts of the run that is shown wear off."""
    from gui.instruments.wear.page import WearPage

    return WearPage(parts.playback, parts.preferences)


PAGES: tuple[Page, ...] = (
    Page(
        "equations",
        "learn",
        N("Page", "Equations"),
        N("Page", "The equations of motion of the model, in symbols and in numbers."),
        _equations,
        "Ctrl+Shift+E",
        WIDE,
    ),
    Page(
        "freedom",
        "learn",
        N("Page", "Freedom"),
        N("Page", "Every way to move, to wiggle on the stage; classes of constraints; repairs."),
        _freedom,
        "",
        420,
    ),
    Page(
        "coordinates",
        "learn",
        N("Page", "Coordinates"),
        N("Page", "Absolute, relative, natural and independent ones side by side; one motion."),
        _coordinates,
        "",
        WIDE,
    ),
    Page(
        "microscope",
        "learn",
        N("Page", "Microscope"),
        N("Page", "One step opened up: stages or iterations, residuals by name, the matrix."),
        _microscope,
        "",
        WIDE,
    ),
    Page(
        "free_body",
        "learn",
        N("Page", "Free bodies"),
        N("Page", "All forces and moments on a body, or on all of them pulled apart."),
        _free_body,
        "",
        WIDE,
    ),
    Page(
        "trees",
        "learn",
        N("Page", "Tree"),
        N(
            "Page",
            "How bodies hang on each other; B, C, J, M\u0302 and wrenches, and three ways compared.",
        ),
        _trees,
        "",
        460,
    ),
    Page(
        "modes",
        "learn",
        N("Page", "Modes"),
        N("Page", "The shapes in which a beam swings, against closed forms, and on the stage."),
        _modes,
        "",
        420,
    ),
    Page(
        "gimbal",
        "learn",
        N("Page", "Gimbal rings"),
        N("Page", "The rings of a body in space, its distance from gimbal lock, and what helps."),
        _gimbal,
        "Ctrl+Shift+R",
        380,
    ),
    Page(
        "rotation",
        "learn",
        N("Page", "Rotation laboratory"),
        N(
            "Page",
            "Three turns one after the other, their order, and R, A and B in symbols and numbers.",
        ),
        _rotation,
        "",
        WIDE,
    ),
    Page(
        "energy_bars",
        "learn",
        N("Page", "Energy"),
        N(
            "Page",
            "Kinetic and potential energy and the work of drives, dampers and forces over time.",
        ),
        _energy,
    ),
    Page(
        "wear",
        "analyse",
        N("Page", "Wear"),
        N(
            "Page",
            "What the contacts of a run wear off over time, dry or with a film of lubricant.",
        ),
        _wear,
        "",
        460,
    ),
)
NO_PAGES = {  # what a list says while it is empty
    "learn": N("Page", "No page yet."),
    "analyse": N(
        "Page",
        "Studies have no page yet. Orders, convergence, comparisons of runs and phase portraits are "
        "computed in notebooks, by engine.studies; several runs can be compared in the plots.",
    ),
}


def expect_pages(workspace: str) -> None:
    """Load what the pages of a workspace need, while somebody looks for one."""
    from gui.instruments.equations.loading import load_symbols

    if workspace == "learn":
        load_symbols()
