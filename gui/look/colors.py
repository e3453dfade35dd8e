"""Colours of bodies in drawings and plots, and how colours are mixed."""

from PySide6.QtGui import QColor

from engine.model.elements import Id, Model
from gui.look.theme import Theme

Rgb = tuple[float, float, float]


def rgb(colour: QColor | str) -> Rgb:
    """A colour as three numbers from 0 to 1."""
    made = QColor(colour)
    return made.redF(), made.greenF(), made.blueF()


def mixed(a: QColor, b: QColor, share: float) -> QColor:
    """The colour between two, with this share of the first."""
    return QColor.fromRgbF(*(share * p + (1.0 - share) * q for p, q in zip(rgb(a), rgb(b))))


def body_colors(model: Model, theme: Theme) -> dict[Id, QColor]:
    """The colour of each body: its own, or that of its hue; fixed ones are ground.

    A body without a hue has that of its place among the moving ones.
    """
    colors, turn = {}, 0
    for body in model.of("body"):
        own = QColor(body.color) if body.color else QColor()
        number = turn if not isinstance(body.hue, int | float) else int(body.hue) - 1
        if own.isValid():
            colors[body.id] = own
        elif body.fixed:
            colors[body.id] = QColor(theme.ground)
        else:
            colors[body.id] = QColor(theme.bodies[number % len(theme.bodies)])
        turn += not body.fixed
    return colors


def outline_tone(color: QColor, theme: Theme) -> QColor:
    """The tone of a body's colour that is clear on paper: of its outline, and of its curves in plots."""
    if theme.is_light:
        return mixed(color, QColor(theme.ink), 0.58)
    return mixed(color, QColor("#ffffff"), 0.72)
