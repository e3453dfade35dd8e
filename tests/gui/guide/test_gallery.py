"""The gallery, the card of first steps, preferences, parameters and the Edit menu."""

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QComboBox

from assets import example_paths
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.model.elements import Parameter, put
from gui.forms.sliders import span_of
from gui.guide.first_steps import steps_done
from gui.guide.gallery import Gallery, examples
from gui.guide.thumbnails import SIZE, thumbnail
from gui.look.theme import DARK, LIGHT
from gui.stages.space.screen.opengl import Asked, opengl
from gui.window.preferences_dialog import PreferencesDialog
from tests.gui.conftest import PATIENCE

LEFT = Qt.MouseButton.LeftButton


def two_boxes():
    """Two boxes apart, a pin on one of them, and a parameter."""
    m = Mechanism("Boxes")
    m.box((0, 0), 0.4, 0.2, name="a")
    b = m.box((1, 0.5), 0.4, 0.2, name="b")
    m.revolute("ground", b, at=(1, 0.5))
    return put(m.model, Parameter(id="k", value=2.0, low=0.0, high=4.0))


# --- the gallery


def shown_titles(gallery):
    """The titles of the examples that are shown."""
    items = [gallery.list.item(n) for n in range(gallery.list.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_the_gallery_shows_every_example_and_finds_by_words(qtbot, tmp_path):
    gallery = Gallery(None, tmp_path)
    qtbot.addWidget(gallery)
    gallery.show()
    assert len(shown_titles(gallery)) == len(example_paths()) == len(examples())
    qtbot.keyClicks(gallery.search, "four bar")
    assert shown_titles(gallery) and all("bar" in title.lower() for title in shown_titles(gallery))
    gallery.search.setText("no such thing")
    assert shown_titles(gallery) == [] and gallery.empty.isVisible()
    gallery.search.setText("")
    spatial = next(b for b in gallery.places.buttons() if gallery.places.id(b) == 3)
    qtbot.mouseClick(spatial, LEFT)
    assert len(shown_titles(gallery)) == sum(load(p).dim == 3 for p in example_paths().values())


def test_pictures_in_space_do_not_wait_for_the_driver(qtbot, tmp_path, monkeypatch):
    may_answer, drawn, answer = Event(), [], opengl()

    def tried():
        may_answer.wait(PATIENCE / 1000)
        return answer

    def picture(path, *_):
        drawn.append(path)
        return QImage(4, 4, QImage.Format.Format_RGB32)

    monkeypatch.setattr(Asked, "answer", None)
    monkeypatch.setattr("gui.stages.space.screen.opengl._tried", tried)
    monkeypatch.setattr("gui.guide.gallery.thumbnail", picture)
    paths = {example.path: example.dim for example in examples()}
    gallery = Gallery(None, tmp_path)
    qtbot.addWidget(gallery)
    try:
        gallery.show()
        qtbot.waitUntil(lambda: set(drawn) == {path for path, dim in paths.items() if dim == 2})
        qtbot.waitUntil(lambda: not gallery._timer.isActive())
    finally:
        may_answer.set()
    qtbot.waitUntil(lambda: set(drawn) == set(paths))
    assert len(drawn) == len(paths)


def test_a_double_click_in_the_gallery_opens_the_example(qtbot, window):
    def choose():
        gallery = QApplication.activeModalWidget()
        gallery.search.setText("crane")
        item = gallery.list.currentItem()
        place = gallery.list.visualItemRect(item).center()
        qtbot.mouseClick(gallery.list.viewport(), LEFT, pos=place)
        qtbot.mouseDClick(gallery.list.viewport(), LEFT, pos=place)
        if gallery.isVisible():
            gallery.accept()

    QTimer.singleShot(300, choose)
    qtbot.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert window.document.model == load(example_paths()["crane_trolley"])


@pytest.mark.parametrize("name", ["pendulum", "spinning_top"])
def test_pictures_are_drawn_once_and_kept(qapp, tmp_path, name):
    path = example_paths()[name]
    light = thumbnail(path, LIGHT, 1.0, tmp_path)
    assert light.size() == SIZE and len(list(tmp_path.iterdir())) == 1
    colours = {light.pixelColor(x, y).name() for x in range(0, 208, 2) for y in range(0, 132, 2)}
    assert len(colours) > 5  # something is drawn
    kept = next(tmp_path.iterdir())
    marked = QImage(SIZE, QImage.Format.Format_RGB32)
    marked.fill(Qt.GlobalColor.red)
    marked.save(str(kept))
    assert thumbnail(path, LIGHT, 1.0, tmp_path).pixelColor(9, 9).name() == "#ff0000"
    assert thumbnail(path, DARK, 1.0, tmp_path).pixelColor(9, 9).name() != "#ff0000"
    assert thumbnail(tmp_path / "missing.json", LIGHT, 1.0, tmp_path).isNull()


# --- first steps


def test_the_card_reads_its_step_off_the_model(qtbot, open_window, preferences):
    preferences.set("show_first_steps", True)
    window = open_window()
    card = window.first_steps
    assert card.isVisible() and card.step == 0
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1)
    drawn = m.model
    window.document.edit("Draw a link", drawn)
    assert card.step == 1
    m.revolute("ground", rod, at=(0, 0))
    window.document.edit("Pin", m.model)
    assert card.step == 2
    window.document.undo_stack.undo()
    assert card.step == 2  # it never goes back
    window.document.undo_stack.redo()
    qtbot.waitUntil(lambda: window.simulator.state == "idle", timeout=240_000)
    window.simulator.run()
    qtbot.waitUntil(lambda: card.step == 3, timeout=240_000)
    window.plots.plot_ids(["rod_1"])
    assert card.step == 4 and card.word.text().startswith("Well done.")


def test_the_card_is_beside_the_stage_and_ends_with_a_second_body_or_another_model(
    qtbot, open_window, preferences
):
    preferences.set("show_first_steps", True)
    window = open_window()
    card = window.first_steps
    assert window.panels["properties"].isAncestorOf(card) and not window.stages.isAncestorOf(card)
    window.document.edit("Draw", two_boxes())
    assert card.isHidden()
    window.files.may_leave = lambda: True
    window.commands["new"].trigger()
    assert card.isVisible() and card.step == 0 and "pendulum" in card.title.text()
    window.files.open_path(example_paths()["four_bar"])
    assert card.isHidden()


@pytest.mark.parametrize("dim", [2, 3])
def test_the_card_ends_where_another_body_than_that_of_the_lesson_is_drawn(
    open_window, preferences, dim
):
    preferences.set("show_first_steps", True)
    window = open_window()
    window.commands["new" if dim == 2 else "new_space"].trigger()
    card, m = window.first_steps, Mechanism("Door", dim=dim)
    assert card.isVisible()
    m.box((0.0,) * dim, *(1.0,) * dim)
    window.document.edit("Draw", m.model)
    assert card.isHidden()


def test_the_card_of_space_leads_to_a_top(qtbot, open_window, preferences):
    preferences.set("show_first_steps", True)
    window = open_window()
    window.commands["new_space"].trigger()
    card = window.first_steps
    assert card.isVisible() and "top" in card.title.text()
    m = Mechanism("Top", dim=3)
    m.cylinder((0, 0, 0), (0, 0, 0.1), 0.2, id="top", mass=1.0)
    window.document.edit("Draw", m.model)
    assert card.step == 1
    m.spherical("ground", "top", (0, 0, 0))
    window.document.edit("Join", m.model)
    assert card.step == 2
    model = m.model
    spun = put(model, replace(model["top"], angular_velocity=(0.0, 5.0, 100.0)))
    window.document.edit("Spin", replace(spun, settings=replace(spun.settings, t_end=0.02)))
    assert card.step == 3
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
    window.simulator.run()
    qtbot.waitUntil(lambda: card.step == 4)
    assert card.word.isVisible()


def test_closing_the_card_is_remembered_and_help_brings_it_back(qtbot, open_window, preferences):
    preferences.set("show_first_steps", True)
    window = open_window()
    window.first_steps._close()
    assert not preferences.get("show_first_steps")
    window.close()
    again = open_window()
    assert again.first_steps.isHidden()
    again.commands["first_steps"].trigger()
    assert again.first_steps.isVisible()


def test_a_body_alone_is_the_first_step_only(qapp):
    from gui.state.playback import Playback

    assert steps_done(two_boxes(), Playback(), False) == 2
    assert steps_done(Mechanism("Nothing").model, Playback(), False) == 0


# --- preferences


def test_preferences_are_seen_at_once_and_cancel_puts_them_back(qtbot, window):
    window.document.edit("Draw", two_boxes())
    window.selection.set(["box_1"])
    dialog = PreferencesDialog(window.preferences, window)
    qtbot.addWidget(dialog)
    dialog.open()
    unit: QComboBox = dialog.editors["length_unit"]
    unit.setFocus()
    unit.setCurrentIndex(unit.findData("mm"))
    unit.activated.emit(unit.currentIndex())
    window.properties.bring_up_to_date()
    width = next(r.field for r in window.properties.form.rows if r.place.name == "width")
    assert (width.line.text(), width.line.unit.text()) == ("400", "mm")
    step = dialog.editors["default_step"]
    dialog.activateWindow()
    step.line.setFocus()
    qtbot.waitUntil(step.line.hasFocus)
    step.line.selectAll()
    qtbot.keyClicks(step.line, "0.5 ms")
    qtbot.keyClick(step.line, Qt.Key.Key_Tab)
    assert window.preferences.default_step == 5e-4
    step.line.selectAll()
    qtbot.keyClicks(step.line, "-3")
    assert step.is_wrong and window.preferences.default_step == 5e-4
    dialog.reject()
    assert window.preferences.length_unit == "m" and window.preferences.default_step == 1e-3


def test_preferences_are_kept_for_the_next_start(preferences, tmp_path):
    from PySide6.QtCore import QSettings

    from gui.state.preferences import Preferences

    preferences.set("length_unit", "in")
    preferences.set("decimal_comma", True)
    preferences.settings.sync()
    again = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    assert again.length_unit == "in" and again.decimal_comma is True


# --- parameters


def test_a_slider_previews_while_it_moves_and_is_one_edit(qtbot, window):
    window.document.edit("Draw", two_boxes())
    window.docks["parameters"].show()
    window.docks["parameters"].raise_()
    row = window.parameters.rows["k"]
    assert span_of(window.document.model, "k") == (0.0, 4.0)
    before = window.document.model
    row.slider.setSliderDown(True)
    row.slider.setSliderPosition(750)
    row.slider.sliderMoved.emit(750)
    qtbot.waitUntil(lambda: window.document.shown["k"].value == 3.0)
    assert window.document.model is before  # only shown
    row.slider.setSliderDown(False)
    assert window.document.model["k"].value == 3.0
    assert window.document.undo_stack.undo_text() == "Change k"
    window.document.undo_stack.undo()
    assert window.document.model is before and row.slider.value() == 500


def test_parameters_are_added_typed_renamed_and_deleted(qtbot, window):
    window.commands["new_parameter"].trigger()
    assert window.panels["parameters"].isVisible()
    (id,) = window.parameters.rows
    row = window.parameters.rows[id]
    row.field.line.setFocus()
    row.field.line.selectAll()
    qtbot.keyClicks(row.field.line, "3/4")
    qtbot.keyClick(row.field.line, Qt.Key.Key_Return)
    assert window.document.model[id].value == 0.75
    row.name.setFocus()
    row.name.selectAll()
    qtbot.keyClicks(row.name, "speed")
    qtbot.keyClick(row.name, Qt.Key.Key_Return)
    assert list(window.parameters.rows) == ["speed"]
    model = window.document.model
    window.document.edit("Formula", put(model, Parameter(id="double", value="2*speed")))
    double = window.parameters.rows["double"]
    assert double.field.note.text() == "= 1.5" and not double.slider.isEnabled()
    window.parameters.rows["speed"]._delete()
    assert "speed" in window.document.model and window.toaster.isVisible()  # it is used
    window.parameters.rows["double"]._delete()
    window.parameters.rows["speed"]._delete()
    assert not window.document.model.of("parameter")


# --- the Edit menu


def key(qtbot, window, key_code, *modifiers):
    """A shortcut pressed on the stage."""
    window.stage.setFocus()
    combined = Qt.KeyboardModifier.ControlModifier
    for one in modifiers:
        combined |= one
    qtbot.keyClick(window.stage, key_code, combined)


def test_copy_paste_cut_and_duplicate(qtbot, window):
    window.document.edit("Draw", two_boxes())
    window.selection.set(["box_1"])
    key(qtbot, window, Qt.Key.Key_C)
    key(qtbot, window, Qt.Key.Key_V)
    model = window.document.model
    assert len(model.of("body")) == 3 and window.selection.ids == ("box_3",)
    assert model["box_3"].position != model["box_1"].position
    key(qtbot, window, Qt.Key.Key_D)
    assert len(window.document.model.of("body")) == 4
    window.selection.set(["box_1"])
    key(qtbot, window, Qt.Key.Key_X)
    assert "box_1" not in window.document.model
    key(qtbot, window, Qt.Key.Key_V)
    assert len(window.document.model.of("body")) == 4


def test_delete_takes_what_is_attached_and_undo_brings_it_back(qtbot, window):
    window.document.edit("Draw", two_boxes())
    before = window.document.model
    window.selection.set(["box_2"])
    window.stage.setFocus()
    qtbot.keyClick(window.stage, Qt.Key.Key_Delete)
    assert "box_2" not in window.document.model and not window.document.model.of("joint")
    window.document.undo_stack.undo()
    assert window.document.model is before


def test_mirror_align_and_select_all(qtbot, window):
    window.document.edit("Draw", two_boxes())
    key(qtbot, window, Qt.Key.Key_A)
    assert set(window.selection.ids) == {"box_1", "box_2", "revolute_1"}
    window.selection.set(["box_1", "box_2"])
    assert window.commands["align_left"].isEnabled()
    window.commands["align_left"].trigger()
    model = window.document.model
    assert model["box_1"].position[0] == pytest.approx(model["box_2"].position[0], abs=1e-12)
    window.document.undo_stack.undo()
    window.selection.set(["box_1"])
    assert not window.commands["align_left"].isEnabled()
    window.selection.set(["box_1", "box_2"])
    window.commands["mirror_x"].trigger()
    model = window.document.model
    assert model["box_1"].position[0] > model["box_2"].position[0]


def test_a_command_that_cannot_be_done_says_why(qtbot, window):
    window.document.edit("Draw", two_boxes())
    window.selection.set(["revolute_1"])
    window.commands["copy"].trigger()
    assert "nothing to copy" in window.toaster.text.text()


def test_copy_in_a_field_copies_its_text(qtbot, window):
    window.document.edit("Draw", replace(two_boxes(), name="Words"))
    window.properties.bring_up_to_date()
    name = next(r.field for r in window.properties.form.rows if r.place.name == "name")
    name.line.setFocus()
    name.line.selectAll()
    window.selection.set([])
    qtbot.keyClick(name.line, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "Words"
