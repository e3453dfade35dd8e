"""The stage in space in the window: switching, failing, exporting, and going away again."""

import json
import os
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, current_thread, main_thread

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from assets import example_paths
from engine.files.model_files import load
from engine.model.views import Camera
from engine.running.simulate import run
from gui.export.commands import ExportCommands
from gui.export.pictures import stage_image, stage_svg
from gui.export.twin import Twin
from gui.stages.space.screen.opengl import Asked, OpenGL, opengl
from gui.stages.space.view import Stage3D
from gui.tools.space import TOOLS3D
from tests.gui.conftest import PATIENCE
from tests.gui.space_hand import SpaceHand, table

ROOT = Path(__file__).parents[3]


def opened(window, name):
    """A window that shows an example."""
    window.files.open_path(example_paths()[name])
    return window


def test_a_model_in_space_is_shown_in_space_and_a_planar_one_in_its_plane(window):
    assert window.stages.currentWidget() is window.stage and window.stage3d is None
    opened(window, "spinning_top")
    assert isinstance(window.stage3d, Stage3D)
    assert window.stages.currentWidget() is window.stages.shown is window.stage3d
    assert window.stage.is_asleep and not window.stage3d.is_asleep
    opened(window, "four_bar")
    assert window.stages.currentWidget() is window.stage
    assert window.stage3d.is_asleep and set(window.stage.stage_scene.graphics) >= {"crank", "A"}


def test_a_planar_model_can_be_shown_in_space_as_solids(window):
    opened(window, "four_bar")
    assert not window.commands["view_top"].isEnabled()
    window.commands["show_in_space"].trigger()
    assert window.stages.shown is window.stage3d and window.stage3d.eye.up == "y"
    assert window.commands["view_top"].isEnabled()
    layers = window.stage3d.scene.placement.layer
    assert len({round(z, 9) for z in layers}) == 4  # three links and the ground pass each other
    window.strip.take("link")  # drawing returns to the plane
    assert window.stages.shown is window.stage and window.stage.tool.name == "link"
    assert not window.commands["show_in_space"].isChecked()


def test_a_link_of_a_plane_seen_in_space_has_its_length_but_no_angle_and_no_grips(window):
    opened(window, "four_bar")
    window.commands["show_in_space"].trigger()
    stage = window.stage3d
    window.selection.set(["crank"])
    stage.grab()  # an exception while painting fails the test
    assert [mark.field for mark, _ in stage.labels.marks] == ["length"]
    assert not stage.labels.handles
    window.commands["show_in_space"].trigger()
    window.stage.grab()
    assert {mark.field for mark, _ in window.stage.labels.marks} == {"length", "angle"}


def test_a_new_model_in_space_is_empty_and_says_what_to_do(window):
    window.commands["new_space"].trigger()
    assert window.document.model.dim == 3 and not len(window.document.model.elements)
    assert window.stages.shown is window.stage3d and window.hint.text()
    assert window.stage3d.scene.room.step > 0.0
    assert not window.commands["show_in_space"].isEnabled()
    assert "already" in window.commands["show_in_space"].toolTip()


def test_both_stages_are_told_how_things_look(window):
    window.commands["grid"].setChecked(False)
    window.visibility.hide({"top"})
    opened(window, "spinning_top")
    window.model_view.scale_arrows(2.0)
    window.visibility.hide({"top"})
    assert not window.stage3d.has_grid and not window.stage.has_grid
    assert window.stage3d.arrow_scale == window.stages.arrow_scale == 2.0
    assert window.stage3d.hidden == {"top"}
    assert window.document.model.view.arrows == ("spins",)
    assert window.stage3d.arrows.kinds == {"spins"} and not window.stage.arrows.kinds


def test_tree_and_stage_select_alike(window):
    opened(window, "spatial_four_bar")
    window.selection.set(("coupler",))
    assert window.stage3d.scene.glows == {"coupler": "selected"}
    assert "coupler" in window.stage3d.scene.outlines.actors


def test_runs_play_in_space(window):
    opened(window, "dzhanibekov_nut")
    results = run(window.document.model, t_end=0.2)
    window.playback.start(results, None)
    window.playback.set_time(float(results.t[-1]))
    assert np.array_equal(
        window.stage3d.scene.placement.R[0], results.frames(len(results) - 1).R[0]
    )
    assert window.stage3d.is_playing()


@pytest.fixture
def no_opengl():
    """A machine that cannot draw in space."""
    before, Asked.answer = Asked.answer, OpenGL(False, "", "The driver failed.")
    yield
    Asked.answer = before


def test_without_opengl_a_page_says_so_and_everything_else_works(window, no_opengl):
    opened(window, "spinning_top")
    page = window.stages.currentWidget()
    assert page is window.stages.failure and "The driver failed." in page.reason.text()
    assert window.stage3d is None and window.stages.shown is window.stage
    results = run(window.document.model, t_end=0.05)
    window.playback.start(results, None)
    window.playback.set_time(0.05)
    page.outline_wanted.emit()
    assert window.stages.currentWidget() is window.stage
    assert "top" in window.stage.stage_scene.graphics
    opened(window, "four_bar")
    assert window.stages.currentWidget() is window.stage


def test_the_window_is_used_while_the_driver_is_tried(open_window, qtbot, monkeypatch):
    may_answer, askers = Event(), []

    def tried():
        askers.append(current_thread())
        may_answer.wait(PATIENCE / 1000)
        return answer

    answer = opengl()
    monkeypatch.setattr(Asked, "answer", None)
    monkeypatch.setattr("gui.stages.space.screen.opengl._tried", tried)
    window = open_window()
    del window.opening.begin  # as in the program
    try:
        model = load(example_paths()["spinning_top"])
        camera = Camera(focus=(1.0, 2.0, 3.0), height=4.0)
        window.document.new(replace(model, view=replace(model.view, camera=camera)))
        stages = window.stages
        assert stages.currentWidget() is stages.waiting and stages.waiting.isVisible()
        assert window.stage3d is None and stages.shown is window.stage
        assert "being opened" in stages.why_blind
        assert not window.strip.actions_["rod"].isEnabled()
        assert stages.camera_now() == camera  # a save keeps it
        window.document.edit("Rename", replace(window.document.model, name="top"))
        window.document.new(load(example_paths()["four_bar"]))
        assert stages.currentWidget() is window.stage
        window.document.new(model)
    finally:
        may_answer.set()
    qtbot.waitUntil(lambda: stages.currentWidget() is window.stage3d is not None)
    assert len(askers) == 1 and askers[0] is not main_thread()
    assert "top" in window.stage3d.scene.graphics and not stages.why_blind
    assert window.strip.actions_["rod"].isEnabled()


def test_the_probe_names_the_renderer_and_a_dying_driver_is_no_crash(monkeypatch):
    before = Asked.answer
    try:
        Asked.answer = None
        monkeypatch.setenv("VTK_DEFAULT_OPENGL_WINDOW", "vtkOSOpenGLRenderWindow")
        found = opengl()
        if not found.works:  # where that library is missing VTK ends the process
            assert found.reason
        Asked.answer = None
        monkeypatch.setenv("KARDAN_OPENGL", "none")
        assert not opengl().works and "KARDAN_OPENGL" in opengl().reason
    finally:
        Asked.answer = before


# --- files


def test_pictures_films_and_reports_show_space(window):
    opened(window, "spinning_top")
    sources = window.sources()
    assert sources.stage is window.stage3d
    assert stage_image(sources, QSize(320, 200)).size() == QSize(320, 200)
    assert b"data:image/png;base64" in stage_svg(sources)
    window.playback.start(run(window.document.model, t_end=0.1), None)
    twin = Twin(window.sources(), window.playback.current)
    assert isinstance(twin.stage, Stage3D) and twin.stage.eye == window.stage3d.eye
    first, last = twin.image(0.0, QSize(320, 200)), twin.image(0.1, QSize(320, 200))
    twin.close()
    assert first.size() == QSize(320, 200) and first != last


def read_glb(content):
    """The document and the binary data of a .glb file."""
    magic, version, length = struct.unpack_from("<III", content)
    assert magic == 0x46546C67 and version == 2 and length == len(content)
    size, _ = struct.unpack_from("<II", content, 12)
    document = json.loads(content[20 : 20 + size])
    return document, content[28 + size :]


def test_a_glb_holds_the_named_bodies_in_the_pose_that_is_shown(qtbot, tmp_path):
    hand = SpaceHand(qtbot, table())
    content = hand.view.glb()
    document, data = read_glb(content)
    names = [node.get("name") for node in document["nodes"]]
    assert {"box", "drum", "ball"} <= set(names)
    group = document["nodes"][names.index("box")]
    node = document["nodes"][group["children"][0]]
    assert node["matrix"][12:15] == pytest.approx([0.0, 0.0, 0.25])
    places = document["accessors"][
        document["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"]
    ]
    assert places["max"] == pytest.approx([0.4, 0.3, 0.25])
    view = document["bufferViews"][places["bufferView"]]
    corners = np.frombuffer(data, "<f4", 3 * places["count"], view["byteOffset"])
    assert np.abs(corners.reshape(-1, 3)).max(axis=0) == pytest.approx([0.4, 0.3, 0.25])
    path = tmp_path / "scene.glb"
    path.write_bytes(content)
    assert _points_vtk_reads(path) == sum(
        document["accessors"][m["primitives"][0]["attributes"]["POSITION"]]["count"]
        for m in document["meshes"]
    )


def _points_vtk_reads(path):
    """How many places another reader finds in a glTF file."""
    from vtkmodules.vtkIOGeometry import vtkGLTFReader

    reader = vtkGLTFReader()
    reader.SetFileName(str(path))
    reader.Update()
    found, iterator = 0, reader.GetOutput().NewIterator()
    iterator.InitTraversal()
    while not iterator.IsDoneWithTraversal():
        found += iterator.GetCurrentDataObject().GetNumberOfPoints()
        iterator.GoToNextItem()
    return found


def test_the_command_writes_a_glb_and_is_grey_in_the_plane(window, tmp_path):
    commands = window.findChild(ExportCommands)
    assert not commands.solid.isEnabled() and "3D" in commands.solid.toolTip()
    opened(window, "screw_press")
    assert commands.solid.isEnabled()
    commands.write_solid_to(window.sources(), tmp_path / "press.glb")
    document, _ = read_glb((tmp_path / "press.glb").read_bytes())
    assert "flywheel" in [node.get("name") for node in document["nodes"]]


# --- coming and going

LOOP = """
import gc, resource, sys
from PySide6.QtWidgets import QApplication, QMainWindow, QDockWidget
from PySide6.QtCore import Qt
from engine.files.model_files import load
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.stages.space.view import Stage3D
app = QApplication([])
model = load(sys.argv[1])
document, selection, playback = Document(), Selection(), Playback()
document.new(model)
def memory():
    return int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize() / 1e6
used = []
for n in range(50):
    window = QMainWindow()
    dock = QDockWidget(window)
    view = Stage3D(document, selection, playback)
    if n % 3:
        window.setCentralWidget(view)
    else:
        dock.setWidget(view)
        window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.resize(200 + n, 160)
    window.show()
    app.processEvents()
    window.resize(260, 150 + n)
    if n % 3 == 0:
        dock.setFloating(bool(n % 2))
    view.repaint()
    if n % 2:
        view.close_drawing()
    window.close()
    window.deleteLater()
    del view, dock, window
    app.sendPostedEvents(None, 52)
    app.processEvents()
    if n % 10 == 9:
        gc.collect()
        used.append(memory())
print(used)
kept = [o for o in gc.get_objects() if isinstance(o, Stage3D)]
print(len(kept), used[-1] - used[1])
"""


def test_fifty_stages_come_and_go_without_a_leak_or_a_crash(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", LOOP, str(example_paths()["spherical_pendulum"])],
        capture_output=True,
        text=True,
        timeout=600,
        env=environment,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    kept, grown = done.stdout.strip().splitlines()[-1].split()
    assert int(kept) == 0
    assert float(grown) < 40.0  # MB in thirty stages, each of which holds more than two


def test_a_letter_gives_the_keys_to_the_stage_that_is_shown(window):
    for new in ("new", "new_space"):
        window.commands[new].trigger()
        window.tree.setFocus()
        window.strip.take("link" if new == "new" else next(iter(TOOLS3D)).name)
        assert QApplication.focusWidget() is window.stages.shown
        window.stages.set_tool(None)
