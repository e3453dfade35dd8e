"""The tools of the stage in space, in the order of the strip."""

from gui.tools.base import Tool

TOOLS3D: tuple[type[Tool], ...] = ()
