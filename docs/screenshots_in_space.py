"""The pictures of the window with models in space, built with mouse and keys as a user would."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt

from assets import example_paths
from docs.photographer import ENTER, ESCAPE, Photographer, breathe
from gui.window.app import apply_theme
from tests.gui.space_drawings import (
    LEAN,
    draw_cylinder,
    draw_four_bar,
    on_ring,
    on_top,
    rim,
    spin_top,
)
from tests.run_models import lasting


def empty_room(folder: Path) -> None:
    """The stage after File > New model in space."""
    camera = Photographer(folder)
    camera.enter_space()
    camera.shoot("space-empty")
    camera.close()


def top(folder: Path) -> None:
    """The top while it is drawn, and running with its trail, a time plot and a phase portrait."""
    camera = Photographer(folder)
    camera.enter_space()
    hand = camera.hand
    draw_cylinder(hand, way=0.3)
    hand.hit(Qt.Key.Key_0)
    breathe(0.6)  # the camera moves there smoothly
    hand.hit(Qt.Key.Key_S)
    hand.move(*rim(hand, 0.01))
    camera.shoot("top-joint", with_mouse=True)
    hand.click(*rim(hand, 0.01))
    hand.hit(ESCAPE)
    lean_top(camera, hand)
    spin_top(hand)
    hand.hit(Qt.Key.Key_T)
    hand.click(*on_top(aside=0.0))
    run_top(camera)
    camera.close()


def lean_top(camera: Photographer, hand: Any) -> None:
    """Turn the top by a ring of the gizmo, and take a picture while it is turned."""
    hand.click(*rim(hand, 0.07))
    assert camera.window.selection.ids == ("cylinder_1",)
    breathe()
    at = on_ring(hand, "turn_x")
    hand.pressed_at(at)
    hand.type(str(LEAN))
    camera.shoot("top-leaning", with_mouse=True)
    hand.hit(ENTER)
    hand.released_at(at)


def run_top(camera: Photographer) -> None:
    """The top runs; its plots show the precession."""
    window = camera.window
    window.document.edit("End time", lasting(window.document.model, 4.0))
    camera.run()
    camera.make_room_for_plots()
    window.selection.clear()
    window.plots.add_time_plot(["cylinder_1.x", "cylinder_1.y"])
    window.plots.add_phase_plot("cylinder_1.x", "cylinder_1.y")
    eye = camera.hand.stage.eye
    camera.hand.stage.go_to(replace(eye, focus=(0, 0, 0.05), height=0.16, elevation=0.6))
    camera.go_to(3.78)
    camera.shoot("top-running")


def spatial_four_bar(folder: Path) -> None:
    """The four-bar in space as drawn, and running with the forces in its joints."""
    camera = Photographer(folder)
    camera.enter_space()
    draw_four_bar(camera.hand, height=2.9)  # the stage is lower than that of the tests
    camera.window.selection.clear()
    camera.window.stages.fit()
    camera.shoot("space-four-bar-drawn")
    camera.run()
    window = camera.window
    camera.make_room_for_plots()
    window.selection.clear()
    window.plots.add_time_plot(["hinge_2.angle"])
    window.plots.add_time_plot(["ball_joint_1.force"])
    window.stages.show_arrows("reactions", True)
    window.stages.arrow_scale = 2.0
    camera.go_to(1.3)
    window.stages.fit()
    window.stages.zoom(0.92)  # away from the corners
    camera.shoot("space-four-bar")
    camera.close()


def gyroscope(folder: Path) -> None:
    """An example of the gallery in the dark, with the whole stage for it."""
    camera = Photographer(folder)
    apply_theme("dark")
    camera.window.panels["plots"].hide()
    camera.open_example(example_paths()["gyroscope_in_gimbals"])
    camera.run()
    camera.window.selection.clear()
    camera.go_to(4.0)
    camera.shoot("gyroscope-dark")
    apply_theme("light")
    camera.close()


def gimbal_lock(folder: Path) -> None:
    """The example of gimbal lock at the amber warning, with the rings of its rotor beside it."""
    camera = Photographer(folder)
    window = camera.window
    camera.open_example(example_paths()["gimbal_lock"])
    window.panels["plots"].hide()
    window.selection.set(["rotor"])
    window.show_rings()
    camera.run()
    camera.go_to(4.1)
    camera.shoot("gimbal-lock-example")
    camera.close()


def solids(folder: Path) -> None:
    """A planar example shown as solids."""
    camera = Photographer(folder)
    camera.window.panels["plots"].hide()
    camera.open_example(example_paths()["four_bar"])
    camera.window.commands["show_in_space"].trigger()
    breathe()
    camera.shoot("four-bar-solids")
    camera.close()


PICTURES = (empty_room, top, spatial_four_bar, gyroscope, gimbal_lock, solids)
