"""Draw the pictures of the window that the documents show, with mouse and keys as a user would.

Run it from the checkout with:  make screenshots
"""

import sys
from dataclasses import replace
from math import atan2, cos, degrees, radians, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PySide6.QtCore import Qt

from assets import example_paths
from docs import screenshots_in_space
from docs.photographer import ENTER, ESCAPE, TAB, Photographer, breathe, wait
from engine.editing.builder import Mechanism
from engine.model.elements import Model, put
from gui.window.app import application, apply_theme

# --- models


def draw_link(hand: Any, start: tuple[float, float], length: str, angle: str) -> None:
    """A link from a place, with typed length and angle."""
    hand.click(*start)
    hand.move(start[0] + 0.3, start[1] - 0.3)
    hand.type(length)
    hand.hit(TAB)
    hand.type(angle)
    hand.hit(ENTER)


def draw_pendulum(hand: Any) -> None:
    """A link and a pin."""
    hand.look_at(0.0, -0.4, 2.4)
    hand.hit(Qt.Key.Key_L)
    draw_link(hand, (0, 0), "1", "-30")
    hand.hit(Qt.Key.Key_R)
    hand.click(0, 0)


def draw_double_pendulum(hand: Any) -> None:
    """Two links, the second from the end of the first, and a pin."""
    hand.look_at(0.0, -0.5, 4.4)
    hand.hit(Qt.Key.Key_L, times=2)
    draw_link(hand, (0, 0), "1", "-20")
    draw_link(hand, (cos(radians(-20)), sin(radians(-20))), "0.8", "-50")
    hand.hit(ESCAPE)
    hand.hit(Qt.Key.Key_R)
    hand.click(0, 0)


def draw_four_bar(hand: Any) -> None:
    """Crank and rocker by typed measures, the coupler from end to end, two pins and a motor."""
    hand.look_at(1.5, 1.0, 4.2)
    end_of_crank, end_of_rocker = (0.5, 0.75**0.5), (3.0157, 2.4999)
    angle = degrees(atan2(end_of_rocker[1], end_of_rocker[0] - 3.0))
    hand.hit(Qt.Key.Key_L, times=2)
    draw_link(hand, (0, 0), "1", "60")
    draw_link(hand, (3, 0), "2.5", f"{angle:.6f}")
    hand.click(*end_of_crank)
    hand.click(*end_of_rocker)
    hand.hit(ESCAPE)
    hand.hit(Qt.Key.Key_R, times=2)
    hand.click(0, 0)
    hand.click(3, 0)
    hand.hit(Qt.Key.Key_M)
    hand.click(0, 0)
    hand.choose(0)  # a constant speed
    hand.hit(ESCAPE, times=2)


def draw_crane(hand: Any) -> None:
    """A trolley on a rail, a load hinged to it, a spring and damper to the wall."""
    hand.look_at(-0.6, -0.35, 2.6)
    hand.hit(Qt.Key.Key_B)
    hand.drag((-0.7, -0.1), (-0.3, 0.1))
    hand.hit(Qt.Key.Key_P)
    hand.drag((-0.5, 0), (0.1, 0.01), Qt.KeyboardModifier.ShiftModifier)
    hand.hit(Qt.Key.Key_L)
    draw_link(hand, (-0.5, 0), "1", "-30")
    hand.hit(ESCAPE)
    hand.hit(Qt.Key.Key_H)
    hand.drag((-1.7, 0), (-0.5, 0))
    hand.hit(ESCAPE, times=2)


def parallel_cranks() -> Model:
    """Three parallel cranks on one coupler: the third is redundant."""
    m = Mechanism("Three parallel cranks")
    coupler = m.rod((0, 1), (3, 1), name="coupler")
    for n, x in enumerate((0.0, 1.5, 3.0), 1):
        crank = m.rod((x, 0), (x, 1), name=f"crank {n}")
        m.revolute("ground", crank, at=(x, 0), name=f"A{n}")
        m.revolute(crank, coupler, at=(x, 1), name=f"B{n}")
    return m.model


def short_coupler() -> Model:
    """A four-bar whose coupler cannot reach the rocker."""
    m = Mechanism("Four-bar that does not close")
    crank = m.rod((0, 0), (0.5, 0.9), name="crank")
    coupler = m.rod((0.5, 0.9), (2.0, 1.4), name="coupler")
    rocker = m.rod((5, 0), (5.0, 1.4), name="rocker")
    m.revolute("ground", crank, at=(0, 0), name="A")
    m.revolute(crank, coupler, at=(0.5, 0.9), name="B")
    joint = m.revolute(coupler, rocker, at=(5.0, 1.4), name="C")
    m.revolute("ground", rocker, at=(5, 0), name="D")
    end = m.model[m.model[joint].marker_i]
    half = 0.5 * float(m.model[coupler].shape.length)
    return put(m.model, replace(end, position=(half, 0.0)))


# --- the pictures


def start(folder: Path) -> None:
    """The empty window of a new user."""
    camera = Photographer(folder, first_steps=True)
    camera.shoot("start")
    camera.close()


def pendulum(folder: Path) -> None:
    """The pendulum while it is drawn, and in motion."""
    camera = Photographer(folder)
    hand = camera.hand
    hand.look_at(0.0, -0.4, 2.4)
    hand.hit(Qt.Key.Key_L)
    hand.click(0, 0)
    hand.move(0.8, -0.5)
    camera.shoot("pendulum-drawing", with_mouse=True)
    hand.hit(ESCAPE, times=2)
    draw_pendulum(hand)
    camera.run()
    camera.window.selection.set(["link_1"])
    camera.make_room_for_plots()
    hand.look_at(0.0, -0.4, 2.4)
    camera.window.plots.add_time_plot(["link_1.angle", "link_1.angular_velocity"])
    camera.go_to(1.4)
    camera.shoot("pendulum")
    camera.close()


def double_pendulum(folder: Path) -> None:
    """Run with a time plot and a phase portrait, light and dark; and the dialog of tables."""
    camera = Photographer(folder)
    window = camera.window
    camera.make_room_for_plots()
    draw_double_pendulum(camera.hand)
    camera.run()
    window.plots.add_time_plot(["link_1.angle", "link_2.angle"])
    window.plots.add_phase_plot("link_2.angle", "link_2.angular_velocity")
    window.selection.clear()
    window.stage.show_center_trails(True)
    camera.hand.look_at(0.0, -0.75, 2.5)
    camera.go_to(3.37)
    camera.shoot("double-pendulum")
    apply_theme("dark")
    camera.shoot("double-pendulum-dark")
    apply_theme("light")
    table_dialog(camera)
    camera.close()


def table_dialog(camera: Photographer) -> None:
    """The dialog that exports a table, over the window."""
    from gui.export.table_dialog import TableDialog

    dialog = TableDialog(camera.window.sources(), camera.window)
    dialog.target.edit.setText("double-pendulum.csv")
    dialog.show()
    breathe(0.5)
    camera.shoot("export", dialog)
    dialog.close()


def four_bar(folder: Path) -> None:
    """A drawn four-bar with its crank selected."""
    camera = Photographer(folder)
    draw_four_bar(camera.hand)
    camera.window.selection.set(["link_1"])
    camera.shoot("four-bar")
    camera.close()


def crane(folder: Path) -> None:
    """The crane as drawn, and while it runs, with the forces in its joints."""
    camera = Photographer(folder)
    draw_crane(camera.hand)
    camera.window.selection.clear()
    camera.shoot("crane-drawn")
    camera.run()
    window = camera.window
    camera.make_room_for_plots()
    camera.hand.look_at(-0.6, -0.4, 2.0)
    window.selection.clear()
    window.plots.add_time_plot(["box_1.x"])
    window.plots.add_time_plot(["pin_1.force"])
    window.stage.show_arrows("reactions", True)
    camera.go_to(0.62)
    camera.shoot("crane")
    camera.close()


def trouble(folder: Path) -> None:
    """An over-constrained model, and one that cannot be assembled."""
    camera = Photographer(folder)
    camera.open(parallel_cranks())
    camera.window.session.strip_clicks.take("redundant")
    camera.shoot("over-constrained")
    camera.open(short_coupler())
    breathe(0.5)
    camera.shoot("assembly-gap")
    camera.close()


def gallery(folder: Path) -> None:
    """The gallery over the window."""
    from gui.guide.gallery import Gallery

    camera = Photographer(folder)
    dialog = Gallery(camera.window)
    dialog.show()
    breathe(4.0)
    camera.shoot("gallery", dialog)
    dialog.close()
    camera.close()


def sliders(folder: Path) -> None:
    """A run with sliders for lengths, one of them moved."""
    camera = Photographer(folder)
    window = camera.window
    draw_four_bar(camera.hand)
    for link in ("link_1", "link_3"):
        window.edits.parameter_of_size(link, "length")
    camera.run()
    window.spaces.show("run")
    camera.make_room_for_plots()
    window.plots.add_time_plot(["link_2.angle"])
    first = window.playback.current
    slider = window.parts.sliders.rows["l_link_1"].slider
    slider.setSliderDown(True)
    slider.setSliderPosition(380)  # of 1000
    slider.setSliderDown(False)
    wait(lambda: window.playback.current not in (None, first))
    wait(lambda: window.playback.results.ending is not None)
    window.transport.pause()
    window.stages.fit()
    camera.go_to(1.6)
    camera.shoot("sliders")
    camera.close()


def wear(folder: Path) -> None:
    """Teeth in contact, and what they wear off."""
    camera = Photographer(folder)
    camera.open_example(example_paths()["pla_gear_pair"])
    camera.run()
    camera.window.show_panel("wear")
    breathe(2.0)
    camera.shoot("wear")
    camera.close()


IN_PLANE = (start, pendulum, double_pendulum, four_bar, crane, trouble, gallery, sliders, wear)
PICTURES = (*IN_PLANE, *screenshots_in_space.PICTURES)


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    application()
    apply_theme("light")
    for make in PICTURES:
        if not names or make.__name__ in names:
            with TemporaryDirectory(prefix="kardan-pictures-") as folder:
                make(Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
