"""A short message over the stage that disappears by itself, with one button at most."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from gui.look.sentences import said
from gui.look.theme import theme_of

SHOWN = 6000  # ms
FOOT = 44  # pixels below it, where the hint is
MARGINS, LEAST_WIDTH = 90, 160  # pixels: margin around the text, and its minimum width


class Toast(QFrame):
    """A message at the lower edge of a widget; the next one replaces it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.over = over
        self.setObjectName("toast")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 10, 8)
        row.setSpacing(14)
        self.text = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.button = QPushButton()
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(self.text)
        row.addWidget(self.button)
        self._work: Callable[[], object] | None = None
        self.button.clicked.connect(self._act)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.hide)
        over.installEventFilter(self)
        self.hide()

    def say(self, words: str, button: str = "", work: Callable[[], object] | None = None) -> None:
        """Show a message, with a button if there is something to do; changes the toast."""
        self.text.setText(said(words))
        self.button.setText(button)
        self.button.setVisible(bool(button))
        self._work = work
        theme = theme_of(self.over.palette())  # its own has the colours of its last style sheet
        self.setStyleSheet(
            f"QFrame#toast {{ background: {theme.ink}; border-radius: 8px; }}"
            f"QFrame#toast QLabel {{ color: {theme.paper}; }}"
            f"QFrame#toast QPushButton {{ background: transparent; border: 0; font-weight: 600;"
            f" color: {'#8ec2ff' if theme.is_light else '#0b57ad'}; padding: 3px 8px; }}"
        )
        self.show()
        self.raise_()
        self._place()  # now: showing it may change the layout of the widget below
        self._timer.start(SHOWN)

    def _act(self) -> None:
        self.hide()
        if self._work is not None:
            self._work()

    def _place(self) -> None:
        """At the lower edge, in the middle; a long sentence has several lines."""
        over = self.over
        beside = self.button.sizeHint().width() if self.button.text() else 0
        room = max(over.width() - beside - MARGINS, LEAST_WIDTH)
        needed = self.text.fontMetrics().horizontalAdvance(self.text.text()) + 2
        self.text.setWordWrap(needed > room)
        self.text.setFixedWidth(min(needed, room))
        self.adjustSize()
        self.move((over.width() - self.width()) // 2, over.height() - self.height() - FOOT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the widget below is resized."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)
