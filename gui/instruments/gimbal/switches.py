"""Buttons against gimbal lock: other parameters for a body, or automatic switching."""

from html import escape
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from engine.editing.edits import continued_with
from engine.errors import EngineError
from engine.model.elements import Id
from gui.instruments.lock import lock_edits
from gui.state.attitude import QUATERNION, Attitude
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences


class Switches(QWidget):
    """Three buttons side by side; each makes one edit, or says in its tooltip why it cannot."""

    complained = Signal(str)
    offered = Signal(str, str, object)  # a message, the text of a button, and its action
    run_wanted = Signal()

    def __init__(
        self,
        document: Document,
        playback: Playback,
        preferences: Preferences,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.playback, self.preferences = document, playback, preferences
        self.attitude: Attitude | None = None
        self._allowed: tuple[Any, ...] = ()  # the state for which the buttons were last updated
        self.to_quaternions = QPushButton(self.tr("Quaternions"))
        self.to_quaternions.setAccessibleName(self.tr("Switch to quaternions"))
        self.to_best = QPushButton()
        self.to_best.setAccessibleName(self.tr("Switch to the best sequence now"))
        self.automatic = QPushButton(self.tr("Automatic"))
        self.automatic.setCheckable(True)
        self.automatic.setAccessibleName(self.tr("Automatic switching near lock"))
        for button in (self.to_quaternions, self.to_best, self.automatic):
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.setStyleSheet("QPushButton { padding: 5px 6px; }")
        self.to_quaternions.clicked.connect(self.use_quaternions)
        self.to_best.clicked.connect(self.use_best_sequence)
        self.automatic.clicked.connect(self.switch_by_itself)
        buttons = QHBoxLayout(self)
        buttons.setContentsMargins(10, 2, 10, 6)
        buttons.setSpacing(5)
        label = QLabel(self.tr("Switch to"))
        label.setProperty("role", "quiet")
        for widget in (label, self.to_quaternions, self.to_best, self.automatic):
            buttons.addWidget(widget)

    def show_attitude(self, attitude: Attitude | None) -> None:
        """Act on this body; changes the buttons."""
        self.attitude = attitude
        self._allow()

    def _allow(self) -> None:
        """Disable the buttons that do not apply, with the reason."""
        model, attitude = self.document.model, self.attitude
        if attitude is None or attitude.id not in model:
            return
        best = lock_edits.best_sequence(attitude)
        if self._allowed == (model, attitude.id, best):
            return
        self._allowed = (model, attitude.id, best)
        self.to_best.setText(self.tr("Best: {0}").format(best))
        automatic = lock_edits.is_automatic(model)
        self.automatic.setChecked(automatic)
        rows = (
            (self.to_quaternions, lock_edits.use_quaternions(model, attitude.id)),
            (self.to_best, lock_edits.use_best_sequence(model, attitude)),
            (self.automatic, lock_edits.switch_by_itself(model, not automatic)),
        )
        for button, edit in rows:
            button.setEnabled(edit.model is not None)
            tip = f"<b>{button.accessibleName()}</b><br/>"
            button.setToolTip(tip + escape(edit.reason or self._use(button)))

    def _use(self, button: QPushButton) -> str:
        if button is self.to_quaternions:
            return self.tr("Four numbers instead of three angles: no orientation is special.")
        if button is self.to_best:
            return self.tr("The sequence that is farthest from its lock at this orientation.")
        return self.tr("A run that comes near lock goes on by quaternions, without a jump.")

    def use_quaternions(self) -> None:
        """Follow the body by a quaternion; one edit."""
        if self.attitude is not None:
            edit = lock_edits.use_quaternions(self.document.model, self.attitude.id)
            self._switch(edit, self.attitude.id, QUATERNION)

    def use_best_sequence(self) -> None:
        """Follow the body by the sequence that is farthest from its lock now; one edit."""
        if self.attitude is not None:
            edit = lock_edits.use_best_sequence(self.document.model, self.attitude)
            self._switch(edit, self.attitude.id, lock_edits.best_sequence(self.attitude))

    def switch_by_itself(self) -> None:
        """Turn automatic switching near lock on or off; one edit."""
        model = self.document.model
        self._edit(lock_edits.switch_by_itself(model, not lock_edits.is_automatic(model)))

    def _switch(self, edit: lock_edits.Edit, id: Id, choice: str) -> None:
        """Edit how a body is followed; where a run is shown, offer to continue from its time."""
        results, frame = self.playback.results, self.playback.frame()
        self._edit(edit)
        if edit.model is None or results is None or frame == 0 or results.model.dim == 2:
            return
        words = self.tr("{0}. Space runs it from the start.").format(edit.label)
        time = self.preferences.digits(float(results.t[frame]), 4)
        button = self.tr("Go on from t = {0} s").format(time)
        self.offered.emit(words, button, lambda: self._go_on(results, frame, id, choice))

    def _go_on(self, results: Any, frame: int, id: Id, choice: str) -> None:
        """Make a frame the design pose, followed in another way, and run from there."""
        try:
            model = continued_with(results, frame, [id], choice)
        except EngineError as error:
            self.complained.emit(error.sentence)
            return
        self.document.edit(self.tr("Go on with {0}").format(choice), model)
        self.run_wanted.emit()

    def _edit(self, edit: lock_edits.Edit) -> None:
        if edit.model is None:
            self.complained.emit(edit.reason)
        else:
            self.document.edit(edit.label, edit.model)
