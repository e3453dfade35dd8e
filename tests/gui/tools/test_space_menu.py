"""The menu of a right click, copy and paste, and the strip for models in space."""

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from engine.editing import edits
from engine.editing.builder import Mechanism


@pytest.fixture
def spatial_window(window):
    """A window with a leaning box and a wheel on a hinge."""
    m = Mechanism(dim=3)
    m.box((1, 0, 1), 0.4, 0.4, 0.2, id="box")
    m.cylinder((0, 0, 0), (0, 0, 0.1), 0.2, id="wheel")
    m.revolute("ground", "wheel", (0, 0, 0), axis=(0, 0, 1), id="hinge")
    window.document.new(edits.turned(m.model, ["box"], (1.0, 0.0, 0.0), 0.3))
    return window


def entry(window, ids, words):
    """The entry of the menu of these elements that has these words."""
    menu = window.menu_of(ids)
    return next(a for a in menu.actions() if a.text().replace("&", "") == words)


def test_bodies_are_put_in_order_from_their_menu(spatial_window):
    window = spatial_window
    entry(window, ("box",), "Along the world axes").trigger()
    R = edits.space_frame(window.document.model, "box").R
    assert abs(R - R.round()).max() < 1e-12
    entry(window, ("box",), "On the ground plane").trigger()
    assert edits.extent3(window.document.model, "box")[0][2] == pytest.approx(0.0, abs=1e-12)
    entry(window, ("box",), "Part of the ground").trigger()
    assert window.document.model["box"].fixed
    assert window.document.undo_stack.count() == 3


def test_the_axis_of_a_joint_is_turned_from_its_menu(spatial_window):
    window = spatial_window

    def axis():
        return edits.joint_frame(window.document.model, "hinge").R[:, 2]

    entry(window, ("hinge",), "Flip the axis").trigger()
    assert axis() == pytest.approx((0, 0, -1), abs=1e-12)
    entry(window, ("hinge",), "Axis along x").trigger()
    assert axis() == pytest.approx((1, 0, 0), abs=1e-12)
    entry(window, ("hinge",), "Exchange the bodies").trigger()
    assert edits.bodies_of(window.document.model, "hinge") == ("wheel", "ground")
    entry(window, ("hinge",), "Add a motor: speed").trigger()
    assert window.document.model["motor_1"].joint == "hinge"


def test_a_copy_in_space_is_put_beside_its_original(spatial_window):
    window = spatial_window
    window.selection.set(["box"])
    window.commands["duplicate"].trigger()
    old, new = (window.document.model[id].position for id in ("box", "box_2"))
    assert new[2] == old[2] and new[0] > old[0]


def test_bodies_in_space_are_mirrored_and_aligned_by_the_commands_of_the_plane(spatial_window):
    window = spatial_window
    before = window.document.model
    window.selection.set(["box"])
    assert not window.commands["align_left"].isEnabled()
    window.commands["mirror_y"].trigger()
    assert window.document.model["box"].orientation[1] == -before["box"].orientation[1] != 0.0
    window.selection.set(["box", "wheel"])
    window.commands["align_bottom"].trigger()
    lows = [edits.extent3(window.document.model, id)[0][2] for id in ("box", "wheel")]
    assert lows[0] == pytest.approx(lows[1])


def mesh_words(window):
    """What the message about a mesh says now."""
    bar = window.messages.bars.get("mesh")
    return bar.sentence if bar is not None else ""


def press(window, words):
    """Press a button of the message about a mesh."""
    bar = window.messages.bars["mesh"]
    next(b for b in bar.buttons if b.text().startswith(words)).click()


def tent(path, size, closed=True):
    """A file with a corner of a cube, as large as is said."""
    faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\n" + ("f 2 3 4\n" if closed else "")
    path.write_text(f"v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nv 0 0 {size}\n{faces}")
    return str(path)


def test_a_mesh_is_imported_and_what_is_odd_about_it_is_said(
    spatial_window, tmp_path, monkeypatch, qtbot
):
    window = spatial_window
    path = tmp_path / "tent.obj"
    tent(path, 1, closed=False)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    window.commands["import_mesh"].trigger()
    qtbot.waitUntil(lambda: window.selection.ids == ("tent_1",))
    assert "not closed" in mesh_words(window)
    assert window.document.undo_stack.count() == 1
    path.write_text("nothing")
    window.commands["import_mesh"].trigger()
    qtbot.waitUntil(lambda: "Cannot read" in mesh_words(window))
    assert window.document.undo_stack.count() == 1
    window.document.new()
    assert not window.commands["import_mesh"].isEnabled()
    assert not mesh_words(window)


def test_a_large_mesh_asks_for_its_unit(spatial_window, tmp_path, qtbot):
    window, meshes = spatial_window, spatial_window.edits.meshes
    for button, length in (("Millimetres", 0.04), ("Inches", 1.016), ("Metres", 40.0)):
        meshes.read(tent(tmp_path / "part.obj", 40))
        qtbot.waitUntil(lambda: "unit" in mesh_words(window))
        assert window.document.undo_stack.index() == 0
        press(window, button)
        qtbot.waitUntil(lambda: "part_1" in window.document.model)
        low, high = edits.extent3(window.document.model, "part_1")
        assert high[0] - low[0] == pytest.approx(length)
        assert "unit" not in mesh_words(window)
        window.document.undo_stack.undo()
    meshes.read(tent(tmp_path / "part.obj", 40))
    qtbot.waitUntil(lambda: "unit" in mesh_words(window))
    press(window, "Cancel")
    assert not mesh_words(window) and "part_1" not in window.document.model


def test_too_many_triangles_are_simplified_and_weigh_what_they_weighed(
    spatial_window, tmp_path, qtbot, monkeypatch
):
    monkeypatch.setattr("engine.files.meshes.MAX_TRIANGLES", 2000)
    monkeypatch.setattr("gui.window.importing.meshes.FEWER", 500)
    window, path = spatial_window, tmp_path / "ball.stl"
    volume = write_ball(path, 40)
    window.edits.meshes.read(str(path))
    qtbot.waitUntil(lambda: "triangles" in mesh_words(window))
    assert window.document.undo_stack.count() == 0
    press(window, "Simplify")
    qtbot.waitUntil(lambda: "ball_1" in window.document.model)
    body = window.document.model["ball_1"]
    assert len(body.shape.faces) <= 600 and body.mass == pytest.approx(7850 * volume, rel=1e-3)
    assert "simplified" in mesh_words(window)
    assert body.center == (0.0, 0.0, 0.0) and body.inertia[3:] == (0.0, 0.0, 0.0)


def test_a_mesh_that_is_still_read_is_given_up_with_its_document(spatial_window, tmp_path, qtbot):
    window = spatial_window
    window.edits.meshes.read(tent(tmp_path / "late.obj", 1))
    window.document.new(window.document.model)
    qtbot.waitUntil(lambda: not window.edits.meshes._given_up)
    assert "late_1" not in window.document.model and not mesh_words(window)


def write_ball(path, n):
    """A binary STL file of a ball of radius 0.1 m with 2 n (n - 1) triangles; returns its volume."""
    turn, rise = np.arange(n) * 2 * np.pi / n, np.arange(n + 1) * np.pi / n
    T, R = np.meshgrid(turn, rise)
    P = 0.1 * np.stack([np.sin(R) * np.cos(T), np.sin(R) * np.sin(T), np.cos(R)], axis=-1)
    a, b = P[:-1], P[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    upper, lower = np.stack([a, b, c], axis=2)[:-1], np.stack([a, c, d], axis=2)[1:]
    faces = np.concatenate([upper.reshape(-1, 3, 3), lower.reshape(-1, 3, 3)])
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows = np.zeros(len(faces), kind)
    rows["corners"] = faces
    path.write_bytes(bytes(80) + len(rows).to_bytes(4, "little") + rows.tobytes())
    return np.linalg.det(faces).sum() / 6
