"""The colour and the dash of a curve: the tone of its body; several curves of one tone differ by dash."""

from typing import NamedTuple

from PySide6.QtGui import QColor

from engine.model.elements import Id, Model, references
from engine.model.views.plots import owner_of
from gui.look.colors import body_colors, outline_tone
from gui.look.theme import Theme

DASHES: tuple[tuple[float, ...], ...] = ((), (7.0, 4.0), (2.0, 3.0), (9.0, 3.0, 2.0, 3.0))
WHOLE = (  # channels of the whole model that are often seen together, in the order of the bars
    *("kinetic_energy", "potential_energy", "total_energy", "work", "energy_balance"),
)


class Tone(NamedTuple):
    """How a curve is drawn."""

    colour: str
    dash: tuple[float, ...]  # strokes and gaps in pixels; empty: solid


def tones(names: list[str], model: Model, theme: Theme) -> dict[str, Tone]:
    """How the curves of one plot are drawn."""
    bodies = body_colors(model, theme)
    seen: dict[str, int] = {}
    made = {}
    for name in names:
        colour = _colour(name, model, theme, bodies)
        n = seen[colour] = seen.get(colour, -1) + 1
        made[name] = Tone(colour, DASHES[n % len(DASHES)])
    return made


def _colour(name: str, model: Model, theme: Theme, bodies: dict[Id, QColor]) -> str:
    """The tone of the body that a channel belongs to; channels of the whole model have their own."""
    if not owner_of(name):
        if name not in WHOLE:
            return theme.ink
        return outline_tone(QColor(theme.bodies[WHOLE.index(name)]), theme).name()
    body = body_of(model, owner_of(name))
    return outline_tone(bodies[body], theme).name() if body in bodies else theme.ink


def body_of(model: Model, id: Id, depth: int = 6) -> Id:
    """The moving body that an element belongs to, the one of its second marker first; empty: none."""
    element = model.elements.get(id)
    if element is None or not depth:
        return ""
    if element.family == "body":
        return "" if element.fixed else id
    owners = (body_of(model, one, depth - 1) for one in reversed(references(element)))
    return next((body for body in owners if body), "")
