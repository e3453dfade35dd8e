"""When something is wrong: say what, where, and offer buttons that fix it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication

from engine.editing.edits import assembled, at_state, moved_apart
from engine.errors import EngineError
from engine.kinematics.checkup import Checkup
from engine.model.attachments import markers_of
from engine.model.elements import Id, Model, put, same_mechanism
from gui.forms.words import field_words, kind_words
from gui.health.repairs import repair_of
from gui.instruments.lock.lock_messages import LockMessages
from gui.look.messages import Button, Messages
from gui.look.method_words import is_adaptive, method_title
from gui.look.sentences import said
from gui.running.simulator import Simulator
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.playback import Playback
from gui.state.selection import Selection

if TYPE_CHECKING:  # they load the kernels
    from engine.kinematics.mobility import Mobility
    from engine.kinematics.speeds import Unkept
    from engine.running.advice import Advice

SHORTER = 0.1  # times the step: the remedy for a run that diverged
COARSER = 100.0  # times the tolerance: the remedy where no step is short enough
RESCUERS = ("dop853", "ida")  # methods that may succeed where another one fails: accurate, or stiff
RUN_TOPICS = ("run", "advice")


def branch_models(model: Model, joint: Id = "") -> list[Model]:
    """The model in its other branches, nearest first; EngineError says why there is none."""
    from engine.compiling.system import compile_model
    from engine.kinematics.branches import branches

    return [at_state(model, one.q, one.v) for one in branches(compile_model(model), joint)]


class Remedies(QObject):
    """Watches examinations and runs, and shows messages about them above the stage."""

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        messages: Messages,
        stage: Stages,
        simulator: Simulator,
    ) -> None:
        super().__init__(stage)
        self.lock = LockMessages(document, playback, messages, simulator, self)
        self.document, self.selection, self.playback = document, selection, playback
        self.messages, self.stage, self.simulator = messages, stage, simulator
        self.checkup = Checkup(document.model)
        self._branches: list[Model] = []  # the model in its other branches, the next one first
        self._branched: Model | None = None  # the one of them that was shown last
        self._advice: list[Advice] = []  # about the run that is shown
        document.committed.connect(self._forget)
        playback.run_changed.connect(self._on_run_changed)

    # --- the drawing

    def show_checkup(self, checkup: Checkup) -> None:
        """Report open joints, and draw the gap."""
        self.checkup = checkup
        if checkup.trouble:
            buttons = [*self._assembly_buttons(), *self._undo_button()]
            guilty = checkup.trouble_ids
            sentence = said(checkup.trouble, self.stage.preferences)
            self.messages.show_message("gap", "problem", sentence, buttons)
            self._draw_gap(checkup.gap_id or (guilty[0] if guilty else ""))
        elif checkup.is_open:
            sentence = self.tr("In the drawing, {0}. A run begins by closing it.").format(
                said(checkup.gap_sentence, self.stage.preferences)
            )
            buttons = [*self._assembly_buttons(), *self._undo_button()]
            self.messages.show_message("gap", "warning", sentence, buttons)
            self._draw_gap(checkup.gap_id)
        else:
            self.messages.clear("gap")
            self._draw_gap("")
        self._show_unkept(checkup.unkept)
        self._show_overlap(checkup)

    def _show_overlap(self, checkup: Checkup) -> None:
        """Tell which shapes overlap at the start, and offer to move them apart."""
        told = [p for p in checkup.problems if set(p.ids) & set(checkup.overlaps)]
        if not told:
            self.messages.clear("overlap")
            return
        sentence = said(told[0].sentence, self.stage.preferences)
        if len(told) > 1:
            sentence += " " + self.tr("{0} more overlap.").format(len(told) - 1)
        buttons = [
            (self.tr("Move apart"), self.move_apart),
            *self._select_button(list(told[0].ids)),
        ]
        self.messages.show_message("overlap", "warning", sentence, buttons)

    def move_apart(self) -> None:
        """Move bodies whose shapes overlap until they just touch, as one edit; a sentence says why not."""
        if not self._can_compute("overlap"):
            return
        QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            after = moved_apart(self.document.model)
        except EngineError as error:
            sentence = said(error.sentence, self.stage.preferences)
            self.messages.show_message("overlap", "problem", sentence, self._undo_button())
            return
        finally:
            QApplication.restoreOverrideCursor()
        self.document.edit(self.tr("Move apart"), after)

    def _show_unkept(self, unkept: "Sequence[Unkept]") -> None:
        """Name the first velocity that was typed and will not run, and offer what resolves it."""
        if not unkept:
            self.messages.clear("speeds")
            return
        first, more = unkept[0], len(unkept) - 1
        sentence = said(first.sentence)
        if more:
            words = (
                self.tr("One more value is not kept.")
                if more == 1
                else self.tr("{0} more are not kept.")
            )
            sentence += " " + words.format(more)
        runs = tuple(first.runs.tolist())
        taken = runs if len(runs) > 1 else runs[0]
        buttons: list[Button] = [
            (self.tr("Leave it empty"), partial(self._set_speed, first, None)),
            (self.tr("Take what runs"), partial(self._set_speed, first, taken)),
            *self._select_button([first.id]),
        ]
        self.messages.show_message("speeds", "warning", sentence, buttons)

    def _set_speed(self, unkept: "Unkept", value: Any) -> None:
        """Change a velocity at the start that could not be kept, as one edit."""
        model = self.document.model
        element: Any = model.elements.get(unkept.id)
        if element is not None:
            changed = replace(element, **{unkept.field: value})
            words = self.tr("Change the {0} of '{1}'")
            name = words.format(field_words(unkept.field).lower(), element.label)
            self.document.edit(name, put(model, changed))

    def _draw_gap(self, id: Id) -> None:
        """The red line between the two markers of an open joint, or nothing."""
        joint = self.document.model.elements.get(id)
        markers = markers_of(joint) if joint is not None else []
        if len(markers) == 2:
            self.stage.show_gap(*markers)
        else:
            self.stage.show_gap("", None)

    def assemble(self) -> None:
        """Close the joints of the drawing, as one edit; a sentence says why not."""
        from engine.compiling.system import compile_model
        from engine.kinematics.assemble import assemble

        if not self._can_compute("gap"):
            return
        last = self.document.undo_stack.last()
        found = assembled(self.document.model, last.before if last is not None else None)
        if not found.is_closed:  # what is typed may have to give way
            try:
                start = assemble(compile_model(self.document.model))
            except EngineError as error:
                sentence = said(error.sentence, self.stage.preferences)
                self.messages.show_message("gap", "problem", sentence, self._undo_button())
                return
            found = found._replace(model=at_state(self.document.model, start.q, start.v))
        if found.model != self.document.model:
            self.document.edit(self.tr("Assemble"), found.model)

    def _assembly_buttons(self) -> list[Button]:
        return [
            (self.tr("Assemble"), self.assemble),
            (self.tr("Other branch"), self.other_branch),
        ]

    def other_branch(self, joint: Id = "") -> None:
        """Assemble the mechanism in its next branch, as one edit; a sentence says why not.

        With the id of a joint, that joint changes its side.
        """
        model = self.document.model
        if not self._can_compute("branch"):
            return
        if model is not self._branched or joint:
            QApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
            try:
                self._branches = [*branch_models(model, joint), model]
            except EngineError as error:
                self.messages.show_message("branch", "warning", error.sentence)
                return
            finally:
                QApplication.restoreOverrideCursor()
        self._branches = [*self._branches[1:], branched := self._branches[0]]
        self._branched = branched
        self.document.edit(self.tr("Other branch"), branched)
        if len(self._branches) > 2:
            words = self.tr("There are {0} closed poses.").format(len(self._branches))
            self.messages.show_message(
                "branch", "notice", words, [(self.tr("Next branch"), self.other_branch)]
            )

    def _can_compute(self, topic: str) -> bool:
        """Whether the solver is compiled; if not, a message says so."""
        from engine.integrators.warm_up import Elsewhere, are_compiled, first_time

        if are_compiled():
            return True
        words = Elsewhere.reason() if Elsewhere.reason is not None else said(first_time())
        self.messages.show_message(topic, "notice", words)
        return False

    def _undo_button(self) -> list[Button]:
        stack = self.document.undo_stack
        if not stack.can_undo():
            return []
        return [(self.tr("Undo {0}").format(stack.undo_text().lower()), stack.undo)]

    def _forget(self) -> None:
        """After an edit, remove the messages about the previous model."""
        for topic in (*RUN_TOPICS, "gap", "overlap", "speeds", "redundant", "branch"):
            self.messages.clear(topic)
        self._advice = []
        self.stage.show_gap("", None)
        self.stage.highlight((), "")

    # --- redundancy

    def show_redundancy(self, mobility: "Mobility | None") -> None:
        """Highlight redundant joints, and say what they repeat."""
        if mobility is None or not mobility.redundant:
            self.messages.clear("redundant")
            self.stage.highlight((), "")
            return
        ids = tuple(dict.fromkeys(i for r in mobility.redundancies for i in (r.id, *r.others)))
        sentence = self.tr(
            "{0} redundant: {1} The model still runs; how these joints share the load is not unique."
        ).format(mobility.redundant, " ".join(map(said, mobility.sentences[:3])))
        first = mobility.redundancies[0].id
        buttons = self._repair_button(mobility)
        if first in self.document.model:
            label = self.document.model[first].label
            select = lambda: self.selection.set([first])  # noqa: E731, a button needs one call
            buttons.append((self.tr("Select '{0}'").format(label), select))
        buttons.append((self.tr("Done"), self.end_highlight))
        bar = self.messages.show_message("redundant", "warning", sentence, buttons)
        bar.cross.clicked.connect(self.end_highlight)
        self.stage.highlight(ids, "problem")

    def _repair_button(self, mobility: "Mobility") -> list[Button]:
        """A button for the repair, with the freedom it gives."""
        repair = repair_of(self.document.model, mobility)
        if repair is None:
            return []
        label = self.document.model[repair.id].label
        what = self.tr("Delete '{0}'").format(label)
        if repair.kind:
            kind = kind_words(repair.kind, repair.model.dim).lower()
            adjective = kind.endswith(("al", "ar"))  # cylindrical, planar
            words = self.tr("Make '{0}' a {1} joint") if adjective else self.tr("Make '{0}' a {1}")
            what = words.format(label, kind)
        words = self.tr("{0}: DOF {1}, redundant {2}").format(what, repair.dof, repair.redundant)
        return [(words, lambda: self.document.edit(what, repair.model))]

    def end_highlight(self) -> None:
        """Remove all highlights."""
        self.messages.clear("redundant")
        self.stage.highlight((), "")

    # --- runs

    def _on_run_changed(self) -> None:
        bar = self.messages.bars.get("run")
        if self.playback.current is not None or (bar is not None and bar.kind == "notice"):
            for topic in RUN_TOPICS:
                self.messages.clear(topic)
            self._advice = []

    def show_advice(self, advice: "list[Advice]") -> None:
        """Warn before the end of a run that its method or step is unsuitable."""
        self._advice = advice
        sentence = " ".join(said(one.sentence) for one in advice)
        self.messages.show_message("advice", "warning", sentence, self._advised())

    def _advised(self) -> list[Button]:
        """Buttons for what the engine advises: each changes the settings and runs again."""
        return [
            (words, partial(self.run_with, **changes))
            for one in self._advice
            for words, changes in one.remedies
        ]

    def show_failure(self, sentence: str, ids: list[Id]) -> None:
        """Say why a run stopped, and offer what may help."""
        buttons = self._remedies()
        if buttons and self._advice:
            sentence = " ".join(map(said, [sentence, *(one.sentence for one in self._advice)]))
            ids = [*(id for one in self._advice for id in one.ids), *ids]
            self.messages.clear("advice")
        if not self._is_lock():
            buttons = buttons + self._select_button(ids)
        self.messages.show_message("run", "problem", sentence, buttons)

    def show_stop(self, sentence: str, ids: list[Id]) -> None:
        """Say that an event has ended the run, as intended."""
        words = self.tr("The run ended as asked. {0}").format(said(sentence))
        self.messages.show_message("run", "notice", words, self._select_button(ids))

    def _select_button(self, ids: list[Id]) -> list[Button]:
        """A button that selects what a message is about."""
        known = [id for id in dict.fromkeys(ids) if id in self.document.model]
        if not known:
            return []
        label = self.document.model[known[0]].label
        return [(self.tr("Select '{0}'").format(label), lambda: self.selection.set(known))]

    def _remedies(self) -> list[Button]:
        """Buttons for a run that ended early: what was advised, or what helps as a rule."""
        results = self.playback.results
        ending = results.ending if results is not None else None
        if ending is not None and self._is_lock():
            return self.lock.buttons(ending.ids)
        if ending is not None and ending.reason == "dead point":
            return self._undo_button()  # no method gets beyond it
        if (
            results is None
            or ending is None
            or ending.reason not in ("diverged", "open joint", "stuck")
        ):
            return []
        if self._advice:
            return self._advised()
        settings = results.settings
        tried: list[tuple[str, dict[str, Any]]] = []
        if not is_adaptive(settings.method):
            step = float(f"{float(settings.step) * SHORTER:.4g}")
            tried.append(
                (self.tr("Run with h = {0} ms").format(written(1e3 * step)), {"step": step})
            )
        elif ending.reason == "stuck":
            tolerance = min(float(f"{float(settings.tolerance) * COARSER:.4g}"), 0.1)
            words = self.tr("Run with tolerance {0}").format(written(tolerance, 4))
            tried.append((words, {"tolerance": tolerance}))
        for method in RESCUERS:
            if method != settings.method:
                words = self.tr("Run with {0}").format(method_title(method))
                tried.append((words, {"method": method}))
        return [(words, partial(self.run_with, **changes)) for words, changes in tried]

    def _is_lock(self) -> bool:
        """Whether the run that is shown ended at gimbal lock."""
        results = self.playback.results
        ending = results.ending if results is not None else None
        return ending is not None and ending.reason == "gimbal lock"

    def run_with(self, **changes: Any) -> None:
        """Change settings as one edit and run again."""
        model = self.document.model
        self.document.edit(
            self.tr("Change the settings of the run"),
            replace(model, settings=replace(model.settings, **changes)),
        )
        self.simulator.run()

    def pose_from_frame(self) -> None:
        """Make the frame that is shown the design pose, as one edit."""
        results = self.playback.results
        if (
            results is None
            or not len(results)
            or not same_mechanism(results.model, self.document.model)
        ):
            return
        n = self.playback.frame()
        now = results.q[n], results.v[n], float(results.t[n]), results.z[n]
        try:
            model = at_state(self.document.model, *now)
        except EngineError as error:
            self.messages.show_message("frame", "warning", error.sentence)
            return
        self.messages.clear("frame")
        self.document.edit(self.tr("Make a frame the design pose"), model)
