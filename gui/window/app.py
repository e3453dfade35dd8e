"""The application: one QApplication with the Fusion style, light or dark."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from gui.look.icons import icon
from gui.look.style import style_sheet
from gui.look.theme import DARK, LIGHT, palette_of, theme_of
from gui.state.garbage import GarbageCollector
from gui.state.keyboard import unwatched
from gui.state.preferences import Preferences
from gui.state.threads import leave


def application() -> QApplication:
    """The QApplication, made on the first call."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        return app
    app = QApplication(sys.argv[:1])
    GarbageCollector(app)
    app.setOrganizationName("Kardan")
    app.setApplicationName("Kardan")
    app.setStyle("Fusion")
    app.setProperty("theme", "system")
    apply_theme("system")
    app.styleHints().colorSchemeChanged.connect(lambda _: apply_theme(app.property("theme")))
    return app


def apply_theme(name: str) -> None:
    """Change the palette to light, dark or that of the system."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return
    app.setProperty("theme", name)
    is_dark = name == "dark"
    if name == "system":
        is_dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    theme = DARK if is_dark else LIGHT
    app.setPalette(palette_of(theme))
    follow_palette()


def follow_palette() -> None:
    """Change the style sheet to that of the palette, if it is another one."""
    app = QApplication.instance()
    if isinstance(app, QApplication):
        sheet = style_sheet(theme_of(app.palette()))
        if sheet != app.styleSheet():
            with unwatched(app):
                app.setStyleSheet(sheet)


def run(path: str = "") -> int:
    """Open the window, with a model file unless the path is empty, until it is closed."""
    app = application()
    preferences = Preferences()
    apply_theme(preferences.theme)
    app.setWindowIcon(icon("kardan"))
    from gui.window.main_window import MainWindow

    window = MainWindow(preferences)
    if path:
        window.open_when_ready(path)
    window.show()
    return leave(app.exec())
