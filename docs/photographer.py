"""A window of a new user, simulated mouse and keys, and screenshots, for all picture scripts."""

import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from PySide6.QtCore import QBuffer, QEvent, QIODevice, QPoint, QSettings, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from scipy.spatial import cKDTree

from engine.model.elements import Model
from gui.state.preferences import Preferences
from tests.gui.space_stage_hand import SpaceStageHand
from tests.gui.stage_hand import StageHand
from tests.gui.whole_window import WholeWindow

IMAGES = Path(__file__).parent / "images"
SIZE = (1280, 800)
SECONDS = 240.0  # timeout: the kernels may have to be compiled first
COLOURS = 256  # of a picture: enough for a window, and the file stays small
SHADOW = 8  # pixels around dialogs
ENTER, TAB, ESCAPE, SPACE = Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape, Qt.Key.Key_Space


def wait(until: Callable[[], bool]) -> None:
    """Process events until a condition holds."""
    stop = time.monotonic() + SECONDS
    while not until():
        if time.monotonic() > stop:
            raise TimeoutError("the window did not come so far")
        QApplication.processEvents()
        time.sleep(0.01)  # releases the interpreter to the simulation


def breathe(seconds: float = 0.3) -> None:
    """Process events for a while."""
    stop = time.monotonic() + seconds
    wait(lambda: time.monotonic() > stop)


def preferences_in(folder: Path, *, first_steps: bool = False) -> Preferences:
    """Preferences of a new user, with or without the card of first steps."""
    chosen = Preferences(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    chosen.set("show_first_steps", first_steps)
    return chosen


def write(picture: QPixmap, path: Path) -> None:
    """Write a picture with few colours, which are enough for a window."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    with Image.open(BytesIO(buffer.data().data())) as image:
        few_colours(image.convert("RGB")).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1000} kB", flush=True)


def few_colours(image: Image.Image) -> Image.Image:
    """A picture with a palette: its common colours are kept, the others go to the nearest one.

    Half of the palette are the most common colours, which leaves panels and the background unchanged; the
    other half covers the rest evenly, so that thin lines keep their colour too.
    """
    dots = np.asarray(image)
    colours, index, counts = np.unique(
        dots.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    order = np.argsort(-counts)
    palette, rest = colours[order[: COLOURS // 2]], colours[order[COLOURS // 2 :]]
    if len(rest):
        more = Image.fromarray(rest[None]).quantize(COLOURS // 2, Image.Quantize.MAXCOVERAGE)
        palette = np.concatenate([palette, np.reshape(more.getpalette(), (-1, 3))])[:COLOURS]
    _, nearest = cKDTree(palette).query(colours)
    few = Image.fromarray(nearest[index].astype(np.uint8).reshape(dots.shape[:2]), "P")
    few.putpalette(palette.astype(np.uint8).tobytes())
    return few


class Photographer:
    """A window of a new user, simulated mouse and keys, and screenshots."""

    def __init__(self, folder: Path, *, first_steps: bool = False) -> None:
        preferences = preferences_in(folder, first_steps=first_steps)
        self.window = WholeWindow(preferences, folder / "recovery")
        self.window.resize(*SIZE)
        self.window.show()
        self.window.complete()
        self.window.build_results()
        self.window.activateWindow()
        wait(self.window.isActiveWindow)
        self.hand: Any = StageHand(self.window)
        breathe(0.4)

    def enter_space(self) -> None:
        """Start an empty model in space; the mouse works there from now on."""
        self.window.commands["new_space"].trigger()
        self._take_up_space()

    def open(self, model: Model) -> None:
        """Open a model and wait until it was examined."""
        self.window.document.new(model)
        self._settle()

    def open_example(self, path: Path) -> None:
        """Open a file and wait until its model was examined."""
        self.window.files.open_path(path)
        self._settle()

    def _settle(self) -> None:
        """Show the whole model, with the mouse on its stage."""
        if self.window.stages.is_spatial:
            self._take_up_space()
        self.window.stages.fit()
        wait(lambda: self.window.health.is_known and self.window.examiner.is_current)

    def _take_up_space(self) -> None:
        """Let the mouse work on the stage in space."""
        breathe(0.3)
        self.hand = SpaceStageHand(self.window)
        self.hand.stage.setFocus()

    def run(self) -> None:
        """Press space, wait until the run has ended, and stop playing."""
        self.hand.hit(ESCAPE, times=2)
        self.hand.hit(SPACE)
        playback = self.window.playback
        wait(lambda: playback.results is not None and playback.results.ending is not None)
        self.window.transport.pause()
        breathe()

    def make_room_for_plots(self, height: int = 290) -> None:
        """Give the plots a good third of the height."""
        self.window.places.wanted["plots"] = height
        self.window.show_panel("plots")
        self.window.places.arrange()
        breathe()

    def go_to(self, t: float) -> None:
        """Show a time of the run, with all curves there."""
        self.window.playback.scrub(t)
        breathe(0.3)
        wait(lambda: not self.window.plots.columns.is_busy)
        breathe(0.3)

    def shoot(self, name: str, over: QWidget | None = None, *, with_mouse: bool = False) -> None:
        """Write images/<name>.png: the window, and a dialog over it."""
        self.window.toaster.hide()
        if not with_mouse:
            QApplication.sendEvent(self.window.stages.shown, QEvent(QEvent.Type.Leave))
        breathe(0.6)  # a picture in space is drawn finely a moment after the last change
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
        """Close the window without dialogs."""
        self.window.files.may_leave = lambda: True
        self.window.close()
        self.window.deleteLater()
        QApplication.processEvents()
