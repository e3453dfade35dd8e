"""What the page of wear can draw: volumes of contacts, and what two sides lose, share and differ by."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gui.look.translation import QT_TRANSLATE_NOOP

if TYPE_CHECKING:
    from engine.studies.archard import Wear

N = QT_TRANSLATE_NOOP

VOLUMES, OF_SIDES, SHARES, IMBALANCE = "volumes", "sides", "shares", "imbalance"
VIEWS = {  # what is chosen, the words of the choice, and those of the axis
    VOLUMES: (N("Wear", "W of each contact"), N("Wear", "W [mm³]")),
    OF_SIDES: (N("Wear", "WVL: W of both sides"), N("Wear", "W [mm³]")),
    SHARES: (N("Wear", "RW: shares of both sides"), N("Wear", "RW [%]")),
    IMBALANCE: (N("Wear", "WIB: imbalance"), N("Wear", "WIB [%]")),
}
NAMES = {  # of the curves of two sides
    OF_SIDES: ("WVL", "W med", "W lat"),
    SHARES: ("RW med", "RW lat"),
    IMBALANCE: ("WIB",),
}


class Curve(NamedTuple):
    """One curve over time: what it is of, at which temperature, and its values."""

    of: str  # a contact by its id, or one of NAMES
    temperature: float | None  # [K]; None: dry
    values: np.ndarray


def curves_of(found: "Wear", view: str) -> list[Curve]:
    """The curves of a choice, in the order of the legend; volumes in mm^3."""
    from engine.studies.archard import MM3

    if view == VOLUMES:
        return [
            Curve(contact, T, found.worn[n, k] * MM3)
            for n, contact in enumerate(found.contacts)
            for k, T in enumerate(found.temperatures)
        ]
    drawn = []
    for k, T in enumerate(found.temperatures):
        both = found.sides(k)
        if both is None:
            continue
        total = both.total * MM3
        values = {
            OF_SIDES: (total, 0.01 * both.medial * total, 0.01 * both.lateral * total),
            SHARES: (both.medial, both.lateral),
            IMBALANCE: (both.imbalance,),
        }[view]
        drawn += [Curve(name, T, one) for name, one in zip(NAMES[view], values)]
    return drawn


def is_log(view: str, curves: list[Curve], far: float) -> bool:
    """Whether volumes differ so much at the end that they are drawn on a logarithmic axis."""
    if view not in (VOLUMES, OF_SIDES):
        return False
    ends = last(curves)
    return bool(len(ends) and ends.max() > far * ends.min())


def last(curves: list[Curve]) -> np.ndarray:
    """What is worn at the end, where anything is."""
    ends = np.array([curve.values[-1] for curve in curves])
    return ends[ends > 0.0]
