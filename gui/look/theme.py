"""Colours of the window and of drawings, light and dark."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours."""

    window: str  # behind controls
    paper: str  # behind drawings and in fields
    card: str  # behind cards and toasts that float over the stage
    ink: str  # text, pins, springs
    faint: str  # grid, disabled text
    quiet: str  # secondary text: units, hints
    line: str  # borders and separators
    ground: str  # ground and other fixed parts
    accent: str  # selection
    accent_soft: str  # behind the selection
    alarm: str  # background of the error bar
    caution: str  # background of the warning bar
    notice: str  # background of the information bar
    good: str  # text and symbols: all is well
    warning: str  # text and symbols: worth a look
    problem: str  # text and symbols: wrong
    bodies: tuple[str, ...]  # cycled through, for bodies without a colour
    is_light: bool


LIGHT = Theme(
    window="#f1f3f6",
    paper="#fcfcfd",
    card="#ffffff",
    ink="#1d2733",
    faint="#8892a0",
    quiet="#586675",
    line="#d3d9e0",
    ground="#8993a0",
    accent="#1769c2",
    accent_soft="#d9e8f8",
    alarm="#fde3df",
    caution="#fdf1d3",
    notice="#e2eefb",
    good="#1c7a43",
    warning="#96650a",
    problem="#c0291f",
    bodies=("#406db8", "#e8ac5c", "#329383", "#a8443f", "#a47bc7", "#86cbea", "#818f4b", "#db94ae"),
    is_light=True,
)
DARK = Theme(
    window="#23282f",
    paper="#191d23",
    card="#2b313a",
    ink="#e6eaef",
    faint="#6f7b88",
    quiet="#a3aebb",
    line="#3a424d",
    ground="#7b8794",
    accent="#5aa2ec",
    accent_soft="#2b4463",
    alarm="#5a2a29",
    caution="#51431f",
    notice="#253c57",
    good="#63c98a",
    warning="#e3b04b",
    problem="#ff8577",
    bodies=("#4f7fd0", "#f2b05a", "#4fa48f", "#b85550", "#ad8bd4", "#89d4f5", "#a9a244", "#eea5bd"),
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
