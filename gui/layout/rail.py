"""The rail at the left: eight named groups of tools, and the drawers below them.

A click takes the tool that a group shows; holding the button, or its right button, lists all of them.
"""

from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QColor,
    QContextMenuEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.layout.tool_sets import ToolSets
from gui.look.icons import icon
from gui.look.theme import theme_of
from gui.look.translation import QT_TRANSLATE_NOOP

N = QT_TRANSLATE_NOOP
WIDTH = 66  # pixels
TALL, LOW, NAMED = 46, 28, 42  # pixels of a button: most, least, and from where it has a name
MARGIN, GAP = 4, 1
HELD = 350  # ms after which a pressed button opens its list
CORNER = 5.0  # pixels of the triangle that tells of a list

GROUPS: tuple[tuple[str, str], ...] = (  # groups of tools from above, and their names
    ("", N("Rail", "Select")),
    ("bodies", N("Rail", "Bodies")),
    ("joints", N("Rail", "Joints")),
    ("contact", N("Rail", "Contact")),
    ("springs", N("Rail", "Springs")),
    ("loads", N("Rail", "Loads")),
    ("drives", N("Rail", "Drives")),
    ("marks", N("Rail", "Marks")),
)
DRAWERS: tuple[tuple[str, str, str], ...] = (  # panels of the left drawer: name, words, symbol
    ("tree", N("Rail", "Model"), "tree"),
    ("parameters", N("Rail", "Parameters"), "parameter"),
    ("runs", N("Rail", "Runs"), "runs"),
)


class RailButton(QToolButton):
    """A symbol with its name below, as far as there is room for it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setText(title)
        self.setCheckable(True)
        self.setIconSize(QSize(21, 21))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def set_height(self, height: int) -> None:
        """Take this height, and leave the name out where it is too low; changes the button."""
        style = Qt.ToolButtonStyle
        has_name = height >= NAMED
        self.setToolButtonStyle(
            style.ToolButtonTextUnderIcon if has_name else style.ToolButtonIconOnly
        )
        self.setFixedSize(WIDTH - 2 * MARGIN + 2, height)


class GroupButton(RailButton):
    """A group of tools: it shows the one that was used last."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.actions_: list[QAction] = []
        self.shown: QAction | None = None  # the tool that a click takes
        self.list = QMenu(self)
        self._held = QTimer(self, singleShot=True, interval=HELD)
        self._held.timeout.connect(self.open_list)

    def show_tools(self, actions: list[QAction]) -> None:
        """Have these tools; changes the button and its list."""
        self.actions_ = actions
        self.list.clear()
        self.list.addActions(actions)
        self.setVisible(bool(actions))
        chosen = next((one for one in actions if one.isChecked()), actions[0] if actions else None)
        if chosen is not None:
            self._show(chosen)

    def follow(self) -> None:
        """Show the active tool if it is one of this group; changes the button."""
        active = next((one for one in self.actions_ if one.isChecked()), None)
        if active is not None:
            self._show(active)
        self.setChecked(active is not None)

    def _show(self, action: QAction) -> None:
        self.shown = action
        self.setIcon(action.icon())
        native = QKeySequence.SequenceFormat.NativeText
        lines = [
            f"{one.text()} &nbsp;<b>{one.shortcut().toString(native)}</b>" for one in self.actions_
        ]
        if len(self.actions_) > 1:
            lines.append(f"<i>{_tr('Hold or right-click for the list.')}</i>")
        else:
            lines = [action.toolTip()]
        self.setToolTip("<br/>".join(lines))

    def open_list(self) -> None:
        """List the tools beside the button."""
        self._held.stop()
        if len(self.actions_) > 1:
            self.setDown(False)
            self.list.popup(self.mapToGlobal(QPoint(self.width() + 3, 0)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to be held."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self._held.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click takes the tool that is shown."""
        was_held = not self._held.isActive()
        self._held.stop()
        super().mouseReleaseEvent(event)
        is_click = event.button() == Qt.MouseButton.LeftButton and not was_held
        if is_click and self.shown is not None and self.rect().contains(event.position().toPoint()):
            self.shown.trigger()
        self.follow()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The right button lists the tools."""
        self.open_list()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The symbol and the name; a triangle in the corner tells that there is a list."""
        super().paintEvent(event)
        if len(self.actions_) < 2:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme_of(self.palette()).quiet))
        x, y = self.width() - 4.0, 4.0 + CORNER
        corner = [QPointF(x, y), QPointF(x - CORNER, y), QPointF(x, y - CORNER)]
        painter.drawPolygon(QPolygonF(corner))
        painter.end()


class Rail(QWidget):
    """The groups of tools above, the drawers below."""

    drawer_wanted = Signal(str)  # the name of a panel; empty: none

    def __init__(self, tools: ToolSets) -> None:
        super().__init__()
        self.setObjectName("rail_of_tools")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tools = tools
        self.setFixedWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        column.setContentsMargins(MARGIN - 1, MARGIN, MARGIN - 1, MARGIN)
        column.setSpacing(GAP)
        self.groups = {name: GroupButton(_tr(title)) for name, title in GROUPS}
        for button in self.groups.values():
            column.addWidget(button)
        column.addStretch(1)
        self.drawers = {
            name: self._drawer(name, _tr(words), symbol) for name, words, symbol in DRAWERS
        }
        for drawer in self.drawers.values():
            column.addWidget(drawer)
        tools.changed.connect(self._fill)
        for action in tools.all_actions():
            action.toggled.connect(self._follow)
        self._fill()

    def _drawer(self, name: str, words: str, symbol: str) -> RailButton:
        """The button that opens a panel in the left drawer, or closes it."""
        button = RailButton(words)
        button.setIcon(icon(symbol))
        button.setToolTip(_tr("{0}: open or close the drawer").format(words))
        button.clicked.connect(lambda on: self.drawer_wanted.emit(name if on else ""))
        return button

    def show_drawer(self, name: str) -> None:
        """Press the button of the drawer that is open; changes the rail."""
        for one, button in self.drawers.items():
            button.setChecked(one == name)

    def button_of(self, tool: str) -> GroupButton:
        """The button of the group that a tool belongs to."""
        return self.groups[self.tools.tools[tool].group]

    def _fill(self) -> None:
        """Have the tools in use; changes the rail."""
        own = self.tools.current
        for name, button in self.groups.items():
            chosen = [own.actions[one] for one, tool in own.tools.items() if tool.group == name]
            button.show_tools(chosen)
        self._follow()

    def _follow(self, *_: object) -> None:
        for button in self.groups.values():
            button.follow()

    def sizeHint(self) -> QSize:
        """As high as buttons with names need."""
        return QSize(WIDTH, self._height(TALL))

    def minimumSizeHint(self) -> QSize:
        """As high as symbols alone need."""
        return QSize(WIDTH, self._height(LOW))

    def _height(self, each: int) -> int:
        return (len(GROUPS) + len(DRAWERS)) * (each + GAP) + 2 * MARGIN

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names where there is room for them, symbols alone on a low screen."""
        super().resizeEvent(event)
        count = len(GROUPS) + len(DRAWERS)
        each = (self.height() - 2 * MARGIN - 8) // count - GAP
        for button in (*self.groups.values(), *self.drawers.values()):
            button.set_height(min(max(each, LOW), TALL))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Rail", text)
