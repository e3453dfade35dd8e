"""Labels on the stage: a length that is typed drives the mechanism, by real mouse and keys."""

from dataclasses import replace
from math import cos, degrees, hypot, radians, sin, sqrt

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent, QPolygonF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.editing.builder import Mechanism
from engine.editing.edits.placing import gap
from engine.model.elements import put
from gui.stages.dimension_marks import HEIGHT, thread_of
from gui.stages.names import paint_names
from tests.gui.stage_hand import StageHand

KEY = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
CLOSED = 1e-9  # m


def four_bar():
    """Crank, coupler and rocker; the pins are tied to the ends of the links."""
    m = Mechanism("Four-bar")
    pin = (-0.4, 0.2 * sqrt(3.0))
    crank = m.rod((-0.6, 0.0), pin, id="crank")
    coupler = m.rod(pin, (0.7, 0.9), id="coupler")
    rocker = m.rod((0.6, 0.0), (0.7, 0.9), id="rocker")
    m.revolute("ground", crank, at=(-0.6, 0.0))
    m.revolute(crank, coupler, at=pin)
    m.revolute(coupler, rocker, at=(0.7, 0.9))
    m.revolute("ground", rocker, at=(0.6, 0.0))
    return m.model


def largest_gap(model):
    """The widest open joint [m]."""
    return max(gap(model, joint) for joint in model.of("joint"))


class LabelHand:
    """Clicks labels and types into them."""

    def __init__(self, window, stage=None):
        self.window = window
        self.stage = stage or window.stage
        self.labels = self.stage.labels

    def show(self, body):
        """Select a body and paint its labels."""
        self.window.selection.set([body])
        self.paint()

    def paint(self):
        """Let the stage paint."""
        QApplication.processEvents()
        self.stage.grab()

    def rect(self, field):
        """Where a label is."""
        return next(rect for mark, rect in self.labels.marks if mark.field == field)

    def text(self, field):
        """What a label says."""
        return next(mark.text for mark, _ in self.labels.marks if mark.field == field)

    def send(self, kind, at, button=Qt.MouseButton.LeftButton, held=None):
        """A mouse event on the board of the stage."""
        board = self.labels.board
        place = QPointF(at)
        pressed = button if held is None else held
        event = QMouseEvent(
            kind, place, board.mapToGlobal(place), button, pressed, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(board, event)
        QApplication.processEvents()

    def click(self, field):
        """Click a label once."""
        at = self.rect(field).center()
        self.send(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton)
        self.send(QEvent.Type.MouseButtonPress, at)
        self.send(QEvent.Type.MouseButtonRelease, at, held=Qt.MouseButton.NoButton)

    def type(self, text):
        """Type; whoever has the keyboard gets it."""
        for character in text:
            QTest.keyClick(self.window.windowHandle(), character)
        QApplication.processEvents()

    def hit(self, key, held=Qt.KeyboardModifier.NoModifier):
        """Press a key."""
        QTest.keyClick(self.window.windowHandle(), key, held)
        QApplication.processEvents()


@pytest.fixture
def hand(window):
    """A hand at a window with a four-bar."""
    window.document.new(four_bar())
    return LabelHand(window)


def test_a_typed_length_closes_the_mechanism_as_one_step(window, hand):
    before = window.document.model
    hand.show("crank")
    assert hand.text("length") == "0.4 m" and hand.text("angle") == "60°"
    hand.click("length")
    assert hand.labels.typing.line.selectedText() == "0.4"
    hand.type("0.5")
    assert window.document.shown["crank"].shape.length == 0.5  # previewed while it is typed
    assert largest_gap(window.document.shown) < CLOSED and window.document.model is before
    hand.hit(KEY.Key_Return)
    after = window.document.model
    assert after["crank"].shape.length == 0.5 and largest_gap(after) < CLOSED
    assert degrees(after["crank"].angle) == pytest.approx(60.0, abs=1e-9)  # as it was drawn
    assert QApplication.focusWidget() is window.stage and hand.labels.typing is None
    hand.hit(KEY.Key_Z, CONTROL)
    assert window.document.model is before


def test_a_typed_angle_turns_the_body_about_its_pin(window, hand):
    hand.show("crank")
    hand.click("angle")
    hand.type("45")
    hand.hit(KEY.Key_Return)
    after = window.document.model
    assert degrees(after["crank"].angle) == pytest.approx(45.0)
    assert largest_gap(after) < CLOSED
    assert after["crank"].shape.length == pytest.approx(0.4)


def test_units_formulas_and_parameters_are_understood(window, hand):
    from dataclasses import replace

    from engine.model.elements import Parameter, put

    model = put(window.document.model, Parameter(id="l_coupler", value=1.3, unit="m"))
    window.document.edit("Add", replace(model))
    hand.show("crank")
    hand.click("length")
    hand.type("450 mm")
    hand.hit(KEY.Key_Return)
    assert window.document.model["crank"].shape.length == pytest.approx(0.45)
    hand.show("coupler")
    hand.click("length")
    hand.type("l_coupler")
    hand.hit(KEY.Key_Return)
    assert window.document.model["coupler"].shape.length == "l_coupler"
    hand.paint()
    assert hand.text("length") == "l_coupler = 1.3 m" and not hand.labels.handles
    assert largest_gap(window.document.model) < CLOSED


def test_wrong_text_stays_red_with_a_sentence_and_escape_leaves(window, hand):
    before = window.document.model
    hand.show("crank")
    hand.click("length")
    hand.type("3 kg")
    hand.hit(KEY.Key_Return)
    line = hand.labels.typing.line
    assert QApplication.focusWidget() is line and line.property("wrong")
    assert line.sentence.isVisible() and "kg" in line.sentence.text()
    hand.hit(KEY.Key_Escape)
    assert hand.labels.typing is None and QApplication.focusWidget() is window.stage
    assert window.document.model is window.document.shown is before


def test_letters_in_a_label_take_no_tool_and_enter_gives_space_to_play(qtbot, window, hand):
    hand.show("crank")
    hand.click("length")
    hand.type("l")
    assert window.stage.tool is None and hand.labels.typing.line.text() == "l"
    hand.hit(KEY.Key_Escape)
    hand.hit(KEY.Key_Space)
    assert window.transport.is_playing
    hand.paint()
    assert not hand.labels.marks  # hidden while a run plays
    window.transport.pause()
    window.simulator.cancel()
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
    hand.paint()
    assert hand.labels.marks
    hand.click("length")
    assert window.playback.current is None  # back in the design pose
    hand.hit(KEY.Key_Escape)


def test_an_impossible_length_is_kept_and_undone(window, hand):
    before = window.document.model
    hand.show("coupler")
    hand.click("length")
    hand.type("5")
    hand.hit(KEY.Key_Return)
    after = window.document.model
    assert after["coupler"].shape.length == 5.0 and largest_gap(after) > 1.0
    for id in ("crank", "rocker"):
        assert after[id] == before[id]
    assert after["coupler"].angle == before["coupler"].angle
    hand.hit(KEY.Key_Z, CONTROL)
    assert window.document.model is before


def test_the_field_takes_the_place_of_its_label_inside_the_stage(window, hand):
    hand.show("crank")
    window.stage.zoom(6.0)
    window.stage.camera.pan(-0.5, 0.0)
    window.stage.zoom(1.0)
    hand.paint()
    board = hand.labels.board.rect()
    for mark, rect in hand.labels.marks:
        assert board.contains(rect.toAlignedRect()), mark.field
        assert rect.height() >= HEIGHT
    field = hand.labels.marks[0][0].field
    rect = hand.rect(field)
    hand.click(field)
    line = hand.labels.typing.line
    assert board.contains(line.geometry()) and line.geometry().intersects(rect.toAlignedRect())


def test_a_handle_changes_length_and_angle_about_the_other_end(window, hand):
    before = window.document.model
    hand.show("crank")
    handle = next(h for h in hand.labels.handles if h.side == 1)
    assert hypot(*(handle.at - handle.end).toTuple()) == pytest.approx(17.0)
    hand.send(QEvent.Type.MouseMove, handle.at, Qt.MouseButton.NoButton)
    hand.send(QEvent.Type.MouseButtonPress, handle.at)
    for n in range(1, 5):
        hand.send(QEvent.Type.MouseMove, handle.at + QPointF(4.0 * n, 2.0 * n))
        assert largest_gap(window.document.shown) < CLOSED
    hand.send(QEvent.Type.MouseButtonRelease, handle.at, held=Qt.MouseButton.NoButton)
    after = window.document.model
    assert after["crank"].shape.length != before["crank"].shape.length
    assert largest_gap(after) < CLOSED
    window.document.undo_stack.undo()
    assert window.document.model is before


def test_boxes_and_discs_show_their_sizes(window):
    m = Mechanism("Sizes")
    m.box((0.0, 0.0), 0.4, 0.2)
    m.disc((0.8, 0.0), radius=0.15)
    window.document.new(m.model)
    hand = LabelHand(window)
    shown = {}
    for body in window.document.model.of("body"):
        hand.show(body.id)
        shown[body.shape.kind] = {mark.field: mark.text for mark, _ in hand.labels.marks}
    assert set(shown["box"]) == {"width", "height"} and shown["disc"] == {"radius": "0.15 m"}


def test_a_length_is_shown_in_the_units_of_the_user(window, hand):
    window.preferences.set("length_unit", "mm")
    hand.show("crank")
    assert hand.text("length") == "400 mm"
    hand.click("length")
    hand.type("450")
    hand.hit(KEY.Key_Return)
    assert window.document.model["crank"].shape.length == pytest.approx(0.45)


def test_a_drawn_link_with_a_pin_is_lengthened_by_its_label(qtbot, window):
    window.files.new()
    pen = StageHand(window)
    hand = LabelHand(window)
    hand.hit(KEY.Key_L)
    pen.click(-0.6, 0.0)
    pen.move(-0.4, 0.2)
    hand.type("0.4")
    hand.hit(KEY.Key_Tab)
    hand.type("60")
    hand.hit(KEY.Key_Return)
    hand.hit(KEY.Key_Escape)
    hand.hit(KEY.Key_Escape)
    hand.hit(KEY.Key_R)
    pen.click(-0.6, 0.0)
    hand.hit(KEY.Key_Escape)
    link = window.document.model.of("body")[0].id
    hand.show(link)
    hand.click("length")
    hand.type("0.6")
    hand.hit(KEY.Key_Return)
    model = window.document.model
    assert model[link].shape.length == 0.6 and largest_gap(model) < CLOSED
    hand.hit(KEY.Key_Space)
    assert window.transport.is_playing
    window.transport.pause()
    window.simulator.cancel()
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
    hand.hit(KEY.Key_Z, CONTROL)
    assert window.document.model[link].shape.length == pytest.approx(0.4)


def test_labels_in_space_drive_a_spatial_link(window):
    m = Mechanism("Pendulum in space", dim=3)
    rod = m.rod((0.0, 0.0, 0.0), (0.6, 0.2, 0.0), id="arm")
    m.spherical("ground", rod, at=(0.0, 0.0, 0.0))
    window.document.new(m.model)
    hand = LabelHand(window, window.stage3d)
    before = window.document.model
    hand.show("arm")
    hand.click("length")
    hand.type("0.9")
    hand.hit(KEY.Key_Return)
    after = window.document.model
    assert after["arm"].shape.length == 0.9
    ends = [np.array(after["arm"].position), np.array(before["arm"].position)]
    assert np.linalg.norm(ends[0]) == pytest.approx(0.45)
    assert np.cross(*ends) == pytest.approx(0.0, abs=1e-9)
    assert QApplication.focusWidget() is window.stage3d
    hand.hit(KEY.Key_Z, CONTROL)
    assert window.document.model is before


def test_the_menu_of_a_label_makes_a_parameter_of_it(window, hand):
    hand.show("crank")
    at = hand.rect("length").center()
    hand.send(QEvent.Type.MouseButtonPress, at, Qt.MouseButton.RightButton)
    menu = hand.labels.menu
    assert menu.isVisible()
    menu.actions()[1].trigger()
    menu.hide()
    model = window.document.model
    assert model["crank"].shape.length == "l_crank" and model["l_crank"].value == pytest.approx(0.4)
    assert model.view.sliders == ("l_crank",) and largest_gap(model) < CLOSED
    hand.paint()
    at = hand.rect("length").center()
    place = hand.labels.board.mapToGlobal(at.toPoint())
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at.toPoint(), place)
    QApplication.sendEvent(hand.labels.board, event)
    assert window.session.menu is None  # that of the body does not open beside it


@pytest.mark.parametrize(("name", "id"), [("Long arm", "l_Long_arm"), ("ő", "l_crank")])
def test_a_parameter_of_a_renamed_body_bears_its_name(window, hand, name, id):
    model = window.document.model
    window.document.edit("Rename", put(model, replace(model["crank"], name=name)))
    window.edits.parameter_of_size("crank", "length")
    assert window.document.model["crank"].shape.length == id
    assert largest_gap(window.document.model) < CLOSED


@pytest.mark.parametrize("angle", [-60.0, -20.0, 0.0, 20.0, 60.0, 90.0, 150.0])
def test_labels_lie_beside_their_link(window, angle):
    m = Mechanism()
    way = (cos(radians(angle)), sin(radians(angle)))
    m.parameter("length_of_the_link", 0.5)
    link = m.rod((0, 0), (0.5 * way[0], 0.5 * way[1]), id="link")
    body = m.model[link]
    tied = replace(body, shape=replace(body.shape, length="length_of_the_link"))
    window.document.new(put(m.model, tied))
    hand = LabelHand(window)
    hand.show("link")
    a, b = (hand.stage.body_pixel("link", (x, 0.0, 0.0)) for x in (-0.25, 0.25))
    spots = [a + (b - a) * (n / 40.0) for n in range(41)]
    for field in ("length", "angle"):
        assert not any(hand.rect(field).contains(spot) for spot in spots), field


def test_names_keep_away_from_labels_in_the_very_picture_in_which_they_appear(hand, monkeypatch):
    from gui.stages.plane import foreground

    cards = []

    def paint(*arguments):
        cards.append(paint_names(*arguments))
        return cards[-1]

    monkeypatch.setattr(foreground, "paint_names", paint)
    hand.window.selection.hover("coupler")
    hand.show("crank")
    for field in ("length", "angle"):
        assert not any(card.intersects(hand.rect(field)) for card in cards[-1])
    spot = hand.rect("length").center()
    monkeypatch.setattr(hand.stage.ghosts, "names", lambda: [(hand.stage.to_world(spot), "Run 1")])
    hand.paint()
    assert len(cards[-1]) == 2
    assert not any(card.intersects(hand.rect("length")) for card in cards[-1])


def test_labels_find_room_beyond_a_crowd_and_hang_on_a_thread(window):
    m = Mechanism("Fence")
    m.rod((-0.2, 0.0), (0.2, 0.0), id="lower")
    for n in range(-10, 11):  # too narrow for a label on any line of the rod
        m.rod((0.08 * n, -0.25), (0.08 * n, 0.25), id=f"post_{n + 10}")
    window.document.new(m.model)
    hand = LabelHand(window)
    hand.show("lower")
    posts = hand.labels._neighbours("lower")
    assert len(posts) == 21
    threads = [thread_of(mark, rect) for mark, rect in hand.labels.marks]
    assert any(thread is not None for thread in threads)
    for (_, rect), thread in zip(hand.labels.marks, threads):
        assert hand.stage.labels.board.rect().contains(rect.toRect())
        assert not any(QPolygonF(rect).intersects(post) for post in posts)
        assert thread is None or rect.adjusted(-1, -1, 1, 1).contains(thread[0])


def test_labels_keep_away_from_neighbours_where_there_is_room(window):
    m = Mechanism("Crossing")
    m.rod((-1.0, 0.0), (1.0, 0.0), id="lower")
    for n, x in enumerate((-0.25, 0.0, 0.25)):  # across the places where its labels want to be
        m.rod((x, -0.5), (x, 1.5), id=f"post_{n}")
    m.disc((-0.62, 0.1), 0.25, id="wheel")
    window.document.new(m.model)
    hand = LabelHand(window)
    hand.show("lower")
    stage = window.stage
    rects = [rect for _, rect in hand.labels.marks]
    assert len(rects) == 2
    for rect in rects:
        for x in (-0.25, 0.0, 0.25):
            low, high = stage.to_pixels(x, -0.5), stage.to_pixels(x, 1.5)
            beside = not rect.left() - 6.0 < low.x() < rect.right() + 6.0
            assert beside or rect.top() > low.y() or rect.bottom() < high.y()
        middle, rim = stage.to_pixels(-0.62, 0.1), stage.to_pixels(-0.37, 0.1)
        away = QPointF(
            max(rect.left() - middle.x(), middle.x() - rect.right(), 0.0),
            max(rect.top() - middle.y(), middle.y() - rect.bottom(), 0.0),
        )
        assert hypot(away.x(), away.y()) > rim.x() - middle.x()
