"""Write the tables and pictures of docs/performance.md from bench/results.json."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from bench.peers.comparison import REACHED, TRIED
from bench.tables import Table, shown
from engine.studies.pictures import Chart, Curve, figure

IMAGE = "work-precision.svg"
ENOUGH = 3.0  # times as fast as the best other program
PAGE = Path(__file__).parent / "performance.md"
RECORD = Path(__file__).parent.parent / "bench" / "results.json"
BEGIN, END = "<!-- tables: written by make_performance_tables.py -->\n", "<!-- end of tables -->"


def page() -> str:
    """The page with the tables of the record."""
    text = PAGE.read_text("utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    record = json.loads(RECORD.read_text("utf-8"))
    parts = [_table(one) for one in record if one["title"] != TRIED]
    if any(one["title"] == TRIED for one in record):
        parts.append(f"## Work and precision\n\n![Error against time](images/{IMAGE})")
    parts += [_where_others_win(one["rows"]) for one in record if one["title"] == REACHED]
    return before + BEGIN + "\n" + "\n\n".join(parts) + "\n\n" + END + after


def picture(rows: list[dict[str, Any]]) -> str:
    """Error against time of every setting that was tried, a panel for each problem."""
    names = dict.fromkeys(row["program"] for row in rows)
    charts = []
    for problem in dict.fromkeys(row["problem"] for row in rows):
        curves = []
        for name in names:
            of = [row for row in rows if (row["problem"], row["program"]) == (problem, name)]
            x, y = (np.array([row[what] for row in of]) for what in ("ms", "error"))
            keep = y > 0.0
            if keep.any():
                curves.append(Curve(name, x[keep], y[keep]))
        charts.append(Chart("ms", "error", curves, title=problem, log_x=True, log_y=True))
    return figure(charts, "Time for an error", columns=3)


def _where_others_win(rows: list[dict[str, Any]]) -> str:
    """In words where another program is faster, or nearly as fast."""
    ratio = "other / Kardan"
    lines = ["## Where another program wins", ""]
    for title, low, high in (
        ("faster", 0.0, 1.0),
        (f"less than {ENOUGH:g} times slower", 1.0, ENOUGH),
    ):
        found = [row for row in rows if row[ratio] is not None and low <= row[ratio] < high]
        told = "; ".join(
            f"{row['best other']} on {row['problem']} to {row['error <=']:g} ({shown(row[ratio])})"
            for row in found
        )
        lines.append(f"- {title.capitalize()}: {told or 'none'}.")
    return "\n".join(lines)


def _table(kept: dict[str, Any]) -> str:
    """One table, and the machine as it was."""
    columns = tuple(kept["rows"][0])
    rows = [tuple(row.values()) for row in kept["rows"]]
    machine = ", ".join(f"{what} {value}" for what, value in kept["machine"].items())
    return Table(kept["title"], columns, rows, [*kept["notes"], machine + "."]).markdown()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    for one in json.loads(RECORD.read_text("utf-8")):
        if one["title"] == TRIED:
            (PAGE.parent / "images" / IMAGE).write_text(picture(one["rows"]), encoding="utf-8")
