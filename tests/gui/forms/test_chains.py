"""Numbers that follow a formula have a chain that unties them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from engine.editing.builder import Mechanism
from engine.model.elements import Parameter, put


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
