"""Badges in the corner of a stage that cannot draw them at the bodies: which are near gimbal lock."""

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from engine.model.elements import same_mechanism
from gui.look.icons import coloured
from gui.look.theme import theme_of
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.lock_badges import Badge, level_state, lock_badges, shown_angle
from gui.state.playback import Playback
from gui.state.preferences import Preferences

if TYPE_CHECKING:  # it loads the kernels
    from engine.results.results import Results

MOST = 4  # badges that are shown; those nearest to lock
PLACE = 12  # px from the corner
GAP = 8  # px below another card in the same corner
MOVED = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)


class LockPills(QWidget):
    """A button for each body near lock, with its distance; a click asks for its rings."""

    chosen = Signal(str)  # a body

    def __init__(
        self, stage: Stages, document: Document, playback: Playback, preferences: Preferences
    ) -> None:
        super().__init__(stage)
        self.stage = stage
        self.document, self.playback, self.preferences = document, playback, preferences
        self.pills: list[QToolButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._above: QWidget | None = None  # another card in this corner
        self.move(PLACE, PLACE)
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        for signal in (playback.time_changed, playback.run_changed, playback.frames_grew):
            signal.connect(self._schedule)
        document.changed.connect(self._schedule)
        preferences.changed.connect(self._schedule)
        self.hide()

    def stand_below(self, card: QWidget) -> None:
        """Leave the corner to another card while it is seen; changes the place."""
        self._above = card
        card.installEventFilter(self)
        self._stand()

    def _stand(self) -> None:
        card = self._above
        is_there = card is not None and not card.isHidden()
        self.move(PLACE, card.geometry().bottom() + GAP if card and is_there else PLACE)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the card above."""
        if event.type() in MOVED:
            QTimer.singleShot(0, self, self._stand)
        return super().eventFilter(watched, event)

    def _schedule(self, *_: object) -> None:
        if not self._later.isActive():
            self._later.start()

    def refresh(self) -> None:
        """Show the badges of the time that is shown; changes the buttons."""
        found = {}
        if not self.stage.draws_badges:
            found = lock_badges(self.document.shown, self._results(), self.playback.time)
        nearest = sorted(found.values(), key=lambda badge: badge.angle)[:MOST]
        while len(self.pills) < len(nearest):
            self.pills.append(self._pill())
        for n, pill in enumerate(self.pills):
            pill.setVisible(n < len(nearest))
            if n < len(nearest):
                self._write(pill, nearest[n])
        self.setVisible(bool(nearest))
        if nearest:
            self.adjustSize()
            self.raise_()

    def _results(self) -> "Results | None":
        results = self.playback.results
        return (
            results
            if results is not None and same_mechanism(results.model, self.document.shown)
            else None
        )

    def _pill(self) -> QToolButton:
        pill = QToolButton(self)
        pill.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        pill.setIconSize(QSize(16, 16))
        pill.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        pill.setCursor(Qt.CursorShape.PointingHandCursor)
        pill.clicked.connect(lambda: self.chosen.emit(pill.property("body")))
        self._column.addWidget(pill)
        return pill

    def _write(self, pill: QToolButton, badge: Badge) -> None:
        """Say how near a body is, with symbol, colour and words."""
        theme, state = theme_of(self.palette()), level_state(badge.level)
        colour = getattr(theme, state)
        label = self.document.shown[badge.id].label if badge.id in self.document.shown else badge.id
        away = shown_angle(self.preferences, badge.angle, 2)
        pill.setText(self.tr("{0}: {1} from gimbal lock").format(label, away))
        pill.setToolTip(f"{escape(badge.words)}<br/>{self.tr('Click to see its rings.')}")
        pill.setProperty("body", badge.id)
        look = (state, theme.is_light)
        if pill.property("look") != look:
            pill.setProperty("look", look)
            pill.setIcon(coloured(state, colour))
            pill.setStyleSheet(
                f"QToolButton {{ background: {theme.card}; color: {colour}; font-weight: 600;"
                f" border: 1px solid {colour}; border-radius: 11px; padding: 3px 10px; }}"
                f"QToolButton:hover {{ background: {theme.accent_soft}; }}"
            )

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "pills"):
            self._schedule()
