"""The overlay of F1: every key of the window on one page."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QMenu, QVBoxLayout, QWidget

from gui.look.theme import theme_of
from gui.state.key_table import NO_COMMAND, rows_in_words

Group = tuple[str, list[tuple[str, str]]]  # a title; keys and words

MOUSE: tuple[tuple[str, str], ...] = (
    ("Wheel", "Zoom at the cursor"),
    ("Middle drag", "Move the view"),
    ("Shift+click", "Add to the selection"),
    ("Drag on empty stage", "Select by a box"),
    ("Ctrl while drawing", "No snapping"),
    ("Alt while drawing", "Do not join"),
    ("Digits while drawing", "Length; Tab: angle"),
)
MOUSE_IN_SPACE: tuple[tuple[str, str], ...] = (
    ("Drag beside", "Turn the view"),
    ("Right drag", "Turn it, over bodies too"),
    ("Middle drag", "Move the view"),
    ("Wheel", "Zoom at the cursor"),
    ("Click the cube", "Look from that side"),
    ("Shift+click", "Add to the selection"),
    ("Ctrl+drag", "Select by a box; Shift adds"),
    ("Click again", "Select what lies behind"),
    ("Drag a handle", "Move, turn; type how far"),
    ("Ctrl while drawing", "No snapping"),
)
COLUMNS = 4
MOST_ROWS = 22  # rows of a group; longer ones are split


class KeyMap(QWidget):
    """A veil over the window with a card of keys; any key or click closes it."""

    def __init__(self, over: QWidget, groups: list[Group]) -> None:
        super().__init__(over)
        self.setObjectName("key_map")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        theme = theme_of(self.palette())
        self.setStyleSheet(
            "QWidget#key_map { background: rgba(0, 0, 0, 120); }"
            f"QLabel[keys='true'] {{ background: {theme.window}; color: {theme.ink}; border: 1px solid"
            f" {theme.line}; border-radius: 4px; padding: 1px 6px; font-weight: 600; }}"
        )
        self.groups = groups
        card = QFrame()
        card.setObjectName("card")
        column = QVBoxLayout(card)
        column.setContentsMargins(24, 16, 24, 14)
        column.setSpacing(8)
        title = QLabel(_tr("Keys"))
        title.setProperty("role", "title")
        column.addWidget(title)
        columns = QHBoxLayout()
        columns.setSpacing(26)
        for part in _in_columns(groups):
            one = QVBoxLayout()
            one.setSpacing(6)
            for heading, rows in part:
                one.addWidget(_group(heading, rows))
            one.addStretch(1)
            columns.addLayout(one)
        column.addLayout(columns)
        foot = QLabel(_tr("Any key or click closes this page."))
        foot.setProperty("role", "quiet")
        column.addWidget(foot)
        outer = QVBoxLayout(self)
        outer.addWidget(card, 0, Qt.AlignmentFlag.AlignCenter)
        self.setGeometry(over.rect())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show()
        self.raise_()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Any key closes."""
        self._close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Any click closes."""
        self._close()

    def event(self, event: QEvent) -> bool:
        """No shortcut works behind the veil."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def _close(self) -> None:
        self.hide()
        self.deleteLater()


def groups_of(titled: list[tuple[str, list[QAction]]], *, in_space: bool = False) -> list[Group]:
    """Groups of the actions that have a key, and the gestures of the mouse on the stage shown."""
    groups: list[Group] = []
    seen: set[QAction] = set()
    native = QKeySequence.SequenceFormat.NativeText
    for title, actions in titled:
        keyed = [a for a in _with_submenus(actions) if not a.shortcut().isEmpty() and a not in seen]
        seen.update(keyed)
        rows = [
            (a.shortcut().toString(native), a.text().replace("&", "").removesuffix(" ..."))
            for a in dict.fromkeys(keyed)
        ]
        if rows:
            groups.append((title, rows))
    title = _tr("Mouse in space") if in_space else _tr("Mouse")
    gestures = MOUSE_IN_SPACE if in_space else MOUSE
    groups.append((title, [(_tr(keys), _tr(words)) for keys, words in gestures]))
    groups.append((_tr("On the stage"), rows_in_words("stage", NO_COMMAND)))
    groups.append((_tr("In a field"), rows_in_words("field")))
    return groups


def _with_submenus(actions: list[QAction]) -> list[QAction]:
    """Actions in the order of their menu, with those of its submenus that can be done now."""
    found = []
    for action in actions:
        found.append(action)
        if isinstance(menu := action.menu(), QMenu):
            found += [a for a in menu.actions() if a.isEnabled()]
    return found


def _in_columns(groups: list[Group]) -> list[list[Group]]:
    """The groups in columns of about the same height."""
    columns: list[list[Group]] = [[] for _ in range(COLUMNS)]
    heights = [0] * COLUMNS
    for group in sorted(_parted(groups), key=lambda g: -len(g[1])):
        k = heights.index(min(heights))
        columns[k].append(group)
        heights[k] += len(group[1]) + 2
    return columns


def _parted(groups: list[Group]) -> list[Group]:
    """The groups, long ones in two parts, so that all fit on a low screen."""
    found: list[Group] = []
    for title, rows in groups:
        if len(rows) <= MOST_ROWS:
            found.append((title, rows))
        else:
            half = -(-len(rows) // 2)
            found += [(title, rows[:half]), (_tr("{0}, more").format(title), rows[half:])]
    return found


def _group(heading: str, rows: list[tuple[str, str]]) -> QWidget:
    whole = QWidget()
    grid = QGridLayout(whole)
    grid.setContentsMargins(0, 0, 0, 6)
    grid.setVerticalSpacing(4)
    grid.setHorizontalSpacing(12)
    title = QLabel(heading)
    title.setProperty("role", "section")
    grid.addWidget(title, 0, 0, 1, 2)
    for n, (keys, words) in enumerate(rows, 1):
        label = QLabel(keys)
        label.setProperty("keys", True)
        grid.addWidget(label, n, 0, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(QLabel(words), n, 1)
    grid.setColumnStretch(1, 1)
    return whole


def _tr(text: str) -> str:
    return QCoreApplication.translate("KeyMap", text)
