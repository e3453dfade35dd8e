"""The finder knows every command with path, key and reason if it is grey, and everything else."""

from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from assets import ICONS, example_paths
from gui.layout import fuzzy
from gui.layout.findings import plain
from gui.layout.fuzzy import match
from gui.window.pages import PAGES

KEY = Qt.Key


def menu_actions(menu, path):
    """Every visible command of a menu and of those below it, with its path."""
    for action in menu.actions():
        if isinstance(below := action.menu(), QMenu):
            yield from menu_actions(below, f"{path} › {plain(action.text())}")
        elif action.text() and action.isVisible() and not action.isSeparator():
            yield action, path


def all_commands(window):
    """Every command of the menu bar."""
    for top in window.menuBar().actions():
        yield from menu_actions(top.menu(), plain(top.text()))


@pytest.fixture
def finder(qtbot, window):
    """The finder, opened by its key over a four-bar."""
    window.files.open_path(example_paths()["four_bar"])
    window.activateWindow()
    window.stage.setFocus()
    qtbot.waitUntil(window.stage.hasFocus)
    QTest.keyClick(window.windowHandle(), KEY.Key_K, Qt.KeyboardModifier.ControlModifier)
    finder = window.session.finder
    assert finder.isVisible() and QApplication.focusWidget() is finder.line
    return finder


def test_every_command_is_found_by_its_words_with_path_key_and_reason(window, finder):
    commands = list(all_commands(window))
    assert len(commands) > 120
    for action, path in commands:
        title = plain(action.text()).removesuffix(" ...")
        finder.line.setText(title)
        found = next((one for one in finder.list.found if one.title == title), None)
        assert found is not None, title
        same = [one for one in finder.list.found if one.title == title]
        assert path in [one.path for one in same] or action in menu_twins(commands, action), title
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        assert keys in [one.keys for one in same], title
        if not action.isEnabled():
            reasons = [one.reason for one in same]
            assert not any("<" in reason for reason in reasons), title  # plain words
            assert any(len(reason) > 8 and reason != title for reason in reasons), title


def menu_twins(commands, action):
    """The commands that are in several menus: the finder lists them once."""
    return [one for one, _ in commands if one is action]


def test_every_key_of_a_command_is_that_of_one_command(window):
    keys = {}
    for action in dict.fromkeys(action for action, _ in all_commands(window)):
        for key in action.shortcuts():
            assert key.toString() not in keys, (key.toString(), action.text())
            keys[key.toString()] = action
    assert len(keys) > 60


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("select coupler", "Select coupler"),
        ("rock ang", "Plot rocker: angle [°]"),
        ("gimbal", "Gimbal rings"),
        ("weld", "Weld"),
        ("undo", "Undo"),
        ("parameters", "Parameters"),
        ("mirr left", "Mirror left to right"),
        ("rstlay", "Reset the layout"),
        ("angle rocker plot", "Plot rocker: angle [°]"),  # in any order
        ("hinge", "Pin"),  # by other words
        ("revolute", "Pin"),
        ("prismatic", "Slider"),
        ("actuator", "Motor"),
        ("drive", "Motor"),
        ("video", "Film (MP4, GIF)"),
        ("sldier", "Slider"),  # with slips of the fingers
        ("hnige", "Pin"),
        ("roker angel", "Plot rocker: angle [°]"),
        ("paramters", "Parameters"),
    ],
)
def test_few_letters_find_it_first(finder, typed, title):
    QTest.keyClicks(finder.line, typed)
    assert finder.chosen.title == title


def test_enter_does_it_and_the_stage_has_the_keyboard(window, finder):
    QTest.keyClicks(finder.line, "select coupler")
    QTest.keyClick(finder.line, KEY.Key_Return)
    assert window.selection.ids == ("coupler",) and finder.isHidden()
    assert window.focusWidget() is window.stage


def test_a_curve_is_plotted_and_seen(window, finder):
    before = window.plots.plots()
    QTest.keyClicks(finder.line, "rocker angle")
    QTest.keyClick(finder.line, KEY.Key_Return)
    (plot,) = [one for one in window.plots.plots() if one not in before]
    assert plot.names == ["rocker.angle"] and window.panels["plots"].isVisible()
    assert not window.panels["plots"].is_folded


def test_a_component_of_a_vector_is_found_alone(window, finder):
    QTest.keyClicks(finder.line, "plot rocker: position, x")
    QTest.keyClick(finder.line, KEY.Key_Return)
    assert window.plots.plots()[-1].names == ["rocker.x"]


def test_pages_and_workspaces_are_found(window, finder):
    for page in PAGES:
        assert (ICONS / f"{page.name}.svg").is_file(), page.name
        finder.line.setText(page.title)
        assert any(
            one.title == page.title and one.path.endswith("Pages") for one in finder.list.found
        )
    finder.line.setText("learn")
    assert "Learn" in [one.title for one in finder.list.found]


def test_what_cannot_be_done_stays_with_its_reason(window, finder):
    QTest.keyClicks(finder.line, "make this frame")
    assert finder.chosen.reason == "Run the model first."
    QTest.keyClick(finder.line, KEY.Key_Return)
    assert finder.isVisible()
    QTest.keyClick(finder.line, KEY.Key_Escape)
    assert finder.isHidden() and window.focusWidget() is window.stage


def test_arrows_choose_and_nonsense_finds_nothing(finder):
    QTest.keyClicks(finder.line, "align")
    first = finder.chosen
    QTest.keyClick(finder.line, KEY.Key_Down)
    assert finder.chosen is not first
    QTest.keyClick(finder.line, KEY.Key_Up)
    assert finder.chosen is first
    finder.line.setText("xqzzy")
    assert finder.chosen is None and finder.nothing.isVisible()
    QTest.keyClick(finder.line, KEY.Key_Return)
    assert finder.isVisible()


def test_better_matches_come_first():
    whole, start = match(["box"], "add box"), match(["bo"], "add box")
    inside, scattered = match(["ox"], "add box"), match(["adx"], "add box")
    assert whole > start > inside > scattered > 0.0 == match(["zz"], "add box")
    assert match(["plot"], "curve", "plot") < match(["plot"], "plot")
    assert match(["add"], "add box") > match(["add"], "add a larger box")


def test_other_words_and_slips_are_less_than_the_words_themselves():
    own, other = match(["pin"], "pin"), match(["hinge"], "pin")
    slip = match(["hnige"], "hinge", forgives=True)
    assert own > other > match(["in"], "aging") > slip > 0.0 == match(["hnige"], "hinge")
    assert not match(["pon"], "pin", forgives=True)  # short words are other words
    for wrong in ("sider", "slidder", "slxder", "sldier"):  # lost, doubled, wrong, swapped
        assert match([wrong], "slider", forgives=True) > 0.0
        assert not match([wrong], "spring", forgives=True)


def test_curves_are_found_by_their_names_before_the_solver_is_ready(window, finder, monkeypatch):
    QTest.keyClick(finder.line, KEY.Key_Escape)
    known = {one.title for one in window.session.findings() if one.path == "Curve"}
    monkeypatch.setattr("engine.integrators.warm_up.are_compiled", lambda: False)
    window.files.open_path(example_paths()["slider_crank"])
    cold = {one.title: one for one in window.session.findings() if one.path == "Curve"}
    assert len(cold) > 20 and not any(one.reason for one in cold.values()) and known != set(cold)
    assert all(not plot.title.count(".") for plot in window.plots.plots())


def test_letters_in_order_are_found_and_others_are_not():
    random = Random(3)
    for _ in range(200):
        text = "".join(random.choices("abc ", k=12)).strip() or "a"
        word = "".join(random.choices("abc", k=4))
        found = match([word], text)
        rest, ordered = iter(text), True
        ordered = all(letter in rest for letter in word)
        assert ordered or not found


def test_it_is_as_high_as_what_it_found(finder):
    finder.line.setText("")
    most = finder.height()
    finder.line.setText("reset the layout")
    few = finder.height()
    assert 0 < finder.list.rowCount() < 10 and few < most
    assert finder.view.viewport().height() >= finder.view.sizeHintForRow(0) * finder.list.rowCount()
    finder.line.setText("no such thing anywhere")
    assert finder.height() < few and not finder.view.isVisible() and finder.nothing.isVisible()


def test_its_key_begins_another_search(finder):
    QTest.keyClicks(finder.line, "nothing of the kind")
    QTest.keyClick(finder.line, KEY.Key_K, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(finder.line, "report")
    assert finder.line.text() == "report" and "Report" in finder.chosen.title


def test_only_words_of_nearly_the_same_letters_are_compared_letter_by_letter(finder, monkeypatch):
    random = Random(5)
    for _ in range(3000):
        a, b = ("".join(random.choices("abcdef", k=random.randint(5, 9))) for _ in range(2))
        for most in (1, 2):
            assert fuzzy._slips(a, b) > most or fuzzy._may_be_alike(a, b, most)
    asked, compared, real = [], [], fuzzy._slips
    monkeypatch.setattr(fuzzy, "_may_be_alike", noting(fuzzy._may_be_alike, asked))
    monkeypatch.setattr(fuzzy, "_slips", noting(real, compared))
    fuzzy._is_slip.cache_clear()
    finder.line.setText("paramters")
    assert finder.chosen.title == "Parameters"
    assert 0 < len(compared) < 0.1 * len(asked)


def noting(work, calls):
    """A function that also counts its calls."""
    return lambda *arguments: calls.append(arguments) or work(*arguments)
