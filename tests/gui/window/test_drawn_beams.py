"""A flexible four-bar drawn with the mouse, run, coloured by stress, its modes on the stage."""

from dataclasses import replace
from math import atan2, degrees

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.model.elements import put
from tests.gui.stage_hand import StageHand

KEY = Qt.Key
CRANK_END, ROCKER_END = (0.5, 0.75**0.5), (3.0157, 2.4999)


@pytest.fixture
def pen(window):
    window.activateWindow()
    window.files.new()
    return StageHand(window)


def link(pen, start, length, angle):
    """A link with typed length and angle."""
    pen.click(*start)
    pen.move(start[0] + 0.3, start[1] - 0.3)
    pen.type(length)
    pen.hit(KEY.Key_Tab)
    pen.type(angle)
    pen.hit(KEY.Key_Return)


def draw(pen):
    """Crank and rocker by typed measures, the coupler from end to end, two pins and a motor."""
    pen.look_at(1.5, 1.0, 4.2)
    angle = degrees(atan2(ROCKER_END[1], ROCKER_END[0] - 3.0))
    pen.hit(KEY.Key_L, times=2)
    link(pen, (0, 0), "1", "60")
    link(pen, (3, 0), "2.5", f"{angle:.6f}")
    pen.click(*CRANK_END)
    pen.click(*ROCKER_END)
    pen.hit(KEY.Key_Escape)
    pen.hit(KEY.Key_R, times=2)
    pen.click(0, 0)
    pen.click(3, 0)
    pen.hit(KEY.Key_M)
    pen.click(0, 0)
    pen.choose(0)  # a constant speed
    pen.hit(KEY.Key_Escape, times=2)


def bend(qtbot, window, id):
    """Choose the shape beam in the form of a rod; its length stays."""
    window.selection.set([id])
    panel, length = window.properties, window.document.model[id].shape.length
    panel.bring_up_to_date()
    box = next(row.field for row in panel.form.rows if row.field.objectName() == "shape").box
    box.showPopup()
    view = box.view()
    at = view.model().index(box.findData("beam"), 0)
    view.scrollTo(at)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(at).center())
    shape = window.document.model[id].shape
    assert shape.kind == "beam" and shape.length == length


def test_a_flexible_four_bar_is_drawn_run_coloured_and_swung(qtbot, window, pen):
    draw(pen)
    bodies = [body.id for body in window.document.model.of("body")]
    assert len(bodies) == 3 and len(window.document.model.of("joint")) == 4
    for id in bodies[1:]:
        bend(qtbot, window, id)
    window.selection.set([])
    window.stage.setFocus()
    pen.hit(KEY.Key_Space)
    playback = window.playback
    qtbot.waitUntil(lambda: playback.results is not None and len(playback.results) > 30)
    window.transport.pause()
    results = playback.results
    assert [id for id in bodies if id in results.compiled.elastic] == bodies[1:]
    bent = np.abs(results[f"{bodies[1]}.deflection"][:30])
    assert 0.0 < bent.max() < 0.1
    # the menu of the stage: bent 100 times as much, coloured by stress
    options = window.stage_options
    options.bending.actions()[-1].trigger()
    options.colours.actions()[-1].trigger()
    playback.set_time(float(results.t[20]))
    bends = window.stage.stage_scene.placement.pose.bends
    assert set(bends) == set(bodies[1:])
    most = max(b.values.max() for b in bends.values())
    assert most == pytest.approx(
        max(results[f"{id}.stress"][20] for id in bodies[1:]), rel=0.05
    )  # between stations
    shown = bends[bodies[1]]  # both pins stay, between them it is bent 100 times as much
    np.testing.assert_allclose(shown.axis[[0, -1]], shown.true[[0, -1]], atol=1e-9)
    start, end = shown.true[[0, -1], 1]
    from_chord = shown.true[:, 1] - np.linspace(start, end, len(shown.true))
    np.testing.assert_allclose(
        np.abs(shown.axis - shown.true).max(), 99.0 * np.abs(from_chord).max(), rtol=1e-3
    )
    window.simulator.cancel()
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
    window.show_panel("modes")
    page = window.panels["modes"].content
    qtbot.waitUntil(lambda: page.table.rowCount() > 0)
    place = page.table.visualItemRect(page.table.item(0, 0)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert page.is_swinging
    scene = window.stage.stage_scene
    chosen = page.chooser.currentData()
    qtbot.waitUntil(
        lambda: (
            chosen in scene.placement.pose.bends
            and np.abs(scene.placement.pose.bends[chosen].axis[:, 1]).max() > 0.1
        )
    )
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not page.is_swinging and not scene.placement.pose.bends


def test_a_portal_is_drawn_as_one_body_made_flexible_and_coloured_by_stress(qtbot, window, pen):
    pen.look_at(0.75, 0.5, 3.0)
    pen.hit(KEY.Key_J)
    for at in ((0, 0), (0, 1), (1.5, 1), (1.5, 0)):
        pen.click(*at)
    pen.hit(KEY.Key_Return)
    pen.hit(KEY.Key_Escape, times=2)
    (body,) = window.document.model.of("body")
    window.selection.set([body.id])
    panel = window.properties
    panel.bring_up_to_date()
    flag = next(row.field for row in panel.form.rows if row.field.objectName() == "shape.flexible")
    flag.box.click()
    assert window.document.model[body.id].shape.flexible
    window.stage.setFocus()
    pen.hit(KEY.Key_W, times=2)
    pen.click(0, 0)
    pen.click(1.5, 0)
    pen.hit(KEY.Key_Escape, times=2)
    assert len(window.document.model.of("joint")) == 2
    window.selection.set([])
    model = window.document.model
    fields = {"width": 0.02, "thickness": 0.02, "damping_ratio": 0.5}
    softer = replace(model[body.id].shape, youngs_modulus=1e9, **fields)
    window.document.edit("Soften", put(model, replace(model[body.id], shape=softer)))
    pen.hit(KEY.Key_Space)
    playback = window.playback
    qtbot.waitUntil(lambda: playback.results is not None and len(playback.results) > 30)
    window.transport.pause()
    results = playback.results
    window.stage_options.colours.actions()[-1].trigger()
    playback.set_time(float(results.t[30]))
    (bend,) = window.stage.stage_scene.placement.pose.bends.values()
    assert bend.values.max() == pytest.approx(results[f"{body.id}.stress"][30])
    beam = bend.nodes[np.abs(bend.nodes[:, 1] - bend.nodes[:, 1].max()) < 1e-9]
    sag = bend.true[np.abs(bend.nodes[:, 1] - bend.nodes[:, 1].max()) < 1e-9][:, 1]
    assert len(beam) == 5 and sag[np.abs(beam[:, 0] - beam[:, 0].mean()).argmin()] < -1e-3
    window.simulator.cancel()
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
