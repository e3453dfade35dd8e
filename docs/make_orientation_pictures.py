"""Draw the pictures of docs/orientation.md: rings, the gimbal panel, curves and twin.

Run it from the checkout with:  make screenshots
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from docs.photographer import IMAGES, Photographer, breathe, preferences_in, wait, write
from engine.editing.builder import Mechanism
from engine.model.elements import Model, put
from gui.instruments.gimbal.panel import GimbalPanel
from gui.instruments.gimbal.rings import RingView
from gui.running.simulator import Simulator
from gui.state.attitude import Attitude
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.window.app import application, apply_theme
from rotations import euler_angles


def looping(near_lock: str = "warn", roll: float = 0.004) -> Model:
    """An aeroplane on 3-2-1 that pulls up with 1.2 rad/s: its pitch is 90 degrees at t = 1.31 s."""
    m = Mechanism("Looping", dim=3, gravity=(0.0, 0.0, 0.0))
    id = m.box((0.0, 0.0, 0.0), 1.0, 0.8, 0.2, name="Aeroplane")
    body = replace(
        m.model[id],
        mass=1.0,
        inertia=(0.1, 0.2, 0.25, 0.0, 0.0, 0.0),
        angular_velocity=(roll, 1.2, roll),
    )
    settings = replace(m.model.settings, orientation="3-2-1", near_lock=near_lock, t_end=2.6)
    return replace(put(m.model, body), settings=settings)


def finish_run(simulator: Simulator, playback: Playback) -> None:
    """Run the open model to its end."""
    simulator.run()
    wait(lambda: playback.results is not None and playback.results.ending is not None)
    wait(lambda: simulator.state == "idle")


def rings(_folder: Path) -> None:
    """Three rings that are free, near lock and locked, side by side."""
    picture = QPixmap(1170, 400)
    picture.fill(QColor("white"))
    painter = QPainter(picture)
    for n, theta in enumerate((35.0, 86.5, 90.0)):
        view = RingView(lambda angle: f"{np.degrees(angle):.4g}°")
        view.resize(390, 400)
        angles = np.radians([105.0, theta, 25.0])
        R = euler_angles.matrix("3-2-1", angles)
        view.show_attitude(Attitude("it", "it", "3-2-1", "3-2-1", angles, R, np.zeros(3)))
        painter.drawPixmap(QPoint(390 * n, 0), view.grab())
    painter.end()
    write(picture, IMAGES / "orientation-rings.png")


def at_lock(folder: Path) -> None:
    """The window after a run that stopped at the lock, with the panel and the message."""
    camera = Photographer(folder)
    window = camera.window
    camera.open(looping("stop"))
    window.panels["plots"].hide()
    window.show_rings()
    breathe()
    finish_run(window.simulator, window.playback)
    window.transport.pause()
    window.commands["fit"].trigger()
    camera.go_to(1.28)
    camera.shoot("orientation-lock")
    camera.close()


def panel_alone(
    folder: Path, model: Model, tab: str, name: str, prepare: Callable[[GimbalPanel], None]
) -> None:
    """The panel beside its curves or its twin, without the window."""
    document, selection, playback = Document(), Selection(), Playback()
    simulator = Simulator(document, playback)
    panel = GimbalPanel(document, selection, playback, preferences_in(folder))
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    panel.resize(960, 560)
    panel.show()
    document.new(model)
    part: QWidget = getattr(panel, tab)
    panel.tabs.setCurrentWidget(part)
    finish_run(simulator, playback)
    prepare(panel)
    playback.scrub(1.31)
    breathe(0.6)
    write(panel.grab(), IMAGES / f"{name}.png")
    panel.shutdown()
    simulator.shutdown()
    panel.close()


def curves(folder: Path) -> None:
    """A run that switched by itself, over time."""

    def nothing(_panel: GimbalPanel) -> None:
        """The curves need no more."""

    panel_alone(folder, looping("switch to quaternion"), "curves", "orientation-curves", nothing)


def twin(folder: Path) -> None:
    """A run by Euler angles beside its twin by quaternions."""

    def run_twin(panel: Any) -> None:
        panel.twin.button.click()
        wait(lambda: not panel.twin.twin.is_running)

    panel_alone(folder, looping("warn", 0.03), "twin", "orientation-twin", run_twin)


PICTURES = {"rings": rings, "lock": at_lock, "curves": curves, "twin": twin}


def main(names: list[str]) -> None:
    """Draw the named pictures, or all."""
    application()
    apply_theme("light")
    for name in names or PICTURES:
        with TemporaryDirectory() as folder:
            PICTURES[name](Path(folder))


if __name__ == "__main__":
    main(sys.argv[1:])
