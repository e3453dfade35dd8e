"""Colours of the stage in space for one theme."""

from PySide6.QtGui import QColor

from gui.look.colors import Rgb, mixed, rgb
from gui.look.theme import Theme
from gui.stages.plane.graphics.inks import Inks


class SpaceInks(Inks):
    """The inks of the plane, and those of surfaces and the room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        light = theme.is_light
        self.arrows["spins"] = QColor("#0b7285" if light else "#4fd0e0")
        self.sky = QColor("#dfe7f0" if light else "#262d36")  # above
        self.floor = QColor("#fbfcfd" if light else "#14181d")  # below
        self.mark = QColor("#10151b" if light else "#ffffff")  # of what turns
        self.grid = mixed(self.faint, self.floor, 0.34)
        self.coarse = mixed(self.faint, self.floor, 0.75)
        self.roles: dict[str, QColor] = {
            "metal": QColor("#a4aeba" if light else "#9aa6b4"),
            "dark": QColor("#5d6875" if light else "#8592a0"),
            "spring": QColor("#4a5a6b" if light else "#aab7c6"),
            "drive": self.drive,
            "load": self.load,
            "accent": self.accent,
            "ink": QColor("#20262d"),
            "paper": QColor("#f5f6f8"),
            "x": QColor("#d64545"),
            "y": QColor("#3f9b4b"),
            "z": QColor("#3d77d9"),
            "i": QColor(theme.ground),
            "j": QColor(theme.ground),
        }

    def rim(self, glow: str) -> QColor:
        """The outline of a highlighted body; where it presses a soft one."""
        if glow == "pressed":
            return mixed(self.load, self.floor, 0.45)
        return self.problem if glow == "problem" else self.accent

    def edge(self, color: QColor, *, is_thin: bool) -> tuple[int, int, int]:
        """The edges of a body as bytes: its own colour, darker; less so where they would cover it."""
        tone = mixed(color, QColor("#10151b"), 0.66 if is_thin else 0.52)
        return tone.red(), tone.green(), tone.blue()

    def surface(self, color: QColor) -> Rgb:
        """The paint of a body of this colour: slightly lighter, because it is shaded."""
        return rgb(mixed(color, QColor("#ffffff"), 0.88 if self.theme.is_light else 0.94))
