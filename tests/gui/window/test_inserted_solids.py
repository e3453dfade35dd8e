"""A solid that bends, from its surface to the stage: material asked for, filled, drawn with its skin."""

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from vtkmodules.util.numpy_support import vtk_to_numpy

from engine.compiling.elastic.tetrahedra import Solid
from engine.editing import filling, solid_parts
from gui.window.importing.part_dialog import PartDialog
from gui.window.importing.solid_dialog import SolidDialog
from tests.validation.test_tetrahedra import filled, surface


def answered(monkeypatch, act):
    """Let `act` answer the dialogs of a part, one after the other."""

    def answer(dialog):
        QTimer.singleShot(0, lambda: act(dialog))
        return dialog.exec()

    monkeypatch.setattr("gui.window.importing.parts.answer_of", answer)


def words_of(window):
    bar = window.messages.bars.get("part")
    return "" if bar is None else bar.sentence


def test_a_solid_is_filled_inserted_and_drawn_with_its_skin(qtbot, window, tmp_path, monkeypatch):
    monkeypatch.setattr(solid_parts, "KEPT", 24)
    monkeypatch.setattr(solid_parts.solid_part, "__defaults__", (1.0, None, filled))
    seen = []

    def act(dialog):
        if isinstance(dialog, SolidDialog):
            dialog.fields[0].setText("-1")
            seen.append((dialog.told.text(), dialog.fill.isEnabled()))
            dialog.fields[0].setText("7e10")
            dialog.fields[2].setText("2700")
            assert dialog.fill.isEnabled() and dialog.material == Solid(7e10, 0.3, 2700.0)
        else:
            assert isinstance(dialog, PartDialog)
            seen.append(dialog.about.text())
        dialog.accept()

    answered(monkeypatch, act)
    window.edits.parts.read([str(surface(tmp_path, (200.0, 20.0, 10.0)))])
    qtbot.waitUntil(lambda: len(window.document.model.of("body")) == 1)
    assert "Young's modulus" in seen[0][0] and not seen[0][1]
    assert "24 nodes, 72 coordinates, 0.108 kg" in seen[1]
    (body,) = window.document.model.of("body")
    assert window.document.model.dim == 3 and body.shape.patch > 0.0
    graphic = window.stage3d.scene.graphics[body.id]
    points = vtk_to_numpy(graphic.body_actors[0][0].GetMapper().GetInput().GetPoints().GetData())
    np.testing.assert_allclose(np.ptp(points, axis=0), (0.2, 0.02, 0.01), atol=1e-6)


def test_without_a_mesher_the_sentence_says_what_to_install(qtbot, window, tmp_path, monkeypatch):
    monkeypatch.setattr(filling, "find_spec", lambda name: None)
    answered(monkeypatch, lambda dialog: dialog.accept())
    window.edits.parts.read([str(surface(tmp_path, (200.0, 20.0, 10.0)))])
    qtbot.waitUntil(lambda: "kardan[solid]" in words_of(window))
    assert not window.document.model.elements


@pytest.mark.parametrize("row", [[0.0, 0.0], [0, 0, 9]])
def test_a_surface_that_is_none_is_refused(row):
    from dataclasses import replace

    from engine.errors import EngineError
    from engine.files.matrices import part_of
    from tests.validation.test_parts import bars

    nodes, stiffness, mass = bars(3)
    part = part_of(stiffness, mass, nodes)
    skin = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    replace(part, skin=skin, faces=((0, 1, 2),)).check()
    with pytest.raises(EngineError):
        replace(part, skin=skin, faces=(tuple(row),)).check()
