"""Symbols are loaded while somebody chooses a page, so that the equations open at once."""

import sys

from PySide6.QtCore import QThread

from gui.state.threads import BackgroundThread

NEEDED = "symbols.views"  # how the name of the module ends: in a wheel it begins otherwise


class SymbolLoader(BackgroundThread):
    """Loads what the page of equations needs, when there is nothing else to do."""

    def run(self) -> None:
        """Import it; who needs it meanwhile waits for it."""
        from engine.symbols import powers, views  # noqa: F401


def load_symbols() -> SymbolLoader | None:
    """Begin to load symbols, unless they are there; changes what is under way."""
    if any(name.endswith(NEEDED) for name in sys.modules):
        return None
    loader = SymbolLoader()
    loader.start(QThread.Priority.LowestPriority)
    return loader
