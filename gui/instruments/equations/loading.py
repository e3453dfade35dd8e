"""Symbols are loaded while somebody chooses a page, so that the equations open at once."""

import sys

from PySide6.QtCore import QThread

from gui.state.threads import BackgroundThread

NEEDED = "engine.symbols.views"


class SymbolLoader(BackgroundThread):
    """Loads what the page of equations needs, when there is nothing else to do."""

    def run(self) -> None:
        """Import it; who needs it meanwhile waits for it."""
        import engine.symbols.powers
        import engine.symbols.views  # noqa: F401


def load_symbols() -> SymbolLoader | None:
    """Begin to load symbols, unless they are there; changes what is under way."""
    if NEEDED in sys.modules:
        return None
    loader = SymbolLoader()
    loader.start(QThread.Priority.LowestPriority)
    return loader
