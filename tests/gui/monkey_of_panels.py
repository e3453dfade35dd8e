"""What the monkey does beside the stage: pages, workspaces, the finder, fields of panels and dialogs.

It opens every page and works its fields, opens a model with each kind of element and every example, drops
files that are models, meshes, robots or rubbish, and says what it has reached.
"""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent
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
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from assets import example_paths
from engine.editing.robots.writing import write_robot
from engine.errors import EngineError
from engine.files.model_files import dumps, load
from engine.model.elements import Model
from gui.window.pages import PAGES
from tests.engine.every_kind import CASES, model_with

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
PLAIN = Qt.KeyboardModifier.NoModifier
FIELDS = (
    *(QAbstractButton, QComboBox, QAbstractSlider, QAbstractSpinBox, QLineEdit, QPlainTextEdit),
    *(QAbstractItemView, QTabBar),
)
WORDS = (
    *("", "0", "1", "-3", "0.5", "1e9", "1e308", "nan", "30 mm", "2*", "1/0", "sin(3*t)", "t"),
    *("pen", "rod", "<b>x</b>", "%s", "'''", "a" * 300, "equations", "export", "\u00e4\u03c9"),
)
KEYS = (
    *(Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Down, Qt.Key.Key_Up),
    *(Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Space, Qt.Key.Key_Delete),
)
MOST_ELEMENTS = 60  # of an example that is opened; larger ones make every event dear
RUBBISH = {
    "empty.json": "",
    "list.json": "[1, 2",
    "deep.json": "[" * 3000,
    "mesh.stl": "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
    "mesh.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    "robot.urdf": "<robot name='x'><link name='a'/><joint type='ball'/></robot>",
    "note.txt": "no model",
}


def droppable(folder: Path) -> list[Path]:
    """Files to drop, written into a folder: models of each kind, robots, meshes, rubbish, one not there."""
    found = [*example_paths().values(), folder / "gone.json", folder]
    for name, text in RUBBISH.items():
        (folder / name).write_text(text, encoding="utf-8")
        found.append(folder / name)
    for kind, dim in CASES:
        path = folder / f"{kind.kind}_{dim}.json"
        path.write_text(dumps(model_with(kind, dim)[0]), encoding="utf-8")
        found.append(path)
    for name in ("robot_arm_in_space", "six_body_tree"):
        for suffix in (".urdf", ".xml"):
            path = folder / f"{name}{suffix}"
            try:
                write_robot(load(example_paths()[name]), path)
            except EngineError:
                continue
            found.append(path)
    return found


class PanelMoves:
    """Moves of the monkey beside the stage; `reached` counts elements, pages, dialogs and fields."""

    window: Any
    random: Random
    note: Any
    mouse: Any
    folder: Path
    drops: list[Path]
    reached: Counter[str]
    dims: tuple[int, ...] = (2, 3)  # of the models it opens

    def reach(self) -> None:
        """Note which kinds of elements and which pages are there now; changes the counts."""
        model = self.window.document.model
        self.reached.update({f"element {element.kind}" for element in model})
        shapes = {getattr(getattr(e, "shape", None), "kind", "") for e in model} - {""}
        self.reached.update(f"shape {kind}" for kind in shapes)
        shown = [name for name, panel in self.window.docks.items() if panel.isVisible()]
        self.reached.update(f"panel {name}" for name in shown)
        run = self.window.playback.current
        if run is not None:
            self.reached.update({f"run of {element.kind}" for element in run.results.model})

    def open_page(self) -> None:
        """Open a page of Learn or Analyse, as its row or key does."""
        page = self.random.choice(PAGES)
        self.note(f"page {page.name}")
        self.window.commands[page.name].trigger()

    def change_workspace(self) -> None:
        """Change to another workspace."""
        name = self.random.choice(("draw", "run", "learn", "analyse"))
        self.note(f"workspace {name}")
        self.window.commands[f"work_{name}"].trigger()

    def use_panel(self) -> None:
        """Work some fields of one panel that is open."""
        shown = [panel for panel in self.window.docks.values() if panel.isVisible()]
        if shown:
            panel = self.random.choice(shown)
            for _ in range(self.random.randint(1, 4)):
                self.use_field(panel)

    def use_field(self, owner: QWidget) -> None:
        """Work a random field in a widget: press, choose, type, scroll."""
        found = [w for kind in FIELDS for w in owner.findChildren(kind)]
        found = [w for w in found if w.isVisible() and w.isEnabled() and w.height() > 0]
        if not found:
            return
        field = self.random.choice(found)
        self.reached[f"field {type(field).__name__} of {type(owner).__name__}"] += 1
        self.note(f"field {type(field).__name__} {field.objectName()}", 2)
        if isinstance(field, QComboBox):
            n = self.random.randrange(max(1, field.count()))
            field.setCurrentIndex(n)
            field.activated.emit(n)
        elif isinstance(field, QAbstractSlider):
            field.setValue(self.random.randint(field.minimum(), field.maximum()))
        elif isinstance(field, QLineEdit | QAbstractSpinBox | QPlainTextEdit):
            field.setFocus()
            if isinstance(field, QLineEdit):
                field.selectAll()
            self._type(field, self.random.choice(WORDS)[:40])
            self._key(field, self.random.choice(KEYS[:3]))
        elif isinstance(field, QAbstractItemView):
            inside = field.viewport()
            self._click(inside, QPoint(20, self.random.randrange(max(1, inside.height()))))
            self._key(field, self.random.choice(KEYS))
        else:
            self._click(field, self._place_in(field))

    def find(self) -> None:
        """Open the finder, type, choose something or not."""
        self.note("find")
        self.window.commands["find"].trigger()
        field = self.window.session.finder.findChild(QLineEdit)
        self._type(field, self.random.choice(WORDS)[:12])
        for _ in range(self.random.randint(0, 4)):
            self._key(field, Qt.Key.Key_Down)
        chosen = self.window.session.finder.chosen
        if chosen is None or "quit" in chosen.title.lower():
            self._key(field, Qt.Key.Key_Escape)
        else:
            self.reached["found something"] += 1
            self._key(field, self.random.choice(KEYS[:2]))

    def drop(self) -> None:
        """Drop files on the window."""
        paths = self.random.sample(self.drops, self.random.choice((1, 1, 1, 2)))
        self.note(f"drop {[path.name for path in paths]}", 2)
        self.reached.update(f"dropped {path.suffix or 'folder'}" for path in paths)
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        actions = Qt.DropAction.CopyAction
        at = QPoint(self.window.width() // 2, self.window.height() // 2)
        enter = QDragEnterEvent(at, actions, mime, LEFT, PLAIN)
        QApplication.sendEvent(self.window, enter)
        if enter.isAccepted():
            event = QDropEvent(QPointF(at), actions, mime, LEFT, PLAIN)
            QApplication.sendEvent(self.window, event)

    def open_any(self) -> None:
        """Open a model with some kind of element, or any example that is not too large."""
        if self.random.random() < 0.6:
            kind, dim = self.random.choice([case for case in CASES if case[1] in self.dims])
            self.note(f"open a model with {kind.kind}")
            self.window.document.new(model_with(kind, dim)[0])
        else:
            name = self.random.choice(sorted(example_paths()))
            model: Model = load(example_paths()[name])
            if model.dim in self.dims and len(model.elements) <= MOST_ELEMENTS:
                self.note(f"open {name}")
                self.window.document.new(model)
        ids = list(self.window.document.model.elements)
        if ids:
            self.window.selection.set([self.random.choice(ids)])

    def resize(self) -> None:
        """Give the window another size."""
        width, height = self.random.choice(((1280, 720), (1600, 1000), (900, 600), (1280, 1000)))
        self.note(f"resize {width}x{height}")
        self.window.resize(width, height)

    def answer(self, dialog: QDialog) -> None:
        """Work a field of a dialog before it is closed; what it writes goes into the folder."""
        self.reached[f"dialog {type(dialog).__name__}"] += 1
        if hasattr(dialog, "target"):
            dialog.target.set_path(self.folder / f"export{dialog.target.suffix}")
        if self.random.random() < 0.5:
            self.use_field(dialog)

    def _place_in(self, widget: QWidget) -> QPoint:
        w, h = max(1, widget.width()), max(1, widget.height())
        return QPoint(self.random.randrange(w), self.random.randrange(h))

    def _click(self, widget: QWidget, at: QPoint) -> None:
        self.note(f"click {type(widget).__name__}", 2)
        self.mouse(widget, QEvent.Type.MouseButtonPress, at, LEFT, LEFT, PLAIN)
        if isValid(widget):
            self.mouse(widget, QEvent.Type.MouseButtonRelease, at, LEFT, NONE, PLAIN)

    def _key(self, widget: QWidget, key: Qt.Key) -> None:
        self._send(widget, key, {Qt.Key.Key_Return: "\r", Qt.Key.Key_Space: " "}.get(key, ""))
        self.note(f"key {key.name}", 2)

    def _type(self, widget: QWidget, text: str) -> None:
        self.note(f"type {text}", 2 * len(text))
        for letter in text:
            self._send(widget, Qt.Key.Key_unknown, letter)

    def _send(self, widget: QWidget, key: Qt.Key, text: str) -> None:
        """Press and release a key, if what it is sent to is still there."""
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            if isValid(widget):
                QApplication.sendEvent(widget, QKeyEvent(kind, key, PLAIN, text))
