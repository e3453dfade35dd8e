"""What the choice of shapes costs, as a table: frequencies and deflections against all elements."""

from math import pi
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QSizePolicy, QTableWidget

from engine.compiling.elastic.quality import Quality, quality
from engine.model.elements import Model
from gui.instruments.tables import fill, reading_table
from gui.look.translation import QT_TRANSLATE_NOOP, separated
from gui.state.numbers import written

N = QT_TRANSLATE_NOOP
HEADS = (
    N("QualityTable", "With joints held"),
    N("QualityTable", "All elements"),
    N("QualityTable", "Kept"),
    N("QualityTable", "Off"),
)
AXES = "xyz"
LEAST = 1e-4  # percent: less is rounding of what is shown


def quality_table() -> QTableWidget:
    """The empty table."""
    table = reading_table(_tr(N("QualityTable", "What the choice of shapes costs")))
    table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
    table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
    return table


def fill_quality(table: QTableWidget, record: Any, model: Model | None, most: int) -> Quality:
    """Write what the shapes of a flexible body cost into the table; changes the table."""
    found = quality(record, most)
    rows: list[tuple[str, ...]] = []
    for n, one in enumerate(found.frequencies):
        kept = "" if one.kept is None else f"{written(one.kept / (2 * pi), 5)} Hz"
        what = _tr(N("QualityTable", "Frequency {0}")).format(n + 1)
        rows.append((what, f"{written(one.full / (2 * pi), 5)} Hz", kept, _percent(one.off)))
    for far in found.deflections:
        here = _tr(N("QualityTable", "its far end"))
        if far.marker and model is not None and far.marker in model:
            here = model[far.marker].label
        elif far.marker:
            here = far.marker
        what = _tr(N("QualityTable", "Yields at {0} along {1}")).format(here, AXES[far.axis])
        values = (f"{written(x, 4)} m/N" for x in (far.full, far.kept))
        rows.append((what, *values, _percent(far.off)))
    fill(table, [_tr(words) for words in HEADS], rows, (0,))
    for n in range(table.rowCount()):
        for k in (1, 2, 3):
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            cell = table.item(n, k)
            assert cell is not None
            cell.setTextAlignment(right)
    return found


def _percent(off: float | None) -> str:
    """By how many percent it is wrong."""
    if off is None:
        return _tr(N("QualityTable", "left out"))
    return separated(f"{100.0 * off:+.2g} %") if abs(100.0 * off) > LEAST else "0 %"


def _tr(words: str) -> str:
    return QCoreApplication.translate("QualityTable", words)
