"""The list of runs: how each was made, how well it went, and how it is shown."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.model.elements import same_mechanism
from gui.look.buttons import small_button
from gui.look.icons import icon
from gui.look.method_words import stabilisation_title
from gui.look.theme import theme_of
from gui.running.differences import differences
from gui.running.simulator import Simulator
from gui.running.values import Values
from gui.state.document import Document
from gui.state.numbers import written
from gui.state.passing import open_menu
from gui.state.playback import ENDS_WELL, Playback, RunRecord
from gui.state.preferences import Preferences

NOTEWORTHY = 0.05  # s of preparation


class Title(QLabel):
    """A line that is shortened with an ellipsis where it does not fit."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much as fits."""
        end = Qt.TextElideMode.ElideRight
        shown = self.fontMetrics().elidedText(self.text(), end, self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()


class RunCard(QFrame):
    """One run: title, numbers, how it ended, and what can be done with it."""

    def __init__(self, panel: "RunsPanel", record: RunRecord) -> None:
        super().__init__()
        self.panel, self.record = panel, record
        self.setObjectName("run")
        self.title = Title()
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.field = QLineEdit()
        self.field.hide()
        self.field.editingFinished.connect(self._rename)
        self.details = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.ending = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        for label in (self.details, self.ending):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.eye = self._button("eye", self.tr("Show as a ghost"), self._flip_shown)
        self.bin = self._button("delete", self.tr("Remove this run"), self._remove)
        top = QHBoxLayout()
        top.setSpacing(2)
        for widget in (self.title, self.field):
            top.addWidget(widget, 1)
        top.addWidget(self.eye)
        top.addWidget(self.bin)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 5, 6, 6)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self.details)
        column.addWidget(self.ending)
        self.refresh()

    def _button(self, name: str, text: str, do: Callable[[], object]) -> QToolButton:
        button = small_button(name, text, 16)
        button.clicked.connect(lambda: do())
        return button

    @property
    def is_current(self) -> bool:
        """Whether this is the current run."""
        return self.panel.playback.current is self.record

    def refresh(self) -> None:
        """Show the present state of the run."""
        theme, record = theme_of(self.palette()), self.record
        font = self.title.font()
        font.setBold(self.is_current)
        self.title.setFont(font)
        self.title.setText(record.title)
        self.title.setToolTip(record.title)
        told = details(record, self.tr)
        self.details.setText("\n".join([*self.panel.changes(record), told]))
        ending = record.results.ending
        words = [ending.sentence] if ending is not None and ending.sentence else []
        self.ending.setText("\n".join([*words, *record.notes]))
        self.ending.setVisible(bool(words or record.notes))
        is_bad = ending is not None and ending.reason not in ENDS_WELL
        self.ending.setStyleSheet(f"color: {theme.problem if is_bad else theme.quiet};")
        self.details.setStyleSheet(f"color: {theme.quiet};")
        self.eye.setVisible(not self.is_current)
        self.eye.setIcon(icon("eye" if record.is_shown else "eye_off"))
        self.eye.setToolTip(
            self.tr("Hide this ghost") if record.is_shown else self.tr("Show as a ghost")
        )
        edge = theme.accent if self.is_current else theme.line
        self.setStyleSheet(
            f"QFrame#run {{ background: {theme.card}; border: 1px solid {edge}; border-radius: 5px; }}"
        )

    def edit_name(self) -> None:
        """Let the user type another title."""
        self.field.setText(self.record.title)
        self.title.hide()
        self.field.show()
        self.field.setFocus()
        self.field.selectAll()

    def _rename(self) -> None:
        if self.field.isVisible():
            name = self.field.text().strip()
            own = RunRecord(self.record.number, self.record.results, self.record.mobility)
            own.is_live = self.record.is_live
            self.field.hide()
            self.title.show()
            self.panel.playback.rename(self.record, "" if name == own.title else name)

    def _flip_shown(self) -> None:
        self.panel.playback.show(self.record, not self.record.is_shown)

    def _remove(self) -> None:
        self.panel.remove(self.record)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Make this the current run."""
        self.panel.make_current(self.record)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the run."""
        open_menu(self.menu(), event.globalPos())

    def menu(self) -> QMenu:
        """The menu of the run."""
        menu = QMenu(self)
        current = menu.addAction(
            self.tr("Make current"), lambda: self.panel.make_current(self.record)
        )
        current.setEnabled(not self.is_current)
        menu.addAction(self.tr("Rename"), self.edit_name)
        shown = menu.addAction(self.tr("Show as a ghost"), self._flip_shown)
        shown.setCheckable(True)
        shown.setChecked(self.record.is_shown)
        shown.setEnabled(not self.is_current)
        menu.addSeparator()
        menu.addAction(self.tr("Remove"), self._remove)
        return menu


class RunsPanel(QScrollArea):
    """The current run and the earlier ones, newest first."""

    def __init__(
        self,
        playback: Playback,
        document: Document,
        simulator: Simulator,
        preferences: Preferences | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.playback, self.document, self.simulator = playback, document, simulator
        self.preferences = preferences
        if preferences is not None:
            preferences.changed.connect(lambda _: self._rebuild())
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cards: list[RunCard] = []
        self.empty = QLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.empty.setText(self.tr("No runs yet.\nPress Space to run the model."))
        self.clear_action = QAction(self.tr("Remove all earlier runs"), self)
        self.clear_action.triggered.connect(self.remove_ghosts)
        inside = QWidget()
        self.column = QVBoxLayout(inside)
        self.column.setContentsMargins(4, 4, 4, 4)
        self.column.setSpacing(4)
        self.column.addWidget(self.empty)
        self.column.addStretch(1)
        self.setWidget(inside)
        playback.run_changed.connect(self._rebuild)
        playback.frames_grew.connect(self._refresh)
        self._rebuild()

    def records(self) -> list[RunRecord]:
        """The runs in the order of the list."""
        current = [self.playback.current] if self.playback.current is not None else []
        return [*current, *self.playback.ghosts]

    def changes(self, record: RunRecord) -> list[str]:
        """What was changed since the run that was started before this one, if that is still here."""
        earlier = [one for one in self.records() if one.number < record.number]
        if not earlier or record.is_live:
            return []
        before = max(earlier, key=lambda one: one.number)
        models = before.results.model, record.results.model
        found = differences(*models, Values(self.preferences), self.tr)
        if not found:
            return [self.tr("As {0}").format(before.short_title)]
        return [self.tr("Since {0}:").format(before.short_title), *found]

    def make_current(self, record: RunRecord) -> None:
        """Play this run again; if its model was edited since, that model comes back as one edit."""
        if record is self.playback.current:
            return
        if not same_mechanism(record.results.model, self.document.model):
            text = self.tr("Return to the model of {0}").format(record.title)
            self.document.edit(text, record.results.model)
        self.playback.promote(record)

    def remove(self, record: RunRecord) -> None:
        """Forget a run; one that is still being computed is stopped."""
        if self.simulator.record is record:
            self.simulator.cancel()
        self.playback.forget(record)

    def remove_ghosts(self) -> None:
        """Forget all runs but the current one."""
        for record in list(self.playback.ghosts):
            self.playback.forget(record)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open a menu to remove runs."""
        self._open_menu(event.globalPos())

    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        self.clear_action.setEnabled(bool(self.playback.ghosts))
        menu.addAction(self.clear_action)
        open_menu(menu, place)

    def _rebuild(self) -> None:
        """One card for each run, in order; cards that stay are kept."""
        records = self.records()
        known = {card.record: card for card in self.cards}
        for card in [card for card in self.cards if card.record not in records]:
            self.column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [known.get(record) or RunCard(self, record) for record in records]
        for place, card in enumerate(self.cards):
            if self.column.indexOf(card) != place:
                self.column.insertWidget(place, card)
            card.refresh()
        self.empty.setVisible(not self.cards)
        self.empty.setStyleSheet(f"color: {theme_of(self.palette()).quiet};")

    def _refresh(self) -> None:
        """The current run has more frames, or was measured."""
        for card in self.cards[:1] if self.isVisible() else ():
            card.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self._rebuild()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "cards"):
            self._rebuild()


def details(record: RunRecord, tr: Callable[[str], str]) -> str:
    """Settings and statistics of a run in two lines."""
    results, quality = record.results, record.quality
    reached = written(float(results.t[-1]), 4) if len(results) else "0"
    end = written(float(results.settings.t_end))
    span = tr("{0} of {1} s").format(reached, end) if reached != end else tr("{0} s").format(end)
    closing = stabilisation_title(results.settings.stabilisation).lower()
    first = [span, tr("{0} frames").format(len(results))]
    if closing and results.compiled.n_rows:
        is_none = results.settings.stabilisation == "none"
        first.append(tr("joints not stabilised") if is_none else closing)
    lines = [", ".join(first)]
    counted = results.statistics
    if counted is not None and results.ending is not None:
        cost = [
            (counted.steps, tr("{0} steps")),
            (counted.rejected, tr("{0} rejected")),
            (counted.evaluations, tr("{0} evaluations")),
            (counted.solves, tr("{0} solves")),
            (counted.halved, tr("{0} steps taken in parts")),
        ]
        told = [words.format(n) for n, words in cost if n]
        if counted.wall_time > 0.0:
            told.append(tr("{0} s of computing").format(written(counted.wall_time, 2)))
        if counted.preparation >= NOTEWORTHY:
            told.append(tr("{0} s of preparation").format(written(counted.preparation, 2)))
        lines.append(", ".join(told))
    if quality is not None:
        lines.append(
            tr("energy error {0} of {1} J, gap at most {2}").format(
                written(quality.balance.share, 2),
                written(quality.balance.exchanged, 3),
                written(quality.gap, 2),
            )
        )
    return "\n".join(lines)
