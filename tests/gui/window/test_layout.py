"""The layout: room for the stage, one panel in each place, workspaces that remember, small screens."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from engine.editing.builder import Mechanism
from engine.model.elements import put
from gui.layout.panel import USUAL
from gui.layout.places import HANDLE, LEAST_STAGE, Place
from gui.layout.rail import GROUPS, LOW
from gui.layout.workspaces import WORKSPACES
from gui.window.pages import PAGES

LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier


def pendulum():
    """A rod on a pin."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    return m.model


def heavy(model):
    """The same with a heavier rod."""
    return put(model, replace(model["rod_1"], mass=2.0))


def settle(window, *size):
    """Give the window a size and let it follow."""
    if size:
        window.resize(*size)
    for _ in range(5):
        QApplication.processEvents()


def share(window):
    """The part of the window that the stage has."""
    stage = window.stages
    return stage.width() * stage.height() / (window.width() * window.height())


def opened(window):
    """The panels that are open left, right and below."""
    found = [window.places.open_in(place) for place in Place]
    return [panel.name if panel is not None else "" for panel in found]


def test_the_stage_has_its_share_of_the_window(window):
    window.document.new(pendulum())
    settle(window, 1280, 800)
    assert window.size() == QSize(1280, 800)
    assert share(window) >= 0.6
    window.plots.add_energy_bars()
    settle(window)
    assert opened(window) == ["", "properties", "plots"] and share(window) >= 0.6  # folded
    window.commands["work_run"].trigger()
    settle(window)
    assert opened(window) == ["", "", "plots"] and share(window) >= 0.5
    assert window.panels["plots"].height() == window.height() // 3
    window.plots.clear()
    settle(window)
    assert opened(window) == ["", "", ""] and share(window) >= 0.8


def test_workspaces_change_no_tool_key_or_menu_and_remember_their_panels(qtbot, window):
    def fixed():
        keys = {a.text(): a.shortcut().toString() for a in window.actions()}
        return keys, [a.text() for a in window.menuBar().actions()], list(window.rail.groups)

    before = fixed()
    QTest.mouseClick(window.rail.drawers["tree"], LEFT)
    assert opened(window) == ["tree", "properties", ""] and window.rail.drawers["tree"].isChecked()
    for n, space in enumerate(WORKSPACES, 1):
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_0 + n), Qt.KeyboardModifier.AltModifier)
        assert window.spaces.current == space.name and fixed() == before
        assert window.commands[f"work_{space.name}"].isChecked()
        assert window.top_row.spaces[f"work_{space.name}"].isVisible()
    window.commands["work_draw"].trigger()
    assert opened(window)[:2] == ["tree", "properties"]
    window.commands["work_run"].trigger()
    assert opened(window)[:2] == ["", ""] and not window.rail.drawers["tree"].isChecked()


def test_the_layout_is_kept_between_two_sessions(open_window):
    window = open_window()
    window.commands["work_run"].trigger()
    window.show_panel("runs")
    window.places.handles[Place.LEFT].dragged.emit(40)
    wide = window.panels["runs"].width()
    window.close()
    again = open_window()
    assert again.spaces.current == "run" and opened(again)[0] == "runs"
    assert again.panels["runs"].width() == wide == again.places.usual["runs"] + 40
    again.commands["reset_layout"].trigger()
    assert opened(again)[0] == "" and not again.places.wanted


@pytest.mark.parametrize("text", ["{", "[]", '{"kept": {"draw": 3}, "sizes": [1]}', '{"apart": 5}'])
def test_a_layout_of_another_version_is_left_out(open_window, preferences, text):
    preferences.settings.setValue("window/layout", text)
    assert opened(open_window())[1] == "properties"


def test_one_panel_is_open_in_each_place_and_a_page_gives_its_place_back(window):
    for name in ("parameters", "runs", "tree"):
        window.show_panel(name)
        assert opened(window)[0] == name
    window.commands["gimbal"].trigger()
    assert opened(window)[1] == "gimbal" and window.panels["properties"].isHidden()
    QTest.mouseClick(window.panels["gimbal"].title.close_button, LEFT)
    assert opened(window)[1] == "properties"
    window.commands["gimbal"].trigger()
    QTest.mouseClick(window.panels["gimbal"].title.back, LEFT)
    assert opened(window)[1] == "learn"


def test_every_page_opens_from_its_list_and_in_a_window_of_its_own(window):
    for page in PAGES:
        window.commands[f"work_{page.workspace}"].trigger()
        window.show_panel(page.workspace)
        button = window.panels[page.workspace].content.buttons[page.name]
        QTest.mouseClick(button, LEFT)
        panel = window.panels[page.name]
        assert panel.isVisible() and panel.content is not None and panel.title.help.toolTip()
        QTest.mouseClick(panel.title.float, LEFT)
        assert panel.isWindow() and panel.isVisible()
        panel.close()
        assert not panel.isWindow() and panel.isHidden()


def test_plots_are_there_when_there_are_some_and_are_shown_when_they_are_wanted(window):
    window.document.new(pendulum())
    assert window.panels["plots"].isHidden()
    window.selection.set(["rod_1"])
    plot = next(a.menu() for a in window.menu_of(("rod_1",)).actions() if a.menu())
    plot.actions()[0].trigger()
    panel = window.panels["plots"]
    assert panel.isVisible() and not panel.is_folded
    QTest.mouseClick(panel.title.fold, LEFT)
    assert panel.height() == panel.title.height()
    QTest.mouseClick(panel.title, LEFT)
    size = window.stages.size()
    QTest.mouseDClick(panel.title, LEFT)
    settle(window)
    assert panel.height() == window.places.height() and window.stages.size() == size
    QTest.mouseDClick(panel.title, LEFT)
    settle(window)
    assert panel.height() < window.places.height() and window.stages.size() == size


def test_a_small_window_crushes_no_drawer_for_good(window):
    settle(window, 1280, 720)
    window.show_panel("tree")
    window.plots.add_energy_bars()
    window.show_panel("plots")
    wide = {name: window.panels[name].width() for name in ("tree", "properties")}
    settle(window, 820, 420)
    assert window.stages.width() >= LEAST_STAGE.width() - 2 * HANDLE
    settle(window, 1280, 720)
    assert {name: window.panels[name].width() for name in wide} == wide


def test_the_window_works_at_960_by_540(window):
    settle(window, 960, 508)  # a screen of 1920 x 1080 at scale 2, less the title of the window
    assert window.size() == QSize(960, 508)
    assert window.minimumSizeHint().width() <= 960 and window.minimumSizeHint().height() <= 508
    for button in (*window.rail.groups.values(), *window.rail.drawers.values()):
        assert button.height() >= LOW and window.rail.rect().contains(button.geometry())
    assert share(window) >= 0.45
    bar = window.menuBar()
    assert all(bar.actionGeometry(a).right() <= bar.width() for a in bar.actions())
    message = window.messages.show_message(
        "file", "problem", "Open. " * 40, [("Undo", lambda: None)]
    )
    settle(window)
    corner = message.mapTo(window, QPoint(message.width(), message.height()))
    assert corner.x() <= window.width() and corner.y() <= window.height()


def test_a_first_window_uses_the_screen_it_has(qtbot, preferences, tmp_path):
    from tests.gui.whole_window import WholeWindow

    window = WholeWindow(preferences, tmp_path)
    qtbot.addWidget(window)
    room = window.screen().availableGeometry()
    assert room.contains(window.geometry())
    full = window.windowState() & Qt.WindowState.WindowMaximized
    assert full or window.width() == pytest.approx(0.85 * room.width(), abs=2)
    window.resize(3 * room.width(), 3 * room.height())
    window.keep_layout()
    again = WholeWindow(preferences, tmp_path)
    qtbot.addWidget(again)
    assert again.width() <= room.width() and again.height() <= room.height()


# --- the rail


def test_each_tool_is_in_one_of_the_eight_groups(window):
    assert len(GROUPS) == 8 and len(window.rail.groups) == 8
    for dim in (2, 3):
        window.strip.show_dim(dim)
        listed = [a for button in window.rail.groups.values() for a in button.actions_]
        assert listed == list(window.strip.actions_.values())
        assert all(button.isVisible() for button in window.rail.groups.values())


def test_a_click_takes_the_tool_shown_and_the_right_button_lists_all(qtbot, window):
    joints = window.rail.groups["joints"]
    QTest.mouseClick(joints, LEFT)
    assert window.stage.tool is window.strip.tools["revolute"] and joints.isChecked()
    QTest.mouseClick(joints, Qt.MouseButton.RightButton)
    joints.open_list()
    listed = [action.text() for action in joints.list.actions()]
    assert joints.list.isVisible() and "Weld" in listed and len(listed) > 4
    joints.list.close()
    window.strip.actions_["weld"].trigger()
    assert joints.shown is window.strip.actions_["weld"]  # it shows what was used last
    window.strip.take("select")
    QTest.mouseClick(joints, LEFT)
    assert window.stage.tool is window.strip.tools["weld"]


def test_holding_a_group_lists_its_tools(qtbot, window):
    bodies = window.rail.groups["bodies"]
    QTest.mousePress(bodies, LEFT)
    qtbot.waitUntil(bodies.list.isVisible)
    bodies.list.close()
    QTest.mouseRelease(bodies, LEFT)
    assert window.stage.tool is None


# --- the camera


def test_a_drawer_glides_the_view_outwards_once_and_back(qtbot, window):
    window.document.new(pendulum())
    stage = window.stage
    settle(window, 1280, 720)
    window.panels["properties"].hide()
    stage.fit()
    settle(window)
    stage.grab()
    before = stage.camera.state
    window.show_panel("tree")
    window.show_panel("properties")
    window.panels["tree"].hide()
    window.panels["properties"].hide()
    settle(window)
    stage._end_glide()
    first = stage.camera.state
    window.places.wanted["properties"] = 700
    window.show_panel("properties")
    settle(window)
    stage._end_glide()
    assert stage.sees(stage.drawn_rect()) and stage.camera.scale < first[2]
    window.panels["properties"].hide()
    settle(window)
    stage._end_glide()
    assert stage.camera.state == pytest.approx(first) and first[2] <= before[2]
    window.show_panel("properties")
    settle(window)
    stage._end_glide()
    stage.zoom(0.9)
    scale = stage.camera.scale
    window.panels["properties"].hide()
    settle(window)
    stage._end_glide()
    assert stage.camera.scale == scale  # somebody zoomed meanwhile


def test_the_state_of_the_layout_is_plain_data(window):
    window.panels["plots"].set_apart(True)
    window.panels["plots"].show()
    state = json.loads(json.dumps(window.spaces.state()))
    assert state["apart"].keys() == {"plots"} and state["current"] == "draw"
    window.panels["plots"].set_apart(False)


def test_a_strip_with_many_words_does_not_widen_the_window(qtbot, window):
    settle(window, 800, 500)
    health = window.health
    qtbot.waitUntil(lambda: health.is_known and window.examiner.is_current)
    for name in ("problems", "gap", "energy", "method"):
        health.items[name].setText("as many words as there can be")
    health._fit()
    settle(window)
    assert window.width() == 800 and window.minimumSizeHint().width() <= 960
    assert health.items["bodies"].isHidden() and health.items["gap"].isVisible()
    settle(window, 1500, 700)
    health.refresh()
    settle(window)
    assert health.items["bodies"].isVisible() and health.items["joints"].isVisible()


def test_a_page_in_a_window_of_its_own_understands_the_keys_and_fills_the_screen(qtbot, window):
    window.document.new(pendulum())
    window.document.edit("heavier", heavy(window.document.model))
    heavier = window.document.model
    window.commands["freedom"].trigger()
    panel = window.panels["freedom"]
    QTest.mouseClick(panel.title.float, LEFT)
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)
    assert (
        panel.title.full.isVisible() and panel.size().height() >= panel.content.sizeHint().height()
    )
    QTest.keyClick(panel, Qt.Key.Key_Z, CTRL)
    assert window.document.model is not heavier
    QTest.keyClick(panel, Qt.Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert window.document.model is heavier
    QTest.keyClick(panel, Qt.Key.Key_F11)
    assert panel.isFullScreen()
    QTest.mouseClick(panel.title.full, LEFT)
    assert not panel.isFullScreen()
    QTest.mouseClick(panel.title.float, LEFT)
    assert not panel.isWindow() and panel.isVisible() and panel.title.full.isHidden()
    QTest.keyClick(window, Qt.Key.Key_F11)  # means nothing in its place
    assert not panel.isFullScreen() and not window.isFullScreen()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_letters_of_a_page_are_large_in_a_large_window_of_its_own(window, page):
    window.document.new(pendulum())
    window.show_panel(page.name)
    panel = window.panels[page.name]
    settle(window)
    words = panel.content.findChild(QLabel)
    usual = words.fontInfo().pixelSize() if words is not None else 0
    panel.set_apart(True)
    panel.resize(2 * USUAL)
    settle(window)
    assert panel.enlarged == 2.0
    assert words is None or words.fontInfo().pixelSize() >= 1.8 * usual
    assert getattr(panel.content, "enlarged", 2.0) == 2.0
    panel.set_apart(False)
    settle(window)
    assert panel.enlarged == 1.0 == getattr(panel.content, "enlarged", 1.0)
    assert words is None or words.fontInfo().pixelSize() == usual
    panel.put_away()
