"""Numbers that follow a shape or a formula say so, and a chain unties them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from engine.editing.builder import Mechanism
from engine.model.elements import Parameter, put


def test_a_tied_point_shows_what_it_is_tied_to_and_a_chain_unties_it(qtbot, window):
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), id="arm")
    m.revolute("ground", rod, at=(1, 0), id="pin")
    window.document.new(m.model)
    window.selection.set(["pin"])
    window.properties.bring_up_to_date()
    rows = window.properties.form.rows
    place = next(r.field for r in rows if r.place.name == "position" and r.field.tied.isVisible())
    assert place.words.text() == "end B of arm" and not place.parts[0].isVisible()
    before = window.document.model
    qtbot.mouseClick(place.chain, Qt.MouseButton.LeftButton)
    marker = next(x for x in window.document.model.of("marker") if x.body == "arm")
    assert marker.position == (0.5, 0.0) and before[marker.id].position[0] == "shape.length/2"
    assert place.parts[0].isVisible() and place.parts[0].line.text() == "0.5"
    window.document.undo_stack.undo()
    window.properties.bring_up_to_date()
    assert place.tied.isVisible()


def test_a_chain_replaces_a_formula_by_its_number(qtbot, window):
    m = Mechanism("Rod")
    m.rod((0, 0), (1, 0), id="arm")
    model = put(m.model, Parameter(id="l", value=0.4, unit="m"))
    shape = replace(model["arm"].shape, length="2*l")
    window.document.new(put(model, replace(model["arm"], shape=shape)))
    window.selection.set(["arm"])
    window.properties.bring_up_to_date()
    rows = window.properties.form.rows
    length = next(r.field for r in rows if r.place.name == "length")
    width = next(r.field for r in rows if r.place.name == "width")
    assert length.chain.isVisible() and not width.chain.isVisible()
    qtbot.mouseClick(length.chain, Qt.MouseButton.LeftButton)
    assert window.document.model["arm"].shape.length == pytest.approx(0.8)
    assert not length.chain.isVisible()
