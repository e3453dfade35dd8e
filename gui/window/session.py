"""What happens between the parts of the window while it is used: titles, toasts, menus, recovery."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QMenu

from engine.model.elements import Id, Model, same_mechanism
from gui.export.commands import ExportCommands
from gui.export.page_export import PageExport
from gui.health.leftovers import Leftovers
from gui.health.problems import ProblemList
from gui.layout.finder import Finder
from gui.layout.findings import Finding, commands_of, curves_of, elements_of
from gui.layout.pages import Page, page_words
from gui.layout.places import Place
from gui.state.passing import open_menu
from gui.state.recovery import Left
from gui.tools.base import Tool
from gui.window.frame import Frame
from gui.window.pages import PAGES
from gui.window.selection_menu import selection_menu
from gui.window.strip_clicks import StripClicks
from gui.window.workbench import ResultPanels, Workbench, place_results

Point = tuple[float, ...]


class Session(QObject):
    """Connects the signals of the parts of a window."""

    def __init__(self, frame: Frame, parts: Workbench, *, opens_file: bool = False) -> None:
        super().__init__(frame)
        self.frame, self.parts = frame, parts
        self.menu: QMenu | None = None  # the one that was shown last
        self.problem_list = ProblemList(frame)
        self.problem_list.chosen.connect(self.select)
        self.strip_clicks = StripClicks(frame, parts, self.problem_list)
        self.strip_clicks.rings_wanted.connect(self.show_rings)
        self._run_model: Model | None = None  # of the run that is shown
        self._pulled: tuple[Id, Point] | None = None  # a body and its point, in live mode
        self._connect_commands()
        self._join_state()
        self._join_stage()
        self._join_panels()
        self._join_health()
        self._fill_export()
        self._join_finder()
        self._show_title()
        self._on_run_changed()
        self._say_state(parts.simulator.state)
        parts.document.new(parts.files.empty_model())
        if opens_file:
            parts.first_steps.hide()
        self.leftovers = Leftovers(parts.recovery, parts.messages, self._take_left)
        self.leftovers.offer()

    # --- connections

    def _connect_commands(self) -> None:
        """Connect the menus."""
        w, commands, menus = self.parts, self.frame.commands, self.frame.menus
        w.edits.connect_to(commands)
        w.view.connect_to(commands, menus["arrows"])
        commands.connect(
            new=w.files.new,
            new_space=w.files.new_in_space,
            open=w.files.open,
            save=w.files.save,
            save_as=w.files.save_as,
            gallery=w.files.show_gallery,
            reset_layout=self.frame.reset_layout,
            rename=self.rename,
            first_steps=self.show_first_steps,
            assemble=w.remedies.assemble,
            other_branch=w.remedies.other_branch,
            pose_from_frame=w.remedies.pose_from_frame,
            problems=lambda: self.strip_clicks.take("problems"),
            new_parameter=lambda: self.frame.show_panel("parameters"),
        )
        menus["recent"].aboutToShow.connect(lambda: w.files.fill_recent(menus["recent"]))

    def _join_state(self) -> None:
        """Connect the document, the run that is shown, and the simulator."""
        w = self.parts
        w.document.file_changed.connect(self._show_title)
        w.document.committed.connect(self._on_committed)
        w.document.opened.connect(self._on_opened)
        w.playback.run_changed.connect(self._on_run_changed)
        w.simulator.state_changed.connect(self._say_state)
        w.simulator.progressed.connect(self._say_progress)
        w.simulator.warm_up.ready.connect(self._draw_finely)

    def _draw_finely(self) -> None:
        """Draw the room again: the kernels of shadows and smooth edges are there now."""
        if self.parts.stages.spatial is not None:
            self.parts.stages.spatial.show_pose()

    def _join_stage(self) -> None:
        """Connect the stage and its overlays."""
        w, stages = self.parts, self.parts.stages
        self._say_hint()
        stages.hint_changed.connect(self._say_hint)
        stages.complained.connect(w.toaster.say)
        stages.tool_changed.connect(self._on_tool)
        stages.context_menu_requested.connect(self.show_menu)
        stages.edit_requested.connect(self._edit_element)
        stages.pull_started.connect(self._pull)
        stages.pull_moved.connect(self._pull_on)
        stages.pull_ended.connect(w.simulator.release)
        stages.rings_wanted.connect(self.show_rings)
        stages.shown_changed.connect(self._allow)
        stages.ask_later()
        w.lock_pills.chosen.connect(self.show_rings)
        w.first_steps.gallery_wanted.connect(w.files.show_gallery)
        w.first_steps.closed.connect(lambda: w.preferences.set("show_first_steps", False))
        w.first_steps.has_plot = self._has_plot
        w.first_steps.is_wanted = lambda: bool(w.preferences.get("show_first_steps"))

    def _join_panels(self) -> None:
        """Connect the requests and complaints of panels and commands."""
        w, places = self.parts, self.frame.places
        w.rail.drawer_wanted.connect(self.frame.spaces.open_drawer)
        places.changed.connect(self._show_drawer)
        self._show_drawer()
        for signal in (w.tree.complained, w.parameters.complained, w.edits.complained):
            signal.connect(w.toaster.say)
        w.transport.complained.connect(w.toaster.say)
        w.tree.menu_requested.connect(self.show_menu)
        w.tree.plot_wanted.connect(self.show_plot)
        w.parameters.add_wanted.connect(w.edits.new_parameter)
        for panel in (w.parameters, w.sliders):
            panel.begun.connect(w.rerun.begin)
            panel.ended.connect(w.rerun.end)
        w.stages.parameter_wanted.connect(w.edits.parameter_of_size)

    def _show_drawer(self) -> None:
        """Press the button of the drawer that is open."""
        drawer = self.frame.places.open_in(Place.LEFT)
        self.parts.rail.show_drawer(drawer.name if drawer is not None else "")

    def _join_health(self) -> None:
        """Connect the strip at the bottom and the messages about problems."""
        w = self.parts
        w.examiner.examined.connect(w.health.show_checkup)
        w.examiner.examined.connect(w.remedies.show_checkup)
        w.examiner.examined.connect(lambda checkup: w.tree.show_problems(checkup.problems))
        w.examiner.examined.connect(lambda one: w.properties.show_speeds(one.model, one.speeds))
        w.simulator.failed.connect(w.remedies.show_failure)
        w.document.refused.connect(
            self._show_refusal
        )  # no lambda: the document outlives the window
        w.simulator.advised.connect(w.remedies.show_advice)
        w.simulator.stopped.connect(w.remedies.show_stop)
        w.remedies.lock.rings_wanted.connect(self.show_rings)
        w.health.clicked.connect(self.strip_clicks.take)
        QTimer.singleShot(0, w.examiner, w.examiner.start)

    def _show_refusal(self, sentence: str) -> None:
        """Say why an edit was refused."""
        self.parts.messages.show_message("edit", "problem", sentence)

    def result_panels(self) -> ResultPanels:
        """The plots, the runs and the rings, made and connected on first use."""
        w = self.parts
        if w.result_panels is not None:
            return w.result_panels
        panels = w.make_result_panels()
        place_results(panels, self.frame)
        panels.plots.changed.connect(self.list_plots)
        self.list_plots()
        self._join_pages()
        return panels

    def _join_pages(self) -> None:
        """Make a page when it is opened first."""
        for page in PAGES:
            panel = self.frame.panels[page.name]
            panel.content_wanted.connect(lambda page=page: self._make_page(page))
            panel.export_wanted.connect(lambda at, page=page: self._export_page(page, at))
            if panel.isVisible():
                self._make_page(page)

    def _make_page(self, page: Page) -> None:
        panel = self.frame.panels[page.name]
        if panel.content is None:
            panel.fill(page.make(self.parts))

    def _export_page(self, page: Page, place: QPoint) -> None:
        """Offer a page as a picture, at a place of the screen."""
        content = self.frame.panels[page.name].content
        if content is not None:
            self.page_export.open_below(page_words(page.title), content, place)

    def page(self, name: str) -> Any:
        """The widget of a page, which is opened if it was not yet; changes the layout."""
        self.result_panels()
        if self.frame.panels[name].content is None:
            self.frame.show_panel(name)
        return self.frame.panels[name].content

    # --- title and state

    def _show_title(self) -> None:
        w = self.parts
        self.frame.setWindowTitle(self.tr("{0}[*] - Kardan").format(w.files.title()))
        self.frame.setWindowModified(not w.document.is_saved)

    def _on_committed(self) -> None:
        w = self.parts
        w.selection.keep(w.document.model)
        w.visibility.keep(w.document.model)
        self._show_title()
        self._allow()

    def _on_opened(self) -> None:
        w = self.parts
        w.selection.clear()
        w.visibility.show_all()
        w.toaster.hide()  # its button would undo an edit of the previous model
        for topic in ("gap", "run", "redundant", "file"):
            w.messages.clear(topic)
        w.keyboard.give_back()

    def _on_run_changed(self) -> None:
        """A toast where an edit ended a run."""
        self._say_hint()
        w = self.parts
        results = w.playback.results
        ended = self._run_model is not None and results is None and bool(w.playback.ghosts)
        if ended and not w.rerun.is_quiet:
            words = self.tr("Back to the design pose; the run stays as a ghost.")
            edited = self._run_model is not w.document.model
            stack = w.document.undo_stack
            last = stack.step(stack.index() - 1)  # the place moves after the model is put
            was_undone = last is not None and last.before is w.document.model
            back = self.tr("Redo") if was_undone else self.tr("Undo")
            w.toaster.say(words, back if edited else "", stack.redo if was_undone else stack.undo)
        self._run_model = results.model if results is not None else None
        self._allow()

    def _on_tool(self, tool: Tool | None) -> None:
        """Return to the design pose, in which tools draw."""
        if tool is not None:
            self.parts.playback.leave()

    def _allow(self) -> None:
        """Disable the commands that do not apply to runs or drawings."""
        w = self.parts
        results = w.playback.results
        shown = results is not None and same_mechanism(results.model, w.document.model)
        reason = "" if shown else self.tr("Run the model first.")
        self.frame.commands.allow("pose_from_frame", reason)
        space = w.document.model.dim == 3
        w.tools.show_dim(w.document.model.dim)
        w.tools.allow(w.stages.why_blind if space else "")
        joints = w.document.model.of("joint")
        for name in ("assemble", "other_branch"):
            self.frame.commands.allow(name, "" if joints else self.tr("The model has no joint."))

    def _say_state(self, state: str) -> None:
        w = self.parts
        words = {
            "running": self.tr("Running ..."),
            "live": self.tr("Live: drag a body to pull it."),
        }
        w.stages.is_live = state == "live"
        self._say_hint()
        w.health.busy(words.get(state, ""))

    def _say_hint(self, words: str | None = None) -> None:
        """Update the hint of the tool, which may depend on the state of the run."""
        tool = self.parts.stages.active_tool
        is_idle = self.parts.stages.tool is None and not tool.is_busy
        self.parts.hint.say(tool.hint if words is None else words, gives_way=is_idle)

    def _say_progress(self, fraction: float, left: float) -> None:
        w = self.parts
        if w.simulator.state == "running" and left < 1e6:
            words = self.tr("Running ... {0:.0f} %, {1:.0f} s left").format(100 * fraction, left)
            w.health.busy(words, fraction)

    # --- menus

    def show_menu(self, ids: Iterable[Id], place: QPoint) -> None:
        """The menu of the selection, with what can be plotted of it."""
        self.menu = self.menu_of(tuple(ids))
        open_menu(self.menu, place)

    def menu_of(self, ids: tuple[Id, ...]) -> QMenu:
        """The menu for these elements, or for the empty stage."""
        return selection_menu(self.frame, self.parts, ids, self.show_rings)

    def _fill_export(self) -> None:
        w = self.parts
        export = ExportCommands(self.frame, w.sources, w.stages, w.toaster.say)
        self.frame.menus["export"].addActions(export.actions)
        self.page_export = PageExport(self.frame, w.sources, export.table, w.toaster.say)

    def _join_finder(self) -> None:
        """Ctrl+K, and the field in the top row."""
        row = self.frame.top_row
        self.finder = Finder(self.frame, self.findings, self.parts.keyboard.give_back)
        self.frame.commands.connect(find=lambda: self.finder.open_below(row.finder))
        row.finder_wanted.connect(self.frame.commands["find"].trigger)

    def findings(self) -> list[Finding]:
        """Everything that can be found now."""
        model, plots = self.parts.document.model, self.result_panels().plots
        show = partial(self.frame.show_panel, "plots")
        return [
            *commands_of(self.frame.menuBar()),
            *elements_of(model, self.select),
            *curves_of(model, plots, show),
        ]

    def _edit_element(self, id: str) -> None:
        w = self.parts
        w.selection.set([id])
        self.frame.show_panel("properties")
        w.properties.name.setFocus()
        w.properties.name.selectAll()

    def rename(self) -> None:
        """Edit the name of the selected element in the tree."""
        self.frame.show_panel("tree")
        self.parts.tree.rename_selected()

    def import_mesh(self, path: str) -> None:
        """Add the body of a mesh file that was dropped; an empty model becomes one in space."""
        w = self.parts
        if w.document.model.dim == 2 and not w.document.model.elements:
            w.files.new_in_space()
        if w.document.model.dim == 2:
            sentence = self.tr(
                "A mesh is a body in space, and this model is in the plane. Start a model in space first."
            )
            new = (self.tr("New model in space"), w.files.new_in_space)
            w.messages.show_message("mesh", "problem", sentence, [new])
        else:
            w.edits.meshes.read(path)

    def show_first_steps(self) -> None:
        """Show the card of first steps above the properties; changes the layout."""
        self.parts.preferences.set("show_first_steps", True)
        self.frame.show_panel("properties")
        self.parts.first_steps.appear()

    def show_rings(self, body: Id = "") -> None:
        """Open the page of the rings, on this body if one is named; changes the layout."""
        rings = self.page("gimbal")
        self.frame.show_panel("gimbal")
        if body:
            rings.choose(body)

    # --- live mode

    def _pull(self, body: Id, point: Point, target: Point) -> None:
        self._pulled = (body, point)
        self._pull_on(target)

    def _pull_on(self, target: Point) -> None:
        if self._pulled is not None:
            self.parts.simulator.pull(*self._pulled, target)

    # --- selection and plots

    def select(self, ids: Iterable[Id]) -> None:
        """Select elements and show their properties."""
        w = self.parts
        w.selection.set(id for id in ids if id in w.document.model)

    def _has_plot(self) -> bool:
        plots = self.parts.plots
        return plots is not None and bool(plots.plots())

    def list_plots(self) -> None:
        """List the plots in the tree."""
        w = self.parts
        plots = w.plots.plots() if w.plots is not None else []
        w.tree.show_plots([plot.windowTitle() or type(plot).__name__ for plot in plots])
        w.first_steps.refresh()
        self.frame.spaces.show_plots(bool(plots))

    def show_plot(self, n: int) -> None:
        """Bring a plot of the tree to the front."""
        self.frame.show_panel("plots")
        plots = self.result_panels().plots.plots()
        if n < len(plots):
            plots[n].setFocus()

    # --- between two sessions

    def _take_left(self, model: Model, left: Left) -> bool:
        """Open work that a crash left behind; False if the user keeps what is open."""
        w = self.parts
        if not w.files.may_leave():
            return False
        w.files.recover(model, left.original, left.content)
        return True

    def end(self) -> None:
        """End threads and timers, and forget the recovery copy."""
        w = self.parts
        if (panels := w.result_panels) is not None:
            panels.plots.shutdown()
        for page in PAGES:
            end = getattr(self.frame.panels[page.name].content, "shutdown", None)
            if end is not None:
                end()
        w.recovery.finish()
        w.examiner.stop()
        w.edits.meshes.shutdown()
        w.edits.parts.shutdown()
        w.simulator.shutdown()
        w.stages.close_drawing()
