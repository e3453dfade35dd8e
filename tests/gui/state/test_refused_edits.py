"""An edit that no file could hold is not made, and the user is told why."""

from dataclasses import replace

import pytest

from engine.editing.builder import Mechanism
from engine.files.model_files import dumps, loads
from engine.model.elements import put
from gui.state.document import Document


def pendulum():
    """A rod on a pin with a torque."""
    m = Mechanism("Pendulum", dim=3)
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1.0)
    m.revolute("ground", rod, at=(0, 0, 0), axis=(0, 0, 1))
    m.torque(rod, (0, 0, 1))
    return m.model


@pytest.mark.parametrize(
    "id, change",
    [
        ("torque_1", {"t_z": -2.1e42}),
        ("rod_1", {"position": (1e40, 0.0, 0.0)}),
        ("rod_1", {"mass": float("inf")}),
        ("rod_1", {"velocity": (0.0, float("nan"), 0.0)}),
    ],
)
def test_a_number_beyond_its_limits_never_gets_into_the_model(qapp, id, change):
    document = Document()
    document.new(pendulum())
    said, before = [], document.model
    document.refused.connect(said.append)
    document.preview(put(before, replace(before[id], **change)))
    document.edit("Draw", put(before, replace(before[id], **change)))
    assert document.model is before and document.shown is before
    assert not document.undo_stack.can_undo()
    assert len(said) == 1 and before[id].label in said[0] and "computes with" in said[0]
    assert loads(dumps(document.model)) == document.model


def test_the_window_shows_the_sentence(window):
    window.document.new(pendulum())
    model = window.document.model
    window.document.edit("Draw", put(model, replace(model["torque_1"], t_z=1e60)))
    assert "torque_1" in window.messages.sentence("edit")
