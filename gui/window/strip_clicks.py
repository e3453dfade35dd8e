"""What a click on an item of the health strip shows: the list, form, plot or sentence behind it."""

from PySide6.QtCore import QObject, Signal

from gui.health.problems import ProblemList
from gui.state.lock_badges import nearest_lock
from gui.window.frame import Frame
from gui.window.workbench import Workbench

FAMILIES = {"bodies": "body", "joints": "joint"}
ENERGIES = ("kinetic_energy", "potential_energy", "total_energy")
OF_WORK = ("work", "energy_balance")


class StripClicks(QObject):
    """Answers the clicks on the strip; changes what is selected, shown or said."""

    rings_wanted = Signal(str)  # the page of the rings, on this body

    def __init__(self, frame: Frame, parts: Workbench, problem_list: ProblemList) -> None:
        super().__init__(frame)
        self.frame, self.parts, self.problem_list = frame, parts, problem_list

    def take(self, name: str) -> None:
        """Show what is behind an item."""
        checkup = self.parts.health.checkup
        if name == "problems" and checkup.trouble and not checkup.problems:
            name = "gap"  # the message there says which joint does not close
        if name in FAMILIES:
            model = self.parts.document.model
            self.parts.selection.set(e.id for e in model.of(FAMILIES[name]))
        else:
            answers = {
                "problems": lambda: self.problem_list.pop_up(checkup, self.parts.health),
                "redundant": self._show_redundancy,
                "dof": lambda: self._say_tip("dof"),
                "gap": self._show_gap,
                "energy": self._plot_energy,
                "lock": self._show_lock,
                "method": self._show_method,
            }
            answers[name]()

    def _say_tip(self, name: str) -> None:
        """Say what the tooltip of an item says."""
        self.parts.toaster.say(self.parts.health.items[name].toolTip().replace("<br/>", " "))

    def _show_redundancy(self) -> None:
        mobility = self.parts.health.checkup.mobility
        self.parts.remedies.show_redundancy(mobility)
        if mobility is not None and not mobility.redundant:
            self.parts.toaster.say(self.tr("No joint repeats what others do."))

    def _show_gap(self) -> None:
        self.parts.remedies.show_checkup(self.parts.health.checkup)
        if not self.parts.messages.sentence("gap"):
            self._say_tip("gap")

    def _show_lock(self) -> None:
        found = nearest_lock(self.parts.document.model, self.parts.playback.results)
        self.rings_wanted.emit(found.id if found is not None else "")

    def _show_method(self) -> None:
        self.frame.show_panel("properties")
        self.parts.properties.show_settings()

    def _plot_energy(self) -> None:
        w = self.parts
        if w.plots is None or w.playback.current is None:
            w.toaster.say(self.tr("Run the model to see its energy."))
            return
        self.frame.show_panel("plots")
        has_work = bool(w.playback.current.results.compiled.work_ids)
        w.plots.add_time_plot([*ENERGIES, *OF_WORK] if has_work else [*ENERGIES])
