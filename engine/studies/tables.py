"""Text tables with aligned columns, and the same as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from engine.files.atomic import replace_file
from engine.results.export import harmless

GAP = "  "  # between two columns


def text_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Columns that line up: numbers to the right, words to the left, a rule under the head."""
    lines = [[shown(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *lines)]
    right = [any(_is_number(row[c]) for row in rows) for c in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        parts = (
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(cells, widths, right)
        )
        return GAP.join(parts).rstrip()

    rule = GAP.join("-" * width for width in widths)
    return "\n".join([line(head), rule, *map(line, lines)])


def _is_number(cell: Any) -> bool:
    """Whether a cell is a number, perhaps already written out."""
    if isinstance(cell, str):
        return cell.lstrip("-")[:1].isdigit()
    return isinstance(cell, int | float | np.number) and not isinstance(cell, bool)


def shown(cell: Any) -> str:
    """A number with the digits a person reads, a word as it is, nothing for None."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        if not isfinite(cell):
            return "-"
        return f"{cell:.0f}" if 999.5 <= abs(cell) < 1e6 else f"{cell:.3g}"
    return str(cell)


def write_table(path: str | Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table as CSV; numbers keep all their digits, None is an empty cell.

    Names stay names: no spreadsheet takes one for a formula.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in (head, *rows):
        writer.writerow(["" if cell is None else _exact(cell) for cell in row])
    replace_file(path, lambda file: file.write(text.getvalue().encode()), "write")


def _exact(cell: Any) -> Any:
    """A number with all its digits, words without harm."""
    if isinstance(cell, str):
        return harmless(cell)
    return repr(float(cell)) if isinstance(cell, float) else cell
