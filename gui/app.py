"""The application: one QApplication with the Fusion style, light or dark as the system is."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.theme import DARK, LIGHT, palette_of


def application() -> QApplication:
    """The QApplication, made on the first call."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Kardan")
    app.setStyle("Fusion")
    follow_system(app)
    app.styleHints().colorSchemeChanged.connect(lambda: follow_system(app))
    return app


def follow_system(app: QApplication) -> None:
    """Change the palette to the light or dark one the system asks for."""
    dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    app.setPalette(palette_of(DARK if dark else LIGHT))


def run(path: str = "") -> int:
    """Open the window, with a model file unless the path is empty, until it is closed."""
    app = application()
    from gui.viewer import Viewer

    window = Viewer()
    window.show()
    if path:
        window.open_file(path)
    else:
        window.open_first_example()
    return app.exec()
