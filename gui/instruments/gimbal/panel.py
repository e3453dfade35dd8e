"""The gimbal panel: rings, gauge, angles, curves, twin and events of one body in space."""

from typing import Any

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import ORIENTATIONS, Id
from engine.model.orientation import integration_of
from gui.forms.fields import fill_choices
from gui.instruments.gimbal.angles import AnglesView
from gui.instruments.gimbal.rings import GREEK, RingView
from gui.instruments.gimbal.switches import Switches
from gui.instruments.gimbal.twin_view import TwinView
from gui.instruments.lock import lock_edits
from gui.instruments.lock.gauge import Gauge
from gui.instruments.lock.lock_curves import LockCurves
from gui.instruments.lock.lock_events import LockEvents, lock_events
from gui.instruments.lock.lock_words import lock_words
from gui.look.icons import icon
from gui.state.attitude import (
    QUATERNION,
    Attitude,
    drawn_attitude,
    nearest_to_lock,
    ring_sequence,
    run_attitude,
    turning_bodies,
)
from gui.state.document import Document
from gui.state.lock_badges import shown_angle
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from gui.state.selection import Selection

AS_RUN = ""  # the sequence of the run
WIDE = 1.2  # times as wide as high: rings and curves go side by side
WIDEST = 560  # px that a panel must have for that
TALL = 740  # px: rings and curves go one above the other


class GimbalPanel(QWidget):
    """Follows the selection, or the body nearest to lock, in the drawing, a run and live."""

    complained = Signal(str)
    gallery_wanted = Signal()

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        preferences: Preferences,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.selection = document, selection
        self.playback, self.preferences = playback, preferences
        self.attitude: Attitude | None = None
        self._chosen: Id = ""  # by hand, in this panel
        self._near: tuple[Id, str, np.ndarray] | None = None  # angles that were shown last
        self._dragged: np.ndarray | None = None  # the angles when a ring was grasped
        self._make_parts()
        self._lay_out()
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.refresh)
        self._join()
        self.refresh()

    # --- parts

    def _make_parts(self) -> None:
        self.bodies = self._box(self.tr("The body that is shown"))
        self.sequences = self._box(self.tr("The sequence of the rings"))
        self.rings = RingView(lambda angle: shown_angle(self.preferences, angle, 4))
        self.gauge = Gauge(self.preferences)
        self.words = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.words.setFixedHeight(3 * self.fontMetrics().height() + 4)  # a fixed layout above
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.angles = AnglesView(self.document, self.preferences)
        self.curves = LockCurves(self.preferences, self.playback.scrub)
        self.twin = TwinView(self.playback, self.preferences)
        self.events = LockEvents(self.playback, self.preferences)
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(self.angles, self.tr("Angles"))
        self.tabs.addTab(self.curves, self.tr("Over time"))
        self.tabs.addTab(self.twin, self.tr("Twin"))
        self.tabs.addTab(self.events, self.tr("Events"))
        self.switches = Switches(self.document, self.playback, self.preferences)

    def _box(self, tip: str) -> QComboBox:
        box = QComboBox()
        box.setToolTip(tip)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return box

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(10, 8, 10, 4)
        head.addWidget(self.bodies, 3)
        head.addWidget(self.sequences, 2)
        below = QWidget()
        foot = QVBoxLayout(below)
        foot.setContentsMargins(0, 4, 0, 0)
        foot.setSpacing(2)
        foot.addWidget(self.gauge)
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 10, 0)
        row.addWidget(self.words)
        foot.addLayout(row)
        foot.addWidget(self.switches)
        self.splitter = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self.splitter.addWidget(self.tabs)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.splitter, 1)
        column.addWidget(below)
        self.layout_ = ""
        self.arrange("tabs")
        self.pages = QStackedWidget()
        self.pages.addWidget(body)
        self.pages.addWidget(self._empty_page())
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.pages)

    def _empty_page(self) -> QWidget:
        """The text shown where there is nothing to turn."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 24, 24, 24)
        column.addStretch(1)
        symbol = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        symbol.setPixmap(icon("gimbal").pixmap(QSize(56, 56)))
        self.nothing = QLabel(
            wordWrap=True,
            alignment=Qt.AlignmentFlag.AlignCenter,
            textFormat=Qt.TextFormat.PlainText,
        )
        self.nothing.setProperty("role", "quiet")
        button = QPushButton(self.tr("Open an example ..."))
        button.clicked.connect(self.gallery_wanted)
        column.addWidget(symbol)
        column.addWidget(self.nothing)
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        return page

    def _join(self) -> None:
        self.document.opened.connect(self._on_opened)
        self.document.changed.connect(self.schedule)
        self.selection.changed.connect(self._on_selected)
        self.preferences.changed.connect(self.schedule)
        self.playback.run_changed.connect(self.schedule)
        self.playback.frames_grew.connect(self.schedule)
        self.playback.time_changed.connect(self.schedule)
        self.tabs.currentChanged.connect(self.schedule)
        self.bodies.activated.connect(lambda n: self.choose(self.bodies.itemData(n)))
        self.sequences.activated.connect(self.schedule)
        self.rings.grasped.connect(self._grasp)
        self.rings.turning.connect(self._turn)
        self.rings.let_go.connect(self._let_go)
        self.rings.refused.connect(self.complained)
        self.angles.meant.connect(self._type)
        self.events.chosen.connect(self.choose)
        self.switches.complained.connect(self.complained)

    # --- which body, which sequence

    def choose(self, id: Id) -> None:
        """Show this body until another one is selected; changes the panel."""
        self._chosen = id
        self.schedule()

    def _on_opened(self) -> None:
        """Another document: its bodies may have the same ids."""
        self._chosen, self.attitude, self._near, self._dragged = "", None, None, None

    def _on_selected(self) -> None:
        """A body that is selected is shown."""
        ids = [b.id for b in turning_bodies(self.document.shown)]
        selected = [id for id in self.selection.ids if id in ids]
        if selected:
            self.choose(selected[0])

    def body(self) -> Id:
        """The body that is shown; an empty text if nothing can turn in space."""
        model = self.document.shown
        ids = [b.id for b in turning_bodies(model)] if model.dim == 3 else []
        if self._chosen in ids:
            return self._chosen
        if self.attitude is not None and self.attitude.id in ids:
            return (
                self.attitude.id
            )  # another one may come nearer to lock, but this one is being watched
        return nearest_to_lock(model, self.playback.results, self.playback.pose()) if ids else ""

    def sequence(self, id: Id) -> str:
        """The sequence of the rings."""
        chosen = self.sequences.currentData()
        return chosen or ring_sequence(self.document.shown, self.document.shown[id])

    # --- showing

    def schedule(self, *_: object) -> None:
        """Show the present state soon, once."""
        if self.isVisible() and not self._later.isActive():
            self._later.start()

    def refresh(self) -> None:
        """Show the present state."""
        self._later.stop()
        id = self.body()
        self.pages.setCurrentIndex(0 if id else 1)
        if not id:
            self.attitude = None
            self.rings.show_attitude(None)
            self.nothing.setText(self._why_nothing())
            return
        self._fill_boxes(id)
        sequence = self.sequence(id)
        self.attitude = self._attitude(id, sequence)
        reason = self._why_still()
        self.rings.show_attitude(self.attitude, reason)
        self.gauge.show_attitude(self.attitude)
        if self.angles.isVisible():
            self.angles.show_attitude(self.attitude, reason)
        broken = self.tr("The numbers of this body cannot be worked out.")
        if self.attitude is not None:
            self.words.setText(lock_words(self.attitude, self._switched(id)))
        else:
            self.words.setText(broken)
        if self.curves.isVisible():
            self.curves.show_run(self.playback.results, id, sequence)
            self.curves.show_time(self.playback.time)
        self.twin.follow(id, sequence)
        self.switches.show_attitude(self.attitude)

    def _switched(self, id: Id) -> float | None:
        """When the run that is shown had left the angles of a body; None if it has not."""
        now = self.playback.time
        events = lock_events(self.playback.results)
        times = [e.t for e in events if e.kind == "gimbal switch" and id in e.ids and e.t <= now]
        return times[-1] if times and self.sequences.currentData() == AS_RUN else None

    def _why_nothing(self) -> str:
        if self.document.shown.dim == 2:
            return self.tr(
                "This model lies in the plane: a body there has a single angle, which cannot lock. "
                "Open a model in space to see its rings."
            )
        return self.tr("No body of this model can turn in space yet. Draw one to see its rings.")

    def _why_still(self) -> str:
        """Why the rings cannot be turned by hand; empty if they can."""
        if self.playback.current is not None:
            return self.tr(
                "The rings follow the run that is shown. Return to the design pose to turn them."
            )
        return ""

    def _attitude(self, id: Id, sequence: str) -> Attitude | None:
        """The body now, by the angles nearest to those that were shown last."""
        near = None
        if self._near is not None and self._near[:2] == (id, sequence):
            near = self._near[2]
        results, q = self.playback.results, self.playback.pose()
        if results is None or q is None:
            found = drawn_attitude(self.document.shown, id, sequence, near)
        else:
            found = run_attitude(results, q, self.playback.frame(), id, sequence, near)
        self._near = (id, sequence, found.angles) if found is not None else None
        return found

    def _fill_boxes(self, id: Id) -> None:
        model = self.document.shown
        listed = [(b.id, b.label) for b in turning_bodies(model)]
        if [
            (self.bodies.itemData(n), self.bodies.itemText(n)) for n in range(self.bodies.count())
        ] != listed:
            self.bodies.clear()
            fill_choices(self.bodies, listed)
        self.bodies.setCurrentIndex(self.bodies.findData(id))
        own = ring_sequence(model, model[id])
        first = self.tr("as run: {0}") if self._is_euler(id) else self.tr("as shown: {0}")
        if self.sequences.count() == 0:
            sequences = [(s, s) for s in ORIENTATIONS if s != QUATERNION]
            fill_choices(self.sequences, [(AS_RUN, ""), *sequences])
        if self.sequences.itemText(0) != first.format(own):
            self.sequences.setItemText(0, first.format(own))

    def _is_euler(self, id: Id) -> bool:
        model = self.document.shown
        return integration_of(model, model[id]) != QUATERNION

    # --- edits

    def _grasp(self, _ring: int) -> None:
        if self.attitude is not None:
            self._dragged = self.attitude.angles.copy()

    def _turn(self, ring: int, angle: float) -> None:
        """A ring follows the mouse: a preview."""
        if self._dragged is None or self.attitude is None:
            return
        angles = self._dragged.copy()
        angles[ring] = angle
        self._ring = ring
        self._preview(self.attitude, angles)

    def _preview(self, attitude: Attitude, angles: np.ndarray) -> None:
        model = lock_edits.turned(self.document.model, attitude.id, attitude.sequence, angles)
        self._near = (attitude.id, attitude.sequence, angles)
        self.document.preview(model)
        self.refresh()

    def _let_go(self) -> None:
        """Commit the preview as one edit."""
        dragged, self._dragged = self._dragged, None
        if dragged is not None and self.document.shown is not self.document.model:
            self._keep(self._ring)

    def _keep(self, ring: int) -> None:
        attitude = self.attitude
        if attitude is None:
            return
        old: Any = self.document.model[attitude.id].orientation
        label = self.tr("Turn '{0}' by {1}").format(attitude.label, GREEK[ring])
        self.document.edit(label, self.document.shown)
        if any(isinstance(number, str) for number in old):
            words = self.tr("The formulas of the orientation of '{0}' have become numbers.")
            self.complained.emit(words.format(attitude.label))

    def _type(self, ring: int, angle: float) -> None:
        """An angle was typed: one edit."""
        attitude = self.attitude
        if attitude is None or self._why_still():
            return
        angles = attitude.angles.copy()
        angles[ring] = angle
        try:
            self._preview(attitude, angles)
        except EngineError as error:
            self.complained.emit(error.sentence)
            return
        self._keep(ring)

    # --- the widget

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rings beside the curves, above them, or behind a tab, as there is room."""
        super().resizeEvent(event)
        if self.width() > WIDE * self.height() and self.width() > WIDEST:
            self.arrange("wide")
        else:
            self.arrange("tall" if self.height() > TALL else "tabs")

    def arrange(self, layout: str) -> None:
        """Put the rings "wide", "tall" or among the "tabs"; changes the layout."""
        if layout == self.layout_:
            return
        self.layout_ = layout
        if layout == "tabs":
            self.tabs.insertTab(0, self.rings, self.tr("Rings"))
            self.tabs.setCurrentIndex(0)
            return
        self.splitter.insertWidget(0, self.rings)
        self.rings.show()
        is_wide = layout == "wide"
        self.splitter.setOrientation(
            Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        )
        length = self.width() if is_wide else self.height() - 180
        self.splitter.setSizes([length * 60 // 100, length * 40 // 100])

    def shutdown(self) -> None:
        """End threads before the window is destroyed."""
        self.twin.shutdown()
