"""Open the window once and print when it was painted, complete and with plots, in seconds."""

import json
import sys
from pathlib import Path
from time import perf_counter

BEGAN = perf_counter()


def marks(folder: Path) -> dict[str, float]:
    """Seconds since the start of this module; the settings are those of a new user."""
    from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings

    from gui.state.preferences import Preferences
    from gui.window.app import application
    from gui.window.main_window import MainWindow

    found: dict[str, float] = {}
    application()
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Preferences(settings), folder)

    class Watch(QObject):
        """Notes the first paint."""

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            """Note when the window is painted first."""
            if event.type() == QEvent.Type.Paint:
                found.setdefault("painted", perf_counter() - BEGAN)
            return False

    watch = Watch()
    window.installEventFilter(watch)
    window.completed.connect(lambda: found.setdefault("completed", perf_counter() - BEGAN))
    window.show()
    while not window.is_complete or window.parts.plots is None:
        QCoreApplication.processEvents()
        if perf_counter() - BEGAN > 120.0:
            raise TimeoutError(str(found))
    found["plotted"] = perf_counter() - BEGAN
    window.close()
    return {**found, "whole": perf_counter() - BEGAN}


if __name__ == "__main__":
    print(json.dumps(marks(Path(sys.argv[1]))))
