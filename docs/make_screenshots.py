"""Draw the pictures of the window that the documents show.

Run it from the checkout:  xvfb-run -a .venv/bin/python docs/make_screenshots.py
"""

import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from assets import example_paths
from gui.app import application
from gui.theme import LIGHT, palette_of
from gui.viewer import Viewer

IMAGES = Path(__file__).parent / "images"
SECONDS = 120.0  # patience: the kernels may have to be compiled first


def first_window(t: float) -> None:
    """Write images/first-window.png: the window at time t of a run that has ended."""
    app = application()
    app.setPalette(palette_of(LIGHT))
    window = Viewer()
    window.resize(1000, 620)
    window.show()
    window.open_file(example_paths()["four_bar"])
    stop = time.monotonic() + SECONDS
    while "|" not in window.health.text():
        if time.monotonic() > stop:
            raise TimeoutError(window.error.text() or window.health.text())
        QCoreApplication.processEvents()
        time.sleep(0.01)  # lets the simulation have the interpreter
    window.go_to(t)
    QCoreApplication.processEvents()
    window.grab().save(str(IMAGES / "first-window.png"))
    window.close()


if __name__ == "__main__":
    first_window(1.23)
