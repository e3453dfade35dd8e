"""What axes and titles say: the body and the quantity that is shown, as long as there is room."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QFont, QFontMetricsF

from gui.plots.catalogue import Entry


def fitting(candidates: Sequence[str], font: QFont, room: float) -> str:
    """The first label that fits; the last one, if none does."""
    metrics = QFontMetricsF(font)
    fits = (label for label in candidates if metrics.horizontalAdvance(label) <= room)
    return next(fits, candidates[-1])


def of_axis(entries: Sequence[Entry], unit: str) -> list[str]:
    """Labels of the axis of some channels with one unit, the longest first."""
    owners = list(dict.fromkeys(entry.owner_label for entry in entries))
    quantities = list(dict.fromkeys(entry.quantity for entry in entries))
    stems = list(dict.fromkeys(stem_of(entry.quantity) for entry in entries))
    what = [", ".join(quantities), ", ".join(stems)]
    if len(owners) == 1 and entries and entries[0].owner:
        what = [f"{owners[0]}: {words}" for words in what] + what
    if len(stems) > 1:
        what.append(QCoreApplication.translate("Plots", "values"))
    sign = f"[{unit}]" if unit else ""
    labels = [f"{words} {sign}".strip() for words in dict.fromkeys(what)]
    return [*labels, sign or labels[-1]]


def stem_of(quantity: str) -> str:
    """A quantity without its component and without the body that it acts on."""
    head, comma, axis = quantity.rpartition(", ")
    return (head if comma and axis in "xyz" else quantity).partition(" on ")[0]


def title_of(entries: Sequence[Entry]) -> str:
    """The curves of a plot in words: every body once, with its quantities."""
    groups: dict[str, list[str]] = {}
    for entry in entries:
        groups.setdefault(entry.owner_label if entry.owner else "", []).append(entry.quantity)
    return "; ".join(
        f"{owner}: {', '.join(found)}" if owner else ", ".join(found)
        for owner, found in groups.items()
    )
