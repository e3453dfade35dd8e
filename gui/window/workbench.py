"""The parts of the window: each is made once, here, and has its place in the frame.

The session connects them while the window is used.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gui.export.sources import Sources
from gui.forms.panel import PropertiesPanel
from gui.forms.parameters import ParameterPanel
from gui.forms.sliders import SliderCard
from gui.forms.tree import ModelTree
from gui.guide.first_steps import FirstSteps
from gui.health.checkup import Examiner
from gui.health.remedies import Remedies
from gui.health.strip import HealthStrip
from gui.instruments.lock.lock_pills import LockPills
from gui.layout.hint import Hint
from gui.layout.rail import Rail
from gui.layout.tool_sets import ToolSets
from gui.look.messages import Messages
from gui.look.toasts import Toast
from gui.running.rerun import Rerun
from gui.running.simulator import Simulator
from gui.running.transport import Transport
from gui.stages.model_view import ModelView
from gui.stages.plane.options import StageOptions
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.keyboard import Keyboard
from gui.state.playback import Playback
from gui.state.recovery import Recovery, default_folder
from gui.state.selection import Selection
from gui.state.visibility import Visibility
from gui.tools import TOOLS
from gui.tools.space import TOOLS3D
from gui.window.edit_commands import EditCommands
from gui.window.file_commands import FileCommands
from gui.window.frame import Frame
from gui.window.view_commands import ViewCommands

if TYPE_CHECKING:  # pyqtgraph takes longest of all to load
    from gui.plots.plot_area import PlotArea
    from gui.running.runs import RunsPanel


class ResultPanels(NamedTuple):
    """The panels that show runs; they are made last."""

    plots: "PlotArea"
    runs: "RunsPanel"


class Workbench:
    """All parts of the window, made in the order of their dependencies."""

    def __init__(self, frame: Frame, recovery_folder: Path | None = None) -> None:
        preferences = self.preferences = frame.preferences
        document = self.document = Document()
        selection = self.selection = Selection()
        playback = self.playback = Playback()
        visibility = self.visibility = Visibility()
        messages = self.messages = Messages()
        simulator = self.simulator = Simulator(document, playback, frame)
        # The stage, and what is over and around it.
        stages = self.stages = Stages(document, selection, playback, preferences)
        self.model_view = ModelView(document, stages, frame)
        self.stage_options = StageOptions(
            stages.planar, preferences, frame.menus["stage"], stages, self.model_view
        )
        self.hint = Hint(stages)
        self.toaster = Toast(stages)
        self.first_steps = FirstSteps(document, playback)
        self.lock_pills = LockPills(stages, document, playback, preferences)
        self.transport = Transport(playback, simulator, document, preferences)
        self.tools = _tool_sets(self, frame)
        self.rail = Rail(self.tools)
        # Panels.
        self.tree = ModelTree(document, selection, visibility)
        self.parameters = ParameterPanel(document, selection, preferences)
        self.properties = PropertiesPanel(document, selection, preferences)
        self.sliders = SliderCard(stages, document, preferences)
        self.sliders.covers.connect(stages.keep_clear)
        self.lock_pills.stand_below(self.sliders)
        self.rerun = Rerun(document, playback, simulator, self.transport)
        self.result_panels: ResultPanels | None = None  # until they are wanted
        # What the menus do.
        self.files = FileCommands(frame, document, preferences, messages)
        self.edits = EditCommands(frame, document, selection, stages, messages)
        self.view = ViewCommands(stages, self.model_view, selection, visibility, preferences, frame)
        self.recovery = Recovery(document, recovery_folder or default_folder(), frame)
        # Problems and their remedies.
        self.health = HealthStrip(document, playback, preferences)
        self.examiner = Examiner(document, frame)
        self.remedies = Remedies(document, selection, playback, messages, stages, simulator)
        self.keyboard = Keyboard(frame, lambda: stages.currentWidget(), self.properties.first_field)

    @property
    def plots(self) -> "PlotArea | None":
        """The plots, once they are made."""
        return self.result_panels.plots if self.result_panels is not None else None

    def make_result_panels(self) -> ResultPanels:
        """Make the panels that show runs, on the first call; changes the workbench."""
        if self.result_panels is not None:
            return self.result_panels
        from gui.plots.plot_area import PlotArea
        from gui.running.runs import RunsPanel

        shared = (self.document, self.selection, self.playback, self.preferences)
        self.result_panels = ResultPanels(
            PlotArea(*shared, self.simulator),
            RunsPanel(self.playback, self.document, self.simulator, self.preferences),
        )
        return self.result_panels

    def sources(self) -> Sources:
        """What exports read, as it is now."""
        stage = self.stages.shown
        return Sources(self.document, self.playback, self.preferences, stage, self.plots)


def _tool_sets(parts: Workbench, frame: Frame) -> ToolSets:
    """The tools of the plane and those of space; the first one selects, on every stage."""
    shared = (parts.document, parts.selection, parts.preferences, frame)
    select = parts.stages.planar.select_tool
    tools = ToolSets(parts.stages, [select, *(cls(*shared) for cls in TOOLS)], frame)
    tools.join(3, parts.stages, [select, *(cls(*shared) for cls in TOOLS3D)])
    return tools


def place(parts: Workbench, frame: Frame) -> None:
    """Put the parts into the frame; changes the frame."""
    frame.middle.insertWidget(
        0, parts.rail
    )  # before the stage, so that the drawing stands in its middle
    frame.places.set_stage(parts.stages)
    parts.messages.lie_over(parts.stages, beside=parts.sliders)
    frame.transport_bar.addWidget(parts.transport)
    frame.statusBar().addWidget(parts.health, 1)
    frame.fill_panel("tree", parts.tree)
    frame.fill_panel("parameters", parts.parameters)
    frame.fill_panel("properties", _right_column(parts))
    _fill_menus(parts, frame)


def _right_column(parts: Workbench) -> QWidget:
    """The card of first steps above the properties."""
    column = QWidget()
    rows = QVBoxLayout(column)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(0)
    rows.addWidget(parts.first_steps)
    rows.addWidget(parts.properties, 1)
    return column


def _fill_menus(parts: Workbench, frame: Frame) -> None:
    """Put what the parts can do into the menus; changes the frame."""
    menus, assemble = frame.menus, frame.commands["assemble"]
    for action in parts.transport.actions():
        frame.addAction(action)
        menus["run"].insertAction(assemble, action)
    menus["run"].insertSeparator(assemble)
    for action in parts.tools.all_actions():
        frame.addAction(action)
        menus["draw"].addAction(action)


def place_results(panels: ResultPanels, frame: Frame) -> None:
    """Put the panels that show runs into the frame; changes the frame."""
    frame.fill_panel("plots", panels.plots)
    frame.fill_panel("runs", panels.runs)
