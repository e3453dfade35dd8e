"""A table of results, for the terminal, for Markdown and for JSON."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Table:
    """Named columns, rows of numbers or words, and remarks below."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The table in columns of equal width."""
        lines = [self.columns, *(tuple(map(shown, row)) for row in self.rows)]
        widths = [max(len(line[c]) for line in lines) for c in range(len(self.columns))]
        body = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths)) for line in lines]
        rule = "-" * len(body[0])
        return "\n".join([self.title, rule, body[0], rule, *body[1:], *self.notes, ""])

    def markdown(self) -> str:
        """The table as Markdown."""
        lines = [self.columns, ("---:",) * len(self.columns)]
        lines += [tuple(map(shown, row)) for row in self.rows]
        body = [
            "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
        ]
        return "\n".join([f"## {self.title}", "", *body, "", *(f"- {note}" for note in self.notes)])

    def data(self) -> dict[str, Any]:
        """The table as plain data."""
        rows = [dict(zip(self.columns, row)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": self.notes}


def shown(value: Any) -> str:
    """A number with three digits, nothing as a dash, words as they are."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3g}" if isinstance(value, float) else str(value)
