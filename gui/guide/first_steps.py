"""The card above the properties: a pendulum, or a top in space, in four moves.

The move that comes next is found from the model. The card begins with an empty model and never goes back;
it ends with its last move, a body that is not in the lesson, another model or its cross.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from engine.model.attachments import markers_of
from engine.model.elements import GROUND, Model
from engine.model.joints.freedom import freedom
from engine.model.shapes import Cylinder, Disc, Rod, Shape, Sphere
from gui.look.buttons import small_button
from gui.look.icons import coloured, icon
from gui.look.theme import theme_of
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.document import Document
from gui.state.playback import Playback

N = QT_TRANSLATE_NOOP
STEPS = 4


class Lesson(NamedTuple):
    """Four moves, each with its title and what to do, and the shapes of the body that is built."""

    title: str
    shapes: tuple[type[Shape], ...]
    moves: tuple[tuple[str, str], ...]
    praise: str


LESSONS = {  # by the dimension of the model
    2: Lesson(
        N("FirstSteps", "Build a pendulum in four moves"),
        (Rod,),
        (
            (
                N("FirstSteps", "Draw a link"),
                N("FirstSteps", "Press <b>L</b>, click where it hangs, and again where it ends."),
            ),
            (
                N("FirstSteps", "Pin it to the ground"),
                N("FirstSteps", "Press <b>R</b> and click on its upper end."),
            ),
            (
                N("FirstSteps", "Let it swing"),
                N("FirstSteps", "Press <b>Space</b>: the model is run and played."),
            ),
            (
                N("FirstSteps", "See its motion"),
                N(
                    "FirstSteps",
                    "<b>Space</b> pauses it. Right-click the link and choose <b>Plot</b>.",
                ),
            ),
        ),
        N("FirstSteps", "Well done. Alt+2 gives the motion more room."),
    ),
    3: Lesson(
        N("FirstSteps", "A spinning top in four moves"),
        (Cylinder, Disc, Sphere),
        (
            (
                N("FirstSteps", "Draw a disc"),
                N(
                    "FirstSteps",
                    "Press <b>O</b>, drag on the floor for its radius, then click its height.",
                ),
            ),
            (
                N("FirstSteps", "Hold its tip"),
                N(
                    "FirstSteps",
                    "Drag beside it to see it from below, press <b>S</b> and click the middle of its "
                    "lower face.",
                ),
            ),
            (
                N("FirstSteps", "Spin it"),
                N(
                    "FirstSteps",
                    "Select it and give it an <b>angular velocity</b> below, as 0, 5, 100.",
                ),
            ),
            (
                N("FirstSteps", "Let it go"),
                N("FirstSteps", "Press <b>Space</b>: the model is run and played."),
            ),
        ),
        N("FirstSteps", "Well done. Alt+3 shows what its axes do."),
    ),
}


def steps_done(model: Model, playback: Playback, plotted: bool) -> int:
    """How many of the four moves are made."""
    bodies = [b for b in model.of("body") if not b.fixed]
    if not bodies:
        return 0
    if not any(_hangs(model, joint) for joint in model.of("joint")):
        return 1
    if model.dim == 3:
        if not any(any(getattr(body, "angular_velocity", None) or ()) for body in bodies):
            return 2
        return 3 if playback.current is None else STEPS
    if playback.current is None:
        return 2
    return STEPS if plotted else 3


def _hangs(model: Model, joint: Any) -> bool:
    """Whether a joint holds a point of a body on the ground and lets it turn."""
    free = freedom(joint, model.dim)
    if not (free.is_pin if model.dim == 2 else free.holds_point and free.turns):
        return False
    markers = [model[id] for id in markers_of(joint) if id in model]
    return any(
        m.body == GROUND or (m.body in model and getattr(model[m.body], "fixed", False))
        for m in markers
    )


class FirstSteps(QFrame):
    """The card at the top of the right column."""

    gallery_wanted = Signal()
    closed = Signal()

    def __init__(self, document: Document, playback: Playback) -> None:
        super().__init__()
        self.document, self.playback = document, playback
        self.has_plot: Callable[[], bool] = lambda: False
        self.is_wanted: Callable[[], bool] = lambda: False
        self.setObjectName("first_steps")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 8, 10)
        column.setSpacing(5)
        head = QHBoxLayout()
        self.title = QLabel()
        self.title.setProperty("role", "section")
        cross = small_button("close", _tr("Close; the Help menu brings it back"), 14)
        cross.clicked.connect(self._close)
        head.addWidget(self.title, 1)
        head.addWidget(cross)
        column.addLayout(head)
        self.rows = [self._row(column) for _ in range(STEPS)]
        foot = QHBoxLayout()
        self.word = QLabel(wordWrap=True)
        self.word.setProperty("role", "quiet")
        self.gallery = QPushButton(icon("gallery"), _tr("Examples"))
        self.gallery.setToolTip(_tr("Gallery of examples"))
        self.gallery.clicked.connect(self.gallery_wanted)
        foot.addWidget(self.word, 1)
        foot.addWidget(self.gallery)
        column.addLayout(foot)
        self.step = 0
        self._is_opening = False
        document.committed.connect(self.refresh)
        document.opened.connect(self._on_opened)
        playback.run_changed.connect(self.refresh)
        self.hide()

    def _row(self, column: QVBoxLayout) -> tuple[QLabel, QLabel]:
        """One move: its number or check mark, and its words."""
        row = QHBoxLayout()
        row.setSpacing(6)
        mark, text = QLabel(), QLabel(wordWrap=True)
        mark.setFixedWidth(20)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        column.addLayout(row)
        return mark, text

    @property
    def lesson(self) -> Lesson:
        """The moves in the plane or in space."""
        return LESSONS[self.document.model.dim]

    def _on_opened(self) -> None:
        """Another model follows: an empty one begins the lesson, any other one ends it."""
        self._is_opening = True

    def refresh(self, *_: object) -> None:
        """Find the step from the model and mark it; it never goes back."""
        if self._is_opening:
            self._is_opening, self.step = False, 0
            self.setVisible(not self.document.model.of("body") and self.is_wanted())
        if self.isHidden():
            return
        model = self.document.model
        moving = [b for b in model.of("body") if not b.fixed]
        shapes = self.lesson.shapes
        if len(moving) > 1 or not all(
            isinstance(getattr(b, "shape", None), shapes) for b in moving
        ):
            self.hide()  # this is no lesson any more
            return
        self.step = max(self.step, steps_done(model, self.playback, self.has_plot()))
        theme = theme_of(self.palette())
        self.title.setText(_tr(self.lesson.title))
        for n, (mark, text) in enumerate(self.rows):
            title, words = map(_tr, self.lesson.moves[n])
            done, next_one = n < self.step, n == self.step
            if done:
                mark.setPixmap(coloured("good", theme.good).pixmap(16, 16))
            else:
                colour = theme.accent if next_one else theme.quiet
                mark.setText(f"<b style='color:{colour}'>{n + 1}</b>")
            text.setText(f"<b>{title}</b><br/>{words}" if next_one else title)
            text.setStyleSheet("" if next_one else f"color: {theme.quiet};")
        finished = self.step == STEPS
        self.word.setText(_tr(self.lesson.praise) if finished else "")
        self.word.setVisible(finished)
        self.gallery.setVisible(finished or self.step == 0)

    def appear(self) -> None:
        """Show the card; changes nothing else."""
        self.step = 0
        self.show()
        self.refresh()

    def _close(self) -> None:
        self.hide()
        self.closed.emit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("FirstSteps", text)
