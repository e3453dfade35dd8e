"""Colours of the window and of drawings, light and dark."""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPalette, QPixmap


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours."""

    window: str  # behind controls
    paper: str  # behind drawings and in fields
    ink: str  # text, pins, springs
    faint: str  # grid, disabled text
    ground: str  # what never moves
    accent: str  # what is chosen
    alarm: str  # background of the error bar
    bodies: tuple[str, ...]  # in turn, for bodies without a colour
    is_light: bool


LIGHT = Theme(
    window="#eff1f4",
    paper="#fcfcfd",
    ink="#1d2733",
    faint="#9aa5b1",
    ground="#8d98a5",
    accent="#1769c2",
    alarm="#fde3df",
    bodies=("#4c8fd6", "#e58a3a", "#55a868", "#c55a6b", "#8b75c9", "#2f9fa8", "#b9892f", "#7d8793"),
    is_light=True,
)
DARK = Theme(
    window="#23282f",
    paper="#191d23",
    ink="#e6eaef",
    faint="#6f7b88",
    ground="#7b8794",
    accent="#5aa2ec",
    alarm="#5a2a29",
    bodies=("#5b9fe6", "#f09a4e", "#66bb7a", "#dd7483", "#a08be0", "#45b5be", "#d0a247", "#98a3af"),
    is_light=False,
)


def theme_of(palette: QPalette) -> Theme:
    """The theme that fits a palette."""
    return DARK if palette.color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def palette_of(theme: Theme) -> QPalette:
    """The palette of a theme, for the Fusion style."""
    role = QPalette.ColorRole
    palette = QPalette(QColor(theme.window))  # Qt derives the shades of buttons from this one
    colours = {
        theme.window: (role.Window, role.Button),
        theme.paper: (role.Base, role.ToolTipBase),
        theme.ink: (role.WindowText, role.Text, role.ButtonText, role.ToolTipText),
        theme.faint: (role.PlaceholderText,),
        theme.accent: (role.Highlight, role.Link),
    }
    for colour, roles in colours.items():
        for one in roles:
            palette.setColor(one, QColor(colour))
    palette.setColor(role.HighlightedText, QColor(theme.paper))
    for one in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, one, QColor(theme.faint))
    return palette


def icon(path: QPainterPath, palette: QPalette) -> QIcon:
    """A symbol of 24 pixels in the colours of the text, normal and disabled."""
    drawn = QIcon()
    for mode, group in (
        (QIcon.Mode.Normal, QPalette.ColorGroup.Active),
        (QIcon.Mode.Disabled, QPalette.ColorGroup.Disabled),
    ):
        pixmap = QPixmap(96, 96)  # sharp on dense screens too
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(4.0, 4.0)
        painter.fillPath(path, palette.color(group, QPalette.ColorRole.ButtonText))
        painter.end()
        drawn.addPixmap(pixmap, mode)
    return drawn
