"""Sliders of parameters: the mechanism follows the hand, and letting go is one step of undo."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, QObject, QSizeF, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractSlider, QFrame, QGridLayout, QLabel, QWidget

from engine.editing.edits import Slide
from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.integrators.warm_up import are_compiled
from engine.kinematics.reassembly import Reassembly
from engine.model.elements import Id, Model, put, with_sliders
from gui.forms.fields import tr
from gui.look.buttons import small_button
from gui.look.sentences import said
from gui.look.still import StillSlider
from gui.state.document import Document
from gui.state.preferences import Preferences

STEPS = 1000  # of a slider
MOST_BODIES = 40  # largest model whose joints are closed again while a slider is dragged
PAUSE = 15  # ms between two poses of a drag
LENGTH, PLACE = 132, 12  # pixels of a slider on the stage, and of the card from its corner


def span_of(model: Model, id: Id) -> tuple[float, float]:
    """The ends of a slider: the limits of its parameter, else 0 to twice the value, for 0: -1 to 1."""
    parameter = model[id]
    try:
        known = parameter_values(model)
        now = known[id]
        low, high = (
            None if x is None else value(x, known) for x in (parameter.low, parameter.high)
        )
    except (EngineError, KeyError):
        return 0.0, 1.0
    usual = (min(0.0, 2.0 * now), max(0.0, 2.0 * now)) if now else (-1.0, 1.0)
    low = usual[0] if low is None else low
    high = usual[1] if high is None else high
    return (low, high) if high > low else (low, low + 1.0)


class ParameterSlider(StillSlider):
    """Drags the value of one parameter; changes the document when it is released."""

    begun = Signal()  # before the first change of a drag or key
    told = Signal(str)  # where the last value cannot be assembled; empty if it can
    ended = Signal(bool, bool)  # the drag is over; whether the model was changed, and is assembled

    def __init__(self, id: Id, document: Document) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.id, self.document = id, document
        self.setRange(0, STEPS)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slide: Slide | None = None
        self._start = 0  # where the handle was taken
        self._span = (0.0, 1.0)  # does not change while it is dragged
        self._later = QTimer(self, singleShot=True, interval=PAUSE)
        self._later.timeout.connect(self._preview)
        self.sliderPressed.connect(self._begin)
        self.sliderMoved.connect(lambda _: self._later.isActive() or self._later.start())
        self.sliderReleased.connect(self._end)
        self.actionTriggered.connect(self._on_action)

    def show_model(self) -> None:
        """Follow the value that is shown; a formula cannot be dragged. Changes the slider."""
        model = self.document.shown
        if self.id not in model or self.id not in self.document.model:
            return
        given = model[self.id].value
        is_formula = isinstance(given, str)
        self.setEnabled(not is_formula)
        words = tr("The value is a formula; give a number to use the slider.")
        self.setToolTip(words if is_formula else "")
        if not self.isSliderDown() and not is_formula:
            low, high = self._span = span_of(self.document.model, self.id)
            self.setValue(round(STEPS * (given - low) / (high - low)))

    def asked(self) -> float:
        """The value at the handle; where it was taken, exactly the value of the model."""
        if self._slide is not None and self.sliderPosition() == self._start:
            return float(self._slide.start[self.id].value)
        low, high = self._span
        return float(f"{low + (high - low) * self.sliderPosition() / STEPS:.4g}")

    def _begin(self) -> None:
        self._span = span_of(self.document.model, self.id)
        self._slide, self._start = Slide(self.document.model), self.value()
        self.begun.emit()

    def _preview(self) -> None:
        """Show the pose for the value at the handle, or the last one that closed."""
        if self._slide is not None:
            found = self._to(self._slide)
            self.document.preview(found.model)
            self.told.emit(said(found.sentence))

    def _to(self, slide: Slide) -> Reassembly:
        """The model for the value at the handle, as far as it can be assembled."""
        number = self.asked()
        if are_compiled() and len(slide.start.of("body")) <= MOST_BODIES:
            try:
                return slide.to({self.id: number})
            except EngineError as error:  # the model is wrong elsewhere, or no such value may be
                return slide.shown._replace(sentence=error.sentence, ids=tuple(error.ids))
        return Reassembly(put(slide.start, replace(slide.start[self.id], value=number)))

    def _end(self) -> None:
        """Take the value at the handle as one step of undo."""
        slide = self._slide
        self._later.stop()
        if slide is None:
            return
        self.told.emit("")
        is_changed, found = self.asked() != slide.start[self.id].value, self._to(slide)
        self._slide = None
        if is_changed:
            try:
                after = found.model if found.is_closed else slide.release().model
            except EngineError as error:
                is_changed, after = False, slide.start
                self.told.emit(said(error.sentence))
            self.document.edit(tr("Change {0}").format(self.id), after)
        else:
            self.document.preview(None)
        self.ended.emit(is_changed, found.is_closed)

    def _on_action(self, action: int) -> None:
        """A step by key or by a click beside the handle is an edit at once."""
        if action != QAbstractSlider.SliderAction.SliderMove.value and not self.isSliderDown():
            self._begin()
            QTimer.singleShot(0, self, self._end)


class SliderRow(QObject):
    """One parameter on the stage: name, slider, value and the pin that takes it away."""

    def __init__(self, id: Id, card: "SliderCard") -> None:
        super().__init__(card)
        self.id, self.card = id, card
        self.name, self.number = QLabel(), QLabel()
        self.slider = ParameterSlider(id, card.document)
        self.slider.setFixedWidth(LENGTH)
        self.slider.begun.connect(card.begun)
        self.slider.ended.connect(card.ended)
        self.slider.told.connect(card.tell)
        self.slider.sliderMoved.connect(lambda _: self._write(self.slider.asked()))
        self.unpin = small_button("pin", tr("Take this slider off the stage"), 14)
        self.unpin.clicked.connect(lambda: pin(card.document, id, False))

    def refresh(self) -> None:
        """Show the value of the model that is shown."""
        model = self.card.document.shown
        if self.id not in model:
            return
        self.name.setText(model[self.id].label)
        self.slider.show_model()
        if not self.slider.isSliderDown():
            try:
                self._write(parameter_values(model)[self.id])
            except EngineError:
                self.number.setText("–")

    def _write(self, number: float) -> None:
        unit = self.card.document.model[self.id].unit
        text, shown = self.card.preferences.shown(float(f"{number:.4g}"), unit)
        self.number.setText(f"{text} {shown}".strip())


class SliderCard(QFrame):
    """The sliders that are pinned to the stage, on a card in its upper left corner."""

    begun = Signal()
    ended = Signal(bool, bool)
    covers = Signal(QSizeF)  # so much of the corner, once it has changed

    def __init__(self, over: QWidget, document: Document, preferences: Preferences) -> None:
        super().__init__(over)
        self.over, self.document, self.preferences = over, document, preferences
        self.setObjectName("card")
        self.rows: dict[Id, SliderRow] = {}
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(12, 8, 8, 8)
        self.grid.setHorizontalSpacing(10)
        self.grid.setVerticalSpacing(4)
        self.sentence = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.sentence.setProperty("role", "wrong")
        self.sentence.hide()
        self.move(PLACE, PLACE)
        self.hide()
        document.committed.connect(self.refresh)
        document.changed.connect(self._follow)
        preferences.changed.connect(self.refresh)
        over.installEventFilter(self)

    def refresh(self, *_: object) -> None:
        """Show the sliders of the model; changes the card."""
        wanted = [id for id in self.document.model.view.sliders if id in self.document.model]
        if wanted != list(self.rows):
            self._build(wanted)
        self._follow()
        self.tell("")
        self.setVisible(bool(wanted))
        self._fit()

    def _build(self, ids: list[Id]) -> None:
        while self.grid.count():
            item = self.grid.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None and widget is not self.sentence:
                widget.hide()
                widget.deleteLater()
        for row in self.rows.values():
            row.deleteLater()
        self.rows = {id: SliderRow(id, self) for id in ids}
        for n, row in enumerate(self.rows.values()):
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            self.grid.addWidget(row.name, n, 0)
            self.grid.addWidget(row.slider, n, 1)
            self.grid.addWidget(row.number, n, 2, right)
            self.grid.addWidget(row.unpin, n, 3)
            for part in (row.name, row.slider, row.number, row.unpin):
                part.show()  # at once: on a card that is seen, Qt would show it after the card is sized
        self.grid.addWidget(self.sentence, len(ids), 0, 1, 4)
        self.grid.setColumnMinimumWidth(2, self.fontMetrics().horizontalAdvance("0.0000 m"))

    def _follow(self, *_: object) -> None:
        for row in self.rows.values():
            row.refresh()

    def tell(self, sentence: str) -> None:
        """Say where the value at the handle cannot be assembled; an empty sentence takes it back."""
        if sentence != self.sentence.text() or self.sentence.isVisible() != bool(sentence):
            self.sentence.setText(sentence)
            self.sentence.setVisible(bool(sentence))
            self._fit()

    def _fit(self) -> None:
        """Take the size that rows and the lines of the sentence need; changes the card."""
        self.grid.activate()
        size = self.sizeHint()
        if self.grid.hasHeightForWidth():
            size.setHeight(self.grid.totalHeightForWidth(size.width()))
        self.resize(size)
        if self.isHidden():
            self.covers.emit(QSizeF(0.0, 0.0))
        elif self.sentence.isHidden():  # which comes and goes
            self.covers.emit(QSizeF(self.width() + PLACE, self.height() + PLACE))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay above what is drawn when another stage is shown."""
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self.raise_()
        return super().eventFilter(watched, event)


def pin(document: Document, id: Id, is_pinned: bool) -> None:
    """Put the slider of a parameter on the stage or take it away, as one step of undo."""
    others = [one for one in document.model.view.sliders if one != id]
    after = with_sliders(document.model, (*others, id) if is_pinned else others)
    words = tr("Put {0} on the stage") if is_pinned else tr("Take {0} off the stage")
    document.edit(words.format(id), after)


def is_pinned(model: Model, id: Any) -> bool:
    """Whether a parameter has a slider on the stage."""
    return id in model.view.sliders
