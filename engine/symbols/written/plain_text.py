"""Statements as lines of plain text."""

import re
from collections.abc import Iterator

import sympy as sp

from engine.symbols.views import VIEWS, Piece, Section, Views


def plain_document(views: Views, names: list[str]) -> Iterator[str]:
    """The chosen views, each heading once."""
    told: set[str] = set()
    for name in names:
        yield from ["", VIEWS[name]] if told else [VIEWS[name]]
        for section in views.view(name):
            if section.title in told:
                continue
            told.add(section.title)
            yield ""
            yield from lines_of(section)


def lines_of(section: Section) -> Iterator[str]:
    """A heading and its statements."""
    yield section.title
    for statement in section.statements:
        words = f"    {statement.says}" if statement.says else ""
        yield "    " + " ".join(text_of(piece) for piece in statement.pieces) + words


def text_of(piece: Piece) -> str:
    """A piece of a statement in plain text; a matrix row by row."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, sp.MatrixBase):
        rows = ["[" + ", ".join(text_of(x) for x in piece.row(r)) + "]" for r in range(piece.rows)]
        return rows[0] if len(rows) == 1 else "[" + ",\n     ".join(rows) + "]"
    return re.sub(r"grad\|(\w+)\|(\w+)", r"(d \1/d \2)", str(sp.sstr(piece)))
