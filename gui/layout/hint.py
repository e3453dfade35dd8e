"""What the active tool expects next: whole, at the lower middle of the stage, never in the way."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QWidget

ABOVE = 8  # pixels from the lower edge
BESIDE = 190  # pixels left and right, where the scale and the axes are, and what arrows mean
NARROW, LITTLE = 800, 150  # a narrower stage leaves less beside it
LEAST = 220
TWO_LINES = 1.85  # times the width of a line, with room for words that do not break
LOW = 260  # pixels: on a lower stage the drawing needs the room
SCALE = 46  # pixels from the lower edge, above the scale
STEP = 8  # pixels by which lines are shortened


class Hint(QLabel):
    """A sentence over a widget; the mouse goes through it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.over = over
        self.gives_way = False
        self.setObjectName("hint")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        over.installEventFilter(self)

    def say(self, words: str, *, gives_way: bool = False) -> None:
        """Show a sentence; an empty one hides the hint, and so does a low stage one that gives way."""
        self.setText(words)
        self.gives_way = gives_way
        self._place()

    def _place(self) -> None:
        """In one line if it fits, else in several."""
        is_in_the_way = self.gives_way and self.over.height() < LOW
        self.setVisible(bool(self.text()) and not is_in_the_way)
        beside = BESIDE if self.over.width() > NARROW else LITTLE
        room, above = max(self.over.width() - 2 * beside, LEAST), ABOVE
        needed = self.fontMetrics().horizontalAdvance(self.text()) + 24
        if needed > TWO_LINES * room:  # rather above the scale, where the stage is wide
            room, above = max(self.over.width() - 2 * ABOVE, LEAST), SCALE
        self.setWordWrap(needed > room)
        width = min(needed, room)
        height = self.heightForWidth(width) if needed > room else self.sizeHint().height()
        while needed > room and self.heightForWidth(width - STEP) == height:
            width -= STEP  # lines of one length: no single word in the last one
        x = (self.over.width() - width) // 2
        self.setGeometry(x, self.over.height() - height - above, width, height)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the widget below is resized."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False
