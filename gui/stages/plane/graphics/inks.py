"""Pens and brushes of the stage for one theme."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

from gui.look.colors import mixed, outline_tone
from gui.look.theme import Theme

NO_BRUSH = QBrush(Qt.BrushStyle.NoBrush)
NO_PEN = QPen(Qt.PenStyle.NoPen)
HALOS = {  # how much of a halo is seen, of 255, and its width in pixels
    "hover": (70, 7.0),
    "selected": (150, 7.0),
    "problem": (170, 8.0),
    "partner": (110, 7.0),
    "pressed": (85, 10.0),
}


class Inks:
    """Pens and brushes; pens have a width in pixels at every zoom.

    Such pens ignore how dense a screen or a picture is: `sharp` is the dots in a pixel.
    """

    def __init__(self, theme: Theme, sharp: float = 1.0) -> None:
        self.theme, self.sharp = theme, sharp
        self.ink, self.paper = QColor(theme.ink), QColor(theme.paper)
        self.ground, self.faint = QColor(theme.ground), QColor(theme.faint)
        self.accent, self.problem = QColor(theme.accent), QColor(theme.problem)
        self.quiet = QColor(theme.quiet)
        self.hatch = mixed(self.ink, self.paper, 0.55)
        self.metal = mixed(self.ink, self.paper, 0.78)  # springs and dampers
        self.drive = QColor("#b3378f" if theme.is_light else "#f07fd0")  # motors and motions
        self.load = QColor("#c2410c" if theme.is_light else "#ff9a5c")  # given forces and torques
        self.friction = QColor("#8a6d00" if theme.is_light else "#ffe066")
        self.arrows = {
            "reactions": QColor("#c0291f" if theme.is_light else "#ff7b6e"),
            "velocities": QColor("#1c7a43" if theme.is_light else "#63c98a"),
            "accelerations": QColor("#7a4cc2" if theme.is_light else "#b592f2"),
            "forces": self.load,
        }

    def of_arrow(self, kind: str, rubs: bool) -> QColor:
        """The colour of an arrow; that of friction is its own."""
        return self.friction if rubs else self.arrows[kind]

    def line(self, width: float = 1.6, color: QColor | None = None) -> QPen:
        """A solid line with round joins."""
        pen = QPen(color or self.ink, width * self.sharp)
        pen.setCosmetic(True)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        return pen

    def dashed(self, width: float = 1.2, color: QColor | None = None) -> QPen:
        """A dashed line."""
        pen = self.line(width, color)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([6.0 / width, 4.0 / width])
        return pen

    def centre_line(self, color: QColor | None = None) -> QPen:
        """The thin line of long and short dashes along an axis."""
        pen = self.line(1.0, color or self.faint)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern([12.0, 4.0, 2.0, 4.0])
        return pen

    def body_fill(self, color: QColor) -> QBrush:
        """The inside of a moving body: its colour, mixed with that of the paper."""
        return QBrush(mixed(color, self.paper, 0.74 if self.theme.is_light else 0.72))

    def body_edge(self, color: QColor, width: float = 1.6) -> QPen:
        """The outline of a moving body."""
        return self.line(width, outline_tone(color, self.theme))

    def halo(self, kind: str) -> QPen:
        """The highlight behind hovered, selected, wrong or pressed elements."""
        color = QColor({"problem": self.problem, "pressed": self.load}.get(kind, self.accent))
        alpha, width = HALOS[kind]
        color.setAlpha(alpha)
        return self.line(width, color)
