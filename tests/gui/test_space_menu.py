"""The menu of a right click, copy and paste, and the strip for models in space."""

import pytest
from PySide6.QtWidgets import QFileDialog

from engine import edits
from engine.builder import Mechanism
from gui.selection_menu import selection_menu


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
    menu = selection_menu(window, ids)
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
    entry(window, ("hinge",), "Add a motion").trigger()
    assert window.document.model["motion_1"].joint == "hinge"


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


def test_a_mesh_is_imported_and_what_is_odd_about_it_is_said(spatial_window, tmp_path, monkeypatch):
    window, said = spatial_window, []
    window.edits.complained.connect(said.append)
    path = tmp_path / "tent.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\n")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    window.commands["import_mesh"].trigger()
    assert window.selection.ids == ("tent_1",) and "not closed" in said[-1]
    assert window.document.undo_stack.count() == 1
    path.write_text("nothing")
    window.commands["import_mesh"].trigger()
    assert "Cannot read" in said[-1] and window.document.undo_stack.count() == 1
    window.document.new()
    assert not window.commands["import_mesh"].isEnabled()
