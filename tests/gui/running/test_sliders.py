"""Sliders on the stage: the mechanism follows live, and its run follows when one is released."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.editing.builder import Mechanism
from engine.editing.edits import parameter_set
from engine.editing.edits.placing import gap
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.model.elements import Parameter, planar, put, with_sliders
from gui.forms.sliders import PLACE, STEPS, SliderCard, span_of
from gui.stages.plane.camera import lies_under

CLOSED = 1e-9  # m


def with_parameters(model, **sizes):
    """The model whose bodies have a parameter for a size: l_crank=("crank", 0.2, 0.55)."""
    for name, (body, low, high) in sizes.items():
        length = model[body].shape.length
        parameter = Parameter(id=name, value=length, unit="m", low=low, high=high)
        shape = replace(model[body].shape, length=name)
        model = put(model, parameter, replace(model[body], shape=shape))
    short = replace(model.settings, t_end=0.2, step=0.005)
    return with_sliders(replace(model, settings=short), sizes)


def four_bar():
    """A four-bar with sliders for its crank and its coupler."""
    m = Mechanism("Four-bar")
    pin = (-0.4, 0.2 * sqrt(3.0))
    crank = m.rod((-0.6, 0.0), pin, id="crank")
    coupler = m.rod(pin, (0.7, 0.9), id="coupler")
    rocker = m.rod((0.6, 0.0), (0.7, 0.9), id="rocker")
    m.revolute("ground", crank, at=(-0.6, 0.0))
    m.revolute(crank, coupler, at=pin)
    m.revolute(coupler, rocker, at=(0.7, 0.9))
    m.revolute("ground", rocker, at=(0.6, 0.0))
    return with_parameters(m.model, l_crank=("crank", 0.3, 0.5), l_coupler=("coupler", 1.0, 1.5))


def slider_crank():
    """A slider-crank with a slider for its connecting rod."""
    m = Mechanism("Slider-crank")
    crank = m.rod((0.0, 0.0), (0.0, 0.2), id="crank")
    rod = m.rod((0.0, 0.2), (0.6, 0.0), id="rod")
    piston = m.box((0.6, 0.0), 0.1, 0.08, id="piston")
    m.revolute("ground", crank, at=(0.0, 0.0))
    m.revolute(crank, rod, at=(0.0, 0.2))
    m.revolute(rod, piston, at=(0.6, 0.0))
    m.prismatic("ground", piston, at=(0.6, 0.0), axis=(1.0, 0.0))
    return with_parameters(m.model, l_crank=("crank", 0.15, 0.25), l_rod=("rod", 0.5, 0.8))


def spatial_four_bar():
    """Crank on z, rocker on x, coupler between two ball joints, with sliders for two lengths."""
    m = Mechanism("Spatial four-bar", dim=3)
    tip, top = (0.2, 0.0, 0.0), (0.6, 0.0, 0.5)
    crank = m.rod((0.0, 0.0, 0.0), tip, id="crank")
    rocker = m.rod((0.6, 0.0, 0.0), top, id="rocker")
    coupler = m.rod(tip, top, id="coupler")
    m.revolute("ground", crank, at=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0))
    m.revolute("ground", rocker, at=(0.6, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    m.spherical(crank, coupler, at=tip)
    m.spherical(rocker, coupler, at=top)
    return with_parameters(m.model, l_crank=("crank", 0.15, 0.25), l_coupler=("coupler", 0.6, 0.7))


MODELS = {one.__name__: one for one in (four_bar, slider_crank, spatial_four_bar)}


def largest_gap(model):
    """The widest open joint [m]."""
    return max(gap(model, joint) for joint in model.of("joint"))


class Thumb:
    """Drags a slider of the card by real mouse events."""

    def __init__(self, window, id):
        self.window = window
        self.row = window.sliders.rows[id]
        self.slider = self.row.slider

    def place(self, share):
        """Where the handle is at a share of the range."""
        slider = self.slider
        return QPoint(round(7 + share * (slider.width() - 14)), slider.height() // 2)

    def take(self):
        """Press on the handle."""
        at = self.place(self.slider.value() / STEPS)
        QTest.mousePress(self.slider, Qt.MouseButton.LeftButton, pos=at)

    def to(self, share):
        """Move the handle, and wait for the pose."""
        QTest.mouseMove(self.slider, self.place(share))
        self.slider.setSliderPosition(round(share * STEPS))
        self.slider._later.stop()
        self.slider._preview()
        QApplication.processEvents()

    def let_go(self):
        """Release the handle."""
        at = self.place(self.slider.sliderPosition() / STEPS)
        QTest.mouseRelease(self.slider, Qt.MouseButton.LeftButton, pos=at)
        QApplication.processEvents()


def run(qtbot, window):
    """Run the model to its end, paused at a middle time."""
    window.simulator.run()
    qtbot.waitUntil(lambda: window.playback.current is not None)
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
    window.playback.scrub(0.1)


@pytest.mark.parametrize("name", MODELS)
def test_sliders_drive_the_mechanism_live_and_its_run_follows(qtbot, window, name):
    window.document.new(MODELS[name]())
    assert window.sliders.isVisible()
    run(qtbot, window)
    first = window.playback.current
    said = []
    window.toaster.say = lambda *words: said.append(words)
    for n, id in enumerate(window.document.model.view.sliders):
        before, thumb = window.document.model, Thumb(window, id)
        thumb.take()
        for share in (0.55, 0.6, 0.7):
            thumb.to(share)
            assert largest_gap(window.document.shown) < CLOSED
            assert window.document.model is before
        thumb.let_go()
        after = window.document.model
        low, high = span_of(after, id)
        assert after[id].value == pytest.approx(low + 0.7 * (high - low), abs=0.02 * (high - low))
        assert largest_gap(after) < CLOSED
        assert after == parameter_set(before, {id: after[id].value}).model  # as without a window
        qtbot.waitUntil(lambda: window.playback.current is not None)
        qtbot.waitUntil(lambda: window.simulator.state == "idle")
        assert window.playback.results.model is after
        assert window.playback.time == pytest.approx(0.1)  # it is kept
        assert window.playback.ghosts == [first], n  # the run before the first drag
        assert window.document.undo_stack.count() == n + 1
    assert not said
    last = window.document.model
    window.document.undo_stack.undo()
    assert window.document.model is not last and largest_gap(window.document.model) < CLOSED


def test_where_it_cannot_be_assembled_the_last_pose_stays_and_it_is_said(window):
    model = four_bar()
    wide = replace(model["l_coupler"], high=9.0)
    window.document.new(put(model, wide))
    before = window.document.model
    thumb = Thumb(window, "l_coupler")
    thumb.take()
    thumb.to(0.03)
    good = window.document.shown
    thumb.to(0.9)
    assert window.document.shown is good or window.document.shown == good
    words = window.sliders.sentence
    assert "apart" in words.text() and words.isVisible()
    assert words.height() >= words.heightForWidth(words.width())  # no line of it is cut
    thumb.to(0.03)
    assert not window.sliders.sentence.isVisible()
    thumb.to(0.9)
    thumb.let_go()
    after = window.document.model
    assert after["l_coupler"].value > 2.0 and largest_gap(after) > 0.1
    assert window.simulator.state != "running"
    window.document.undo_stack.undo()
    assert window.document.model is before


def test_a_slider_that_is_let_go_where_it_was_changes_nothing(qtbot, window):
    window.document.new(four_bar())
    run(qtbot, window)
    record, before = window.playback.current, window.document.model
    thumb = Thumb(window, "l_crank")
    at = thumb.slider.value()
    thumb.take()
    thumb.to(0.8)
    thumb.to(at / STEPS)
    thumb.let_go()
    assert window.document.model is before and window.document.undo_stack.count() == 0
    assert window.playback.current is record and window.playback.time == pytest.approx(0.1)


def test_playing_goes_on_after_a_drag(qtbot, window):
    window.document.new(four_bar())
    run(qtbot, window)
    window.transport.clock = lambda: 0.0  # time stands still
    window.transport.play()
    thumb = Thumb(window, "l_crank")
    thumb.take()
    thumb.to(0.8)
    thumb.let_go()
    qtbot.waitUntil(lambda: window.simulator.state == "idle" and window.transport.is_playing)
    assert window.playback.time == pytest.approx(0.1)
    window.transport.pause()


def test_a_pin_puts_a_slider_on_the_stage_and_it_is_saved(window):
    window.document.new(with_sliders(four_bar(), ()))
    assert not window.sliders.isVisible()
    window.show_panel("parameters")
    row = window.parameters.rows["l_crank"]
    QTest.mouseClick(row.pin, Qt.MouseButton.LeftButton)
    assert window.document.model.view.sliders == ("l_crank",) and window.sliders.isVisible()
    assert loads(dumps(window.document.model)) == window.document.model
    assert '"view": {"sliders": ["l_crank"]}' in dumps(window.document.model)
    window.document.undo_stack.undo()
    assert not window.sliders.isVisible() and not row.pin.isChecked()


def test_sliders_follow_their_parameters_when_these_are_renamed_or_deleted():
    from engine.editing.edits import deleted, renamed

    model = put(planar(), Parameter(id="a", value=1.0), Parameter(id="b", value=2.0))
    model = with_sliders(model, ("a", "b"))
    assert renamed(model, "a", "c").view.sliders == ("c", "b")
    assert deleted(model, ["a"]).view.sliders == ("b",)


@pytest.mark.parametrize(
    "view", ['{"sliders": ["x"]}', '{"sliders": [3]}', '{"sliders": "a"}', '{"knobs": []}', "[]"]
)
def test_a_bad_view_is_told(view):
    text = dumps(put(planar(), Parameter(id="a", value=1.0)))
    bad = text.replace('"elements"', f'"view": {view},\n  "elements"')
    with pytest.raises(EngineError, match="view"):
        loads(bad)


@pytest.mark.parametrize(
    ("value", "low", "high", "span"),
    [
        (0.4, None, None, (0.0, 0.8)),
        (0.0, None, None, (-1.0, 1.0)),
        (-2.0, None, None, (-4.0, 0.0)),
        (0.4, 0.2, None, (0.2, 0.8)),
        (0.4, 0.1, 0.5, (0.1, 0.5)),
    ],
)
def test_a_slider_without_limits_reaches_from_zero_to_twice_the_value(value, low, high, span):
    model = put(planar(), Parameter(id="p", value=value, low=low, high=high))
    assert span_of(model, "p") == pytest.approx(span)


def test_a_parameter_is_made_of_a_label(window):
    m = Mechanism("Rod")
    rod = m.rod((0.0, 0.0), (0.5, 0.0), id="rod")
    m.revolute("ground", rod, at=(0.0, 0.0))
    window.document.new(m.model)
    window.stages.parameter_wanted.emit("rod", "length")
    model = window.document.model
    assert model["l_rod"].value == 0.5 and model["rod"].shape.length == "l_rod"
    assert model.view.sliders == ("l_rod",) and window.sliders.isVisible()
    assert np.isclose(largest_gap(model), 0.0)
    window.document.undo_stack.undo()
    assert "l_rod" not in window.document.model


def test_the_card_of_another_model_has_room_for_its_sliders(window):
    sizes = []
    for make in (four_bar, slider_crank, spatial_four_bar):
        window.document.new(make())
        card = window.findChild(SliderCard)
        assert all(row.slider.isVisible() for row in card.rows.values())
        sizes.append((card.width(), card.height()))
        assert card.height() >= 2 * card.rows["l_crank"].slider.sizeHint().height()
        assert card.width() >= card.sizeHint().width() > 200
    assert len({height for _, height in sizes}) == 1


def test_a_drawing_lies_beside_the_card_not_below_it(qtbot, window):
    model = with_sliders(four_bar(), ())
    window.document.new(model)
    stage, camera = window.stage, window.stage.camera
    stage.fit()
    drawn, size = stage.drawn_rect(), QSizeF(stage.viewport().size())
    window.document.edit("Pin", with_sliders(model, ("l_crank", "l_coupler")))
    QApplication.processEvents()
    card = QSizeF(window.sliders.width() + PLACE, window.sliders.height() + PLACE)
    whole = camera.fitted(drawn, size)
    assert lies_under(card, drawn, size, *whole)  # else there would be nothing to do
    beside = camera.fitted(drawn, size, card)
    assert not lies_under(card, drawn, size, *beside) and beside[2] > 0.5 * whole[2]
    qtbot.waitUntil(lambda: camera.state == pytest.approx(beside))
    low, high = (
        stage.to_pixels(*drawn.topLeft().toTuple()),
        stage.to_pixels(*drawn.bottomRight().toTuple()),
    )
    seen = QRectF(low, high).normalized()
    assert QRectF(stage.viewport().rect()).contains(seen)
    assert not seen.intersects(QRectF(window.sliders.geometry()))
    window.document.undo_stack.undo()
    QApplication.processEvents()
    assert window.sliders.isHidden() and camera.state == pytest.approx(beside)  # nothing jumps back
    stage.fit()
    assert camera.state == pytest.approx(whole)


def test_a_card_leaves_a_view_alone_that_the_user_chose(window):
    window.document.new(with_sliders(four_bar(), ()))
    window.stage.fit()
    window.stage.zoom(1.1)
    before = window.stage.camera.state
    window.document.edit("Pin", with_sliders(window.document.model, ("l_crank",)))
    QApplication.processEvents()
    assert window.sliders.isVisible() and window.stage.camera.state == before
