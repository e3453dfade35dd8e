"""Warn of gimbal lock during a run, before its results suffer, with buttons for remedies."""

from collections.abc import Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Signal

from engine.model.elements import Id, same_mechanism
from engine.results.endings import Event
from gui.instruments.lock import lock_edits
from gui.instruments.lock.lock_events import lock_events
from gui.look.messages import Button, Messages
from gui.running.simulator import Simulator
from gui.state.attitude import run_attitude
from gui.state.document import Document
from gui.state.playback import Playback

TOPIC = "lock"
URGENCY = (
    "gimbal switch",
    "gimbal amber",
    "gimbal crossed",
    "gimbal red",
)  # the last is the most urgent
KINDS = {"gimbal switch": "notice", "gimbal amber": "warning"}


class LockMessages(QObject):
    """Watches the events of the run that is shown and shows the most urgent one above the stage."""

    rings_wanted = Signal(str)  # the body whose rings are to be shown

    def __init__(
        self,
        document: Document,
        playback: Playback,
        messages: Messages,
        simulator: Simulator,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.playback = document, playback
        self.messages, self.simulator = messages, simulator
        self._told: Event | None = None  # the event of the message that is shown
        playback.run_changed.connect(self._forget)
        document.committed.connect(self._forget)
        playback.frames_grew.connect(self.look)
        simulator.progressed.connect(self.look)

    def _forget(self) -> None:
        """Another run or another model: the message no longer applies."""
        self._told = None
        self.messages.clear(TOPIC)
        self.look()

    def look(self, *_: object) -> None:
        """Report the most urgent event of the run, if it is new; changes the messages."""
        results = self.playback.results
        if results is None or not same_mechanism(results.model, self.document.model):
            return
        if results.ending is not None and results.ending.reason == "gimbal lock":
            self.messages.clear(TOPIC)  # the message about the end says it all
            return
        events = lock_events(results)
        if results.ending is None:  # the solver is ahead of the frames that have come
            events = [event for event in events if event.t <= self.playback.t_last]
        if not events:
            return
        worst = max(events, key=lambda e: URGENCY.index(e.kind) if e.kind in URGENCY else 0)
        if worst != self._told:
            self._told = worst
            kind = KINDS.get(worst.kind, "problem")
            buttons = self.buttons(worst.ids, worst.t)
            self.messages.show_message(TOPIC, kind, worst.sentence, buttons)

    def buttons(self, ids: Iterable[Id], t: float | None = None) -> list[Button]:
        """Buttons for a body near lock: see its rings, or run again in a way that has no lock.

        Their words are short: a wide row of buttons would push the panels aside.

        The best sequence is that of the time t, or of the last frame.
        """
        known = [id for id in ids if id in self.document.model]
        if not known:
            return []
        id = known[0]
        show = lambda: self.rings_wanted.emit(id)  # noqa: E731, a button needs one call
        found: list[Button] = [(self.tr("Show the rings"), show)]
        model = self.document.model
        edits = [(self.tr("Use quaternions"), lock_edits.use_quaternions(model, id))]
        best = self._best(id, t)
        if best is not None:
            words = self.tr("Use {0}").format(best.label.rsplit(" ", 1)[-1])
            edits.append((words, best))
        edits.append((self.tr("Switch by itself"), lock_edits.switch_by_itself(model)))
        for words, edit in edits:
            if edit.model is not None:
                found.append((words, partial(self._run_with, edit)))
        return found

    def _best(self, id: Id, t: float | None) -> lock_edits.Edit | None:
        """The edit to the best sequence at a time of the run."""
        results = self.playback.results
        if results is None or not len(results):
            return None
        n = len(results) - 1 if t is None else results.frame_at(t)
        compiled = results.compiled
        if id not in compiled.body_ids or not np.isfinite(results.q[n]).all():
            return None
        attitude = run_attitude(results, results.q[n], n, id, "1-2-3")
        return (
            None
            if attitude is None
            else lock_edits.use_best_sequence(self.document.model, attitude)
        )

    def _run_with(self, edit: lock_edits.Edit) -> None:
        """Change the model as one edit and run again, live if it was live."""
        if edit.model is not None:
            was_live = self.simulator.state == "live"
            self.document.edit(edit.label, edit.model)
            self.simulator.start_live() if was_live else self.simulator.run()
