"""Draw the pictures of the window that the documents show, by mouse and keys as a person would.

Run it from the checkout with:  make screenshots
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from math import atan2, cos, degrees, radians, sin
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from PySide6.QtCore import QBuffer, QEvent, QIODevice, QPoint, QSettings, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from engine.builder import Mechanism
from engine.model import Model, put
from gui.app import application, apply_theme
from gui.main_window import MainWindow
from gui.preferences import Preferences
from tests.gui.stage_hand import StageHand

IMAGES = Path(__file__).parent / "images"
SIZE = (1280, 800)
SECONDS = 240.0  # patience: the kernels may have to be compiled first
COLOURS = 192  # of a picture: enough for a window, and the file stays small
SHADOW = 8  # pixels around dialogs
ENTER, TAB, ESCAPE, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Space


class Photographer:
    """A window of a new user, a hand that draws in it, and a camera."""

    def __init__(self, folder: Path, *, first_steps: bool = False) -> None:
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        preferences = Preferences(settings)
        preferences.set("show_first_steps", first_steps)
        self.window = MainWindow(preferences, folder / "recovery")
        self.window.resize(*SIZE)
        self.window.show()
        self.window.complete()
        self.window.build_results()
        self.window.activateWindow()
        self.wait(self.window.isActiveWindow)
        self.hand = StageHand(self.window)
        self.breathe(0.4)

    def wait(self, until: Callable[[], bool]) -> None:
        """Let the window work until something is so."""
        stop = time.monotonic() + SECONDS
        while not until():
            if time.monotonic() > stop:
                raise TimeoutError("the window did not come so far")
            QApplication.processEvents()
            time.sleep(0.01)  # lets the simulation have the interpreter

    def breathe(self, seconds: float = 0.3) -> None:
        """Let the window work for a while."""
        stop = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > stop)

    def open(self, model: Model) -> None:
        """Open a model and wait until the health strip knows it."""
        self.window.document.new(model)
        self.window.stage.fit()
        self.wait(lambda: self.window.health.is_known and self.window.examiner.is_current)

    def run(self) -> None:
        """Press space, wait until the run has ended, and stop playing."""
        self.hand.hit(ESCAPE, times=2)
        self.hand.hit(SPACE)
        playback = self.window.playback
        self.wait(lambda: playback.results is not None and playback.results.ending is not None)
        self.window.transport.pause()
        self.breathe()

    def make_room_for_plots(self) -> None:
        """Give the plots a good third of the height."""
        docks = [self.window.docks["plots"]]
        self.window.resizeDocks(docks, [290], Qt.Orientation.Vertical)
        self.breathe()

    def go_to(self, t: float) -> None:
        """Show a time of the run, with all curves there."""
        self.window.playback.scrub(t)
        self.breathe(0.3)
        self.wait(lambda: not self.window.plots.columns.is_busy)
        self.breathe(0.3)

    def shoot(self, name: str, over: QWidget | None = None, *, with_mouse: bool = False) -> None:
        """Write images/<name>.png: the window, and a dialog over it."""
        self.window.toaster.hide()
        if not with_mouse:
            QApplication.sendEvent(self.window.stage, QEvent(QEvent.Type.Leave))
        self.breathe(0.5)
        picture: QPixmap = self.window.grab()
        if over is not None:
            shown = over.grab()
            free = picture.size() - shown.size()
            corner = QPoint(free.width() // 2, free.height() // 2)
            painter = QPainter(picture)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(0, 0, 0, 14))
            for n in range(SHADOW):
                frame = shown.rect().translated(corner).adjusted(-n, -n, n, n)
                painter.drawRoundedRect(frame, n, n)
            painter.drawPixmap(corner, shown)
            painter.end()
        write(picture, IMAGES / f"{name}.png")

    def close(self) -> None:
        """Put the window away without questions."""
        self.window.files.may_leave = lambda: True
        self.window.close()
        self.window.deleteLater()
        QApplication.processEvents()


def write(picture: QPixmap, path: Path) -> None:
    """Write a picture with few colours, which a window hardly needs more of."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    with Image.open(BytesIO(buffer.data().data())) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)


# --- what is drawn


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
    hand.hit(Qt.Key.Key_L)
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
    hand.hit(Qt.Key.Key_L)
    draw_link(hand, (0, 0), "1", "60")
    draw_link(hand, (3, 0), "2.5", f"{angle:.6f}")
    hand.click(*end_of_crank)
    hand.click(*end_of_rocker)
    hand.hit(ESCAPE)
    hand.hit(Qt.Key.Key_R)
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
    """Three parallel cranks on one coupler: the third repeats what the others do."""
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
    """The pendulum in the making, and swinging."""
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
    from gui.export.sources import sources_of
    from gui.export.table_dialog import TableDialog

    dialog = TableDialog(sources_of(camera.window), camera.window)
    dialog.target.edit.setText("double-pendulum.csv")
    dialog.show()
    camera.breathe(0.5)
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
    window.plots.add_time_plot(["revolute_1.force"])
    window.stage.show_arrows("reactions", True)
    camera.go_to(0.62)
    camera.shoot("crane")
    camera.close()


def trouble(folder: Path) -> None:
    """An over-constrained model, and one that cannot be assembled."""
    camera = Photographer(folder)
    camera.open(parallel_cranks())
    camera.window.on_health("redundant")
    camera.shoot("over-constrained")
    camera.open(short_coupler())
    camera.breathe(0.5)
    camera.shoot("assembly-gap")
    camera.close()


def gallery(folder: Path) -> None:
    """The gallery over the window."""
    from gui.gallery import Gallery

    camera = Photographer(folder)
    dialog = Gallery(camera.window)
    dialog.show()
    camera.breathe(4.0)
    camera.shoot("gallery", dialog)
    dialog.close()
    camera.close()


PICTURES = (start, pendulum, double_pendulum, four_bar, crane, trouble, gallery)


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
