"""Where panels are: the stage in the middle, one panel left of it, one right of it, one below.

Each place has the size that the user wants. What a small window cannot give is taken from the places only
while it is small: the wanted sizes stay, so no drawer is crushed for good.
"""

from enum import Enum

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from gui.layout.panel import TITLE, Panel
from gui.look.theme import theme_of

HANDLE = 5  # pixels between two places
LEAST_WIDTH, LEAST_HEIGHT = 180, 110  # of a panel
LEAST_STAGE = QSize(300, 160)
THIRD = 3  # part of the height of the window, for the panel below
HALF = 0.5  # of the height of all places, at most for it
MOST = 0.7  # of the room, for a panel


class Place(Enum):
    """A place beside the stage."""

    LEFT = "left"
    RIGHT = "right"
    BELOW = "below"


class Handle(QWidget):
    """The line between a panel and the stage: drag it, or double-click it for the usual size."""

    dragged = Signal(int)  # by pixels, towards the right or down
    reset = Signal()

    def __init__(self, place: Place, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_flat = place is Place.BELOW
        shape = Qt.CursorShape
        self.setCursor(shape.SizeVerCursor if self.is_flat else shape.SizeHorCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._at: int | None = None
        self.hide()

    def _place(self, event: QMouseEvent) -> int:
        at = event.globalPosition()
        return round(at.y() if self.is_flat else at.x())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take it."""
        self._at = self._place(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Give one side what the other loses."""
        if self._at is not None:
            before, self._at = self._at, self._place(event)
            self.dragged.emit(self._at - before)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let it go."""
        self._at = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The usual size."""
        self.reset.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line with a grip in its middle."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        is_hot = self.underMouse() or self._at is not None
        painter.fillRect(self.rect(), QColor(theme.accent_soft if is_hot else theme.window))
        middle = self.rect().center()
        line = QColor(theme.accent if is_hot else theme.line)
        if self.is_flat:
            painter.fillRect(0, 0, self.width(), 1, line)
            painter.fillRect(middle.x() - 16, 2, 32, 2, QColor(theme.faint))
        else:
            painter.fillRect(middle.x(), 0, 1, self.height(), line)
        painter.end()


class Places(QWidget):
    """Gives the stage and the panels their room; `changed` when another panel is open."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.stage: QWidget | None = None
        self.panels: dict[str, Panel] = {}
        self.place_of: dict[str, Place] = {}
        self.usual: dict[str, int] = {}  # widths; 0: half of the room
        self.wanted: dict[str, int] = {}  # sizes that differ from the usual ones
        self.whole: Panel | None = None  # the panel that has all the room of the stage
        self._before: dict[Place, str] = {}  # what was in a place before a page
        self._is_busy = False
        self.handles = {place: Handle(place, self) for place in Place}
        for place, handle in self.handles.items():
            handle.dragged.connect(lambda by, place=place: self._drag(place, by))
            handle.reset.connect(lambda place=place: self._reset(place))

    # --- what is where

    def set_stage(self, stage: QWidget) -> None:
        """Have this in the middle; changes the window."""
        if self.stage is not None:
            self.stage.hide()
        self.stage = stage
        stage.setParent(self)
        stage.show()
        stage.lower()
        self.arrange()

    def add(self, panel: Panel, place: Place, usual: int) -> None:
        """Keep a place for a panel; changes the window."""
        panel.setParent(self)
        self.panels[panel.name], self.place_of[panel.name] = panel, place
        self.usual[panel.name] = usual
        panel.installEventFilter(self)
        panel.folded.connect(self._on_folded)
        panel.moved_apart.connect(lambda: self._on_apart(panel))
        panel.whole_wanted.connect(lambda: self.give_all(panel))

    def open_in(self, place: Place) -> Panel | None:
        """The panel that is open in a place."""
        return next((p for p in self._all(place) if not p.isHidden() and not p.is_apart), None)

    def _all(self, place: Place) -> list[Panel]:
        return [p for name, p in self.panels.items() if self.place_of[name] is place]

    def close_place(self, place: Place) -> None:
        """Leave a place to the stage; changes the layout."""
        panel = self.open_in(place)
        if panel is not None:
            panel.hide()

    def give_all(self, panel: Panel) -> None:
        """Lay a panel below over the whole stage, or give it its place again; changes the layout."""
        if self.place_of[panel.name] is Place.BELOW and not panel.is_apart:
            panel.set_folded(False)
            self.whole = None if self.whole is panel else panel
            self.arrange()

    def return_to(self, panel: Panel) -> None:
        """Open what was in the place of a page before it; changes the layout."""
        before = self._before.pop(self.place_of[panel.name], "")
        if before and before != panel.name:
            self.panels[before].show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A panel that is shown takes its place from the one that was there."""
        kinds = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)
        if event.type() in kinds and isinstance(watched, Panel) and not self._is_busy:
            watched.toggle.setChecked(not watched.isHidden())
            if not watched.is_apart:
                self._on_shown(watched, is_shown=event.type() == QEvent.Type.ShowToParent)
        return False

    def _on_shown(self, panel: Panel, *, is_shown: bool) -> None:
        self._is_busy = True
        place = self.place_of[panel.name]
        for other in self._all(place) if is_shown else ():
            if other is not panel and not other.isHidden() and not other.is_apart:
                self._before[place] = other.name
                other.hide()
                other.toggle.setChecked(False)
        self._is_busy = False
        if self.whole is not None and self.whole.isHidden():
            self.whole = None
        self.arrange()
        self.changed.emit()

    def _on_folded(self) -> None:
        self.whole = None
        self.arrange()
        self.changed.emit()

    def _on_apart(self, panel: Panel) -> None:
        if not panel.is_apart:
            panel.setParent(self)
        self.whole = None
        self.arrange()
        self.changed.emit()

    # --- sizes

    def _usual_size(self, panel: Panel) -> int:
        if self.place_of[panel.name] is Place.BELOW:
            return min(self.window().height() // THIRD, round(HALF * self.height()))
        return self.usual[panel.name] or self.width() // 2

    def wanted_size(self, panel: Panel) -> int:
        """The width of a panel beside the stage, or the height of one below, as it is wanted."""
        if panel.is_folded:
            return TITLE
        return self.wanted.get(panel.name, self._usual_size(panel))

    def _drag(self, place: Place, by: int) -> None:
        panel = self.open_in(place)
        if panel is None or panel.is_folded:
            return
        now = panel.height() if place is Place.BELOW else panel.width()
        size = now + by if place is Place.LEFT else now - by
        room = self.height() if place is Place.BELOW else self.width()
        least = LEAST_HEIGHT if place is Place.BELOW else LEAST_WIDTH
        self.wanted[panel.name] = min(max(size, least), round(MOST * room))
        self.whole = None
        self.arrange()

    def _reset(self, place: Place) -> None:
        panel = self.open_in(place)
        if panel is not None:
            self.wanted.pop(panel.name, None)
            self.whole = None
            self.arrange()

    def arrange(self) -> None:
        """Give everything its room; the stage changes its size once."""
        if self.stage is None or self.width() < 2:
            return
        left, right = self.open_in(Place.LEFT), self.open_in(Place.RIGHT)
        wide = self._widths([panel for panel in (left, right) if panel is not None])
        x, end = 0, self.width()
        if left is not None:
            left.setGeometry(0, 0, wide[left], self.height())
            self._lay_handle(Place.LEFT, QRect(wide[left], 0, HANDLE, self.height()))
            x = wide[left] + HANDLE
        if right is not None:
            end = self.width() - wide[right]
            right.setGeometry(end, 0, wide[right], self.height())
            end -= HANDLE
            self._lay_handle(Place.RIGHT, QRect(end, 0, HANDLE, self.height()))
        self.handles[Place.LEFT].setVisible(left is not None)
        self.handles[Place.RIGHT].setVisible(right is not None)
        self._arrange_middle(QRect(x, 0, end - x, self.height()))

    def _arrange_middle(self, room: QRect) -> None:
        """The stage and the panel below it."""
        assert self.stage is not None
        below, handle = self.open_in(Place.BELOW), self.handles[Place.BELOW]
        has_handle = below is not None and not below.is_folded and self.whole is not below
        handle.setVisible(has_handle)
        if below is None:
            self.stage.setGeometry(room)
            return
        gap = 0 if below.is_folded else HANDLE
        most = max(room.height() - LEAST_STAGE.height() - gap, LEAST_HEIGHT)
        height = min(self.wanted_size(below), most)
        stage = QRect(room.x(), 0, room.width(), room.height() - height - gap)
        self.stage.setGeometry(stage)
        if self.whole is below:
            below.setGeometry(room)  # over the stage, which keeps its size
            below.raise_()
            return
        below.setGeometry(room.x(), stage.height() + gap, room.width(), height)
        if has_handle:
            self._lay_handle(Place.BELOW, QRect(room.x(), stage.height(), room.width(), gap))

    def _widths(self, panels: list[Panel]) -> dict[Panel, int]:
        """The widths of the panels beside the stage, less than wanted where the window is narrow."""
        wanted = {panel: self.wanted_size(panel) for panel in panels}
        room = self.width() - LEAST_STAGE.width() - HANDLE * len(panels)
        total = sum(wanted.values())
        if total <= room or not total:
            return wanted
        return {p: max(round(w * room / total), LEAST_WIDTH) for p, w in wanted.items()}

    def _lay_handle(self, place: Place, rect: QRect) -> None:
        self.handles[place].setGeometry(rect)
        self.handles[place].raise_()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give everything its room again."""
        super().resizeEvent(event)
        self.arrange()

    def minimumSizeHint(self) -> QSize:
        """As small as the stage may become beside a panel."""
        return QSize(LEAST_STAGE.width() + LEAST_WIDTH, LEAST_STAGE.height())
