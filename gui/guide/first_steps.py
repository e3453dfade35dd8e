"""The card on an empty stage: build a pendulum in four moves. The current step is found from the model."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.model.attachments import markers_of
from engine.model.elements import GROUND, Model
from engine.model.joints.freedom import freedom
from gui.look.buttons import icon_button
from gui.look.icons import coloured, icon
from gui.look.theme import theme_of
from gui.state.document import Document
from gui.state.playback import Playback

STEPS = 4
TEXTS = (
    (
        "Draw a link",
        "Press <b>L</b>, click where it hangs, move, and click again where it ends.",
    ),
    ("Pin it to the ground", "Press <b>R</b> and click on its upper end."),
    ("Let it swing", "Press <b>Space</b>: the model is run and played."),
    ("See its motion", "Right-click the link and choose <b>Plot</b>, or drag it from the tree."),
)


def steps_done(model: Model, playback: Playback, plotted: bool) -> int:
    """How many of the four moves are made."""
    bodies = [b for b in model.of("body") if not b.fixed]
    if not bodies:
        return 0
    if not any(_hangs(model, joint) for joint in model.of("joint")):
        return 1
    if playback.current is None:
        return 2
    return STEPS if plotted else 3


def _hangs(model: Model, joint: Any) -> bool:
    """Whether a pin holds a body on the ground."""
    if not freedom(joint, model.dim).is_pin:
        return False
    markers = [model[id] for id in markers_of(joint) if id in model]
    return any(
        m.body == GROUND or (m.body in model and getattr(model[m.body], "fixed", False))
        for m in markers
    )


class FirstSteps(QFrame):
    """The card in a corner of the stage."""

    gallery_wanted = Signal()
    closed = Signal()

    def __init__(self, over: QWidget, document: Document, playback: Playback) -> None:
        super().__init__(over)
        self.document, self.playback = document, playback
        self.over = over
        self.has_plot: Callable[[], bool] = lambda: False
        self.setObjectName("card")
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 14, 14, 16)
        column.setSpacing(8)
        head = QHBoxLayout()
        self.title = QLabel(_tr("Build a pendulum in four moves"))
        self.title.setProperty("role", "title")
        cross = icon_button("close", _tr("Close; Help > Build a pendulum brings it back"))
        cross.clicked.connect(self._close)
        self.short_title = QLabel(_tr("Pendulum in four moves"))
        self.short_title.hide()
        self.short_title.setProperty("role", "section")
        head.addWidget(self.title, 1)
        head.addWidget(self.short_title, 1)
        head.addWidget(cross)
        column.addLayout(head)
        self.rows = [self._row(column, title, words) for title, words in TEXTS]
        foot = QHBoxLayout()
        self.word = QLabel()
        self.word.setProperty("role", "quiet")
        self.gallery = QPushButton(icon("gallery"), _tr("Gallery of examples"))
        self.gallery.clicked.connect(self.gallery_wanted)
        foot.addWidget(self.word, 1)
        foot.addWidget(self.gallery)
        column.addLayout(foot)
        self.step = -1
        self.is_drawing: Callable[[], bool] = lambda: False
        document.committed.connect(self.refresh)
        playback.run_changed.connect(self.refresh)
        over.installEventFilter(self)
        self.hide()

    def _row(self, column: QVBoxLayout, title: str, words: str) -> tuple[QLabel, QLabel]:
        """One move: its number or check mark, and its words."""
        row = QHBoxLayout()
        row.setSpacing(10)
        mark = QLabel()
        mark.setFixedWidth(22)
        text = QLabel(f"<b>{_tr(title)}</b><br/>{_tr(words)}", wordWrap=True)
        text.setMinimumWidth(250)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        column.addLayout(row)
        return mark, text

    def refresh(self, *_: object) -> None:
        """Find the step from the model and mark it."""
        if self.isHidden():
            return
        self.step = steps_done(self.document.model, self.playback, self.has_plot())
        is_small = self.step > 0 or self.is_drawing()  # it must not cover the drawing
        theme = theme_of(self.palette())
        for n, (mark, text) in enumerate(self.rows):
            done, next_one = n < self.step, n == self.step
            if done:
                mark.setPixmap(coloured("good", theme.good).pixmap(18, 18))
            else:
                colour = theme.accent if next_one else theme.quiet
                mark.setText(f"<b style='color:{colour}; font-size:13pt'>{n + 1}</b>")
            text.setStyleSheet("" if next_one else f"color: {theme.quiet};")
            for part in (mark, text):
                part.setVisible(next_one or not is_small)
        finished = self.step == STEPS
        words = _tr("Well done.") if finished else _tr("Step {0} of 4").format(self.step + 1)
        self.word.setText(words)
        self.title.setVisible(not is_small)
        self.short_title.setVisible(is_small)
        self.gallery.setVisible(not is_small or finished)
        self.word.setVisible(not is_small or finished)
        self._place()

    def appear(self) -> None:
        """Show the card; changes nothing else."""
        self.show()
        self.raise_()
        self.refresh()

    def _close(self) -> None:
        self.hide()
        self.closed.emit()

    def _place(self) -> None:
        self.adjustSize()
        self.move(max(self.over.width() - self.width() - 18, 0), 18)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in the corner when the stage is resized."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)


def _tr(text: str) -> str:
    return QCoreApplication.translate("FirstSteps", text)
