"""The owner of the keyboard: the stage has it unless somebody types.

An event filter of the application keeps the table of `key_table.py` for the widgets of one window: fields
keep what is typed from the commands, Enter and Escape return the keyboard to the stage, and so do a closed
list, a closed dialog and whatever had the focus and is hidden. Dialogs are left alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QScrollBar,
    QStatusBar,
    QTabBar,
    QTextEdit,
    QToolBar,
    QWidget,
)
from shiboken6 import isValid

from gui.state.key_table import COMMANDING, KEPT, TYPED, Holder, Keys, group_of

HOLDERS: tuple[tuple[type[QWidget], Holder], ...] = (
    (QPlainTextEdit, Holder.PAGE),
    (QTextEdit, Holder.PAGE),
    (QLineEdit, Holder.FIELD),
    (QAbstractSpinBox, Holder.FIELD),
    (QComboBox, Holder.CHOICE),
    (QAbstractButton, Holder.BUTTON),
    (QAbstractSlider, Holder.SLIDER),
    (QAbstractItemView, Holder.LIST),
)
BARS = (QToolBar, QStatusBar)  # Tab goes round in each, and in panels
Type = QEvent.Type
KEYS = (Type.ShortcutOverride, Type.KeyPress, Type.Shortcut)
WATCHED = frozenset((*KEYS, Type.MouseButtonPress, Type.Polish, Type.Hide))
BY_TAB, BY_CLICK = Qt.FocusPolicy.TabFocus, Qt.FocusPolicy.ClickFocus
NO_FOCUS = Qt.FocusPolicy.NoFocus


@contextmanager
def unwatched(application: QApplication) -> Iterator[None]:
    """While no owner of a keyboard sees events: another style sends thousands, and none is typed."""
    owners = [
        one for window in application.topLevelWidgets() for one in window.findChildren(Keyboard)
    ]
    for owner in owners:
        application.removeEventFilter(owner)
    try:
        yield
    finally:
        for owner in owners:
            application.installEventFilter(owner)


class Keyboard(QObject):
    """Gives the keyboard to the stage, and keeps it where somebody types; changes the focus."""

    def __init__(
        self, window: QWidget, stage: Callable[[], Any], first_field: Callable[[], QWidget | None]
    ) -> None:
        super().__init__(window)
        self.window_, self._stage, self._first_field = window, stage, first_field
        self._is_passing = False  # a key goes to its field before the owner looks at the outcome
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        for widget in window.findChildren(QWidget):
            self._set_policy(widget)
        application.installEventFilter(self)
        application.focusChanged.connect(self._on_focus)

    # --- who has it

    def give_back(self) -> None:
        """Give the keyboard to the stage."""
        stage = self._stage()
        active = QApplication.activeWindow()
        if active is not None and active is not self.window_ and self._owns(active):
            self.window_.activateWindow()  # from a panel that floats
        stage.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_typed(self) -> None:
        """Leave a field, which takes its text; a refused text keeps the keyboard."""
        field = QApplication.focusWidget()
        if field is not None and self._owns(field) and self._holder(field) in TYPED:
            self.give_back()
            if isValid(field) and is_refused(field):
                field.setFocus()

    def _holder(self, widget: QWidget) -> Holder:
        """What kind of widget this is."""
        if widget is self._stage():
            return Holder.STAGE
        if widget.property("is_plot"):
            return Holder.PLOT
        return next((one for cls, one in HOLDERS if isinstance(widget, cls)), Holder.OTHER)

    def _owns(self, widget: QWidget) -> bool:
        """Whether a widget is in this window or in a panel of it that floats; dialogs are not."""
        window: QWidget | None = widget.window()
        if window is not self.window_ and window is not None and _is_panel(window):
            window = window.parentWidget()
        return window is self.window_

    def _on_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Whatever lost the keyboard because it is gone leaves it to the stage."""
        if not isValid(self.window_) or not self.window_.isVisible():
            return
        if new is None:
            others = QApplication.activeModalWidget() or QApplication.activePopupWidget()
            if self.window_.isActiveWindow() and others is None:
                self.give_back()
        elif old is not None and isValid(old) and self._owns(new) and self._owns(old):
            if not old.isVisible():
                self.give_back()

    # --- events

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the table."""
        kind = event.type()
        if kind not in WATCHED or self._is_passing:
            return False
        if kind == Type.Shortcut:
            if isinstance(watched, QAction):
                self._before_command()
            return False
        if not isinstance(watched, QWidget):
            return False
        if kind == Type.Hide:
            self._on_hidden(watched)
            return False
        if not self._owns(watched):
            return False
        if kind == Type.Polish:
            self._set_policy(watched)
        elif kind == Type.MouseButtonPress:
            self._on_press(watched)
        elif isinstance(event, QKeyEvent) and watched is QApplication.focusWidget():
            if kind == Type.ShortcutOverride:
                return self._keeps(watched, event)
            return self._on_key(watched, event)
        return False

    def _set_policy(self, widget: QWidget) -> None:
        """Buttons are reached by Tab, not by the mouse; tab bars and what scrolls not at all."""
        if isinstance(widget, QTabBar | QScrollArea):
            widget.setFocusPolicy(NO_FOCUS)
        elif isinstance(widget, QAbstractButton) and widget.focusPolicy() & BY_CLICK:
            widget.setFocusPolicy(BY_TAB)

    def _on_hidden(self, widget: QWidget) -> None:
        """A list of a combo box or a dialog was closed: the stage has the keyboard again."""
        parent = widget.parentWidget()
        if parent is not None and widget.isWindow() and self._owns(parent):
            if isinstance(widget, QDialog) or isinstance(parent, QComboBox):
                self.give_back()

    def _on_press(self, widget: QWidget) -> None:
        """A press beside a field takes what was typed there."""
        if isinstance(widget, QScrollBar):
            return
        seen: QWidget | None = widget
        while seen is not None and seen is not self.window_:
            if seen.focusPolicy() & BY_CLICK or seen is QApplication.focusWidget():
                return  # it takes the focus by itself
            seen = seen.parentWidget()
        self.take_typed()

    def _before_command(self) -> None:
        """A command works on what was typed, not on what was there before."""
        field = QApplication.focusWidget()
        if field is not None and is_changed(field):
            self.take_typed()

    def _keeps(self, widget: QWidget, event: QKeyEvent) -> bool:
        """Whether a widget keeps a key from the commands of the window; changes the event."""
        group, holder = group_of(event), self._holder(widget)
        if group is None or holder is Holder.STAGE:
            return False
        if group is Keys.UNDO and not is_changed(widget):
            event.ignore()
            return True  # there is nothing to undo in the text: it is for the model
        if holder not in KEPT[group]:
            return False
        event.accept()
        return True

    def _on_key(self, widget: QWidget, event: QKeyEvent) -> bool:
        """Enter and Escape leave a field after it has used them; Tab goes round in a panel."""
        group, holder = group_of(event), self._holder(widget)
        if group is Keys.TAB:
            return self._on_tab(widget, holder, forward=event.key() == Qt.Key.Key_Tab)
        if holder is Holder.STAGE:
            return False
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        takes = is_enter and holder in (Holder.FIELD, Holder.CHOICE)
        if is_enter and holder is Holder.PAGE:
            takes = bool(event.modifiers() & COMMANDING)
        if not takes and group is not Keys.ESCAPE:
            return False
        if not (takes and holder is Holder.PAGE):  # there the text is taken by leaving
            self._pass_on(widget, event)
        if not isValid(widget) or not is_refused(widget):
            self.give_back()
            if isValid(widget) and is_refused(widget):
                widget.setFocus()
        return True

    def _pass_on(self, widget: QWidget, event: QKeyEvent) -> None:
        """Let a field work with a key first, so that the next key finds the stage."""
        self._is_passing = True
        try:
            QCoreApplication.sendEvent(widget, event)
        finally:
            self._is_passing = False

    # --- Tab

    def _on_tab(self, widget: QWidget, holder: Holder, *, forward: bool) -> bool:
        """The next number of the tool, the first field, or the next one of the panel."""
        if holder is Holder.STAGE:
            wants_tab = getattr(self._stage(), "tool_wants_tab", None)
            if wants_tab is not None and wants_tab(forward):
                return False
            target = self._first_field()
        elif _is_in_list(widget):
            return False  # the list goes to the next cell
        else:
            target = _next_in_panel(widget, forward)
        if target is not None:
            reason = Qt.FocusReason
            target.setFocus(reason.TabFocusReason if forward else reason.BacktabFocusReason)
            _show_whole(target)
        return True


def is_refused(field: QWidget) -> bool:
    """Whether the text of a field cannot be accepted."""
    return bool(field.property("wrong"))


def is_changed(field: QWidget) -> bool:
    """Whether something was typed into a field that it has not taken yet."""
    if isinstance(field, QLineEdit):
        return field.isModified()
    return isinstance(field, QPlainTextEdit) and field.document().isModified()


def _is_panel(widget: QWidget) -> bool:
    """Whether a widget is a panel of the window, which may have a window of its own."""
    return bool(widget.property("is_panel"))


def _is_in_list(widget: QWidget) -> bool:
    """Whether a widget edits a cell of a list."""
    seen = widget.parentWidget()
    while seen is not None and not seen.isWindow():
        if isinstance(seen, QAbstractItemView):
            return True
        seen = seen.parentWidget()
    return False


def _next_in_panel(widget: QWidget, forward: bool) -> QWidget | None:
    """The next widget of the same panel that takes the keyboard by Tab; after the last the first."""
    panel, seen = widget, widget
    while (
        not _is_panel(panel)
        and not isinstance(panel, BARS)
        and (parent := panel.parentWidget()) is not None
    ):
        panel = parent
    while True:
        after = seen.nextInFocusChain() if forward else seen.previousInFocusChain()
        if after is None or after is widget:
            return None
        seen = after
        stops = seen.focusPolicy() & BY_TAB and seen.focusProxy() is None
        if stops and seen.isVisible() and seen.isEnabled() and panel.isAncestorOf(seen):
            return seen


def _show_whole(widget: QWidget) -> None:
    """Scroll to a widget that has got the keyboard."""
    seen = widget.parentWidget()
    while seen is not None:
        if isinstance(seen, QScrollArea):
            seen.ensureWidgetVisible(widget)
        seen = seen.parentWidget()
