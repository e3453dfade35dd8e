"""The window: it starts fast, shows every part, asks before work is lost, and keeps its layout."""

import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

import assets
from assets import example_paths
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.atomic import digest
from engine.files.model_files import load, save
from engine.model.catalogue import ELEMENTS
from engine.model.elements import planar
from engine.model.shapes import SHAPES
from gui.look.theme import DARK, LIGHT, theme_of
from gui.window.actions import COMMANDS
from tests.gui.whole_window import WholeWindow

ICON_NAMES = {path.stem for path in assets.ICONS.glob("*.svg")}


def pendulum(name="Pendulum"):
    """A rod on a pin."""
    m = Mechanism(name)
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    return m.model


def answer(monkeypatch, button):
    """Let every question be answered by this button; returns the list of questions asked."""
    asked = []

    def exec_box(box):
        asked.append(box.text())
        return button

    monkeypatch.setattr(QMessageBox, "exec", exec_box)
    return asked


def test_the_frame_is_there_before_the_engine_is_loaded(qtbot, preferences, tmp_path):
    window = WholeWindow(preferences, tmp_path)
    qtbot.addWidget(window)
    assert not window.is_complete
    assert window.menuBar().actions() and set(window.docks) >= {"tree", "properties", "plots"}
    with qtbot.waitSignal(window.completed):
        window.show()
    assert window.is_complete
    qtbot.waitUntil(window.stage.isVisible)


def test_a_command_that_comes_while_the_window_starts_is_obeyed_once_it_is_whole(
    qtbot, preferences, tmp_path
):
    window = WholeWindow(preferences, tmp_path)
    qtbot.addWidget(window)
    for _ in range(2):  # an impatient hand
        window.commands["new_space"].trigger()
    window.commands["trails"].trigger()  # a switch keeps its state by itself
    with qtbot.waitSignal(window.completed):
        window.show()
    qtbot.waitUntil(lambda: window.document.model.dim == 3)
    window.commands["new"].trigger()
    assert window.document.model.dim == 2


def test_every_part_of_the_design_is_in_the_window(window):
    for part in (window.rail, window.stage, window.properties, window.transport, window.top_row):
        assert part.isVisible()
    for drawer in ("tree", "parameters", "runs"):
        window.show_panel(drawer)
        assert window.panels[drawer].isVisible()
    assert window.health.isVisible() and window.hint.text()


def test_every_command_has_an_icon_and_words_and_no_two_share_a_key(window):
    assert {command.name for command in COMMANDS} <= ICON_NAMES
    keys = {}
    for action in window.actions():
        assert action.text()
        for key in action.shortcuts():
            assert keys.setdefault(key.toString(), action) is action, key.toString()


def test_a_disabled_command_says_why(window):
    assert not window.commands["copy"].isEnabled()
    assert "Nothing is selected" in window.commands["copy"].toolTip()
    assert "Run the model first" in window.commands["pose_from_frame"].toolTip()
    window.document.edit("Draw", pendulum())
    window.selection.set(["rod_1"])
    assert window.commands["copy"].isEnabled()
    assert "Nothing" not in window.commands["copy"].toolTip()


def test_the_title_names_the_file_and_marks_changes(window, tmp_path):
    assert not window.isWindowModified()
    window.document.edit("Draw", pendulum())
    assert window.isWindowModified() and "Pendulum" in window.windowTitle()
    window.document.save(tmp_path / "swing.json")
    assert not window.isWindowModified() and "swing.json" in window.windowTitle()


def test_undo_and_redo_name_the_edit_and_restore_the_very_model(qtbot, window):
    before, after = window.document.model, pendulum()
    window.document.edit("Draw a rod", after)
    assert window.commands["undo"].text() == "&Undo draw a rod"
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.model is before
    assert window.commands["redo"].text() == "&Redo draw a rod"
    assert not window.commands["undo"].isEnabled()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, Qt.Key.Key_Z, both)
    assert window.document.model is after


def test_save_asks_for_a_name_once_and_then_writes_there(qtbot, window, tmp_path, monkeypatch):
    path, asked = tmp_path / "new", []

    def name(*arguments):
        asked.append(arguments)
        return str(path), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", name)
    window.document.edit("Draw", pendulum())
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    written = tmp_path / "new.json"
    assert load(written) == window.document.model and len(asked) == 1
    window.document.edit("Rename", replace(pendulum(), name="Other"))
    qtbot.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert load(written).name == "Other" and len(asked) == 1
    assert window.files.recent() == [str(written)]


def test_open_reads_a_file_and_remembers_it(qtbot, window, tmp_path, monkeypatch):
    path = tmp_path / "swing.json"
    save(pendulum(), path)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a: (str(path), ""))
    qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert window.document.model == pendulum() and window.document.is_saved
    menu = window.menus["recent"]
    window.files.fill_recent(menu)
    assert menu.actions()[0].text() == "swing.json"
    window.files.new()
    menu.actions()[0].trigger()
    assert window.document.path == path
    path.unlink()
    window.files.fill_recent(menu)
    assert not menu.actions()[0].isEnabled()
    assert "no longer there" in menu.actions()[0].toolTip()


def test_a_bad_file_is_told_and_the_open_model_stays(window, tmp_path):
    window.document.edit("Draw", pendulum())
    open_model = window.document.model
    path = tmp_path / "broken.json"
    path.write_text("{")
    assert not window.files.open_path(path)
    with pytest.raises(EngineError) as caught:
        load(path)
    assert window.messages.sentence("file") == caught.value.sentence
    assert window.document.model is open_model
    window.messages.bars["file"].cross.click()
    assert not window.messages.isVisible()


@pytest.mark.parametrize("choice", ["Save", "Discard", "Cancel"])
def test_unsaved_changes_are_asked_about(window, tmp_path, monkeypatch, choice):
    asked = answer(monkeypatch, getattr(QMessageBox.StandardButton, choice))
    path = tmp_path / "swing.json"
    window.document.edit("Draw", pendulum())
    window.document.save(path)
    window.commands["new"].trigger()
    assert not asked  # nothing was lost
    window.document.edit("Draw", pendulum("Changed"))
    window.document.path, window.document.content = path, digest(path)
    window.commands["new"].trigger()
    assert len(asked) == 1
    assert (window.document.model.name == "Changed") == (choice == "Cancel")
    assert (load(path).name == "Changed") == (choice == "Save")


def test_cancel_keeps_the_window_open(window, monkeypatch):
    window.document.edit("Draw", pendulum())
    answer(monkeypatch, QMessageBox.StandardButton.Cancel)
    assert not window.close() and window.isVisible()


def test_a_file_dropped_on_the_window_is_opened(window, tmp_path):
    path = tmp_path / "swing.json"
    save(pendulum(), path)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(600, 300), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(600, 300), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(window, drop)
    assert window.document.path == path
    mime.setUrls([QUrl.fromLocalFile(str(tmp_path / "picture.png"))])
    refused = QDragEnterEvent(QPoint(600, 300), Qt.DropAction.CopyAction, mime, left, none)
    refused.ignore()
    QApplication.sendEvent(window, refused)
    assert not refused.isAccepted()


def dropped(window, path):
    """Drop a file onto the window; whether it was taken."""
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(600, 300), Qt.DropAction.CopyAction, mime, left, none)
    enter.ignore()
    QApplication.sendEvent(window, enter)
    drop = QDropEvent(QPointF(600, 300), Qt.DropAction.CopyAction, mime, left, none)
    QApplication.sendEvent(window, drop)
    return enter.isAccepted()


TETRAHEDRON = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""


def test_a_mesh_dropped_on_the_window_becomes_a_body_in_space(qtbot, window, tmp_path):
    path = tmp_path / "part.OBJ"
    path.write_text(TETRAHEDRON)
    window.document.edit("Draw", pendulum())
    assert dropped(window, path) and "in the plane" in window.messages.sentence("mesh")
    assert window.document.model == pendulum()
    window.files.may_leave = lambda: True
    window.commands["new"].trigger()
    assert dropped(window, path)  # an empty model becomes one in space
    qtbot.waitUntil(lambda: len(window.document.model.of("body")) == 1)
    assert window.document.model.dim == 3
    assert window.document.model.of("body")[0].shape.kind == "mesh"


def test_the_question_about_unsaved_work_has_access_keys(window, monkeypatch):
    seen = []

    def look(box):
        seen.extend(button.text() for button in box.buttons())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", look)
    window.document.edit("Draw", pendulum())
    window.commands["new"].trigger()
    assert sorted(seen) == ["&Cancel", "&Discard", "&Save"]


def test_a_key_that_does_nothing_says_why(qtbot, window):
    window.document.edit("Draw", pendulum())
    window.stage.setFocus()
    qtbot.keyClick(window.stage, Qt.Key.Key_Delete)
    assert window.toaster.isVisible() and "Nothing is selected" in window.toaster.text.text()
    window.selection.set(["rod_1"])
    control = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window.stage, Qt.Key.Key_H, control)
    assert window.visibility.hidden == {"rod_1"}
    qtbot.keyClick(window.stage, Qt.Key.Key_Delete)
    assert "what is hidden stays" in window.toaster.text.text()
    assert "rod_1" in window.document.model


def test_panels_float_close_and_come_back_and_the_layout_is_kept(qtbot, open_window):
    window = open_window()
    window.panels["properties"].title.close_button.click()
    assert window.panels["properties"].isHidden()
    window.show_panel("plots")
    window.panels["plots"].title.float.click()
    assert window.panels["plots"].is_apart
    window.resize(QSize(1100, 650).boundedTo(0.9 * window.screen().availableSize()))
    size = window.size()
    window.close()
    again = open_window()
    assert again.panels["properties"].isHidden() and again.panels["plots"].isWindow()
    assert again.size() == size != QSize(1280, 720)  # which a window has at first
    again.commands["reset_layout"].trigger()
    assert again.panels["properties"].isVisible() and not again.panels["plots"].isWindow()


def test_the_theme_can_be_forced_and_colours_everything(qtbot, qapp, window):
    for name, theme in (("dark", DARK), ("light", LIGHT)):
        window.commands[f"theme_{name}"].trigger()
        assert theme_of(qapp.palette()) is theme
        qtbot.waitUntil(lambda theme=theme: theme_of(window.stage.palette()) is theme)
        assert theme.window in qapp.styleSheet()
        assert window.commands[f"theme_{name}"].isChecked()
        assert window.preferences.theme == name


def test_each_tool_is_taken_by_its_letter_and_escape_returns_to_selecting(qtbot, window):
    stage = window.stage
    stage.setFocus()
    letters = [name for name, tool in window.strip.tools.items() if len(tool.letter) == 1][1:]
    assert len(letters) >= 15
    for name in letters:
        key = QKeySequence(window.strip.tools[name].letter)[0].key()
        qtbot.keyClick(stage, key)
        if name != "ground":  # it acts on the selection and is done
            assert stage.tool is window.strip.tools[name], name
            assert window.strip.actions_[name].isChecked()
            assert window.hint.text()
        qtbot.keyClick(stage, Qt.Key.Key_Escape)
        assert stage.tool is None
        assert window.strip.actions_["select"].isChecked()


def test_a_click_on_the_rail_takes_the_tool(qtbot, window):
    qtbot.mouseClick(window.rail.button_of("link"), Qt.MouseButton.LeftButton)
    assert window.stage.tool is window.strip.tools["link"]
    checked = [name for name, action in window.strip.actions_.items() if action.isChecked()]
    assert checked == ["link"]


def test_letters_typed_into_a_field_are_text_and_no_tools(qtbot, window):
    name = window.properties.findChild(type(window.properties.form.rows[0].field), "model.name")
    name.line.setFocus()
    qtbot.keyClicks(name.line, "Lorb")
    assert name.line.text() == "Lorb" and window.stage.tool is None
    qtbot.keyClick(name.line, Qt.Key.Key_Return)
    assert window.document.model.name == "Lorb"


def test_f1_shows_every_key_and_any_key_closes_it(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_F1)
    page = window.keys
    assert page.isVisible()
    shown = {keys for _, rows in page.groups for keys, _ in rows}
    assert {"Ctrl+Z", "L", "Space", "Ctrl+S"} <= shown
    qtbot.keyClick(page, Qt.Key.Key_L)
    assert page.isHidden() and window.stage.tool is None


def test_about_names_the_program(window):
    seen = []

    def look():
        dialog = QApplication.activeModalWidget()
        seen.append(dialog.windowTitle())
        dialog.reject()

    QTimer.singleShot(200, look)
    window.commands["about"].trigger()
    assert seen == ["About Kardan"]


def test_an_example_opens_as_a_copy_and_is_never_overwritten(window, monkeypatch):
    path = example_paths()["four_bar"]
    content = path.read_bytes()
    window.files.open_path(path)
    assert window.document.path is None and window.document.model == load(path)
    window.document.edit("Rename", replace(window.document.model, name="Mine"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a: (str(path), ""))
    assert not window.files.save() and "example of the program" in window.messages.sentence("file")
    window.document.path = path
    assert not window.files.save() and path.read_bytes() == content


def test_a_new_model_has_the_preferred_settings(window):
    window.preferences.set("default_step", 5e-4)
    window.preferences.set("default_method", "heun")
    window.commands["new"].trigger()
    settings = window.document.model.settings
    assert (settings.step, settings.method) == (5e-4, "heun")
    assert window.document.is_saved and window.document.model.elements == planar().elements


def test_every_kind_of_element_and_every_tool_has_an_icon_in_the_one_style(window):
    kinds = {cls.kind for cls in ELEMENTS} | {tool.icon for tool in window.strip.tools.values()}
    shapes = {f"body_{shape.kind}" for shape in SHAPES}
    assert kinds | shapes <= ICON_NAMES
    for path in assets.ICONS.glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert 'viewBox="0 0 24 24"' in text and 'stroke-linecap="round"' in text
        assert path.stem == "check" or 'stroke="currentColor" stroke-width="1.8"' in text


def test_icons_take_the_colour_of_the_theme(qtbot, window):
    dark, light = [], []
    for name, seen in (("theme_dark", dark), ("theme_light", light)):
        window.commands[name].trigger()
        picture = window.commands["open"].icon().pixmap(32, 32).toImage()
        pixels = [picture.pixelColor(x, y) for x in range(32) for y in range(32)]
        seen += [p.lightness() for p in pixels if p.alpha() > 200]
    assert min(dark) > 128 > max(light)


def test_escape_returns_to_selecting_from_any_panel(qtbot, window):
    window.strip.take("link")
    window.show_panel("tree")
    window.tree.setFocus()
    qtbot.keyClick(window.tree, Qt.Key.Key_Escape)
    assert window.stage.tool is None


def test_models_in_space_are_not_drawn_by_plane_tools(qtbot, window):
    window.strip.take("link")
    window.files.open_path(example_paths()["spinning_top"])
    assert window.stage.tool is None
    link = window.strip.actions_["link"]  # of space, or greyed where that cannot be drawn
    greyed = not link.isEnabled() and "in space" in link.toolTip()
    assert window.strip.tools["link"].dim == 3 or greyed
    window.commands["new"].trigger()
    assert window.strip.actions_["link"].isEnabled() and window.strip.tools["link"].dim == 2


def test_space_and_arrows_stay_with_the_widget_that_needs_them(qtbot, window):
    window.document.edit("Draw", pendulum())
    window.selection.set(["rod_1"])
    window.properties.bring_up_to_date()
    fixed = next(r.field for r in window.properties.form.rows if r.place.name == "fixed")
    fixed.box.setFocus()
    qtbot.keyClick(fixed.box, Qt.Key.Key_Space)
    assert window.document.model["rod_1"].fixed and not window.transport.is_playing
    window.show_panel("tree")
    head = window.tree.heads["body"]
    window.tree.setCurrentItem(head)
    window.tree.setFocus()
    qtbot.keyClick(window.tree, Qt.Key.Key_Left)
    assert not head.isExpanded()


def test_taking_up_a_tool_returns_to_the_design_pose(qtbot, window):
    model = replace(pendulum(), settings=replace(pendulum().settings, t_end=0.2))
    window.document.edit("Draw", model)
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=240_000)
    window.simulator.run()
    qtbot.waitUntil(lambda: window.playback.t_last > 0.19, timeout=240_000)
    window.strip.take("link")
    assert window.playback.current is None and "ghost" in window.toaster.text.text()
    assert not window.toaster.button.isVisible()  # there is no edit to take back


def test_the_frame_loads_neither_the_engine_nor_numba_nor_plots():
    code = "import sys, gui.window.app, gui.window.main_window; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not {"numpy", "numba", "pyqtgraph", "engine", "gui.window.workbench"} & loaded


def test_the_thread_that_loads_makes_no_class_of_qt_and_leaves_no_engine_to_the_event_loop():
    code = """
import sys
from importlib import import_module
from gui.window import main_window as frame

def since(known, *packages):
    return [name for name in set(sys.modules) - known if name.split(".")[0] in packages]

before = set(sys.modules)
frame._load()
print(*since(before, "gui", "PySide6", "pyqtgraph", "vtk", "vtkmodules"), "|")
loaded = set(sys.modules)
for name in frame.PARTS:
    import_module(name, frame.__package__)
print(*since(loaded, "engine", "numba", "scipy"), "|")
print(*{"scipy.integrate", "scipy.io", "scipy.optimize"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    of_qt, late, slow = done.stdout.split("|")
    assert not of_qt.split() and not late.split()
    assert not slow.split()  # a tenth of a second each, and no window needs them at its start
