"""A sentence of which few lines are shown until somebody wants to read it whole."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QTextLayout
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from gui.look.tooltips import as_text

LINES = 2


class ShortLabel(QLabel):
    """Plain text in at most two lines; `cut` says when there is more of it, and when there is not."""

    cut = Signal(bool)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.full, self.is_whole, self.is_cut = text, False, False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_whole(self) -> None:
        """Show all lines from now on; changes the label."""
        self.is_whole = True
        self._fill()
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """Its height follows from its width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Of the lines that are shown."""
        n = len(self._starts(width))
        return (n if self.is_whole else min(n, LINES)) * self.fontMetrics().lineSpacing()

    def sizeHint(self) -> QSize:
        """As wide as the sentence, in one line."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.full) + 2, metrics.lineSpacing())

    def minimumSizeHint(self) -> QSize:
        """It may be narrow."""
        return QSize(80, self.fontMetrics().lineSpacing())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut for the new width."""
        super().resizeEvent(event)
        self._fill()

    def _fill(self) -> None:
        """Show what there is room for, and tell whether that is all."""
        starts = self._starts(self.width())
        is_cut = not self.is_whole and len(starts) > LINES
        text = self.full
        if is_cut:
            last = starts[LINES - 1]
            end = Qt.TextElideMode.ElideRight
            text = text[:last] + self.fontMetrics().elidedText(text[last:], end, self.width())
        self.setText(text)
        self.setToolTip(as_text(self.full) if is_cut else "")
        if is_cut != self.is_cut:
            self.is_cut = is_cut
            self.cut.emit(is_cut)

    def _starts(self, width: int) -> list[int]:
        """Where its lines begin if it is as wide as this."""
        layout = QTextLayout(self.full, self.font())
        layout.beginLayout()
        starts = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(max(width, 1))
            starts.append(line.textStart())
        layout.endLayout()
        return starts or [0]
