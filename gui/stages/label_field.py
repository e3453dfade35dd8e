"""The field in which a label of the stage is typed over, and the sentence below it."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

WIDTH, HEIGHT = 112, 28  # pixels
WIDEST = 260  # of the sentence
MARGIN = 4


class LabelField(QLineEdit):
    """Takes the place of its label; wrong text stays red with a sentence."""

    left = Signal()  # the keyboard went elsewhere
    given_up = Signal()

    def __init__(self, over: QWidget, text: str, label: QRectF) -> None:
        super().__init__(text, over)
        self.setObjectName("dimension")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sentence = QLabel(over, wordWrap=True)
        self.sentence.setObjectName("card")
        self.sentence.setProperty("role", "wrong")
        self.sentence.setMargin(6)
        self.sentence.hide()
        wide = max(WIDTH, self.fontMetrics().horizontalAdvance(text) + 28, round(label.width()))
        middle = label.center()
        x = min(max(round(middle.x()) - wide // 2, MARGIN), over.width() - wide - MARGIN)
        y = min(max(round(middle.y()) - HEIGHT // 2, MARGIN), over.height() - HEIGHT - MARGIN)
        self.setGeometry(x, y, wide, HEIGHT)
        self.selectAll()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def complain(self, sentence: str) -> None:
        """Draw the frame red and say what is wrong; an empty sentence takes it back."""
        if bool(self.property("wrong")) != bool(sentence):
            self.setProperty("wrong", bool(sentence))
            self.style().unpolish(self)
            self.style().polish(self)
        self.sentence.setVisible(bool(sentence))
        if not sentence:
            return
        over = self.parentWidget()
        assert over is not None
        self.sentence.setText(sentence)
        self.sentence.setFixedWidth(min(WIDEST, over.width() - 2 * MARGIN))
        self.sentence.adjustSize()
        x = min(self.x(), over.width() - self.sentence.width() - MARGIN)
        below = self.geometry().bottom() + 4
        fits = below + self.sentence.height() < over.height()
        self.sentence.move(max(x, MARGIN), below if fits else self.y() - self.sentence.height() - 4)
        self.sentence.raise_()

    def remove(self) -> None:
        """Go away; changes the stage."""
        for widget in (self.sentence, self):
            widget.hide()
            widget.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving the field takes its text."""
        super().focusOutEvent(event)
        stays = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if event.reason() not in stays:
            self.left.emit()
