"""Random testing of the window: a seeded stream of clicks, drags, keys, commands and changes of panels."""

import random
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QDrag, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from assets import example_paths
from engine.files.model_files import dumps, load, loads
from engine.model.elements import planar
from gui.look.theme import DARK, LIGHT, palette_of
from tests.gui.monkey_of_panels import PanelMoves, droppable

LEFT, MIDDLE, RIGHT, NONE = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
    Qt.MouseButton.NoButton,
)
PLAIN = Qt.KeyboardModifier.NoModifier
MODIFIERS = (
    *[PLAIN] * 6,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
LETTERS = "LBOYNGRPWIXKDHFMT0123456789.+-"
SPECIAL = (
    *(Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Delete, Qt.Key.Key_Space),
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Backspace),
)
BREATH = 12  # gestures after which timers, threads and paints are processed
PLACES = 12  # of a grid on the stage on which half of the clicks fall, so that things meet


class Monkey(PanelMoves):
    """Plays with a window; `events` counts what it sent, `log` keeps the last of it.

    Files that it drops or writes are in the folder.
    """

    left_out: tuple[str, ...] = ("quit",)  # commands that would end the test
    most_elements = 60  # then it starts over, so that every event stays cheap

    dims = (2,)

    def __init__(self, window: Any, seed: int, folder: Path) -> None:
        self.window = window
        self.random = random.Random(seed)
        self.folder, self.drops = folder, droppable(folder)
        self.reached: Counter[str] = Counter()
        self.events = 0
        self.log: deque[str] = deque(maxlen=60)
        self.keeper = QTimer(window, interval=1)
        self.keeper.timeout.connect(self._close_dialogs)
        self.keeper.start()
        self.plays: tuple[tuple[Callable[[], None], int], ...] = (
            (self.click_stage, 26),
            (self.drag_stage, 26),
            (self.move_over_stage, 12),
            (self.take_tool, 12),
            (self.press_key, 20),
            (self.click_anywhere, 14),
            (self.command, 12),
            (self.undo_or_redo, 8),
            (self.wheel, 4),
            (self.run_or_cancel, 5),
            (self.toggle_panel, 2),
            (self.switch_theme, 1),
            (self.open_something, 1),
            (self.scrub, 4),
            (self.use_panel, 14),
            (self.open_page, 4),
            (self.change_workspace, 2),
            (self.open_any, 3),
            (self.find, 3),
            (self.drop, 2),
            (self.resize, 1),
        )

    def play(self, n_events: int) -> None:
        """Send at least the given number of events, every move once to begin with.

        Changes whatever the window allows.
        """
        stop = self.events + n_events
        moves, weights = zip(*self.plays)
        first = self.random.sample(moves, len(moves))
        turns = 0
        while self.events < stop:
            move = first.pop() if first else self.random.choices(moves, weights)[0]
            move()
            turns += 1
            if turns % BREATH == 0:
                self.breathe()
            if len(self.window.document.model.elements) > self.most_elements:
                self.note("start anew")
                self.window.document.new(self.nothing())
        self.breathe()

    def breathe(self) -> None:
        """Let the window do what waits, and delete what was closed, as the loop of the program does."""
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.reach()

    def stop(self) -> None:
        """Release the window; changes the monkey."""
        self.keeper.stop()

    def check(self) -> None:
        """The model can be written and read back as it is."""
        model = self.window.document.model
        assert loads(dumps(model)) == model, self.story()

    def story(self) -> str:
        """The last things it did."""
        return f"after {self.events} events: " + " | ".join(self.log)

    def note(self, what: str, count: int = 1) -> None:
        """Count events and remember them."""
        self.events += count
        self.log.append(what)

    # --- actions

    def click_stage(self) -> None:
        """Press and release at a place of the stage; sometimes twice."""
        view = self.board
        at, button = self.place(), self.random.choice([LEFT] * 8 + [RIGHT, MIDDLE])
        with_keys = self.random.choice(MODIFIERS)
        self.note(f"click {at.x()},{at.y()} {button.name} {with_keys.name}", 2)
        self.mouse(view, QEvent.Type.MouseMove, at, NONE, NONE, with_keys)
        self.mouse(view, QEvent.Type.MouseButtonPress, at, button, button, with_keys)
        self.mouse(view, QEvent.Type.MouseButtonRelease, at, button, NONE, with_keys)
        if self.random.random() < 0.08:
            self.note("double click", 2)
            self.mouse(view, QEvent.Type.MouseButtonDblClick, at, button, button, with_keys)
            self.mouse(view, QEvent.Type.MouseButtonRelease, at, button, NONE, with_keys)

    def drag_stage(self) -> None:
        """Press, move a few times, release."""
        view, button = self.board, self.random.choice([LEFT] * 9 + [MIDDLE])
        with_keys = self.random.choice(MODIFIERS)
        path = [self.place() for _ in range(self.random.randint(2, 24))]
        self.note(f"drag {[(p.x(), p.y()) for p in path]} {with_keys.name}", 2 + len(path))
        self.mouse(view, QEvent.Type.MouseButtonPress, path[0], button, button, with_keys)
        for at in path[1:]:
            self.mouse(view, QEvent.Type.MouseMove, at, NONE, button, with_keys)
            if self.random.random() < 0.02:
                self.press_key()
        self.mouse(view, QEvent.Type.MouseButtonRelease, path[-1], button, NONE, with_keys)

    def move_over_stage(self) -> None:
        """Move without a button."""
        count, view = self.random.randint(1, 30), self.board
        self.note(f"move {count} times", count)
        for _ in range(count):
            self.mouse(view, QEvent.Type.MouseMove, self.place(), NONE, NONE, PLAIN)

    def take_tool(self) -> None:
        """Trigger one of the tools, as its button or letter does."""
        name, action = self.random.choice(list(self.window.strip.actions_.items()))
        self.note(f"tool {name}")
        if action.isEnabled():
            action.trigger()

    def press_key(self) -> None:
        """Press a key where the focus is, shortcuts included."""
        target = QApplication.focusWidget() or self.window.stages.shown
        with_keys = self.random.choice(MODIFIERS)
        key: Any = self.random.choice(SPECIAL)
        if self.random.random() < 0.6:
            key = self.random.choice(LETTERS)
        if with_keys != PLAIN and key in ("Q", "W"):
            return
        self.note(f"key {key} {with_keys.name} to {type(target).__name__}", 2)
        QTest.keyClick(target, key, with_keys)

    def click_anywhere(self) -> None:
        """Click whatever is at a random place of the window."""
        at = QPoint(
            self.random.randrange(self.window.width()), self.random.randrange(self.window.height())
        )
        target = self.window.childAt(at)
        if target is None or target is self.window.menuBar():
            return
        local = target.mapFrom(self.window, at)
        button = self.random.choice([LEFT] * 8 + [RIGHT])
        self.note(f"click {type(target).__name__} {target.objectName()} {button.name}", 2)
        self.mouse(target, QEvent.Type.MouseButtonPress, local, button, button, PLAIN)
        self.mouse(target, QEvent.Type.MouseButtonRelease, local, button, NONE, PLAIN)

    def command(self) -> None:
        """Trigger a command of the menus, those of running and exporting too."""
        menus = self.window.menus
        more = [*menus["run"].actions(), *menus["export"].actions(), *menus["arrows"].actions()]
        action = self.random.choice([*self.window.commands.values(), *more])
        if action.objectName() in self.left_out or action.isSeparator() or not action.isEnabled():
            return
        self.note(f"command {action.objectName() or action.text()}")
        action.trigger()

    def undo_or_redo(self) -> None:
        """Undo or redo some steps."""
        stack = self.window.document.undo_stack
        for _ in range(self.random.randint(1, 4)):
            self.note("undo or redo")
            (stack.undo if self.random.random() < 0.6 else stack.redo)()

    def wheel(self) -> None:
        """Turn the wheel over the stage."""
        at, notches = self.place(), self.random.choice((-1, 1))
        self.note(f"wheel {notches}")
        view = self.board
        event = QWheelEvent(
            QPointF(at),
            QPointF(view.mapToGlobal(at)),
            QPoint(),
            QPoint(0, 120 * notches),
            NONE,
            PLAIN,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QCoreApplication.sendEvent(view, event)
        if self.random.random() < 0.2:
            self.window.stages.fit()

    def run_or_cancel(self) -> None:
        """Run, cancel, go live, or come back from it."""
        simulator = self.window.simulator
        action = self.random.choice(("run", "run", "cancel", "start_live", "stop_live"))
        self.note(action)
        getattr(simulator, action)()

    def scrub(self) -> None:
        """Show another time, as the slider does, or play."""
        self.note("scrub")
        playback = self.window.playback
        playback.scrub(self.random.uniform(-0.1, 1.1) * playback.t_last)
        if self.random.random() < 0.3:
            self.window.transport.toggle()

    def toggle_panel(self) -> None:
        """Close a panel, show it again, or let it float."""
        name, dock = self.random.choice(list(self.window.docks.items()))
        self.note(f"panel {name}")
        if self.random.random() < 0.2:
            dock.set_apart(not dock.is_apart)
        else:
            dock.toggle.trigger()

    def switch_theme(self) -> None:
        """Change between light and dark."""
        self.note("theme")
        QApplication.instance().setPalette(palette_of(self.random.choice((LIGHT, DARK))))

    examples: tuple[str, ...] = ("four_bar", "double_pendulum", "crane_trolley")

    def open_something(self) -> None:
        """Open an example, or start over."""
        name = self.random.choice((*self.examples, ""))
        self.note(f"open {name}")
        if name:
            self.window.document.new(load(example_paths()[name]))  # a copy: it may save
        else:
            self.window.document.new(self.nothing())

    # --- sending events

    @property
    def board(self) -> Any:
        """The widget that receives the mouse on the stage that is shown; one that is hidden gets none."""
        shown = self.window.stages.shown
        return shown.viewport() if hasattr(shown, "viewport") else shown

    def nothing(self) -> Any:
        """An empty model."""
        return planar()

    def place(self) -> QPoint:
        """A place of the stage: half of them on a coarse grid, so that clicks meet each other."""
        view = self.board
        x, y = self.random.random(), self.random.random()
        if self.random.random() < 0.5:
            x, y = round(PLACES * x) / PLACES, round(PLACES * y) / PLACES
        return QPoint(round(x * (view.width() - 1)), round(y * (view.height() - 1)))

    def mouse(
        self,
        target: QWidget,
        kind: QEvent.Type,
        at: QPoint,
        button: Qt.MouseButton,
        buttons: Qt.MouseButton,
        with_keys: Qt.KeyboardModifier,
    ) -> None:
        """Send one event of the mouse."""
        event = QMouseEvent(
            kind, QPointF(at), QPointF(target.mapToGlobal(at)), button, buttons, with_keys
        )
        QCoreApplication.sendEvent(target, event)

    def _close_dialogs(self) -> None:
        """Close whatever waits for an answer: menus, dialogs, drags."""
        QDrag.cancel()
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QDialog):
            self.answer(dialog)
            dialog.done(self.random.choice((0, 0, 1)) if self._may_accept(dialog) else 0)
        elif dialog is not None:
            dialog.close()

    def _may_accept(self, dialog: QDialog) -> bool:
        """Whether saying yes does nothing outside the folder of the test."""
        return not hasattr(dialog, "target")
