"""What happens between the parts of the window while it is used: titles, toasts, menus, recovery."""

import json
from datetime import datetime
from typing import Any

from PySide6.QtCore import QObject, QPoint

from engine.errors import EngineError
from gui.health.problems import ProblemList
from gui.state.lock_badges import nearest_lock
from gui.window.recovery import Left
from gui.window.selection_menu import selection_menu


class Session(QObject):
    """Joins the parts of a window; it holds nothing of its own."""

    def __init__(self, window: Any) -> None:
        super().__init__(window)
        self.window = window
        self.problem_list = ProblemList(window)
        self.problem_list.chosen.connect(self.select)
        self._run_model: Any = None
        self._join()
        self._show_title()
        self._on_run_changed()
        self._say_state(window.simulator.state)
        window.document.new(window.files.empty_model())
        if window.preferences.get("show_first_steps") and not window._wanted:
            window.first_steps.appear()
        self._offer_recovery()

    def _join(self) -> None:
        w = self.window
        w.document.file_changed.connect(self._show_title)
        w.document.committed.connect(self._on_committed)
        w.document.opened.connect(self._on_opened)
        w.playback.run_changed.connect(self._on_run_changed)
        w.simulator.state_changed.connect(self._say_state)
        w.simulator.progressed.connect(self._say_progress)
        w.stages.tool_changed.connect(self._on_tool)
        w.stages.context_menu_requested.connect(self.show_menu)
        w.tree.menu_requested.connect(self.show_menu)
        w.stages.edit_requested.connect(self._edit_element)
        w.stages.pull_started.connect(self._pull)
        w.stages.pull_moved.connect(self._pull_on)
        w.stages.pull_ended.connect(w.simulator.release)
        w.first_steps.gallery_wanted.connect(w.show_gallery)
        w.first_steps.closed.connect(lambda: w.preferences.set("show_first_steps", False))
        w.first_steps.has_plot = self._has_plot
        w.first_steps.is_drawing = lambda: w.stages.tool is not None
        w.stages.tool_changed.connect(w.first_steps.refresh)
        self._fill_export()

    # --- title and state

    def _show_title(self) -> None:
        w = self.window
        w.setWindowTitle(w.tr("{0}[*] - Kardan").format(w.files.title()))
        w.setWindowModified(not w.document.is_saved)

    def _on_committed(self) -> None:
        w = self.window
        w.selection.keep(w.document.model)
        w.visibility.keep(w.document.model)
        self._show_title()
        self._allow()

    def _on_opened(self) -> None:
        w = self.window
        w.selection.clear()
        w.visibility.show_all()
        w.toaster.hide()  # its button would undo an edit of the model before
        for topic in ("gap", "run", "redundant", "file"):
            w.messages.clear(topic)

    def _on_run_changed(self) -> None:
        """A toast where an edit ended a run."""
        self._say_hint()
        w = self.window
        results = w.playback.results
        if self._run_model is not None and results is None and w.playback.ghosts:
            words = w.tr("Back to the design pose; the run stays as a ghost.")
            edited = w.document.model is not self._run_model
            stack = w.document.undo_stack
            last = stack.step(
                stack.index() - 1
            )  # the place in the stack moves after the model is put
            was_undone = last is not None and last.before is w.document.model
            back = w.tr("Redo") if was_undone else w.tr("Undo")
            w.toast(words, back if edited else "", stack.redo if was_undone else stack.undo)
        self._run_model = results.model if results is not None else None
        self._allow()

    def _on_tool(self, tool: Any) -> None:
        """Tools draw in the design pose."""
        if tool is not None:
            self.window.playback.leave()

    def _allow(self) -> None:
        """Grey what does not apply to runs and drawings."""
        w = self.window
        results = w.playback.results
        shown = results is not None and results.model is w.document.model
        reason = "" if shown else w.tr("Run the model first.")
        w.commands.allow("pose_from_frame", reason)
        space = w.document.model.dim == 3
        blind = space and w.stages.spatial is None
        w.strip.show_dim(w.document.model.dim)
        w.strip.allow(w.tr("Models in space cannot be drawn on this computer.") if blind else "")
        joints = w.document.model.of("joint")
        for name in ("assemble", "other_branch"):
            w.commands.allow(name, "" if joints else w.tr("The model has no joint."))

    def _say_state(self, state: str) -> None:
        w = self.window
        words = {
            "compiling": w.tr("Compiling the solver, once ..."),
            "running": w.tr("Running ..."),
            "live": w.tr("Live: drag a body to pull it."),
        }
        w.stages.is_live = state == "live"
        self._say_hint()
        w.health.busy(words.get(state, ""))

    def _say_hint(self) -> None:
        """What the tool says may have changed with the state of the run."""
        self.window.hint.setText(self.window.stages.active_tool.hint)

    def _say_progress(self, fraction: float, left: float) -> None:
        w = self.window
        if w.simulator.state == "running" and left < 1e6:
            words = w.tr("Running ... {0:.0f} %, {1:.0f} s left").format(100 * fraction, left)
            w.health.busy(words, fraction)

    # --- menus

    def show_menu(self, ids: Any, place: QPoint) -> None:
        """The menu of the selection, with what can be plotted of it."""
        self.menu = selection_menu(self.window, tuple(ids))
        self.menu.popup(place)

    def _fill_export(self) -> None:
        w = self.window
        from gui.export import actions

        for action in actions(w):
            w.menus["export"].addAction(action)

    def _edit_element(self, id: str) -> None:
        w = self.window
        w.selection.set([id])
        w.docks["properties"].show()
        w.docks["properties"].raise_()
        w.properties.name.setFocus()
        w.properties.name.selectAll()

    # --- live mode

    def _pull(self, body: str, point: Any, target: Any) -> None:
        self._pulled = (body, point)
        self.window.simulator.pull(body, point, target)

    def _pull_on(self, target: Any) -> None:
        self.window.simulator.pull(*self._pulled, target)

    # --- the health strip

    def select(self, ids: Any) -> None:
        """Select elements and show their properties."""
        w = self.window
        w.selection.set(id for id in ids if id in w.document.model)

    def on_health(self, name: str) -> None:
        """An item of the health strip was clicked."""
        w = self.window
        model = w.document.model
        mobility = w.health.checkup.mobility
        if name == "problems" and w.health.checkup.trouble and not w.health.checkup.problems:
            name = "gap"  # the message there says which joint does not close
        if name == "problems":
            self.problem_list.pop_up(w.health.checkup.problems, w.health)
        elif name in ("bodies", "joints"):
            family = {"bodies": "body", "joints": "joint"}[name]
            w.selection.set(e.id for e in model.of(family))
        elif name == "redundant":
            w.remedies.show_redundancy(mobility)
            if mobility is not None and not mobility.redundant:
                w.toast(w.tr("No joint repeats what others do."))
        elif name == "dof":
            w.toast(w.health.items["dof"].toolTip().replace("<br/>", " "))
        elif name == "gap":
            w.remedies.show_checkup(w.health.checkup)
            if not w.messages.sentence("gap"):
                w.toast(w.health.items["gap"].toolTip())
        elif name == "energy":
            self._plot_energy()
        elif name == "lock":
            found = nearest_lock(model, w.playback.results)
            w.show_rings(found.id if found is not None else "")
        elif name == "method":
            w.docks["properties"].show()
            w.docks["properties"].raise_()
            w.properties.show_settings()

    def _plot_energy(self) -> None:
        w = self.window
        if w.plots is None or w.playback.current is None:
            w.toast(w.tr("Run the model to see its energy."))
            return
        w.docks["plots"].show()
        w.plots.add_time_plot(["kinetic_energy", "potential_energy", "total_energy"])

    def _has_plot(self) -> bool:
        plots = self.window.plots
        return plots is not None and bool(plots.plots())

    def list_plots(self) -> None:
        """Name the plots in the tree."""
        plots = self.window.plots.plots()
        self.window.tree.show_plots([plot.windowTitle() or type(plot).__name__ for plot in plots])
        self.window.first_steps.refresh()

    def show_plot(self, n: int) -> None:
        """Bring a plot of the tree to the front."""
        w = self.window
        w.docks["plots"].show()
        w.docks["plots"].raise_()
        plots = w.plots.plots()
        if n < len(plots):
            plots[n].setFocus()

    # --- between two sessions

    def restore_plots(self) -> None:
        """The layout of the plots as it was left."""
        w = self.window
        state = w.preferences.settings.value("window/plots")
        try:
            w.plots.restore(json.loads(state) if state else {})
        except (ValueError, TypeError, LookupError, AttributeError):
            w.preferences.settings.remove("window/plots")  # written by another version

    def _offer_recovery(self) -> None:
        """Tell of work that a crash left behind."""
        w = self.window
        left = w.recovery.left()
        if not left:
            return
        first = left[0]
        when = datetime.fromtimestamp(first.when).strftime("%Y-%m-%d %H:%M")
        name = first.title or w.tr("a model without a name")
        sentence = w.tr("Kardan was not closed properly. Unsaved work was kept: {0}, {1}.")
        w.messages.show_message(
            "recovery",
            "notice",
            sentence.format(name, when),
            [
                (w.tr("Recover"), lambda: self._recover(first)),
                (w.tr("Discard"), lambda: self._discard(first)),
            ],
        )

    def _recover(self, left: Left) -> None:
        w = self.window
        if not w.files.may_leave():
            return
        try:
            model = left.load()
        except EngineError as error:
            w.messages.show_message("file", "problem", error.sentence)
            return
        w.first_steps.hide()
        w.files.recover(model, left.original)
        w.recovery.keep()
        self._discard(left)

    def _discard(self, left: Left) -> None:
        w = self.window
        w.recovery.discard(left)
        w.messages.clear("recovery")
        self._offer_recovery()

    def end(self) -> None:
        """End threads and timers, and forget the recovery copy."""
        w = self.window
        if w.plots is not None:
            w.preferences.settings.setValue("window/plots", json.dumps(w.plots.state()))
            w.plots.shutdown()
            w.gimbal.shutdown()
        w.recovery.finish()
        w.examiner.stop()
        w.edits.meshes.shutdown()
        w.simulator.shutdown()
        w.stages.close_drawing()
