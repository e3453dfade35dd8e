"""The page of modes with real widgets: it lists shapes, swings them on the stage, and changes the beam."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.compiling.elastic.listing import held_shapes
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from gui.instruments.modes.page import ModesPage
from gui.stages.stages import Stages
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection


def fork(dim=2):
    """Two cantilevers, a steel one and a longer one."""
    m = Mechanism(dim=dim)
    long = {"width": 0.01, "thickness": 0.01, "rotary": False, "modes": 2}
    for x, id in ((1.0, "short"), (2.0, "long")):
        m.beam((0, 0, 0)[:dim], (x, 0, 0)[:dim], id=id, **long)
        m.weld("ground", id, (0, 0, 0)[:dim])
    return m.model


@pytest.fixture
def page(qtbot):
    shared = Document(), Selection(), Playback()
    stages = Stages(*shared)
    qtbot.addWidget(stages)
    stages.resize(500, 400)
    stages.show()
    made = ModesPage(*shared, stages)
    qtbot.addWidget(made)
    made.resize(420, 640)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.shutdown()


def opened(page, qtbot, model):
    page.document.new(model)
    page.renew()
    return page


def click(page, row):
    place = page.table.visualItemRect(page.table.item(row, 0)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_shapes_are_listed_with_their_closed_forms_and_whether_they_are_kept(page, qtbot):
    opened(page, qtbot, fork())
    assert [page.chooser.itemText(n) for n in range(page.chooser.count())] == ["short", "long"]
    first = [page.table.item(0, column).text() for column in range(5)]
    speed = np.sqrt(2.1e11 * 0.01**2 / 12 / 7850.0)  # sqrt(EI/rho A)
    exact = 3.51601527 * speed / (2 * np.pi)
    assert first[0] == "bending" and float(first[1]) == pytest.approx(exact, rel=1e-4)
    assert float(first[2]) == pytest.approx(exact, rel=1e-4) and first[4] == "yes"
    kept = [page.table.item(n, 4).text() for n in range(page.table.rowCount())]
    assert kept.count("yes") == 2
    page.selection.set(["long"])
    assert page.chooser.currentText() == "long"
    assert float(page.table.item(0, 1).text()) == pytest.approx(exact / 4, rel=1e-4)


def test_a_click_swings_a_shape_and_another_one_ends_it(page, qtbot):
    opened(page, qtbot, fork())
    scene = page.stages.planar.stage_scene
    seen = []
    click(page, 1)
    assert page.is_swinging

    def swung():
        bend = scene.placement.pose.bends.get("short")
        seen.append(0.0 if bend is None else float(np.abs(bend.axis[:, 1]).max()))
        return max(seen) > 0.05

    qtbot.waitUntil(swung)
    assert max(seen) < 0.1  # of 1 m
    click(page, 1)
    assert not page.is_swinging and not scene.placement.pose.bends
    click(page, 0)
    page.hide()
    assert not page.is_swinging


def test_sliders_change_elements_and_shapes_as_steps_of_undo(page, qtbot):
    opened(page, qtbot, fork())
    page.elements.setFocus()
    QTest.keyClick(page.elements, Qt.Key.Key_Home)
    assert page.document.model["short"].shape.elements == 1.0
    page.renew()
    assert float(page.table.item(0, 3).text().split()[0]) == pytest.approx(0.48, abs=0.01)  # %
    page.document.undo_stack.undo()
    assert page.document.model["short"].shape.elements == 8.0
    page.renew()
    assert page.elements.value() == 8
    QTest.keyClick(page.modes, Qt.Key.Key_Right)
    assert page.document.model["short"].shape.modes == 3.0


def test_a_model_without_beams_says_how_to_make_one(page, qtbot, tmp_path):
    m = Mechanism()
    m.rod((0, 0), (1, 0), mass=1.0)
    opened(page, qtbot, m.model)
    assert "shape beam" in page.words.text() and not page.table.isVisible()
    with pytest.raises(EngineError, match="no shapes"):
        page.write_csv(tmp_path / "shapes.csv")
    opened(page, qtbot, fork())
    page.write_csv(tmp_path / "shapes.csv")
    with (tmp_path / "shapes.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 1 + page.table.rowCount()


def test_elements_meet_the_closed_forms_of_all_ends_and_kinds():
    ends = {
        ("weld", None): "clamped, free",
        ("weld", "weld"): "clamped at both",
        ("revolute", "revolute"): "pinned at both",
        ("weld", "revolute"): "clamped, pinned",
        (None, None): "free",
        (None, "revolute"): "free, pinned",
    }
    for joints in ends:
        m = Mechanism(dim=2)
        m.beam((0, 0), (1, 0), id="it", width=0.01, thickness=0.01, rotary=False, elements=32)
        for joint, x in zip(joints, (0.0, 1.0)):
            if joint:
                getattr(m, joint)("ground", "it", (x, 0))
        shapes = held_shapes(compile_model(m.model).elastic["it"])
        assert len(shapes) >= 6
        for shape in shapes:
            near = 2e-4 if shape.kind == "bending" else 0.02  # linear functions of stretch
            assert shape.frequency == pytest.approx(shape.exact, rel=near), (joints, shape.kind)
    m = Mechanism(dim=3)
    m.beam((0, 0, 0), (1, 0, 0), id="it", width=0.01, thickness=0.02, elements=32)
    m.weld("ground", "it", (0, 0, 0))
    shapes = held_shapes(compile_model(m.model).elastic["it"])
    assert {s.kind for s in shapes} == {"bending", "bending along z", "stretch", "torsion"}
    for shape in shapes:
        assert shape.frequency == pytest.approx(shape.exact, rel=0.03)  # sections turn
