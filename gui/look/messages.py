"""Bars over the stage: what is wrong, where, and buttons that fix it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.look.buttons import icon_button
from gui.look.icons import icon
from gui.look.sentences import said
from gui.look.short_label import ShortLabel
from gui.look.theme import theme_of

KINDS = ("problem", "warning", "notice")
COLOUR_CHANGES = (
    QEvent.Type.ApplicationPaletteChange,
    QEvent.Type.PaletteChange,
    QEvent.Type.StyleChange,
)
ONE_LINE = 60  # characters that fit beside buttons
MOST = 2  # bars at a time
WIDEST, LEAST, MARGIN = 640, 460, 10  # pixels of a bar, and beside it
Button = tuple[str, Callable[[], object]]


class MessageBar(QFrame):
    """One sentence with its symbol, its buttons and a cross."""

    def __init__(self, kind: str, sentence: str, buttons: Sequence[Button]) -> None:
        super().__init__()
        self.kind = kind
        self.setObjectName("message")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 4)
        row.setSpacing(10)
        self.symbol = QLabel()
        self.text = ShortLabel(sentence)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        is_long = len(sentence) > ONE_LINE and bool(buttons)
        middle = QVBoxLayout() if is_long else QHBoxLayout()  # buttons below a long sentence
        middle.setSpacing(7)
        middle.addWidget(self.text, 1)
        actions = QHBoxLayout()
        actions.setSpacing(8)
        self.buttons = [QPushButton(words) for words, _ in buttons]
        for button, (_, work) in zip(self.buttons, buttons):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.clicked.connect(lambda _=False, work=work: work())
            actions.addWidget(button)
        self.more = QPushButton(QCoreApplication.translate("Messages", "More"))
        self.more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more.setFlat(True)
        self.more.clicked.connect(self.text.show_whole)
        self.text.cut.connect(self.more.setVisible)
        self.more.hide()
        actions.addWidget(self.more)
        if is_long:
            actions.addStretch(1)
        middle.addLayout(actions)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self.symbol, 0, top if is_long else Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(middle, 1)
        self.cross = icon_button("close", QCoreApplication.translate("Messages", "Close"))
        self.cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        row.addWidget(self.cross, 0, top)
        self._colour()

    @property
    def sentence(self) -> str:
        """The words of the message, all of them."""
        return self.text.full

    def _colour(self) -> None:
        theme = theme_of(QGuiApplication.palette())  # its own event follows later
        fill = {"problem": theme.alarm, "warning": theme.caution}.get(self.kind, theme.notice)
        edge = {"problem": theme.problem, "warning": theme.warning}.get(self.kind, theme.accent)
        sheet = (
            f"QFrame#message {{ background: {fill}; border-left: 4px solid {edge}; }}"
            f"QFrame#message QLabel {{ color: {theme.ink}; }}"
        )
        if sheet == self.styleSheet():
            return
        self.setStyleSheet(sheet)
        self.symbol.setPixmap(icon(self.kind).pixmap(18, 18))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() in COLOUR_CHANGES:
            self._colour()


class Messages(QWidget):
    """The bars that are shown, one for each topic; a new message replaces the old of its topic.

    They lie over a widget, at the top in the middle, so that nothing below them moves. Two are seen at a
    time, the gravest and newest first; a button shows the others.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: dict[str, MessageBar] = {}
        self._over: QWidget | None = None
        self._beside: QWidget | None = None  # a card in the upper left corner
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(1)
        self._shows_all = False
        self.others = QPushButton()
        self.others.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.others.clicked.connect(self._show_all)
        self._column.addWidget(self.others, 0, Qt.AlignmentFlag.AlignHCenter)
        self.hide()

    def show_message(
        self, topic: str, kind: str, sentence: str, buttons: Sequence[Button] = ()
    ) -> MessageBar:
        """Show a sentence, of the window or of the engine, with buttons; changes the bars."""
        sentence = said(sentence)
        old = self.bars.get(topic)
        if old is not None and (old.kind, old.sentence) == (kind, sentence):
            return old
        self.clear(topic)
        bar = self.bars[topic] = MessageBar(kind, sentence, buttons)
        bar.cross.clicked.connect(lambda: self.clear(topic))
        bar.text.cut.connect(self._place)
        bar.more.clicked.connect(self._place)
        self._arrange()
        return bar

    def _arrange(self) -> None:
        """Show the gravest and newest bars, each sentence once, and count the others."""
        told: dict[str, MessageBar] = {}
        for bar in sorted(self.bars.values(), key=lambda bar: len(bar.buttons)):
            told[bar.sentence] = bar  # of two topics, the one that offers most
            bar.hide()
        newest = (bar for bar in reversed(list(self.bars.values())) if told[bar.sentence] is bar)
        ranked = sorted(newest, key=lambda bar: KINDS.index(bar.kind))
        hidden = len(ranked) - MOST
        self._shows_all &= hidden > 0
        for n, bar in enumerate(ranked):
            self._column.insertWidget(n, bar)
            bar.setVisible(n < MOST or self._shows_all)
        words = QCoreApplication.translate("Messages", "{0} more")
        self.others.setText(words.format(hidden))
        self.others.setVisible(hidden > 0 and not self._shows_all)
        self.setVisible(bool(self.bars))
        self._place()

    def _show_all(self) -> None:
        """Show every bar, until two are left."""
        self._shows_all = True
        self._arrange()

    def lie_over(self, over: QWidget, beside: QWidget | None = None) -> None:
        """Lie over this widget from now on, right of a card in its corner; changes the bars."""
        self._over, self._beside = over, beside
        self.setParent(over)
        over.installEventFilter(self)
        self.setVisible(bool(self.bars))
        self._place()

    def _place(self, *_: object) -> None:
        """At the upper edge, in the middle; right of the card, or below it where that is too narrow."""
        if self._over is None or not self.bars:
            return
        left = top = MARGIN
        if self._beside is not None and self._beside.isVisible():
            card = self._beside.geometry()
            if self._over.width() - card.right() - 2 * MARGIN >= LEAST:
                left += card.right()
            else:
                top += card.bottom()
        for bar in self.bars.values():
            bar.updateGeometry()  # its sentence may be shown whole now
        width = min(self._over.width() - left - MARGIN, WIDEST)
        height = self._column.totalHeightForWidth(width)
        middle = (self._over.width() - width) // 2
        self.setGeometry(max(middle, left), top, width, height)
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay in place when the widget below is resized."""
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self._place()
        return super().eventFilter(watched, event)

    def clear(self, topic: str) -> None:
        """Take the message of this topic away, if there is one; changes the bars."""
        bar = self.bars.pop(topic, None)
        if bar is not None:
            self._column.removeWidget(bar)
            bar.hide()
            bar.deleteLater()
        self._arrange()

    def sentence(self, topic: str) -> str:
        """The sentence that is shown on a topic, or an empty text."""
        return self.bars[topic].sentence if topic in self.bars else ""
