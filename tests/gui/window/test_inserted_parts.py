"""Parts that bend, inserted in the window: read, judged in a dialog, drawn bent on both stages, swung."""

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from scipy.io import mmwrite

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from gui.window.importing.part_dialog import PartDialog
from tests.gui.space_hand import SpaceHand
from tests.validation.test_parts import NODES, K, M, bars


def truss(dim):
    """A part of nodes without turns that is clamped at one end, with a marker at the other."""
    nodes, stiffness, mass = bars(dim)
    m = Mechanism(dim=dim)
    part = m.part((0,) * dim, K=stiffness, M=mass, nodes=nodes, patch=0.12, modes=3, id="truss")
    m.weld("ground", part, (0, 0.05, 0.05)[:dim])
    return m, m.marker(part, (0.3, 0.05, 0.05)[:dim])


def answered(monkeypatch, choose):
    """Let `choose` act on the next dialog of a part and press a button."""

    def act(dialog):
        QTimer.singleShot(0, lambda: choose(dialog))
        return dialog.exec()

    monkeypatch.setattr("gui.window.importing.parts.answer_of", act)


def words_of(window):
    bar = window.messages.bars.get("part")
    return "" if bar is None else bar.sentence


def test_a_part_is_inserted_from_a_file_and_judged_before(qtbot, window, tmp_path, monkeypatch):
    np.savez(tmp_path / "arm.npz", K=2e4 * K, M=M, nodes=NODES)
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: ([str(tmp_path / "arm.npz")], "")
    )
    seen = {}

    def choose(dialog):
        seen["about"] = dialog.about.text()
        seen["free"] = [dialog.costs.item(n, 3).text() for n in range(dialog.costs.rowCount())]
        dialog.nodes.item(0, 0).setCheckState(Qt.CheckState.Checked)
        dialog.modes.setValue(1)
        dialog.renew()
        seen["held"] = [dialog.costs.item(n, 3).text() for n in range(dialog.costs.rowCount())]
        seen["hz"] = float(dialog.costs.item(0, 1).text().split()[0])
        dialog.patch.setText("0.1")
        dialog.renew()
        seen["bad"] = dialog.told.text(), dialog.insert.isEnabled()
        dialog.patch.setText("0")
        dialog.renew()
        QTest.mouseClick(dialog.insert, Qt.MouseButton.LeftButton)

    answered(monkeypatch, choose)
    window.commands["import_part"].trigger()
    qtbot.waitUntil(lambda: len(window.document.model.of("body")) == 1)
    assert "3 nodes, 9 coordinates, 1 kg, 1 m" in seen["about"]
    assert seen["held"][0] == "0 %" and seen["held"][1] == "left out"
    assert seen["hz"] == pytest.approx(3.516 * np.sqrt(2e4) / (2 * np.pi), rel=1e-3)
    # one clamped shape alone: the tip yields 2.9 % too little (of many elements)
    assert float(seen["held"][-1].split()[0]) == pytest.approx(-2.9, abs=0.15)
    assert "too few" in seen["bad"][0] and not seen["bad"][1]
    (body,) = window.document.model.of("body")
    assert body.shape.modes == 1.0 and window.selection.ids == (body.id,)
    window.document.undo_stack.undo()
    assert not window.document.model.of("body")


def test_files_that_hold_no_part_are_told_and_nothing_is_lost(qtbot, window, tmp_path):
    (tmp_path / "k.npz").write_bytes(b"nothing")
    window.edits.parts.read([str(tmp_path / "k.npz")])
    qtbot.waitUntil(lambda: "Cannot read the part 'k.npz'" in words_of(window))
    mmwrite(tmp_path / "k.mtx", K)
    window.edits.parts.read([str(tmp_path / "k.mtx")])
    qtbot.waitUntil(lambda: "Choose all three" in words_of(window))
    assert not window.document.model.elements


def test_three_files_are_known_by_what_is_in_them(qtbot, window, tmp_path, monkeypatch):
    for name, table in (("a", M), ("b", NODES), ("c", K)):
        mmwrite(tmp_path / f"{name}.mtx", table)
    answered(monkeypatch, PartDialog.accept)
    window.edits.parts.read([str(tmp_path / f"{name}.mtx") for name in "abc"])
    qtbot.waitUntil(lambda: len(window.document.model.of("body")) == 1)
    (body,) = window.document.model.of("body")
    np.testing.assert_allclose(body.shape.stiffness, K)


def test_a_part_in_space_starts_a_model_in_space_and_is_refused_in_a_plane(
    qtbot, window, tmp_path, monkeypatch
):
    nodes, stiffness, mass = bars(3)
    np.savez(tmp_path / "solid.npz", K=stiffness, M=mass, nodes=nodes)
    answered(monkeypatch, PartDialog.accept)
    window.edits.parts.read([str(tmp_path / "solid.npz")])
    qtbot.waitUntil(lambda: len(window.document.model.of("body")) == 1)
    assert window.document.model.dim == 3
    m = Mechanism()
    m.rod((0, 0), (1, 0), mass=1.0)
    window.document.new(m.model)
    told = []
    window.edits.complained.connect(told.append)
    window.edits.parts.read([str(tmp_path / "solid.npz")])
    qtbot.waitUntil(lambda: bool(told))
    assert "belongs into a model in space" in told[0] and window.document.model == m.model


# --- on the stages


def test_a_part_bends_in_the_plane_and_its_clamp_stays(qtbot, window):
    m, _ = truss(2)
    run = m.run(t_end=0.02, output_step=0.005, method="radau")
    window.document.new(m.model)
    window.playback.start(run, None)
    stage, t = window.stage, float(run.t[-1])
    stage.magnify_beams(20.0)
    stage.colour_beams("deflection")
    window.playback.set_time(t)
    scene = stage.stage_scene
    bend = scene.placement.pose.bends["truss"]
    at = {tuple(x): n for n, x in enumerate(np.round(bend.nodes, 6).tolist())}
    root = np.array([bend.shift[at[0.0, y]] for y in (0.0, 0.1)])
    far = np.array([bend.shift[at[0.3, y]] for y in (0.0, 0.1)])
    true = np.array([bend.true[at[0.3, y]] for y in (0.0, 0.1)])
    # of the patch at the clamp the mean stays, and so does its place in the world
    x, y, phi = scene.placement.pose.bodies[0]
    c, s = np.cos(phi), np.sin(phi)
    middle = np.array([0.0, 0.05]) + root.mean(axis=0)
    assert np.hypot(x + c * middle[0] - s * middle[1], y - 0.05 + s * middle[0] + c * middle[1]) < (
        0.2 * np.linalg.norm(far.mean(axis=0) - root.mean(axis=0))
    )
    assert np.linalg.norm(far) > 3.0 * np.linalg.norm(true) > 0.0
    assert bend.values.max() == pytest.approx(run["truss.deflection"][-1], rel=1e-6)
    # lines between nodes are bent with them
    line = next(iter(bend.lines()))
    i, j = bend.joined[0]
    np.testing.assert_allclose(line.points[[0, -1]], (bend.nodes + bend.shift)[[i, j]], atol=1e-12)
    window.playback.leave()
    assert not scene.placement.pose.bends


def test_a_part_bends_in_space_with_its_markers(qtbot):
    m, tip = truss(3)
    run = m.run(t_end=0.02, output_step=0.005, method="radau")
    hand = SpaceHand(qtbot, m.model)
    hand.playback.start(run, None)
    hand.playback.set_time(float(run.t[-1]))
    p = hand.view.scene.placement
    true = [run[f"{tip}.{c}"][-1] for c in "xyz"]
    np.testing.assert_allclose(p.marker_at(tip), true, atol=1e-9)
    assert np.linalg.norm(true - np.array([0.3, 0.05, 0.05])) > 1e-4
    bend = p.bends["truss"]
    drawn = bend.moved(bend.nodes)
    np.testing.assert_allclose(drawn, bend.nodes + bend.shift, atol=1e-9)

    def about(x):
        return np.cross((0.0, 0.0, 0.1), x) + np.array([1.0, 2.0, 3.0])

    # a rigid motion of the nodes moves everything alike
    far = bend._replace(shift=about(bend.nodes))
    some = np.array([[0.05, 0.03, 0.2], [0.4, -0.1, 0.0]])
    np.testing.assert_allclose(far.moved(some) - some, about(some), atol=1e-9)
    hand.view.colour_beams("deflection")
    data = hand.view.scene.graphics["truss"].body_actors[0][0].GetMapper().GetInput()
    assert data.GetPointData().GetScalars() is not None
    hand.view.magnify_beams(5.0)
    np.testing.assert_allclose(
        np.linalg.norm(p.bends["truss"].shift - bend.shift, axis=1).max(),
        4.0 * run["truss.deflection"][-1],
        rtol=1e-6,
    )


def test_shapes_of_a_part_are_listed_and_swing_on_the_stage(qtbot, window):
    m, _ = truss(2)
    window.document.new(m.model)
    window.show_panel("modes")
    page = window.panels["modes"].content
    qtbot.waitUntil(lambda: page.table.rowCount() > 0)
    assert page.table.isColumnHidden(2) and not page.elements.isVisible()
    record = compile_model(m.model).elastic["truss"]
    assert float(page.table.item(0, 1).text()) == pytest.approx(
        record.held[0] / (2 * np.pi), rel=1e-4
    )
    assert page.costs.item(0, 3).text() == "0 %"
    page._on_shape(0, 0)
    scene = window.stage.stage_scene
    qtbot.waitUntil(
        lambda: (
            "truss" in scene.placement.pose.bends
            and np.abs(scene.placement.pose.bends["truss"].shift).max() > 0.01
        )
    )
    page.stop()
    assert not scene.placement.pose.bends
