"""Pictures of the stage, the picture behind it, and what tools show over it."""

import pytest
from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QMenu

from assets import example_paths
from assets.make_examples import four_bar
from engine.files.model_files import load
from gui.look.theme import DARK, LIGHT
from gui.stages.plane.options import StageOptions
from gui.stages.plane.view import render_model
from gui.state.preferences import Preferences
from gui.tools.base import Choice, Circle, Label, Line, Outline, Preview, Tool
from tests.gui.stage_events import Hand


@pytest.fixture
def hand(qtbot):
    """A stage with the four-bar."""
    return Hand(qtbot, four_bar().model)


@pytest.mark.parametrize("path", list(example_paths().values()), ids=lambda p: p.stem)
def test_every_example_has_a_picture_in_both_themes(qapp, path):
    model = load(path)
    for theme in (LIGHT, DARK):
        image = render_model(model, QSize(320, 200), theme)
        assert image.size() == QSize(320, 200)
        names = {image.pixelColor(x, y).name() for x in range(0, 320, 3) for y in range(0, 200, 3)}
        assert len(names) > 8 and (model.dim == 3 or QColor(theme.paper).name() in names)


def test_pictures_have_any_size_and_may_be_transparent(hand, tmp_path):
    for size in (QSize(300, 200), QSize(2000, 500), QSize(200, 900)):
        assert hand.view.render_image(size).size() == size
    clear = hand.view.render_image(QSize(400, 300), transparent=True)
    assert clear.pixelColor(2, 2).alpha() == 0
    assert clear.format() == QImage.Format.Format_ARGB32_Premultiplied
    hand.view.render_svg(str(tmp_path / "stage.svg"))
    text = (tmp_path / "stage.svg").read_text(encoding="utf-8")
    assert text.count("<path") > 10 and "<image" not in text


def test_a_large_picture_is_the_small_one_enlarged(hand):
    hand.view.show_grid(False)
    small = hand.view.render_image(QSize(450, 300))
    large = hand.view.render_image(QSize(1800, 1200)).scaled(
        450, 300, mode=Qt.TransformationMode.SmoothTransformation
    )
    differing = sum(
        abs(small.pixelColor(x, y).lightness() - large.pixelColor(x, y).lightness()) > 60
        for x in range(0, 450, 3)
        for y in range(0, 300, 3)
    )
    assert differing < 150  # of 15000: only the edges of lines differ


def test_any_preview_of_a_tool_is_drawn(hand):
    tool = Tool(hand.document, hand.selection)
    hand.view.set_tool(tool)
    before = hand.colors().get(QColor(LIGHT.accent).name(), 0)
    kinds = ("solid", "dashed", "arrow", "spring", "damper")
    preview = Preview(
        lines=tuple(
            Line((0.2 * n, -0.2), (0.2 * n + 0.5, 0.8), kind) for n, kind in enumerate(kinds)
        ),
        outlines=(Outline(((1, 1), (2, 1), (2, 2))), Outline(((1, 0), (2, 0.5)), closed=False)),
        circles=(Circle((1.5, 1.5), 0.4),),
        labels=(Label((1, 1), "500 mm"), Label((2, 2), "30°", field=True)),
        rings=((0.0, 0.0),),
        filled=((1.0, 1.0),),
        hollow=((2.0, 1.0),),
        bodies=("crank",),
        hint="Do this.",
    )
    hints = []
    hand.view.hint_changed.connect(hints.append)
    tool.show(preview)
    assert hints == ["Do this."]
    assert hand.view.stage_scene.graphics["crank"].glow == "partner"
    assert hand.colors().get(QColor(LIGHT.accent).name(), 0) > before + 100
    hand.key(Qt.Key.Key_Escape)
    assert hand.view.tool is None


def test_a_tool_asks_with_a_small_list_and_hears_the_answer(qtbot, hand):
    answers = []

    class Asking(Tool):
        """A tool with two choices."""

        def choose(self, number):
            """Remember the answer."""
            answers.append(number)
            self.reset()

    tool = Asking(hand.document, hand.selection)
    hand.view.set_tool(tool)
    menu = hand.view.choice_list
    for take in (1, None):
        tool.choices = (Choice("pin crank - coupler", ("crank",)), Choice("pin crank - ground"))
        tool.changed.emit()
        qtbot.waitUntil(menu.isVisible)
        if take is None:
            qtbot.keyClick(menu, Qt.Key.Key_Escape)
        else:
            menu.setActiveAction(menu.actions()[take])
            qtbot.keyClick(menu, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not menu.isVisible())
        QApplication.processEvents()
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [1, -1]


def test_the_menu_of_the_stage_lays_a_picture_behind_it_and_scales_it(qtbot, hand, tmp_path):
    preferences = Preferences(QSettings(str(tmp_path / "kardan.ini"), QSettings.Format.IniFormat))
    menu = QMenu(hand.view)
    options = StageOptions(hand.view, preferences, menu)
    assert not any(action.isEnabled() for action in options.of_picture)
    options.show_picture(str(tmp_path / "none.png"))
    assert "none.png" in hand.said[0]
    picture = QImage(100, 100, QImage.Format.Format_RGB32)
    picture.fill(QColor("#00ff00"))
    picture.save(str(tmp_path / "photo.png"))
    options.show_picture(str(tmp_path / "photo.png"))
    assert all(action.isEnabled() for action in options.of_picture)
    options.set_opacity(1.0)
    assert "#00ff00" in hand.colors()
    asked = []
    options.measure.measured = lambda a, b: asked.append((a, b))
    options.begin_scaling()
    hand.click((0.5, 0.5))
    hand.click((1.5, 0.5))
    assert hand.view.tool is None
    (a, b) = asked[0]
    wide = hand.view.background.rect().width()
    options.set_distance(a, b, "250 mm")
    assert hand.view.background.rect().width() == pytest.approx(0.25 * wide, rel=0.01)
    options.set_distance(a, b, "-3")
    options.set_distance(a, b, "three")
    assert len(hand.said) == 3
    switch = next(x for x in menu.actions() if x.objectName() == "stage_names")
    switch.trigger()
    assert hand.view.foreground.all_names
    assert preferences.settings.value("stage/names", False, bool)
