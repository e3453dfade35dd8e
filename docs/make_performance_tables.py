"""Write the tables of docs/performance.md from bench/results.json."""

import json
from pathlib import Path
from typing import Any

from bench.tables import Table

PAGE = Path(__file__).parent / "performance.md"
RECORD = Path(__file__).parent.parent / "bench" / "results.json"
BEGIN, END = "<!-- tables: written by make_performance_tables.py -->\n", "<!-- end of tables -->"


def page() -> str:
    """The page with the tables of the record."""
    text = PAGE.read_text("utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    tables = [_table(one) for one in json.loads(RECORD.read_text("utf-8"))]
    return before + BEGIN + "\n" + "\n\n".join(tables) + "\n\n" + END + after


def _table(kept: dict[str, Any]) -> str:
    """One table, and the machine as it was."""
    columns = tuple(kept["rows"][0])
    rows = [tuple(row.values()) for row in kept["rows"]]
    machine = ", ".join(f"{what} {value}" for what, value in kept["machine"].items())
    return Table(kept["title"], columns, rows, [*kept["notes"], machine + "."]).markdown()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
