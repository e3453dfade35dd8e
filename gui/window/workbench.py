"""Fill the frame of the window: make the shared objects, the panels and what joins them."""

from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QSizePolicy

from gui.forms.panel import PropertiesPanel
from gui.forms.parameters import ParameterPanel
from gui.forms.tree import ModelTree
from gui.guide.first_steps import FirstSteps
from gui.health.checkup import Examiner
from gui.health.remedies import Remedies
from gui.health.strip import HealthStrip
from gui.instruments.lock.lock_pills import LockPills
from gui.look.messages import Messages
from gui.look.toasts import Toast
from gui.running.simulator import Simulator
from gui.running.transport import Transport
from gui.stages.plane.options import StageOptions
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.state.visibility import Visibility
from gui.tools import TOOLS
from gui.tools.base import Tool
from gui.tools.space import TOOLS3D
from gui.window.edit_commands import EditCommands
from gui.window.file_commands import FileCommands
from gui.window.recovery import Recovery, default_folder
from gui.window.tool_strip import ToolStrip
from gui.window.view_commands import ViewCommands


def build(window: Any) -> None:
    """Make everything that works inside the window; changes the window."""
    window.document = Document()
    window.selection = Selection()
    window.playback = Playback()
    window.visibility = Visibility()
    window.messages = Messages()
    _build_stage(window)
    _build_panels(window)
    _build_commands(window)
    _build_health(window)
    _build_tools(window)


def _build_stage(window: Any) -> None:
    """The stage with the bars around it, and the toast and the card over it."""
    document, selection, playback = window.document, window.selection, window.playback
    window.simulator = Simulator(document, playback, window)
    window.stages = Stages(document, selection, playback, window.preferences)
    window.stage = window.stages.planar
    window.hint = QLabel()
    window.hint.setObjectName("hint")
    window.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    column = window.center.layout()
    column.addWidget(window.messages)
    column.addWidget(window.stages, 1)
    column.addWidget(window.hint)
    window.toaster = Toast(window.stages)
    window.first_steps = FirstSteps(window.stage, document, playback)
    window.transport = Transport(playback, window.simulator, document, window.preferences)
    window.transport_bar.addWidget(window.transport)
    window.addActions(window.transport.actions())
    stages = window.stages
    window.hint.setText(stages.active_tool.hint)
    stages.hint_changed.connect(window.hint.setText)
    stages.complained.connect(window.toast)
    stages.ask_later()
    window.transport.complained.connect(window.toast)


def _build_panels(window: Any) -> None:
    """Tree, parameters, runs, properties; plots come after the first paint."""
    document, selection, preferences = window.document, window.selection, window.preferences
    window.tree = ModelTree(document, selection, window.visibility)
    window.parameters = ParameterPanel(document, selection, preferences)
    window.properties = PropertiesPanel(document, selection, preferences)
    window.plots = None
    window.runs = None
    window.gimbal = None
    for name in ("tree", "parameters", "properties"):
        window.fill_panel(name, getattr(window, name))
    window.tree.complained.connect(window.toast)
    window.parameters.complained.connect(window.toast)


def build_results(window: Any) -> None:
    """The plots and the list of runs, which take longest to load; changes the window."""
    if window.plots is not None:
        return
    from gui.instruments.gimbal.panel import GimbalPanel
    from gui.plots.plot_area import PlotArea  # pyqtgraph takes longest of all to load
    from gui.running.runs import RunsPanel

    shared = (window.document, window.selection, window.playback)
    window.plots = PlotArea(*shared, window.preferences, window.simulator)
    window.runs = RunsPanel(window.playback, window.document)
    window.fill_panel("plots", window.plots)
    window.fill_panel("runs", window.runs)
    window.gimbal = GimbalPanel(*shared, window.preferences)
    window.fill_panel("gimbal", window.gimbal)
    window.gimbal.complained.connect(window.toast)
    window.gimbal.switches.offered.connect(window.toast)
    window.gimbal.switches.run_wanted.connect(window.simulator.run)
    window.gimbal.gallery_wanted.connect(window.show_gallery)
    window.plots.changed.connect(window.session.list_plots)
    window.tree.plot_wanted.connect(window.session.show_plot)


def _build_commands(window: Any) -> None:
    """The menus come to life."""
    document, selection, preferences = window.document, window.selection, window.preferences
    commands, menus = window.commands, window.menus
    window.files = FileCommands(window, document, preferences, window.messages)
    window.edits = EditCommands(window, document, selection, window.stages, window.messages)
    window.view = ViewCommands(window.stages, selection, window.visibility, preferences, window)
    window.recovery = Recovery(document, window.recovery_folder or default_folder(), window)
    window.edits.connect_to(commands)
    window.edits.complained.connect(window.toast)
    window.view.connect_to(commands, menus["arrows"])
    window.stage_options = StageOptions(
        window.stage, window.preferences, menus["stage"], looks=window.stages
    )
    commands.connect(
        new=window.files.new,
        new_space=window.files.new_in_space,
        open=window.files.open,
        save=window.files.save,
        save_as=window.files.save_as,
        quit=window.close,
        gallery=window.show_gallery,
        preferences=window.show_preferences,
        reset_layout=window.reset_layout,
        rename=window.rename,
        key_map=window.show_key_map,
        about=window.show_about,
        first_steps=window.show_first_steps,
        gimbal=window.show_rings,
    )
    menus["recent"].aboutToShow.connect(lambda: window.files.fill_recent(menus["recent"]))
    for dock in window.docks.values():
        menus["panels"].addAction(dock.toggleViewAction())
    for action in window.transport.actions():
        menus["run"].insertAction(commands["assemble"], action)
    menus["run"].insertSeparator(commands["assemble"])
    window.parameters.add_wanted.connect(window.edits.new_parameter)


def _build_health(window: Any) -> None:
    """The strip at the very bottom, and what is said when something is wrong."""
    document, playback = window.document, window.playback
    window.health = HealthStrip(document, playback, window.preferences)
    window.statusBar().addWidget(window.health, 1)
    window.examiner = Examiner(document, window)
    window.remedies = Remedies(
        document, window.selection, playback, window.messages, window.stages, window.simulator
    )
    window.examiner.examined.connect(window.health.show_checkup)
    window.examiner.examined.connect(window.remedies.show_checkup)
    window.examiner.examined.connect(window.tree.show_checkup)
    window.simulator.failed.connect(window.remedies.show_failure)
    window.simulator.advised.connect(window.remedies.show_advice)
    window.simulator.stopped.connect(window.remedies.show_stop)
    window.remedies.lock.rings_wanted.connect(window.show_rings)
    stage = window.toaster.parentWidget()
    window.lock_pills = LockPills(stage, document, playback, window.preferences)
    window.lock_pills.chosen.connect(window.show_rings)
    window.stages.rings_wanted.connect(window.show_rings)
    window.health.clicked.connect(window.on_health)
    window.commands.connect(
        assemble=window.remedies.assemble,
        other_branch=window.remedies.other_branch,
        pose_from_frame=window.remedies.pose_from_frame,
    )
    window.commands.connect(problems=lambda: window.on_health("problems"))
    QTimer.singleShot(0, window.examiner, window.examiner.start)


def _build_tools(window: Any) -> None:
    """The strip at the left and the Draw menu: tools of the plane, and of space."""
    stages = window.stages
    window.strip = ToolStrip(stages, _tools(window, TOOLS))
    actions = list(window.strip.actions_.values())
    actions += window.strip.join(3, stages, _tools(window, TOOLS3D))
    window.strip_bar.addWidget(window.strip)
    for action in actions:
        window.addAction(action)
        window.menus["draw"].addAction(action)


def _tools(window: Any, classes: tuple[type[Tool], ...]) -> list[Tool]:
    """One of each tool, after that of selecting, which every stage has."""
    shared = (window.document, window.selection, window.preferences, window)
    return [window.stage.select_tool, *(cls(*shared) for cls in classes)]
