"""Gets space ready beside the window: tries what the machine can draw, and loads what draws it.

Both take about half a second, in which the window would stand still.
"""

import sys
from importlib import import_module

from PySide6.QtCore import Signal

from gui.stages.space.screen.opengl import Asked, opengl
from gui.state.threads import BackgroundThread

STAGE = f"{__package__}.space.view"  # loads VTK


class Opening(BackgroundThread):
    """A thread after which a stage in space can be made, or is known to fail."""

    opened = Signal()

    @property
    def is_open(self) -> bool:
        """Whether it is known how space is drawn, and what draws it is loaded."""
        found = Asked.answer
        return found is not None and (not found.works or STAGE in sys.modules)

    def begin(self) -> None:
        """Begin, unless that was done before; `opened` tells the end."""
        if not self.isRunning():
            self.start()

    def run(self) -> None:
        """Ask the driver, load what draws."""
        if opengl().works:
            import_module(STAGE)
        self.opened.emit()
